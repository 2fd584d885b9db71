//! Nets whose classes are not what they are declared to be, and what is said of them.
//!
//! Each case takes a small net that keeps its promises, breaks one, and names what must be said. Nothing
//! panics.

use net::{
    Arc, BinaryOp, Breach, Column, EnumId, Enumeration, Expr, InitialToken, InitialValue, Kind,
    Literal, Net, Part, Place, PlaceId, PlaceKind, Sort, Symmetry, Transition, Var, Variable,
};

/// Symmetric in two parts, `chief` and `others` (two members); cyclic; ordered.
const STAFF: EnumId = EnumId(0);
const RING: EnumId = EnumId(1);
const LEVEL: EnumId = EnumId(2);
const NO_ENUM: EnumId = EnumId(9);

const ROOM: PlaceId = PlaceId(0);
const SEAT: PlaceId = PlaceId(1);
const FLOOR: PlaceId = PlaceId(2);
const BELL: PlaceId = PlaceId(3);

/// The variables of `go`: members of each class, and one of each that goes through all.
const X: Var = Var(0);
const R: Var = Var(1);
const L: Var = Var(2);
const EACH_X: Var = Var(3);
const EACH_R: Var = Var(4);
const EACH_L: Var = Var(5);
const N: Var = Var(6);

fn class(name: &str, members: &[&str], symmetry: Symmetry) -> Enumeration {
    let members = members.iter().map(|&member| member.into()).collect();
    Enumeration { name: name.into(), members, symmetry, ..Enumeration::default() }
}

fn part(name: &str, size: u32) -> Part {
    Part { name: name.into(), size }
}

fn var(var: Var) -> Expr {
    Expr::Var(var)
}

fn member(class: EnumId, index: u32) -> Expr {
    Expr::Literal(Literal::Enum(class, index))
}

fn differ(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinaryOp::NotEqual, a, b)
}

fn arc(place: PlaceId, value: Expr) -> Arc {
    Arc::new(place, vec![Some(value)], 1)
}

/// A token for each member but one.
fn all_but(place: PlaceId, each: Var, but: Var) -> Arc {
    let condition = Some(differ(var(each), var(but)));
    Arc { each: vec![each], condition, ..arc(place, var(each)) }
}

fn all(place: PlaceId, class: EnumId) -> InitialToken {
    let token = InitialToken::new(place, vec![InitialValue::Each(0)], 1);
    InitialToken { each: vec![class], ..token }
}

fn place(name: &str, sorts: &[Sort]) -> Place {
    let columns = sorts.iter().map(|&sort| Column::of(sort)).collect();
    Place::new(name, PlaceKind::Ordinary, columns)
}

fn sound() -> Net {
    let mut staff = class("Staff", &["ann", "bob", "cid"], Symmetry::Full);
    staff.parts = vec![part("chief", 1), part("others", 2)];
    let variable = |(name, kind): (&str, Kind)| Variable::new(name, kind);
    let (staff_kind, ring, level) = (Kind::Enum(STAFF), Kind::Enum(RING), Kind::Enum(LEVEL));
    Net {
        enumerations: vec![
            staff,
            class("Ring", &["north", "east", "south", "west"], Symmetry::Rotations),
            class("Level", &["low", "mid", "high"], Symmetry::None),
        ],
        places: vec![
            place("room", &[Sort::Enum(STAFF)]),
            place("seat", &[Sort::Enum(RING)]),
            place("floor", &[Sort::Enum(LEVEL)]),
            place("bell", &[]),
        ],
        tokens: vec![
            all(ROOM, STAFF),
            // The chief is there once more: a part may be told from the others.
            InitialToken::new(ROOM, vec![InitialValue::Data(Literal::Enum(STAFF, 0))], 2),
            all(SEAT, RING),
            InitialToken::new(FLOOR, vec![InitialValue::Data(Literal::Enum(LEVEL, 1))], 1),
        ],
        transitions: vec![Transition {
            name: "go".into(),
            variables: [
                ("x", staff_kind),
                ("r", ring),
                ("l", level),
                ("each_x", staff_kind),
                ("each_r", ring),
                ("each_l", level),
                ("n", Kind::Int),
            ]
            .map(variable)
            .to_vec(),
            parameters: vec![(N, Sort::Int { min: 0, max: 1 })],
            takes: vec![arc(ROOM, var(X)), arc(SEAT, var(R)), arc(FLOOR, var(L))],
            guard: vec![
                differ(var(X), member(STAFF, 0)),
                Expr::Within(var(X).into(), STAFF, 1),
                Expr::binary(BinaryOp::Less, var(L), member(LEVEL, 2)),
                differ(var(R), Expr::Shift(var(R).into(), RING, 2)),
            ],
            reads: vec![all_but(ROOM, EACH_X, X)],
            puts: vec![
                arc(ROOM, var(X)),
                arc(SEAT, Expr::Shift(var(R).into(), RING, -1)),
                arc(FLOOR, Expr::Shift(var(L).into(), LEVEL, 1)),
            ],
            ..Transition::default()
        }],
        ..Net::default()
    }
}

