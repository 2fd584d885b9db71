//! Declarations: sorts, variables, partitions and operators that have names.

use crate::document::Id;
use crate::sort::Sort;
use crate::term::Term;
use diagnostics::Span;

/// Something declared for the terms of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// `namedsort`.
    Sort(NamedSort),
    /// `variabledecl`.
    Variable(Variable),
    /// `partition`.
    Partition(Partition),
    /// `namedoperator`.
    Operator(NamedOperator),
}

/// A sort with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSort {
    /// What other sorts and terms know it by.
    pub id: Id,
    /// What people call it.
    pub name: String,
    /// What it is.
    pub sort: Sort,
    /// Where it starts.
    pub span: Span,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// What terms know it by.
    pub id: Id,
    /// What people call it.
    pub name: String,
    /// What it ranges over.
    pub sort: Sort,
    /// Where it starts.
    pub span: Span,
}

/// A class divided into parts. It is also the sort whose elements are the parts, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// What terms know it by.
    pub id: Id,
    /// What people call it.
    pub name: String,
    /// The class that is divided.
    pub sort: Sort,
    /// The parts: disjoint, and together the whole class.
    pub parts: Vec<Part>,
    /// Where it starts.
    pub span: Span,
}

/// `partitionelement`: a part of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What terms know it by.
    pub id: Id,
    /// What people call it.
    pub name: String,
    /// The elements of the part: constants.
    pub constants: Vec<Term>,
    /// Where it starts.
    pub span: Span,
}

/// An operator defined by a term, as an abbreviation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedOperator {
    /// What terms know it by.
    pub id: Id,
    /// What people call it.
    pub name: String,
    /// What it is applied to; known in its definition only.
    pub parameters: Vec<Variable>,
    /// What it stands for.
    pub definition: Term,
    /// Where it starts.
    pub span: Span,
}
