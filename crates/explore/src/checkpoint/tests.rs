//! A disk that is full, or loses its power, between any two bytes.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use random::Random;

use super::disk::Disk;
use super::{About, Checkpoint, Facts};
use crate::{
    Control, Exploration, Options, Space, Standing, StateId, Stop, Successors, explore,
    explore_kept, restore_strings, save_strings,
};

/// Files in memory: what a reader sees of them, and what would be left after a loss of power.
#[derive(Clone, Default)]
struct Memory {
    files: Vec<File>,
    names: BTreeMap<String, usize>,
    /// The names that are there to stay.
    synced_names: BTreeMap<String, usize>,
    /// How many more bytes can be written, and operations made, before everything fails.
    left: Option<u64>,
    /// How many bytes there is room for in all.
    room: Option<usize>,
}

#[derive(Clone, Default)]
struct File {
    bytes: Vec<u8>,
    synced: Vec<u8>,
}

impl Memory {
    fn spend(&mut self, most: usize) -> io::Result<usize> {
        let Some(left) = &mut self.left else { return Ok(most) };
        let spent = (*left).min(most as u64);
        *left -= spent;
        if spent == 0 { Err(io::Error::other("the power is off")) } else { Ok(spent as usize) }
    }

    fn file(&mut self, name: &str) -> &mut File {
        let next = self.files.len();
        let at = *self.names.entry(name.to_owned()).or_insert(next);
        self.files.resize(self.files.len().max(at + 1), File::default());
        &mut self.files[at]
    }

    /// The disk after the process was killed.
    fn after_kill(&self) -> Memory {
        Memory { left: None, ..self.clone() }
    }

    /// The disk after a loss of power: of what was not synced, any part may be there, or something else.
    fn after_loss_of_power(&self, random: &mut Random) -> Memory {
        let names = if random.percent(50) { &self.names } else { &self.synced_names };
        let files = self.files.iter().map(|file| {
            let mut bytes = file.synced.clone();
            if file.bytes.starts_with(&bytes) {
                let more = &file.bytes[bytes.len()..];
                bytes.extend_from_slice(&more[..random.below(more.len() + 1)]);
                let unsure = file.synced.len()..bytes.len();
                bytes[unsure].iter_mut().filter(|_| random.percent(10)).for_each(|byte| *byte ^= 1);
            }
            File { synced: bytes.clone(), bytes }
        });
        let names = names.clone();
        Memory {
            files: files.collect(),
            synced_names: names.clone(),
            names,
            left: None,
            room: None,
        }
    }
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Memory>>);

impl Shared {
    fn with<T>(&self, look: impl FnOnce(&mut Memory) -> T) -> T {
        look(&mut self.0.lock().unwrap())
    }
}

impl Disk for Shared {
    fn path(&self, name: &str) -> String {
        name.to_owned()
    }

    fn length(&self, name: &str) -> io::Result<Option<u64>> {
        self.with(|memory| {
            Ok(memory.names.get(name).map(|&at| memory.files[at].bytes.len() as u64))
        })
    }

    fn read(&self, name: &str) -> io::Result<Box<dyn Read>> {
        self.with(|memory| match memory.names.get(name) {
            Some(&at) => Ok(Box::new(io::Cursor::new(memory.files[at].bytes.clone())) as _),
            None => Err(ErrorKind::NotFound.into()),
        })
    }

    fn cut(&mut self, name: &str, length: u64) -> io::Result<()> {
        self.with(|memory| {
            memory.spend(1)?;
            memory.file(name).bytes.truncate(length as usize);
            Ok(())
        })
    }

    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.with(|memory| {
            let used: usize = memory.files.iter().map(|file| file.bytes.len()).sum();
            let fits = memory.room.map_or(bytes.len(), |room| room.saturating_sub(used));
            let fits = fits.min(bytes.len());
            let written = if fits > 0 { memory.spend(fits)? } else { 0 };
            memory.file(name).bytes.extend_from_slice(&bytes[..written]);
            if written < bytes.len() { Err(ErrorKind::StorageFull.into()) } else { Ok(()) }
        })
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        self.with(|memory| {
            memory.spend(1)?;
            let file = memory.file(name);
            file.synced = file.bytes.clone();
            Ok(())
        })
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.with(|memory| {
            memory.spend(1)?;
            let at = memory.names.remove(from).ok_or(ErrorKind::NotFound)?;
            memory.names.insert(to.to_owned(), at);
            Ok(())
        })
    }

    fn sync_names(&mut self) -> io::Result<()> {
        self.with(|memory| {
            memory.spend(1)?;
            memory.synced_names = memory.names.clone();
            Ok(())
        })
    }
}

/// Walks on a grid to the right and up, by one or two, whose points get numbers as they are met: a string is the number
/// of a point.
#[derive(Default)]
struct Grid {
    size: u32,
    points: Vec<[u8; 8]>,
}

impl Grid {
    fn new(size: u32) -> Grid {
        Grid { size, points: Vec::new() }
    }

