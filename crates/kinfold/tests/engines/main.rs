//! Four engines on random nets with classes: symbolic markings, states folded one by one, decision diagrams
//! of the unfolded net, and concrete states fired by the plain interpreter.
//!
//! Compared are classes, edges, modes, deadlocks, concrete states and edges, the largest numbers of tokens,
//! and, state by state, which concrete states are folded together.

#![expect(clippy::print_stdout, reason = "what the nets were like is of interest")]

#[path = "../../../net/tests/differential/random_groups.rs"]
mod random_groups;
#[path = "../../../net/tests/differential/random_net.rs"]
#[expect(dead_code, reason = "made for more than is compared here")]
mod random_net;
#[path = "../../../net/tests/differential/random_transition.rs"]
mod random_transition;

use std::collections::HashMap;
use std::sync::Arc;

use budget::Budget;
use fold::Folded;
use kinfold::{Census, DiagramForm, Form, Plan, Survey, SurveyError, diagram_survey, survey};
use net::{
    Column, Compiled, InitialToken, InitialValue, Literal, Net, Place, PlaceId, Sort, Symmetry,
    interpret,
};
use num_bigint::BigUint;
use random::Random;
use state::Relations;
use symbolic::Translation;

use random_net::{Ingredients, random_net};

/// Sets of symbolic markings may take this many steps; for a few nets they would take minutes.
const STEPS_AS_MARKINGS: u64 = 200_000;
/// This many nets have to be explored completely as symbolic markings, in each of the batches.
const NETS: usize = 250;

/// Half of them each day.
fn nets() -> usize {
    random::daily(NETS as u64, 2) as usize
}

/// The batches run side by side; each begins with another seed.
const FIRST_SEEDS: [u64; 4] = [40_000, 50_000, 60_000, 70_000];
/// No net may have more concrete states than this.
const MOST_STATES: u64 = 400;
/// No net may have more tokens at first than this: the modes of a transition are combinations of them.
const MOST_TOKENS: u64 = 32;
/// A net with fewer concrete states is dull, and taken only where no better one is found.
const DULL: u64 = 50;

fn explored(net: &Arc<Net>, plan: Plan) -> Result<Survey<'_>, SurveyError> {
    survey(net, &Plan { states: Some(MOST_STATES), ..plan })
}

fn full(net: &Arc<Net>) -> Result<Survey<'_>, SurveyError> {
    explored(net, Plan { full: true, ..Plan::default() })
}

/// Whether a net has so many tokens at first that firing takes long.
fn is_large(net: &Net) -> bool {
    let state = interpret::initial(net);
    let tokens =
        |place: &Place| state.tokens(&place.name).map(|(_, count)| u64::from(count)).sum::<u64>();
    net.places.iter().map(tokens).sum::<u64>() > MOST_TOKENS
}

/// Whether a net has few concrete states, or too many. The folded net is asked, which is fast: what it says
/// decides only which nets are compared.
fn is_dull(net: &Net) -> bool {
    if is_large(net) {
        return true;
    }
    let net = Arc::new(net.clone());
    explored(&net, Plan::default()).is_ok_and(|mut survey| {
        let states = survey.census().map(|census| census.concrete_states.clone());
        states.is_none_or(|states| states < DULL.into() || states > MOST_STATES.into())
    })
}

/// What was found, apart from the states.
#[derive(Debug, PartialEq)]
struct Found {
    classes: u64,
    edges: u64,
    modes: u64,
    deadlocks: u64,
    depth: u32,
    most_tokens: Vec<u64>,
    census: Census,
}

fn found(survey: &mut Survey) -> Found {
    let census = survey.census().expect("complete, and without threads").clone();
    let exploration = survey.exploration();
    Found {
        classes: exploration.states(),
        edges: exploration.edges,
        modes: survey.modes(),
        deadlocks: exploration.deadlocks.len() as u64,
        depth: exploration.depth(),
        most_tokens: survey.most_tokens().to_vec(),
        census,
    }
}

/// What was compared of a net.
struct Compared {
    classes: u64,
    /// Whether symbolic markings were compared, and whether the set of them was.
    symbolic: bool,
    as_set: bool,
}

