//! Verdicts on classes, compared with verdicts on concrete states.
//!
//! Where concrete states are finitely many, random properties are decided under random fairness by a naive
//! checker that shares nothing with the engine but the plain interpreter, and the verdicts compared. Where
//! threads are born and die for ever they are infinitely many. Then a loop that is shown is repeated,
//! concretely, until everybody who stays is back in their place, and looked at there; and where nothing is
//! shown, all closed walks of up to eight steps through classes are tried. Every run that is shown is
//! replayed, and those that end in a state that shows enough are as short as can be.
//!
//! A failure names the seed; [`ONLY`] runs it alone.

#![expect(clippy::print_stdout, reason = "what the nets were like is of interest")]

mod branching;
mod endless;
mod evidence;
#[path = "../../../net/tests/differential/exploration.rs"]
#[expect(dead_code, reason = "made for more than is compared here")]
mod exploration;
mod fairness;
#[path = "../../../process/tests/naive/generate.rs"]
#[allow(dead_code, reason = "made for more than is compared here")]
mod generate;
mod linear;
mod oracle;
mod predicate;
#[path = "../../../net/tests/differential/random_groups.rs"]
mod random_groups;
#[path = "../stuck/random_model.rs"]
mod random_model;
#[path = "../../../net/tests/differential/random_net.rs"]
#[expect(dead_code, reason = "made for more than is compared here")]
mod random_net;
mod random_property;
#[path = "../examine/random_net.rs"]
#[expect(dead_code, reason = "made for more than is compared here")]
mod random_pt;
mod random_ring;
mod random_server;
#[path = "../../../net/tests/differential/random_transition.rs"]
mod random_transition;
#[path = "../../../net/tests/differential/reduced.rs"]
#[expect(dead_code, reason = "made for more than is compared here")]
mod reduced;
mod space;
mod subsets;
mod tally;
mod walks;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kinfold::{Checking, Outcome, Plan, Reduction, Reductions, Verdict, verify};
use net::{Fairness, Formula, Net, Property, Strength, TransitionId, Whom};
use random::Random;

use predicate::{Meaning, can_fire, is_true};
use random_net::{Ingredients, random_net};
use random_property::{Sketch, random_fairness, random_property};
use random_ring::random_ring;
use random_server::random_server;
use space::Space;
use tally::Tally;

/// A seed to be run alone.
const ONLY: Option<u64> = None;

/// Nets with more concrete states are not compared.
const MOST_STATES: usize = 160;
/// Nets with fewer concrete states are dull, and taken only where no better one is found.
const DULL: usize = 15;

/// What is asked of each net: under this many assumptions, this many properties at once.
const ASSUMPTIONS: usize = 2;
const PROPERTIES: usize = 4;

/// How many properties are looked at to find one for which it matters what is assumed.
const TRIES: usize = 12;

/// What the net of a seed is made of.
#[derive(Clone, Copy, Debug)]
enum Made {
    Of(Ingredients),
    Server,
    Ring,
}

fn is_dull(net: &Net) -> bool {
    Space::concrete(net, MOST_STATES).is_none_or(|space| space.states.len() < DULL)
}

/// The net of a text.
fn compiled(text: &str) -> Arc<Net> {
    let compiled = lang::compile(text, &[]);
    Arc::new(compiled.net.unwrap_or_else(|| panic!("{text}\n{:?}", compiled.diagnostics)))
}

/// The net of a seed, with its concrete states.
fn finite_net(seed: u64, made: Made) -> Option<(Arc<Net>, Space)> {
    let net = match made {
        Made::Of(ingredients) => random_net(seed, ingredients, is_dull).net,
        Made::Server => compiled(&random_server(&mut Random::new(seed), false)),
        Made::Ring => compiled(&random_ring(&mut Random::new(seed))),
    };
    let space = Space::concrete(&net, MOST_STATES)?;
    // To ask for a probe may be a fault, in a state in which nothing that fires faults.
    for transition in (0..net.transitions.len() as u32).map(TransitionId) {
        for state in &space.states {
            can_fire(&net, state, transition)?;
        }
    }
    (space.states.len() >= DULL).then_some((net, space))
}

