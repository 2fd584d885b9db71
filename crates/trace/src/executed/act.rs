//! Who acts in a step of a program, and by which statements.

use interpret::Next;
use net::listing::Line;

use super::scene::Scene;
use crate::words::{own_line, place_text};

/// What a thread does in a step.
pub(super) struct Act<'p> {
    pub name: state::Pid,
    /// The kind of process that it is.
    pub process: &'p str,
    /// The statement, and the calls that led there, from the innermost outwards.
    lines: Vec<Line>,
}

/// Who acts in a step, given the state before it. What goes wrong is told by the statement that does.
pub(super) fn acts<'p>(before: Scene<'_, '_, 'p>, next: &Next) -> Vec<Act<'p>> {
    let mut acts = Vec::new();
    for (number, actor) in next.actors.iter().enumerate() {
        let standing = before.moment.standing(actor.pid).expect("who acts runs");
        let origin = match &next.outcome {
            Err(failed) if number == 0 => failed.failure.origin,
            _ => actor.origin,
        };
        let mut lines = standing.lines.clone();
        match before.program().written(origin) {
            // A step of an object of the prelude is told by its call.
            Some(line) if line.in_prelude && !lines[0].in_prelude => lines.insert(0, line),
            Some(line) => lines[0] = line,
            None => {}
        }
        let name = before.names.pid(actor.pid).clone();
        acts.push(Act { name, process: standing.process, lines });
    }
    acts
}

impl Act<'_> {
    fn all_lines(&self) -> Vec<&Line> {
        self.lines.iter().collect()
    }

    /// `worker 1.2, line 14: lock.lock()`.
    pub fn full_text(&self) -> String {
        format!("{} {}, {}", self.process, self.name, self.text())
    }

    /// `line 14: lock.lock()`.
    pub fn text(&self) -> String {
        place_text(None, &self.all_lines())
    }

    /// The same without where that is in the prelude.
    pub fn short_text(&self) -> String {
        place_text(None, &[self.line()])
    }

    /// The innermost line of the program itself.
    pub fn line(&self) -> &Line {
        self.own_line().unwrap_or(&self.lines[0])
    }

    /// The innermost line that is in the text of the model.
    pub fn own_line(&self) -> Option<&Line> {
        own_line(&self.all_lines())
    }

    /// Its line and column, if it is in the text of the model.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.own_line().map(|line| (line.line, line.column))
    }
}
