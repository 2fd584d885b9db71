//! Nothing that can be typed brings the language down: models, mutated.
//!
//! For every text: compiling, formatting and drawing do not panic; every label lies within the text, on
//! character boundaries; there is a net exactly if there is no error. If it parses, formatting keeps
//! the net and does nothing the second time.

use std::ops::Range;

use diagnostics::Severity;
use lang::{Compilation, compile, format};
use random::Random;

const CORPUS: &[&str] = &[
    include_str!("corpus/server.kin"),
    include_str!("corpus/everything.kin"),
    include_str!("corpus/properties.kin"),
    include_str!("corpus/comments.kin"),
    include_str!("corpus/long_lines.kin"),
    include_str!("corpus/classes.kin"),
    include_str!("corpus/names.kin"),
    include_str!("corpus/fairness.kin"),
    include_str!("corpus/soft_words.kin"),
];

const ITERATIONS: u64 = 200_000;

/// Words, runs of digits, space, and single characters: not the tokens of the language, on purpose.
fn pieces(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut list = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (index, c) in text.char_indices() {
        if before.is_some_and(|before| before != class(c) || before == 2) {
            list.push(&text[start..index]);
            start = index;
        }
        before = Some(class(c));
    }
    list.push(&text[start..]);
    list
}

fn mutated(random: &mut Random) -> String {
    let base = *random.pick(CORPUS);
    let mut list = pieces(base);
    for _ in 0..=random.below(4) {
        let at = random.below(list.len());
        let other = random.below(list.len());
        match random.below(6) {
            0 => drop(list.remove(at)),
            1 => list.insert(at, list[other]),
            2 => list.swap(at, other),
            3 => {
                let donor = pieces(random.pick::<&str>(CORPUS));
                let start = random.below(donor.len());
                let end = (start + random.below(30)).min(donor.len());
                list.splice(at..at, donor[start..end].iter().copied());
            }
            4 => {
                let odd = [
                    "\u{e9}",
                    "\u{1F600}",
                    "\0",
                    "/*",
                    "*/",
                    "//",
                    "\r\n",
                    "(",
                    "}",
                    "_",
                    "-",
                    "..",
                    "0",
                    " all ",
                    " except ",
                    " in ",
                    " with ",
                    "succ(",
                    "Level",
                    "cyclic",
                    "round ",
                    " fair ",
                    " strongly ",
                    " threads ",
                    "`",
                    "`a b`",
                ];
                list.insert(at, *random.pick(&odd));
            }
            _ => list.truncate(at.max(1)),
        }
        if list.is_empty() {
            list.push("");
        }
    }
    let mut bytes = list.concat().into_bytes();
    if random.below(5) == 0 && !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn check_spans(text: &str, compilation: &Compilation) {
    let inside = |span: &Range<usize>| {
        span.start <= span.end
            && text.is_char_boundary(span.start)
            && text.is_char_boundary(span.end)
    };
    for diagnostic in &compilation.diagnostics {
        assert!(diagnostic.labels.iter().all(|label| inside(&label.span)), "{diagnostic:?}");
        assert!(lang::EXPLANATIONS.find(diagnostic.code).is_some(), "{diagnostic:?}");
    }
    let errors = compilation.diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert_eq!(compilation.net.is_none(), errors);
}

/// Tells whether the text compiled.
fn check(text: &str) -> bool {
    let compilation = compile(text, &[]);
    check_spans(text, &compilation);
    for colour in [false, true] {
        let drawn = compilation.diagnostics.render("model.kin", text, colour);
        assert_eq!(drawn.is_empty(), compilation.diagnostics.is_empty());
    }
    if let Some(net) = &compilation.net {
        assert_eq!(net.check(), [], "not a thread net");
        let written = lang::write(net);
        let again = compile(&written, &[]);
        let drawn = again.diagnostics.render("written.kin", &written, false);
        assert_eq!(again.net.as_ref(), Some(net), "{drawn}{written}");
    }
    match format(text) {
        Ok(formatted) => {
            assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "not idempotent");
            let again = compile(&formatted, &[]);
            assert_eq!(again.net, compilation.net, "formatting changed the net");
            assert_eq!(again.diagnostics.errors(), compilation.diagnostics.errors());
        }
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty());
            assert!(compilation.net.is_none(), "it compiles, so it can be formatted");
        }
    }
    compilation.net.is_some()
}

#[test]
fn the_corpus_compiles() {
    for text in CORPUS {
        let compilation = compile(text, &[]);
        let drawn = compilation.diagnostics.render("model.kin", text, false);
        assert!(drawn.is_empty(), "{drawn}");
        assert!(check(text));
    }
}

#[test]
fn mutations_do_no_harm() {
    let mut compiled = 0;
    for seed in 0..ITERATIONS {
        let text = mutated(&mut Random::new(seed));
        let result = std::panic::catch_unwind(|| check(&text));
        match result {
            Ok(net) => compiled += u64::from(net),
            Err(cause) => {
                let message = cause.downcast_ref::<String>().map_or("a panic", String::as_str);
                panic!("seed {seed}: {message}\n{text}");
            }
        }
    }
    // The mutations are worth something only if they spare enough of the models.
    assert!(compiled > ITERATIONS / 100, "only {compiled} of {ITERATIONS} compiled");
}
