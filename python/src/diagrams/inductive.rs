//! Homomorphisms that are defined in Python, by what they do on one assignment.
//!
//! Equal objects are one homomorphism and share their results, so whatever decides the result must take part in `==`
//! and `hash`, as it does in frozen dataclasses.

use std::fmt;
use std::hash::{Hash, Hasher};

use ddd::{Inductive, Value, Variable};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;

use super::shared::Within;
use super::{Ddd, Forest, Hom};

/// An object with `on_one`, `on_arc` and `skips`.
pub struct Defined {
    forest: Within,
    object: Py<PyAny>,
    hash: isize,
}

impl Defined {
    /// What an object defines, if it can be compared.
    pub fn by(forest: &Forest, object: &Bound<'_, PyAny>) -> PyResult<Defined> {
        let hash = object.hash()?;
        Ok(Defined { forest: forest.within(), object: object.clone().unbind(), hash })
    }

    /// Asks the object, and what it gives.
    fn asked<T>(
        &self,
        forest: &mut ddd::Forest,
        ask: impl for<'py> FnOnce(&Bound<'py, PyAny>, &Forest) -> PyResult<T>,
    ) -> ddd::Result<T> {
        let own = self.forest.forest();
        own.lend(forest, |py| ask(self.object.bind(py), &own))
    }
}

fn wrong(method: &str, given: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    match given.repr() {
        Ok(given) => {
            PyTypeError::new_err(format!("`{method}` gives {given}, and is to give a {wanted}"))
        }
        Err(error) => error,
    }
}

impl Inductive for Defined {
    fn on_one(&self, forest: &mut ddd::Forest) -> ddd::Result<ddd::Ddd> {
        self.asked(forest, |object, own| {
            let py = object.py();
            let given = object.call_method1(intern!(py, "on_one"), (own.clone(),))?;
            let set = given.cast::<Ddd>().map_err(|_| wrong("on_one", &given, "Ddd"))?;
            own.own(&set.get().forest)?;
            Ok(set.get().set.clone())
        })
    }

    fn on_arc(
        &self,
        forest: &mut ddd::Forest,
        variable: Variable,
        value: Value,
    ) -> ddd::Result<ddd::Hom> {
        self.asked(forest, |object, own| {
            let py = object.py();
            let arguments = (own.clone(), variable, value);
            let given = object.call_method1(intern!(py, "on_arc"), arguments)?;
            let hom = given.cast::<Hom>().map_err(|_| wrong("on_arc", &given, "Hom"))?;
            own.own(&hom.get().forest)?;
            Ok(hom.get().hom.clone())
        })
    }

    fn skips(&self, variable: Variable) -> bool {
        let asked = Python::attach(|py| {
            let object = self.object.bind(py);
            object.call_method1(intern!(py, "skips"), (variable,))?.is_truthy()
        });
        asked.unwrap_or_else(|error| {
            self.forest.forest().put_aside(error);
            false
        })
    }
}

impl PartialEq for Defined {
    fn eq(&self, other: &Defined) -> bool {
        if self.hash != other.hash {
            return false;
        }
        let equal = Python::attach(|py| self.object.bind(py).eq(other.object.bind(py)));
        equal.unwrap_or_else(|error| {
            self.forest.forest().put_aside(error);
            false
        })
    }
}

impl Eq for Defined {}

impl Hash for Defined {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.hash.hash(hasher);
    }
}

impl fmt::Debug for Defined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Defined")
    }
}
