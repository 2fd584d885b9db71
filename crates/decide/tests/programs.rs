//! What is claimed of programs: of the models of the tree and the examples of its documents, by the machine and by the nets
//! that they are compiled to.

#[path = "../../process/tests/naive/texts.rs"]
mod texts;

use std::collections::BTreeMap;
use std::sync::Arc;

use budget::Budget;
use decide::program::{Asked, ProgramVerdict, decide_program};
use decide::{Checking, Question, Verdict, decide};
use machine::compile;
use net::{Fairness, Formula, Origin, PathOp, Strength, Whom};
use program::claim::{Claim, Proposition};
use survey::Plan;

/// How many states a model may have to be compared.
const MOST_STATES: u64 = 4_000;

/// What is asked of every program, whatever is claimed of it.
fn of_all() -> Vec<Claim> {
    let claim = |name: &str, proposition| {
        let (name, text, origin) = (name.into(), name.into(), Origin::default());
        Claim { name, text, mentions: Vec::new(), proposition, origin }
    };
    vec![
        claim("deadlock_free", Proposition::Net(Formula::DeadlockFree)),
        claim("no_one_stuck", Proposition::Net(Formula::NoOneStuck)),
        claim("everyone_can_end", Proposition::Net(Formula::EveryoneCanEnd)),
        claim("race_free", Proposition::RaceFree),
        claim(
            "may stop",
            Proposition::Path(PathOp::Reachable, Box::new(Proposition::Net(Formula::Deadlock))),
        ),
    ]
}

/// How often what was found.
type Tally = BTreeMap<&'static str, usize>;

/// Compares what both say of a model.
///
/// # Errors
/// What the verdicts are, where they differ.
fn compare(
    text: &str,
    fairness: Option<&[Fairness]>,
    threads: usize,
    tally: &mut Tally,
) -> Result<(), String> {
    let compilation = lang::compile(text, &[]);
    let (Some(net), Some(processes)) = (compilation.net, compilation.processes) else {
        return Ok(());
    };
    let net = Arc::new(net);
    let mut claims = processes.claims.clone();
    claims.extend(of_all());
    let code = match compile(&processes.program, &net, &processes.observed, &claims) {
        Ok(code) => code,
        Err(_) => {
            *tally.entry("refused by the machine").or_default() += 1;
            return Ok(());
        }
    };
    let fairness = fairness.unwrap_or(&net.fairness);
    let asked = Asked {
        program: &processes.program,
        base: &net,
        code: &code,
        fairness,
        budget: &Budget::default(),
        states: Some(MOST_STATES),
        threads,
    };
    let by_machine = decide_program(asked).map_err(|failure| format!("{failure:?}"))?;
    let properties = net.properties.iter().cloned();
    let everyone =
        [Formula::DeadlockFree, Formula::NoOneStuck, Formula::EveryoneCanEnd, net.race_free()];
    let may_stop = Formula::Path(PathOp::Reachable, Box::new(Formula::Deadlock));
    let more = everyone.into_iter().chain([may_stop]).map(Question::holds);
    let questions: Vec<Question> = properties.map(Question::Holds).chain(more).collect();
    let plan = Plan { threads: 1, states: Some(MOST_STATES), ..Plan::default() };
    let fairness = fairness.to_vec();
    let checking = Checking { plan, fairness, evidence: true, ..Checking::default() };
    let report = decide(&net, &questions, &checking, &mut |_| {}, &mut |_| {});
    let by_net = report.map_err(|error| error.to_string())?;
    assert_eq!(claims.len(), by_net.outcomes.len(), "each is asked of both");
    let mut different = Vec::new();
    for ((claim, machine), outcome) in claims.iter().zip(&by_machine.verdicts).zip(&by_net.outcomes)
    {
        let both = match (machine, &outcome.verdict) {
            (ProgramVerdict::Holds { vacuously }, Verdict::Holds { vacuously: of_net, .. })
                if vacuously == of_net =>
            {
                if *vacuously {
                    "both hold vacuously"
                } else {
                    "both hold"
                }
            }
            (ProgramVerdict::Fails, Verdict::Fails(_)) => "both fail",
            (ProgramVerdict::Refused(_), Verdict::Refused(_)) => "both refused",
            (ProgramVerdict::Unknown(_), Verdict::Unknown(_) | Verdict::Depends { .. }) => {
                "both unknown"
            }
            (ProgramVerdict::Unknown(_), _) => "unknown to the machine",
            (_, Verdict::Unknown(_)) => "unknown to nets",
            (machine, net) => {
                different.push(format!("{}: {machine:?}, and as a net {net:?}", claim.name));
                continue;
            }
        };
        *tally.entry(both).or_default() += 1;
    }
    if different.is_empty() { Ok(()) } else { Err(different.join("\n")) }
}

fn compare_all(fairness: Option<&[Fairness]>, threads: usize) {
    let mut tally = Tally::default();
    let mut different = Vec::new();
    for (path, text) in texts::texts() {
        if let Err(why) = compare(&text, fairness, threads, &mut tally) {
            different.push(format!("{}: {why}", path.display()));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    let of = |what| tally.get(what).copied().unwrap_or_default();
    let decided = of("both hold") + of("both fail");
    assert!(decided > 800 && of("unknown to the machine") < 20, "{tally:?}");
    assert_eq!(of("refused by the machine"), 0);
}

/// Claims that speak of nothing that changes, and claims about threads that are there and those that are not.
const CONSTANTS: &str = "
model constants
enum Colour { red, blue }
const limit = 3
shared n: 0..=3 = 0
process main { loop { n = (n + 1) % 4  n = n } }
process nobody { begin: n = 0 }
property different: always red != blue
property same: always red == blue
property mixed: always limit < 4 and n <= limit
property either: reachable red == blue or n == 3
property everywhere: AG (red != blue)
property now: eventually red == red
property of_some: forall p in main: red != blue
property of_all: always forall p in main: limit == 3
property of_nobody: always exists p in nobody: true
property counted: always count(main) == 1 and count(nobody) == 0
property never_so: always (n > 3 implies n == 1)
property some_time_so: always (n > 2 implies n == 3)
property answered: n == 5 leads_to n == 0
property left: n == 2 leads_to n == 3
property never_there: forall p entering nobody.begin: eventually n == 9
";

#[test]
fn what_never_changes_can_be_claimed() {
    let mut tally = Tally::default();
    compare(CONSTANTS, None, 1, &mut tally).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(
        tally.keys().copied().collect::<Vec<_>>(),
        ["both fail", "both hold", "both hold vacuously"]
    );
}

#[test]
fn models_of_the_tree_have_the_verdicts_of_their_nets() {
    compare_all(None, 1);
}

#[test]
fn the_same_is_so_where_runs_are_fair_to_threads() {
    let weak = Fairness { strength: Strength::Weak, of: Whom::Threads };
    compare_all(Some(&[weak]), 2);
    let strong = Fairness { strength: Strength::Strong, of: Whom::Threads };
    compare_all(Some(&[strong]), 1);
}
