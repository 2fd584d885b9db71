//! What claims say of single states, and whether it holds there.
//!
//! A claim becomes a [property](Claim::property) over *statements*, each of which is about the present state alone. A
//! condition in a statement is compiled like any other expression. Its registers are what the claim mentions: how many
//! threads there are, what a quantifier binds, a variable of such a thread. They are filled in before it is evaluated.

use net::{BinaryOp, Formula, Property, Quantifier};
use program::graph::Passing;
use program::{LabelId, LocalId, ProcessId, Source};

use crate::code::{ClassKind, Code, PointKind, Register};
use crate::heap::Heap;
use crate::run::{Execution, Pause, Stack};
use crate::turn::Turn;
use crate::value::Value;

/// What is claimed of a program.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The property. Its variables are statements, by their numbers among those of the program.
    pub property: Property,
    /// What must hold some time if the property is not to hold vacuously.
    pub premise: Option<Formula>,
    /// Whose runs it is about, if it is about those of single threads.
    pub followed: Option<Followed>,
}

/// The threads that are followed, each by itself: those of a kind, from where they come to a label.
#[derive(Clone, Debug)]
pub struct Followed {
    /// What a claim calls the thread.
    pub(crate) bound: LocalId,
    pub(crate) process: ProcessId,
    pub(crate) labels: Labels,
}

/// A label, once for each routine that is made of the text in which it stands.
pub(crate) type Labels = Vec<(Source, LabelId)>;

/// A statement about single states.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// Two threads race.
    Race,
    State(Said),
}

/// What is said of a single state.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    /// A condition, which does not hold where something goes wrong while it is evaluated.
    Condition(Condition),
    /// Nothing can happen.
    Dead,
    Constant(bool),
    Not(Box<Said>),
    Connected(BinaryOp, Box<[Said; 2]>),
    /// Of all, or some, threads or objects of a class.
    Quantified(Quantifier, LocalId, ClassKind, Box<Said>),
}

/// A condition as it is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub routine: u32,
    /// Where the code leaves what comes of it.
    pub result: Register,
    /// What is in the registers before.
    pub mentions: Vec<(Register, Mention)>,
}

/// Something that a claim mentions. Threads and objects are bound by quantifiers, each by its number among what is mentioned.
#[derive(Clone, Debug)]
pub(crate) enum Mention {
    /// What is bound.
    Bound(LocalId),
    /// The number of threads of a kind that run, or of those at a label.
    Count(ProcessId, Option<Labels>),
    /// Whether a thread is at a label.
    At(LocalId, Labels),
    /// A variable of a thread. The second register says whether it is in scope.
    Variable(LocalId, ProcessId, LocalId, Register),
    /// Whether a thread has ended.
    Ended(LocalId),
    /// Whether some thread can take an arm of this label.
    Enabled(Labels),
}

/// A state that is looked at.
pub(crate) struct Look<'l, 'c> {
    pub code: &'c Code,
    pub heap: &'l Heap,
    pub execution: &'l mut Execution<'c>,
    /// What can happen next.
    pub next: &'l [Turn],
    /// What quantifiers have bound.
    pub bound: Vec<(LocalId, u32)>,
}

impl Look<'_, '_> {
    pub(crate) fn holds(&mut self, said: &Said) -> bool {
        match said {
            Said::Condition(condition) => self.satisfies(condition),
            Said::Dead => self.next.is_empty(),
            Said::Constant(truth) => *truth,
            Said::Not(inner) => !self.holds(inner),
            Said::Connected(op, parts) => {
                let first = self.holds(&parts[0]);
                match op {
                    BinaryOp::And => first && self.holds(&parts[1]),
                    BinaryOp::Or => first || self.holds(&parts[1]),
                    _ => !first || self.holds(&parts[1]),
                }
            }
            Said::Quantified(quantifier, bound, over, body) => {
                let decisive = *quantifier == Quantifier::Exists;
                for object in 0..self.heap.len() {
                    if self.code.class(self.heap.class(object)) != *over {
                        continue;
                    }
                    self.bound.push((*bound, object));
                    let holds = self.holds(body);
                    self.bound.pop();
                    if holds == decisive {
                        return decisive;
                    }
                }
                !decisive
            }
        }
    }

