//! A program as a space of states: a state is its core and its satellites, each by its number.

mod expand;
mod lives;
mod whole;

use explore::{Space, Standing, Successors};
use program::Failure;
use rustc_hash::FxHashMap;

use crate::code::{Code, PointId};
use crate::form::{Canoniser, Form, Reader, write_number};
use crate::heap::Heap;
use crate::moves::Moves;
use crate::run::Execution;
use crate::satellite::{Core, Satellite};
use crate::tables::Strings;
use crate::turn::Turn;
pub use lives::NumberOf;
pub use whole::Step;

/// A state: its core, and its satellites with how many there are of each, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    core: u32,
    satellites: Vec<(u32, u32)>,
}

/// The number that stands in the place of a core where something has gone wrong.
const FAILED: u64 = 0;

impl State {
    /// Reads a state; says `false` if something has gone wrong there.
    fn read(&mut self, bytes: &[u8]) -> bool {
        let mut reader = Reader::new(bytes);
        let core = reader.number();
        if core == FAILED {
            return false;
        }
        self.core = (core - 1) as u32;
        self.satellites.clear();
        let mut last = 0;
        while !reader.is_at_end() {
            let number = reader.number();
            last += (number >> 1) as u32;
            let count = if number & 1 == 1 { reader.number() as u32 } else { 1 };
            self.satellites.push((last, count));
        }
        true
    }

    /// Writes a state whose satellites are sorted; some may be there no more.
    fn write(core: u32, satellites: &[(u32, u32)], to: &mut Vec<u8>) {
        write_number(to, u64::from(core) + 1);
        let mut last = 0;
        for (satellite, count) in satellites.iter().filter(|(_, count)| *count > 0) {
            write_number(to, (u64::from(satellite - last) << 1) | u64::from(*count > 1));
            last = *satellite;
            if *count > 1 {
                write_number(to, u64::from(*count));
            }
        }
    }
}

/// Adds satellites to some that are sorted.
fn add(satellites: &mut Vec<(u32, u32)>, satellite: u32, count: u32) {
    match satellites.binary_search_by_key(&satellite, |(other, _)| *other) {
        Ok(at) => satellites[at].1 += count,
        Err(at) => satellites.insert(at, (satellite, count)),
    }
}

/// A core by the strings of its hubs.
#[derive(Clone, Copy, Debug)]
struct CoreInfo {
    /// Which hubs are threads that run, by number.
    shape: u32,
    has_threads: bool,
    /// Whether one of them asks for data that is not kept.
    is_forgotten: bool,
}

/// A program that is executed, as a space of states.
#[derive(Debug)]
pub struct Machine<'c> {
    code: &'c Code,
    execution: Execution<'c>,
    canoniser: Canoniser<'c>,
    /// The strings of hubs; cores as rows of their numbers; satellites.
    rows: Strings,
    cores: Strings,
    satellites: Strings,
    core_infos: Vec<CoreInfo>,
    read_satellites: Vec<Satellite>,
    /// The lists of hubs that are threads that run.
    shapes: FxHashMap<Vec<u32>, u32>,
    threads_by_shape: Vec<Vec<u32>>,
    moves: Moves,
    /// What turns are called: the numbers of labels.
    labels: FxHashMap<Turn, u32>,
    turns: Vec<Turn>,
    failures: Vec<Failure>,
    scratch: Scratch,
    key: Vec<u8>,
    /// Whether moves are not remembered, and states are always executed as a whole.
    pub forgets: bool,
}

/// What is used again and again.
#[derive(Debug, Default)]
struct Scratch {
    heap: Heap,
    state: State,
    rows: Vec<u32>,
    changed: Vec<u32>,
    satellites: Vec<(u32, u32)>,
}

