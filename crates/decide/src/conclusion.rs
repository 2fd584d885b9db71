//! From what engines found of goals to what is reported of questions, and of the model: told as soon as it is known, and
//! written into the report as it was told.

use std::collections::BTreeSet;

use budget::{Budget, Exhausted, Phase};
use explore::Stop;
use net::TransitionId;
use survey::{Engine, FaultyRun, Unbounded};
use trace::{Run, Trace, races};

use crate::evidence::{ShownRun, executed};
use crate::explicit::{Explored, Subject};
use crate::follow::Following;
use crate::goal::{Answer, Claim, Goals, Reason};
use crate::group::Groups;
use crate::question::{Evidence, Outcome, Verdict};
use crate::strategy::Pursuit;
use crate::{Coverage, Found};

/// What is asked of a group of questions.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'g, 'a> {
    pub(crate) subject: &'g Subject<'a>,
    /// What must hold some time if a question is not to hold vacuously.
    pub(crate) premises: &'g [(usize, Claim)],
}

/// What was found of it.
pub(crate) struct GroupResult<'g, 'a> {
    pub(crate) asked: Asked<'g, 'a>,
    pub(crate) goals: &'g Goals,
    pub(crate) pursuit: Pursuit<'a>,
    /// The states of the program, if all was decided by executing it.
    pub(crate) executed: Option<u64>,
}

impl Asked<'_, '_> {
    /// Whether what a question is about was found never to happen.
    fn says_nothing(&self, number: usize, goals: &Goals) -> bool {
        let never = |claim: &Claim| claim.answer(goals) == Some(Answer::Holds(false));
        self.premises.iter().any(|(of, premise)| *of == number && never(premise))
    }
}

