//! What can be folded: whatever is in braces on several lines, and comments of several lines. Found from the tokens, so
//! also in texts that are wrong.

use lang::HighlightKind;
use lsp_types::{FoldingRange, FoldingRangeKind};

use crate::document::Document;

pub(crate) fn folds(document: &mut Document) -> Vec<FoldingRange> {
    let analysis = document.analysis();
    let text = document.text();
    let line_of = |offset: usize| document.lines.line_of(offset) as u32;
    let mut found = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    // Lines of comments that follow one another.
    let mut comment: Option<(u32, u32)> = None;
    let mut fold = |start: u32, end: u32, kind: Option<FoldingRangeKind>| {
        if start < end {
            let (start_line, end_line) = (start, end);
            found.push(FoldingRange { start_line, end_line, kind, ..FoldingRange::default() });
        }
    };
    for part in &analysis.parts {
        let (first, last) = (line_of(part.span.start), line_of(part.span.end));
        if part.kind == HighlightKind::Comment {
            comment = match comment {
                Some((start, end)) if first <= end + 1 => Some((start, last)),
                Some((start, end)) => {
                    fold(start, end, Some(FoldingRangeKind::Comment));
                    Some((first, last))
                }
                None => Some((first, last)),
            };
            continue;
        }
        if let Some((start, end)) = comment.take() {
            fold(start, end, Some(FoldingRangeKind::Comment));
        }
        match &text[part.span.clone()] {
            "{" => open.push(first),
            "}" => {
                if let Some(start) = open.pop() {
                    // The line of the closing brace stays.
                    fold(start, first.saturating_sub(1), None);
                }
            }
            _ => {}
        }
    }
    if let Some((start, end)) = comment {
        fold(start, end, Some(FoldingRangeKind::Comment));
    }
    found.sort_by_key(|fold| (fold.start_line, std::cmp::Reverse(fold.end_line)));
    found.dedup_by_key(|fold| fold.start_line);
    found
}
