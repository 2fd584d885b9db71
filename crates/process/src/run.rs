//! From a step to the next stops: the local nodes in between.

mod merge;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use net::{Expr as NetExpr, Origin, Sort};

use crate::cases::Cases;
use crate::evaluate::{Parts, found, then};
use crate::execute::Flow;
use crate::formula::equal;
use crate::layout::{Layout, Scalar};
use crate::path::{Begin, Call, End, Env, Frame, Path, Row, Thread};
use program::graph::{Node, NodeId, RoutineId, Site, StopId};
use program::live::Locals;
use program::routines::Routines;
use program::{Expr, LocalId, Refusal};

/// What executes statements, and goes on from stop to stop.
pub(crate) struct Runner<'p> {
    pub layout: Layout<'p>,
    pub routines: &'p Routines,
    /// The class of frames.
    pub frames: Sort,
    /// What cannot be compiled.
    pub refusals: RefCell<Vec<Refusal>>,
    /// The statement or claim that is being compiled.
    pub place: Cell<Origin>,
    /// Whether the first process runs before the first step.
    pub is_start: Cell<bool>,
    /// The cases of the statement that is being compiled.
    pub cases: Rc<Cases>,
    /// Where the ways of branches come together.
    pub joins: RefCell<HashMap<Site, Option<NodeId>>>,
}

/// Where a path leads on: to a node, or it ends.
enum Onward {
    To(NodeId),
    End(End),
}

