//! What is wrong with a model: a code, a message, the places meant, a way out.

use std::ops::Range;

use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The model has no meaning until this is mended.
    Error,
    /// The model has a meaning, but perhaps not the intended one.
    Warning,
}

/// A stretch of the text and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where, in bytes; both ends are character boundaries of the text.
    pub span: Range<usize>,
    /// What is said there; may be empty.
    pub text: String,
    /// Whether this is the place of the mistake, rather than one that explains it.
    pub primary: bool,
}

/// Something wrong with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its code, such as `E0203`; see [`explain`](crate::explain).
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// The places meant. Empty where the mistake is not in the text.
    pub labels: Vec<Label>,
    /// A way out.
    pub help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            labels: Vec::new(),
            help: None,
        }
    }

    pub(crate) fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// Adds the place of the mistake.
    pub(crate) fn at(self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.label(span, text.into(), true)
    }

    /// Adds a place that explains the mistake.
    pub(crate) fn also(self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.label(span, text.into(), false)
    }

    fn label(mut self, span: Span, text: String, primary: bool) -> Diagnostic {
        self.labels.push(Label { span: span.range(), text, primary });
        self
    }

    /// Says how to get out of it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Where the mistake starts, to list mistakes in the order of the text.
    fn position(&self) -> usize {
        self.labels.iter().filter(|l| l.primary).map(|l| l.span.start).min().unwrap_or(0)
    }
}

/// The mistakes found so far. Only the first [`Diagnostics::KEPT`] are kept, so that a long file of
/// nonsense costs no more than its length; the others are counted.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    list: Vec<Diagnostic>,
    dropped: usize,
    errors: usize,
}

/// A mistake that was reported, so that what repeats it can be added there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticket(Option<usize>);

impl Diagnostics {
    const KEPT: usize = 1000;
    /// No mistake points at more places than this.
    const LABELS: usize = 6;

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) -> Ticket {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        if self.list.len() < Diagnostics::KEPT {
            self.list.push(diagnostic);
            Ticket(Some(self.list.len() - 1))
        } else {
            self.dropped += 1;
            Ticket(None)
        }
    }

    /// The same mistake was made once more, here.
    pub(crate) fn again(&mut self, ticket: Ticket, span: Span) {
        if let Some(diagnostic) = ticket.0.map(|index| &mut self.list[index])
            && diagnostic.labels.len() < Diagnostics::LABELS
        {
            diagnostic.labels.push(Label {
                span: span.range(),
                text: "also here".into(),
                primary: true,
            });
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many were reported, kept or not.
    pub(crate) fn len(&self) -> usize {
        self.list.len() + self.dropped
    }

    /// All of them in the order of the text.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        let mut list = self.list;
        list.sort_by_key(Diagnostic::position);
        if self.dropped > 0 {
            list.push(
                Diagnostic::error("E0003", format!("{} more mistakes were found", self.dropped))
                    .help("mend the ones listed and look again"),
            );
        }
        list
    }
}
