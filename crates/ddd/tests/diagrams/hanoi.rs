//! The towers of Hanoi: all positions are reachable, and any set of them is a small diagram.

use ddd::{Forest, Hom, Shift};
use num_bigint::BigUint;

/// Moves of discs; disc 0 is the smallest and comes last.
fn moves(forest: &mut Forest, discs: u32) -> Hom {
    let mut moves = Vec::new();
    for disc in 0..discs {
        for (from, to) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
            let shift = Shift { variable: disc, within: from..=from, by: to - from };
            let aside = 3 - from - to;
            let smaller = (0..disc).rev();
            let smaller =
                smaller.map(|disc| Shift { variable: disc, within: aside..=aside, by: 0 });
            let chain: Vec<Shift> = std::iter::once(shift).chain(smaller).collect();
            moves.push(forest.chain(&chain).unwrap());
        }
    }
    forest.sum(&moves)
}

#[test]
fn all_positions_are_reachable() {
    for discs in [1, 2, 3, 12, 50] {
        let mut forest = Forest::new();
        let start: Vec<(u32, i32)> = (0..discs).rev().map(|disc| (disc, 0)).collect();
        let start = forest.sequence(&start).unwrap();
        let moves = moves(&mut forest, discs);
        let star = forest.star(&moves);
        let all = forest.apply(&star, &start).unwrap();
        assert_eq!(forest.count(&all), BigUint::from(3u32).pow(discs));
        assert_eq!(forest.size([&all]), discs as usize + 1);
        assert!(forest.statistics().peak_nodes <= 1085, "{:?}", forest.statistics());
    }
}
