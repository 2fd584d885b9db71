//! What all processes of a run must agree on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What all processes must agree on, by name: the model, options, the version of the program. Long things are best
/// given as a hash.
pub type Facts = BTreeMap<String, String>;

/// A fact on which two processes do not agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The name of the fact.
    pub what: String,
    /// What it is for this process; nothing if it knows nothing of it.
    pub here: Option<String>,
    /// What it is for the other one.
    pub there: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".into());
        write!(f, "{} is {} here, and {} there", self.what, text(&self.here), text(&self.there))
    }
}

/// The facts on which these do not agree.
pub(crate) fn differences(here: &Facts, there: &Facts) -> Vec<Difference> {
    let names: BTreeSet<&String> = here.keys().chain(there.keys()).collect();
    let differing = names.into_iter().filter(|name| here.get(*name) != there.get(*name));
    differing
        .map(|name| Difference {
            what: name.clone(),
            here: here.get(name).cloned(),
            there: there.get(name).cloned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(all: &[(&str, &str)]) -> Facts {
        all.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn what_differs_is_named_and_nothing_else() {
        let here = facts(&[("the model", "a"), ("--full", "given"), ("kinfold", "1")]);
        let there = facts(&[("the model", "b"), ("threads", "2"), ("kinfold", "1")]);
        let texts: Vec<String> =
            differences(&here, &there).iter().map(Difference::to_string).collect();
        assert_eq!(
            texts,
            [
                "--full is given here, and nothing there",
                "the model is a here, and b there",
                "threads is nothing here, and 2 there",
            ]
        );
        assert_eq!(differences(&here, &here), []);
    }
}
