//! Seeded random numbers, permutations and structures.

use canon::Structure;

/// SplitMix64 (Steele, Lea and Flood 2014).
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    pub fn permutation(&mut self, n: usize) -> Vec<u32> {
        let mut p: Vec<u32> = (0..n as u32).collect();
        for i in (1..n).rev() {
            p.swap(i, self.below(i + 1));
        }
        p
    }

    /// The structure with its atoms renamed and its tuples shuffled.
    pub fn shuffled(&mut self, s: &Structure) -> Structure {
        let renamed = s.relabelled(&self.permutation(s.len()));
        let mut tuples = Vec::new();
        renamed.for_each_tuple(|label, atoms| tuples.push((label, atoms.to_vec())));
        let mut out = Structure::new();
        for &colour in renamed.colours() {
            out.atom(colour);
        }
        for i in self.permutation(tuples.len()) {
            let (label, atoms) = &tuples[i as usize];
            out.tuple(*label, atoms);
        }
        out
    }

    /// A structure of up to `atoms` atoms with few colours and labels, so that symmetry is common.
    pub fn structure(&mut self, atoms: usize) -> Structure {
        let n = self.below(atoms + 1);
        let mut s = Structure::new();
        let colours = 1 + self.below(2);
        let step = [1, 5, u32::MAX / 2][self.below(3)];
        for _ in 0..n {
            s.atom(self.below(colours) as u32 * step);
        }
        if n == 0 {
            return s;
        }
        let labels = 1 + self.below(2);
        let arities = [1, 2, 2, 2, 3, 3, 4];
        let widest = 1 + self.below(arities.len());
        for _ in 0..self.below(2 * n + 2) {
            let arity = arities[self.below(widest)];
            let tuple: Vec<u32> = (0..arity).map(|_| self.below(n) as u32).collect();
            let label = self.below(labels) as u32 * step;
            for _ in 0..1 + self.below(8) / 7 {
                s.tuple(label, &tuple);
            }
        }
        s
    }
}
