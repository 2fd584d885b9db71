//! Rendezvous: two threads, each at a stop, do a step of one object together.
//!
//! On the path of a rendezvous the first thread does all of its arm, and at its step it only offers what it brings.
//! Then the second thread does its arm; where it comes to its own step on the same object, what the two do together is
//! done. So nothing has to be left in the middle, also where the two are in `atomic` blocks.

use net::Expr as NetExpr;

use crate::evaluate::{Parts, awaited, found, then};
use crate::execute::Flow;
use crate::formula::equal;
use crate::path::{Env, Path, Row};
use crate::run::Runner;
use program::graph::Exit;
use program::{LocalId, Meeting, ObjectId, StepId, Target};

/// How far a path has come with its rendezvous.
#[derive(Clone, Debug)]
pub(crate) enum Rendezvous {
    /// The first has not come to its step.
    Open,
    /// The first has come to its step.
    Offered(Offer),
    /// The second has not come to its step.
    Sought(Offer),
    /// The two have met. What the first gets, and where it goes.
    Met(Option<(LocalId, Row)>),
}

/// What the first of two threads brings to a rendezvous.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    object: NetExpr,
    of: ObjectId,
    step: StepId,
    arguments: Vec<Row>,
    result: Option<LocalId>,
}

/// A call of a step, with all that it needs.
#[derive(Clone, Debug)]
pub(crate) struct StepCall {
    pub of: ObjectId,
    pub step: StepId,
    pub object: NetExpr,
    pub arguments: Vec<Row>,
    pub result: Option<LocalId>,
}

impl Runner<'_> {
    /// The paths on which a step is done by a rendezvous.
    pub(crate) fn meet(&self, call: &StepCall, path: &Path) -> Parts<()> {
        let meetings = &self.layout.program.objects[call.of.index()].meetings;
        match path.meeting.clone() {
            Some(Rendezvous::Open) if meetings.iter().any(|met| met.first == call.step) => {
                let mut path = path.clone();
                path.meeting = Some(Rendezvous::Offered(Offer {
                    object: call.object.clone(),
                    of: call.of,
                    step: call.step,
                    arguments: call.arguments.clone(),
                    result: call.result.filter(|_| path.steps.is_empty()),
                }));
                found(path, ())
            }
            Some(Rendezvous::Sought(offer)) if offer.of == call.of => {
                let fits = |met: &&Meeting| met.first == offer.step && met.second == call.step;
                let meetings = meetings.iter().filter(fits);
                meetings.flat_map(|meeting| self.met(meeting, &offer, call, path.clone())).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What the two do together.
    fn met(&self, meeting: &Meeting, offer: &Offer, call: &StepCall, path: Path) -> Parts<()> {
        let same = equal(offer.object.clone(), call.object.clone());
        then(awaited(&same, path), |mut path, ()| {
            let brought = offer.arguments.iter().chain(&call.arguments).cloned();
            let object = vec![call.object.clone()];
            let env: Env = (0..).map(LocalId).zip([object].into_iter().chain(brought)).collect();
            path.meeting = Some(Rendezvous::Met(None));
            path.is_joint = true;
            path.steps.push(env);
            then(self.block(&meeting.body, path), |path, flow| {
                debug_assert!(
                    matches!(flow, Flow::Next | Flow::Exit(Exit::Return, None)),
                    "a meeting has no other way out"
                );
                let results: Vec<_> = meeting.results.iter().flatten().cloned().collect();
                then(self.layout.each(&results, path), |mut path, rows| {
                    path.steps.pop();
                    path.is_joint = false;
                    self.share(meeting, offer, call, rows, path)
                })
            })
        })
    }

    /// Gives each of the two what it gets.
    fn share(
        &self,
        meeting: &Meeting,
        offer: &Offer,
        call: &StepCall,
        rows: Vec<Row>,
        path: Path,
    ) -> Parts<()> {
        let steps = &self.layout.program.objects[call.of.index()].steps;
        let mut rows = rows.into_iter();
        let next = |index: usize| meeting.results[index].as_ref().and_then(|_| rows.next());
        let [to_first, to_second] = [0, 1].map(next);
        let fitted = |step: StepId, index: usize, row: Row, path: Path| {
            let of = steps[step.index()].routine.result.clone().expect("it has a result");
            let from = &meeting.results[index].as_ref().expect("it is given").of;
            then(self.layout.fit(row, from, &of, path), |path, row| found(path, (row, of.clone())))
        };
        let first = match to_first {
            Some(row) => then(fitted(meeting.first, 0, row, path), |path, (row, _)| {
                found(path, offer.result.map(|local| (local, row.clone())))
            }),
            None => found(path, None),
        };
        then(first, |mut path, first| {
            path.meeting = Some(Rendezvous::Met(first));
            match (&to_second, call.result) {
                (Some(row), Some(local)) => {
                    then(fitted(meeting.second, 1, row.clone(), path), |path, (row, of)| {
                        self.assign(&Target::local(local, of.clone()), &of, row, path)
                    })
                }
                _ => found(path, ()),
            }
        })
    }
}
