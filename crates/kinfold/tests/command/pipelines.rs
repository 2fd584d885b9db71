//! What build pipelines read: reports in files, in all forms from one run.

use std::fs;

use serde_json::Value;

use crate::running::{Done, kinfold};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Checks a model, and writes both reports.
    fn check(&self, model: &str, more: &[&str]) -> Done {
        let model = self.write("model.kin", model);
        let (junit, sarif) = (self.path("report.xml"), self.path("report.sarif"));
        kinfold(&[&["check", &model, "--junit", &junit, "--sarif", &sarif], more].concat())
    }
}

const DEADLOCK: &str = "model m\nplace p = 1\nplace q\ntransition t { take p   put q }\n\
    property free: deadlock_free\nproperty some: always count(p) + count(q) == 1\n";

#[test]
fn one_run_gives_all_reports() {
    let folder = Folder::new();
    let done = folder.check(DEADLOCK, &["--format", "github"]);
    assert_eq!(done.status, 11, "{}", done.stderr);
    assert!(done.stdout.starts_with("::error file="), "{}", done.stdout);
    let sarif: Value = serde_json::from_str(&folder.read("report.sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "deadlock");
    let printed = folder.check(DEADLOCK, &["--format", "sarif"]);
    assert_eq!(printed.stdout, folder.read("report.sarif"));
    let junit = folder.read("report.xml");
    assert!(junit.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""), "{junit}");
}

/// A model that goes wrong by itself: nothing is known of its properties, and that is an error, not something left out.
#[test]
fn a_fault_is_an_error_of_the_model() {
    let folder = Folder::new();
    let faulty = "model m\nflow a(n: 0..=2)\nstart a(0)\n\
        transition t { move p: a(n) -> a(n + 1) }\nproperty few: always count(a) == 1\n";
    let done = folder.check(faulty, &[]);
    assert_eq!(done.status, 150, "{}{}", done.stdout, done.stderr);
    let junit = folder.read("report.xml");
    assert!(junit.contains("errors=\"1\""), "{junit}");
    assert!(junit.contains("name=\"model\""), "{junit}");
    assert!(junit.contains("outside the range 0..=2"), "{junit}");
    assert_eq!(junit.matches("<testcase ").count(), 2, "{junit}");
    assert!(junit.contains("tests=\"2\""), "{junit}");
}

#[test]
fn a_file_that_cannot_be_written_is_said_first() {
    let folder = Folder::new();
    let model = folder.write("model.kin", DEADLOCK);
    let done = kinfold(&["check", &model, "--sarif", &folder.path("no/such/report.sarif")]);
    assert_eq!(done.status, 153);
    assert!(done.stderr.contains("there is no such directory"), "{}", done.stderr);
    assert_eq!(done.stdout, "");
}
