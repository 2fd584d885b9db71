//! The canonical layout, as an edit of what differs.

use lsp_types::TextEdit;

use crate::document::Document;
use crate::server::Refused;

pub(crate) fn format(document: &mut Document) -> Result<Vec<TextEdit>, Refused> {
    let text = document.text();
    let formatted = lang::format(text).map_err(|report| {
        let first = report.iter().next().map(ToString::to_string).unwrap_or_default();
        Refused::new(format!("a text with mistakes is not laid out: {first}"))
    })?;
    if formatted == text {
        return Ok(Vec::new());
    }
    // What is the same at both ends stays, line by line, so that cursors stay where they are.
    let before = text
        .split_inclusive('\n')
        .zip(formatted.split_inclusive('\n'))
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len())
        .sum::<usize>();
    let (old, new) = (&text[before..], &formatted[before..]);
    let after = old
        .split_inclusive('\n')
        .rev()
        .zip(new.split_inclusive('\n').rev())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len())
        .sum::<usize>();
    let range = document.range(before..text.len() - after);
    Ok(vec![TextEdit::new(range, new[..new.len() - after].to_owned())])
}
