//! Processes: from text to programs and nets, end to end.

use std::path::{Path, PathBuf};

use crate::model::{self, compiled};
use explore::Exploration;
use lang::{Compilation, compile};
use program::Type;
use random::Random;

fn explored(text: &str) -> Exploration {
    let net = compiled(text).net.expect("it is there");
    model::explored(net).expect("nothing fails")
}

const POOL: &str = "model pool

const workers = 2
shared lock = new mutex
shared served: 0..=4 = 0

process main {
    let jobs = new channel[0..=3](capacity: 1)
    let busy = new waitgroup
    repeat workers { busy.add()   spawn worker(jobs, busy) }
    for job in 0..=3 { jobs.send(job) }
    jobs.close()
    busy.wait()
}

process worker(jobs: channel[0..=3], busy: waitgroup) {
    for job in jobs {
        with lock.lock() { served = served + 1 }
    }
    busy.done()
}

property no_leak: no_one_stuck
property all:     always ended(main) implies served == 4
";

#[test]
fn the_pool_is_explored() {
    let exploration = explored(POOL);
    assert!(exploration.complete);
    assert_eq!(exploration.deadlocks.len(), 0);
    assert!(exploration.states() > 50, "{}", exploration.states());
    let net = compiled(POOL).net.expect("it is there");
    let names: Vec<&str> = net.properties.iter().map(|property| &*property.name).collect();
    assert_eq!(names, ["no_leak", "all"]);
}

#[test]
fn a_lock_that_is_taken_twice_is_a_deadlock() {
    let text = "model twice\nshared m = new mutex\nprocess main { m.lock()   m.lock() }\n";
    assert_eq!(explored(text).deadlocks.len(), 1);
}

/// Numbers that objects are made with have the range that all `new`s give them.
#[test]
fn parameters_have_the_range_of_their_arguments() {
    let text = "model ranges
process main {
    choose n in 1..=3
    let a = new channel[bool](capacity: n)
    let b = new channel[bool](capacity: 5)
    let c = new channel[0..=1](capacity: 2)
    a.send(true)
    b.send(true)
    c.send(1)
}
";
    let program = compiled(text).processes.expect("there are some").program;
    let shown: Vec<(String, Vec<Type>, Type)> = program
        .objects
        .iter()
        .map(|object| {
            let parameters = object.parameters.iter().map(|p| p.of.clone()).collect();
            (object.name.clone(), parameters, object.fields[0].variable.of.clone())
        })
        .collect();
    let int = |min, max| Type::Int { min, max };
    let seq = |of: Type, room| Type::Sequence(Box::new(of), room);
    assert_eq!(
        shown,
        [
            ("channel[bool]".into(), vec![int(1, 5)], seq(Type::Bool, 5)),
            ("channel[0..=1]".into(), vec![int(2, 2)], seq(int(0, 1), 2)),
        ]
    );
}

/// Of the prelude only what is used is there.
#[test]
fn what_is_not_used_is_not_made() {
    let text = "model m\nprocess main { let w = new waitgroup   w.add()   w.done() }\n";
    let program = compiled(text).processes.expect("there are some").program;
    assert_eq!(program.objects.len(), 1);
    let steps: Vec<&str> =
        program.objects[0].steps.iter().map(|step| &*step.routine.name).collect();
    assert_eq!(steps, ["add", "done"]);
    assert!(program.functions.is_empty());
}

/// A `for` over numbers counts without leaving its range, so nothing in it can fail or is a step.
#[test]
fn counting_is_local() {
    let text = "model m\nshared n: 0..=3 = 0\nprocess main { for i in 0..=3 { n = i } }\n";
    // Before each of four assignments, and after the last of them.
    assert_eq!(explored(text).states(), 5);
}

/// A model may have an object of its own in place of one of the prelude.
#[test]
fn the_prelude_gives_way() {
    let text = "model m
object mutex {
    taken: bool = false
    step grab { await not taken   taken = true }
}
process main {
    let m = new mutex
    m.grab()
    let c = new condition
}
";
    let program = compiled(text).processes.expect("there are some").program;
    let names: Vec<&str> = program.objects.iter().map(|object| &*object.name).collect();
    assert_eq!(names, ["mutex", "condition"]);
}

