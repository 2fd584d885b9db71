//! Types of Go, as far as programs are understood.

use std::rc::Rc;

use crate::syntax::ChanDir;

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Ty {
    Bool,
    Int(Int),
    Str,
    /// A number with a fraction, of which nothing is kept.
    Float,
    /// A value of which nothing is kept: a time, a duration.
    Opaque(&'static str),
    Nil,
    /// A constant number that fits where it is used.
    Untyped,
    Pointer(Rc<Ty>),
    Slice(Rc<Ty>),
    Array(u32, Rc<Ty>),
    Map(Rc<Ty>, Rc<Ty>),
    Chan(ChanDir, Rc<Ty>),
    Func(Rc<Sig>),
    Struct(Rc<Vec<Field>>),
    Interface(Rc<Vec<(String, Sig)>>),
    /// A type with a name, by its index.
    Named(usize),
    Tuple(Vec<Ty>),
    /// A type of the standard library.
    Lib(Lib),
}

/// Kinds of integers, as far as their ranges differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Int {
    /// `int`.
    Plain,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
}

/// A component of a struct.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) embedded: bool,
}

/// Parameters and results of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub(crate) struct Sig {
    pub(crate) params: Vec<Ty>,
    pub(crate) results: Vec<Ty>,
    pub(crate) variadic: bool,
}

/// Types of the standard library that the translation knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Lib {
    Mutex,
    RwMutex,
    /// What `RLocker` gives.
    ReadSide,
    WaitGroup,
    Cond,
    Once,
    Pool,
    SyncMap,
    Context,
    /// What waits for the end of a context to call a function.
    AfterFunc,
    Timer,
    Ticker,
    ErrGroup,
    Semaphore,
    /// `testing.T`, `testing.B`, `testing.M`.
    Testing,
    /// What `errors.New` gives.
    Error,
    AtomicInt(Int),
    AtomicBool,
    AtomicValue,
    /// A value of which only that it is there matters: a logger, a random source.
    Thing,
}

impl Lib {
    /// The object type of `.kin` that stands for it, if there is one.
    pub(crate) fn object(self) -> Option<&'static str> {
        Some(match self {
            Lib::Mutex => "mutex",
            Lib::RwMutex => "RWMutex",
            Lib::ReadSide => "RLocker",
            Lib::WaitGroup => "WaitGroup",
            Lib::Cond => "Cond",
            Lib::Once => "once",
            Lib::Pool => "Pool",
            Lib::SyncMap => "SyncMap",
            Lib::Context => "Context",
            Lib::AfterFunc => "AfterFunc",
            Lib::Timer | Lib::Ticker => "Timer",
            Lib::ErrGroup => "ErrGroup",
            Lib::Semaphore => "Semaphore",
            Lib::Error => "Error",
            Lib::AtomicInt(_) => "AtomicInt",
            Lib::AtomicBool => "AtomicBool",
            Lib::AtomicValue => "AtomicValue",
            Lib::Testing | Lib::Thing => return None,
        })
    }
}

impl Ty {
    pub(crate) const INT: Ty = Ty::Int(Int::Plain);

    pub(crate) fn pointer(self) -> Ty {
        Ty::Pointer(Rc::new(self))
    }

    /// The empty interface.
    pub(crate) fn any() -> Ty {
        Ty::Interface(Rc::new(Vec::new()))
    }

    /// The interface `error`.
    pub(crate) fn error() -> Ty {
        let sig = Sig { results: vec![Ty::Str], ..Sig::default() };
        Ty::Interface(Rc::new(vec![("Error".to_owned(), sig)]))
    }

    /// The interface `sync.Locker`.
    pub(crate) fn locker() -> Ty {
        let methods = ["Lock", "Unlock"].map(|name| (name.to_owned(), Sig::default()));
        Ty::Interface(Rc::new(methods.to_vec()))
    }

    /// `struct{}`.
    pub(crate) fn unit() -> Ty {
        Ty::Struct(Rc::new(Vec::new()))
    }
}

impl Int {
    /// Its range as it is written in `.kin`.
    pub(crate) fn range(self) -> &'static str {
        match self {
            Int::Plain | Int::Int32 | Int::Int64 => "-big..=big",
            Int::Int8 => "-128..=127",
            Int::Int16 => "-32768..=32767",
            Int::Uint8 => "0..=255",
            Int::Uint16 => "0..=65535",
            Int::Uint | Int::Uint32 | Int::Uint64 => "0..=big",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Int::Plain => "int",
            Int::Int8 => "int8",
            Int::Int16 => "int16",
            Int::Int32 => "int32",
            Int::Int64 => "int64",
            Int::Uint => "uint",
            Int::Uint8 => "uint8",
            Int::Uint16 => "uint16",
            Int::Uint32 => "uint32",
            Int::Uint64 => "uint64",
        }
    }
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Konst {
    Bool(bool),
    Int(i128),
    Float(f64),
    Str(String),
}
