//! Verdicts do not depend on reductions: random models of four kinds, random properties, and every subset of reductions,
//! against states one by one without any.
//!
//! Every run that is shown is replayed by the plain interpreter; of nets without threads, where it may come from a reduced
//! net, it is also looked at whether it shows what it should. The test is tested, too: stubborn sets that do not care
//! what a property looks at, or that threads go round, are noticed. That a structural rule is noticed in a logic that it
//! does not keep is tested where rules are (`crates/plain/tests/differential/`).
//!
//! A part of the seeds is for every day; all of them are compared with `KINFOLD_TESTS=all`.

use std::sync::Arc;

use kinfold::{
    Checking, Engine, Evidence, Plan, Question, Reduction, Reductions, Verdict, decide, survey,
};
use net::{Expr, Formula, Keep, Net, Property};
use process::compile;
use program::{Observed, mark_sure};
use random::Random;

use crate::linear::Linear;
use crate::predicate::{Meaning, is_true};
use crate::random_net::{Ingredients, random_net};
use crate::random_property::{Sketch, random_property};
use crate::random_ring::random_ring;
use crate::random_server::random_server;
use crate::{compiled, evidence, generate, oracle, random_model, random_pt, reduced, with_seeds};

/// Models with more classes are left out.
const MOST: u64 = 250;
/// Models of each kind.
const MODELS: u64 = 480;
/// The share of them that is for every day.
const SHARE: u64 = 8;
/// Random properties of each model.
const PROPERTIES: usize = 4;
/// All pairs, at least, if all seeds are compared.
const PAIRS: usize = 5_000;

/// What a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Threads,
    Symmetric,
    Processes,
    PlaceTransition,
}

impl Sort {
    pub const ALL: [Sort; 4] =
        [Sort::Threads, Sort::Symmetric, Sort::Processes, Sort::PlaceTransition];
}

/// The model of a seed, if it is small and does not fault.
fn model(sort: Sort, seed: u64) -> Option<Arc<Net>> {
    let random = &mut Random::new(seed);
    let net = match (sort, seed % 4) {
        (Sort::Threads, 0) => random_net(seed, Ingredients::Threads, |_| false).net,
        (Sort::Threads, 1) => compiled(&random_server(random, seed % 8 == 1)),
        (Sort::Threads, 2) => compiled(&random_model::model(random)),
        (Sort::Threads, _) => reduced::side_by_side(seed).net,
        (Sort::Symmetric, 0) => random_net(seed, Ingredients::Classes, |_| false).net,
        (Sort::Symmetric, _) => compiled(&random_ring(random)),
        (Sort::Processes, half) => {
            let features = match half {
                0 | 1 => generate::Features { endless: 30, ..generate::Features::LIVELY },
                _ => generate::Features { faults: false, ..generate::Features::ALL },
            };
            let mut program = generate::program(random, features);
            mark_sure(&mut program);
            Arc::new(compile(&program, &Net::default(), &Observed::default(), &[]).ok()?.net)
        }
        (Sort::PlaceTransition, _) => {
            let text = random_pt::RandomNet::new(random).pnml();
            let document = pnml::read(&text, &pnml::Limits::default()).expect("it is a document");
            Arc::new(pnml::to_net(&document, &text).expect("it is a net"))
        }
    };
    let plan = Plan { states: Some(MOST), ..Plan::default() };
    let is_small = survey(&net, &plan).is_ok_and(|survey| survey.exploration().complete);
    is_small.then_some(net)
}

fn properties(net: &Net, random: &mut Random) -> Vec<Property> {
    let sketches = [Sketch::Invariant, Sketch::Reachable, Sketch::Linear, Sketch::Branching];
    let mut all: Vec<Property> = (0..PROPERTIES)
        .map(|_| {
            let sketch = sketches[random.weighted(&[30, 25, 35, 10])];
            random_property(net, sketch, random)
        })
        .collect();
    // Whoever may be nobody cannot have ended, nor be related, and the language says so before.
    let is_optional = net.places.iter().flat_map(|place| &place.columns).any(|one| one.optional);
    all.retain(|property| {
        let mut asks = false;
        property.formula.for_each_term(&mut |term| {
            asks |= matches!(term, Expr::Ended(_) | Expr::Relation(..));
        });
        !(is_optional && asks)
    });
    all.extend(net.default_properties());
    all
}

