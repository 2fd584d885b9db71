//! Asking an explorer: limits, runs, graphs, errors.

use kinfold::fold::{Breach, Step, System};
use kinfold::state::{Pid, Relation, Relations, State};
use kinfold::{Explorer, ExplorerError};

/// Workers that each do some jobs and end; the boss starts up to `most` of them, one after the other or
/// at once, and ends when it has started all of them and all are gone.
struct Office {
    most: u32,
    /// Whether the boss goes home only after a party, which needs two workers.
    party: bool,
    /// Looks at digits: only workers with this last digit work.
    only: Option<u32>,
}

const OFFICE: Office = Office { most: 2, party: false, only: None };

impl System for Office {
    fn initial(&self) -> Vec<State> {
        let mut state = State::new();
        state.activate(Pid::initial(1), 0);
        let boss = vec![Pid::initial(1).into(), i64::from(self.most).into()];
        assert!(state.put(&"boss".into(), boss, 1));
        vec![state]
    }

    fn successors(&self, state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        let workers: Vec<Pid> =
            state.tokens("worker").filter_map(|(token, _)| token[0].as_pid().cloned()).collect();
        for (token, _) in state.tokens("boss") {
            let boss = token[0].as_pid().expect("a boss is a thread");
            for left in 1..=i64::from(self.most) {
                if token[1] == left.into() {
                    let mut after = state.clone();
                    let worker = after.spawn(boss).expect("the boss is active");
                    assert!(after.take("boss", token, 1));
                    let token = vec![boss.clone().into(), (left - 1).into()];
                    assert!(after.put(&"boss".into(), token, 1));
                    assert!(after.put(&"worker".into(), vec![worker.into()], 1));
                    steps.push(Step::of(boss, "hire", after));
                }
            }
            if token[1] == 0.into() && workers.is_empty() && !self.party {
                let mut after = state.clone();
                assert!(after.take("boss", token, 1));
                after.end(boss);
                steps.push(Step::of(boss, "go \"home\"", after));
            }
        }
        for worker in &workers {
            if self.only.is_none_or(|digit| worker.last() == digit) {
                let mut after = state.clone();
                assert!(after.take("worker", &[worker.clone().into()], 1));
                after.end(worker);
                steps.push(Step::of(worker, "finish", after));
            }
        }
        steps
    }

    fn relations(&self) -> Relations {
        Relations::NONE.with(Relation::Parent)
    }
}

#[test]
fn counts_of_what_was_found() {
    // (left to hire, at work), and the end.
    let explored = Explorer::new(&OFFICE).run().unwrap();
    let exploration = explored.exploration();
    assert!(exploration.complete);
    assert_eq!(
        (exploration.states(), exploration.terminated.len(), exploration.deadlocks.len()),
        (7, 1, 0)
    );
    assert_eq!(explored.states().count(), 7);
    let actions: Vec<(String, u64)> =
        explored.actions().iter().map(|(name, &n)| (name.to_string(), n)).collect();
    // Two at work: either may finish.
    let expected = [("finish", 4), ("go \"home\"", 1), ("hire", 3)];
    assert_eq!(actions, expected.map(|(name, n)| (name.to_owned(), n)));
    let most = explored.most_tokens();
    assert_eq!((most["boss"], most["worker"]), (1, 2));

    let stuck = Explorer::new(&Office { party: true, ..OFFICE })
        .run()
        .unwrap()
        .exploration()
        .deadlocks
        .len();
    assert_eq!(stuck, 1);
    // Not folded, who is left of two tells states apart, and who went first does not.
    let full = Explorer::new(&OFFICE).full().run().unwrap();
    assert!(full.is_full());
    assert_eq!(full.exploration().states(), 8);
}

#[test]
fn limits_end_a_run() {
    let cut = Explorer::new(&OFFICE).max_states(3).run().unwrap();
    assert!(!cut.exploration().complete);
    assert_eq!(cut.exploration().states(), 3);
    let until = Explorer::new(&OFFICE).until("finish").run().unwrap();
    assert!(until.exploration().reached.is_some());
    assert!(until.exploration().states() < 7);
}

