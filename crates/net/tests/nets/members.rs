//! What is meant by arcs for each member, by successors, orders and parts: on small nets, where the plain
//! interpreter, the compiled rules and the folded graph must agree, and what comes out is known.

use std::sync::Arc as Shared;

use explore::{Space, Successors};
use fold::{Folded, Reach, Rules, Sink, Working};
use net::{
    Arc, BinaryOp, Column, Compiled, EnumId, Enumeration, Expr, FaultKind, InitialToken,
    InitialValue, Kind, Literal, Net, Part, Place, PlaceId, PlaceKind, Sort, Symmetry, Transition,
    TransitionId, Var, Variable, interpret,
};
use state::{Relations, State};

/// A symmetric class of three, the first of them a part of its own; a cyclic one of four; an order of
/// three.
const COLOUR: EnumId = EnumId(0);
const RING: EnumId = EnumId(1);
const LEVEL: EnumId = EnumId(2);

const PAINT: PlaceId = PlaceId(0);
const SEAT: PlaceId = PlaceId(1);
const FLOOR: PlaceId = PlaceId(2);
const PAIR: PlaceId = PlaceId(3);
const DOT: PlaceId = PlaceId(4);

/// Two variables of each class.
const C: Var = Var(0);
const D: Var = Var(1);
const R: Var = Var(2);
const S: Var = Var(3);
const L: Var = Var(4);
const M: Var = Var(5);

fn var(var: Var) -> Expr {
    Expr::Var(var)
}

fn level(index: u32) -> Expr {
    Expr::Literal(Literal::Enum(LEVEL, index))
}

fn by(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b)
}

fn shifted(var: Var, class: EnumId, steps: i32) -> Expr {
    Expr::Shift(Expr::Var(var).into(), class, steps)
}

fn arc(place: PlaceId, values: &[Expr]) -> Arc {
    Arc::new(place, values.iter().cloned().map(Some).collect(), 1)
}

fn each(place: PlaceId, values: &[Expr], each: &[Var], condition: Option<Expr>) -> Arc {
    Arc { each: each.to_vec(), condition, ..arc(place, values) }
}

fn all(place: PlaceId, each: &[EnumId], count: u32) -> InitialToken {
    let values = (0..each.len()).map(InitialValue::Each).collect();
    InitialToken { each: each.to_vec(), ..InitialToken::new(place, values, count) }
}

fn on_floor(index: u32) -> InitialToken {
    InitialToken::new(FLOOR, vec![InitialValue::Data(Literal::Enum(LEVEL, index))], 1)
}

