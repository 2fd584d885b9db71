//! Data decision diagrams: the crate `ddd`.
//!
//! A forest is shared by its diagrams and homomorphisms, so that these can be put together by operators. Applying a
//! homomorphism may take long: it is done as engines work ([`awaited`]). Homomorphisms may be defined in Python
//! ([`inductive`]); their methods use the forest in the midst of an application, so it is not always where it was
//! ([`Forest::with`]).

mod inductive;
mod shared;

use std::hash::{DefaultHasher, Hash, Hasher};

use budget::Budget;
use ddd::{Limits, Node, Shift, Value, Variable};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::errors::refusal;
use crate::values::integer;
use crate::waiting::awaited;
use inductive::Defined;
pub use shared::Forest;

/// A set of sequences of assignments.
#[pyclass(frozen, module = "kinfold.ddd")]
pub struct Ddd {
    forest: Forest,
    set: ddd::Ddd,
}

/// A homomorphism: a map from sets to sets that respects unions.
#[pyclass(frozen, module = "kinfold.ddd")]
pub struct Hom {
    forest: Forest,
    hom: ddd::Hom,
}

/// A variable, the least and the greatest value that it may have, and what is added to it.
type Link = (Variable, Value, Value, Value);

fn shift((variable, least, greatest, by): Link) -> Shift {
    Shift { variable, within: least..=greatest, by }
}

impl Forest {
    fn set(&self, set: ddd::Ddd) -> Ddd {
        Ddd { forest: self.clone(), set }
    }

    fn hom(&self, hom: ddd::Hom) -> Hom {
        Hom { forest: self.clone(), hom }
    }

    /// A set that an operation gives.
    fn made(
        &self,
        py: Python<'_>,
        make: impl FnOnce(&mut ddd::Forest) -> ddd::Result<ddd::Ddd> + Send,
    ) -> PyResult<Ddd> {
        let made = self.with(py, make);
        made.map(|set| self.set(set)).map_err(|error| self.why(py, error))
    }

    /// Why an operation was given up.
    fn why(&self, py: Python<'_>, error: ddd::Error) -> PyErr {
        self.give_up(error);
        refusal(py, error)
    }
}

#[pymethods]
impl Forest {
    #[new]
    fn new() -> Forest {
        Forest::empty()
    }

    /// The empty set.
    #[getter]
    fn zero(&self, py: Python<'_>) -> Ddd {
        self.set(self.with(py, ddd::Forest::zero))
    }

    /// The set of the empty sequence alone.
    #[getter]
    fn one(&self, py: Python<'_>) -> Ddd {
        self.set(self.with(py, ddd::Forest::one))
    }

    /// Any set: what comes out where a result cannot be represented.
    #[getter]
    fn top(&self, py: Python<'_>) -> Ddd {
        self.set(self.with(py, ddd::Forest::top))
    }

    /// The set of one sequence of assignments `(variable, value)`.
    fn sequence(&self, py: Python<'_>, assignments: Vec<(Variable, Value)>) -> PyResult<Ddd> {
        self.made(py, |forest| forest.sequence(&assignments))
    }

    /// The sequences that begin with one of these values of a variable, and go on as its set says.
    fn arcs(
        &self,
        py: Python<'_>,
        variable: Variable,
        arcs: Vec<(Value, Py<Ddd>)>,
    ) -> PyResult<Ddd> {
        arcs.iter().try_for_each(|(_, rest)| self.own(&rest.get().forest))?;
        let arcs: Vec<(Value, &ddd::Ddd)> =
            arcs.iter().map(|(value, rest)| (*value, &rest.get().set)).collect();
        self.made(py, |forest| forest.arcs(variable, arcs))
    }

    /// The map that leaves every set as it is.
    #[getter]
    fn identity(&self, py: Python<'_>) -> Hom {
        self.hom(self.with(py, ddd::Forest::identity))
    }

    /// The map that gives the same set for every set but the empty one.
    fn constant(&self, py: Python<'_>, set: &Bound<'_, Ddd>) -> PyResult<Hom> {
        self.own(&set.get().forest)?;
        let set = &set.get().set;
        Ok(self.hom(self.with(py, |forest| forest.constant(set))))
    }

