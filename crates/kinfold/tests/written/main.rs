//! Verdicts on random programs, against an interpreter that was written from the pages alone.
//!
//! `docs/processes.md` and DESIGN §8 say what programs mean. Here a program is made as a tree (`generate`), printed for
//! Kinfold (`text`), and executed by an interpreter that has nothing but the tree and shares no code with Kinfold: bodies
//! become lists of operations (`code`), all that each process can do in a state is tried (`machine`), every state is looked
//! at, one by one, and each property is decided by its definition (`graph`). Kinfold is asked plainly and with its
//! reductions. A failure names the seed and shows a smaller program (`shrink`); [`ONLY`] runs a seed alone.
//!
//! A part of the seeds is for every day; all of them are compared with `KINFOLD_TESTS=all`.

#![expect(clippy::print_stdout, reason = "what the programs were like is of interest")]

mod code;
mod generate;
mod graph;
mod machine;
mod program;
mod shrink;
mod text;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ::decide::program::{Asked, ProgramVerdict, decide_program};
use budget::Budget;
use diagnostics::Severity;
use kinfold::{Checking, Engine, Plan, Question, Reductions, Verdict, decide};
use net::Net;
use random::Random;

use code::{Code, Mistake};
use graph::{Answer, Graph};
use program::{Program, Property};

/// A seed to be run alone.
const ONLY: Option<u64> = None;

/// Programs with more states are left out.
const MOST: usize = 1_500;
/// Programs, and the share of them that is for every day.
const PROGRAMS: u64 = 6_000;
const SHARE: u64 = 10;
/// So many programs are enough to notice each mistake.
const MISTAKEN: u64 = 600;

/// Where Kinfold and the interpreter differ.
#[derive(Debug)]
struct Difference {
    way: &'static str,
    what: String,
    /// What it is about, to find the same difference in a smaller program.
    about: String,
}

impl Difference {
    fn new(way: &'static str, about: impl Into<String>, what: String) -> Difference {
        Difference { way, what, about: about.into() }
    }
}

/// What Kinfold says of a program.
struct Said {
    way: &'static str,
    answers: Vec<Answer>,
    /// Whether a fault was found, and whether all states were looked at.
    fault: bool,
    complete: bool,
}

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    programs: usize,
    faulty: usize,
    states: usize,
    answers: BTreeMap<(&'static str, Answer), usize>,
}

impl Tally {
    /// Nothing is compared only now and then: of each kind of property some hold and some fail.
    fn demand(&self) {
        assert!(3 * self.faulty >= self.programs / 2, "few programs can fault");
        for kind in [
            "always",
            "never",
            "reachable",
            "no_one_stuck",
            "everyone_can_end",
            "deadlock_free",
            "race_free",
            "branching",
            "eventually",
            "leads_to",
            "until",
        ] {
            for answer in [Answer::Holds, Answer::Fails] {
                let found = self.answers.get(&(kind, answer)).copied().unwrap_or_default();
                assert!(100 * found >= self.programs, "{kind}: {answer:?} {found} times");
            }
        }
    }
}

fn about(property: &Property) -> &'static str {
    match property {
        Property::Always(_) => "always",
        Property::Never(_) => "never",
        Property::Reachable(_) => "reachable",
        Property::NoOneStuck => "no_one_stuck",
        Property::EveryoneCanEnd => "everyone_can_end",
        Property::DeadlockFree => "deadlock_free",
        Property::RaceFree => "race_free",
        Property::Branching(_) => "branching",
        Property::Eventually(_) => "eventually",
        Property::LeadsTo(..) => "leads_to",
        Property::Until(..) => "until",
    }
}

/// Whether it is about runs, or branching time.
fn is_of_runs(property: &Property) -> bool {
    match property {
        Property::Branching(_)
        | Property::Eventually(_)
        | Property::LeadsTo(..)
        | Property::Until(..) => true,
        Property::Always(_)
        | Property::Never(_)
        | Property::Reachable(_)
        | Property::NoOneStuck
        | Property::EveryoneCanEnd
        | Property::DeadlockFree
        | Property::RaceFree => false,
    }
}

