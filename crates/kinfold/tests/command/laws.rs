//! The laws of the prelude, under `models/prelude/`: they hold for all small sizes, and each fails on broken
//! copies of the objects that it is about.
//!
//! The header of a model gives the sizes, each a constant and its values, what fails, and how an object of the
//! prelude can be broken so that something else does, for one of the sizes at least:
//!
//! ```text
//! // with: size=1..=3; room=0..=2
//! // broken by: mutex: await holder == none => await true
//! // fails: nothing
//! ```
//!
//! Where `assertion` fails, the model is about faults: what must not be done is one, for each of the values.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::running::{kinfold_fed, project};
use serde_json::Value;

struct Law {
    name: String,
    text: String,
}

impl Law {
    fn lines(&self, start: &str) -> impl Iterator<Item = &str> {
        self.text.lines().filter_map(move |line| line.strip_prefix(start))
    }

    /// What fails, by its header.
    fn expected(&self) -> BTreeSet<String> {
        let said: Vec<&str> = self.lines("// fails: ").collect();
        match said[..] {
            ["nothing"] => BTreeSet::new(),
            [names] => names.split(", ").map(str::to_owned).collect(),
            _ => panic!("{}: one line starts with `// fails: `", self.name),
        }
    }

    /// What fails for each size, with these declarations added.
    fn failing(&self, more: &str) -> Result<Vec<BTreeSet<String>>, String> {
        let mut args = vec!["check", "-", "--json", "--time", "20"];
        for sizes in self.lines("// with: ").flat_map(|line| line.split("; ")) {
            args.extend(["--set", sizes]);
        }
        let done = kinfold_fed(&args, format!("{}\n{more}\n", self.text).as_bytes());
        if done.stdout.is_empty() {
            return Err(done.stderr);
        }
        let report = done.json();
        let each = report["models"].as_array().cloned().unwrap_or_else(|| vec![report]);
        each.iter().map(failing).collect()
    }
}

/// The names of what fails. Where nothing does, everything holds.
fn failing(report: &Value) -> Result<BTreeSet<String>, String> {
    let Some(properties) = report["properties"].as_array() else {
        return Err(report["error"].to_string());
    };
    let named = |verdict: &str| -> BTreeSet<String> {
        let those = properties.iter().filter(|property| property["verdict"] == verdict);
        those.map(|property| property["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let mut fails = named("fails");
    if !report["assertion"].is_null() || !report["fault"].is_null() {
        fails.insert("assertion".to_owned());
    }
    if fails.is_empty() && named("holds").len() < properties.len() {
        return Err(format!("not decided: {properties:?}"));
    }
    Ok(fails)
}

fn laws() -> Vec<Law> {
    let mut laws = Vec::new();
    for entry in fs::read_dir(project("models/prelude")).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        let text = fs::read_to_string(&path).expect("it is a text");
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        laws.push(Law { name, text });
    }
    laws.sort_by(|a, b| a.name.cmp(&b.name));
    laws
}

/// The declarations of the prelude by their names, each on one line: space means nothing.
fn declarations() -> BTreeMap<String, String> {
    let prelude = fs::read_to_string(project("crates/lang/src/prelude.kin")).unwrap();
    let blocks = prelude.split("\n\n").filter_map(|block| {
        let lines = block.lines().filter(|line| !line.starts_with("//"));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        let name = words.get(1)?.split(|c: char| !is_word(c)).next()?;
        matches!(words[0], "object" | "process").then(|| (name.to_owned(), words.join(" ")))
    });
    blocks.collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A broken copy of an object, and copies of all that mention it: what a model declares is used by
/// what it declares itself.
fn broken(how: &str) -> Result<String, String> {
    let mut all = declarations();
    let parts = how.split_once(": ").and_then(|(name, change)| {
        let (part, other) = change.split_once(" =>")?;
        Some((name, part, other.trim()))
    });
    let (name, part, other) = parts.ok_or("OBJECT: PART => OTHER is expected")?;
    let whole = all.get_mut(name).ok_or_else(|| format!("the prelude has no `{name}`"))?;
    if !whole.contains(part) {
        return Err(format!("there is no `{part}` in `{whole}`"));
    }
    *whole = whole.replacen(part, other, 1);
    let mut copied = BTreeSet::from([name.to_owned()]);
    loop {
        let mentions = |text: &str| text.split(|c: char| !is_word(c)).any(|w| copied.contains(w));
        let users: BTreeSet<String> =
            all.iter().filter(|(_, text)| mentions(text)).map(|(name, _)| name.clone()).collect();
        if users.len() == copied.len() {
            let texts: Vec<&str> = copied.iter().map(|name| &*all[name]).collect();
            return Ok(texts.join("\n"));
        }
        copied = users;
    }
}

#[test]
fn every_law_holds_for_all_sizes() {
    let mut complaints = Vec::new();
    for law in laws() {
        match law.failing("") {
            Ok(found) if found.iter().all(|fails| *fails == law.expected()) => {}
            Ok(found) => complaints.push(format!("{}: {found:?} fails", law.name)),
            Err(why) => complaints.push(format!("{}: {why}", law.name)),
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn every_law_fails_on_a_broken_object() {
    let mut complaints = Vec::new();
    for law in laws() {
        for how in law.lines("// broken by: ") {
            match broken(how).and_then(|copy| law.failing(&copy)) {
                Ok(found) if found.iter().any(|fails| *fails != law.expected()) => {}
                Ok(_) => complaints.push(format!("{}: {how}: it is not noticed", law.name)),
                Err(why) => complaints.push(format!("{}: {how}: {why}", law.name)),
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// Nothing in the prelude that does anything is without a law.
#[test]
fn every_object_has_a_law() {
    let laws = laws();
    let ways = laws.iter().flat_map(|law| law.lines("// broken by: "));
    let about: BTreeSet<&str> = ways.filter_map(|how| how.split(": ").next()).collect();
    for (name, text) in declarations() {
        let does_nothing = text.starts_with("object") && !text.contains(" step ");
        assert!(does_nothing || about.contains(&*name), "`{name}` has no law");
    }
}
