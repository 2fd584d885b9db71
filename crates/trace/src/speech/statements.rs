//! Where the statements are that transitions stand for.

use std::collections::BTreeSet;

use net::TransitionId;
use net::interpret::Mode;
use net::listing::{Line, Listed};
use state::{Pid, State};

use super::Speech;
use crate::change::At;
use crate::told::Position;
use crate::words::{own_line, statement_text};

impl<'n> Speech<'n> {
    /// The statements that a transition stands for, whoever executes it: their positions in the text.
    pub fn positions(&self, transition: TransitionId) -> Vec<(usize, usize)> {
        self.parts(transition).map(|(_, line)| (line.line, line.column)).collect()
    }

    /// Whether a mode is one of a process.
    pub fn is_statement(&self, mode: &Mode) -> bool {
        let participants = &self.net.transition(mode.transition).participants;
        let mut acting = participants.iter().filter(|one| !one.passive);
        acting.any(|one| matches!(self.listing.places.get(&one.from), Some(Listed::Point { .. })))
    }

    /// Line and column of the statement that a transition is for a thread in one of its roles.
    pub fn position(
        &self,
        state: &State,
        pid: &Pid,
        at: &At,
        transition: TransitionId,
        role: usize,
    ) -> Option<(usize, usize)> {
        let standing = self.standing(Some(state), pid, at)?;
        let lines = self.lines(standing.lines, transition, self.nth(transition, role));
        own_line(&lines).map(|line| (line.line, line.column))
    }

    /// The kinds of processes that act in a transition, and by which statements of the text. What is done in the
    /// prelude on behalf of a statement is that statement, if it is known without looking at calls.
    fn parts(&self, transition: TransitionId) -> impl Iterator<Item = (&'n str, &'n Line)> {
        let participants = self.net.transition(transition).participants.iter();
        let acting = participants.filter(|one| !one.passive).enumerate();
        acting.filter_map(move |(nth, one)| {
            let Listed::Point { process, line, .. } = self.listing.places.get(&one.from)? else {
                return None;
            };
            Some((process.as_str(), own_line(&self.lines(vec![line], transition, nth))?))
        })
    }

    /// All statements that transitions stand for, and who executes them.
    fn all_parts(&self) -> impl Iterator<Item = (&'n str, &'n Line)> {
        let all = (0..self.net.transitions.len() as u32).map(TransitionId);
        all.filter(|id| !self.net.transition(*id).probe).flat_map(|id| self.parts(id))
    }

    /// The first statement at a line, and column if that is given.
    pub fn statement_at(&self, line: usize, column: Option<usize>) -> Option<Position> {
        let all = self.all_parts().map(|(_, line)| line);
        let here = all.filter(|one| one.line == line && column.is_none_or(|c| one.column == c));
        let first = here.min_by_key(|line| line.column)?;
        let (line, column) = (Some(first.line), Some(first.column));
        Some(Position { line, column, text: statement_text(first) })
    }

    /// The kinds of processes that have a statement at a position.
    pub fn processes_at(&self, is_it: &dyn Fn((usize, usize)) -> bool) -> BTreeSet<&'n str> {
        let here = self.all_parts().filter(|(_, line)| is_it((line.line, line.column)));
        here.map(|(process, _)| process).collect()
    }
}
