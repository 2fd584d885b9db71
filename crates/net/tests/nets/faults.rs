//! What is a fault of a model, and what is not: the plain interpreter and the compiled rules agree.
//!
//! The order in which conditions are looked at (see `fallible`): first all conditions and inhibitors
//! that cannot fault; then, if these agree, the conditions that can, patterns before the guard, from
//! left to right; then the inhibitors that can. Definitions fault only where they are used.

use std::sync::Arc as Shared;

use explore::{Control, Options, explore};
use fold::{ConcreteSpace, Folded, Reach, Rules, Sink, Working};
use net::interpret;
use net::{
    Arc, BinaryOp, Column, Compiled, Expr, Fate, Fault, FaultKind, Inhibitor, InitialToken,
    InitialValue, Kind, Literal, Net, Participant, Place, PlaceId, PlaceKind, Sort, Spawn,
    StartThread, Transition, TransitionId, UnaryOp, Var, Variable,
};
use state::{Relation, Relations};

const AT: PlaceId = PlaceId(0);
const STORE: PlaceId = PlaceId(1);

/// Variables of the transition: the thread, its number, and numbers to be bound or defined.
const T: Var = Var(0);
const N: Var = Var(1);
const A: Var = Var(2);
const B: Var = Var(3);
const C: Var = Var(4);
const D: Var = Var(5);

fn int(number: i64) -> Expr {
    Expr::int(number)
}

fn var(var: Var) -> Expr {
    Expr::Var(var)
}

fn by(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b)
}

fn equal(a: Expr, b: Expr) -> Expr {
    by(BinaryOp::Equal, a, b)
}

/// `1 / n`: faults, since `n` is 0.
fn faulty() -> Expr {
    by(BinaryOp::Divide, int(1), var(N))
}

fn falsehood() -> Expr {
    by(BinaryOp::NotEqual, var(N), var(N))
}

/// A thread at `at(0)` and numbers in `store`, each a number of times; one transition, in which the thread
/// moves to where it is, and which `change` changes.
fn net(tokens: &[(i64, u32)], change: impl FnOnce(&mut Transition)) -> Shared<Net> {
    let place = |name: &str, kind, sorts: &[Sort]| {
        let column = |&sort: &Sort| Column { name: Some("size".into()), ..Column::of(sort) };
        Place::new(name, kind, sorts.iter().map(column).collect())
    };
    let variable = |name: &str, kind| Variable::new(name, kind);
    let mut transition = Transition {
        name: "go".into(),
        variables: vec![
            variable("t", Kind::Pid),
            variable("n", Kind::Int),
            variable("a", Kind::Int),
            variable("b", Kind::Int),
            variable("c", Kind::Int),
            variable("d", Kind::Int),
        ],
        participants: vec![Participant {
            thread: T,
            from: AT,
            pattern: vec![Some(var(N))],
            fate: Fate::Move { to: AT, values: vec![var(N)] },
            passive: false,
        }],
        ..Transition::default()
    };
    change(&mut transition);
    let token = |&(number, count): &(i64, u32)| {
        InitialToken::new(STORE, vec![InitialValue::Data(Literal::Int(number))], count)
    };
    Shared::new(Net {
        places: vec![
            place("at", PlaceKind::Flow, &[Sort::Pid, Sort::Int { min: 0, max: 3 }]),
            place("store", PlaceKind::Ordinary, &[Sort::Int { min: -5, max: 1 << 31 }]),
        ],
        start: vec![StartThread { place: AT, values: vec![InitialValue::Data(Literal::Int(0))] }],
        tokens: tokens.iter().map(token).collect(),
        transitions: vec![transition],
        ..Net::default()
    })
}

struct Collected<'a> {
    folded: &'a mut Folded<Compiled>,
    successors: Vec<Vec<u8>>,
}

impl Sink for Collected<'_> {
    fn emit(&mut self, _: u32, successor: &mut Working) {
        self.successors.push(self.folded.fold(successor.clone()));
    }

    fn enough(&mut self) -> bool {
        false
    }
}

