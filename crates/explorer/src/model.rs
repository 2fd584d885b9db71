//! A model and its generations: the texts that it was read from, one after the other.

use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use diagnostics::{Diagnostic, Report};
use lang::Override;

use crate::explorer::Text;
use crate::place::Lines;
use crate::reading::{Format, GoOptions, Reading};
use crate::refusal::{Code, Refusal};
use crate::statements::Positions;
use crate::typed::TypedTexts;
use crate::view::View;

/// The generations that are kept, so that a run of one of them can be carried over to the newest.
const KEPT: usize = 4;

/// A model.
#[derive(Debug)]
pub(crate) struct Model {
    name: String,
    /// The last few, the newest last. There is always one.
    generations: Mutex<VecDeque<Arc<Generation>>>,
}

impl Model {
    /// A model that was read for the first time.
    pub(crate) fn new(name: &str, written: Written) -> Model {
        let first = Arc::new(Generation { number: 1, written });
        Model { name: name.to_owned(), generations: Mutex::new([first].into()) }
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The model was read again.
    pub(crate) fn renew(&self, written: Written) -> Arc<Generation> {
        let mut generations = self.generations();
        let number = generations.back().map_or(0, |newest| newest.number) + 1;
        let newest = Arc::new(Generation { number, written });
        generations.push_back(newest.clone());
        if generations.len() > KEPT {
            generations.pop_front();
        }
        newest
    }

    /// What it says now.
    pub(crate) fn newest(&self) -> Arc<Generation> {
        self.generations().back().expect("there is always one").clone()
    }

    /// What it said when it was read for this time, unless that is too long ago.
    pub(crate) fn generation(&self, number: u64) -> Option<Arc<Generation>> {
        self.generations().iter().find(|generation| generation.number == number).cloned()
    }

    fn generations(&self) -> MutexGuard<'_, VecDeque<Arc<Generation>>> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A model as it was read at some time.
#[derive(Debug)]
pub(crate) struct Generation {
    /// How often the model had been read then.
    pub(crate) number: u64,
    written: Written,
}

impl Deref for Generation {
    type Target = Written;

    fn deref(&self) -> &Written {
        &self.written
    }
}

/// A text, and what became of it.
#[derive(Debug)]
pub(crate) struct Written {
    /// What is shown to people.
    pub(crate) file: String,
    pub(crate) format: Format,
    pub(crate) text: String,
    /// The constants given from outside.
    pub(crate) set: Vec<Override>,
    /// How it is read, if it is a Go program.
    pub(crate) go: GoOptions,
    /// What was found in the text, in the order of being found.
    pub(crate) reports: Vec<Report>,
    view: Option<Arc<View>>,
    texts: TypedTexts,
    positions: OnceLock<Positions>,
}

impl Written {
    /// Reads a text.
    pub(crate) fn of(text: Text) -> Written {
        let Text { file, bytes, set, go } = text;
        let format = Format::of(&file).unwrap_or(Format::Kin);
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let twice = (1..set.len()).find(|&at| set[..at].iter().any(|one| one.name == set[at].name));
        let reading = match twice {
            Some(at) => {
                let message = format!("`{}` is given a value twice", set[at].name);
                Err(Report::of(Diagnostic::error("E0601", message), &shown))
            }
            None => Reading::of(bytes, &file, format, &set, &go).map_err(|why| why.report(&shown)),
        };
        let (text, net, reports) = match reading {
            Ok(Reading { text, net, reports, .. }) => (text, net, reports),
            Err(report) => (shown, None, vec![report]),
        };
        let view = net.map(|net| Arc::new(View::of(format.with_symmetry(net))));
        let (texts, positions) = Default::default();
        Written { file, format, text, set, go, reports, view, texts, positions }
    }

    /// The net to walk through.
    ///
    /// # Errors
    /// If the text has errors.
    pub(crate) fn view(&self) -> Result<&Arc<View>, Refusal> {
        self.view.as_ref().ok_or_else(|| {
            let errors: usize = self.reports.iter().map(Report::errors).sum();
            let count = if errors == 1 { "1 error".into() } else { format!("{errors} errors") };
            Refusal::new(Code::ModelWrong, format!("{} has {count}", self.file))
        })
    }

    /// What was typed in.
    pub(crate) fn texts(&self) -> &TypedTexts {
        &self.texts
    }

    /// Where transitions are written.
    pub(crate) fn positions(&self) -> &Positions {
        let net = self.view.as_ref().map(|view| &*view.net);
        self.positions.get_or_init(|| Positions::of(net, &Lines::of(&self.text)))
    }
}
