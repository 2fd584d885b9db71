//! Terms: multisets, elements, truth values and numbers, as functions of the variables.
//!
//! Bottom-up. Named operators are abbreviations, so their definitions are translated where they are
//! applied, with the arguments in place of the parameters. What that, parts and tuples of sums amount to
//! can be exponentially more than was written; so what is made is counted, and limited for the whole net.

use std::collections::HashMap;
use std::rc::Rc;

use net::{BinaryOp, EnumId, Expr, Literal, Var};

use super::classes::{Class, Classes, Columns, Domain};
use super::conditions::in_order;
use super::logic::{all_of, choose, member, plus, truth};
use super::sum::{Block, Slot, Sum};
use super::{Failed, Step};
use crate::declaration::{Declared, Parameter};
use crate::document::Id;
use crate::index::{Index, UserOperator};
use crate::term::{Operator, Term};
use diagnostics::{Diagnostic, Diagnostics, Span};

/// How many operations the terms of a net may take when they are written out.
const MOST_WORK: usize = 1 << 20;
/// Applying an operator counts for this many parts: it takes as long.
const APPLICATION: usize = 16;
/// How deep terms may be nested, operators written out.
const DEEPEST: usize = 600;

/// What a term denotes.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A multiset, or an element, which is then there once.
    Sum(Sum),
    /// A number.
    Number(Expr),
}

/// A column of a variable as declared: one variable of the net.
#[derive(Clone, Debug)]
pub(super) struct Component<'d> {
    pub(super) variable: &'d str,
    /// Which column it is, from 1, of several.
    pub(super) number: Option<usize>,
    pub(super) domain: Domain,
}

pub(super) struct Terms<'t, 'd> {
    pub(super) index: &'t Index<'d>,
    pub(super) classes: &'t mut Classes<'d>,
    pub(super) sink: &'t mut Diagnostics,
    /// The components of the variables met so far, and where those of each variable start.
    pub(super) components: Vec<Component<'d>>,
    known: HashMap<&'d str, (u32, Columns)>,
    work: usize,
    depth: usize,
    /// Whether it was said that there is too much work.
    overworked: bool,
    /// Where the operator stands whose definition is being written out, the outermost of them.
    applied_at: Option<Span>,
    /// What the parameters of the definition that is being written out stand for.
    parameters: HashMap<&'d str, Value>,
}

impl<'t, 'd> Terms<'t, 'd> {
    pub(super) fn new(
        index: &'t Index<'d>,
        classes: &'t mut Classes<'d>,
        sink: &'t mut Diagnostics,
    ) -> Terms<'t, 'd> {
        Terms {
            index,
            classes,
            sink,
            components: Vec::new(),
            known: HashMap::new(),
            work: 0,
            depth: 0,
            overworked: false,
            applied_at: None,
            parameters: HashMap::new(),
        }
    }

    /// A multiset with these columns.
    pub(super) fn multiset(&mut self, term: &'d Term, columns: &Columns) -> Step<Sum> {
        let sum = self.sum(term)?;
        let sum = self.settled(sum, columns, term.span)?;
        let Sum { columns, blocks } = self.with_parts_written(sum, term.span)?;
        let ordered = |block| in_order(block, &columns, self.classes);
        let blocks = blocks.into_iter().filter_map(ordered).collect();
        self.gathered(Sum { columns, blocks }, term.span)
    }

    pub(super) fn fail(&mut self, error: impl FnOnce() -> Diagnostic) -> Failed {
        self.sink.report(error);
        Failed
    }

    pub(super) fn unsayable(&mut self, span: Span, what: &str, help: &str) -> Failed {
        self.fail(|| Diagnostic::error("P0504", what).at(span, "").help(help))
    }

    pub(super) fn too_many(&mut self, span: Span) -> Failed {
        self.fail(|| {
            Diagnostic::error("P0503", "this is more tokens than can be counted").at(span, "")
        })
    }

    /// Counts what is made beyond what is written.
    pub(super) fn spend(&mut self, work: usize, span: Span) -> Step<()> {
        self.work = self.work.saturating_add(work);
        if self.work <= MOST_WORK {
            return Ok(());
        }
        let span = self.applied_at.unwrap_or(span);
        if !std::mem::replace(&mut self.overworked, true) {
            self.sink.report(|| {
                Diagnostic::error("P0505", "the terms of this net are too large when written out")
                    .at(span, "")
                    .help("operators, parts, and tuples of sums stand for more than is written")
            });
        }
        Err(Failed)
    }

    fn value(&mut self, term: &'d Term) -> Step<Value> {
        if self.depth >= DEEPEST {
            let span = self.applied_at.unwrap_or(term.span);
            return Err(self.fail(|| {
                Diagnostic::error("P0505", "terms are nested too deeply when written out")
                    .at(span, "")
                    .help("operators stand for the terms that define them")
            }));
        }
        self.depth += 1;
        let value = self.dispatch(term);
        self.depth -= 1;
        value
    }