/// Compares the engines on a net; `None` if there are too many states.
fn compared(net: &Arc<Net>, threads: usize) -> Option<Compared> {
    let mut full = match full(net) {
        Ok(full) if !full.exploration().complete => return None,
        full => full,
    };
    let plan = Plan { threads, share_from: Some(1), ..Plan::default() };
    let best = explored(net, plan.clone());
    let folded = explored(net, Plan { one_by_one: true, ..plan });
    let Ok(full) = &mut full else {
        // States are not expanded in the same order, so a limit may come first.
        let missed = |survey: &Survey| survey.exploration().complete;
        let missed = [&best, &folded].map(|outcome| outcome.as_ref().is_ok_and(missed));
        assert_eq!(missed, [false; 2], "only the interpreter faults");
        return None;
    };
    let (mut best, mut folded) = (best.expect("no fault"), folded.expect("no fault"));
    let (best_found, folded_found) = (found(&mut best), found(&mut folded));
    assert_eq!(best_found, folded_found);
    let census = full.census().expect("complete").clone();
    assert_eq!(Census { modes: best_found.census.modes.clone(), ..census }, best_found.census);
    let symbolic = best.form() == Form::Symbolic;
    let mut as_set = false;
    if symbolic {
        check_classes(net, full);
        check_unfolded(net, &best_found);
        as_set = check_markings(net, &best_found);
    }
    Some(Compared { classes: best_found.classes, symbolic, as_set })
}

/// Whether a set of symbolic markings has the same counts; `false` if it takes too long.
fn check_markings(net: &Arc<Net>, found: &Found) -> bool {
    let budget = Budget::unlimited().with_steps(STEPS_AS_MARKINGS);
    let diagram = match diagram_survey(net, &Plan { budget, ..Plan::default() }) {
        Ok(diagram) => diagram,
        Err(why) if why.is_limit() => return false,
        Err(why) => panic!("{why}"),
    };
    assert_eq!(diagram.concrete_states, found.census.concrete_states);
    if diagram.form == DiagramForm::Markings {
        assert_eq!(diagram.states, found.classes.into());
    }
    true
}

/// Whether the decision diagram of the unfolded net has the same counts.
fn check_unfolded(net: &Arc<Net>, found: &Found) {
    let plan = Plan { unfold: true, ..Plan::default() };
    let diagram = diagram_survey(net, &plan).expect("a net that is translated can be unfolded");
    let census = diagram.census.expect("it is unfolded");
    let expected = &found.census;
    assert_eq!(census.states, expected.concrete_states);
    assert_eq!(census.edges, expected.concrete_edges);
    assert_eq!(census.deadlocks, expected.concrete_deadlocks);
    assert_eq!(census.most_tokens, expected.most_tokens);
    assert_eq!(BigUint::from(census.most_in_place), expected.most_in_place);
}

/// Whether symbolic markings and folded states put the same concrete states together.
fn check_classes(net: &Arc<Net>, full: &Survey) {
    let translation = Translation::of(net, &Budget::unlimited()).expect("it was translated before");
    let mut symbolic = translation.symbolic().space();
    let compiled = Compiled::new(net.clone(), Relations::NONE);
    let mut folded = Folded::new(compiled, Relations::NONE);
    let mut there = HashMap::new();
    let mut back = HashMap::new();
    for (id, _) in full.exploration().store.iter() {
        let state = full.state(id);
        let bytes = symbolic.fold(&translation.tokens(&state)).expect("a marking of the net");
        let (working, _) = folded.rules().working(&state);
        let string = folded.fold(working);
        assert_eq!(there.entry(bytes.clone()).or_insert_with(|| string.clone()), &string);
        assert_eq!(back.entry(string).or_insert_with(|| bytes.clone()), &bytes);
        let representative = translation.state(&symbolic.representative(&bytes));
        let again = symbolic.fold(&translation.tokens(&representative)).expect("a marking");
        assert_eq!(again, bytes, "a representative belongs to its class");
    }
}

/// Compares the engines on the nets of a batch. Gives those that were explored as symbolic markings.
fn batch(first_seed: u64) -> Vec<Compared> {
    let mut all = Vec::new();
    let (mut seed, mut untranslated) = (first_seed, 0);
    while all.len() < nets() {
        let net = random_net(seed, Ingredients::Classes, is_dull).net;
        if is_large(&net) {
            seed += 1;
            continue;
        }
        let compare = || compared(&net, 1 + (seed % 2) as usize);
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(compare));
        let outcome = outcome.unwrap_or_else(|_| {
            panic!("the engines disagree on seed {seed}:\n{}", lang::write(&net))
        });
        match outcome {
            Some(compared) if compared.symbolic => all.push(compared),
            Some(_) => untranslated += 1,
            None => {}
        }
        seed += 1;
    }
    println!("{} nets tried, {untranslated} not translated", seed - first_seed);
    all
}

