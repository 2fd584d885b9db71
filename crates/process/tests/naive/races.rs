//! Races in random programs, by the definition and by the probes of the compiled net: awaits in steps and `atomic`
//! blocks, and rendezvous, with plain accesses beside them.

use std::sync::Arc;

use decide::{Checking, Question, Verdict, decide};
use interpret::{Access, Interpreter, Turns};
use net::Origin;
use program::Observed;
use program::Program;
use program::claim::{Claim, Proposition};
use random::Random;
use survey::Plan;

use crate::counts::Refusals;
use crate::generate::{self, Features};
use crate::graph::graph;
use crate::{Compared, compiled, source};

/// How many programs are compared, if all are; and how many states each may have.
const PROGRAMS: u64 = 2_000;
const MOST_STATES: usize = 200;

/// Whether there is a race by the definition: if all accesses count, or only some.
struct Races {
    all: bool,
    /// Without what is read where one cannot go on.
    without_waiting: bool,
    /// Without what two do who meet.
    without_meetings: bool,
}

/// What is found of a program; nothing if it is not one to be compared.
fn compared(program: &Program, most: usize) -> (Compared, Option<Races>) {
    let observed = Observed { races: true, ..Observed::default() };
    let interpreter = Interpreter::new(program, &observed);
    let Some((graph, states)) = graph(&interpreter, Turns::Steps, most) else {
        return (Compared::TooLarge, None);
    };
    let is_race = |counts: fn(&Access) -> bool| {
        states.iter().any(|state| {
            let mut accesses = interpreter.accesses(state);
            accesses.retain(|(_, access)| counts(access));
            interpreter.race_among(state, &accesses).is_some()
        })
    };
    let races = Races {
        all: is_race(|_| true),
        without_waiting: is_race(|access| !access.is_waiting),
        without_meetings: is_race(|access| !access.is_meeting),
    };
    let (name, text, origin) = ("race_free".into(), String::new(), Origin::default());
    let proposition = Proposition::RaceFree;
    let claim = Claim { name, text, mentions: Vec::new(), proposition, origin };
    let Some(translation) = compiled::net_with(program, &observed, &[claim]) else {
        return (Compared::Refused, None);
    };
    let net = Arc::new(translation.net);
    let questions: Vec<_> = net.properties.iter().cloned().map(Question::Holds).collect();
    let checking = Checking { plan: Plan { threads: 1, ..Plan::default() }, ..Checking::default() };
    let report = decide(&net, &questions, &checking, &mut |_| {}, &mut |_| {});
    let verdict = report.expect("it is a model for all engines").outcomes.remove(0).verdict;
    let is_right = match verdict {
        Verdict::Holds { .. } => !races.all,
        Verdict::Fails(_) => races.all,
        _ => false,
    };
    if !is_right {
        let race = states.iter().find_map(|state| Some((state, interpreter.race(state)?)));
        return (Compared::Different(format!("{verdict:?}; by definition {race:#?}")), None);
    }
    let faults = graph.has_faults();
    (Compared::Same { classes: states.len(), faults }, Some(races))
}

#[test]
fn races_are_those_of_the_definition() {
    let wanted = random::daily(PROGRAMS, 10);
    let mut refusals = Refusals::default();
    let (mut count, mut free, mut by_waiting, mut by_meeting, mut failing) = (0, 0, 0, 0, 0);
    for seed in 8_000_000.. {
        let _seed = random::Seed(seed);
        let random = &mut Random::new(seed);
        let mut program = generate::program(random, Features::ALL);
        generate::dispute::dispute(random, &mut program);
        let (found, races) = compared(&program, MOST_STATES);
        refusals.note(&found);
        match found {
            Compared::TooLarge | Compared::TooSmall | Compared::Refused => continue,
            Compared::Different(why) => panic!("{}\n{why}", source::text(&program)),
            Compared::Same { faults, .. } => failing += u64::from(faults),
        }
        let races = races.expect("it was compared");
        free += u64::from(!races.all);
        by_waiting += u64::from(races.all && !races.without_waiting);
        by_meeting += u64::from(races.all && !races.without_meetings);
        count += 1;
        if count == wanted {
            break;
        }
    }
    println!(
        "{count} programs: {free} free, {by_waiting} and {by_meeting} only by some, {failing} fail"
    );
    assert!(free >= wanted / 20, "{free} of {count} are free of races");
    assert!(by_waiting >= wanted / 100, "{by_waiting} of {count} race only where one waits");
    assert!(by_meeting >= wanted / 400, "{by_meeting} of {count} race only where two meet");
    assert!(failing >= wanted / 50, "{failing} of {count} can fail");
    refusals.require_few();
}
