//! States up to the numbers of processes and objects, and up to who is who among members that are [`alike`](crate::alike).
//!
//! Garbage is dropped first. Then processes and objects get colours, from what they hold and from who holds them,
//! until no more of them can be told apart. Where some still cannot, each of them is tried as the first, and the
//! least state is taken; one is not tried if exchanging it with another that was tried makes no difference.
//! Colours are hashes: if two are the same by chance, more is tried.

use std::collections::BTreeMap;

use net::Enumeration;

use crate::interpreter::Position;
use crate::names::Names;
use crate::state::{Control, Exit, Process, Progress, State, Thread};
use crate::value::{Address, Identity, Pid, Value};

impl State {
    /// The one state that stands for all that differ from this one by who is who, and by what cannot be reached. Those
    /// of the members of classes that are alike have no names of their own, either.
    #[must_use]
    pub fn canonical(self, classes: &[Enumeration]) -> State {
        self.named(classes).0
    }

    /// The same without what cannot be reached, and the new numbers: those that are kept stay in their order.
    #[must_use]
    pub fn collected(self) -> (State, Names) {
        let (processes, objects) = self.reached();
        let names =
            Names { processes: count_up(&processes, Pid), objects: count_up(&objects, Address) };
        (self.renamed(&names), names)
    }

    /// The [canonical](State::canonical) state, and the numbers that processes and objects have in it.
    #[must_use]
    pub fn named(self, classes: &[Enumeration]) -> (State, Names) {
        let (state, kept) = self.collected();
        let renamed = state.with_members_renamed(classes).into_iter();
        let forms = renamed.map(|state| least(&state));
        let (state, names) =
            forms.min_by(|(one, _), (other, _)| one.cmp(other)).expect("there is a way");
        let processes = kept.processes.iter().map(|pid| names.process((*pid)?));
        let objects = kept.objects.iter().map(|object| names.object((*object)?));
        let names = Names { processes: processes.collect(), objects: objects.collect() };
        (state, names)
    }
}

/// Numbers what is kept.
fn count_up<N>(is_kept: &[bool], number: fn(u32) -> N) -> Vec<Option<N>> {
    let mut next = 0..;
    is_kept.iter().map(|is_kept| is_kept.then(|| number(next.next().expect("numbers")))).collect()
}

/// The least of the states that differ from a state, all of which can be reached, by who is who.
fn least(state: &State) -> (State, Names) {
    let colours = Colours {
        processes: vec![1; state.processes.len()],
        objects: state.objects.iter().map(|object| mix(2, u64::from(object.of.0))).collect(),
    };
    let mut best = None;
    search(state, colours, &mut best);
    best.expect("there is a way to number them")
}

#[derive(Clone)]
struct Colours {
    processes: Vec<u64>,
    objects: Vec<u64>,
}

fn search(state: &State, mut colours: Colours, best: &mut Option<(State, Names)>) {
    refine(state, &mut colours);
    let Some(cell) = first_cell(&colours) else {
        let names = order(&colours);
        let named = state.clone().renamed(&names);
        if best.as_ref().is_none_or(|(best, _)| named < *best) {
            *best = Some((named, names));
        }
        return;
    };
    let mut tried: Vec<Identity> = Vec::new();
    for id in cell {
        if tried.iter().any(|other| is_exchangeable(state, *other, id)) {
            continue;
        }
        tried.push(id);
        let mut colours = colours.clone();
        let colour = match id {
            Identity::Process(pid) => &mut colours.processes[pid.index()],
            Identity::Object(object) => &mut colours.objects[object.index()],
        };
        *colour = mix(*colour, 77);
        search(state, colours, best);
    }
}

/// Whether exchanging two of them leaves the state as it is.
fn is_exchangeable(state: &State, a: Identity, b: Identity) -> bool {
    let mut names = Names {
        processes: count_up(&vec![true; state.processes.len()], Pid),
        objects: count_up(&vec![true; state.objects.len()], Address),
    };
    match (a, b) {
        (Identity::Process(a), Identity::Process(b)) => {
            names.processes.swap(a.index(), b.index());
        }
        (Identity::Object(a), Identity::Object(b)) => names.objects.swap(a.index(), b.index()),
        _ => return false,
    }
    state.clone().renamed(&names) == *state
}

/// The first of those that have the same colour, by colour.
fn first_cell(colours: &Colours) -> Option<Vec<Identity>> {
    let cell = |colours: &[u64], make: fn(u32) -> Identity| {
        let mut cells: BTreeMap<u64, Vec<Identity>> = BTreeMap::new();
        for (index, colour) in (0..).zip(colours) {
            cells.entry(*colour).or_default().push(make(index));
        }
        cells.into_values().find(|cell| cell.len() > 1)
    };
    cell(&colours.processes, |index| Identity::Process(Pid(index)))
        .or_else(|| cell(&colours.objects, |index| Identity::Object(Address(index))))
}