    /// Only a dispatcher: the frames of nested terms add up.
    fn dispatch(&mut self, term: &'d Term) -> Step<Value> {
        match &term.operator {
            Operator::Variable(id) => self.variable(id),
            Operator::User(id) => self.user(id, term),
            Operator::Dot => Ok(Value::Sum(Sum::of(Rc::new([]), Vec::new()))),
            Operator::Boolean(holds) => Ok(boolean(truth(*holds))),
            Operator::Number { value, .. } => self.number_constant(*value, term.span),
            Operator::RangeConstant { value, range } => {
                let columns = Rc::new([Domain::Integer(*range)]);
                Ok(Value::Sum(Sum::of(columns, vec![Slot::Number(*value)])))
            }
            Operator::Tuple => self.tuple(term),
            Operator::All(sort) => {
                let columns = self.classes.columns(sort);
                self.all(columns, term.span)
            }
            Operator::Empty(sort) => {
                let columns = self.classes.columns(sort);
                Ok(Value::Sum(Sum { columns, blocks: Vec::new() }))
            }
            Operator::NumberOf | Operator::ScalarProduct => self.repeated(term),
            Operator::Add | Operator::Subtract => self.added(term),
            Operator::Cardinality => self.cardinality(term),
            Operator::CardinalityOf => self.cardinality_of(term),
            Operator::Successor => self.shifted(term, 1),
            Operator::Predecessor => self.shifted(term, -1),
            Operator::PartOf(id) => self.part_of(id, term),
            _ => self.truth_of(term).map(boolean),
        }
    }

    pub(super) fn sum(&mut self, term: &'d Term) -> Step<Sum> {
        match self.value(term)? {
            Value::Sum(sum) => Ok(sum),
            Value::Number(_) => Err(self.unsayable(
                term.span,
                "a number stands where tokens are meant",
                "numbers say how often: write `<numberof>`",
            )),
        }
    }

    /// The only element that a term denotes.
    pub(super) fn element(&mut self, sum: &Sum, span: Span) -> Step<Vec<Slot>> {
        match sum.element() {
            Some(block) => Ok(block.slots.clone()),
            None => Err(self.unsayable(
                span,
                "one element is needed here, and this is a multiset",
                "write a variable or a constant",
            )),
        }
    }

    /// A condition.
    pub(super) fn truth(&mut self, term: &'d Term) -> Step<Expr> {
        let sum = self.sum(term)?;
        match self.element(&sum, term.span)?.pop() {
            Some(Slot::Value(expr)) => Ok(expr),
            _ => Err(self.unsayable(term.span, "this neither holds nor not", "write a condition")),
        }
    }

    fn number(&mut self, term: &'d Term) -> Step<Expr> {
        match self.value(term)? {
            Value::Number(number) => Ok(number),
            Value::Sum(_) => Err(self.unsayable(
                term.span,
                "a number is needed here",
                "write `<numberconstant>`",
            )),
        }
    }

    fn number_constant(&mut self, value: u64, span: Span) -> Step<Value> {
        let number = i64::try_from(value).map_err(|_| self.too_many(span))?;
        Ok(Value::Number(Expr::int(number)))
    }

    /// The components of a variable of the net.
    pub(super) fn components_of(&mut self, id: &'d str) -> (u32, Columns) {
        if let Some((start, columns)) = self.known.get(id) {
            return (*start, Rc::clone(columns));
        }
        let columns = match self.index.variable(id) {
            Some(sort) => self.classes.columns(sort),
            None => Rc::new([]),
        };
        let start = u32::try_from(self.components.len()).expect("columns and texts are limited");
        for (number, domain) in columns.iter().enumerate() {
            let number = (columns.len() > 1).then_some(number + 1);
            self.components.push(Component { variable: id, number, domain: *domain });
        }
        self.known.insert(id, (start, Rc::clone(&columns)));
        (start, columns)
    }

    fn variable(&mut self, id: &'d Id) -> Step<Value> {
        if let Some(value) = self.parameters.get(id.text.as_str()).cloned() {
            if let Value::Sum(sum) = &value {
                self.spend(sum.size(), id.span)?;
            }
            return Ok(value);
        }
        let (start, columns) = self.components_of(&id.text);
        let slots = (start..).take(columns.len()).map(|var| Slot::Value(Expr::Var(Var(var))));
        let slots = slots.collect();
        Ok(Value::Sum(Sum::of(columns, slots)))
    }

