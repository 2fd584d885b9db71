//! The syntax tree of Go, whole: what is not understood is refused later, with a reason, and not here.
//!
//! As in Go's own tree, types are expressions. Places are offsets into the text, which for several files of a package is
//! one after the other.

/// A place in the text.
pub(crate) type Pos = u32;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ident {
    pub(crate) name: String,
    pub(crate) pos: Pos,
}

/// An expression or a type.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: Box<ExprKind>,
    pub(crate) pos: Pos,
    pub(crate) end: Pos,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Name(String),
    Int(Option<i128>),
    Float(f64),
    Char(i128),
    Str(String),
    /// `T{…}`, or `{…}` inside of one.
    Composite(Option<Expr>, Vec<Element>),
    FuncLit(FuncLit),
    Paren(Expr),
    Select(Expr, Ident),
    /// An index, or type arguments.
    Index(Expr, Vec<Expr>),
    Slice(Expr, [Option<Expr>; 3]),
    /// `x.(T)`; `x.(type)` has no type.
    Assert(Expr, Option<Expr>),
    Call {
        callee: Expr,
        args: Vec<Expr>,
        spread: bool,
    },
    Star(Expr),
    Unary(&'static str, Expr),
    Binary(&'static str, Expr, Expr),
    ArrayType(ArrayLen, Expr),
    MapType(Expr, Expr),
    ChanType(ChanDir, Expr),
    FuncType(FuncType),
    StructType(Vec<FieldDecl>),
    InterfaceType(Vec<InterfaceElem>),
    /// None could be read, which is reported.
    Wrong,
}

/// The length of an array type.
#[derive(Clone, Debug)]
pub(crate) enum ArrayLen {
    /// A slice.
    None,
    /// `[...]T`.
    Counted,
    Given(Expr),
}

/// What may be done with a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ChanDir {
    Both,
    Send,
    Receive,
}

/// An element of a composite literal.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) key: Option<Expr>,
    pub(crate) value: Expr,
}

/// A function without a name.
#[derive(Clone, Debug)]
pub(crate) struct FuncLit {
    pub(crate) of: FuncType,
    pub(crate) body: std::rc::Rc<Block>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct FuncType {
    pub(crate) params: Vec<Param>,
    pub(crate) results: Vec<Param>,
    pub(crate) variadic: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) name: Option<Ident>,
    pub(crate) of: Expr,
}

#[derive(Clone, Debug)]
pub(crate) struct FieldDecl {
    pub(crate) name: Ident,
    pub(crate) of: Expr,
    pub(crate) embedded: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum InterfaceElem {
    Method(Ident, FuncType),
    /// An embedded interface, or the types of a constraint.
    Types(Vec<Expr>),
}

/// Statements in braces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) statements: Vec<Stmt>,
    pub(crate) end: Pos,
}

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) pos: Pos,
    pub(crate) end: Pos,
}

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Empty,
    Expr(Expr),
    Send(Expr, Expr),
    /// `x++`, `x--`.
    Step(Expr, &'static str),
    /// `x = e`, or with an operator `x += e`.
    Assign(Vec<Expr>, Option<&'static str>, Vec<Expr>),
    Define(Vec<Expr>, Vec<Expr>),
    Go(Expr),
    Defer(Expr),
    Return(Vec<Expr>),
    Break(Option<Ident>),
    Continue(Option<Ident>),
    Goto(Ident),
    Fallthrough,
    Block(Block),
    If(Box<If>),
    Switch(Box<Switch>),
    TypeSwitch(Box<TypeSwitch>),
    Select(Vec<CommClause>),
    For(Box<For>),
    Range(Box<Range>),
    Labeled(Ident, Box<Stmt>),
    Decl(Vec<Decl>),
}

#[derive(Clone, Debug)]
pub(crate) struct If {
    pub(crate) init: Option<Stmt>,
    pub(crate) cond: Expr,
    pub(crate) then: Block,
    pub(crate) otherwise: Option<Stmt>,
}

#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) init: Option<Stmt>,
    pub(crate) tag: Option<Expr>,
    pub(crate) clauses: Vec<CaseClause>,
}

#[derive(Clone, Debug)]
pub(crate) struct TypeSwitch {
    pub(crate) init: Option<Stmt>,
    pub(crate) bind: Option<Ident>,
    pub(crate) value: Expr,
    pub(crate) clauses: Vec<CaseClause>,
}

/// `case a, b:`; `default:` has no expressions.
#[derive(Clone, Debug)]
pub(crate) struct CaseClause {
    pub(crate) pos: Pos,
    pub(crate) cases: Option<Vec<Expr>>,
    pub(crate) body: Block,
}

/// `case c <- v:`; `default:` has no statement.
#[derive(Clone, Debug)]
pub(crate) struct CommClause {
    pub(crate) pos: Pos,
    pub(crate) comm: Option<Stmt>,
    pub(crate) body: Block,
}

#[derive(Clone, Debug)]
pub(crate) struct For {
    pub(crate) init: Option<Stmt>,
    pub(crate) cond: Option<Expr>,
    pub(crate) post: Option<Stmt>,
    pub(crate) body: Block,
}

#[derive(Clone, Debug)]
pub(crate) struct Range {
    pub(crate) key: Option<Expr>,
    pub(crate) value: Option<Expr>,
    pub(crate) define: bool,
    pub(crate) over: Expr,
    pub(crate) body: Block,
}

#[derive(Clone, Debug)]
pub(crate) enum Decl {
    Import { alias: Option<Ident>, path: String },
    Const { names: Vec<Ident>, of: Option<Expr>, values: Vec<Expr>, iota: i128 },
    Var { names: Vec<Ident>, of: Option<Expr>, values: Vec<Expr>, pos: Pos },
    Type { name: Ident, params: Vec<Param>, of: Expr, alias: bool },
    Func(std::rc::Rc<FuncDecl>),
}

#[derive(Debug)]
pub(crate) struct FuncDecl {
    pub(crate) name: Ident,
    pub(crate) receiver: Option<Param>,
    pub(crate) type_params: Vec<Param>,
    pub(crate) of: FuncType,
    pub(crate) body: Option<std::rc::Rc<Block>>,
}

/// A file of a package, or several, one after the other.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) package: String,
    pub(crate) decls: Vec<Decl>,
}

impl Expr {
    /// The expression without parentheses around it.
    pub(crate) fn bare(&self) -> &Expr {
        match &*self.kind {
            ExprKind::Paren(inner) => inner.bare(),
            _ => self,
        }
    }

    /// The name, if it is nothing but one.
    pub(crate) fn name(&self) -> Option<&str> {
        match &*self.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        }
    }
}
