//! `README.md`: its commands print what it shows, and a script may follow it.

use std::fs;
use std::process::Command;

use crate::document::comparable;
use crate::running::{Done, fed, project};

/// The fenced blocks of the page, in order.
fn blocks() -> Vec<String> {
    let page = fs::read_to_string(project("README.md")).unwrap();
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while lines.by_ref().any(|line| line.starts_with("```")) {
        let inside = lines.by_ref().take_while(|line| *line != "```");
        blocks.push(inside.map(|line| format!("{line}\n")).collect());
    }
    blocks
}

/// The commands that the page runs, each with the block that follows.
fn commands() -> Vec<(String, String)> {
    let blocks = blocks();
    let pairs = blocks.windows(2).filter_map(|pair| {
        let arguments = pair[0].strip_prefix("cargo run --release -- ")?;
        Some((arguments.trim().to_owned(), pair[1].clone()))
    });
    pairs.collect()
}

fn run(arguments: &str) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    fed(command.args(arguments.split_whitespace()).current_dir(project("")), b"")
}

#[test]
fn commands_print_what_the_page_shows() {
    let commands = commands();
    assert_eq!(commands.len(), 2, "{commands:?}");
    for (arguments, shown) in &commands {
        let done = run(arguments);
        assert_eq!(comparable(&done.stdout), comparable(shown), "kinfold {arguments}");
    }
}

#[test]
fn the_first_command_succeeds_and_the_second_finds_a_bug() {
    let statuses: Vec<i32> =
        commands().iter().map(|(arguments, _)| run(arguments).status).collect();
    assert_eq!(statuses, [0, 11]);
}

/// The model that the page shows is the one that its first command checks.
#[test]
fn the_model_that_is_shown_is_checked() {
    let commands = commands();
    let path = commands[0].0.split_whitespace().last().unwrap();
    let model = fs::read_to_string(project(path)).unwrap();
    let shown = blocks().into_iter().find(|block| block.contains("process main"));
    assert!(model.ends_with(&*shown.expect("a model is shown")), "{path}");
}

/// The program in Go is right with a channel that has room for both answers.
#[test]
fn the_program_that_is_shown_is_right_with_more_room() {
    let program = blocks().into_iter().find(|block| block.starts_with("package ask"));
    let program = program.expect("a program is shown");
    assert!(program.contains("make(chan int)"), "{program}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ask_test.go");
    fs::write(&path, program.replace("make(chan int)", "make(chan int, 2)")).unwrap();
    assert_eq!(run(&format!("check {}", path.display())).status, 0);
}

#[test]
fn the_table_names_every_subcommand() {
    let page = fs::read_to_string(project("README.md")).unwrap();
    let help = run("--help").stdout;
    let listed = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    for line in listed.expect("a list of subcommands").lines() {
        let name = line.split_whitespace().next().unwrap();
        assert!(name == "help" || page.contains(&format!("`kinfold {name}")), "{name}");
    }
}
