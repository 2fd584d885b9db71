//! What is told of a run of a net.

use std::borrow::Cow;
use std::collections::BTreeSet;

use net::Net;
use serde_json::Value as Json;

use crate::account::{Account, StepAccount, Tale};
use crate::change::Change;
use crate::interaction::{Parts, parts_of_net};
use crate::itf::{Variables, variables_of_net};
use crate::outcome::{Outcome, outcome_of_net};
use crate::run::{position_of, text_of};
use crate::speech::Speech;
use crate::text::change_lines;
use crate::told::Contents;
use crate::{Back, Record, Trace, brief};

/// A run of a net, and what each of its steps changes.
pub(crate) struct NetTale<'r> {
    net: &'r Net,
    trace: &'r Trace,
    /// The same as it is told.
    told: Cow<'r, Trace>,
    changes: Vec<Change>,
}

impl<'r> NetTale<'r> {
    pub fn of(trace: &'r Trace, net: &'r Net) -> NetTale<'r> {
        let told = trace.told(net);
        let changes = Change::along(net, &told.run);
        NetTale { net, trace, told, changes }
    }
}

impl Tale for NetTale<'_> {
    fn model(&self) -> &str {
        &self.net.name
    }

    fn length(&self) -> usize {
        self.told.run.steps.len()
    }

    fn back(&self) -> Option<&Back> {
        self.told.back.as_ref()
    }

    fn outcome(&self) -> Outcome {
        outcome_of_net(&self.told, self.net)
    }

    fn account(&self, is_brief: bool) -> Account {
        let NetTale { net, told, changes, .. } = self;
        let speech = Speech::of(net);
        let is_brief = is_brief && speech.as_ref().is_some_and(Speech::is_translated);
        let brief = speech.as_ref().filter(|_| is_brief);
        let left_out = match brief {
            Some(speech) => brief::left_out(speech, &told.run, changes),
            None => BTreeSet::new(),
        };
        let first = Contents::of(net, speech.as_ref(), &told.run.initial, None);
        let mut steps = Vec::new();
        let mut before = &told.run.initial;
        for (number, (step, change)) in told.run.steps.iter().zip(changes).enumerate() {
            let is_left_out = left_out.contains(&number);
            let changes = match brief {
                _ if is_left_out => Vec::new(),
                Some(speech) => brief::lines(speech, change, before, step),
                None => change_lines(speech.as_ref(), change, before, step),
            };
            steps.push(StepAccount {
                text: text_of(net, speech.as_ref(), Some(before), &step.mode),
                changes,
                is_left_out,
                transition: net.transition(step.mode.transition).name.clone(),
                position: position_of(speech.as_ref(), before, &step.mode),
            });
            before = &step.state;
        }
        Account { first: first.lines(speech.is_some()), steps }
    }

    fn parts(&self) -> Parts<'_> {
        parts_of_net(&self.told, self.net, &self.changes)
    }

    fn variables(&self) -> Variables {
        variables_of_net(&self.told, self.net)
    }

    /// It is replayed, so objects have the numbers that they have in states.
    fn record(&self, property: Option<&str>) -> Json {
        Record::of(self.trace, self.net, property).to_json()
    }
}
