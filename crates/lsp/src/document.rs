//! A text that the client has open, and what is known of it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use lsp_types::{Position, TextDocumentContentChangeEvent, Uri};

use crate::analysis::Analysis;
use crate::checks::Verdict;
use crate::compiler::Compiled;
use crate::lines::{Encoding, Lines};

/// A text that the client has open.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: Uri,
    /// The version that the client gave it.
    pub(crate) version: i32,
    /// How often the text was changed, whatever the client says.
    pub(crate) edits: u64,
    text: String,
    pub(crate) lines: Lines,
    pub(crate) encoding: Encoding,
    analysis: Option<Arc<Analysis>>,
    /// What the compiler found, of this text or one before.
    pub(crate) compiled: Option<Arc<Compiled>>,
    /// What was found of properties, of this text.
    pub(crate) verdicts: BTreeMap<String, Verdict>,
}

impl Document {
    pub(crate) fn new(uri: Uri, version: i32, text: String, encoding: Encoding) -> Document {
        let lines = Lines::of(&text);
        Document {
            uri,
            version,
            edits: 0,
            text,
            lines,
            encoding,
            analysis: None,
            compiled: None,
            verdicts: BTreeMap::new(),
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is the prelude, which is there to be read: it is no model, and nothing is wrong with it.
    pub(crate) fn is_prelude(&self) -> bool {
        self.text == lang::PRELUDE
    }

    /// Changes the text, one change after the other.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            match change.range {
                None => {
                    self.text = change.text;
                    self.lines = Lines::of(&self.text);
                }
                Some(range) => {
                    let (a, b) = (self.offset(range.start), self.offset(range.end));
                    let old = a.min(b)..a.max(b);
                    self.text.replace_range(old.clone(), &change.text);
                    let new = old.start..old.start + change.text.len();
                    self.lines.replaced(&self.text, old, new);
                }
            }
        }
        self.version = version;
        self.edits += 1;
        self.analysis = None;
        self.verdicts.clear();
    }

    /// The names and the parts of the text. Made when it is first asked for.
    pub(crate) fn analysis(&mut self) -> Arc<Analysis> {
        let made = self.analysis.take().unwrap_or_else(|| Arc::new(Analysis::of(&self.text)));
        self.analysis = Some(Arc::clone(&made));
        made
    }

    /// What the compiler found of this very text.
    pub(crate) fn compiled_now(&self) -> Option<&Arc<Compiled>> {
        self.compiled.as_ref().filter(|compiled| compiled.edits == self.edits)
    }

    pub(crate) fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position, self.encoding)
    }

    pub(crate) fn range(&self, bytes: Range<usize>) -> lsp_types::Range {
        self.lines.range(&self.text, bytes, self.encoding)
    }

    pub(crate) fn position(&self, offset: usize) -> Position {
        self.lines.position(&self.text, offset, self.encoding)
    }
}
