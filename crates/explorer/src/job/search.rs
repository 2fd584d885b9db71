//! `search`: the nearest state where a predicate holds.
//!
//! It is what shows that such a state is reachable. States are explored one by one, the nearest first, and the first
//! of them is shown: so no run is shorter.

use std::sync::Arc;

use decide::{Checking, Question, Verdict};
use net::{Formula, PathOp, Property};
use serde_json::json;
use survey::{Engine, Plan};

use super::progress::Progress;
use super::shown::numbers;
use super::{End, News};
use crate::model::Generation;
use crate::refusal::Refusal;
use crate::typed::Typed;

/// A predicate to look for.
#[derive(Debug)]
pub(super) struct Search {
    typed: Arc<Typed>,
}

impl Search {
    pub(super) fn of(generation: &Generation, predicate: &str) -> Result<Search, Refusal> {
        Ok(Search { typed: generation.typed_predicate(predicate)? })
    }

    pub(super) fn run(self, plan: Plan, tell: &mut dyn FnMut(News)) -> End {
        let Typed { view, property, with } = &*self.typed;
        let (budget, showing) = (plan.budget.clone(), plan.showing());
        let formula = Formula::Path(PathOp::Reachable, Box::new(property.formula.clone()));
        let question = Question::Holds(Property { formula, ..property.clone() });
        let engine = Some(Engine::Explicit);
        let checking =
            Checking { plan, fairness: Vec::new(), engine, evidence: true, ..Checking::default() };
        let mut progress = Progress::default();
        let report = decide::decide(
            &view.net,
            &[question],
            &checking,
            &mut |exploration| progress.see(exploration, tell),
            &mut |_| {},
        );
        let verdict = match report {
            Ok(mut report) => report.outcomes.pop().map(|outcome| outcome.verdict),
            Err(why) => return End::failed(why),
        };
        let not_shown = |why: String| End { why: Some(why), ..End::of(&budget, true) };
        match verdict {
            Some(Verdict::Holds { witness: Some(evidence), .. }) => {
                match numbers(&view.net, &evidence.trace.run, &showing) {
                    Ok(Some(run)) => {
                        tell(News::Result(json!({ "found": true, "run": run, "with": with })));
                        End::of(&budget, false)
                    }
                    Ok(None) => not_shown(
                        "there is such a state, but the model goes wrong on the way to it".into(),
                    ),
                    Err(why) => {
                        not_shown(format!("there is such a state; the run is left out: {why}"))
                    }
                }
            }
            Some(Verdict::Holds { witness: None, .. }) => {
                not_shown("there is such a state; there was no time to find the run".into())
            }
            Some(Verdict::Fails(_)) => {
                tell(News::Result(json!({ "found": false, "complete": true })));
                End::of(&budget, false)
            }
            Some(Verdict::Refused(why)) => End::failed(why),
            other => {
                tell(News::Result(json!({ "found": false, "complete": false })));
                let why = match other {
                    Some(Verdict::Unknown(why)) => Some(why),
                    _ => None,
                };
                let end = End::of(&budget, true);
                End { why: end.why.or(why), ..end }
            }
        }
    }
}
