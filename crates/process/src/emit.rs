//! From paths to transitions.
//!
//! What a path has looked at is read, what it has changed is taken and put. Threads that take part move to the places
//! of their next stops, or end. Calls that have not returned are kept in frames.

use net::{
    Arc, Expr as NetExpr, Fate, Inhibitor, Literal, Origin, Participant, PlaceId, Spawn,
    Transition, Var,
};

use crate::formula::value;
use crate::layout::Scalar;
use crate::path::{Begin, End, Ending, Path, Shared, Thread};
use crate::places::Places;
use crate::run::Runner;
use program::LocalId;
use program::graph::{RoutineId, StopId};

/// What makes transitions of paths.
pub(crate) struct Emitter<'p> {
    pub runner: &'p Runner<'p>,
    pub places: &'p Places,
}

impl Emitter<'_> {
    /// The transition of a path, on which all threads have come to their ends.
    pub(crate) fn transition(&self, name: String, origin: Origin, mut path: Path) -> Transition {
        let mut t = Transition { name, origin, ..Transition::default() };
        for thread in path.threads.clone() {
            let to = thread.end.as_ref().map(|end| self.settle(&thread, end, &mut path, &mut t));
            match (&thread.begin, to) {
                (Begin::At(stop, vars), Some(to)) => {
                    let fate = match (to, &thread.end) {
                        (Some((to, values)), _) => Fate::Move { to, values },
                        (None, Some(End::Crashed)) => Fate::Crash,
                        (None, _) => Fate::End,
                    };
                    t.participants.push(self.participant(&thread, *stop, vars, fate));
                }
                (Begin::At(stop, vars), None) => t.reads.push(self.look(thread.var, *stop, vars)),
                (Begin::Born(parent), to) => {
                    let to = to.expect("children are followed to their first stop");
                    let (to, values) = to.map_or((None, Vec::new()), |(to, v)| (Some(to), v));
                    let (parent, child) = (*parent, Some(thread.var));
                    t.spawns.push(Spawn { parent, child, count: 1, to, values });
                }
            }
        }
        self.complete(&path, &mut t);
        t
    }

    /// The transition of a path that must not be taken. Nothing comes of it: it is enough to look.
    pub(crate) fn failure(
        &self,
        name: String,
        origin: Origin,
        path: Path,
        message: String,
    ) -> Transition {
        let mut t = Transition { name, origin, failure: Some(message), ..Transition::default() };
        for thread in &path.threads {
            let Begin::At(stop, vars) = &thread.begin else { continue };
            match thread.acts {
                true => t.participants.push(self.participant(thread, *stop, vars, Fate::Stay)),
                false => t.reads.push(self.look(thread.var, *stop, vars)),
            }
        }
        self.watch(path, &mut t);
        t
    }

    /// The transition that never fires, but tells whether a path can be taken.
    pub(crate) fn probe(&self, name: String, origin: Origin, path: Path) -> Transition {
        let mut t = Transition { name, origin, probe: true, ..Transition::default() };
        for thread in &path.threads {
            if let Begin::At(stop, vars) = &thread.begin {
                t.reads.push(self.look(thread.var, *stop, vars));
            }
        }
        self.watch(path, &mut t);
        t
    }

    /// Lets a transition look at all that a path looks at.
    fn watch(&self, path: Path, t: &mut Transition) {
        self.conditions(&path, t);
        t.reads.extend(self.looks(path));
    }

    /// All that a path looks at, as it was before.
    pub(crate) fn looks(&self, mut path: Path) -> Vec<Arc> {
        path.objects.retain(|object| !object.is_new);
        path.objects.iter_mut().for_each(|object| object.fields.is_written = false);
        path.globals.values_mut().for_each(|global| global.is_written = false);
        let mut t = Transition::default();
        self.shared(&path, &mut t);
        t.takes.into_iter().chain(t.reads).collect()
    }

    fn participant(&self, of: &Thread, stop: StopId, vars: &[Var], fate: Fate) -> Participant {
        let pattern = vars.iter().map(|var| Some(NetExpr::Var(*var))).collect();
        let (thread, from, passive) = (of.var, self.places.stops[&stop], !of.acts);
        Participant { thread, from, pattern, fate, passive }
    }

    /// A thread at a stop is looked at.
    pub(crate) fn look(&self, thread: Var, stop: StopId, vars: &[Var]) -> Arc {
        let token = [thread].iter().chain(vars).map(|var| NetExpr::Var(*var)).collect();
        put(self.places.stops[&stop], token)
    }

    fn complete(&self, path: &Path, t: &mut Transition) {
        self.conditions(path, t);
        self.shared(path, t);
        t.news.clone_from(&path.news);
    }

    /// The variables of a path, and the conditions on them.
    fn conditions(&self, path: &Path, t: &mut Transition) {
        t.inhibitors = self.alive(path);
        t.inhibitors.extend(path.inhibitors.iter().cloned());
        t.inhibitors.extend(path.elsewhere.iter().map(|(stop, thread)| self.at(*stop, thread)));
        t.parameters.clone_from(&path.parameters);
        t.guard.clone_from(&path.guard);
        t.variables.clone_from(&path.variables);
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
            _ => {
                let own = present(path, &NetExpr::Var(thread.var));
                let how = NetExpr::Literal(Literal::Bool(end.is_return()));
                let how = Some(how).filter(|_| self.places.says_how);
                t.puts.push(put(self.places.ended, [own.clone()].into_iter().chain(how).collect()));
                let process = thread.calls[0].routine.process();
                if let Some(place) = self.places.results.get(&process) {
                    let program = self.runner.layout.program;
                    let of = program.processes[process.index()].result.as_ref();
                    let of = of.expect("it has a place for results");
                    let row = self.runner.layout.optional(of, end.result());
                    t.puts.push(put(*place, [own].into_iter().chain(row).collect()));
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
        locals: &program::live::Locals,
        env: &crate::path::Env,
    ) -> Vec<NetExpr> {
        let layout = &self.runner.layout;
        let graph = self.runner.routines.graph(routine);
        let row = |local: &LocalId| {
            let absent = || layout.absent(&graph.locals[local.index()].of);
            env.get(local).cloned().unwrap_or_else(absent)
        };
        locals.iter().flat_map(row).collect()
    }

    /// What inhibits where a thread is at a stop.
    fn at(&self, stop: StopId, thread: &NetExpr) -> Inhibitor {
        let variables = self.runner.stop_scalars(stop.0, stop.1).len();
        let pattern = [Some(thread.clone())].into_iter().chain(vec![None; variables]).collect();
        Arc::new(self.places.stops[&stop], pattern, 1).into()
    }

    /// What inhibits where threads have ended that must not have.
    fn alive(&self, path: &Path) -> Vec<Inhibitor> {
        let alive = path.endings.iter().filter(|ending| !ending.has_ended);
        alive.map(|ending| self.ended(ending).into()).collect()
    }

    /// The token of a thread that has ended.
    fn ended(&self, ending: &Ending) -> Arc {
        let how = ending.how.map(NetExpr::Var);
        let how = self.places.says_how.then_some(how);
        let pattern = [Some(ending.thread.clone())].into_iter().chain(how).collect();
        Arc::new(self.places.ended, pattern, 1)
    }

    /// What is taken, read and put of what is shared.
    fn shared(&self, path: &Path, t: &mut Transition) {
        for (id, shared) in &path.globals {
            self.token(self.places.globals[id.index()], None, shared, false, t);
        }
        for object in &path.objects {
            let place = self.places.objects[object.of.index()];
            let owner = Some((object.id.clone(), present(path, &object.id)));
            self.token(place, owner, &object.fields, object.is_new, t);
        }
        for frame in &path.frames {
            let kept = frame.kept.iter().map(|var| NetExpr::Var(*var));
            let token = std::iter::once(frame.id.clone()).chain(kept).collect();
            t.takes.push(put(self.places.frames[&frame.site], token));
        }
        let ended = path.endings.iter().filter(|ending| ending.has_ended);
        t.reads.extend(ended.map(|ending| self.ended(ending)));
        for (process, thread, vars) in &path.results {
            let values = vars.iter().map(|var| NetExpr::Var(*var));
            let token = std::iter::once(thread.clone()).chain(values).collect();
            t.reads.push(put(self.places.results[process], token));
        }
    }

    fn token(
        &self,
        place: PlaceId,
        owner: Option<(NetExpr, NetExpr)>,
        shared: &Shared,
        is_new: bool,
        t: &mut Transition,
    ) {
        let before = shared.read.iter().map(|var| NetExpr::Var(*var));
        let (known, owner) = owner.unzip();
        let before = put(place, known.into_iter().chain(before).collect());
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

/// What owns a token that is put. A token is found by what may be nothing; one that is put has an owner.
fn present(path: &Path, id: &NetExpr) -> NetExpr {
    let mut may_be_nothing = false;
    id.variables(&mut |var| may_be_nothing |= path.variables[var.index()].optional);
    if may_be_nothing { value(id.clone()) } else { id.clone() }
}

/// An arc with one token.
fn put(place: PlaceId, token: Vec<NetExpr>) -> Arc {
    Arc::new(place, token.into_iter().map(Some).collect(), 1)
}