/// A net of these tokens and one transition.
fn net(tokens: Vec<InitialToken>, transition: Transition) -> Shared<Net> {
    let enumeration = |name: &str, members: &[&str], symmetry, parts| {
        let members = members.iter().map(|&member| member.into()).collect();
        Enumeration { name: name.into(), members, symmetry, parts, round: false }
    };
    let place = |name: &str, classes: &[EnumId]| {
        let column = |&id: &EnumId| Column::of(Sort::Enum(id));
        let columns = classes.iter().map(column).collect();
        Place::new(name, PlaceKind::Ordinary, columns)
    };
    let part = |name: &str, size| Part { name: name.into(), size };
    let variable = |(name, class): (&str, EnumId)| Variable::new(name, Kind::Enum(class));
    let variables =
        [("c", COLOUR), ("d", COLOUR), ("r", RING), ("s", RING), ("l", LEVEL), ("m", LEVEL)];
    let variables = variables.map(variable).to_vec();
    let colours = &["black", "red", "blue"];
    let net = Net {
        enumerations: vec![
            enumeration("Colour", colours, Symmetry::Full, vec![part("dark", 1), part("light", 2)]),
            enumeration("Ring", &["n", "e", "s", "w"], Symmetry::Rotations, vec![]),
            enumeration("Level", &["low", "mid", "high"], Symmetry::None, vec![]),
        ],
        places: vec![
            place("paint", &[COLOUR]),
            place("seat", &[RING]),
            place("floor", &[LEVEL]),
            place("pair", &[COLOUR, COLOUR]),
            place("dot", &[]),
        ],
        tokens,
        transitions: vec![Transition { name: "go".into(), variables, ..transition }],
        ..Net::default()
    };
    assert_eq!(net.check(), []);
    Shared::new(net)
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

/// What follows the initial state, once for each mode, or the fault, by the plain interpreter. The
/// compiled rules and the folded graph must agree.
#[track_caller]
fn successors(net: &Shared<Net>) -> Result<Vec<State>, FaultKind> {
    let initial = interpret::initial(net);
    let mut compiled = Compiled::new(net.clone(), Relations::NONE);
    let mut folded = Folded::new(compiled.clone(), Relations::NONE);
    let plain = interpret::modes(net, &initial, TransitionId(0)).and_then(|modes| {
        modes.iter().map(|mode| Ok(interpret::fire(net, &initial, mode)?.state)).collect()
    });
    let plain: Result<Vec<State>, _> = plain.map_err(|fault: net::Fault| fault.kind);
    let mut expected = plain.clone().map(|states| {
        let strings = states.iter().map(|state| folded.fold(compiled.working(state).0));
        strings.collect::<Vec<_>>()
    });
    let working = compiled.working(&initial).0;
    let mut collected = Collected { folded: &mut folded, successors: Vec::new() };
    let fired =
        Reach::ALL.into_iter().try_for_each(|reach| compiled.fire(&working, reach, &mut collected));
    let mut fired = fired.map(|()| collected.successors).map_err(|fault| fault.kind);
    let string = folded.fold(working);
    let mut found = Successors::new();
    let expanded = folded.expand(&string, &mut found).map_err(|fault| fault.kind);
    let mut expanded = expanded.map(|_| {
        let all = found.iter().flat_map(|(_, modes, bytes)| (0..modes).map(|_| bytes.to_vec()));
        all.collect::<Vec<_>>()
    });
    for strings in [&mut expected, &mut fired, &mut expanded].into_iter().flatten() {
        strings.sort();
    }
    assert_eq!(expected, fired, "plain and compiled differ");
    assert_eq!(expected, expanded, "plain and folded differ");
    plain
}

#[track_caller]
fn modes(tokens: Vec<InitialToken>, transition: Transition) -> Result<usize, FaultKind> {
    successors(&net(tokens, transition)).map(|states| states.len())
}

fn takes(takes: Vec<Arc>) -> Transition {
    Transition { takes, ..Transition::default() }
}

#[test]
fn all_tokens_must_be_there() {
    let all_paint = || each(PAINT, &[var(C)], &[C], None);
    assert_eq!(modes(vec![all(PAINT, &[COLOUR], 1)], takes(vec![all_paint()])), Ok(1));
    assert_eq!(modes(vec![], takes(vec![all_paint()])), Ok(0));
    let twice = || Arc { count: 2, ..all_paint() };
    assert_eq!(modes(vec![all(PAINT, &[COLOUR], 1)], takes(vec![twice()])), Ok(0));
    assert_eq!(modes(vec![all(PAINT, &[COLOUR], 2)], takes(vec![twice()])), Ok(1));
    // The dark one is missing.
    let light = || Some(Expr::Within(var(C).into(), COLOUR, 1));
    let tokens = || {
        vec![InitialToken {
            condition: Some(Expr::Within(var(Var(0)).into(), COLOUR, 1)),
            ..all(PAINT, &[COLOUR], 1)
        }]
    };
    assert_eq!(modes(tokens(), takes(vec![all_paint()])), Ok(0));
    assert_eq!(modes(tokens(), takes(vec![each(PAINT, &[var(C)], &[C], light())])), Ok(1));
}

#[test]
fn what_is_taken_read_and_chosen_is_there_together() {
    let all_paint = || each(PAINT, &[var(C)], &[C], None);
    let read = |read: Arc, take: Arc| Transition { reads: vec![read], ..takes(vec![take]) };
    for (count, expected) in [(1, 0), (2, 3)] {
        // One is chosen, and all are there beside it.
        let tokens = || vec![all(PAINT, &[COLOUR], count)];
        let chosen = || arc(PAINT, &[var(D)]);
        assert_eq!(modes(tokens(), takes(vec![all_paint(), chosen()])), Ok(expected));
        assert_eq!(modes(tokens(), read(all_paint(), chosen())), Ok(expected));
        assert_eq!(modes(tokens(), read(chosen(), all_paint())), Ok(expected));
        let again = each(PAINT, &[var(D)], &[D], None);
        assert_eq!(modes(tokens(), read(all_paint(), again)), Ok(expected.min(1)));
    }
    // Each of two choices asks for the same token.
    let both = || each(DOT, &[], &[C], None);
    let dots = |count| vec![InitialToken::new(DOT, vec![], count)];
    assert_eq!(modes(dots(2), takes(vec![both()])), Ok(0));
    assert_eq!(modes(dots(3), takes(vec![both()])), Ok(1));
}

#[test]
fn all_but_one_and_all_pairs() {
    let tokens = || vec![all(PAINT, &[COLOUR], 1), all(PAIR, &[COLOUR, COLOUR], 1)];
    let others = || each(PAINT, &[var(D)], &[D], Some(by(BinaryOp::NotEqual, var(C), var(D))));
    let one = || arc(PAINT, &[var(C)]);
    assert_eq!(modes(tokens(), takes(vec![one(), others()])), Ok(3));
    // A row for the one that is chosen.
    let row = each(PAIR, &[var(C), var(D)], &[D], None);
    let states = successors(&net(tokens(), takes(vec![one(), row]))).expect("no fault");
    assert!(states.iter().all(|state| state.tokens("pair").count() == 6));
    let square = each(PAIR, &[var(C), var(D)], &[C, D], None);
    let states = successors(&net(tokens(), takes(vec![square]))).expect("no fault");
    assert_eq!(states.len(), 1);
    assert!(states[0].tokens("pair").next().is_none());
    // What is put for each, put is once more where it is.
    let put = Transition {
        puts: vec![each(PAINT, &[var(D)], &[D], Some(by(BinaryOp::NotEqual, var(C), var(D))))],
        ..takes(vec![one()])
    };
    let states = successors(&net(tokens(), put)).expect("no fault");
    for state in states {
        let counts: Vec<u32> = state.tokens("paint").map(|(_, count)| count).collect();
        assert_eq!(counts, [2, 2]);
    }
}

#[test]
fn nothing_to_choose_asks_for_nothing() {
    let none = || Some(by(BinaryOp::NotEqual, var(C), var(C)));
    let never = || each(PAINT, &[var(C)], &[C], none());
    assert_eq!(modes(vec![], takes(vec![never()])), Ok(1));
    // Not even a part of the state to look at.
    let tokens = || vec![all(SEAT, &[RING], 1), all(PAIR, &[COLOUR, COLOUR], 1)];
    assert_eq!(modes(tokens(), takes(vec![never()])), Ok(1));
    let of_ring = || each(SEAT, &[var(R)], &[R], Some(by(BinaryOp::NotEqual, var(R), var(R))));
    assert_eq!(modes(tokens(), takes(vec![of_ring()])), Ok(1));
}

#[test]
fn a_ring_goes_round_and_an_order_ends() {
    let tokens = || vec![all(SEAT, &[RING], 1), on_floor(1)];
    for steps in [-5, -4, -1, 0, 1, 3, 4, i32::MAX, i32::MIN] {
        let pass = Transition {
            puts: vec![arc(SEAT, &[shifted(R, RING, steps)])],
            ..takes(vec![arc(SEAT, &[var(R)])])
        };
        let states = successors(&net(tokens(), pass)).expect("no fault");
        // One that moves joins another.
        let places = if steps.rem_euclid(4) == 0 { 4 } else { 3 };
        assert!(states.iter().all(|state| state.tokens("seat").count() == places), "{steps}");
        let climb = |level: u32| {
            let puts = vec![arc(FLOOR, &[shifted(L, LEVEL, steps)])];
            modes(vec![on_floor(level)], Transition { puts, ..takes(vec![arc(FLOOR, &[var(L)])]) })
        };
        for level in 0..3 {
            let is_there = (0..3).contains(&(i64::from(level) + i64::from(steps)));
            let beyond = FaultKind::NoMember { enumeration: LEVEL };
            assert_eq!(climb(level), if is_there { Ok(1) } else { Err(beyond) }, "{level} {steps}");
        }
    }
    let fault = FaultKind::NoMember { enumeration: LEVEL };
    let said = fault.describe(&net(vec![], Transition::default()));
    assert_eq!(said, "a member after the last, or before the first, of `Level`");
}

#[test]
fn orders_and_parts() {
    use BinaryOp::{Greater, GreaterEqual, Less, LessEqual};
    for (op, expected) in [(Less, 3), (LessEqual, 6), (Greater, 3), (GreaterEqual, 6)] {
        let pair = Transition {
            parameters: vec![(L, Sort::Enum(LEVEL)), (M, Sort::Enum(LEVEL))],
            guard: vec![by(op, var(L), var(M))],
            ..Transition::default()
        };
        assert_eq!(modes(vec![], pair), Ok(expected), "{op:?}");
    }
    for (part, expected) in [(0, 1), (1, 2)] {
        let any = Transition {
            parameters: vec![(C, Sort::Enum(COLOUR))],
            guard: vec![Expr::Within(var(C).into(), COLOUR, part)],
            ..Transition::default()
        };
        assert_eq!(modes(vec![all(PAINT, &[COLOUR], 1)], any), Ok(expected), "part {part}");
    }
}

/// What can fault comes after all that cannot, and arcs for each member after the conditions.
#[test]
fn faults_come_last() {
    let beyond = || Err(FaultKind::NoMember { enumeration: LEVEL });
    let tokens = || vec![on_floor(2)];
    let next_is = |level: Expr| by(BinaryOp::Equal, shifted(L, LEVEL, 1), level);
    let with = |guard: Vec<Expr>| Transition { guard, ..takes(vec![arc(FLOOR, &[var(L)])]) };
    assert_eq!(modes(tokens(), with(vec![next_is(level(0))])), beyond());
    let is_low = || by(BinaryOp::Equal, var(L), level(0));
    assert_eq!(modes(tokens(), with(vec![next_is(level(0)), is_low()])), Ok(0));
    // The last member has no successor, whichever comes first.
    let swarm = |place: PlaceId| {
        let values = if place == FLOOR { vec![shifted(M, LEVEL, 1)] } else { vec![] };
        let condition = by(BinaryOp::NotEqual, shifted(M, LEVEL, 1), level(0));
        each(place, &values, &[M], Some(condition))
    };
    for place in [FLOOR, DOT] {
        let read = |guard| Transition { reads: vec![swarm(place)], ..with(guard) };
        assert_eq!(modes(tokens(), read(vec![])), beyond());
        assert_eq!(modes(tokens(), read(vec![is_low()])), Ok(0));
        let late = by(BinaryOp::NotEqual, shifted(L, LEVEL, -1), level(1));
        assert_eq!(modes(tokens(), read(vec![late])), Ok(0));
        let put = Transition { puts: vec![swarm(place)], ..with(vec![]) };
        assert_eq!(modes(tokens(), put), beyond());
    }
    // An arc that cannot fault and lacks a token keeps others from being looked at; and inhibitors that
    // can fault come after all arcs.
    let lacking = || each(PAINT, &[var(C)], &[C], None);
    let both = Transition { reads: vec![swarm(FLOOR), lacking()], ..with(vec![]) };
    assert_eq!(modes(tokens(), both), Ok(0));
    let inhibitor = |pattern: Expr| Arc::new(FLOOR, vec![Some(pattern)], 1);
    let inhibited = |arc: Arc| Transition {
        reads: vec![arc],
        inhibitors: vec![inhibitor(shifted(L, LEVEL, 1)).into()],
        ..with(vec![])
    };
    assert_eq!(modes(tokens(), inhibited(lacking())), Ok(0));
    let before =
        each(FLOOR, &[shifted(M, LEVEL, -1)], &[M], Some(by(BinaryOp::Equal, var(M), level(1))));
    assert_eq!(modes(tokens(), inhibited(before)), Ok(0));
    assert_eq!(
        modes(
            tokens(),
            inhibited(each(DOT, &[], &[S], Some(by(BinaryOp::NotEqual, var(S), var(S)))))
        ),
        beyond()
    );
}
