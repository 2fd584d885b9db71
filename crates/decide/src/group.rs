//! Questions that are decided on one net, and those that need one of their own.

use std::sync::Arc;

use explore::Exploration;
use net::{
    EnumId, Formula, Kind, Literal, Net, Property, Quantifier, Sort, Subject as Ranges, Symmetry,
    Term, Var,
};
use state::Relations;
use survey::{Plan, SurveyError};
use symbolic::Translation;
use trace::{Run, Trace};

use crate::atom::Statement;
use crate::board::Board;
use crate::evidence::{ShownRun, executed};
use crate::explicit::{Explored, Subject};
use crate::fairness::Assumed;
use crate::follow::{Following, following};
use crate::goal::{Answer, Claim, Goal, Goals, Reason};
use crate::lower::{Lowering, asks_for_ever};
use crate::predicate::Sum;
use crate::premise::premise;
use crate::question::{Concern, Engine, Evidence, Outcome, Question, Verdict};
use crate::strategy::{Pursuit, Strategy};
use crate::{Checking, Coverage, Refusal, Report, Tell, first_view};

/// All questions about a model.
pub(crate) struct Groups<'a> {
    net: &'a Arc<Net>,
    questions: &'a [Question],
    checking: &'a Checking,
    assumed: Result<Assumed, Refusal>,
    report: Report,
}

impl<'a> Groups<'a> {
    pub(crate) fn new(
        net: &'a Arc<Net>,
        questions: &'a [Question],
        checking: &'a Checking,
    ) -> Self {
        let assumed = Assumed::of(&checking.fairness);
        Groups { net, questions, checking, assumed, report: Report::default() }
    }

    /// Decides all of them.
    pub(crate) fn decided(
        mut self,
        watch: &mut dyn FnMut(&Exploration),
        tell: Tell<'_>,
    ) -> Result<Report, SurveyError> {
        self.report.outcomes = self.questions.iter().map(not_decided).collect();
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        for (number, question) in self.questions.iter().enumerate() {
            match self.refusal(question) {
                Some(refusal) => self.outcome(number).verdict = Verdict::Refused(refusal),
                None if self.needs_a_net_of_its_own(question) => alone.push(number),
                None => together.push(number),
            }
        }
        if !together.is_empty() {
            let net = self.net.clone();
            let asked = together.iter().map(|&n| (n, self.questions[n].clone())).collect();
            self.group(&net, None, asked, watch, tell)?;
        }
        for number in alone {
            self.alone(number, watch, tell)?;
        }
        Ok(self.report)
    }

    fn outcome(&mut self, number: usize) -> &mut Outcome {
        &mut self.report.outcomes[number]
    }

    /// Why a question is not decided, as far as that can be told without checking others.
    fn refusal(&self, question: &Question) -> Option<Refusal> {
        let Question::Holds(property) = question else { return None };
        if let Err(refusal) = &self.assumed {
            return Some(refusal.clone());
        }
        if !self.checking.fairness.is_empty() && asks_for_ever(&property.formula) {
            return Some(Refusal::FairBranching);
        }
        let given = self.checking.plan.relations?;
        let missing = property.relations().without(given);
        (!missing.is_empty()).then_some(Refusal::TooFewRelations { missing })
    }

    fn needs_a_net_of_its_own(&self, question: &Question) -> bool {
        let Question::Holds(property) = question else { return false };
        followed(property).is_some() || names_members(self.net, property)
    }

    /// Decides a property that needs explorations of its own. It holds if it does in all of them.
    fn alone(
        &mut self,
        number: usize,
        watch: &mut dyn FnMut(&Exploration),
        tell: Tell<'_>,
    ) -> Result<(), SurveyError> {
        let Question::Holds(property) = &self.questions[number] else { return Ok(()) };
        let (net, property) = if names_members(self.net, property) && !self.checking.plan.full {
            let found = self.net.find_symmetry(std::slice::from_ref(property)).net;
            let property = found.properties[0].clone();
            (Arc::new(found), property)
        } else {
            (self.net.clone(), property.clone())
        };
        let asked = || vec![(number, Question::Holds(property.clone()))];
        let Some(followed) = followed(&property) else {
            return self.group(&net, None, asked(), watch, tell);
        };
        // Nobody may ever enter.
        let mut is_vacuous = true;
        let mut states = 0;
        self.outcome(number).verdict = Verdict::Holds { vacuously: true, witness: None };
        for following in following(&net, followed.place) {
            let explored = following.net.clone();
            self.group(&explored, Some((following, followed.thread)), asked(), watch, tell)?;
            let outcome = self.outcome(number);
            states += outcome.states;
            outcome.states = states;
            match &mut outcome.verdict {
                Verdict::Holds { vacuously, .. } => {
                    is_vacuous &= *vacuously;
                    *vacuously = is_vacuous;
                }
                _ => break,
            }
        }
        Ok(())
    }

