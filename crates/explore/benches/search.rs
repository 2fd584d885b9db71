//! The search itself, on a space whose successors cost next to nothing, next to a plain
//! breadth-first search with a map and a queue that finds the same states and the same tree.

use std::collections::HashMap;

use counters::Counters;
use divan::Bencher;
use divan::counter::ItemsCount;
use explore::{Control, Options, Share, Space, Spill, Successors, explore};

#[path = "space/counters.rs"]
mod counters;

const WIDTH: usize = 24;
fn space() -> Counters<WIDTH, 5> {
    Counters
}

fn search(bencher: Bencher, options: &Options) {
    let run = || explore(&mut space(), options, &mut |_| Control::Continue);
    let Ok(found) = run();
    bencher.counter(ItemsCount::new(found.modes)).bench_local(run);
}

#[divan::bench]
fn states_only(bencher: Bencher) {
    search(bencher, &Options::default());
}

#[divan::bench]
fn edges_kept(bencher: Bencher) {
    search(bencher, &Options { keep_edges: true, ..Options::default() });
}

/// Everything is on disk from the start. What it costs beside `states_only` is what this is to show.
#[divan::bench]
fn on_disk(bencher: Bencher) {
    let folder = tempfile::tempdir().expect("there is a place for files");
    let spill = Spill { directory: folder.path().to_owned(), share: Share::Nothing };
    search(bencher, &Options { spill: Some(spill), ..Options::default() });
}

#[divan::bench]
fn map_and_queue(bencher: Bencher) {
    let Ok(found) = explore(&mut space(), &Options::default(), &mut |_| Control::Continue);
    bencher.counter(ItemsCount::new(found.modes)).bench_local(|| {
        type Tree = HashMap<Box<[u8]>, (u32, u32), foldhash::quality::FixedState>;
        let mut tree: Tree = HashMap::default();
        let start: Box<[u8]> = Box::new([0; WIDTH]);
        let mut queue = vec![start.clone()];
        tree.insert(start, (u32::MAX, 0));
        let mut found = Successors::new();
        let mut next = 0;
        while next < queue.len() {
            found.clear();
            let Ok(_) = space().expand(&queue[next], &mut found);
            for (label, _, bytes) in found.iter() {
                if !tree.contains_key(bytes) {
                    tree.insert(bytes.into(), (next as u32, label));
                    queue.push(bytes.into());
                }
            }
            next += 1;
        }
        assert_eq!(queue.len(), tree.len());
        tree
    });
}

fn main() {
    divan::main();
}