impl Groups<'_> {
    /// Takes a claim that is answered while others are not.
    pub(crate) fn hear(&mut self, asked: Asked, number: usize, claim: &Claim, goals: &Goals) {
        // Runs that several processes have found are known in the end; and so is it whether a thread ever enters.
        let is_early = self.checking.plan.team.is_some()
            || asked.subject.following.is_some()
                && claim.answer(goals) != Some(Answer::Holds(false));
        if !is_early {
            self.note_answer(asked, number, claim, goals, false);
            self.tell_outcome(number);
        }
    }

    /// Tells what is reported of a question.
    pub(crate) fn tell_outcome(&mut self, number: usize) {
        let outcome = &self.report.outcomes[number];
        self.has_failed |= matches!(outcome.verdict, Verdict::Fails(_));
        if !std::mem::replace(&mut self.told[number], true) {
            (self.tell)(Found::Outcome(number, outcome));
        }
    }

    /// Whether the first failure was found, and is enough.
    pub(crate) fn is_over(&self) -> bool {
        let fails = self.report.fault.as_ref().is_some_and(|fault| fault.is_failure);
        self.checking.first && (self.has_failed || fails)
    }

    /// Writes what was found into the report, and tells what was not told before.
    pub(crate) fn conclude(&mut self, mut found: GroupResult, claims: &[(usize, Claim)]) {
        let explored = found.pursuit.explored.as_ref();
        let beyond = found.pursuit.seen_beyond.as_ref();
        let states = explored.map_or(0, |explored| explored.survey.tally().states);
        let states = beyond.map_or(states, |beyond| beyond.states);
        let states = found.executed.unwrap_or(states);
        let has_no_roots = explored.is_some_and(|explored| explored.has_no_roots);
        let reason = self.reason(&found.pursuit);
        let _under = self.checking.plan.showing().progress().during(Phase::Showing);
        for (number, claim) in claims {
            if !self.told[*number] {
                self.note_answer(found.asked, *number, claim, found.goals, has_no_roots);
                if claim.answer(found.goals).is_none() {
                    self.outcome(*number).verdict = Verdict::Unknown(reason.clone());
                }
            }
            self.outcome(*number).states = states;
            // A followed thread may have other nets to come.
            if found.asked.subject.following.is_none() {
                self.tell_outcome(*number);
            }
        }
        self.report.reductions.extend(&found.pursuit.reductions);
        self.note_fault(found.asked.subject, &mut found.pursuit);
        if let Some(explored) = found.pursuit.explored.take() {
            self.note(explored, found.asked.subject, found.executed);
        }
    }

    /// Why questions have no answer.
    fn reason(&self, pursuit: &Pursuit) -> String {
        let whole = &self.checking.plan.budget;
        let (known, stop) = match (&pursuit.seen_beyond, &pursuit.explored) {
            _ if self.is_over() => (Some("the first failure has ended the check".into()), None),
            (Some(beyond), _) => (beyond.reason.clone(), None),
            (None, Some(explored)) => {
                (explored.reason.clone(), explored.survey.exploration().reason)
            }
            (None, None) if whole.is_exhausted() => (None, None),
            (None, None) if self.checking.plan.team.is_some() => {
                (Some("process 0 says why".into()), None)
            }
            (None, None) => (Some("decision diagrams do not decide it".into()), None),
        };
        let of_time = |why: Exhausted| why == Exhausted::Time;
        let spent = match (whole.exhausted(), stop) {
            (None, Some(Stop::Exhausted(why))) if !of_time(why) => Some(why),
            // What has ended is a part of the time, if that is limited.
            (spent, _) => spent.or(whole.ends_by_time()),
        };
        let spent = spent.map(|why| why.to_string());
        known.or(spent).unwrap_or_else(|| "no engine has decided it in its turns".into())
    }

    /// What was found, unless the budget was used up before; that is noted.
    fn shown<T>(&mut self, shown: Result<T, Exhausted>) -> Option<T> {
        shown.inspect_err(|why| self.report.unshown = Some(*why)).ok()
    }

    /// Notes what is known of a question.
    fn note_answer(
        &mut self,
        asked: Asked,
        number: usize,
        claim: &Claim,
        goals: &Goals,
        has_no_roots: bool,
    ) {
        let mut engine = None;
        claim.for_each_goal(&mut |goal| engine = engine.max(goals.engine(goal)));
        self.outcome(number).engine = engine.or(Some(Engine::Explicit));
        let Some(answer) = claim.answer(goals) else { return };
        let mut evidence = || {
            let shown = self.evidence(number, claim.reason(goals)?, goals, asked.subject);
            self.shown(shown)?
        };
        // That all paths are right, no state shows.
        let shows = |evidence: &Evidence| {
            let is_of_paths = matches!(claim.reason(goals), Some(Reason::Goal(goal))
                if goals.goal(goal).is_about_paths());
            !is_of_paths || !evidence.trace.run.steps.is_empty()
        };
        let verdict = match answer {
            Answer::Holds(true) => {
                let witness = evidence().filter(shows);
                let is_about_nobody = self.questions[number].is_about_nobody(self.net);
                let vacuously =
                    is_about_nobody || has_no_roots || asked.says_nothing(number, goals);
                Verdict::Holds { vacuously, witness }
            }
            Answer::Holds(false) => Verdict::Fails(evidence()),
            Answer::Depends(on) => Verdict::Depends { on, run: evidence() },
            Answer::Greatest(value) => Verdict::Greatest(value),
            Answer::Unbounded => Verdict::Unbounded,
        };
        self.outcome(number).verdict = verdict;
    }

    /// The run that shows a verdict, on the model as it is.
    fn evidence(
        &self,
        number: usize,
        reason: Reason,
        goals: &Goals,
        subject: &Subject,
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
        let Some(shown) = goals.run(goal) else { return Ok(None) };
        let ShownRun { trace, followed } = shown.as_ref().map_err(|why| *why)?;
        let following = subject.following.map(|(following, _)| following);
        let showing = &self.checking.plan.showing();
        let run = executed(&trace.run, self.net, subject.net, following, showing)?;
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

    /// Notes a fault that was met, and tells it.
    pub(crate) fn note_fault(&mut self, subject: &Subject, pursuit: &mut Pursuit<'_>) {
        let Some(explored) = pursuit.explored.as_mut().filter(|_| self.report.fault.is_none())
        else {
            return;
        };
        let showing = &self.checking.plan.showing();
        let met = explored.survey.take_fault(showing);
        let is_limit = |fault: &FaultyRun| {
            fault.transition.is_some_and(|id| subject.net.transition(id).is_limit)
        };
        let fault = match met {
            Some(met) if !is_limit(&met) => Some(met),
            met => pursuit.failure.take().or(explored.failure.take()).or(met),
        };
        let fault = fault.map(|fault| match subject.following {
            None => fault,
            Some((following, _)) => self.fault_of_model(fault, subject, following, showing),
        });
        if let Some(fault) = fault {
            if let Err(why) = &fault.shown {
                self.report.unshown = Some(*why);
            }
            (self.tell)(Found::Fault(&fault));
            self.report.fault = Some(Box::new(fault));
        }
    }

    /// Notes what an exploration has shown of the model.
    fn note(&mut self, mut explored: Explored<'_>, subject: &Subject, executed: Option<u64>) {
        let showing = &self.checking.plan.showing();
        let survey = &mut explored.survey;
        let following = subject.following.map(|(following, _)| following);
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
            states: executed.unwrap_or(survey.tally().states),
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