    fn string(&mut self, x: u32, y: u32) -> [u8; 4] {
        let mut point = [0; 8];
        point[..4].copy_from_slice(&x.to_le_bytes());
        point[4..].copy_from_slice(&y.to_le_bytes());
        let number = self.points.iter().position(|other| *other == point).unwrap_or_else(|| {
            self.points.push(point);
            self.points.len() - 1
        });
        (number as u32).to_le_bytes()
    }
}

impl Space for Grid {
    type Fault = Infallible;

    fn initial(&mut self, found: &mut Successors) -> Result<(), Infallible> {
        for start in [0, 1] {
            let string = self.string(start, start);
            found.push(0, 1, &string);
        }
        Ok(())
    }

    fn expand(&mut self, state: &[u8], found: &mut Successors) -> Result<Standing, Infallible> {
        let number = u32::from_le_bytes(state.try_into().expect("four bytes"));
        let point = self.points[number as usize];
        let [x, y] = [0, 4].map(|at| u32::from_le_bytes(point[at..at + 4].try_into().unwrap()));
        for step in 1..=2 {
            for (label, x, y) in [(step, x + step, y), (u32::MAX - step, x, y + step)] {
                if x < self.size && y < self.size && (x + y) % 7 != 3 {
                    let string = self.string(x, y);
                    found.push(label, u64::from(step), &string);
                }
            }
        }
        Ok(if x > y { Standing::Alive } else { Standing::Ended })
    }

    fn save(&self, mark: u64, to: &mut dyn Write) -> io::Result<u64> {
        let all = self.points.len() as u64;
        if mark < all {
            save_strings(mark, self.points[mark as usize..].iter().map(|p| &p[..]), to)?;
        }
        Ok(all)
    }

    fn restore(&mut self, from: &mut dyn Read) -> io::Result<()> {
        restore_strings(from, |number, point| {
            assert_eq!(number, self.points.len() as u64);
            self.points.push(point.try_into().expect("eight bytes"));
            Ok(())
        })
    }
}

fn options(states: Option<u64>) -> Options {
    Options { keep_edges: true, states, ..Options::default() }
}

fn undisturbed(size: u32) -> Exploration {
    explore(&mut Grid::new(size), &options(None), &mut |_| Control::Continue).unwrap()
}

fn opened(disk: &Shared) -> Checkpoint {
    let about = About { facts: Facts::from([("size".into(), "some".into())]), ..About::default() };
    let attached: [(&str, &[u8]); 1] = [("model", b"the grid")];
    Checkpoint::on(Box::new(disk.clone()), &about, &attached, Duration::ZERO)
        .expect("what is on disk is whole")
}

/// Goes on from what is on disk, as far as it comes.
fn gone_on(checkpoint: &Checkpoint, size: u32, states: Option<u64>) -> (Exploration, u64) {
    let mut grid = Grid::new(size);
    let options = options(states);
    let spaces = std::slice::from_mut(&mut grid);
    let mut journal = checkpoint.journal(&Facts::default(), spaces, &options).expect("it is whole");
    let known = journal.counts().states;
    let found = explore_kept(&mut grid, &options, &mut journal, &mut |_| Control::Continue);
    (found.unwrap(), known)
}

fn assert_same(found: &Exploration, expected: &Exploration, when: &str) {
    assert!(found.store.iter().eq(expected.store.iter()), "{when}");
    let counts = |e: &Exploration| (e.complete, e.edges, e.modes, e.expanded, e.depth());
    assert_eq!(counts(found), counts(expected), "{when}");
    assert_eq!(found.deadlocks, expected.deadlocks, "{when}");
    assert_eq!(found.terminated, expected.terminated, "{when}");
    assert!(found.fired.iter().eq(expected.fired.iter()), "{when}");
    let edges = |e: &Exploration| e.quotient.as_ref().unwrap().iter().collect::<Vec<_>>();
    assert_eq!(edges(found), edges(expected), "{when}");
    for id in (0..expected.store.len()).map(StateId) {
        assert_eq!(found.predecessor(id), expected.predecessor(id), "{when}");
        assert_eq!(found.depth_of(id), expected.depth_of(id), "{when}");
    }
    assert_eq!(found.reviews, expected.reviews, "{when}");
}

const SIZE: u32 = 16;
/// A size for tests that try every byte.
const SMALL: u32 = 11;

/// The bytes and operations of an undisturbed run.
fn all_bytes(size: u32) -> u64 {
    let disk = Shared::default();
    disk.with(|memory| memory.left = Some(u64::MAX));
    let (found, _) = gone_on(&opened(&disk), size, None);
    assert_same(&found, &undisturbed(size), "undisturbed");
    u64::MAX - disk.with(|memory| memory.left.unwrap())
}

