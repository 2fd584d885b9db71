//! Tokens with groups.
//!
//! In a text, what is in a group is in no order, and a pattern matches in any. In a net, a transition is for one order. Where
//! a net has a transition for every order that makes a difference, as one has that was read from a text, the first
//! of them is written, and stands for all. Other nets, such as those of processes, rely on what is not used of
//! a group coming last, and treat the others alike, in whatever order they come. Their transitions are written with a
//! condition: where a record is not used, the next one is not used either. Then they do in all orders together
//! what they do in one, and the states and steps are the same. Where it makes no difference to a transition which
//! record is which, nothing is added.

use net::{
    BinaryOp, Column, Expr, Group, Kind, Literal, Net, Sort, Symmetry, Transition, Var, Variable,
};

use super::names::Names;
use super::transition::write_transition;
use crate::orders::{self, Swap};

/// The transitions as they are written.
pub(super) fn write_transitions(net: &Net, names: &Names<'_>) -> Vec<String> {
    let declared = declared(net, names);
    declared.iter().map(|transition| write_transition(net, transition)).collect()
}

/// The names of the transitions that have, as they are written, more orders than a text may have.
#[must_use]
pub fn with_too_many_orders(net: &Net) -> Vec<String> {
    let declared = declared(net, &Names::of(net)).into_iter();
    let too_many = declared.filter(|transition| orders::copies(net, transition).is_err());
    too_many.map(|transition| transition.name).collect()
}

/// What is declared where a text has this net.
fn declared(net: &Net, names: &Names<'_>) -> Vec<Transition> {
    let mut found = Vec::with_capacity(net.transitions.len());
    let mut at = 0;
    while let Some(transition) = net.transitions.get(at) {
        at += 1;
        if !orders::concern(net, transition) {
            found.push(transition.clone());
            continue;
        }
        let copies = orders::copies(net, transition).unwrap_or_default();
        let is_same = |(copy, other): (&Transition, &Transition)| {
            Transition { name: other.name.clone(), ..copy.clone() } == *other
        };
        let there = net.transitions[at - 1..].iter();
        let is_whole = !copies.is_empty()
            && copies.len() <= there.len()
            && copies.iter().zip(there).all(is_same);
        if is_whole {
            let inhibitors = orders::fewest_inhibitors(net, transition);
            found.push(Transition { inhibitors, ..transition.clone() });
            at += copies.len() - 1;
        } else {
            found.push(with_unused_last(net, names, transition));
        }
    }
    found
}

/// The transition, with the condition that what is not used of a group comes last.
fn with_unused_last(net: &Net, names: &Names<'_>, transition: &Transition) -> Transition {
    let mut with = transition.clone();
    for (input, place) in orders::inputs(net, transition) {
        let place = net.place(place);
        let swaps = orders::swaps(place, input.start());
        let is_blind = |swap| orders::is_blind(net, transition, input, swap);
        let mut pattern = std::mem::take(input.pattern(&mut with));
        let columns = &place.columns[input.start()..];
        for swap in orders::told_apart(swaps, is_blind) {
            let mut unused = Unused { net, names, variables: &mut with.variables };
            let condition = unused.comes_last(&mut pattern, columns, swap);
            with.guard.extend(condition);
        }
        *input.pattern(&mut with) = pattern;
    }
    let mut inhibitors = std::mem::take(&mut with.inhibitors);
    for (inhibitor, original) in inhibitors.iter_mut().zip(&transition.inhibitors) {
        for at in 0..inhibitor.arcs.len() {
            let place = net.place(inhibitor.arcs[at].place);
            let is_blind = |swap| orders::is_blind_inhibitor(transition, original, at, swap);
            for swap in orders::told_apart(orders::swaps(place, 0), is_blind) {
                let mut unused = Unused { net, names, variables: &mut with.variables };
                let pattern = &mut inhibitor.arcs[at].pattern;
                let condition = unused.comes_last(pattern, &place.columns, swap);
                let all = inhibitor.condition.take().into_iter().chain(condition);
                inhibitor.condition = all.reduce(|a, b| Expr::binary(BinaryOp::And, a, b));
            }
        }
    }
    with.inhibitors = inhibitors;
    with
}

/// Makes conditions on what is not used.
struct Unused<'a> {
    net: &'a Net,
    names: &'a Names<'a>,
    /// The variables of the transition. What a pattern does not name gets one.
    variables: &'a mut Vec<Variable>,
}

