//! Every block of every page, and of `README.md`, is looked at by a test, or says that it is no example.
//!
//! What a block is stands behind its fence. Some pages have tests of their own, which say more of their blocks
//! ([`FOLLOWED`]); what is here is asked of all pages.
//!
//! | fence | what is tested here |
//! | --- | --- |
//! | `kin` | pasted into a file, it is checked, unless it is a part of a file that a page changes |
//! | `console` | the commands print what is shown |
//! | `sh` | commands of kinfold have these options, and what is named of the project is there |
//! | `go` | it is checked, and the `text` that follows is printed |
//! | `json` | it is JSON, or lines of it |
//! | `bash` | it is a script, for a bash that is there |
//! | `rust` | it is in a page whose examples are doctests |
//! | `python` | nothing: `python/test` runs what its page shows |
//! | `text`, `rust,ignore` | nothing: what is printed somewhere, or a part of something |
//! | `yaml`, `toml`, `lua`, `js` | nothing: settings of other programs, which `pipelines/test` and `editors` read |

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::document;
use crate::running::{fed, kinfold, project};

/// Pages whose console blocks are followed by tests of their own.
const FOLLOWED: [&str; 3] = ["cases.md", "tutorial.md", "tutorial_nets.md"];

/// Pages whose Rust is tested: they are included in the documentation of a crate.
const DOCTESTED: [&str; 1] = ["systems.md"];

/// Commands of others that may stand in a block `sh`.
const OTHERS: [&str; 10] =
    ["cc", "cd", "code", "cp", "curl", "mkdir", "npm", "npx", "pip", "python3"];

/// The page that is not in `docs/`. What it prints has no name behind its fence; `readme.rs` has a look at that.
const README: &str = "README.md";

struct Block {
    page: String,
    line: usize,
    kind: String,
    text: String,
}

impl Block {
    fn at(&self) -> String {
        let folder = if self.page == README { "" } else { "docs/" };
        format!("{folder}{}, line {}", self.page, self.line)
    }
}