    fn user(&mut self, id: &'d Id, term: &'d Term) -> Step<Value> {
        let Some(UserOperator { declaration, position }) = self.index.operator(&id.text) else {
            return Err(self.unsayable(id.span, "this is not declared", "declare it"));
        };
        if let Declared::Operator { parameters, definition } = &declaration.value {
            return self.applied(parameters, definition, term);
        }
        let columns = self.classes.declared(&declaration.id.text);
        let slot = match *columns {
            [Domain::Class(id)] => Slot::Value(member(id, position as u32)),
            _ => return Err(self.unsayable(id.span, "this is no element", "declare it as one")),
        };
        Ok(Value::Sum(Sum::of(columns, vec![slot])))
    }

    fn applied(
        &mut self,
        parameters: &'d [Parameter],
        definition: &'d Term,
        term: &'d Term,
    ) -> Step<Value> {
        self.spend(APPLICATION, term.span)?;
        let mut arguments: HashMap<&'d str, Value> = HashMap::new();
        for (parameter, subterm) in parameters.iter().zip(&term.subterms) {
            let value = match self.value(subterm)? {
                Value::Sum(sum) => {
                    let columns = self.classes.columns(&parameter.value);
                    Value::Sum(self.settled(sum, &columns, subterm.span)?)
                }
                number => number,
            };
            arguments.insert(&parameter.id.text, value);
        }
        let outer = self.applied_at;
        self.applied_at = outer.or(Some(term.span));
        let parameters = std::mem::replace(&mut self.parameters, arguments);
        let value = self.value(definition);
        self.parameters = parameters;
        self.applied_at = outer;
        value
    }

    fn tuple(&mut self, term: &'d Term) -> Step<Value> {
        let mut tuple = Sum::of(Rc::new([]), Vec::new());
        for subterm in &term.subterms {
            let sum = self.sum(subterm)?;
            if tuple.blocks.len() > 1 || sum.blocks.len() > 1 {
                let copied = tuple.size().saturating_mul(sum.blocks.len());
                let copied = copied.saturating_add(sum.size().saturating_mul(tuple.blocks.len()));
                self.spend(copied, subterm.span)?;
            }
            tuple = tuple.beside(&sum).ok_or_else(|| self.too_many(subterm.span))?;
        }
        Ok(Value::Sum(tuple))
    }

    /// All elements with these columns. Truth values are no class to go through: there are two of them.
    fn all(&mut self, columns: Columns, span: Span) -> Step<Value> {
        let mut all = Sum::of(Rc::new([]), Vec::new());
        for domain in columns.iter() {
            let one: Columns = Rc::new([*domain]);
            let mut sum = Sum::of(one, vec![Slot::Each]);
            if *domain == Domain::Bool {
                let of = |holds| Block::new(vec![Slot::Value(truth(holds))]);
                sum.blocks = vec![of(false), of(true)];
                self.spend(2 * all.size(), span)?;
            }
            all = all.beside(&sum).ok_or_else(|| self.too_many(span))?;
        }
        Ok(Value::Sum(all))
    }

    fn repeated(&mut self, term: &'d Term) -> Step<Value> {
        let [number, subterm] = &term.subterms[..] else {
            return self.sum(&term.subterms[0]).map(Value::Sum);
        };
        let Expr::Literal(Literal::Int(count)) = self.number(number)? else {
            return Err(self.unsayable(
                number.span,
                "how often depends on the variables",
                "say it with a constant; a condition can tell the cases apart",
            ));
        };
        let sum = self.sum(subterm)?;
        let sum = u64::try_from(count).ok().and_then(|count| sum.times(count));
        sum.map(Value::Sum).ok_or_else(|| self.too_many(term.span))
    }

    fn added(&mut self, term: &'d Term) -> Step<Value> {
        let (first, others) = term.subterms.split_first().expect("sums have subterms");
        let mut result = self.sum(first)?;
        let mut columns = Rc::clone(&result.columns);
        let mut sums = Vec::with_capacity(others.len());
        for subterm in others {
            let sum = self.sum(subterm)?;
            columns = self.joined(&columns, &sum.columns, subterm.span)?;
            sums.push((sum, subterm.span));
        }
        result = self.settled(result, &columns, first.span)?;
        for (sum, span) in sums {
            let sum = self.settled(sum, &columns, span)?;
            if term.operator == Operator::Add {
                result.blocks.extend(sum.blocks);
            } else {
                result = self.with_parts_written(result, term.span)?;
                result = self.gathered(result, term.span)?;
                let sum = self.with_parts_written(sum, term.span)?;
                result = self.without(result, sum, span)?;
            }
        }
        Ok(Value::Sum(result))
    }