fn breaches(change: impl FnOnce(&mut Net)) -> Vec<String> {
    let mut net = sound();
    change(&mut net);
    net.check().iter().map(Breach::to_string).collect()
}

#[track_caller]
fn expect(said: &str, change: impl FnOnce(&mut Net)) {
    assert_eq!(breaches(change), [said]);
}

#[track_caller]
fn expect_of_go(said: &str, change: impl FnOnce(&mut Transition)) {
    expect(&format!("transition `go`: {said}"), |net| change(&mut net.transitions[0]));
}

#[test]
fn the_net_to_be_broken_keeps_its_promises() {
    assert_eq!(breaches(|_| {}), [""; 0]);
}

#[test]
fn parts_cover_a_class() {
    let with = |parts: Vec<Part>| {
        move |net: &mut Net| {
            let enumeration = class("Odd", &["a", "b"], Symmetry::Full);
            net.enumerations.push(Enumeration { parts, ..enumeration });
        }
    };
    let odd = |what: &str| format!("enumeration `Odd`: {what}");
    expect(&odd("it has 2 members, and its parts 3"), with(vec![part("p", 1), part("q", 2)]));
    expect(&odd("it has 2 members, and its parts 1"), with(vec![part("p", 1)]));
    expect(&odd("one of its parts has no member"), with(vec![part("p", 0), part("q", 2)]));
    expect(&odd("it has two parts of one name"), with(vec![part("p", 1), part("p", 1)]));
    let large = with(vec![part("p", u32::MAX), part("q", u32::MAX)]);
    expect(&odd("it has 2 members, and its parts 8589934590"), large);
    expect("enumeration `Ring`: rotations keep no parts, so it has none", |net| {
        net.enumerations[1].parts = vec![part("half", 2), part("other", 2)];
    });
}

#[test]
fn the_initial_marking_keeps_the_symmetry() {
    let put = |place, class, index| {
        move |net: &mut Net| {
            let value = InitialValue::Data(Literal::Enum(class, index));
            net.tokens.push(InitialToken::new(place, vec![value], 1));
        }
    };
    let told = |a: &str, b: &str, class: &str| {
        format!("initial marking: it tells `{a}` from `{b}`, which are alike in `{class}`")
    };
    expect(&told("bob", "cid", "Staff"), put(ROOM, STAFF, 2));
    expect(&told("east", "south", "Ring"), put(SEAT, RING, 1));
    // One by one is as good as all at once.
    assert_eq!(breaches(|net| (1..3).for_each(|i| put(ROOM, STAFF, i)(net))), [""; 0]);
    assert_eq!(breaches(|net| (0..4).for_each(|i| put(SEAT, RING, i)(net))), [""; 0]);
    // All but the diagonal of a square of members: kept by every permutation.
    let square = |condition: Option<Expr>| {
        move |net: &mut Net| {
            net.places.push(place("square", &[Sort::Enum(RING), Sort::Enum(RING)]));
            net.tokens.push(InitialToken {
                place: PlaceId(4),
                values: vec![InitialValue::Each(0), InitialValue::Each(1)],
                count: 1,
                each: vec![RING, RING],
                condition,
            });
        }
    };
    let (a, b) = (|| var(Var(0)), || var(Var(1)));
    assert_eq!(breaches(square(Some(differ(a(), b())))), [""; 0]);
    let after = Expr::Shift(a().into(), RING, 1);
    assert_eq!(breaches(square(Some(differ(after, b())))), [""; 0]);
    expect("initial marking: it uses an order of the members of `Ring`", |net| {
        square(Some(Expr::binary(BinaryOp::Less, a(), b())))(net);
    });
}

