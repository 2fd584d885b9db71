//! How to explore, and what of that must be the same for an exploration to go on from what was kept.

use std::sync::Arc;

use budget::Budget;
use explore::checkpoint::{Facts, digest};
use explore::{Checkpoint, Options, Spill};
use net::{Keep, Net, Observed, TransitionId};
use state::Relations;
use symbolic::Translation;

use crate::SurveyError;
use crate::shared::Team;
use crate::spaces::{GRACE, Spaces};

/// How to explore. By default folded up to the relations that the model observes, without limits.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Ω; inferred when not given. Must contain what the model observes.
    pub relations: Option<Relations>,
    /// What is observed of each column, by which states with threads or objects are folded; inferred when not given,
    /// unless relations are, or folding is to be precise.
    pub observed: Option<Arc<Observed>>,
    /// Fold states up to Ω everywhere, also where it is not needed any more.
    pub precise: bool,
    /// Explore the concrete states instead of folding them.
    pub full: bool,
    /// Fold states one by one, even where there are no threads and symbolic markings would do. What is
    /// found is the same.
    pub one_by_one: bool,
    /// Where states with threads are folded one by one: fire only some of the modes of each, by stubborn sets, that keep
    /// this.
    pub stubborn: Option<Keep>,
    /// The time and memory the run may take, and who may end it.
    pub budget: Budget,
    /// The number of states that may be stored.
    pub states: Option<u64>,
    /// Keep the edges of the graph.
    pub keep_edges: bool,
    /// Stop as soon as this transition has been fired.
    pub until: Option<TransitionId>,
    /// The number of threads to work on; 0 and 1 are the same. What is found does not depend on it.
    pub threads: usize,
    /// The threads share the work when at least this many states wait to be expanded; when not given, when
    /// it is expected to pay.
    pub share_from: Option<u64>,
    /// The net as a symmetric one, if it was translated before.
    pub translation: Option<Arc<Translation>>,
    /// For decision diagrams: the places of the net, by name, in the order in which the diagram asks for their
    /// tokens. Those that are not listed come last; if none is, an order is found.
    pub order: Vec<String>,
    /// For decision diagrams: unfold the net also where it has symmetry.
    pub unfold: bool,
    /// Where states that are explored one by one are kept, and gone on from.
    pub checkpoint: Option<Checkpoint>,
    /// Where states that are explored one by one go when memory is too small for them.
    pub spill: Option<Spill>,
    /// Several processes that explore together. All of them survey the same net by the same plan, and ask the survey for
    /// the same. Where edges are kept, the first process gathers the graph, and has it as if it had explored alone; the
    /// others have counts.
    pub team: Option<Team>,
}

impl Plan {
    /// For showing what was found: a little more than there is for everything else.
    #[must_use]
    pub fn showing(&self) -> Budget {
        self.budget.grace(GRACE)
    }

    /// What is observed of each column, if states are to be folded by that and it can make a difference. Properties are
    /// asked by those who give it. Stubborn sets look at all of a state.
    #[must_use]
    pub fn observed_of(&self, net: &Net) -> Option<Arc<Observed>> {
        if self.precise || self.full || self.stubborn.is_some() && net.has_threads() {
            return None;
        }
        let observed = match (&self.observed, self.relations) {
            (Some(observed), _) => observed.clone(),
            (None, Some(_)) => return None,
            (None, None) => Arc::new(net.observed(net.relations(), [], None)),
        };
        observed.makes_a_difference(net).then_some(observed)
    }
}

/// Ω, if it contains what the model observes.
pub(crate) fn relations(net: &Net, plan: &Plan) -> Result<Relations, SurveyError> {
    let observed = net.relations();
    let relations = plan.relations.unwrap_or(observed);
    match relations.includes(observed) {
        true => Ok(relations),
        false => Err(SurveyError::TooFewRelations { missing: observed.without(relations) }),
    }
}

pub(crate) fn options(plan: &Plan) -> Options {
    Options {
        budget: plan.budget.clone(),
        states: plan.states,
        keep_edges: plan.keep_edges,
        until_label: plan.until.map(|transition| transition.0),
        share_from: plan.share_from,
        spill: plan.spill.clone(),
        ..Options::default()
    }
}

/// What must be the same for an exploration to go on from what was kept.
pub(crate) fn facts(net: &Net, relations: Relations, spaces: &Spaces, plan: &Plan) -> Facts {
    // How a net is told, and what is claimed of it, makes no difference.
    let form = format!(
        "{:?}",
        (
            (&net.enumerations, &net.fresh, &net.places, &net.start, &net.objects),
            (&net.tokens, &net.transitions, &net.actions),
        )
    );
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let transition = plan.until.map(|id| net.transition(id).name.to_string());
    let mut facts = Facts::from([
        fact("the net", digest(form.as_bytes())),
        fact("the set of relations", format!("{{{relations}}}")),
        fact("what is stored", spaces.form().name().to_owned()),
        fact("the transition looked for", transition.unwrap_or_else(|| "none".to_owned())),
    ]);
    if let Some(observed) = spaces.observed() {
        let columns = digest(format!("{observed:?}").as_bytes());
        facts.extend([fact("what is observed of columns", columns)]);
    }
    if let Some(keep) = &plan.stubborn {
        facts.extend([fact("what stubborn sets keep", digest(format!("{keep:?}").as_bytes()))]);
    }
    facts
}
