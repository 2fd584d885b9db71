//! What takes long: checks, searches and coverage, against the engines below and against brute force.

#[path = "../asking/asked.rs"]
mod asked;
mod brute;
mod checking;
mod covering;
mod searching;
mod stopping;

use explorer::News;
use serde_json::Value as Json;

/// The last verdict of each property, in their order.
fn verdicts(news: &[News]) -> Vec<Json> {
    let mut found: Vec<Json> = Vec::new();
    for one in news {
        if let News::Verdict(verdict) = one {
            match found.iter_mut().find(|other| other["number"] == verdict["number"]) {
                Some(other) => *other = verdict.clone(),
                None => found.push(verdict.clone()),
            }
        }
    }
    found.sort_by_key(|verdict| verdict["number"].as_u64());
    found
}

/// What a job has found.
fn result(news: &[News]) -> &Json {
    let results = news.iter().filter_map(|one| match one {
        News::Result(result) => Some(result),
        _ => None,
    });
    let results: Vec<&Json> = results.collect();
    assert_eq!(results.len(), 1, "{news:?}");
    results[0]
}
