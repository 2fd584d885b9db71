//! `docs/processes.md`: every example does what the page says, and every object of the prelude has one.
//!
//! All that is asked of a model in a block ` ```kin ` holds; ` ```kin,fails=a+b ` says which properties do not, and
//! `assertion` stands for faults. (Those with `error` do not compile, which is tested where the language is.) A
//! block ` ```text ` has lines that are printed when the model before it is checked, one after the other, or,
//! with `without=STATEMENT`, when it is checked without that line. A comment `<!-- OLD => NEW; fails=a+b -->` goes with
//! what is said of the model before it when something is replaced, once, and `<!-- states=N -->` with how many there are.

use std::collections::BTreeSet;
use std::fs;

use crate::document::comparable;
use crate::running::{kinfold_fed, project};

/// The blocks of the page: the line, what follows the fence, the text.
fn blocks() -> Vec<(usize, String, String)> {
    let page = fs::read_to_string(project("docs/processes.md")).unwrap();
    let mut blocks = Vec::new();
    let mut lines = (1..).zip(page.lines());
    while let Some((number, line)) = lines.next() {
        if let Some(comment) = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix("-->"))
        {
            blocks.push((number, "comment".to_owned(), comment.to_owned()));
        }
        let Some(kind) = line.strip_prefix("```") else { continue };
        let inside = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
        let text = inside.map(|line| format!("{line}\n")).collect();
        blocks.push((number, kind.to_owned(), text));
    }
    blocks
}

/// What fails when a model is checked, all of it decided unless something faults.
fn failing(text: &str) -> Result<BTreeSet<String>, String> {
    let done = kinfold_fed(&["check", "-", "--json", "--time", "20"], text.as_bytes());
    if done.stdout.is_empty() {
        return Err(done.stderr);
    }
    let report = done.json();
    let faulty = !report["assertion"].is_null() || !report["fault"].is_null();
    let mut fails: BTreeSet<String> = faulty.then(|| "assertion".to_owned()).into_iter().collect();
    for property in report["properties"].as_array().expect("there are properties") {
        let name = property["name"].as_str().expect("it has a name");
        match property["verdict"].as_str() {
            Some("fails") => _ = fails.insert(name.to_owned()),
            Some("holds") if property["vacuous"] == false => {}
            verdict if !faulty => return Err(format!("{name}: {verdict:?}, or vacuously")),
            _ => {}
        }
    }
    Ok(fails)
}

#[test]
fn every_example_does_what_the_page_says() {
    let mut complaints = Vec::new();
    let mut examples = 0;
    for (line, kind, text) in blocks() {
        let Some(rest) = kind.strip_prefix("kin") else { continue };
        if rest.starts_with(",error=") {
            continue;
        }
        examples += 1;
        let said =
            rest.strip_prefix(",fails=").map_or(Vec::new(), |names| names.split('+').collect());
        let said: BTreeSet<String> = said.into_iter().map(str::to_owned).collect();
        match failing(&text) {
            Ok(found) if found == said => {}
            other => complaints.push(format!("line {line}: {other:?}")),
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
    assert!(examples > 40, "only {examples} examples were found");
}

/// The model with some words replaced, and what fails then.
fn replaced(model: &str, comment: &str) -> (String, BTreeSet<String>) {
    let (mut text, mut fails) = (model.to_owned(), BTreeSet::new());
    for part in comment.trim_end().split("; ") {
        if let Some(names) = part.strip_prefix("fails=") {
            fails.extend(names.split('+').map(str::to_owned));
            continue;
        }
        let (old, new) = part.split_once(" =>").expect("something is replaced");
        assert!(text.contains(old), "there is no `{old}` in\n{text}");
        text = text.replacen(old, new.trim(), 1);
    }
    (text, fails)
}

#[test]
fn what_is_said_of_changed_examples_is_so() {
    let mut model = String::new();
    let mut comments = 0;
    for (line, kind, text) in blocks() {
        match kind.as_str() {
            "comment" => comments += 1,
            kind if kind.starts_with("kin") => {
                model = text;
                continue;
            }
            _ => continue,
        }
        if let Some(states) = text.trim().strip_prefix("states=") {
            let done = kinfold_fed(&["explore", "-", "--json"], model.as_bytes());
            assert_eq!(done.json()["states"].to_string(), states, "line {line}");
            continue;
        }
        let (changed, fails) = replaced(&model, &text);
        assert_eq!(failing(&changed), Ok(fails), "line {line}");
    }
    assert!(comments > 6, "only {comments} were found");
}

/// The text without the line that says this.
fn without(text: &str, said: &str) -> String {
    assert_eq!(text.lines().filter(|line| line.trim() == said).count(), 1, "`{said}`");
    let others = text.lines().filter(|line| line.trim() != said);
    others.map(|line| format!("{line}\n")).collect()
}

#[test]
fn what_is_shown_is_printed() {
    let mut model = String::new();
    let mut shown = 0;
    for (line, kind, text) in blocks() {
        if kind.starts_with("kin") {
            model = text;
            continue;
        }
        let Some(rest) = kind.strip_prefix("text") else { continue };
        let model = match rest.strip_prefix(",without=") {
            Some(words) => without(&model, words),
            None => model.clone(),
        };
        shown += 1;
        let printed = comparable(&kinfold_fed(&["check", "-"], model.as_bytes()).stdout);
        assert!(printed.contains(&comparable(&text)), "line {line}:\n{printed}");
    }
    assert!(shown > 3, "only {shown} outputs are shown");
}

#[test]
fn every_object_of_the_prelude_has_an_example() {
    let prelude = fs::read_to_string(project("crates/lang/src/prelude.kin")).unwrap();
    let models: Vec<String> = blocks()
        .into_iter()
        .filter(|(_, kind, _)| kind.starts_with("kin") && !kind.contains("error="))
        .map(|(_, _, text)| text)
        .collect();
    for line in prelude.lines() {
        let name = line.strip_prefix("object ").or(line.strip_prefix("process "));
        let Some(name) = name.and_then(|rest| rest.split(['[', '(', ' ']).next()) else { continue };
        // It is made of messages, and nobody else makes them.
        let is_used = |text: &str| {
            let ways = ["new ", "spawn ", ": "].map(|before| format!("{before}{name}"));
            ways.iter().any(|way| text.contains(way))
        };
        assert!(name == "message" || models.iter().any(|text| is_used(text)), "`{name}` has none");
    }
}