/// The number of modes of the initial state, or the fault: the plain interpreter's, which must be that
/// of the compiled rules, with the same successors.
#[track_caller]
fn modes(net: &Shared<Net>) -> Result<usize, FaultKind> {
    assert_eq!(net.check(), []);
    let relations = Relations::ALL;
    let initial = interpret::initial(net);
    let mut compiled = Compiled::new(net.clone(), relations);
    let mut folded = Folded::new(Compiled::new(net.clone(), relations), relations);
    let (working, _) = compiled.working(&initial);
    let mut plain: Result<Vec<Vec<u8>>, Fault> = interpret::modes(net, &initial, TransitionId(0))
        .and_then(|modes| {
            let fire = |mode| Ok(interpret::fire(net, &initial, mode)?.state);
            let states: Result<Vec<_>, Fault> = modes.iter().map(fire).collect();
            Ok(states?.iter().map(|state| folded.fold(compiled.working(state).0)).collect())
        });
    let mut collected = Collected { folded: &mut folded, successors: Vec::new() };
    let fired =
        Reach::ALL.into_iter().try_for_each(|reach| compiled.fire(&working, reach, &mut collected));
    let mut fired: Result<Vec<Vec<u8>>, Fault> = fired.map(|()| collected.successors);
    plain.iter_mut().chain(&mut fired).for_each(|successors| successors.sort());
    assert_eq!(plain, fired, "plain and compiled differ");
    plain.map(|successors| successors.len()).map_err(|fault| fault.kind)
}

#[track_caller]
fn expect_modes(expected: Result<usize, FaultKind>, change: impl FnOnce(&mut Transition)) {
    assert_eq!(modes(&net(&[(7, 1)], change)), expected);
}

fn put(value: Expr) -> Arc {
    Arc::new(STORE, vec![Some(value)], 1)
}

#[test]
fn values_out_of_range() {
    let outside = |place, column, value| Err(FaultKind::OutOfRange { place, column, value });
    let to = |value: i64| {
        move |t: &mut Transition| {
            t.participants[0].fate = Fate::Move { to: AT, values: vec![int(value)] };
        }
    };
    expect_modes(Ok(1), to(3));
    expect_modes(outside(AT, 1, 4), to(4));
    expect_modes(outside(AT, 1, -1), to(-1));
    expect_modes(outside(AT, 1, i64::MAX), to(i64::MAX));
    let spawn = |count| {
        move |t: &mut Transition| {
            let values = vec![int(9)];
            t.spawns.push(Spawn { parent: T, child: None, count, to: Some(AT), values });
        }
    };
    expect_modes(outside(AT, 1, 9), spawn(1));
    expect_modes(outside(AT, 1, 9), spawn(2));
    // Where no child is created, nothing follows it.
    expect_modes(Ok(1), spawn(0));
    expect_modes(outside(STORE, 0, -6), |t| t.puts.push(put(int(-6))));
    expect_modes(Ok(1), |t| t.puts.push(put(int(-5))));
    let fault = FaultKind::OutOfRange { place: STORE, column: 0, value: -6 };
    let net = net(&[], |_| {});
    assert_eq!(
        fault.describe(&net),
        "the value -6 is outside the range -5..=2147483648 of `size` in `store`"
    );
    for (kind, width, column, name) in [
        (PlaceKind::Ordinary, 1, 0, "the component of `q`"),
        (PlaceKind::Ordinary, 2, 1, "the 2nd component of `q`"),
        (PlaceKind::Flow, 2, 1, "the component of `q`"),
        (PlaceKind::Flow, 5, 4, "the 4th component of `q`"),
    ] {
        let sort = Sort::Int { min: 0, max: 3 };
        let columns = vec![Column::of(sort); width];
        let net = Net { places: vec![Place::new("q", kind, columns)], ..Net::default() };
        let fault = FaultKind::OutOfRange { place: PlaceId(0), column, value: 4 };
        let said = format!("the value 4 is outside the range 0..=3 of {name}");
        assert_eq!(fault.describe(&net), said);
    }
    // The first value that does not fit is reported, threads first.
    expect_modes(outside(AT, 1, 4), |t| {
        to(4)(t);
        t.puts.push(put(int(-6)));
    });
}

