//! Questions and goals, on which several engines work at once. Each answer is passed on as soon as it is known.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use budget::{Budget, Exhausted};
use survey::Engine;

use crate::evidence::ShownRun;
use crate::goal::{Answer, Claim, Goals};

/// Called with each claim as soon as all is known that is said of it: the number of the question, and the claim. A claim
/// that holds waits for what it presupposes.
pub(crate) type Hear<'h> = &'h mut (dyn FnMut(usize, &Claim, &Goals) + Send);

/// What is asked, and what has been found.
pub(crate) struct Board<'t> {
    state: Mutex<State<'t>>,
    /// Raised with each change.
    version: AtomicUsize,
    /// Ends when everything is answered.
    budget: Budget,
}

struct State<'t> {
    goals: Goals,
    /// Claims without answer, by the numbers of their questions.
    open: Vec<(usize, Claim)>,
    /// Claims that hold, perhaps only since what they speak of never happens: that is not known yet.
    presuming: Vec<(usize, Claim)>,
    /// What must hold some time if such a question is not to hold vacuously; of questions that do not fail.
    premises: Vec<(usize, Claim)>,
    /// Whether the first claim that fails ends it all.
    is_for_first: bool,
    hear: Hear<'t>,
}

impl<'t> Board<'t> {
    /// Puts up claims, and passes on what is known already. Engines work within the budget of the board, a
    /// child of the one given, and for the first claim that fails if that is enough. Premises are decided on the way, but
    /// no engine goes on for them alone.
    pub(crate) fn new(
        goals: Goals,
        claims: Vec<(usize, Claim)>,
        premises: Vec<(usize, Claim)>,
        (budget, is_for_first): (&Budget, bool),
        hear: Hear<'t>,
    ) -> Board<'t> {
        let presuming = Vec::new();
        let state = State { goals, open: claims, presuming, premises, is_for_first, hear };
        let board = Board {
            state: Mutex::new(state),
            version: AtomicUsize::new(1),
            budget: budget.child(budget::Limits::default()),
        };
        board.settle(Engine::Explicit, []);
        board
    }

    fn lock(&self) -> MutexGuard<'_, State<'t>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the goals, and at those that are pending.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&mut Goals, Vec<usize>) -> T) -> T {
        let State { goals, open, premises, .. } = &mut *self.lock();
        let pending = goals.pending(open.iter().chain(&*premises).map(|(_, claim)| claim));
        look(goals, pending)
    }

    /// Notes what was found, and passes on what follows.
    pub(crate) fn settle(&self, by: Engine, found: impl IntoIterator<Item = (usize, Answer)>) {
        let found = found.into_iter().map(|(goal, answer)| (goal, answer, None));
        self.settle_shown(by, found);
    }

    /// The same, with runs that show it, or why there is none.
    pub(crate) fn settle_shown(
        &self,
        by: Engine,
        found: impl IntoIterator<Item = (usize, Answer, Option<Result<ShownRun, Exhausted>>)>,
    ) {
        let State { goals, open, presuming, premises, is_for_first, hear } = &mut *self.lock();
        for (goal, answer, run) in found {
            goals.settle(goal, answer, by);
            if let Some(run) = run {
                goals.show(goal, run);
            }
        }
        let mut answered = std::mem::take(presuming);
        answered.extend(open.extract_if(.., |(_, claim)| claim.answer(goals).is_some()));
        for (question, claim) in answered {
            let answer = claim.answer(goals);
            let is_of = |(other, premise): &(usize, Claim)| {
                *other == question && premise.answer(goals).is_none()
            };
            if answer == Some(Answer::Holds(true)) && premises.iter().any(is_of) {
                presuming.push((question, claim));
                continue;
            }
            if answer == Some(Answer::Holds(false)) {
                premises.retain(|(other, _)| *other != question);
                if *is_for_first {
                    open.clear();
                }
            }
            hear(question, &claim, goals);
        }
        self.version.fetch_add(1, Ordering::Relaxed);
        if open.is_empty() {
            self.budget.interrupt();
        }
    }

    /// A number that changes whenever something is settled.
    pub(crate) fn version(&self) -> usize {
        self.version.load(Ordering::Relaxed)
    }

    /// What engines may use. It is used up when everything is answered.
    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The premises without answer of questions that hold.
    pub(crate) fn open_premises(&self) -> Vec<(usize, Claim)> {
        let State { goals, open, premises, .. } = &*self.lock();
        let is_open = |question: usize| open.iter().any(|(other, _)| *other == question);
        let open = premises
            .iter()
            .filter(|(question, claim)| !is_open(*question) && claim.answer(goals).is_none());
        open.cloned().collect()
    }

    /// Whether everything is answered, or the time is up.
    pub(crate) fn is_over(&self) -> bool {
        self.budget.is_exhausted()
    }

    /// Whether everything is answered.
    pub(crate) fn is_answered(&self) -> bool {
        self.lock().open.is_empty()
    }

    /// The goals, when no engine is at work.
    pub(crate) fn into_goals(self) -> Goals {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).goals
    }
}
