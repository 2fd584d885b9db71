//! Forests given by parents: the same verdicts and groups as for structures with arcs.

use canon::{Canoniser, Structure};
use random::{Random, for_seeds};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Forest {
    colours: Vec<u32>,
    parents: Vec<u32>,
}

impl Forest {
    /// Few colours and few shapes, so that isomorphic ones are met by chance.
    fn random(random: &mut Random, most: u32) -> Forest {
        let n = random.below(most + 1);
        let colours = (0..n).map(|_| random.below(2)).collect();
        let parents = (0..n).map(|v| if random.below(3) == 0 { n } else { random.below(v + 1) });
        let parents = parents.zip(0..).map(|(p, v)| if p == v { n } else { p }).collect();
        Forest { colours, parents }.shuffled(random)
    }

    fn atoms(&self) -> impl ExactSizeIterator<Item = (u32, u32)> {
        self.colours.iter().copied().zip(self.parents.iter().copied())
    }

    /// One more than the parent, or 0 for roots; and the colour.
    fn written(&self) -> Vec<(u32, u32)> {
        let root = self.colours.len() as u32;
        let above = |parent: u32| if parent == root { 0 } else { parent + 1 };
        self.atoms().map(|(colour, parent)| (above(parent), colour)).collect()
    }

    fn shuffled(&self, random: &mut Random) -> Forest {
        let n = self.colours.len();
        let mut place: Vec<u32> = (0..n as u32).collect();
        (1..n).rev().for_each(|i| place.swap(i, random.below(i as u32 + 1) as usize));
        self.relabelled(&place)
    }

    fn relabelled(&self, position: &[u32]) -> Forest {
        let n = self.colours.len();
        let mut moved = Forest { colours: vec![0; n], parents: vec![0; n] };
        for v in 0..n {
            let to = position[v] as usize;
            moved.colours[to] = self.colours[v];
            moved.parents[to] = position.get(self.parents[v] as usize).copied().unwrap_or(n as u32);
        }
        moved
    }

    fn structure(&self) -> Structure {
        let mut structure = Structure::new();
        for &colour in &self.colours {
            structure.atom(colour);
        }
        for (v, &parent) in (0..).zip(&self.parents) {
            if (parent as usize) < self.colours.len() {
                structure.tuple(0, &[parent, v]);
            }
        }
        structure
    }
}

#[test]
fn forests_are_told_apart_like_structures() {
    for bits in [64, 8, 3] {
        let mut canoniser = Canoniser::new().with_hash_bits(bits);
        let mut other = Canoniser::new();
        for_seeds(0..4_000, |seed, random| {
            let most = if seed % 10 == 0 { 60 } else { 7 };
            let (a, b) = (Forest::random(random, most), Forest::random(random, most));
            let mut form = |forest: &Forest| {
                let canonical =
                    canoniser.canonise_forest(forest.atoms()).expect("there is no cycle");
                let relabelled = forest.relabelled(canonical.position());
                assert_eq!(relabelled.written(), canonical.written(), "{forest:?}");
                (relabelled, canonical.group_order(), canonical.orbits())
            };
            let (form_a, order, orbits) = form(&a);
            let (form_b, _, _) = form(&b);
            let isomorphic = canon::isomorphic(&a.structure(), &b.structure()).is_some();
            assert_eq!(form_a == form_b, isomorphic, "{bits} bits, seed {seed}: {a:?} {b:?}");
            assert_eq!(form(&a.shuffled(random)).0, form_a, "{bits} bits, seed {seed}: {a:?}");
            let structure = a.structure();
            let canonical = other.canonise(&structure);
            assert_eq!(order, canonical.group_order(), "{bits} bits, seed {seed}: {a:?}");
            assert_eq!(orbits, canonical.orbits(), "{bits} bits, seed {seed}: {a:?}");
        });
    }
}

#[test]
fn a_cycle_is_no_forest() {
    let mut canoniser = Canoniser::new();
    assert!(canoniser.canonise_forest([(0, 1), (0, 0), (0, 3)].into_iter()).is_none());
    assert!(canoniser.canonise_forest([(0, 0)].into_iter()).is_none());
    assert!(canoniser.canonise_forest([(0, 1), (0, 0), (0, 0)].into_iter()).is_none());
    assert!(canoniser.canonise_forest([(0, 1), (0, 0), (0, 0), (0, 4)].into_iter()).is_none());
    assert!(canoniser.canonise_forest([].into_iter()).is_some());
}
