//! ⊤ where the paper says so (section 2.1).

use ddd::{Ddd, Forest, Hom, Inductive, Node, Result, Shift, Value, Variable};

const A: Variable = 0;
const B: Variable = 1;

#[test]
fn a_union_of_two_variables_is_undefined() {
    let mut forest = Forest::new();
    let left = forest.sequence(&[(A, 1), (B, 2)]).unwrap();
    let right = forest.sequence(&[(A, 1), (A, 3)]).unwrap();
    let union = forest.union(&left, &right).unwrap();
    let top = forest.top();
    assert_eq!(union, forest.arc(A, 1, &top).unwrap());
    assert!(!forest.is_well_defined(&union));
    assert!(forest.is_well_defined(&left));
}

#[test]
fn a_union_within_one_variable_is_not() {
    let mut forest = Forest::new();
    let left = forest.sequence(&[(A, 1), (A, 2)]).unwrap();
    let right = forest.sequence(&[(A, 1), (A, 3)]).unwrap();
    let union = forest.union(&left, &right).unwrap();
    let one = forest.one();
    let both = forest.arcs(A, [(2, &one), (3, &one)]).unwrap();
    assert_eq!(union, forest.arc(A, 1, &both).unwrap());
    assert_eq!(forest.node(&both), Node::Arcs(A, vec![(2, one.clone()), (3, one)]));
}

#[test]
fn sequences_of_different_length_may_live_together() {
    // The vector of section 3.1: a variable repeated, and an end marker.
    let mut forest = Forest::new();
    let vectors: Vec<Ddd> = [&[-1][..], &[5, -1], &[5, 6, -1]]
        .iter()
        .map(|vector| {
            let pairs: Vec<_> = vector.iter().map(|value| (A, *value)).collect();
            forest.sequence(&pairs).unwrap()
        })
        .collect();
    let union = forest.union_all(&vectors).unwrap();
    assert!(forest.is_well_defined(&union));
    assert_eq!(forest.count(&union), 3u32.into());
}

#[test]
fn a_sequence_that_ends_where_another_goes_on_is_undefined() {
    let mut forest = Forest::new();
    let short = forest.sequence(&[(A, 1)]).unwrap();
    let long = forest.sequence(&[(A, 1), (B, 2)]).unwrap();
    let union = forest.union(&short, &long).unwrap();
    let top = forest.top();
    assert_eq!(union, forest.arc(A, 1, &top).unwrap());
    let (zero, one) = (forest.zero(), forest.one());
    assert_eq!(forest.union(&one, &short).unwrap(), top);
    assert_eq!(forest.union(&top, &zero).unwrap(), top);
    assert_eq!(forest.intersection(&top, &zero).unwrap(), zero);
    assert_eq!(forest.intersection(&top, &short).unwrap(), top);
    assert_eq!(forest.difference(&top, &top).unwrap(), top);
    assert_eq!(forest.difference(&union, &union).unwrap(), union);
    assert_eq!(forest.concatenation(&top, &short).unwrap(), top);
    assert_eq!(forest.concatenation(&top, &zero).unwrap(), zero);
}

/// The paper's W⁻(i, m): takes m off the i-th value of a vector.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Take {
    index: u32,
    amount: Value,
}

impl Inductive for Take {
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        Ok(forest.top())
    }

    fn on_arc(&self, forest: &mut Forest, variable: Variable, value: Value) -> Result<Hom> {
        if self.index > 0 {
            let next = forest.inductive(Take { index: self.index - 1, ..self.clone() });
            return forest.prefix(variable, value, &next);
        }
        if value < self.amount {
            let zero = forest.zero();
            return Ok(forest.constant(&zero));
        }
        let identity = forest.identity();
        forest.prefix(variable, value - self.amount, &identity)
    }
}

#[test]
fn an_index_beyond_the_vector_is_undefined() {
    let mut forest = Forest::new();
    let vector = forest.sequence(&[(A, 3), (A, 1), (A, 4)]).unwrap();
    let image = |forest: &mut Forest, index, amount| {
        let take = forest.inductive(Take { index, amount });
        forest.apply(&take, &vector).unwrap()
    };
    let taken = forest.sequence(&[(A, 3), (A, 1), (A, 2)]).unwrap();
    assert_eq!(image(&mut forest, 2, 2), taken);
    assert_eq!(image(&mut forest, 1, 2), forest.zero());
    let beyond = image(&mut forest, 3, 2);
    assert!(!forest.is_well_defined(&beyond));
    assert_eq!(forest.count(&beyond), 0u32.into());
}

#[test]
fn a_shift_of_a_variable_that_never_comes_is_undefined() {
    let mut forest = Forest::new();
    let d = forest.sequence(&[(A, 3)]).unwrap();
    let shift = forest.chain(&[Shift { variable: B, within: 0..=9, by: 1 }]).unwrap();
    let image = forest.apply(&shift, &d).unwrap();
    let top = forest.top();
    assert_eq!(image, forest.arc(A, 3, &top).unwrap());
}