/// Origins lead into the text, or behind it into the prelude.
#[test]
fn origins_lead_to_the_text() {
    let Compilation { processes, .. } = compiled(POOL);
    let program = processes.expect("there are some").program;
    let worker = program.processes.iter().find(|process| process.name == "worker");
    let body = &worker.expect("it is declared").body;
    let range = body[0].origin.range().expect("it is known");
    assert!(POOL[range].starts_with("for job in jobs"));
    let channel = program.objects.iter().find(|object| object.name.starts_with("channel"));
    let step = &channel.expect("it is used").steps[0].routine;
    let range = step.body[0].origin.range().expect("it is known");
    assert!(range.start > POOL.len());
    assert_eq!(&program.text[range], "require not closed");
}

fn kin_files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "kin")).collect();
    paths.sort();
    paths
}

#[test]
fn formatting_twice_is_formatting_once() {
    let mut texts = vec![lang::PRELUDE.to_owned(), POOL.to_owned()];
    for folder in ["models/processes", "models/prelude", "crates/lang/tests/corpus"] {
        let read = |path| std::fs::read_to_string(path).expect("it is a text");
        texts.extend(kin_files(folder).into_iter().map(read));
    }
    for text in texts {
        let once = lang::format(&text).expect("it parses");
        assert_eq!(lang::format(&once).expect("it parses"), once);
        let crowded: Vec<&str> = once.split_whitespace().collect();
        if !once.contains("//") {
            let crowded = crowded.join(" ");
            let laid_out = lang::format(&crowded).expect("it parses");
            assert_eq!(lang::format(&laid_out).expect("it parses"), laid_out);
        }
    }
    assert_eq!(lang::format(lang::PRELUDE).expect("it parses"), lang::PRELUDE);
}

/// Words are removed, doubled, exchanged and put elsewhere: whatever comes of it, nothing panics.
#[test]
fn nothing_typed_panics() {
    let mut texts = vec![POOL.to_owned()];
    let folders = ["crates/lang/tests/corpus", "models/processes", "models/go", "models/prelude"];
    for path in folders.into_iter().flat_map(kin_files) {
        texts.push(std::fs::read_to_string(path).expect("it is a text"));
    }
    let seed = 12;
    let mut random = Random::named(&[seed]);
    for round in 0..600 {
        let text = &texts[round % texts.len()];
        let mut words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
        for _ in 0..1 + random.below(4_usize) {
            let (a, b) = (random.below(words.len()), random.below(words.len()));
            match random.below(4_u32) {
                0 => drop(words.remove(a)),
                1 => words.insert(a, words[b]),
                2 => words.swap(a, b),
                _ => words.truncate(a.max(words.len() / 2)),
            }
        }
        let mutated = words.concat();
        let compilation = compile(&mutated, &[]);
        drop(compilation.diagnostics.render("model.kin", &mutated, false));
        if let Ok(formatted) = lang::format(&mutated) {
            assert_eq!(lang::format(&formatted).as_ref(), Ok(&formatted), "seed {seed}, {round}");
        }
    }
}

#[test]
fn depth_is_limited() {
    let nested = |open: &str, inside: &str, close: &str, times: usize| {
        format!("{}{inside}{}", open.repeat(times), close.repeat(times))
    };
    for times in [90, 5000] {
        let bodies = [
            nested("if true { ", "await true", " }", times),
            nested("loop { ", "break", " }", times),
            nested("either { ", "await true", " } or {}", times),
            nested("defer ", "await true", "", times),
            nested("idle ", "await true", "", times),
            format!("let x: {} = []", nested("seq[", "bool", ", 2]", times)),
            format!("let x = {}", nested("[", "1", "]", times)),
            format!("let x = f{}", ".f".repeat(times)),
            format!("let x = f{}", "(f".repeat(times)),
            format!("let x = f{}", "[0]".repeat(times)),
            format!("let x = f{}", "!".repeat(times)),
            nested("if true { ", "await true", " } else if true { } else {}", times),
            format!("if true {{}}{}", " else if true {}".repeat(times)),
            format!("match 1 {{ {} }}", "1 {} ".repeat(times)),
            "await true ".repeat(times),
            "let x = [[[1; 256]; 256]; 256]".to_owned(),
        ];
        for body in bodies {
            let text = format!("model m\nprocess main {{ {body} }}\n");
            let compilation = compile(&text, &[]);
            drop(compilation.diagnostics.render("model.kin", &text, false));
            drop(lang::format(&text));
        }
    }
}

