//! `check`: whether properties hold.

use std::sync::{Arc, Mutex, PoisonError};

use decide::{Checking, Found, Question, Verdict};
use net::{Fairness, Net, Property};
use survey::Plan;

use super::progress::Progress;
use super::verdict::{Asked, Of};
use super::{End, EndState, News};
use crate::explorer::no_such;
use crate::model::Generation;
use crate::refusal::{Code, Refusal};
use crate::view::View;

/// Properties to check.
#[derive(Debug)]
pub(super) struct Check {
    view: Arc<View>,
    asked: Vec<Asked>,
    properties: Vec<Property>,
    fairness: Vec<Fairness>,
    /// The text that the view is for, if it is not that of the model.
    with: Option<String>,
}

impl Check {
    pub(super) fn of(
        generation: &Generation,
        names: Option<Vec<String>>,
        text: Option<String>,
        fairness: Option<&str>,
    ) -> Result<Check, Refusal> {
        let typed = text.as_ref().map(|text| generation.typed(text)).transpose()?;
        let view = match &typed {
            Some(typed) => typed.view.clone(),
            None => generation.view()?.clone(),
        };
        let mut properties = match (&names, &typed) {
            (Some(names), _) => named(&view.net, names)?,
            (None, Some(_)) => Vec::new(),
            (None, None) => usual(&view.net),
        };
        let mut asked: Vec<Asked> = properties
            .iter()
            .map(|one| Asked { name: Some(one.name.clone()), text: one.text.clone() })
            .collect();
        if let Some((typed, text)) = typed.as_ref().zip(text) {
            properties.push(typed.property.clone());
            asked.push(Asked { name: None, text });
        }
        let fairness = lang::assumed(&view.net, fairness)
            .map_err(|why| Refusal::new(Code::Refused, format!("`fairness`: {why}")))?;
        let with = typed.and_then(|typed| typed.with.clone());
        Ok(Check { view, asked, properties, fairness, with })
    }

    pub(super) fn run(self, plan: Plan, tell: &mut dyn FnMut(News)) -> End {
        let Check { view, asked, properties, fairness, with } = self;
        let (budget, showing) = (plan.budget.clone(), plan.showing());
        let of = Of { view: &view, with: with.as_deref() };
        let questions: Vec<Question> = properties.into_iter().map(Question::Holds).collect();
        let checking = Checking { plan, fairness, evidence: true, ..Checking::default() };
        // Engines tell what they find from any thread; it is passed on where the search is watched.
        let found = Mutex::new(Vec::new());
        let pass_on = |tell: &mut dyn FnMut(News)| {
            let found = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
            found.into_iter().for_each(|verdict| tell(News::Verdict(verdict)));
        };
        let mut progress = Progress::default();
        let report = decide::decide(
            &view.net,
            &questions,
            &checking,
            &mut |exploration| {
                pass_on(tell);
                progress.see(exploration, tell);
            },
            &mut |told| {
                let Found::Outcome(number, outcome) = told else { return };
                if !matches!(outcome.verdict, Verdict::Unknown(_)) {
                    let verdict = of.early(number, &asked[number], &outcome.verdict);
                    found.lock().unwrap_or_else(PoisonError::into_inner).push(verdict);
                }
            },
        );
        pass_on(tell);
        let report = match report {
            Ok(report) => report,
            Err(why) => return End::failed(why),
        };
        for (number, (outcome, asked)) in report.outcomes.iter().zip(&asked).enumerate() {
            tell(News::Verdict(of.last(number, asked, outcome, &showing)));
        }
        if let Some(fault) = &report.fault {
            let classes = report.outcomes.iter().map(|outcome| outcome.states).max().unwrap_or(0);
            tell(News::Verdict(of.fault(asked.len(), fault, classes, &showing)));
        }
        let why = report.outcomes.iter().find_map(|outcome| match &outcome.verdict {
            Verdict::Unknown(why) => Some(why),
            _ => None,
        });
        let end = End::of(&budget, why.is_some());
        // Memory that ended it may have been given back.
        let why = why.filter(|_| end.state == EndState::Done).cloned();
        End { why: end.why.or(why), ..end }
    }
}

/// What is checked of a model if nothing else is asked.
fn usual(net: &Net) -> Vec<Property> {
    match net.properties.is_empty() {
        true => net.default_properties(),
        false => net.properties.clone(),
    }
}

/// The properties with these names, each once: of the model, or of those that every model has.
fn named(net: &Net, names: &[String]) -> Result<Vec<Property>, Refusal> {
    let default = net.default_properties();
    let mut chosen: Vec<Property> = Vec::new();
    for name in names {
        let mut all = net.properties.iter().chain(&default);
        let Some(property) = all.find(|property| property.name == *name) else {
            let known = net.properties.iter().chain(&default).map(|one| one.name.as_str());
            return Err(Refusal::new(Code::Refused, no_such("property", name, known)));
        };
        if chosen.iter().all(|other| other.name != *name) {
            chosen.push(property.clone());
        }
    }
    Ok(chosen)
}
