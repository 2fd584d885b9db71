//! What can be seen in a state of a program: where its threads are, with what, and what these can reach.
//!
//! Variables that are not read again are not seen, and neither is what only they refer to.

use std::collections::BTreeSet;

use interpret::{Address, Frame, Pid, Point, State, Thread, Value};
use net::Origin;
use net::listing::Line;
use program::graph::NodeId;
use program::live::Locals;
use program::{Named, ProcessId, Program, RoutineId};

use super::Teller;
use super::names::reached;
use crate::words::{own_line, place_text, short_place};

/// A state, and what can be seen in it.
pub(super) struct Moment<'r, 'p> {
    pub state: &'r State,
    /// The threads that run, in the order of their numbers.
    pub standings: Vec<Standing<'r, 'p>>,
    /// The objects that can be reached.
    pub objects: BTreeSet<Address>,
    /// The processes that have ended and can be reached.
    pub ended: BTreeSet<Pid>,
}

/// Where a thread is.
pub(super) struct Standing<'r, 'p> {
    pub pid: Pid,
    /// The kind of process that it is, and what that is called.
    pub kind: ProcessId,
    pub process: &'p str,
    pub label: Option<&'p str>,
    /// The process or function that it executes, and those that called it, from the innermost outwards.
    pub routines: Vec<&'p str>,
    /// The statement before which it is, and the calls that led there.
    pub lines: Vec<Line>,
    /// Whether it may be there for ever.
    pub is_idle: bool,
    /// The variables that were written by somebody, those of the innermost call last; each with the number of calls around
    /// it.
    pub variables: Vec<(usize, &'p Named, &'r Value)>,
    /// Where it is in the graphs of its routines, and what else it keeps.
    stops: Vec<(RoutineId, NodeId)>,
    kept: Vec<&'r Value>,
}

impl<'r, 'p> Moment<'r, 'p> {
    pub fn of(teller: &Teller<'p>, state: &'r State) -> Moment<'r, 'p> {
        let standing = |pid| Some(Standing::of(teller, state, pid, state.thread(pid)?));
        let standings: Vec<Standing> = state.pids().filter_map(standing).collect();
        let own = standings.iter().flat_map(|standing| {
            let variables = standing.variables.iter().map(|(.., value)| *value);
            variables.chain(standing.kept.iter().copied())
        });
        let (objects, ended) = reached(state, state.globals.iter().chain(own));
        Moment { state, standings, objects, ended }
    }

    /// Where a thread is, if it runs.
    pub fn standing(&self, pid: Pid) -> Option<&Standing<'r, 'p>> {
        self.standings.iter().find(|standing| standing.pid == pid)
    }
}

impl<'r, 'p> Standing<'r, 'p> {
    fn of(teller: &Teller<'p>, state: &'r State, pid: Pid, thread: &'r Thread) -> Self {
        let program = teller.program();
        let point = teller.interpreter.point(state, pid).expect("it runs");
        let calls = teller.interpreter.calls(thread);
        let origins: Vec<Origin> = calls.iter().copied().chain([point.origin]).collect();
        let name = |frame: &Frame| frame.routine.of(program).name.as_str();
        let mut standing = Standing {
            pid,
            kind: thread.kind,
            process: &program.processes[thread.kind.index()].name,
            label: None,
            routines: thread.frames.iter().rev().map(name).collect(),
            lines: origins.iter().rev().map(|origin| teller.line(*origin)).collect(),
            is_idle: point.is_idle,
            variables: Vec::new(),
            stops: Vec::new(),
            kept: Vec::new(),
        };
        let deferring = thread.frames.iter().position(Frame::is_deferring);
        let innermost = deferring.unwrap_or(thread.frames.len() - 1);
        for (depth, frame) in thread.frames.iter().enumerate().take(innermost + 1) {
            let live = match depth == innermost {
                true => standing.stop_at(teller, thread, frame, &point),
                false => teller.stops.kept(thread, frame, calls[depth]),
            };
            standing.add_variables(program, frame, depth, &live);
        }
        // What functions keep that are called in something deferred is seen only in what it leads to.
        let inside = thread.frames[innermost + 1..].iter();
        standing.kept.extend(inside.flat_map(|frame| frame.locals.iter().flatten()));
        thread.pending(&mut |value| standing.kept.push(value));
        standing
    }

    /// The stop at which it is, and what is live there.
    fn stop_at(
        &mut self,
        teller: &Teller<'p>,
        thread: &Thread,
        frame: &Frame,
        point: &Point,
    ) -> Locals {
        self.stops = teller.stops.at(thread, frame, point.origin, point.statement);
        if let Some(first) = self.stops.first() {
            let stop = teller.stops.stop(*first);
            self.label = stop.label(teller.program()).map(|(_, label)| label);
            self.lines[0] = teller.line(stop.origin);
        }
        teller.stops.live(&self.stops)
    }

    fn add_variables(
        &mut self,
        program: &'p Program,
        frame: &'r Frame,
        depth: usize,
        live: &Locals,
    ) {
        let routine = frame.routine.of(program);
        // Those of the prelude are nobody's concern.
        let start = program.prelude.unwrap_or(usize::MAX);
        let is_innermost = depth + 1 == self.routines.len();
        let is_own = |named: &Named| {
            let is_declared = named.origin.range().is_none_or(|range| range.start < start);
            let is_this = is_innermost && self.lines[0].in_prelude && named.name == "this";
            is_declared && !is_this && !named.name.starts_with('$')
        };
        let (mut seen, mut kept) = (Vec::new(), Vec::new());
        for local in live.iter().filter(|local| local.index() < routine.locals.len()) {
            let named = &routine.locals[local.index()];
            let Some(value) = &frame.locals[local.index()] else { continue };
            match is_own(named) {
                true => seen.push((depth, named, value)),
                false => kept.push(value),
            }
        }
        self.variables.extend(seen);
        self.kept.extend(kept);
    }

    /// Where it is in the graph of its routine.
    pub fn stops(&self) -> &[(RoutineId, NodeId)] {
        &self.stops
    }

    fn lines(&self) -> Vec<&Line> {
        self.lines.iter().collect()
    }

    /// The innermost line of the program itself.
    pub fn own_line(&self) -> Option<&Line> {
        own_line(&self.lines())
    }

    /// Its line and column.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.own_line().map(|line| (line.line, line.column))
    }

    /// `line 14: lock.lock()`, `critical, line 14: served = 1`.
    pub fn text(&self) -> String {
        place_text(self.label, &self.lines())
    }

    /// `line 14`, or the label.
    pub fn short(&self) -> String {
        short_place(self.label, &self.lines())
    }

    /// The callers and the lines of the program by which they called, from the innermost outwards.
    pub fn calls(&self) -> impl Iterator<Item = (&'p str, Option<usize>)> {
        let calls = self.routines.iter().zip(&self.lines).skip(1);
        calls.map(|(routine, line)| (*routine, own_line(&[line]).map(|line| line.line)))
    }

    /// Whether a thread is where it was, with what it had.
    pub fn is_as(&self, other: &Standing) -> bool {
        let mut pairs = self.variables.iter().zip(&other.variables);
        self.stops == other.stops
            && self.lines == other.lines
            && self.variables.len() == other.variables.len()
            && pairs.all(|((a, one, x), (b, two, y))| (a, &one.name, x) == (b, &two.name, y))
            && self.kept == other.kept
    }
}
