//! Nets that are no thread nets, and what is said of them.
//!
//! Each case takes a small net that is one, breaks it in one way, and names what must be said. What is
//! broken is reported once, with the place or transition where it is, and nothing panics.

use net::{
    Arc, BinaryOp, Breach, Column, EnumId, Enumeration, Expr, Fate, Inhibitor, InitialToken,
    InitialValue, Kind, Literal, Net, Participant, Place, PlaceId, PlaceKind, Sort, Spawn,
    StartThread, Transition, UnaryOp, Var, Variable,
};
use state::Relation;

const AT: PlaceId = PlaceId(0);
const STORE: PlaceId = PlaceId(1);
const NOWHERE: PlaceId = PlaceId(9);
const COLOUR: EnumId = EnumId(0);
const NO_ENUM: EnumId = EnumId(7);

/// The variables of the transition `go`.
const T: Var = Var(0);
const N: Var = Var(1);
const M: Var = Var(2);
const CHILD: Var = Var(3);
const FREE: Var = Var(4);
const OTHER: Var = Var(5);

fn place(name: &str, kind: PlaceKind, sorts: &[Sort]) -> Place {
    let column = |&sort: &Sort| Column::of(sort);
    Place::new(name, kind, sorts.iter().map(column).collect())
}

/// Threads are `at` with a number; `store` has a thread, a number and a colour.
fn sound() -> Net {
    let number = Sort::Int { min: 0, max: 3 };
    let var = |name: &str, kind| Variable::new(name, kind);
    let token = |pid, number, colour| [pid, number, colour].map(Some).to_vec();
    let red = Expr::Literal(Literal::Enum(COLOUR, 0));
    Net {
        enumerations: vec![Enumeration {
            name: "Colour".into(),
            members: vec!["red".into(), "blue".into()],
            ..Enumeration::default()
        }],
        places: vec![
            place("at", PlaceKind::Flow, &[Sort::Pid, number]),
            place("store", PlaceKind::Ordinary, &[Sort::Pid, number, Sort::Enum(COLOUR)]),
        ],
        start: vec![StartThread { place: AT, values: vec![InitialValue::Data(Literal::Int(0))] }],
        tokens: vec![InitialToken::new(
            STORE,
            vec![
                InitialValue::Thread(0),
                InitialValue::Data(Literal::Int(1)),
                InitialValue::Data(Literal::Enum(COLOUR, 1)),
            ],
            2,
        )],
        transitions: vec![Transition {
            name: "go".into(),
            variables: vec![
                var("t", Kind::Pid),
                var("n", Kind::Int),
                var("m", Kind::Int),
                var("child", Kind::Pid),
                var("free", Kind::Int),
                var("other", Kind::Pid),
            ],
            parameters: vec![(M, number)],
            participants: vec![Participant {
                thread: T,
                from: AT,
                pattern: vec![Some(Expr::Var(N))],
                fate: Fate::Move { to: AT, values: vec![Expr::Var(M)] },
                passive: false,
            }],
            takes: vec![Arc::new(STORE, token(Expr::Var(OTHER), Expr::Var(N), red.clone()), 1)],
            inhibitors: vec![Inhibitor {
                arcs: vec![Arc::new(STORE, vec![None, Some(Expr::Var(FREE)), None], 1)],
                condition: Some(Expr::binary(BinaryOp::Less, Expr::Var(FREE), Expr::Var(N))),
            }],
            guard: vec![Expr::Relation(Relation::Parent, OTHER, T)],
            spawns: vec![Spawn {
                parent: T,
                child: Some(CHILD),
                count: 1,
                to: Some(AT),
                values: vec![Expr::int(0)],
            }],
            puts: vec![Arc::new(STORE, token(Expr::Var(CHILD), Expr::Var(N), red), 1)],
            ..Transition::default()
        }],
        ..Net::default()
    }
}