#[test]
fn a_kill_after_any_byte_leaves_a_checkpoint_to_go_on_from() {
    let expected = undisturbed(SMALL);
    let mut known = Vec::new();
    for left in 1..all_bytes(SMALL) {
        let disk = Shared::default();
        disk.with(|memory| memory.left = Some(left));
        let about = About::default();
        let begun = Checkpoint::on(Box::new(disk.clone()), &about, &[], Duration::ZERO);
        if let Ok(checkpoint) = begun {
            let mut grid = [Grid::new(SMALL)];
            let options = options(None);
            if let Ok(mut journal) = checkpoint.journal(&Facts::default(), &mut grid, &options) {
                let watch = &mut |_: &_| Control::Continue;
                let found = explore_kept(&mut grid[0], &options, &mut journal, watch).unwrap();
                assert_same(&found, &expected, "the run does not mind");
            }
        }
        let disk = Shared(Arc::new(Mutex::new(disk.with(|memory| memory.after_kill()))));
        let checkpoint = Checkpoint::on(Box::new(disk), &about, &[], Duration::ZERO).unwrap();
        let (found, before) = gone_on(&checkpoint, SMALL, None);
        assert_same(&found, &expected, &format!("killed after {left} bytes"));
        known.push(before);
    }
    known.dedup();
    assert!(known.len() > 2 && known.is_sorted(), "it went on from {known:?} states");
}

#[test]
fn a_loss_of_power_loses_what_was_not_synced_and_no_more() {
    let expected = undisturbed(SIZE);
    let all = all_bytes(SIZE);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut disk = Shared::default();
        for _ in 0..3 {
            disk.with(|memory| memory.left = Some(1 + random.below(all / 2)));
            let about = About::default();
            let begun = Checkpoint::on(Box::new(disk.clone()), &about, &[], Duration::ZERO);
            if let Ok(checkpoint) = begun {
                let mut grid = [Grid::new(SIZE)];
                let options = options(None);
                if let Ok(mut journal) = checkpoint.journal(&Facts::default(), &mut grid, &options)
                {
                    let watch = &mut |_: &_| Control::Continue;
                    explore_kept(&mut grid[0], &options, &mut journal, watch).unwrap();
                }
            }
            let after = disk.with(|memory| memory.after_loss_of_power(&mut random));
            disk = Shared(Arc::new(Mutex::new(after)));
        }
        let about = About::default();
        let checkpoint = Checkpoint::on(Box::new(disk), &about, &[], Duration::ZERO)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let (found, _) = gone_on(&checkpoint, SIZE, None);
        assert_same(&found, &expected, &format!("seed {seed}"));
    }
}

#[test]
fn a_full_disk_leaves_what_was_kept_and_is_tried_again() {
    let expected = undisturbed(SIZE);
    let disk = Shared::default();
    gone_on(&opened(&disk), SIZE, None);
    let needed = disk.with(|memory| memory.files.iter().map(|f| f.bytes.len()).sum::<usize>());
    let mut troubles = 0;
    for room in (needed / 4..needed).step_by(37) {
        let disk = Shared::default();
        let checkpoint = opened(&disk);
        let mut grid = [Grid::new(SIZE)];
        let options = options(None);
        let journal = checkpoint.journal(&Facts::default(), &mut grid, &options);
        let mut journal = journal.unwrap();
        disk.with(|memory| memory.room = Some(room));
        let watch = &mut |_: &_| Control::Continue;
        let found = explore_kept(&mut grid[0], &options, &mut journal, watch).unwrap();
        assert_same(&found, &expected, "the run goes on");
        let trouble = checkpoint.trouble();
        troubles += u32::from(trouble.is_some_and(|why| why.starts_with("cannot write ")));
        let states = journal.counts().states;
        drop((journal, checkpoint));
        // With room again, the same checkpoint goes on.
        disk.with(|memory| memory.room = None);
        let checkpoint = opened(&disk);
        let (found, known) = gone_on(&checkpoint, SIZE, None);
        assert_eq!(known, states);
        assert_same(&found, &expected, &format!("room for {room} bytes"));
        assert_eq!(checkpoint.trouble(), None);
    }
    assert!(troubles > 10, "{troubles} times the disk was full");
}

#[test]
fn a_limit_on_states_can_be_raised_again_and_again() {
    let expected = undisturbed(SIZE);
    let disk = Shared::default();
    for states in 2..expected.states() {
        let (found, known) = gone_on(&opened(&disk), SIZE, Some(states));
        assert!(known <= states);
        assert_eq!((found.states(), found.reason), (states, Some(Stop::States)));
        let limited =
            explore(&mut Grid::new(SIZE), &options(Some(states)), &mut |_| Control::Continue);
        let limited = limited.unwrap();
        assert_eq!((found.edges, found.modes), (limited.edges, limited.modes));
        assert!(found.fired.iter().eq(limited.fired.iter()));
        // Less than is there adds nothing.
        let (found, _) = gone_on(&opened(&disk), SIZE, Some(1));
        assert!(!found.complete && found.states() <= states);
    }
    let (found, _) = gone_on(&opened(&disk), SIZE, None);
    assert_same(&found, &expected, "in the end");
}
