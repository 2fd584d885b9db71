//! What groups, records in any order, become in the net.

use lang::{compile, format, write};
use net::{Expr, Formula, Group, Net, PathOp, Whom};

const TEXT: &str = include_str!("../corpus/groups.kin");

fn compiled(text: &str) -> Net {
    let compilation = compile(text, &[]);
    let drawn = compilation.diagnostics.render("model.kin", text, false);
    assert!(drawn.is_empty(), "{drawn}");
    let net = compilation.net.expect("there are no errors");
    assert_eq!(net.check(), []);
    net
}

/// The names of transitions.
fn names(net: &Net) -> Vec<&str> {
    net.transitions.iter().map(|transition| transition.name.as_str()).collect()
}

/// The copies of the transition `go`, with these items.
fn copies(items: &str) -> usize {
    let text = format!(
        "model m\nflow f, g({{3 of 0..=1}})\nplace p({{3 of pid?}}) = (none, none, none)\n\
         place q({{2 of (0..=1, {{2 of pid?}})}})\nstart f\ntransition go {{ {items} }}\n"
    );
    compiled(&text).transitions.len()
}

#[test]
fn columns_of_groups() {
    let net = compiled(TEXT);
    let groups = |name: &str| {
        let place = net.places.iter().find(|place| *place.name == *name).expect("there");
        (place.columns.len(), place.groups.clone())
    };
    // The thread is the first column, and in no group.
    assert_eq!(groups("holding"), (6, vec![Group::new(2, 1, 3)]));
    let nested = vec![Group::new(1, 1, 2)];
    let serving = Group { groups: nested, ..Group::new(1, 3, 2) };
    assert_eq!(groups("serving"), (7, vec![serving]));
    let nested = vec![Group::new(2, 1, 2)];
    let table = Group { groups: nested, ..Group::new(0, 4, 2) };
    assert_eq!((groups("table"), groups("log")), ((9, vec![table.clone()]), (9, vec![table])));
    assert_eq!(groups("held"), (3, vec![Group::new(1, 1, 2)]));
    assert_eq!(groups("one"), (1, vec![Group::new(0, 1, 1)]));
}

#[test]
fn a_transition_stands_for_all_orders_that_differ() {
    for (number, items) in [
        // Nothing is told apart.
        (1, "stay t: f   read p(_, _, _)"),
        (1, "stay t: f   take p(a, b, c)   put p(c, a, b)"),
        (1, "stay t: f   take p(a, b, c)   put p(c, a, b)   when a != b and b != c and a != c"),
        (1, "stay t: f   take q(n, a, b, m, c, d)   put q(m, d, c, n, a, b)"),
        (1, "move t: f -> g(0, 1, 1)"),
        (1, "move t: g(x, y, z) -> g(y, x, z)"),
        // One record is told from the others.
        (3, "stay t: f   take p(t, b, c)   put p(none, b, c)"),
        (3, "stay t: f   read p(a, b, c)   when a != none and (b == none or c == none)"),
        (3, "move t: g(x, 0, 0) -> f"),
        (2, "stay t: f   read q(1, _, _, _, _, _)"),
        // One record of one record.
        (4, "stay t: f   read q(_, t, _, _, _, _)"),
        // All are.
        (6, "stay t: f   read p(a, b, c)   when a != none and b == none and b != c"),
        // Two tokens.
        (9, "stay t: f   read p(t, _, _), p(none, _, _)"),
        // What disables is in all orders anyhow.
        (1, "stay t: f   unless p(t, _, _)"),
    ] {
        assert_eq!(copies(items), number, "{items}");
    }
}

#[test]
fn what_disables_does_so_in_every_order() {
    let text = "model m\nflow f\nplace p({3 of pid?}) = (none, none, none)\nstart f\n\
                transition go { stay t: f   unless p(t, x, _) with x != none }\n";
    let net = compiled(text);
    assert_eq!(net.transitions[0].inhibitors.len(), 6);
    assert!(net.actions.is_empty());
    let written = write(&net);
    assert!(
        written.contains("    unless p(t, x, _) with x != none")
            || written.contains("   unless p(t, x, _) with x != none }"),
        "{written}"
    );
    assert_eq!(written.matches("unless").count(), 1, "{written}");
}

#[test]
fn copies_are_one_to_those_who_name_them() {
    let net = compiled(TEXT);
    let leave: Vec<&str> =
        names(&net).into_iter().filter(|name| name.starts_with("leave")).collect();
    assert_eq!(leave[..3], ["leave", "leave #2", "leave #3"]);
    let action = net.actions.iter().find(|action| action.name == "leave").expect("it is there");
    assert_eq!(action.transitions.len(), leave.len());
    let ranges: Vec<_> =
        action.transitions.iter().map(|id| net.transition(*id).origin.range()).collect();
    assert!(ranges.windows(2).all(|pair| pair[0] == pair[1]), "they are of one statement");
    assert!(net.fairness.iter().all(|fairness| matches!(fairness.of, Whom::Action(_))));
    let can = net.properties.iter().find(|property| property.name == "can").expect("there");
    let mut enabled = 0;
    can.formula.for_each_term(&mut |term| enabled += usize::from(matches!(term, Expr::Enabled(_))));
    assert_eq!(enabled, leave.len());
    // Names that are taken are left alone.
    let text = "model m\nflow f\nplace p({2 of pid?}) = (none, none)\nstart f\n\
                transition go { stay t: f   read p(t, _) }\n\
                transition `go #2` { stay t: f   read p(none, _) }\n";
    assert_eq!(names(&compiled(text)), ["go", "go #3", "go #2", "go #2 #2"]);
}

#[test]
fn quantifiers_go_through_all_orders() {
    let net = compiled(TEXT);
    let formula = |name: &str| {
        &net.properties.iter().find(|property| property.name == name).expect("there").formula
    };
    let count = |formula: &Formula| {
        fn within(formula: &Formula) -> usize {
            let own = usize::from(matches!(formula, Formula::Quantified { .. }));
            own + formula.children().map(within).sum::<usize>()
        }
        within(formula)
    };
    assert!(matches!(formula("some"), Formula::Path(PathOp::Reachable, _)));
    assert_eq!((count(formula("some")), count(formula("all_of_them"))), (6, 6));
}

#[test]
fn what_is_written_is_the_same_net() {
    let net = compiled(TEXT);
    let text = write(&net);
    assert_eq!(compiled(&text), net, "{text}");
    assert_eq!(write(&compiled(&text)), text);
}

#[test]
fn the_layout_is_that_of_the_language() {
    let formatted = format(TEXT).expect("it parses");
    assert_eq!(format(&formatted).expect("it parses"), formatted);
    assert_eq!(compiled(&formatted).places, compiled(TEXT).places);
    let text = "model m\nplace  p( { 3 of( pid ? ,{2 of bool} ) } )\n";
    let expected = "model m\nplace p({3 of (pid?, {2 of bool})})\n";
    assert_eq!(format(text).expect("it parses"), expected);
}

#[test]
fn a_pattern_with_other_columns_is_a_mistake_and_no_more() {
    for (place, count) in [("flow", 3), ("flow", 5), ("place", 2), ("place", 4)] {
        let variables = vec!["_"; count].join(", ");
        let text = format!(
            "model m\n{place} g({{1 of (0..=1, {{2 of 0..=1}})}})\n\
             property e: reachable exists ({variables}) in g: true\n"
        );
        let compilation = compile(&text, &[]);
        assert!(compilation.net.is_none(), "{text}");
    }
}