    /// Decides questions on one net, which may remember a thread.
    fn group(
        &mut self,
        net: &Arc<Net>,
        following: Option<(Following, Var)>,
        asked: Vec<(usize, Question)>,
        watch: &mut dyn FnMut(&Exploration),
        tell: Tell<'_>,
    ) -> Result<(), SurveyError> {
        let checking = self.checking;
        let assumed = self.assumed.clone().unwrap_or_default();
        let translation = match net.has_threads() || checking.plan.full || following.is_some() {
            true => None,
            false => Translation::of(net).ok().map(Arc::new),
        };
        let start = translation.as_ref().and_then(|t| first_view(&mut t.symbolic().space()));
        let mut goals = Goals::new(start);
        let relations = self.relations(net, &asked);
        let follow = following.as_ref().map(|(following, thread)| (following, *thread));
        let numbers = asked.iter().map(|(number, _)| *number).collect();
        let mut subject = Subject::new(net, relations, follow, &assumed, numbers);
        let mut claims = Vec::new();
        for (number, question) in &asked {
            match self.claim(question, &mut subject, &mut goals, *number) {
                Ok(claim) => claims.push((*number, claim)),
                Err(refusal) => self.outcome(*number).verdict = Verdict::Refused(refusal),
            }
        }
        for (number, claim) in &claims {
            self.classify(*number, claim, &goals, follow.is_some());
        }
        if claims.is_empty() {
            return Ok(());
        }
        let plan = Plan { translation: translation.clone(), ..checking.plan.clone() };
        let checking = &Checking { plan, ..checking.clone() };
        let mut tell_verdict =
            |number: usize, answer: &Answer, engine| tell(number, &verdict(answer), engine);
        let board = Board::new(goals, claims.clone(), &checking.plan.budget, &mut tell_verdict);
        let strategy = Strategy {
            subject: &subject,
            board: &board,
            checking,
            translation: translation.as_deref(),
        };
        let pursuit = strategy.pursue(watch)?;
        let goals = board.into_goals();
        let found = GroupFound { subject: &subject, goals: &goals, pursuit };
        self.conclude(found, &claims)
    }

    /// What is observed of pids: what the net does, and what is asked.
    fn relations(&self, net: &Net, asked: &[(usize, Question)]) -> Relations {
        let observed = asked.iter().fold(net.relations(), |all, (_, question)| match question {
            Question::Holds(property) => property.relations().iter().fold(all, Relations::with),
            Question::Greatest(_) => all,
        });
        self.checking.plan.relations.unwrap_or(observed)
    }

    fn claim(
        &self,
        question: &Question,
        subject: &mut Subject,
        goals: &mut Goals,
        number: usize,
    ) -> Result<Claim, Refusal> {
        let property = match question {
            Question::Greatest(term) => {
                let sum = Sum::of(term)?;
                let goal = goals.number(Goal::Greatest(sum.terms.into_iter().collect()));
                return Ok(Claim::Greatest(goal, sum.constant));
            }
            Question::Holds(property) => property,
        };
        goals.atoms.allow_variables(property.variables.len());
        let shows_runs = self.checking.evidence;
        let claim = match &property.formula {
            Formula::Quantified { quantifier, subject: Ranges::Entering(_), body, .. } => {
                if *quantifier == Quantifier::Exists {
                    return Err(Refusal::SomeThreadFollowed);
                }
                Lowering { net: subject.net, goals, shows_runs }.of_runs(body)?
            }
            formula => Lowering { net: subject.net, goals, shows_runs }.claim(formula)?,
        };
        if self.checking.engine == Some(Engine::Diagrams) {
            self.must_be_for_diagrams(&claim, goals, subject)?;
        }
        if shows_runs && let Some(premise) = premise(followed_body(&property.formula)) {
            let (atom, value) = match goals.atoms.statement(&premise) {
                Statement::Atom(atom, value) => (atom, value),
                Statement::Constant(truth) => (goals.atoms.truth(), truth),
            };
            subject.premises.push((number, atom, value));
        }
        Ok(claim)
    }

