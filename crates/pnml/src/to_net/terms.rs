//! Terms: multisets, elements, truth values and numbers, as functions of the variables.
//!
//! Bottom-up. Named operators are abbreviations, so their definitions are translated where they are
//! applied, with the arguments in place of the parameters. What that, parts and tuples of sums amount to
//! can be exponentially more than was written; so what is made is counted, and limited for the whole net.

use std::collections::HashMap;
use std::rc::Rc;

use net::{EnumId, Expr, Literal, Var};

use super::classes::{Classes, Columns, Domain};
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

/// A column of a variable as declared: one variable of the net.
#[derive(Clone, Debug)]
pub(super) struct Component<'d> {
    pub(super) variable: &'d str,
    /// Which column it is, from 1, of several.
    pub(super) number: Option<usize>,
    pub(super) domain: Domain,
}

pub(super) struct Terms<'c, 't, 'd> {
    index: &'t Index<'d>,
    pub(super) classes: &'c mut Classes<'t, 'd>,
    sink: &'c mut Diagnostics,
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
    parameters: HashMap<&'d str, Sum>,
}

impl<'c, 't, 'd> Terms<'c, 't, 'd> {
    pub(super) fn new(
        index: &'t Index<'d>,
        classes: &'c mut Classes<'t, 'd>,
        sink: &'c mut Diagnostics,
    ) -> Terms<'c, 't, 'd> {
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
        let sum = self.value(term)?;
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

