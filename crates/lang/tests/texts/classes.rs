//! What is said about classes, and what it becomes in the net.

use lang::{Override, compile};
use net::{
    Arc, BinaryOp, EnumId, Enumeration, Expr, Formula, InitialToken, InitialValue, Kind, Literal,
    Net, Part, Sort, Symmetry, Transition, Var,
};

fn net_of(text: &str) -> Net {
    let compilation = compile(text, &[]);
    let drawn = compilation.diagnostics.render("model.kin", text, false);
    let net = compilation.net.unwrap_or_else(|| panic!("{drawn}"));
    assert_eq!(net.check(), [], "{text}");
    let written = lang::write(&net);
    let again = compile(&written, &[]);
    let drawn = again.diagnostics.render("written.kin", &written, false);
    assert_eq!(again.net.as_ref(), Some(&net), "{drawn}{written}");
    net
}

fn class(declaration: &str) -> Enumeration {
    let text = format!("model m\nconst n = 3\n{declaration}\nflow main\nstart main\n");
    net_of(&text).enumerations.remove(0)
}

fn names(class: &Enumeration) -> Vec<&str> {
    class.members.iter().map(|member| &**member).collect()
}

fn part(name: &str, size: u32) -> Part {
    Part { name: name.into(), size }
}

#[test]
fn classes_and_their_members() {
    let site = class("class Site symmetric n + 1");
    assert_eq!(names(&site), ["Site1", "Site2", "Site3", "Site4"]);
    assert_eq!((site.symmetry, &site.parts[..]), (Symmetry::Full, &[][..]));
    let node = class("class Node cyclic n");
    assert_eq!((node.symmetry, node.members.len()), (Symmetry::Rotations, 3));
    let colour = class("class Colour symmetric { red, green, }");
    assert_eq!((names(&colour), colour.symmetry), (vec!["red", "green"], Symmetry::Full));
    // An enumeration is an ordered class whose members are named.
    let written = class("class Mode ordered { slow, fast }");
    assert_eq!(written, class("enum Mode { slow, fast }"));
    assert_eq!(class("class Level ordered n").symmetry, Symmetry::None);
}

#[test]
fn parts_are_runs_of_members() {
    let proc = class("class Proc symmetric leader 1, others n - 1");
    assert_eq!(names(&proc), ["Proc1", "Proc2", "Proc3"]);
    assert_eq!(proc.parts, [part("leader", 1), part("others", 2)]);
    let proc = class("class Proc symmetric leader { p1 }, others { p2, p3 }");
    assert_eq!(names(&proc), ["p1", "p2", "p3"]);
    assert_eq!(proc.parts, [part("leader", 1), part("others", 2)]);
    // Members without names of their own are numbered in the whole class.
    let proc = class("class Proc ordered low n, middle { m1, m2 }, high (n - 2)");
    assert_eq!(names(&proc), ["Proc1", "Proc2", "Proc3", "m1", "m2", "Proc6"]);
    assert_eq!(proc.parts, [part("low", 3), part("middle", 2), part("high", 1)]);
    // One part is the whole class, with a name.
    assert_eq!(class("class Proc symmetric everybody n").parts, [part("everybody", 3)]);
}

const CLASSES: &str = "\
class Site symmetric 3
class Node cyclic 4
class Level ordered 5
class Proc symmetric leader 1, others 3
";
const SITE: EnumId = EnumId(0);
const NODE: EnumId = EnumId(1);
const LEVEL: EnumId = EnumId(2);
const PROC: EnumId = EnumId(3);

fn member(id: EnumId, index: u32) -> Literal {
    Literal::Enum(id, index)
}

#[test]
fn constants_may_be_members_and_follow_their_size() {
    let text = "model m\nconst n = 3\nclass Level ordered n - 1\nconst top = Level(n - 1)\n\
                const first = Level1\nconst two = succ(Level1) const one = pred(top, n - 2)\n\
                const below = first < top\n\
                class Rank ordered low_rank 1, high_rank 2\nconst lowest = low_rank\n\
                place on: Level = top\n";
    let net = net_of(text);
    let values: Vec<String> = net.constants.iter().map(|c| net.literal(c.value)).collect();
    assert_eq!(values, ["3", "Level2", "Level1", "Level2", "Level1", "true", "Rank1"]);
    let set = |name: &str, value: &str| {
        let given = Override { name: name.into(), value: value.into() };
        compile(text, &[given]).net.expect("it is right")
    };
    let net = set("n", "6");
    assert_eq!(net.enumerations[0].members.len(), 5);
    assert_eq!(net.tokens[0].values, [InitialValue::Data(member(EnumId(0), 4))]);
    assert_eq!(set("first", "Level2").constants[2].value, member(EnumId(0), 1));
}