/// What is said of the net after `change`.
fn breaches(change: impl FnOnce(&mut Net)) -> Vec<String> {
    let mut net = sound();
    change(&mut net);
    net.check().iter().map(Breach::to_string).collect()
}

/// Breaks the net by `change`, and expects nothing but this to be said.
#[track_caller]
fn expect(said: &str, change: impl FnOnce(&mut Net)) {
    assert_eq!(breaches(change), [said]);
}

#[track_caller]
fn expect_of_go(said: &str, change: impl FnOnce(&mut Transition)) {
    expect(&format!("transition `go`: {said}"), |net| change(&mut net.transitions[0]));
}

#[test]
fn the_net_to_be_broken_is_a_thread_net() {
    assert_eq!(breaches(|_| {}), [""; 0]);
}

#[test]
fn assumption_1_places() {
    expect("place `store`: there is another place of this name", |net| {
        net.places.push(place("store", PlaceKind::Ordinary, &[]));
    });
    let thread_first = "place `more`: the first column of a flow place is the thread, a pid";
    expect(thread_first, |net| net.places.push(place("more", PlaceKind::Flow, &[])));
    expect(thread_first, |net| {
        net.places.push(place("more", PlaceKind::Flow, &[Sort::Bool, Sort::Pid]));
    });
    let range = |min, max| {
        move |net: &mut Net| {
            net.places.push(place("more", PlaceKind::Ordinary, &[Sort::Int { min, max }]));
        }
    };
    expect("place `more`: the range 1..=0 is empty", range(1, 0));
    let wide = "place `more`: the range 0..=4294967295 has 2³² values or more";
    expect(wide, range(0, i64::from(u32::MAX)));
    assert_eq!(breaches(range(1, i64::from(u32::MAX))), [""; 0]);
    let full =
        format!("place `more`: the range {}..={} has 2³² values or more", i64::MIN, i64::MAX);
    expect(&full, range(i64::MIN, i64::MAX));
    let far = (1_i64 << 53) + 1;
    expect(&format!("place `more`: the range {far}..={far} goes beyond 2⁵³"), range(far, far));
    expect(&format!("place `more`: the range -{far}..=-{far} goes beyond 2⁵³"), range(-far, -far));
    expect("place `more`: there is no such enumeration", |net| {
        net.places.push(place("more", PlaceKind::Ordinary, &[Sort::Enum(NO_ENUM)]));
    });
    let with_enum = |members: &'static [&'static str]| {
        move |net: &mut Net| {
            let members = members.iter().map(|&member| member.into()).collect();
            net.enumerations.push(Enumeration {
                name: "Odd".into(),
                members,
                ..Enumeration::default()
            });
            net.places.push(place("more", PlaceKind::Ordinary, &[Sort::Enum(EnumId(1))]));
        }
    };
    expect("place `more`: `Odd` has no member", with_enum(&[]));
    expect("place `more`: `Odd` has two members of one name", with_enum(&["a", "b", "a"]));
}

#[test]
fn assumption_2_the_initial_marking() {
    let start =
        |place| move |net: &mut Net| net.start.push(StartThread { place, values: Vec::new() });
    expect("initial marking: a thread starts at a place that does not exist", start(NOWHERE));
    expect("initial marking: a thread starts at `store`, which is no flow place", start(STORE));
    expect("initial marking: a token of `at` has 1 components, not 0", start(AT));
    let token = |place, count| {
        move |net: &mut Net| net.tokens.push(InitialToken { place, count, ..net.tokens[0].clone() })
    };
    expect("initial marking: a token is in a place that does not exist", token(NOWHERE, 1));
    expect("initial marking: a token without a thread is in the flow place `at`", token(AT, 1));
    expect("initial marking: a place holds more than 2³² tokens", token(STORE, u32::MAX));
    let value =
        |at: usize, value: InitialValue| move |net: &mut Net| net.tokens[0].values[at] = value;
    let said = |value: &str, sort: &str| {
        format!("initial marking: a token of `store` has {value} where {sort} is expected")
    };
    let seven = InitialValue::Data(Literal::Int(7));
    expect(&said("Thread(1)", "pid"), value(0, InitialValue::Thread(1)));
    expect(&said("Data(Int(7))", "pid"), value(0, seven));
    expect(&said("Data(Int(7))", "0..=3"), value(1, seven));
    expect(&said("Data(Int(7))", "Colour"), value(2, seven));
    let colour = |index| InitialValue::Data(Literal::Enum(COLOUR, index));
    expect(&said("Data(Enum(EnumId(0), 2))", "Colour"), value(2, colour(2)));
    expect(&said("Data(Enum(EnumId(0), 0))", "0..=3"), value(1, colour(0)));
    // A column of a sort that does not exist is reported where it is declared.
    expect("place `store`: there is no such enumeration", |net| {
        net.places[1].columns.push(Column::of(Sort::Enum(NO_ENUM)));
        net.tokens[0].values.push(InitialValue::Data(Literal::Enum(NO_ENUM, 0)));
        net.transitions.clear();
    });
}

