//! Names as numbers, given in the order in which the names appear.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// A numbering of names. Clones share it, so that all workers of a run write the same numbers.
#[derive(Clone, Debug, Default)]
pub struct Names(Arc<RwLock<Numbered>>);

#[derive(Debug, Default)]
struct Numbered {
    names: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl Names {
    /// The number of a name, a new one if the name is new.
    #[must_use]
    pub fn number(&self, name: &str) -> u32 {
        if let Some(number) = self.find(name) {
            return number;
        }
        let mut numbered = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = numbered.numbers.get(name) {
            return number;
        }
        let number = u32::try_from(numbered.names.len()).expect("fewer than 2³² names");
        let name: Arc<str> = name.into();
        numbered.names.push(name.clone());
        numbered.numbers.insert(name, number);
        number
    }

    /// The number of a name, if it has one.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<u32> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).numbers.get(name).copied()
    }

    /// The name with this number.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn name(&self, number: u32) -> Arc<str> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).names[number as usize].clone()
    }

    /// All names, by their numbers.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<str>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).names.clone()
    }
}

/// Names that are known in advance, numbered in their order.
impl FromIterator<Arc<str>> for Names {
    fn from_iter<I: IntoIterator<Item = Arc<str>>>(all: I) -> Names {
        let names = Names::default();
        for name in all {
            let _ = names.number(&name);
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_numbering() {
        let names: Names = ["a", "b", "a"].map(Arc::from).into_iter().collect();
        assert_eq!((names.find("b"), names.find("c")), (Some(1), None));
        assert_eq!(names.clone().number("c"), 2);
        assert_eq!((names.number("c"), names.number("a")), (2, 0));
        assert_eq!(&*names.name(2), "c");
        assert_eq!(names.all().len(), 3);
    }
}
