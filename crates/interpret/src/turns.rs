//! Turns: which process can do what in a state, and what comes of it.
//!
//! By definition a turn is a statement. Where steps are fused, it is a statement that is not local, and the local
//! ones after it.

use std::rc::Rc;

use net::Origin;
use program::Action;

use crate::access::Looks;
use crate::act::Done;
use crate::control::Stop;
use crate::failure::{Cause, Failed};
use crate::interpreter::Interpreter;
use crate::meet::Offer;
use crate::next::{Next, Step};
use crate::race::pairs;
use crate::state::{Object, Process, State};
use crate::value::Pid;
use crate::walk::{is_choice, is_forgotten};
use crate::world::{Doom, Fault, World};

/// When others have their turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// After every statement.
    Statements,
    /// Where fused steps end.
    Steps,
}

impl<'p> Interpreter<'p> {
    /// The states in which a program may begin: what the first process does before others have their turn may have
    /// several outcomes.
    ///
    /// # Errors
    /// If a first value is none of its type.
    pub fn initial(&self, turns: Turns) -> Result<Vec<State>, Failed> {
        let mut state = State::default();
        let failed = |origin| move |cause: Cause| cause.at(origin);
        for object in &self.program.initial {
            let scope = self.outside(&state);
            let passed = object.arguments.iter().map(|argument| scope.eval(argument).map(Some));
            let passed: Result<Vec<_>, _> = passed.collect();
            let fields = passed.and_then(|passed| self.fields(object.of, &state, &passed));
            let fields = fields.map_err(failed(Origin::default()))?;
            state.add(Object { of: object.of, fields });
        }
        for global in &self.program.globals {
            let value = self.outside(&state).eval(&global.initial).and_then(|value| {
                value.fit(self.program, &global.variable.of)?;
                Ok(value)
            });
            state.globals.push(value.map_err(failed(global.variable.origin))?);
        }
        let Some(main) = self.program.main else { return Ok(vec![state]) };
        state.processes.push(Process::Running(self.begin(main, Vec::new())));
        let world = World::new(self.program, state, Pid(0), &Rc::default());
        let worlds = match turns {
            Turns::Statements => vec![self.ahead(world)],
            Turns::Steps => self.run(world, true),
        };
        Ok(worlds.into_iter().map(|world| world.state).collect())
    }

    /// All that can happen in a state.
    #[must_use]
    pub fn successors(&self, state: &State, turns: Turns) -> Vec<Next> {
        self.successors_noting(state, turns, &Rc::default())
    }

    /// Whether, in a state, a process comes to a `kill` that has to wait, since the one to be killed is before something
    /// local.
    #[must_use]
    pub fn has_kill_to_wait(&self, state: &State, turns: Turns) -> bool {
        let looks = Rc::default();
        self.successors_noting(state, turns, &looks);
        looks.has_kill_waited.get()
    }

    fn successors_noting(&self, state: &State, turns: Turns, looks: &Rc<Looks<'p>>) -> Vec<Next> {
        let mut all = Vec::new();
        let tests: Vec<Pid> =
            state.running().filter(|pid| self.tests_forgotten(state, *pid)).collect();
        if !tests.is_empty() {
            // It takes no time to learn how they turn out.
            for pid in tests {
                self.turn(state, pid, false, turns, looks, &mut all);
            }
            return all;
        }
        let offers: Vec<Offer> = state.running().filter_map(|pid| self.offer(state, pid)).collect();
        for [first, second] in pairs(&offers) {
            self.meetings_noting(state, [*first, *second], turns, looks, &mut all);
        }
        let has_met = |pid: &Pid| all.iter().any(|next: &Next| next.is_by(*pid));
        let have_met: Vec<Pid> = state.running().filter(has_met).collect();
        for pid in state.running() {
            self.turn(state, pid, have_met.contains(&pid), turns, looks, &mut all);
        }
        all
    }

    /// Whether a process is before a test on data that is not kept.
    #[must_use]
    pub fn tests_forgotten(&self, state: &State, pid: Pid) -> bool {
        let statement = || self.point(state, pid)?.statement;
        self.has_forgotten && statement().is_some_and(|statement| is_forgotten(&statement.action))
    }

    /// What two processes that offer to meet can do together, whether or not one of them waits.
    #[must_use]
    pub fn meetings(&self, state: &State, offers: [Offer; 2], turns: Turns) -> Vec<Next> {
        let mut all = Vec::new();
        self.meetings_noting(state, offers, turns, &Rc::default(), &mut all);
        all
    }

    fn meetings_noting(
        &self,
        state: &State,
        [first, second]: [Offer; 2],
        turns: Turns,
        looks: &Rc<Looks<'p>>,
        all: &mut Vec<Next>,
    ) {
        let acting = [first.pid, second.pid];
        for done in self.meet(state, acting, looks) {
            self.finish(state, done, turns, all);
        }
    }

