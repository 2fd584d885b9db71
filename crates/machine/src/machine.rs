//! A program as a space of states: a state is its core and its satellites, each by its number.

mod expand;
mod find;
mod follow;
mod lives;
mod meanwhile;
mod run_on;
mod statements;
#[cfg(test)]
mod tests;
mod whole;

use std::io;
use std::sync::Arc;

use explore::{Space, Standing, Successors};
use program::Failure;
use rustc_hash::FxHashMap;

use crate::claim::Followed;
use crate::code::Code;
use crate::form::{Canoniser, Form, Reader, write_number};
use crate::heap::{Class, Heap};
use crate::moves::Moves;
use crate::parts::{PartKind, Parts};
use crate::run::Execution;
use crate::satellite::{Core, Satellite};
use crate::turn::{MAIN, Turn};
use follow::ENTERS;
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
    parts: Parts,
    /// What is known of cores and of satellites, by number.
    core_infos: Vec<Option<CoreInfo>>,
    read_satellites: Vec<Option<Arc<Satellite>>>,
    /// The lists of hubs that are threads that run.
    shapes: FxHashMap<Vec<u32>, u32>,
    threads_by_shape: Vec<Vec<u32>>,
    moves: Moves,
    scratch: Scratch,
    /// The same for those who run on.
    second: Scratch,
    key: Vec<u8>,
    /// Whether threads run on where nobody can tell.
    reduces: bool,
    /// Whether moves are not remembered, and states are always executed as a whole.
    pub forgets: bool,
    /// The threads of which one is followed.
    followed: Option<Followed>,
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
            parts: Parts::default(),
            core_infos: Vec::new(),
            read_satellites: Vec::new(),
            shapes: FxHashMap::default(),
            threads_by_shape: Vec::new(),
            moves: Moves::default(),
            scratch: Scratch::default(),
            second: Scratch::default(),
            key: Vec::new(),
            reduces: false,
            forgets: false,
            followed: None,
        }
    }

    /// A machine in whose states threads have run on as long as nobody can tell: for deadlocks, failures, stuck threads and
    /// those that can never end, and for nothing else. A move may be several. Nobody runs on in programs in which threads are
    /// killed or crashed, or data is tested that is not kept.
    #[must_use]
    pub fn reduced(code: &'c Code) -> Machine<'c> {
        let reduces = !code.has_dooms && !code.has_forgotten;
        Machine { reduces, ..Machine::new(code) }
    }

    /// For another worker: what it finds, all understand.
    #[must_use]
    pub fn share(&self) -> Machine<'c> {
        let mut other = Machine::new(self.code);
        other.parts = self.parts.share();
        (other.forgets, other.reduces) = (self.forgets, self.reduces);
        other.followed.clone_from(&self.followed);
        other
    }

    /// What a label stands for.
    #[must_use]
    pub fn turn(&self, label: u32) -> Turn {
        self.code.turn(label & !ENTERS)
    }

    /// What has gone wrong in a state that has no successors, if that is why.
    #[must_use]
    pub fn failure(&self, state: &[u8]) -> Option<Failure> {
        let mut reader = Reader::new(state);
        (reader.number() == FAILED).then(|| self.code.failure(reader.number()))
    }

    /// The number of the core whose hubs have strings of these numbers.
    fn core_of(&mut self, rows: &[u32]) -> u32 {
        self.key.clear();
        rows.iter().for_each(|row| write_number(&mut self.key, u64::from(*row)));
        let number = self.parts.number(PartKind::Core, &self.key);
        if self.core_infos.get(number as usize).is_none_or(Option::is_none) {
            self.learn_core(number, rows);
        }
        number
    }

    /// Notes what is to be known of a core.
    fn learn_core(&mut self, number: u32, rows: &[u32]) {
        let threads = (0..).zip(rows).filter(|(_, row)| self.code.is_running(self.class_of(**row)));
        let threads: Vec<u32> = threads.map(|(hub, _)| hub).collect();
        let has_threads = !threads.is_empty();
        let is_forgotten =
            self.code.has_forgotten && rows.iter().any(|row| self.hub_is_forgotten(*row));
        let Machine { shapes, threads_by_shape, core_infos, .. } = self;
        let shape = *shapes.entry(threads).or_insert_with_key(|threads| {
            threads_by_shape.push(threads.clone());
            threads_by_shape.len() as u32 - 1
        });
        let number = number as usize;
        core_infos.resize(core_infos.len().max(number + 1), None);
        core_infos[number] = Some(CoreInfo { shape, has_threads, is_forgotten });
    }

    /// Notes what is to be known of the parts of a state, which another worker may have found.
    fn learn(&mut self, state: &State) {
        if self.core_infos.get(state.core as usize).is_none_or(Option::is_none) {
            let mut rows = Vec::new();
            self.rows_of(state.core, &mut rows);
            self.learn_core(state.core, &rows);
        }
        for (number, _) in &state.satellites {
            if self.read_satellites.get(*number as usize).is_none_or(Option::is_none) {
                self.learn_satellite(*number);
            }
        }
    }

    fn learn_satellite(&mut self, number: u32) {
        let read = self.read_part(number);
        let number = number as usize;
        let all = &mut self.read_satellites;
        all.resize(all.len().max(number + 1), None);
        all[number] = Some(Arc::new(read));
    }

    fn read_part(&self, satellite: u32) -> Satellite {
        self.parts.look(satellite, |_, bytes| Satellite::read(self.code, bytes))
    }

    fn core_info(&self, core: u32) -> CoreInfo {
        self.core_infos[core as usize].expect("it was learnt")
    }

    fn read(&self, satellite: u32) -> &Satellite {
        self.read_satellites[satellite as usize].as_ref().expect("it was learnt")
    }

    /// The class of a hub, by the number of its string.
    fn class_of(&self, row: u32) -> Class {
        self.parts.look(row, |_, bytes| Class(Reader::new(bytes).number() as u16))
    }

    /// The numbers of the strings of the hubs of a core.
    fn rows_of(&self, core: u32, rows: &mut Vec<u32>) {
        rows.clear();
        self.parts.look(core, |_, bytes| {
            let mut reader = Reader::new(bytes);
            while !reader.is_at_end() {
                rows.push(reader.number() as u32);
            }
        });
    }

    fn read_core(&self, rows: &[u32]) -> Core {
        let hub = |row: &u32| self.parts.look(*row, |_, bytes| bytes.to_vec());
        let hubs: Vec<Vec<u8>> = rows.iter().map(hub).collect();
        Core::read(self.code, hubs.iter().map(Vec::as_slice))
    }

    /// The numbers of the strings of the hubs of a canonical form.
    fn form_rows(&mut self, form: &Form) -> Vec<u32> {
        let starts = [0].into_iter().chain(form.ends.iter().copied());
        let rows = starts.zip(&form.ends);
        let rows = rows.map(|(start, end)| &form.core[start as usize..*end as usize]);
        rows.map(|row| self.parts.number(PartKind::Hub, row)).collect()
    }

    fn satellite(&mut self, bytes: &[u8]) -> u32 {
        let number = self.parts.number(PartKind::Satellite, bytes);
        if self.read_satellites.get(number as usize).is_none_or(Option::is_none) {
            self.learn_satellite(number);
        }
        number
    }

    fn write_failure(number: u64, to: &mut Vec<u8>) {
        write_number(to, FAILED);
        write_number(to, number);
    }
}

