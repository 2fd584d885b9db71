//! Nets explored as systems that are code: two ways to fold that share neither working states nor
//! families must count the same. And nets treat pids as black boxes, so no audit may find a breach.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kinfold::explore::Exploration;
use kinfold::fold::{Step, System};
use kinfold::net::{Net, Symmetry, TransitionId, interpret};
use kinfold::state::{Relations, State};
use kinfold::{Explorer, Plan, lang, survey};

/// Larger spaces are left out, for the sake of time.
const MOST_STATES: u64 = 400;

struct Plain<'n>(&'n Net);

impl System for Plain<'_> {
    fn initial(&self) -> Vec<State> {
        vec![interpret::initial(self.0)]
    }

    fn successors(&self, state: &State) -> Vec<Step> {
        let net = self.0;
        let mut steps = Vec::new();
        for id in (0..net.transitions.len() as u32).map(TransitionId) {
            let transition = net.transition(id);
            for mode in interpret::modes(net, state, id).expect("no faults") {
                let acting = transition.participants.first();
                let thread = acting.and_then(|p| mode.binding[&p.thread].as_pid().cloned());
                let state = interpret::fire(net, state, &mode).expect("no faults").state;
                steps.push(Step { action: transition.name.clone().into(), thread, state });
            }
        }
        steps
    }

    fn relations(&self) -> Relations {
        self.0.relations()
    }
}

fn models() -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models"));
    let files = [root.to_owned(), root.join("papers")].into_iter().flat_map(|folder| {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    });
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|kind| kind == "kin")).collect();
    files.sort();
    files
}

fn counts(found: &Exploration) -> [u64; 5] {
    [
        found.states(),
        found.edges,
        found.modes,
        found.deadlocks.len() as u64,
        found.terminated.len() as u64,
    ]
}

#[test]
fn both_ways_count_the_same() {
    let mut compared = 0;
    for path in models() {
        let text = fs::read_to_string(&path).unwrap();
        let Some(mut net) = lang::compile(&text, &[]).net else { panic!("{path:?} is wrong") };
        // Code has no colour classes: to a system, their members are data like any other. Without its
        // symmetry, a cyclic class would not go round.
        if net.enumerations.iter().any(|class| class.symmetry == Symmetry::Rotations) {
            continue;
        }
        net.enumerations.iter_mut().for_each(|class| class.symmetry = Symmetry::None);
        let net = Arc::new(net);
        for relations in [net.relations(), Relations::ALL] {
            let states = Some(MOST_STATES);
            let plan = Plan { relations: Some(relations), states, ..Plan::default() };
            let expected = survey(&net, &plan).unwrap_or_else(|e| panic!("{path:?}: {e}"));
            if !expected.exploration().complete {
                continue;
            }
            let system = Plain(&net);
            let seed = compared;
            let explorer = Explorer::new(&system).relations(relations).audit(60, seed);
            let found = explorer.run().unwrap_or_else(|e| panic!("{path:?}, seed {seed}: {e}"));
            let (found, expected) = (counts(found.exploration()), counts(expected.exploration()));
            assert_eq!(found, expected, "{path:?} up to {relations}");
            compared += 1;
        }
    }
    assert!(compared >= 20, "only {compared} compared");
}
