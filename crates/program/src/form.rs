//! Programs: what processes do, statement by statement.
//!
//! A program is what a front end makes of a text: names are resolved, types known, type parameters filled in.
//! Sugar is gone (`while`, `with`, `for` over a channel, `match`). What is left is close to the text, so that
//! the meaning can be read off it; how it becomes a net is in `compile`.

mod walk;

use std::collections::BTreeMap;

use net::listing::{Line, LineKind};
use net::{BinaryOp, EnumId, Enumeration, Literal, Origin, UnaryOp};

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The index it stands for.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

id! {
    /// A kind of process, by its index in [`Program::processes`].
    ProcessId,
    /// A function, by its index in [`Program::functions`].
    FunctionId,
    /// A type of objects, by its index in [`Program::objects`].
    ObjectId,
    /// A step of an object, by its index in [`ObjectType::steps`].
    StepId,
    /// A field of an object, by its index in [`ObjectType::fields`].
    FieldId,
    /// A global variable, by its index in [`Program::globals`].
    GlobalId,
    /// A record type, by its index in [`Program::records`].
    RecordId,
    /// A variant type, by its index in [`Program::variants`].
    VariantId,
    /// A local variable of a routine, by its index in [`Routine::locals`]. Parameters come first.
    LocalId,
    /// A loop of a routine, for `break` and `continue`.
    LoopId,
    /// A label of a routine, by its index in [`Routine::labels`].
    LabelId,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Objects that are there from the start.
    pub initial: Vec<InitialObject>,
    /// Variables that all processes share.
    pub globals: Vec<Global>,
    /// The enumerations and classes that members are of.
    pub enumerations: Vec<Enumeration>,
    /// Types of values with named components.
    pub records: Vec<Record>,
    /// Types of values that are one of several records.
    pub variants: Vec<Variant>,
    /// Types of objects.
    pub objects: Vec<ObjectType>,
    /// Procedures that processes call.
    pub functions: Vec<Routine>,
    /// Kinds of processes.
    pub processes: Vec<Routine>,
    /// The process that starts by itself.
    pub main: Option<ProcessId>,
    /// The text that it was made of, where origins lead.
    pub text: String,
    /// Where the prelude begins in the text, if it is part of it.
    pub prelude: Option<usize>,
    /// The origins of what is done at the end of a block of a statement such as `with m.lock()`: one starts at the last
    /// character of that, and is known here by it, with the first.
    pub closings: BTreeMap<usize, usize>,
    /// The kinds of statements that are not plain, by where they start in the text.
    pub kinds: BTreeMap<usize, LineKind>,
}

/// A statement or a claim that cannot be compiled: it cannot be done at once, as its author wants it to be, or there is
/// too much to it.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// Where it is written.
    pub origin: Origin,
    /// Why it is refused; the limit, if one is exceeded.
    pub what: String,
    /// What can be done about it.
    pub help: String,
}

impl Program {
    /// A statement in the text, or the first line of it.
    #[must_use]
    pub fn written(&self, origin: Origin) -> Option<Line> {
        let range = origin.range()?;
        let opened = self.closings.get(&range.start);
        let range = opened.map_or(range.clone(), |start| *start..range.end);
        let kind = match opened {
            Some(_) => LineKind::End,
            None => self.kinds.get(&range.start).copied().unwrap_or_default(),
        };
        let statement = self.text.get(range.clone())?;
        let statement = statement.lines().next().unwrap_or_default().trim_end();
        let prelude = self.prelude.filter(|start| *start <= range.start);
        let before = &self.text[prelude.unwrap_or_default()..range.start];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        Some(Line {
            line: 1 + before.matches('\n').count(),
            column: 1 + before[start..].chars().count(),
            text: match kind {
                LineKind::End => format!("end of {statement}"),
                _ => statement.to_owned(),
            },
            in_prelude: prelude.is_some(),
            kind,
            file: None,
        })
    }