impl Space for Machine<'_> {
    type Fault = Failure;

    fn initial(&mut self, successors: &mut Successors) -> Result<(), Failure> {
        let heap = self.execution.initial()?;
        let form = self.canoniser.form(&heap).expect("all is there");
        let onward: Vec<u32> = [MAIN].into_iter().chain(self.execution.born.clone()).collect();
        self.write_joined(&form, &heap, onward.into_iter(), successors.buffer());
        // Nobody has done anything.
        successors.commit(0, 1);
        if let Some(followed) = self.followed_from_start(&heap) {
            let form = self.canoniser.form(&followed).expect("all is there");
            self.write_form(&form, successors.buffer());
            successors.commit(ENTERS, 1);
        }
        Ok(())
    }

    fn expand(&mut self, state: &[u8], successors: &mut Successors) -> Result<Standing, Failure> {
        let mut parts = std::mem::take(&mut self.scratch.state);
        if !parts.read(state) {
            self.scratch.state = parts;
            return Ok(Standing::Ended);
        }
        self.learn(&parts);
        if self.forgets || self.followed.is_some() || !self.expand_parts(&parts, successors) {
            self.expand_whole(state, successors);
        }
        let has_threads = |(number, _): &(u32, u32)| !self.read(*number).threads.is_empty();
        let runs =
            self.core_info(parts.core).has_threads || parts.satellites.iter().any(has_threads);
        self.scratch.state = parts;
        Ok(if runs { Standing::Alive } else { Standing::Ended })
    }

    fn allocated_bytes(&self) -> u64 {
        let own = self.core_infos.capacity() * size_of::<Option<CoreInfo>>()
            + self.read_satellites.capacity() * size_of::<Option<Arc<Satellite>>>();
        self.parts.allocated_bytes() + self.moves.allocated_bytes() + own as u64
    }

    fn save(&self, mark: u64, to: &mut dyn io::Write) -> io::Result<u64> {
        self.parts.save(mark, to)
    }

    fn restore(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        self.parts.restore(from)
    }

    fn imprint(&mut self, state: &[u8]) -> u64 {
        let mut parts = State::default();
        if !parts.read(state) {
            return explore::hash_of(state);
        }
        let mut bytes = Vec::new();
        self.part(parts.core, &mut bytes);
        let core = explore::hash_of(&bytes);
        parts.satellites.iter().fold(core, |sum, (satellite, count)| {
            let hash = self.parts.look(*satellite, |_, bytes| explore::hash_of(bytes));
            sum.wrapping_add(hash.rotate_left(17).wrapping_mul(u64::from(*count) * 2 + 1))
        })
    }

    fn parts(&self, state: &[u8], numbers: &mut Vec<u32>) -> bool {
        numbers.clear();
        let mut parts = State::default();
        if parts.read(state) {
            numbers.push(parts.core);
            for (satellite, count) in parts.satellites {
                numbers.extend((0..count).map(|_| satellite));
            }
        }
        true
    }

    /// What has gone wrong has no parts.
    fn rest<'s>(&self, state: &'s [u8]) -> Option<&'s [u8]> {
        let is_failure = Reader::new(state).number() == FAILED;
        Some(if is_failure { state } else { &[] })
    }

    fn part_count(&self) -> u32 {
        self.parts.count()
    }

    fn part(&self, number: u32, bytes: &mut Vec<u8>) {
        let kind = self.parts.look(number, |kind, string| {
            bytes.push(kind as u8);
            if kind != PartKind::Core {
                bytes.extend_from_slice(string);
            }
            kind
        });
        if kind == PartKind::Core {
            let mut rows = Vec::new();
            self.rows_of(number, &mut rows);
            for row in rows {
                self.parts.look(row, |_, string| {
                    write_number(bytes, string.len() as u64);
                    bytes.extend_from_slice(string);
                });
            }
        }
    }

    fn adopt(&mut self, part: &[u8]) -> u32 {
        let (kind, string) = part.split_first().expect("it has a kind");
        if *kind != PartKind::Core as u8 {
            return self.satellite(string);
        }
        let mut reader = Reader::new(string);
        let mut rows = Vec::new();
        while !reader.is_at_end() {
            let length = reader.number() as usize;
            let row = &string[reader.at..reader.at + length];
            rows.push(self.parts.number(PartKind::Hub, row));
            reader.at += length;
        }
        self.core_of(&rows)
    }

    fn compose(&self, numbers: &mut [u32], rest: &[u8], string: &mut Vec<u8>) {
        let [core, satellites @ ..] = numbers else {
            string.extend_from_slice(rest);
            return;
        };
        let mut counted = Vec::new();
        satellites.iter().for_each(|satellite| add(&mut counted, *satellite, 1));
        State::write(*core, &counted, string);
    }
}
