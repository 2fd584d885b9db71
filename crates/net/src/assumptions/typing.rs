//! The types of expressions, and what may be said of the members of a class.
//!
//! A class with a symmetry promises that its permutations make no difference. Equality, parts and, where
//! they go round, successors are kept by them; so these are all that an expression may use. Other
//! symmetries cannot be broken by an expression, whatever it is made of.

use crate::{BinaryOp, EnumId, Expr, Kind, Literal, Net, Symmetry, UnaryOp, Var};

/// The type of an expression over variables of these types, if it has one.
pub(crate) fn kind(net: &Net, variables: &dyn Fn(Var) -> Kind, expr: &Expr) -> Option<Kind> {
    let of = |expr: &Expr| kind(net, variables, expr);
    match expr {
        Expr::Literal(literal) => Some(literal.kind()),
        Expr::Var(var) => Some(variables(*var)),
        Expr::Relation(_, a, b) => {
            let are_pids = variables(*a) == Kind::Pid && variables(*b) == Kind::Pid;
            are_pids.then_some(Kind::Bool)
        }
        Expr::Unary(UnaryOp::Not, a) => (of(a)? == Kind::Bool).then_some(Kind::Bool),
        Expr::Unary(UnaryOp::Negate, a) => (of(a)? == Kind::Int).then_some(Kind::Int),
        Expr::Unary(UnaryOp::Value, a) => of(a),
        Expr::If(condition, a, b) => {
            let kind = of(a)?;
            (of(condition)? == Kind::Bool && of(b)? == kind).then_some(kind)
        }
        Expr::Shift(a, id, _) => (of(a)? == Kind::Enum(*id)).then_some(Kind::Enum(*id)),
        Expr::Within(a, id, _) => (of(a)? == Kind::Enum(*id)).then_some(Kind::Bool),
        Expr::Field(_, place, column) => {
            Some(net.places.get(place.index())?.columns.get(*column)?.sort.into())
        }
        Expr::Count(..) => Some(Kind::Int),
        Expr::At(..) | Expr::Ended(_) | Expr::Enabled(_) => Some(Kind::Bool),
        Expr::Binary(op, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            let (operands, result) = match op {
                BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Remainder => (Kind::Int, Kind::Int),
                _ if op.is_order() && matches!(a, Kind::Enum(_)) => (a, Kind::Bool),
                BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => (Kind::Bool, Kind::Bool),
                BinaryOp::Equal | BinaryOp::NotEqual => (a, Kind::Bool),
                _ => (Kind::Int, Kind::Bool),
            };
            (a == operands && b == operands).then_some(result)
        }
    }
}

impl Net {
    /// Whether an expression may be nothing, if variables may be that; nothing if it computes with what may be.
    #[must_use]
    pub fn may_be_nothing(&self, variables: &dyn Fn(Var) -> bool, expr: &Expr) -> Option<bool> {
        may_be_nothing(self, variables, expr)
    }
}

/// Whether an expression may be nothing, if variables may be that; nothing if it computes with what may be.
pub(crate) fn may_be_nothing(
    net: &Net,
    variables: &dyn Fn(Var) -> bool,
    expr: &Expr,
) -> Option<bool> {
    let of = |expr: &Expr| may_be_nothing(net, variables, expr);
    let is_something = |expr: &Expr| of(expr).is_some_and(|nothing| !nothing);
    match expr {
        Expr::Literal(literal) => Some(matches!(literal, Literal::None(_))),
        Expr::Var(var) => Some(variables(*var)),
        Expr::Unary(UnaryOp::Value, a) => of(a).map(|_| false),
        Expr::If(condition, a, b) => {
            is_something(condition).then(|| Some(of(a)? | of(b)?)).flatten()
        }
        Expr::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) => of(a).and(of(b)).map(|_| false),
        Expr::Field(thread, ..) | Expr::At(thread, _) | Expr::Ended(thread)
            if variables(*thread) =>
        {
            None
        }
        Expr::Field(_, place, column) => {
            Some(net.places.get(place.index())?.columns.get(*column)?.optional)
        }
        Expr::Count(_, pattern) => {
            pattern.iter().flatten().all(|expr| of(expr).is_some()).then_some(false)
        }
        Expr::Relation(_, a, b) => (!variables(*a) && !variables(*b)).then_some(false),
        _ => expr.children().all(is_something).then_some(false),
    }
}

/// What an expression, or one inside of it, says of members that the symmetry of their class forbids.
pub(super) fn breaks_of_symmetry(
    net: &Net,
    variables: &dyn Fn(Var) -> Kind,
    expr: &Expr,
) -> Vec<String> {
    let mut found = Vec::new();
    expr.walk(&mut |expr| found.extend(break_of_symmetry(net, variables, expr)));
    found
}

fn break_of_symmetry(net: &Net, variables: &dyn Fn(Var) -> Kind, expr: &Expr) -> Option<String> {
    let class = |id: &EnumId| net.enumerations.get(id.index());
    match expr {
        Expr::Literal(Literal::Enum(id, index)) => {
            match class(id).map(|class| (class, class.members.get(*index as usize))) {
                Some((class, Some(member))) => match class.symmetry {
                    Symmetry::Full if class.part_of(*index).len() > 1 => Some(format!(
                        "it tells `{member}` from other members of `{}`, so `{member}` should be a \
                         part of its own",
                        class.name
                    )),
                    Symmetry::Rotations => Some(format!(
                        "it tells `{member}` from the other members of `{}`, which is cyclic",
                        class.name
                    )),
                    _ => None,
                },
                _ => Some("it names a member of an enumeration that does not exist".into()),
            }
        }
        Expr::Binary(op, a, _) if op.is_order() => match kind(net, variables, a)? {
            Kind::Enum(id) if class(&id)?.symmetry != Symmetry::None => {
                Some(format!("it uses an order of the members of `{}`", class(&id)?.name))
            }
            _ => None,
        },
        Expr::Shift(_, id, _) => match class(id) {
            None => Some("it uses a successor in an enumeration that does not exist".into()),
            Some(class) if class.symmetry == Symmetry::Full => {
                Some(format!("it uses a successor in `{}`, which is symmetric", class.name))
            }
            Some(_) => None,
        },
        Expr::Within(_, id, part) => {
            let exists = class(id).is_some_and(|class| (*part as usize) < class.parts.len());
            (!exists).then(|| "it names a part of an enumeration that does not exist".into())
        }
        Expr::Field(..) | Expr::Count(..) | Expr::At(..) | Expr::Ended(_) | Expr::Enabled(_) => {
            Some("it asks for the state, as only properties do".into())
        }
        _ => None,
    }
}
