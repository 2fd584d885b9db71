//! What is claimed of programs: of the models of the tree and the examples of its documents, by the machine and by the nets
//! that they are compiled to.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
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

/// The files in a folder and those below it that end in some way.
fn files(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("there is such a folder") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            files(&path, end, found);
        } else if path.extension().is_some_and(|extension| extension == end) {
            found.push(path);
        }
    }
}

/// The models of the tree, and the examples of its documents, each with where it is.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &PathBuf| fs::read_to_string(path).expect("it can be read");
    let (mut models, mut documents) = (Vec::new(), Vec::new());
    files(&root.join("models"), "kin", &mut models);
    files(&root.join("docs"), "md", &mut documents);
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let examples = documents.iter().flat_map(|path| {
        let text = read(path);
        let parts = text.split("\n```kin\n").skip(1);
        let parts = parts.filter_map(|part| Some(part.split_once("\n```")?.0.to_owned()));
        parts.map(|part| (name(path), part)).collect::<Vec<_>>()
    });
    models.iter().map(|path| (name(path), read(path))).chain(examples).collect()
}

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
    let checking = Checking { plan, fairness: fairness.to_vec(), ..Checking::default() };
    let report = decide(&net, &questions, &checking, &mut |_| {}, &mut |_| {});
    let by_net = report.map_err(|error| error.to_string())?;
    let mut different = Vec::new();
    for ((claim, machine), outcome) in claims.iter().zip(&by_machine.verdicts).zip(&by_net.outcomes)
    {
        let both = match (machine, &outcome.verdict) {
            (ProgramVerdict::Holds { .. }, Verdict::Holds { .. }) => "both hold",
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
    for (name, text) in texts() {
        if let Err(why) = compare(&text, fairness, threads, &mut tally) {
            different.push(format!("{name}: {why}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    let of = |what| tally.get(what).copied().unwrap_or_default();
    let decided = of("both hold") + of("both fail");
    assert!(decided > 800 && of("unknown to the machine") < 20, "{tally:?}");
    assert_eq!(of("refused by the machine"), 0);
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
