//! Canonical forms of coloured relational structures: the crate `canon`.

use canon::Canoniser;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::values::integer;

/// A finite structure: atoms, numbered from 0, each with a colour; and a multiset of labelled tuples of atoms.
#[pyclass(module = "kinfold.canon")]
pub struct Structure(canon::Structure);

#[pymethods]
impl Structure {
    /// A structure with an atom of each of these colours.
    #[new]
    #[pyo3(signature = (colours = Vec::new()))]
    fn new(colours: Vec<u32>) -> Structure {
        let mut structure = canon::Structure::new();
        structure.atoms(colours);
        Structure(structure)
    }

    /// Adds an atom, and gives its number.
    #[pyo3(signature = (colour = 0))]
    fn atom(&mut self, colour: u32) -> u32 {
        self.0.atom(colour)
    }

    /// Adds a tuple of atoms with a label. To add the same tuple again counts.
    #[pyo3(signature = (label, *atoms))]
    fn tuple(&mut self, label: u32, atoms: Vec<u32>) -> PyResult<()> {
        if atoms.is_empty() {
            return Err(PyValueError::new_err("a tuple has at least one atom"));
        }
        let count = self.0.len();
        if let Some(atom) = atoms.iter().find(|atom| **atom as usize >= count) {
            return Err(PyIndexError::new_err(format!(
                "there is no atom {atom}: there are {count}"
            )));
        }
        self.0.tuple(label, &atoms);
        Ok(())
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The colour of each atom.
    #[getter]
    fn colours(&self) -> Vec<u32> {
        self.0.colours().to_vec()
    }

    /// The tuples, sorted: label first, then the atoms.
    #[getter]
    fn tuples<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut all: Vec<Vec<u32>> = Vec::new();
        self.0.for_each_tuple(|label, atoms| all.push([&[label], atoms].concat()));
        all.sort_unstable();
        let list = PyList::empty(py);
        for one in all {
            list.append(PyTuple::new(py, one)?)?;
        }
        Ok(list)
    }

    fn __repr__(&self) -> String {
        format!("<Structure of {} atoms and {} tuples>", self.0.len(), self.0.tuple_count())
    }

    /// The structure with each atom at another position.
    fn relabelled(&self, position: Vec<u32>) -> PyResult<Structure> {
        let count = self.0.len();
        let mut taken = vec![false; count];
        let is_new = |at: &u32| {
            taken.get_mut(*at as usize).is_some_and(|taken| !std::mem::replace(taken, true))
        };
        if position.len() != count || !position.iter().all(is_new) {
            let why = format!("positions are to be the numbers from 0 to {count}, each once");
            return Err(PyValueError::new_err(why));
        }
        Ok(Structure(self.0.relabelled(&position)))
    }

    /// The canonical labelling, and what it shows of the automorphism group.
    fn labelled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let structure = &self.0;
        let (position, orbits, generators, order) = py.detach(|| {
            let mut canoniser = Canoniser::new();
            let found = canoniser.canonise(structure);
            let position = found.position().to_vec();
            (position, found.orbits(), found.generators(), found.group_order())
        });
        let fields = PyDict::new(py);
        fields.set_item("form", Structure(structure.relabelled(&position)))?;
        fields.set_item("position", position)?;
        fields.set_item("orbits", orbits)?;
        fields.set_item("generators", generators)?;
        fields.set_item("group_order", integer(py, &order)?)?;
        Ok(fields)
    }
}

/// Where each atom of one structure goes in the other, if they are isomorphic; `None` otherwise.
#[pyfunction]
pub fn isomorphic(
    py: Python<'_>,
    one: &Bound<'_, Structure>,
    other: &Bound<'_, Structure>,
) -> Option<Vec<u32>> {
    let (one, other) = (one.borrow(), other.borrow());
    let (one, other) = (&one.0, &other.0);
    py.detach(|| canon::isomorphic(one, other))
}