/// A way to decide, and what it is called.
struct Way {
    name: String,
    checking: Checking,
    /// Whether it may leave something undecided.
    may_fail: bool,
}

/// Every subset of reductions, of states folded by what is still observed of them, and for nets without threads every
/// engine that can be chosen. Other switches that must not change verdicts go here.
fn ways(net: &Net) -> Vec<Way> {
    let mut all = Vec::new();
    for bits in 0..8 {
        let [stubborn, structural, from_start] = [1, 2, 4].map(|bit| bits & bit != 0);
        if from_start && !stubborn {
            continue;
        }
        let reductions = Reductions { stubborn, structural, from_start };
        let engines: &[Option<Engine>] = match (net.has_threads(), from_start) {
            (false, false) => &[None, Some(Engine::Diagrams)],
            _ => &[None],
        };
        for engine in engines.iter().copied() {
            let name = format!("{reductions:?} {engine:?}");
            let evidence = net.has_threads();
            let checking = Checking { reductions, engine, evidence, ..Checking::default() };
            all.push(Way { name, checking, may_fail: engine.is_some() });
        }
    }
    if !net.has_threads() {
        let checking = Checking { engine: Some(Engine::Structure), ..Checking::default() };
        all.push(Way { name: "structure".into(), checking, may_fail: true });
        let shown = Checking { evidence: true, ..Checking::default() };
        all.push(Way { name: "with runs".into(), checking: shown, may_fail: false });
        for stubborn in [false, true] {
            let reductions = Reductions { stubborn, structural: true, from_start: true };
            let checking = Checking { reductions, evidence: true, ..Checking::default() };
            let name = format!("with runs of reduced nets, {reductions:?}");
            all.push(Way { name, checking, may_fail: false });
        }
    }
    all
}

/// What was found of a property, whether stubborn sets of threads were used, and whether a run was replayed.
struct Found {
    holds: Option<bool>,
    reduced: bool,
    replayed: bool,
}

fn found(net: &Arc<Net>, property: &Property, checking: &Checking) -> Result<Found, String> {
    let questions = [Question::Holds(property.clone())];
    let report = decide(net, &questions, checking, &mut |_| {}, &mut |_| {});
    let report = report.map_err(|error| error.to_string())?;
    let (holds, run) = match &report.outcomes[0].verdict {
        Verdict::Holds { witness, .. } => (Some(true), witness.as_ref()),
        Verdict::Fails(run) => (Some(false), run.as_ref()),
        _ => (None, None),
    };
    run.map_or(Ok(()), |run| evidence::replayed(net, run))?;
    if let (Some(run), Some(holds), false) = (run, holds, net.has_threads()) {
        shows(net, property, holds, run)?;
    }
    let reduced = report.reductions.contains(&Reduction::Stubborn);
    Ok(Found { holds, reduced, replayed: run.is_some() && holds == Some(false) })
}

/// Whether a run of a net without threads shows what was found of a property.
fn shows(net: &Net, property: &Property, holds: bool, run: &Evidence) -> Result<(), String> {
    evidence::repeated(net, property, &[], run)?;
    let last = run.trace.run.last();
    let is_shown = match oracle::shown_by_a_state(property) {
        _ if property.formula == Formula::DeadlockFree => oracle::is_deadlock(net, last),
        Some((statement, truth, of)) if of == holds => {
            is_true(net, last, statement, &Meaning::new()) == truth
        }
        None if !holds && Linear::of(&property.formula).is_some() => {
            evidence::violates(net, property, run)?
        }
        _ => true,
    };
    if is_shown { Ok(()) } else { Err("a run that does not show it".into()) }
}

