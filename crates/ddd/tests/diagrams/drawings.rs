//! Drawings of a small set.

use ddd::{Ddd, Forest};

fn name(variable: u32) -> String {
    ["a", "b<c>", "\"end\""][variable as usize].to_owned()
}

fn small(forest: &mut Forest) -> Ddd {
    let one = forest.one();
    let top = forest.top();
    let end = forest.arcs(2, [(0, &one), (1, &one), (2, &one), (7, &top)]).unwrap();
    let long = forest.arcs(1, [(0, &end), (1, &one), (3, &one)]).unwrap();
    let longer = forest.arcs(1, [(5, &long)]).unwrap();
    forest.arcs(0, [(-1, &one), (0, &end), (1, &long), (2, &longer)]).unwrap()
}

#[test]
fn dot() {
    let mut forest = Forest::new();
    let d = small(&mut forest);
    insta::assert_snapshot!(forest.dot(&d, name));
}

#[test]
fn svg() {
    let mut forest = Forest::new();
    let d = small(&mut forest);
    insta::assert_snapshot!(forest.svg(&d, name));
}

#[test]
fn terminals_can_be_drawn() {
    let mut forest = Forest::new();
    for (d, label) in [(forest.zero(), "0"), (forest.one(), "1"), (forest.top(), "⊤")] {
        assert!(forest.dot(&d, name).contains(&format!("label=\"{label}\"")));
        assert!(forest.svg(&d, name).contains(&format!(">{label}</text>")));
    }
}
