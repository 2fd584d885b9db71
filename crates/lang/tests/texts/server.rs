//! The server model of the 2008 paper, as the design writes it.

use lang::{Override, compile};
use net::{BinaryOp, Expr, Fate, Formula, PathOp, PlaceKind, Sort, Subject, Var};

const SERVER: &str = "\
model server

const k = 2                       // listeners
const m = 1                       // handlers alive at once, per listener

flow main, ready, called, returned, finished, running, done
flow listening(open: 0..=m)

start main

transition init   { end t: main            spawn k times from t: listening(0) }
transition accept { move p: listening(c) -> listening(c + 1)
                    spawn h from p: ready                            when c < m }
transition call   { move h: ready -> called   spawn f from h: running }
transition work   { move f: running -> done }
transition answer { move h: called -> finished   end f: done         when parent(h, f) }
transition reap   { move p: listening(c) -> listening(c - 1)
                    end h: finished                                  when parent(p, h) }

property bounded:     always forall p at listening: p.open <= m
property no_deadlock: deadlock_free
property served:      forall h entering ready: eventually ended(h)
";

fn net_of(text: &str, overrides: &[(&str, &str)]) -> net::Net {
    let overrides: Vec<Override> = overrides
        .iter()
        .map(|(name, value)| Override { name: (*name).into(), value: (*value).into() })
        .collect();
    let compilation = compile(text, &overrides);
    let drawn = compilation.diagnostics.render("server.kin", text, false);
    compilation.net.unwrap_or_else(|| panic!("{drawn}"))
}

#[test]
fn the_server_means_what_it_says() {
    let net = net_of(SERVER, &[]);
    assert_eq!(net.name, "server");
    assert_eq!(net.places.len(), 8);
    assert!(net.places.iter().all(|place| place.kind == PlaceKind::Flow));
    let listening = &net.places[7];
    assert_eq!(listening.columns.len(), 2);
    assert_eq!(listening.columns[0].sort, Sort::Pid);
    assert_eq!(listening.columns[1].sort, Sort::Int { min: 0, max: 1 });
    assert_eq!(net.start.len(), 1);

    let init = &net.transitions[0];
    assert_eq!(init.participants[0].fate, Fate::End);
    assert_eq!(init.spawns[0].count, 2);
    assert_eq!(init.spawns[0].child, None);

    let accept = &net.transitions[1];
    let names: Vec<&str> = accept.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["p", "c", "h"]);
    let c = || Expr::Var(Var(1));
    assert_eq!(accept.participants[0].pattern, [Some(c())]);
    let Fate::Move { values, .. } = &accept.participants[0].fate else { panic!("it moves") };
    assert_eq!(*values, [Expr::binary(BinaryOp::Add, c(), Expr::int(1))]);
    assert_eq!(accept.guard, [Expr::binary(BinaryOp::Less, c(), Expr::int(1))]);
    assert_eq!(accept.spawns[0].child, Some(Var(2)));

    assert_eq!(net.properties[0].text, "always forall p at listening: p.open <= m");
    assert_eq!(net.properties[1].formula, Formula::DeadlockFree);
    let Formula::Quantified { subject, body, .. } = &net.properties[2].formula else {
        panic!("a quantifier")
    };
    assert_eq!(*subject, Subject::Entering(vec![net::PlaceId(1)]));
    assert!(matches!(**body, Formula::Path(PathOp::Eventually, _)));
}

#[test]
fn constants_are_set_from_outside() {
    let net = net_of(SERVER, &[("k", "5"), ("m", "3")]);
    assert_eq!(net.transitions[0].spawns[0].count, 5);
    assert_eq!(net.places[7].columns[1].sort, Sort::Int { min: 0, max: 3 });
    assert_eq!(net.constants[0].value, net::Literal::Int(5));
}

#[test]
fn formatting_keeps_the_net() {
    let formatted = lang::format(SERVER).expect("it parses");
    assert_eq!(net_of(SERVER, &[]), net_of(&formatted, &[]));
    assert_eq!(lang::format(&formatted).expect("it still parses"), formatted);
}

#[test]
fn the_layout_is_canonical() {
    let formatted = lang::format(include_str!("../corpus/comments.kin")).expect("it parses");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("format_comments", formatted);
    });
    let formatted = lang::format(include_str!("../corpus/long_lines.kin")).expect("it parses");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("format_long_lines", formatted);
    });
    assert!(formatted.lines().all(|line| line.len() <= 100), "{formatted}");
}

/// The order in which the items of a transition are written does not matter, but for children.
#[test]
fn the_order_of_items_makes_no_difference() {
    let model = |items: &str| {
        let text = format!(
            "model m\nflow a(n: 0..=3), b\nplace q: 0..=3 * pid\nstart a(1)\n\
             transition t {{ {items} }}\n"
        );
        let compiled = compile(&text, &[]);
        compiled.net.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics))
    };
    let thread = "move p: a(n) -> a(m)";
    let one = model(&format!(
        "{thread}   take q(k, r)   let m = n + k   spawn c from p: b   when r != p"
    ));
    let other = model(&format!(
        "let m = n + k   spawn c from p: b   take q(k, r)   {thread}   when r != p"
    ));
    assert_eq!(one, other);
    assert_eq!(compile(&lang::write(&one), &[]).net, Some(one));
}
