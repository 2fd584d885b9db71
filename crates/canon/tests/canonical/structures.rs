//! Random structures, and random names for their atoms.

use canon::Structure;
use random::Random;

fn permutation(random: &mut Random, n: usize) -> Vec<u32> {
    let mut p: Vec<u32> = (0..n as u32).collect();
    random.shuffle(&mut p);
    p
}

/// The structure with its atoms renamed and its tuples shuffled.
pub fn shuffled(random: &mut Random, s: &Structure) -> Structure {
    let renamed = s.relabelled(&permutation(random, s.len()));
    let mut tuples = Vec::new();
    renamed.for_each_tuple(|label, atoms| tuples.push((label, atoms.to_vec())));
    let mut out = Structure::new();
    for &colour in renamed.colours() {
        out.atom(colour);
    }
    for i in permutation(random, tuples.len()) {
        let (label, atoms) = &tuples[i as usize];
        out.tuple(*label, atoms);
    }
    out
}

/// A structure of up to `atoms` atoms with few colours and labels, so that symmetry is common.
pub fn structure(random: &mut Random, atoms: usize) -> Structure {
    let n = random.below(atoms + 1);
    let mut s = Structure::new();
    let colours = 1 + random.below(2);
    let step = [1, 5, u32::MAX / 2][random.below(3)];
    for _ in 0..n {
        s.atom(random.below(colours) as u32 * step);
    }
    if n == 0 {
        return s;
    }
    let labels = 1 + random.below(2);
    let arities = [1, 2, 2, 2, 3, 3, 4];
    let widest = 1 + random.below(arities.len());
    for _ in 0..random.below(2 * n + 2) {
        let arity = arities[random.below(widest)];
        let tuple: Vec<u32> = (0..arity).map(|_| random.below(n) as u32).collect();
        let label = random.below(labels) as u32 * step;
        for _ in 0..1 + random.below(8) / 7 {
            s.tuple(label, &tuple);
        }
    }
    s
}
