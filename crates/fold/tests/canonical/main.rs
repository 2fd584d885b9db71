//! Canonical representatives against the definition of equivalence.

mod bytes;
mod planted;
mod random_state;
mod slow_checker;

use canon::Canoniser;
use fold::audit::disguised;
use fold::{Equivalent, canonical, equivalent};
use random::{Random, for_seeds};
use random_state::{changed, random_state};
use state::{Relations, State};

/// Holds the verdict on a pair against the slow checker, and says what it is.
fn compared(one: &State, other: &State, relations: Relations, of: &str) -> bool {
    let canoniser = &mut Canoniser::new();
    let forms = [one, other].map(|state| canonical(state, relations, canoniser).state);
    let verdict = forms[0] == forms[1];
    let expected = slow_checker::equivalent(one, other, relations);
    assert_eq!(verdict, expected, "{of}, up to {relations}:\n{one:?}\n{other:?}\n{forms:?}");
    match equivalent(one, other, relations) {
        Some(h) => assert!(slow_checker::is_equivalence(&h, one, other, relations), "{of}: {h:?}"),
        None => assert!(!verdict, "{of}: equivalent, but nobody knows how"),
    }
    verdict
}

#[test]
fn representatives_stand_for_their_class() {
    for seed in 0..1_500 {
        let state = random_state(&mut Random::new(seed));
        assert_eq!(state.check(), Ok(()), "seed {seed}");
        let canoniser = &mut Canoniser::new();
        for relations in Relations::every() {
            let form = canonical(&state, relations, canoniser);
            let of = format!("seed {seed}, up to {relations}: {state:?}\n{:?}", form.state);
            assert_eq!(form.state.check(), Ok(()), "{of}");
            let (h, form) = (form.renamed, form.state);
            assert!(slow_checker::is_equivalence(&h, &state, &form, relations), "{of}");
            assert_eq!(canonical(&form, relations, canoniser).state, form, "{of}");
        }
    }
}

#[test]
fn disguises_are_seen_through() {
    for_seeds(0..1_500, |seed, random| {
        let state = random_state(random);
        for relations in Relations::every() {
            let Equivalent { state: other, renamed } =
                disguised(&state, relations, seed % 2 == 1, random);
            let of = format!("seed {seed}, up to {relations}: {state:?}\n{other:?}");
            assert_eq!(other.check(), Ok(()), "{of}");
            assert!(slow_checker::is_equivalence(&renamed, &state, &other, relations), "{of}");
            let canoniser = &mut Canoniser::new();
            let forms = [&state, &other].map(|s| canonical(s, relations, canoniser).state);
            assert_eq!(forms[0], forms[1], "{of}");
        }
    });
}

#[test]
fn verdicts_are_those_of_the_definition() {
    let mut verdicts = [0; 2];
    for_seeds(0..1_000, |seed, random| {
        let state = random_state(random);
        for relations in Relations::every() {
            // Changed in one thing, and disguised so that equality of digits says nothing.
            let other = changed(&state, random);
            assert_eq!(other.check(), Ok(()), "seed {seed}");
            let other = disguised(&other, relations, false, random).state;
            let verdict = compared(&state, &other, relations, &format!("seed {seed}, changed"));
            verdicts[usize::from(verdict)] += 1;
        }
    });
    assert!(verdicts.iter().all(|&count| count > 1_000), "one-sided: {verdicts:?}");
}

#[test]
fn what_other_relations_hide_is_seen() {
    let mut verdicts = [0; 2];
    for_seeds(0..1_000, |seed, random| {
        let state = random_state(random);
        let fewer = Relations::every().nth(random.below(16) as usize).unwrap();
        let other = disguised(&state, fewer, false, random).state;
        for relations in Relations::every() {
            let of = format!("seed {seed}, disguised up to {fewer}");
            let verdict = compared(&state, &other, relations, &of);
            assert!(verdict || !fewer.includes(relations), "{of}, {relations}");
            verdicts[usize::from(verdict)] += 1;
        }
    });
    assert!(verdicts.iter().all(|&count| count > 1_000), "one-sided: {verdicts:?}");
}

fn state(json: &str) -> State {
    State::from_json(json).unwrap()
}

fn relations(list: &str) -> Relations {
    list.parse().unwrap()
}

#[test]
fn activity_alone_is_seen() {
    let alive = state(r#"{"tokens": {"p": [["1"]]}, "eta": {"1": 0}}"#);
    let ended = state(r#"{"tokens": {"p": [["1"]]}, "eta": {}}"#);
    for relations in Relations::every() {
        assert!(!compared(&alive, &ended, relations, "activity"));
    }
}

#[test]
fn whose_next_pid_it_is_is_seen_without_parenthood() {
    // The next child of the one at a, or of the one at b, is the next sibling of the one at c.
    let of_a = state(
        r#"{"tokens": {"a": [["1"]], "b": [["2"]], "c": [["1.1"]]}, "eta": {"1": 1, "2": 1}}"#,
    );
    let of_b = state(
        r#"{"tokens": {"a": [["1"]], "b": [["2"]], "c": [["2.1"]]}, "eta": {"1": 1, "2": 1}}"#,
    );
    assert!(!compared(&of_a, &of_b, relations("next_sibling"), "next pids"));
    assert!(compared(&of_a, &of_b, relations(""), "next pids"));
}

#[test]
fn ancestors_are_seen_across_those_that_are_gone() {
    let below_one = state(r#"{"tokens": {"p": [["1"]], "q": [["1.1.1"]]}, "eta": {}}"#);
    let elsewhere = state(r#"{"tokens": {"p": [["1"]], "q": [["2.1.1"]]}, "eta": {}}"#);
    assert!(!compared(&below_one, &elsewhere, relations("parent,ancestor"), "ancestors"));
    assert!(compared(&below_one, &elsewhere, relations("parent"), "ancestors"));
}

#[test]
fn the_papers_example_of_next_pids() {
    let close = state(r#"{"tokens": {"p": [["1"], ["1.1"]]}, "eta": {"1": 1}}"#);
    let far = state(r#"{"tokens": {"p": [["5"], ["5.1"]]}, "eta": {"5": 3}}"#);
    assert!(!compared(&close, &far, relations("parent,next_sibling"), "next pids"));
    assert!(compared(&close, &far, relations("parent,elder_sibling"), "next pids"));
}
