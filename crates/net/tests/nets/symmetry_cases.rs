//! The symmetry that is found in nets written by hand, where it is known.

use std::sync::Arc as Shared;

use net::{
    Arc, BinaryOp, Column, EnumId, Enumeration, Expr, Finding, Formula, FoundSymmetry,
    InitialToken, InitialValue, Kind, Literal, Loss, Lost, Net, Origin, Piece, Place, PlaceId,
    PlaceKind, Property, Sort, Symmetry, Transition, TransitionId, UnaryOp, Var, Variable,
    interpret,
};

const CLASS: EnumId = EnumId(0);
const X: Var = Var(0);
const Y: Var = Var(1);

fn var(var: Var) -> Expr {
    Expr::Var(var)
}

fn member(index: u32) -> Expr {
    Expr::Literal(Literal::Enum(CLASS, index))
}

fn is(this: Expr, index: u32) -> Expr {
    Expr::binary(BinaryOp::Equal, this, member(index))
}

fn not(expr: Expr) -> Expr {
    Expr::Unary(UnaryOp::Not, expr.into())
}

fn join(op: BinaryOp, exprs: impl IntoIterator<Item = Expr>) -> Expr {
    exprs.into_iter().reduce(|a, b| Expr::binary(op, a, b)).expect("there are some")
}

fn next(this: Var) -> Expr {
    Expr::Shift(var(this).into(), CLASS, 1)
}

fn arc(place: u32, values: &[Expr]) -> Arc {
    Arc::new(PlaceId(place), values.iter().cloned().map(Some).collect(), 1)
}

fn token(place: u32, members: &[u32]) -> InitialToken {
    let value = |member: &u32| InitialValue::Data(Literal::Enum(CLASS, *member));
    InitialToken::new(PlaceId(place), members.iter().map(value).collect(), 1)
}

fn all(place: u32) -> InitialToken {
    let token = InitialToken::new(PlaceId(place), vec![InitialValue::Each(0)], 1);
    InitialToken { each: vec![CLASS], ..token }
}

fn when(guard: Vec<Expr>) -> Transition {
    let (takes, puts) = (vec![arc(0, &[var(X)]), arc(0, &[var(Y)])], vec![arc(1, &[var(X)])]);
    transition(Transition { takes, puts, guard, ..Transition::default() })
}

fn transition(transition: Transition) -> Transition {
    let variable = |name: &str| Variable::new(name, Kind::Enum(CLASS));
    Transition { variables: vec![variable("x"), variable("y")], ..transition }
}

/// A class of `size` members that go round, places over it, one and two columns wide, and a place of
/// black tokens.
fn net(size: u32, tokens: Vec<InitialToken>, transitions: Vec<Transition>) -> Net {
    let place = |(name, width): (&str, usize)| {
        let columns = vec![Column::of(Sort::Enum(CLASS)); width];
        Place::new(name, PlaceKind::Ordinary, columns)
    };
    let named = |(i, t): (usize, Transition)| Transition { name: format!("t{i}"), ..t };
    let net = Net {
        enumerations: vec![Enumeration {
            name: "C".into(),
            members: (0..size).map(|m| Shared::from(format!("c{m}"))).collect(),
            round: true,
            ..Enumeration::default()
        }],
        places: [("p", 1), ("q", 1), ("r", 2), ("dot", 0)].map(place).to_vec(),
        tokens,
        transitions: transitions.into_iter().enumerate().map(named).collect(),
        ..Net::default()
    };
    assert_eq!(net.check(), []);
    net
}

/// What is found; the net must do the same with it at first.
fn found(net: &Net) -> FoundSymmetry {
    let found = net.find_symmetry(&[]);
    assert_eq!(found.net.check(), []);
    let initial = interpret::initial(net);
    assert_eq!(interpret::initial(&found.net), initial);
    for transition in (0..net.transitions.len() as u32).map(TransitionId) {
        let states = |net: &Net| {
            let modes = interpret::modes(net, &initial, transition).expect("no fault");
            let fire = |mode| interpret::fire(net, &initial, mode).expect("no fault").state;
            let mut states: Vec<String> = modes.iter().map(|m| fire(m).to_string()).collect();
            states.sort();
            states
        };
        assert_eq!(states(&found.net), states(net));
    }
    found
}

#[track_caller]
fn only(found: &FoundSymmetry) -> &Finding {
    match &found.findings[..] {
        [finding] => finding,
        _ => panic!("there is one class"),
    }
}

fn apart(piece: Piece, member: u32, from: u32) -> Loss {
    Loss { piece, lost: Lost::Apart { member, from } }
}

const GUARD: Piece = Piece::Guard(TransitionId(0));

