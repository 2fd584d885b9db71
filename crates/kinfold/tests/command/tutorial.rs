//! `docs/tutorial.md` and `docs/tutorial_nets.md`, followed to the letter in an empty folder.

use std::fs;

use crate::document::{self, Block, Step, blocks, without_times};
use crate::running::project;

fn page(name: &str) -> String {
    fs::read_to_string(project(&format!("docs/{name}.md"))).unwrap()
}

/// Follows the page and compares a picture that it draws with the one that it shows.
fn follow(name: &str, picture: &str) {
    let folder = tempfile::tempdir().unwrap();
    let complaints = document::run(&page(name), folder.path());
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    let drawn = fs::read_to_string(folder.path().join(picture)).unwrap();
    let shown = format!("docs/{name}/{picture}");
    assert_eq!(drawn, fs::read_to_string(project(&shown)).unwrap(), "{shown} is not drawn so now");
}

#[test]
fn every_command_prints_what_the_page_says() {
    follow("tutorial", "stuck.svg");
}

#[test]
fn every_command_prints_what_the_page_on_nets_says() {
    follow("tutorial_nets", "deadlock.svg");
}

/// The pages promise a bug, its picture and a model that passes: nothing of this may get lost.
#[test]
fn the_pages_go_from_nothing_to_a_model_that_passes() {
    for (name, wrong, changes) in [
        ("tutorial", "are stuck: never to act again", 4),
        ("tutorial_nets", "deadlock: nothing can fire", 1),
    ] {
        let blocks = blocks(&page(name));
        let found = blocks.iter().filter(|block| matches!(block, Block::Change(..))).count();
        assert_eq!(found, changes, "{name}: the model with the bug becomes the fixed one");
        let steps = blocks.iter().flat_map(|block| match block {
            Block::Console(steps) => steps.as_slice(),
            _ => &[],
        });
        let printed = |what: &str| steps.clone().any(|step| step.printed.contains(what));
        assert!(printed("FAILS") && printed(wrong) && printed("properties hold ("), "{name}");
    }
}

/// What is shown as a change is put in the place of what begins like it, and of nothing else.
#[test]
fn changes_replace_declarations() {
    let folder = tempfile::tempdir().unwrap();
    let page = "```kin file=a.kin\nmodel a\nflow b\nprocess c {\n    d()\n}\nprocess e {\n}\n```\n\
        ```kin change=a.kin\nprocess c {\n    f()\n}\n\nflow b = 2\n```\n";
    assert_eq!(document::run(page, folder.path()), Vec::<String>::new());
    let text = fs::read_to_string(folder.path().join("a.kin")).unwrap();
    assert_eq!(text, "model a\nflow b = 2\nprocess c {\n    f()\n}\nprocess e {\n}\n");
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
    assert_eq!(without_times("(88 states, 0.03 s)\n"), "(88 states, _ s)");
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
