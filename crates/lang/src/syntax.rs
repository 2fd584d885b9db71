//! The syntax tree of a model as written. Names are not looked up, nothing is typed yet.
//!
//! The tree holds only declarations and items that parsed; of the others [`Model::skipped`] keeps the
//! names, so that a name whose declaration was damaged is not reported as unknown.

pub(crate) mod process;

use std::collections::HashSet;
use std::rc::Rc;

use process::{
    Argument, FunctionDecl, ObjectDecl, RecordDecl, SharedDecl, TypeSyntax, VariantDecl,
};

use crate::lexer::Token;
use diagnostics::Span;

/// A name and where it is written.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    /// The name, without backticks.
    pub text: &'a str,
    /// Where it is.
    pub span: Span,
}

/// What a text declares.
#[derive(Debug)]
pub struct Model<'a> {
    pub(crate) text: &'a str,
    /// Without comments.
    pub(crate) tokens: Vec<Token>,
    pub(crate) declarations: Vec<Declaration<'a>>,
    /// The names that occur in what did not parse.
    pub(crate) skipped: HashSet<&'a str>,
}

impl Model<'_> {
    /// Whether something of processes is declared.
    pub(crate) fn has_processes(&self) -> bool {
        self.declarations.iter().any(|declaration| declaration.kind.is_of_processes())
    }
}

impl DeclarationKind<'_> {
    /// Whether it is declared for processes.
    pub(crate) fn is_of_processes(&self) -> bool {
        use DeclarationKind::{Function, Object, Process, Record, Shared, Variant};
        matches!(self, Function(_) | Object(_) | Process(_) | Record(_) | Shared(_) | Variant(_))
    }
}

/// A declaration.
#[derive(Debug)]
pub(crate) struct Declaration<'a> {
    pub(crate) span: Span,
    pub(crate) kind: DeclarationKind<'a>,
}

