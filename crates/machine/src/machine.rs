//! A program as a space of states: a state is its core and its satellites, each by its number.

use explore::{Space, Standing, Successors};
use program::Failure;
use rustc_hash::FxHashMap;

use crate::code::{Code, PointId};
use crate::form::{Canoniser, Form, write_number};
use crate::heap::Heap;
use crate::run::Execution;
use crate::satellite::{Core, Satellite};
use crate::tables::Strings;
use crate::turn::{Elsewhere, Turn};

/// A state: its core, and its satellites with how many there are of each, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    core: u32,
    satellites: Vec<(u32, u32)>,
}

/// The number that stands in the place of a core where something has gone wrong.
const FAILED: u64 = 0;

impl State {
    fn read(bytes: &[u8]) -> Option<State> {
        let mut reader = crate::form::Reader::new(bytes);
        let core = reader.number();
        if core == FAILED {
            return None;
        }
        let mut state = State { core: (core - 1) as u32, satellites: Vec::new() };
        let mut last = 0;
        while !reader.is_at_end() {
            let number = reader.number();
            last += (number >> 1) as u32;
            let count = if number & 1 == 1 { reader.number() as u32 } else { 1 };
            state.satellites.push((last, count));
        }
        Some(state)
    }

    /// Writes a state whose satellites are given in any order.
    fn write(core: u32, satellites: &mut [u32], to: &mut Vec<u8>) {
        satellites.sort_unstable();
        write_number(to, u64::from(core) + 1);
        let mut last = 0;
        for alike in satellites.chunk_by(|a, b| a == b) {
            let step = u64::from(alike[0] - last) << 1;
            last = alike[0];
            write_number(to, step | u64::from(alike.len() > 1));
            if alike.len() > 1 {
                write_number(to, alike.len() as u64);
            }
        }
    }
}

/// A step from one state to the next.
#[derive(Clone, Debug)]
pub struct Step {
    /// What is done.
    pub turn: Turn,
    /// Who acts, who is born and who is crashed, by their places in the heap of the state before; those who are born come
    /// after all that are in it.
    pub acting: Vec<u32>,
    /// See above.
    pub born: Vec<u32>,
    /// See above.
    pub crashed: Vec<u32>,
    /// Where each object is in the heap of the next state; nothing for garbage. Or what goes wrong.
    pub becomes: Result<Vec<Option<u32>>, Failure>,
    /// The next state.
    pub state: Vec<u8>,
}

/// A program that is executed, as a space of states.
pub struct Machine<'c> {
    code: &'c Code,
    execution: Execution<'c>,
    canoniser: Canoniser<'c>,
    cores: Strings,
    satellites: Strings,
    read_cores: Vec<Core>,
    read_satellites: Vec<Satellite>,
    /// What turns are called: the numbers of labels.
    labels: FxHashMap<Turn, u32>,
    turns: Vec<Turn>,
    failures: Vec<Failure>,
    /// What states are built in.
    heap: Heap,
}

