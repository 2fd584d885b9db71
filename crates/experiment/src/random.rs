//! Random numbers that a seed determines: splitmix64 (Steele, Lea and Flood 2014).

/// A generator of its own for each thing to be made at random.
pub(super) struct Random(u64);

fn mixed(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Random {
    /// The generator that these numbers name: any other list names another.
    pub fn of(names: &[u64]) -> Random {
        Random(names.iter().fold(0x243f_6a88_85a3_08d3, |state, &name| {
            mixed(state.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ mixed(name))
        }))
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mixed(self.0) % bound as u64) as usize
    }

    /// Whether a thing happens that does `one` time in `of`.
    pub fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// A member of a list that is not empty.
    pub fn member<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// Puts a list into random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}