#[test]
fn what_nothing_names_is_symmetric() {
    let guard = vec![Expr::binary(BinaryOp::NotEqual, var(X), var(Y))];
    let found = found(&net(5, vec![all(0)], vec![when(guard)]));
    let expected = (Symmetry::Full, vec![vec![0, 1, 2, 3, 4]], vec![]);
    let finding = only(&found).clone();
    assert_eq!((finding.symmetry, finding.parts, finding.losses), expected);
    // None is after another, so they do not go round either.
    assert!(found.net.enumerations[0].parts.is_empty() && !found.net.enumerations[0].round);
}

#[test]
fn one_that_leaves_by_another_transition_is_told_apart() {
    let leave = |takes: Expr, guard| {
        let (takes, puts) = (vec![arc(0, std::slice::from_ref(&takes))], vec![arc(1, &[takes])]);
        transition(Transition { takes, puts, guard, ..Transition::default() })
    };
    let others = leave(var(X), vec![not(is(var(X), 2))]);
    let found = found(&net(5, vec![all(0)], vec![others, leave(member(2), vec![])]));
    assert_eq!(only(&found).parts, [vec![0, 1, 3, 4], vec![2]]);
    let arc = |place| apart(Piece::Arc(TransitionId(1), PlaceId(place)), 2, 0);
    assert_eq!(only(&found).losses, [apart(GUARD, 2, 0), arc(0), arc(1)]);
    let class = &found.net.enumerations[0];
    assert_eq!(
        class.members.iter().map(|m| &**m).collect::<Vec<_>>(),
        ["c0", "c1", "c3", "c4", "c2"]
    );
    assert_eq!(class.parts.iter().map(|part| &*part.name).collect::<Vec<_>>(), ["C_1", "C_c2"]);
}

#[test]
fn members_listed_initially_are_alike_if_listed_alike() {
    let tokens = [5, 1, 3].map(|m| token(0, &[m])).into_iter();
    let found = found(&net(6, tokens.chain([token(1, &[4])]).collect(), vec![when(vec![])]));
    assert_eq!(only(&found).parts, [vec![0, 2], vec![1, 3, 5], vec![4]]);
    let [p, q] = [0, 1].map(|place| Piece::Initial(PlaceId(place)));
    assert_eq!(only(&found).losses, [apart(p, 0, 1), apart(p, 4, 1), apart(q, 4, 1)]);
}

#[test]
fn a_disjunction_splits_a_class_in_two() {
    let disjunction = join(BinaryOp::Or, [3, 0].map(|m| is(var(X), m)));
    let mirrored =
        join(BinaryOp::And, [0, 3].map(|m| not(Expr::binary(BinaryOp::Equal, member(m), var(Y)))));
    let ends = Expr::binary(BinaryOp::LessEqual, var(X), member(3));
    for guard in [vec![disjunction.clone()], vec![mirrored, disjunction.clone()]] {
        let found = found(&net(5, vec![all(0)], vec![when(guard)]));
        assert_eq!(only(&found).parts, [vec![0, 3], vec![1, 2, 4]]);
        assert_eq!(only(&found).losses, [apart(GUARD, 0, 1)]);
    }
    // A comparison with a literal is a set, too.
    let found = found(&net(5, vec![all(0)], vec![when(vec![ends, disjunction])]));
    assert_eq!(only(&found).parts, [vec![0, 3], vec![1, 2, 4]]);
}

#[test]
fn constants_used_in_the_same_way_are_interchangeable() {
    // Of each a token is taken, the arcs of one being written apart.
    let constants = |counts: [u32; 3]| {
        let arcs = [1, 1, 4].map(|m| arc(0, &[member(m)])).into_iter().zip(counts);
        let takes = arcs.map(|(arc, count)| Arc { count, ..arc }).collect();
        transition(Transition { takes, puts: vec![arc(3, &[])], ..Transition::default() })
    };
    let twice = || InitialToken { count: 2, ..all(0) };
    let same = found(&net(5, vec![twice()], vec![constants([1, 1, 2])]));
    assert_eq!(only(&same).parts, [vec![0, 2, 3], vec![1, 4]]);
    let [sum] = &same.net.transitions[0].takes[..] else { panic!("a sum is one arc") };
    assert_eq!((sum.count, sum.each.len()), (2, 1));
    let other = found(&net(5, vec![twice()], vec![constants([1, 1, 1])]));
    assert_eq!(only(&other).parts, [vec![0, 2, 3], vec![1], vec![4]]);
}

