//! What there are too many ways through is refused with its place: no way is ever left out.

use std::fmt::Write as _;
use std::sync::Arc;

use decide::{Checking, Question, Verdict, decide};
use lang::compile;
use survey::Plan;

/// What is wrong with a model.
fn errors(text: &str) -> String {
    compile(text, &[]).diagnostics.render("model.kin", text, false)
}

/// Whether each property of a model holds.
fn verdicts(text: &str) -> Vec<bool> {
    let net = compile(text, &[]).net.unwrap_or_else(|| panic!("{}", errors(text)));
    let net = Arc::new(net);
    let questions: Vec<_> = net.properties.iter().cloned().map(Question::Holds).collect();
    let checking = Checking { plan: Plan { threads: 1, ..Plan::default() }, ..Checking::default() };
    let report = decide(&net, &questions, &checking, &mut |_| {}, &mut |_| {});
    let report = report.expect("a model for it");
    let holds = |verdict: &Verdict| match verdict {
        Verdict::Holds { .. } => true,
        Verdict::Fails(_) => false,
        other => panic!("{other:?}"),
    };
    report.outcomes.iter().map(|outcome| holds(&outcome.verdict)).collect()
}

/// Cells in a sequence, the last of which is set, and a claim that none is.
fn cells(number: usize) -> String {
    let mut text =
        "model m\nobject cell { set: bool = false  step put { set = true } }\n".to_owned();
    let names: Vec<String> = (0..number).map(|cell| format!("c{cell}")).collect();
    for name in &names {
        writeln!(text, "shared {name} = new cell").expect("a string");
    }
    let (last, all) = (&names[number - 1], names.join(", "));
    writeln!(text, "shared cells: seq[cell, {number}] = [{all}]").expect("a string");
    writeln!(text, "process main {{ {last}.put()   cells.pop_back() }}").expect("a string");
    text + "property none: never exists c in cells: c.set\n"
}

#[test]
fn a_claim_is_looked_at_in_all_its_cases_or_refused() {
    assert_eq!(verdicts(&cells(5)), [false]);
    let found = errors(&cells(12));
    assert!(found.contains("error[E1019]: there are more than 100,000 cases"), "{found}");
    assert!(found.contains("never exists c in cells: c.set"), "at the property: {found}");
}

#[test]
fn objects_that_are_there_from_the_start_are_different() {
    let text = "model m
object cell(first: 0..=3) { n: 0..=3 = first }
shared a = new cell(first: 1)
shared b = new cell(first: 2)
shared out: 0..=9 = 0
process main {
    let own: 0..=3 = b.n
    let same: 0..=9 = if a == b then 9 else own + 3
    out = same
}
property five: always out == 0 or out == 5
property ends: always ended(main) implies out == 5
";
    assert_eq!(verdicts(text), [true, true]);
}

#[test]
fn an_object_whose_fields_depend_on_what_is_shared_is_made_in_a_step_of_its_own() {
    let text = "model m
shared given: 0..=1 = 0
shared begun: bool = false
shared out: 0..=1 = 0
object cell { n: 0..=1 = given }
process main {
    spawn other()
    begun = true
    let a = new cell
    out = a.n
}
process other { await begun   given = 1 }
property between: reachable out == 1
property before: reachable ended(main) and ended(other) and out == 0
";
    assert_eq!(verdicts(text), [true, true]);
}

#[test]
fn what_can_be_done_in_too_many_ways_is_refused_where_it_stands() {
    let many = "either { n = 0 } or { n = 1 } or { n = 2 } or { n = 3 }\n".repeat(10);
    let text = format!("model m\nshared n: 0..=3 = 0\nprocess main {{\natomic {{\n{many}}} }}\n");
    let found = errors(&text);
    assert!(found.contains("there are more than 100,000 cases"), "{found}");
    assert!(found.contains("| either {"), "{found}");
}

#[test]
fn what_is_known_is_no_case_of_its_own() {
    // 150 × 150 rounds, in each of which conditions are looked at whose values are known.
    let text = "model m
shared n: 0..=22500 = 0
process main {
    atomic { for i in 0..=149 { for j in 0..=149 { if i < 200 and j < 200 { n = i } } } }
}
property all: always ended(main) implies n == 149
";
    assert_eq!(verdicts(text), [true]);
}

/// A process with this many variables in a function, and a claim about all of them.
fn variables(number: usize) -> String {
    let names: Vec<String> = (0..number).map(|variable| format!("a{variable}")).collect();
    let mut text = "model m\nshared n: 0..=1 = 0\nfn visit() { n = 0   n = 1 }\n".to_owned();
    text += "process main {\n";
    for name in &names {
        writeln!(text, "let {name}: 0..=1 = 1   n = {name}").expect("a string");
    }
    let sum = names.iter().map(|name| format!("m.{name}")).collect::<Vec<_>>().join(" + ");
    text + "visit()\n}\n"
        + &format!("property all: never exists m in main: n == 0 and {sum} == {number}\n")
}

#[test]
fn variables_that_may_be_out_of_scope_are_in_it_or_not() {
    // In the function, where `n` is 0.
    assert_eq!(verdicts(&variables(5)), [false]);
    let found = errors(&variables(40));
    assert!(found.contains("error[E1019]: there are more than 100,000 cases"), "{found}");
}

/// One function for each of these types, in each of which the next is called behind a label.
#[test]
fn processes_at_a_label_of_several_functions_are_counted_once() {
    let text = "model m
shared n: 0..=3 = 0
object box[T] {
    value: T? = none
    fn visit(inner: box[bool]?) {
        inside: enter(inner)
        n = 2
    }
    fn enter(inner: box[bool]?) {
        if let more = inner { more.visit(none) }
        n = 1
    }
}
shared outer = new box[0..=1]
shared within = new box[bool]
process main { outer.visit(within) }
property once: always count(main at inside) <= 1
property there: reachable count(main at inside) == 1 and n == 2
property gone: always ended(main) implies count(main at inside) == 0
";
    assert_eq!(verdicts(text), [true, true, true]);
}