/// States one by one, without reductions, and all that Ω sees of them.
fn plainly() -> Checking {
    let (reductions, engine) = (Reductions::NONE, Some(Engine::Explicit));
    let plan = Plan { precise: true, ..Plan::default() };
    Checking { plan, reductions, engine, ..Checking::default() }
}

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    pairs: usize,
    failing: usize,
    verdicts: usize,
    reduced: usize,
    replayed: usize,
}

/// What is told where verdicts differ.
struct Failing<'a> {
    seed: u64,
    net: &'a Net,
    property: &'a Property,
}

impl Failing<'_> {
    fn by(&self, way: &str, what: &str) -> ! {
        let Failing { seed, net, property } = self;
        panic!("seed {seed}, {way}: {what}\n{}\n{property:?}", lang::write(net))
    }
}

fn compare(sort: Sort, seed: u64, compared: &mut Compared) {
    let Some(net) = model(sort, seed) else { return };
    let random = &mut Random::new(!seed);
    let ways = ways(&net);
    for property in properties(&net, random) {
        let fail = Failing { seed, net: &net, property: &property };
        let expected = match found(&net, &property, &plainly()) {
            Ok(Found { holds: Some(holds), .. }) => holds,
            Ok(_) => continue,
            Err(why) => fail.by("plainly", &why),
        };
        compared.pairs += 1;
        compared.failing += usize::from(!expected);
        for way in &ways {
            match found(&net, &property, &way.checking) {
                Ok(Found { holds: None, .. }) if way.may_fail => {}
                Ok(Found { holds: Some(holds), reduced, replayed }) if holds == expected => {
                    compared.verdicts += 1;
                    compared.reduced += usize::from(reduced);
                    compared.replayed += usize::from(replayed);
                }
                Ok(Found { holds, .. }) => fail.by(&way.name, &format!("{holds:?}")),
                Err(_) if way.may_fail => {}
                Err(why) => fail.by(&way.name, &why),
            }
        }
    }
}

#[test]
fn verdicts_do_not_depend_on_reductions() {
    let models = random::daily(MODELS, SHARE);
    let mut pairs = 0;
    for (number, sort) in (0..).zip(Sort::ALL) {
        let mut compared = Compared::default();
        let first = 400_000 + 100_000 * number;
        with_seeds(first..first + models, |seed| compare(sort, seed, &mut compared));
        println!("{sort:?}: {compared:?}");
        assert!(compared.failing * 10 >= compared.pairs, "{sort:?}: hardly anything fails");
        if matches!(sort, Sort::Threads | Sort::Processes) {
            assert!(compared.reduced * 10 >= compared.pairs, "{sort:?}: hardly reduced");
        }
        assert!(compared.replayed > compared.pairs / 10, "{sort:?}: hardly any run");
        pairs += compared.pairs;
    }
    println!("{pairs} pairs");
    let least = if models == MODELS { PAIRS } else { PAIRS / SHARE as usize * 9 / 10 };
    assert!(pairs >= least, "{pairs} pairs");
}

/// Whether some verdict differs where stubborn sets keep no more than this.
fn notices(keep: &Keep, seeds: std::ops::Range<u64>) -> bool {
    { seeds }.any(|seed| {
        let net = reduced::side_by_side(seed).net;
        let plan = Plan { states: Some(MOST), ..Plan::default() };
        if !survey(&net, &plan).is_ok_and(|survey| survey.exploration().complete) {
            return false;
        }
        let wrong = Plan { stubborn: Some(keep.clone()), ..Plan::default() };
        let wrong = Checking { plan: wrong, ..plainly() };
        properties(&net, &mut Random::new(!seed)).iter().any(|property| {
            let holds = |checking| found(&net, property, checking).map(|found| found.holds).ok();
            holds(&plainly()) != holds(&wrong)
        })
    })
}

#[test]
fn stubborn_sets_that_keep_too_little_change_verdicts() {
    let blind = Keep::Runs(net::Seen::default());
    assert!(notices(&blind, 0..600), "what a property looks at makes no difference");
    assert!(notices(&Keep::Deadlocks, 0..600), "that threads go round makes no difference");
}
