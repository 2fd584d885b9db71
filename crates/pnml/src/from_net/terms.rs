//! Expressions as terms.

use std::collections::HashMap;

use net::{BinaryOp, Expr, Kind, Literal, Sort as NetSort, Transition, UnaryOp, Var};

use super::sorts::constant;
use super::{Writer, id};
use crate::sort::Range;
use crate::term::{Operator, Term};
use diagnostics::Span;

/// What the variables of a transition are in a document; of an initial marking, which has none.
#[derive(Default)]
pub(super) struct Scope<'n> {
    transition: Option<&'n Transition>,
    variables: HashMap<Var, (String, NetSort)>,
    /// What definitions stand for.
    definitions: HashMap<Var, Expr>,
    /// The variables that occur in terms so far.
    occurring: Vec<Var>,
    /// How many variables were made for components that are not asked for.
    made: usize,
}

impl<'n> Scope<'n> {
    /// The variables of a transition; none if one of them cannot be said.
    pub(super) fn of(writer: &mut Writer<'n>, transition: &'n Transition) -> Option<Scope<'n>> {
        let mut scope = Scope { transition: Some(transition), ..Scope::default() };
        let arcs = || transition.takes.iter().chain(&transition.reads).chain(&transition.puts);
        for (var, expr) in &transition.definitions {
            let expr = scope.inlined(expr);
            scope.definitions.insert(*var, expr);
        }
        for (number, variable) in (0..).map(Var).zip(&transition.variables) {
            let is_each = arcs().any(|arc| arc.each.contains(&number));
            if is_each || scope.definitions.contains_key(&number) {
                continue;
            }
            let sort = match variable.kind {
                Kind::Enum(id) => NetSort::Enum(id),
                Kind::Bool => NetSort::Bool,
                // Those of threads, of objects and of `unless` are complained about elsewhere.
                Kind::Pid | Kind::Object(_) => continue,
                Kind::Int => match range(writer, transition, number) {
                    Ok(Some(sort)) => sort,
                    Ok(None) => continue,
                    Err(()) => {
                        let name = &variable.name;
                        return writer.refuse(format!(
                            "`{name}` is in columns with different ranges, which PNML keeps apart"
                        ));
                    }
                },
            };
            let id = writer.sorts.variable(&variable.name, sort);
            scope.variables.insert(number, (id, sort));
        }
        Some(scope)
    }

    /// An expression without definitions.
    pub(super) fn inlined(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        expr.change(&mut |expr| {
            if let Expr::Var(var) = expr
                && let Some(definition) = self.definitions.get(var)
            {
                *expr = definition.clone();
            }
        });
        expr
    }

    pub(super) fn sort(&self, expr: &Expr) -> Option<NetSort> {
        match expr {
            Expr::Var(var) => self.variables.get(var).map(|(_, sort)| *sort),
            Expr::Literal(Literal::Enum(id, _)) | Expr::Shift(_, id, _) => Some(NetSort::Enum(*id)),
            Expr::Literal(Literal::Int(_)) => None,
            Expr::If(_, a, b) => self.sort(a).or_else(|| self.sort(b)),
            Expr::Binary(op, ..) if is_arithmetic(*op) => None,
            Expr::Unary(UnaryOp::Negate, _) => None,
            _ => Some(NetSort::Bool),
        }
    }

    /// A variable for a component that is not asked for.
    pub(super) fn any(&mut self, writer: &mut Writer<'n>, sort: NetSort) -> Term {
        self.made += 1;
        let mut name = format!("any{}", self.made);
        if self.transition.is_some_and(|t| t.variables.iter().any(|v| v.name == name)) {
            name.push('_');
        }
        plain(Operator::Variable(id(&writer.sorts.variable(&name, sort))), Vec::new())
    }
}

