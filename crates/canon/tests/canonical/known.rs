//! Families whose groups are known, and pairs that refinement cannot tell apart.

use canon::{Structure, isomorphic};
use num_bigint::BigUint;
use random::Random;

use crate::families::{self as f, Graph};
use crate::structures::shuffled;
use crate::{WAYS, form};

fn factorial(n: u32) -> BigUint {
    (1..=n).map(BigUint::from).product()
}

fn power(base: &BigUint, k: u32) -> BigUint {
    base.pow(k)
}

/// Checks the order of the group, that generators are automorphisms, and that the form does not
/// depend on how the graph is written down.
fn check(name: &str, graph: &Graph, order: BigUint) {
    check_structure(name, &graph.structure(), order);
}

fn check_structure(name: &str, s: &Structure, order: BigUint) {
    let identity: Vec<u32> = (0..s.len() as u32).collect();
    let same = s.relabelled(&identity);
    for way in WAYS {
        let mut canoniser = way.canoniser();
        let expected = form(&mut canoniser, s);
        let canonical = canoniser.canonise(s);
        assert_eq!(canonical.group_order(), order, "{name}, {way}");
        for generator in canonical.generators() {
            assert!(s.relabelled(&generator) == same, "{name}, {way}");
        }
        for seed in 0..3 {
            let shuffled = shuffled(&mut Random::new(seed), s);
            assert!(form(&mut canoniser, &shuffled) == expected, "{name} {seed} {way}");
            assert_eq!(canoniser.canonise(&shuffled).group_order(), order, "{name} {way}");
        }
    }
}

#[test]
fn complete_graphs_and_their_likes() {
    check("no atom", &f::complete(0), 1u32.into());
    check("one atom", &f::complete(1), 1u32.into());
    check("50 loose atoms", &f::complete(50).complement(), factorial(50));
    check("K40", &f::complete(40), factorial(40));
    check("K10,10", &f::complete_bipartite(10, 10), factorial(10).pow(2) * 2u32);
    check("K10,12", &f::complete_bipartite(10, 12), factorial(10) * factorial(12));
    check("8 parts of 5", &f::multipartite(8, 5), factorial(8) * power(&factorial(5), 8));
    check("20 times K5", &f::complete(5).copies(20), factorial(20) * power(&factorial(5), 20));
}

#[test]
fn rings_paths_grids_and_tori() {
    check("ring 120", &f::ring(120), 240u32.into());
    check("path 101", &f::path(101), 2u32.into());
    check("path 100", &f::path(100), 2u32.into());
    check("40 triangles", &f::ring(3).copies(40), factorial(40) * power(&6u32.into(), 40));
    check("7 pentagons, 5 paths", &f::ring(5).copies(7).beside(&f::path(4).copies(5)), {
        factorial(7) * power(&10u32.into(), 7) * factorial(5) * power(&2u32.into(), 5)
    });
    check("grid 8x8", &f::grid(8, 8), 8u32.into());
    check("grid 7x9", &f::grid(7, 9), 4u32.into());
    check("torus 8x8", &f::torus(8, 8), 512u32.into());
    check("torus 5x7", &f::torus(5, 7), 140u32.into());
    check("4 tori", &f::torus(5, 5).copies(4), factorial(4) * power(&200u32.into(), 4));
    check("hypercube 6", &f::hypercube(6), factorial(6) * 64u32);
}

#[test]
fn strongly_regular_graphs() {
    check("Petersen", &f::petersen(), 120u32.into());
    check("10 Petersen", &f::petersen().copies(10), factorial(10) * power(&120u32.into(), 10));
    check("Paley 13", &f::paley(13), 78u32.into());
    check("Paley 61", &f::paley(61), 1830u32.into());
    check("rook 4", &f::rook(4), factorial(4).pow(2) * 2u32);
    check("rook 8", &f::rook(8), factorial(8).pow(2) * 2u32);
    check("Shrikhande", &f::shrikhande(), 192u32.into());
    check("T(8)", &f::triangular(8), factorial(8));
    for (graph, order) in f::chang().iter().zip([384u32, 96, 360]) {
        check("Chang", graph, order.into());
    }
    check("complement of T(11)", &f::triangular(11).complement(), factorial(11));
}

