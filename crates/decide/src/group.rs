//! Questions that are decided on one net, and those that need one of their own.

use std::sync::Arc;
use std::time::Duration;

use budget::{Instant, Phase};
use explore::Exploration;
use net::{Net, Var};
use survey::{Engine, NoDiagram, Plan, SurveyError};
use symbolic::Translation;

use crate::board::Board;
use crate::conclusion::{Asked, GroupResult};
use crate::executed::Executed;
use crate::explicit::Subject;
use crate::fairness::Assumed;
use crate::follow::{Following, following};
use crate::goal::{Claim, Goal, Goals};
use crate::lower::{Lowering, asks_for_ever};
use crate::premise::premise;
use crate::question::{Concern, Outcome, Question, Verdict};
use crate::strategy::{Pursuit, Strategy};
use crate::{Checking, FIRST_LOOK, Refusal, Report, Tell, diagrams, first_view, onward};
use onward::Onward;

/// How long it may take at least to find out whether properties that hold do so vacuously; otherwise as long as it took to
/// decide them.
const LEAST_FOR_PREMISES: Duration = Duration::from_secs(5);

/// All questions about a model.
pub(crate) struct Groups<'a> {
    pub(crate) net: &'a Arc<Net>,
    pub(crate) questions: &'a [Question],
    pub(crate) checking: &'a Checking,
    assumed: Result<Assumed, Refusal>,
    pub(crate) report: Report,
    pub(crate) tell: Tell<'a>,
    /// The questions whose outcomes were told.
    pub(crate) told: Vec<bool>,
    /// Whether one of them fails.
    pub(crate) has_failed: bool,
    /// The number of groups so far.
    groups: usize,
}

impl<'a> Groups<'a> {
    pub(crate) fn new(
        net: &'a Arc<Net>,
        questions: &'a [Question],
        checking: &'a Checking,
        tell: Tell<'a>,
    ) -> Self {
        let assumed = Assumed::of(&checking.fairness, net);
        let outcomes = questions.iter().map(Outcome::open).collect();
        let report = Report { outcomes, ..Report::default() };
        let (told, has_failed, groups) = (vec![false; questions.len()], false, 0);
        Groups { net, questions, checking, assumed, report, tell, told, has_failed, groups }
    }