    /// What a term denotes: a multiset; or an element or a number, which is then there once.
    pub(super) fn value(&mut self, term: &'d Term) -> Step<Sum> {
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
    fn dispatch(&mut self, term: &'d Term) -> Step<Sum> {
        match &term.operator {
            Operator::Variable(id) => self.variable(id),
            Operator::User(id) => self.user(id, term),
            Operator::Dot => Ok(Sum::of(Rc::new([]), Vec::new())),
            Operator::Boolean(holds) => Ok(single(Domain::Bool, truth(*holds))),
            Operator::Number { value, .. } => self.number_constant(*value, term.span),
            Operator::RangeConstant { value, range } => {
                Ok(single(Domain::Integer(*range), Expr::int(*value)))
            }
            Operator::Tuple => self.tuple(term),
            Operator::All(sort) => {
                let columns = self.classes.columns(sort);
                self.all(columns, term.span)
            }
            Operator::Empty(sort) => {
                let columns = self.classes.columns(sort);
                Ok(Sum { columns, blocks: Vec::new() })
            }
            Operator::NumberOf | Operator::ScalarProduct => self.repeated(term),
            Operator::Add | Operator::Subtract => self.added(term),
            Operator::Cardinality => self.cardinality(term),
            Operator::CardinalityOf => self.cardinality_of(term),
            Operator::Successor => self.shifted(term, 1),
            Operator::Predecessor => self.shifted(term, -1),
            Operator::PartOf(id) => self.part_of(id, term),
            _ => Ok(single(Domain::Bool, self.truth_of(term)?)),
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

    /// The condition or the number that a term denotes.
    pub(super) fn expr(&mut self, term: &'d Term) -> Step<Expr> {
        let sum = self.value(term)?;
        Ok(self.element(&sum, term.span)?[0].expr(0))
    }

    fn number_constant(&mut self, value: u64, span: Span) -> Step<Sum> {
        let number = i64::try_from(value).map_err(|_| self.too_many(span))?;
        Ok(single(Domain::Number, Expr::int(number)))
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

    fn variable(&mut self, id: &'d Id) -> Step<Sum> {
        if let Some(sum) = self.parameters.get(id.text.as_str()).cloned() {
            self.spend(sum.size(), id.span)?;
            return Ok(sum);
        }
        let (start, columns) = self.components_of(&id.text);
        let slots = (start..).take(columns.len()).map(|var| Slot::Value(Expr::Var(Var(var))));
        Ok(Sum::of(columns, slots.collect()))
    }

    fn user(&mut self, id: &'d Id, term: &'d Term) -> Step<Sum> {
        let UserOperator { declaration, position } =
            self.index.operator(&id.text).expect("whatever is applied is declared");
        if let Declared::Operator { parameters, definition } = &declaration.value {
            return self.applied(parameters, definition, term);
        }
        let columns = self.classes.declared(&declaration.id.text);
        let Domain::Class(class) = columns[0] else { unreachable!("constants are of classes") };
        Ok(Sum::of(columns, vec![Slot::Value(member(class, position as u32))]))
    }

    fn applied(
        &mut self,
        parameters: &'d [Parameter],
        definition: &'d Term,
        term: &'d Term,
    ) -> Step<Sum> {
        self.spend(APPLICATION, term.span)?;
        let mut arguments: HashMap<&'d str, Sum> = HashMap::new();
        for (parameter, subterm) in parameters.iter().zip(&term.subterms) {
            let sum = self.value(subterm)?;
            let columns = self.classes.columns(&parameter.value);
            arguments.insert(&parameter.id.text, self.settled(sum, &columns, subterm.span)?);
        }
        let outer = self.applied_at;
        self.applied_at = outer.or(Some(term.span));
        let parameters = std::mem::replace(&mut self.parameters, arguments);
        let value = self.value(definition);
        self.parameters = parameters;
        self.applied_at = outer;
        value
    }

    fn tuple(&mut self, term: &'d Term) -> Step<Sum> {
        let mut tuple = Sum::of(Rc::new([]), Vec::new());
        for subterm in &term.subterms {
            let sum = self.value(subterm)?;
            if tuple.blocks.len() > 1 || sum.blocks.len() > 1 {
                let copied = tuple.size().saturating_mul(sum.blocks.len());
                let copied = copied.saturating_add(sum.size().saturating_mul(tuple.blocks.len()));
                self.spend(copied, subterm.span)?;
            }
            tuple = tuple.beside(&sum).ok_or_else(|| self.too_many(subterm.span))?;
        }
        Ok(tuple)
    }

    /// All elements with these columns. Truth values are no class to go through: there are two of them.
    fn all(&mut self, columns: Columns, span: Span) -> Step<Sum> {
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
        Ok(all)
    }

    fn repeated(&mut self, term: &'d Term) -> Step<Sum> {
        let [number, subterm] = &term.subterms[..] else {
            return self.value(&term.subterms[0]);
        };
        let Expr::Literal(Literal::Int(count)) = self.expr(number)? else {
            return Err(self.unsayable(
                number.span,
                "how often depends on the variables",
                "say it with a constant; a condition can tell the cases apart",
            ));
        };
        let sum = self.value(subterm)?;
        let sum = u64::try_from(count).ok().and_then(|count| sum.times(count));
        sum.ok_or_else(|| self.too_many(term.span))
    }

    fn added(&mut self, term: &'d Term) -> Step<Sum> {
        let (first, others) = term.subterms.split_first().expect("sums have subterms");
        let mut result = self.value(first)?;
        let mut columns = Rc::clone(&result.columns);
        let mut sums = Vec::with_capacity(others.len());
        for subterm in others {
            let sum = self.value(subterm)?;
            columns = self.joined(&columns, &sum.columns);
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
        Ok(result)
    }

    fn cardinality(&mut self, term: &'d Term) -> Step<Sum> {
        let sum = self.value(&term.subterms[0])?;
        let mut cases = Vec::with_capacity(sum.blocks.len());
        for block in &sum.blocks {
            let choices = block.choices(&sum.columns, self.classes);
            let count = choices.and_then(|choices| choices.checked_mul(block.count));
            if block.is_wide() && !block.conditions.is_empty() {
                return Err(self.unsayable(
                    term.span,
                    "how many there are depends on the variables",
                    "count what is subtracted apart",
                ));
            }
            cases.push((all_of(block.conditions.iter().cloned()), count));
        }
        self.total(cases, term.span)
    }

    fn cardinality_of(&mut self, term: &'d Term) -> Step<Sum> {
        let (sum, element) = self.both_written(term)?;
        let element = Block::new(self.element(&element, term.subterms[1].span)?);
        let mut cases = Vec::with_capacity(sum.blocks.len());
        for block in &sum.blocks {
            self.spend(block.size() + element.size(), term.span)?;
            cases.push((block.contains(&element), Some(block.count)));
        }
        self.total(cases, term.span)
    }

    /// The sum of the numbers whose conditions hold.
    fn total(&mut self, cases: Vec<(Expr, Option<u64>)>, span: Span) -> Step<Sum> {
        let total = cases.into_iter().try_fold(Expr::int(0), |total, (condition, count)| {
            let count = i64::try_from(count?).ok()?;
            plus(total, choose(condition, Expr::int(count), Expr::int(0)))
        });
        Ok(single(Domain::Number, total.ok_or_else(|| self.too_many(span))?))
    }

    /// The two multisets that an operator is applied to, in columns that both fit.
    pub(super) fn both(&mut self, term: &'d Term) -> Step<(Sum, Sum)> {
        let left = self.value(&term.subterms[0])?;
        let right = self.value(&term.subterms[1])?;
        let columns = self.joined(&left.columns, &right.columns);
        let left = self.settled(left, &columns, term.span)?;
        Ok((left, self.settled(right, &columns, term.span)?))
    }

    /// The same with parts as values.
    pub(super) fn both_written(&mut self, term: &'d Term) -> Step<(Sum, Sum)> {
        let (left, right) = self.both(term)?;
        let left = self.with_parts_written(left, term.span)?;
        Ok((left, self.with_parts_written(right, term.span)?))
    }

    fn shifted(&mut self, term: &'d Term, steps: i32) -> Step<Sum> {
        let sum = self.value(&term.subterms[0])?;
        let element = self.element(&sum, term.span)?[0].expr(0);
        let domain = sum.columns[0];
        let Domain::Class(id) = domain else { unreachable!("successors are members of classes") };
        Ok(single(domain, shift(element, id, steps, self.classes.size(id) as i64)))
    }
}

/// An element with one column.
fn single(domain: Domain, expr: Expr) -> Sum {
    Sum::of(Rc::new([domain]), vec![Slot::Value(expr)])
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