fn order(colours: &Colours) -> Names {
    let rank = |colours: &[u64]| -> Vec<u32> {
        let mut sorted = colours.to_vec();
        sorted.sort_unstable();
        colours.iter().map(|c| sorted.partition_point(|other| other < c) as u32).collect()
    };
    Names {
        processes: rank(&colours.processes).into_iter().map(|rank| Some(Pid(rank))).collect(),
        objects: rank(&colours.objects).into_iter().map(|rank| Some(Address(rank))).collect(),
    }
}

fn cells(colours: &Colours) -> usize {
    let count = |colours: &[u64]| {
        let mut sorted = colours.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len()
    };
    count(&colours.processes) + count(&colours.objects)
}

fn refine(state: &State, colours: &mut Colours) {
    let mut before = 0;
    loop {
        let mut pass = Pass {
            colours,
            held_processes: vec![0; state.processes.len()],
            held_objects: vec![0; state.objects.len()],
        };
        let globals = state.globals.iter().enumerate();
        globals.for_each(|(at, value)| _ = pass.value(value, mix(3, at as u64)));
        let mut processes = Vec::new();
        for (index, process) in state.processes.iter().enumerate() {
            processes.push(pass.process(process, pass.colours.processes[index]));
        }
        let mut objects = Vec::new();
        for (index, object) in state.objects.iter().enumerate() {
            let mut hash = pass.colours.objects[index];
            for value in &object.fields {
                hash = pass.value(value, hash);
            }
            objects.push(hash);
        }
        let join = |own: Vec<u64>, held: &[u64]| {
            own.into_iter().zip(held).map(|(own, held)| mix(own, *held)).collect()
        };
        let next = Colours {
            processes: join(processes, &pass.held_processes),
            objects: join(objects, &pass.held_objects),
        };
        *colours = next;
        let now = cells(colours);
        if now == before || now == state.processes.len() + state.objects.len() {
            return;
        }
        before = now;
    }
}

/// Hashes what processes and objects hold, and notes who holds whom.
struct Pass<'c> {
    colours: &'c Colours,
    held_processes: Vec<u64>,
    held_objects: Vec<u64>,
}

impl Pass<'_> {
    /// The hash of a value that comes after others.
    fn value(&mut self, value: &Value, before: u64) -> u64 {
        match value {
            Value::Int(number) => mix(mix(before, 10), *number as u64),
            Value::Bool(bool) => mix(before, 5 + u64::from(*bool)),
            Value::Member(_, member) => mix(before, 7 + u64::from(*member)),
            Value::Nothing => mix(before, 4),
            Value::Process(pid) => {
                let held = &mut self.held_processes[pid.index()];
                *held = held.wrapping_add(mix(before, 101));
                mix(before, self.colours.processes[pid.index()])
            }
            Value::Object(object) => {
                let held = &mut self.held_objects[object.index()];
                *held = held.wrapping_add(mix(before, 102));
                mix(before, self.colours.objects[object.index()])
            }
            Value::Some(value) => self.value(value, mix(before, 3)),
            Value::Sequence(all) | Value::Record(all) => {
                let start = mix(before, all.len() as u64);
                all.iter().fold(start, |hash, value| self.value(value, hash))
            }
            Value::Case(case, all) => {
                let start = mix(before, 50 + *case as u64);
                all.iter().fold(start, |hash, value| self.value(value, hash))
            }
            Value::Set(all) => {
                let start = mix(before, 60);
                let sum = all.iter().map(|value| self.value(value, start));
                let sum = sum.fold(0_u64, u64::wrapping_add);
                mix(start, sum)
            }
            Value::Map(all) => {
                let start = mix(before, 61);
                let sum = all.iter().map(|(key, value)| {
                    let key = self.value(key, start);
                    self.value(value, key)
                });
                let sum = sum.fold(0_u64, u64::wrapping_add);
                mix(start, sum)
            }
        }
    }

    fn process(&mut self, process: &Process, before: u64) -> u64 {
        match process {
            Process::Killed => mix(before, 20),
            Process::Returned(None) => mix(before, 21),
            Process::Returned(Some(value)) => self.value(value, mix(before, 22)),
            Process::Running(thread) => self.thread(thread, before),
        }
    }

    fn thread(&mut self, thread: &Thread, before: u64) -> u64 {
        let mut hash = mix(before, 30 + u64::from(thread.kind.0));
        hash = mix(hash, u64::from(thread.is_killed));
        for frame in &thread.frames {
            hash = mix(hash, frame.control.len() as u64);
            for local in &frame.locals {
                hash = match local {
                    Some(value) => self.value(value, hash),
                    None => mix(hash, 31),
                };
            }
            hash = match &frame.progress {
                Progress::Fresh => hash,
                Progress::Read(all) => self.maybe(all, mix(hash, 32)),
                Progress::Waiting(all) => self.maybe(all, mix(hash, 35)),
                Progress::Returned(value, all) => {
                    let hash = self.maybe(std::slice::from_ref(value), mix(hash, 33));
                    self.maybe(all, hash)
                }
            };
            for control in &frame.control {
                hash = self.control(control, hash);
            }
        }
        hash
    }

    fn maybe(&mut self, all: &[Option<Value>], before: u64) -> u64 {
        all.iter().fold(before, |hash, value| match value {
            Some(value) => self.value(value, hash),
            None => mix(hash, 34),
        })
    }

    fn control(&mut self, control: &Control, before: u64) -> u64 {
        match control {
            Control::Turn(at) => mix(before, 100 + at.map_or(0, position)),
            Control::Dying(at) => mix(mix(before, 36), position(*at)),
            Control::Loop(_, block) => mix(mix(before, 37), u64::from(block.0)),
            Control::Block { block, at, deferred, exit } => {
                let at = position(Position { block: *block, at: *at });
                let hash = mix(mix(before, 38), at * 16 + deferred.len() as u64);
                match exit {
                    None => hash,
                    Some(Exit::Return(Some(value))) => self.value(value, mix(hash, 41)),
                    Some(Exit::Return(None)) => mix(hash, 42),
                    Some(Exit::End) => mix(hash, 43),
                    Some(Exit::Break(id)) => mix(hash, 44 + 8 * u64::from(id.0)),
                    Some(Exit::Continue(id)) => mix(hash, 45 + 8 * u64::from(id.0)),
                    Some(Exit::Killed) => mix(hash, 46),
                }
            }
        }
    }
}