#[test]
fn pairs_of_constants_are_said_as_one_arc() {
    let pairs = [[1, 2], [2, 1], [1, 4], [4, 1], [2, 4], [4, 2]].map(|pair| pair.map(member));
    let puts = pairs.iter().map(|pair| arc(2, pair)).collect();
    let takes = vec![arc(0, &[var(X)])];
    let t = transition(Transition { takes, puts, ..Transition::default() });
    let found = found(&net(5, vec![all(0)], vec![t]));
    assert_eq!(only(&found).parts, [vec![0, 3], vec![1, 2, 4]]);
    assert_eq!(found.net.transitions[0].puts.len(), 1);
}

#[test]
fn a_variable_that_only_a_sum_binds_becomes_a_parameter() {
    let takes = [0, 2].map(|m| arc(2, &[var(X), member(m)])).to_vec();
    let t =
        transition(Transition { takes, puts: vec![arc(0, &[var(X)])], ..Transition::default() });
    let pairs = (0..3).flat_map(|a| [0, 2].map(|b| token(2, &[a, b])));
    let found = found(&net(3, pairs.collect(), vec![t]));
    assert_eq!(only(&found).parts, [vec![0, 2], vec![1]]);
    assert_eq!(found.net.transitions[0].parameters.len(), 1);
}

#[test]
fn a_ring_turns_unless_a_constant_stops_it() {
    let go = |guard| {
        let (takes, puts) = (vec![arc(0, &[var(X)])], vec![arc(1, &[next(X)])]);
        transition(Transition { takes, puts, guard, ..Transition::default() })
    };
    let successor = Loss { piece: Piece::Arc(TransitionId(0), PlaceId(1)), lost: Lost::Successor };
    let turning = found(&net(4, vec![all(0)], vec![go(vec![])]));
    assert_eq!(only(&turning).symmetry, Symmetry::Rotations);
    assert_eq!(only(&turning).losses, [successor]);
    let stopped = found(&net(4, vec![all(0)], vec![go(vec![not(is(var(X), 1))])]));
    assert_eq!((only(&stopped).symmetry, only(&stopped).parts.len()), (Symmetry::None, 4));
    assert_eq!(only(&stopped).losses, [successor, apart(GUARD, 1, 2)]);
    // Once around is nowhere.
    let around = || Expr::Shift(var(X).into(), CLASS, 4);
    let takes = vec![arc(0, &[var(X)])];
    let t =
        transition(Transition { takes, puts: vec![arc(1, &[around()])], ..Transition::default() });
    assert_eq!(only(&found(&net(4, vec![all(0)], vec![t]))).symmetry, Symmetry::Full);
}

#[test]
fn neighbours_listed_one_by_one_turn_with_a_ring() {
    let pairs = || (0..5).map(|m| [m, (m + 2) % 5]);
    let puts = pairs().map(|pair| arc(2, &pair.map(member))).collect();
    let takes = vec![arc(0, &[next(X)]), arc(0, &[var(X)])];
    let t = transition(Transition { takes, puts, ..Transition::default() });
    let tokens = pairs().map(|pair| token(2, &pair)).chain([all(0)]).collect();
    let found = found(&net(5, tokens, vec![t]));
    assert_eq!(only(&found).symmetry, Symmetry::Rotations);
    assert_eq!(found.net.transitions[0].puts.len(), 1);
}

#[test]
fn an_order_leaves_nothing() {
    let found = found(&net(
        4,
        vec![all(0)],
        vec![when(vec![Expr::binary(BinaryOp::Less, var(X), var(Y))])],
    ));
    assert_eq!(only(&found).symmetry, Symmetry::None);
    assert_eq!(only(&found).losses, [Loss { piece: GUARD, lost: Lost::Order }]);
}

#[test]
fn successors_that_do_not_go_round_leave_nothing() {
    let guard = vec![Expr::binary(BinaryOp::Equal, next(X), var(Y))];
    let mut net = net(4, vec![all(0)], vec![when(guard)]);
    net.enumerations[0].round = false;
    let found = net.find_symmetry(&[]);
    assert_eq!(found.net.check(), []);
    assert_eq!(only(&found).symmetry, Symmetry::None);
    assert_eq!(only(&found).losses, [Loss { piece: GUARD, lost: Lost::Successor }]);
}

#[test]
fn what_cannot_be_said_by_parts_is_told_apart() {
    let both = |a, b| Expr::binary(BinaryOp::And, is(var(X), a), is(var(Y), b));
    let guard = vec![join(BinaryOp::Or, [both(0, 1), both(1, 0)])];
    let found = found(&net(4, vec![all(0)], vec![when(guard)]));
    assert_eq!(only(&found).parts, [vec![0], vec![1], vec![2, 3]]);
    let unsayable = Loss { piece: GUARD, lost: Lost::Unsayable { member: 0, from: 1 } };
    assert!(only(&found).losses.contains(&unsayable), "{:?}", only(&found).losses);
}