    /// The map that puts an assignment in front, after another map.
    #[pyo3(signature = (variable, value, then = None))]
    fn prefix(
        &self,
        py: Python<'_>,
        variable: Variable,
        value: Value,
        then: Option<&Bound<'_, Hom>>,
    ) -> PyResult<Hom> {
        then.map_or(Ok(()), |then| self.own(&then.get().forest))?;
        let then = then.map(|then| then.get().hom.clone());
        let made = self.with(py, |forest| {
            let next = then.unwrap_or_else(|| forest.identity());
            forest.prefix(variable, value, &next)
        });
        made.map(|hom| self.hom(hom)).map_err(|error| self.why(py, error))
    }

    /// The map of a transition: each `(variable, least, greatest, by)`, in the order in which the variables come,
    /// lets pass what has a value from `least` to `greatest`, and adds `by` to it.
    fn chain(&self, py: Python<'_>, links: Vec<Link>) -> PyResult<Hom> {
        let links: Vec<Shift> = links.into_iter().map(shift).collect();
        let made = self.with(py, |forest| forest.chain(&links));
        made.map(|hom| self.hom(hom)).map_err(|error| self.why(py, error))
    }

    /// The map that gives the union of what these give.
    fn sum(&self, py: Python<'_>, homs: Vec<Py<Hom>>) -> PyResult<Hom> {
        homs.iter().try_for_each(|hom| self.own(&hom.get().forest))?;
        let homs: Vec<&ddd::Hom> = homs.iter().map(|hom| &hom.get().hom).collect();
        Ok(self.hom(self.with(py, |forest| forest.sum(homs))))
    }

    /// The map that an object defines by what it does on one assignment.
    fn inductive(&self, py: Python<'_>, definition: &Bound<'_, PyAny>) -> PyResult<Hom> {
        let defined = Defined::by(self, definition)?;
        let hom = self.with(py, |forest| forest.inductive(defined));
        self.take_raised().map_or_else(|| Ok(self.hom(hom)), Err)
    }

    /// What the forest holds, and how it came about.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = self.with(py, |forest| forest.statistics());
        let fields = PyDict::new(py);
        fields.set_item("nodes", found.nodes)?;
        fields.set_item("peak_nodes", found.peak_nodes)?;
        fields.set_item("bytes", found.bytes)?;
        fields.set_item("collections", found.collections)?;
        fields.set_item("cache_hits", found.cache_hits)?;
        fields.set_item("cache_misses", found.cache_misses)?;
        Ok(fields)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Forest of {} nodes>", self.with(py, |forest| forest.statistics().nodes))
    }
}

/// A number for what is equal to be found by.
fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Ddd {
    fn and(
        &self,
        py: Python<'_>,
        other: &Bound<'_, Ddd>,
        operation: fn(&mut ddd::Forest, &ddd::Ddd, &ddd::Ddd) -> ddd::Result<ddd::Ddd>,
    ) -> PyResult<Ddd> {
        self.forest.own(&other.get().forest)?;
        let other = &other.get().set;
        self.forest.made(py, |forest| operation(forest, &self.set, other))
    }
}

#[pymethods]
impl Ddd {
    fn __or__(&self, py: Python<'_>, other: &Bound<'_, Ddd>) -> PyResult<Ddd> {
        self.and(py, other, ddd::Forest::union)
    }

    fn __and__(&self, py: Python<'_>, other: &Bound<'_, Ddd>) -> PyResult<Ddd> {
        self.and(py, other, ddd::Forest::intersection)
    }

    fn __sub__(&self, py: Python<'_>, other: &Bound<'_, Ddd>) -> PyResult<Ddd> {
        self.and(py, other, ddd::Forest::difference)
    }

    /// Every sequence of this set followed by every one of the other.
    fn __mul__(&self, py: Python<'_>, other: &Bound<'_, Ddd>) -> PyResult<Ddd> {
        self.and(py, other, ddd::Forest::concatenation)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        // Handles of different forests are different.
        other.cast::<Ddd>().is_ok_and(|other| self.set == other.get().set)
    }

    fn __hash__(&self) -> u64 {
        hash(&self.set)
    }

    fn __bool__(&self, py: Python<'_>) -> bool {
        !self.forest.with(py, |forest| forest.is_empty(&self.set))
    }

