//! Folding allocates nothing, once it has seen states of a size.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use fold::{Dictionary, Folder, Working};
use serde_json::{Value, json};
use state::{Relations, State};

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[expect(unsafe_code, reason = "an allocator is unsafe by its nature; this one only counts")]
// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as promised to this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as promised to this function.
        unsafe { System.dealloc(at, layout) }
    }
}

/// Threads with a token each and tokens that say who refers to whom.
fn state(
    threads: usize,
    refers: impl Fn(usize, usize) -> bool,
    data: impl Fn(usize) -> usize,
) -> State {
    let pid = |i: usize| (i + 1).to_string();
    let at: Vec<Value> = (0..threads).map(|i| json!([pid(i), data(i)])).collect();
    let pairs = (0..threads).flat_map(|i| (0..threads).map(move |j| (i, j)));
    let pairs: Vec<Value> =
        pairs.filter(|&(i, j)| refers(i, j)).map(|(i, j)| json!([pid(i), pid(j)])).collect();
    let triples: Vec<Value> =
        (2..threads).step_by(5).map(|i| json!([pid(i), pid(i - 1), pid(i - 2), 1])).collect();
    let eta: serde_json::Map<String, Value> = (0..threads).map(|i| (pid(i), json!(0))).collect();
    let text = json!({ "tokens": { "at": at, "knows": pairs, "three": triples }, "eta": eta });
    State::from_json(&text.to_string()).expect("a state")
}

/// A tree of threads, and nothing else.
fn tree(threads: usize, data: usize) -> State {
    let mut pids = vec!["1".to_owned()];
    for i in 1..threads {
        pids.push(format!("{}.{}", pids[(i - 1) / 3], (i - 1) % 3 + 1));
    }
    let at: Vec<Value> =
        pids.iter().enumerate().map(|(i, pid)| json!([pid, i * 7 % data])).collect();
    let eta: serde_json::Map<String, Value> =
        pids.iter().map(|pid| (pid.clone(), json!(3))).collect();
    State::from_json(&json!({ "tokens": { "at": at }, "eta": eta }).to_string()).expect("a state")
}

#[test]
fn folding_allocates_nothing_once_warm() {
    let states = [
        tree(40, 1),
        tree(40, 5),
        tree(200, 2),
        state(30, |i, j| (i + 1) % 30 == j, |_| 0),
        state(16, |i, j| i != j, |_| 0),
        state(30, |i, j| (i * 7 + j * 3) % 11 == 0, |i| i % 3),
        state(120, |i, j| i / 3 == j / 3 && i != j, |_| 0),
        state(
            64,
            |i, j| i / 8 == j / 8 && (i + 1) % 8 == j % 8 || i % 8 == j % 8 && i + 8 == j,
            |_| 0,
        ),
    ];
    let dictionary = Dictionary::of(&states);
    for relations in Relations::every() {
        let workings: Vec<Working> =
            states.iter().map(|state| dictionary.working(state, relations).0).collect();
        let mut folder = Folder::new(dictionary.schema(), relations);
        let mut bytes = Vec::new();
        let mut allocations = |folder: &mut Folder, working: &Working| {
            bytes.clear();
            let before = ALLOCATIONS.with(Cell::get);
            folder.fold(working, &mut bytes);
            ALLOCATIONS.with(Cell::get) - before
        };
        let cold: u64 = workings.iter().map(|working| allocations(&mut folder, working)).sum();
        assert!(cold > 0, "the count counts");
        for (i, working) in workings.iter().enumerate() {
            assert_eq!(allocations(&mut folder, working), 0, "state {i} up to {relations}");
        }
    }
}
