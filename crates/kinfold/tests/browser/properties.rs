//! Verdicts, violations walked through, loops; properties typed in; search; coverage.

use crate::Test;
use crate::chrome::Chrome;
use crate::seen::test;
use crate::served::Served;

pub const TESTS: &[Test] = &[
    ("violation_is_a_run", violation_is_a_run),
    ("loop_is_walked", loop_is_walked),
    ("property_is_asked", property_is_asked),
    ("search_finds_the_nearest", search_finds_the_nearest),
    ("coverage_and_growth", coverage_and_growth),
    ("check_is_stopped", check_is_stopped),
];

fn violation_is_a_run(chrome: &Chrome) {
    let (served, window) = (Served::models(&["models/processes/abba.kin"]), chrome.start());
    let page = window.open(served.link());
    page.until_ready();
    page.click_on("tab-properties");
    page.click_on("check-all");
    page.until("document.querySelector('[data-test=property][data-verdict=fails]')");
    page.click("[data-test=property][data-verdict=fails] [data-test=open-run]");
    page.until("document.querySelector('[data-test=end-banner]')?.dataset.end === 'deadlock'");
    page.until("!document.querySelector('[data-test=outcome]').hidden");
    page.picture("violation");
    // It can be walked through.
    page.press(&["u"]);
    page.until(
        "Number(document.body.dataset.at) === document.body.dataset.run.split('.').length - 1",
    );
    page.until("document.querySelectorAll('[data-test=next-step]').length > 0");
}

fn loop_is_walked(chrome: &Chrome) {
    let (served, window) = (Served::models(&["models/processes/starved_stop.kin"]), chrome.start());
    let page = window.open(served.link());
    page.until_ready();
    page.click_on("tab-properties");
    page.click_on("check-all");
    page.click("[data-test=property][data-verdict=fails] [data-test=open-run]");
    page.until("location.hash.includes('loop=') && document.body.dataset.busy === '0'");
    page.picture("loop");
    let at = "Number(document.body.dataset.at)";
    let steps = page.value("document.body.dataset.run.split('.').length");
    page.click_on("to-end");
    page.until(&format!("{at} === {steps} && document.body.dataset.stateAt === '{steps}'"));
    page.until("document.querySelector('[data-test=loop-banner]')");
    // At the end it goes on where the loop begins.
    page.press(&["l"]);
    page.until(&format!("{at} < {steps}"));
}

fn property_is_asked(chrome: &Chrome) {
    let (served, window) = (Served::models(&["models/processes/abba.kin"]), chrome.start());
    let page = window.open(served.link());
    page.until_ready();
    page.click_on("tab-properties");
    page.write("#property-text", "always count(other) <= 1");
    page.press(&["Enter"]);
    page.until("document.querySelector('[data-test=property][data-verdict=holds]')");
    page.write("#property-text", "always count(another) <= 1");
    page.press(&["Enter"]);
    page.until_says("property-mistake", "another");
    page.write("#property-text", "never count(other) == 1");
    page.press(&["Enter"]);
    page.until(
        "document.querySelector('[data-test=property][data-verdict=fails] [data-test=open-run]')",
    );
    page.click("[data-test=property][data-verdict=fails] [data-test=open-run]");
    page.until("document.body.dataset.run !== '' && document.body.dataset.busy === '0'");
    page.until_says("thread", "other 1.1");
    page.until_says("status", "The run of never count(other) == 1");
    // What was asked before is still there.
    page.until("document.querySelector('[data-test=property][data-verdict=holds]')");
}

fn search_finds_the_nearest(chrome: &Chrome) {
    let (served, window) = (Served::models(&["models/processes/abba.kin"]), chrome.start());
    let page = window.open(served.link());
    page.until_ready();
    page.click_on("tab-search");
    page.write("#predicate", "count(other) == 1");
    page.press(&["Enter"]);
    page.until_run("0");
    page.write("#predicate", "count(other) == 2");
    page.press(&["Enter"]);
    page.until_says("search-result", "no");
    page.until_run("0");
}

fn coverage_and_growth(chrome: &Chrome) {
    let source = "model covered\n\nshared x: 0..=9 = 3\n\nprocess main {\n    if x > 5 {\n        x = 0\n    }\n    x = 1\n}\n";
    let files = [("covered.kin".to_owned(), source.to_owned())];
    let (served, window) = (Served::texts(&files, &[]), chrome.start());
    let page = window.open(served.link());
    page.until_ready();
    page.click_on("tab-coverage");
    page.click_on("coverage-go");
    page.until_says("coverage-summary", "states");
    page.until("document.querySelector('[data-test=growth] svg')");
    page.until("document.querySelector('[data-test=new-classes]')");
    page.until_says("lines-missed", "7");
    page.picture("coverage");
}

fn check_is_stopped(chrome: &Chrome) {
    let text =
        std::fs::read_to_string(crate::running::project("models/server.kin")).expect("a model");
    let files = [("server.kin".to_owned(), text)];
    let (served, window) =
        (Served::texts(&files, &["--set", "k=9", "--set", "m=9"]), chrome.start());
    let page = window.open(served.link());
    page.until_ready();
    page.click_on("tab-properties");
    page.click_on("check-all");
    page.until(
        "Number(document.querySelector('[data-test=check-progress]')?.dataset.classes ?? 0) > 0 \
        || Number(document.querySelector('[data-test=check-job]')?.dataset.classes ?? 0) > 0",
    );
    // Steps are answered while it goes on.
    page.take(0);
    page.until_run("0");
    page.picture("checking");
    page.click(&test("check-stop"));
    page.until_says("check-note", "topped");
}
