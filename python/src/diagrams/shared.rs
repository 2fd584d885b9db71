//! A forest that is shared by its diagrams, and lent to what is defined in Python while it is at work.
//!
//! While a homomorphism is applied, the thread that does it has the forest locked. If it comes to one that is defined in
//! Python, the forest is *lent*: it is put where operations of this thread find it, and another, empty one stands in
//! its place meanwhile. So methods that are written in Python use the forest as everybody does.

use std::cell::RefCell;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A forest of diagrams that share all that is equal, with the homomorphisms on them.
#[pyclass(frozen, module = "kinfold.ddd", skip_from_py_object)]
#[derive(Clone, Debug)]
pub struct Forest(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    forest: Mutex<ddd::Forest>,
    /// What a method has raised in the midst of an application.
    raised: Mutex<Option<PyErr>>,
    /// Why an operation was given up that a method has asked for: then the application is, too, for that reason. It
    /// may be that there is too little stack, and that it begins again with more.
    given_up: Mutex<Option<ddd::Error>>,
}

/// A forest as it is known to what is in it.
pub struct Within(Weak<Shared>);

impl Within {
    /// The forest, which is there as long as somebody uses it.
    pub fn forest(&self) -> Forest {
        Forest(self.0.upgrade().expect("who applies what is in a forest has the forest"))
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    /// The forests that are lent in this thread, the last one last.
    static LENT: RefCell<Vec<(Forest, ddd::Forest)>> = const { RefCell::new(Vec::new()) };
}

impl Forest {
    pub fn empty() -> Forest {
        let forest = Mutex::new(ddd::Forest::new());
        Forest(Arc::new(Shared { forest, raised: Mutex::default(), given_up: Mutex::default() }))
    }

    /// The forest for what is in it, which does not keep it alive.
    pub fn within(&self) -> Within {
        Within(Arc::downgrade(&self.0))
    }

    /// Whether both are the same.
    pub fn is(&self, other: &Forest) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Refuses what is of another forest.
    pub fn own(&self, other: &Forest) -> PyResult<()> {
        match self.is(other) {
            true => Ok(()),
            false => Err(PyValueError::new_err("this is of another forest")),
        }
    }

    /// Does something with the forest, wherever it is. Who waits for it has no hold on the interpreter, which
    /// the one who has it may need.
    pub fn with<T: Send>(
        &self,
        py: Python<'_>,
        operate: impl FnOnce(&mut ddd::Forest) -> T + Send,
    ) -> T {
        let lent = LENT.with_borrow_mut(|lent| lent.pop_if(|(owner, _)| owner.is(self)));
        match lent {
            None => py.detach(|| self.with_locked(operate)),
            Some((owner, mut forest)) => {
                let done = operate(&mut forest);
                LENT.with_borrow_mut(|lent| lent.push((owner, forest)));
                done
            }
        }
    }

    /// The same where nobody in this thread has lent it, and the interpreter is not held.
    pub fn with_locked<T>(&self, operate: impl FnOnce(&mut ddd::Forest) -> T) -> T {
        operate(&mut held(&self.0.forest))
    }

    /// Whether it is lent in this thread.
    pub fn is_lent(&self) -> bool {
        LENT.with_borrow(|lent| lent.iter().any(|(owner, _)| owner.is(self)))
    }

    /// Lends the forest for a while. What is raised then is put aside, and ends the application.
    pub fn lend<T>(
        &self,
        forest: &mut ddd::Forest,
        then: impl FnOnce(Python<'_>) -> PyResult<T>,
    ) -> ddd::Result<T> {
        // Methods may take longer than the engine expects of its steps.
        forest.limits().budget.check()?;
        let real = mem::take(forest);
        LENT.with_borrow_mut(|lent| lent.push((self.clone(), real)));
        let done = Python::attach(then);
        let (_, real) = LENT.with_borrow_mut(Vec::pop).expect("what is lent comes back");
        *forest = real;
        let given_up = held(&self.0.given_up).take();
        done.map_err(|error| {
            given_up.unwrap_or_else(|| {
                self.put_aside(error);
                budget::Exhausted::Interrupted.into()
            })
        })
    }

    /// Says that an operation was given up, if it is one that a method asks for.
    pub fn give_up(&self, why: ddd::Error) {
        if self.is_lent() {
            *held(&self.0.given_up) = Some(why);
        }
    }

    /// Puts aside what was raised where nothing can be raised.
    pub fn put_aside(&self, error: PyErr) {
        held(&self.0.raised).get_or_insert(error);
    }

    /// What was put aside.
    pub fn take_raised(&self) -> Option<PyErr> {
        held(&self.0.raised).take()
    }
}
