//! The examinations that ask for formulas and bounds, and those that ask for one fact about the whole net.
//!
//! The formulas are in a file of the instance, called like the examination. The facts are formulas, too:
//!
//! - `ReachabilityDeadlock`: some marking in which nothing can fire can be reached;
//! - `QuasiLiveness`: each transition can fire in some reachable marking, in some mode;
//! - `Liveness`: from each reachable marking one is reachable in which it can;
//! - `OneSafe`: no place ever has more than one token, of whatever colours;
//! - `StableMarking`: the number of tokens of some place never changes.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use budget::Budget;
use kinfold::{Checking, Engine, Found, Question, Verdict, decide, first_tokens};
use net::{BinaryOp, Expr, Formula, Literal, Net, PathOp, PlaceId, TransitionId};
use pnml::Limits;
use pnml::properties::{self, Claim, Reading};

use super::{Failure, explore, load};
use crate::command::output;

/// The examinations that are offered beside that of the state space.
pub const EXAMINATIONS: &[&str] = &[
    "ReachabilityDeadlock",
    "QuasiLiveness",
    "Liveness",
    "OneSafe",
    "StableMarking",
    "UpperBounds",
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
];

/// What an examination asks, by identifier; no question where the property cannot be said.
pub struct Asked {
    pub ids: Vec<String>,
    pub questions: Vec<Option<Question>>,
}

/// What an examination of a net asks; the directory has its property files.
pub fn asked(
    net: &Arc<Net>,
    directory: &Path,
    examination: &str,
    budget: &Budget,
) -> Result<Asked, Failure> {
    asked_with(net, examination, budget, &|| {
        let path = directory.join(examination).with_extension("xml");
        let name = load::name(&path);
        match fs::read(&path) {
            Ok(bytes) => Ok((bytes, name)),
            Err(error) => Err(Failure::system(format!("cannot read {name}: {error}"))),
        }
    })
}

/// What an examination of a net asks; `file` gives its property file, if it has one, and the file's name.
pub fn asked_with(
    net: &Arc<Net>,
    examination: &str,
    budget: &Budget,
    file: &dyn Fn() -> Result<(Vec<u8>, String), Failure>,
) -> Result<Asked, Failure> {
    let fact = match examination {
        "ReachabilityDeadlock" => path(PathOp::Reachable, Formula::Deadlock),
        "QuasiLiveness" => all(enabled(net).map(|enabled| path(PathOp::Reachable, enabled))),
        "Liveness" => all(enabled(net)
            .map(|enabled| path(PathOp::AllGlobally, path(PathOp::SomeFinally, enabled)))),
        "OneSafe" => {
            let safe = counts(net).map(|count| compared(BinaryOp::LessEqual, count, 1));
            path(PathOp::AllGlobally, all(safe))
        }
        "StableMarking" => {
            let first = first_tokens(net, budget).map_err(|why| {
                Failure::model(format!("the tokens of the initial marking are not known: {why}"))
            })?;
            let stable = counts(net).zip(first).map(|(count, tokens)| {
                let tokens = i64::try_from(tokens).unwrap_or(i64::MAX);
                path(PathOp::AllGlobally, compared(BinaryOp::Equal, count, tokens))
            });
            any(stable)
        }
        _ => {
            let (bytes, name) = file()?;
            return from_file(net, examination, &bytes, &name);
        }
    };
    Ok(Asked { ids: vec![examination.to_owned()], questions: vec![Some(Question::holds(fact))] })
}