    fn must_be_for_diagrams(
        &self,
        claim: &Claim,
        goals: &Goals,
        subject: &Subject,
    ) -> Result<(), Refusal> {
        let is_fair = !subject.assumed.is_empty();
        let mut refusal = None;
        claim.for_each_goal(&mut |goal| {
            if !crate::diagrams::can_decide(goals, goal, is_fair) {
                let is_linear = is_fair && matches!(goals.goal(goal), Goal::Linear(_));
                refusal =
                    Some(if is_linear { Refusal::FairDiagrams } else { Refusal::Individuals });
            }
        });
        refusal.map_or(Ok(()), Err)
    }

    fn classify(&mut self, number: usize, claim: &Claim, goals: &Goals, follows: bool) {
        let mut is_of_runs = follows;
        claim.for_each_goal(&mut |goal| is_of_runs |= matches!(goals.goal(goal), Goal::Linear(_)));
        if is_of_runs {
            self.outcome(number).concern = Concern::Run;
        }
    }

    /// Writes what was found into the report.
    fn conclude(
        &mut self,
        mut found: GroupFound<'_, '_>,
        claims: &[(usize, Claim)],
    ) -> Result<(), SurveyError> {
        let explored = found.pursuit.explored.as_ref();
        let states = explored.map_or(0, |explored| explored.survey.exploration().states());
        let reason = match (explored, self.checking.plan.budget.exhausted()) {
            (Some(explored), _) => explored.reason.clone(),
            (None, Some(exhausted)) => exhausted.to_string(),
            (None, None) => "decision diagrams do not decide it".into(),
        };
        for (number, claim) in claims {
            let answer = claim.answer(found.goals);
            let verdict = match answer {
                None => Verdict::Unknown(reason.clone()),
                Some(answer) => self.verdict(*number, claim, &answer, &found),
            };
            let mut engine = None;
            claim.for_each_goal(&mut |goal| engine = engine.max(found.goals.engine(goal)));
            let outcome = self.outcome(*number);
            outcome.verdict = verdict;
            outcome.engine = engine.or(Some(Engine::Explicit));
            outcome.states = states;
        }
        if let Some(explored) = found.pursuit.explored.take() {
            self.note(explored, found.subject);
        }
        Ok(())
    }

    fn verdict(
        &self,
        number: usize,
        claim: &Claim,
        answer: &Answer,
        found: &GroupFound<'_, '_>,
    ) -> Verdict {
        let evidence = || self.evidence(number, claim.reason(found.goals)?, found);
        // That all paths are right, no state shows.
        let shows = |evidence: &Evidence| {
            let is_of_paths = matches!(claim.reason(found.goals), Some(Reason::Goal(goal))
                if found.goals.goal(goal).is_about_paths());
            !is_of_paths || !evidence.trace.run.steps.is_empty()
        };
        match answer {
            Answer::Holds(true) => {
                let explored = found.pursuit.explored.as_ref();
                let vacuously = explored.is_some_and(|e| e.vacuous.contains(&number));
                Verdict::Holds { vacuously, witness: evidence().filter(shows) }
            }
            Answer::Holds(false) => Verdict::Fails(evidence()),
            other => verdict(other),
        }
    }

    /// The run that shows a verdict, on the model as it is.
    fn evidence(
        &self,
        number: usize,
        reason: Reason,
        found: &GroupFound<'_, '_>,
    ) -> Option<Evidence> {
        if !self.checking.evidence {
            return None;
        }
        let goal = match reason {
            Reason::Start => {
                let trace = Trace::from(Run::at_start(self.net));
                return Some(Evidence { trace, followed: None });
            }
            Reason::Goal(goal) => goal,
        };
        let ShownRun { trace, followed } = found.pursuit.runs.get(&goal)?;
        let following = found.subject.following;
        let run = executed(
            &trace.run,
            self.net,
            found.subject.net,
            following.map(|(following, _)| following),
        );
        let trace = Trace { run, back: trace.back.clone() };
        let followed = following
            .zip(followed.clone())
            .map(|((_, thread), pid)| (self.variable(number, thread), pid));
        Some(Evidence { trace, followed })
    }

    fn variable(&self, number: usize, var: Var) -> String {
        match &self.questions[number] {
            Question::Holds(property) => property.variables[var.index()].name.clone(),
            Question::Greatest(_) => String::new(),
        }
    }

