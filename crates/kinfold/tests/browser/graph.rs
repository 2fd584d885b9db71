//! The graph of classes, grown to thousands.

use crate::Test;
use crate::chrome::Chrome;
use crate::served::Served;

pub const TESTS: &[Test] =
    &[("graph_around_a_class", graph_around_a_class), ("graph_grown_to_2000", graph_grown_to_2000)];

const NODES: &str =
    "Number(document.querySelector('[data-test=graph-canvas]')?.dataset.nodes ?? 0)";

fn graph_around_a_class(chrome: &Chrome) {
    let (served, window) = (Served::models(&["models/processes/abba.kin"]), chrome.start());
    let page = window.open(served.link());
    page.until_ready();
    page.click_on("tab-graph");
    page.until(&format!("{NODES} >= 2"));
    page.click_on("graph-whole");
    page.until(&format!("{NODES} >= 10"));
    page.until_says("graph-legend", "ead");
    page.picture("graph");
    // A class that is chosen is opened as a run to it.
    page.value("document.querySelector('[data-test=graph-canvas]').focus()");
    page.press(&["s"]);
    page.until("Number(document.querySelector('[data-test=graph-selected]')?.dataset.class) > 0");
    page.click_on("graph-open");
    page.until("document.body.dataset.run !== '' && document.body.dataset.busy === '0'");
}

fn graph_grown_to_2000(chrome: &Chrome) {
    let text =
        std::fs::read_to_string(crate::running::project("models/server.kin")).expect("a model");
    let files = [("server.kin".to_owned(), text)];
    let (served, window) =
        (Served::texts(&files, &["--set", "k=4", "--set", "m=3"]), chrome.start());
    let page = window.open(served.link());
    page.until_ready();
    page.click_on("tab-graph");
    page.until(&format!("{NODES} >= 2"));
    let mut known = 0;
    while known < 2000 {
        page.click_on("grow-all");
        page.until(&format!("{NODES} > {known} && document.body.dataset.busy === '0'"));
        known = page.value(NODES).as_u64().expect("a number");
    }
    // The view stays where it was, within the canvas, and can be moved.
    let scale = "document.querySelector('[data-test=graph-canvas]').dataset.scale";
    let before = page.text(scale);
    page.click_on("graph-zoom-in");
    page.until(&format!("{scale} !== '{before}'"));
    page.click_on("graph-fit");
    let frames = page.value(
        "new Promise((done) => { const times = []; let last = performance.now(); \
         const canvas = document.querySelector('[data-test=graph-canvas]'); const box = canvas.getBoundingClientRect(); \
         const next = (now) => { times.push(now - last); last = now; \
           canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: times.length % 20 < 10 ? -20 : 20, clientX: box.x + 200, clientY: box.y + 100, bubbles: true, cancelable: true })); \
           if (times.length < 60) requestAnimationFrame(next); else done(times.slice(1).sort((a, b) => a - b)); }; \
         requestAnimationFrame(next); })",
    );
    crate::large::say("graph", known, &frames);
    page.picture("graph_large");
}
