//! The explorer page in a real browser, and the pictures of it for README and the docs.
//!
//! The browser is what `CHROME` names, or a Chromium or Chrome on the `PATH`; without one, these tests are left out, and
//! say so. More is tried where these are set:
//!
//! - `AXE`: the file `axe.min.js` of axe-core, by which pages are examined for what keeps people out;
//! - `PLAYGROUND`: a folder that `playground/build` has made;
//! - `PICTURES`: a folder for the pictures, which are otherwise not kept.
//!
//! Arguments select the tests whose names contain one of them.
#![allow(clippy::print_stdout, reason = "it is its own harness")]

mod accessible;
mod alone;
mod broken;
mod chrome;
mod devtools;
mod graph;
mod large;
mod played;
mod properties;
#[path = "../running/command.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod running;
mod seen;
mod served;
mod walking;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use chrome::Chrome;

/// A test, by its name.
type Test = (&'static str, fn(&Chrome));

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // What the test harness of Rust takes as options is not for these.
    let wanted: Vec<&String> = arguments.iter().filter(|one| !one.starts_with('-')).collect();
    if arguments.iter().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    let Some(chrome) = Chrome::found() else {
        println!("browser tests left out: no Chromium on the PATH, and CHROME is not set");
        return ExitCode::SUCCESS;
    };
    let groups: [&[Test]; 8] = [
        walking::TESTS,
        properties::TESTS,
        broken::TESTS,
        graph::TESTS,
        alone::TESTS,
        large::TESTS,
        accessible::TESTS,
        played::TESTS,
    ];
    let mut failed = Vec::new();
    let chosen = groups.iter().copied().flatten().filter(|(name, _)| {
        wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str()))
    });
    for (name, test) in chosen {
        let began = Instant::now();
        let passed = catch_unwind(AssertUnwindSafe(|| test(&chrome))).is_ok();
        let word = if passed { "ok" } else { "FAILED" };
        println!("test {name} ... {word} ({:.1} s)", began.elapsed().as_secs_f64());
        if !passed {
            failed.push(*name);
        }
    }
    if failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("failed in the browser: {}", failed.join(", "));
    ExitCode::FAILURE
}
