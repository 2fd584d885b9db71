//! The file of a model changed on disk while the page is open.

use std::fs;

use crate::Test;
use crate::chrome::Chrome;
use crate::served::Served;

pub const TESTS: &[Test] = &[("broken_and_fixed_on_disk", broken_and_fixed_on_disk)];

fn broken_and_fixed_on_disk(chrome: &Chrome) {
    let (served, window) = (Served::models(&["models/processes/abba.kin"]), chrome.start());
    let page = window.open(&served.link_to("model=abba&run=0.0.1"));
    page.until_run("0.0.1");
    let file = served.file("abba.kin");
    let right = fs::read_to_string(&file).expect("the model");

    fs::write(&file, right.replace("spawn other()", "spawn othr()")).expect("it is saved");
    page.until("document.body.dataset.frozen === 'true'");
    page.until_says("diagnostic", "othr");
    let line =
        right.lines().position(|line| line.contains("spawn other()")).expect("it is there") + 1;
    page.until(&format!(
        "document.querySelector('[data-test=diagnostic]').dataset.line === '{line}'"
    ));
    page.picture("broken");

    // Fixed, with a line more at the top: the run still goes as it did.
    fs::write(&file, format!("// one more line\n{right}")).expect("it is saved");
    page.until("document.body.dataset.frozen === 'false'");
    page.until_run("0.0.1");
    page.until("document.querySelector('[data-test=end-banner]')?.dataset.end === 'deadlock'");

    // Without the other process, nothing is left.
    let alone = right.replace("    spawn other()\n", "");
    fs::write(&file, alone).expect("it is saved");
    page.until("document.body.dataset.run !== '0.0.1' && document.body.dataset.frozen === 'false'");
    page.until_says("status", "lost");
}
