//! The run that explains a log, made concrete.
//!
//! The search keeps of each candidate by which mode of which transition it came about. Along the way to one candidate, modes
//! are fired again, which gives the classes that the run goes through; in each step the plain interpreter then looks for a
//! mode of the net with names that has what the event says and leads into the class. So every run that is shown
//! has been executed by an engine that shares no code with the one that found it.

use std::collections::{BTreeMap, BTreeSet};

use budget::Budget;
use net::interpret::{self, Mode};
use net::{Kind, Net, TransitionId};
use state::{State, Value};
use trace::{Run, RunStep, Trace};

use crate::answer::Explained;
use crate::candidate::{Candidate, Link};
use crate::engine::{Engine, Found, nothing};
use crate::event::{Source, Wanted};
use crate::search::{Kept, Search};
use crate::vocabulary::Vocabulary;

/// The run to one of the candidates that a search has come to.
pub(crate) fn explained(search: &mut Search<'_>, kept: &Kept) -> Result<Explained, String> {
    let Some(Candidate { link, .. }) = search.at.layer.all.first() else {
        return Err("there is no run".to_owned());
    };
    let path = kept.links.path(*link);
    let vocabulary = search.vocabulary();
    let mut telling = Telling::new(search.engine, vocabulary);
    let mut happened = 0;
    let mut dropped = kept.dropped.iter().peekable();
    let mut lines = Vec::new();
    for link in path {
        while let Some((_, slots)) = dropped.next_if(|(after, _)| *after <= happened) {
            telling.drop_names(slots);
        }
        // What stands for the same may be another transition in another state of the class.
        let mut ways: Vec<Way<'_>> = Vec::new();
        match link.event {
            Some((event, alternative)) => {
                let event = &kept.events[event as usize];
                lines.push(Some(event.line));
                happened += 1;
                let own = &event.alternatives[alternative as usize];
                let all = std::iter::once(own).chain(&*event.alternatives);
                ways.extend(all.map(|one| (one.transition, &one.known[..])));
            }
            None => {
                lines.push(None);
                let others = vocabulary.unlogged().iter().copied();
                let all = std::iter::once(link.transition).chain(others);
                ways.extend(all.map(|transition| (transition, &[][..])));
            }
        }
        telling.go(&link, &ways)?;
    }
    Ok(Explained { trace: Trace::from(telling.plain), lines })
}

/// A transition, and what is known of its mode.
type Way<'w> = (TransitionId, &'w [(Source, Wanted)]);

/// A run that is being told.
struct Telling<'t> {
    engine: &'t mut Engine,
    /// The class where it is.
    class: Vec<u8>,
    /// The state where it is, with names.
    state: State,
    /// The same without names, from the start on.
    plain: Run,
    budget: Budget,
}

