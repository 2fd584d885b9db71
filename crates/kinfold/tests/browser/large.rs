//! A run of 1,000 steps and 100 threads, scrolled.

use serde_json::Value as Json;

use crate::Test;
use crate::chrome::Chrome;
use crate::seen::test;
use crate::served::Served;

pub const TESTS: &[Test] =
    &[("run_of_1000_steps_and_100_threads", run_of_1000_steps_and_100_threads)];

/// A hundred workers that take turns with what they share.
const CROWD: &str = "model crowd\n\n\
    shared lock = new mutex\nshared total: 0..=9 = 0\n\n\
    process main {\n    for i in 1..=100 { spawn worker() }\n}\n\n\
    process worker {\n    loop {\n        with lock.lock() { total = (total + 1) % 10 }\n    }\n}\n";

fn run_of_1000_steps_and_100_threads(chrome: &Chrome) {
    let files = [("crowd.kin".to_owned(), CROWD.to_owned())];
    let (served, window) = (Served::texts(&files, &[]), chrome.start());
    // The first hundred steps are births; the rest is at random.
    let births = ["0"; 100].join(".");
    let page = window.open(&served.link_to(&format!("model=crowd&run={births}")));
    page.until_ready();
    page.write(&test("random-steps"), "900");
    page.click_on("random-go");
    page.until("document.body.dataset.run.split('.').length === 1000 && document.body.dataset.busy === '0'");
    page.until("document.querySelectorAll('[data-test=run-list] [role=option]').length > 5");
    let lifelines = page.count("lifeline");
    assert!(lifelines < 60, "only what is in sight is drawn, not {lifelines} lifelines");
    let rows = page.value("document.querySelectorAll('[data-test=run-list] [role=option]').length");
    assert!(rows.as_u64() < Some(200), "only what is in sight is drawn, not {rows} rows");
    let frames = page.value(
        "new Promise((done) => { const scroller = document.querySelector('[data-test=run-scroll]'); \
         scroller.scrollTop = 0; const times = []; let last = performance.now(); \
         const next = (now) => { times.push(now - last); last = now; scroller.scrollTop += 150; scroller.scrollLeft += 40; \
           if (times.length < 120) requestAnimationFrame(next); else done(times.slice(1).sort((a, b) => a - b)); }; \
         requestAnimationFrame(next); })",
    );
    say("run", 1000, &frames);
    assert!(
        page.value("document.querySelector('[data-test=run-scroll]').scrollTop").as_f64()
            > Some(1000.0)
    );
    page.picture("large");
}

/// Says how long frames took, in milliseconds, from the shortest to the longest.
pub fn say(what: &str, size: u64, frames: &Json) {
    let frames: Vec<f64> =
        frames.as_array().expect("a list").iter().filter_map(Json::as_f64).collect();
    let at = |part: f64| frames[((frames.len() - 1) as f64 * part) as usize];
    println!(
        "{what} of {size}: {} frames, median {:.1} ms, 95 of 100 within {:.1} ms, longest {:.1} ms",
        frames.len(),
        at(0.5),
        at(0.95),
        at(1.0)
    );
}