fn tokens(place: &str) -> Vec<InitialToken> {
    let text = format!("model m\n{CLASSES}flow main\nstart a: main\nplace p: {place}\n");
    net_of(&text).tokens
}

fn is_not(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinaryOp::NotEqual, a, b)
}

fn var(index: u32) -> Expr {
    Expr::Var(Var(index))
}

fn within(index: u32, id: EnumId, part: u32) -> Expr {
    Expr::Within(Box::new(var(index)), id, part)
}

#[test]
fn initial_tokens_for_all_members() {
    use InitialValue::{Data, Each, Thread};
    let [all] = &tokens("Site = 2 of all")[..] else { panic!("one") };
    assert_eq!((all.count, &all.each[..], &all.values[..]), (2, &[SITE][..], &[Each(0)][..]));
    assert_eq!(all.condition, None);

    let pairs = tokens("Site * Site = (all s, all r) with s != r");
    assert_eq!(pairs[0].each, [SITE, SITE]);
    assert_eq!(pairs[0].values, [Each(0), Each(1)]);
    assert_eq!(pairs[0].condition, Some(is_not(var(0), var(1))));
    let short = tokens("Site * Site = (all s, all except s)");
    assert_eq!(short[0].values, pairs[0].values);
    assert_eq!(short[0].condition, Some(is_not(var(1), var(0))));

    let diagonal = tokens("Site * pid * Site * 0..=3 = (x, a, all x, 2)");
    assert_eq!(
        diagonal[0].values,
        [Each(0), Thread(0), Each(0), Data(Literal::Int(2))],
        "a variable may stand before its `all`"
    );
    let some =
        tokens("Proc * Level = (all in others, Level2), (leader, all except (Level1, Level(3)))");
    assert_eq!(some[0].condition, Some(within(0, PROC, 1)));
    assert_eq!(some[0].values, [Each(0), Data(member(LEVEL, 1))]);
    assert_eq!(some[1].values, [Data(member(PROC, 0)), Each(0)]);
    let literal = |index| Expr::Literal(member(LEVEL, index));
    let both = Expr::binary(BinaryOp::And, is_not(var(0), literal(0)), is_not(var(0), literal(2)));
    assert_eq!(some[1].condition, Some(both));
    // What has no choice is not there.
    assert_eq!(tokens("Site = all x with x != x, 0 of all, all").len(), 1);
}

/// Members may be named initially as long as all are treated alike.
#[test]
fn the_initial_state_may_name_members() {
    assert_eq!(tokens("Site = Site1, Site3, Site(2)").len(), 3);
    assert_eq!(tokens("Site * Level = (Site1, all), (Site2, all), (Site3, all)").len(), 3);
    let ring = "Node * Node = (Node1, Node2), (Node2, Node3), (Node3, Node4), (Node4, Node1)";
    assert_eq!(tokens(ring).len(), 4);
    assert_eq!(tokens("Proc = leader, 2 of Proc2, 2 of Proc3, Proc4, Proc4").len(), 5);
    for told in [
        "Site = Site1",
        "Site * Site = (Site1, Site2), (Site2, Site3), (Site3, Site1)",
        "Site * Level = (Site1, all), (Site2, all), (Site3, all), (Site2, Level2)",
        "Node * Node = (Node1, Node2), (Node2, Node1)",
        "Proc = Proc2",
    ] {
        let text = format!("model m\n{CLASSES}place p: {told}\n");
        let codes: Vec<&str> = compile(&text, &[]).diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["E0702"], "{told}");
    }
}

fn transition(items: &str) -> Transition {
    let text = format!(
        "model m\n{CLASSES}flow main, f(s: Site)\nstart main\n\
         place s: Site * Site = (all, all) place n: Node place l: Level place p: Proc\n\
         transition t{items}\n"
    );
    net_of(&text).transitions.remove(0)
}

#[test]
fn arcs_for_all_members() {
    let t = transition(
        " { take s(x, _), s(x, all except x), 2 p(all)   read s(all y, y)\n\
         put s(all a, all b) with a != b }",
    );
    let named: Vec<(&str, Kind)> = t.variables.iter().map(|v| (v.name.as_str(), v.kind)).collect();
    // Variables that have no name in the text have none that could be in one.
    let site = Kind::Enum(SITE);
    assert_eq!(
        named,
        [
            ("x", site),
            ("all", site),
            ("all", Kind::Enum(PROC)),
            ("y", site),
            ("a", site),
            ("b", site)
        ],
        "{t:?}"
    );
}