    fn turn(
        &self,
        state: &State,
        pid: Pid,
        has_met: bool,
        turns: Turns,
        looks: &Rc<Looks<'p>>,
        all: &mut Vec<Next>,
    ) {
        let mut settled = state.clone();
        let stop = self.settle(&mut settled, pid);
        let thread = settled.thread(pid).expect("it runs");
        let is_local = self.is_local(thread, &stop);
        let (statement, known) = match stop {
            Stop::Left(_) => unreachable!("it runs"),
            Stop::Turn(position) => {
                let origin = position.map_or(Origin::default(), |position| self.origin(position));
                let state_after = self.take_turn(settled, pid);
                let world = World::new(self.program, state_after, pid, looks).acts(origin);
                self.finish(state, Ok(world), turns, all);
                return;
            }
            Stop::Before(statement, known) => (statement, known),
        };
        let reads_first = thread.frame().reads_first(known);
        let world = World::new(self.program, settled, pid, looks).acts(statement.origin);
        let looked = looks.alone.borrow().len();
        let mut outcomes = match is_local {
            true => self.do_local(world.clone()).into_iter().map(Ok).collect(),
            false => self.act(world.clone()),
        };
        if let Action::Select(select) = &statement.action
            && let Some(block) = &select.otherwise
            && !reads_first
            && !has_met
            && outcomes.is_empty()
        {
            // It has read what keeps it from all else.
            let earlier = looks.alone.borrow()[looked..].to_vec();
            let world = World { statement: statement.origin, earlier, ..world };
            outcomes.push(Ok(self.otherwise(block, world)));
        }
        for done in outcomes {
            self.finish(state, done, turns, all);
        }
    }

