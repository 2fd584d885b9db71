//! Programs as trees: what the generator makes, what is printed for Kinfold, and what the interpreter executes.

/// A number that says which of several.
pub type Index = usize;

/// What kind of values a variable has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `0..=2`.
    Number,
    /// `bool`.
    Truth,
    /// `0..=1?`: what a channel gives.
    Reply,
    /// `any process?`, with `none` at first.
    Handle,
    /// `any process`, a variable that is declared where its process is spawned, or a parameter.
    Child,
}

/// The largest number of a [`Type::Number`].
pub const LARGEST: i8 = 2;
/// The value `none`.
pub const NONE: i8 = -1;

/// A shared variable, or a field of the object `o`.
#[derive(Clone, Debug)]
pub struct Shared {
    pub of: Type,
    pub atomic: bool,
    pub field: bool,
    pub first: i8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Plus,
    Minus,
    Over,
    Modulo,
    Equal,
    Unequal,
    Less,
    And,
    Or,
    Implies,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Number(i8),
    Truth(bool),
    None,
    Shared(Index),
    Local(Index),
    /// `ended(h)`.
    Ended(Index),
    Not(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
}

pub fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}

impl Expr {
    /// Calls with the expression and all that is in it.
    pub fn each(&self, call: &mut impl FnMut(&Expr)) {
        call(self);
        match self {
            Expr::Not(inner) => inner.each(call),
            Expr::Binary(_, left, right) => {
                left.each(call);
                right.each(call);
            }
            Expr::Number(_)
            | Expr::Truth(_)
            | Expr::None
            | Expr::Shared(_)
            | Expr::Local(_)
            | Expr::Ended(_) => {}
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    pub statements: Vec<Statement>,
    /// A label before the end of the block.
    pub end: Option<Index>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub label: Option<Index>,
    pub idle: bool,
    pub kind: Kind,
}

/// Whom `kill` and `crash` are about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Whom {
    Local(Index),
    Myself,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    Value(Expr),
    Process(Whom),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    SetShared(Index, Expr),
    SetLocal(Index, Expr),
    If(Expr, Block, Block),
    While(Expr, Block),
    Loop(Block),
    Repeat(i8, Block),
    Break,
    Continue,
    Return(Option<Expr>),
    /// `choose v in 0..=n where c`, into a variable that is declared here.
    Choose(Index, i8, Option<Expr>),
    Either(Block, Block),
    Await(Expr),
    Assert(Expr),
    Atomic(Block),
    /// A step of the object `o`.
    Step(Index),
    Send(Index, Expr),
    Receive(Index, Option<Index>),
    Close(Index),
    Lock(Index),
    Unlock(Index),
    With(Index, Block),
    Spawn(Index, Option<Index>, Option<Argument>),
    Join(Index),
    Kill(Whom),
    Crash(Whom),
    /// A call, with its argument, and the variable that gets the result.
    Call(Index, Expr, Option<Index>),
    /// A shared variable gets the result of a call.
    SetByCall(Index, Index, Expr),
    Defer(Block),
    Select(Vec<Arm>, Option<Block>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    pub wait: Wait,
    pub when: Option<Expr>,
    pub block: Block,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    Send(Index, Expr),
    Receive(Index, Option<Index>),
    Await(Expr),
    Join(Index),
    Timeout,
}

/// A process or function. Its first variable is its parameter, if it has one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routine {
    pub parameter: bool,
    pub locals: Vec<Type>,
    /// Whether it returns a number.
    pub result: bool,
    pub body: Block,
    pub labels: Index,
}

/// A condition on states that properties speak of.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    Variable(Index, i8),
    /// `len(c.items) == n`.
    Items(Index, usize),
    /// `m.holder == none`.
    Free(Index),
    /// `count(P) == n`, or `count(P at L) == n`.
    Count(Index, Option<Index>, usize),
    /// `exists w in P: w at f.L`.
    Inside(Index, Index, Index),
    Not(Box<Seen>),
    And(Box<Seen>, Box<Seen>),
    Or(Box<Seen>, Box<Seen>),
}

/// Branching time.
#[derive(Clone, Debug, PartialEq)]
pub enum Branching {
    Now(Seen),
    Not(Box<Branching>),
    Possibly(Box<Branching>),
    Globally(Box<Branching>),
    Inevitably(Box<Branching>),
    SomeForEver(Box<Branching>),
    SomeUntil(Box<Branching>, Box<Branching>),
    AllUntil(Box<Branching>, Box<Branching>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Property {
    Always(Seen),
    Never(Seen),
    Reachable(Seen),
    NoOneStuck,
    EveryoneCanEnd,
    DeadlockFree,
    RaceFree,
    Branching(Branching),
    Eventually(Seen),
    LeadsTo(Seen, Seen),
    Until(Seen, Seen),
}

#[derive(Clone, Debug)]
pub struct Program {
    pub shared: Vec<Shared>,
    /// The capacities of the channels.
    pub channels: Vec<usize>,
    pub mutexes: usize,
    /// The bodies of the steps of `o`.
    pub steps: Vec<Block>,
    pub functions: Vec<Routine>,
    /// The first is `main`.
    pub processes: Vec<Routine>,
    pub fair: bool,
    pub properties: Vec<Property>,
}

impl Block {
    /// Calls with each statement, outer ones first.
    pub fn each(&self, call: &mut impl FnMut(&Statement)) {
        for statement in &self.statements {
            call(statement);
            for block in statement.kind.blocks() {
                block.each(call);
            }
        }
    }
}

impl Routine {
    /// Whether a variable is declared where its value is chosen.
    pub fn chooses(&self, local: Index) -> bool {
        let mut found = false;
        self.body.each(&mut |statement| {
            found |= matches!(statement.kind, Kind::Choose(other, ..) if other == local);
        });
        found
    }
}

impl Kind {
    /// The blocks of a statement.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Kind::If(_, a, b) | Kind::Either(a, b) => vec![a, b],
            Kind::While(_, block)
            | Kind::Loop(block)
            | Kind::Repeat(_, block)
            | Kind::Atomic(block)
            | Kind::With(_, block)
            | Kind::Defer(block) => vec![block],
            Kind::Select(arms, otherwise) => {
                arms.iter().map(|arm| &arm.block).chain(otherwise).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The blocks of a statement, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Kind::If(_, a, b) | Kind::Either(a, b) => vec![a, b],
            Kind::While(_, block)
            | Kind::Loop(block)
            | Kind::Repeat(_, block)
            | Kind::Atomic(block)
            | Kind::With(_, block)
            | Kind::Defer(block) => vec![block],
            Kind::Select(arms, otherwise) => {
                arms.iter_mut().map(|arm| &mut arm.block).chain(otherwise).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Program {
    /// All bodies: of steps, functions and processes.
    pub fn bodies(&self) -> impl Iterator<Item = &Block> {
        let routines = self.functions.iter().chain(&self.processes);
        self.steps.iter().chain(routines.map(|routine| &routine.body))
    }
}
