//! Expressions of guards, arcs, definitions, inhibitors and properties.
//!
//! In a transition they are over its variables, in a property over those that its quantifiers bind. Only
//! those of properties ask for the present state: for tokens, threads and what is enabled.
//!
//! Typed by [`Kind`]; pids are black boxes, compared only by equality and by the relations. Members of an
//! enumeration with a symmetry are nearly so: what may be said of them is what its permutations keep,
//! which [`Net::check`](crate::Net::check) sees to. Integers
//! are `i64`; an operation that leaves them, or divides by zero, is a fault of the model. Division and
//! remainder are Euclidean, so `x % n` is never negative. `and`, `or`, `implies` and `if` evaluate
//! only what they need, from left to right.

use std::fmt;

use state::Relation;

use crate::{EnumId, FaultKind, FreshId, PlaceId, Sort, TransitionId};

/// A variable, by its index in [`Transition::variables`](crate::Transition) or
/// [`Property::variables`](crate::Property).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

impl Var {
    /// The index it stands for.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The type of an expression: a sort without its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A process identifier.
    Pid,
    /// An integer.
    Int,
    /// A truth value.
    Bool,
    /// A member of an enumeration.
    Enum(EnumId),
    /// An object of a fresh class.
    Object(FreshId),
}

impl From<Sort> for Kind {
    fn from(sort: Sort) -> Kind {
        match sort {
            Sort::Pid => Kind::Pid,
            Sort::Int { .. } => Kind::Int,
            Sort::Bool => Kind::Bool,
            Sort::Enum(id) => Kind::Enum(id),
            Sort::Object(id) => Kind::Object(id),
        }
    }
}

/// A datum written in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Literal {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A member of an enumeration, by its index.
    Enum(EnumId, u32),
    /// Nothing, where there might be something of a type.
    None(Kind),
}

impl Literal {
    /// The type of the literal.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Literal::Int(_) => Kind::Int,
            Literal::Bool(_) => Kind::Bool,
            Literal::Enum(id, _) => Kind::Enum(id),
            Literal::None(kind) => kind,
        }
    }

    /// The number that operators compute with: see [`BinaryOp::apply`].
    #[inline]
    #[must_use]
    pub fn number(self) -> i64 {
        match self {
            Literal::Int(number) => number,
            Literal::Bool(truth) => truth.into(),
            Literal::Enum(_, index) => index.into(),
            Literal::None(_) => NO_VALUE,
        }
    }
}

/// The number that stands for nothing where operators compute with numbers. Nothing else has it: ranges and
/// literals are within ±2⁵³, and what is computed from them is compared with `none` only where it may be that.
pub(crate) const NO_VALUE: i64 = i64::MIN;

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOp {
    /// `not b`.
    Not,
    /// `-x`.
    Negate,
    /// `value(x)`: what is there, where there might be nothing. If nothing is, asking is a fault of the model.
    Value,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Implies,
}

impl BinaryOp {
    /// Its value, where the first operand alone does not decide it. Operands and value are numbers: pids
    /// and members by their indices, truth values as 0 and 1.
    ///
    /// # Errors
    /// If there is no such number, or it does not fit 64 bits.
    #[inline]
    pub fn apply(self, x: i64, y: i64) -> Result<i64, FaultKind> {
        let number = match self {
            BinaryOp::Divide | BinaryOp::Remainder if y == 0 => {
                return Err(FaultKind::DivisionByZero);
            }
            BinaryOp::Add => x.checked_add(y),
            BinaryOp::Subtract => x.checked_sub(y),
            BinaryOp::Multiply => x.checked_mul(y),
            BinaryOp::Divide => x.checked_div_euclid(y),
            BinaryOp::Remainder => x.checked_rem_euclid(y),
            BinaryOp::Equal => Some(i64::from(x == y)),
            BinaryOp::NotEqual => Some(i64::from(x != y)),
            BinaryOp::Less => Some(i64::from(x < y)),
            BinaryOp::LessEqual => Some(i64::from(x <= y)),
            BinaryOp::Greater => Some(i64::from(x > y)),
            BinaryOp::GreaterEqual => Some(i64::from(x >= y)),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => Some(i64::from(y != 0)),
        };
        number.ok_or(FaultKind::Overflow)
    }

    /// Whether it compares by an order.
    #[must_use]
    pub fn is_order(self) -> bool {
        use BinaryOp::{Greater, GreaterEqual, Less, LessEqual};
        matches!(self, Less | LessEqual | Greater | GreaterEqual)
    }
}

impl fmt::Display for BinaryOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Implies => "implies",
        })
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A datum.
    Literal(Literal),
    /// A variable.
    Var(Var),
    /// An operator applied to one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator applied to two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A relation between two pids.
    Relation(Relation, Var, Var),
    /// The member of an enumeration a number of steps after (or before) another. Where the members do not go
    /// round there is none beyond the ends, and asking for it is a fault of the model.
    Shift(Box<Expr>, EnumId, i32),
    /// Whether a member is in a part of its enumeration, by the index of the part.
    Within(Box<Expr>, EnumId, u32),
    /// In a property, `p.open`: the component, by its column, of the token of the thread `p` at the place
    /// that it is known to be at.
    Field(Var, PlaceId, usize),
    /// In a property: the number of tokens in a place that match a pattern.
    Count(PlaceId, Vec<Option<Expr>>),
    /// In a property: whether a thread is at a flow place.
    At(Var, PlaceId),
    /// In a property: whether a thread has ended.
    Ended(Var),
    /// In a property: whether some mode of a transition can fire.
    Enabled(TransitionId),
}

impl Expr {
    /// The integer `number`.
    #[must_use]
    pub fn int(number: i64) -> Expr {
        Expr::Literal(Literal::Int(number))
    }

    /// `a op b`.
    #[must_use]
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    /// The expressions right under this one.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        let (children, pattern): ([Option<&Expr>; 3], &[Option<Expr>]) = match self {
            Expr::Unary(_, a) | Expr::Shift(a, _, _) | Expr::Within(a, _, _) => {
                ([Some(a), None, None], &[])
            }
            Expr::Binary(_, a, b) => ([Some(a), Some(b), None], &[]),
            Expr::If(c, a, b) => ([Some(c), Some(a), Some(b)], &[]),
            Expr::Count(_, pattern) => ([None; 3], pattern),
            _ => ([None; 3], &[]),
        };
        children.into_iter().flatten().chain(pattern.iter().flatten())
    }

    /// Calls `visit` on this expression and all below it, parents first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Calls `change` on this expression and all below it, children first.
    pub fn change(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        match self {
            Expr::Unary(_, a) | Expr::Shift(a, ..) | Expr::Within(a, ..) => a.change(change),
            Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|child| child.change(change)),
            Expr::If(c, a, b) => [c, a, b].into_iter().for_each(|child| child.change(change)),
            Expr::Count(_, pattern) => {
                pattern.iter_mut().flatten().for_each(|child| child.change(change));
            }
            _ => {}
        }
        change(self);
    }

    /// Calls `visit` on every variable that occurs, as often as it does.
    pub fn variables(&self, visit: &mut dyn FnMut(Var)) {
        self.walk(&mut |expr| match *expr {
            Expr::Var(v) | Expr::Field(v, ..) | Expr::At(v, _) | Expr::Ended(v) => visit(v),
            Expr::Relation(_, a, b) => {
                visit(a);
                visit(b);
            }
            _ => {}
        });
    }
}

/// A number, unless it stands for nothing.
pub(crate) fn something(number: i64) -> Result<i64, FaultKind> {
    if number == NO_VALUE { Err(FaultKind::NoValue) } else { Ok(number) }
}
