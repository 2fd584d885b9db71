//! From paths to transitions.
//!
//! What a path has looked at is read, what it has changed is taken and put. Threads that take part move to the places
//! of their next stops, or end. Calls that have not returned are kept in frames.

use net::{
    Arc, Expr as NetExpr, Fate, Origin, Participant, PlaceId, Spawn, Transition, Var, Variable,
};

use crate::graph::{NodeId, RoutineId};
use crate::layout::Scalar;
use crate::path::{Path, Shared, Thread};
use crate::places::Places;
use crate::program::LocalId;
use crate::run::{End, Runner};

/// A thread at a stop before a step: where it is, and the variables of its token.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub place: PlaceId,
    pub vars: Vec<Var>,
}

/// What makes transitions of paths.
pub(crate) struct Emitter<'p> {
    pub runner: &'p Runner<'p>,
    pub places: &'p Places,
}

impl Emitter<'_> {
    /// The transition of a path, on which the threads come to these ends; those that started elsewhere are children.
    pub(crate) fn transition(
        &self,
        name: String,
        origin: Origin,
        mut path: Path,
        starts: &[Start],
        ends: &[End],
    ) -> Transition {
        let mut t = Transition { name, origin, ..Transition::default() };
        for (at, (thread, end)) in path.threads.clone().iter().zip(ends).enumerate() {
            let place_and_values = self.settle(thread, end, &mut path, &mut t);
            let fate = match &place_and_values {
                Some((to, values)) => Fate::Move { to: *to, values: values.clone() },
                None => Fate::End,
            };
            match starts.get(at) {
                Some(Start { place, vars }) => t.participants.push(Participant {
                    thread: thread.var,
                    from: *place,
                    pattern: vars.iter().map(|var| Some(NetExpr::Var(*var))).collect(),
                    fate,
                    passive: false,
                }),
                None => {
                    let child = &path.children[at - starts.len()];
                    let (to, values) = place_and_values.expect("children come to a stop");
                    let (parent, child) = (child.parent, Some(child.var));
                    t.spawns.push(Spawn { parent, child, count: 1, to, values });
                }
            }
        }
        self.shared(&path, &mut t);
        t.parameters = path.parameters;
        t.guard = path.guard;
        t.news = path.news;
        t.variables = path.variables;
        t
    }

    /// The transition of a path that must not be taken.
    pub(crate) fn failure(
        &self,
        name: String,
        origin: Origin,
        mut path: Path,
        start: &Start,
        message: String,
    ) -> Transition {
        let mut t = Transition { name, origin, failure: Some(message), ..Transition::default() };
        t.participants.push(Participant {
            thread: path.threads[0].var,
            from: start.place,
            pattern: start.vars.iter().map(|var| Some(NetExpr::Var(*var))).collect(),
            fate: Fate::Stay,
            passive: false,
        });
        // Nothing comes of it: it is enough to look.
        path.objects.retain(|object| !object.is_new);
        path.objects.iter_mut().for_each(|object| object.fields.is_written = false);
        path.globals.values_mut().for_each(|global| global.is_written = false);
        self.shared(&path, &mut t);
        t.reads.append(&mut t.takes);
        t.parameters = path.parameters;
        t.guard = path.guard;
        t.news = path.news;
        t.variables = path.variables;
        t
    }

    /// Where a thread is after the step, and what follows it in its token; nothing if it has ended. What it leaves
    /// behind is put.
    fn settle(
        &self,
        thread: &Thread,
        end: &End,
        path: &mut Path,
        t: &mut Transition,
    ) -> Option<(PlaceId, Vec<NetExpr>)> {
        let stop = match end {
            End::Stop(stop) => *stop,
            End::Ended { result, is_killed } => {
                let process = thread.calls[0].routine;
                let own = NetExpr::Var(thread.var);
                t.puts.push(put(self.places.ended, vec![own.clone()]));
                if let RoutineId::Process(process) = process
                    && let Some((place, absent)) = self.places.results.get(&process)
                {
                    let row = match result {
                        Some(row) if !is_killed => self.places.present(process, row),
                        _ => absent.clone(),
                    };
                    let token = std::iter::once(own).chain(row).collect();
                    t.puts.push(put(*place, token));
                }
                return None;
            }
        };
        let (innermost, callers) = thread.calls.split_last().expect("a thread is in a routine");
        let mut frame = thread.frame.clone();
        for caller in callers {
            let site = (caller.routine, caller.at.expect("it waits for the next"));
            let id = path.variable(Scalar { sort: self.runner.frames, optional: false });
            path.news.push((id, self.places.frame_class));
            let kept = self.rows(caller.routine, &self.runner.kept(site), &caller.env);
            let token = [NetExpr::Var(id)].into_iter().chain(frame).chain(kept).collect();
            t.puts.push(put(self.places.frames[&site], token));
            frame = Some(NetExpr::Var(id));
        }
        let live = self.runner.routines.live(innermost.routine).at(stop);
        let rows = self.rows(innermost.routine, live, &innermost.env);
        let place = self.places.stops[&(innermost.routine, stop)];
        Some((place, frame.into_iter().chain(rows).collect()))
    }

    /// The values of variables, one after the other.
    fn rows(
        &self,
        routine: RoutineId,
        locals: &crate::live::Locals,
        env: &crate::path::Env,
    ) -> Vec<NetExpr> {
        let layout = &self.runner.executor.layout;
        let graph = self.runner.routines.graph(routine);
        let row = |local: &LocalId| {
            let absent = || layout.absent(&graph.locals[local.index()].of);
            env.get(local).cloned().unwrap_or_else(absent)
        };
        locals.iter().flat_map(row).collect()
    }

    /// What is taken, read and put of what is shared.
    fn shared(&self, path: &Path, t: &mut Transition) {
        for (id, shared) in &path.globals {
            self.token(self.places.globals[id.index()], Vec::new(), shared, false, t);
        }
        for object in &path.objects {
            let place = self.places.objects[object.of.index()];
            self.token(place, vec![object.id.clone()], &object.fields, object.is_new, t);
        }
        for frame in &path.frames {
            let kept = frame.kept.iter().map(|var| NetExpr::Var(*var));
            let token = std::iter::once(frame.id.clone()).chain(kept).collect();
            t.takes.push(put(self.places.frames[&frame.site], token));
        }
        for ending in &path.endings {
            let arc = put(self.places.ended, vec![ending.thread.clone()]);
            if ending.has_ended { t.reads.push(arc) } else { t.inhibitors.push(arc) }
        }
        for (process, thread, vars) in &path.results {
            let values = vars.iter().map(|var| NetExpr::Var(*var));
            let token = std::iter::once(thread.clone()).chain(values).collect();
            t.reads.push(put(self.places.results[process].0, token));
        }
    }

    fn token(
        &self,
        place: PlaceId,
        owner: Vec<NetExpr>,
        shared: &Shared,
        is_new: bool,
        t: &mut Transition,
    ) {
        let before = shared.read.iter().map(|var| NetExpr::Var(*var));
        let before = put(place, owner.iter().cloned().chain(before).collect());
        if is_new || shared.is_written {
            t.puts.push(put(place, owner.into_iter().chain(shared.row.clone()).collect()));
        }
        match (is_new, shared.is_written) {
            (true, _) => {}
            (false, true) => t.takes.push(before),
            (false, false) => t.reads.push(before),
        }
    }
}

/// An arc with one token.
fn put(place: PlaceId, token: Vec<NetExpr>) -> Arc {
    Arc::new(place, token.into_iter().map(Some).collect(), 1)
}

/// The variables of a thread's token at a stop, on a path that begins there.
pub(crate) fn start(path: &mut Path, place: PlaceId, scalars: &[Scalar]) -> Start {
    Start { place, vars: path.fresh_row(scalars) }
}

/// A variable for a thread.
pub(crate) fn thread_variable(path: &mut Path) -> Var {
    let var = Var(path.variables.len() as u32);
    path.variables.push(Variable::new(format!("t{}", var.0), net::Kind::Pid));
    var
}

/// A stop of a routine.
pub(crate) type StopId = (RoutineId, NodeId);
