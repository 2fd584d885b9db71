//! `conform` against brute force: all runs of small random models, state by concrete state, with all injective bindings.
//!
//! Each pair is a random net with some of its transitions logged, and a log that one of its runs has left, as it is or
//! spoilt: cut off, with an event left out, with two swapped, with somebody called otherwise, with a wrong event. Verdicts,
//! the number of events explained and the least number of edits must be those of the oracle, and each run that is found is
//! checked step by step.

use std::collections::BTreeMap;
use std::io::Cursor;

use crate::log::{self, Case, Known};
use crate::oracle::{self, Found};
use crate::random_net::{Ingredients, random_net};
use crate::witness;
use budget::Budget;
use conform::{Answer, Mapping, Options, Reader, Verdict, Vocabulary, conform};
use net::Net;
use random::{Random, daily, for_seeds};

/// How many edits the nearest explanation may have: two now and then, since they are many.
fn most_edits(seed: u64) -> u32 {
    1 + u32::from(seed.is_multiple_of(5))
}

/// What `conform` answers.
fn answer(net: &std::sync::Arc<Net>, case: &Case, edits: u32) -> Answer {
    let mapping = Mapping::read(&case.mapping()).expect("a mapping");
    let vocabulary = Vocabulary::new(net, &mapping).expect("it fits the net");
    let text = case.text();
    let input = Box::new(Cursor::new(text));
    let mut reader = Reader::new(input, &mapping.log).expect("a form");
    // More than the oracle looks at.
    let candidates = oracle::MOST + 1;
    let options =
        Options { window: case.window, edits, run: true, candidates, ..Options::default() };
    let answer = conform(&vocabulary, &mut || reader.next_entry(), &options, &Budget::unlimited());
    answer.unwrap_or_else(|error| panic!("{error}\n{}\n{}", case.mapping(), case.text()))
}

/// A random net, and a log.
fn pair(seed: u64, random: &mut Random) -> (std::sync::Arc<Net>, Case) {
    // Not groups: a statement about records in any order is several transitions, which these nets do not tell apart.
    let ingredients = [
        Ingredients::Threads,
        Ingredients::Threads,
        Ingredients::Objects,
        Ingredients::ThreadsAndClasses,
        Ingredients::Classes,
    ];
    let ingredients = ingredients[(seed / 16 % 5) as usize];
    let net = random_net(seed, ingredients, |net| log::walk(net, 4, &mut Random::new(7)).len() < 3);
    let net = net.net;
    let case = Case::random(&net, random);
    (net, case)
}

/// Compares one pair. Says what became of it.
fn compare(seed: u64, random: &mut Random) -> &'static str {
    let (net, case) = pair(seed, random);
    let edits = most_edits(seed);
    let expected = oracle::explain(&net, &case, edits);
    if matches!(expected, Err(log::LARGE)) {
        return log::LARGE;
    }
    let found = answer(&net, &case, edits);
    let about = || {
        let net = lang::write(&net);
        format!("{net}\n{}\n{}\n{}", case.mapping(), case.text(), found.text())
    };
    if found.verdict == Verdict::Conforms {
        let run = found.run.as_ref().expect("a run was asked for");
        if let Err(what) = witness::check(&net, &case, run) {
            panic!("the run does not explain the log: {what}\n{}", about());
        }
    }
    let Found { explained, edits } = match expected {
        Ok(expected) => expected,
        Err(why) => return why,
    };
    assert_ne!(found.verdict, Verdict::Incomplete, "{}", about());
    let total = case.events.len() as u64;
    assert_eq!(found.verdict == Verdict::Conforms, explained == total, "{explained}: {}", about());
    assert_eq!(found.explained, explained, "{}", about());
    if explained == total {
        return "conforms";
    }
    let difference = found.difference.as_ref().expect("it differs");
    let nearest = difference.nearest.as_ref().map(|nearest| nearest.edits.len() as u32);
    match edits {
        // The edits were too many to try.
        None => return "differs",
        Some(edits) => assert_eq!(nearest, edits, "edits {edits:?}: {}", about()),
    }
    if nearest.is_some() { "differs, nearest found" } else { "differs, none near" }
}

#[test]
fn verdicts_are_those_of_the_definition() {
    let mut tally: BTreeMap<&str, u32> = BTreeMap::new();
    let all = daily(6_000, 20);
    for_seeds(0..all, |seed, random| *tally.entry(compare(seed, random)).or_default() += 1);
    let decided = |what: &str| tally.get(what).copied().unwrap_or(0);
    let kinds = ["conforms", "differs, nearest found", "differs, none near"];
    let sum: u32 = kinds.iter().map(|kind| decided(kind)).sum();
    assert!(kinds.iter().all(|kind| decided(kind) > 0), "{tally:?}");
    assert!(u64::from(sum) >= all / 2, "{tally:?}");
}

/// What a log might mean else, and how it is made to.
type Misreading = (&'static str, fn(&mut Case));

const MISREADINGS: [Misreading; 5] = [
    ("names are given again, or not", |case| case.reuse = !case.reuse),
    ("what is logged may happen unlogged", |case| case.unlogged.extend(case.logged.keys())),
    ("lines are in order", |case| case.known = Known::Lines),
    ("an event may be a line later", |case| {
        case.window = case.window.map(|window| window + 1);
    }),
    ("identities say nothing", |case| {
        case.logged.values_mut().for_each(|(_, variables)| variables.clear());
    }),
];

/// If `conform` meant something else, the comparison would show it.
#[test]
fn misreadings_are_noticed() {
    let mut noticed = [0; MISREADINGS.len()];
    for_seeds(0..200, |seed, random| {
        let (net, case) = pair(seed, random);
        let Ok(expected) = oracle::explain(&net, &case, 0) else { return };
        for ((_, misread), noticed) in MISREADINGS.iter().zip(&mut noticed) {
            let mut other = case.clone();
            misread(&mut other);
            let found = answer(&net, &other, 0);
            let is_decided = found.verdict != Verdict::Incomplete;
            *noticed += u32::from(is_decided && found.explained != expected.explained);
        }
    });
    for ((what, _), noticed) in MISREADINGS.iter().zip(noticed) {
        assert!(noticed > 0, "that {what} is noticed by no pair");
    }
}
