//! Threads that start others and end others.

use net::{Expr as NetExpr, Sort};

use crate::evaluate::{Parts, found, then, unless};
use crate::formula::bare;
use crate::layout::Scalar;
use crate::path::{Begin, Call, Doom, End, Ending, Path, Thread};
use crate::run::Runner;
use program::graph::{Node, RoutineId, StopId};
use program::{Expr, ProcessId, Type};

impl Runner<'_> {
    /// Starts a process, which comes to its first stop. Gives its handle.
    pub(super) fn spawn(
        &self,
        process: ProcessId,
        arguments: &[Expr],
        path: Path,
    ) -> Parts<NetExpr> {
        let routine = &self.layout.program.processes[process.index()];
        let parameters = &routine.locals[..routine.parameters];
        then(self.arguments(parameters, arguments, path), |mut path, env| {
            let parent = path.threads[path.acting].var;
            let var = path.variable(Scalar { sort: Sort::Pid, optional: false });
            let routine = RoutineId::Process(process);
            let calls = vec![Call { routine, env, at: None }];
            path.threads.push(Thread::new(var, Begin::Born(parent), calls, None));
            let born = path.threads.len() - 1;
            let entry = self.routines.graph(routine).entry;
            let started = self.apart(born, path, |path| self.run(entry, path));
            then(started, |mut path, end| {
                path.threads[born].end = Some(end);
                found(path, NetExpr::Var(var))
            })
        })
    }

    /// Lets another thread act for a while.
    pub(crate) fn apart<T>(
        &self,
        thread: usize,
        mut path: Path,
        act: impl FnOnce(Path) -> Parts<T>,
    ) -> Parts<T> {
        let acting = std::mem::replace(&mut path.acting, thread);
        let steps = std::mem::take(&mut path.steps);
        let mut parts = act(path);
        for (path, _) in &mut parts {
            path.acting = acting;
            path.steps.clone_from(&steps);
        }
        parts
    }

    /// Ends a process from outside.
    pub(super) fn kill(&self, handle: &Expr, doom: Doom, path: Path) -> Parts<()> {
        then(self.layout.eval(handle, path), |path, row| {
            let is_missing = self.layout.is_missing(&handle.of, &row);
            let thread = bare(row[0].clone());
            let message = || "there is no process".into();
            unless(is_missing, message, path, |path| self.end(&handle.of, thread, doom, path))
        })
    }

    /// Ends a thread: one that takes part, one that has ended before, or one at any stop.
    fn end(&self, of: &Type, thread: NetExpr, doom: Doom, path: Path) -> Parts<()> {
        let mut parts = Vec::new();
        let mut open = path;
        for at in 0..open.threads.len() {
            let [this, others] = open.split_at_thread(at, &thread);
            parts.extend(this.into_iter().flat_map(|path| self.doom(at, doom, path)));
            match others {
                Some(path) => open = path,
                None => return parts,
            }
        }
        let known = open.endings.iter().find(|ending| ending.thread == thread);
        let has_ended = known.map(|known| known.has_ended);
        let (running, dying): (Vec<StopId>, Vec<StopId>) =
            self.stops_of(of).into_iter().partition(|stop| self.is_running(*stop));
        if doom == Doom::Kill && !dying.is_empty() && has_ended.is_none() && open.is_whole() {
            // One that was killed before or has ended is at no other stop: nothing is done to it.
            let mut here: Vec<StopId> = running;
            here.retain(|stop| !open.elsewhere.contains(&(*stop, thread.clone())));
            let mut path = open.clone();
            path.elsewhere.extend(here.iter().map(|stop| (*stop, thread.clone())));
            parts.push((path, Ok(())));
            parts.extend(self.end_at(here, &thread, doom, &open));
            return parts;
        }
        if has_ended != Some(false) {
            let mut path = open.clone();
            if has_ended.is_none() {
                path.endings.push(Ending::new(thread.clone(), true));
            }
            parts.push((path, Ok(())));
        }
        if has_ended != Some(true) {
            parts.extend(self.end_at(self.stops_of(of), &thread, doom, &open));
        }
        parts
    }

    /// Ends a thread that is at one of these stops.
    fn end_at(&self, stops: Vec<StopId>, thread: &NetExpr, doom: Doom, path: &Path) -> Parts<()> {
        let cases = path.copies(stops.len());
        let ends = stops.into_iter().zip(cases).flat_map(|(stop, path)| {
            let path = self.at_stop(stop, Some(thread), path);
            let victim = path.threads.len() - 1;
            self.doom(victim, doom, path)
        });
        ends.collect()
    }

    /// Whether threads at a stop were not killed before.
    fn is_running(&self, (routine, node): StopId) -> bool {
        matches!(self.routines.graph(routine).node(node), Node::Stop(stop) if stop.killed.is_some())
    }

    /// Ends a thread that takes part.
    fn doom(&self, at: usize, doom: Doom, mut path: Path) -> Parts<()> {
        let thread = &mut path.threads[at];
        if thread.acts {
            thread.doom = thread.doom.max(Some(doom));
            return found(path, ());
        }
        let stop = match (&thread.end, &thread.begin) {
            (Some(End::Stop(stop)), _) => *stop,
            (None, Begin::At((_, stop), _)) => *stop,
            _ => return found(path, ()),
        };
        if doom == Doom::Crash {
            thread.end = Some(End::Crashed);
            return found(path, ());
        }
        let routine = thread.calls.last().expect("a thread is in a routine").routine;
        let Node::Stop(stop) = self.routines.graph(routine).node(stop) else {
            unreachable!("threads are at stops");
        };
        // One that was killed before runs what is pending.
        let Some(killed) = stop.killed else { return found(path, ()) };
        if stop.is_local {
            return Vec::new();
        }
        then(self.apart(at, path, |path| self.run(killed, path)), |mut path, end| {
            path.threads[at].end = Some(end);
            found(path, ())
        })
    }

    /// The stops at which a process of a kind may be.
    fn stops_of(&self, of: &Type) -> Vec<StopId> {
        match of {
            Type::Optional(inner) => self.stops_of(inner),
            Type::Handle(kind) => self.routines.stops_of(*kind),
            _ => unreachable!("only processes are ended"),
        }
    }
}
