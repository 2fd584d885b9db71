//! The canonical form is exact: random heaps are compared with all bijections, by the definition ([`isomorphism`]).
//!
//! - Copies in which objects have other places have equal keys.
//! - Two heaps that differ in one reference or number, or in two, have equal keys exactly if a bijection is found.
//! - What is read back from a key is the same heap, and what is said to be interchangeable in it is.
//! - A satellite alone with its core has the same string as among the others.

mod heaps;
mod isomorphism;
mod mistakes;
mod picture;

use random::{Random, Seed, daily};

use super::{Canoniser, Form};
use crate::code::Code;
use crate::heap::Heap;
use crate::satellite::{Core, Satellite};
use crate::value::Value;
use heaps::{SHAPES, Shape, change, heap};
use isomorphism::are_isomorphic;
use picture::{Picture, code};

/// The strings of the hubs, and of the satellites, sorted.
type Key = (Vec<Vec<u8>>, Vec<Vec<u8>>);

fn key(form: &Form) -> Key {
    let starts = [0].into_iter().chain(form.ends.iter().copied());
    let hubs = starts.zip(&form.ends);
    let hubs = hubs.map(|(start, end)| form.core[start as usize..*end as usize].to_vec());
    let mut satellites: Vec<Vec<u8>> =
        form.satellites.iter().map(|satellite| satellite.bytes.clone()).collect();
    satellites.sort();
    (hubs.collect(), satellites)
}

/// Whether the elements of bags are in the order in which they are looked for.
fn is_sorted(heap: &Heap, value: Value) -> bool {
    let Value::Composite(id) = value else { return true };
    let (kind, parts) = (heap.arena.composite(id).kind, heap.arena.parts(id));
    let keys: Vec<Value> = parts.iter().step_by(kind.width()).copied().collect();
    let in_order = |pair: &[Value]| heap.arena.compare(pair[0], pair[1]).is_lt();
    parts.iter().all(|part| is_sorted(heap, *part))
        && (!kind.is_bag() || keys.windows(2).all(in_order))
}

/// Heaps under test.
struct Bench<'c> {
    code: &'c Code,
    canoniser: Canoniser<'c>,
}

impl<'c> Bench<'c> {
    fn new(code: &'c Code) -> Bench<'c> {
        Bench { code, canoniser: Canoniser::new(code) }
    }

    fn key(&mut self, heap: &Heap) -> Key {
        key(&self.canoniser.form(heap).expect("all of it is there"))
    }

    /// The heap in which objects have other places: all but the global variables and the first thread.
    fn shuffled(random: &mut Random, picture: &Picture) -> Heap {
        let mut places: Vec<usize> = (0..picture.objects.len()).collect();
        random.shuffle(&mut places[2..]);
        picture.heap(&places)
    }

    fn same(&self, one: &Picture, other: &Picture) -> bool {
        are_isomorphic(one, other, self.code.is_main_single, None)
    }

    /// What is wrong with what is read back from the key of a heap.
    fn read_back(&mut self, picture: &Picture, key: &Key) -> Option<&'static str> {
        let core = Core::read(self.code, key.0.iter().map(Vec::as_slice));
        let satellites: Vec<Satellite> =
            key.1.iter().map(|bytes| Satellite::read(self.code, bytes)).collect();
        let mut whole = core.heap.clone();
        let firsts: Vec<u32> =
            satellites.iter().map(|one| one.build(self.code, &core, &mut whole)).collect();
        core.close(&mut whole);
        let read = Picture::of(&whole);
        if !(0..whole.len())
            .all(|object| whole.fields(object).iter().all(|one| is_sorted(&whole, *one)))
        {
            return Some("the elements of a bag that is read back are in no order");
        }
        if !self.same(picture, &read) {
            return Some("what is read back is another heap");
        }
        if self.key(&whole) != *key {
            return Some("what is read back has another key");
        }
        for (satellite, first) in satellites.iter().zip(&firsts) {
            for (position, alike) in (0..).zip(&satellite.first_alike) {
                let pair = [first + position, first + alike].map(|object| object as usize);
                let is_live = isomorphism::live(&read).contains(&pair[0]);
                let single = self.code.is_main_single;
                if position != *alike
                    && is_live
                    && !are_isomorphic(&read, &read, single, Some((pair[0], pair[1])))
                {
                    return Some("what is said to be interchangeable is not");
                }
            }
        }
        for (satellite, bytes) in satellites.iter().zip(&key.1) {
            let mut part = core.heap.clone();
            satellite.build(self.code, &core, &mut part);
            let form = self.canoniser.form(&part).expect("bags are where they were");
            let (hubs, others) = super::tests::key(&form);
            if hubs != key.0 || others != [bytes.clone()] {
                return Some("a satellite is another one where it is alone");
            }
        }
        None
    }

    /// What is wrong with the forms of a random heap and of some like it; and how many pairs were compared that are the
    /// same, and that are not.
    fn check(
        &mut self,
        random: &mut Random,
        shape: Shape,
        counts: &mut [u64; 2],
    ) -> Option<&'static str> {
        let picture = heap(random, shape, self.code.is_main_single);
        let own = self.key(&Self::shuffled(random, &picture));
        if self.key(&Self::shuffled(random, &picture)) != own {
            return Some("a heap whose objects have other places has another key");
        }
        counts[0] += 1;
        if let Some(wrong) = self.read_back(&picture, &own) {
            return Some(wrong);
        }
        let mut others = [picture.clone(), picture.clone()];
        others.iter_mut().for_each(|other| change(random, other));
        let keys = others.each_ref().map(|other| self.key(&Self::shuffled(random, other)));
        let [one, other] = &others;
        let pairs = [(&picture, &own, one, &keys[0]), (one, &keys[0], other, &keys[1])];
        for (from, own, to, others) in pairs {
            let is_same = self.same(from, to);
            counts[usize::from(!is_same)] += 1;
            match (is_same, own == others) {
                (true, false) => return Some("two heaps that are the same have different keys"),
                (false, true) => return Some("two heaps that differ have the same key"),
                _ => {}
            }
        }
        None
    }
}

/// Whether a heap is wrong, by a seed: its shape and whether there is one first thread are part of it.
fn by_seed(benches: &mut [Bench; 2], seed: u64, counts: &mut [u64; 2]) -> Option<&'static str> {
    let mut random = Random::new(seed);
    let (shape, _) = SHAPES[random.weighted(&SHAPES.map(|(_, percent)| percent))];
    let bench = &mut benches[usize::from(random.percent(30))];
    bench.check(&mut random, shape, counts)
}

/// 300,000 heaps, 900,000 pairs.
#[test]
fn keys_are_equal_exactly_if_there_is_a_bijection() {
    let codes = [true, false].map(code);
    let mut benches = codes.each_ref().map(Bench::new);
    let mut counts = [0; 2];
    for seed in 0..daily(300_000, 100) {
        let _seed = Seed(seed);
        let wrong = by_seed(&mut benches, seed, &mut counts);
        assert_eq!(wrong, None);
    }
    let [same, different] = counts;
    assert!(
        same > different / 2 && different > same / 8,
        "{same} pairs are the same, {different} are not"
    );
}
