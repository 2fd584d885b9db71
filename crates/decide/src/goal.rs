//! What engines decide, and what they have decided.
//!
//! A question becomes a [`Claim`]: a connection of *goals*. Equal goals are one, whichever question asks. Engines
//! reach goals in whatever order they can; a question is answered when the goals that are reached decide it.

use std::collections::{BTreeMap, HashMap};

use budget::Exhausted;
use check::{Ctl, Formula as Linear, Ltl, Prospect};
use num_bigint::BigInt;
use survey::Engine;

use crate::atom::Atoms;
use crate::evidence::ShownRun;
use crate::view::View;

/// Something that engines decide.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Goal {
    /// Whether the atom holds in the initial state.
    Initially(u32),
    /// Whether the atom holds, or fails, in some reachable state.
    Somewhere(u32, bool),
    /// Whether the formula holds in the initial state.
    Branching(Ctl),
    /// Whether all runs satisfy the formula.
    Linear(Linear),
    /// Whether every thread of every reachable state has this prospect.
    Everyone(Prospect),
    /// The greatest value of a sum of tokens, each place times a factor.
    Greatest(Vec<(u32, i64)>),
}

impl Goal {
    /// Whether it is about paths, so that the steps between states have to be known.
    pub(crate) fn is_about_paths(&self) -> bool {
        matches!(self, Goal::Branching(_) | Goal::Linear(_))
    }
}

/// What was found of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Holds(bool),
    Greatest(BigInt),
    /// There is no greatest value.
    Unbounded,
    /// It depends on this, of which nothing is kept.
    Depends(String),
}

/// A goal, and what is known of it: the answer, and who found it; and what it comes down to.
#[derive(Clone, Debug)]
struct Pursued {
    goal: Goal,
    found: Option<(Answer, Engine)>,
    same_as: Option<Claim>,
}

/// A question in terms of goals, by number.
#[derive(Clone, Debug)]
pub(crate) enum Claim {
    /// The initial state shows it.
    Known(bool),
    Goal(usize),
    Not(Box<Claim>),
    All(Vec<Claim>),
    Any(Vec<Claim>),
    /// The goal's value and a constant.
    Greatest(usize, i64),
}

impl Claim {
    pub(crate) fn not(self) -> Claim {
        match self {
            Claim::Known(value) => Claim::Known(!value),
            Claim::Not(inner) => *inner,
            other => Claim::Not(Box::new(other)),
        }
    }

    /// What is known of it. One part may decide a connection whose others are not known.
    pub(crate) fn answer(&self, goals: &Goals) -> Option<Answer> {
        match self {
            Claim::Known(value) => Some(Answer::Holds(*value)),
            Claim::Goal(goal) => match goals.answer(*goal)? {
                Answer::Greatest(_) | Answer::Unbounded => None,
                answer => Some(answer),
            },
            Claim::Not(inner) => Some(match inner.answer(goals)? {
                Answer::Holds(value) => Answer::Holds(!value),
                other => other,
            }),
            Claim::All(parts) => connected(parts, false, goals),
            Claim::Any(parts) => connected(parts, true, goals),
            Claim::Greatest(goal, constant) => Some(match goals.answer(*goal)? {
                Answer::Greatest(value) => Answer::Greatest(value + *constant),
                other => other,
            }),
        }
    }

    /// Visits the goals.
    pub(crate) fn for_each_goal(&self, visit: &mut dyn FnMut(usize)) {
        match self {
            Claim::Known(_) => {}
            Claim::Goal(goal) | Claim::Greatest(goal, _) => visit(*goal),
            Claim::Not(inner) => inner.for_each_goal(visit),
            Claim::All(parts) | Claim::Any(parts) => {
                parts.iter().for_each(|part| part.for_each_goal(visit));
            }
        }
    }

    /// The goals without answer that it still depends on.
    fn pending(&self, goals: &Goals, pending: &mut Vec<usize>) {
        match self {
            Claim::All(parts) | Claim::Any(parts) if self.answer(goals).is_none() => {
                parts.iter().for_each(|part| part.pending(goals, pending));
            }
            Claim::All(_) | Claim::Any(_) => {}
            Claim::Not(inner) => inner.pending(goals, pending),
            single => single.for_each_goal(&mut |goal| match &goals.all[goal].same_as {
                _ if goals.answer(goal).is_some() => {}
                Some(claim) => claim.pending(goals, pending),
                None => pending.push(goal),
            }),
        }
    }

    /// What alone shows why the claim holds or fails, if something does.
    pub(crate) fn reason(&self, goals: &Goals) -> Option<Reason> {
        let by = |parts: &[Claim], value: bool| match parts {
            [part] => part.reason(goals),
            parts => {
                let answer = connected(parts, value, goals)?;
                let alike = parts.iter().find(|part| part.answer(goals).as_ref() == Some(&answer));
                alike.filter(|_| answer != Answer::Holds(!value))?.reason(goals)
            }
        };
        match self {
            Claim::Known(_) => Some(Reason::Start),
            Claim::Goal(goal) => Some(Reason::Goal(*goal)),
            Claim::Not(inner) => inner.reason(goals),
            Claim::All(parts) => by(parts, false),
            Claim::Any(parts) => by(parts, true),
            Claim::Greatest(..) => None,
        }
    }
}

