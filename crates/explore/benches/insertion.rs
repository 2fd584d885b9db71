//! Putting strings into the store, next to what one would use instead: a map from boxed strings to
//! numbers, with the standard library's hash and with the same hash as the store's.
//!
//! A third of the insertions find their string known already, as in a search.

use std::collections::HashMap;
use std::hash::BuildHasher;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use explore::Store;
use random::Random;

const COUNTS: [usize; 3] = [1_000, 100_000, 1_000_000];
const LENGTH: usize = 40;

/// `count` strings in one vector, a third of them repetitions of earlier ones.
fn strings(count: usize) -> Vec<u8> {
    let mut random = Random::new(0);
    let mut bytes = Vec::with_capacity(count * LENGTH);
    for i in 0..count {
        if i % 3 == 2 {
            let earlier = random.below(i);
            bytes.extend_from_within(earlier * LENGTH..(earlier + 1) * LENGTH);
        } else {
            // Canonical strings are much alike: small bytes, differing in a few places.
            let word = random.word();
            bytes.extend((0..LENGTH).map(|at| (word >> (at % 32)) as u8 & 7));
            let end = bytes.len();
            bytes[end - 4..].copy_from_slice(&(i as u32).to_le_bytes());
        }
    }
    bytes
}

#[divan::bench(args = COUNTS)]
fn store(bencher: Bencher, count: usize) {
    let strings = strings(count);
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let mut store = Store::new();
        for string in strings.chunks_exact(LENGTH) {
            black_box(store.insert(string));
        }
        store
    });
}

fn map<H: BuildHasher + Default>(bencher: Bencher, count: usize) {
    let strings = strings(count);
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let mut map: HashMap<Box<[u8]>, u32, H> = HashMap::default();
        for string in strings.chunks_exact(LENGTH) {
            let next = map.len() as u32;
            if let Some(number) = map.get(string) {
                black_box(*number);
            } else {
                map.insert(string.into(), next);
            }
        }
        map
    });
}

#[divan::bench(args = COUNTS)]
fn map_of_boxes(bencher: Bencher, count: usize) {
    map::<std::hash::RandomState>(bencher, count);
}

#[divan::bench(args = COUNTS)]
fn map_of_boxes_same_hash(bencher: Bencher, count: usize) {
    map::<foldhash::quality::FixedState>(bencher, count);
}

fn main() {
    divan::main();
}