impl<'t> Telling<'t> {
    fn new(engine: &'t mut Engine, vocabulary: &Vocabulary) -> Telling<'t> {
        let class = engine.initial();
        let state = interpret::initial(engine.net());
        let plain = Run::at_start(vocabulary.net());
        Telling { engine, class, state, plain, budget: Budget::unlimited() }
    }

    fn drop_names(&mut self, slots: &[u32]) {
        self.class = self.engine.without(&self.class, slots);
        let gone = self.engine.gone().map(|place| self.engine.net().place(place).name.clone());
        for (slot, gone) in slots.iter().filter_map(|slot| Some((slot, gone.as_ref()?))) {
            let _ = self.state.take(gone, &[Value::Int(i64::from(*slot))], 1);
        }
    }

    /// Goes on by a step, in the first way, or in one that stands for the same.
    fn go(&mut self, link: &Link, ways: &[Way<'_>]) -> Result<(), String> {
        self.engine.load(&self.class);
        let mut target = None;
        let each = &mut |found: Found<'_>| {
            if found.number == link.mode {
                target = Some(found.bytes.to_vec());
            }
            target.is_some()
        };
        // Where the model has a fault, what was found before counts.
        let _ = self.engine.fire(link.transition, ways[0].1, &[], &self.budget, each);
        let target = target.ok_or("a step of the run is not found again")?;
        let net = self.engine.net().clone();
        let alike: BTreeSet<TransitionId> = net.alike(link.transition).collect();
        for &(alike, wanted) in ways.iter().filter(|(other, _)| alike.contains(other)) {
            let mut modes = Vec::new();
            // Those before a fault are modes all the same.
            let _ = interpret::for_each_mode(&net, &self.state, alike, &mut |mode| {
                modes.extend(mode);
                false
            });
            for mode in modes {
                if let Some(step) = self.step(&net, &mode, wanted)
                    && self.engine.bytes_of(&step.state) == target
                {
                    self.class = target;
                    self.plain
                        .steps
                        .push(RunStep { state: self.without_names(&step.state), ..step.clone() });
                    self.state = step.state;
                    return Ok(());
                }
            }
        }
        let name = &net.transition(link.transition).name;
        let number = self.plain.steps.len() + 1;
        Err(format!("the interpreter cannot follow step {number} of the run, by `{name}`"))
    }

    /// What becomes of the state by a mode, with new names, if it has what is wanted.
    fn step(&self, net: &Net, mode: &Mode, wanted: &[(Source, Wanted)]) -> Option<RunStep> {
        let step = interpret::fire(net, &self.state, mode).ok()?;
        let mut state = step.state.clone();
        for (source, wanted) in wanted {
            let value = value(net, mode, &step, *source)?;
            match *wanted {
                Wanted::Gone => return None,
                // Nobody has no name.
                Wanted::Name(..) if value == Value::None => return None,
                Wanted::Data(number) => (number_of(net, &value)? == number).then_some(())?,
                Wanted::Name(kind, slot) => {
                    let place = net.place(self.engine.names_of(kind)).name.clone();
                    let slot = Value::Int(i64::from(slot));
                    let is_known = |token: &Vec<Value>| token[0] == value || token[1] == slot;
                    let known = state.tokens(&place).map(|(token, _)| token).find(|t| is_known(t));
                    let is_same = known.map(|token| token[0] == value && token[1] == slot);
                    match is_same {
                        Some(true) => {}
                        Some(false) => return None,
                        None => {
                            let fits = state.put(&place, vec![value, slot], 1);
                            assert!(fits, "a name is given once");
                        }
                    }
                }
            }
        }
        self.settle(&mut state);
        Some(RunStep { mode: mode.clone(), children: step.children, state })
    }

    /// Takes the names of those away who are gone.
    fn settle(&self, state: &mut State) {
        let net = self.engine.net();
        let names: BTreeMap<_, Kind> =
            self.engine.name_places().map(|(kind, place)| (&net.place(place).name, kind)).collect();
        let mut there: BTreeSet<Value> = state.eta().keys().cloned().map(Value::Pid).collect();
        for place in net.places.iter().filter(|place| !names.contains_key(&place.name)) {
            there.extend(state.tokens(&place.name).flat_map(|(token, _)| token.iter().cloned()));
        }
        // Members are never gone.
        let names = names.iter().filter(|(_, kind)| !matches!(kind, Kind::Enum(_)));
        for place in names.map(|(place, _)| place) {
            let gone = state.tokens(place).filter(|(token, _)| !there.contains(&token[0]));
            let gone: Vec<Vec<Value>> = gone.map(|(token, _)| token.clone()).collect();
            for token in gone {
                assert!(state.take(place, &token, 1), "it is there");
                if let Some(at) = self.engine.gone() {
                    let fits = state.put(&net.place(at).name, vec![token[1].clone()], 1);
                    assert!(fits, "a name is gone once");
                }
            }
        }
    }

    /// A state of the net with names, as one of the net itself.
    fn without_names(&self, state: &State) -> State {
        let net = self.engine.net();
        let mut plain = state.clone();
        let gone = self.engine.gone();
        let added = self.engine.name_places().map(|(_, place)| place).chain(gone);
        for place in added {
            let name = &net.place(place).name;
            let tokens: Vec<_> =
                state.tokens(name).map(|(token, count)| (token.clone(), count)).collect();
            for (token, count) in tokens {
                assert!(plain.take(name, &token, count), "it is there");
            }
        }
        plain
    }
}

/// The value of something in a step of the interpreter.
fn value(net: &Net, mode: &Mode, step: &interpret::Step, source: Source) -> Option<Value> {
    let transition = net.transition(mode.transition);
    let of = |var: usize| {
        let var = net::Var(var as u32);
        if let Some(value) = mode.binding.get(&var) {
            return Some(value.clone());
        }
        let mut children = step.children.iter();
        for spawn in &transition.spawns {
            let mut own = children.by_ref().take(spawn.count as usize);
            let first = own.next().cloned();
            own.for_each(drop);
            if spawn.child == Some(var) {
                return first.map(Value::Pid);
            }
        }
        let new = transition.news.iter().position(|(new, _)| *new == var)?;
        step.objects.get(new).cloned()
    };
    match source {
        Source::Var(var) => of(var),
        Source::After(thread, place, column) => {
            let thread = of(thread)?;
            let mut tokens = step.state.tokens(&net.place(place).name);
            tokens.find(|(token, _)| token[0] == thread).map(|(token, _)| token[column].clone())
        }
    }
}

/// A datum, as bindings of modes have it.
fn number_of(net: &Net, value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Bool(truth) => Some(i64::from(*truth)),
        Value::Enum(name) => {
            let mut members =
                net.enumerations.iter().flat_map(|one| one.members.iter().enumerate());
            members.find(|(_, member)| *member == name).map(|(at, _)| at as i64)
        }
        Value::None => Some(nothing()),
        Value::Pid(_) | Value::Object(..) => None,
    }
}
