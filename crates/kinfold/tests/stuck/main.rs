//! `no_one_stuck` and `everyone_can_end` on random models, against the definition: on the full graphs of finite
//! ones, and up to isomorphism where births go on for ever.

#[path = "../running/command.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod command;
mod oracle;
mod random_model;
mod reports;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kinfold::{Checking, Outcome, Plan, Reductions, Trace, Verdict, verify};
use net::{Fate, Formula, Net, Origin, Participant, Property};
use oracle::{Asked, Form};
use random::for_seeds;
use state::{Pid, State};

/// Larger models take too long to try all runs.
const MOST_CLASSES: usize = 50;
const MOST_STATES: usize = 300;

const ASKED: [(Asked, Formula); 2] =
    [(Asked::Acting, Formula::NoOneStuck), (Asked::Ending, Formula::EveryoneCanEnd)];

fn net(text: &str) -> Arc<Net> {
    let compilation = lang::compile(text, &[]);
    let diagnostics = compilation.diagnostics;
    Arc::new(compilation.net.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}")))
}

fn property(formula: &Formula) -> Property {
    let (name, text, origin) = (String::new(), String::new(), Origin::default());
    Property { name, text, variables: Vec::new(), formula: formula.clone(), origin }
}

/// By stubborn sets, from the first state on.
fn reduced(net: &Arc<Net>, formula: &Formula) -> Outcome {
    let reductions = Reductions { from_start: true, ..Reductions::default() };
    let checking = Checking { reductions, ..Checking::default() };
    verify(net, &[property(formula)], &checking, &mut |_| {}).unwrap().outcomes.remove(0)
}

fn checked(net: &Arc<Net>, formula: &Formula, plan: Plan) -> Outcome {
    let checking = Checking { plan, ..Checking::default() };
    let found = verify(net, &[property(formula)], &checking, &mut |_| {});
    found.unwrap().outcomes.remove(0)
}

/// Whether a verdict is that it holds, if it is known.
fn holds(outcome: &Outcome) -> Option<bool> {
    match outcome.verdict {
        Verdict::Holds { .. } => Some(true),
        Verdict::Fails(_) => Some(false),
        Verdict::Unknown(_) => None,
        _ => panic!("{:?}", outcome.verdict),
    }
}

fn run(outcome: &Outcome) -> &Trace {
    match &outcome.verdict {
        Verdict::Fails(Some(evidence)) => &evidence.trace,
        other => panic!("it has no run: {other:?}"),
    }
}

/// What the definition says: who is hopeless in which state; the least depth at which somebody is and nobody else can
/// become so, if there is such a state; and whether there are so few states that they are all looked at together.
fn expected(net: &Net, form: &mut Form, asked: Asked, most: usize) -> Option<Expected> {
    let reached = oracle::reached(net, form, most)?;
    let all = reached.states.keys();
    let lost: BTreeMap<State, BTreeSet<Pid>> =
        all.map(|state| (state.clone(), oracle::hopeless(net, state, asked, form))).collect();
    let settled = reached
        .states
        .iter()
        .filter(|(state, _)| !lost[state].is_empty() && !oracle::can_grow(net, state, &lost, form));
    let depth = settled.map(|(_, depth)| *depth).min();
    Some(Expected { lost, depth, at_once: reached.states.len() < 16 })
}

struct Expected {
    lost: BTreeMap<State, BTreeSet<Pid>>,
    depth: Option<usize>,
    at_once: bool,
}

/// Compares a verdict with what the definition says, and its run: it names all who are hopeless at its end, and nobody
/// else can become so. Where all states are looked at together it is as short as can be.
fn compare(net: &Net, outcome: &Outcome, expected: &Expected, asked: Asked, form: &mut Form) {
    let Expected { lost, depth, at_once } = expected;
    assert_eq!(holds(outcome), Some(depth.is_none()), "{asked:?}");
    if let Some(depth) = depth {
        let trace = run(outcome);
        let named = trace.hopeless.as_ref().expect("it names threads").threads();
        let named: BTreeSet<Pid> = named.iter().cloned().collect();
        let last = trace.run.last();
        assert_eq!(
            named,
            oracle::hopeless(net, last, asked, form),
            "{asked:?}\n{}",
            trace.text(net)
        );
        assert!(
            !named.is_empty() && !oracle::can_grow(net, last, lost, form),
            "{}",
            trace.text(net)
        );
        assert!(trace.run.steps.len() >= *depth, "{asked:?}");
        if *at_once {
            assert_eq!(trace.run.steps.len(), *depth, "{asked:?}");
        }
    }
}

