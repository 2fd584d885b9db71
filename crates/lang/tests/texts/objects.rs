//! What fresh classes, columns that may be nothing, owned places and tokens that disable together mean in the net.

use lang::compile;
use net::{
    BinaryOp, Expr, FreshId, Hold, InitialValue, Kind, Literal, Net, Sort, Transition, UnaryOp, Var,
};

const TEXT: &str = include_str!("../corpus/objects.kin");
const LOCK: FreshId = FreshId(0);
const NOTE: FreshId = FreshId(1);

fn compiled(text: &str) -> Net {
    let compilation = compile(text, &[]);
    let drawn = compilation.diagnostics.render("model.kin", text, false);
    assert!(drawn.is_empty(), "{drawn}");
    let net = compilation.net.expect("there are no errors");
    assert_eq!(net.check(), []);
    net
}

fn transition<'n>(net: &'n Net, name: &str) -> &'n Transition {
    net.transitions.iter().find(|transition| transition.name == name).expect("it is there")
}

fn variable(transition: &Transition, name: &str) -> Var {
    let index = transition.variables.iter().position(|variable| variable.name == name);
    Var(index.expect("it is there") as u32)
}

#[test]
fn places_and_the_initial_state() {
    let net = compiled(TEXT);
    let classes: Vec<&str> = net.fresh.iter().map(|class| &*class.name).collect();
    assert_eq!((classes, &net.objects[..]), (vec!["Lock", "Note"], &[LOCK, LOCK, NOTE][..]));
    let place = |name: &str| net.places.iter().find(|place| *place.name == *name).expect("there");
    let state = place("state");
    assert_eq!(state.hold, Hold::Owned(0));
    let columns: Vec<_> = state.columns.iter().map(|c| (c.sort, c.optional)).collect();
    let uses = Sort::Int { min: 0, max: 2 };
    assert_eq!(columns, [(Sort::Object(LOCK), false), (Sort::Pid, true), (uses, true)]);
    assert_eq!((place("notes").hold, place("queue").hold), (Hold::Owned(0), Hold::Root));
    // A column may be called `owner`.
    let result = place("result");
    assert_eq!((result.hold, result.columns[1].name.as_deref()), (Hold::Owned(0), Some("owner")));
    assert!(place("shared").columns[0].optional);
    let nothing = |kind| InitialValue::Data(Literal::None(kind));
    let first = &net.start[0].values;
    assert_eq!(*first, [nothing(Kind::Object(LOCK))]);
    assert_eq!(net.start[1].values, [InitialValue::Object(0)]);
    let tokens: Vec<_> = net.tokens.iter().map(|token| token.values.clone()).collect();
    let zero = InitialValue::Data(Literal::Int(0));
    assert!(tokens.contains(&vec![InitialValue::Object(0), nothing(Kind::Pid), zero]));
    let b = vec![InitialValue::Object(1), InitialValue::Thread(0), nothing(Kind::Int)];
    assert!(tokens.contains(&b));
}

#[test]
fn transitions() {
    let net = compiled(TEXT);
    let make = transition(&net, "make");
    let [m, note, c] = ["m", "note", "c"].map(|name| variable(make, name));
    assert_eq!(make.news, [(m, LOCK), (note, NOTE)]);
    assert_eq!((make.spawns[0].child, make.spawns[0].to), (Some(c), None));
    let old = variable(make, "old");
    let nothing = Expr::Literal(Literal::None(Kind::Object(LOCK)));
    assert_eq!(make.guard, [Expr::binary(BinaryOp::Equal, Expr::Var(old), nothing)]);
    assert!(make.variables[old.index()].optional && !make.variables[m.index()].optional);
    // It is bound by a column that is always something, too.
    let ask = transition(&net, "ask");
    assert!(!ask.variables[variable(ask, "m").index()].optional);
    let take = transition(&net, "take_it");
    let (x, n) = (variable(take, "x"), variable(take, "n"));
    assert!(take.variables[x.index()].optional && !take.variables[n.index()].optional);
    let Expr::If(_, _, value) = &take.definitions[0].1 else { panic!("{:?}", take.definitions) };
    assert_eq!(**value, Expr::Unary(UnaryOp::Value, Expr::Var(x).into()));
    let [together] = &take.inhibitors[..] else { panic!("{:?}", take.inhibitors) };
    assert_eq!((together.arcs.len(), together.condition.is_some()), (2, true));
    assert_eq!(together.arcs[0].pattern[1], together.arcs[1].pattern[0]);
}

#[test]
fn what_is_written_is_the_same_net() {
    let net = compiled(TEXT);
    let written = lang::write(&net);
    assert_eq!(lang::write(&compiled(&written)), written);
    let again = compiled(&written);
    for (one, other) in net.transitions.iter().zip(&again.transitions) {
        assert_eq!(Transition { origin: other.origin, ..one.clone() }, *other);
    }
    assert_eq!(
        (&net.tokens, &net.start, &net.objects),
        (&again.tokens, &again.start, &again.objects)
    );
    for (one, other) in net.places.iter().zip(&again.places) {
        assert_eq!((&one.columns, one.hold), (&other.columns, other.hold));
    }
}

#[test]
fn the_layout_is_kept() {
    assert_eq!(lang::format(TEXT).as_deref(), Ok(TEXT));
    let loose = "model m\nclass  Lock   fresh\nnew a :Lock ,b: Lock\nplace p( owner m :Lock , n: 0..=3 ? )\n\
                 flow f\nstart f\ntransition t{stay p:f   new x :Lock   put p( x ,none )}\n";
    let tidy = "model m\nclass Lock fresh\nnew a: Lock, b: Lock\nplace p(owner m: Lock, n: 0..=3?)\n\
                flow f\nstart f\ntransition t { stay p: f   new x: Lock   put p(x, none) }\n";
    assert_eq!(lang::format(loose).as_deref(), Ok(tidy));
}

/// The new words mean something only where they did not before.
#[test]
fn models_with_these_names_stay_valid() {
    compiled(
        "model m\nconst value = 1\nflow new, fresh(owner: 0..=3)\nplace none(owner: pid, new: bool)\n\
         class owner symmetric 3\nplace held(owner, owner)\nplace end: 0..=3 = 1\n\
         start new: new\nstart fresh(value)\n\
         transition new { move new: new -> new   take end(none)   put end(none)   put none(new, true) }\n",
    );
}