#[test]
fn symbolic_folded_and_full_agree() {
    let compared: Vec<Compared> = std::thread::scope(|scope| {
        let batches = FIRST_SEEDS.map(|seed| scope.spawn(move || batch(seed)));
        let joined = batches.into_iter().map(|batch| batch.join().expect("engines agree"));
        joined.flatten().collect()
    });
    let as_sets = compared.iter().filter(|compared| compared.as_set).count();
    let mut classes: Vec<u64> = compared.iter().map(|compared| compared.classes).collect();
    classes.sort_unstable();
    let median = classes[classes.len() / 2];
    println!("{} nets, {as_sets} as sets of markings, median {median} classes", classes.len());
    assert!(median >= 20, "median {median} classes");
    assert!(
        10 * as_sets >= 9 * classes.len(),
        "{as_sets} of {} nets as sets of markings",
        classes.len()
    );
}

/// The same net with nothing declared, and perhaps a token more, which may tell members apart.
fn undeclared(net: &Net, random: &mut Random) -> Net {
    let mut net = net.clone();
    for class in &mut net.enumerations {
        class.round = class.symmetry == Symmetry::Rotations;
        class.symmetry = Symmetry::None;
    }
    if random.percent(60) {
        // A flow place that nobody starts in stays empty; it is the last.
        let flows = net.places.iter().filter(|place| place.is_flow()).count();
        let place = random.below(net.places.len() - flows);
        let value = |column: &Column| match column.sort {
            Sort::Enum(id) => {
                let members = net.enumerations[id.index()].members.len();
                Literal::Enum(id, random.below(members) as u32)
            }
            Sort::Int { min, .. } => Literal::Int(min),
            _ => Literal::Bool(true),
        };
        let values = net.places[place].columns.iter().map(value).map(InitialValue::Data).collect();
        net.tokens.push(InitialToken::new(PlaceId(place as u32), values, 1));
    }
    net
}

/// Symmetry that is found, also where the initial marking breaks some of it, folds what it stands for.
#[test]
fn what_found_symmetry_folds_is_counted_exactly() {
    let (mut compared, mut folded) = (0, 0);
    for seed in 80_000.. {
        let random = &mut Random::new(seed);
        let declared = random_net(seed, Ingredients::Classes, is_dull).net;
        if is_large(&declared) {
            continue;
        }
        let plain = Arc::new(undeclared(&declared, random));
        let found = Arc::new(plain.find_symmetry(&[]).net);
        let Ok(mut full) = full(&plain) else { continue };
        if !full.exploration().complete {
            continue;
        }
        let expected = full.census().expect("complete").clone();
        let mut survey = explored(&found, Plan::default()).expect("no fault, as in the full net");
        let census = survey.census().expect("complete").clone();
        let modes = census.modes.clone();
        assert_eq!(census, Census { modes, ..expected }, "seed {seed}:\n{}", lang::write(&found));
        compared += 1;
        folded += u64::from(survey.exploration().states() < full.exploration().states());
        if compared == random::daily(200, 2) {
            break;
        }
    }
    assert!(5 * folded >= 2 * compared, "only {folded} of {compared} nets were folded");
}

#[test]
fn a_long_net_is_translated_within_a_budget() {
    let transitions = (0..25_000).map(|i| format!("transition t{i} {{ take p put p }}\n"));
    let text = format!("model long\nplace p = 1\n{}", transitions.collect::<String>());
    let net = Arc::new(lang::compile(&text, &[]).net.expect("no flaw"));
    let translation = Translation::of(&net, &Budget::unlimited()).expect("there is no arithmetic");
    assert_eq!(translation.symmetric_net().transitions.len(), 25_000);
    let spent = Budget::unlimited();
    spent.interrupt();
    let why = Translation::of(&net, &spent).expect_err("there is no time");
    assert!(why.is_limit(), "{why}");
    // A survey then ends as incomplete, and so do diagrams.
    let plan = Plan { budget: spent, ..Plan::default() };
    let cut = survey(&net, &plan).expect("no fault");
    assert!(!cut.exploration().complete);
    assert!(diagram_survey(&net, &plan).expect_err("there is no time").is_limit());
}
