//! Everything that was found in a text.

use std::fmt;

use crate::collect::Diagnostics;
use crate::diagnostic::Diagnostic;
use crate::render::render;

/// Everything that was found in a text, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl Report {
    pub(crate) fn new(list: Vec<Diagnostic>, errors: usize, warnings: usize) -> Report {
        Report { list, errors, warnings }
    }

    /// The one thing that was found in a text.
    #[must_use]
    pub fn of(diagnostic: Diagnostic, text: &str) -> Report {
        let mut found = Diagnostics::default();
        found.push(diagnostic);
        found.finish(text)
    }

    /// Those that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// How many more were found than were kept.
    #[must_use]
    pub fn more(&self) -> usize {
        self.errors + self.warnings - self.list.len()
    }

    /// How many errors were found, kept or not.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// How many warnings were found, kept or not; those of one kind are one.
    #[must_use]
    pub fn warnings(&self) -> usize {
        self.warnings
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.errors + self.warnings == 0
    }

    /// The warnings, if there is nothing else.
    ///
    /// # Errors
    /// Everything, if there are errors.
    pub fn into_result(self) -> Result<Report, Report> {
        if self.errors == 0 { Ok(self) } else { Err(self) }
    }

    /// All that was found, drawn one after the other; `colour` is for terminals.
    #[must_use]
    pub fn render(&self, file_name: &str, text: &str, colour: bool) -> String {
        render(self, file_name, text, colour)
    }
}

impl<'r> IntoIterator for &'r Report {
    type Item = &'r Diagnostic;
    type IntoIter = std::slice::Iter<'r, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.list.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            write!(f, "{newline}{diagnostic}")?;
        }
        if self.more() > 0 {
            write!(f, "\nand {} more", self.more())?;
        }
        Ok(())
    }
}

impl std::error::Error for Report {}