impl<'c> Machine<'c> {
    /// A machine for a compiled program.
    #[must_use]
    pub fn new(code: &'c Code) -> Machine<'c> {
        Machine {
            code,
            execution: Execution::new(code),
            canoniser: Canoniser::new(code),
            cores: Strings::default(),
            satellites: Strings::default(),
            read_cores: Vec::new(),
            read_satellites: Vec::new(),
            labels: FxHashMap::default(),
            turns: Vec::new(),
            failures: Vec::new(),
            heap: Heap::default(),
        }
    }

    /// What a label stands for.
    #[must_use]
    pub fn turn(&self, label: u32) -> Turn {
        self.turns[label as usize]
    }

    /// What has gone wrong in a state that has no successors, if that is why.
    #[must_use]
    pub fn failure(&self, state: &[u8]) -> Option<Failure> {
        let mut reader = crate::form::Reader::new(state);
        (reader.number() == FAILED).then(|| self.failures[reader.number() as usize])
    }

    fn core(&mut self, bytes: &[u8]) -> u32 {
        let (number, is_new) = self.cores.number(bytes);
        if is_new {
            self.read_cores.push(Core::read(self.code, bytes));
        }
        number
    }

    fn satellite(&mut self, bytes: &[u8]) -> u32 {
        let (number, is_new) = self.satellites.number(bytes);
        if is_new {
            self.read_satellites.push(Satellite::read(self.code, bytes));
        }
        number
    }

    /// The string of a state, by its canonical form.
    fn state(&mut self, form: &Form, to: &mut Vec<u8>) {
        let core = self.core(&form.core);
        let parts = form.satellites.iter();
        let mut satellites: Vec<u32> = parts.map(|part| self.satellite(&part.bytes)).collect();
        State::write(core, &mut satellites, to);
    }

    /// The heap of a state: the hubs, then the satellites, copy by copy.
    pub fn build(&self, state: &[u8], heap: &mut Heap) -> bool {
        let Some(state) = State::read(state) else { return false };
        let core = &self.read_cores[state.core as usize];
        heap.clone_from(&core.heap);
        for (satellite, count) in state.satellites {
            for _ in 0..count {
                self.read_satellites[satellite as usize].build(self.code, core, heap);
            }
        }
        core.close(heap);
        true
    }

    /// Everything that can happen next in a state, by its heap ([`Self::build`]).
    #[must_use]
    pub fn steps(&mut self, state: &[u8]) -> Vec<Step> {
        let mut heap = Heap::default();
        let mut steps = Vec::new();
        if !self.build(state, &mut heap) {
            return steps;
        }
        let mut execution = std::mem::replace(&mut self.execution, Execution::new(self.code));
        let expanded = execution.expand(&heap, &mut |execution, turn, acting, outcome| {
            let mut bytes = Vec::new();
            let outcome = match outcome {
                Ok(()) => {
                    let form = self.canoniser.form(&execution.heap).expect("all is there");
                    self.state(&form, &mut bytes);
                    Ok(self.becomes(&form, execution.heap.len()))
                }
                Err(failure) => {
                    self.failed(failure, &mut bytes);
                    Err(failure)
                }
            };
            steps.push(Step {
                turn,
                acting: acting.into_iter().flatten().collect(),
                born: execution.born.clone(),
                crashed: execution.crashed.clone(),
                becomes: outcome,
                state: bytes,
            });
        });
        debug_assert_eq!(expanded, Ok::<(), Elsewhere>(()), "all is there");
        self.execution = execution;
        steps
    }

    /// Where the objects of a heap are in the heap of the state that it is.
    fn becomes(&mut self, form: &Form, objects: u32) -> Vec<Option<u32>> {
        let mut becomes = vec![None; objects as usize];
        for (name, hub) in (0..).zip(&form.hubs) {
            becomes[*hub as usize] = Some(name);
        }
        let numbered = form.satellites.iter();
        let mut numbered: Vec<(u32, &[u32])> =
            numbered.map(|part| (self.satellite(&part.bytes), &part.objects[..])).collect();
        numbered.sort_by_key(|(number, _)| *number);
        let mut at = form.hubs.len() as u32;
        for object in numbered.into_iter().flat_map(|(_, objects)| objects) {
            // Elements of bags are no objects of the heap.
            if let Some(becomes) = becomes.get_mut(*object as usize) {
                *becomes = Some(at);
            }
            at += 1;
        }
        becomes
    }

    fn label(&mut self, turn: Turn) -> u32 {
        let Machine { labels, turns, .. } = self;
        *labels.entry(turn).or_insert_with(|| {
            turns.push(turn);
            turns.len() as u32 - 1
        })
    }

    fn failed(&mut self, failure: Failure, to: &mut Vec<u8>) {
        let is_it = |other: &Failure| {
            (other.kind, other.origin.range()) == (failure.kind, failure.origin.range())
        };
        let number = self.failures.iter().position(is_it).unwrap_or_else(|| {
            self.failures.push(failure);
            self.failures.len() - 1
        });
        write_number(to, FAILED);
        write_number(to, number as u64);
    }

    /// Expands a state as a whole.
    fn expand_whole(&mut self, state: &[u8], successors: &mut Successors) {
        let mut heap = std::mem::take(&mut self.heap);
        let is_there = self.build(state, &mut heap);
        debug_assert!(is_there, "what has gone wrong has no successors");
        let mut execution = std::mem::replace(&mut self.execution, Execution::new(self.code));
        let expanded = execution.expand(&heap, &mut |execution, turn, _, outcome| {
            let mut bytes = Vec::new();
            match outcome {
                Ok(()) => {
                    let form = self.canoniser.form(&execution.heap);
                    self.state(&form.expect("all is there"), &mut bytes);
                }
                Err(failure) => self.failed(failure, &mut bytes),
            }
            let label = self.label(turn);
            successors.push(label, 1, &bytes);
        });
        debug_assert_eq!(expanded, Ok::<(), Elsewhere>(()), "all is there");
        self.execution = execution;
        self.heap = heap;
    }
}

impl Space for Machine<'_> {
    type Fault = Failure;

    fn initial(&mut self, successors: &mut Successors) -> Result<(), Failure> {
        let heap = self.execution.initial()?;
        let form = self.canoniser.form(&heap).expect("all is there");
        let mut bytes = Vec::new();
        self.state(&form, &mut bytes);
        let turn = Turn { point: PointId(0), arm: None, partner: None };
        let label = self.label(turn);
        successors.push(label, 1, &bytes);
        Ok(())
    }

    fn expand(&mut self, state: &[u8], successors: &mut Successors) -> Result<Standing, Failure> {
        let Some(parts) = State::read(state) else { return Ok(Standing::Ended) };
        self.expand_whole(state, successors);
        let runs =
            !self.read_cores[parts.core as usize].threads.is_empty() || { parts.satellites.iter() }
                .any(|(number, _)| !self.read_satellites[*number as usize].threads.is_empty());
        Ok(if runs { Standing::Alive } else { Standing::Ended })
    }

    fn allocated_bytes(&self) -> u64 {
        self.cores.allocated_bytes() + self.satellites.allocated_bytes()
    }
}
