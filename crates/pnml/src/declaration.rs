//! Declarations: sorts, variables, partitions and operators that have names.

use crate::document::Id;
use crate::sort::Sort;
use crate::term::Term;
use diagnostics::Span;

/// Something that terms and sorts know by an identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<T> {
    /// What it is known by.
    pub id: Id,
    /// What people call it.
    pub name: String,
    /// What it is.
    pub value: T,
    /// Where it starts.
    pub span: Span,
}

/// Something declared for the terms of a net.
pub type Declaration = Named<Declared>;

/// What is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declared {
    /// `namedsort`.
    Sort(Sort),
    /// `variabledecl`: what the variable ranges over.
    Variable(Sort),
    /// `partition`: a class divided into parts. It is also the sort whose elements are the parts, in
    /// their order.
    Partition {
        /// The class that is divided.
        sort: Sort,
        /// The parts: disjoint, and together the whole class.
        parts: Vec<Part>,
    },
    /// `namedoperator`: an operator defined by a term, as an abbreviation.
    Operator {
        /// What it is applied to; known in its definition only.
        parameters: Vec<Parameter>,
        /// What it stands for.
        definition: Term,
    },
}

/// `feconstant`: an element of an enumeration.
pub type Constant = Named<()>;

/// `partitionelement`: a part of a class, as its elements, which are constants.
pub type Part = Named<Vec<Term>>;

/// A parameter of an operator, and what it ranges over.
pub type Parameter = Named<Sort>;
