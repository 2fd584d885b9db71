//! What threads can do next: alone, together with another one, or what they do if nothing else can be done.

use net::Origin;
use program::Failure;

use crate::code::{Address, Code, Doom, PointId};
use crate::heap::{GLOBALS, Heap};
use crate::run::{Execution, Halt, Pause, Role, Stack};
use crate::value::Value;

/// The thread that starts by itself, in the first state.
pub(crate) const MAIN: u32 = 1;

/// What is done in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Where the one who acts stopped. If two act, this is the first.
    pub point: PointId,
    /// The arm that it takes, by its number; nothing if none can be taken.
    pub arm: Option<u16>,
    /// The same of the second, if two meet.
    pub partner: Option<(PointId, u16)>,
}

impl Turn {
    /// Where what is done is written.
    #[must_use]
    pub fn origin(&self, code: &Code) -> Origin {
        match self.arm {
            Some(arm) => code.stop(self.point).arms[usize::from(arm)].origin,
            None => code.point(self.point).origin,
        }
    }
}

impl Turn {
    /// Where what each of those does who act is written.
    #[must_use]
    pub fn origins(&self, code: &Code) -> Vec<Origin> {
        let partner = self.partner.map(|(point, arm)| Turn { point, arm: Some(arm), ..*self });
        [Some(*self), partner].iter().flatten().map(|turn| turn.origin(code)).collect()
    }
}

/// That it cannot be known what is done, since it depends on what is left out of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Elsewhere;

/// Called with each way in which a turn can be taken: the heap is what comes of it, if nothing goes wrong.
pub(crate) type Each<'e, 'c> =
    &'e mut dyn FnMut(&mut Execution<'c>, Turn, [Option<u32>; 2], Result<(), Failure>);

impl<'c> Execution<'c> {
    /// The heap before the first step.
    ///
    /// # Errors
    ///
    /// If something goes wrong before.
    pub(crate) fn initial(&mut self) -> Result<Heap, Failure> {
        let code = self.code;
        self.begin(&Heap::default(), [None; 2]);
        self.script.clear();
        let kind = code.main();
        self.heap.add(code.globals.class, &[]);
        self.heap.add(code.running_class(kind), &[]);
        for first in &code.initial {
            self.heap.add(first.class, &[]);
        }
        let mut globals = vec![Value::Nothing; usize::from(code.globals.count)];
        for members in &code.members {
            globals.extend(members.add(&mut self.heap));
        }
        globals.extend(code.followed.map(|_| Value::Nothing));
        self.heap.become_(GLOBALS, code.globals.class, &globals);
        let mut stack = self.take_stack();
        for (object, first) in (2..).zip(&code.initial).chain([(GLOBALS, &code.globals)]) {
            stack.start(code, first.routine, &[]);
            let entry = code.routines[first.routine as usize].entry;
            self.run(&mut stack, MAIN, entry).map_err(|halt| self.failure(halt))?;
            let fields = stack.row(first.from, usize::from(first.count));
            if object != GLOBALS {
                self.heap.become_(object, first.class, fields);
                continue;
            }
            for (field, value) in fields.iter().enumerate() {
                self.heap.set_field(GLOBALS, field, *value);
            }
        }
        let routine = code.processes[kind.index()].expect("it was compiled");
        stack.start(code, routine, &[]);
        let entry = code.routines[routine as usize].entry;
        self.is_start = true;
        let started = self.go_on(MAIN, &mut stack, entry);
        self.is_start = false;
        self.give_stack(stack);
        started.map_err(|halt| self.failure(halt))?;
        Ok(self.heap.clone())
    }

    /// What goes wrong.
    fn failure(&self, halt: Halt) -> Failure {
        match halt {
            Halt::Failed(kind, Address(at)) => {
                Failure { kind, origin: self.code.origins[at as usize] }
            }
            Halt::Blocked | Halt::Elsewhere => unreachable!("{halt:?} is no failure"),
        }
    }

    /// The threads that run.
    pub(crate) fn threads(code: &Code, heap: &Heap) -> impl Iterator<Item = u32> {
        (0..heap.len()).filter(|object| code.is_running(heap.class(*object)))
    }

