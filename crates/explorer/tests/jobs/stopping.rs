//! Stop: what was found until then stays found. A limit is no verdict.

use budget::{Budget, Limits};
use explorer::{End, EndState, News};
use serde_json::json;

use crate::asked::{explorer_of, job_within};
use crate::{result, verdicts};

/// More classes than any machine looks at before it is stopped: 30 threads, each at one of 30 numbers.
const LONG: &str = "model m\nflow a(n: 0..=29)\nstart 30 times a(0)\n\
     transition up { move p: a(n) -> a(n + 1)  when n < 29 }\n\
     property near: reachable exists p at a: p.n == 1\n\
     property far: always exists p at a: p.n < 29\n";

/// Interrupts a job as soon as it tells something of a kind; all that it told.
fn stopped_at(operation: &str, is_enough: fn(&News) -> bool) -> (Vec<News>, End) {
    let explorer = explorer_of(LONG);
    let body = json!({ "model": "m", "predicate": "forall p at a: p.n == 29" }).to_string();
    let job = explorer.begin(operation, body.as_bytes(), &Budget::unlimited()).unwrap();
    let budget = Budget::unlimited();
    let mut news = Vec::new();
    let end = job.run(&budget, &mut |one| {
        if is_enough(&one) {
            budget.interrupt();
        }
        news.push(one);
    });
    (news, end)
}

#[test]
fn a_check_that_is_stopped_keeps_what_it_has_found() {
    let (news, end) = stopped_at("check", |news| matches!(news, News::Verdict(_)));
    assert_eq!(end, End { state: EndState::Stopped, why: None });
    let told = verdicts(&news);
    assert_eq!((&told[0]["property"], &told[0]["verdict"]), (&json!("near"), &json!("holds")));
    assert_eq!(told[0]["run"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&told[1]["verdict"], &told[1]["why"]),
        (&json!("unknown"), &json!("the run was interrupted"))
    );
}

#[test]
fn a_search_that_is_stopped_has_found_nothing_yet() {
    let (news, end) = stopped_at("search", |news| matches!(news, News::Progress(_)));
    assert_eq!(end.state, EndState::Stopped);
    assert_eq!(*result(&news), json!({ "found": false, "complete": false }));
}

#[test]
fn coverage_that_is_stopped_tells_what_was_covered() {
    let (news, end) = stopped_at("coverage", |news| match news {
        News::Progress(progress) => progress["classes"].as_u64() > Some(100),
        _ => false,
    });
    assert_eq!(end.state, EndState::Stopped);
    let told = result(&news);
    assert_eq!(told["complete"], false);
    assert!(told["classes"].as_u64() > Some(100));
    assert_eq!(told["never_fired"], json!([]));
    let depths = told["depths"].as_array().unwrap().iter();
    assert_eq!(
        depths.map(|one| one.as_u64().unwrap()).sum::<u64>(),
        told["classes"].as_u64().unwrap()
    );
}

/// Progress never goes back, and says what it should.
#[test]
fn progress_is_told() {
    let (news, _) = stopped_at("coverage", |news| match news {
        News::Progress(progress) => progress["classes"].as_u64() > Some(2000),
        _ => false,
    });
    let mut before = 0;
    for one in &news {
        if let News::Progress(progress) = one {
            let classes = progress["classes"].as_u64().unwrap();
            assert!(classes >= before);
            before = classes;
            for field in ["edges", "rate", "depth", "seconds"] {
                assert!(progress[field].is_number(), "{progress}");
            }
        }
    }
    assert!(before > 0);
}

#[test]
fn a_limit_is_no_verdict() {
    let explorer = explorer_of(LONG);
    let limits = Limits { memory: Some(1), ..Limits::default() };
    let budget = Budget::new(limits);
    let (news, end) = job_within(&explorer, "check", json!({ "model": "m" }), &budget);
    assert_eq!(end.state, EndState::Done);
    assert_eq!(end.why.as_deref(), Some("the limit on memory was reached"));
    let told = verdicts(&news);
    assert_eq!(told[1]["verdict"], "unknown");
    let (news, end) =
        job_within(&explorer, "coverage", json!({ "model": "m" }), &Budget::new(limits));
    assert_eq!(result(&news)["complete"], false);
    assert_eq!(end.why.as_deref(), Some("the limit on memory was reached"));
}
