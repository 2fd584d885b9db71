//! Why the paper's sort is not enough.

use ddd::Limits;
use symbolic::{
    Condition, Element, PlaceId, Srs, SymmetricNet, Symmetry, Term, Transition, Variable,
};

type Matrix = [[u32; 3]; 3];

/// The two matrices, over three dynamic subclasses of one element each.
const CHAIN: Matrix = [[0, 1, 0], [0, 0, 1], [0, 0, 0]];
const SAME_CHAIN: Matrix = [[0, 1, 0], [0, 0, 0], [1, 0, 0]];

fn renamed(matrix: &Matrix, names: [usize; 3]) -> Matrix {
    let mut renamed = Matrix::default();
    for (i, row) in matrix.iter().enumerate() {
        for (j, &cell) in row.iter().enumerate() {
            renamed[names[i]][names[j]] = cell;
        }
    }
    renamed
}

/// A net that puts the tokens of a matrix at once, its rows and columns being variables.
fn putting(net: &mut SymmetricNet, from: PlaceId, to: PlaceId, matrix: &Matrix) {
    let class = net.places[to.0 as usize].domain[0];
    let variables = [Variable(0), Variable(1), Variable(2)];
    let differ = |a: usize, b: usize| Condition::differ(variables[a], variables[b]);
    let mut transition = Transition::new("put", &[class; 3])
        .guard(Condition::All(vec![differ(0, 1), differ(0, 2), differ(1, 2)]))
        .take(from, Term::one(&[]));
    for (i, row) in matrix.iter().enumerate() {
        for (j, _) in row.iter().enumerate().filter(|(_, cell)| **cell > 0) {
            let tuple = [variables[i], variables[j]].map(Element::Var);
            transition = transition.put(to, Term::one(&tuple));
        }
    }
    net.transition(transition);
}

#[test]
fn two_local_minima_are_one_marking() {
    // Swapping neighbours leaves both as they are: the paper keeps the greater.
    for matrix in [CHAIN, SAME_CHAIN] {
        assert!(renamed(&matrix, [1, 0, 2]) < matrix);
        assert!(renamed(&matrix, [0, 2, 1]) < matrix);
    }
    // But they are the same up to renaming.
    assert_eq!(renamed(&CHAIN, [2, 0, 1]), SAME_CHAIN);

    let mut net = SymmetricNet::new();
    let class = net.class("C", Symmetry::Symmetric(vec![3]));
    let start = net.place("start", &[]);
    let pairs = net.place("pairs", &[class, class]);
    net.initially(start, Term::one(&[]));
    for matrix in [CHAIN, SAME_CHAIN] {
        putting(&mut net, start, pairs, &matrix);
    }
    let srs = Srs::of(&net, Limits::default()).unwrap();
    assert_eq!(srs.markings, 2_u32.into());
}

#[test]
fn what_looks_alike_from_each_element_may_differ() {
    // Every element has one successor and one predecessor: a ring of six, or two of three.
    let mut net = SymmetricNet::new();
    let class = net.class("C", Symmetry::Symmetric(vec![6]));
    let start = net.place("start", &[]);
    let pairs = net.place("pairs", &[class, class]);
    net.initially(start, Term::one(&[]));
    let variables: Vec<Variable> = (0..6).map(Variable).collect();
    let mut distinct = Vec::new();
    for i in 0..6 {
        distinct.extend((0..i).map(|j| Condition::differ(variables[i], variables[j])));
    }
    let rings: [&[usize]; 4] =
        [&[1, 2, 3, 4, 5, 0], &[1, 2, 0, 4, 5, 3], &[3, 4, 5, 1, 2, 0], &[2, 3, 4, 5, 0, 1]];
    for successors in rings {
        let mut transition = Transition::new("put", &[class; 6])
            .guard(Condition::All(distinct.clone()))
            .take(start, Term::one(&[]));
        for (i, &next) in successors.iter().enumerate() {
            let tuple = [variables[i], variables[next]].map(Element::Var);
            transition = transition.put(pairs, Term::one(&tuple));
        }
        net.transition(transition);
    }
    // The third is a ring of six, written differently; the fourth two of three.
    let srs = Srs::of(&net, Limits::default()).unwrap();
    assert_eq!(srs.markings, 3_u32.into());
}
