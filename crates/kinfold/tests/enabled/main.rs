//! What is enabled, asked of every engine: models whose transitions become several when they are
//! translated, because of arithmetic and of neighbours beyond the ends of an ordered class.
//!
//! Random models are decided by the command with each engine, and with `auto` when it gives up on single
//! states after a few of them and falls back on sets. Expected is what follows from all concrete states,
//! found by the plain interpreter, by the definition of each property.

#[path = "../running/command.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod running;

mod random_model;

use std::collections::HashMap;

use net::interpret::{fire, initial, modes};
use net::{Net, TransitionId};
use random::Random;
use random_model::random_model;
use running::kinfold_fed;
use state::State;

const MODELS: usize = 200;
const MOST_STATES: usize = 150;

/// The ways to decide: options of `check`. With few states, `auto` has to fall back.
const WAYS: [&[&str]; 4] = [
    &["--engine", "explicit"],
    &["--engine", "ddd"],
    &["--engine", "auto"],
    &["--engine", "auto", "--max-states", "2"],
];

/// Concrete states by number, the initial one first.
struct Graph {
    /// Where each leads.
    next: Vec<Vec<usize>>,
    /// The transitions that are enabled in each.
    enabled: Vec<Vec<bool>>,
}

impl Graph {
    /// `None` if there are too many states, or the model faults.
    fn of(net: &Net) -> Option<Graph> {
        let mut states = vec![initial(net)];
        let mut numbers: HashMap<State, usize> = HashMap::from([(states[0].clone(), 0)]);
        let (mut next, mut enabled) = (Vec::new(), Vec::new());
        while next.len() < states.len() {
            let state = states[next.len()].clone();
            let mut targets = Vec::new();
            let mut can = vec![false; net.transitions.len()];
            for (transition, can) in (0..).map(TransitionId).zip(&mut can) {
                for mode in modes(net, &state, transition).ok()? {
                    *can = true;
                    let target = fire(net, &state, &mode).ok()?.state;
                    let number = *numbers.entry(target).or_insert_with_key(|target| {
                        states.push(target.clone());
                        states.len() - 1
                    });
                    targets.push(number);
                }
            }
            next.push(targets);
            enabled.push(can);
            if states.len() > MOST_STATES {
                return None;
            }
        }
        Some(Graph { next, enabled })
    }

    /// The least or greatest set that is what `step` makes of it.
    fn fixpoint(&self, greatest: bool, step: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
        let mut set = vec![greatest; self.next.len()];
        loop {
            let after: Vec<bool> = (0..set.len()).map(|state| step(&set, state)).collect();
            if after == set {
                return set;
            }
            set = after;
        }
    }

    /// What is said of a transition, as properties, and whether that holds.
    fn properties(&self, transition: usize, name: &str) -> Vec<(String, bool)> {
        let can: Vec<bool> = self.enabled.iter().map(|can| can[transition]).collect();
        let some_next = |set: &[bool], state: usize| self.next[state].iter().any(|&to| set[to]);
        let is_last = |state: usize| self.next[state].is_empty();
        let may_come = self.fixpoint(false, |set, s| can[s] || some_next(set, s));
        // A run that avoids it for ever: it ends there, or goes on among such states.
        let avoided = self.fixpoint(true, |set, s| !can[s] && (is_last(s) || some_next(set, s)));
        let must_come = self.fixpoint(false, |set, s| {
            can[s] || !is_last(s) && self.next[s].iter().all(|&to| set[to])
        });
        vec![
            (format!("AG enabled({name})"), can.iter().all(|can| *can)),
            (format!("reachable enabled({name})"), can.contains(&true)),
            (format!("enabled({name})"), can[0]),
            (format!("AG EF enabled({name})"), may_come.iter().all(|may| *may)),
            (format!("AF enabled({name})"), must_come[0]),
            (format!("always (eventually enabled({name}))"), !avoided.contains(&true)),
            (format!("always not enabled({name})"), !can.contains(&true)),
        ]
    }
}

fn compile(text: &str) -> Net {
    let compiled = lang::compile(text, &[]);
    compiled.net.unwrap_or_else(|| panic!("{text}\n{:?}", compiled.diagnostics))
}

