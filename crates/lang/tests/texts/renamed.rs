//! The names of a text are those that the compiler sees: whatever has a name gets another one, wherever it is used, and
//! the compiler says the same as before.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use lang::names::{DefinitionId, Meant, NameKind, Names, names};
use random::{Random, daily, for_seeds};

/// All models of the project, and the texts that have everything in them.
fn models() -> Vec<(PathBuf, String)> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut folders = vec![root.join("models"), root.join("crates/lang/tests/corpus")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "kin") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 100, "{} models", found.len());
    found
}

/// Whether something can have any other name without a change of meaning.
fn is_free(names: &Names, text: &str, id: DefinitionId, unclear: &HashSet<&str>) -> bool {
    let one = names.definition(id);
    let is_special = matches!(one.name.as_str(), "main" | "receive");
    let is_unclear = unclear.contains(one.name.as_str());
    // Members that are called by numbers are named after their class.
    let is_numbered = one.kind == NameKind::Class
        && names.uses_of(id).any(|one| {
            let after = text[one.span.end..].chars().next();
            after.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        });
    !one.in_prelude && !is_special && !is_unclear && !is_numbered
}

/// The text with other names for some definitions.
fn renamed(names: &Names, text: &str, name: impl Fn(DefinitionId) -> Option<String>) -> String {
    let mut after = String::new();
    let mut at = 0;
    for one in &names.uses {
        let Meant::Definition(id) = one.meant else { continue };
        let Some(name) = name(id) else { continue };
        after.push_str(&text[at..one.span.start]);
        after.push_str(&name);
        at = one.span.end;
    }
    after + &text[at..]
}

/// What the compiler says of a text: codes, and how many properties the net has. How many transitions it has depends on
/// names: whether a variable is ever assigned to is asked by its name.
fn said(text: &str) -> (Vec<&'static str>, Option<usize>) {
    let compiled = lang::compile(text, &[]);
    let mut codes: Vec<&str> = compiled.diagnostics.iter().map(|one| one.code).collect();
    codes.sort_unstable();
    let properties = compiled.net.map(|net| net.properties.len());
    (codes, properties)
}

fn unclear<'t>(names: &Names, text: &'t str) -> HashSet<&'t str> {
    let unclear = names.uses.iter().filter(|one| one.meant == Meant::Member);
    unclear.map(|one| text[one.span.clone()].trim_matches('`')).collect()
}

#[test]
fn everything_can_be_renamed_at_once() {
    let mut count = 0;
    let all = models();
    // Some models are large, and all together take their time.
    let part = daily(all.len() as u64, 6);
    for (number, (path, text)) in all.iter().enumerate() {
        if number as u64 * part % (all.len() as u64) >= part {
            continue;
        }
        let names = names(text);
        assert!(names.is_complete, "{}", path.display());
        let unclear = unclear(&names, text);
        let name = |id: DefinitionId| {
            is_free(&names, text, id, &unclear).then(|| format!("renamed_{}_", id.0))
        };
        count +=
            (0..names.definitions.len()).filter(|id| name(DefinitionId(*id)).is_some()).count();
        let after = renamed(&names, text, name);
        let before = said(text);
        let now = said(&after);
        let why = || lang::compile(&after, &[]).diagnostics.render("renamed", &after, false);
        assert_eq!(before, now, "{}\n{after}\n{}", path.display(), why());
    }
    assert!(count > 300, "{count} names");
}

#[test]
fn one_name_is_as_good_as_another() {
    let all = models();
    let small: Vec<&(PathBuf, String)> = all.iter().filter(|(_, text)| text.len() < 2500).collect();
    for_seeds(0..daily(3000, 30), |_, random: &mut Random| {
        let (path, text) = random.pick(&small);
        let names = names(text);
        let unclear = unclear(&names, text);
        let own: Vec<DefinitionId> = (0..names.definitions.len())
            .map(DefinitionId)
            .filter(|id| is_free(&names, text, *id, &unclear))
            .collect();
        let id = *random.pick(&own);
        let after = renamed(&names, text, |other| (other == id).then(|| "another_name".into()));
        assert_eq!(said(text), said(&after), "{}: {:?}", path.display(), names.definition(id));
        // Every name that was not in scope is reported as unknown, so nothing else has the new one.
        let again = lang::names::names(&after);
        let count = |names: &Names| names.uses.len();
        assert_eq!(count(&names), count(&again), "{}", path.display());
    });
}

#[test]
fn what_does_not_parse_is_read_as_far_as_it_goes() {
    let text = "model m\nshared lock = new mutex\nprocess main {\n    let n = 1\n    lock.\n    spawn w(n)\n\
                process w(n: 0..=1) {\n    lock.lock()\n";
    let names = names(text);
    assert!(!names.is_complete);
    let found = |at: &str, plus: usize| {
        let offset = text.find(at).unwrap() + plus;
        match names.at(offset).map(|one| one.meant) {
            Some(Meant::Definition(id)) => Some(id),
            _ => names.guess(text, offset).map(|(_, id)| id),
        }
    };
    let named = |id: Option<DefinitionId>| id.map(|id| names.definition(id).name.as_str());
    assert_eq!(named(found("spawn w", 6)), Some("w"), "the process behind a mistake");
    assert_eq!(named(found("lock.lock()", 5)), Some("lock"), "a step of the prelude");
    let lock = names.follow(&["lock"], text.find("lock.\n").unwrap()).unwrap();
    let members: Vec<&str> =
        names.members_of(lock).iter().map(|id| names.definition(*id).name.as_str()).collect();
    assert_eq!(members, ["holder", "lock", "try_lock", "unlock"]);
}

#[test]
fn words_that_are_offered_are_words_of_the_language() {
    use lang::words::{Context, words};
    for context in [Context::Declaration, Context::Transition, Context::Process, Context::Property]
    {
        let list = words(context);
        assert!(list.is_sorted(), "{context:?}");
    }
    // A variable with such a name is refused, or is a word elsewhere only.
    for word in ["take", "move", "unless", "always", "forall", "const", "flow"] {
        let text = format!("model m\nplace p: 0..=1 = 0\ntransition t {{ take p({word}) }}\n");
        assert!(lang::compile(&text, &[]).diagnostics.errors() > 0, "{word}");
    }
}