    /// The type of what a way into a value of a type leads to.
    ///
    /// # Panics
    /// If there is no such way.
    #[must_use]
    pub fn inside(&self, of: &Type, way: &Selector) -> Type {
        match (of, way) {
            (Type::Record(id), Selector::Component(index)) => {
                self.records[id.index()].components[*index].of.clone()
            }
            (Type::Variant(id), Selector::Payload(case, index)) => {
                self.variants[id.index()].cases[*case].components[*index].of.clone()
            }
            (Type::Sequence(element, _), Selector::Element(_))
            | (Type::Map(_, element, _), Selector::Element(_)) => Type::clone(element),
            _ => panic!("{of:?} has no inside of this kind"),
        }
    }
}

/// What a variable can hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// An integer in a range, bounds included.
    Int {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// A truth value.
    Bool,
    /// A member of an enumeration or a class, by its index in [`Program::enumerations`].
    Member(EnumId),
    /// The handle of a process: of this kind, or of any.
    Handle(Option<ProcessId>),
    /// A reference to an object.
    Object(ObjectId),
    /// A value or `none`.
    Optional(Box<Type>),
    /// Values in a row, at most this many; any number if that is [`Type::UNBOUNDED`].
    Sequence(Box<Type>, u32),
    /// Different values, likewise.
    Set(Box<Type>, u32),
    /// Values by keys, likewise.
    Map(Box<Type>, Box<Type>, u32),
    /// A record.
    Record(RecordId),
    /// One of several records.
    Variant(VariantId),
}

/// A name with a type: a component, a parameter, a local variable.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name; made up ones start with `$`.
    pub name: String,
    /// What it holds.
    pub of: Type,
    /// Where it is declared.
    pub origin: Origin,
}

/// A record type.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// Its components.
    pub components: Vec<Named>,
}

/// A type of values that are one of several records.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// The cases.
    pub cases: Vec<Record>,
}

/// A variable that all processes share.
#[derive(Clone, Debug)]
pub struct Global {
    /// Name and type.
    pub variable: Named,
    /// Its first value: of constants, and of objects that are there from the start.
    pub initial: Expr,
    /// Whether access to it is no race.
    pub atomic: bool,
}

/// An object that is there from the start.
#[derive(Clone, Debug)]
pub struct InitialObject {
    /// Its type.
    pub of: ObjectId,
    /// What it is made with: constants, and objects that stand before it.
    pub arguments: Vec<Expr>,
}

/// A type of objects: passive, with an identity, shared by reference.
#[derive(Clone, Debug)]
pub struct ObjectType {
    /// Its name, with the types it was made for.
    pub name: String,
    /// What is given when one is made.
    pub parameters: Vec<Named>,
    /// What it consists of.
    pub fields: Vec<Field>,
    /// What can be done to it.
    pub steps: Vec<Step>,
    /// What two processes can do to it together.
    pub meetings: Vec<Meeting>,
}

/// A field of an object.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name and type.
    pub variable: Named,
    /// Its first value, over the parameters as locals.
    pub initial: Expr,
    /// Whether access to it from outside of steps is no race.
    pub atomic: bool,
}

/// What a process can do to an object, all at once, when each `await` that it comes to holds. In its body local 0
/// is the object, then come the parameters.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it does.
    pub routine: Routine,
    /// The step that undoes it, for warnings.
    pub undo: Option<StepId>,
}

/// A rendezvous: one process does a step, another one another step of the same object, at once. In the body local 0
/// is the object, then come the parameters of the first step, then those of the second; [`Form::This`] is
/// the first process.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// The step of the one who gives.
    pub first: StepId,
    /// The step of the one who takes.
    pub second: StepId,
    /// What happens.
    pub body: Block,
    /// The variables of the body.
    pub locals: Vec<Named>,
    /// What the two get.
    pub results: [Option<Expr>; 2],
}