#[test]
fn division_by_zero_guarded_and_not() {
    let zero = || Err(FaultKind::DivisionByZero);
    let is_one = || equal(faulty(), int(1));
    let is_not_zero = || by(BinaryOp::NotEqual, var(N), int(0));
    let guard = |guard: Vec<Expr>| move |t: &mut Transition| t.guard = guard;
    expect_modes(zero(), guard(vec![is_one()]));
    expect_modes(zero(), guard(vec![equal(by(BinaryOp::Remainder, int(1), var(N)), int(0))]));
    expect_modes(Ok(1), guard(vec![equal(by(BinaryOp::Divide, var(N), int(2)), int(0))]));
    // Within a condition, from left to right and only what is needed.
    expect_modes(Ok(0), guard(vec![by(BinaryOp::And, is_not_zero(), is_one())]));
    expect_modes(zero(), guard(vec![by(BinaryOp::And, is_one(), is_not_zero())]));
    expect_modes(zero(), guard(vec![by(BinaryOp::Or, is_not_zero(), is_one())]));
    expect_modes(Ok(1), guard(vec![by(BinaryOp::Or, equal(var(N), int(0)), is_one())]));
    expect_modes(Ok(1), guard(vec![by(BinaryOp::Implies, is_not_zero(), is_one())]));
    let choice = |c: Expr| Expr::If(c.into(), is_one().into(), falsehood().into());
    expect_modes(Ok(0), guard(vec![choice(is_not_zero())]));
    expect_modes(zero(), guard(vec![choice(equal(var(N), int(0)))]));
    // A condition that cannot fault guards one that can, wherever it is written.
    expect_modes(Ok(0), guard(vec![is_not_zero(), is_one()]));
    expect_modes(Ok(0), guard(vec![is_one(), is_not_zero()]));
    // Of those that can, the first that does not hold ends it.
    let can_but_does_not =
        || equal(by(BinaryOp::Divide, int(1), by(BinaryOp::Add, var(N), int(1))), int(0));
    expect_modes(Ok(0), guard(vec![can_but_does_not(), is_one()]));
    expect_modes(zero(), guard(vec![is_one(), can_but_does_not()]));
    // Patterns come before the guard.
    let pattern = |pattern: Expr| Arc::new(STORE, vec![Some(pattern)], 1);
    expect_modes(zero(), |t| {
        t.takes.push(pattern(faulty()));
        t.guard.push(can_but_does_not());
    });
    expect_modes(Ok(0), |t| {
        t.takes.push(pattern(faulty()));
        t.guard.push(falsehood());
    });
    expect_modes(Ok(1), |t| {
        t.takes.push(pattern(by(BinaryOp::Add, int(7), var(N))));
    });
    // Where no token can be had there is nothing to be wrong.
    let faults_on_a_token = |t: &mut Transition| {
        t.takes.push(pattern(var(A)));
        t.guard.push(is_one());
    };
    assert_eq!(modes(&net(&[], faults_on_a_token)), Ok(0));
    assert_eq!(modes(&net(&[(7, 1)], faults_on_a_token)), zero());
}

#[test]
fn one_faulty_mode_is_a_fault() {
    let inverse = |t: &mut Transition| {
        t.takes.push(Arc::new(STORE, vec![Some(var(A))], 1));
        t.guard.push(equal(by(BinaryOp::Divide, int(1), var(A)), int(1)));
    };
    assert_eq!(modes(&net(&[(1, 1), (2, 1), (3, 1)], inverse)), Ok(1));
    assert_eq!(modes(&net(&[(1, 1), (0, 1)], inverse)), Err(FaultKind::DivisionByZero));
    let parameter = |t: &mut Transition| {
        t.parameters.push((A, Sort::Int { min: -1, max: 1 }));
        t.guard.push(equal(by(BinaryOp::Divide, int(1), var(A)), int(1)));
    };
    expect_modes(Err(FaultKind::DivisionByZero), parameter);
}

