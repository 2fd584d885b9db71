//! From what engines found of goals to what is reported of questions, and of the model.

use std::collections::BTreeSet;

use budget::{Budget, Exhausted, Phase};
use net::TransitionId;
use survey::{Engine, FaultyRun, Unbounded};
use trace::{Run, Trace, races};

use crate::Coverage;
use crate::evidence::{ShownRun, executed};
use crate::explicit::{Explored, Subject};
use crate::follow::Following;
use crate::goal::{Answer, Claim, Goals, Reason};
use crate::group::Groups;
use crate::question::{Evidence, Outcome, Verdict};
use crate::strategy::Pursuit;

/// What was found of a group of questions.
pub(crate) struct GroupResult<'g, 'a> {
    pub(crate) subject: &'g Subject<'a>,
    pub(crate) goals: &'g Goals,
    pub(crate) pursuit: Pursuit<'a>,
    /// What must hold some time if a question is not to hold vacuously.
    pub(crate) premises: &'g [(usize, Claim)],
}

impl GroupResult<'_, '_> {
    /// Whether what a question is about was found never to happen.
    fn says_nothing(&self, number: usize) -> bool {
        let explored = self.pursuit.explored.as_ref();
        let never = |claim: &Claim| claim.answer(self.goals) == Some(Answer::Holds(false));
        explored.is_some_and(|explored| explored.has_no_roots)
            || self.premises.iter().any(|(of, premise)| *of == number && never(premise))
    }
}