fn from_file(net: &Net, examination: &str, bytes: &[u8], name: &str) -> Result<Asked, Failure> {
    let wrong = |errors: diagnostics::Report| Failure::model(format!("{name}, {errors}"));
    let text = pnml::decode(bytes).map_err(wrong)?;
    let list = properties::read(&text, &Limits::default()).map_err(wrong)?;
    let reading = if examination.starts_with("LTL") { Reading::Linear } else { Reading::Branching };
    let mut asked = Asked { ids: Vec::new(), questions: Vec::new() };
    let claims = properties::claims(&list, net, reading, &text);
    for (property, claim) in list.iter().zip(claims) {
        asked.ids.push(property.id.text.clone());
        asked.questions.push(match claim {
            Ok(Claim::Holds(property)) => Some(Question::Holds(property)),
            Ok(Claim::Greatest(term)) => Some(Question::Greatest(term)),
            Err(errors) => {
                output::tell(format_args!("{name}, {errors}"));
                None
            }
        });
    }
    Ok(asked)
}

/// Decides, and calls `tell` with the identifier of each formula, its verdict as the contest writes it, and
/// the engine, as soon as it is known. Those without verdict are returned.
pub fn verdicts(
    net: &Arc<Net>,
    asked: &Asked,
    checking: &Checking,
    tell: &mut (dyn FnMut(&str, &str, Engine) + Send),
) -> Result<Vec<String>, Failure> {
    let numbers = (0..).zip(&asked.questions).filter_map(|(number, question)| {
        question.as_ref().map(|question| (number, question.clone()))
    });
    let (numbers, questions): (Vec<usize>, Vec<Question>) = numbers.unzip();
    let mut open: Vec<bool> = vec![true; asked.ids.len()];
    let told = &mut |found: Found<'_>| {
        let Found::Outcome(question, outcome) = found else { return };
        let number = numbers[question];
        let verdict = match &outcome.verdict {
            Verdict::Holds { .. } => "TRUE".to_owned(),
            Verdict::Fails(_) => "FALSE".to_owned(),
            Verdict::Greatest(value) => value.to_string(),
            Verdict::Unbounded => "inf".to_owned(),
            Verdict::Unknown(_) | Verdict::Depends { .. } | Verdict::Refused(_) => return,
        };
        open[number] = false;
        tell(&asked.ids[number], &verdict, outcome.engine.unwrap_or(Engine::Explicit));
    };
    let decided = decide(net, &questions, checking, &mut |_| {}, told);
    let report = decided.map_err(|error| explore::failure(net, &error, None))?;
    for (number, outcome) in numbers.iter().zip(&report.outcomes) {
        if let Verdict::Refused(why) = &outcome.verdict {
            output::tell(format_args!("{}: {why}", asked.ids[*number]));
        }
    }
    let unanswered = asked.ids.iter().zip(open).filter(|(_, open)| *open);
    Ok(unanswered.map(|(id, _)| id.clone()).collect())
}

fn path(op: PathOp, formula: Formula) -> Formula {
    Formula::Path(op, Box::new(formula))
}

fn enabled(net: &Net) -> impl Iterator<Item = Formula> {
    (0..net.transitions.len() as u32).map(|id| Formula::Term(Expr::Enabled(TransitionId(id))))
}

fn counts(net: &Net) -> impl Iterator<Item = Expr> {
    let places = (0..).map(PlaceId).zip(&net.places);
    places.map(|(id, place)| Expr::Count(id, vec![None; place.columns.len()]))
}

fn compared(op: BinaryOp, count: Expr, number: i64) -> Formula {
    let number = Expr::Literal(Literal::Int(number));
    Formula::Term(Expr::Binary(op, Box::new(count), Box::new(number)))
}

/// All of them, as a balanced tree.
fn all(parts: impl Iterator<Item = Formula>) -> Formula {
    joined(BinaryOp::And, parts.collect())
}

/// One of them, as a balanced tree.
fn any(parts: impl Iterator<Item = Formula>) -> Formula {
    joined(BinaryOp::Or, parts.collect())
}

fn joined(op: BinaryOp, mut parts: Vec<Formula>) -> Formula {
    match parts.len() {
        0 => Formula::Term(Expr::Literal(Literal::Bool(op == BinaryOp::And))),
        1 => parts.remove(0),
        count => {
            let second = joined(op, parts.split_off(count / 2));
            Formula::Binary(op, Box::new(joined(op, parts)), Box::new(second))
        }
    }
}