#[test]
fn inhibitors_that_can_fault_come_last() {
    let unless = |pattern: Option<Expr>, condition: Option<Expr>| Inhibitor {
        arcs: vec![Arc::new(STORE, vec![pattern], 1)],
        condition,
    };
    let zero = || Err(FaultKind::DivisionByZero);
    let is_one = || equal(faulty(), int(1));
    expect_modes(zero(), |t| t.inhibitors.push(unless(Some(faulty()), None)));
    expect_modes(zero(), |t| t.inhibitors.push(unless(None, Some(is_one()))));
    // One that cannot fault disables before anything can.
    expect_modes(Ok(0), |t| {
        t.inhibitors.push(unless(None, Some(is_one())));
        t.inhibitors.push(unless(Some(var(A)), Some(equal(var(A), int(7)))));
        t.guard.push(is_one());
    });
    // One that can is not looked at when a condition does not hold.
    expect_modes(Ok(0), |t| {
        t.inhibitors.push(unless(None, Some(is_one())));
        t.guard
            .push(equal(by(BinaryOp::Divide, int(1), by(BinaryOp::Add, var(N), int(1))), int(0)));
    });
    // A token that does not match is not asked further.
    expect_modes(Ok(1), |t| t.inhibitors.push(unless(Some(int(6)), Some(is_one()))));
    expect_modes(zero(), |t| t.inhibitors.push(unless(Some(int(7)), Some(is_one()))));
    assert_eq!(modes(&net(&[], |t| t.inhibitors.push(unless(None, Some(is_one()))))), Ok(1));
}

#[test]
fn tokens_that_inhibit_together() {
    let unless = |patterns: &[Expr], condition: Option<Expr>| {
        let arcs = patterns.iter().map(|expr| Arc::new(STORE, vec![Some(expr.clone())], 1));
        Inhibitor { arcs: arcs.collect(), condition }
    };
    let both = || [var(A), var(B)];
    let less = |a, b| by(BinaryOp::Less, a, b);
    let passes = |tokens: &[(i64, u32)], inhibitor: Inhibitor| {
        modes(&net(tokens, |t| t.inhibitors.push(inhibitor))) == Ok(1)
    };
    // There must be a token for each, and they are different ones or copies.
    assert!(passes(&[(7, 1)], unless(&both(), None)));
    assert!(!passes(&[(7, 2)], unless(&both(), None)));
    assert!(!passes(&[(7, 1), (8, 1)], unless(&both(), None)));
    assert!(passes(&[(7, 2)], unless(&[var(A), var(B), var(C)], None)));
    assert!(!passes(&[(7, 2), (1, 1)], unless(&[var(A), var(B), var(C)], None)));
    // What they have in common is the same, and the condition is about all of them.
    assert!(passes(&[(7, 1), (8, 1)], unless(&[var(A), var(A)], None)));
    assert!(!passes(&[(7, 2), (8, 1)], unless(&[var(A), var(A)], None)));
    assert!(!passes(&[(7, 1), (8, 1)], unless(&both(), Some(less(var(A), var(B))))));
    assert!(passes(&[(7, 2)], unless(&both(), Some(less(var(A), var(B))))));
    // A component may be about what another arc binds, whatever their order.
    let next = || by(BinaryOp::Add, var(A), int(1));
    assert!(!passes(&[(7, 1), (8, 1)], unless(&[next(), var(A)], None)));
    assert!(passes(&[(7, 1), (9, 1)], unless(&[next(), var(A)], None)));
    // All choices are looked at, and what cannot fault comes first.
    let inverse = || equal(by(BinaryOp::Divide, int(1), var(A)), int(1));
    let zero = |inhibitor: Inhibitor| {
        let tokens = [(0, 1), (1, 1), (2, 1)];
        modes(&net(&tokens, |t| t.inhibitors.push(inhibitor)))
    };
    assert_eq!(zero(unless(&both(), Some(inverse()))), Err(FaultKind::DivisionByZero));
    assert_eq!(zero(unless(&[var(A), int(0)], Some(inverse()))), Ok(0));
    assert_eq!(zero(unless(&[var(A), int(5)], Some(inverse()))), Ok(1));
}

