//! Who is who from state to state: the threads, or the members of a class, of the states that classes stand
//! for, and what becomes of them when something fires.
//!
//! Each class has a state that represents it. A mode that fires there leads to some state of the target's
//! class, and an isomorphism from that state onto the one that represents its class tells who becomes whom.
//! Any isomorphism will do, as long as it is always the same one, so they are kept. The cost of a class is
//! a canonical form for each of its modes.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use budget::{Budget, Exhausted};
use check::{Fate, Fates, Individuals, Move, Moves, Threads, Way as Track};
use explore::{StateId, Store};
use fold::Folder;
use net::interpret::{self, Mode};
use net::{Compiled, EnumId, Net, TransitionId, Whom};
use rustc_hash::FxHashMap;
use state::{Pid, State, Value};

use survey::Reader;

use crate::explicit::Subject;

/// One of those who are not to be passed over: a thread, or a member of an enumeration.
type Individual = (Option<EnumId>, Value);

/// Which value of one state becomes which of another: pids, and members of classes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Naming(BTreeMap<Value, Value>);

impl Naming {
    /// Whether members of classes have the same names.
    pub(crate) fn names_members_like(&self, other: &Naming) -> bool {
        let members = |naming: &Naming| -> BTreeMap<Value, Value> {
            let members = naming.0.iter().filter(|(from, _)| matches!(from, Value::Enum(_)));
            members.map(|(from, to)| (from.clone(), to.clone())).collect()
        };
        members(self) == members(other)
    }

    /// Whether all members of classes keep their names.
    pub(crate) fn keeps_members(&self) -> bool {
        self.0.iter().all(|(from, to)| !matches!(from, Value::Enum(_)) || from == to)
    }

    fn value(&self, value: &Value) -> Value {
        self.0.get(value).unwrap_or(value).clone()
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

    /// The tokens of a state, as far as they are kept, with the values renamed.
    fn tokens(&self, compiled: &Compiled, state: &State) -> State {
        let net = compiled.projected();
        let (working, atoms) = compiled.settled(state);
        let state = compiled.named(&working, &atoms);
        let mut renamed = State::new();
        for place in &net.places {
            for (token, count) in state.tokens(&place.name) {
                let token = token.iter().map(|value| self.value(value)).collect();
                let token = interpret::in_normal_form(net, place, token);
                assert!(renamed.put(&place.name, token, count), "renaming is one-to-one");
            }
        }
        renamed
    }

    /// With those who are created when a move is fired elsewhere.
    fn with_born(&self, way: &Way, step: &interpret::Step) -> Naming {
        let children = [&way.children, &step.children].map(|pids| pids.iter().cloned());
        let [there, here] = children.map(|pids| pids.map(Value::Pid));
        let objects = way.objects.iter().cloned().zip(step.objects.iter().cloned());
        let mut all = self.0.clone();
        all.extend(there.zip(here).chain(objects));
        Naming(all)
    }

    /// The threads of `state`, which it names, by whom they are named after.
    pub(crate) fn threads_by_origin(&self, state: &State) -> BTreeMap<Pid, Pid> {
        let pids = self.0.iter().filter_map(|(from, to)| Some((from.as_pid()?, to.as_pid()?)));
        let present = pids.filter(|(_, to)| state.eta().contains_key(to));
        present.map(|(from, to)| (from.clone(), to.clone())).collect()
    }
}

/// A move of the state that represents a class: the mode, the children and objects it creates, and who of its
/// result is who in the state that represents the target.
struct Way {
    mode: Mode,
    children: Vec<Pid>,
    objects: Vec<Value>,
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
    is_weakly_fair: bool,
    memory: &'a mut Memory,
    budget: &'a Budget,
}

impl<'a> Population<'a> {
    /// Those `whom` fairness is about, in the states of a store. The memory is of the same. What is not known
    /// is found out within the budget.
    pub(crate) fn new(
        subject: &'a Subject,
        whom: &'a [Whom],
        store: &'a Store,
        reader: &'a mut dyn Reader,
        memory: &'a mut Memory,
        budget: &'a Budget,
    ) -> Self {
        let compiled = subject.compiled();
        let folder = Folder::new(compiled.schema(), compiled.relations());
        let is_weakly_fair = subject.assumed.strength == Some(check::Strength::Weak);
        let net = subject.net;
        Population { net, compiled, folder, reader, store, whom, is_weakly_fair, memory, budget }
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
        onto(&representative.names, &self.names(state))
    }

    /// How a state is renamed to another of the same class; nothing if they are of different classes.
    pub(crate) fn renaming(&mut self, state: &State, other: &State) -> Option<Naming> {
        let is_same = self.reader.stored(state) == self.reader.stored(other);
        is_same.then(|| onto(&self.names(state), &self.names(other)))
    }