/// What to say of a net. Branching time under fairness is nearly always refused.
fn sketch(net: &Net, fairness: &[Fairness], random: &mut Random) -> Sketch {
    let followed = usize::from(!net.start.is_empty());
    let branching = if fairness.is_empty() { 4 } else { 1 };
    let weights = [4, 12, 10, 12 * branching, 50, 6 * branching * followed, 50 * followed];
    match random.weighted(&weights) {
        0 => Sketch::Deadlock,
        1 => Sketch::Invariant,
        2 => Sketch::Reachable,
        3 => Sketch::Branching,
        4 => Sketch::Linear,
        5 => Sketch::FollowedBranching,
        _ => Sketch::FollowedLinear,
    }
}

/// A random property; most times one for which it matters what is assumed, if one is soon found: without it,
/// or with weak and strong exchanged, the verdict is another.
fn random_property_that(
    net: &Net,
    sketch: Sketch,
    fairness: &[Fairness],
    random: &mut Random,
    verdict: impl Fn(&Property, &[Fairness]) -> Option<bool>,
) -> Property {
    let is_of_runs = matches!(sketch, Sketch::Linear | Sketch::FollowedLinear);
    if is_of_runs && !fairness.is_empty() && random.percent(65) {
        let exchanged = |one: &Fairness| match one.strength {
            Strength::Weak => Fairness { strength: Strength::Strong, ..*one },
            Strength::Strong => Fairness { strength: Strength::Weak, ..*one },
        };
        let otherwise: Vec<Fairness> = match random.percent(40) {
            true => Vec::new(),
            false => fairness.iter().map(exchanged).collect(),
        };
        let mut tries = (0..TRIES).map(|_| random_property(net, sketch, random));
        let matters = |one: &Property| match (verdict(one, fairness), verdict(one, &otherwise)) {
            (Some(verdict), Some(other)) => verdict != other,
            _ => false,
        };
        if let Some(property) = tries.find(matters) {
            return property;
        }
    }
    random_property(net, sketch, random)
}

/// Whether what is assumed is not understood: individuals of different strengths.
fn is_mixed(fairness: &[Fairness]) -> bool {
    let individuals = fairness.iter().filter(|one| !matches!(one.of, Whom::Transition(_)));
    let strengths: Vec<_> = individuals.map(|one| one.strength).collect();
    strengths.iter().any(|strength| *strength != strengths[0])
}

fn plan(random: &mut Random) -> Plan {
    match random.weighted(&[60, 15, 10, 15]) {
        1 => Plan { one_by_one: true, ..Plan::default() },
        2 => Plan { full: true, ..Plan::default() },
        3 => Plan { threads: 2, share_from: Some(1), ..Plan::default() },
        _ => Plan::default(),
    }
}

/// Compares verdicts on properties of the net of a seed.
fn compare(seed: u64, made: Made, tally: &mut Tally) {
    let Some((net, space)) = finite_net(seed, made) else { return };
    let random = &mut Random::new(!seed);
    for _ in 0..ASSUMPTIONS {
        let fairness = random_fairness(&net, random);
        let mut property = |_| {
            let sketch = sketch(&net, &fairness, random);
            let verdict = |property: &Property, fairness: &[Fairness]| {
                Some(oracle::holds(&net, &space, property, fairness))
            };
            random_property_that(&net, sketch, &fairness, random, verdict)
        };
        let properties: Vec<Property> = (0..PROPERTIES).map(&mut property).collect();
        let plan = plan(random);
        let fairness = fairness.clone();
        let checking = Checking { plan: plan.clone(), fairness, ..Checking::default() };
        let outcomes = match verify(&net, &properties, &checking, &mut |_| {}) {
            Ok(report) => report.outcomes,
            Err(error) => panic!("no outcome: {error}"),
        };
        compare_reduced(&net, &properties, &outcomes, &checking, seed, tally);
        let fairness = checking.fairness;
        for (property, outcome) in properties.iter().zip(&outcomes) {
            let judged = judge(&net, &space, property, &fairness, outcome, tally);
            if let Err(wrong) = judged {
                panic!(
                    "seed {seed}: {wrong}\n{made:?}\n{}\n{property:?}\n{fairness:?}\n{plan:?}\n{}",
                    lang::write(&net),
                    told(&net, &outcome.verdict)
                );
            }
        }
    }
    let classes = kinfold::survey(&net, &Plan::default()).expect("it does not fault");
    tally.folded(space.states.len(), classes.exploration().states() as usize);
}

