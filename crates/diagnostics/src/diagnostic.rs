//! One thing that is wrong: a code, a message, the places meant, a way out.

use std::fmt;
use std::ops::Range;

use crate::collect::{Diagnostics, Reported};
use crate::nearest::nearest;
use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The text has no meaning until this is fixed.
    Error,
    /// The text has a meaning, but perhaps not the intended one.
    Warning,
}

/// A stretch of the text and what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where, in bytes; both ends are character boundaries of the text.
    pub span: Range<usize>,
    /// What is said there; may be empty.
    pub text: String,
    /// Whether this is the place of the mistake, rather than one that explains it.
    pub primary: bool,
}

/// Something wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its code, such as `E0203`; see [`Explanations`](crate::Explanations).
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// The places meant. Empty where the mistake is not in the text.
    pub labels: Vec<Label>,
    /// A way out.
    pub help: Option<String>,
    /// How often it was found; the labels show the first of them.
    pub times: usize,
    /// The line of the mistake, from 1; 0 where it is not in the text.
    pub line: usize,
    /// Its column, from 1, in characters; 0 where it is not in the text.
    pub column: usize,
    /// The file, where the text is of several.
    pub file: Option<String>,
}

impl Diagnostic {
    /// An error.
    #[must_use]
    pub fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            times: 1,
            line: 0,
            column: 0,
            file: None,
        }
    }

    /// A warning.
    #[must_use]
    pub fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// Adds the place of the mistake.
    #[must_use]
    pub fn at(self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.label(span, text.into(), true)
    }

    /// Adds a place that explains the mistake.
    #[must_use]
    pub fn also(self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.label(span, text.into(), false)
    }

    fn label(mut self, span: Span, text: String, primary: bool) -> Diagnostic {
        self.labels.push(Label { span: span.range(), text, primary });
        self
    }

    /// Says how to get out of it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Asks whether the nearest of these names was meant. If none is near, `otherwise` says how to get out
    /// of it, unless that is empty.
    #[must_use]
    pub fn help_nearest<'n>(
        self,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
        otherwise: &str,
    ) -> Diagnostic {
        match nearest(name, known) {
            Some(meant) => self.help(format!("did you mean `{meant}`?")),
            None if otherwise.is_empty() => self,
            None => self.help(otherwise),
        }
    }

    /// Adds it to what was found so far.
    pub fn report(self, found: &mut Diagnostics) -> Reported {
        found.push(self)
    }

    /// Where the mistake is, to list mistakes in the order of the text.
    pub(crate) fn place(&self) -> Option<(usize, usize)> {
        let primary = self.labels.iter().filter(|label| label.primary);
        primary.map(|label| (label.span.start, label.span.end)).min()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        write!(f, "{} [{}]", self.message, self.code)
    }
}

impl std::error::Error for Diagnostic {}