#[test]
fn a_child_that_ends_at_once_is_no_thread_and_has_its_number() {
    let child = Var(6);
    let birth = |child, to: Option<PlaceId>| {
        let values = if to.is_some() { vec![int(1)] } else { Vec::new() };
        Spawn { parent: T, child, count: 1, to, values }
    };
    let made = |change: &dyn Fn(&mut Transition)| {
        let mut net = (*net(&[], |_| {})).clone();
        let columns = vec![Column::of(Sort::Pid)];
        net.places.push(Place::new("known", PlaceKind::Ordinary, columns));
        net.transitions[0].variables.push(Variable::new("child", Kind::Pid));
        change(&mut net.transitions[0]);
        let net = Shared::new(net);
        assert_eq!(modes(&net), Ok(1));
        let initial = interpret::initial(&net);
        let found = interpret::modes(&net, &initial, TransitionId(0)).expect("nothing faults");
        interpret::fire(&net, &initial, &found[0]).expect("nothing faults")
    };
    let mentioned = made(&|t| {
        t.spawns.push(birth(Some(child), None));
        t.puts.push(Arc::new(PlaceId(2), vec![Some(var(child))], 1));
    });
    let active: Vec<String> = mentioned.state.eta().keys().map(|pid| pid.to_string()).collect();
    assert_eq!((active, mentioned.children[0].to_string()), (vec!["1".to_owned()], "1.1".into()));
    assert_eq!(mentioned.state.tokens("known").count(), 1);
    let second = made(&|t| t.spawns = vec![birth(None, None), birth(None, Some(AT))]);
    let active: Vec<String> = second.state.eta().keys().map(|pid| pid.to_string()).collect();
    assert_eq!(active, ["1", "1.2"]);
}

#[test]
fn variables_of_an_inhibitor_are_matched_before_its_expressions() {
    // The thread at `at(n)` is the only token; it is not the one of the pattern.
    let unless = |pattern: Vec<Option<Expr>>| Inhibitor::from(Arc::new(AT, pattern, 1));
    let net = |pattern: Vec<Option<Expr>>| {
        let mut net = (*net(&[(7, 1)], |t| {
            t.takes.push(Arc::new(STORE, vec![Some(var(A))], 1));
            t.inhibitors.push(unless(pattern));
        }))
        .clone();
        // A further number in front of the one that the variable is compared with.
        net.places[0].columns.push(Column::of(Sort::Int { min: 0, max: 9 }));
        net.start[0].values.push(InitialValue::Data(Literal::Int(1)));
        let participant = &mut net.transitions[0].participants[0];
        participant.pattern.push(None);
        participant.fate = Fate::Stay;
        Shared::new(net)
    };
    assert_eq!(modes(&net(vec![None, Some(faulty()), Some(var(A))])), Ok(1));
    assert_eq!(modes(&net(vec![None, Some(faulty()), None])), Err(FaultKind::DivisionByZero));
    assert_eq!(
        modes(&net(vec![None, Some(faulty()), Some(var(B))])),
        Err(FaultKind::DivisionByZero)
    );
    // What cannot fault is compared before what can.
    assert_eq!(modes(&net(vec![None, Some(int(2)), Some(faulty())])), Ok(1));
    assert_eq!(modes(&net(vec![None, Some(faulty()), Some(int(2))])), Ok(1));
    // What can is compared from left to right.
    let no_room = || by(BinaryOp::Multiply, int(1 << 62), by(BinaryOp::Add, var(N), int(4)));
    assert_eq!(modes(&net(vec![None, Some(no_room()), Some(faulty())])), Err(FaultKind::Overflow));
}

