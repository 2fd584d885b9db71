//! What is assumed of runs.

use net::{Fairness, Net, Strength, Whom};

use crate::Refusal;

/// Assumptions, as they are asked of a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assumed {
    /// Transitions and actions, by the labels of what they do, and how fair runs are to each.
    pub(crate) labels: Vec<(Vec<u32>, check::Strength)>,
    /// Threads, and members of classes.
    pub(crate) whom: Vec<Whom>,
    /// How fair runs are to these.
    pub(crate) strength: Option<check::Strength>,
}

impl Assumed {
    /// What the assumptions come to; they are of one strength where they are about individuals.
    pub(crate) fn of(fairness: &[Fairness], net: &Net) -> Result<Assumed, Refusal> {
        let mut assumed = Assumed::default();
        for Fairness { strength, of } in fairness {
            let strength = match strength {
                Strength::Weak => check::Strength::Weak,
                Strength::Strong => check::Strength::Strong,
            };
            match *of {
                Whom::Transition(t) => assumed.labels.push((vec![t.0], strength)),
                Whom::Action(id) => {
                    let transitions = net.actions[id.index()].transitions.iter();
                    assumed.labels.push((transitions.map(|t| t.0).collect(), strength));
                }
                whom => {
                    if assumed.strength.is_some_and(|other| other != strength) {
                        return Err(Refusal::TwoStrengths);
                    }
                    assumed.strength = Some(strength);
                    assumed.whom.push(whom);
                }
            }
        }
        Ok(assumed)
    }

    /// Whether nothing is assumed.
    pub(crate) fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.whom.is_empty()
    }
}
