//! A run of a program as the account from which the forms are written.

use std::collections::BTreeMap;

use interpret::{Next, Step};
use serde_json::Value as Json;

use super::act::acts;
use super::change::{Change, step_text};
use super::deeds::parts;
use super::ending::outcome;
use super::moment::Moment;
use super::names::Names;
use super::record::ProgramRecord;
use super::scene::Scene;
use super::variables::variables;
use super::{ProgramTrace, Teller};
use crate::Back;
use crate::account::{Account, StepAccount, Tale};
use crate::interaction::Parts;
use crate::itf::Variables;
use crate::outcome::Outcome;

/// A run of a program, and what is called how along it.
pub(crate) struct ProgramTale<'r, 'p> {
    pub(super) teller: &'r Teller<'p>,
    pub(super) trace: &'r ProgramTrace,
    /// Its states.
    pub(super) moments: Vec<Moment<'r, 'p>>,
    pub(super) names: Names,
    back: Option<Back>,
}

impl<'r, 'p> ProgramTale<'r, 'p> {
    pub fn of(trace: &'r ProgramTrace, teller: &'r Teller<'p>) -> ProgramTale<'r, 'p> {
        let mut names = Names::new();
        let mut moments = Vec::new();
        let states = std::iter::once((&trace.run.first, None)).chain(
            trace.run.steps.iter().filter_map(|next| {
                let step = next.outcome.as_ref().ok()?;
                Some((&step.state, Some(&step.births)))
            }),
        );
        for (state, births) in states {
            names.add_births(births.map_or(&[], Vec::as_slice));
            let moment = Moment::of(teller, state);
            names.add_objects(teller.program(), state, &moment.objects);
            moments.push(moment);
        }
        let back = trace.again.as_ref().map(|again| {
            let named = |pid| names.pid(pid).clone();
            let pairs = again.replaced.iter();
            let replaced: BTreeMap<_, _> =
                pairs.map(|(now, then)| (named(*now), named(*then))).collect();
            Back { to: again.to, replaced }
        });
        ProgramTale { teller, trace, moments, names, back }
    }

    /// The state after so many steps.
    pub(super) fn scene(&self, at: usize) -> Scene<'_, 'r, 'p> {
        Scene { teller: self.teller, moment: &self.moments[at], names: &self.names }
    }

    /// The last state.
    pub(super) fn last(&self) -> Scene<'_, 'r, 'p> {
        self.scene(self.moments.len() - 1)
    }

    /// The steps that lead to another state.
    pub(super) fn steps(&self) -> impl Iterator<Item = (&'r Next, &'r Step)> {
        self.trace.run.steps.iter().filter_map(|next| Some((next, next.outcome.as_ref().ok()?)))
    }

    pub(super) fn change(&self, at: usize, next: &'r Next, step: &'r Step) -> Change<'_, 'r, 'p> {
        Change { before: self.scene(at), after: self.scene(at + 1), next, step }
    }
}

impl Tale for ProgramTale<'_, '_> {
    fn model(&self) -> &str {
        &self.teller.model
    }

    fn length(&self) -> usize {
        self.moments.len() - 1
    }

    fn back(&self) -> Option<&Back> {
        self.back.as_ref()
    }

    fn outcome(&self) -> Outcome {
        outcome(self)
    }

    fn account(&self, _: bool) -> Account {
        let mut steps = Vec::new();
        for (at, (next, step)) in self.steps().enumerate() {
            let before = self.scene(at);
            let acts = acts(before, next);
            steps.push(StepAccount {
                text: step_text(before, next),
                changes: self.change(at, next, step).lines(),
                is_left_out: false,
                transition: acts[0].short_text(),
                position: acts[0].position(),
            });
        }
        Account { first: self.scene(0).contents(None).lines(true), steps }
    }

    fn parts(&self) -> Parts<'_> {
        parts(self)
    }

    fn variables(&self) -> Variables {
        variables(self)
    }

    fn record(&self, property: Option<&str>) -> Json {
        ProgramRecord::told(self, property).to_json()
    }
}