#[derive(Debug)]
pub(crate) enum DeclarationKind<'a> {
    Model(Name<'a>),
    Const {
        name: Name<'a>,
        value: Expr<'a>,
    },
    /// `enum` or `class`.
    Class(ClassDecl<'a>),
    /// `class NAME fresh`.
    Fresh(Name<'a>),
    /// `new a: Lock`: objects that are there from the start.
    New(Vec<NewObject<'a>>),
    /// `flow` or `place`.
    Place {
        kind: net::PlaceKind,
        /// Whether threads may be there for ever.
        idle: bool,
        /// Whether threads learn here how a test on data that is not kept turns out.
        forgotten: bool,
        places: Vec<PlaceDecl<'a>>,
        initial: Option<Initial<'a>>,
    },
    Start(Vec<StartDecl<'a>>),
    Transition(TransitionDecl<'a>),
    Fair {
        strength: net::Strength,
        whom: Vec<Whom<'a>>,
    },
    Property {
        name: Name<'a>,
        formula: Expr<'a>,
    },
    Shared(SharedDecl<'a>),
    Record(RecordDecl<'a>),
    /// An enumeration whose members carry data.
    Variant(VariantDecl<'a>),
    Object(ObjectDecl<'a>),
    Process(FunctionDecl<'a>),
    Function(FunctionDecl<'a>),
}

/// Of whom fairness is assumed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whom<'a> {
    pub(crate) kind: WhomKind,
    /// What they are called; of threads, the word; of an arm of a `select`, its label.
    pub(crate) name: Name<'a>,
    /// The process or function that an arm is in.
    pub(crate) routine: Option<Name<'a>>,
}

/// What a name stands for, as far as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhomKind {
    /// `threads`.
    Threads,
    /// A name by itself: a transition or a class.
    Either,
    /// `transition NAME`.
    Transition,
    /// `class NAME` or `enum NAME`.
    Class,
    /// `PROCESS.LABEL`: an arm of a `select`.
    Arm,
}

/// An enumeration, or a colour class.
#[derive(Debug)]
pub(crate) struct ClassDecl<'a> {
    pub(crate) name: Name<'a>,
    /// Whether it is declared by `enum`.
    pub(crate) is_enum: bool,
    pub(crate) symmetry: net::Symmetry,
    /// Whether the first member follows the last, though that makes a difference.
    pub(crate) round: bool,
    /// One without a name where no parts are written.
    pub(crate) parts: Vec<PartDecl<'a>>,
}

/// A part of a class: `leader { p1 }`, `others n - 1`.
#[derive(Debug)]
pub(crate) struct PartDecl<'a> {
    pub(crate) name: Option<Name<'a>>,
    pub(crate) extent: Extent<'a>,
    /// Where the extent is.
    pub(crate) span: Span,
}

/// Which members there are.
#[derive(Debug)]
pub(crate) enum Extent<'a> {
    /// This many, named by numbers.
    Size(Expr<'a>),
    /// These.
    Members(Vec<Name<'a>>),
}

/// A place and its columns, the thread of a flow place left out.
#[derive(Debug)]
pub(crate) struct PlaceDecl<'a> {
    pub(crate) name: Name<'a>,
    /// Shared among places of one type.
    pub(crate) columns: Rc<[ColumnDecl<'a>]>,
}

#[derive(Clone, Debug)]
pub(crate) struct ColumnDecl<'a> {
    pub(crate) name: Option<Name<'a>>,
    pub(crate) sort: SortSyntax<'a>,
    /// Whether it may be nothing: `Lock?`.
    pub(crate) optional: bool,
    /// Where it is said to own the tokens.
    pub(crate) owner: Option<Span>,
}

/// `x: Lock`, after `new`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewObject<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) class: Name<'a>,
}

/// `pid`, `bool`, an enumeration, a range, or a group.
#[derive(Clone, Debug)]
pub struct SortSyntax<'a> {
    pub(crate) span: Span,
    pub(crate) kind: SortKind<'a>,
}

#[derive(Clone, Debug)]
pub(crate) enum SortKind<'a> {
    Pid,
    Bool,
    Named(&'a str),
    Range {
        low: Expr<'a>,
        high: Expr<'a>,
        inclusive: bool,
    },
    /// `{3 of pid?}`: records in any order.
    Group(Box<GroupDecl<'a>>),
}

/// Records, all alike, in any order.
#[derive(Clone, Debug)]
pub(crate) struct GroupDecl<'a> {
    /// How many there are.
    pub(crate) count: Expr<'a>,
    /// What is in each of them.
    pub(crate) columns: Vec<ColumnDecl<'a>>,
}

/// What is initially in a place.
#[derive(Debug)]
pub(crate) struct Initial<'a> {
    pub(crate) span: Span,
    pub(crate) tokens: Vec<InitialTokens<'a>>,
}

#[derive(Debug)]
pub(crate) struct InitialTokens<'a> {
    pub(crate) count: Option<Expr<'a>>,
    pub(crate) token: Expr<'a>,
    /// What follows `with`.
    pub(crate) condition: Option<Expr<'a>>,
}

/// `a: listening(0)` or `3 times main`.
#[derive(Debug)]
pub(crate) struct StartDecl<'a> {
    pub(crate) name: Option<Name<'a>>,
    pub(crate) times: Option<Expr<'a>>,
    pub(crate) place: Atom<'a>,
}

/// A place and what stands in parentheses after it.
#[derive(Clone, Debug)]
pub(crate) struct Atom<'a> {
    pub(crate) place: Name<'a>,
    /// `None` where there are no parentheses.
    pub(crate) arguments: Option<Vec<Expr<'a>>>,
    pub(crate) span: Span,
}

impl<'a> Atom<'a> {
    /// The arguments; none where there are no parentheses.
    pub(crate) fn arguments(&self) -> &[Expr<'a>] {
        self.arguments.as_deref().unwrap_or_default()
    }

    /// Whether it stands for a token for each member of a class.
    pub(crate) fn goes_through_all(&self) -> bool {
        self.arguments().iter().any(|argument| argument.as_all().is_some())
    }
}

#[derive(Debug)]
pub(crate) struct TransitionDecl<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) parameters: Vec<Parameter<'a>>,
    /// What is wrong if it can fire.
    pub(crate) failure: Option<Name<'a>>,
    pub(crate) items: Vec<Item<'a>>,
    /// Where `{` is.
    pub(crate) open: Span,
    /// Where `}` is.
    pub(crate) close: Span,
}

