//! Systems that are Rust code: several processes find what one does, although each numbers names as it meets them.

use std::collections::BTreeMap;
use std::sync::Arc;

use cluster::on_loopback;
use explore::StateId;
use fold::{Step, System};
use state::{Pid, Relation, Relations, State};
use survey::{Explored, Explorer, ExplorerError, SharedSystem, SystemRun, Team};

const LAYOUTS: [(usize, usize); 5] = [(1, 1), (2, 1), (3, 1), (5, 1), (2, 2)];

/// A boss hires workers, each of whom goes through rooms of its own choice; the boss ends when all are hired. Whoever
/// is in the last room stays there.
struct Office {
    most: i64,
    rooms: i64,
}

static OFFICE: Office = Office { most: 3, rooms: 4 };

impl System for Office {
    fn initial(&self) -> Vec<State> {
        // It may begin with everybody to be hired, or one less.
        let begin = |left: i64| {
            let mut state = State::new();
            state.activate(Pid::initial(1), 0);
            assert!(state.put(&"boss".into(), vec![Pid::initial(1).into(), left.into()], 1));
            state
        };
        vec![begin(self.most), begin(self.most - 1)]
    }

    fn successors(&self, state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        for (token, _) in state.tokens("boss") {
            let boss = token[0].as_pid().expect("a boss is a thread");
            for left in 0..=self.most {
                if token[1] != left.into() {
                    continue;
                }
                let mut after = state.clone();
                assert!(after.take("boss", token, 1));
                if left == 0 {
                    after.end(boss);
                    steps.push(Step::of(boss, "go home", after));
                    continue;
                }
                let worker = after.spawn(boss).expect("the boss is active");
                let token = vec![boss.clone().into(), (left - 1).into()];
                assert!(after.put(&"boss".into(), token, 1));
                assert!(after.put(&"room 0".into(), vec![worker.into()], 1));
                steps.push(Step::of(boss, format!("hire, {left} left"), after));
            }
        }
        for room in 0..self.rooms {
            let place = format!("room {room}");
            for (token, _) in state.tokens(&place) {
                let worker = token[0].as_pid().expect("a worker is a thread");
                for next in room + 1..=self.rooms {
                    let mut after = state.clone();
                    assert!(after.take(&place, token, 1));
                    assert!(after.put(&format!("room {next}").as_str().into(), token.to_vec(), 1));
                    steps.push(Step::of(worker, format!("enter {next}"), after));
                }
            }
        }
        steps
    }

    fn relations(&self) -> Relations {
        Relations::NONE.with(Relation::Parent)
    }
}

/// A number that goes down in steps of which each has a name, in a place that has one.
struct Countdown {
    from: u32,
}

static COUNTDOWN: Countdown = Countdown { from: 40 };

impl System for Countdown {
    fn initial(&self) -> Vec<State> {
        let mut state = State::new();
        assert!(state.put(&format!("at {}", self.from).as_str().into(), vec![], 1));
        vec![state]
    }

    fn successors(&self, state: &State) -> Vec<Step> {
        let place = state.marked().next().expect("a number").clone();
        let number: u32 = place[3..].parse().expect("a number");
        let steps = [1, 2, 5].into_iter().filter(|step| *step <= number);
        let to = |step: u32| {
            let mut after = state.clone();
            let count = state.tokens(&place).map(|(_, count)| count).sum();
            assert!(after.take(&place, &[], count));
            let place = format!("at {}", number - step);
            assert!(after.put(&place.as_str().into(), vec![], (count % 3) + 1));
            Step::of_nobody(format!("less {step}"), after)
        };
        steps.map(to).collect()
    }
}

