//! `kill` and `crash`.

use program::Expr;

use crate::access::Location;
use crate::act::Done;
use crate::interpreter::Interpreter;
use crate::state::{Control, Exit, Process, State};
use crate::value::{Pid, Value};
use crate::world::World;

impl<'p> Interpreter<'p> {
    /// Kills or crashes a process, perhaps the one that acts, where that is a step of its own.
    pub(crate) fn end_other(
        &self,
        handle: &Expr,
        is_kill: bool,
        given: &[Option<Value>],
        mut world: World<'p>,
    ) -> Vec<Done<'p>> {
        let before = given.first().cloned().flatten();
        let found = before.map_or_else(|| world.scope().eval(handle), Ok);
        let victim = match found.and_then(|handle| handle.process()) {
            Ok(victim) => victim,
            Err(cause) => return vec![Err(world.fault(cause))],
        };
        let this = world.this;
        if !is_kill {
            world.reader().access(Location::End(victim), false);
        }
        world = world.advanced();
        let Some(thread) = world.state.thread(victim) else { return vec![Ok(world)] };
        if !is_kill {
            world.state.processes[victim.index()] = Process::Killed;
            world.crashed.push(victim);
            return vec![Ok(world)];
        }
        if thread.is_killed {
            return vec![Ok(world)];
        }
        if victim != this && !self.can_be_killed(&world.state, victim) {
            world.looks.has_kill_waited.set(true);
            return Vec::new();
        }
        self.kill(&mut world.state, victim);
        world.killed.push(victim);
        world.moved.push(victim);
        vec![Ok(world)]
    }

    /// A thread is killed only before a statement that is not local, or where it has a turn of its own.
    pub(crate) fn can_be_killed(&self, state: &State, victim: Pid) -> bool {
        let mut state = state.clone();
        self.settle(&mut state, victim);
        !self.is_before_local(state.thread(victim).expect("it runs").frame())
    }

    /// Kills a thread. A deferred block that it has come to is done to its end all the same.
    pub(crate) fn kill(&self, state: &mut State, victim: Pid) {
        let thread = state.thread_mut(victim);
        thread.is_killed = true;
        for frame in &mut thread.frames {
            for control in &mut frame.control {
                if let Control::Block { exit: Some(exit), .. } = control {
                    *exit = Exit::Killed;
                    frame.labels.retain(|label| !label.is_left);
                    return;
                }
            }
        }
        thread.frame_mut().labels.clear();
        self.leave(state, victim, Exit::Killed);
    }
}

#[cfg(test)]
mod tests {
    use program::{LabelId, Observed, ProcessId, Source};

    use crate::examples::{explore, explored, program};
    use crate::interpreter::Interpreter;
    use crate::turns::Turns;
    use crate::value::{Pid, Value};

    /// What can be seen in the end where a process is ended while it waits.
    fn after(end: &str) -> Vec<Value> {
        let found = explored(&format!(
            "shared x: 0..=3 = 0
            process main {{ let w = spawn worker()   await x == 1   {end} w }}
            process worker {{ defer {{ x = 3 }}   x = 1   await false }}"
        ));
        found.last.iter().map(|state| state.globals[0].clone()).collect()
    }

    #[test]
    fn what_is_deferred_is_done_by_one_that_is_killed() {
        assert_eq!(after("kill"), [Value::Int(3)]);
        assert_eq!(after("crash"), [Value::Int(1)]);
    }

    #[test]
    fn one_that_is_killed_leaves_the_label_before_what_is_deferred() {
        let program = program(
            "shared lock = new mutex
            process main { let w = spawn worker()   kill w }
            process worker { with lock.lock() { working: } }",
        );
        let (worker, label) = (Source::Process(ProcessId(1)), LabelId(0));
        let labels = [(worker, label)].into();
        let observed = Observed { labels, ..Observed::default() };
        let interpreter = Interpreter::new(&program, &observed);
        let mut were_there = [false; 2];
        for state in explore(&interpreter, Turns::Steps).states {
            for thread in state.running().filter_map(|pid: Pid| state.thread(pid)) {
                were_there[usize::from(thread.is_killed)] |= thread.is_at(worker, label);
            }
        }
        assert_eq!(were_there, [true, false]);
    }
}
