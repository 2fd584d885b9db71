//! Exploring a model, folded or not, and asking what was found.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use explore::{Control, Exploration, Limits, Options, Progress, StateId};
use fold::{Folded, Unfolded};
use net::interpret::{self, Mode};
use net::{Compiled, Fault, Net, PlaceId, TransitionId};
use state::{Relations, State};

use crate::graph::{Graph, state_text};
use crate::growth::{Growth, growth};
use crate::run::Run;

/// How to explore. By default folded up to the relations that the model observes, without limits.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Ω; inferred when not given. Must contain what the model observes.
    pub relations: Option<Relations>,
    /// Explore the concrete states instead of folding them.
    pub full: bool,
    /// Where to end.
    pub limits: Limits,
    /// Keep the edges of the graph.
    pub keep_edges: bool,
    /// Stop as soon as this transition has been fired.
    pub until: Option<TransitionId>,
    /// Stop soon after this becomes true.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// The number of threads to work on; 0 and 1 are the same. What is found does not depend on it.
    pub threads: usize,
    /// The threads share the work when so many states wait to be expanded; when not given, when it is
    /// expected to pay.
    pub share_from: Option<u64>,
}

/// What exploring a model has shown.
pub struct Survey<'n> {
    net: &'n Arc<Net>,
    relations: Relations,
    space: Space<'n>,
    exploration: Exploration,
}

/// A space for each worker; there is at least one.
enum Space<'n> {
    Folded(Vec<Folded<Compiled>>),
    Full(Vec<Unfolded<&'n Net>>),
}

/// Why a survey has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError {
    /// The relations given do not contain what the model observes.
    #[error("the model observes {}, which the relations given do not contain", names(*missing))]
    TooFewRelations {
        /// What is missing.
        missing: Relations,
    },
    /// The model faults when it is fired.
    #[error("{}", .0.message)]
    Fault(Box<FaultyRun>),
}

fn names(relations: Relations) -> String {
    relations.iter().map(|relation| relation.name()).collect::<Vec<_>>().join(", ")
}

/// A fault of the model, and how it comes about.
#[derive(Debug)]
pub struct FaultyRun {
    /// What is wrong, with names.
    pub message: String,
    /// The fault.
    pub fault: Fault,
    /// The binding under which the transition faults.
    pub mode: Mode,
    /// A shortest run to the state in which it does.
    pub run: Run,
}

/// Explores a model.
pub fn survey<'n>(net: &'n Arc<Net>, plan: &Plan) -> Result<Survey<'n>, SurveyError> {
    survey_watched(net, plan, &mut |_| {})
}

/// Explores a model, and tells `watch` now and then how far it has come.
///
/// # Panics
/// If the net breaches what [`Net::check`] checks.
pub fn survey_watched<'n>(
    net: &'n Arc<Net>,
    plan: &Plan,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Survey<'n>, SurveyError> {
    let observed = net.relations();
    let relations = plan.relations.unwrap_or(observed);
    if !relations.includes(observed) {
        return Err(SurveyError::TooFewRelations { missing: observed.without(relations) });
    }
    let options = Options {
        limits: plan.limits,
        keep_edges: plan.keep_edges,
        until_label: plan.until.map(|transition| transition.0),
        interrupt: plan.interrupt.clone(),
        share_from: plan.share_from,
        ..Options::default()
    };
    let mut watch = |progress: &Progress| {
        watch(progress);
        Control::Continue
    };
    let threads = plan.threads.max(1);
    let (space, explored) = if plan.full {
        let mut spaces: Vec<_> = (0..threads).map(|_| Unfolded::new(&**net)).collect();
        let explored = explore::explore_on(&mut spaces, &options, &mut watch);
        (Space::Full(spaces), explored)
    } else {
        let mut spaces = vec![Folded::new(Compiled::new(net.clone(), relations), relations)];
        spaces.extend((1..threads).map(|_| spaces[0].worker()).collect::<Vec<_>>());
        let explored = explore::explore_on(&mut spaces, &options, &mut watch);
        (Space::Folded(spaces), explored)
    };
    match explored {
        Ok(exploration) => {
            let mut survey = Survey { net, relations, space, exploration };
            survey.observe_the_rest();
            Ok(survey)
        }
        Err(failed) => {
            let at = failed.at.expect("initial states have no fault");
            let exploration = *failed.exploration;
            let mut survey = Survey { net, relations, space, exploration };
            Err(SurveyError::Fault(Box::new(survey.faulty_run(failed.fault.transition, at))))
        }
    }
}