/// A process, a function or a step: parameters, variables, statements.
#[derive(Clone, Debug, Default)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// How many of the locals are parameters.
    pub parameters: usize,
    /// Its variables.
    pub locals: Vec<Named>,
    /// What it returns.
    pub result: Option<Type>,
    /// The labels in its body.
    pub labels: Vec<Label>,
    /// What it does.
    pub body: Block,
    /// Where it is written.
    pub origin: Origin,
}

impl Routine {
    /// Its name, without what the object type is called whose function it is.
    #[must_use]
    pub fn own_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or_default()
    }
}

/// A point with a name.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// Where it is written.
    pub origin: Origin,
}

impl Label {
    /// Whether no text has it, but it was made for a property.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.name.starts_with('$')
    }
}

/// Statements in a row. What is deferred in a block is done when the block is left.
pub type Block = Vec<Statement>;

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What is done.
    pub action: Action,
    /// Where it is written.
    pub origin: Origin,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Gives a variable, a field, or something inside of it a value.
    Assign(Target, Expr),
    /// Makes an object.
    New(Target, ObjectId, Vec<Expr>),
    /// Does one or the other.
    If(Expr, Block, Block),
    /// Repeats until it is left.
    Loop(LoopId, Block),
    /// Leaves a loop.
    Break(LoopId),
    /// Begins a loop again.
    Continue(LoopId),
    /// A block of its own.
    Block(Block),
    /// Leaves the routine.
    Return(Option<Expr>),
    /// Gives a local variable any value that makes the condition hold. There may be none.
    Choose(LocalId, Domain, Option<Expr>),
    /// Does one of these, no matter what comes of it.
    Either(Vec<Block>),
    /// Does all of it at once.
    Atomic(Block),
    /// The program is wrong if this does not hold: its author said that it does.
    Assert(Expr),
    /// The program is wrong if this does not hold: whoever does this step must see to it.
    Require(Expr),
    /// A point with a name.
    Label(LabelId),
    /// Starts a process, and perhaps keeps its handle.
    Spawn(Option<Target>, ProcessId, Vec<Expr>),
    /// Ends a process; its deferred blocks are done first.
    Kill(Expr),
    /// Ends a process at once.
    Crash(Expr),
    /// Does this when the block is left.
    Defer(Block),
    /// Calls a function.
    Call(Option<Target>, FunctionId, Vec<Expr>),
    /// Waits until one of several things can be done, and does it.
    Select(Select),
}

/// What a `choose` chooses from.
#[derive(Clone, Debug)]
pub enum Domain {
    /// The values from the first to the second.
    Range(Expr, Expr),
    /// All values of a type that is a number, a truth value or a member.
    Type(Type),
    /// What is in a collection; of a map the keys.
    Collection(Expr),
    /// The value, of such a type, of data that is not kept: nobody chooses it. Not where things are done at once, and
    /// without a condition.
    Forgotten(Type),
}

/// A statement that waits. A single operation is a select with one arm.
#[derive(Clone, Debug)]
pub struct Select {
    /// What it waits for.
    pub arms: Vec<Arm>,
    /// What is done if none of that can be done now.
    pub otherwise: Option<Block>,
    /// Whether waiting here for ever is meant.
    pub idle: bool,
}

/// Something to wait for, and what to do then.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its name, if fairness may speak of it.
    pub label: Option<LabelId>,
    /// A condition on it, evaluated anew while waiting, before anything else is looked at.
    pub when: Option<Expr>,
    /// What to wait for.
    pub operation: Operation,
    /// What to do then.
    pub body: Block,
    /// Where it is written.
    pub origin: Origin,
}

/// What can be waited for.
#[derive(Clone, Debug)]
pub enum Operation {
    /// A step of an object. The object and the arguments are evaluated when the statement is come to.
    Step {
        /// The object, which may be nothing: then it is a fault.
        object: Expr,
        /// The step.
        step: StepId,
        /// Its arguments.
        arguments: Vec<Expr>,
        /// What becomes of the result.
        result: Option<LocalId>,
    },
    /// The end of a process, and its result: `none` if it was killed or crashed.
    Join(Expr, Option<LocalId>),
    /// The end of one of several processes, which one, and its result.
    JoinAny(Expr, Option<LocalId>, Option<LocalId>),
    /// That this holds. `true` for a timeout, which may come at any time.
    Await(Expr),
}

