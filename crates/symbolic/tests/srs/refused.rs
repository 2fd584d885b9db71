//! What cannot be done is refused, with a reason.

use std::time::Duration;

use budget::{Budget, Exhausted};
use ddd::Limits;
use symbolic::{
    ClassId, Condition, Element, Fault, PlaceId, Srs, SrsError, SymmetricNet, Symmetry, Term,
    Transition, Unsupported, Variable,
};

use crate::nets;

fn refusal(net: &SymmetricNet) -> SrsError {
    Srs::of(net, Limits::default()).unwrap_err()
}

fn unsupported(problem: &str) -> SrsError {
    Unsupported(problem.to_owned()).into()
}

#[test]
fn cyclic_classes_are_refused() {
    let error = refusal(&nets::philosophers(5));
    assert_eq!(error, unsupported("class Philo is cyclic"));
    assert_eq!(
        error.to_string(),
        "sets of symbolic markings cannot be used here: class Philo is cyclic"
    );
}

#[test]
fn absurd_sizes_are_refused_at_once() {
    let mut net = SymmetricNet::new();
    net.class("Crowd", Symmetry::Symmetric(vec![1 << 30]));
    assert_eq!(refusal(&net), unsupported("class Crowd has too many elements"));

    let mut net = SymmetricNet::new();
    net.class("Many", Symmetry::Symmetric(vec![1; 5000]));
    assert_eq!(refusal(&net), unsupported("there are too many subclasses"));

    let mut net = SymmetricNet::new();
    let plain = net.class("Plain", Symmetry::Plain(1 << 30));
    let place = net.place("p", &[plain]);
    let all = Term::one(&[Element::Var(Variable(0))]).for_all(&[plain], Condition::always());
    net.initially(place, all);
    assert_eq!(refusal(&net), unsupported("an arc of place p has too many tuples"));

    let mut net = SymmetricNet::new();
    let plain = net.class("Plain", Symmetry::Plain(1 << 15));
    net.transition(Transition::new("t", &[plain, plain]));
    assert_eq!(refusal(&net), unsupported("transition t has too many symbolic bindings"));

    let mut net = SymmetricNet::new();
    let class = net.class("C", Symmetry::Symmetric(vec![100]));
    // Also if the guard is never true, where that is known only when all variables have values.
    let itself = |i: u32| Condition::equal(Variable(i), Variable(i));
    let never = Condition::Not(Box::new(Condition::Any((0..20).map(itself).collect())));
    net.transition(Transition::new("t", &[class; 20]).guard(never));
    assert_eq!(refusal(&net), unsupported("transition t has too many symbolic bindings"));

    let mut net = SymmetricNet::new();
    let class = net.class("C", Symmetry::Symmetric(vec![100]));
    let place = net.place("p", &[class; 20]);
    let tuple: Vec<Element> = (0..20).map(|i| Element::Var(Variable(i))).collect();
    net.initially(place, Term::one(&tuple).for_all(&[class; 20], Condition::always()));
    assert_eq!(refusal(&net), unsupported("an arc of place p has too many tuples"));
}

#[test]
fn a_net_with_flaws_is_no_net() {
    let mut net = SymmetricNet::new();
    net.place("p", &[ClassId(7)]);
    assert!(matches!(refusal(&net), SrsError::Flaws(flaws) if flaws.len() == 1));
}

#[test]
fn tokens_that_cannot_be_counted_are_a_fault() {
    let mut net = SymmetricNet::new();
    let place = net.place("p", &[]);
    net.initially(place, Term::times(1, &[]));
    let doubled = Transition::new("t", &[]).put(place, Term::times(u32::MAX, &[]));
    net.transition(doubled);
    assert_eq!(refusal(&net), Fault::TooManyTokens(place).into());

    net.initially(PlaceId(0), Term::times(u32::MAX, &[]));
    assert_eq!(refusal(&net), Fault::TooManyTokens(place).into());
}

#[test]
fn limits_are_honoured() {
    let net = nets::client_server(6, 6);
    let late = Limits::within(&Budget::unlimited().within(Duration::ZERO));
    assert_eq!(Srs::of(&net, late).unwrap_err(), ddd::Error::Exhausted(Exhausted::Time).into());
    let small = Limits { memory: 1 << 20, ..Limits::default() };
    assert_eq!(Srs::of(&net, small).unwrap_err(), ddd::Error::Exhausted(Exhausted::Memory).into());
}

#[test]
fn collecting_at_every_step_changes_nothing() {
    let net = nets::client_server(3, 2);
    let often = Limits { collect_at: 0, ..Limits::default() };
    assert_eq!(Srs::of(&net, often).unwrap().markings, 26_u32.into());
}
