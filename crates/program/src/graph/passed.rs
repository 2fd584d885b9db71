//! What those who are in a function still have of their callers, to be seen by properties.
//!
//! The variables of a process are in scope while it is in a function that it has called, and it is at a label until the
//! labelled statement has been done, also if that is a call. So what is observed is passed on: a function has a
//! hidden parameter for each observed variable of the process in whose course it is, which holds the value if the
//! variable is in scope, and one for each observed label before a call, which tells whether such a call is being done.

use std::collections::BTreeSet;

use net::{Literal, Origin};

use super::{Observed, RoutineId, Source, labels_of};
use crate::live::Locals;
use crate::{
    Action, Block, Expr, Form, FunctionId, LabelId, LocalId, Named, ProcessId, Program, Type,
};

/// What is passed on to functions.
#[derive(Default)]
pub struct Passed {
    /// Observed variables of processes.
    locals: BTreeSet<(ProcessId, LocalId)>,
    /// Observed labels that stand before a call.
    labels: BTreeSet<(Source, LabelId)>,
}

/// Something that is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// A variable of the process, in a sequence that is empty if it is not in scope.
    Local(LocalId),
    /// Whether a call behind a label is being done.
    Label(Source, LabelId),
}

impl Passed {
    /// What the routines of a program pass on, since it is observed.
    pub fn of(program: &Program, observed: &Observed) -> Passed {
        let local = |(source, local): &(Source, LocalId)| match source {
            Source::Process(process) => Some((*process, *local)),
            Source::Function(_) => None,
        };
        let mut labels = BTreeSet::new();
        for (number, process) in (0..).zip(&program.processes) {
            before_calls(&process.body, &[], Source::Process(ProcessId(number)), &mut labels);
        }
        for (number, function) in (0..).zip(&program.functions) {
            before_calls(&function.body, &[], Source::Function(FunctionId(number)), &mut labels);
        }
        labels.retain(|label| observed.labels.contains(label));
        Passed { locals: observed.locals.iter().filter_map(local).collect(), labels }
    }

    /// What is passed on to the functions that processes of a kind call, in order.
    fn to(&self, process: ProcessId) -> impl Iterator<Item = Passing> {
        let locals = self.locals.iter().filter(move |(of, _)| *of == process);
        let locals = locals.map(|(_, local)| Passing::Local(*local));
        locals.chain(self.labels.iter().map(|(source, label)| Passing::Label(*source, *label)))
    }

    /// The hidden parameters of a routine, which follow the variables of its text.
    pub fn parameters(&self, id: RoutineId, program: &Program) -> Vec<(Passing, LocalId, Named)> {
        let RoutineId::Function(process, function) = id else { return Vec::new() };
        let first = program.functions[function.index()].locals.len() as u32;
        let parameter = |(number, passing): (u32, Passing)| {
            let of = match passing {
                Passing::Local(local) => room_for(program, process, local),
                Passing::Label(..) => Type::Bool,
            };
            let name = format!("$passed {}", number - first);
            (passing, LocalId(number), Named { name, of, origin: Origin::default() })
        };
        (first..).zip(self.to(process)).map(parameter).collect()
    }

    /// What a routine passes on in a call: the hidden parameters, and their values. Its own variables are in scope as
    /// given, and these labels stand before the call.
    pub fn arguments(
        &self,
        (caller, callee): (RoutineId, RoutineId),
        seen: &Locals,
        labels: &[LabelId],
        program: &Program,
    ) -> Vec<(LocalId, Expr)> {
        let own = self.parameters(caller, program);
        let inherited = |passing: Passing| {
            let found = own.iter().find(|(other, ..)| *other == passing);
            found.map(|(_, local, named)| Expr::local(*local, named.of.clone()))
        };
        let value = |(passing, local, named): (Passing, LocalId, Named)| {
            let is_before = |source, label| source == caller.source() && labels.contains(&label);
            let value = match passing {
                Passing::Label(source, label) if is_before(source, label) => truth(true),
                _ if caller.is_called() => inherited(passing).expect("it has the same"),
                Passing::Label(..) => truth(false),
                Passing::Local(of) => {
                    let variable = &program.processes[caller.process().index()].locals[of.index()];
                    let value = Expr::local(of, variable.of.clone());
                    let values = if seen.contains(&of) { vec![value] } else { Vec::new() };
                    Expr { form: Form::Collection(values), of: named.of }
                }
            };
            (local, value)
        };
        self.parameters(callee, program).into_iter().map(value).collect()
    }
}

/// The type of what holds a variable that may be out of scope.
fn room_for(program: &Program, process: ProcessId, local: LocalId) -> Type {
    let of = &program.processes[process.index()].locals[local.index()].of;
    Type::Sequence(Box::new(of.clone()), 1)
}

fn truth(truth: bool) -> Expr {
    Expr { form: Form::Literal(Literal::Bool(truth)), of: Type::Bool }
}

/// The labels that stand before calls.
fn before_calls(
    block: &Block,
    before: &[LabelId],
    source: Source,
    found: &mut BTreeSet<(Source, LabelId)>,
) {
    for (number, statement) in block.iter().enumerate() {
        let (labels, _) = labels_of(block, number, before);
        match &statement.action {
            Action::Call(..) => found.extend(labels.iter().map(|label| (source, *label))),
            Action::Block(inner) => before_calls(inner, &labels, source, found),
            action => {
                let inside = action.blocks().into_iter();
                inside.for_each(|block| before_calls(block, &[], source, found));
            }
        }
    }
}
