//! The variables that an expression may use, and what it is used for.

use std::collections::HashMap;

use net::{Kind, PlaceId, Var, Variable};

use diagnostics::{Reported, Span};

/// What an expression is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usage {
    /// It must be constant; what it is, for the message.
    Constant(&'static str),
    /// It is compared with what is in a token.
    Pattern,
    /// It is the value of the definition with this number.
    Definition(usize),
    /// It decides whether the transition can fire.
    Guard,
    /// It goes into a token. Children that are created in the same step may occur.
    Output,
    /// It decides which initial tokens there are for all members of a class.
    Marking,
    /// It is part of a property.
    Property,
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Parameter,
    /// Bound by a pattern, or a thread.
    Bound,
    /// A definition, by its number.
    Definition(usize),
    /// A thread that the transition creates.
    Child,
    /// An object that the transition creates.
    Object,
    /// A thread that a quantifier ranges over, at this place.
    At(PlaceId),
}

/// A variable in scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) var: Var,
    /// `None` after a mistake.
    pub(crate) kind: Option<Kind>,
    pub(crate) role: Role,
    pub(crate) span: Span,
}

/// The variables that an expression may use.
#[derive(Debug)]
pub struct Scope<'a> {
    pub(crate) usage: Usage,
    /// All variables made so far, in scope or not.
    pub(crate) variables: Vec<Variable>,
    pub(crate) entries: HashMap<&'a str, Entry>,
    /// Variables of the `unless` at hand, or of what is taken no times.
    pub(crate) locals: HashMap<&'a str, Entry>,
    /// Variables that are known only elsewhere, and where: those of an `unless`, say.
    pub(crate) elsewhere: HashMap<&'a str, &'static str>,
    /// Names that were reported as bound to nothing.
    pub(crate) unbound: HashMap<&'a str, Reported>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(usage: Usage) -> Scope<'a> {
        Scope {
            usage,
            variables: Vec::new(),
            entries: HashMap::new(),
            locals: HashMap::new(),
            elsewhere: HashMap::new(),
            unbound: HashMap::new(),
        }
    }

    /// A new variable.
    pub(crate) fn variable(&mut self, name: &str, kind: Option<Kind>) -> Var {
        let var = Var(u32::try_from(self.variables.len()).expect("fewer than the bytes of a text"));
        let kind = kind.unwrap_or(Kind::Bool);
        self.variables.push(Variable { name: name.to_owned(), kind, optional: false });
        var
    }

    pub(crate) fn get(&self, name: &str) -> Option<Entry> {
        self.locals.get(name).or_else(|| self.entries.get(name)).copied()
    }
}