/// Compares the verdicts on properties with those that stubborn sets give from the first state on.
fn compare_reduced(
    net: &Arc<Net>,
    properties: &[Property],
    outcomes: &[Outcome],
    checking: &Checking,
    seed: u64,
    tally: &mut Tally,
) {
    let reductions = Reductions { from_start: true, ..Reductions::default() };
    let checking = Checking { reductions, ..checking.clone() };
    for (property, outcome) in properties.iter().zip(outcomes) {
        let alone = verify(net, std::slice::from_ref(property), &checking, &mut |_| {});
        let report = alone.expect("there is an outcome");
        if !report.reductions.contains(&Reduction::Stubborn) {
            continue;
        }
        let wrong = match (&report.outcomes[0].verdict, &outcome.verdict) {
            (Verdict::Holds { vacuously: a, .. }, Verdict::Holds { vacuously: b, .. }) => a != b,
            (Verdict::Fails(None), Verdict::Fails(None)) => false,
            (Verdict::Fails(Some(evidence)), Verdict::Fails(Some(_))) => {
                tally.reduced_runs += 1;
                evidence::replayed(net, evidence).is_err()
            }
            _ => true,
        };
        tally.reduced += 1;
        assert!(
            !wrong,
            "seed {seed}: with stubborn sets\n{}\n{property:?}\n{}",
            lang::write(net),
            told(net, &report.outcomes[0].verdict)
        );
    }
}

/// Whether an outcome is as it should be.
fn judge(
    net: &Net,
    space: &Space,
    property: &Property,
    fairness: &[Fairness],
    outcome: &Outcome,
    tally: &mut Tally,
) -> Result<(), String> {
    let must_be_refused =
        is_mixed(fairness) || !fairness.is_empty() && branching::asks_for_ever(&property.formula);
    if let Verdict::Refused(why) = &outcome.verdict {
        tally.refused(property, fairness);
        return if must_be_refused { Ok(()) } else { Err(format!("refused: {why}")) };
    }
    if must_be_refused {
        return Err("not refused".into());
    }
    let expected = oracle::holds(net, space, property, fairness);
    let (holds, evidence) = match &outcome.verdict {
        Verdict::Holds { vacuously, witness } => {
            if let Some(expected) = oracle::holds_vacuously(net, space, property)
                && expected != *vacuously
            {
                return Err(format!("vacuous: {expected}"));
            }
            (true, witness)
        }
        Verdict::Fails(evidence) => (false, evidence),
        other => return Err(format!("no verdict: {other:?}")),
    };
    if holds != expected {
        return Err(format!("holds: {expected}"));
    }
    let mattered = !fairness.is_empty() && oracle::holds(net, space, property, &[]) != expected;
    tally.decided(property, fairness, holds, mattered);
    if let Some(evidence) = evidence {
        evidence::replayed(net, evidence)?;
        let repeated = evidence::repeated(net, property, fairness, evidence)?;
        tally.shown(repeated.as_ref());
    }
    let last = |expected: bool, ends: &dyn Fn(&state::State) -> bool| {
        if holds != expected {
            return Ok(());
        }
        let Some(evidence) = evidence else { return Err(String::from("nothing is shown")) };
        let depths = space.states.iter().zip(&space.depths);
        let nearest = depths.filter(|(state, _)| ends(state)).map(|(_, &depth)| depth).min();
        let steps = &evidence.trace.run.steps;
        match (ends(evidence.trace.run.last()), nearest == Some(steps.len())) {
            (true, true) => Ok(()),
            (false, _) => Err("the last state shows nothing".into()),
            (true, false) => Err(format!("{nearest:?} steps would do")),
        }
    };
    if property.formula == Formula::DeadlockFree {
        return last(false, &|state| oracle::is_deadlock(net, state));
    }
    if let Some((statement, truth, shows)) = oracle::shown_by_a_state(property) {
        return last(shows, &|state| is_true(net, state, statement, &Meaning::new()) == truth);
    }
    let body = oracle::entered(property).map_or(&property.formula, |(_, _, body)| body);
    if !holds && linear::Linear::of(body).is_some() {
        let Some(evidence) = evidence else { return Err("nothing is shown".into()) };
        if !evidence::violates(net, property, evidence)? {
            return Err("what is shown violates nothing".into());
        }
    }
    Ok(())
}