#[test]
fn only_properties_ask_for_the_state() {
    for asked in [Expr::Enabled(net::TransitionId(0)), Expr::Ended(Var(99)), Expr::At(X, BELL)] {
        let found = breaches(|net| net.transitions[0].guard.push(asked));
        assert!(!found.is_empty());
    }
    expect_of_go("it asks for the state, as only properties do", |go| {
        go.guard.push(Expr::Enabled(net::TransitionId(0)));
    });
}

#[test]
fn tokens_that_go_through_members() {
    let token = |change: fn(&mut InitialToken)| {
        move |net: &mut Net| {
            let mut token = all(ROOM, STAFF);
            change(&mut token);
            net.tokens.push(token);
        }
    };
    let said = |what: &str| format!("initial marking: {what}");
    let unfit = "a token of `room` has Each(1) where Staff is expected";
    expect(&said(unfit), token(|token| token.values = vec![InitialValue::Each(1)]));
    let unfit = "a token of `room` has Each(0) where Staff is expected";
    expect(&said(unfit), token(|token| token.each = vec![LEVEL]));
    let wide = "a token is too wide: there is no such enumeration";
    expect(&said(wide), token(|token| token.each.push(NO_ENUM)));
    let wide = "a token is too wide: it goes through more than 1048576 choices of members";
    expect(&said(wide), token(|token| token.each = vec![STAFF; 40]));
    let narrow = "a token has a condition, but goes through no members";
    expect(&said(narrow), |net| {
        let condition = Some(Expr::Literal(Literal::Bool(false)));
        net.tokens.push(InitialToken { condition, ..InitialToken::new(BELL, Vec::new(), 1) });
    });
    let unknown = "the condition of a token uses what it does not go through";
    expect(&said(unknown), token(|token| token.condition = Some(differ(var(X), var(R)))));
    let untrue = "the condition of a token is no truth value";
    expect(&said(untrue), token(|token| token.condition = Some(var(X))));
    let beyond = "the condition of a token asks for a member after the last, or before the first, of `Level`";
    expect(&said(beyond), |net| {
        let after = Expr::Shift(var(Var(0)).into(), LEVEL, 1);
        let condition = Some(differ(after, member(LEVEL, 0)));
        net.tokens.push(InitialToken { condition, ..all(FLOOR, LEVEL) });
    });
    let many = "a place holds more than 2³² tokens";
    expect(&said(many), token(|token| token.count = u32::MAX));
    expect(&said(many), token(|token| token.count = u32::MAX / 2));
    // A thread cannot start with all members at once.
    let said = "initial marking: a token of `at` has Each(0) where Staff is expected";
    expect(said, |net| {
        let flow = place("at", &[Sort::Pid, Sort::Enum(STAFF)]);
        net.places.push(Place { kind: PlaceKind::Flow, ..flow });
        let values = vec![InitialValue::Each(0)];
        net.start.push(net::StartThread { place: PlaceId(4), values });
    });
}

#[test]
fn expressions_keep_the_symmetry() {
    let with = |expr: Expr| move |t: &mut Transition| t.guard.push(expr);
    expect_of_go(
        "it tells `bob` from other members of `Staff`, so `bob` should be a part of its own",
        with(differ(var(X), member(STAFF, 1))),
    );
    expect_of_go(
        "it tells `north` from the other members of `Ring`, which is cyclic",
        with(differ(var(R), member(RING, 0))),
    );
    for op in [BinaryOp::Less, BinaryOp::LessEqual, BinaryOp::Greater, BinaryOp::GreaterEqual] {
        let ordered = |v: Var| Expr::binary(op, var(v), var(v));
        expect_of_go("it uses an order of the members of `Staff`", with(ordered(X)));
        expect_of_go("it uses an order of the members of `Ring`", with(ordered(R)));
        assert_eq!(breaches(|net| with(ordered(L))(&mut net.transitions[0])), [""; 0]);
    }
    let shifted = |v: Var, class| Expr::Shift(var(v).into(), class, 1);
    expect_of_go(
        "it uses a successor in `Staff`, which is symmetric",
        with(differ(var(X), shifted(X, STAFF))),
    );
    let missing = "it names a part of an enumeration that does not exist";
    expect_of_go(missing, with(Expr::Within(var(X).into(), STAFF, 2)));
    expect_of_go(missing, with(Expr::Within(var(R).into(), RING, 0)));
    let mixes = "the guard mixes pids, numbers, truth values or members";
    expect_of_go(mixes, with(differ(var(R), shifted(L, RING))));
    expect_of_go(mixes, with(differ(var(N), shifted(N, LEVEL))));
    expect_of_go(mixes, with(Expr::Within(var(R).into(), STAFF, 0)));
    expect_of_go(mixes, with(Expr::binary(BinaryOp::Less, var(L), var(R))));
    expect_of_go(mixes, with(differ(var(X), var(R))));
    let said = breaches(|net| with(differ(var(X), shifted(X, NO_ENUM)))(&mut net.transitions[0]));
    let nowhere = "transition `go`: it uses a successor in an enumeration that does not exist";
    assert_eq!(said, [nowhere, &format!("transition `go`: {mixes}")]);
    let said =
        breaches(|net| with(Expr::Within(var(X).into(), NO_ENUM, 0))(&mut net.transitions[0]));
    assert_eq!(said, [format!("transition `go`: {missing}"), format!("transition `go`: {mixes}")]);
    // What is said twice is reported once.
    let bob = || differ(var(X), member(STAFF, 1));
    expect_of_go(
        "it tells `bob` from other members of `Staff`, so `bob` should be a part of its own",
        |t| t.guard.extend([bob(), bob()]),
    );
}