#[test]
fn disjoint_copies_of_paley() {
    let copies = f::paley(29).copies(8);
    check("8 times Paley 29", &copies, factorial(8) * power(&406u32.into(), 8));
}

#[test]
fn hubs_with_copies_below() {
    // Each hub is joined to every vertex of ten Petersen graphs; hubs are joined in a triangle.
    let below = f::petersen().copies(10);
    let (mut graph, n) = (below.copies(3), below.n);
    for hub in 0..3 {
        graph.edges.extend((0..n).map(|v| (3 * n + hub, hub * n + v)));
        graph.edges.push((3 * n + hub, 3 * n + (hub + 1) % 3));
    }
    graph.n += 3;
    let one = factorial(10) * power(&120u32.into(), 10);
    check("hubs", &graph, power(&one, 3) * 6u32);
}

#[test]
fn twins_inside_a_component() {
    for joined in [false, true] {
        let ring = f::ring(20).blown_up(4, joined);
        check("blown up ring", &ring, power(&factorial(4), 20) * 40u32);
        let petersen = f::petersen().blown_up(5, joined).copies(3);
        let one = power(&factorial(5), 10) * 120u32;
        check("blown up Petersen", &petersen, power(&one, 3) * 6u32);
        // Classes of two sizes: every second vertex of a ring is blown up once more.
        let mut mixed = f::ring(12).blown_up(2, joined);
        let base = mixed.n;
        for v in (0..12).step_by(2) {
            let around = [(v + 11) % 12, (v + 1) % 12];
            let twin = base + v / 2;
            let edges = around.iter().flat_map(|&u| [(twin, 2 * u), (twin, 2 * u + 1)]);
            mixed.edges.extend(edges);
            if joined {
                mixed.edges.extend([(twin, 2 * v), (twin, 2 * v + 1)]);
            }
            mixed.n += 1;
        }
        check("mixed classes", &mixed, power(&12u32.into(), 6) * 12u32);
    }
    // Twins joined by two labels at once.
    let mut s = f::ring(7).blown_up(3, true).structure();
    for v in (0..21).step_by(3) {
        for (a, b) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            s.tuple(1, &[v + a, v + b]);
        }
    }
    check_structure("doubly joined", &s, power(&6u32.into(), 7) * 14u32);
}

#[test]
fn joins_of_copies() {
    let order = factorial(10) * power(&120u32.into(), 10);
    check("join of 10 Petersen", &f::petersen().copies(10).complement(), order);
    check("complement of a ring", &f::ring(50).complement(), 100u32.into());
}

#[test]
fn forests() {
    // A complete binary tree of depth 6, arcs from parent to child: 2 for each inner node.
    let mut s = Structure::new();
    for i in 0..127u32 {
        s.atom(0);
        if i > 0 {
            s.tuple(3, &[(i - 1) / 2, i]);
        }
    }
    check_structure("binary tree", &s, power(&2u32.into(), 63));
    // A star of stars.
    let mut s = Structure::new();
    let root = s.atom(1);
    for _ in 0..6 {
        let middle = s.atom(0);
        s.tuple(0, &[root, middle]);
        for _ in 0..4 {
            let leaf = s.atom(0);
            s.tuple(0, &[middle, leaf]);
        }
    }
    check_structure("stars", &s, factorial(6) * power(&factorial(4), 6));
}

