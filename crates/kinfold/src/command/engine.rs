//! Which engine explores a model, and what it finds.
//!
//! `explicit` stores states one by one, folded; `ddd` stores sets of them in decision diagrams. `auto` begins
//! with the first, since most models are small when folded and more is known of single states. A model that
//! is not done after a moment, which is longer where there is symmetry to fold, goes on with the second, if
//! it has no threads; and if diagrams fail, with the first again.

use std::sync::Arc;
use std::time::Duration;

use ::explore::Stop;
use kinfold::{DiagramPlan, DiagramSurvey, NoDiagram, Plan, Survey, diagram_survey};
use net::{Net, Symmetry};

use super::cli::Engine;
use super::progress::Watch;
use super::{Failure, explore};

/// How long `auto` explores state by state before it tries diagrams.
const MOMENT: Duration = Duration::from_millis(50);
const MOMENT_WITH_SYMMETRY: Duration = Duration::from_secs(1);

/// What was found, by one engine or the other.
pub enum Explored<'n> {
    Explicit(Box<Survey<'n>>, Option<Stop>),
    /// With the reason why, where `auto` chose.
    Diagrams(Box<DiagramSurvey>, Option<String>),
    /// Diagrams reached a limit.
    Limit(NoDiagram),
}

/// Explores with an engine.
pub fn explored<'n>(
    net: &'n Arc<Net>,
    plan: Plan,
    engine: Engine,
    order: &[String],
) -> Result<Explored<'n>, Failure> {
    let explicit = |plan: Plan| -> Result<Explored<'n>, Failure> {
        let (survey, reason) = explore::explored(net, plan)?;
        Ok(Explored::Explicit(Box::new(survey), reason))
    };
    match engine {
        Engine::Explicit => explicit(plan),
        Engine::Ddd => match diagrams(net, &plan, order, false) {
            Ok(survey) => Ok(Explored::Diagrams(Box::new(survey), None)),
            Err(limit) if limit.is_limit() => Ok(Explored::Limit(limit)),
            Err(why @ NoDiagram::NoPlace(_)) => Err(Failure::usage(why.to_string())),
            Err(why) => Err(Failure::usage(format!("{why}; use --engine explicit"))),
        },
        Engine::Auto => {
            let moment = moment(net);
            let limits = plan.limits;
            if plan.full || plan.until.is_some() || limits.time.is_some_and(|time| time <= moment) {
                return explicit(plan);
            }
            let mut first = plan.clone();
            first.limits.time = Some(moment);
            let (survey, reason) = explore::explored(net, first)?;
            if reason != Some(Stop::Time) || survey.is_unbounded() {
                return Ok(Explored::Explicit(Box::new(survey), reason));
            }
            let seen = survey.exploration().states;
            drop(survey);
            let mut rest = plan.clone();
            rest.limits.time = limits.time.map(|time| time.saturating_sub(moment));
            match diagrams(net, &rest, order, true) {
                Ok(survey) => {
                    let why = format!("it was not done after {seen} states, one by one");
                    Ok(Explored::Diagrams(Box::new(survey), Some(why)))
                }
                Err(limit) if limit.is_limit() && limits.time.is_some() => {
                    Ok(Explored::Limit(limit))
                }
                Err(_) => explicit(plan),
            }
        }
    }
}

fn moment(net: &Net) -> Duration {
    let is_folded = net.enumerations.iter().any(|class| class.symmetry != Symmetry::None);
    if is_folded { MOMENT_WITH_SYMMETRY } else { MOMENT }
}

fn diagrams(
    net: &Arc<Net>,
    plan: &Plan,
    order: &[String],
    unfold: bool,
) -> Result<DiagramSurvey, NoDiagram> {
    let watch = Watch::new(plan.limits);
    let interrupt = Some(watch.interrupt());
    diagram_survey(
        net,
        &DiagramPlan { limits: plan.limits, interrupt, order: order.to_vec(), unfold },
    )
}