#[derive(Debug)]
pub(crate) struct Parameter<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) sort: SortSyntax<'a>,
}

/// An item of a transition.
#[derive(Debug)]
pub(crate) struct Item<'a> {
    pub(crate) span: Span,
    pub(crate) kind: ItemKind<'a>,
}

#[derive(Debug)]
pub(crate) enum ItemKind<'a> {
    /// A thread that takes part, and what becomes of it.
    Thread {
        thread: Name<'a>,
        at: Atom<'a>,
        fate: Fate<'a>,
        /// Whether others do this to it.
        passive: bool,
    },
    Spawn {
        children: Children<'a>,
        parent: Name<'a>,
        /// Where they start; nothing if they end at once.
        to: Option<Atom<'a>>,
    },
    New(Vec<NewObject<'a>>),
    Take(Vec<Tokens<'a>>),
    Read(Vec<Tokens<'a>>),
    Put(Vec<Tokens<'a>>),
    /// Tokens that are there together; a condition stands behind the last.
    Unless(Vec<Tokens<'a>>),
    Let {
        name: Name<'a>,
        value: Expr<'a>,
    },
    When(Expr<'a>),
}

#[derive(Debug)]
pub(crate) enum Fate<'a> {
    Stay,
    Move(Atom<'a>),
    End,
    Crash,
}

#[derive(Debug)]
pub(crate) enum Children<'a> {
    One(Option<Name<'a>>),
    Several(Expr<'a>),
}

/// `2 buffer(x)`, or `h: ready(c)` where threads are looked at, perhaps `with` a condition.
#[derive(Debug)]
pub(crate) struct Tokens<'a> {
    pub(crate) count: Option<Expr<'a>>,
    /// The thread, where one is written: `Some(None)` is `_`.
    pub(crate) thread: Option<Option<Name<'a>>>,
    pub(crate) atom: Atom<'a>,
    pub(crate) condition: Option<Expr<'a>>,
}

/// An expression or a formula: one grammar for both, told apart when typed.
#[derive(Clone, Debug)]
pub struct Expr<'a> {
    pub(crate) span: Span,
    /// The number of expressions on the longest way down, this one included.
    pub(crate) depth: u16,
    pub(crate) kind: ExprKind<'a>,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind<'a> {
    Int(i64),
    Bool(bool),
    Name(&'a str),
    /// `_`.
    Wildcard,
    Paren(Box<Expr<'a>>),
    /// `(a, 0)`: an initial token.
    Tuple(Vec<Expr<'a>>),
    Unary(Prefix, Box<Expr<'a>>),
    Binary(Infix, Span, Box<Expr<'a>>, Box<Expr<'a>>),
    If(Box<Expr<'a>>, Box<Expr<'a>>, Box<Expr<'a>>),
    Relation(&'static str, Vec<Expr<'a>>),
    /// `Level(3)`: the third member of a class.
    Nth(Name<'a>, Vec<Expr<'a>>),
    /// `succ(x)` or `pred(x)`, perhaps with a number of steps.
    Shift(Direction, Vec<Expr<'a>>),
    /// `x in leader`.
    Within(Box<Expr<'a>>, Name<'a>),
    /// `all`, `all r in others except x`.
    All(Box<All<'a>>),
    /// `p.open`.
    Field(Name<'a>, Name<'a>),
    /// `h at ready`.
    At(Box<Expr<'a>>, Name<'a>),
    Count(Atom<'a>),
    Ended(Box<Expr<'a>>),
    Enabled(Name<'a>),
    /// `at most 3 at critical`; `true` for `at`, `false` for `in`. Of processes, perhaps with a label:
    /// `at most 2 at worker.critical`.
    AtMost(Box<Expr<'a>>, bool, Box<Atom<'a>>, Option<Name<'a>>),
    /// `enabled(worker.stopping)`: an arm.
    EnabledArm(Name<'a>, Name<'a>),
    DeadlockFree,
    Quantified {
        quantifier: net::Quantifier,
        binders: Vec<Option<Name<'a>>>,
        range: RangeOver,
        place: Name<'a>,
        /// What more is said of a process or a type of objects.
        of: Option<Box<Ranged<'a>>>,
        body: Box<Expr<'a>>,
    },
    /// `w at worker.critical`.
    AtLabel(Box<Expr<'a>>, Name<'a>, Name<'a>),
    /// `count(worker at critical)`, or with the routine: `count(worker at fill.inside)`.
    CountAt(Name<'a>, Vec<Name<'a>>),
    // What only processes say.
    /// `job.owner`.
    Member(Box<Expr<'a>>, Name<'a>),
    /// `jobs.send(3)`, `fill(c, n)`, `Job(id: 1)`.
    Call(Box<Expr<'a>>, Vec<Argument<'a>>),
    /// `s[i]`.
    Index(Box<Expr<'a>>, Box<Expr<'a>>),
    /// `e!`.
    Value(Box<Expr<'a>>),
    /// `[a, b]`.
    List(Vec<Expr<'a>>),
    /// `[k: v]`: keys and values in turn.
    Pairs(Vec<Expr<'a>>),
    /// `[e; n]`.
    Repeated(Box<Expr<'a>>, Box<Expr<'a>>),
    /// `new channel[bool](capacity: 1)`.
    New(TypeSyntax<'a>, Vec<Argument<'a>>),
    /// `spawn worker(jobs)`.
    Spawn(Name<'a>, Vec<Argument<'a>>),
    /// `join h`.
    Join(Box<Expr<'a>>),
    /// `m is added`.
    Is(Box<Expr<'a>>, Name<'a>),
    /// `x in s`.
    Has(Box<Expr<'a>>, Box<Expr<'a>>),
    /// `forall x in s: P`.
    Over {
        quantifier: net::Quantifier,
        name: Name<'a>,
        range: Box<process::Domain<'a>>,
        body: Box<Expr<'a>>,
    },
    /// `m => m != 0`.
    Predicate(Name<'a>, Box<Expr<'a>>),
}

/// Which processes or objects a quantifier ranges over.
#[derive(Clone, Debug)]
pub(crate) struct Ranged<'a> {
    /// The types that a type of objects is made for.
    pub(crate) types: Vec<TypeSyntax<'a>>,
    /// The label, where processes at one are meant.
    pub(crate) label: Option<Name<'a>>,
}

/// All members of the class of a column.
#[derive(Clone, Debug)]
pub(crate) struct All<'a> {
    /// What each is called in turn.
    pub(crate) name: Option<Name<'a>>,
    /// The part they are in.
    pub(crate) part: Option<Name<'a>>,
    /// Those left out.
    pub(crate) except: Vec<Expr<'a>>,
}

/// To the members after one, or to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

impl Direction {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Direction::Forward => "succ",
            Direction::Backward => "pred",
        }
    }
}

/// What a quantifier ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RangeOver {
    At,
    In,
    Entering,
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    Data(net::UnaryOp),
    Path(net::PathOp),
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Infix {
    Data(net::BinaryOp),
    Until,
    LeadsTo,
    AllUntil,
    SomeUntil,
}

impl<'a> Expr<'a> {
    /// Where it is written.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// The expression without the parentheses around it.
    pub(crate) fn bare(&self) -> &Expr<'a> {
        let mut expr = self;
        while let ExprKind::Paren(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }

    /// All members of a class, where the expression says that.
    pub(crate) fn as_all(&self) -> Option<&All<'a>> {
        match &self.bare().kind {
            ExprKind::All(all) => Some(all),
            _ => None,
        }
    }

    /// The name, where the expression is nothing but one.
    pub(crate) fn as_name(&self) -> Option<Name<'a>> {
        match self.bare() {
            Expr { kind: ExprKind::Name(text), span, .. } => Some(Name { text, span: *span }),
            _ => None,
        }
    }
}