#[test]
fn definitions_fault_where_they_are_used() {
    let zero = || Err(FaultKind::DivisionByZero);
    let define = |t: &mut Transition| t.definitions.push((C, faulty()));
    expect_modes(Ok(1), define);
    let used_in = |expr: Expr| {
        move |t: &mut Transition| {
            define(t);
            t.guard.push(expr);
        }
    };
    expect_modes(zero(), used_in(equal(var(C), int(1))));
    let guarded = by(BinaryOp::And, by(BinaryOp::Greater, var(N), int(0)), equal(var(C), int(1)));
    expect_modes(Ok(0), used_in(guarded));
    // One definition may use another: it faults likewise, and is no fault likewise.
    expect_modes(Ok(1), |t| {
        define(t);
        t.definitions.push((D, by(BinaryOp::Add, var(C), int(1))));
    });
    expect_modes(zero(), |t| {
        define(t);
        t.definitions.push((D, by(BinaryOp::Add, var(C), int(1))));
        t.puts.push(put(var(D)));
    });
    expect_modes(Ok(1), |t| {
        define(t);
        let zero = equal(var(N), int(0));
        t.puts.push(put(Expr::If(zero.into(), int(2).into(), var(C).into())));
    });
    // In a pattern it is compared, which is a condition that can fault.
    let taken = |t: &mut Transition| {
        define(t);
        t.takes.push(Arc::new(STORE, vec![Some(var(C))], 1));
    };
    expect_modes(zero(), taken);
    expect_modes(Ok(0), |t| {
        taken(t);
        t.guard.push(falsehood());
    });
    // A relation that speaks of such a definition can fault too, so tokens are looked for first.
    let related = |t: &mut Transition| {
        t.variables.push(Variable::new("one", Kind::Pid));
        let one = Expr::If(equal(faulty(), int(1)).into(), var(T).into(), var(T).into());
        t.definitions.push((Var(6), one));
        t.guard.push(Expr::Relation(Relation::Parent, T, Var(6)));
        t.takes.push(put(var(A)));
    };
    assert_eq!(modes(&net(&[], related)), Ok(0));
    assert_eq!(modes(&net(&[(7, 1)], related)), zero());
    // A fault of one mode is not that of the next.
    let inverse = |t: &mut Transition| {
        t.takes.push(Arc::new(STORE, vec![Some(var(A))], 1));
        t.definitions.push((C, by(BinaryOp::Divide, int(2), var(A))));
        let positive = by(BinaryOp::Greater, var(A), int(0));
        t.guard.push(by(BinaryOp::And, positive, equal(var(C), int(2))));
    };
    assert_eq!(modes(&net(&[(0, 1), (1, 1), (2, 1)], inverse)), Ok(1));
}

#[test]
fn numbers_too_large() {
    let large = || Err(FaultKind::Overflow);
    let guard =
        |expr: Expr| move |t: &mut Transition| t.guard.push(by(BinaryOp::NotEqual, expr, int(0)));
    let most = || by(BinaryOp::Add, int(i64::MAX), var(N));
    let least = || by(BinaryOp::Subtract, by(BinaryOp::Subtract, var(N), int(i64::MAX)), int(1));
    expect_modes(Ok(1), guard(most()));
    expect_modes(large(), guard(by(BinaryOp::Add, most(), int(1))));
    expect_modes(large(), guard(by(BinaryOp::Multiply, most(), int(2))));
    expect_modes(Ok(1), guard(least()));
    expect_modes(large(), guard(by(BinaryOp::Subtract, least(), int(1))));
    expect_modes(large(), guard(Expr::Unary(UnaryOp::Negate, least().into())));
    expect_modes(large(), guard(by(BinaryOp::Divide, least(), int(-1))));
    expect_modes(large(), guard(by(BinaryOp::Remainder, least(), int(-1))));
}