    fn cardinality(&mut self, term: &'d Term) -> Step<Value> {
        let sum = self.sum(&term.subterms[0])?;
        let mut total = Expr::int(0);
        for block in &sum.blocks {
            let choices = block.choices(&sum.columns, self.classes);
            let count = choices.and_then(|choices| choices.checked_mul(block.count));
            let count = count.and_then(|count| i64::try_from(count).ok());
            let Some(count) = count else { return Err(self.too_many(term.span)) };
            if block.is_wide() && !block.conditions.is_empty() {
                return Err(self.unsayable(
                    term.span,
                    "how many there are depends on the variables",
                    "count what is subtracted apart",
                ));
            }
            let condition = all_of(block.conditions.iter().cloned());
            let count = choose(condition, Expr::int(count), Expr::int(0));
            total = plus(total, count).ok_or_else(|| self.too_many(term.span))?;
        }
        Ok(Value::Number(total))
    }

    fn cardinality_of(&mut self, term: &'d Term) -> Step<Value> {
        let (sum, element) = self.both(term)?;
        let slots = self.element(&element, term.subterms[1].span)?;
        let element = Block::new(slots);
        let mut total = Expr::int(0);
        for block in &sum.blocks {
            self.spend(block.size() + element.size(), term.span)?;
            let count = i64::try_from(block.count).map_err(|_| self.too_many(term.span))?;
            let inside = block.contains(&element);
            let count = choose(inside, Expr::int(count), Expr::int(0));
            total = plus(total, count).ok_or_else(|| self.too_many(term.span))?;
        }
        Ok(Value::Number(total))
    }

    /// The two multisets that an operator is applied to, in columns that both fit.
    pub(super) fn both(&mut self, term: &'d Term) -> Step<(Sum, Sum)> {
        let left = self.sum(&term.subterms[0])?;
        let right = self.sum(&term.subterms[1])?;
        let (left, right) = self.aligned(left, right, term.span)?;
        let left = self.with_parts_written(left, term.span)?;
        Ok((left, self.with_parts_written(right, term.span)?))
    }

    /// Two multisets in columns that both fit.
    fn aligned(&mut self, left: Sum, right: Sum, span: Span) -> Step<(Sum, Sum)> {
        let columns = self.joined(&left.columns, &right.columns, span)?;
        let left = self.settled(left, &columns, span)?;
        Ok((left, self.settled(right, &columns, span)?))
    }

    /// The two numbers that an operator is applied to, if it is applied to numbers.
    pub(super) fn numbers(&mut self, term: &'d Term) -> Step<Result<(Expr, Expr), (Sum, Sum)>> {
        let left = self.value(&term.subterms[0])?;
        let right = self.value(&term.subterms[1])?;
        match (left, right) {
            (Value::Number(left), Value::Number(right)) => Ok(Ok((left, right))),
            (Value::Sum(left), Value::Sum(right)) => self.aligned(left, right, term.span).map(Err),
            _ => Err(self.unsayable(
                term.span,
                "numbers and elements cannot be compared",
                "compare what is of one sort",
            )),
        }
    }

    fn shifted(&mut self, term: &'d Term, steps: i32) -> Step<Value> {
        let sum = self.sum(&term.subterms[0])?;
        let mut slots = self.element(&sum, term.span)?;
        if let (Some(Slot::Value(element)), [Domain::Class(id)]) = (slots.pop(), &*sum.columns)
            && let Class::Enumeration { cyclic: true, constants, .. } = self.classes.get(*id)
        {
            let shifted = shift(element, *id, steps, constants.len() as i64);
            return Ok(Value::Sum(Sum::of(sum.columns, vec![Slot::Value(shifted)])));
        }
        Err(self.unsayable(term.span, "this has no successor", "leave it out"))
    }
}

/// A truth value as an element.
fn boolean(expr: Expr) -> Value {
    Value::Sum(Sum::of(Rc::new([Domain::Bool]), vec![Slot::Value(expr)]))
}

/// The member this many steps on, where the members go round.
fn shift(element: Expr, id: EnumId, steps: i32, size: i64) -> Expr {
    let (element, steps) = match element {
        Expr::Shift(inner, _, before) => (*inner, i64::from(before) + i64::from(steps)),
        other => (other, i64::from(steps)),
    };
    match element {
        Expr::Literal(Literal::Enum(_, index)) => {
            member(id, (i64::from(index) + steps).rem_euclid(size) as u32)
        }
        element => match steps % size {
            0 => element,
            steps => Expr::Shift(Box::new(element), id, steps as i32),
        },
    }
}

/// The operator of the net for a comparison.
pub(super) fn comparison(operator: &Operator) -> Option<BinaryOp> {
    Some(match operator {
        Operator::LessThan | Operator::NumberLess => BinaryOp::Less,
        Operator::LessOrEqual | Operator::NumberLessOrEqual => BinaryOp::LessEqual,
        Operator::GreaterThan | Operator::NumberGreater => BinaryOp::Greater,
        Operator::GreaterOrEqual | Operator::NumberGreaterOrEqual => BinaryOp::GreaterEqual,
        _ => return None,
    })
}