/// The range of an integer variable: that of its columns, if these agree.
fn range(writer: &Writer<'_>, transition: &Transition, var: Var) -> Result<Option<NetSort>, ()> {
    let parameters = transition.parameters.iter().filter(|(other, _)| *other == var);
    let mut sorts: Vec<NetSort> = parameters.map(|(_, sort)| *sort).collect();
    for arc in transition.takes.iter().chain(&transition.reads).chain(&transition.puts) {
        let columns = &writer.net.place(arc.place).columns;
        for (expr, column) in arc.pattern.iter().zip(columns) {
            if *expr == Some(Expr::Var(var)) {
                sorts.push(column.sort);
            }
        }
    }
    sorts.dedup();
    match sorts[..] {
        [] => Ok(None),
        [sort] => Ok(Some(sort)),
        _ => Err(()),
    }
}

fn is_arithmetic(op: BinaryOp) -> bool {
    use BinaryOp::{Add, Divide, Multiply, Remainder, Subtract};
    matches!(op, Add | Subtract | Multiply | Divide | Remainder)
}

pub(super) fn plain(operator: Operator, subterms: Vec<Term>) -> Term {
    Term { operator, subterms, span: Span::default() }
}

impl<'n> Writer<'n> {
    /// What a transition demands of its variables. Those that occur nowhere else are spoken of here, so
    /// that they are variables of it.
    pub(super) fn condition(&mut self, scope: &Scope<'n>) -> Option<Term> {
        let mut terms = Vec::new();
        let mut seen = scope.occurring.clone();
        for expr in scope.transition.iter().flat_map(|transition| &transition.guard) {
            let expr = scope.inlined(expr);
            expr.variables(&mut |var| seen.push(var));
            terms.extend(self.term(&expr, NetSort::Bool, scope));
        }
        let mut rest: Vec<&(String, NetSort)> =
            scope.variables.iter().filter(|(var, _)| !seen.contains(var)).map(|(_, v)| v).collect();
        rest.sort_by_key(|(name, _)| name.clone());
        for (name, _) in rest {
            let variable = plain(Operator::Variable(id(name)), Vec::new());
            terms.push(plain(Operator::Binary(BinaryOp::Equal), vec![variable.clone(), variable]));
        }
        match terms.len() {
            0 => None,
            1 => terms.pop(),
            _ => Some(plain(Operator::Binary(BinaryOp::And), terms)),
        }
    }

    /// A component of a token that is moved.
    pub(super) fn component(
        &mut self,
        expr: &Expr,
        sort: NetSort,
        scope: &mut Scope<'n>,
    ) -> Option<Term> {
        let expr = scope.inlined(expr);
        expr.variables(&mut |var| scope.occurring.push(var));
        if scope.sort(&expr).is_some_and(|own| own != sort) {
            return self.refuse("a value is moved between columns with different ranges");
        }
        self.term(&expr, sort, scope)
    }

    pub(super) fn literal(&mut self, literal: Literal, sort: NetSort) -> Option<Term> {
        Some(match (literal, sort) {
            (Literal::Enum(id, index), _) => constant(self.net.member(id, index)),
            (Literal::Bool(holds), _) => plain(Operator::Boolean(holds), Vec::new()),
            (Literal::Int(value), NetSort::Int { min, max }) if (min..=max).contains(&value) => {
                let range = Range { start: min, end: max };
                plain(Operator::RangeConstant { value, range }, Vec::new())
            }
            (Literal::Int(value), _) => {
                return self.refuse(format!("the number {value} is of no range"));
            }
            (Literal::None(_), _) => {
                self.complain("`none` is no value of PNML");
                return None;
            }
        })
    }