/// What is assigned to.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable.
    pub root: Root,
    /// The way to what is inside of it.
    pub path: Vec<Selector>,
    /// The type of the variable.
    pub of: Type,
}

impl Target {
    /// A local variable.
    #[must_use]
    pub fn local(id: LocalId, of: Type) -> Target {
        Target { root: Root::Local(id), path: Vec::new(), of }
    }
}

/// The variable that is assigned to.
#[derive(Clone, Debug)]
pub enum Root {
    /// A local one.
    Local(LocalId),
    /// A global one.
    Global(GlobalId),
    /// A field of an object, which may be nothing: then it is a fault.
    Field(Expr, FieldId),
}

/// A way into a value.
#[derive(Clone, Debug)]
pub enum Selector {
    /// A component of a record.
    Component(usize),
    /// A component of a case of a variant.
    Payload(usize, usize),
    /// The element of a sequence at an index, or that of a map with a key.
    Element(Expr),
}

/// An expression. It changes nothing.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is made of.
    pub form: Form,
    /// What it can be. Of a number, the range that follows from those of its variables, or a narrower one that it is
    /// known to be in: it may be wider than that of the variable that it is assigned to, and then the assignment may
    /// be a fault.
    pub of: Type,
}

/// What an expression is made of.
#[derive(Clone, Debug)]
pub enum Form {
    /// A datum.
    Literal(Literal),
    /// An object that is there from the start, by its index in [`Program::initial`]. Only in first values.
    Initial(u32),
    /// Nothing, of an optional type.
    None,
    /// A value as an optional one.
    Some(Box<Expr>),
    /// The value of an optional one; a fault if there is none.
    Unwrap(Box<Expr>),
    /// An operation of which the program has made sure that it is no fault: the value of an optional one, an element
    /// or a component of a case of which it has looked whether it is there, one more element for which there is room.
    Sure(Box<Expr>),
    /// A local variable.
    Local(LocalId),
    /// A global variable.
    Global(GlobalId),
    /// A field of an object; a fault if there is no object.
    Field(Box<Expr>, FieldId),
    /// The process that runs.
    This,
    /// Whether a process has ended.
    Ended(Box<Expr>),
    /// A record.
    Record(Vec<Expr>),
    /// A component of a record.
    Component(Box<Expr>, usize),
    /// A case of a variant.
    Case(usize, Vec<Expr>),
    /// Whether a variant is of this case.
    Is(Box<Expr>, usize),
    /// A component of a variant that is of this case; a fault if it is not.
    Payload(Box<Expr>, usize, usize),
    /// A collection of these elements; of a map, keys and values in turn.
    Collection(Vec<Expr>),
    /// An operation on a collection.
    On(CollectionOp, Vec<Expr>),
    /// Whether a condition holds for all, or for some, elements of a collection; the variable is bound to them.
    Quantified(net::Quantifier, LocalId, Box<Expr>, Box<Expr>),
    /// An operator applied to one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator applied to two operands. Composite values are compared by their content.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// One value or the other.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The member of an enumeration a number of steps after another.
    Shift(Box<Expr>, i32),
}

impl Expr {
    /// A local variable of a type.
    #[must_use]
    pub fn local(id: LocalId, of: Type) -> Expr {
        Expr { form: Form::Local(id), of }
    }
}

