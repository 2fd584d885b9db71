//! Systems that are code: what is found in good ones, and what is said of broken ones.

use explore::{Control, Exploration, Options};
use fold::{Breach, Checked, ConcreteSpace, Misstep, Step, System};
use state::{Inconsistency, Pid, Relations, State};

/// A system given by functions.
struct Functions {
    initial: fn() -> State,
    successors: fn(&State) -> Vec<Step>,
    relations: &'static str,
}

impl System for Functions {
    fn initial(&self) -> Vec<State> {
        vec![(self.initial)()]
    }

    fn successors(&self, state: &State) -> Vec<Step> {
        (self.successors)(state)
    }

    fn relations(&self) -> Relations {
        self.relations.parse().unwrap()
    }
}

fn explored(system: &Functions, folded: bool, seed: u64) -> Result<Exploration, Breach> {
    let checked = Checked::new(system, system.relations(), folded)?.audited(u64::MAX, seed);
    let mut space = ConcreteSpace::new(checked);
    let options = Options { states: Some(300), ..Options::default() };
    explore::explore(&mut space, &options, &mut |_| Control::Continue).map_err(|f| f.fault)
}

/// The breach that every seed finds.
fn breach(system: &Functions) -> Breach {
    let mut breaches = (0..20).map(|seed| {
        let found = explored(system, true, seed);
        found.err().unwrap_or_else(|| panic!("seed {seed}: nothing found"))
    });
    let first = breaches.next().unwrap();
    let kind = std::mem::discriminant(&first);
    assert!(breaches.all(|other| std::mem::discriminant(&other) == kind), "{first}");
    first
}

fn misstep(system: &Functions) -> Misstep {
    match breach(system) {
        Breach::Step { why, .. } => why,
        other => panic!("another breach: {other}"),
    }
}

fn pid(text: &str) -> Pid {
    text.parse().unwrap()
}

fn at(place: &str, state: &State) -> Vec<Pid> {
    state.tokens(place).filter_map(|(token, _)| token[0].as_pid().cloned()).collect()
}

fn put(state: &mut State, place: &str, pid: &Pid) {
    assert!(state.put(&place.into(), vec![pid.clone().into()], 1));
}

fn moved(state: &State, pid: &Pid, from: &str, to: &str) -> State {
    let mut after = state.clone();
    assert!(after.take(from, &[pid.clone().into()], 1));
    put(&mut after, to, pid);
    after
}

/// A mother without children yet.
fn mother() -> State {
    let mut state = State::new();
    state.activate(pid("1"), 0);
    put(&mut state, "home", &pid("1"));
    state
}

/// She has up to two children at a time.
fn births(state: &State) -> Vec<Step> {
    let few = at("small", state).len() + at("big", state).len() < 2;
    let mothers = at("home", state).into_iter().filter(|_| few);
    mothers
        .map(|mother| {
            let mut after = state.clone();
            let child = after.spawn(&mother).unwrap();
            put(&mut after, "small", &child);
            Step::of(&mother, "birth", after)
        })
        .collect()
}

/// A child that is small grows.
fn growths(state: &State) -> Vec<Step> {
    let grown = |child: &Pid| Step::of(child, "grow", moved(state, child, "small", "big"));
    at("small", state).iter().map(grown).collect()
}

/// A child that is big leaves.
fn leavings(state: &State) -> Vec<Step> {
    let left = |child: &Pid| {
        let mut after = state.clone();
        assert!(after.take("big", &[child.clone().into()], 1));
        after.end(child);
        Step::of(child, "leave", after)
    };
    at("big", state).iter().map(left).collect()
}

fn family(state: &State) -> Vec<Step> {
    [births(state), growths(state), leavings(state)].concat()
}

/// The family with births of another kind.
fn with_births(state: &State, births: impl Fn(&State, &Pid) -> State) -> Vec<Step> {
    let few = at("small", state).len() + at("big", state).len() < 2;
    let mothers = at("home", state).into_iter().filter(|_| few);
    let births = mothers.map(|mother| Step::of(&mother, "birth", births(state, &mother)));
    births.chain(growths(state)).chain(leavings(state)).collect()
}

