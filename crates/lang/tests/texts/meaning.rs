//! What each construct becomes in the net, one by one.

use lang::{Override, compile};
use net::{
    BinaryOp, Expr, Fate, Formula, InitialValue, Literal, Net, PathOp, PlaceId, Property,
    Quantifier, Sort, Subject, Transition, UnaryOp, Var,
};

fn net_of(text: &str) -> Net {
    net_with(text, &[])
}

fn net_with(text: &str, overrides: &[(&str, &str)]) -> Net {
    let overrides: Vec<Override> = overrides
        .iter()
        .map(|(name, value)| Override { name: (*name).into(), value: (*value).into() })
        .collect();
    let compilation = compile(text, &overrides);
    let drawn = compilation.diagnostics.render("model.kin", text, false);
    compilation.net.unwrap_or_else(|| panic!("{drawn}"))
}

/// The transition `t` of a model with some places.
fn transition(items: &str) -> Transition {
    let text = format!(
        "model m\nconst zero = 0 const two = 2\nenum Colour {{ red, green }}\n\
         flow a, f(n: 0..=9), g(who: pid, c: Colour)\n\
         place lock = 1 place b: 0..=9 place o: pid * 0..=9\nstart a\ntransition t{items}\n"
    );
    net_of(&text).transitions.remove(0)
}

/// The property `p` of a model with some places.
fn property(formula: &str) -> Property {
    let text = format!(
        "model m\nenum Colour {{ red, green }}\n\
         flow a, f(n: 0..=9), g(who: pid, c: Colour)\n\
         place lock = 1 place b: 0..=9 place o: pid * 0..=9\nstart a\n\
         transition t {{ stay p: a }}\nproperty p: {formula}\n"
    );
    net_of(&text).properties.remove(0)
}

const A: PlaceId = PlaceId(0);
const F: PlaceId = PlaceId(1);
const G: PlaceId = PlaceId(2);
const LOCK: PlaceId = PlaceId(3);
const B: PlaceId = PlaceId(4);
const O: PlaceId = PlaceId(5);

fn var(index: u32) -> Expr {
    Expr::Var(Var(index))
}

#[test]
fn constants_and_sorts() {
    let text = "model m\nconst a = 7 const b = a / -2 const c = -7 / 2 const d = -7 % 2\n\
                const e = if a > 3 then slow else fast const f = not (e == fast) implies false\n\
                enum Mode { slow, fast }\n\
                place x(n: 0..a, bool, m: Mode) place lock = a";
    let net = net_of(text);
    let values: Vec<String> = net.constants.iter().map(|c| net.literal(c.value)).collect();
    assert_eq!(values, ["7", "-3", "-4", "1", "slow", "false"]);
    let sorts: Vec<Sort> = net.places[0].columns.iter().map(|c| c.sort).collect();
    assert_eq!(sorts[0], Sort::Int { min: 0, max: 6 });
    assert_eq!(net.places[0].columns[0].name.as_deref(), Some("n"));
    assert_eq!(net.places[0].columns[1].name, None);
    assert_eq!(net.tokens[0].count, 7);
    let set = net_with(text, &[("a", "2"), ("e", "fast")]);
    let values: Vec<String> = set.constants.iter().map(|c| set.literal(c.value)).collect();
    assert_eq!(values, ["2", "-1", "-4", "1", "fast", "true"]);
    let set = net_with(text, &[("a", " 1_0 ")]);
    assert_eq!(set.constants[0].value, Literal::Int(10));
}

#[test]
fn the_initial_state() {
    let net = net_of(
        "model m\nconst k = 2\nflow main, f(who: pid, n: 0..=3)\n\
         place o: pid * 0..=3 = (b, 0), 2 of (a, k), 0 of (a, 1)\nplace s: 0..=3 = (1), k of 2\n\
         place empty = 0\nstart a: main, k times main\nstart b: f(a, k + 1)",
    );
    let places: Vec<PlaceId> = net.start.iter().map(|thread| thread.place).collect();
    assert_eq!(places, [PlaceId(0), PlaceId(0), PlaceId(0), PlaceId(1)]);
    let int = |n| InitialValue::Data(Literal::Int(n));
    assert_eq!(net.start[3].values, [InitialValue::Thread(0), int(3)]);
    let tokens: Vec<_> =
        net.tokens.iter().map(|t| (t.place.0, t.values.clone(), t.count)).collect();
    assert_eq!(
        tokens,
        [
            (2, vec![InitialValue::Thread(3), int(0)], 1),
            (2, vec![InitialValue::Thread(0), int(2)], 2),
            (3, vec![int(1)], 1),
            (3, vec![int(2)], 2),
        ]
    );
}