/// What a verdict is and what is shown, for people.
fn told(net: &Net, verdict: &Verdict) -> String {
    let (word, evidence) = match verdict {
        Verdict::Holds { witness, .. } => ("holds", witness),
        Verdict::Fails(evidence) => ("fails", evidence),
        other => return format!("{other:?}"),
    };
    let Some(evidence) = evidence else { return word.into() };
    let steps = evidence.trace.run.steps.iter().map(|step| kinfold::mode_text(net, &step.mode));
    let steps: Vec<String> = steps.collect();
    format!("{word}\n{}\n{:?} {:?}", steps.join("\n"), evidence.trace.back, evidence.followed)
}

/// Does something with each seed, and names those that fail.
fn with_seeds(seeds: impl Iterator<Item = u64>, mut test: impl FnMut(u64)) {
    let seeds = seeds.filter(|seed| ONLY.is_none_or(|only| only == *seed));
    let failing: Vec<u64> =
        seeds.filter(|&seed| catch_unwind(AssertUnwindSafe(|| test(seed))).is_err()).collect();
    assert!(failing.is_empty(), "these seeds fail: {failing:?}");
}

#[test]
fn threads_that_are_finitely_many() {
    let mut tally = Tally::default();
    with_seeds(0..1_200, |seed| {
        let made = if seed % 3 == 0 { Made::Of(Ingredients::Threads) } else { Made::Server };
        compare(seed, made, &mut tally);
    });
    println!("{tally}");
    if ONLY.is_some() {
        return;
    }
    assert!(tally.verdicts() >= 2_500);
    tally.demand(&["Deadlock", "FollowedBranching"], 8);
    tally.demand(&["Branching", "Invariant", "Reachable"], 25);
    tally.demand(&["Linear", "FollowedLinear"], 300);
    tally.demand(&["fair weak threads", "fair strong threads"], 120);
    tally.demand(&["fair weak transition", "fair strong transition"], 200);
    tally.demand(&["fair weak class", "fair strong class"], 50);
    tally.demand_folding(12);
    assert!(tally.mattered >= 80, "fairness hardly ever matters");
    assert!(tally.loops >= 500, "few loops are shown");
    println!("{} by stubborn sets, {} of them with runs", tally.reduced, tally.reduced_runs);
    assert!(tally.reduced >= 60, "{} are decided by stubborn sets", tally.reduced);
    assert!(tally.reduced_runs > 0, "none of them has a run");
    assert!(tally.turning >= 10, "hardly ever somebody takes the place of another");
}

#[test]
fn members_of_classes() {
    let mut tally = Tally::default();
    with_seeds(100_000..100_500, |seed| {
        let made = match seed % 4 {
            0 => Made::Of(Ingredients::Classes),
            1 => Made::Of(Ingredients::ThreadsAndClasses),
            _ => Made::Ring,
        };
        compare(seed, made, &mut tally);
    });
    println!("{tally}");
    if ONLY.is_some() {
        return;
    }
    assert!(tally.verdicts() >= 900);
    tally.demand(&["Branching", "Invariant", "Reachable"], 15);
    tally.demand(&["Linear"], 200);
    tally.demand(&["FollowedLinear"], 30);
    tally.demand(&["fair weak threads", "fair strong threads"], 8);
    tally.demand(&["fair weak transition", "fair strong transition"], 100);
    tally.demand(&["fair weak class", "fair strong class"], 60);
    tally.demand_folding(5);
    assert!(tally.mattered >= 20, "fairness hardly ever matters");
    assert!(tally.loops >= 200, "few loops are shown");
}

#[test]
fn threads_that_come_and_go_for_ever() {
    let mut tally = Tally::default();
    with_seeds(200_000..201_700, |seed| endless::look_into(seed, &mut tally));
    println!("{tally}");
    if ONLY.is_some() {
        return;
    }
    assert!(tally.verdicts() >= 1_200);
    tally.demand(&["Linear", "FollowedLinear"], 300);
    tally.demand(&["fair weak threads", "fair strong threads"], 100);
    tally.demand(&["fair weak transition", "fair strong transition"], 100);
    assert!(tally.mattered >= 100, "fairness hardly ever matters");
    assert!(tally.with_deaths >= 100, "few loops have deaths");
    assert!(tally.with_changes >= 50, "nobody takes the place of others");
    // What is shown is mostly found by walking, too: so walks would show what is wrongly said to hold.
    assert!(10 * tally.found_by_walking >= 9 * tally.runs, "walks find little");
}