    /// The number of sequences.
    #[getter]
    fn count<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer(py, &self.forest.with(py, |forest| forest.count(&self.set)))
    }

    /// The number of nodes, terminals that are reached among them.
    #[getter]
    fn nodes(&self, py: Python<'_>) -> usize {
        self.forest.with(py, |forest| forest.size([&self.set]))
    }

    /// Whether no part of it could not be represented.
    #[getter]
    fn is_well_defined(&self, py: Python<'_>) -> bool {
        self.forest.with(py, |forest| forest.is_well_defined(&self.set))
    }

    fn __contains__(&self, py: Python<'_>, assignments: Vec<(Variable, Value)>) -> bool {
        self.forest.with(py, |forest| forest.contains(&self.set, &assignments))
    }

    /// The sequences, at most so many.
    #[pyo3(signature = (most = None))]
    fn sequences<'py>(&self, py: Python<'py>, most: Option<usize>) -> PyResult<Bound<'py, PyList>> {
        let most = most.unwrap_or(usize::MAX);
        let all: Vec<Vec<(Variable, Value)>> =
            self.forest.with(py, |forest| forest.paths(&self.set).take(most).collect());
        let list = PyList::empty(py);
        for sequence in all {
            list.append(PyTuple::new(py, sequence)?)?;
        }
        Ok(list)
    }

    /// What stands at the root: `"zero"`, `"one"`, `"top"`, or a variable and the set that follows each value.
    #[getter]
    fn root<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.forest.with(py, |forest| forest.node(&self.set)) {
            Node::Zero => "zero".into_pyobject(py)?.into_any(),
            Node::One => "one".into_pyobject(py)?.into_any(),
            Node::Top => "top".into_pyobject(py)?.into_any(),
            Node::Arcs(variable, arcs) => {
                let children = PyDict::new(py);
                for (value, child) in arcs {
                    children.set_item(value, self.forest.set(child))?;
                }
                (variable, children).into_pyobject(py)?.into_any()
            }
        })
    }

    /// The diagram as Graphviz text.
    fn dot(&self, py: Python<'_>) -> String {
        self.forest.with(py, |forest| forest.dot(&self.set, |variable| format!("x{variable}")))
    }

    /// The diagram as a picture.
    fn svg(&self, py: Python<'_>) -> String {
        self.forest.with(py, |forest| forest.svg(&self.set, |variable| format!("x{variable}")))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> Option<String> {
        (self.nodes(py) <= 500).then(|| self.svg(py))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (count, nodes) =
            self.forest.with(py, |forest| (forest.count(&self.set), forest.size([&self.set])));
        format!("<Ddd of {count} sequences, {nodes} nodes>")
    }
}

#[pymethods]
impl Hom {
    /// The image of a set.
    fn __call__(&self, py: Python<'_>, set: &Bound<'_, Ddd>) -> PyResult<Ddd> {
        let forest = &self.forest;
        forest.own(&set.get().forest)?;
        let set = &set.get().set;
        // In the midst of an application there is a thread already, and who waits for it.
        if forest.is_lent() {
            return forest.made(py, |forest| forest.apply(&self.hom, set));
        }
        let budget = Budget::unlimited();
        let image = awaited(py, &budget, || {
            forest.with_locked(|forest| {
                forest.set_limits(Limits::within(&budget));
                let image = forest.apply(&self.hom, set);
                forest.set_limits(Limits::default());
                image
            })
        })?;
        match forest.take_raised() {
            Some(error) => Err(error),
            None => image.map(|set| forest.set(set)).map_err(|error| refusal(py, error)),
        }
    }

    /// The map that gives the union of what both give.
    fn __add__(&self, py: Python<'_>, other: &Bound<'_, Hom>) -> PyResult<Hom> {
        self.forest.own(&other.get().forest)?;
        let other = &other.get().hom;
        Ok(self.forest.hom(self.forest.with(py, |forest| forest.sum([&self.hom, other]))))
    }

    /// This map after the other.
    fn __matmul__(&self, py: Python<'_>, inner: &Bound<'_, Hom>) -> PyResult<Hom> {
        self.forest.own(&inner.get().forest)?;
        let inner = &inner.get().hom;
        Ok(self.forest.hom(self.forest.with(py, |forest| forest.compose(&self.hom, inner))))
    }

    /// The map that gives all that this one reaches, applied any number of times.
    fn star(&self, py: Python<'_>) -> Hom {
        self.forest.hom(self.forest.with(py, |forest| forest.star(&self.hom)))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Hom>().is_ok_and(|other| self.hom == other.get().hom)
    }

    fn __hash__(&self) -> u64 {
        hash(&self.hom)
    }

    fn __repr__(&self) -> String {
        format!("<{:?}>", self.hom)
    }
}