/// An operation on a collection, which is the first operand. Those that give a collection leave the operand as it
/// is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionOp {
    /// How many elements there are.
    Len,
    /// The element at an index, or that of a key; a fault if there is none.
    At,
    /// Whether a sequence or a set has an element, or a map a key.
    Has,
    /// With one more at the end; a fault if it is full.
    Append,
    /// With one more at the beginning; a fault if it is full.
    Prepend,
    /// The first element; a fault if there is none.
    First,
    /// The last element; a fault if there is none.
    Last,
    /// Without the first; a fault if there is none.
    WithoutFirst,
    /// Without the last; a fault if there is none.
    WithoutLast,
    /// A sequence without the element at an index; a fault if there is none.
    WithoutAt,
    /// A set with an element, a map with a key and its value; a fault if it is full.
    With,
    /// A set without an element, a map without a key, if it has it.
    Without,
}

impl Type {
    /// How many elements a collection has at most that may have any number.
    pub const UNBOUNDED: u32 = i32::MAX as u32;
    /// As many elements such a collection has in nets: more are a limit of theirs. What is counted on in a program, such
    /// as that there is room for one more, is so there, too.
    pub const ROOM_IN_NETS: u32 = 8;

    /// Whether collections with room for some elements can be where there is room for another number.
    fn has_room_for(most: u32, more: u32) -> bool {
        more <= most && (most < Type::UNBOUNDED || more == most || more <= Type::ROOM_IN_NETS)
    }

    /// The type of the objects that a reference leads to, perhaps to none.
    ///
    /// # Panics
    /// If it is no reference.
    #[must_use]
    pub fn object(&self) -> ObjectId {
        match self {
            Type::Object(id) => *id,
            Type::Optional(inner) => inner.object(),
            _ => panic!("{self:?} is no reference to an object"),
        }
    }

    /// The types of what is added to a collection: the element, or the key and the value. Others have none.
    #[must_use]
    pub fn elements(&self) -> Vec<&Type> {
        match self {
            Type::Sequence(element, _) | Type::Set(element, _) => vec![element],
            Type::Map(key, value, _) => vec![key, value],
            _ => Vec::new(),
        }
    }

    /// Whether it is said how many elements it may have at most, if it is a collection.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        match self {
            Type::Sequence(_, most) | Type::Set(_, most) | Type::Map(_, _, most) => {
                *most < Type::UNBOUNDED
            }
            _ => true,
        }
    }

    /// Whether it may be nothing.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        matches!(self, Type::Optional(_))
    }

    /// Whether each value of another type, which is of the same kind, is one of this.
    #[must_use]
    pub fn includes(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Int { min, max }, Type::Int { min: least, max: most }) => {
                min <= least && most <= max
            }
            (Type::Optional(a), Type::Optional(b)) => a.includes(b),
            (Type::Optional(a), b) => a.includes(b),
            (Type::Sequence(a, most), Type::Sequence(b, more))
            | (Type::Set(a, most), Type::Set(b, more)) => {
                Type::has_room_for(*most, *more) && a.includes(b)
            }
            (Type::Map(a, b, most), Type::Map(c, d, more)) => {
                Type::has_room_for(*most, *more) && a.includes(c) && b.includes(d)
            }
            (Type::Handle(None), Type::Handle(_)) => true,
            _ => self == other,
        }
    }
}

impl Action {
    /// Whether there are statements in it.
    pub fn has_blocks(&self) -> bool {
        match self {
            Action::Select(select) => {
                select.otherwise.is_some() || select.arms.iter().any(|arm| !arm.body.is_empty())
            }
            action => !action.blocks().is_empty(),
        }
    }

    /// The local variables that it gives a value, itself.
    #[must_use]
    pub fn locals(&self) -> Vec<LocalId> {
        let local = |target: &&Target| match target.root {
            Root::Local(id) => Some(id),
            _ => None,
        };
        let targets = self.targets();
        let targets = targets.iter().filter_map(local);
        match self {
            Action::Choose(local, ..) => vec![*local],
            // What a single arm without a body gets stays in scope.
            Action::Select(select) => match &select.arms[..] {
                [arm] => arm.operation.results().into_iter().copied().collect(),
                _ => Vec::new(),
            },
            _ => targets.collect(),
        }
    }
}