#[test]
fn inhibitors_of_one_token_each_are_one() {
    let inhibitors = |count| {
        let inhibitor = |m| Arc::new(PlaceId(1), vec![Some(member(m))], count);
        let (takes, puts) = (vec![arc(0, &[var(X)])], vec![arc(1, &[var(X)])]);
        let inhibitors = [0, 1, 3].map(inhibitor).map(Into::into).to_vec();
        transition(Transition { takes, puts, inhibitors, ..Transition::default() })
    };
    let one = found(&net(4, vec![all(0)], vec![inhibitors(1)]));
    assert_eq!(only(&one).parts, [vec![0, 1, 3], vec![2]]);
    assert_eq!(one.net.transitions[0].inhibitors.len(), 1);
    // Two tokens of one member are not two of any.
    let two = found(&net(4, vec![all(0)], vec![inhibitors(2)]));
    assert_eq!(only(&two).symmetry, Symmetry::None);
}

fn property(formula: Formula) -> Property {
    Property {
        name: "few".into(),
        text: String::new(),
        variables: vec![],
        formula,
        origin: Origin::default(),
    }
}

#[test]
fn a_property_that_is_checked_tells_apart_too() {
    let net = net(4, vec![all(0)], vec![when(vec![])]);
    let count = |m| Expr::Count(PlaceId(1), vec![Some(Expr::Literal(Literal::Enum(CLASS, m)))]);
    let sum = Expr::Binary(BinaryOp::Add, count(3).into(), count(1).into());
    let formula = Formula::Term(Expr::Binary(
        BinaryOp::LessEqual,
        sum.into(),
        Expr::Literal(Literal::Int(1)).into(),
    ));
    assert_eq!(only(&net.find_symmetry(&[])).parts.len(), 1);
    let found = net.find_symmetry(&[property(formula)]);
    assert_eq!(only(&found).parts, [vec![0, 2], vec![1, 3]]);
    assert_eq!(only(&found).losses, [apart(Piece::Property(0), 1, 0)]);
    // The members it names have other numbers now.
    let expected = |m: u32| Expr::Literal(Literal::Enum(CLASS, m));
    let Formula::Term(Expr::Binary(_, sum, _)) = &found.net.properties[0].formula else { panic!() };
    let Expr::Binary(_, a, b) = &**sum else { panic!("it is a sum still") };
    let [a, b] = [a, b].map(|count| match &**count {
        Expr::Count(_, pattern) => pattern[0].clone(),
        other => panic!("{other:?}"),
    });
    assert_eq!([a, b], [Some(expected(3)), Some(expected(2))]);
}

#[test]
fn a_property_that_asks_for_a_successor_keeps_the_order() {
    // It keeps its shape, so the member after this one has to stay the one after it.
    let net = net(4, vec![all(0)], vec![when(vec![])]);
    let after = Expr::Count(PlaceId(1), vec![Some(Expr::Shift(member(2).into(), CLASS, 1))]);
    let few = Expr::binary(BinaryOp::LessEqual, after, Expr::int(1));
    let found = net.find_symmetry(&[property(Formula::Term(few))]);
    assert_eq!(only(&found).symmetry, Symmetry::None);
}

#[test]
fn thousands_of_members_listed_one_by_one_are_settled() {
    let size = 3_000;
    let listed = (0..size).map(|m| token(u32::from(m % 3 == 0), &[m])).collect();
    let evens = join(BinaryOp::Or, (0..300).map(|m| is(var(X), 2 * m)));
    let net = net(size, listed, vec![when(vec![evens])]);
    let found = net.find_symmetry(&[]);
    assert_eq!(found.net.check(), []);
    let finding = only(&found);
    assert!(finding.is_settled);
    let mut sizes: Vec<usize> = finding.parts.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [100, 200, 900, 1800]);
}

#[test]
fn all_pairs_listed_one_by_one_are_settled() {
    let size = 120;
    let pairs = (0..size).flat_map(|a| (0..size).map(move |b| [a, b]));
    let listed = pairs.filter(|[a, b]| a != b).map(|pair| token(2, &pair)).collect();
    let net = net(size, listed, vec![when(vec![])]);
    let found = net.find_symmetry(&[]);
    assert_eq!((only(&found).parts.len(), only(&found).is_settled), (1, true));
    assert_eq!(found.net.check(), []);
}

#[test]
fn a_ring_listed_arc_by_arc_has_members_that_are_all_different() {
    // Each would have to be compared with each.
    let size = 4_000;
    let ring = (0..size).map(|m| token(2, &[m, (m + 1) % size])).collect();
    let net = net(size, ring, vec![when(vec![])]);
    let found = net.find_symmetry(&[]);
    assert_eq!(only(&found).symmetry, Symmetry::None);
    assert_eq!(found.net.check(), []);
}