    /// Decides all of them.
    pub(crate) fn decided(
        mut self,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<Report, SurveyError> {
        // Whatever else is done is done to decide.
        let _under = self.checking.plan.budget.progress().during(Phase::Deciding);
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        for (number, question) in self.questions.iter().enumerate() {
            match self.refusal(question) {
                Some(refusal) => self.refuse(number, refusal),
                None if question.followed().is_some() || question.names_members(self.net) => {
                    alone.push(number);
                }
                None => together.push(number),
            }
        }
        if !together.is_empty() {
            let net = self.net.clone();
            let asked = together.iter().map(|&n| (n, self.questions[n].clone())).collect();
            self.group(&net, None, asked, watch)?;
        }
        for number in alone {
            if !self.is_over() {
                self.alone(number, watch)?;
            } else {
                let why = "the first failure has ended the check";
                self.outcome(number).verdict = Verdict::Unknown(why.into());
            }
            self.tell_outcome(number);
        }
        Ok(self.report)
    }

    pub(crate) fn outcome(&mut self, number: usize) -> &mut Outcome {
        &mut self.report.outcomes[number]
    }

    fn refuse(&mut self, number: usize, refusal: Refusal) {
        self.outcome(number).verdict = Verdict::Refused(refusal);
        self.tell_outcome(number);
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

    /// Decides a property that needs explorations of its own. It holds if it does in all of them.
    fn alone(
        &mut self,
        number: usize,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<(), SurveyError> {
        let mut question = self.questions[number].clone();
        let mut net = self.net.clone();
        if let Question::Holds(property) = &mut question
            && !self.checking.plan.full
            && self.questions[number].names_members(&net)
        {
            let found = net.find_symmetry(std::slice::from_ref(property)).net;
            property.clone_from(&found.properties[0]);
            net = Arc::new(found);
        }
        let Some((thread, places)) = question.followed() else {
            return self.group(&net, None, vec![(number, question)], watch);
        };
        // Nobody may ever enter.
        let mut is_vacuous = true;
        let mut states = 0;
        self.outcome(number).verdict = Verdict::Holds { vacuously: true, witness: None };
        for following in following(&net, places) {
            let explored = following.net.clone();
            let asked = vec![(number, question.clone())];
            self.group(&explored, Some((following, thread)), asked, watch)?;
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

    /// Whether states may be folded by what is still observed of them.
    fn may_forget(&self) -> bool {
        let plan = &self.checking.plan;
        !plan.precise && !plan.full && plan.relations.is_none()
    }

    /// Decides questions on one net, which may remember a thread.
    fn group(
        &mut self,
        net: &Arc<Net>,
        following: Option<(Following, Var)>,
        asked: Vec<(usize, Question)>,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<(), SurveyError> {
        let checking = self.checking;
        let assumed = self.assumed.clone().unwrap_or_default();
        let must_translate = checking.engine.is_some_and(|engine| engine != Engine::Explicit);
        let is_for_states = net.has_threads() || checking.plan.full || following.is_some();
        let translation = match is_for_states && !must_translate {
            true => None,
            false => match Translation::of(net, &checking.plan.budget) {
                Ok(translation) => Some(Arc::new(translation)),
                Err(why) if must_translate && !why.is_limit() => {
                    return Err(NoDiagram::from(why).into());
                }
                Err(_) => None,
            },
        };
        // What can be seen in a moment may not be the same for all processes of a team.
        let is_alone = checking.plan.team.is_none();
        let start = translation.as_ref().filter(|_| is_alone).and_then(|translation| {
            let first = checking.plan.first(FIRST_LOOK);
            first_view(&mut translation.symbolic().space(), &first.budget)
        });
        let mut goals = Goals::new(start);
        let properties = asked.iter().filter_map(|(_, question)| question.property());
        let given = checking.plan.relations;
        let relations = given.unwrap_or_else(|| net.relations_with(properties.clone()));
        let followed = following.as_ref().map(|(following, thread)| (*thread, following.place()));
        // What a number asks for is not told by properties.
        let is_told = asked.iter().all(|(_, question)| question.property().is_some());
        let observed =
            (is_told && self.may_forget()).then(|| net.observed(relations, properties, followed));
        let observed = observed.filter(|observed| observed.makes_a_difference(net)).map(Arc::new);
        let follow = following.as_ref().map(|(following, thread)| (following, *thread));
        let mut subject = Subject::new(net, (relations, observed), follow, &assumed);
        let (mut claims, mut premises) = (Vec::new(), Vec::new());
        for (number, question) in &asked {
            match self.claim(question, &subject, &mut goals, *number) {
                Ok(claim) => {
                    claims.push((*number, claim));
                    let premise = self.premise(question, &mut goals);
                    premises.extend(premise.map(|premise| (*number, premise)));
                }
                Err(refusal) => self.refuse(*number, refusal),
            }
        }
        if claims.is_empty() {
            return Ok(());
        }
        // A run that goes on for ever is shown to come back to a state that is the same up to names, in all respects.
        let mut is_of_runs = subject.following.is_some();
        for (_, claim) in &claims {
            claim.for_each_goal(&mut |goal| {
                is_of_runs |= matches!(goals.goal(goal), Goal::Linear(_) | Goal::Branching(_));
            });
        }
        if is_of_runs {
            subject.observed = None;
        }
        // Groups come in the same order in every run.
        self.groups += 1;
        let names = asked.iter().filter_map(|(_, question)| question.property());
        let names: Vec<&str> = names.map(|property| property.name.as_str()).collect();
        let part = format!("{}: {}", self.groups, names.join(", "));
        let checkpoint = checking.plan.checkpoint.as_ref().map(|whole| whole.part(&part));
        let plan = Plan { translation: translation.clone(), checkpoint, ..checking.plan.clone() };
        let checking = &Checking { plan, ..checking.clone() };
        let start = Instant::now();
        let whole = &checking.plan.budget;
        let (subject, translation) = (&subject, translation.as_deref());
        let executed = match subject.following {
            None => Executed::of(checking, net, &asked, &claims, &premises),
            Some(_) => None,
        };
        let asked = Asked { subject, premises: &premises };
        let mut hear =
            |number: usize, claim: &Claim, goals: &Goals| self.hear(asked, number, claim, goals);
        let limits = (whole, checking.first);
        let board = Board::new(goals, claims.clone(), premises.clone(), limits, &mut hear);
        let executed = executed.as_ref();
        let mut pursuit =
            Strategy { subject, board: &board, checking, translation, executed }.pursue(watch)?;
        let open = board.open_premises();
        let mut goals = board.into_goals();
        self.report.projected |= pursuit.explored.as_ref().is_some_and(|of| of.is_projected);
        if !open.is_empty() && !self.is_over() && checking.plan.team.is_none() {
            // What is said of a property matters more than whether it says anything.
            let moment = whole.within(start.elapsed().max(LEAST_FOR_PREMISES));
            let plan = Plan { checkpoint: None, ..checking.plan.clone() };
            let checking = &Checking { plan, evidence: false, ..checking.clone() };
            let mut is_silent = |_: usize, _: &Claim, _: &Goals| {};
            let board = Board::new(goals, open, Vec::new(), (&moment, false), &mut is_silent);
            let strategy =
                Strategy { subject, board: &board, checking, translation, executed: None };
            strategy.pursue(watch)?;
            goals = board.into_goals();
        }
        if onward::may_go_on(subject, &pursuit) && !self.is_over() {
            goals = self.gone_on(asked, &claims, checking, &mut pursuit, goals, watch)?;
        }
        let executed = executed.and_then(Executed::states);
        self.conclude(GroupResult { asked, goals: &goals, pursuit, executed }, &claims);
        Ok(())
    }

    /// Goes on beyond limits and failures that were met.
    fn gone_on(
        &mut self,
        asked: Asked,
        claims: &[(usize, Claim)],
        checking: &Checking,
        pursuit: &mut Pursuit,
        goals: Goals,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<Goals, SurveyError> {
        let onward = Onward { asked, claims, checking };
        let mut hear = |number: usize, claim: &Claim, goals: &Goals| {
            self.hear(asked, number, claim, goals);
        };
        let (goals, is_done) = onward.beyond_limits(pursuit, goals, watch, &mut hear)?;
        self.note_fault(asked.subject, pursuit);
        if is_done || self.is_over() {
            return Ok(goals);
        }
        let mut hear = |number: usize, claim: &Claim, goals: &Goals| {
            self.hear(asked, number, claim, goals);
        };
        onward.beyond_failures(pursuit, goals, watch, &mut hear)
    }

    /// What must hold some time if a question is not to hold vacuously, where that is told.
    fn premise(&self, question: &Question, goals: &mut Goals) -> Option<Claim> {
        let property = question.property().filter(|_| self.checking.evidence)?;
        let premise = premise(&property.formula)?;
        let has_threads = self.net.has_threads();
        Some(Lowering { has_threads, goals, shows_runs: true }.reachable(&premise))
    }

    /// What is claimed of the subject, if the engine asked for can decide it.
    fn claim(
        &mut self,
        question: &Question,
        subject: &Subject,
        goals: &mut Goals,
        number: usize,
    ) -> Result<Claim, Refusal> {
        let shows_runs = self.checking.evidence;
        let claim = Lowering { has_threads: subject.net.has_threads(), goals, shows_runs }
            .question(question)?;
        let is_fair = !subject.assumed.is_empty();
        let mut is_of_runs = subject.following.is_some();
        let mut refusal = None;
        claim.for_each_goal(&mut |goal| {
            is_of_runs |= matches!(goals.goal(goal), Goal::Linear(_));
            if self.checking.engine.is_some_and(|engine| engine != Engine::Explicit) {
                refusal = diagrams::refusal(goals, goal, is_fair).or(refusal.take());
            }
        });
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        if is_of_runs {
            self.outcome(number).concern = Concern::Run;
        }
        Ok(claim)
    }
}