#[test]
fn division_is_euclidean() {
    let cases = [(-1, 2, -1, 1), (1, -2, 0, 1), (-1, -2, 1, 1), (7, 2, 3, 1), (-4, 2, -2, 0)];
    for (a, b, quotient, remainder) in cases {
        let a = || by(BinaryOp::Add, int(a), var(N));
        expect_modes(Ok(1), |t| {
            t.guard.push(equal(by(BinaryOp::Divide, a(), int(b)), int(quotient)));
            t.guard.push(equal(by(BinaryOp::Remainder, a(), int(b)), int(remainder)));
        });
    }
}

#[test]
fn tokens_too_many() {
    let too_many = || Err(FaultKind::TooManyTokens { place: STORE });
    let copies = |value: i64, count: u32| {
        move |t: &mut Transition| t.puts.push(Arc { count, ..put(int(value)) })
    };
    expect_modes(Ok(1), copies(7, u32::MAX - 1));
    expect_modes(too_many(), copies(7, u32::MAX));
    // It is copies of one token that are counted.
    expect_modes(Ok(1), copies(6, u32::MAX));
    expect_modes(too_many(), |t| {
        copies(6, u32::MAX)(t);
        copies(6, 1)(t);
    });
    // What is taken makes room first.
    expect_modes(Ok(1), |t| {
        t.takes.push(put(int(7)));
        copies(7, u32::MAX)(t);
    });
    let net = net(&[], |_| {});
    let fault = FaultKind::TooManyTokens { place: STORE };
    assert_eq!(fault.describe(&net), "more than 2³² copies of one token in `store`");
}

#[test]
fn claims_on_one_token_add_up_beyond_32_bits() {
    let claims = |counts: &'static [u32]| {
        move |t: &mut Transition| {
            let claim = |&count: &u32| Arc::new(STORE, vec![Some(var(A))], count);
            t.takes = counts.iter().map(claim).collect();
        }
    };
    let held = [(7, u32::MAX)];
    assert_eq!(modes(&net(&held, claims(&[u32::MAX]))), Ok(1));
    assert_eq!(modes(&net(&held, claims(&[u32::MAX - 1, 1]))), Ok(1));
    assert_eq!(modes(&net(&held, claims(&[u32::MAX, 1]))), Ok(0));
    assert_eq!(modes(&net(&held, claims(&[u32::MAX, u32::MAX, u32::MAX]))), Ok(0));
    assert_eq!(modes(&net(&held, claims(&[1 << 31, 1 << 31, 1]))), Ok(0));
}

#[test]
fn a_fault_ends_the_run_where_it_is() {
    // Counts up without looking at the range: the fourth step faults.
    let net = net(&[], |t| {
        let next = by(BinaryOp::Add, var(N), int(1));
        t.participants[0].fate = Fate::Move { to: AT, values: vec![next] };
    });
    let kind = FaultKind::OutOfRange { place: AT, column: 1, value: 4 };
    let fault = Fault { transition: TransitionId(0), kind };
    let options = Options::default();
    let relations = Relations::NONE;
    let mut folded = Folded::new(Compiled::new(net.clone(), relations), relations);
    let failed = explore(&mut folded, &options, &mut |_| Control::Continue).expect_err("it faults");
    assert_eq!(failed.fault, fault);
    assert_eq!(failed.exploration.path_to(failed.at.expect("not at the start")).len(), 3);
    let mut unfolded = ConcreteSpace::new(&*net);
    let failed =
        explore(&mut unfolded, &options, &mut |_| Control::Continue).expect_err("it faults");
    assert_eq!(failed.fault, fault);
    assert_eq!(failed.exploration.path_to(failed.at.expect("not at the start")).len(), 3);
}