#[test]
fn threads_and_children() {
    let t = transition(
        " { move p: f(n) -> g(h, red)   stay q: g(p, _)   end r: a   spawn h from p: g(h, green)\n\
         spawn zero times from q: a   spawn _ from r: f(n + 1)   put o(h, n) }",
    );
    let names: Vec<&str> = t.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["p", "n", "q", "r", "h"]);
    let (p, n, h) = (0, 1, 4);
    assert_eq!(t.participants[0].from, F);
    let red = Expr::Literal(Literal::Enum(net::EnumId(0), 0));
    assert_eq!(t.participants[0].fate, Fate::Move { to: G, values: vec![var(h), red] });
    assert_eq!(t.participants[1].pattern, [Some(var(p)), None]);
    assert_eq!(t.participants[1].fate, Fate::Stay);
    assert_eq!(t.participants[2].fate, Fate::End);
    assert_eq!(t.spawns[0].child, Some(Var(h)));
    assert_eq!((t.spawns[1].child, t.spawns[1].count), (None, 0));
    assert_eq!((t.spawns[2].child, t.spawns[2].count), (None, 1));
    assert_eq!(t.puts[0].pattern, [Some(var(h)), Some(var(n))]);
}

#[test]
fn tokens_and_multiplicities() {
    let t = transition(
        "(x: 0..=3) { take lock, two b(x), (two + 1) b(y), 0 b(y)   put 0 lock, two b(2 * two)\n\
         read 3 o(_, x), h: f(y), _: f(3), 0 lock }",
    );
    let counts: Vec<u32> = t.takes.iter().map(|arc| arc.count).collect();
    assert_eq!(counts, [1, 2, 3]);
    assert_eq!(t.parameters, [(Var(0), Sort::Int { min: 0, max: 3 })]);
    assert_eq!(t.takes[1].pattern, [Some(var(0))]);
    assert_eq!(t.puts.len(), 1);
    assert_eq!((t.puts[0].count, &t.puts[0].pattern[0]), (2, &Some(Expr::int(4))));
    assert_eq!((t.reads[0].place, t.reads[0].count), (O, 3));
    assert_eq!(t.reads[0].pattern, [None, Some(var(0))]);
    // The thread is the first column.
    assert_eq!(t.reads[1].pattern, [Some(var(2)), Some(var(1))]);
    assert_eq!(t.reads[2].pattern, [None, Some(Expr::int(3))]);
    assert_eq!(t.reads.len(), 3);
    let none = transition(" { take zero b(x)   read 0 h: f(y), b(z)   put b(z) }");
    assert_eq!((none.takes.len(), none.reads.len()), (0, 1));
}

#[test]
fn inhibitors_have_variables_of_their_own() {
    let t = transition(
        " { take b(x)   unless 2 b(y) with y > x   unless y: f(x)   unless _: g(_, red)\n\
         unless lock }",
    );
    let names: Vec<&str> = t.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["x", "y", "y"]);
    assert_eq!((t.inhibitors[0].arcs[0].place, t.inhibitors[0].arcs[0].count), (B, 2));
    assert_eq!(t.inhibitors[0].arcs[0].pattern, [Some(var(1))]);
    assert_eq!(t.inhibitors[0].condition, Some(Expr::binary(BinaryOp::Greater, var(1), var(0))));
    assert_eq!(t.inhibitors[1].arcs[0].pattern, [Some(var(2)), Some(var(0))]);
    assert_eq!(t.inhibitors[2].arcs[0].pattern[0], None);
    assert_eq!((t.inhibitors[3].arcs[0].place, t.inhibitors[3].arcs[0].pattern.len()), (LOCK, 0));
}

