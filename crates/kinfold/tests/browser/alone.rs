//! Pages that work from disk: exported by the explorer, and written by `check` and `graph`.

use std::fs;

use crate::Test;
use crate::chrome::Chrome;
use crate::running::{kinfold, project};
use crate::served::Served;

pub const TESTS: &[Test] = &[
    ("export_opens_from_disk", export_opens_from_disk),
    ("trace_opens_from_disk", trace_opens_from_disk),
    ("graph_opens_from_disk", graph_opens_from_disk),
];

fn export_opens_from_disk(chrome: &Chrome) {
    let (served, window) = (Served::models(&["models/processes/abba.kin"]), chrome.start());
    let page = window.open(&served.link_to("model=abba&run=0.0.1"));
    page.until_run("0.0.1");
    page.click_on("export");
    page.until("document.querySelector('[data-test=export-html]')");
    page.picture("export");
    // What the page would save is what the interface gives for it.
    let token = served.link().split("token=").nth(1).expect("a token").to_owned();
    let content = page.text(&format!(
        "fetch('api/v1/export', {{ method: 'POST', headers: {{ Authorization: 'Bearer {token}' }}, \
         body: JSON.stringify({{ model: 'abba', run: [0, 0, 1], format: 'html' }}) }}).then((answer) => answer.json()).then((file) => file.content)"
    ));
    let file = served.file("run.html");
    fs::write(&file, content).expect("a file");
    let alone = window.open(&format!("file://{}", file.display()));
    alone.until("document.querySelectorAll('[data-test=lifeline]').length >= 4");
    alone.until_says("outcome", "deadlock");
    alone.picture("alone");
}

fn trace_opens_from_disk(chrome: &Chrome) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stuck.html");
    let path = file.to_str().expect("a path");
    let done = kinfold(&["check", &project("models/processes/abba.kin"), "--trace", path]);
    assert_eq!(done.status, 11, "{}", done.stderr);
    let window = chrome.start();
    let page = window.open(&format!("file://{path}"));
    page.until("document.querySelectorAll('[data-test=lifeline]').length >= 4");
    page.until_says("outcome", "nobody can go on");
}

fn graph_opens_from_disk(chrome: &Chrome) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("graph.html");
    let path = file.to_str().expect("a path");
    let model = project("models/processes/abba.kin");
    let done = kinfold(&["graph", &model, "--format", "html", "-o", path]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let window = chrome.start();
    let page = window.open(&format!("file://{path}"));
    page.until("Number(document.querySelector('canvas')?.dataset.nodes ?? 0) >= 10");
    page.picture("graph_alone");
}
