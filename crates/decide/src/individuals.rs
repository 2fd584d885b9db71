//! Who is who from state to state: the threads, or the members of a class, of the states that classes stand
//! for, and what becomes of them when something fires.
//!
//! Each class has a state that represents it. A mode that fires there leads to some state of the target's
//! class, and an isomorphism from that state onto the one that represents its class tells who becomes whom.
//! Any isomorphism will do, as long as it is always the same one, so they are kept. The cost of a class is
//! a canonical form for each of its modes.

use std::collections::BTreeMap;
use std::rc::Rc;

use check::{Fate, Individuals, Move, Moves};
use explore::{StateId, Store};
use fold::Folder;
use net::interpret::{self, Mode};
use net::{Compiled, EnumId, Net, TransitionId, Whom};
use rustc_hash::FxHashMap;
use state::{Pid, State, Value};

use survey::Reader;

/// One of those who are not to be passed over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Individual {
    Thread(Pid),
    Member(EnumId, u32),
}

/// Which value of one state becomes which of another: pids, and members by their enumeration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Naming {
    pids: BTreeMap<Pid, Pid>,
    members: BTreeMap<Value, Value>,
}

impl Naming {
    /// Whether members of classes have the same names.
    pub(crate) fn names_members_like(&self, other: &Naming) -> bool {
        self.members == other.members
    }

    fn pid<'a>(&'a self, pid: &'a Pid) -> &'a Pid {
        self.pids.get(pid).unwrap_or(pid)
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Pid(pid) => Value::Pid(self.pid(pid).clone()),
            other => self.members.get(other).unwrap_or(other).clone(),
        }
    }

    /// A mode with the values renamed.
    fn mode(&self, mode: &Mode) -> Mode {
        let token = |token: &Vec<Value>| token.iter().map(|value| self.value(value)).collect();
        Mode {
            transition: mode.transition,
            binding: mode.binding.iter().map(|(&var, value)| (var, self.value(value))).collect(),
            tokens: mode.tokens.iter().map(token).collect(),
        }
    }

    /// The threads of `state`, which it names, by whom they are named after.
    pub(crate) fn threads_by_origin(&self, state: &State) -> BTreeMap<Pid, Pid> {
        let present = self.pids.iter().filter(|(_, to)| state.eta().contains_key(to));
        present.map(|(from, to)| (from.clone(), to.clone())).collect()
    }
}

/// A move of the state that represents a class: the mode, the children it creates, and who of its result is
/// who in the state that represents the target.
struct Way {
    mode: Mode,
    children: Vec<Pid>,
    onto: Naming,
}

struct Known {
    moves: Moves,
    ways: Vec<Way>,
}

/// The state that represents a class, all in it, and its names by their canonical numbers.
struct Representative {
    state: State,
    present: Vec<Individual>,
    names: Names,
}

/// What has been found out about classes, by their numbers.
#[derive(Default)]
pub(crate) struct Memory {
    known: FxHashMap<u32, Known>,
    representatives: FxHashMap<u32, Rc<Representative>>,
}

/// Population in the states of an exploration.
pub(crate) struct Population<'a> {
    net: &'a Net,
    compiled: &'a Compiled,
    folder: Folder,
    reader: &'a mut dyn Reader,
    store: &'a Store,
    whom: &'a [Whom],
    memory: &'a mut Memory,
}

impl<'a> Population<'a> {
    /// Those `whom` fairness is about, in the states of a store. The memory is of the same.
    pub(crate) fn new(
        compiled: &'a Compiled,
        net: &'a Net,
        whom: &'a [Whom],
        store: &'a Store,
        reader: &'a mut dyn Reader,
        memory: &'a mut Memory,
    ) -> Self {
        let folder = Folder::new(compiled.schema(), compiled.relations());
        Population { net, compiled, folder, reader, store, whom, memory }
    }

    fn representative(&mut self, id: u32) -> Rc<Representative> {
        if let Some(known) = self.memory.representatives.get(&id) {
            return known.clone();
        }
        let state = self.reader.state(self.store.get(StateId(id)));
        let (present, names) = (self.present(&state), self.names(&state));
        let representative = Rc::new(Representative { state, present, names });
        self.memory.representatives.insert(id, representative.clone());
        representative
    }

    /// How the state that represents a class is renamed to one of the class.
    pub(crate) fn naming_of(&mut self, id: u32, state: &State) -> Naming {
        let representative = self.representative(id);
        representative.names.onto(&self.names(state))
    }

    /// Whether a state is of a class.
    pub(crate) fn is_stored(&mut self, state: &State, id: u32) -> bool {
        self.reader.stored(state) == self.store.get(StateId(id))
    }

    /// Fires a move of a class in a state whose names are given: the class's state is renamed to it. Gives
    /// the mode as it is there, and how the target's state is renamed to the next.
    pub(crate) fn fired(
        &mut self,
        id: u32,
        chosen: u32,
        state: &State,
        naming: &Naming,
    ) -> (Mode, interpret::Step, Naming) {
        let way = &self.known(id).ways[chosen as usize];
        let mode = naming.mode(&way.mode);
        let modes = interpret::modes(self.net, state, mode.transition).unwrap_or_default();
        assert!(modes.contains(&mode), "the interpreter cannot follow a move by its names");
        let way = &self.memory.known[&id].ways[chosen as usize];
        let step =
            interpret::fire(self.net, state, &mode).expect("it fires in an equivalent state");
        let born: BTreeMap<&Pid, &Pid> = way.children.iter().zip(&step.children).collect();
        let pids = way.onto.pids.iter().map(|(pid, to)| {
            let here = born.get(pid).map_or_else(|| naming.pid(pid), |here| *here);
            (to.clone(), here.clone())
        });
        let members = way.onto.members.iter();
        let members = members.map(|(from, to)| (to.clone(), naming.value(from))).collect();
        let next = Naming { pids: pids.collect(), members };
        (mode, step, next)
    }