#[test]
fn wide_tuples() {
    // The lines of the Fano plane as unordered triples: all orders of each line are tuples.
    let mut s = Structure::new();
    (0..7).for_each(|_| _ = s.atom(0));
    for i in 0..7u32 {
        let line = [i, (i + 1) % 7, (i + 3) % 7];
        for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            s.tuple(0, &[line[a], line[b], line[c]]);
        }
    }
    check_structure("Fano", &s, 168u32.into());
    // All triples over five atoms, each twice.
    let mut s = Structure::new();
    (0..5).for_each(|_| _ = s.atom(0));
    for i in 0..125u32 {
        s.tuple(0, &[i / 25, i / 5 % 5, i % 5]);
        s.tuple(0, &[i / 25, i / 5 % 5, i % 5]);
    }
    check_structure("all triples", &s, factorial(5));
}

fn differ(name: &str, a: &Graph, b: &Graph) {
    let (a, b) = (a.structure(), b.structure());
    assert!(isomorphic(&a, &b).is_none(), "{name}");
    for way in WAYS {
        let mut canoniser = way.canoniser();
        assert!(form(&mut canoniser, &a) != form(&mut canoniser, &b), "{name}, {way}");
        for seed in 0..3 {
            let c = shuffled(&mut Random::new(seed), &a);
            assert!(form(&mut canoniser, &a) == form(&mut canoniser, &c), "{name} {way}");
        }
    }
    let c = shuffled(&mut Random::new(7), &a);
    let map = isomorphic(&a, &c).expect("a renamed graph is isomorphic");
    let mut image: Vec<_> = Vec::new();
    a.for_each_tuple(|_, t| image.push([map[t[0] as usize], map[t[1] as usize]]));
    let mut arcs: Vec<_> = Vec::new();
    c.for_each_tuple(|_, t| arcs.push([t[0], t[1]]));
    image.sort_unstable();
    arcs.sort_unstable();
    assert_eq!(image, arcs, "{name}");
}

#[test]
fn pairs_that_refinement_cannot_tell_apart() {
    differ("two triangles or a hexagon", &f::ring(3).copies(2), &f::ring(6));
    differ("rook or Shrikhande", &f::rook(4), &f::shrikhande());
    let chang = f::chang();
    for (i, a) in chang.iter().enumerate() {
        differ("T(8) or Chang", &f::triangular(8), a);
        for b in &chang[..i] {
            differ("two Chang graphs", a, b);
        }
    }
    differ("Latin squares", &f::latin_square(4, true), &f::latin_square(4, false));
    differ("Latin squares", &f::latin_square(8, true), &f::latin_square(8, false));
    for base in [f::complete(4), f::complete(5), f::petersen(), f::torus(3, 3)] {
        let pair = [false, true].map(|twisted| f::cai_furer_immerman(&base, twisted));
        differ("Cai, Fürer, Immerman", &pair[0], &pair[1]);
    }
    let mut copies = f::rook(4).copies(5);
    let other = copies.beside(&f::shrikhande().copies(4));
    copies = f::rook(4).copies(4).beside(&f::shrikhande().copies(5));
    differ("rooks and Shrikhandes", &copies, &other);
}

#[test]
fn multiplicity_and_direction_count() {
    let build = |tuples: &[&[u32]]| {
        let mut s = Structure::new();
        (0..3).for_each(|_| _ = s.atom(0));
        tuples.iter().for_each(|t| s.tuple(0, t));
        s
    };
    type Tuples = &'static [&'static [u32]];
    let pairs: [(Tuples, Tuples); 5] = [
        (&[&[0, 1], &[0, 1]], &[&[0, 1], &[1, 0]]),
        (&[&[0, 1], &[0, 1]], &[&[0, 1], &[0, 2]]),
        (&[&[0], &[0]], &[&[0], &[1]]),
        (&[&[0, 0]], &[&[0]]),
        (&[&[0, 0, 1]], &[&[0, 1, 1]]),
    ];
    for (a, b) in pairs {
        assert!(isomorphic(&build(a), &build(b)).is_none(), "{a:?} {b:?}");
    }
    assert!(isomorphic(&build(&[&[0, 1], &[1, 2]]), &build(&[&[2, 0], &[0, 1]])).is_some());
}