    /// Calls `each` with all that the threads of a whole state can do, alone and together.
    pub(crate) fn expand(&mut self, heap: &Heap, each: Each<'_, 'c>) -> Result<(), Elsewhere> {
        let code = self.code;
        let mut threads: Vec<u32> = Self::threads(code, heap).collect();
        // Who asks for data that is not kept goes on before others have their turn.
        let is_forgotten = |thread: &u32| code.stop(Stack::point(heap, *thread)).is_forgotten;
        if code.has_forgotten && threads.iter().any(is_forgotten) {
            threads.retain(is_forgotten);
        }
        let mut can_act: Vec<bool> = Vec::new();
        for thread in &threads {
            can_act.push(self.alone(heap, *thread, each)?);
        }
        for (first, giver) in threads.iter().enumerate() {
            for (second, taker) in threads.iter().enumerate() {
                if giver != taker && self.together(heap, [*giver, *taker], each)? {
                    can_act[first] = true;
                    can_act[second] = true;
                }
            }
        }
        for (thread, can_act) in threads.iter().zip(can_act) {
            if !can_act {
                self.otherwise(heap, *thread, each)?;
            }
        }
        Ok(())
    }

    /// Calls `each` with what a thread can do alone, and says whether there is something.
    pub(crate) fn alone(
        &mut self,
        heap: &Heap,
        thread: u32,
        each: Each<'_, 'c>,
    ) -> Result<bool, Elsewhere> {
        let code = self.code;
        self.look_at(thread);
        let point = Stack::point(heap, thread);
        let mut can_act = false;
        for arm in 0..code.stop(point).arms.len() as u16 {
            let turn = Turn { point, arm: Some(arm), partner: None };
            can_act |= self.all_ways(heap, [Some(thread), None], turn, each, |execution| {
                let mut stack = execution.take_stack();
                stack.load(code, &execution.heap, thread);
                let exit = execution.arm(thread, &mut stack, point, arm);
                let done =
                    exit.and_then(|exit| execution.onward(thread, &mut stack, (point, arm), exit));
                execution.give_stack(stack);
                done
            })?;
        }
        Ok(can_act)
    }

    /// Calls `each` with what two threads can do together, and says whether there is something.
    pub(crate) fn together(
        &mut self,
        heap: &Heap,
        [giver, taker]: [u32; 2],
        each: Each<'_, 'c>,
    ) -> Result<bool, Elsewhere> {
        let code = self.code;
        let points = [giver, taker].map(|thread| Stack::point(heap, thread));
        let [first, second] = points.map(|point| code.stop(point));
        let never_wait = first.otherwise.is_some() && second.otherwise.is_some();
        self.look_at(giver);
        self.look_at(taker);
        if !first.gives || !second.takes || never_wait {
            return Ok(false);
        }
        let mut can_act = false;
        let givers = (0..).zip(&first.arms).filter(|(_, arm)| arm.gives);
        for (given, _) in givers {
            let takers = (0..).zip(&second.arms).filter(|(_, arm)| arm.takes);
            for (taken, _) in takers {
                let turn =
                    Turn { point: points[0], arm: Some(given), partner: Some((points[1], taken)) };
                let acting = [Some(giver), Some(taker)];
                can_act |= self.all_ways(heap, acting, turn, each, |execution| {
                    let mut stacks = [execution.take_stack(), execution.take_stack()];
                    let arms = [(points[0], given), (points[1], taken)];
                    let done = execution.meet_by([giver, taker], arms, &mut stacks);
                    stacks.into_iter().for_each(|stack| execution.give_stack(stack));
                    done
                })?;
            }
        }
        Ok(can_act)
    }

    /// What a thread does that can do nothing else.
    pub(crate) fn otherwise(
        &mut self,
        heap: &Heap,
        thread: u32,
        each: Each<'_, 'c>,
    ) -> Result<bool, Elsewhere> {
        let code = self.code;
        self.look_at(thread);
        let point = Stack::point(heap, thread);
        let Some(otherwise) = code.stop(point).otherwise else { return Ok(false) };
        let turn = Turn { point, arm: None, partner: None };
        self.all_ways(heap, [Some(thread), None], turn, each, |execution| {
            let mut stack = execution.take_stack();
            stack.load(code, &execution.heap, thread);
            let done = execution.go_on(thread, &mut stack, otherwise);
            execution.give_stack(stack);
            done
        })
    }