    fn known(&mut self, id: u32) -> &Known {
        if !self.memory.known.contains_key(&id) {
            let known = self.look(id);
            self.memory.known.insert(id, known);
        }
        &self.memory.known[&id]
    }

    fn look(&mut self, id: u32) -> Known {
        let representative = self.representative(id);
        let Representative { state, present: here, .. } = &*representative;
        let mut known = Known {
            moves: Moves { enabled: vec![false; here.len()], moves: Vec::new() },
            ways: Vec::new(),
        };
        for transition in (0..self.net.transitions.len() as u32).map(TransitionId) {
            let modes = interpret::modes(self.net, state, transition);
            for mode in modes.expect("the state was expanded without a fault") {
                let step = interpret::fire(self.net, state, &mode).expect("likewise");
                let bytes = self.reader.stored(&step.state);
                let target = self.store.find(&bytes).expect("the state was expanded");
                let other = self.representative(target.0);
                let onto = self.names(&step.state).onto(&other.names);
                let fates = here.iter().enumerate().map(|(index, individual)| {
                    let acts = self.acts(individual, &mode);
                    known.moves.enabled[index] |= acts;
                    let becomes = self.becomes(individual, &step.state, &onto);
                    let becomes = becomes
                        .and_then(|individual| other.present.binary_search(&individual).ok());
                    Fate { acts, becomes: becomes.map(|index| index as u32) }
                });
                let fates = fates.collect();
                known.moves.moves.push(Move { label: transition.0, target: target.0, fates });
                known.ways.push(Way { mode, children: step.children, onto });
            }
        }
        known
    }

    /// Population in a state, in ascending order.
    fn present(&self, state: &State) -> Vec<Individual> {
        let mut all = Vec::new();
        for whom in self.whom {
            match *whom {
                Whom::Threads => all.extend(state.eta().keys().cloned().map(Individual::Thread)),
                Whom::Class(id) => {
                    let count = self.net.enumerations[id.index()].members.len() as u32;
                    all.extend((0..count).map(|member| Individual::Member(id, member)));
                }
                Whom::Transition(_) => {}
            }
        }
        all.sort_unstable();
        all
    }

    fn acts(&self, individual: &Individual, mode: &Mode) -> bool {
        let transition = self.net.transition(mode.transition);
        match individual {
            Individual::Thread(pid) => transition
                .participants
                .iter()
                .any(|participant| mode.binding[&participant.thread].as_pid() == Some(pid)),
            Individual::Member(id, member) => {
                let member = Value::Enum(self.net.member(*id, *member).clone());
                let is_of =
                    |var: &net::Var| transition.variables[var.index()].kind == net::Kind::Enum(*id);
                mode.binding.iter().any(|(var, value)| is_of(var) && *value == member)
            }
        }
    }

    fn becomes(&self, individual: &Individual, state: &State, onto: &Naming) -> Option<Individual> {
        match individual {
            Individual::Thread(pid) if !state.eta().contains_key(pid) => None,
            Individual::Thread(pid) => Some(Individual::Thread(onto.pid(pid).clone())),
            Individual::Member(id, member) => {
                let name = Value::Enum(self.net.member(*id, *member).clone());
                let to = onto.value(&name);
                let members = &self.net.enumerations[id.index()].members;
                let at = members.iter().position(|name| to == Value::Enum(name.clone()));
                Some(Individual::Member(*id, at.expect("it is a member") as u32))
            }
        }
    }

    fn names(&mut self, state: &State) -> Names {
        let (working, pids) = self.compiled.working(state);
        let labels = self.folder.fold(&working, &mut Vec::new()).to_vec();
        let mut members = BTreeMap::new();
        for id in (0..self.net.enumerations.len() as u32).map(EnumId) {
            let Some(class) = self.compiled.class_of(id) else { continue };
            for (member, label) in self.folder.members(class).into_iter().enumerate() {
                let name = Value::Enum(self.net.member(id, member as u32).clone());
                members.insert((class, label), name);
            }
        }
        Names { pids: labels.into_iter().zip(pids).collect(), members }
    }
}

/// Pids and members by their numbers in the canonical form.
struct Names {
    pids: BTreeMap<u32, Pid>,
    members: BTreeMap<(usize, u32), Value>,
}

impl Names {
    /// The isomorphism onto an equivalent state.
    fn onto(&self, other: &Names) -> Naming {
        let pids = self.pids.iter().map(|(at, pid)| (pid.clone(), other.pids[at].clone()));
        let members = self.members.iter();
        let members = members.map(|(at, name)| (name.clone(), other.members[at].clone()));
        Naming { pids: pids.collect(), members: members.collect() }
    }
}

impl Individuals for Population<'_> {
    fn moves(&mut self, state: u32) -> &Moves {
        &self.known(state).moves
    }
}