    fn satisfies(&mut self, condition: &Condition) -> bool {
        let mut stack = self.execution.take_stack();
        stack.start(self.code, condition.routine, &[]);
        for (register, mention) in &condition.mentions {
            self.fill(*register, mention, &mut stack);
        }
        let entry = self.code.routines[condition.routine as usize].entry;
        self.execution.begin(self.heap, [None; 2]);
        let evaluated = self.execution.run(&mut stack, 0, entry);
        let holds = match evaluated {
            Ok(Pause::Returned) => stack.get(condition.result).is_true(),
            Ok(other) => unreachable!("{other:?} in a condition"),
            Err(_) => false,
        };
        self.execution.give_stack(stack);
        holds
    }

    /// Gives a register the value of what is mentioned.
    fn fill(&self, register: Register, mention: &Mention, stack: &mut Stack) {
        let value = match mention {
            Mention::Bound(of) => self.bound(*of).map_or(Value::Nothing, Value::Reference),
            Mention::Count(process, labels) => {
                let is_one = |thread: &u32| {
                    self.is_running(*thread, *process)
                        && labels.as_ref().is_none_or(|labels| self.is_at(*thread, labels))
                };
                Value::Number((0..self.heap.len()).filter(is_one).count() as i64)
            }
            Mention::At(of, labels) => {
                let runs = |thread: &u32| self.code.is_running(self.heap.class(*thread));
                let thread = self.bound(*of).filter(runs);
                Value::truth(thread.is_some_and(|thread| self.is_at(thread, labels)))
            }
            Mention::Variable(of, process, local, scope) => {
                let thread = self.bound(*of).filter(|thread| self.is_running(*thread, *process));
                let value = thread.and_then(|thread| self.variable(thread, *process, *local));
                stack.set(*scope, Value::truth(value.is_some()));
                value.unwrap_or(Value::Nothing)
            }
            Mention::Ended(of) => {
                let class = self.bound(*of).map(|thread| self.code.class(self.heap.class(thread)));
                Value::truth(matches!(class, Some(ClassKind::Ended(_))))
            }
            Mention::Enabled(labels) => {
                Value::truth(self.next.iter().any(|next| self.code.takes_arm(*next, labels)))
            }
        };
        stack.set(register, value);
    }

    fn bound(&self, of: LocalId) -> Option<u32> {
        self.bound.iter().rev().find(|(other, _)| *other == of).map(|(_, object)| *object)
    }

    fn is_running(&self, thread: u32, process: ProcessId) -> bool {
        self.code.class(self.heap.class(thread)) == ClassKind::Running(process)
    }

    fn is_at(&self, thread: u32, labels: &Labels) -> bool {
        labels.iter().any(|label| self.code.is_at(self.heap, thread, *label))
    }

    /// A variable of a thread, if it has a value where that is: in the routine itself, or passed to one that it has called.
    fn variable(&self, thread: u32, process: ProcessId, local: LocalId) -> Option<Value> {
        let fields = self.heap.fields(thread);
        let point = self.code.point(Stack::point(self.heap, thread));
        let kept = |register: Register| {
            let at = point.kept.iter().position(|kept| *kept == register)?;
            Some(fields[1 + at])
        };
        if point.routine.source() == Source::Process(process) {
            return kept(local.0 as Register);
        }
        let passed = self.code.passed[point.code as usize].iter();
        let mut passed = passed.filter(|(passing, _)| *passing == Passing::Local(local));
        let Value::Composite(held) = kept(passed.next()?.1)? else { return None };
        self.heap.arena.parts(held).first().copied()
    }
}

impl Said {
    /// Whether it depends on what can happen next.
    fn asks_what_is_next(&self) -> bool {
        match self {
            Said::Dead => true,
            Said::Constant(_) => false,
            Said::Condition(condition) => {
                { condition.mentions.iter() }.any(|(_, one)| matches!(one, Mention::Enabled(_)))
            }
            Said::Not(inner) | Said::Quantified(.., inner) => inner.asks_what_is_next(),
            Said::Connected(_, parts) => parts.iter().any(Said::asks_what_is_next),
        }
    }
}

impl Code {
    /// Whether a statement depends on what can happen next.
    #[must_use]
    pub fn asks_what_is_next(&self, statement: u32) -> bool {
        match &self.statements[statement as usize] {
            Statement::Race => false,
            Statement::State(said) => said.asks_what_is_next(),
        }
    }

    /// Whether an arm with one of these labels is taken in a turn.
    pub(crate) fn takes_arm(&self, turn: Turn, labels: &[(Source, LabelId)]) -> bool {
        let arms = turn.arm.map(|arm| (turn.point, arm)).into_iter().chain(turn.partner);
        let mut own = arms.filter_map(|(point, arm)| {
            let PointKind::Stop(stop) = &self.point(point).what else { return None };
            stop.arms[usize::from(arm)].label
        });
        own.any(|label| labels.contains(&label))
    }
}
