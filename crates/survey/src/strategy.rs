//! Which engine explores a model.
//!
//! States one by one come first where no engine is asked for: most models are small when folded, and more is
//! known of single states. A model that is not done after a [`moment`], which is longer where there is
//! symmetry to fold, goes on with decision diagrams, if it has no threads; and if these fail, one by one again. Where
//! nothing but counts of the unfolded net is wanted, diagrams have a moment before that.

use std::sync::Arc;
use std::time::Duration;

use budget::{Budget, Exhausted};
use explore::{Control, Exploration, Stop};
use net::{Net, Symmetry};

use crate::diagrams::{DiagramSurvey, NoDiagram, diagram_survey};
use crate::{Plan, Survey, SurveyError, faultless, survey_reviewed};

/// What explores and decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// States, or classes of them, one by one.
    Explicit,
    /// Sets of states in decision diagrams.
    Diagrams,
    /// The structure of the net: its state equation, and its traps. It decides, and explores nothing.
    Structure,
}

/// What was found by one engine or the other; and why by this one, where none was asked for.
pub enum Surveyed<'n> {
    /// States one by one.
    Explicit(Box<Survey<'n>>, Option<String>),
    /// The set of all states.
    Diagrams(Box<DiagramSurvey>, Option<String>),
    /// Decision diagrams reached a limit.
    Limit(NoDiagram),
}

const MOMENT: Duration = Duration::from_millis(50);
const MOMENT_WITH_SYMMETRY: Duration = Duration::from_secs(1);
/// How long sets of states are tried before states are folded for longer, where sets would do as well.
const MOMENT_FOR_SETS: Duration = Duration::from_millis(250);

/// How long states are explored one by one before sets of them are tried, where nothing but the answer
/// matters. Folding pays late.
#[must_use]
pub fn moment(net: &Net) -> Duration {
    let is_folded = net.enumerations.iter().any(|class| class.symmetry != Symmetry::None);
    if is_folded { MOMENT_WITH_SYMMETRY } else { MOMENT }
}

impl Plan {
    /// The plan for what comes first and may leave the rest to diagrams: it has this long, and half of the
    /// memory, since the diagram may need less than all states do.
    #[must_use]
    pub fn first(&self, moment: Duration) -> Plan {
        Plan { budget: self.budget.share(0.5).within(moment), ..self.clone() }
    }

    /// The budget for a diagram that states one by one may follow. It ends before all memory is used, since what
    /// has used all of it ends everything else as well.
    #[must_use]
    pub fn budget_for_diagrams(&self) -> Budget {
        self.budget.share(0.9)
    }
}

/// Explores a model with an engine; with the one that suits it, if none is given.
///
/// # Errors
/// If the model cannot be explored, or not by this engine.
///
/// # Panics
/// If the net breaches what [`Net::check`] checks.
pub fn survey_by<'n>(
    net: &'n Arc<Net>,
    plan: &Plan,
    engine: Option<Engine>,
    watch: &mut dyn FnMut(&Exploration),
) -> Result<Surveyed<'n>, SurveyError> {
    let mut one_by_one = |part: &Plan| {
        let survey = survey_reviewed(net, part, watch, &mut |_, _| Control::Continue)?;
        faultless(survey, plan).map(Box::new)
    };
    match engine {
        // What others hold is not for diagrams, and all processes have to do the same.
        None if plan.team.is_some() => return Ok(Surveyed::Explicit(one_by_one(plan)?, None)),
        Some(Engine::Explicit | Engine::Structure) => {
            return Ok(Surveyed::Explicit(one_by_one(plan)?, None));
        }
        Some(Engine::Diagrams) => {
            return match set_of_all(net, plan) {
                Ok(survey) => Ok(Surveyed::Diagrams(Box::new(survey), None)),
                Err(limit) if limit.is_limit() => Ok(Surveyed::Limit(limit)),
                Err(why) => Err(why.into()),
            };
        }
        None if plan.full || plan.until.is_some() => {
            let why = "single states are asked for".to_owned();
            return Ok(Surveyed::Explicit(one_by_one(plan)?, Some(why)));
        }
        None => {}
    }
    let all = Plan { unfold: true, budget: plan.budget_for_diagrams(), ..plan.clone() };
    // Where it is markings of the unfolded net that count, folding is only one way to count them.
    let moments = match plan.unfold && moment(net) > MOMENT {
        true => vec![MOMENT, moment(net)],
        false => vec![moment(net)],
    };
    let (last, mut seen) = (moments.len() - 1, 0);
    for (nth, moment) in moments.into_iter().enumerate() {
        let survey = one_by_one(&plan.first(moment))?;
        seen = survey.tally().states;
        let reason = survey.exploration().reason;
        let is_cut = matches!(reason, Some(Stop::Exhausted(Exhausted::Time | Exhausted::Memory)));
        if !is_cut || survey.is_unbounded() || plan.budget.is_exhausted() {
            let why = format!("{seen} states were soon seen");
            return Ok(Surveyed::Explicit(survey, Some(why)));
        }
        drop(survey);
        if nth < last {
            let budget = all.budget.within(MOMENT_FOR_SETS);
            if let Ok(survey) = set_of_all(net, &Plan { budget, ..all.clone() }) {
                let why = format!("it was not done after {seen} states, one by one");
                return Ok(Surveyed::Diagrams(Box::new(survey), Some(why)));
            }
        }
    }
    match set_of_all(net, &all) {
        Ok(survey) => {
            let why = format!("it was not done after {seen} states, one by one");
            Ok(Surveyed::Diagrams(Box::new(survey), Some(why)))
        }
        Err(why @ NoDiagram::NoPlace(_)) => Err(why.into()),
        Err(limit) if limit.is_limit() && plan.budget.is_exhausted() => Ok(Surveyed::Limit(limit)),
        Err(why) => Ok(Surveyed::Explicit(one_by_one(plan)?, Some(why.to_string()))),
    }
}

/// The set of all states; says how many there are.
fn set_of_all(net: &Arc<Net>, plan: &Plan) -> Result<DiagramSurvey, NoDiagram> {
    let progress = plan.budget.progress();
    progress.begin_exploration();
    let survey = diagram_survey(net, plan)?;
    progress.tell(|known| {
        known.nodes = Some(survey.final_nodes as u64);
        known.elements = Some(survey.states.to_string());
    });
    Ok(survey)
}
