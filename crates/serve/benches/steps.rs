//! How long a step takes to answer, alone and while a check runs beside it: on the model with 455,127 classes.
//!
//! A step is what the page asks for when one is taken: the state after it and the run with it, each on a connection of
//! its own. `cargo bench -p kinfold-serve --bench steps`.
#![allow(clippy::print_stdout, reason = "a bench says what it measured")]

#[path = "../tests/http/client.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod client;
#[path = "../tests/http/running.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod running;

use std::time::{Duration, Instant};

use running::Running;
use serde_json::{Value as Json, json};

const STEPS: usize = 300;

fn main() {
    let server = Running::showing("server.kin", &[("k", "4"), ("m", "3")]);
    let walked =
        server.ask("random", &json!({ "model": "server", "run": [], "steps": STEPS, "seed": 1 }));
    let run: Vec<u64> =
        walked["run"].as_array().expect("a run").iter().filter_map(Json::as_u64).collect();
    println!("{} steps of N(4, 3)", run.len());
    say("alone", steps(&server, &run, || {}));
    let mut job = Json::Null;
    let mut checks = 0;
    let beside = steps(&server, &run, || {
        let is_running =
            !job.is_null() && server.ask("job", &json!({ "job": job }))["state"] == "running";
        if !is_running {
            job = server.ask("check", &json!({ "model": "server" }))["job"].clone();
            checks += 1;
        }
    });
    say("beside a check", beside);
    println!("{checks} checks were started, one as soon as the last was done");
    server.ask("stop", &json!({ "job": job }));
}

/// How long each step of a run takes.
fn steps(server: &Running, run: &[u64], mut before: impl FnMut()) -> Vec<Duration> {
    let step = |length: usize| {
        before();
        let run = &run[..length];
        let began = Instant::now();
        server.ask("state", &json!({ "model": "server", "run": run }));
        server.ask("run", &json!({ "model": "server", "run": run }));
        began.elapsed()
    };
    (1..=run.len()).map(step).collect()
}

fn say(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1000.0;
    println!(
        "{what}: median {:.1} ms, 95 of 100 within {:.1} ms, longest {:.1} ms",
        at(0.5),
        at(0.95),
        at(1.0)
    );
}