#[test]
fn definitions_and_guards() {
    let t = transition(
        " { take b(x), b(d)   let d = x + two   let e = d * d   put b(e)\n\
         when x < 3 and (d != 1 and true) and (x > 0 or two == 3) and (two == 2 or x / zero > 1) }",
    );
    let names: Vec<&str> = t.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["x", "d", "e"]);
    // A definition in a pattern is compared, not bound.
    assert_eq!(t.takes[1].pattern, [Some(var(1))]);
    assert_eq!(t.definitions[0], (Var(1), Expr::binary(BinaryOp::Add, var(0), Expr::int(2))));
    assert_eq!(t.definitions[1], (Var(2), Expr::binary(BinaryOp::Multiply, var(1), var(1))));
    assert_eq!(
        t.guard,
        [
            Expr::binary(BinaryOp::Less, var(0), Expr::int(3)),
            Expr::binary(BinaryOp::NotEqual, var(1), Expr::int(1)),
            Expr::binary(
                BinaryOp::Or,
                Expr::binary(BinaryOp::Greater, var(0), Expr::int(0)),
                Expr::Literal(Literal::Bool(false))
            ),
        ]
    );
}

#[test]
fn operators_group_as_described() {
    let guard = |text: &str| {
        let items = format!(" {{ take b(x), b(y), b(z)   when {text} }}");
        transition(&items).guard
    };
    for (plain, grouped) in [
        ("x + y * z == 1", "(x + (y * z)) == 1"),
        ("x - y - z == 1", "((x - y) - z) == 1"),
        ("x / y % z == 1", "((x / y) % z) == 1"),
        ("-x * y == 1", "((-x) * y) == 1"),
        ("not x == y or z == 1", "(not (x == y)) or (z == 1)"),
        ("x == 1 or y == 1 and z == 1", "(x == 1) or ((y == 1) and (z == 1))"),
        ("x == 1 implies y == 1 implies z == 1", "(x == 1) implies ((y == 1) implies (z == 1))"),
        ("x == 1 or y == 1 implies z == 1", "((x == 1) or (y == 1)) implies (z == 1)"),
        ("(if x == 1 then y else z + 1) == 2", "(if (x == 1) then y else (z + 1)) == 2"),
    ] {
        assert_eq!(guard(plain), guard(grouped), "{plain}");
    }
    let negated = Expr::Unary(UnaryOp::Negate, Box::new(var(0)));
    assert_eq!(guard("-x == y"), [Expr::binary(BinaryOp::Equal, negated, var(1))]);
}

#[test]
fn relations_keep_their_order() {
    let t = transition(
        " { stay p: a   stay q: a   when parent(p, q) and ancestor(q, p) and next_sibling(p, q)\n\
         and elder_sibling(q, p) }",
    );
    let written: Vec<String> = t
        .guard
        .iter()
        .map(|expr| match expr {
            Expr::Relation(relation, a, b) => format!("{} {} {}", relation.name(), a.0, b.0),
            other => panic!("{other:?} is no relation"),
        })
        .collect();
    assert_eq!(written, ["parent 0 1", "ancestor 1 0", "next_sibling 0 1", "elder_sibling 1 0"]);
}

fn term(text: &str) -> Expr {
    match property(text).formula {
        Formula::Term(term) => term,
        Formula::Binary(op, a, b) => match (*a, *b) {
            (Formula::Term(a), Formula::Term(b)) => Expr::Binary(op, Box::new(a), Box::new(b)),
            other => panic!("{other:?} are no terms"),
        },
        other => panic!("{other:?} is no term"),
    }
}

fn int(number: i64) -> Expr {
    Expr::Literal(Literal::Int(number))
}

#[test]
fn terms_of_properties() {
    let count = |place, columns: usize| Expr::Count(place, vec![None; columns]);
    let at_most = |count, n| Expr::Binary(BinaryOp::LessEqual, Box::new(count), Box::new(int(n)));
    // The thread of a flow place is the first column of what is counted.
    assert_eq!(term("count(f) <= 2"), at_most(count(F, 2), 2));
    assert_eq!(term("(at most 2 at f) and true"), term("count(f) <= 2 and true"));
    // Alone, a bound is meant of every state.
    let bound = |text| match property(text).formula {
        Formula::Path(PathOp::Always, inner) => *inner,
        other => panic!("{other:?} is no bound"),
    };
    assert_eq!(bound("at most 2 at f"), Formula::Term(at_most(count(F, 2), 2)));
    assert_eq!(bound("(at most 1 + 2 in o)"), Formula::Term(at_most(count(O, 2), 3)));
    assert_eq!(term("count(f(3)) <= 2"), at_most(Expr::Count(F, vec![None, Some(int(3))]), 2));
    assert_eq!(term("enabled(t)"), Expr::Enabled(net::TransitionId(0)));
    let Formula::Quantified { body, thread, .. } = property("forall p at g: p.who == p").formula
    else {
        panic!("a quantifier")
    };
    assert_eq!(thread, Some(Var(0)));
    let field = Expr::Field(Var(0), G, 1);
    let equal = Expr::Binary(BinaryOp::Equal, Box::new(field), Box::new(Expr::Var(Var(0))));
    assert_eq!(*body, Formula::Term(equal));
}

