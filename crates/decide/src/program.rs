//! What is claimed of programs, decided on the graph that a machine finds.
//!
//! A claim is a property over statements about single states ([`machine::Claim`]). What follows from there is as for nets:
//! goals, which are settled by what single states say, by how paths branch, by runs, and by what threads can come to. A
//! claim about the runs of single threads has a graph of its own, in which one of them is followed.

mod lives;
mod look;

use budget::Budget;
use check::Strength;
use explore::{Control, Exploration, Failed, Options, explore_on};
use machine::{Claim, Code, Machine};
use net::{Fairness, Net, Property, Whom};
use program::{Failure, LabelId, Program, Source};

use crate::Refusal;
use crate::goal::{self, Answer, Goals};
use crate::lower::{Lowering, asks_for_ever};
use crate::question::Question;
use look::Looking;

/// A program that is asked something.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The program.
    pub program: &'a Program,
    /// What surrounds it: its classes, and the actions of which fairness can be assumed.
    pub base: &'a Net,
    /// The program and its claims, compiled.
    pub code: &'a Code,
    /// What is assumed of runs.
    pub fairness: &'a [Fairness],
    /// What it may take.
    pub budget: &'a Budget,
    /// How many states may be stored.
    pub states: Option<u64>,
    /// How many threads work on it.
    pub threads: usize,
}

/// What was found of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramVerdict {
    /// It holds; perhaps only since what it speaks of never happens.
    Holds {
        /// See above.
        vacuously: bool,
    },
    /// It fails.
    Fails,
    /// It is not known, and why.
    Unknown(String),
    /// It is not decided.
    Refused(Refusal),
}

/// What was found of a program.
#[derive(Clone, Debug, Default)]
pub struct ProgramReport {
    /// What was found of its claims, in their order.
    pub verdicts: Vec<ProgramVerdict>,
    /// The failures that were met.
    pub failures: Vec<Failure>,
    /// The states of the largest graph.
    pub states: u64,
    /// Whether everything was answered before all states were known.
    pub ended_early: bool,
}

/// What is assumed of runs, as it is asked of a graph.
#[derive(Clone, Debug, Default)]
struct Assumed {
    /// The labels of arms that belong together, and how fair runs are to each.
    arms: Vec<(Vec<(Source, LabelId)>, Strength)>,
    /// How fair they are to threads.
    threads: Option<Strength>,
}

impl Assumed {
    fn of(asked: Asked<'_>) -> Result<Assumed, Refusal> {
        let mut assumed = Assumed::default();
        for Fairness { strength, of } in asked.fairness {
            let strength = match strength {
                net::Strength::Weak => Strength::Weak,
                net::Strength::Strong => Strength::Strong,
            };
            match *of {
                Whom::Threads if assumed.threads.is_some_and(|other| other != strength) => {
                    return Err(Refusal::TwoStrengths);
                }
                Whom::Threads => assumed.threads = Some(strength),
                Whom::Action(id) => {
                    let name = &asked.base.actions[id.index()].name;
                    assumed.arms.push((arms_called(asked.program, name), strength));
                }
                Whom::Class(_) | Whom::Transition(_) => return Err(Refusal::FairMembers),
            }
        }
        Ok(assumed)
    }
}

/// The labels of arms that have a name: that of the routine, and their own.
fn arms_called(program: &Program, name: &str) -> Vec<(Source, LabelId)> {
    let processes = (0..).map(program::ProcessId).map(Source::Process);
    let functions = (0..).map(program::FunctionId).map(Source::Function);
    let routines = processes.zip(&program.processes).chain(functions.zip(&program.functions));
    let labels = routines.flat_map(|(source, routine)| {
        let labels = (0..).map(LabelId).zip(&routine.labels);
        labels
            .map(move |(id, label)| (source, id, format!("{}.{}", routine.own_name(), label.name)))
    });
    labels.filter(|(.., own)| own == name).map(|(source, id, _)| (source, id)).collect()
}

