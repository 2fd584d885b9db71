//! From a step to the next stops: the local nodes in between.

use net::{Expr as NetExpr, Sort};

use crate::evaluate::{Parts, found, then};
use crate::execute::{Executor, Flow};
use crate::graph::{Node, NodeId, RoutineId, Site};
use crate::layout::Scalar;
use crate::live::Locals;
use crate::path::{Call, Env, Frame, Path, Row};
use crate::program::{FunctionId, LocalId};
use crate::routines::Routines;

/// Where a thread is after a step.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// At a stop of the routine that it is in.
    Stop(NodeId),
    /// It has ended, with a result; or it was killed.
    Ended { result: Option<Row>, is_killed: bool },
}

/// What goes on after a step.
pub(crate) struct Runner<'p> {
    pub executor: Executor<'p>,
    pub routines: &'p Routines,
    /// The class of frames.
    pub frames: Sort,
}

impl Runner<'_> {
    /// Goes on with the thread that acts, from a node of the routine that it is in, up to the next stops.
    pub(crate) fn run(&self, node: NodeId, path: Path) -> Parts<End> {
        let routine = self.routine(&path);
        let layout = &self.executor.layout;
        match self.routines.graph(routine).node(node) {
            Node::Next(next) => self.run(*next, path),
            Node::Do(statement, next) => {
                let done = self.executor.block(std::slice::from_ref(statement), path);
                then(done, |path, _| self.run(*next, path))
            }
            Node::Branch(condition, [yes, no]) => {
                then(layout.condition(condition, path), |path, holds| {
                    let [with, without] = path.split(&holds);
                    let mut parts = Vec::new();
                    parts.extend(with.into_iter().flat_map(|path| self.run(*yes, path)));
                    parts.extend(without.into_iter().flat_map(|path| self.run(*no, path)));
                    parts
                })
            }
            Node::Choice(ways) => {
                ways.iter().flat_map(|way| self.run(*way, path.clone())).collect()
            }
            Node::Choose(local, domain, next) => {
                let chosen = self.executor.choose(*local, domain, None, path);
                then(chosen, |path, _: Flow| self.run(*next, path))
            }
            Node::Stop(_) => found(path, End::Stop(node)),
            Node::Call { function, arguments, .. } => {
                then(layout.each(arguments, path), |mut path, rows| {
                    let env = (0..).map(LocalId).zip(rows).collect();
                    let calls = &mut path.threads[path.acting].calls;
                    calls.last_mut().expect("a thread is in a routine").at = Some(node);
                    let routine = RoutineId::Function(*function);
                    calls.push(Call { routine, env, at: None });
                    self.run(self.routines.graph(routine).entry, path)
                })
            }
            Node::Return(None) => self.back(None, false, path),
            Node::Return(Some(value)) => {
                then(layout.eval(value, path), |path, row| self.back(Some(row), false, path))
            }
            Node::Killed => self.back(None, true, path),
        }
    }

    fn routine(&self, path: &Path) -> RoutineId {
        path.threads[path.acting].calls.last().expect("a thread is in a routine").routine
    }

    /// Leaves a routine: to the call that the path knows of, to those that there may have been, or for ever.
    fn back(&self, result: Option<Row>, is_killed: bool, mut path: Path) -> Parts<End> {
        let thread = &mut path.threads[path.acting];
        let left = thread.calls.pop().expect("a thread is in a routine");
        if let Some(caller) = thread.calls.last_mut() {
            let at = caller.at.take().expect("it waits for the one that was left");
            let site = (caller.routine, at);
            return self.resume(site, result, is_killed, path);
        }
        match left.routine {
            RoutineId::Process(_) => {
                // Where it ended is of no interest, but what acts is in some routine.
                path.threads[path.acting].calls.push(left);
                found(path, End::Ended { result, is_killed })
            }
            RoutineId::Function(function) => {
                let sites = self.routines.callers(function).iter();
                let ways = sites.flat_map(|site| {
                    let path = self.taken(*site, path.clone());
                    self.resume(*site, result.clone(), is_killed, path)
                });
                ways.collect()
            }
        }
    }

    /// Goes on after a call.
    fn resume(
        &self,
        site: Site,
        result: Option<Row>,
        is_killed: bool,
        mut path: Path,
    ) -> Parts<End> {
        let Node::Call { result: local, next, killed, .. } =
            self.routines.graph(site.0).node(site.1)
        else {
            unreachable!("only calls are returned to");
        };
        if let (Some(local), Some(row), false) = (local, result, is_killed) {
            path.env().insert(*local, row);
        }
        self.run(if is_killed { *killed } else { *next }, path)
    }

    /// Takes the frame that a call has made, and puts the thread back into the routine of the caller.
    fn taken(&self, site: Site, mut path: Path) -> Path {
        let (graph, scalars) = (self.routines.graph(site.0), self.kept_scalars(site));
        let has_frame = matches!(site.0, RoutineId::Function(_));
        let kept = path.fresh_row(&scalars);
        let mut vars = kept.iter().map(|var| NetExpr::Var(*var));
        let outer = if has_frame { vars.next() } else { None };
        let mut env = Env::new();
        for local in self.kept(site) {
            let width = self.executor.layout.width(&graph.locals[local.index()].of);
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
        let Node::Call { result, next, killed, .. } = self.routines.graph(routine).node(node)
        else {
            unreachable!("only calls keep something");
        };
        self.routines.live(routine).kept(*result, *next, *killed)
    }

    /// The scalars that a frame keeps: the frame of the caller if it is a function, then its variables.
    pub(crate) fn kept_scalars(&self, site: Site) -> Vec<Scalar> {
        let frame = Scalar { sort: self.frames, optional: false };
        let graph = self.routines.graph(site.0);
        let variables = self
            .kept(site)
            .into_iter()
            .flat_map(|local| self.executor.layout.scalars(&graph.locals[local.index()].of));
        let outer = matches!(site.0, RoutineId::Function(_)).then_some(frame);
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
            .flat_map(|local| self.executor.layout.scalars(&graph.locals[local.index()].of));
        let outer = matches!(routine, RoutineId::Function(_)).then_some(frame);
        outer.into_iter().chain(variables).collect()
    }

    /// Where a function is called from.
    pub(crate) fn callers(&self, function: FunctionId) -> &[Site] {
        self.routines.callers(function)
    }
}