impl<'c> Machine<'c> {
    /// A machine for a compiled program.
    #[must_use]
    pub fn new(code: &'c Code) -> Machine<'c> {
        Machine {
            code,
            execution: Execution::new(code),
            canoniser: Canoniser::new(code),
            rows: Strings::default(),
            cores: Strings::default(),
            satellites: Strings::default(),
            core_infos: Vec::new(),
            read_satellites: Vec::new(),
            shapes: FxHashMap::default(),
            threads_by_shape: Vec::new(),
            moves: Moves::default(),
            labels: FxHashMap::default(),
            turns: Vec::new(),
            failures: Vec::new(),
            scratch: Scratch::default(),
            key: Vec::new(),
            forgets: false,
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
        let mut reader = Reader::new(state);
        (reader.number() == FAILED).then(|| self.failures[reader.number() as usize])
    }

    /// The number of the core whose hubs have strings of these numbers.
    fn core_of(&mut self, rows: &[u32]) -> u32 {
        self.key.clear();
        rows.iter().for_each(|row| write_number(&mut self.key, u64::from(*row)));
        let (number, is_new) = self.cores.number(&self.key);
        if is_new {
            let class = |row: &u32| Reader::new(self.rows.get(*row)).number() as u16;
            let threads = (0..)
                .zip(rows)
                .filter(|(_, row)| self.code.is_running(crate::heap::Class(class(row))));
            let threads: Vec<u32> = threads.map(|(hub, _)| hub).collect();
            let has_threads = !threads.is_empty();
            let is_forgotten =
                self.code.has_forgotten && rows.iter().any(|row| self.hub_is_forgotten(*row));
            let Machine { shapes, threads_by_shape, .. } = self;
            let shape = *shapes.entry(threads).or_insert_with_key(|threads| {
                threads_by_shape.push(threads.clone());
                threads_by_shape.len() as u32 - 1
            });
            self.core_infos.push(CoreInfo { shape, has_threads, is_forgotten });
        }
        number
    }

    /// The numbers of the strings of the hubs of a core.
    fn rows_of(&self, core: u32, rows: &mut Vec<u32>) {
        rows.clear();
        let mut reader = Reader::new(self.cores.get(core));
        while !reader.is_at_end() {
            rows.push(reader.number() as u32);
        }
    }

    fn read_core(&self, rows: &[u32]) -> Core {
        Core::read(self.code, rows.iter().map(|row| &**self.rows.get(*row)))
    }

    /// The numbers of the strings of the hubs of a canonical form.
    fn form_rows(&mut self, form: &Form) -> Vec<u32> {
        let starts = [0].into_iter().chain(form.ends.iter().copied());
        let rows = starts.zip(&form.ends);
        let rows = rows.map(|(start, end)| &form.core[start as usize..*end as usize]);
        rows.map(|row| self.rows.number(row).0).collect()
    }

    fn satellite(&mut self, bytes: &[u8]) -> u32 {
        let (number, is_new) = self.satellites.number(bytes);
        if is_new {
            self.read_satellites.push(Satellite::read(self.code, bytes));
        }
        number
    }

    fn label(&mut self, turn: Turn) -> u32 {
        let Machine { labels, turns, .. } = self;
        *labels.entry(turn).or_insert_with(|| {
            turns.push(turn);
            turns.len() as u32 - 1
        })
    }

    /// The number of a failure.
    fn failure_number(&mut self, failure: Failure) -> u32 {
        let is_it = |other: &Failure| {
            (other.kind, other.origin.range()) == (failure.kind, failure.origin.range())
        };
        let number = self.failures.iter().position(is_it).unwrap_or_else(|| {
            self.failures.push(failure);
            self.failures.len() - 1
        });
        number as u32
    }

    fn write_failure(number: u32, to: &mut Vec<u8>) {
        write_number(to, FAILED);
        write_number(to, u64::from(number));
    }
}

impl Space for Machine<'_> {
    type Fault = Failure;

    fn initial(&mut self, successors: &mut Successors) -> Result<(), Failure> {
        let heap = self.execution.initial()?;
        let form = self.canoniser.form(&heap).expect("all is there");
        let turn = Turn { point: PointId(0), arm: None, partner: None };
        let label = self.label(turn);
        self.write_form(&form, successors.buffer());
        successors.commit(label, 1);
        Ok(())
    }

    fn expand(&mut self, state: &[u8], successors: &mut Successors) -> Result<Standing, Failure> {
        let mut parts = std::mem::take(&mut self.scratch.state);
        if !parts.read(state) {
            self.scratch.state = parts;
            return Ok(Standing::Ended);
        }
        if self.forgets || !self.expand_parts(&parts, successors) {
            self.expand_whole(state, successors);
        }
        let has_threads =
            |(number, _): &(u32, u32)| !self.read_satellites[*number as usize].threads.is_empty();
        let runs = self.core_infos[parts.core as usize].has_threads
            || parts.satellites.iter().any(has_threads);
        self.scratch.state = parts;
        Ok(if runs { Standing::Alive } else { Standing::Ended })
    }

    fn allocated_bytes(&self) -> u64 {
        let strings = [&self.rows, &self.cores, &self.satellites];
        strings.into_iter().map(Strings::allocated_bytes).sum()
    }
}
