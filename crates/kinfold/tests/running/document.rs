//! Reads a page of the documentation, writes its models and runs its commands.
//!
//! In a page, a block ` ```kin file=NAME ` is a file. ` ```kin change=NAME ` has lines for a file that is
//! there: each replaces the line that begins with the same two words; a declaration that goes on to a line
//! `}` replaces another one as a whole. ` ```kin add=NAME ` goes to the end of a file. ` ```console ` is
//! what is seen in a terminal: a line that starts with `$ ` is a command, and the lines up to the next one
//! are what it prints. The commands are those of `kinfold`, and `echo $?`, which prints the status of the
//! one before. Times of running differ from run to run; everything else must be as it is written. A line `…` stands for
//! any lines, and `…` at the end of a line for the rest of it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::running::{Done, fed};

/// What a page has between its fences.
#[derive(Debug, PartialEq)]
pub enum Block {
    /// A file, by its name.
    File(String, String),
    /// Lines that replace others of a file.
    Change(String, String),
    /// Lines that are added to a file.
    Add(String, String),
    /// Commands and what they print.
    Console(Vec<Step>),
}

/// A command of a console block.
#[derive(Debug, PartialEq)]
pub struct Step {
    pub line: usize,
    pub command: String,
    pub printed: String,
}

/// The files and console blocks of a page, in order.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = (1..).zip(page.lines());
    while let Some((_, line)) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else { continue };
        let inside: Vec<(usize, &str)> =
            lines.by_ref().take_while(|(_, line)| *line != "```").collect();
        let text = inside.iter().map(|(_, line)| format!("{line}\n")).collect();
        if let Some(name) = kind.strip_prefix("kin file=") {
            blocks.push(Block::File(name.to_owned(), text));
        } else if let Some(name) = kind.strip_prefix("kin change=") {
            blocks.push(Block::Change(name.to_owned(), text));
        } else if let Some(name) = kind.strip_prefix("kin add=") {
            blocks.push(Block::Add(name.to_owned(), text));
        } else if kind == "console" {
            blocks.push(Block::Console(steps(&inside)));
        }
    }
    blocks
}

fn steps(lines: &[(usize, &str)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for &(line, text) in lines {
        if let Some(command) = text.strip_prefix("$ ") {
            let command = command.to_owned();
            steps.push(Step { line, command, printed: String::new() });
        } else {
            let step = steps.last_mut().unwrap_or_else(|| panic!("line {line}: no command"));
            step.printed.push_str(text);
            step.printed.push('\n');
        }
    }
    steps
}

/// Writes the files of a page to a folder and runs its commands there, in the order of the page.
/// Returns the steps that print something else, each with what it prints.
pub fn run(page: &str, folder: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut status = 0;
    for block in blocks(page) {
        match block {
            Block::File(name, text) => fs::write(folder.join(name), text).unwrap(),
            Block::Change(name, lines) => {
                let path = folder.join(name);
                let text = fs::read_to_string(&path).unwrap();
                fs::write(path, changed(&text, &lines)).unwrap();
            }
            Block::Add(name, lines) => {
                let path = folder.join(name);
                let text = fs::read_to_string(&path).unwrap();
                fs::write(path, text + &lines).unwrap();
            }
            Block::Console(steps) => {
                for step in steps {
                    let printed = if step.command == "echo $?" {
                        format!("{status}\n")
                    } else {
                        let done = execute(&step, folder);
                        status = done.status;
                        done.stdout + &done.stderr
                    };
                    if !shows(&comparable(&step.printed), &comparable(&printed)) {
                        let Step { line, command, .. } = step;
                        complaints.push(format!("line {line}: $ {command}\n{printed}"));
                    }
                }
            }
        }
    }
    complaints
}

/// Whether what a page shows is what is printed, but for what it leaves out.
pub fn shows(page: &str, printed: &str) -> bool {
    let fits = |shown: &str, line: &str| match shown.strip_suffix('…') {
        Some(beginning) => line.starts_with(beginning),
        None => line == shown,
    };
    let all_fit = |shown: &[&str], lines: &[&str]| {
        shown.len() <= lines.len() && shown.iter().zip(lines).all(|(shown, line)| fits(shown, line))
    };
    let page: Vec<&str> = page.lines().collect();
    let mut rest: &[&str] = &printed.lines().collect::<Vec<_>>();
    let parts: Vec<&[&str]> = page.split(|line| *line == "…").collect();
    let [first, others @ ..] = &parts[..] else { return rest.is_empty() };
    let Some((last, between)) = others.split_last() else {
        return first.len() == rest.len() && all_fit(first, rest);
    };
    if !all_fit(first, rest) {
        return false;
    }
    rest = &rest[first.len()..];
    for part in between {
        let starts = 0..=rest.len();
        let Some(start) = starts.into_iter().find(|start| all_fit(part, &rest[*start..])) else {
            return false;
        };
        rest = &rest[start + part.len()..];
    }
    rest.len() >= last.len() && all_fit(last, &rest[rest.len() - last.len()..])
}

/// What is the same in each run. How many classes have been seen when something fails depends on how many
/// threads look, and when.
pub fn comparable(text: &str) -> String {
    let line = |line: &str| match line.split_once(" (") {
        Some((summary, _)) if summary.contains("fail") && line.ends_with(" s)") => {
            summary.to_owned()
        }
        _ => line.to_owned(),
    };
    without_times(text).lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The text, with each of the declarations in the place of the one that begins with the same two words.
fn changed(text: &str, others: &str) -> String {
    let begins = |item: &str| {
        let words = item.split_whitespace().filter(|word| *word != "atomic");
        words.take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut all = items(text);
    for item in items(others).into_iter().filter(|item| !item.trim().is_empty()) {
        let mut like = all.iter_mut().filter(|old| begins(old) == begins(&item));
        let (Some(old), None) = (like.next(), like.next()) else {
            panic!("not one declaration begins like `{item}`");
        };
        *old = item;
    }
    all.concat()
}

/// The lines of a text, but those from one that opens a block to the one that closes it together.
fn items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        match items.last_mut() {
            Some(item) if open => item.push_str(&format!("{line}\n")),
            _ => items.push(format!("{line}\n")),
        }
        open = if open { line != "}" } else { !line.starts_with(' ') && line.ends_with('{') };
    }
    items
}

fn execute(step: &Step, folder: &Path) -> Done {
    let mut words = step.command.split_whitespace();
    let named = words.next() == Some("kinfold");
    assert!(named, "line {}: not a command of kinfold: {}", step.line, step.command);
    fed(Command::new(env!("CARGO_BIN_EXE_kinfold")).args(words).current_dir(folder), b"")
}

/// The text with each time such as `0.03 s` replaced by `_ s`, and without space at its end.
pub fn without_times(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text.trim_end();
    while let Some(at) = rest.find(" s") {
        let (before, after) = rest.split_at(at);
        let number = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let ends = !after[2..].starts_with(|c: char| c.is_alphanumeric());
        if number.len() < before.len() && ends {
            kept.push_str(number);
            kept.push('_');
        } else {
            kept.push_str(before);
        }
        kept.push_str(" s");
        rest = &after[2..];
    }
    kept + rest
}