#[test]
fn arcs_that_go_through_members() {
    let reused = |name: &str| format!("`{name}` goes through all members, and is used elsewhere");
    expect_of_go(&reused("each_x"), |t| t.guard.push(differ(var(X), var(EACH_X))));
    expect_of_go(&reused("each_x"), |t| t.puts.push(all_but(ROOM, EACH_X, X)));
    expect_of_go(&reused("each_x"), |t| t.reads[0].each.push(EACH_X));
    expect_of_go(&reused("each_x"), |t| t.parameters.push((EACH_X, Sort::Enum(STAFF))));
    expect_of_go(&reused("x"), |t| t.reads[0].each = vec![X]);
    expect_of_go("an arc has a condition, but goes through no members", |t| {
        t.takes[0].condition = Some(differ(var(X), var(X)));
    });
    let said = breaches(|net| net.transitions[0].puts[0].each = vec![N]);
    assert_eq!(said, ["transition `go`: `n` goes through all members, and is used elsewhere"]);
    expect_of_go("an arc goes through what is no enumeration", |t| {
        t.parameters.clear();
        t.puts.push(Arc { each: vec![N], ..Arc::new(BELL, Vec::new(), 1) });
    });
    let wide = "an arc is too wide: it goes through more than 1048576 choices of members";
    expect_of_go(wide, |t| {
        let more: Vec<Var> = (7..30).map(Var).collect();
        t.variables.resize(30, t.variables[EACH_L.index()].clone());
        t.puts.push(Arc { each: more, ..Arc::new(BELL, Vec::new(), 1) });
    });
    expect_of_go("an arc is too wide: there is no such enumeration", |t| {
        t.variables[EACH_L.index()].kind = Kind::Enum(NO_ENUM);
        t.puts.push(Arc { each: vec![EACH_L], ..Arc::new(BELL, Vec::new(), 1) });
    });
    let open = "an arc that goes through all members leaves a component open";
    expect_of_go(open, |t| t.reads[0].pattern[0] = None);
    expect_of_go(open, |t| {
        t.puts.push(Arc { each: vec![EACH_R], ..Arc::new(SEAT, vec![None], 1) });
    });
    expect_of_go("the condition of an arc is Enum(EnumId(0)) where Bool is expected", |t| {
        t.reads[0].condition = Some(var(X));
    });
    // Such an arc binds nothing, not even where it is the only one to use a variable.
    let unbound = "which nothing binds (Assumption 3.5)";
    expect_of_go(&format!("the condition of an arc uses `each_r`, {unbound}"), |t| {
        t.reads[0].condition = Some(differ(var(EACH_R), var(EACH_R)));
    });
    expect_of_go(&format!("a component of `room` uses `each_x`, {unbound}"), |t| {
        t.reads[0] = Arc { each: vec![EACH_R], ..arc(ROOM, var(EACH_X)) };
    });
    expect_of_go("it uses a variable that is not listed", |t| t.reads[0].each.push(Var(99)));
    expect_of_go(
        "a component of `room` is Enum(EnumId(1)) where Enum(EnumId(0)) is expected",
        |t| {
            t.puts.push(Arc { each: vec![EACH_R], ..arc(ROOM, var(EACH_R)) });
        },
    );
    expect_of_go("it reads a place that does not exist", |t| t.reads[0].place = PlaceId(77));
}