#[test]
fn verdicts_are_those_of_the_definition_up_to_isomorphism() {
    let (mut hold, mut fail, mut endless) = ([0, 0], [0, 0], 0);
    for_seeds(0..500, |_, random| {
        let text = random_model::model(random);
        let net = net(&text);
        let mut form = Form::folded(&net);
        let Some(reached) = oracle::reached(&net, &mut form, MOST_CLASSES) else { return };
        let deadlock = reached.states.keys().any(|state| oracle::is_deadlock(&net, state));
        let outcome = checked(&net, &Formula::DeadlockFree, Plan::default());
        assert_eq!(holds(&outcome), Some(!deadlock), "{text}");
        let outcome = reduced(&net, &Formula::DeadlockFree);
        assert_eq!(holds(&outcome), Some(!deadlock), "by stubborn sets\n{text}");
        endless += usize::from(oracle::reached(&net, &mut Form::Concrete, 600).is_none());
        for (number, (asked, formula)) in ASKED.iter().enumerate() {
            let expected = expected(&net, &mut form, *asked, MOST_CLASSES).expect("it is small");
            let outcome = checked(&net, formula, Plan::default());
            compare(&net, &outcome, &expected, *asked, &mut form);
            let outcome = reduced(&net, formula);
            assert_eq!(holds(&outcome), Some(expected.depth.is_none()), "by stubborn sets\n{text}");
            if expected.depth.is_some() {
                let trace = run(&outcome);
                let named = trace.hopeless.as_ref().expect("it names threads").threads();
                let lost = oracle::hopeless(&net, trace.run.last(), *asked, &mut form);
                assert!(!named.is_empty() && named.iter().all(|one| lost.contains(one)), "{text}");
            }
            if expected.depth.is_none() { hold[number] += 1 } else { fail[number] += 1 }
        }
    });
    assert!(hold.iter().chain(&fail).all(|count| *count > 40), "{hold:?} {fail:?}");
    assert!(endless > 25, "{endless}");
}

#[test]
fn verdicts_are_those_of_the_definition_on_full_graphs() {
    let mut small = 0;
    for_seeds(10_000..10_400, |_, random| {
        let net = net(&random_model::model(random));
        let mut form = Form::Concrete;
        if oracle::reached(&net, &mut form, MOST_STATES).is_none() {
            return;
        }
        small += 1;
        for (asked, formula) in &ASKED {
            let expected = expected(&net, &mut form, *asked, MOST_STATES).expect("it is small");
            let folded = checked(&net, formula, Plan::default());
            compare(&net, &folded, &expected, *asked, &mut form);
            let full = checked(&net, formula, Plan { full: true, ..Plan::default() });
            compare(&net, &full, &expected, *asked, &mut form);
        }
    });
    assert!(small > 150, "{small}");
}

#[test]
fn a_limit_never_gives_a_verdict_that_all_states_contradict() {
    let (mut early, mut open) = (0, 0);
    for_seeds(20_000..20_150, |_, random| {
        let text = random_model::model(random);
        let net = net(&text);
        let Some(reached) = oracle::reached(&net, &mut Form::folded(&net), MOST_CLASSES) else {
            return;
        };
        for formula in ASKED.iter().map(|(_, formula)| formula).chain([&Formula::DeadlockFree]) {
            let whole = holds(&checked(&net, formula, Plan::default()));
            for states in 1..=reached.states.len() as u64 + 1 {
                let plan = Plan { states: Some(states), ..Plan::default() };
                let part = holds(&checked(&net, formula, plan));
                assert!(part.is_none() || part == whole, "{states} {formula:?}\n{text}");
                let is_all = states > reached.states.len() as u64;
                assert!(part.is_some() || !is_all, "{states} {formula:?}\n{text}");
                match part {
                    None => open += 1,
                    Some(false) if !is_all => early += 1,
                    Some(_) => {}
                }
            }
        }
    });
    assert!(early > 200 && open > 200, "{early} {open}");
}

#[test]
fn one_worker_finds_what_several_find() {
    for_seeds(30_000..30_060, |_, random| {
        let net = net(&random_model::model(random));
        for (_, formula) in &ASKED {
            let limits = Plan { states: Some(2000), ..Plan::default() };
            let alone = checked(&net, formula, limits.clone());
            let plan = Plan { threads: 3, share_from: Some(1), ..limits };
            let together = checked(&net, formula, plan);
            assert_eq!(holds(&alone), holds(&together));
            if holds(&alone) == Some(false) {
                let threads = |outcome| run(outcome).hopeless.clone();
                assert_eq!(threads(&alone), threads(&together));
                assert_eq!(run(&alone).text(&net), run(&together).text(&net));
            }
        }
    });
}

/// The model as somebody gets it wrong.
type Mistake = fn(&mut Net);

fn participants(net: &mut Net) -> impl Iterator<Item = &mut Participant> {
    net.transitions.iter_mut().flat_map(|transition| &mut transition.participants)
}

#[test]
fn mistakes_are_noticed() {
    let mistakes: [(&str, Mistake); 7] = [
        ("nobody is idle", |net| net.places.iter_mut().for_each(|place| place.idle = false)),
        ("everybody is idle", |net| {
            net.places.iter_mut().for_each(|place| place.idle = place.is_flow());
        }),
        ("all take part", |net| participants(net).for_each(|part| part.passive = false)),
        ("nobody acts", |net| participants(net).for_each(|part| part.passive = true)),
        ("crashes are ends", |net| {
            participants(net).filter(|p| p.fate.ends()).for_each(|p| p.fate = Fate::End);
        }),
        ("ends are crashes", |net| {
            participants(net).filter(|p| p.fate.ends()).for_each(|p| p.fate = Fate::Crash);
        }),
        ("who acts is passive", |net| participants(net).for_each(|p| p.passive = !p.passive)),
    ];
    for (mistake, make) in mistakes {
        let mut noticed = 0;
        for_seeds(40_000..40_150, |_, random| {
            let net = net(&random_model::model(random));
            let mut form = Form::folded(&net);
            for (asked, formula) in &ASKED {
                let Some(expected) = expected(&net, &mut form, *asked, MOST_CLASSES) else {
                    return;
                };
                let mut wrong = (*net).clone();
                make(&mut wrong);
                let outcome = checked(&Arc::new(wrong), formula, Plan::default());
                noticed += usize::from(holds(&outcome) != Some(expected.depth.is_none()));
            }
        });
        assert!(noticed > 3, "{mistake}: noticed {noticed} times");
    }
}