/// What follows from a mistake is not reported as another one.
#[test]
fn a_mistake_is_reported_once() {
    let texts = [
        (
            "E0110",
            "class Key { a, b }\nshared t: map[Key, bool, 2] = []\nprocess main { t[a] = true }",
        ),
        (
            "E0205",
            "enum Key { a, b }\nprocess main { let b = [1, 2]   for x in b { assert x in b } }",
        ),
        (
            "E1003",
            "record R { n: 0..=1 }\nprocess main { let r = R(n: 0)   if let o = r.m { assert o } }",
        ),
        (
            "E1003",
            "record R { n: 0..=1 }\nprocess main { let r = R(n: 0)   while let o = r.m { r.n = o } }",
        ),
    ];
    let of_types = [
        (
            "E0204",
            "object g[T] { n: bool = false   n: bool = true }\n\
             process main { let a = new g[bool]   let b = new g[0..=1] }",
        ),
        ("E0204", "object g[T] { step go {}   fn go {} }\nprocess main {}"),
        ("E1008", "record A { x: nothing }\nrecord B { a: A, b: A }\nprocess main {}"),
        ("E1014", "record A { x: B }\nrecord B { a: A? }\nprocess main {}"),
        ("E0102", "process main { let x = \"some text\" }"),
    ];
    for (code, text) in texts.into_iter().chain(of_types) {
        let report = compile(&format!("model m\n{text}"), &[]).diagnostics;
        let codes: Vec<&str> = report.iter().map(|found| found.code).collect();
        assert_eq!(codes, [code], "{text}");
    }
}

/// Words that mean something in other languages are names like others.
#[test]
fn words_of_other_languages_are_free() {
    let text = "model m
fn make(n: 0..=1): 0..=1 { return n }
fn func(): bool { return true }
process main {
    let case = new channel[bool](capacity: 1)
    let chan: 0..=1 = 1
    case.send(true)
    select { case.receive() {}   default: case.send(true) {} }
    let a = make(chan)
    if func() { a = make(0) }
    let b = func()
    let default = b
}
";
    compiled(text);
}

/// Truth values and members of enumerations can be gone through, also in properties.
#[test]
fn all_values_are_gone_through() {
    let text = "model m
enum Colour { red, green }
shared seen: seq[bool, 2] = []
shared hue: Colour = red
process main {
    for b in bool { seen.push_back(b) }
    assert seen == [false, true] and forall b in bool: b in seen
}
property both: reachable forall b in bool: b in seen
property some: always exists c in Colour: hue == c
";
    let explored = explored(text);
    assert_eq!((explored.deadlocks.len(), explored.complete), (0, true));
}

/// What an object is made with has no range if it is never made, which is no mistake.
#[test]
fn what_is_never_made_may_be_made_with_any_number() {
    let text = "model m
object pool(n: int) {
    free: 0..=n = n
    step take { await free > 0   free -= 1 }
    step give { free += 1 }
}
process main {}
";
    compiled(text);
    let report = compile(&text.replace("free += 1", "free += true"), &[]).diagnostics;
    assert_eq!(report.iter().map(|found| found.code).collect::<Vec<_>>(), ["E1007"]);
}

/// `entering` a process has a point of its own, which is there once and has no name.
#[test]
fn the_beginning_of_a_process_has_no_name() {
    let model = |property: &str| {
        format!(
            "model m\nprocess main {{ spawn worker() }}\nprocess worker {{ start: await true }}\n\
             property a: forall w entering worker: eventually ended(w)\n{property}\n"
        )
    };
    let program = |property: &str| compiled(&model(property)).processes.expect("some").program;
    let labels = |property: &str| {
        let program = program(property);
        let worker = program.processes.iter().find(|process| process.name == "worker");
        worker.expect("it is declared").labels.len()
    };
    assert_eq!(labels(""), 2);
    assert_eq!(labels("property b: forall w entering worker: eventually w at worker.start"), 2);
    let text = model("property b: forall w in main: w at main.start").replace("start: ", "");
    let report = compile(&text, &[]).diagnostics;
    assert_eq!(report.iter().map(|found| found.code).collect::<Vec<_>>(), ["E1003"]);
    let text = model("property b: forall w in worker: w at worker.start").replace("start: ", "");
    let report = compile(&text, &[]).diagnostics;
    assert_eq!(report.iter().map(|found| found.code).collect::<Vec<_>>(), ["E1003"]);
}

