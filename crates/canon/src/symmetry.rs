//! What is known of an automorphism group: generators, and factors of its order.

/// Generators kept sparsely, as the points they move, and factors whose product is the order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symmetry {
    pub(crate) factors: Vec<u32>,
    moves: Vec<(u32, u32)>,
    ends: Vec<u32>,
}

impl Symmetry {
    pub(crate) fn clear(&mut self) {
        self.factors.clear();
        self.moves.clear();
        self.ends.clear();
    }

    /// Multiplies the order by `k!`.
    pub(crate) fn factorial(&mut self, k: u32) {
        self.factors.extend(2..=k);
    }

    /// Multiplies the order by `k`.
    pub(crate) fn factor(&mut self, k: u32) {
        if k > 1 {
            self.factors.push(k);
        }
    }

    /// Adds the generator that moves the points as listed and fixes all others.
    pub(crate) fn generator(&mut self, moves: impl Iterator<Item = (u32, u32)>) {
        self.moves.extend(moves.filter(|(a, b)| a != b));
        self.ends.push(self.moves.len() as u32);
    }

    /// Adds the generator that exchanges two sequences of points, entry by entry.
    pub(crate) fn exchange(&mut self, a: &[u32], b: &[u32]) {
        let pairs = a.iter().zip(b);
        self.generator(pairs.flat_map(|(&x, &y)| [(x, y), (y, x)]));
    }

    /// Adds all of `other`, whose point `i` is called `names[i]` here; those without a name are
    /// left out.
    pub(crate) fn absorb(&mut self, other: &Symmetry, names: &[u32]) {
        self.factors.extend_from_slice(&other.factors);
        for moves in other.generators() {
            let named = moves.iter().filter(|m| (m.0 as usize) < names.len());
            self.generator(named.map(|&(a, b)| (names[a as usize], names[b as usize])));
        }
    }

    pub(crate) fn generators(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        let mut begin = 0;
        self.ends.iter().map(move |&end| {
            let moves = &self.moves[begin as usize..end as usize];
            begin = end;
            moves
        })
    }
}
