//! What is wrong with a document: a code, a message, the place, a way out.

use std::fmt;
use std::ops::Range;

use crate::span::{Span, position};

/// Something wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Its code, such as `P0202`; see [`explain`](crate::explain).
    pub code: &'static str,
    /// What is wrong, in one line.
    pub message: String,
    /// Where, in bytes; both ends are character boundaries of the text.
    pub span: Range<usize>,
    /// What is said at the place; may be empty.
    pub label: String,
    /// Another place that explains the mistake, and how.
    pub also: Option<(Range<usize>, String)>,
    /// A way out.
    pub help: Option<String>,
    /// The line of the place, from 1.
    pub line: usize,
    /// The column of the place, from 1, in characters.
    pub column: usize,
}

impl Error {
    pub(crate) fn new(code: &'static str, message: impl Into<String>, span: Span) -> Error {
        Error {
            code,
            message: message.into(),
            span: span.range(),
            label: String::new(),
            also: None,
            help: None,
            line: 0,
            column: 0,
        }
    }

    /// Says something at the place.
    pub(crate) fn label(mut self, label: impl Into<String>) -> Error {
        self.label = label.into();
        self
    }

    /// Points at another place, too.
    pub(crate) fn also(mut self, span: Span, label: impl Into<String>) -> Error {
        self.also = Some((span.range(), label.into()));
        self
    }

    /// Says how to get out of it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} [{}]", self.line, self.column, self.message, self.code)
    }
}

impl std::error::Error for Error {}

/// Everything that is wrong with a document, in the order of its text: never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors {
    list: Vec<Error>,
    more: usize,
}

impl Errors {
    /// No more than this many are kept.
    pub const KEPT: usize = 20;

    /// Those that were kept.
    pub fn iter(&self) -> impl Iterator<Item = &Error> {
        self.list.iter()
    }

    /// How many more were found.
    #[must_use]
    pub fn more(&self) -> usize {
        self.more
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.list.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            write!(f, "{newline}{error}")?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

/// The mistakes found so far.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    list: Vec<Error>,
    more: usize,
}

impl Sink {
    /// Adds a mistake. Its words are only put together if it is kept: a file of nothing but mistakes
    /// costs no more than its length.
    pub(crate) fn report(&mut self, error: impl FnOnce() -> Error) {
        if self.list.len() < Errors::KEPT {
            self.list.push(error());
        } else {
            self.more += 1;
        }
    }

    /// Adds the mistakes that were kept elsewhere.
    pub(crate) fn extend(&mut self, other: Sink) {
        self.more += other.more;
        other.list.into_iter().for_each(|error| self.report(|| error));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The errors, if there are any; the text says which lines they are in.
    pub(crate) fn finish(mut self, text: &str) -> Result<(), Errors> {
        if self.list.is_empty() {
            return Ok(());
        }
        self.list.sort_by_key(|error| (error.span.start, error.span.end));
        for error in &mut self.list {
            (error.line, error.column) = position(text, error.span.start);
        }
        Err(Errors { list: self.list, more: self.more })
    }
}