/// States one by one without any reduction, as usual and with runs, and reduced from the start.
fn ways(net: &Net) -> [(&'static str, Checking); 3] {
    let usual = Checking { fairness: net.fairness.clone(), ..Checking::default() };
    let plan = Plan { precise: true, ..Plan::default() };
    let (reductions, engine) = (Reductions::NONE, Some(Engine::Explicit));
    let plain = Checking { plan, reductions, engine, ..usual.clone() };
    let reductions = Reductions { from_start: true, ..Reductions::default() };
    let reduced = Checking { reductions, ..usual.clone() };
    let shown = Checking { evidence: true, ..usual };
    [("plainly", plain), ("with runs", shown), ("reduced", reduced)]
}

fn answer(verdict: &Verdict) -> Answer {
    match verdict {
        Verdict::Holds { .. } => Answer::Holds,
        Verdict::Fails(_) => Answer::Fails,
        Verdict::Unknown(_) | Verdict::Depends { .. } => Answer::Unknown,
        Verdict::Refused(_) => Answer::Refused,
        Verdict::Greatest(_) | Verdict::Unbounded => unreachable!("nobody asks for a number"),
    }
}

/// A program as Kinfold has it: as a net, and as it is executed.
struct Compiled {
    net: Arc<Net>,
    processes: lang::Processes,
}

fn compiled(program: &Program) -> Result<Compiled, Difference> {
    let compilation = lang::compile(&text::text(program), &[]);
    let both = compilation.net.map(Arc::new).zip(compilation.processes);
    both.map(|(net, processes)| Compiled { net, processes }).ok_or_else(|| {
        let all = compilation.diagnostics.iter();
        let errors: Vec<_> = all.filter(|one| one.severity == Severity::Error).collect();
        let codes: Vec<&str> = errors.iter().map(|one| one.code).collect();
        let what = errors.iter().map(|one| format!("line {}: {}", one.line, one.message));
        let what: Vec<String> = what.collect();
        Difference::new("in any way", codes.join(" "), format!("refused: {}", what.join("; ")))
    })
}

/// What the machine says of a program.
fn said_by_machine(Compiled { net, processes }: &Compiled) -> Said {
    let lang::Processes { program, claims, observed, .. } = processes;
    let code = ::machine::compile(program, net, observed, claims).expect("it can be executed");
    let (base, fairness) = (&**net, &net.fairness[..]);
    let (budget, states, threads) = (&Budget::default(), None, 1);
    let asked = Asked { program, base, code: &code, fairness, budget, states, threads };
    let report = decide_program(asked).expect("it starts");
    let answer = |verdict: &ProgramVerdict| match verdict {
        ProgramVerdict::Holds { .. } => Answer::Holds,
        ProgramVerdict::Fails => Answer::Fails,
        ProgramVerdict::Unknown(_) => Answer::Unknown,
        ProgramVerdict::Refused(_) => Answer::Refused,
    };
    let answers = report.verdicts.iter().map(answer).collect();
    let (fault, complete) = (!report.failures.is_empty(), !report.ended_early);
    Said { way: "by the machine", answers, fault, complete }
}

/// What Kinfold says of a program, in each way.
fn said(compiled: &Compiled) -> Vec<Said> {
    let net = &compiled.net;
    let questions: Vec<Question> = net.properties.iter().cloned().map(Question::Holds).collect();
    let said = ways(net).map(|(way, checking)| {
        let report = decide(net, &questions, &checking, &mut |_| {}, &mut |_| {});
        let report = report.unwrap_or_else(|error| panic!("{way}: {error}"));
        let answers = report.outcomes.iter().map(|outcome| answer(&outcome.verdict)).collect();
        let complete = report.coverage.as_ref().is_some_and(|coverage| coverage.complete);
        Said { way, answers, fault: report.fault.is_some(), complete }
    });
    said.into_iter().chain([said_by_machine(compiled)]).collect()
}

/// Compares what is said of a program with what the interpreter finds, and gives its answers.
fn judge(
    program: &Program,
    graph: Graph<'_, '_>,
    said: &[Said],
) -> Result<Vec<Answer>, Difference> {
    let answers = |graph: &Graph<'_, '_>| -> Vec<Answer> {
        program.properties.iter().map(|property| graph.answer(property)).collect()
    };
    let expected = answers(&graph);
    let faults = graph.faults();
    // Of runs it may be known what is so before a fault comes, and need not.
    let before = answers(&graph.without_faults());
    for Said { way, answers, fault, complete } in said {
        for (index, property) in program.properties.iter().enumerate() {
            let (found, expected) = (answers[index], expected[index]);
            let is_open = match (found, expected) {
                (Answer::Unknown, _) => faults && is_of_runs(property),
                (_, Answer::Unknown) => found == before[index],
                _ => false,
            };
            if found != expected && !is_open {
                let what = format!("property q{index}: {found:?}, but {expected:?}");
                return Err(Difference::new(way, about(property), what));
            }
        }
        if *fault && !faults || *complete && faults && !*fault {
            let what = format!("a fault is found: {fault}, but {faults}");
            return Err(Difference::new(way, "fault", what));
        }
    }
    Ok(expected)
}

/// Compares a program, unless it has too many states.
fn compare(program: &Program, tally: &mut Tally) -> Result<(), Difference> {
    let compiled = compiled(program)?;
    let code = Code::new(program, None);
    let Some(graph) = Graph::new(&code, MOST) else { return Ok(()) };
    let (faults, states) = (graph.faults(), graph.len());
    let answers = judge(program, graph, &said(&compiled))?;
    tally.programs += 1;
    tally.faulty += usize::from(faults);
    tally.states += states;
    for (property, answer) in program.properties.iter().zip(answers) {
        *tally.answers.entry((about(property), answer)).or_default() += 1;
    }
    Ok(())
}

/// Compares, and takes a panic for a difference.
fn compared(program: &Program, tally: &mut Tally) -> Result<(), Difference> {
    catch_unwind(AssertUnwindSafe(|| compare(program, tally))).unwrap_or_else(|panic| {
        let what = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        Err(Difference::new("in any way", "panic", what))
    })
}

/// The difference of a seed, with a smaller program that has it.
fn difference(seed: u64, tally: &mut Tally) -> Option<String> {
    let program = generate::program(&mut Random::new(seed));
    let found = compared(&program, tally).err()?;
    let is_the_same = |smaller: &Program| {
        let other = compared(smaller, &mut Tally::default());
        other.is_err_and(|other| other.about == found.about)
    };
    let smaller = shrink::shrunk(program, &is_the_same);
    let Difference { way, what, .. } = compared(&smaller, &mut Tally::default()).err()?;
    Some(format!("seed {seed}, {way}: {what}\n{}", text::text(&smaller)))
}

#[test]
fn verdicts_are_those_of_the_pages() {
    let mut tally = Tally::default();
    let seeds = 0..random::daily(PROGRAMS, SHARE);
    let seeds = seeds.filter(|seed| ONLY.is_none_or(|only| only == *seed));
    let differences: Vec<String> = seeds.filter_map(|seed| difference(seed, &mut tally)).collect();
    println!("{tally:?}");
    if ONLY.is_none() {
        tally.demand();
    }
    assert!(differences.is_empty(), "{} seeds:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn mistakes_of_the_interpreter_are_noticed() {
    let mut unnoticed = Mistake::ALL.to_vec();
    for seed in 0..MISTAKEN {
        if unnoticed.is_empty() {
            break;
        }
        let program = generate::program(&mut Random::new(seed));
        let Ok(compiled) = compiled(&program) else { continue };
        let code = Code::new(&program, None);
        let Some(graph) = Graph::new(&code, MOST) else { continue };
        let said = said(&compiled);
        if judge(&program, graph, &said).is_err() {
            continue;
        }
        unnoticed.retain(|mistake| {
            let code = Code::new(&program, Some(*mistake));
            let graph = Graph::new(&code, MOST);
            let noticed = graph.is_some_and(|graph| judge(&program, graph, &said).is_err());
            if noticed {
                println!("{mistake:?} is noticed with seed {seed}");
            }
            !noticed
        });
    }
    assert!(unnoticed.is_empty(), "not noticed: {unnoticed:?}");
}
