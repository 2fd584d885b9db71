//! What is too large, endless or wrong ends with a reason.

use std::time::Duration;

use budget::{Budget, Exhausted};
use symbolic::{Condition, SymmetricNet, Symmetry, Term, Transition, Variable};
use unfold::{
    Diagram, DiagramError, DiagramLimits, NotUnfolded, PlaceOrder, UnfoldLimits, UnfoldedNet,
};

/// A class of elements that may each be turned on, and all at once be turned off.
fn switches(elements: u32) -> SymmetricNet {
    let mut net = SymmetricNet::new();
    let switch = net.class("Switch", Symmetry::Symmetric(vec![elements]));
    let [off, on] = ["off", "on"].map(|name| net.place(name, &[switch]));
    let x = Variable(0);
    let one = Term::one(&[x.into()]);
    let all = one.clone().for_all(&[switch], Condition::always());
    net.initially(off, all.clone());
    net.transition(Transition::new("press", &[switch]).take(off, one.clone()).put(on, one));
    net.transition(Transition::new("reset", &[]).take(on, all.clone()).put(off, all));
    net
}

#[test]
fn a_net_that_would_be_too_large_is_refused() {
    let net = switches(10);
    let unfolded = UnfoldedNet::of(&net, &UnfoldLimits::default()).unwrap();
    assert_eq!((unfolded.places.len(), unfolded.transitions.len()), (20, 11));
    let limited = |limits: UnfoldLimits| UnfoldedNet::of(&net, &limits).unwrap_err();
    let limits = UnfoldLimits::default;
    assert_eq!(
        limited(UnfoldLimits { places: 19, ..limits() }),
        NotUnfolded::TooMany(19, "places")
    );
    assert_eq!(
        limited(UnfoldLimits { transitions: 10, ..limits() }),
        NotUnfolded::TooMany(10, "transitions")
    );
    assert_eq!(limited(UnfoldLimits { arcs: 39, ..limits() }), NotUnfolded::TooMany(39, "arcs"));
    UnfoldedNet::of(&net, &UnfoldLimits { places: 20, transitions: 11, ..limits() }).unwrap();
    let large = switches(1 << 31);
    assert_eq!(UnfoldedNet::of(&large, &limits()), Err(NotUnfolded::TooMany(1_000_000, "places")));
}

/// Nothing is possible, but that takes a look at all pairs.
fn hopeless() -> SymmetricNet {
    let mut net = SymmetricNet::new();
    let class = net.class("C", Symmetry::Plain(1 << 31));
    let place = net.place("p", &[]);
    let (x, y) = (Variable(0), Variable(1));
    net.transition(
        Transition::new("t", &[class, class])
            .guard(Condition::All(vec![
                Condition::Less(x.into(), y.into()),
                Condition::Less(y.into(), x.into()),
            ]))
            .put(place, Term::one(&[])),
    );
    net
}

#[test]
fn unfolding_can_be_stopped() {
    let net = hopeless();
    let limits = UnfoldLimits { tries: 100_000, ..UnfoldLimits::default() };
    assert_eq!(UnfoldedNet::of(&net, &limits), Err(NotUnfolded::Tries(100_000)));
    let budget = Budget::unlimited();
    let limits = UnfoldLimits { budget: budget.within(Duration::ZERO), ..UnfoldLimits::default() };
    assert_eq!(UnfoldedNet::of(&net, &limits), Err(NotUnfolded::Exhausted(Exhausted::Time)));
    budget.interrupt();
    let limits = UnfoldLimits { budget, ..UnfoldLimits::default() };
    assert_eq!(UnfoldedNet::of(&net, &limits), Err(NotUnfolded::Exhausted(Exhausted::Interrupted)));
}

#[test]
fn flaws_and_numbers_too_large_are_reported() {
    let mut net = SymmetricNet::new();
    let place = net.place("p", &[]);
    net.initially(place, Term::times(u32::MAX, &[]));
    // As long as nothing changes, any number will do.
    let fixed = UnfoldedNet::of(&net, &UnfoldLimits::default()).unwrap();
    assert_eq!(fixed.most_fixed, u64::from(u32::MAX));
    net.transition(Transition::new("t", &[]).take(place, Term::one(&[])));
    let refused = UnfoldedNet::of(&net, &UnfoldLimits::default());
    assert_eq!(refused, Err(NotUnfolded::Tokens("p".to_owned())));
    net.transition(Transition::new("u", &[]).take(place, Term::one(&[Variable(7).into()])));
    let refused = UnfoldedNet::of(&net, &UnfoldLimits::default());
    assert!(matches!(refused, Err(NotUnfolded::Flaw(_))));
}

/// Counters that grow without end, by this much at a time.
fn endless(by: u32) -> UnfoldedNet {
    let mut net = SymmetricNet::new();
    let counters: Vec<_> = (0..6).map(|i| net.place(&format!("p{i}"), &[])).collect();
    for counter in counters {
        net.transition(Transition::new("t", &[]).put(counter, Term::times(by, &[])));
    }
    UnfoldedNet::of(&net, &UnfoldLimits::default()).unwrap()
}

#[test]
fn a_net_without_bounds_ends_at_a_limit() {
    let reached = |by: u32, limits: DiagramLimits| {
        let net = endless(by);
        let orders = PlaceOrder::candidates(&net, &Budget::unlimited());
        Diagram::of(net, orders, &limits).map(|mut diagram| diagram.census().unwrap().states)
    };
    let limits = DiagramLimits::default;
    let ended = |why| Err(DiagramError::Exhausted(why));
    assert_eq!(reached(1 << 20, limits()), Err(DiagramError::Overflow));
    let memory = DiagramLimits { memory: 4 << 20, ..limits() };
    assert_eq!(reached(1, memory), ended(Exhausted::Memory));
    let steps = DiagramLimits { steps: Some(1 << 20), ..limits() };
    assert_eq!(reached(1, steps), ended(Exhausted::Steps));
    let budget = Budget::unlimited();
    let soon = DiagramLimits::within(&budget.within(Duration::from_millis(20)));
    assert_eq!(reached(1, soon), ended(Exhausted::Time));
    budget.interrupt();
    assert_eq!(reached(1, DiagramLimits::within(&budget)), ended(Exhausted::Interrupted));
}

#[test]
fn large_classes_are_counted_exactly() {
    let net = UnfoldedNet::of(&switches(300), &UnfoldLimits::default()).unwrap();
    let orders = PlaceOrder::candidates(&net, &Budget::unlimited());
    let mut diagram = Diagram::of(net, orders, &DiagramLimits::default()).unwrap();
    let census = diagram.census().unwrap();
    let two = num_bigint::BigUint::from(2_u32);
    assert_eq!(census.states, two.pow(300));
    // Each switch is off in half of the markings; in one marking all are on.
    assert_eq!(census.edges, two.pow(299) * 300_u32 + 1_u32);
    assert_eq!(census.deadlocks, num_bigint::BigUint::ZERO);
    assert_eq!(census.most_tokens, 300_u32.into());
}
