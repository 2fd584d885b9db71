//! Several files of a package as one text.
//!
//! Whoever reads a model has one text, in which things have their places. The files of a package are put one after the
//! other, each after a line `//kinfold:file NAME`, and places are told by the file and its own lines again.

use diagnostics::{Diagnostic, Label, position};

use crate::translate::Source;

/// How the line before a file begins.
const MARK: &str = "//kinfold:file ";

/// Files, by their names, as one text. One file alone is left as it is.
#[must_use]
pub fn bundle(files: &[(String, String)]) -> String {
    match files {
        [(_, text)] => text.clone(),
        _ => files.iter().map(|(name, text)| format!("{MARK}{name}\n{text}\n")).collect(),
    }
}

/// The files in a text: several if it is a bundle, or one of this name.
#[must_use]
pub fn sources<'t>(text: &'t str, name: &'t str) -> Vec<Source<'t>> {
    if !text.starts_with(MARK) {
        return vec![Source { name, text }];
    }
    let starts = text.match_indices(MARK).map(|(at, _)| at);
    let starts: Vec<usize> =
        starts.filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n').collect();
    let ends = starts[1..].iter().copied().chain([text.len()]);
    let file = |(start, end): (usize, usize)| {
        // Sources are put together with a line break after each.
        let text = text[start..end].strip_suffix('\n').unwrap_or(&text[start..end]);
        let name = text[MARK.len()..].lines().next().unwrap_or_default().trim();
        Source { name, text }
    };
    starts.iter().copied().zip(ends).map(file).collect()
}

/// The file of a bundle that an offset is in, with where that file begins there.
fn file_at(text: &str, offset: usize) -> Option<(Source<'_>, usize)> {
    let mut base = 0;
    for file in text.starts_with(MARK).then(|| sources(text, "")).into_iter().flatten() {
        if offset <= base + file.text.len() {
            return Some((file, base));
        }
        base += file.text.len() + 1;
    }
    None
}

impl Source<'_> {
    /// The lines before the first one of the file itself.
    fn lines_before(&self) -> usize {
        usize::from(self.text.starts_with(MARK))
    }

    /// The line and column of an offset.
    pub(crate) fn position(&self, offset: usize) -> (usize, usize) {
        let (line, column) = position(self.text, offset);
        (line.saturating_sub(self.lines_before()).max(1), column)
    }
}

/// The file, line and column of a place in a bundle; `None` if the text is none.
#[must_use]
pub fn located(text: &str, offset: usize) -> Option<(String, usize, usize)> {
    let (file, base) = file_at(text, offset)?;
    let (line, column) = file.position(offset - base);
    Some((file.name.to_owned(), line, column))
}

/// A remark on a bundle as one on the file that it is about, with the text of that.
#[must_use]
pub fn localized(found: &Diagnostic, text: &str) -> Option<(Diagnostic, String)> {
    let primary = found.labels.iter().find(|label| label.primary).or(found.labels.first())?;
    let (file, base) = file_at(text, primary.span.start)?;
    let head = file.text.find('\n').map_or(file.text.len(), |at| at + 1);
    let (from, to) = (base + head, base + file.text.len());
    let is_within = |label: &&Label| label.span.start >= from && label.span.end <= to;
    let moved = |label: &Label| Label {
        span: label.span.start - from..label.span.end - from,
        ..label.clone()
    };
    let labels = found.labels.iter().filter(is_within).map(moved).collect();
    let (line, column) = file.position(primary.span.start - base);
    let file_name = Some(file.name.to_owned());
    let own = Diagnostic { labels, line, column, file: file_name, ..found.clone() };
    Some((own, file.text[head..].to_owned()))
}

/// The name in the package clause of a text.
#[must_use]
pub fn package_of(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.trim_start().trim_start_matches('\u{feff}');
        if let Some(comment) = rest.strip_prefix("//") {
            rest = &comment[comment.find('\n')?..];
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = &comment[comment.find("*/")? + 2..];
        } else {
            break;
        }
    }
    let name = rest.strip_prefix("package")?.trim_start();
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    (end > 0).then(|| &name[..end])
}
