//! What a net that was made of processes is told by: their statements, variables and objects.
//!
//! Such a net has a place for each point at which a process may stop, for each global variable and each type of
//! objects, and a transition for each way a statement may go. Nothing here changes what the net does: it is for
//! those who show its states and runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use state::Value;

use crate::{Expr, PlaceId, Var};

/// How a net is told in the words of the program that it was made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// What the places stand for.
    pub places: BTreeMap<PlaceId, Listed>,
    /// The statements that the transitions stand for, by their index.
    pub statements: Vec<Option<Line>>,
    /// Where a transition stands for what two threads do together, the statement of the second.
    pub partners: BTreeMap<usize, Line>,
    /// What two threads race for where a probe is enabled, by its index.
    pub races: BTreeMap<usize, Race>,
    /// What is chosen where a transition fires, by its index.
    pub choices: BTreeMap<usize, Vec<Chosen>>,
    /// The value that is wrong where a transition fails, by its index.
    pub wrong: BTreeMap<usize, Expr>,
    /// The file that the text is from, where that is known.
    pub file: Option<String>,
    /// The words of the language that the program was translated from, if it was.
    pub words: Option<Words>,
}

/// The words of a language whose programs become processes, where they are not those of the processes.
///
/// A statement of the language may be several steps of its process. Those that only prepare it are left out where a run
/// is told, and objects are called by the variables that refer to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// What values and types of objects are called, by their names in the net.
    pub names: BTreeMap<String, String>,
    /// Types of objects of which it is not said that they are made: they are parts of others.
    pub quiet: BTreeSet<String>,
    /// What is said of who waits for an object.
    pub waits: Vec<WaitWords>,
}

/// What is said of who waits for an object of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitWords {
    /// The type, as it is called.
    pub of: String,
    /// The variables that the condition is about which does not hold.
    pub variables: Vec<String>,
    /// What is said, where `{object}` stands for the object, and `{count}` for its variable of that name.
    pub text: String,
    /// The variable whose last change is the reason.
    pub since: Option<String>,
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
    /// Whether it is in the prelude, whose lines are counted apart.
    pub in_prelude: bool,
    /// What kind of statement it is.
    pub kind: LineKind,
    /// The file, if there are several.
    pub file: Option<Arc<str>>,
}

impl Line {
    /// `line 14`, or of several files `main.go:14`.
    #[must_use]
    pub fn place(&self) -> String {
        match &self.file {
            Some(file) => format!("{file}:{}", self.line),
            None => format!("line {}", self.line),
        }
    }
}

/// Kinds of statements, as far as they are told in different ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineKind {
    /// Any other.
    #[default]
    Plain,
    /// A `select` itself. Its arms have lines of their own.
    Select,
    /// A `for` of which only the rounds are steps.
    Rounds,
    /// The end of a block, where something is undone.
    End,
}

/// Something that a process chooses in a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Chosen {
    /// One of the blocks of an `either`.
    Branch {
        /// Its number, from 0.
        number: usize,
        /// Its first statement, if it has one.
        first: Option<Line>,
    },
    /// A value for a variable.
    Value {
        /// The variable. Its columns are those of the value.
        field: Field,
        /// The value, in variables of the transition.
        value: Vec<Expr>,
    },
}

/// Two accesses to the same location, as a probe looks for them. Its variables tell whose they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    /// The global variable, or the field.
    pub variable: String,
    /// The object that the field is of.
    pub object: Option<Expr>,
    /// The index, if it is an element of a sequence.
    pub index: Option<Expr>,
    /// Who accesses it, by which statement, and whether that writes.
    pub accesses: [(Var, Option<Line>, bool); 2],
}

/// What a place stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Listed {
    /// A point at which a thread stops. Its variables follow the thread in the token.
    Point {
        /// The kind of process that the thread is.
        process: String,
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
        /// Whether it is a function: then the frame of its own caller comes next in the token.
        is_function: bool,
        /// The call.
        line: Line,
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
        self.text_by(token, &Value::to_string)
    }

    /// The same, with words of one's own for what stands in single columns, and for keys.
    pub fn text_by(&self, token: &[Value], say: &dyn Fn(&Value) -> String) -> String {
        let mut out = String::new();
        self.shape.write(&mut token[self.columns.clone()].iter(), true, say, &mut out);
        out
    }

    /// The single columns that have a value in a token, each by the way that leads there: `lock`, `forks[1]`.
    #[must_use]
    pub fn scalars<'t>(&self, token: &'t [Value]) -> Vec<(String, &'t Value)> {
        let mut found = Vec::new();
        let values = &mut token[self.columns.clone()].iter();
        self.shape.visit(values, true, self.name.clone(), &mut found);
        found
    }

    /// Whether it is one that no program has written, but the compiler has made.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.name.starts_with('$')
    }
}

