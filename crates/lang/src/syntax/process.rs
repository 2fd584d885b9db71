//! The syntax tree of processes: declarations, types, statements.

use super::{Expr, Name};
use diagnostics::Span;

/// `name: type`.
#[derive(Clone, Debug)]
pub(crate) struct Component<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) of: TypeSyntax<'a>,
    /// What it is if nothing is given: only of what an object is made with.
    pub(crate) default: Option<Expr<'a>>,
}

/// A variable that all processes share.
#[derive(Debug)]
pub(crate) struct SharedDecl<'a> {
    pub(crate) atomic: bool,
    pub(crate) name: Name<'a>,
    pub(crate) of: Option<TypeSyntax<'a>>,
    pub(crate) initial: Expr<'a>,
}

/// A record type; `unit` where there are no components.
#[derive(Debug)]
pub(crate) struct RecordDecl<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) components: Vec<Component<'a>>,
}

/// An enumeration whose members carry data.
#[derive(Debug)]
pub(crate) struct VariantDecl<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) cases: Vec<RecordDecl<'a>>,
}

/// A process, a function or a step.
#[derive(Debug)]
pub(crate) struct FunctionDecl<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) parameters: Vec<Component<'a>>,
    pub(crate) result: Option<TypeSyntax<'a>>,
    /// The step that undoes it.
    pub(crate) undo: Option<Name<'a>>,
    pub(crate) body: Block<'a>,
}

/// A type of objects.
#[derive(Debug)]
pub(crate) struct ObjectDecl<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) types: Vec<Name<'a>>,
    pub(crate) parameters: Vec<Component<'a>>,
    pub(crate) open: Span,
    pub(crate) close: Span,
    pub(crate) members: Vec<Member<'a>>,
}

/// Something that an object has.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    pub(crate) span: Span,
    pub(crate) kind: MemberKind<'a>,
}

#[derive(Debug)]
pub(crate) enum MemberKind<'a> {
    Field { atomic: bool, name: Name<'a>, of: Option<TypeSyntax<'a>>, initial: Expr<'a> },
    Step(FunctionDecl<'a>),
    Function(FunctionDecl<'a>),
    Meet { sides: Vec<MeetSide<'a>>, body: Block<'a> },
}

/// One of the two who meet: the step, and what its parameters are called.
#[derive(Debug)]
pub(crate) struct MeetSide<'a> {
    pub(crate) step: Name<'a>,
    pub(crate) parameters: Vec<Name<'a>>,
}

/// A type as written.
#[derive(Clone, Debug)]
pub(crate) struct TypeSyntax<'a> {
    pub(crate) span: Span,
    pub(crate) kind: TypeKind<'a>,
}

#[derive(Clone, Debug)]
pub(crate) enum TypeKind<'a> {
    Range {
        low: Box<Expr<'a>>,
        high: Box<Expr<'a>>,
        inclusive: bool,
    },
    Bool,
    /// A name, perhaps with arguments in brackets.
    Named(Name<'a>, Vec<TypeSyntax<'a>>),
    /// A number, where one is the argument of a type.
    Number(Box<Expr<'a>>),
    /// `any process`.
    AnyProcess,
    /// `any { lock, unlock }`.
    AnyWith(Vec<Name<'a>>),
    /// `T?`.
    Optional(Box<TypeSyntax<'a>>),
    /// `fn(T): bool`.
    Predicate(Vec<TypeSyntax<'a>>, Box<TypeSyntax<'a>>),
    /// None was written, which is reported.
    Wrong,
}

impl TypeSyntax<'_> {
    /// Whether it is `int`: any number, for what an object is made with.
    pub(crate) fn is_int(&self) -> bool {
        matches!(&self.kind, TypeKind::Named(name, types) if name.text == "int" && types.is_empty())
    }
}

/// An argument, perhaps with the name of the parameter.
#[derive(Clone, Debug)]
pub(crate) struct Argument<'a> {
    pub(crate) name: Option<Name<'a>>,
    pub(crate) value: Expr<'a>,
}

/// Statements in braces.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    pub(crate) open: Span,
    pub(crate) close: Span,
    pub(crate) statements: Vec<Statement<'a>>,
}

/// A statement.
#[derive(Debug)]
pub(crate) struct Statement<'a> {
    pub(crate) span: Span,
    /// The name of a loop.
    pub(crate) label: Option<Name<'a>>,
    pub(crate) kind: StatementKind<'a>,
}

