//! What keeps a process from going on where it stands.
//!
//! All its ways are tried. Each ends at the first condition that does not hold, at a process that has not ended, or at a
//! step for which another one is missing. A way that was not taken, since a condition sent the process on another one, ends
//! at that condition.

use std::cell::RefCell;
use std::rc::Rc;

use net::{BinaryOp, Origin};
use program::{Action, Expr, Form, Meeting, ObjectId, Operation, StepId};

use crate::access::{Location, Looks};
use crate::control::Stop;
use crate::interpreter::Interpreter;
use crate::meet::Role;
use crate::state::State;
use crate::value::{Address, Pid, Value};
use crate::world::World;

/// Why a process cannot go on in one way.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// What it would do: a statement, or the arm of a `select`.
    pub statement: Origin,
    /// What keeps it from that.
    pub what: Hindrance,
}

/// What keeps a process from doing something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// A condition does not hold, or the part of it that comes first of those that do not. It reads these.
    Condition(Vec<Location>),
    /// A process has not ended.
    Runs(Pid),
    /// Nobody is there to meet it at an object.
    Nobody(Address),
}

impl<'p> Interpreter<'p> {
    /// What keeps a process from going on where it stands, on each of its ways. Those on which it can are left out.
    #[must_use]
    pub fn obstacles(&self, state: &State, pid: Pid) -> Vec<Obstacle> {
        let mut settled = state.clone();
        let Stop::Before(statement, _) = self.settle(&mut settled, pid) else { return Vec::new() };
        let obstacles = Some(RefCell::default());
        let looks = Rc::new(Looks { obstacles, ..Looks::default() });
        let world = World::new(self.program, settled, pid, &looks).acts(statement.origin);
        self.act(world);
        looks.obstacles.as_ref().map(RefCell::take).unwrap_or_default()
    }

    /// Notes that one who acts alone meets nobody by a step of an object, if there it could meet one.
    pub(crate) fn look_for_partners(
        &self,
        (of, object, step): (ObjectId, Address, StepId),
        passed: &[Value],
        world: &World<'p>,
    ) {
        if !matches!(world.role, Role::Alone) || world.looks.obstacles.is_none() {
            return;
        }
        let meetings = &self.program.objects[of.index()].meetings;
        if meetings.iter().any(|meeting| self.may_meet(meeting, object, step, passed, world)) {
            world.obstruct(|| Hindrance::Nobody(object));
        }
    }

    /// Whether what is known of one of two does not rule out that they meet.
    fn may_meet(
        &self,
        meeting: &'p Meeting,
        object: Address,
        step: StepId,
        passed: &[Value],
        world: &World<'p>,
    ) -> bool {
        let own = passed.iter().cloned().map(Some);
        let object = Some(Value::Object(object));
        let mut locals: Vec<Option<Value>> = match step {
            _ if meeting.first == step => [object].into_iter().chain(own).collect(),
            _ if meeting.second == step => {
                let theirs = meeting.locals.len() - 1 - passed.len();
                let theirs = meeting.locals[1..].iter().take(theirs).map(|_| None);
                [object].into_iter().chain(theirs).chain(own).collect()
            }
            _ => return false,
        };
        locals.resize(meeting.locals.len(), None);
        let mut inside = world.clone();
        inside.scopes.push(locals);
        let Some(Action::Select(select)) = meeting.body.first().map(|first| &first.action) else {
            return true;
        };
        let conditions = select.arms.iter().filter_map(|arm| match &arm.operation {
            Operation::Await(condition) => Some(condition),
            _ => None,
        });
        let mut parts = Vec::new();
        conditions.for_each(|condition| conjuncts(condition, &mut parts));
        parts.iter().all(|part| {
            let is_known = inside.knows(part);
            !is_known || inside.scope().eval(part).is_ok_and(|holds| holds.bool())
        })
    }
}

impl World<'_> {
    /// Notes what keeps the process from going on, if that is asked.
    pub(crate) fn obstruct(&self, what: impl FnOnce() -> Hindrance) {
        let Some(obstacles) = &self.looks.obstacles else { return };
        let own = self.actors.iter().find(|actor| actor.pid == self.this);
        let statement = own.map_or(self.statement, |actor| actor.origin);
        obstacles.borrow_mut().push(Obstacle { statement, what: what() });
    }

    /// Notes the condition that keeps the process from the way that it does not take.
    pub(crate) fn leave_out(&self, condition: &Expr, holds: bool) {
        self.obstruct(|| {
            Hindrance::Condition(match holds {
                true => self.reads(condition),
                false => self.failing(condition),
            })
        });
    }

    /// What is read by the first part of a condition that does not hold.
    pub(crate) fn failing(&self, condition: &Expr) -> Vec<Location> {
        let mut parts = Vec::new();
        conjuncts(condition, &mut parts);
        let holds = |part: &Expr| self.scope().eval(part).is_ok_and(|holds| holds.bool());
        let first = parts.iter().find(|part| !holds(part));
        first.map(|part| self.reads(part)).unwrap_or_default()
    }

    /// Whether all variables in an expression have values.
    fn knows(&self, expr: &Expr) -> bool {
        match &expr.form {
            Form::Local(id) => self.scope().locals[id.index()].is_some(),
            _ => expr.children().into_iter().all(|child| self.knows(child)),
        }
    }
}

/// The parts of a condition that must all hold.
fn conjuncts<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &expr.form {
        Form::Binary(BinaryOp::And, a, b) => {
            conjuncts(a, parts);
            conjuncts(b, parts);
        }
        _ => parts.push(expr),
    }
}

#[cfg(test)]
mod tests {
    use program::Observed;

    use super::*;
    use crate::examples::program;
    use crate::turns::Turns;

    #[test]
    fn who_waits_is_kept_by_what_it_waits_for() {
        let program = program(
            "shared line = new channel[0..=3](capacity: 0)
            shared lock = new mutex
            process main {
                lock.lock()
                let w = spawn worker()
                select { line.send(1) { }   join w { } }
            }
            process worker { lock.lock()   line.receive() }",
        );
        let observed = Observed::default();
        let interpreter = Interpreter::new(&program, &observed);
        let mut state = interpreter.initial(Turns::Steps).expect("first values fit").remove(0);
        while let Some(next) = interpreter.successors(&state, Turns::Steps).pop() {
            state = next.outcome.expect("nothing goes wrong").state;
        }
        let found = |pid| -> Vec<Hindrance> {
            interpreter.obstacles(&state, pid).into_iter().map(|one| one.what).collect()
        };
        let [line, lock] = [0, 1].map(|global: usize| match state.globals[global] {
            Value::Object(object) => object,
            _ => panic!("it is an object"),
        });
        let of_main = found(Pid(0));
        assert!(of_main.contains(&Hindrance::Nobody(line)), "{of_main:?}");
        assert!(of_main.contains(&Hindrance::Runs(Pid(1))), "{of_main:?}");
        let [Hindrance::Condition(read)] = &found(Pid(1))[..] else { panic!("one way") };
        assert!(matches!(read[..], [Location::Field(object, _)] if object == lock), "{read:?}");
    }
}
