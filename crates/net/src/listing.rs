//! What a net that was made of processes is told by: their statements, variables and objects.
//!
//! Such a net has a place for each point at which a process may stop, for each global variable and each type of
//! objects, and a transition for each way a statement may go. Nothing here changes what the net does: it is for
//! those who show its states and runs.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::ops::Range;

use state::Value;

use crate::{Net, PlaceId, TransitionId};

/// How a net is told in the words of the program that it was made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// What the places stand for.
    pub places: BTreeMap<PlaceId, Listed>,
    /// The statements that the transitions stand for, by their index.
    pub statements: Vec<Option<Line>>,
}

impl Listing {
    /// The statements of the model that are never come to, where these transitions never fire.
    #[must_use]
    pub fn never_reached(&self, net: &Net, never_fired: &[TransitionId]) -> Vec<&Line> {
        let mut found: BTreeMap<(usize, usize), (&Line, bool)> = BTreeMap::new();
        for (number, line) in (0..).map(TransitionId).zip(&self.statements) {
            let transition = net.transition(number);
            let Some(line) = line.as_ref().filter(|line| !line.in_prelude) else { continue };
            if transition.probe || transition.failure.is_some() {
                continue;
            }
            let is_reached = !never_fired.contains(&number);
            found.entry((line.line, line.column)).or_insert((line, false)).1 |= is_reached;
        }
        found.into_values().filter(|(_, is_reached)| !is_reached).map(|(line, _)| line).collect()
    }
}

/// A statement in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The statement, as it is written, or the beginning of it.
    pub text: String,
    /// Whether it is not in the text of the model, but in that of the objects that all models have.
    pub in_prelude: bool,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prelude = if self.in_prelude { "prelude, " } else { "" };
        write!(f, "{prelude}line {}", self.line)
    }
}

/// What a place stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Listed {
    /// A point at which a thread stops. Its variables follow the thread in the token.
    Point {
        /// The process or function.
        routine: String,
        /// Whether it is a function: then the frame of its caller comes first in the token.
        is_function: bool,
        /// The label that stands there.
        label: Option<String>,
        /// The statement before which it is.
        line: Line,
        /// The variables that have a value there.
        variables: Vec<Field>,
    },
    /// A global variable, in the only token.
    Global(Field),
    /// Objects of a type, by their fields. The object comes first in the token.
    Object {
        /// The type.
        name: String,
        /// Its fields.
        fields: Vec<Field>,
    },
    /// Calls that have not returned: a frame, perhaps that of the caller's own caller, and variables of the caller.
    Frame {
        /// The caller.
        routine: String,
        /// The variables that it will need.
        variables: Vec<Field>,
    },
    /// Threads that have ended.
    Ended,
    /// The results of threads that have ended.
    Result(Field),
}

/// A variable in a token.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The columns of its value.
    pub columns: Range<usize>,
    /// How its value is laid out.
    pub shape: Shape,
}

/// How a value is laid out over columns.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// One column, perhaps with nothing in it.
    Scalar,
    /// Whether it is there, then the value.
    Optional(Box<Shape>),
    /// How many there are, then as many elements as there is room for: of a map keys and values in turn.
    List(Vec<Shape>),
    /// For each of these keys whether it is there, and what is there for it.
    Keyed(Vec<Value>, Option<Box<Shape>>),
    /// Components, by their names.
    Record(Vec<(String, Shape)>),
    /// The number of the case; then the components of all cases.
    Variant(Vec<(String, Vec<(String, Shape)>)>),
}

impl Field {
    /// The value of the variable in a token, as it would be written.
    #[must_use]
    pub fn text(&self, token: &[Value]) -> String {
        let mut out = String::new();
        self.shape.write(&mut token[self.columns.clone()].iter(), true, &mut out);
        out
    }
}