#[test]
fn a_good_system_is_folded() {
    let counts = |relations, folded| {
        let system = Functions { initial: mother, successors: family, relations };
        let found = explored(&system, folded, 7).unwrap_or_else(|breach| panic!("{breach}"));
        (found.complete, found.states())
    };
    // None, or one child small or big, or two of them.
    assert_eq!(counts("", true), (true, 1 + 2 + 3));
    assert_eq!(counts("parent,ancestor", true), (true, 1 + 2 + 3));
    // Siblings told apart by age.
    assert_eq!(counts("elder_sibling", true), (true, 1 + 2 + 4));
    // … and by whether one between them is gone; of an only child, whether a younger one is.
    let all = "parent,ancestor,next_sibling,elder_sibling";
    assert_eq!(counts(all, true), (true, 1 + 2 * 2 + 2 * 4));
    assert!(!counts("", false).0, "without folding there is no end");
}

#[test]
fn digits_are_not_to_be_looked_at() {
    let successors = |state: &State| {
        let even = |step: &Step| step.thread.as_ref().is_some_and(|child| child.last() % 2 == 0);
        let grow = growths(state).into_iter().filter(even);
        [births(state), leavings(state)].concat().into_iter().chain(grow).collect()
    };
    for relations in ["", "parent", "parent,ancestor,next_sibling,elder_sibling"] {
        let found = breach(&Functions { initial: mother, successors, relations });
        assert!(matches!(found, Breach::Asymmetry(_)), "{found}");
    }
}

#[test]
fn actions_are_not_to_be_named_after_pids() {
    let successors = |state: &State| {
        let mut steps = family(state);
        for step in &mut steps {
            step.action = format!("{} {}", step.action, step.thread.as_ref().unwrap()).into();
        }
        steps
    };
    let found = breach(&Functions { initial: mother, successors, relations: "parent" });
    assert!(matches!(found, Breach::Asymmetry(_)), "{found}");
}

#[test]
fn a_pid_is_not_to_be_used_again() {
    let successors = |state: &State| {
        with_births(state, |state, mother| {
            let mut after = state.clone();
            let child = (1..).map(|n| mother.child(n)).find(|c| !state.pids().contains(c)).unwrap();
            let created = state.eta()[mother].max(child.last());
            after.activate(mother.clone(), created);
            after.activate(child.clone(), 0);
            put(&mut after, "small", &child);
            after
        })
    };
    let found = misstep(&Functions { initial: mother, successors, relations: "elder_sibling" });
    assert!(matches!(found, Misstep::OutOfTurn { .. }), "{found}");
}

#[test]
fn the_dead_do_not_rise() {
    let successors = |state: &State| {
        let mut steps = Vec::new();
        for child in at("small", state) {
            let mut after = moved(state, &child, "small", "grave");
            after.end(&child);
            steps.push(Step::of(&child, "die", after));
        }
        for child in at("grave", state) {
            let mut after = moved(state, &child, "grave", "small");
            after.activate(child, 0);
            steps.push(Step::of_nobody("rise", after));
        }
        if at("grave", state).is_empty() { [births(state), steps].concat() } else { steps }
    };
    let found = misstep(&Functions { initial: mother, successors, relations: "" });
    assert!(matches!(found, Misstep::Revived(_)), "{found}");
}

#[test]
fn a_child_is_not_to_be_forgotten() {
    // Counted, but nowhere.
    let counted = |state: &State| {
        with_births(state, |state, mother| {
            let mut after = state.clone();
            after.activate(mother.clone(), state.eta()[mother] + 1);
            after
        })
    };
    let found = misstep(&Functions { initial: mother, successors: counted, relations: "parent" });
    assert_eq!(found, Misstep::Miscounted { pid: pid("1"), counted: 1, created: 0 });
    // Active, but nowhere.
    let active = |state: &State| {
        with_births(state, |state, mother| {
            let mut after = state.clone();
            after.spawn(mother);
            after
        })
    };
    let found = misstep(&Functions { initial: mother, successors: active, relations: "parent" });
    assert_eq!(found, Misstep::Inconsistent(Inconsistency::InNoToken(pid("1.1"))));
    // There, but not counted.
    let there = |state: &State| {
        with_births(state, |state, mother| {
            let mut after = state.clone();
            let child = state.next(mother).unwrap();
            after.activate(child.clone(), 0);
            put(&mut after, "small", &child);
            after
        })
    };
    let found = misstep(&Functions { initial: mother, successors: there, relations: "parent" });
    assert!(matches!(found, Misstep::Inconsistent(Inconsistency::NotYetCreated { .. })), "{found}");
}

