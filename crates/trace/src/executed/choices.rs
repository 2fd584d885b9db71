//! What is chosen in a step of a program, in words. What the prelude chooses, or a step of an object, is nobody's concern.

use std::collections::HashMap;

use interpret::{Chosen, Step, Value};
use net::Origin;
use program::graph::Way;
use program::{Action, Block, Named, Program, Type};

use super::values::Values;
use crate::words::{equation, line_text};

/// The statements of a program that choose something, by where they are written.
#[derive(Default)]
pub(super) struct Choices<'p> {
    blocks: HashMap<(usize, usize), Vec<Way>>,
    /// The variable, once for each type that the routine is made for.
    variables: HashMap<(usize, usize), Vec<&'p Named>>,
}

fn written(origin: Origin) -> (usize, usize) {
    origin.range().map_or((0, 0), |range| (range.start, range.end))
}

impl<'p> Choices<'p> {
    pub fn of(program: &'p Program) -> Choices<'p> {
        let mut choices = Choices::default();
        for routine in program.processes.iter().chain(&program.functions) {
            choices.add(&routine.body, &routine.locals);
        }
        choices
    }

    fn add(&mut self, block: &'p Block, locals: &'p [Named]) {
        for statement in block {
            let at = written(statement.origin);
            match &statement.action {
                Action::Either(blocks) => {
                    let ways = blocks.iter().map(|block| Way::of(block, statement.origin));
                    self.blocks.insert(at, ways.collect());
                }
                Action::Choose(local, ..) => {
                    self.variables.entry(at).or_default().push(&locals[local.index()]);
                }
                _ => {}
            }
            statement.action.blocks().into_iter().for_each(|inner| self.add(inner, locals));
        }
    }

    /// What is chosen in a step: the variable that gets a value, if it is one, and what is said of it.
    pub fn said(&self, step: &Step, values: Values) -> Vec<(Option<&'p str>, String)> {
        let program = values.program;
        let is_own = |origin: Origin| {
            let start = program.prelude.unwrap_or(usize::MAX);
            origin.range().is_some_and(|range| range.start < start)
        };
        let mut said = Vec::new();
        for choice in &step.choices {
            let at = written(choice.statement);
            match &choice.chosen {
                Chosen::Block(number) => {
                    let ways = self.blocks.get(&at);
                    let way = ways.filter(|ways| ways.len() > 1).and_then(|ways| ways.get(*number));
                    let Some(way) = way.filter(|way| is_own(way.origin)) else { continue };
                    let first = program.written(way.origin).filter(|_| !way.is_empty);
                    let first =
                        first.map_or_else(|| "which is empty".to_owned(), |line| line_text(&line));
                    said.push((None, format!("takes branch {}, {first}", number + 1)));
                }
                Chosen::Value(value) => {
                    let of_type = |named: &&&Named| is_of(value, &named.of);
                    let variable = self.variables.get(&at).into_iter().flatten().find(of_type);
                    let is_told =
                        |named: &&&Named| is_own(named.origin) && !named.name.starts_with('$');
                    let Some(named) = variable.filter(is_told) else { continue };
                    let value = values.text(value, &named.of);
                    let text = format!("chooses {}", equation(&named.name, &value));
                    said.push((Some(named.name.as_str()), text));
                }
                Chosen::Arm(_) | Chosen::Otherwise | Chosen::Joined(_) => {}
            }
        }
        said
    }
}

/// Whether a value is of a kind of type.
fn is_of(value: &Value, of: &Type) -> bool {
    match (value, of) {
        (Value::Nothing, Type::Optional(_)) => true,
        (Value::Some(value), Type::Optional(of)) => is_of(value, of),
        (value, Type::Optional(of)) => is_of(value, of),
        (Value::Int(_), Type::Int { .. })
        | (Value::Bool(_), Type::Bool)
        | (Value::Process(_), Type::Handle(_))
        | (Value::Object(_), Type::Object(_))
        | (Value::Sequence(_), Type::Sequence(..))
        | (Value::Set(_), Type::Set(..))
        | (Value::Map(_), Type::Map(..)) => true,
        (Value::Member(..), Type::Member(_))
        | (Value::Record(_), Type::Record(_))
        | (Value::Case(..), Type::Variant(_)) => true,
        _ => false,
    }
}