    /// Notes what an exploration has shown of the model.
    fn note(&mut self, mut explored: Explored<'_>, subject: &Subject) {
        let survey = &mut explored.survey;
        let following = subject.following.map(|(following, _)| following);
        if self.report.fault.is_none() && following.is_none() {
            self.report.fault = survey.take_fault().map(Box::new);
        }
        if self.report.unbounded.is_none() && following.is_none() {
            self.report.unbounded = survey.unbounded();
        }
        if self.report.coverage.as_ref().is_some_and(|coverage| coverage.complete) {
            return;
        }
        let mut fired = vec![true; self.net.transitions.len()];
        let of = |t: net::TransitionId| following.map_or(t, |f| f.original[t.index()]);
        survey.never_fired().for_each(|t| fired[of(t).index()] = false);
        // A transition of a net that follows a thread has several forms.
        let all = (0..subject.net.transitions.len() as u32).map(net::TransitionId);
        let unfired: Vec<_> = survey.never_fired().collect();
        all.filter(|t| !unfired.contains(t)).for_each(|t| fired[of(t).index()] = true);
        let ids = (0..).map(net::TransitionId).zip(&fired);
        let never_fired = ids.filter(|(_, fired)| !**fired).map(|(t, _)| t).collect();
        // An exploration that has decided everything may have ended anywhere.
        let is_open = |outcome: &Outcome| matches!(outcome.verdict, Verdict::Unknown(_));
        let is_cut_short = self.report.outcomes.iter().any(is_open);
        let places = self.net.places.len();
        let never_marked = survey.never_marked().filter(|p| p.index() < places).collect();
        self.report.coverage = Some(Coverage {
            relations: survey.relations(),
            states: survey.exploration().states(),
            complete: survey.exploration().complete,
            never_fired,
            never_marked,
            growth: if is_cut_short { survey.growth() } else { Vec::new() },
        });
    }
}

/// What was found of a group of questions.
struct GroupFound<'g, 'a> {
    subject: &'g Subject<'a>,
    goals: &'g Goals,
    pursuit: Pursuit<'a>,
}

fn not_decided(question: &Question) -> Outcome {
    let concern = match question {
        Question::Holds(property) if property.formula == Formula::DeadlockFree => Concern::Deadlock,
        _ => Concern::State,
    };
    let (name, text) = match question {
        Question::Holds(property) => (property.name.clone(), property.text.clone()),
        Question::Greatest(_) => Default::default(),
    };
    let verdict = Verdict::Unknown(String::new());
    Outcome { name, text, concern, verdict, engine: None, states: 0 }
}

fn verdict(answer: &Answer) -> Verdict {
    match answer {
        Answer::Holds(true) => Verdict::Holds { vacuously: false, witness: None },
        Answer::Holds(false) => Verdict::Fails(None),
        Answer::Greatest(value) => Verdict::Greatest(value.clone()),
        Answer::Unbounded => Verdict::Unbounded,
    }
}

/// The thread that a property follows, and the place it enters.
struct Followed {
    thread: Var,
    place: net::PlaceId,
}

fn followed(property: &Property) -> Option<Followed> {
    match &property.formula {
        Formula::Quantified { subject: Ranges::Entering(place), thread, .. } => {
            Some(Followed { thread: (*thread)?, place: *place })
        }
        _ => None,
    }
}

/// What is said of the thread that is followed, or of the model.
fn followed_body(formula: &Formula) -> &Formula {
    match formula {
        Formula::Quantified { subject: Ranges::Entering(_), body, .. } => body,
        formula => formula,
    }
}

/// Whether a property tells members of classes apart that are alike in the model: it names them, or compares
/// them by their order.
fn names_members(net: &Net, property: &Property) -> bool {
    let is_class = |id: EnumId| net.enumerations[id.index()].symmetry != Symmetry::None;
    let is_member = |term: &Term| match term {
        Term::Literal(Literal::Enum(id, _)) => is_class(*id),
        Term::Var(var) => {
            matches!(property.variables[var.index()].kind, Kind::Enum(id) if is_class(id))
        }
        Term::Field(_, place, column) => {
            let sort = &net.place(*place).columns[*column].sort;
            matches!(sort, Sort::Enum(id) if is_class(*id))
        }
        _ => false,
    };
    let mut found = false;
    property.formula.for_each_term(&mut |term| match term {
        Term::Literal(_) => found |= is_member(term),
        Term::Binary(op, a, b) if op.is_order() => found |= is_member(a) || is_member(b),
        _ => {}
    });
    found
}