    /// An expression of this sort, without definitions.
    pub(super) fn term(&mut self, expr: &Expr, sort: NetSort, scope: &Scope<'n>) -> Option<Term> {
        match expr {
            Expr::Literal(literal) => self.literal(*literal, sort),
            Expr::Var(var) => {
                let (name, _) = scope.variables.get(var)?;
                Some(plain(Operator::Variable(id(name)), Vec::new()))
            }
            Expr::Unary(UnaryOp::Not, a) => {
                Some(plain(Operator::Not, vec![self.term(a, NetSort::Bool, scope)?]))
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                let mut list = Vec::new();
                for operand in operands(expr, *op) {
                    list.push(self.term(operand, NetSort::Bool, scope)?);
                }
                Some(plain(Operator::Binary(*op), list))
            }
            Expr::Binary(op @ BinaryOp::Implies, a, b) => {
                let a = self.term(a, NetSort::Bool, scope)?;
                Some(plain(Operator::Binary(*op), vec![a, self.term(b, NetSort::Bool, scope)?]))
            }
            Expr::Binary(op, a, b) if !is_arithmetic(*op) => self.comparison(*op, a, b, scope),
            Expr::If(condition, a, b) if sort == NetSort::Bool => {
                let condition = self.term(condition, sort, scope)?;
                let (a, b) = (self.term(a, sort, scope)?, self.term(b, sort, scope)?);
                let or_else = plain(Operator::Not, vec![condition.clone()]);
                let list = [vec![condition, a], vec![or_else, b]];
                let list = list.map(|both| plain(Operator::Binary(BinaryOp::And), both));
                Some(plain(Operator::Binary(BinaryOp::Or), list.into()))
            }
            Expr::Shift(a, class, steps) => {
                if !self.net.enumerations[class.index()].goes_round() {
                    return self.refuse(
                        "PNML has successors only where the first member follows the last",
                    );
                }
                let mut term = self.term(a, sort, scope)?;
                let next = *steps > 0;
                let size = self.net.enumerations[class.index()].members.len() as u32;
                for _ in 0..steps.unsigned_abs() % size {
                    let operator = if next { Operator::Successor } else { Operator::Predecessor };
                    term = plain(operator, vec![term]);
                }
                Some(term)
            }
            Expr::Within(a, class, part) => {
                let element = self.term(a, NetSort::Enum(*class), scope)?;
                let partition = id(self.sorts.partition(*class));
                let own = plain(Operator::PartOf(partition), vec![element]);
                let part = &self.net.enumerations[class.index()].parts[*part as usize];
                Some(plain(Operator::Binary(BinaryOp::Equal), vec![own, constant(&part.name)]))
            }
            Expr::If(..) => self.refuse("a value depends on a condition (`if`)"),
            Expr::Relation(..) => self.refuse("it asks how threads are related"),
            _ => self.refuse("it computes with integers"),
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr, scope: &Scope<'n>) -> Option<Term> {
        let sorts = (scope.sort(a), scope.sort(b));
        let sort = match sorts {
            (Some(a), Some(b)) if a != b => {
                let what = "it compares integers of different ranges, which PNML keeps apart";
                return self.refuse(what);
            }
            (Some(sort), _) | (None, Some(sort)) => sort,
            (None, None) => return self.refuse("it computes with integers"),
        };
        // A number beyond the range is greater, or less, than all in it.
        if let NetSort::Int { min, max } = sort {
            for (own, other, turned) in [(a, b, false), (b, a, true)] {
                if let Expr::Literal(Literal::Int(value)) = own
                    && !(min..=max).contains(value)
                {
                    let _ = self.term(other, sort, scope)?;
                    let is_less = (*value < min) != turned;
                    let holds = match op {
                        BinaryOp::Equal => false,
                        BinaryOp::NotEqual => true,
                        BinaryOp::Less | BinaryOp::LessEqual => is_less,
                        _ => !is_less,
                    };
                    return Some(plain(Operator::Boolean(holds), Vec::new()));
                }
            }
        }
        let a = self.term(a, sort, scope)?;
        Some(plain(Operator::Binary(op), vec![a, self.term(b, sort, scope)?]))
    }
}

/// The operands of a chain of one operator, in their order.
pub(super) fn operands(expr: &Expr, op: BinaryOp) -> Vec<&Expr> {
    let mut left = vec![expr];
    let mut list = Vec::new();
    while let Some(expr) = left.pop() {
        match expr {
            Expr::Binary(found, a, b) if *found == op => {
                left.push(b);
                left.push(a);
            }
            other => list.push(other),
        }
    }
    list
}
