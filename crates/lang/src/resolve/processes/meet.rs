//! Where two processes meet: one step of each, done together.

use std::rc::Rc;

use program::{Expr as Value, LocalId, Meeting, Named, ObjectId, StepId, Type};

use super::body::{Binding, Body, Calls, Kind};
use super::{Lowering, origin};
use crate::syntax::Expr;
use crate::syntax::process::{Block, MeetSide, StatementKind};
use diagnostics::Span;

impl<'a> Lowering<'a, '_, '_> {
    /// Makes a meeting of two steps.
    pub(super) fn meeting(
        &mut self,
        id: ObjectId,
        sides: [(StepId, &'a MeetSide<'a>); 2],
        body: &'a Block<'a>,
    ) {
        let info = &self.objects[id.index()];
        let mut inside = Body::new(Kind::Meeting(id), info.used);
        inside.types = Rc::clone(&info.types);
        inside.this = Some(id);
        let this =
            Named { name: "this".into(), of: Type::Object(id), origin: origin(Span::default()) };
        inside.routine.locals.push(this);
        self.body = inside;
        self.reported.clear();
        for (step, side) in sides {
            self.bind_side(id, step, side);
        }
        let (before, last) = match body.statements.split_last() {
            Some((last, before)) => match &last.kind {
                StatementKind::Return(values) => (before, Some((&values[..], last.span))),
                _ => (&body.statements[..], None),
            },
            None => (&body.statements[..], None),
        };
        let mut results = [None, None];
        let lowered = self.scoped(|lowering| {
            for statement in before {
                lowering.statement(statement);
            }
            lowering.body.calls = Calls::Free;
            lowering.body.span = last.map_or(body.close, |(_, span)| span);
            results = lowering.results(id, sides.map(|(step, _)| step), last, body.close);
        });
        let locals = std::mem::take(&mut self.body.routine.locals);
        let (first, second) = (sides[0].0, sides[1].0);
        let meeting = Meeting { first, second, body: lowered, locals, results };
        self.program.objects[id.index()].meetings.push(meeting);
    }

    fn bind_side(&mut self, id: ObjectId, step: StepId, side: &'a MeetSide<'a>) {
        let routine = &self.program.objects[id.index()].steps[step.index()].routine;
        let parameters: Vec<Named> = routine.locals[1..routine.parameters].to_vec();
        if side.parameters.len() > parameters.len() {
            let name = side.parameters[parameters.len()];
            let message = format!("`{}` has fewer parameters", side.step.text);
            self.error("E1006", message, name.span, "one too many")
                .help("name as many as the step has, or fewer")
                .report(self.resolver.diagnostics);
        }
        for (number, parameter) in parameters.into_iter().enumerate() {
            let local = u32::try_from(self.body.routine.locals.len()).expect("fewer than bytes");
            self.body.routine.locals.push(parameter);
            if let Some(name) = side.parameters.get(number) {
                self.bind(*name, Binding::Local(LocalId(local)));
            }
        }
    }

    /// What the two get: the second the value that is returned, or each its own of two.
    fn results(
        &mut self,
        id: ObjectId,
        steps: [StepId; 2],
        last: Option<(&'a [Expr<'a>], Span)>,
        close: Span,
    ) -> [Option<Value>; 2] {
        let types = steps.map(|step| {
            self.program.objects[id.index()].steps[step.index()].routine.result.clone()
        });
        let (values, span) = last.unwrap_or((&[], close));
        let values: [Option<&'a Expr<'a>>; 2] = match values {
            [] => [None, None],
            [second] => [None, Some(second)],
            [first, second, ..] => [Some(first), Some(second)],
        };
        let mut results = [None, None];
        for (number, (value, of)) in values.into_iter().zip(types).enumerate() {
            let which = if number == 0 { "first" } else { "second" };
            match (value, of) {
                (Some(value), Some(of)) => {
                    let found = self.fitting(value, &of, "the result");
                    results[number] = found.and_then(|found| self.exact(found, &of, value.span));
                }
                (None, Some(of)) if self.is_unit(&of) => results[number] = Some(self.nothing()),
                (None, Some(_)) => {
                    let message = format!("the {which} of the two steps is to get a result");
                    self.error("E1012", message, span, "none is returned")
                        .help("`return e` is for the second, `return e, f` for both")
                        .report(self.resolver.diagnostics);
                }
                (Some(value), None) => {
                    let message = format!("the {which} of the two steps returns nothing");
                    self.error("E1012", message, value.span, "a value is returned")
                        .help(
                            "leave it out, or declare the result of the step: `step NAME(…): TYPE`",
                        )
                        .report(self.resolver.diagnostics);
                }
                (None, None) => {}
            }
        }
        results
    }
}