    /// The threads of a state of a class, with their numbers among those who are in the state that represents it.
    pub(crate) fn numbers(&mut self, id: u32, state: &State) -> Vec<(Pid, u32)> {
        let naming = self.naming_of(id, state);
        let here = self.representative(id);
        let named = here.present.iter().zip(0..).filter_map(|((_, value), number)| {
            Some((naming.value(value).as_pid()?.clone(), number))
        });
        named.collect()
    }

    /// Whether a state is of a class.
    pub(crate) fn is_stored(&mut self, state: &State, id: u32) -> bool {
        self.reader.stored(state) == self.store.get(StateId(id))
    }

    /// Fires a move of a class in a state whose names are given: the class's state is renamed to it. Gives
    /// the mode as it is there, and how the target's state is renamed to the next.
    ///
    /// # Errors
    ///
    /// If the budget is used up before.
    pub(crate) fn fired(
        &mut self,
        id: u32,
        chosen: u32,
        state: &State,
        naming: &Naming,
    ) -> Result<(Mode, interpret::Step, Naming), Exhausted> {
        let way = &self.known(id)?.ways[chosen as usize];
        let mut mode = naming.mode(&way.mode);
        let (budget, mut is_found) = (self.budget, false);
        let tried = interpret::for_each_mode(self.net, state, mode.transition, &mut |other| {
            is_found = other.as_ref() == Some(&mode);
            is_found || budget.is_exhausted()
        });
        let way = &self.memory.known[&id].ways[chosen as usize];
        if !is_found {
            budget.check()?;
            let there = &self.memory.representatives[&id].state;
            let Some(like) = like(self.compiled, way, there, state, naming, budget) else {
                budget.check()?;
                panic!("the interpreter cannot follow a move by its names: {tried:?}");
            };
            mode = like;
        }
        let step =
            interpret::fire(self.net, state, &mode).expect("it fires in an equivalent state");
        let all = naming.with_born(way, &step);
        let next = way.onto.0.iter().map(|(from, to)| (to.clone(), all.value(from)));
        let next = Naming(next.collect());
        Ok((mode, step, next))
    }

    fn known(&mut self, id: u32) -> Result<&Known, Exhausted> {
        if !self.memory.known.contains_key(&id) {
            let known = self.look(id)?;
            self.memory.known.insert(id, known);
        }
        Ok(&self.memory.known[&id])
    }

    fn look(&mut self, id: u32) -> Result<Known, Exhausted> {
        let representative = self.representative(id);
        let Representative { state, present: here, .. } = &*representative;
        let mut known = Known {
            moves: Moves { enabled: vec![false; here.len()], moves: Vec::new() },
            ways: Vec::new(),
        };
        let (net, budget) = (self.net, self.budget);
        for transition in (0..net.transitions.len() as u32).map(TransitionId) {
            let tried = interpret::for_each_mode(net, state, transition, &mut |mode| {
                if let Some(mode) = mode {
                    self.meet(state, here, mode, &mut known);
                }
                budget.is_exhausted()
            });
            budget.check()?;
            tried.expect("the state was expanded without a fault");
        }
        // A test on data that is not kept takes no time: nobody who could act before and after could not meanwhile.
        if self.is_weakly_fair && net.is_forgotten_choice(state) {
            known.moves.enabled.fill(true);
        }
        Ok(known)
    }

    /// Adds a move of a state, and what becomes of those who are there.
    fn meet(&mut self, state: &State, here: &[Individual], mode: Mode, known: &mut Known) {
        let fired = interpret::fire(self.net, state, &mode);
        let step = fired.expect("the state was expanded without a fault");
        let bytes = self.reader.stored(&step.state);
        let target = self.store.find(&bytes).expect("the state was expanded");
        let other = self.representative(target.0);
        let onto = onto(&self.names(&step.state), &other.names);
        let fates = here.iter().enumerate().map(|(index, individual)| {
            let acts = self.acts(individual, &mode);
            known.moves.enabled[index] |= acts;
            let (class, value) = individual;
            let ends = |pid| !step.state.eta().contains_key(pid);
            let becomes = || {
                let there = other.present.binary_search(&(*class, onto.value(value)));
                there.expect("all who are left are in an equivalent state, too") as u32
            };
            let is_left = !value.as_pid().is_some_and(ends);
            Fate { acts, becomes: is_left.then(becomes) }
        });
        let fates = fates.collect();
        known.moves.moves.push(Move { label: mode.transition.0, target: target.0, fates });
        let interpret::Step { children, objects, .. } = step;
        known.ways.push(Way { mode, children, objects, onto });
    }

