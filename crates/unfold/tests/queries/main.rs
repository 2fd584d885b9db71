//! Random symmetric nets and random questions, in decision diagrams and by brute force.

#[path = "../../../symbolic/tests/differential/oracle.rs"]
#[allow(dead_code, reason = "orbits are the concern of another test")]
mod oracle;
#[path = "../../../symbolic/tests/differential/random_net.rs"]
mod random_net;

mod formulas;
mod naive;

use std::time::Duration;

use budget::{Budget, Exhausted};
use check::{Automaton, Ctl, Ltl};
use naive::Graph;
use net::TransitionId;
use num_bigint::BigInt;
use oracle::Limits;
use random::{Random, Seed};
use random_net::{Taste, random_net};
use symbolic::SymmetricNet;
use unfold::{
    Diagram, DiagramError, DiagramLimits, PlaceOrder, Predicate, UnfoldLimits, UnfoldedNet,
};

const TASTES: [Taste; 4] = [
    Taste { elements: 4, columns: 2, variables: 3, classes: 1 },
    Taste { elements: 3, columns: 2, variables: 3, classes: 2 },
    Taste { elements: 3, columns: 3, variables: 3, classes: 1 },
    Taste { elements: 5, columns: 1, variables: 2, classes: 1 },
];

/// A net, its reachable markings in a diagram with places in any order, and its graph.
struct Case {
    _seed: Seed,
    random: Random,
    net: SymmetricNet,
    diagram: Diagram,
    graph: Graph,
}

/// Nets that are not too large; few that are very small.
fn cases(count: usize, first: u64) -> impl Iterator<Item = Case> {
    cases_up_to(250, count, first)
}

fn cases_up_to(states: usize, count: usize, first: u64) -> impl Iterator<Item = Case> {
    let limits = Limits { states, tokens: 18 };
    let mut small = 0;
    let case = move |seed| {
        let mut random = Random::new(seed);
        let taste = *random.pick(&TASTES);
        let mut net = random_net(&mut random, taste);
        // What is inhibited by several tokens together is rare otherwise.
        let inhibitors = net.transitions.iter_mut().flat_map(|t| &mut t.inhibitors);
        for arc in inhibitors.filter(|arc| !arc.term.locals.is_empty()) {
            arc.term.count = *random.pick(&[1, 2, 2, 3]);
        }
        let brute_force = oracle::unfold(&net, &limits)?;
        if brute_force.states.len() < 8 {
            small += 1;
            if small % 8 > 0 {
                return None;
            }
        }
        let graph = Graph::of(&net, &brute_force);
        let unfolded = UnfoldedNet::of(&net, &UnfoldLimits::default()).unwrap();
        let mut order: Vec<u32> = (0..unfolded.places.len() as u32).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let order = PlaceOrder::new(order).unwrap();
        let diagram = Diagram::of(unfolded, vec![order], &DiagramLimits::default()).unwrap();
        Some(Case { _seed: Seed(seed), random, net, diagram, graph })
    };
    (first..).filter_map(case).take(count)
}

#[test]
fn predicates_hold_where_they_should() {
    let (mut somewhere, mut everywhere) = (0, 0);
    for Case { _seed, mut random, net, mut diagram, graph } in cases(1000, 1) {
        for _ in 0..8 {
            let predicate = formulas::predicate(&mut random, &net, &graph, 3);
            let holding = graph.states().filter(|&s| graph.holds(s, &predicate)).count();
            let found = diagram.satisfying(&predicate).unwrap();
            assert_eq!(diagram.count(&found), holding.into(), "{predicate:?}");
            assert_eq!(diagram.holds_somewhere(&predicate).unwrap(), holding > 0);
            let all = holding == graph.states().len();
            let initially = diagram.ctl(&Ctl::Atom(0), std::slice::from_ref(&predicate)).unwrap();
            assert_eq!(initially, graph.holds(0, &predicate));
            let opposite = Predicate::Not(Box::new(predicate));
            assert_eq!(diagram.holds_somewhere(&opposite).unwrap(), !all);
            somewhere += usize::from(holding > 0 && !all);
            everywhere += usize::from(all);
        }
    }
    assert!(somewhere > 1000 && everywhere > 1000, "{somewhere} {everywhere}");
}

#[test]
fn sums_have_their_range() {
    for Case { _seed, mut random, net, diagram, graph } in cases(200, 1_000_000) {
        for _ in 0..5 {
            let terms = formulas::terms(&mut random, &net);
            let sums = graph.states().map(|state| graph.sum(state, &terms));
            let (least, greatest) = (sums.clone().min().unwrap(), sums.max().unwrap());
            let expected = (BigInt::from(least), BigInt::from(greatest));
            assert_eq!(diagram.range(&terms), expected, "{terms:?}");
        }
    }
}