/// Decides properties of a model in each way. What is wrong, if anything is.
fn compare(text: &str, properties: &[(String, bool)]) -> Result<(), String> {
    let mut model = text.to_owned();
    for (number, (property, _)) in properties.iter().enumerate() {
        model += &format!("property p{number}: {property}\n");
    }
    for options in WAYS {
        let done = kinfold_fed(&[&["check", "-", "--json"], options].concat(), model.as_bytes());
        let report = done.json();
        for (number, (property, holds)) in properties.iter().enumerate() {
            let found = &report["properties"][number]["verdict"];
            let expected = if *holds { "holds" } else { "fails" };
            if found != expected {
                return Err(format!("{options:?}: {property}: {found}, not {expected}\n{text}"));
            }
        }
    }
    Ok(())
}

#[test]
fn every_engine_says_the_same_of_what_is_enabled() {
    let (mut compared, mut several, mut holding, mut all) = (0, 0, 0, 0);
    for seed in 1.. {
        let text = random_model(&mut Random::new(seed));
        let net = compile(&text);
        let Some(graph) = Graph::of(&net) else { continue };
        let Ok(translation) =
            symbolic::Translation::of(&net.clone().into(), &budget::Budget::unlimited())
        else {
            continue;
        };
        let names = net.transitions.iter().map(|transition| &*transition.name).enumerate();
        let properties: Vec<(String, bool)> =
            names.flat_map(|(number, name)| graph.properties(number, name)).collect();
        compare(&text, &properties).unwrap_or_else(|what| panic!("seed {seed}, {what}"));
        let parts = translation.symmetric_net().transitions.len();
        several += usize::from(parts > net.transitions.len());
        holding += properties.iter().filter(|(_, holds)| *holds).count();
        all += properties.len();
        compared += 1;
        if compared == MODELS {
            break;
        }
    }
    assert!(several >= MODELS / 2, "only {several} models have transitions in several parts");
    assert!((all / 4..all * 3 / 4).contains(&holding), "{holding} of {all} hold");
}

#[test]
fn a_transition_in_parts_is_enabled_where_one_of_them_is() {
    let one = "model one\nplace q(c: 0..=1) = 0\n\
        transition a { take q(x)   put q((x + 1) % 2) }\n\
        transition b { take q(x)   put q(x)   when x / 2 == 1 }\n";
    let of_one = [("AG enabled(a)", true), ("EF enabled(b)", false), ("AG not enabled(b)", true)];
    compare(one, &of_one.map(|(property, holds)| (property.into(), holds))).unwrap();
    // Too many states to go through one by one in the time that `auto` takes for it.
    let (mut nine, mut of_nine) = (String::from("model nine\n"), Vec::new());
    for i in 0..9 {
        nine += &format!("place q{i}: 0..=9 = 0\n");
        nine += &format!("transition a{i} {{ take q{i}(x)   put q{i}((x + 1) % 10) }}\n");
        of_nine.push((format!("AG enabled(a{i})"), true));
    }
    let sets: Vec<_> = of_nine.iter().map(|(property, _)| property.clone()).collect();
    let properties: String =
        (0..).zip(sets).map(|(i, property)| format!("property p{i}: {property}\n")).collect();
    let done = kinfold_fed(
        &["check", "-", "--json", "--max-states", "1000"],
        format!("{nine}{properties}").as_bytes(),
    );
    assert_eq!(done.status, 0, "{}", done.stdout);
}

#[test]
fn neighbours_beyond_the_ends_are_nobody() {
    let ladder = "model ladder\nclass Level ordered 3\nplace rung: Level = Level1\n\
        transition up { take rung(x)   put rung(succ(x))   when x < Level3 }\n\
        transition down { take rung(x)   put rung(pred(x))   when x > Level1 }\n\
        transition leap { take rung(x)   put rung(succ(x, 2))   when x == Level1 }\n";
    let properties = [
        ("AG enabled(up)", false),
        ("AG (enabled(up) or enabled(down))", true),
        ("AG EF enabled(leap)", true),
        ("AG (enabled(leap) implies enabled(up))", true),
        ("AG (enabled(up) implies enabled(leap))", false),
        ("always (eventually enabled(leap))", false),
        ("deadlock_free", true),
    ];
    compare(ladder, &properties.map(|(property, holds)| (property.into(), holds))).unwrap();
}