#[test]
fn an_arc_for_all_members_binds_nothing() {
    let items = " { take s(x, x), s(x, all except x) }";
    let t = transition(items);
    assert_eq!(t.takes[0], Arc::new(net::PlaceId(2), vec![Some(var(0)), Some(var(0))], 1));
    let all = &t.takes[1];
    assert_eq!(
        (&all.pattern[..], &all.each[..]),
        (&[Some(var(0)), Some(var(1))][..], &[Var(1)][..])
    );
    assert_eq!(all.condition, Some(is_not(var(1), var(0))));
    for unbound in ["take s(x, all)", "read s(x, all) put s(x, x)", "put s(all, x)"] {
        let text = format!(
            "model m\n{CLASSES}place s: Site * Site = (all, all)\ntransition t {{ {unbound} }}\n"
        );
        let codes: Vec<&str> = compile(&text, &[]).diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["E0203"], "{unbound}");
    }
}

#[test]
fn conditions_of_arcs_are_joined_in_their_order() {
    let t = transition(
        "(q: Proc) { put p(all r in others except q) with r == r and (r != q or r in leader) }",
    );
    let [Arc { condition: Some(condition), .. }] = &t.puts[..] else { panic!("one arc") };
    let r = || var(1);
    let same = Expr::binary(BinaryOp::Equal, r(), r());
    let other = Expr::binary(BinaryOp::Or, is_not(r(), var(0)), within(1, PROC, 0));
    let restricted = Expr::binary(BinaryOp::And, within(1, PROC, 1), is_not(r(), var(0)));
    let with = Expr::binary(BinaryOp::And, same, other);
    assert_eq!(*condition, Expr::binary(BinaryOp::And, restricted, with));
    // What is always true is left out.
    let t = transition(" { put p(all) with 1 < 2 }");
    assert_eq!(t.puts[0].condition, None);
}

#[test]
fn what_is_taken_no_times_is_not_there() {
    let t = transition(" { take 0 s(all, all)   put 0 p(all), 3 p(all) }");
    assert_eq!((t.takes.len(), t.puts.len(), t.puts[0].count), (0, 1, 3));
}

#[test]
fn expressions_on_members() {
    let t = transition(
        "(x: Node, j: Level, q: Proc) { put n(succ(x)), n(pred(x, 3)), n(succ(pred(x)))\n\
         when j < Level3 and succ(j) >= Level(2) and q in others and q != leader and not x == x }",
    );
    let x = || Box::new(var(0));
    let put = |i: usize| t.puts[i].pattern[0].clone().expect("it is known");
    assert_eq!(put(0), Expr::Shift(x(), NODE, 1));
    assert_eq!(put(1), Expr::Shift(x(), NODE, -3));
    assert_eq!(put(2), Expr::Shift(Box::new(Expr::Shift(x(), NODE, -1)), NODE, 1));
    let level = |index| Expr::Literal(member(LEVEL, index));
    let next = Expr::Shift(Box::new(var(1)), LEVEL, 1);
    assert_eq!(t.guard[0], Expr::binary(BinaryOp::Less, var(1), level(2)));
    assert_eq!(t.guard[1], Expr::binary(BinaryOp::GreaterEqual, next, level(1)));
    assert_eq!(t.guard[2], within(2, PROC, 1));
    assert_eq!(t.guard[3], is_not(var(2), Expr::Literal(member(PROC, 0))));
    assert_eq!(t.parameters[2], (Var(2), Sort::Enum(PROC)));
    // An enumeration has an order, too, and constants are computed.
    let net = net_of(
        "model m\nenum Mode { slow, fast }\nplace p: Mode = slow\n\
         transition t { take p(x)   put p(succ(slow))   when x < fast and slow < fast }\n",
    );
    let fast = Expr::Literal(member(EnumId(0), 1));
    assert_eq!(net.transitions[0].puts[0].pattern, [Some(fast)]);
    assert_eq!(net.transitions[0].guard.len(), 1);
}

#[test]
fn inhibitors_and_threads_with_members() {
    let t = transition(
        " { move h: f(x) -> f(y)   take s(x, y)   spawn c from h: f(x)\n\
         unless 2 s(x, z) with z != x   unless _: f(y) }",
    );
    assert_eq!(t.inhibitors[0].arcs[0].count, 2);
    assert_eq!(t.variables[t.inhibitors[0].arcs[0].pattern.len()].kind, Kind::Enum(SITE));
    assert_eq!(t.spawns[0].values, [var(1)]);
}