#[test]
fn assumption_3_participants_and_children() {
    expect("transition `go`: there is another transition of this name", |net| {
        net.transitions.push(net.transitions[0].clone());
    });
    expect_of_go("the thread `t` takes part twice (Assumption 3.2)", |t| {
        t.participants.push(t.participants[0].clone());
    });
    expect_of_go("a participant is named by a variable that is no pid", |t| {
        let again = Participant { thread: M, ..t.participants[0].clone() };
        t.participants.push(again);
    });
    let from = |from| move |t: &mut Transition| t.participants[0].from = from;
    expect_of_go("a thread comes from `store`, which is no flow place", from(STORE));
    expect_of_go("a thread comes from a place that does not exist", from(NOWHERE));
    let to = |to| {
        move |t: &mut Transition| t.participants[0].fate = Fate::Move { to, values: Vec::new() }
    };
    expect_of_go("a thread moves to `store`, which is no flow place", to(STORE));
    expect_of_go("a thread moves to a place that does not exist", to(NOWHERE));
    expect_of_go("a token of `at` has 1 components after its thread", to(AT));
    expect_of_go("a thread that takes no part creates a child (Assumption 3.1)", |t| {
        t.spawns[0].parent = OTHER;
    });
    expect_of_go("it uses a variable that is not listed", |t| t.spawns[0].parent = Var(99));
    expect_of_go("several children share one name", |t| t.spawns[0].count = 2);
    let taken = "a child is named by a variable that is not free for it";
    expect_of_go(taken, |t| t.spawns.push(t.spawns[0].clone()));
    expect_of_go(taken, |t| {
        t.spawns[0].child = Some(OTHER);
        t.puts.clear();
    });
    expect_of_go("a child starts at `store`, which is no flow place", |t| {
        t.spawns[0].to = Some(STORE)
    });
    expect_of_go("a child starts at a place that does not exist", |t| {
        t.spawns[0].to = Some(NOWHERE)
    });
    expect_of_go("a token of `at` has 1 components after its thread", |t| {
        t.spawns[0].values.clear();
    });
    expect_of_go("a component of `at` is Pid where Int is expected", |t| {
        t.spawns[0].values = vec![Expr::Var(CHILD)];
    });
    // Threads that move to a flow place without columns: said of the place, and no panic.
    let said = breaches(|net| {
        net.places.push(place("bare", PlaceKind::Flow, &[]));
        net.transitions[0].participants[0].fate = Fate::Move { to: PlaceId(2), values: Vec::new() };
    });
    assert_eq!(said, ["place `bare`: the first column of a flow place is the thread, a pid"]);
}

