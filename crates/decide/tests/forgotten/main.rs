//! Models in which some data is not kept, against the models that keep it.
//!
//! A random model tests a variable `v` here and there. Where the variable is forgotten, each test is
//! `forgotten choose`; where it is kept, it has one of three values, and each test turns out as it does for this value.
//! What holds without the variable has to hold whatever its value is, and what fails has to fail for some value. The
//! same for what fails by an assertion. Whether it is only not known is not looked at here, but that enough is known.
//!
//! The same programs that create threads for ever are explored in part: who is stuck there is stuck with few threads, too.

mod random_program;

use std::collections::BTreeMap;
use std::sync::Arc;

use decide::{Checking, Reductions, Report, Verdict, verify};
use net::Net;
use random::{daily, for_seeds};
use random_program::{Program, VALUES};
use survey::Plan;

const MODELS: u64 = 3000;
const ENDLESS: u64 = 1000;
const MOST_STATES: u64 = 50_000;
/// Of what grows for ever, all is not seen in any case.
const FEW_STATES: u64 = 700;

fn net(text: &str) -> Arc<Net> {
    let compilation = lang::compile(text, &[]);
    let diagnostics = compilation.diagnostics;
    Arc::new(compilation.net.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}")))
}

fn checked(net: &Arc<Net>, is_reduced: bool, evidence: bool) -> Report {
    let plan = Plan { states: Some(MOST_STATES), ..Plan::default() };
    let reductions = Reductions { from_start: is_reduced, ..Reductions::default() };
    let fairness = net.fairness.clone();
    let checking = Checking { reductions, fairness, evidence, plan, ..Checking::default() };
    verify(net, &net.properties, &checking, &mut |_| {}).expect("a model that can be explored")
}

/// Whether properties hold, by their names, as far as it is known; and whether it is known that an assertion fails.
fn verdicts(net: &Net, report: &Report) -> BTreeMap<String, Option<bool>> {
    let holds = |verdict: &Verdict| match verdict {
        Verdict::Holds { .. } => Some(true),
        Verdict::Fails(_) => Some(false),
        Verdict::Unknown(_) | Verdict::Depends { .. } | Verdict::Refused(_) => None,
        other => panic!("{other:?}"),
    };
    let outcomes = report.outcomes.iter();
    let mut found: BTreeMap<String, Option<bool>> =
        outcomes.map(|outcome| (outcome.name.clone(), holds(&outcome.verdict))).collect();
    let never_fails = match &report.fault {
        None => Some(true),
        Some(fault) if fault.tested(net).is_some() => None,
        Some(_) => Some(false),
    };
    found.insert("assertion".into(), never_fails);
    found
}

#[test]
fn what_is_forgotten_never_helps() {
    // How often it was known that something holds and that it fails, and how often not.
    let mut known = [0_u32; 3];
    for_seeds(0..daily(MODELS, 15), |seed, random| {
        let program = Program::random(random);
        let forgotten = net(&program.text(None));
        let kept: Vec<BTreeMap<String, Option<bool>>> = (0..VALUES)
            .map(|value| {
                let net = net(&program.text(Some(value)));
                verdicts(&net, &checked(&net, false, false))
            })
            .collect();
        for (is_reduced, evidence) in [(false, true), (false, false), (true, seed % 2 == 0)] {
            let report = checked(&forgotten, is_reduced, evidence);
            for (name, found) in verdicts(&forgotten, &report) {
                let of_kept: Vec<Option<bool>> = kept.iter().map(|kept| kept[&name]).collect();
                let text = || {
                    let text = program.text(None);
                    format!("`{name}`: {found:?}, but {of_kept:?} (reduced: {is_reduced})\n{text}")
                };
                match found {
                    Some(true) => assert!(!of_kept.contains(&Some(false)), "{}", text()),
                    Some(false) => {
                        assert!(of_kept.iter().any(|kept| *kept != Some(true)), "{}", text())
                    }
                    None => {}
                }
                known[match found {
                    Some(true) => 0,
                    Some(false) => 1,
                    None => 2,
                }] += 1;
            }
        }
    });
    let [holds, fails, open] = known;
    assert!(holds > open && fails > open / 4, "too little is known: {known:?}");
}

#[test]
fn who_is_stuck_among_ever_more_is_stuck_among_few() {
    let mut found = [0; 4];
    for_seeds(0..daily(ENDLESS, 20), |seed, random| {
        let program = |ending| Program::random(&mut random.clone()).ending(ending);
        let rounds = match seed % 4 {
            0 => "loop { spawn worker(new channel[bool](capacity: 1)) }",
            1 => {
                "loop {
                    let own = new channel[bool](capacity: 1)
                    spawn worker(own)
                    own.send(true)
                }"
            }
            // What is counted has no end, either.
            2 => {
                "let rounds: 0..=1000000 = 0
                loop { spawn worker(new channel[bool](capacity: 1))  rounds = (rounds + 1) % 1000000 }"
            }
            _ => {
                "loop { spawn worker(new channel[bool](capacity: 1))  rounds = (rounds + 1) % 1000000 }"
            }
        };
        let endless = program(rounds).text(None);
        let endless = net(&match seed % 4 {
            3 => endless + "shared atomic rounds: 0..=1000000 = 0\n",
            _ => endless,
        });
        let plan = Plan { states: Some(FEW_STATES), ..Plan::default() };
        let checking = Checking { plan, evidence: seed % 2 == 0, ..Checking::default() };
        let report = verify(&endless, &endless.properties, &checking, &mut |_| {});
        let of_endless = verdicts(&endless, &report.expect("a model that can be explored"));
        if of_endless["stuck"] == Some(false) {
            found[seed as usize % 4] += 1;
            let few = match seed % 4 {
                1 => {
                    "repeat 3 { let own = new channel[bool](capacity: 1)  spawn worker(own)  own.send(true) }"
                }
                _ => "repeat 3 { spawn worker(new channel[bool](capacity: 1)) }",
            };
            let text = program(few).text(None);
            let few = net(&text);
            let of_few = verdicts(&few, &checked(&few, false, false));
            assert_ne!(of_few["stuck"], Some(true), "nobody is stuck in\n{text}");
        }
    });
    assert!(found.iter().sum::<u64>() > daily(ENDLESS, 20) / 5, "too few are found: {found:?}");
}

#[test]
fn what_holds_in_the_initial_state_makes_nothing_else_certain() {
    let text = "shared x: 0..=1 = 0
        process main {
            forgotten choose b in bool
            if b { x = 1 }
        }
        property start: x == 0
        property no_one: never x == 1
        property some: reachable x == 1
        property end: x == 1
    ";
    let net = net(&format!("model test\n{text}"));
    let found = verdicts(&net, &checked(&net, false, true));
    let expected = [("start", Some(true)), ("no_one", None), ("some", None), ("end", Some(false))];
    for (name, holds) in expected {
        assert_eq!(found[name], holds, "{name}");
    }
}