    /// Lets all that were moved go on to where they stop.
    fn finish(&self, before: &State, done: Done<'p>, turns: Turns, all: &mut Vec<Next>) {
        let mut world = match done {
            Ok(world) => world,
            Err(fault) => {
                let Fault { failed, world: World { actors, accesses, earlier, .. } } = *fault;
                let accesses = [earlier, accesses.all()].concat();
                all.push(Next { actors, accesses, outcome: Err(failed) });
                return;
            }
        };
        world.put_back();
        for (pid, doom) in std::mem::take(&mut world.dooms) {
            match (doom, world.state.thread(pid)) {
                (Doom::Kill, Some(thread)) if !thread.is_killed => {
                    self.kill(&mut world.state, pid);
                    world.killed.push(pid);
                }
                (Doom::Crash, Some(_)) => {
                    world.state.processes[pid.index()] = Process::Killed;
                    world.crashed.push(pid);
                }
                _ => {}
            }
        }
        let mut moved = std::mem::take(&mut world.moved);
        moved.push(world.this);
        moved.sort_unstable();
        moved.dedup();
        let mut worlds = vec![world];
        for pid in moved {
            let go_on = |world: World<'p>| match (turns, world.state.thread(pid)) {
                (_, None) => vec![world],
                (Turns::Statements, _) => vec![self.ahead(World { this: pid, ..world })],
                (Turns::Steps, _) => self.run(World { this: pid, ..world }, false),
            };
            worlds = worlds.into_iter().flat_map(go_on).collect();
        }
        all.extend(worlds.into_iter().map(|world| next(before, world)));
    }

    /// Does local statements up to where the thread stops. The first process has not yet chosen anything when
    /// others can see it.
    fn run(&self, world: World<'p>, is_first: bool) -> Vec<World<'p>> {
        let mut stopped = Vec::new();
        let mut open = vec![world];
        while let Some(mut world) = open.pop() {
            let stop = self.settle(&mut world.state, world.this);
            let goes_on = match &stop {
                Stop::Turn(_) | Stop::Left(_) => false,
                Stop::Before(statement, _) => {
                    let thread = world.state.thread(world.this).expect("it runs");
                    let is_turn = is_forgotten(&statement.action)
                        || is_choice(&statement.action) && (is_first || self.observed.branching);
                    self.is_local(thread, &stop)
                        && thread.frame().labels.is_empty()
                        && !is_turn
                        && !self.arrives(thread.frame(), statement)
                }
            };
            match goes_on {
                true => open.extend(self.do_local(world)),
                false => stopped.push(world),
            }
        }
        stopped
    }

    /// What is written as one statement is done as a whole, as far as the rest of it is local.
    fn whole(&self, mut world: World<'p>) -> World<'p> {
        loop {
            let stop = self.settle(&mut world.state, world.this);
            match &stop {
                Stop::Before(_, known) if known.is_rest => {
                    let thread = world.state.thread(world.this).expect("it runs");
                    if !self.is_local(thread, &stop) {
                        return world;
                    }
                }
                _ => return world,
            }
            world = self.do_local(world).pop().expect("local statements have an outcome");
        }
    }

    /// A thread ends with its last step: where only local statements are left, they are done.
    fn ahead(&self, world: World<'p>) -> World<'p> {
        let mut world = self.whole(world);
        self.settle(&mut world.state, world.this);
        let mut ahead = world.clone();
        loop {
            let stop = self.settle(&mut ahead.state, ahead.this);
            match &stop {
                Stop::Left(_) => return ahead,
                Stop::Turn(_) => return world,
                Stop::Before(statement, _) => {
                    // What may arrive at a label or an offer is not joined to the step before, nor to the end.
                    let thread = ahead.state.thread(ahead.this).expect("it runs");
                    if is_choice(&statement.action)
                        || is_forgotten(&statement.action)
                        || !self.is_local(thread, &stop)
                        || !thread.frame().labels.is_empty()
                        || self.arrives(thread.frame(), statement)
                    {
                        return world;
                    }
                }
            }
            ahead = self.do_local(ahead).pop().expect("local statements have an outcome");
        }
    }
}

/// What has become of a state.
fn next(before: &State, world: World) -> Next {
    let accesses = world.all_accesses();
    let World { state, actors, choices, births, killed, crashed, .. } = world;
    let ran = before.running().chain(births.iter().map(|birth| birth.child));
    let deaths = ran.filter(|pid| state.thread(*pid).is_none()).collect();
    let outcome = Ok(Step { state, choices, births, deaths, killed, crashed });
    Next { actors, accesses, outcome }
}

#[cfg(test)]
mod tests {
    use program::Observed;

    use super::*;
    use crate::examples::{explore, explored, program, written};
    use crate::next::Birth;
    use crate::value::Value;

    const COUNTER: &str = "
        shared count: 0..=2 = 0
        process main { repeat 2 { spawn adder() } }
        process adder { count += 1 }
    ";

    #[test]
    fn updates_are_lost() {
        let found = explored(COUNTER);
        let counts: Vec<&Value> = found.last.iter().map(|state| &state.globals[0]).collect();
        assert_eq!(counts.len(), 2, "{counts:?}");
        assert!(counts.contains(&&Value::Int(1)) && counts.contains(&&Value::Int(2)));
    }

    #[test]
    fn fused_steps_have_fewer_states() {
        let program = program(COUNTER);
        let observed = Observed::default();
        let interpreter = Interpreter::new(&program, &observed);
        let [fused, all] =
            [Turns::Steps, Turns::Statements].map(|turns| explore(&interpreter, turns));
        assert!(fused.states.len() < all.states.len());
        assert_eq!(fused.last.len(), all.last.len());
    }

    #[test]
    fn a_step_says_who_acts_by_what_and_who_is_born() {
        let program = program(COUNTER);
        let observed = Observed::default();
        let interpreter = Interpreter::new(&program, &observed);
        let first = interpreter.initial(Turns::Steps).expect("first values fit").remove(0);
        let [next] = &interpreter.successors(&first, Turns::Steps)[..] else { panic!("one way") };
        assert_eq!(written(&program, next.origin()), "spawn adder()");
        assert!(next.is_by(Pid(0)));
        let step = next.outcome.as_ref().expect("nothing goes wrong");
        assert_eq!(step.births, [Birth { child: Pid(1), parent: Pid(0) }]);
        assert_eq!(step.deaths, []);
        // The second one is spawned with the end of the first process.
        let next = interpreter.successors(&step.state, Turns::Steps);
        let step = { next }.remove(0).outcome.expect("nothing goes wrong");
        assert_eq!(step.births, [Birth { child: Pid(2), parent: Pid(0) }]);
        assert_eq!(step.deaths, [Pid(0)]);
    }

    #[test]
    fn a_step_says_what_is_chosen() {
        let program = program(
            "shared x: 0..=9 = 0
            process main {
                x = 1
                choose y in 3..=4
                either { x = y } or { x = 0 }
            }",
        );
        let observed = Observed::default();
        let interpreter = Interpreter::new(&program, &observed);
        let first = interpreter.initial(Turns::Steps).expect("first values fit").remove(0);
        let mut chosen: Vec<Vec<String>> = Vec::new();
        for next in interpreter.successors(&first, Turns::Steps) {
            let step = next.outcome.expect("nothing goes wrong");
            chosen.push(step.choices.iter().map(|one| format!("{:?}", one.chosen)).collect());
        }
        chosen.sort();
        let expected = [
            ["Value(Int(3))", "Block(0)"],
            ["Value(Int(3))", "Block(1)"],
            ["Value(Int(4))", "Block(0)"],
            ["Value(Int(4))", "Block(1)"],
        ];
        assert_eq!(chosen, expected);
    }
}