#[test]
fn properties_of_members() {
    let formula = |formula: &str| {
        let text = format!(
            "model m\n{CLASSES}place p: Proc * Level = (all, Level1)\nplace s: Site = all\n\
             property a: {formula}\n"
        );
        net_of(&text).properties.remove(0).formula
    };
    let Formula::Quantified { body, .. } =
        formula("forall (q, l) in p: (q in leader implies l < Level2)")
    else {
        panic!("a quantifier")
    };
    let boxed = |term| Box::new(term);
    let literal = |id, index| Expr::Literal(member(id, index));
    let compared = |op, var, other| Expr::Binary(op, boxed(Expr::Var(Var(var))), boxed(other));
    let leads = Formula::Term(compared(BinaryOp::Equal, 0, literal(PROC, 0)));
    let low = Formula::Term(compared(BinaryOp::Less, 1, literal(LEVEL, 1)));
    assert_eq!(*body, Formula::Binary(BinaryOp::Implies, Box::new(leads), Box::new(low)));
    // A property may name any member.
    let count = Expr::Count(net::PlaceId(1), vec![Some(literal(SITE, 1))]);
    let one = Expr::Binary(BinaryOp::Equal, boxed(count), boxed(Expr::Literal(Literal::Int(1))));
    assert_eq!(formula("count(s(Site2)) == 1"), Formula::Term(one));
}

/// Nets that no text gives are written as well as can be: conditions that could not be read in place
/// get a variable.
#[test]
fn nets_built_by_hand_are_written() {
    let text = format!("model m\n{CLASSES}place s: Site * Site = (all, all)\nconst x = 1\n");
    let mut net = net_of(&text);
    let both = |a, b| Expr::binary(BinaryOp::And, a, b);
    let same = |a, b| Expr::binary(BinaryOp::Equal, a, b);
    net.tokens[0].condition = Some(both(same(var(1), var(0)), is_not(var(0), var(1))));
    assert!(
        lang::write(&net).contains("= (all y, all z) with z == y and y != z"),
        "{}",
        lang::write(&net)
    );
    net.tokens[0].condition = Some(both(is_not(var(0), var(1)), same(var(1), var(1))));
    let written = lang::write(&net);
    assert!(written.contains("= (all except y, all y) with y == y"), "{written}");
    assert_eq!(compile(&written, &[]).net.as_ref(), Some(&net));

    let variable = |name: &str| net::Variable::new(name, Kind::Enum(SITE));
    let arc = Arc {
        place: net::PlaceId(0),
        pattern: vec![Some(var(0)), Some(var(1))],
        count: 1,
        each: vec![Var(0), Var(1)],
        condition: Some(same(var(0), var(1))),
    };
    let t = Transition {
        name: "t".into(),
        variables: vec![variable("all"), variable("y")],
        takes: vec![arc],
        ..Transition::default()
    };
    assert_eq!(lang::write_arc(&net, &t, &t.takes[0]), "all z, all y with z == y");
    net.transitions.push(t);
    assert_eq!(net.check(), []);
    assert!(compile(&lang::write(&net), &[]).net.is_some(), "{}", lang::write(&net));
}

/// A net may have as many members as the limit allows, and reading it is quick.
#[test]
fn large_classes_are_read() {
    let text = "model m\nclass Site symmetric 1_048_576\nplace p: Site = all except Site1\n";
    let codes: Vec<&str> = compile(text, &[]).diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["E0408", "E0701"]);
    let text = "model m\nclass Site symmetric 1_000_000\nplace p: Site = all\n\
                transition t { take p(all) }\n";
    let net = compile(text, &[]).net.expect("it is right");
    assert_eq!(net.enumerations[0].members.len(), 1_000_000);
}

/// Names that a net has not got are made up where they clash with none that it has.
#[test]
fn names_that_look_like_members_are_written() {
    let net = net_of(
        "model m\nenum Mode { Mode1, Mode2 }\nconst thread1 = 1\nflow a\n\
         place p: Mode = Mode1\nplace q: pid = first\nstart first: a\n\
         transition t { take p(Mode3)   put p(Mode3) }\n",
    );
    let written = lang::write(&net);
    assert!(written.contains("enum Mode { Mode1, Mode2 }"), "{written}");
    assert!(written.contains("start thread_1: a"), "{written}");
    // Otherwise the members of an enumeration that are numbered need not be listed.
    let net = net_of("model m\nenum Mode { Mode1, Mode2 }\nplace p: Mode = Mode1\n");
    assert!(lang::write(&net).contains("class Mode ordered 2"));
}