#[test]
fn assumption_3_arcs() {
    expect_of_go("tokens are put into `at`, which is a flow place", |t| t.puts[0].place = AT);
    expect_of_go("tokens are put into a place that does not exist", |t| {
        t.puts[0].place = NOWHERE;
    });
    // Then nothing binds `other`, which the guard uses.
    let unbound = "transition `go`: the guard uses `other`, which nothing binds (Assumption 3.5)";
    for (place, said) in [
        (AT, "transition `go`: tokens are taken from `at`, which is a flow place"),
        (NOWHERE, "transition `go`: tokens are taken from a place that does not exist"),
    ] {
        let said_of = breaches(|net| net.transitions[0].takes[0].place = place);
        assert_eq!(said_of, [said, unbound]);
    }
    expect_of_go("it reads a place that does not exist", |t| {
        t.reads.push(Arc::new(NOWHERE, Vec::new(), 1));
    });
    expect_of_go("an arc carries no token", |t| t.takes[0].count = 0);
    expect_of_go("an arc carries no token", |t| t.puts[0].count = 0);
    expect_of_go("an arc carries no token", |t| {
        t.reads.push(Arc { count: 0, ..t.takes[0].clone() });
    });
    expect_of_go("a pattern of `store` has 3 components, not 2", |t| {
        t.takes[0].pattern.pop();
    });
    expect_of_go("a pattern of `at` has 1 components, not 2", |t| {
        t.participants[0].pattern.push(None);
    });
    expect_of_go("a pattern of `at` has 2 components, not 1", |t| {
        t.reads.push(Arc::new(AT, vec![None], 1));
    });
    expect_of_go("a component of `store` is Int where Pid is expected", |t| {
        t.reads.push(Arc { pattern: vec![Some(Expr::Var(N)), None, None], ..t.takes[0].clone() });
    });
    expect_of_go("a token is put of which a component is left open", |t| {
        t.puts[0].pattern[0] = None;
    });
}

#[test]
fn assumption_3_variables() {
    let unlisted = "it uses a variable that is not listed";
    expect_of_go(unlisted, |t| t.guard.push(Expr::Var(Var(6))));
    expect_of_go(unlisted, |t| t.spawns[0].child = Some(Var(6)));
    expect_of_go(unlisted, |t| t.participants[0].thread = Var(6));
    expect_of_go(unlisted, |t| t.parameters.push((Var(6), Sort::Bool)));
    expect_of_go(unlisted, |t| t.definitions.push((Var(6), Expr::int(0))));
    expect_of_go("the guard uses `child`, which nothing binds (Assumption 3.5)", |t| {
        t.guard.push(Expr::binary(BinaryOp::Equal, Expr::Var(CHILD), Expr::Var(T)));
    });
    expect_of_go("the guard uses `free`, which nothing binds (Assumption 3.5)", |t| {
        t.guard.push(Expr::binary(BinaryOp::Less, Expr::Var(FREE), Expr::Var(N)));
    });
    expect_of_go("a definition uses `free`, which nothing binds (Assumption 3.5)", |t| {
        t.variables.push(Variable::new("d", Kind::Int));
        t.definitions.push((Var(6), Expr::Var(FREE)));
    });
    expect_of_go("a component of `at` uses `free`, which nothing binds (Assumption 3.5)", |t| {
        t.spawns[0].values = vec![Expr::Var(FREE)];
    });
    expect_of_go("a definition names a variable that is bound already", |t| {
        t.definitions.push((M, Expr::int(0)));
    });
    expect_of_go("a parameter cannot range over all pids", |t| {
        t.parameters.push((OTHER, Sort::Pid));
    });
    expect_of_go("a parameter is not of the type of its variable", |t| {
        t.parameters.push((FREE, Sort::Bool));
    });
    expect_of_go("the range 3..=2 is empty", |t| {
        t.parameters.push((FREE, Sort::Int { min: 3, max: 2 }));
    });
    expect_of_go("there is no such enumeration", |t| {
        t.parameters.push((FREE, Sort::Enum(NO_ENUM)));
    });
    expect_of_go("the parameter `m` is listed twice", |t| t.parameters.push(t.parameters[0]));
    expect_of_go("it has more than 256 inputs, definitions or inhibitors", |t| {
        t.reads = vec![t.takes[0].clone(); 255];
    });
}