#[test]
fn formulas() {
    let truth = || Box::new(Formula::Term(Expr::Literal(Literal::Bool(true))));
    let path = |op| Formula::Path(op, truth());
    for (text, formula) in [
        ("deadlock_free", Formula::DeadlockFree),
        ("always true", path(PathOp::Always)),
        ("never true", path(PathOp::Never)),
        ("eventually true", path(PathOp::Eventually)),
        ("next true", path(PathOp::Next)),
        ("reachable true", path(PathOp::Reachable)),
        ("AG true", path(PathOp::AllGlobally)),
        ("AF true", path(PathOp::AllFinally)),
        ("AX true", path(PathOp::AllNext)),
        ("EG true", path(PathOp::SomeGlobally)),
        ("EF true", path(PathOp::SomeFinally)),
        ("EX true", path(PathOp::SomeNext)),
        ("true until true", Formula::Until(truth(), truth())),
        ("true leads_to true", Formula::LeadsTo(truth(), truth())),
        ("true AU true", Formula::AllUntil(truth(), truth())),
        ("true EU true", Formula::SomeUntil(truth(), truth())),
        ("not true", Formula::Not(truth())),
        ("true implies true", Formula::Binary(BinaryOp::Implies, truth(), truth())),
    ] {
        assert_eq!(property(text).formula, formula, "{text}");
    }
    for (plain, grouped) in [
        ("always true implies eventually true", "always (true implies (eventually true))"),
        ("not always true and true", "not (always (true and true))"),
        ("true implies true until true or true", "(true implies true) until (true or true)"),
        ("forall p at a: true until true", "forall p at a: (true until true)"),
        ("AG EF true and true", "AG (EF (true and true))"),
        ("true and exists p at a: true or true", "true and (exists p at a: (true or true))"),
    ] {
        assert_eq!(property(plain).formula, property(grouped).formula, "{plain}");
    }
}

#[test]
fn quantifiers() {
    let p = property("forall (q, _) in o: exists h at a: forall x in b: q at a or ended(h)");
    let names: Vec<&str> = p.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["q", "h", "x"]);
    let Formula::Quantified { quantifier, thread, subject, body } = p.formula else {
        panic!("a quantifier")
    };
    assert_eq!((quantifier, thread), (Quantifier::Forall, None));
    assert_eq!(subject, Subject::In(O, vec![Some(Var(0)), None]));
    let Formula::Quantified { quantifier, thread, subject, body } = *body else {
        panic!("a quantifier")
    };
    assert_eq!((quantifier, thread), (Quantifier::Exists, Some(Var(1))));
    assert_eq!(subject, Subject::At(A));
    let Formula::Quantified { subject, body, .. } = *body else { panic!("a quantifier") };
    assert_eq!(subject, Subject::In(B, vec![Some(Var(2))]));
    let at = Formula::Term(Expr::At(Var(0), A));
    let ended = Formula::Term(Expr::Ended(Var(1)));
    assert_eq!(*body, Formula::Binary(BinaryOp::Or, Box::new(at), Box::new(ended)));
    // Two quantifiers beside one another may use one name.
    let p = property("(forall h at a: ended(h)) or (exists h entering f: h.n == 1)");
    assert_eq!(p.variables.len(), 2);
    assert_eq!(p.text, "(forall h at a: ended(h)) or (exists h entering f: h.n == 1)");
}

#[test]
fn places_and_transitions_know_where_they_are_written() {
    let text = "model m\nplace q(c: 0..=1) = 0\ntransition go { take q(x)   put q(1 - x) }\n";
    let net = compile(text, &[]).net.unwrap();
    assert_eq!(&text[net.places[0].origin.range().unwrap()], "q");
    let go = &text[net.transitions[0].origin.range().unwrap()];
    assert_eq!(go, "go { take q(x)   put q(1 - x) }");
    assert_eq!(Transition::default().origin.range(), None);
}