#[test]
fn bounds_beyond_all_sums_decide() {
    let Case { mut diagram, .. } = cases(1, 1).next().unwrap();
    for (factor, bound, expected) in
        [(1, i64::MAX, true), (1, i64::MIN, false), (i64::MIN, i64::MAX, true)]
    {
        let predicate = Predicate::AtMost { terms: vec![(0, factor)], bound };
        let opposite = Predicate::Not(Box::new(predicate));
        assert_eq!(diagram.holds_somewhere(&opposite).unwrap(), !expected);
    }
}

#[test]
fn formulas_of_branching_time_hold_where_they_should() {
    let mut holding = 0;
    for Case { _seed, mut random, net, mut diagram, graph } in cases(700, 3_000_000) {
        let atoms: Vec<Predicate> =
            (0..3).map(|_| formulas::predicate(&mut random, &net, &graph, 1)).collect();
        for _ in 0..6 {
            let depth = 1 + random.below(4);
            let formula = formulas::ctl(&mut random, atoms.len(), depth);
            let expected = graph.satisfying(&formula, &atoms)[0];
            holding += usize::from(expected);
            assert_eq!(diagram.ctl(&formula, &atoms).unwrap(), expected, "{formula:?} {atoms:?}");
        }
    }
    assert!((1000..3200).contains(&holding), "{holding} of 4200");
}

#[test]
fn what_happens_again_and_again_is_live() {
    let mut live = 0;
    for Case { _seed, net, mut diagram, graph, .. } in cases(400, 4_000_000) {
        for transition in 0..=net.transitions.len() as u32 {
            let atoms = [Predicate::Enabled(TransitionId(transition))];
            let formula = Ctl::Atom(0).some_finally().all_globally();
            let expected = graph.satisfying(&formula, &atoms)[0];
            live += usize::from(expected);
            assert_eq!(diagram.ctl(&formula, &atoms).unwrap(), expected, "{transition}");
        }
    }
    assert!(live >= 30, "only {live}");
}

#[test]
fn runs_are_accepted_as_they_should() {
    let mut accepted = [0; 2];
    for Case { _seed, mut random, net, mut diagram, graph } in cases_up_to(40, 500, 5_000_000) {
        let atoms: Vec<Predicate> =
            (0..3).map(|_| formulas::predicate(&mut random, &net, &graph, 1)).collect();
        for i in 0..6 {
            let automaton = if i % 2 == 0 {
                formulas::automaton(&mut random, atoms.len())
            } else {
                let (mut ltl, depth) = (Ltl::new(), 1 + random.below(3));
                let formula = formulas::ltl(&mut random, &mut ltl, atoms.len(), depth);
                Automaton::of(&ltl, formula).unwrap()
            };
            if automaton.states.len() > 12 {
                continue;
            }
            let expected = graph.accepts(&automaton, &atoms);
            accepted[i % 2] += usize::from(expected);
            assert_eq!(
                diagram.ltl(&automaton, &atoms).unwrap(),
                expected,
                "{automaton:?} {atoms:?}"
            );
        }
    }
    assert!(accepted.iter().all(|some| (200..1200).contains(some)), "{accepted:?} of 1500");
}

#[test]
fn limits_end_a_question_and_nothing_else() {
    let Case { mut diagram, graph, .. } = cases(1, 6_000_000).next().unwrap();
    let atoms = [Predicate::Dead, Predicate::Enabled(TransitionId(0))];
    let formula = Ctl::Atom(1).some_globally().all_finally();
    let mut ltl = Ltl::new();
    let atom = ltl.atom(1);
    let again = ltl.eventually(atom);
    let again = ltl.always(again);
    let automaton = Automaton::of(&ltl, again).unwrap();
    let budget = Budget::unlimited();
    let passed = budget.within(Duration::ZERO);
    budget.interrupt();
    for (budget, why) in [(passed, Exhausted::Time), (budget, Exhausted::Interrupted)] {
        let error = DiagramError::Exhausted(why);
        diagram.set_limits(DiagramLimits::within(&budget));
        assert_eq!(diagram.satisfying(&atoms[0]), Err(error));
        assert_eq!(diagram.holds_somewhere(&atoms[0]), Err(error));
        assert_eq!(diagram.ctl(&formula, &atoms), Err(error));
        assert_eq!(diagram.ltl(&automaton, &atoms), Err(error));
        diagram.set_limits(DiagramLimits::default());
        assert_eq!(diagram.ctl(&formula, &atoms), Ok(graph.satisfying(&formula, &atoms)[0]));
        assert_eq!(diagram.ltl(&automaton, &atoms), Ok(graph.accepts(&automaton, &atoms)));
    }
}