impl Runner<'_> {
    /// A path on which nothing has been done.
    pub(crate) fn path(&self) -> Path {
        Path::new(Rc::clone(&self.cases))
    }

    /// Compiles something that is written at a place. It is refused if it has too many cases: then what was made of
    /// it is not all.
    pub(crate) fn limited<T>(&self, place: Origin, compiled: impl FnOnce() -> T) -> T {
        self.place.set(place);
        self.cases.clear();
        let compiled = compiled();
        if let Some(excess) = self.cases.excess() {
            let help = "branches, elements that may be there and references that may be to the \
                        same object are cases: do or ask less at once";
            self.refuse(excess, help);
        }
        compiled
    }

    /// Notes that the statement or claim at hand cannot be compiled, once.
    pub(crate) fn refuse(&self, what: impl Into<String>, help: &str) {
        let (origin, what) = (self.place.get(), what.into());
        let mut refusals = self.refusals.borrow_mut();
        let is_same = |one: &Refusal| one.what == what && one.origin.range() == origin.range();
        if !refusals.iter().any(is_same) {
            refusals.push(Refusal { origin, what, help: help.into() });
        }
    }

    /// Whether something cannot be compiled.
    pub(crate) fn has_refused(&self) -> bool {
        !self.refusals.borrow().is_empty()
    }

    /// Goes on with the thread that acts, from a node of the routine that it is in, up to the next stops.
    pub(crate) fn run(&self, node: NodeId, path: Path) -> Parts<End> {
        let mut parts = Vec::new();
        let mut open = found(path, Onward::To(node));
        while let Some((path, onward)) = open.pop() {
            match onward {
                Ok(Onward::To(node)) => open.extend(self.pass(node, path).into_iter().rev()),
                Ok(Onward::End(end)) => parts.push((path, Ok(end))),
                Err(halt) => parts.push((path, Err(halt))),
            }
        }
        parts
    }

    /// Passes a node.
    fn pass(&self, node: NodeId, path: Path) -> Parts<Onward> {
        let routine = innermost(&path);
        let layout = &self.layout;
        let graph = self.routines.graph(routine);
        let to = |path: Path, next: NodeId| (path, Ok(Onward::To(next)));
        if let (true, Some(stop)) = (self.is_start.get(), graph.before_choices.get(&node)) {
            return found(path, Onward::End(End::Stop(*stop)));
        }
        match graph.node(node) {
            Node::Next(next) | Node::Label(_, next) => vec![to(path, *next)],
            Node::Do(statement, next) => {
                let done = self.block(std::slice::from_ref(statement), path);
                then(done, |path, _| vec![to(path, *next)])
            }
            Node::Branch(condition, ways) => {
                then(layout.condition(condition, path), |path, holds| {
                    if let Some((path, join)) = self.merged(node, &holds, &path) {
                        return vec![to(path, join)];
                    }
                    let parts = path.split(&holds).into_iter().zip(ways);
                    parts.filter_map(|(path, way)| Some(to(path?, *way))).collect()
                })
            }
            Node::Choice(ways) => {
                let paths = path.ways(ways.len()).into_iter();
                let chosen = paths.map(|(mut path, number)| {
                    let (node, way) = ways[number];
                    path.note_branch(number, ways.len(), way);
                    to(path, node)
                });
                chosen.collect()
            }
            Node::Choose(local, domain, next) => {
                let chosen = self.choose(*local, domain, None, path);
                then(chosen, |path, _: Flow| vec![to(path, *next)])
            }
            Node::Stop(_) => found(path, Onward::End(End::Stop(node))),
            Node::Call { routine, arguments, passed, .. } => {
                let passed = passed.iter().map(|(local, value)| (*local, value));
                let given = (0..).map(LocalId).zip(arguments).chain(passed);
                let (locals, values): (Vec<LocalId>, Vec<Expr>) =
                    given.map(|(local, value)| (local, value.clone())).unzip();
                then(layout.each(&values, path), |mut path, rows| {
                    let env = locals.iter().copied().zip(rows).collect();
                    let calls = &mut path.threads[path.acting].calls;
                    calls.last_mut().expect("a thread is in a routine").at = Some(node);
                    calls.push(Call { routine: *routine, env, at: None });
                    vec![to(path, self.routines.graph(*routine).entry)]
                })
            }
            Node::Return(None) => self.back(None, false, path),
            Node::Return(Some(value)) => {
                then(layout.eval(value, path), |path, row| self.back(Some(row), false, path))
            }
            Node::Killed => self.back(None, true, path),
        }
    }

    /// Leaves a routine: to the call that the path knows of, to those that there may have been, or for ever.
    fn back(&self, result: Option<Row>, is_killed: bool, mut path: Path) -> Parts<Onward> {
        let thread = &mut path.threads[path.acting];
        let left = thread.calls.pop().expect("a thread is in a routine");
        if let Some(caller) = thread.calls.last_mut() {
            let at = caller.at.take().expect("it waits for the one that was left");
            let site = (caller.routine, at);
            return self.resume(site, result, is_killed, path);
        }
        // One that was killed leaves its frames behind if nothing is pending there.
        if !left.routine.is_called() || is_killed && !self.routines.is_guarded(left.routine) {
            // Where it ended is of no interest, but what acts is in some routine.
            path.threads[path.acting].calls.push(left);
            let end = if is_killed { End::Killed } else { End::Returned(result) };
            return found(path, Onward::End(end));
        }
        let sites = self.routines.callers(left.routine);
        let ways = sites.iter().zip(path.copies(sites.len())).flat_map(|(site, path)| {
            let path = self.taken(*site, path);
            self.resume(*site, result.clone(), is_killed, path)
        });
        ways.collect()
    }

    /// Goes on after a call.
    fn resume(
        &self,
        site: Site,
        result: Option<Row>,
        is_killed: bool,
        mut path: Path,
    ) -> Parts<Onward> {
        let Node::Call { result: local, next, killed, .. } =
            self.routines.graph(site.0).node(site.1)
        else {
            unreachable!("only calls are returned to");
        };
        if let (Some(local), Some(row), false) = (local, result, is_killed) {
            path.env().insert(*local, row);
        }
        let next = if is_killed { killed.expect("it was killed in the function") } else { *next };
        found(path, Onward::To(next))
    }

    /// Takes the frame that a call has made, and puts the thread back into the routine of the caller.
    fn taken(&self, site: Site, mut path: Path) -> Path {
        let (graph, scalars) = (self.routines.graph(site.0), self.kept_scalars(site));
        let has_frame = site.0.is_called();
        let kept = path.fresh_row(&scalars);
        let mut vars = kept.iter().map(|var| NetExpr::Var(*var));
        let outer = if has_frame { vars.next() } else { None };
        let mut env = Env::new();
        for local in self.kept(site) {
            let width = self.layout.width(&graph.locals[local.index()].of);
            env.insert(local, vars.by_ref().take(width).collect());
        }
        let acting = path.acting;
        let thread = &mut path.threads[acting];
        let id = std::mem::replace(&mut thread.frame, outer).expect("a function has a frame");
        thread.calls.push(Call { routine: site.0, env, at: None });
        path.frames.push(Frame { site, id, kept });
        path
    }

    /// The variables that a call keeps.
    pub(crate) fn kept(&self, (routine, node): Site) -> Locals {
        let Node::Call { seen, result, next, killed, .. } = self.routines.graph(routine).node(node)
        else {
            unreachable!("only calls keep something");
        };
        self.routines.live(routine).kept(seen, *result, *next, *killed)
    }

    /// The scalars that a frame keeps: the frame of the caller if it is a function, then its variables.
    pub(crate) fn kept_scalars(&self, site: Site) -> Vec<Scalar> {
        let frame = Scalar { sort: self.frames, optional: false };
        let graph = self.routines.graph(site.0);
        let variables = self
            .kept(site)
            .into_iter()
            .flat_map(|local| self.layout.scalars(&graph.locals[local.index()].of));
        let outer = site.0.is_called().then_some(frame);
        outer.into_iter().chain(variables).collect()
    }

    /// The scalars that follow a thread in its token at a stop.
    pub(crate) fn stop_scalars(&self, routine: RoutineId, stop: NodeId) -> Vec<Scalar> {
        let frame = Scalar { sort: self.frames, optional: false };
        let graph = self.routines.graph(routine);
        let variables = self
            .routines
            .live(routine)
            .at(stop)
            .iter()
            .flat_map(|local| self.layout.scalars(&graph.locals[local.index()].of));
        let outer = routine.is_called().then_some(frame);
        outer.into_iter().chain(variables).collect()
    }

    /// Puts a thread at a stop into a path: one of which the handle is known, or any.
    pub(crate) fn at_stop(&self, stop: StopId, handle: Option<&NetExpr>, mut path: Path) -> Path {
        let (routine, node) = stop;
        let var = match handle {
            Some(NetExpr::Var(var)) if !path.variables[var.index()].optional => *var,
            _ => {
                let var = path.variable(Scalar { sort: Sort::Pid, optional: false });
                let same = handle.map(|handle| equal(handle.clone(), NetExpr::Var(var)));
                path.guard.extend(same);
                var
            }
        };
        let vars = path.fresh_row(&self.stop_scalars(routine, node));
        let mut values = vars.iter().map(|var| NetExpr::Var(*var));
        let frame = if routine.is_called() { values.next() } else { None };
        let graph = self.routines.graph(routine);
        let mut env = Env::new();
        for local in self.routines.live(routine).at(node) {
            let width = self.layout.width(&graph.locals[local.index()].of);
            env.insert(*local, values.by_ref().take(width).collect());
        }
        let calls = vec![Call { routine, env, at: None }];
        path.threads.push(Thread::new(var, Begin::At(stop, vars), calls, frame));
        path
    }
}

/// The routine that the thread which acts is in.
pub(crate) fn innermost(path: &Path) -> RoutineId {
    path.threads[path.acting].calls.last().expect("a thread is in a routine").routine
}
