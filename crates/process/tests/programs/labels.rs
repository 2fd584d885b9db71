//! A process is at a label until the statement behind it is done, whatever that is.

use crate::require;

/// A process that does something, and then stops at `last`.
fn model(statements: &str) -> String {
    format!(
        "model labels
        shared atomic n: 0..=8 = 0
        shared atomic got: bool = false
        shared c = new channel[0..=3](capacity: 1)
        shared lock = new mutex
        object source {{
            step give(): 0..=3? {{ got = true   return 1 }}
            fn twice(): 0..=3 {{ got = true   return 1 }}
        }}
        process main {{
            let y: 0..=3 = 0
            let q: seq[0..=3, 2] = [1, 2]
            let s = new source
            c.send(1)
            {statements}
            last: await false
        }}
        process child {{ n = 8 }}
        fn given(x: 0..=3): 0..=3 {{ got = true   return 1 }}
        "
    )
}

/// Statements with the label `L` right before one.
const STATEMENTS: [&str; 49] = [
    "L: y = y",
    "L: n = n",
    "L: s = s",
    "L: q[0] = q[0]",
    "L: y += 0",
    "L: n += 1",
    "L: let z = y",
    "L: let z: 0..=3 = y",
    "L: let z = given(y)",
    "L: let o = new waitgroup",
    "L: q.clear()",
    "L: y = q.pop_front()",
    "L: y = given(y)",
    "L: given(y)",
    "L: n = given(0)",
    "L: n = s.give()!",
    "L: n = s.twice()",
    "L: c.receive()",
    "L: if true {}",
    "L: if false { n = 2 }",
    "L: if y == 0 {} else {}",
    "L: if n == 0 {}",
    "L: if given(0) == 1 {}",
    "L: if let v = c.receive() { n = 1 }",
    "L: match y { 0 {} else {} }",
    "L: match true { true {} false {} }",
    "L: match n { 0 {} else { n = 2 } }",
    "L: either {} or {}",
    "L: choose z in bool",
    "L: choose z in 1..=1",
    "L: choose z in q where z > 0",
    "L: atomic {}",
    "L: atomic { y = y }",
    "L: assert true",
    "L: require y == 0",
    "L: await true",
    "L: idle await true",
    "L: select { timeout {} }",
    "L: select { c.receive() {} else {} }",
    "L: spawn child()",
    "L: let h = spawn child()",
    "L: with lock.lock() {}",
    "L: defer { n = 3 }",
    "L: defer n = 3",
    "L: M: repeat 0 {}",
    "L: M: y = y",
    "L: while false {}",
    "repeat 1 { L: break }",
    "repeat 1 { L: continue }",
];

#[test]
fn labels_are_left_by_the_statements_behind_them() {
    for statement in STATEMENTS {
        let properties = [
            ("reachable count(main at L) == 1", "holds"),
            ("reachable count(main at last) == 1", "holds"),
            ("never count(main at L) == 1 and count(main at last) == 1", "holds"),
            ("AG EF count(main at L) == 0", "holds"),
        ];
        require(&model(statement), &properties);
        // Also where it is the only label that is looked at, and choices are joined.
        require(&model(statement), &properties[..1]);
        require(&model(statement), &properties[3..]);
    }
}

#[test]
fn those_who_end_leave_their_labels() {
    for statement in [
        "if n == 0 { L: return }",
        "defer { n = 1 }   if n == 0 { L: return }",
        "if n == 0 { L: kill self }",
        "if n == 0 { L: crash self }",
        "if n == 0 { L: atomic { return } }",
    ] {
        let properties = [
            ("reachable count(main at L) == 1", "holds"),
            ("AG EF count(main) == 0", "holds"),
            ("never count(main at last) == 1", "holds"),
        ];
        require(&model(statement), &properties);
    }
    let deferred = model("defer { n = 1 }   if n == 0 { L: return }");
    require(&deferred, &[("never count(main at L) == 1 and n == 1", "holds")]);
}

#[test]
fn all_parts_of_a_statement_are_at_its_label() {
    for statement in [
        "L: n = s.give()!",
        "L: n = s.twice()",
        "L: n = given(0)",
        "L: n += given(0)",
        "L: if given(0) == 1 and n == 0 { n = 1 }",
        "L: match s.give()! { 1 { n = 1 } else {} }",
        "defer { L: n = given(0) }   if n == 0 { return }",
    ] {
        let done = match statement.contains('{') && !statement.starts_with("defer") {
            // At the label it is found out which way to go.
            true => "got and n == 0 and count(main at L) == 0 implies EX n == 1",
            false => "not (got and n == 0 and count(main at L) == 0)",
        };
        require(&model(statement), &[(&format!("AG ({done})"), "holds")]);
    }
    let local = model("n = 1   L: y = 1");
    let somewhere = "n == 0 or count(main at L) + count(main at last) == 1";
    require(
        &local,
        &[
            (&format!("always {somewhere}"), "holds"),
            ("always forall w in main: n == 0 or w at main.L or w.y == 1", "holds"),
            ("AG (count(main at L) == 1 implies AX count(main at last) == 1)", "holds"),
        ],
    );
}

#[test]
fn a_label_at_the_end_of_a_block_is_where_it_is_left() {
    for block in ["if n == 0 { L: }", "with lock.lock() { L: }", "repeat 1 { n = 1   L: }"] {
        let properties = [
            ("reachable count(main at L) == 1", "holds"),
            ("never count(main at L) == 1 and lock.holder == none and n == 2", "holds"),
        ];
        require(&model(&format!("{block}   n = 2")), &properties);
    }
}