fn position(Position { block, at }: Position) -> u64 {
    u64::from(block.0) * 64 + at as u64
}

fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^ (x >> 32)
}

#[cfg(test)]
mod tests {
    use program::Observed;
    use random::Random;

    use super::*;
    use crate::examples::{explore, program};
    use crate::interpreter::Interpreter;
    use crate::turns::Turns;

    /// Numbers in any order.
    fn shuffled<N>(random: &mut Random, count: usize, number: fn(u32) -> N) -> Vec<Option<N>> {
        let mut all: Vec<u32> = (0..count as u32).collect();
        for at in (1..count).rev() {
            all.swap(at, random.below(at + 1));
        }
        all.into_iter().map(|one| Some(number(one))).collect()
    }

    #[test]
    fn states_that_differ_by_who_is_who_have_one_form() {
        let program = program(
            "shared waiting: set[any process, 4] = []
            process main {
                let lock = new mutex
                repeat 3 { let other = new mutex   spawn worker(lock, other) }
            }
            process worker(lock: mutex, other: mutex) {
                other.lock()
                atomic { waiting.insert(self) }
                with lock.lock() { atomic { waiting.remove(self) } }
            }",
        );
        let observed = Observed::default();
        let interpreter = Interpreter::new(&program, &observed);
        let states = explore(&interpreter, Turns::Steps).states;
        assert!(states.len() > 50, "{}", states.len());
        for (seed, state) in (0..).zip(&states) {
            let _seed = random::Seed(seed);
            let random = &mut Random::new(seed);
            let names = Names {
                processes: shuffled(random, state.processes.len(), Pid),
                objects: shuffled(random, state.objects.len(), Address),
            };
            let renamed = state.clone().renamed(&names);
            let (canonical, to) = renamed.clone().named(&[]);
            assert_eq!(canonical, *state, "the states that were explored are canonical");
            assert_eq!(renamed.renamed(&to), *state, "the names are those of the form");
        }
    }

    #[test]
    fn what_cannot_be_reached_is_dropped() {
        let program = program(
            "process main { let c = new mutex   c.lock()   c = new mutex   c.lock()   await false }",
        );
        let observed = Observed::default();
        let interpreter = Interpreter::new(&program, &observed);
        let mut state = interpreter.initial(Turns::Steps).expect("first values fit").remove(0);
        while let Some(next) = interpreter.successors(&state, Turns::Steps).pop() {
            state = next.outcome.expect("nothing goes wrong").state;
        }
        assert_eq!(state.objects.len(), 2, "numbers are kept");
        let (collected, names) = state.collected();
        assert_eq!(collected.objects.len(), 1);
        assert_eq!(names.objects, [None, Some(Address(0))]);
    }
}