#[test]
fn assumption_3_types() {
    let mixes = "the guard mixes pids, numbers, truth values or members";
    let with = |expr: Expr| move |t: &mut Transition| t.guard.push(expr);
    let pair = |op, a, b| Expr::binary(op, Expr::Var(a), Expr::Var(b));
    expect_of_go(mixes, with(pair(BinaryOp::Less, T, OTHER)));
    expect_of_go(mixes, with(pair(BinaryOp::Equal, T, N)));
    expect_of_go(mixes, with(pair(BinaryOp::And, N, M)));
    expect_of_go(mixes, with(Expr::Unary(UnaryOp::Not, Expr::Var(N).into())));
    expect_of_go(mixes, with(Expr::Unary(UnaryOp::Negate, Expr::Var(T).into())));
    expect_of_go(mixes, with(Expr::Relation(Relation::Ancestor, T, N)));
    let (t, n) = (Expr::Var(T), Expr::Var(N));
    expect_of_go(mixes, with(Expr::If(n.clone().into(), n.clone().into(), n.clone().into())));
    let truth = Expr::Literal(Literal::Bool(true));
    expect_of_go(mixes, with(Expr::If(truth.into(), n.clone().into(), t.into())));
    expect_of_go("the guard is Int where Bool is expected", with(n.clone()));
    let no_member = "it names a member of an enumeration that does not exist";
    for literal in [Literal::Enum(COLOUR, 2), Literal::Enum(NO_ENUM, 0)] {
        let itself = Expr::Literal(literal);
        expect_of_go(no_member, with(Expr::binary(BinaryOp::Equal, itself.clone(), itself)));
    }
    expect_of_go("a definition is Int where Bool is expected", |t| {
        t.variables.push(Variable::new("d", Kind::Bool));
        t.definitions.push((Var(6), n.clone()));
    });
    expect_of_go("the condition of an inhibitor is Int where Bool is expected", |t| {
        t.inhibitors[0].condition = Some(n.clone());
    });
    expect_of_go("an inhibitor looks at a place that does not exist", |t| {
        t.inhibitors[0].arcs[0].place = NOWHERE;
    });
    expect_of_go("an inhibitor of no token always disables", |t| t.inhibitors[0].arcs[0].count = 0);
    expect_of_go("an inhibitor of no token always disables", |t| {
        t.inhibitors[0] = Inhibitor::default();
    });
    let counts = "an inhibitor of several places counts the tokens of one of them";
    expect_of_go(counts, |t| {
        let arc = t.inhibitors[0].arcs[0].clone();
        t.inhibitors[0].arcs.push(Arc { count: 2, ..arc });
    });
    let through = "an arc of an inhibitor goes through members, or has a condition";
    expect_of_go(through, |t| {
        t.inhibitors[0].arcs[0].condition = Some(Expr::Literal(Literal::Bool(true)))
    });
    expect_of_go("a child that ends at once has no token, yet values for it", |t| {
        t.spawns[0].to = None;
    });
    expect_of_go("a probe never fires, so it cannot fail", |t| {
        t.probe = true;
        t.failure = Some("never".into());
    });
    expect_of_go("a pattern of `store` has 3 components, not 4", |t| {
        t.inhibitors[0].arcs[0].pattern.push(None);
    });
}

#[test]
fn everything_is_said_at_once() {
    let said = breaches(|net| {
        net.places.push(place("bare", PlaceKind::Flow, &[]));
        net.start.push(StartThread { place: STORE, values: Vec::new() });
        net.transitions[0].takes[0].count = 0;
        net.transitions[0].spawns[0].parent = OTHER;
    });
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    assert_eq!(
        said,
        [
            "place `bare`: the first column of a flow place is the thread, a pid",
            "initial marking: a thread starts at `store`, which is no flow place",
            "transition `go`: an arc carries no token",
            "transition `go`: a thread that takes no part creates a child (Assumption 3.1)",
        ]
    );
}