impl Shape {
    /// Writes a value, unless it is not there; its columns are used up in any case.
    fn write(&self, values: &mut std::slice::Iter<Value>, is_there: bool, out: &mut String) {
        let mut say = |text: &dyn fmt::Display| {
            if is_there {
                write!(out, "{text}").expect("strings do not fail");
            }
        };
        match self {
            Shape::Scalar => {
                let value = values.next().expect("a token has all columns");
                say(value);
            }
            Shape::Optional(inner) => {
                let has_value = values.next() == Some(&Value::Bool(true));
                if !has_value {
                    say(&"none");
                }
                inner.write(values, is_there && has_value, out);
            }
            Shape::List(elements) => {
                let length = match values.next() {
                    Some(Value::Int(length)) => *length as usize,
                    _ => 0,
                };
                say(&"[");
                for (number, element) in elements.iter().enumerate() {
                    let is_there = is_there && number < length;
                    if is_there && number > 0 {
                        out.push_str(", ");
                    }
                    element.write(values, is_there, out);
                }
                if is_there {
                    out.push(']');
                }
            }
            Shape::Keyed(keys, shape) => {
                say(&"[");
                let mut is_first = true;
                for key in keys {
                    let is_set = values.next() == Some(&Value::Bool(true));
                    let has_key = is_there && is_set;
                    if has_key {
                        let comma = if is_first { "" } else { ", " };
                        write!(out, "{comma}{key}").expect("strings do not fail");
                        is_first = false;
                    }
                    if let Some(shape) = shape {
                        if has_key {
                            out.push_str(": ");
                        }
                        shape.write(values, has_key, out);
                    }
                }
                if is_there {
                    out.push(']');
                }
            }
            Shape::Record(components) => {
                say(&"(");
                write_components(components, values, is_there, out);
                if is_there {
                    out.push(')');
                }
            }
            Shape::Variant(cases) => {
                let number = match values.next() {
                    Some(Value::Int(number)) => *number as usize,
                    _ => 0,
                };
                for (case, (name, components)) in cases.iter().enumerate() {
                    let is_this = is_there && case == number;
                    if is_this {
                        out.push_str(name);
                    }
                    let has_more = is_this && !components.is_empty();
                    if has_more {
                        out.push('(');
                    }
                    write_components(components, values, is_this, out);
                    if has_more {
                        out.push(')');
                    }
                }
            }
        }
    }
}

fn write_components(
    components: &[(String, Shape)],
    values: &mut std::slice::Iter<Value>,
    is_there: bool,
    out: &mut String,
) {
    for (number, (name, shape)) in components.iter().enumerate() {
        if is_there {
            let comma = if number == 0 { "" } else { ", " };
            write!(out, "{comma}{name}: ").expect("strings do not fail");
        }
        shape.write(values, is_there, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(shape: Shape, values: &[Value]) -> String {
        let field = Field { name: "x".into(), columns: 0..values.len(), shape };
        field.text(values)
    }

    #[test]
    fn values_are_written_as_in_programs() {
        let int = |number: i64| Value::Int(number);
        let list = || Shape::List(vec![Shape::Scalar; 3]);
        assert_eq!(text(list(), &[int(2), int(7), int(8), int(0)]), "[7, 8]");
        let optional = || Shape::Optional(Box::new(list()));
        let absent = [Value::Bool(false), int(0), int(0), int(0), int(0)];
        assert_eq!(text(optional(), &absent), "none");
        let message = Shape::Variant(vec![
            ("stop".into(), vec![]),
            ("job".into(), vec![("id".into(), Shape::Scalar)]),
        ]);
        assert_eq!(text(message.clone(), &[int(0), int(3)]), "stop");
        assert_eq!(text(message, &[int(1), int(3)]), "job(id: 3)");
        let keyed = Shape::Keyed(vec![int(0), int(1)], Some(Box::new(Shape::Scalar)));
        let values = [Value::Bool(false), int(0), Value::Bool(true), int(9)];
        assert_eq!(text(keyed, &values), "[1: 9]");
    }
}
