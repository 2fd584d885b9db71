//! What is fuzzed.

use std::fmt;
use std::str::FromStr;

use crate::targets::{engines, lang, pnml, processes, properties, states, traces};
use crate::{Corpus, mutate};

/// A kind of input, and what must be true of all inputs of that kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Texts as `.kin` models: compiling, drawing diagnostics, writing, formatting.
    Lang,
    /// Bytes as PNML documents: reading, writing, nets from documents and back.
    Pnml,
    /// Bytes as the contest's property files: reading and writing.
    Properties,
    /// Texts as states in JSON: reading, writing, canonical representatives.
    States,
    /// Texts as traces in JSON: reading, writing, replaying.
    Traces,
    /// Texts as `.kin` models that are explored by all engines, which must agree.
    Engines,
    /// Texts as `.kin` models of processes: compiling, checking, telling the runs that are found.
    Processes,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 7] = [
        Target::Lang,
        Target::Pnml,
        Target::Properties,
        Target::States,
        Target::Traces,
        Target::Engines,
        Target::Processes,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Target::Lang => "lang",
            Target::Pnml => "pnml",
            Target::Properties => "properties",
            Target::States => "states",
            Target::Traces => "traces",
            Target::Engines => "engines",
            Target::Processes => "processes",
        }
    }

    /// Does with an input what the target is about. Returns how it was answered, in a few words: inputs
    /// that are answered alike are thought to be alike.
    ///
    /// # Panics
    /// If something is not as it must be.
    #[must_use]
    pub fn run(self, input: &[u8]) -> String {
        match self {
            Target::Lang => lang::run(input),
            Target::Pnml => pnml::run(input),
            Target::Properties => properties::run(input),
            Target::States => states::run(input),
            Target::Traces => traces::run(input),
            Target::Engines => engines::run(input),
            Target::Processes => processes::run(input),
        }
    }

    /// What its inputs look like.
    pub(crate) fn syntax(self) -> mutate::Syntax {
        match self {
            Target::Lang | Target::Engines | Target::Processes => mutate::Syntax::Kin,
            Target::Pnml | Target::Properties => mutate::Syntax::Xml,
            Target::States | Target::Traces => mutate::Syntax::Json,
        }
    }

    /// The inputs from which mutation starts.
    #[must_use]
    pub fn corpus(self) -> Corpus {
        match self {
            Target::Lang => Corpus::files(&["crates/lang/tests/corpus", "models"], "kin"),
            Target::Engines => Corpus::files(&["fuzz/models", "models"], "kin"),
            Target::Processes => {
                let folders = ["processes", "go", "prelude", "cases"];
                let folders = folders.map(|folder| format!("models/{folder}"));
                Corpus::files(&folders.each_ref().map(String::as_str), "kin")
            }
            Target::Pnml => Corpus::files(
                &["crates/pnml/tests/nets", "crates/pnml/tests/gallery", "models/pnml"],
                "pnml",
            ),
            Target::Properties => Corpus::files(
                &[
                    "crates/pnml/tests/nets",
                    "crates/pnml/tests/gallery",
                    "models/pnml/philosophers",
                ],
                "xml",
            ),
            Target::States => Corpus::of(states::examples()),
            Target::Traces => Corpus::of(traces::examples()),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Target::ALL.into_iter().find(|target| target.name() == name);
        found.ok_or_else(|| format!("there is no target named `{name}`"))
    }
}