impl Groups<'_> {
    /// Writes what was found into the report.
    pub(crate) fn conclude(&mut self, mut found: GroupResult, claims: &[(usize, Claim)]) {
        let explored = found.pursuit.explored.as_ref();
        let beyond = found.pursuit.seen_beyond.as_ref();
        let states = explored.map_or(0, |explored| explored.survey.tally().states);
        let states = beyond.map_or(states, |beyond| beyond.states);
        let reason = match (explored, self.checking.plan.budget.exhausted()) {
            (Some(_), _) if beyond.is_some() => {
                beyond.map(|beyond| beyond.reason.clone()).unwrap_or_default()
            }
            (Some(explored), _) => explored.reason.clone(),
            (None, Some(exhausted)) => exhausted.to_string(),
            (None, None) if self.checking.plan.team.is_some() => "process 0 says why".into(),
            (None, None) => "decision diagrams do not decide it".into(),
        };
        let showing = &self.checking.plan.showing();
        let _under = showing.progress().during(Phase::Showing);
        for (number, claim) in claims {
            let answer = claim.answer(found.goals);
            let verdict = match answer {
                None => Verdict::Unknown(reason.clone()),
                Some(answer) => self.verdict(*number, claim, &answer, &found, showing),
            };
            let mut engine = None;
            claim.for_each_goal(&mut |goal| engine = engine.max(found.goals.engine(goal)));
            let outcome = self.outcome(*number);
            outcome.verdict = verdict;
            outcome.engine = engine.or(Some(Engine::Explicit));
            outcome.states = states;
        }
        self.report.reductions.extend(&found.pursuit.reductions);
        if let Some(explored) = found.pursuit.explored.take() {
            let failure = found.pursuit.failure.take();
            self.note(explored, failure, found.subject, showing);
        }
    }

    /// What was found, unless the budget was used up before; that is noted.
    fn shown<T>(&mut self, shown: Result<T, Exhausted>) -> Option<T> {
        shown.inspect_err(|why| self.report.unshown = Some(*why)).ok()
    }

    fn verdict(
        &mut self,
        number: usize,
        claim: &Claim,
        answer: &Answer,
        found: &GroupResult,
        showing: &Budget,
    ) -> Verdict {
        let is_about_nobody = self.questions[number].is_about_nobody(self.net);
        let mut evidence = || {
            let shown = self.evidence(number, claim.reason(found.goals)?, found, showing);
            self.shown(shown)?
        };
        // That all paths are right, no state shows.
        let shows = |evidence: &Evidence| {
            let is_of_paths = matches!(claim.reason(found.goals), Some(Reason::Goal(goal))
                if found.goals.goal(goal).is_about_paths());
            !is_of_paths || !evidence.trace.run.steps.is_empty()
        };
        match answer {
            Answer::Holds(true) => {
                let vacuously = is_about_nobody || found.says_nothing(number);
                Verdict::Holds { vacuously, witness: evidence().filter(shows) }
            }
            Answer::Holds(false) => Verdict::Fails(evidence()),
            Answer::Depends(on) => Verdict::Depends { on: on.clone(), run: evidence() },
            other => other.verdict(),
        }
    }

    /// The run that shows a verdict, on the model as it is.
    fn evidence(
        &self,
        number: usize,
        reason: Reason,
        found: &GroupResult,
        showing: &Budget,
    ) -> Result<Option<Evidence>, Exhausted> {
        if !self.checking.evidence {
            return Ok(None);
        }
        let goal = match reason {
            Reason::Start => {
                let trace = Trace::from(Run::at_start(self.net));
                return Ok(Some(Evidence { trace, followed: None }));
            }
            Reason::Goal(goal) => goal,
        };
        let Some(shown) = found.pursuit.runs.get(&goal) else { return Ok(None) };
        let ShownRun { trace, followed } = shown.as_ref().map_err(|why| *why)?;
        let following = found.subject.following.map(|(following, _)| following);
        let run = executed(&trace.run, self.net, found.subject.net, following, showing)?;
        let question = &self.questions[number];
        let races = if question.is_about_races(self.net) {
            races(self.net, run.last())
        } else {
            Vec::new()
        };
        let trace = Trace { run, races, ..trace.clone() };
        let variable = question.followed().zip(question.property());
        let variable =
            variable.map(|((thread, _), property)| property.variables[thread.index()].name.clone());
        Ok(Some(Evidence { trace, followed: variable.zip(followed.clone()) }))
    }

    /// Notes what an exploration has shown of the model, and a failure that was met after it.
    fn note(
        &mut self,
        mut explored: Explored<'_>,
        failure: Option<FaultyRun>,
        subject: &Subject,
        showing: &Budget,
    ) {
        let survey = &mut explored.survey;
        let following = subject.following.map(|(following, _)| following);
        if self.report.fault.is_none() {
            let met = survey.take_fault(showing);
            let is_limit = |fault: &FaultyRun| {
                fault.transition.is_some_and(|id| subject.net.transition(id).is_limit)
            };
            let fault = match met {
                Some(met) if !is_limit(&met) => Some(met),
                met => failure.or(explored.failure.take()).or(met),
            };
            let fault = fault.map(|fault| match following {
                None => fault,
                Some(following) => self.fault_of_model(fault, subject, following, showing),
            });
            if let Some(FaultyRun { shown: Err(why), .. }) = &fault {
                self.report.unshown = Some(*why);
            }
            self.report.fault = fault.map(Box::new);
        }
        if self.report.unbounded.is_none() && following.is_none() {
            self.report.unbounded = survey.unbounded(showing);
            if let Some(Unbounded { run: Err(why), .. }) = &self.report.unbounded {
                self.report.unshown = Some(*why);
            }
        }
        if self.report.coverage.as_ref().is_some_and(|coverage| coverage.complete) {
            return;
        }
        // A transition of a net that follows a thread has several forms.
        let unfired: BTreeSet<TransitionId> = survey.never_fired().collect();
        let forms = (0..subject.net.transitions.len() as u32).map(TransitionId);
        let fired = forms.filter(|t| !unfired.contains(t));
        let fired: BTreeSet<TransitionId> =
            fired.map(|t| following.map_or(t, |f| f.original[t.index()])).collect();
        let all = (0..self.net.transitions.len() as u32).map(TransitionId);
        let never_fired =
            all.filter(|t| !fired.contains(t) && !self.net.transition(*t).probe).collect();
        // An exploration that has decided everything may have ended anywhere.
        let is_open = |outcome: &Outcome| {
            matches!(outcome.verdict, Verdict::Unknown(_) | Verdict::Depends { .. })
        };
        let is_open = self.report.outcomes.iter().any(is_open);
        // Nor is anything explored after a fault.
        let is_cut_short = is_open && self.report.fault.is_none();
        let places = self.net.places.len();
        let never_marked = survey.never_marked().filter(|p| p.index() < places).collect();
        self.report.coverage = Some(Coverage {
            relations: survey.relations(),
            states: survey.tally().states,
            complete: survey.exploration().complete,
            never_fired,
            never_marked,
            growth: if is_cut_short { survey.growth() } else { Vec::new() },
        });
    }

    /// A fault of a net that follows a thread, on the model as it is.
    fn fault_of_model(
        &self,
        fault: FaultyRun,
        subject: &Subject,
        following: &Following,
        showing: &Budget,
    ) -> FaultyRun {
        let FaultyRun { message, transition, is_failure, shown } = fault;
        let found = shown.and_then(|(_, run)| {
            let run = executed(&run, self.net, subject.net, Some(following), showing)?;
            FaultyRun::after(run, self.net, None, showing)
        });
        let transition = transition.map(|t| following.original[t.index()]);
        found.unwrap_or_else(|why| FaultyRun { message, transition, is_failure, shown: Err(why) })
    }
}
