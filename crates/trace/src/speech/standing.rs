//! Where a thread of a process is: the statement, the calls that led there, the variables.

use net::listing::{Field, Line, Listed, Listing};
use state::{Pid, State, Token, Value};

use super::{Speech, seen};
use crate::change::At;
use crate::words::{own_line, place_text, short_place};

/// Where a thread is.
pub(crate) struct Standing<'n> {
    listing: &'n Listing,
    /// The kind of process that it is.
    pub(super) process: &'n str,
    label: Option<&'n str>,
    /// The process or function that it executes, and those that called it, from the innermost outwards.
    routines: Vec<&'n str>,
    /// The statement before which it is, and the calls that led there.
    pub(super) lines: Vec<&'n Line>,
    /// Where the variables are of what it executes and of those that called it, and what they hold.
    variables: Vec<(&'n [Field], Vec<Value>)>,
}

impl<'n> Speech<'n> {
    /// Where a thread is. Without the state, the calls that led there are not known.
    pub fn standing(&self, state: Option<&State>, pid: &Pid, at: &At) -> Option<Standing<'n>> {
        let Listed::Point { process, routine, is_function, label, line, variables } =
            self.listed(&at.place)?
        else {
            return None;
        };
        let token: Vec<Value> =
            std::iter::once(Value::Pid(pid.clone())).chain(at.values.iter().cloned()).collect();
        let mut frame = is_function.then(|| token[1].clone());
        let mut standing = Standing {
            listing: self.listing,
            process,
            label: label.as_deref(),
            routines: vec![routine],
            lines: vec![line],
            variables: vec![(variables, token)],
        };
        while let Some(id) = frame.take() {
            let Some(call) = state.and_then(|state| self.call(state, &id)) else { break };
            standing.routines.push(call.caller);
            standing.lines.push(call.line);
            frame = call.is_by_function.then(|| call.token[1].clone());
            standing.variables.push((call.variables, call.token));
        }
        Some(standing)
    }

    /// A call that has not returned.
    fn call(&self, state: &State, id: &Value) -> Option<Call<'n>> {
        self.frames.iter().find_map(|(place, listed)| {
            let Listed::Frame { routine, is_function, line, variables } = listed else {
                return None;
            };
            let mut tokens = state.tokens(place);
            let (token, _) = tokens.find(|(token, _)| token.first() == Some(id))?;
            let (caller, token) = (routine.as_str(), token.clone());
            Some(Call { caller, line, is_by_function: *is_function, variables, token })
        })
    }
}

/// A call that has not returned.
struct Call<'n> {
    caller: &'n str,
    line: &'n Line,
    /// Whether the caller is a function, which was called itself.
    is_by_function: bool,
    /// What is kept for the caller.
    variables: &'n [Field],
    token: Token,
}

impl<'n> Standing<'n> {
    /// The kind of process that the thread is.
    pub fn process(&self) -> &'n str {
        self.process
    }

    /// The process or function that it executes.
    pub fn routine(&self) -> &'n str {
        self.routines[0]
    }

    /// The label of the statement.
    pub fn label(&self) -> Option<&'n str> {
        self.label
    }

    /// The innermost line of the program itself.
    pub fn own_line(&self) -> Option<&'n Line> {
        own_line(&self.lines)
    }

    /// Its line and column.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.own_line().map(|line| (line.line, line.column))
    }

    /// The callers and the lines of the program by which they called, from the innermost outwards.
    pub fn calls(&self) -> impl Iterator<Item = (&'n str, Option<usize>)> {
        let calls = self.routines.iter().zip(&self.lines).skip(1);
        calls.map(|(routine, line)| (*routine, own_line(&[*line]).map(|line| line.line)))
    }

    /// `line 14: lock.lock()`, `critical, line 14: served = 1`.
    pub fn text(&self) -> String {
        place_text(self.label, &self.lines)
    }

    /// The variables, those of the innermost call last, and their values; each with the number of calls around it.
    pub fn variables(&self) -> impl Iterator<Item = ((usize, &'n str), String)> {
        let (calls, listing) = (self.variables.iter().rev().enumerate(), self.listing);
        calls.flat_map(move |(depth, (fields, token))| {
            let seen = seen(listing, fields, token).into_iter();
            seen.map(move |(name, text)| ((depth, name), text))
        })
    }

    /// `line 14`, or the label.
    pub fn short(&self) -> String {
        short_place(self.label, &self.lines)
    }
}