#[test]
fn an_object_is_made_with_one_that_was_made_just_before() {
    let node =
        "object node(up: node? = none) { depth: 0..=3 = if up == none then 0 else up!.depth + 1 }";
    for body in [
        "process main { let a = new context   let b = new context(parent: a) }",
        "process main { let a = new context   let b = new context(parent: a)   a.cancel()   b.done() }",
        "shared a = new context\nprocess main { let b = new context(parent: a)   a.cancel()   b.done() }",
        "process main { let a = new node   let b = new node(up: a)   assert b.depth == 1 and b.up == a }",
        "shared a = new node\nshared b = new node(up: a)\nprocess main { assert b.depth == 1 and a != b }",
        "process main { let a = new node   let s = [a, new node(up: a)]   assert s[1].depth == 1 }",
        "process main { let m = new rwlock   let s = new read_side(of: m)   s.lock()   s.unlock() }",
        "process main { let m = new monitor(of: self)   m.stop() }",
    ] {
        let text = format!("model m\n{node}\n{body}\n");
        let exploration = explored(&text);
        assert!(exploration.complete && exploration.deadlocks.is_empty(), "{body}");
    }
}

/// What is said of a text.
fn said_of(text: &str) -> String {
    compile(text, &[]).diagnostics.render("model.kin", text, false)
}

#[test]
fn a_lock_that_a_deferred_block_undoes_is_not_left_behind() {
    let body =
        "m.lock()   defer m.unlock()   m.unlock()   m.lock()   choose b in bool   if b { return }";
    let text = format!("model m\nshared m = new mutex\nprocess main {{ {body} }}\n");
    assert_eq!(said_of(&text), "");
    // But only in the block that it belongs to.
    let body = "if true { m.lock()   defer m.unlock() }   m.lock()   choose b in bool   if b { return }   m.unlock()";
    let text = format!("model m\nshared m = new mutex\nprocess main {{ {body} }}\n");
    assert!(said_of(&text).contains("W0005"), "{}", said_of(&text));
    // A loop may be left with a lock that is given back behind it.
    let body = "loop { m.lock()   choose b in bool   if b { break }   m.unlock() }   m.unlock()";
    let text = format!("model m\nshared m = new mutex\nprocess main {{ {body} }}\n");
    assert_eq!(said_of(&text), "");
}

#[test]
fn one_that_kills_itself_needs_no_result() {
    let text = "model m\nprocess main { let h = spawn w(true)   join h }\n\
                process w(b: bool): bool { if b { kill self } else { return b } }\n";
    assert_eq!(said_of(text), "");
    assert!(explored(text).deadlocks.is_empty());
}

#[test]
fn a_call_behind_and_or_or_is_done_only_if_it_decides() {
    for (condition, is_locked) in [
        ("no and m.try_lock()", false),
        ("yes and m.try_lock()", true),
        ("yes or m.try_lock()", false),
        ("no or m.try_lock()", true),
        ("no implies m.try_lock()", false),
        ("yes implies m.try_lock()", true),
        ("no and yes or m.try_lock()", true),
        ("yes or no and m.try_lock()", false),
    ] {
        let text = format!(
            "model m\nshared m = new mutex\nshared atomic is_so: bool = false\nprocess main {{\n    let no = false\n    \
             let yes = true\n    if {condition} {{ is_so = true }}\n    m.lock()\n}}\n"
        );
        assert_eq!(explored(&text).deadlocks.len(), usize::from(is_locked), "{condition}");
    }
}

/// Where all cases but one of many are covered, the last arm does not stand for the one that is left.
#[test]
fn a_case_of_many_that_is_not_covered_does_nothing() {
    let members: Vec<String> = (0..70).map(|number| format!("m{number}")).collect();
    let arms: Vec<String> =
        members[..69].iter().map(|name| format!("{name} {{ n = 1 }}")).collect();
    let text = format!(
        "model many\nenum Many {{ {} }}\nshared n: 0..=1 = 0\n\
         process main {{ let m = m69   match m {{ {} }}   await n == 1 }}\n",
        members.join(", "),
        arms.join("   ")
    );
    assert_eq!(explored(&text).deadlocks.len(), 1);
    let found = compile(&text, &[]).diagnostics;
    assert_eq!(found.iter().map(|one| one.code).collect::<Vec<_>>(), ["W0007"]);
}
