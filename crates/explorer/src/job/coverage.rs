//! `coverage`: what happens in a model, what never does, and what makes it large.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use explore::{Control, Exploration, StateId};
use net::{Net, PlaceId, TransitionId};
use serde_json::{Value as Json, json};
use survey::{Plan, Survey, survey_reviewed};

use super::progress::Progress;
use super::{End, News};
use crate::model::Generation;
use crate::refusal::Refusal;
use crate::view::View;

/// A model to explore.
#[derive(Debug)]
pub(super) struct Coverage {
    view: Arc<View>,
}

impl Coverage {
    pub(super) fn of(generation: &Generation) -> Result<Coverage, Refusal> {
        Ok(Coverage { view: generation.view()?.clone() })
    }

    pub(super) fn run(
        self,
        plan: Plan,
        generation: &Generation,
        tell: &mut dyn FnMut(News),
    ) -> End {
        let net = &self.view.net;
        let mut progress = Progress::default();
        let survey = survey_reviewed(
            net,
            &plan,
            &mut |exploration| progress.see(exploration, tell),
            &mut |_, _| Control::Continue,
        );
        let mut survey = match survey {
            Ok(survey) => survey,
            Err(why) => return End::failed(why),
        };
        let statements = Statements { net, generation };
        let exploration = survey.exploration();
        let is_open = !exploration.complete;
        let mut told = json!({
            "classes": exploration.states(),
            "complete": exploration.complete,
            "edges": exploration.edges,
            "never_fired": statements.never_fired(&survey),
            "never_marked": never_marked(net, &survey),
            "lines": statements.lines(exploration),
            "new_classes": statements.new_classes(exploration),
            "depths": depths(exploration),
        });
        let stop = exploration.reason;
        let growing = survey.growth().into_iter();
        let growing = growing
            .map(|one| json!({ "what": one.what, "before": one.before, "after": one.after }));
        told["growing"] = growing.collect();
        let fault = survey.take_fault(&plan.showing()).map(|fault| fault.message);
        let unbounded = survey.unbounded_place().map(|place| told_place(net, place));
        told["fault"] = json!(fault);
        told["unbounded"] = json!(unbounded);
        tell(News::Result(told));
        let end = End::of(&plan.budget, is_open);
        let why = unbounded.map(|what| format!("there can be any number of {what}"));
        let why = fault.or(why).or_else(|| stop.map(|stop| stop.to_string()));
        End { why: end.why.or(why.filter(|_| end.state == super::EndState::Done)), ..end }
    }
}

/// The number of classes at each depth.
fn depths(exploration: &Exploration) -> Vec<u64> {
    let mut depths = vec![0; exploration.depth() as usize + 1];
    for id in 0..exploration.states() as u32 {
        depths[exploration.depth_of(StateId(id)) as usize] += 1;
    }
    depths
}

fn never_marked(net: &Net, survey: &Survey) -> Vec<String> {
    survey.never_marked().map(|place| told_place(net, place)).collect()
}

fn told_place(net: &Net, place: PlaceId) -> String {
    trace::told_place(net, place).unwrap_or_else(|| net.place(place).name.to_string())
}

/// What transitions stand for, and where.
struct Statements<'n> {
    net: &'n Net,
    generation: &'n Generation,
}

impl Statements<'_> {
    fn text(&self, id: TransitionId) -> String {
        let told = trace::told_transition(self.net, id);
        told.unwrap_or_else(|| self.net.transition(id).name.clone())
    }

    /// Where a transition is written: of what two processes do together, two places.
    fn places(&self, id: TransitionId) -> Vec<(usize, usize)> {
        let places = trace::statement_positions(self.net, id);
        match places.is_empty() {
            false => places,
            true => {
                let name = &self.net.transition(id).name;
                self.generation.positions().of_name(name).into_iter().collect()
            }
        }
    }

    /// The transitions that stand for something that can happen.
    fn steps(&self) -> impl Iterator<Item = TransitionId> {
        let all = (0..self.net.transitions.len() as u32).map(TransitionId);
        all.filter(|id| {
            let transition = self.net.transition(*id);
            !transition.probe && transition.failure.is_none()
        })
    }

    /// What never happened: of processes the statements of which nothing did, of a net the transitions.
    fn never_fired(&self, survey: &Survey) -> Vec<Json> {
        let never: BTreeSet<TransitionId> = survey.never_fired().collect();
        let told = |id: TransitionId, place: Option<&(usize, usize)>| {
            json!({
                "transition": self.net.transition(id).name,
                "text": self.text(id),
                "line": place.map(|place| place.0),
                "column": place.map(|place| place.1),
            })
        };
        if self.net.listing.is_none() {
            // What is declared as one transition has fired if one of its copies has.
            let all =
                |id: &TransitionId| self.net.copies(*id).iter().all(|one| never.contains(one));
            let declared = self.steps().filter(|id| self.net.first_copy(*id) == *id && all(id));
            return declared.map(|id| told(id, self.places(id).first())).collect();
        }
        let mut statements: BTreeMap<(usize, usize), (bool, TransitionId)> = BTreeMap::new();
        for id in self.steps() {
            for place in self.places(id) {
                statements.entry(place).or_insert((false, id)).0 |= !never.contains(&id);
            }
        }
        let never = statements.iter().filter(|(_, (fired, _))| !fired);
        never.map(|(place, (_, id))| told(*id, Some(place))).collect()
    }

    /// How often something in a line happened.
    fn lines(&self, exploration: &Exploration) -> Vec<Json> {
        let mut lines: BTreeMap<usize, u64> = BTreeMap::new();
        for id in self.steps() {
            let own: BTreeSet<usize> = self.places(id).into_iter().map(|(line, _)| line).collect();
            for line in own {
                let fired = lines.entry(line).or_default();
                *fired = fired.saturating_add(exploration.fired.of(id.0));
            }
        }
        let told = lines.into_iter().map(|(line, fired)| json!({ "line": line, "fired": fired }));
        told.collect()
    }

    /// What made new classes, the most first.
    fn new_classes(&self, exploration: &Exploration) -> Vec<Json> {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for id in 0..exploration.states() as u32 {
            if let Some((_, label)) = exploration.predecessor(StateId(id)) {
                *counts.entry(label).or_default() += 1;
            }
        }
        // Transitions of the same statement are one.
        let mut statements: BTreeMap<(String, Option<usize>), (TransitionId, u64)> =
            BTreeMap::new();
        for (label, count) in counts {
            let id = TransitionId(label);
            let line = self.places(id).first().map(|place| place.0);
            let statement = statements.entry((self.text(id), line)).or_insert((id, 0));
            statement.1 += count;
        }
        let mut told: Vec<_> = statements.into_iter().collect();
        told.sort_by_key(|(_, (_, count))| Reverse(*count));
        let told = told.into_iter().map(|((text, line), (id, count))| {
            let transition = &self.net.transition(id).name;
            json!({ "transition": transition, "text": text, "line": line, "count": count })
        });
        told.collect()
    }
}