impl Shape {
    /// Collects the single columns of a value, unless it is not there; its columns are used up in any case.
    fn visit<'t>(
        &self,
        values: &mut std::slice::Iter<'t, Value>,
        is_there: bool,
        way: String,
        found: &mut Vec<(String, &'t Value)>,
    ) {
        match self {
            Shape::Scalar => {
                let value = values.next().expect("a token has all columns");
                if is_there {
                    found.push((way, value));
                }
            }
            Shape::Optional(inner) => {
                let has_value = values.next() == Some(&Value::Bool(true));
                inner.visit(values, is_there && has_value, way, found);
            }
            Shape::List(elements) => {
                let length = number(values.next());
                for (at, element) in elements.iter().enumerate() {
                    element.visit(values, is_there && at < length, format!("{way}[{at}]"), found);
                }
            }
            Shape::Keyed(keys, shape) => {
                for key in keys {
                    let has_key = values.next() == Some(&Value::Bool(true));
                    if let Some(shape) = shape {
                        shape.visit(values, is_there && has_key, format!("{way}[{key}]"), found);
                    }
                }
            }
            Shape::Record(components) => {
                for (name, shape) in components {
                    shape.visit(values, is_there, member(&way, name), found);
                }
            }
            Shape::Variant(cases) => {
                let case = number(values.next());
                for (at, (_, components)) in cases.iter().enumerate() {
                    for (name, shape) in components {
                        shape.visit(values, is_there && at == case, member(&way, name), found);
                    }
                }
            }
        }
    }

    /// Writes a value, unless it is not there; its columns are used up in any case.
    fn write(
        &self,
        values: &mut std::slice::Iter<Value>,
        is_there: bool,
        word: &dyn Fn(&Value) -> String,
        out: &mut String,
    ) {
        let mut say = |text: &dyn std::fmt::Display| {
            if is_there {
                write!(out, "{text}").expect("strings do not fail");
            }
        };
        match self {
            Shape::Scalar => {
                let value = values.next().expect("a token has all columns");
                say(&word(value));
            }
            Shape::Optional(inner) => {
                let has_value = values.next() == Some(&Value::Bool(true));
                if !has_value {
                    say(&word(&Value::None));
                }
                inner.write(values, is_there && has_value, word, out);
            }
            Shape::List(elements) => {
                let length = number(values.next());
                say(&"[");
                for (number, element) in elements.iter().enumerate() {
                    let is_there = is_there && number < length;
                    if is_there && number > 0 {
                        out.push_str(", ");
                    }
                    element.write(values, is_there, word, out);
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
                        write!(out, "{comma}{}", word(key)).expect("strings do not fail");
                        is_first = false;
                    }
                    if let Some(shape) = shape {
                        if has_key {
                            out.push_str(": ");
                        }
                        shape.write(values, has_key, word, out);
                    }
                }
                if is_there {
                    out.push(']');
                }
            }
            Shape::Record(components) => {
                say(&"(");
                write_components(components, values, is_there, word, out);
                if is_there {
                    out.push(')');
                }
            }
            Shape::Variant(cases) => {
                let number = number(values.next());
                for (case, (name, components)) in cases.iter().enumerate() {
                    let is_this = is_there && case == number;
                    if is_this {
                        out.push_str(name);
                    }
                    let has_more = is_this && !components.is_empty() && !name.is_empty();
                    if has_more {
                        out.push('(');
                    }
                    write_components(components, values, is_this, word, out);
                    if has_more {
                        out.push(')');
                    }
                }
            }
        }
    }
}

/// The way to a component; one without a name is the only one.
fn member(way: &str, name: &str) -> String {
    if name.is_empty() { way.to_owned() } else { format!("{way}.{name}") }
}

/// A length, or the number of a case.
fn number(value: Option<&Value>) -> usize {
    match value {
        Some(Value::Int(number)) => *number as usize,
        _ => 0,
    }
}

fn write_components(
    components: &[(String, Shape)],
    values: &mut std::slice::Iter<Value>,
    is_there: bool,
    word: &dyn Fn(&Value) -> String,
    out: &mut String,
) {
    for (number, (name, shape)) in components.iter().enumerate() {
        if is_there {
            let comma = if number == 0 { "" } else { ", " };
            let colon = if name.is_empty() { "" } else { ": " };
            write!(out, "{comma}{name}{colon}").expect("strings do not fail");
        }
        shape.write(values, is_there, word, out);
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
        let bare = Shape::Variant(vec![("".into(), vec![("".into(), Shape::Scalar)])]);
        assert_eq!(text(bare, &[int(0), int(3)]), "3");
        let keyed = Shape::Keyed(vec![int(0), int(1)], Some(Box::new(Shape::Scalar)));
        let values = [Value::Bool(false), int(0), Value::Bool(true), int(9)];
        let field = Field { name: "m".into(), columns: 0..4, shape: keyed.clone() };
        assert_eq!(field.scalars(&values), [("m[1]".to_owned(), &int(9))]);
        assert_eq!(text(keyed, &values), "[1: 9]");
        let word = |value: &Value| if *value == int(1) { "one".into() } else { value.to_string() };
        assert_eq!(field.text_by(&values, &word), "[one: 9]");
    }
}