/// What shows why a claim holds or fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The initial state alone.
    Start,
    /// What was found of a goal.
    Goal(usize),
}

/// What is known of a connection, whose first decisive part decides.
fn connected(parts: &[Claim], decisive: bool, goals: &Goals) -> Option<Answer> {
    let mut answers = parts.iter().map(|part| part.answer(goals));
    if answers.clone().any(|answer| answer == Some(Answer::Holds(decisive))) {
        return Some(Answer::Holds(decisive));
    }
    let neutral = Answer::Holds(!decisive);
    answers.try_fold(neutral.clone(), |all, answer| {
        let answer = answer?;
        Some(if all == neutral { answer } else { all })
    })
}

/// The goals of all questions, and what they are made of.
#[derive(Debug, Default)]
pub(crate) struct Goals {
    pub(crate) atoms: Atoms,
    /// The formulas of linear time.
    pub(crate) ltl: Ltl,
    /// What can be seen of the initial state, if it is known.
    pub(crate) start: Option<View>,
    all: Vec<Pursued>,
    numbers: HashMap<Goal, usize>,
    /// Runs that show what was found, or why there is none.
    runs: BTreeMap<usize, Result<ShownRun, Exhausted>>,
}

impl Goals {
    pub(crate) fn new(start: Option<View>) -> Goals {
        Goals { start, ltl: Ltl::new(), ..Goals::default() }
    }

    pub(crate) fn goal(&self, goal: usize) -> &Goal {
        &self.all[goal].goal
    }

    /// The atoms that it is about, some perhaps several times.
    pub(crate) fn atoms_of(&self, goal: usize) -> Vec<u32> {
        match self.goal(goal) {
            Goal::Initially(atom) | Goal::Somewhere(atom, _) => vec![*atom],
            Goal::Branching(formula) => formula.atoms(),
            Goal::Linear(formula) => self.ltl.atoms(*formula),
            Goal::Everyone(_) | Goal::Greatest(_) => Vec::new(),
        }
    }

    /// What was found of a goal, or follows from what was found of those that it comes down to.
    pub(crate) fn answer(&self, goal: usize) -> Option<Answer> {
        let Pursued { found, same_as, .. } = &self.all[goal];
        match found {
            Some((answer, _)) => Some(answer.clone()),
            None => same_as.as_ref()?.answer(self),
        }
    }

    /// Who found the answer.
    pub(crate) fn engine(&self, goal: usize) -> Option<Engine> {
        let Pursued { found, same_as, .. } = &self.all[goal];
        let mut engine = found.as_ref().map(|(_, engine)| *engine);
        if let (None, Some(claim)) = (found, same_as) {
            claim.for_each_goal(&mut |part| engine = engine.max(self.engine(part)));
        }
        engine
    }

    /// Notes that a goal comes down to a claim, from now on. What would come down to itself is left as it is.
    pub(crate) fn restate(&mut self, goal: usize, claim: Claim) {
        if self.all[goal].same_as.is_none() && !self.leads_to(&claim, goal) {
            self.all[goal].same_as = Some(claim);
        }
    }

    fn leads_to(&self, claim: &Claim, goal: usize) -> bool {
        let mut found = false;
        claim.for_each_goal(&mut |part| {
            let further = self.all[part].same_as.as_ref();
            found |= part == goal || further.is_some_and(|claim| self.leads_to(claim, goal));
        });
        found
    }

    /// Notes an answer. What was found before is not changed.
    pub(crate) fn settle(&mut self, goal: usize, answer: Answer, engine: Engine) {
        self.all[goal].found.get_or_insert((answer, engine));
    }

    /// Notes the run that shows what was found of a goal, or why there is none.
    pub(crate) fn show(&mut self, goal: usize, run: Result<ShownRun, Exhausted>) {
        self.runs.insert(goal, run);
    }

    /// The run that shows what was found of a goal, if one was looked for.
    pub(crate) fn run(&self, goal: usize) -> Option<&Result<ShownRun, Exhausted>> {
        self.runs.get(&goal)
    }

    /// The goals without answer that some of the claims depend on.
    pub(crate) fn pending<'c>(&self, claims: impl Iterator<Item = &'c Claim>) -> Vec<usize> {
        let mut pending = Vec::new();
        claims.for_each(|claim| claim.pending(self, &mut pending));
        pending.sort_unstable();
        pending.dedup();
        pending
    }

    pub(crate) fn number(&mut self, goal: Goal) -> usize {
        let next = self.all.len();
        let number = *self.numbers.entry(goal.clone()).or_insert(next);
        if number == next {
            self.all.push(Pursued { goal, found: None, same_as: None });
        }
        number
    }
}