    /// Population in a state, in ascending order.
    fn present(&self, state: &State) -> Vec<Individual> {
        let mut all = Vec::new();
        for whom in self.whom {
            match *whom {
                Whom::Threads => {
                    all.extend(state.eta().keys().map(|pid| (None, Value::Pid(pid.clone()))));
                }
                Whom::Class(id) => {
                    let members = self.net.enumerations[id.index()].members.iter();
                    all.extend(members.map(|name| (Some(id), Value::Enum(name.clone()))));
                }
                Whom::Transition(_) | Whom::Action(_) => {}
            }
        }
        all.sort_unstable();
        all
    }

    fn acts(&self, (class, value): &Individual, mode: &Mode) -> bool {
        let transition = self.net.transition(mode.transition);
        match class {
            None => transition
                .participants
                .iter()
                .any(|one| !one.passive && mode.binding[&one.thread] == *value),
            Some(id) => mode.binding.iter().any(|(var, bound)| {
                transition.variables[var.index()].kind == net::Kind::Enum(*id) && bound == value
            }),
        }
    }

    fn names(&mut self, state: &State) -> Names {
        let (working, atoms) = self.compiled.settled(state);
        let labels = self.folder.fold(&working, &mut Vec::new()).to_vec();
        let pids = labels.into_iter().zip(atoms);
        let mut names: Names = pids.map(|(label, pid)| ((None, label), pid)).collect();
        for id in (0..self.net.enumerations.len() as u32).map(EnumId) {
            let Some(class) = self.compiled.class_of(id) else { continue };
            for (member, label) in (0..).zip(self.folder.members(class)) {
                let name = Value::Enum(self.net.member(id, member).clone());
                names.insert((Some(class), label), name);
            }
        }
        names
    }
}

/// Pids, and members by their class, with their numbers in the canonical form.
type Names = BTreeMap<(Option<usize>, u32), Value>;

/// The isomorphism from one of two equivalent states onto the other.
fn onto(from: &Names, to: &Names) -> Naming {
    Naming(from.iter().map(|(at, name)| (name.clone(), to[at].clone())).collect())
}

/// Among the modes of a state, one that does what a move does in the state that represents the class, up to names.
/// Where there are groups, their records may be in another order there, so that modes differ in more than names; and so
/// they do where columns hold what nothing asks for.
/// Nothing if the budget is used up before.
fn like(
    compiled: &Compiled,
    way: &Way,
    there: &State,
    state: &State,
    naming: &Naming,
    budget: &Budget,
) -> Option<Mode> {
    let net = compiled.net();
    let target = interpret::fire(net, there, &way.mode).ok()?.state;
    let threads = |mode: &Mode| -> Vec<Value> {
        let participants = net.transition(mode.transition).participants.iter();
        participants.map(|participant| mode.binding[&participant.thread].clone()).collect()
    };
    let acting = threads(&naming.mode(&way.mode));
    let is_like = |mode: &Mode| {
        if threads(mode) != acting {
            return false;
        }
        let Ok(step) = interpret::fire(net, state, mode) else { return false };
        let renamed = naming.with_born(way, &step).tokens(compiled, &target);
        renamed == Naming::default().tokens(compiled, &step.state)
    };
    net.alike(way.mode.transition).find_map(|alike| {
        let mut found = None;
        let tried = interpret::for_each_mode(net, state, alike, &mut |mode| {
            found = mode.filter(is_like);
            found.is_some() || budget.is_exhausted()
        });
        tried.ok().and(found)
    })
}

impl Individuals for Population<'_> {
    fn moves(&mut self, state: u32) -> Result<&Moves, Exhausted> {
        Ok(&self.known(state)?.moves)
    }
}

impl Threads for Population<'_> {
    fn fates(&mut self, state: u32, fates: &mut Fates) -> Result<(), Exhausted> {
        let known = self.look(state)?;
        let here = self.representative(state);
        let Net { places, .. } = self.net;
        let idle = places.iter().filter(|place| place.idle);
        let idle =
            idle.flat_map(|place| here.state.tokens(&place.name)).map(|(token, _)| &token[0]);
        let idle: BTreeSet<&Value> = idle.collect();
        fates.is_forgotten = self.net.is_forgotten_choice(&here.state);
        fates.idle.extend(here.present.iter().map(|(_, value)| idle.contains(value)));
        for (step, way) in known.moves.moves.iter().zip(&known.ways) {
            fates.ends_all |= self.net.transition(way.mode.transition).ends_all;
            for ((thread, (_, value)), fate) in (0..).zip(&here.present).zip(&step.fates) {
                let transition = self.net.transition(way.mode.transition);
                let ends = transition.participants.iter().any(|one| {
                    one.fate == net::Fate::End && way.mode.binding[&one.thread] == *value
                });
                let becomes = fate.becomes.map(|thread| (step.target, thread));
                fates.ways.push(Track { thread, acts: fate.acts, ends, becomes });
            }
        }
        Ok(())
    }
}