#[test]
fn siblings_are_not_to_be_ordered_without_saying_so() {
    // The eldest child grows first.
    let successors = |state: &State| {
        let eldest = growths(state).into_iter().min_by_key(|step| step.thread.clone());
        [births(state), leavings(state)].concat().into_iter().chain(eldest).collect()
    };
    for relations in ["", "parent", "parent,ancestor"] {
        let found = breach(&Functions { initial: mother, successors, relations });
        assert!(matches!(found, Breach::Asymmetry(_)), "{found}");
    }
    let declared = Functions { initial: mother, successors, relations: "elder_sibling" };
    explored(&declared, true, 3).unwrap_or_else(|breach| panic!("{breach}"));
}

#[test]
fn who_survives_is_not_to_be_chosen_by_order() {
    // Somebody takes the eldest of the big ones away. What is left looks the same whoever goes, but
    // those who follow one thread see a difference.
    let successors = |state: &State| {
        let taken = leavings(state).into_iter().min_by_key(|step| step.thread.clone());
        let taken = taken.map(|step| Step::of_nobody("taken", step.state));
        [births(state), growths(state)].concat().into_iter().chain(taken).collect()
    };
    let found = breach(&Functions { initial: mother, successors, relations: "parent" });
    let Breach::Asymmetry(found) = found else { panic!("another breach: {found}") };
    assert_eq!(found.step.action, "taken");
}

#[test]
fn the_counter_is_not_to_be_read() {
    // At most five children in a lifetime, by the mother's own count.
    let successors = |state: &State| {
        let few = |step: &Step| state.eta()[step.thread.as_ref().unwrap()] < 5;
        let births = births(state).into_iter().filter(few);
        births.chain(growths(state)).chain(leavings(state)).collect()
    };
    for relations in ["", "parent", "parent,ancestor,next_sibling,elder_sibling"] {
        let found = breach(&Functions { initial: mother, successors, relations });
        assert!(matches!(found, Breach::Asymmetry(_)), "{found}");
    }
}

#[test]
fn threads_do_not_come_from_nowhere() {
    let stork = |state: &State| {
        let mut after = state.clone();
        after.activate(pid("2"), 0);
        put(&mut after, "small", &pid("2"));
        vec![Step::of_nobody("stork", after)]
    };
    let found = misstep(&Functions { initial: mother, successors: stork, relations: "" });
    assert_eq!(found, Misstep::FromNowhere(pid("2")));
    let ghost = |state: &State| vec![Step::of(&pid("9"), "haunt", state.clone())];
    let found = misstep(&Functions { initial: mother, successors: ghost, relations: "" });
    assert_eq!(found, Misstep::IdleActor(pid("9")));
}

#[test]
fn the_first_state_is_looked_at_too() {
    let initial = || {
        let mut state = mother();
        put(&mut state, "small", &pid("1.1"));
        state
    };
    let found = breach(&Functions { initial, successors: family, relations: "" });
    assert_eq!(
        found.to_string(),
        "in the initial state {home(1) small(1.1) | η: 1 ↦ 0}, pid 1.1 is present, but 1 has \
         created only 0 children so far"
    );
}

#[test]
fn a_breach_says_where_and_what() {
    let successors = |state: &State| {
        let grown = growths(state)
            .into_iter()
            .filter(|step| step.thread.as_ref().is_some_and(|child| child.digits() == [1, 1]));
        births(state).into_iter().chain(grown).collect()
    };
    let system = Functions { initial: mother, successors, relations: "parent" };
    let Breach::Asymmetry(found) = breach(&system) else { panic!("another breach") };
    let again = successors(&found.state);
    assert!(again.contains(&found.step), "the step is one of the first state's");
    let h = fold::equivalent(&found.state, &found.other, found.relations).expect("equivalent");
    assert_eq!(h.len(), found.renamed.len());
    let text = found.to_string();
    for part in [&found.step.action, "{=, parent}", "1 ↦"] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}