fn explorer<S: System + ?Sized>(system: &'static S, full: bool) -> Explorer<'static, S> {
    let explorer = Explorer::new(system);
    if full { explorer.full() } else { explorer }
}

/// What is found by one: counts, levels, actions and tokens.
fn found<S: System + ?Sized>(explored: &Explored<'_, S>) -> String {
    let found = explored.exploration();
    let mut levels = vec![0_u64; found.depth() as usize + 1];
    (0..found.store.len()).for_each(|id| levels[found.depth_of(StateId(id)) as usize] += 1);
    let finals = (found.deadlocks.len(), found.terminated.len());
    let most: BTreeMap<Arc<str>, u64> = explored.most_tokens();
    format!("{levels:?} {} {finals:?} {:?} {most:?}", found.edges, explored.actions())
}

fn found_by_several<S: System + Sync + ?Sized>(explored: &SharedSystem<S>) -> String {
    let tally = explored.tally();
    assert!(explored.is_complete());
    assert_eq!(explored.levels().len() as u32, tally.depth + 1);
    assert_eq!(explored.levels().iter().sum::<u64>(), tally.states);
    let finals = (tally.deadlocks, tally.terminated);
    let most = explored.most_tokens();
    format!("{:?} {} {finals:?} {:?} {most:?}", explored.levels(), tally.edges, explored.actions())
}

/// That a run is one of the system.
fn assert_runs<S: System + ?Sized>(system: &S, run: &SystemRun) {
    assert!(system.initial().contains(&run.initial));
    let mut at = &run.initial;
    for step in &run.steps {
        assert!(system.successors(at).contains(step), "{run}");
        at = &step.state;
    }
}

fn assert_same<S: System + Sync + ?Sized>(
    system: &'static S,
    full: bool,
    wanted: impl Fn(&State) -> bool + Sync,
) {
    let mut one = explorer(system, full).run().expect("it keeps the rules");
    let expected = found(&one);
    let nearest = one.states().find(|(_, state)| wanted(state)).expect("there is one").0;
    let steps = one.run_to(nearest).expect("a run").steps.len();
    let deadlock = one.exploration().deadlocks.first().copied();
    let to_deadlock = deadlock.map(|id| one.run_to(id).expect("a run").steps.len());
    let mut runs = Vec::new();
    for (processes, threads) in LAYOUTS {
        let what = format!("{processes} processes of {threads}");
        let all = on_loopback(processes, threads, |network| {
            let team = Team { network, watch: None };
            let mut several = explorer(system, full).run_by(&team).expect("it keeps the rules");
            assert_eq!(found_by_several(&several), expected, "{what}");
            let run = several.run_to_first(&wanted).expect("a run").expect("there is one");
            assert_eq!(run.steps.len(), steps, "{what}");
            assert!(wanted(run.last()) || !full, "{what}");
            assert_runs(system, &run);
            let dead = several.run_to_deadlock().expect("a run");
            assert_eq!(dead.as_ref().map(|run| run.steps.len()), to_deadlock, "{what}");
            dead.iter().for_each(|run| assert_runs(system, run));
            (run.to_string(), dead.map(|run| run.to_string()))
        });
        runs.extend(all.expect("connections"));
    }
    runs.dedup();
    assert_eq!(runs.len(), 1, "runs do not depend on the number of processes");
}

#[test]
fn several_processes_find_what_one_does() {
    for full in [false, true] {
        let has_two =
            |state: &State| state.tokens("room 3").map(|(_, count)| count).sum::<u32>() == 2;
        assert_same(&OFFICE, full, has_two);
        assert_same(&COUNTDOWN, full, |state| state.marked().any(|place| &**place == "at 3"));
    }
}

/// The edges of a graph by states in words, one line for each label.
fn drawn<S: System + ?Sized>(explored: &Explored<'_, S>) -> Vec<String> {
    let name = |id| explored.state(id).to_string();
    let quotient = explored.exploration().quotient.as_ref().expect("edges are kept");
    let mut lines: Vec<String> =
        quotient.iter().map(|(a, _, b)| format!("{} to {}", name(a), name(b))).collect();
    lines.sort();
    lines
}

#[test]
fn the_first_process_gathers_the_graph() {
    let one = Explorer::new(&OFFICE).run().expect("it keeps the rules");
    let (expected, edges) = (found(&one), drawn(&one));
    let mut numbered = Vec::new();
    for (processes, threads) in LAYOUTS {
        let all = on_loopback(processes, threads, |network| {
            let process = network.process();
            let team = Team { network, watch: None };
            let gathered = Explorer::new(&OFFICE).run_gathered_by(&team).expect("the rules");
            assert_eq!(gathered.is_some(), process == 0);
            let mut gathered = gathered?;
            assert_eq!(found(&gathered), expected);
            assert_eq!(drawn(&gathered), edges);
            let run = gathered.run_to_action("enter 4").expect("a run").expect("it is taken");
            let states: Vec<String> = gathered.states().map(|(_, s)| s.to_string()).collect();
            Some((states, run.to_string()))
        });
        numbered.extend(all.expect("connections").into_iter().flatten());
    }
    numbered.dedup();
    assert_eq!(numbered.len(), 1, "numbers do not depend on the number of processes");
}

#[test]
fn the_action_looked_for_ends_all() {
    let mut one = Explorer::new(&OFFICE).until("enter 3").run().expect("it keeps the rules");
    let steps = one.run_to_action("enter 3").expect("a run").expect("it is taken").steps.len();
    for (processes, threads) in LAYOUTS {
        let runs = on_loopback(processes, threads, |network| {
            let team = Team { network, watch: None };
            let until = || Explorer::new(&OFFICE).until("enter 3");
            let mut several = until().run_by(&team).expect("it keeps the rules");
            assert!(!several.is_complete());
            if let Some(mut gathered) = until().run_gathered_by(&team).expect("the rules") {
                let run = gathered.run_to_action("enter 3").expect("a run").expect("it is taken");
                assert_eq!(run.steps.len(), steps);
            }
            several.run_to_action().expect("a run").expect("it is taken")
        });
        for run in runs.expect("connections") {
            assert_eq!((run.steps.len(), &*run.steps[steps - 1].action), (steps, "enter 3"));
        }
    }
}

/// A thread that comes back after it has ended.
struct Broken;

static BROKEN: Broken = Broken;

impl System for Broken {
    fn initial(&self) -> Vec<State> {
        let mut state = State::new();
        state.activate(Pid::initial(1), 0);
        assert!(state.put(&"here".into(), vec![Pid::initial(1).into()], 1));
        vec![state]
    }

    fn successors(&self, state: &State) -> Vec<Step> {
        let mut after = state.clone();
        let one = Pid::initial(1);
        match state.eta().contains_key(&one) {
            true => after.end(&one),
            false => after.activate(one, 0),
        }
        vec![Step::of_nobody("turn", after)]
    }
}

#[test]
fn what_breaks_the_rules_or_differs_is_named() {
    let one = Explorer::new(&BROKEN).run().err().expect("it is broken").to_string();
    let several = on_loopback(3, 1, |network| {
        let team = Team { network, watch: None };
        let error = Explorer::new(&BROKEN).run_by(&team).err().expect("it is broken");
        assert!(matches!(error, ExplorerError::BreachFound { run: Some(_), .. }), "{error}");
        error.to_string()
    });
    assert!(several.expect("connections").iter().all(|error| *error == one), "{one}");
    let other = on_loopback(2, 1, |network| {
        let process = network.process() as u64;
        let team = Team { network, watch: None };
        let differs = Explorer::new(&OFFICE).max_states(10 + process);
        differs.run_by(&team).err().expect("they differ").to_string()
    });
    for error in other.expect("connections") {
        assert_eq!(error, "process 1 explores something else than process 0");
    }
    let kept = on_loopback(1, 1, |network| {
        let team = Team { network, watch: None };
        Explorer::new(&OFFICE).disk("nowhere").run_by(&team).err().map(|error| error.to_string())
    });
    let text = "what several processes explore of a system can neither be kept nor put on disk: leave out `checkpoint` \
                and `disk`, or explore with one process";
    assert_eq!(kept.expect("connections"), [Some(text.to_owned())]);
}
