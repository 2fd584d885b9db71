//! The cases under `models/cases/`: each finds its bug, and the fixed model has all its properties.
//!
//! A case is a pair of models, `NAME.kin` and `NAME_fixed.kin`. A line of the header says which
//! properties fail, each with the exit status it leads to when it is checked alone:
//!
//! ```text
//! // fails: no_orphan (12), at_work (12)
//! // fails: nothing
//! ```
//!
//! All others hold, and none of them vacuously. The first one is the bug of the case: its chart is in
//! `docs/cases/NAME.svg`.

use std::collections::BTreeSet;
use std::fs;

use crate::document;
use crate::running::{Done, kinfold, project};

const CASES: [&str; 8] = [
    "orphan",
    "registration",
    "work_stealing",
    "private_queue",
    "lost_permit",
    "shutdown",
    "stale_view",
    "spawn_limit",
];

/// What is said in ten seconds is said; what takes longer is `unknown`.
fn check(model: &str, options: &[&str]) -> Done {
    let path = project(&format!("models/cases/{model}.kin"));
    let mut args = vec!["check", &path, "--time", "10"];
    args.extend(options);
    kinfold(&args)
}

/// The properties that the header says fail, each with its exit status.
fn failures(model: &str) -> Vec<(String, i32)> {
    let text = fs::read_to_string(project(&format!("models/cases/{model}.kin"))).unwrap();
    let said = text.lines().find_map(|line| line.strip_prefix("// fails: "));
    let said = said.unwrap_or_else(|| panic!("{model}: no line starts with `// fails: `"));
    if said == "nothing" {
        return Vec::new();
    }
    let parse = |one: &str| {
        let (name, status) = one.strip_suffix(')')?.split_once(" (")?;
        Some((name.to_owned(), status.parse().ok()?))
    };
    let parse = |one| parse(one).unwrap_or_else(|| panic!("{model}: `NAME (STATUS)`, not `{one}`"));
    said.split(", ").map(parse).collect()
}

/// Checks the model as a whole against its header.
fn assert_as_said(model: &str, failures: &[(String, i32)]) {
    let done = check(model, &["--json"]);
    let status = failures.iter().map(|&(_, status)| status).min().unwrap_or(0);
    assert_eq!(done.status, status, "{model}: {}{}", done.stdout, done.stderr);
    let report = done.json();
    let properties = report["properties"].as_array().unwrap();
    assert!(properties.len() > failures.len(), "{model}: nothing shows that it works");
    for property in properties {
        let name = property["name"].as_str().unwrap();
        let fails = failures.iter().any(|(failing, _)| failing == name);
        let verdict = if fails { "fails" } else { "holds" };
        assert_eq!(property["verdict"], verdict, "{model}: {name}");
        assert_eq!(property["vacuous"], false, "{model}: {name}");
    }
    for (name, _) in failures {
        assert!(properties.iter().any(|property| property["name"] == **name), "{model}: {name}");
    }
}

#[test]
fn every_bug_is_found() {
    for case in CASES {
        let failures = failures(case);
        assert!(!failures.is_empty(), "{case} has a bug");
        assert_as_said(case, &failures);
        for (name, status) in &failures {
            let alone = check(case, &["--property", name]);
            assert_eq!(alone.status, *status, "{case}: {name}: {}", alone.stdout);
        }
    }
}

#[test]
fn every_fixed_model_has_all_its_properties() {
    for case in CASES {
        let fixed = format!("{case}_fixed");
        assert_eq!(failures(&fixed), [], "{fixed}");
        assert_as_said(&fixed, &[]);
    }
}

/// A fixed model that is asked for less has not been fixed.
#[test]
fn both_models_of_a_case_are_asked_for_the_same() {
    let properties = |model: &str| {
        let text = fs::read_to_string(project(&format!("models/cases/{model}.kin"))).unwrap();
        text[text.find("\nproperty ").unwrap()..].to_owned()
    };
    for case in CASES {
        assert_eq!(properties(case), properties(&format!("{case}_fixed")), "{case}");
    }
}

#[test]
fn no_model_is_left_out() {
    let named = |folder: &str, extension: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(project(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let wanted = paths.filter(|path| path.extension().is_some_and(|is| is == extension));
        wanted.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
    };
    // As nets and as processes.
    let pair = |case: &str| {
        ["", "_fixed", "_processes", "_fixed_processes"].map(|which| format!("{case}{which}"))
    };
    assert_eq!(named("models/cases", "kin"), CASES.into_iter().flat_map(pair).collect());
    assert_eq!(named("docs/cases", "svg"), CASES.into_iter().map(str::to_owned).collect());
}

/// The lines of a model, as `kinfold fmt` lays them out, that are neither empty nor comments.
fn code_lines(model: &str) -> usize {
    let path = project(&format!("models/cases/{model}.kin"));
    let formatted = kinfold(&["fmt", "--check", &path]);
    assert_eq!(formatted.status, 0, "{model} is not formatted");
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[test]
fn processes_take_at_most_half_the_lines_of_nets() {
    for case in CASES.iter().flat_map(|case| [case.to_string(), format!("{case}_fixed")]) {
        let (net, processes) = (code_lines(&case), code_lines(&format!("{case}_processes")));
        assert!(2 * processes <= net, "{case}: {processes} lines, and {net} of the net");
    }
}

/// The process models that the page shows are the files.
#[test]
fn the_page_shows_the_processes() {
    let page = fs::read_to_string(project("docs/cases.md")).unwrap();
    for case in CASES {
        let name = format!("{case}_processes");
        let text = fs::read_to_string(project(&format!("models/cases/{name}.kin"))).unwrap();
        let body = text.split_once(&format!("model {name}\n\n")).expect("it has its name").1;
        assert!(page.contains(&format!("```kin\n{body}```\n")), "{name} is not in the page");
    }
}

#[test]
fn the_charts_are_what_is_drawn_now() {
    let folder = tempfile::tempdir().unwrap();
    for case in CASES {
        let drawn = folder.path().join(format!("{case}.svg"));
        let bug = &failures(case)[0].0;
        let trace = drawn.to_str().unwrap();
        check(case, &["--property", bug, "--trace", trace, "--trace-format", "svg"]);
        let shown = project(&format!("docs/cases/{case}.svg"));
        let (drawn, shown) =
            (fs::read_to_string(drawn).unwrap(), fs::read_to_string(shown).unwrap());
        assert_eq!(drawn, shown, "docs/cases/{case}.svg is not what is drawn now");
    }
}

#[test]
fn the_page_says_what_the_command_prints() {
    let page = fs::read_to_string(project("docs/cases.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let models = folder.path().join("models/cases");
    fs::create_dir_all(&models).unwrap();
    for entry in fs::read_dir(project("models/cases")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, models.join(path.file_name().unwrap())).unwrap();
    }
    let complaints = document::run(&page, folder.path());
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    for case in CASES {
        for named in [format!("(cases/{case}.svg)"), format!("models/cases/{case}_fixed.kin")] {
            assert!(page.contains(&named), "{named} is not in the page");
        }
    }
}
