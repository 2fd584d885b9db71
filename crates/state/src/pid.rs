//! Pids: finite sequences of positive integers, written with dots.
//!
//! The `i`-th child of `π` is `π.i`; the initial threads are `1`, `2`, … (Klaudel et al. 2008, §2).
//! Models never see the digits: only [`Relation`](crate::Relation) compares pids there.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A process identifier. Ordered as its digits are, so an elder sibling comes before a younger one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pid(Box<[u32]>);

/// Why a text is not a pid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a pid: expected positive integers separated by dots, such as 1.2.1")]
pub struct ParsePidError(String);

impl Pid {
    /// The `number`-th initial thread, counted from 1.
    ///
    /// # Panics
    /// If `number` is 0.
    #[must_use]
    pub fn initial(number: u32) -> Self {
        assert!(number > 0, "initial threads are numbered from 1");
        Pid(Box::new([number]))
    }

    /// The `number`-th child, counted from 1.
    ///
    /// # Panics
    /// If `number` is 0.
    #[must_use]
    pub fn child(&self, number: u32) -> Self {
        assert!(number > 0, "children are numbered from 1");
        Pid(self.0.iter().copied().chain([number]).collect())
    }

    /// The integers the pid is made of; never empty.
    #[must_use]
    pub fn digits(&self) -> &[u32] {
        &self.0
    }

    /// The pid one digit shorter; `None` for an initial thread.
    #[must_use]
    pub fn parent(&self) -> Option<Pid> {
        match self.0.len() {
            1 => None,
            n => Some(Pid(self.0[..n - 1].into())),
        }
    }

    /// What siblings have in common: all digits but the last.
    #[must_use]
    pub fn group(&self) -> &[u32] {
        &self.0[..self.0.len() - 1]
    }

    /// The last digit: the rank among all siblings ever created.
    #[must_use]
    pub fn last(&self) -> u32 {
        self.0[self.0.len() - 1]
    }
}

impl FromStr for Pid {
    type Err = ParsePidError;

    fn from_str(text: &str) -> Result<Self, ParsePidError> {
        let digit = |d: &str| match d.parse::<u32>() {
            Ok(n) if n > 0 && !d.starts_with('+') => Some(n),
            _ => None,
        };
        match text.split('.').map(digit).collect::<Option<Box<[u32]>>>() {
            Some(digits) => Ok(Pid(digits)),
            None => Err(ParsePidError(text.into())),
        }
    }
}

impl fmt::Display for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, digit) in self.0.iter().enumerate() {
            write!(f, "{}{digit}", if i == 0 { "" } else { "." })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pid(text: &str) -> Pid {
        text.parse().unwrap()
    }

    #[test]
    fn text_and_back() {
        for text in ["1", "2.10.3", "4294967295"] {
            assert_eq!(pid(text).to_string(), text);
        }
        for text in ["", ".", "1.", "0", "1.0", "-1", "+1", "a", "1..2", "4294967296"] {
            assert!(text.parse::<Pid>().is_err(), "{text:?}");
        }
    }
}
