//! Closures: chains of shifts, and user-defined homomorphisms.

use ddd::{Ddd, Forest, Hom, Inductive, Result, Shift, Value, Variable};
use divan::Bencher;

#[path = "../tests/nets/philosophers.rs"]
mod philosophers;

fn main() {
    divan::main();
}

/// From an empty forest to all reachable markings.
#[divan::bench(args = [10, 100, 1000])]
fn philosophers_chain(n: u32) -> usize {
    let mut forest = Forest::new();
    let all = philosophers::reachable(&mut forest, &philosophers::philosophers(n));
    forest.size([&all])
}

/// Disc 0 is the smallest and comes last.
fn hanoi(
    forest: &mut Forest,
    discs: u32,
    move_of: impl Fn(&mut Forest, u32, [Value; 2]) -> Hom,
) -> Ddd {
    let start: Vec<_> = (0..discs).rev().map(|disc| (disc, 0)).collect();
    let start = forest.sequence(&start).unwrap();
    let pegs = [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]];
    let moves: Vec<Hom> = (0..discs)
        .flat_map(|disc| pegs.map(|pegs| (disc, pegs)))
        .map(|(disc, pegs)| move_of(forest, disc, pegs))
        .collect();
    let step = forest.sum(&moves);
    let all_steps = forest.star(&step);
    forest.apply(&all_steps, &start).unwrap()
}

#[divan::bench(args = [12, 50, 200])]
fn hanoi_chain(discs: u32) -> usize {
    let mut forest = Forest::new();
    let all = hanoi(&mut forest, discs, |forest, disc, [from, to]| {
        let aside = 3 - from - to;
        let mut chain = vec![Shift { variable: disc, within: from..=from, by: to - from }];
        let smaller = (0..disc).rev();
        chain.extend(smaller.map(|x| Shift { variable: x, within: aside..=aside, by: 0 }));
        forest.chain(&chain).unwrap()
    });
    forest.size([&all])
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Move {
    Disc(Variable, [Value; 2]),
    Smaller(Value),
}

impl Inductive for Move {
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        Ok(forest.one())
    }

    fn on_arc(&self, forest: &mut Forest, variable: Variable, value: Value) -> Result<Hom> {
        let (is, next, becomes) = match *self {
            Move::Disc(_, [from, to]) => (from, Move::Smaller(3 - from - to), to),
            Move::Smaller(aside) => (aside, *self, aside),
        };
        if value != is {
            let zero = forest.zero();
            return Ok(forest.constant(&zero));
        }
        let next = forest.inductive(next);
        forest.prefix(variable, becomes, &next)
    }

    fn skips(&self, variable: Variable) -> bool {
        matches!(self, Move::Disc(disc, _) if *disc != variable)
    }
}

#[divan::bench(args = [12, 50, 200])]
fn hanoi_inductive(discs: u32) -> usize {
    let mut forest = Forest::new();
    let all =
        hanoi(&mut forest, discs, |forest, disc, pegs| forest.inductive(Move::Disc(disc, pegs)));
    forest.size([&all])
}

/// No queen is attacked by the one given, or by the first if none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Unattacked(Option<(Variable, Value)>);

impl Inductive for Unattacked {
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        Ok(forest.one())
    }

    fn on_arc(&self, forest: &mut Forest, row: Variable, column: Value) -> Result<Hom> {
        let attacked = |(first, queen): (Variable, Value)| {
            let distance = queen.abs_diff(column);
            distance == 0 || distance == row - first
        };
        if self.0.is_some_and(attacked) {
            let zero = forest.zero();
            return Ok(forest.constant(&zero));
        }
        let next = forest.inductive(Self(Some(self.0.unwrap_or((row, column)))));
        forest.prefix(row, column, &next)
    }
}

/// Homomorphisms with parameters, and sets that share little.
#[divan::bench(args = [8, 10])]
fn queens(n: u32) -> usize {
    let mut forest = Forest::new();
    let first = forest.inductive(Unattacked(None));
    let mut queens = forest.one();
    for row in (0..n).rev() {
        let rest = queens;
        queens = forest.arcs(row, (0..n as Value).map(|column| (column, &rest))).unwrap();
        queens = forest.apply(&first, &queens).unwrap();
    }
    forest.size([&queens])
}

/// Unions of single sequences with random values.
#[divan::bench(args = [1000, 10_000])]
fn unions(bencher: Bencher, n: u64) {
    let sequence = |i: u64| -> Vec<(Variable, Value)> {
        let mix = |x: u64| (i ^ x << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60;
        (0..12).map(|x| (x, mix(u64::from(x)) as Value)).collect()
    };
    let sequences: Vec<_> = (0..n).map(sequence).collect();
    bencher.bench(|| {
        let mut forest = Forest::new();
        let sets: Vec<Ddd> = sequences.iter().map(|s| forest.sequence(s).unwrap()).collect();
        let all = forest.union_all(&sets).unwrap();
        forest.size([&all])
    });
}