/// Decides what is claimed of a program.
///
/// # Errors
///
/// If the program fails before its first step.
pub fn decide_program(asked: Asked<'_>) -> Result<ProgramReport, Failure> {
    let claims = &asked.code.claims;
    let unknown = ProgramVerdict::Unknown("it was not decided".into());
    let mut report =
        ProgramReport { verdicts: vec![unknown; claims.len()], ..ProgramReport::default() };
    let (mut together, mut alone) = (Vec::new(), Vec::new());
    if asked.code.tests_forgotten_data() {
        let why = "it tests data that is not kept";
        report.verdicts.fill(ProgramVerdict::Unknown(why.into()));
        return Ok(report);
    }
    for (number, claim) in claims.iter().enumerate() {
        match refusal(asked, &claim.property) {
            Some(why) => report.verdicts[number] = ProgramVerdict::Refused(why),
            None if claim.followed.is_some() => alone.push(number),
            None => together.push(number),
        }
    }
    if !together.is_empty() {
        group(asked, &together, &mut report)?;
    }
    for number in alone {
        group(asked, &[number], &mut report)?;
    }
    Ok(report)
}

/// Why a property is not decided, if that can be known before.
fn refusal(asked: Asked<'_>, property: &Property) -> Option<Refusal> {
    if let Err(refusal) = Assumed::of(asked) {
        return Some(refusal);
    }
    let is_fair_branching = !asked.fairness.is_empty() && asks_for_ever(&property.formula);
    is_fair_branching.then_some(Refusal::FairBranching)
}

/// Decides claims on one graph.
fn group(asked: Asked<'_>, numbers: &[usize], report: &mut ProgramReport) -> Result<(), Failure> {
    let mut goals = Goals::new(None);
    let (mut claims, mut premises) = (Vec::new(), Vec::new());
    for &number in numbers {
        let Claim { property, premise, .. } = &asked.code.claims[number];
        let mut lowering = Lowering { has_threads: true, goals: &mut goals, shows_runs: true };
        match lowering.question(&Question::Holds(property.clone())) {
            Ok(claim) => claims.push((number, claim)),
            Err(refusal) => report.verdicts[number] = ProgramVerdict::Refused(refusal),
        }
        premises.extend(premise.iter().map(|premise| (number, lowering.reachable(premise))));
    }
    let mut machine = Machine::new(asked.code);
    let followed = numbers.iter().map(|number| &asked.code.claims[*number]);
    let followed = { followed }.find(|claim| claim.followed.is_some());
    if let Some(claim) = followed {
        machine.follow(claim);
    }
    let mut looking = Looking::new(asked, machine.share(), followed.is_some());
    let is_of_paths = |goal: usize| goals.goal(goal).is_about_paths();
    let is_asked = |test: &dyn Fn(usize) -> bool| {
        let mut is_asked = false;
        claims
            .iter()
            .for_each(|(_, claim)| claim.for_each_goal(&mut |goal| is_asked |= test(goal)));
        is_asked
    };
    let keeps_edges =
        followed.is_some() || is_asked(&is_of_paths) || looking.asks_what_is_next(&goals);
    let all: Vec<goal::Claim> =
        claims.iter().chain(&premises).map(|(_, claim)| claim.clone()).collect();
    let found = explored(asked, machine, keeps_edges, &mut |found| {
        looking.look(&mut goals, &all, found, false);
        match goals.pending(all.iter()).is_empty() {
            true => Control::Interrupt,
            false => Control::Continue,
        }
    })?;
    looking.look(&mut goals, &all, &found, true);
    report.states = report.states.max(found.states());
    report.ended_early |= !found.complete;
    report.failures.extend(looking.failures());
    for (number, claim) in &claims {
        let never_met = |(of, premise): &(usize, goal::Claim)| {
            of == number && premise.answer(&goals) == Some(Answer::Holds(false))
        };
        report.verdicts[*number] = match claim.answer(&goals) {
            Some(Answer::Holds(true)) => {
                let vacuously = premises.iter().any(never_met) || looking.has_no_roots(&found);
                ProgramVerdict::Holds { vacuously }
            }
            Some(Answer::Holds(false)) => ProgramVerdict::Fails,
            _ => ProgramVerdict::Unknown(looking.why(&found)),
        };
    }
    Ok(())
}

/// Explores a program. `review` is called each time the number of states has doubled.
fn explored(
    asked: Asked<'_>,
    first: Machine<'_>,
    keep_edges: bool,
    review: &mut dyn FnMut(&Exploration) -> Control,
) -> Result<Exploration, Failure> {
    let others: Vec<Machine<'_>> = (1..asked.threads).map(|_| first.share()).collect();
    let mut machines: Vec<Machine<'_>> = std::iter::once(first).chain(others).collect();
    let (budget, states) = (asked.budget.clone(), asked.states);
    let options = Options { budget, states, keep_edges, ..Options::default() };
    let explored = explore_on(&mut machines, &options, &mut |_| Control::Continue, review);
    explored.map_err(|Failed { fault, .. }| fault)
}
