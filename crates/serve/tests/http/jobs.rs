//! What takes long, over HTTP.

use serde_json::{Value as Json, json};
use serve::Bounds;

use crate::running::{COUNTER, Running, eventually};

/// Far more classes than a test could wait for.
fn endless() -> Running {
    Running::showing("server.kin", &[("k", "9"), ("m", "9")])
}

fn state_of(server: &Running, job: &Json) -> Json {
    server.ask("job", &json!({ "job": job }))
}

#[test]
fn a_check_tells_verdicts_and_its_end() {
    let server = Running::start(&[("counter.kin", COUNTER)]);
    let mut events = server.listen();
    let job = server.ask("check", &json!({ "model": "counter", "properties": ["small"] }));
    let job = &job["job"];
    let mut verdict = events.wait_for("verdict");
    while verdict["is_final"] == false {
        verdict = events.wait_for("verdict");
    }
    assert_eq!(&verdict["job"], job);
    assert_eq!((&verdict["property"], &verdict["verdict"]), (&json!("small"), &json!("holds")));
    let end = events.wait_for("end");
    assert_eq!((&end["job"], &end["state"]), (job, &json!("done")));
    let told = state_of(&server, job);
    assert_eq!((&told["state"], &told["operation"]), (&json!("done"), &json!("check")));
    assert_eq!((&told["model"], &told["generation"]), (&json!("counter"), &json!(1)));
    // What was told before the end, and at the end, is about one property.
    assert_eq!(told["verdicts"].as_array().unwrap().len(), 1, "{told}");
    for field in ["event", "job"] {
        verdict.as_object_mut().unwrap().remove(field);
    }
    assert_eq!(told["verdicts"], json!([verdict]));
}

#[test]
fn a_search_and_coverage_tell_their_results() {
    let server = Running::start(&[("counter.kin", COUNTER)]);
    let mut events = server.listen();
    let predicate = "exists p at counting: p.n == 2";
    let job = server.ask("search", &json!({ "model": "counter", "predicate": predicate }));
    let result = events.wait_for("result");
    assert_eq!((&result["job"], &result["run"]), (&job["job"], &json!([0, 0])));
    events.wait_for("end");
    let job = server.ask("coverage", &json!({ "model": "counter" }));
    let result = events.wait_for("result");
    assert_eq!((&result["job"], &result["classes"]), (&job["job"], &json!(4)));
    events.wait_for("end");
    assert_eq!(state_of(&server, &job["job"])["result"]["classes"], 4);
}

#[test]
fn a_job_goes_on_beside_and_is_stopped() {
    let server = endless();
    let mut events = server.listen();
    let job = server.ask("check", &json!({ "model": "server", "properties": ["no_deadlock"] }));
    let job = &job["job"];
    let progress = events.wait_for("progress");
    assert_eq!(&progress["job"], job);
    assert_eq!(state_of(&server, job)["state"], "running");
    for steps in 0..5 {
        server.ask("state", &json!({ "model": "server", "run": vec![0; steps] }));
    }
    assert_eq!(server.ask("stop", &json!({ "job": job })), json!({}));
    let end = events.wait_for("end");
    assert_eq!((&end["job"], &end["state"]), (job, &json!("stopped")));
    assert_eq!(state_of(&server, job)["state"], "stopped");
    assert_eq!(server.ask("stop", &json!({ "job": job })), json!({}), "once more does no harm");
}

#[test]
fn there_may_be_so_many_jobs_and_no_more() {
    let server = endless();
    let check = json!({ "model": "server", "properties": ["no_deadlock"] });
    let most = Bounds::default().jobs;
    let jobs: Vec<Json> = (0..most).map(|_| server.ask("check", &check)["job"].clone()).collect();
    let refused = server.answer("check", &check);
    assert_eq!((refused.status, refused.code().as_str()), (429, "too_many"));
    server.ask("state", &json!({ "model": "server", "run": [0] }));
    server.ask("stop", &json!({ "job": jobs[0] }));
    eventually("there is a place for one more", || server.answer("check", &check).status == 200);
}

/// The server ends with jobs under way: nobody waits for them.
#[test]
fn jobs_end_with_the_server() {
    let mut server = endless();
    let mut events = server.listen();
    server.ask("check", &json!({ "model": "server", "properties": ["no_deadlock"] }));
    events.wait_for("progress");
    server.end();
    while events.next().is_some() {}
}

#[test]
fn jobs_that_ended_long_ago_are_forgotten() {
    let bounds = Bounds { ended_jobs: 2, ..Bounds::default() };
    let server = Running::bounded(&[("counter.kin", COUNTER)], bounds);
    let mut events = server.listen();
    let mut check = || {
        let job = server.ask("check", &json!({ "model": "counter" }))["job"].clone();
        assert_eq!(events.wait_for("end")["job"], job);
        job
    };
    let jobs = [check(), check(), check()];
    let refused = server.answer("job", &json!({ "job": jobs[0] }));
    assert_eq!((refused.status, refused.code().as_str()), (404, "no_such_job"));
    assert_eq!(server.answer("stop", &json!({ "job": jobs[0] })).code(), "no_such_job");
    assert_eq!(state_of(&server, &jobs[1])["state"], "done");
    assert_eq!(state_of(&server, &jobs[2])["state"], "done");
}

#[test]
fn what_is_wrong_about_a_job_is_said_at_once() {
    let server = Running::start(&[("counter.kin", COUNTER)]);
    for (operation, request, code) in [
        ("job", json!({}), "bad_request"),
        ("job", json!({ "job": "1" }), "bad_request"),
        ("job", json!({ "job": -1 }), "bad_request"),
        ("stop", json!([1]), "bad_request"),
        ("stop", json!({ "job": 12 }), "no_such_job"),
        ("check", json!({ "model": "other" }), "no_such_model"),
        ("check", json!({ "model": "counter", "text": "always (" }), "refused"),
        ("search", json!({ "model": "counter" }), "bad_request"),
    ] {
        let answer = server.answer(operation, &request);
        assert_eq!(answer.code(), code, "{operation} {request}");
    }
    // None of them has kept a place.
    for _ in 0..2 * Bounds::default().jobs {
        let refused = server.answer("check", &json!({ "model": "counter", "text": "always (" }));
        assert_eq!(refused.code(), "refused");
    }
}
