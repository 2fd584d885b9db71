//! `docs/tutorial.md`, followed to the letter in an empty folder.

#[path = "running/document.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod document;
#[path = "running/command.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod running;

use std::fs;

use document::{Block, Step, blocks, without_times};
use running::project;

fn page() -> String {
    fs::read_to_string(project("docs/tutorial.md")).unwrap()
}

#[test]
fn every_command_prints_what_the_page_says() {
    let folder = tempfile::tempdir().unwrap();
    let complaints = document::run(&page(), folder.path());
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    let drawn = fs::read_to_string(folder.path().join("deadlock.svg")).unwrap();
    let shown = fs::read_to_string(project("docs/tutorial/deadlock.svg")).unwrap();
    assert_eq!(drawn, shown, "docs/tutorial/deadlock.svg is not what is drawn now");
}

/// The page promises a bug, its picture and a model that passes: nothing of this may get lost.
#[test]
fn the_page_goes_from_nothing_to_a_model_that_passes() {
    let blocks = blocks(&page());
    let fixes = blocks.iter().filter(|block| matches!(block, Block::Change(..))).count();
    assert_eq!(fixes, 1, "the model with the bug becomes the fixed one");
    let steps = blocks.iter().flat_map(|block| match block {
        Block::Console(steps) => steps.as_slice(),
        _ => &[],
    });
    let printed = |what: &str| steps.clone().any(|step| step.printed.contains(what));
    assert!(
        printed("FAILS") && printed("deadlock: nothing can fire") && printed("properties hold (")
    );
}

#[test]
fn a_page_is_taken_apart() {
    let page = "Text.\n```kin file=a.kin\nmodel a\n```\n```kin add=a.kin\nflow b\n```\n```sh\ncargo\n```\n\
        ```console\n$ kinfold check a.kin\nyes\n\n  no\n$ echo $?\n0\n```\n";
    let step = |line, command: &str, printed: &str| Step {
        line,
        command: command.to_owned(),
        printed: printed.to_owned(),
    };
    let steps = vec![step(12, "kinfold check a.kin", "yes\n\n  no\n"), step(16, "echo $?", "0\n")];
    let file = Block::File("a.kin".to_owned(), "model a\n".to_owned());
    let more = Block::Add("a.kin".to_owned(), "flow b\n".to_owned());
    assert_eq!(blocks(page), [file, more, Block::Console(steps)]);
}

#[test]
fn only_times_are_taken_out() {
    assert_eq!(without_times("(88 classes, 0.03 s)\n"), "(88 classes, _ s)");
    assert_eq!(
        without_times("12.5 s, 3 seconds, it is so s, 4 s\n\n"),
        "_ s, 3 seconds, it is so s, _ s"
    );
    assert_ne!(without_times("step 1: a"), without_times("step 2: a"));
}

#[test]
fn a_page_that_is_wrong_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let page = "```kin file=a.kin\nmodel a\nflow link\nstart link\n\
        transition pass { end p: link   spawn q from p: link }\n```\n\
        ```console\n$ kinfold fmt --check a.kin\n$ echo $?\n0\n$ kinfold fmt --check b.kin\n```\n";
    let complaints = document::run(page, folder.path());
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].starts_with("line 11: $ kinfold fmt --check b.kin"), "{complaints:?}");
}