/// The blocks of all pages.
fn blocks() -> Vec<Block> {
    let mut pages: Vec<_> =
        fs::read_dir(project("docs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|is| is == "md"));
    pages.push(project(README).into());
    pages.sort();
    assert!(pages.len() > 20, "only {} pages were found", pages.len());
    pages.iter().flat_map(|path| blocks_of(path)).collect()
}

fn blocks_of(path: &Path) -> Vec<Block> {
    let page = path.file_name().unwrap().to_str().unwrap();
    let text = fs::read_to_string(path).unwrap();
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let unindented = line.trim_start();
        let Some(info) = unindented.strip_prefix("```") else {
            if open.is_some() {
                let block = blocks.last_mut().expect("a block is open");
                block.text.push_str(line);
                block.text.push('\n');
            }
            continue;
        };
        if open.take().is_some() {
            assert_eq!(unindented, "```", "{page}, line {number}: a fence in a block");
        } else {
            open = Some((number, info));
            let (page, kind) = (page.to_owned(), info.to_owned());
            blocks.push(Block { page, line: number, kind, text: String::new() });
        }
    }
    assert!(open.is_none(), "{page}: the fence in line {open:?} is not closed");
    blocks
}

#[test]
fn every_block_is_tested_or_no_example() {
    let mut complaints = Vec::new();
    for block in blocks() {
        let page = block.page.as_str();
        let is_known = match block.kind.as_str() {
            "console" | "sh" | "go" | "json" | "bash" | "text" | "rust,ignore" => true,
            "yaml" | "toml" | "lua" | "js" => true,
            "rust" => DOCTESTED.contains(&page),
            "python" => page == "python.md",
            "" => page == README,
            kind if kind.starts_with("text,without=") => page == "processes.md",
            kind if kind.starts_with("kin,fails=") => page == "processes.md",
            kind if kind.starts_with("kin,error=") => {
                ["processes.md", "language.md"].contains(&page)
            }
            kind if kind.starts_with("kin ") => page.starts_with("tutorial"),
            kind => kind == "kin",
        };
        if !is_known {
            complaints.push(format!("{}: no test knows what `{}` is", block.at(), block.kind));
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// The pages whose blocks are tested elsewhere still are what those tests look at.
#[test]
fn pages_with_tests_of_their_own_are_there() {
    let blocks = blocks();
    for page in FOLLOWED {
        assert!(blocks.iter().any(|block| block.page == page && block.kind == "console"), "{page}");
    }
    let library = fs::read_to_string(project("crates/kinfold/src/lib.rs")).unwrap();
    for page in DOCTESTED {
        assert!(library.contains(&format!("include_str!(\"../../../docs/{page}\")")), "{page}");
    }
}

/// So few states are enough to see that a model runs.
const MOST_STATES: &str = "300";

#[test]
fn every_model_runs_from_a_file() {
    let mut models = 0;
    let folder = tempfile::tempdir().unwrap();
    for block in blocks() {
        if block.kind != "kin" && !block.kind.starts_with("kin,fails=") {
            continue;
        }
        models += 1;
        let path = folder.path().join("pasted.kin");
        fs::write(&path, &block.text).unwrap();
        let done = kinfold(&["check", path.to_str().unwrap(), "--max-states", MOST_STATES]);
        assert!([0, 11, 12, 13, 14, 20].contains(&done.status), "{}: {}", block.at(), done.stderr);
        let written = block.text.lines().find_map(|line| line.strip_prefix("model "));
        let name = written.map_or("pasted", |name| name.trim_matches('`'));
        assert_eq!(done.stdout.lines().next(), Some(name), "{}", block.at());
    }
    assert!(models > 70, "only {models} models were found");
}

#[test]
fn commands_print_what_is_shown() {
    let mut pages: Vec<String> = blocks()
        .into_iter()
        .filter(|block| block.kind == "console" && !FOLLOWED.contains(&block.page.as_str()))
        .map(|block| block.page)
        .collect();
    pages.dedup();
    assert!(!pages.is_empty(), "no page has a console block");
    let mut complaints = Vec::new();
    for page in pages {
        let text = fs::read_to_string(project(&format!("docs/{page}"))).unwrap();
        // In the folder of the project, where `models/` is; nothing there is changed.
        assert!(!text.contains("\n```kin file="), "{page} writes files");
        let found = document::run(&text, Path::new(&project("")));
        complaints.extend(found.into_iter().map(|complaint| format!("docs/{page}, {complaint}")));
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn programs_in_go_are_checked() {
    let blocks = blocks();
    let mut programs = 0;
    for (at, block) in blocks.iter().enumerate().filter(|(_, block)| block.kind == "go") {
        programs += 1;
        let shown = &blocks[at + 1];
        assert_eq!((shown.kind.as_str(), &shown.page), ("text", &block.page), "{}", block.at());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shown_test.go");
        fs::write(&path, &block.text).unwrap();
        let done = kinfold(&["check", path.to_str().unwrap()]);
        assert_eq!(done.status, 11, "{}: {}{}", block.at(), done.stdout, done.stderr);
        assert!(done.stdout.contains(&shown.text), "{}:\n{}", shown.at(), done.stdout);
    }
    assert_eq!(programs, 2);
}

#[test]
fn json_can_be_read() {
    for block in blocks().iter().filter(|block| block.kind == "json") {
        let is_one = serde_json::from_str::<Value>(&block.text).is_ok();
        let is_line = |line: &str| serde_json::from_str::<Value>(line).is_ok();
        assert!(is_one || block.text.lines().all(is_line), "{}", block.at());
    }
}

#[test]
fn scripts_are_scripts() {
    for block in blocks().iter().filter(|block| block.kind == "bash") {
        let mut bash = Command::new("bash");
        if bash.arg("--version").output().is_err() {
            return;
        }
        let done = fed(Command::new("bash").arg("-n"), block.text.as_bytes());
        assert_eq!(done.status, 0, "{}: {}", block.at(), done.stderr);
    }
}

/// The annotation that `docs/checking.md` shows is printed for that model.
#[test]
fn the_annotation_is_printed() {
    let all = blocks();
    let shown = all.iter().find(|block| block.text.starts_with("::error file="));
    let shown = shown.expect("an annotation is shown").text.trim_end();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    command.args(["check", "models/cases/shutdown.kin", "--format", "github"]);
    let printed = fed(command.current_dir(project("")), b"").stdout;
    assert!(printed.lines().any(|line| document::shows(shown, line)), "{printed}");
}

#[test]
fn commands_have_the_options_that_are_shown() {
    let mut commands = 0;
    let mut complaints = Vec::new();
    for block in blocks().iter().filter(|block| block.kind == "sh") {
        for line in block.text.replace("\\\n", " ").lines() {
            let line = line.split(" #").next().unwrap_or_default().trim();
            let line = line.split(" | ").next().unwrap_or_default();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            commands += 1;
            if let Err(complaint) = can_be_typed(line) {
                complaints.push(format!("{}: {line}: {complaint}", block.at()));
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
    assert!(commands > 20, "only {commands} commands were found");
}

/// Whether a command has these options, and what it names of the project is there.
fn can_be_typed(line: &str) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().skip_while(|word| word.contains('=')).collect();
    let (name, words) = words.split_first().ok_or("no command")?;
    for word in words {
        let is_ours = ["models/", "docs/"].iter().any(|folder| word.starts_with(folder));
        if is_ours && !Path::new(&project(word)).exists() {
            return Err(format!("there is no {word}"));
        }
    }
    match *name {
        "kinfold" => words.split(|word| *word == "--").enumerate().try_for_each(has_options),
        "cargo" => is_built(words),
        name if OTHERS.contains(&name) => Ok(()),
        name if name.contains('/') && Path::new(&project(name)).is_file() => Ok(()),
        name => Err(format!("no test knows the command `{name}`")),
    }
}

/// An option that a command does not have is reported before it prints its help.
fn has_options((_, words): (usize, &[&str])) -> Result<(), String> {
    // What is optional, or left to the reader.
    let plain = |word: &&str| !word.starts_with('[') && !word.ends_with(']');
    let mut args: Vec<&str> = words.iter().copied().filter(plain).collect();
    args.push("--help");
    let done = kinfold(&args);
    if done.status == 0 { Ok(()) } else { Err(done.stderr) }
}

/// What cargo is asked to build is there.
fn is_built(words: &[&str]) -> Result<(), String> {
    let after = |names: &[&str]| {
        let at = words.iter().position(|word| names.contains(word))?;
        words.get(at + 1).copied()
    };
    let Some(package) = after(&["-p", "--package"]) else { return Ok(()) };
    let named = format!("name = \"{package}\"\n");
    let crates = fs::read_dir(project("crates")).map_err(|error| error.to_string())?;
    let mut folders = crates.filter_map(|entry| Some(entry.ok()?.path()));
    let folder = folders
        .find(|folder| {
            fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| text.contains(&named))
        })
        .ok_or(format!("there is no package {package}"))?;
    for (option, place) in [("--bench", "benches"), ("--test", "tests"), ("--example", "examples")]
    {
        let Some(name) = after(&[option]) else { continue };
        let path = folder.join(place).join(name);
        if !path.with_extension("rs").is_file() && !path.join("main.rs").is_file() {
            return Err(format!("{package} has no {name} in {place}/"));
        }
    }
    Ok(())
}

/// What a test of pages must notice.
#[test]
fn what_is_wrong_is_noticed() {
    for (line, said) in [
        ("kinfold check models/no_such_model.kin", "there is no models/no_such_model.kin"),
        ("kinfold check models/pool.kin --tiem 3", "--tiem"),
        ("kinfold explode models/pool.kin", "explode"),
        ("kinfold cluster run -n 2 -- explore models/pool.kin --no-such", "--no-such"),
        ("cargo bench -p kinfold --bench no_such", "no_such"),
        ("cargo test -p no-such", "no package"),
        ("make all", "no test knows"),
        ("scripts/no_such", "no test knows"),
    ] {
        let complaint = can_be_typed(line).expect_err(line);
        assert!(complaint.contains(said), "{line}: {complaint}");
    }
    assert_eq!(can_be_typed("KINFOLD_TESTS=all cargo test -p kinfold --test command"), Ok(()));
    for (page, printed, fits) in [
        ("a\nb", "a\nb", true),
        ("a\nb", "a\nb\nc", false),
        ("a\n…\nc", "a\nb\nb\nc", true),
        ("a\n…\nc", "a\nc\nb", false),
        ("…\nb\n…\nd", "a\nb\nc\nd", true),
        ("…\nd\n…\nb", "a\nb\nc\nd", false),
        ("a…\nb", "abc\nb", true),
        ("a…\nb", "bc\nb", false),
        ("…", "a\nb", true),
        ("a\n…", "b", false),
    ] {
        assert_eq!(document::shows(page, printed), fits, "{page:?} {printed:?}");
    }
}
