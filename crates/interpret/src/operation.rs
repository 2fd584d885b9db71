//! What is waited for: conditions, ends of processes, steps of objects; and choices of values.

use net::Enumeration;
use program::{Domain, Expr, LocalId, ObjectId, Operation, StepId, Type};

use crate::access::Location;
use crate::failure::Cause;
use crate::interpreter::Interpreter;
use crate::next::Chosen;
use crate::obstacle::Hindrance;
use crate::state::Process;
use crate::value::{Address, Pid, Value};
use crate::world::{Outcome, World, one, then};

/// A step of an object that is called.
pub(crate) struct Call<'p> {
    of: ObjectId,
    step: StepId,
    arguments: &'p [Expr],
    /// Where its result goes.
    result: Option<LocalId>,
}

impl<'p> Interpreter<'p> {
    /// What is waited for, where it can be had. Some operands may have been read before.
    pub(crate) fn operation(
        &self,
        operation: &'p Operation,
        given: &[Option<Value>],
        world: World<'p>,
    ) -> Vec<Outcome<'p, ()>> {
        let asked = |expr: &Expr| {
            let before = world.accesses.len();
            let value = match given.first().cloned().flatten() {
                Some(value) => Ok(value),
                None => world.scope().eval(expr),
            };
            world.accesses.are_conditions(before);
            world.looks.look(&world);
            value
        };
        match operation {
            Operation::Await(condition) => {
                let holds = world.awaits(condition);
                let passed = |world, holds| if holds { vec![Ok((world, ()))] } else { Vec::new() };
                then(one(world, holds), passed)
            }
            Operation::Join(handle, result) => {
                let pid = asked(handle).and_then(|handle| handle.process());
                let has_result = self.has_result(&handle.of);
                then(one(world, pid), |world, pid| join(pid, *result, has_result, world))
            }
            Operation::JoinAny(handles, which, result) => {
                let (Type::Set(of, _) | Type::Sequence(of, _)) = &handles.of else {
                    panic!("one of {handles:?}")
                };
                let has_result = self.has_result(of);
                let handles = asked(handles);
                then(one(world, handles), |world, handles| {
                    let each = handles.elements().into_iter();
                    let ways = each.flat_map(|handle| {
                        let pid = handle.process().expect("there are no gaps in a collection");
                        let mut world = world.clone();
                        world.choose(Chosen::Joined(pid));
                        if let Some(which) = which {
                            *world.local(*which) = Some(handle);
                        }
                        join(pid, *result, has_result, world)
                    });
                    ways.collect()
                })
            }
            Operation::Step { object, step, arguments, result } => {
                let (of, step, result) = (object.of.object(), *step, *result);
                let found = asked(object).and_then(|object| object.object());
                let later = given.get(1..).unwrap_or_default();
                let call = Call { of, step, arguments, result };
                then(one(world, found), |world, object| {
                    world.reader().access(Location::Object(object), false);
                    self.step(&call, object, later, world)
                })
            }
        }
    }

    /// Whether a process of a handle gives a result.
    fn has_result(&self, of: &Type) -> bool {
        match of {
            Type::Optional(inner) => self.has_result(inner),
            Type::Handle(Some(kind)) => self.program.processes[kind.index()].result.is_some(),
            _ => false,
        }
    }

    /// A step of an object, by one process alone or as its part of a rendezvous.
    fn step(
        &self,
        call: &Call<'p>,
        object: Address,
        given: &[Option<Value>],
        world: World<'p>,
    ) -> Vec<Outcome<'p, ()>> {
        let Call { of, step, arguments, result } = *call;
        let routine = &self.program.objects[of.index()].steps[step.index()].routine;
        let before = world.accesses.len();
        let passed = self.arguments(&routine.locals[1..], arguments, given, &world);
        world.accesses.are_conditions(before);
        world.looks.look(&world);
        then(one(world, passed), |world, mut passed| {
            self.look_for_partners((of, object, step), &passed, &world);
            let together = self.step_together((of, object, step), &passed, result, &world);
            passed.insert(0, Value::Object(object));
            let alone = then(self.routine_at_once(routine, passed, world), |mut world, value| {
                if let Some(local) = result {
                    *world.local(local) = value;
                }
                vec![Ok((world, ()))]
            });
            together.into_iter().chain(alone).collect()
        })
    }

    /// A variable gets any value of a domain for which a condition holds.
    pub(crate) fn choose(
        &self,
        local: LocalId,
        domain: &Domain,
        when: Option<&Expr>,
        world: World<'p>,
    ) -> Vec<Outcome<'p, ()>> {
        let before = world.accesses.len();
        let values = self.values(domain, &world);
        world.accesses.are_conditions(before);
        then(one(world, values), |world, values: Vec<Value>| {
            world.looks.look(&world);
            let each = values.into_iter().filter_map(|value| {
                let mut world = world.clone();
                world.choose(Chosen::Value(value.clone()));
                *world.local(local) = Some(value);
                match when.map_or(Ok(true), |when| world.awaits(when)) {
                    Ok(true) => Some(Ok((world, ()))),
                    Ok(false) => None,
                    Err(cause) => Some(Err(world.fault(cause))),
                }
            });
            each.collect()
        })
    }

    /// The values of a domain, each once.
    fn values(&self, domain: &Domain, world: &World<'p>) -> Result<Vec<Value>, Cause> {
        let eval = |expr: &Expr| world.scope().eval(expr);
        Ok(match domain {
            Domain::Range(from, to) => {
                let (from, to) = (eval(from)?.int(), eval(to)?.int());
                (from..=to).map(Value::Int).collect()
            }
            Domain::Collection(over) => {
                let mut values = eval(over)?.elements();
                values.sort();
                values.dedup();
                values
            }
            Domain::Type(of) | Domain::Forgotten(of) => all_of(of, &self.program.enumerations),
        })
    }
}

/// All values of a type that is a number, a truth value or a member.
fn all_of(of: &Type, enumerations: &[Enumeration]) -> Vec<Value> {
    match of {
        Type::Int { min, max } => (*min..=*max).map(Value::Int).collect(),
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Member(id) => {
            let members = enumerations[id.index()].members.len() as u32;
            (0..members).map(|member| Value::Member(*id, member)).collect()
        }
        other => panic!("{other:?} is nothing to choose from"),
    }
}

/// Goes on if a process has ended, with its result; where there is none, with whether it ended by itself.
fn join<'p>(
    pid: Pid,
    result: Option<LocalId>,
    has_result: bool,
    mut world: World<'p>,
) -> Vec<Outcome<'p, ()>> {
    world.reader().access(Location::End(pid), false);
    let process = &world.state.processes[pid.index()];
    let value = match process {
        Process::Running(_) => {
            world.obstruct(|| Hindrance::Runs(pid));
            return Vec::new();
        }
        Process::Returned(Some(value)) if has_result => Value::Some(Box::new(value.clone())),
        Process::Returned(_) | Process::Killed if has_result => Value::Nothing,
        process => Value::Bool(*process != Process::Killed),
    };
    if let Some(local) = result {
        *world.local(local) = Some(value);
    }
    vec![Ok((world, ()))]
}