    /// Goes all ways of something that is done, and says whether there is one.
    fn all_ways(
        &mut self,
        heap: &Heap,
        acting: [Option<u32>; 2],
        turn: Turn,
        each: Each<'_, 'c>,
        act: impl Fn(&mut Execution<'c>) -> Result<(), Halt>,
    ) -> Result<bool, Elsewhere> {
        let mut can_act = false;
        self.script.clear();
        loop {
            self.begin(heap, acting);
            let mut done = act(self);
            if self.only_looks && matches!(done, Err(Halt::Failed(..))) {
                done = Err(Halt::Blocked);
            }
            self.gather(heap.len(), acting, done == Err(Halt::Blocked));
            let outcome = match done {
                Ok(()) => Some(Ok(())),
                Err(halt @ Halt::Failed(..)) => Some(Err(self.failure(halt))),
                Err(Halt::Blocked) => None,
                Err(Halt::Elsewhere) => return Err(Elsewhere),
            };
            if let Some(outcome) = outcome {
                can_act = true;
                // Who is called may execute something.
                let script = std::mem::take(&mut self.script);
                each(self, turn, acting, outcome);
                self.script = script;
            }
            if !self.script.advance() {
                return Ok(can_act);
            }
        }
    }

    /// Notes what was accessed on a way. If it goes no further, only what was read to find out counts, but for what one who
    /// meets another one did before. Who meets nobody does nothing with another one. What is made on the way is out of
    /// reach of others.
    fn gather(&mut self, objects: u32, acting: [Option<u32>; 2], is_blocked: bool) {
        let Some(accesses) = &self.accesses else { return };
        if acting[1].is_some() && !self.have_met {
            return;
        }
        for access in accesses {
            let is_done = !is_blocked || access.by == Some(0) && acting[1].is_some();
            if access.object >= objects || !is_done && !access.is_guard {
                continue;
            }
            let by = [0, 1].into_iter().filter(|number| access.by.is_none_or(|by| by == *number));
            for thread in by.filter_map(|number| acting[usize::from(number)]) {
                self.gathered.push((thread, *access));
            }
        }
    }

    /// Does an arm, and says by which exit it is left.
    fn arm(
        &mut self,
        thread: u32,
        stack: &mut Stack,
        point: PointId,
        arm: u16,
    ) -> Result<u16, Halt> {
        let entry = self.code.stop(point).arms[usize::from(arm)].entry;
        match self.run(stack, thread, entry)? {
            Pause::Done(exit) => Ok(exit),
            other => unreachable!("{other:?} in the middle of an arm"),
        }
    }

    /// Goes on after an arm.
    fn onward(
        &mut self,
        thread: u32,
        stack: &mut Stack,
        (point, arm): (PointId, u16),
        exit: u16,
    ) -> Result<(), Halt> {
        let stop = self.code.stop(point);
        let arm = &stop.arms[usize::from(arm)];
        let exit = usize::from(exit);
        let to = match (self.doom(thread), stop.killed, &arm.killed_exits) {
            (Some(Doom::Crash), ..) => {
                self.end(thread, None);
                self.crashed.push(thread);
                return Ok(());
            }
            // In a deferred block it goes on as it would have.
            (Some(Doom::Kill), Some(_), Some(exits)) => exits[exit],
            (Some(Doom::Kill), Some(killed), None) => killed,
            _ => arm.exits[exit],
        };
        self.go_on(thread, stack, to)
    }

    /// Two threads meet, each by an arm of its own, the one who gives first. What goes wrong before they meet is a failure
    /// of one of them alone, and none of theirs.
    fn meet_by(
        &mut self,
        [giver, taker]: [u32; 2],
        arms: [(PointId, u16); 2],
        [first, second]: &mut [Stack; 2],
    ) -> Result<(), Halt> {
        let alone = |halt: Halt| match halt {
            Halt::Failed(..) => Halt::Blocked,
            other => other,
        };
        first.load(self.code, &self.heap, giver);
        self.role = Role::First;
        let given = self.arm(giver, first, arms[0].0, arms[0].1);
        let Role::Brings(brought) = std::mem::take(&mut self.role) else {
            return Err(given.map_or_else(alone, |_| Halt::Blocked));
        };
        match given {
            Err(Halt::Blocked) => {
                // It cannot be done, but what was read to find that out counts where there is one to meet.
                let Some(accesses) = &mut self.accesses else { return Err(Halt::Blocked) };
                accesses.retain(|access| access.is_guard);
            }
            Err(Halt::Elsewhere) => return Err(Halt::Elsewhere),
            // What goes wrong after they meet goes wrong if they do.
            Ok(_) | Err(Halt::Failed(..)) => {}
        }
        second.load(self.code, &self.heap, taker);
        self.role = Role::Second(brought);
        self.actor = Some(1);
        let taken = self.arm(taker, second, arms[1].0, arms[1].1);
        let met = match std::mem::take(&mut self.role) {
            Role::Met(met) => met,
            _ => return Err(taken.map_or_else(alone, |_| Halt::Blocked)),
        };
        let (given, taken) = (given?, taken?);
        if let Some((to, value)) = met {
            first.set(to, value);
        }
        self.onward(giver, first, arms[0], given)?;
        self.onward(taker, second, arms[1], taken)
    }
}
