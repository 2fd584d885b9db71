//! Questions and goals, on which several engines work at once. Each answer is reported as soon as it is known.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use budget::Budget;
use survey::Engine;

use crate::Tell;
use crate::goal::{Answer, Claim, Goals};

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
    /// What must hold some time if such a question is not to hold vacuously; of questions that do not fail.
    premises: Vec<(usize, Claim)>,
    tell: Tell<'t>,
}

impl<'t> Board<'t> {
    /// Puts up claims, and tells what is known already. Engines work within the budget of the board, a
    /// child of the one given. Premises are decided on the way, but nobody goes on for them alone.
    pub(crate) fn new(
        goals: Goals,
        claims: Vec<(usize, Claim)>,
        premises: Vec<(usize, Claim)>,
        budget: &Budget,
        tell: Tell<'t>,
    ) -> Board<'t> {
        let board = Board {
            state: Mutex::new(State { goals, open: claims, premises, tell }),
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

    /// Notes what was found, and tells what follows.
    pub(crate) fn settle(&self, by: Engine, found: impl IntoIterator<Item = (usize, Answer)>) {
        let State { goals, open, premises, tell } = &mut *self.lock();
        found.into_iter().for_each(|(goal, answer)| goals.settle(goal, answer, by));
        open.retain(|(question, claim)| match claim.answer(goals) {
            Some(answer) => {
                if answer == Answer::Holds(false) {
                    premises.retain(|(other, _)| other != question);
                }
                tell(*question, &answer.verdict(), by);
                false
            }
            None => true,
        });
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
