//! Pids, objects and data as Python objects, and back.
//!
//! In a token a pid is a `Pid`, an integer an `int`, a truth value a `bool`, a member of an enumeration its name as a
//! `str`, an object an `Object`, and nothing `None`.

use num_bigint::BigUint;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString, PyTuple};
use state::{Relation, Relations, Token, Value};

/// A process identifier. To a system it is a black box: pids can be compared by `==` and by the relations, and have
/// no order.
#[pyclass(frozen, eq, hash, module = "kinfold", skip_from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Pid(pub state::Pid);

#[pymethods]
impl Pid {
    /// `Pid(1)` is the first initial thread, `Pid("1.2")` its second child.
    #[new]
    fn new(text: &Bound<'_, PyAny>) -> PyResult<Pid> {
        let text = text.str()?;
        let pid = text.to_cow()?.parse();
        pid.map(Pid).map_err(|error: state::ParsePidError| wrong(error))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Pid({:?})", self.0.to_string())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().0.to_string(),))
    }

    /// Whether this is the parent of the other.
    fn is_parent_of(&self, other: &Bound<'_, Pid>) -> bool {
        Relation::Parent.holds(&self.0, &other.get().0)
    }

    /// Whether this is the parent of the other, or the parent of an ancestor of it.
    fn is_ancestor_of(&self, other: &Bound<'_, Pid>) -> bool {
        Relation::Ancestor.holds(&self.0, &other.get().0)
    }

    /// Whether this stands in a relation to the other, which is named by its word: `parent`, `ancestor`,
    /// `next_sibling` (this was created immediately before the other), `elder_sibling`.
    fn stands_in(&self, relation: &str, other: &Bound<'_, Pid>) -> PyResult<bool> {
        let relation: Relation = relation.parse().map_err(wrong)?;
        Ok(relation.holds(&self.0, &other.get().0))
    }
}

fn wrong(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An object of a model: the name of its class, and a number that tells it from others.
#[pyclass(frozen, eq, hash, module = "kinfold", skip_from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Object {
    /// The name of its class.
    #[pyo3(get, name = "class_name")]
    class: String,
    /// The number.
    #[pyo3(get)]
    number: u32,
}

#[pymethods]
impl Object {
    #[new]
    fn new(class_name: String, number: u32) -> Object {
        Object { class: class_name, number }
    }

    fn __repr__(&self) -> String {
        format!("Object({:?}, {})", self.class, self.number)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, u32)) {
        let this = slf.get();
        (slf.get_type().into_any(), (this.class.clone(), this.number))
    }
}

/// A Python object as a component of a token.
fn value(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(pid) = object.cast::<Pid>() {
        return Ok(Value::Pid(pid.get().0.clone()));
    }
    // Before integers, which booleans are as well.
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(Value::Bool(truth.is_true()));
    }
    if let Ok(number) = object.cast::<PyInt>() {
        return number.extract().map(Value::Int).map_err(|_| {
            PyOverflowError::new_err(format!(
                "{number} does not fit into 64 bits, as tokens have them"
            ))
        });
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::Enum((&*text.to_cow()?).into()));
    }
    if let Ok(object) = object.cast::<Object>() {
        let Object { class, number } = object.get();
        return Ok(Value::Object(class.as_str().into(), *number));
    }
    if object.is_none() {
        return Ok(Value::None);
    }
    Err(PyTypeError::new_err(format!(
        "{} cannot be in a token: tokens are made of Pid, int, bool, str, Object and None",
        object.repr()?
    )))
}

/// Python objects as a token.
pub fn token(values: &Bound<'_, PyTuple>) -> PyResult<Token> {
    values.iter_borrowed().map(|one| value(&one)).collect()
}

/// A component of a token as a Python object.
pub fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Pid(pid) => Bound::new(py, Pid(pid.clone()))?.into_any(),
        Value::Int(number) => number.into_pyobject(py)?.into_any(),
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Enum(member) => PyString::new(py, member).into_any(),
        Value::Object(class, number) => {
            Bound::new(py, Object { class: class.to_string(), number: *number })?.into_any()
        }
        Value::None => py.None().into_bound(py),
    })
}

/// A token as a tuple.
pub fn tuple<'py>(py: Python<'py>, token: &Token) -> PyResult<Bound<'py, PyTuple>> {
    let values: Vec<Bound<'py, PyAny>> =
        token.iter().map(|value| object(py, value)).collect::<PyResult<_>>()?;
    PyTuple::new(py, values)
}

/// Relations by their names: several in a list, or one alone.
pub fn relations(given: &Bound<'_, PyAny>) -> PyResult<Relations> {
    let parsed = |name: &Bound<'_, PyAny>| {
        let name: String = name.extract()?;
        name.parse::<Relation>().map_err(wrong)
    };
    if given.cast::<PyString>().is_ok() {
        return Ok(Relations::NONE.with(parsed(given)?));
    }
    given.try_iter()?.map(|name| parsed(&name?)).collect()
}

/// The names of relations.
pub fn relation_names(relations: Relations) -> Vec<&'static str> {
    relations.iter().map(Relation::name).collect()
}

/// A whole number of any size. In hexadecimal, since Python limits the decimal digits that it reads.
pub fn integer<'py>(py: Python<'py>, number: &BigUint) -> PyResult<Bound<'py, PyAny>> {
    py.get_type::<PyInt>().call1((number.to_str_radix(16), 16))
}