#[derive(Debug)]
pub(crate) enum StatementKind<'a> {
    Let {
        name: Name<'a>,
        of: Option<TypeSyntax<'a>>,
        value: Expr<'a>,
    },
    /// `x = e`, or with an operator `x += e`.
    Assign {
        target: Expr<'a>,
        op: Option<net::BinaryOp>,
        value: Expr<'a>,
    },
    /// A call.
    Do(Expr<'a>),
    If {
        arms: Vec<(Condition<'a>, Block<'a>)>,
        otherwise: Option<Block<'a>>,
    },
    While(Condition<'a>, Block<'a>),
    Loop(Block<'a>),
    Repeat(Expr<'a>, Block<'a>),
    For {
        name: Name<'a>,
        range: Domain<'a>,
        body: Block<'a>,
    },
    Match(Match<'a>),
    /// A point with a name.
    Label(Name<'a>),
    /// In a `meet`, there may be two values.
    Return(Vec<Expr<'a>>),
    Break(Option<Name<'a>>),
    Continue(Option<Name<'a>>),
    Choose {
        name: Name<'a>,
        domain: Domain<'a>,
        condition: Option<Expr<'a>>,
        /// Whether it stands for data that the model does not keep.
        is_forgotten: bool,
    },
    Either(Vec<Block<'a>>),
    Await(Expr<'a>),
    Atomic(Block<'a>),
    Assert(Expr<'a>),
    Require(Expr<'a>),
    Kill(Expr<'a>),
    Crash(Expr<'a>),
    Defer(Block<'a>),
    /// `defer m.unlock()`.
    DeferOne(Box<Statement<'a>>),
    With(Expr<'a>, Block<'a>),
    Idle(Box<Statement<'a>>),
    Select(Select<'a>),
}

/// `c`, or `let v = optional`.
#[derive(Debug)]
pub(crate) enum Condition<'a> {
    Plain(Expr<'a>),
    Let(Name<'a>, Expr<'a>),
}

/// What a `for` goes through, and what a `choose` chooses from.
#[derive(Clone, Debug)]
pub(crate) enum Domain<'a> {
    Range { low: Expr<'a>, high: Expr<'a>, inclusive: bool },
    Of(Expr<'a>),
}

impl<'a> Domain<'a> {
    /// What it is made of.
    pub(crate) fn parts(&self) -> Vec<&Expr<'a>> {
        match self {
            Domain::Range { low, high, .. } => vec![low, high],
            Domain::Of(expr) => vec![expr],
        }
    }
}

#[derive(Debug)]
pub(crate) struct Match<'a> {
    pub(crate) value: Expr<'a>,
    pub(crate) open: Span,
    pub(crate) close: Span,
    pub(crate) arms: Vec<MatchArm<'a>>,
    pub(crate) otherwise: Option<(Span, Block<'a>)>,
}

#[derive(Debug)]
pub(crate) struct MatchArm<'a> {
    pub(crate) span: Span,
    pub(crate) pattern: Expr<'a>,
    /// What the components are called, where the case has any; `_` for one that nobody asks for.
    pub(crate) names: Vec<Option<Name<'a>>>,
    pub(crate) body: Block<'a>,
}

#[derive(Debug)]
pub(crate) struct Select<'a> {
    pub(crate) open: Span,
    pub(crate) close: Span,
    pub(crate) arms: Vec<SelectArm<'a>>,
    /// What is done if no arm can go now, and where that is written.
    pub(crate) otherwise: Option<(Span, Block<'a>)>,
    /// Whether all arms were understood.
    pub(crate) is_whole: bool,
}

#[derive(Debug)]
pub(crate) struct SelectArm<'a> {
    pub(crate) span: Span,
    pub(crate) label: Option<Name<'a>>,
    pub(crate) operation: SelectOperation<'a>,
    pub(crate) when: Option<Expr<'a>>,
    pub(crate) body: Block<'a>,
}

#[derive(Debug)]
pub(crate) enum SelectOperation<'a> {
    /// A step or a `join`, and what becomes of the result.
    Call {
        result: ArmResult<'a>,
        call: Expr<'a>,
    },
    /// `join h in handles`.
    JoinAny {
        result: ArmResult<'a>,
        name: Name<'a>,
        handles: Expr<'a>,
    },
    Await(Expr<'a>),
    Timeout,
}

/// What becomes of the result of an arm.
#[derive(Debug)]
pub(crate) enum ArmResult<'a> {
    None,
    Let(Name<'a>),
    Assign(Expr<'a>),
}

impl<'a> Statement<'a> {
    /// The blocks right inside of it, in the order of the text.
    pub(crate) fn blocks(&self) -> Vec<&Block<'a>> {
        use StatementKind::*;
        match &self.kind {
            If { arms, otherwise } => {
                arms.iter().map(|(_, block)| block).chain(otherwise).collect()
            }
            While(_, body)
            | Loop(body)
            | Repeat(_, body)
            | For { body, .. }
            | Atomic(body)
            | Defer(body)
            | With(_, body) => vec![body],
            Either(blocks) => blocks.iter().collect(),
            DeferOne(inner) | Idle(inner) => inner.blocks(),
            Match(found) => {
                let otherwise = found.otherwise.iter().map(|(_, block)| block);
                found.arms.iter().map(|arm| &arm.body).chain(otherwise).collect()
            }
            Select(select) => {
                let otherwise = select.otherwise.iter().map(|(_, block)| block);
                select.arms.iter().map(|arm| &arm.body).chain(otherwise).collect()
            }
            Let { .. }
            | Assign { .. }
            | Do(_)
            | Label(_)
            | Return(_)
            | Break(_)
            | Continue(_)
            | Choose { .. }
            | Await(_)
            | Assert(_)
            | Require(_)
            | Kill(_)
            | Crash(_) => Vec::new(),
        }
    }
}
