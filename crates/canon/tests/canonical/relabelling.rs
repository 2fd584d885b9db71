//! Larger random structures: the form does not depend on how they are written down.

use canon::Structure;
use random::{Random, for_seeds};

use crate::families::{Graph, cubic};
use crate::structures::{shuffled, structure};
use crate::{WAYS, form};

fn check(name: &str, seed: u64, s: &Structure) {
    for way in WAYS {
        let mut canoniser = way.canoniser();
        let expected = form(&mut canoniser, s);
        let order = canoniser.canonise(s).group_order();
        for again in 0..3 {
            let shuffled = shuffled(&mut Random::new(seed ^ again << 32), s);
            assert!(form(&mut canoniser, &shuffled) == expected, "{name} {seed} {way}");
            assert_eq!(canoniser.canonise(&shuffled).group_order(), order, "{name} {seed} {way}");
        }
    }
}

/// Threads that make threads, some of which know another: the usual shape of a state.
fn state(random: &mut Random, n: usize, wide: bool) -> Structure {
    let mut s = Structure::new();
    for i in 0..n {
        let atom = s.atom(random.below(2) as u32);
        if i > 2 {
            s.tuple(9, &[random.below(i) as u32, atom]);
        }
        s.tuple(random.below(3) as u32, &[atom]);
    }
    for _ in 0..n / 4 {
        s.tuple(1, &[random.below(n) as u32, random.below(n) as u32]);
        if wide {
            let atoms = [random.below(n), random.below(n), random.below(n)];
            s.tuple(2, &atoms.map(|a| a as u32));
        }
    }
    s
}

#[test]
fn random_structures() {
    for seed in 0..400 {
        check("structure", seed, &structure(&mut Random::new(seed), 24));
    }
}

#[test]
fn states_with_parent_arcs_and_references() {
    for_seeds(0..60, |seed, random| {
        let n = 4 + random.below(60);
        check("state", seed, &state(random, n, false));
        check("wide state", seed, &state(random, n, true));
    });
}

#[test]
fn random_forests() {
    for_seeds(0..150, |seed, random| {
        let n = 2 + random.below(40);
        let mut s = Structure::new();
        let towards_root = random.below(2) == 0;
        for i in 0..n {
            let atom = s.atom(random.below(2) as u32);
            let parent = random.below(i + 1) as u32;
            if parent != atom {
                let label = random.below(2) as u32;
                let arc = if towards_root { [atom, parent] } else { [parent, atom] };
                s.tuple(label, &arc);
            }
        }
        check("forest", seed, &s);
    });
}

#[test]
fn random_cubic_graphs_and_copies_of_them() {
    for_seeds(0..12, |seed, random| {
        let a = cubic(20, |n| random.below(n));
        let b = cubic(20, |n| random.below(n));
        check("cubic", seed, &a.structure());
        check("copies", seed, &a.copies(4).beside(&b.copies(3)).structure());
        check("cubic 60", seed, &cubic(60, |n| random.below(n)).structure());
    });
}

#[test]
fn random_graphs_of_every_density() {
    for_seeds(0..60, |seed, random| {
        let n = 2 + random.below(20);
        let dense = 1 + random.below(9);
        let mut s = Graph { n, edges: vec![] };
        for u in 0..n {
            for v in u + 1..n {
                if random.below(10) < dense {
                    s.edges.push((u, v));
                }
            }
        }
        check("graph", seed, &s.structure());
        check("copies", seed, &s.copies(3).structure());
    });
}
