//! Which engine explores a model, and what it finds.
//!
//! `explicit` stores states one by one, folded; `ddd` stores sets of them in decision diagrams. `auto` begins
//! with the first, since most models are small when folded and more is known of single states. A model that
//! is not done after a moment, which is longer where there is symmetry to fold, goes on with the second, if
//! it has no threads; and if diagrams fail, with the first again.

use std::sync::Arc;

use ::explore::Stop;
use budget::{Budget, Exhausted};
use kinfold::{DiagramPlan, DiagramSurvey, NoDiagram, Plan, Survey, diagram_survey, moment};
use net::Net;

use super::cli::Engine;
use super::progress::Watch;
use super::{Failure, explore};

/// What was found, by one engine or the other; and why by this one, where `auto` chose.
pub enum Explored<'n> {
    Explicit(Box<Survey<'n>>, Option<Stop>, Option<String>),
    Diagrams(Box<DiagramSurvey>, Option<String>),
    /// Diagrams reached a limit.
    Limit(NoDiagram),
}

/// Explores with an engine. The budget of `diagrams` is that of the plan.
pub fn explored<'n>(
    net: &'n Arc<Net>,
    plan: Plan,
    engine: Engine,
    diagrams: &DiagramPlan,
) -> Result<Explored<'n>, Failure> {
    match engine {
        Engine::Explicit => one_by_one(net, plan, None),
        Engine::Ddd => match as_set(net, &plan.budget, diagrams) {
            Ok(survey) => Ok(Explored::Diagrams(Box::new(survey), None)),
            Err(limit) if limit.is_limit() => Ok(Explored::Limit(limit)),
            Err(why @ NoDiagram::NoPlace(_)) => Err(Failure::usage(why.to_string())),
            Err(why) => Err(Failure::usage(format!("{why}; use --engine explicit"))),
        },
        Engine::Auto => chosen(net, plan, diagrams),
    }
}

fn one_by_one(net: &Arc<Net>, plan: Plan, why: Option<String>) -> Result<Explored<'_>, Failure> {
    let (survey, reason) = explore::explored(net, plan)?;
    Ok(Explored::Explicit(Box::new(survey), reason, why))
}

fn as_set(
    net: &Arc<Net>,
    budget: &Budget,
    diagrams: &DiagramPlan,
) -> Result<DiagramSurvey, NoDiagram> {
    let _watch = Watch::new(budget, None);
    diagram_survey(net, &DiagramPlan { budget: budget.clone(), ..diagrams.clone() })
}

/// Explores one by one for a moment, and then, if need be, the unfolded net as a set.
fn chosen<'n>(
    net: &'n Arc<Net>,
    plan: Plan,
    diagrams: &DiagramPlan,
) -> Result<Explored<'n>, Failure> {
    if plan.full || plan.until.is_some() {
        return one_by_one(net, plan, Some("single states are asked for".into()));
    }
    let budget = plan.budget.within(moment(net));
    let (survey, reason) = explore::explored(net, Plan { budget, ..plan.clone() })?;
    let seen = survey.exploration().states();
    let is_cut = reason == Some(Stop::Exhausted(Exhausted::Time));
    if !is_cut || survey.is_unbounded() || plan.budget.is_exhausted() {
        let why = format!("{seen} states were soon seen");
        return Ok(Explored::Explicit(Box::new(survey), reason, Some(why)));
    }
    drop(survey);
    match as_set(net, &plan.budget, &DiagramPlan { unfold: true, ..diagrams.clone() }) {
        Ok(survey) => {
            let why = format!("it was not done after {seen} states, one by one");
            Ok(Explored::Diagrams(Box::new(survey), Some(why)))
        }
        Err(why @ NoDiagram::NoPlace(_)) => Err(Failure::usage(why.to_string())),
        Err(limit) if limit.is_limit() && plan.budget.deadline().is_some() => {
            Ok(Explored::Limit(limit))
        }
        Err(why) => one_by_one(net, plan, Some(why.to_string())),
    }
}