impl Survey<'_> {
    /// The model.
    #[must_use]
    pub fn net(&self) -> &Net {
        self.net
    }

    /// Ω.
    #[must_use]
    pub fn relations(&self) -> Relations {
        self.relations
    }

    /// Whether states were not folded.
    #[must_use]
    pub fn is_full(&self) -> bool {
        matches!(self.space, Space::Full(_))
    }

    /// The counts and the graph.
    #[must_use]
    pub fn exploration(&self) -> &Exploration {
        &self.exploration
    }

    /// The largest number of tokens seen in each place.
    #[must_use]
    pub fn most_tokens(&self) -> Vec<u64> {
        let mut most = vec![0; self.net.places.len()];
        let mut see = |seen: &[u64]| {
            most.iter_mut().zip(seen).for_each(|(most, &seen)| *most = seen.max(*most));
        };
        match &self.space {
            Space::Folded(spaces) => spaces.iter().for_each(|space| see(space.most_tokens())),
            Space::Full(spaces) => spaces.iter().for_each(|space| see(space.most_tokens())),
        }
        most
    }

    /// The memory that holds the states, in bytes, as allocated.
    #[must_use]
    pub fn store_bytes(&self) -> u64 {
        match &self.space {
            Space::Folded(spaces) => self.exploration.store_bytes + spaces[0].part_bytes(),
            Space::Full(_) => self.exploration.store_bytes,
        }
    }

    /// The transitions that were never fired.
    pub fn never_fired(&self) -> impl Iterator<Item = TransitionId> {
        let all = 0..self.net.transitions.len() as u32;
        all.filter(|&t| self.exploration.fired.of(t) == 0).map(TransitionId)
    }

    /// The places in which no token was seen.
    pub fn never_marked(&self) -> impl Iterator<Item = PlaceId> {
        let most = self.most_tokens();
        (0..most.len() as u32).filter(move |&p| most[p as usize] == 0).map(PlaceId)
    }

    /// A state; of a folded survey, one of the class.
    #[must_use]
    pub fn state(&self, id: StateId) -> State {
        let bytes = self.exploration.store.get(id);
        match &self.space {
            Space::Folded(spaces) => spaces[0].rules().state(&spaces[0].decode(bytes)),
            Space::Full(spaces) => spaces[0].decode(bytes),
        }
    }

    /// The graph that was explored; without edges unless the plan was to keep them.
    #[must_use]
    pub fn graph(&self) -> Graph<'_> {
        let places = || self.net.places.iter().map(|place| &place.name);
        Graph {
            title: &self.net.name,
            relations: self.relations,
            full: self.is_full(),
            exploration: &self.exploration,
            state: Box::new(|id| self.state(id)),
            action: Box::new(|label| self.net.transitions[label as usize].name.as_str().into()),
            text: Box::new(move |state| state_text(places(), state)),
        }
    }

    /// A shortest run to a state.
    #[must_use]
    pub fn run_to(&mut self, id: StateId) -> Run {
        let path = self.exploration.path_to(id);
        self.run_along(path)
    }

    /// A shortest run that ends with the transition looked for, if it was fired.
    #[must_use]
    pub fn run_to_transition(&mut self) -> Option<Run> {
        let path = self.exploration.path_to_label()?;
        Some(self.run_along(path))
    }

    /// What was still rising when the run ended; nothing if it is complete.
    #[must_use]
    pub fn growth(&self) -> Vec<Growth> {
        match &self.space {
            Space::Folded(spaces) if !self.exploration.complete => {
                growth(self.net, self.exploration.store.len(), |id| {
                    spaces[0].decode(self.exploration.store.get(id))
                })
            }
            _ => Vec::new(),
        }
    }

    fn run_along(&mut self, path: Vec<(u32, StateId)>) -> Run {
        let Survey { net, space, exploration, .. } = self;
        let path = path.into_iter().map(|(label, target)| (TransitionId(label), target));
        Run::along(net, path, |state, target| {
            let wanted = exploration.store.get(*target);
            match space {
                Space::Folded(spaces) => {
                    let (working, _) = spaces[0].rules().working(state);
                    spaces[0].fold(working) == wanted
                }
                Space::Full(spaces) => spaces[0].encode(state) == wanted,
            }
        })
    }

    fn faulty_run(&mut self, transition: TransitionId, at: StateId) -> FaultyRun {
        let run = self.run_to(at);
        let found = interpret::fault(self.net, run.last(), transition);
        let (fault, mode) = found.expect("the interpreter finds the fault too");
        let name = &self.net.transition(transition).name;
        let what = fault.kind.describe(self.net);
        FaultyRun { message: format!("when `{name}` fires, {what}"), fault, mode, run }
    }

    /// States that a limit kept from being expanded count for [`Survey::most_tokens`] too.
    fn observe_the_rest(&mut self) {
        let Survey { space, exploration, .. } = self;
        for id in (exploration.expanded..exploration.states).map(|id| StateId(id as u32)) {
            let bytes = exploration.store.get(id);
            match space {
                Space::Folded(spaces) => spaces[0].observe(bytes),
                Space::Full(spaces) => spaces[0].observe(bytes),
            }
        }
    }
}
