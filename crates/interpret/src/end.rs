//! `kill` and `crash`.

use program::Expr;

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