/// Whether a record is not used: never, or if all of these are equal.
type Conditions = Option<Vec<(Expr, Literal)>>;

impl Unused<'_> {
    /// That the second of two records is not used where the first is not, unless that is known.
    fn comes_last(
        &mut self,
        pattern: &mut [Option<Expr>],
        columns: &[Column],
        swap: Swap,
    ) -> Option<Expr> {
        let first = self.record(pattern, columns, swap.first..swap.first + swap.width)?;
        let second = self.record(pattern, columns, swap.second..swap.second + swap.width);
        let test =
            |op, (expr, absent): (Expr, Literal)| Expr::binary(op, expr, Expr::Literal(absent));
        let join = |op| move |a, b| Expr::binary(op, a, b);
        let used = first.into_iter().map(|one| test(BinaryOp::NotEqual, one));
        let unused = match second {
            Some(tests) if tests.is_empty() => return None,
            Some(tests) => {
                let tests = tests.into_iter().map(|one| test(BinaryOp::Equal, one));
                tests.reduce(join(BinaryOp::And))
            }
            None => None,
        };
        let either = used.chain(unused).reduce(join(BinaryOp::Or));
        Some(either.unwrap_or(Expr::Literal(Literal::Bool(false))))
    }

    /// When the record in these columns is not used.
    fn record(
        &mut self,
        pattern: &mut [Option<Expr>],
        columns: &[Column],
        range: std::ops::Range<usize>,
    ) -> Conditions {
        let absent: Vec<Literal> =
            columns[range.clone()].iter().map(|of| self.absent(of)).collect::<Option<_>>()?;
        let mut conditions = Vec::new();
        for (at, absent) in range.zip(absent) {
            let column = &columns[at];
            let expr = pattern[at].get_or_insert_with(|| self.variable(column));
            match expr {
                Expr::Literal(literal) if *literal == absent => {}
                Expr::Literal(_) => return None,
                _ if column.optional && !self.may_be_nothing(expr) => return None,
                _ => conditions.push((expr.clone(), absent)),
            }
        }
        Some(conditions)
    }

    /// What is in a column that is not used. Nobody's identity is, nor a member that others are like.
    fn absent(&self, column: &Column) -> Option<Literal> {
        match column.sort {
            _ if column.optional => Some(Literal::None(Kind::from(column.sort))),
            Sort::Int { min, .. } => Some(Literal::Int(min)),
            Sort::Bool => Some(Literal::Bool(false)),
            Sort::Enum(id) => {
                let symmetry = self.net.enumerations[id.index()].symmetry;
                (symmetry == Symmetry::None).then_some(Literal::Enum(id, 0))
            }
            Sort::Pid | Sort::Object(_) => None,
        }
    }

    fn may_be_nothing(&self, expr: &Expr) -> bool {
        let mut may_be = false;
        expr.walk(&mut |expr| {
            may_be |= match expr {
                Expr::Literal(Literal::None(_)) => true,
                Expr::Var(var) => self.variables[var.index()].optional,
                _ => false,
            };
        });
        may_be
    }

    fn variable(&mut self, column: &Column) -> Expr {
        let taken: Vec<&str> = self.variables.iter().map(|v| v.name.as_str()).collect();
        let name = self.names.fresh(&taken, 1).remove(0);
        let (kind, optional) = (Kind::from(column.sort), column.optional);
        self.variables.push(Variable { name, kind, optional });
        Expr::Var(Var(self.variables.len() as u32 - 1))
    }
}

/// The columns of a place, as they are written; those of the `groups` together.
pub(super) fn write_columns(
    columns: &[Column],
    groups: &[Group],
    start: usize,
    column: &dyn Fn(usize, &Column) -> String,
) -> Vec<String> {
    let mut texts = Vec::new();
    let mut at = start;
    let mut groups = groups.iter().filter(|group| group.count > 0).peekable();
    while at < columns.len() {
        let Some(group) = groups.next_if(|group| group.first == at) else {
            texts.push(column(at, &columns[at]));
            at += 1;
            continue;
        };
        let record = &columns[group.first..][..group.width];
        let within =
            |_: usize, of: &Column| column(usize::MAX, &Column { name: None, ..of.clone() });
        let parts = write_columns(record, &group.groups, 0, &within);
        texts.push(match &parts[..] {
            [part] => format!("{{{} of {part}}}", group.count),
            _ => format!("{{{} of ({})}}", group.count, parts.join(", ")),
        });
        at = group.end();
    }
    texts
}