#[test]
fn runs_are_shortest_and_concrete() {
    let mut explored = Explorer::new(&OFFICE).run().unwrap();
    let home = explored.run_to_action("go \"home\"").unwrap().expect("the boss goes home");
    let actions: Vec<&str> = home.steps.iter().map(|step| &*step.action).collect();
    assert_eq!(actions.len(), 5);
    assert_eq!((actions[0], actions[4]), ("hire", "go \"home\""));
    assert_eq!(home.last(), &State::new());
    assert_eq!(explored.run_to_action("party"), Ok(None));

    // Every state of every run is where the explorer says it is.
    let ids: Vec<_> = explored.states().map(|(id, _)| id).collect();
    for id in ids {
        let run = explored.run_to(id).unwrap();
        assert_eq!(run.steps.len() as u32, explored.exploration().depth_of(id));
        assert_eq!(explored.find(run.last()), Some(id), "{run}");
        let mut state = OFFICE.initial().remove(0);
        assert_eq!(state, run.initial);
        for step in &run.steps {
            assert!(OFFICE.successors(&state).contains(step), "{run}");
            state = step.state.clone();
        }
    }
    assert_eq!(explored.find(&State::new()).map(|id| explored.state(id)), Some(State::new()));
    let mut other = State::new();
    assert!(other.put(&"worker".into(), vec![true.into()], 1));
    assert_eq!(explored.find(&other), None);
}

#[test]
fn graphs_say_the_same_in_four_ways() {
    let explored = Explorer::new(&OFFICE).run().unwrap();
    let graph = explored.graph("office");
    let edges = explored.exploration().edges;
    assert_eq!(graph.drawing().nodes.len(), 7);
    let written = |write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let dot = written(&|out| graph.write_dot(out));
    assert_eq!(dot, draw::dot(&graph.drawing()));
    assert!(dot.contains("office"));
    assert!(graph.svg().starts_with("<svg"));
    let aut = written(&|out| graph.write_aut(out));
    assert!(aut.starts_with(&format!("des (0, {edges}, 7)\n")));
    assert_eq!(aut.lines().count() as u64, 1 + edges);
    assert!(aut.contains("\"go 'home'\""));
    let json = serde_json::to_value(&graph).unwrap();
    assert_eq!(json["edges"].as_array().unwrap().len() as u64, edges);
    assert_eq!(json["states"].as_array().unwrap().len(), 7);
    assert_eq!(json["relations"], serde_json::json!(["parent"]));
    let kinds = json["states"].as_array().unwrap().iter().filter(|s| s["kind"] == "terminated");
    assert_eq!(kinds.count(), 1);
}

#[test]
fn too_few_relations_are_refused() {
    let error = Explorer::new(&OFFICE).relations(Relations::NONE).run().err().unwrap();
    assert_eq!(
        error.to_string(),
        "the system observes parent, which the relations given do not contain"
    );
}

#[test]
fn a_breach_is_told_with_the_way_to_it() {
    let digits = Office { only: Some(1), ..OFFICE };
    for seed in 0..20 {
        let error = Explorer::new(&digits).audit(100, seed).run().err();
        let Some(ExplorerError::Breach { breach, run }) = error else {
            panic!("seed {seed}: nothing found")
        };
        assert!(matches!(*breach, Breach::Asymmetry(_)), "seed {seed}: {breach}");
        assert_eq!(&*run.expect("it can be followed").steps[0].action, "hire");
    }
}

#[test]
fn debug_builds_audit_by_default() {
    let digits = Office { only: Some(1), ..OFFICE };
    assert_eq!(Explorer::new(&digits).run().is_err(), cfg!(debug_assertions));
    assert!(Explorer::new(&digits).audit(0, 0).run().is_ok(), "nobody looked");
}

#[test]
fn a_run_that_cannot_be_followed_is_no_run() {
    // Only first workers finish. A second one that is left alone does not, but its representative is
    // a first one, so that the end seems within reach.
    let digits = Office { only: Some(1), ..OFFICE };
    let mut explored = Explorer::new(&digits).audit(0, 0).run().unwrap();
    let end = explored.find(&State::new()).expect("it seems to be reached");
    let breach = explored.run_to(end).unwrap_err();
    let Breach::Asymmetry(found) = breach else { panic!("another breach: {breach}") };
    assert_eq!(found.step.action, "finish");
    assert!(explored.run_to_action("go \"home\"").is_err());
}
