//! What a value is, as far as the names behind a dot depend on it.

use std::collections::HashMap;

use super::DefinitionId;

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) enum Shape {
    /// A number, a truth value, or not known.
    #[default]
    Unknown,
    /// A reference to an object of a type, made for these.
    Object(DefinitionId, Vec<Shape>),
    /// The handle of a process.
    Handle(DefinitionId),
    /// A record.
    Record(DefinitionId),
    /// A member of an enumeration or a class.
    Member(DefinitionId),
    /// A thread at a place, or a process that a property speaks of.
    Bound(DefinitionId),
    /// A value or `none`.
    Optional(Box<Shape>),
    /// Values in a row, or different ones.
    Collection(Box<Shape>),
    /// Values by keys.
    Map(Box<Shape>, Box<Shape>),
    /// What a type parameter stands for.
    Parameter(String),
}

impl Shape {
    /// What has the names that may follow a dot.
    pub(super) fn owner(&self) -> Option<DefinitionId> {
        match self {
            Shape::Object(id, _) | Shape::Record(id) | Shape::Bound(id) => Some(*id),
            Shape::Optional(inner) => match &**inner {
                Shape::Object(id, _) => Some(*id),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value, where it may be `none`.
    pub(super) fn value(self) -> Shape {
        match self {
            Shape::Optional(inner) => *inner,
            other => other,
        }
    }

    /// What a loop over it goes through.
    pub(super) fn element(self) -> Shape {
        match self {
            Shape::Collection(element) | Shape::Map(element, _) => *element,
            _ => Shape::Unknown,
        }
    }

    /// With other shapes for type parameters.
    pub(super) fn with(&self, types: &HashMap<String, Shape>) -> Shape {
        let inside = |shape: &Shape| Box::new(shape.with(types));
        match self {
            Shape::Parameter(name) => types.get(name).cloned().unwrap_or_default(),
            Shape::Object(id, given) => {
                Shape::Object(*id, given.iter().map(|one| one.with(types)).collect())
            }
            Shape::Optional(inner) => Shape::Optional(inside(inner)),
            Shape::Collection(inner) => Shape::Collection(inside(inner)),
            Shape::Map(key, value) => Shape::Map(inside(key), inside(value)),
            other => other.clone(),
        }
    }
}
