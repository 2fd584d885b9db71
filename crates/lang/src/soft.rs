//! Words that are reserved only where the language uses them: `at`, `crash`, `end`, `forgotten`, `from`, `idle`,
//! `most`, `new`, `next`, `passive`.
//!
//! Elsewhere they are names like others, as people want them to be: a place `end`, a column `next`. The
//! tokens beside the word decide which it is, so that the parser and the formatter see the same. Where
//! a word could be either, it is the word of the language; in backticks it is always a name.

use crate::keyword::Keyword;
use crate::lexer::{Token, TokenKind};

/// Makes names of the words that are not used as words of the language.
pub(crate) fn soften(tokens: &mut [Token]) {
    let places: Vec<usize> = (0..tokens.len()).filter(|&at| !tokens[at].is_comment()).collect();
    let mut kinds: Vec<TokenKind> = places.iter().map(|&at| tokens[at].kind).collect();
    for at in 0..kinds.len() {
        if let TokenKind::Keyword(keyword) = kinds[at]
            && is_soft(keyword)
            && !is_reserved(keyword, &kinds, at)
        {
            kinds[at] = TokenKind::Name;
            tokens[places[at]].kind = TokenKind::Name;
        }
    }
}

fn is_soft(keyword: Keyword) -> bool {
    use Keyword::*;
    matches!(keyword, At | Crash | End | Forgotten | From | Idle | Most | New | Next | Passive)
}

/// Whether a word is used as one of the language, given what stands around it. What stands before it has
/// been decided.
fn is_reserved(keyword: Keyword, kinds: &[TokenKind], at: usize) -> bool {
    let before = |steps: usize| at.checked_sub(steps).map(|at| kinds[at]);
    let after = kinds.get(at + 1).copied().unwrap_or(TokenKind::End);
    let is = |kind: Option<TokenKind>, keyword| kind == Some(TokenKind::Keyword(keyword));
    let follows_operand = before(1).is_some_and(TokenKind::ends_operand);
    let starts_item = follows_operand || before(1).is_none_or(|kind| kind == TokenKind::LeftBrace);
    match keyword {
        // `p at place`, `at most 2 in place`.
        Keyword::At => follows_operand || after == TokenKind::Keyword(Keyword::Most),
        Keyword::Most => {
            is(before(1), Keyword::At) && !before(2).is_some_and(TokenKind::ends_operand)
        }
        // `spawn c from p`.
        Keyword::From => (follows_operand || is(before(1), Keyword::Times)) && names(after),
        // `end p: place`, `passive end p: place`, `spawn c from p end`.
        Keyword::End | Keyword::Crash => {
            (starts_item || is(before(1), Keyword::Passive)) && names(after)
                || keyword == Keyword::End
                    && names(before(1).unwrap_or(TokenKind::End))
                    && is(before(2), Keyword::From)
        }
        Keyword::Passive => starts_item && is_fate(after),
        // `idle flow waiting`, `forgotten flow asking`.
        Keyword::Idle | Keyword::Forgotten => {
            ends_declaration(before(1)) && is(Some(after), Keyword::Flow)
        }
        // `new x: Class`.
        Keyword::New => names(after) && kinds.get(at + 2) == Some(&TokenKind::Colon),
        // `next formula`.
        _ => starts_formula(after) && !wants_name(kinds, at),
    }
}

/// Whether it says what becomes of a thread.
fn is_fate(kind: TokenKind) -> bool {
    use Keyword::*;
    matches!(kind, TokenKind::Keyword(Move | Stay | End | Crash))
}

/// Whether a declaration may end with this; nothing stands before the first.
fn ends_declaration(before: Option<TokenKind>) -> bool {
    before.is_none_or(|kind| {
        let is_sort = matches!(kind, TokenKind::Keyword(Keyword::Pid | Keyword::Bool));
        kind.ends_operand() || is_sort || kind == TokenKind::RightBrace
    })
}

fn names(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Name | TokenKind::Underscore => true,
        TokenKind::Keyword(keyword) => is_soft(keyword),
        _ => false,
    }
}

fn starts_formula(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Name | TokenKind::Int | TokenKind::LeftParen | TokenKind::Bang => true,
        TokenKind::Keyword(keyword) => keyword == Keyword::At || keyword.starts_operand(),
        _ => false,
    }
}

/// Whether only a name can stand here, whatever follows.
fn wants_name(kinds: &[TokenKind], at: usize) -> bool {
    use Keyword::*;
    let before = |steps: usize| at.checked_sub(steps).map(|at| kinds[at]);
    let word = |steps: usize| match before(steps) {
        Some(TokenKind::Keyword(keyword)) => Some(keyword),
        _ => None,
    };
    match before(1) {
        Some(TokenKind::Arrow | TokenKind::Dot | TokenKind::Comma | TokenKind::LeftBrace) => true,
        // After `property name:` and `forall p at place:` stands a formula, after a thread its place.
        Some(TokenKind::Colon) => !matches!(word(3), Some(Property | At | In | Entering)),
        Some(TokenKind::LeftParen) => matches!(word(2), Some(Count | Ended | Enabled)),
        Some(TokenKind::Keyword(keyword)) => {
            keyword.starts_declaration()
                || (keyword.starts_item() && keyword != When)
                || matches!(keyword, At | In | Entering | From | Of)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use diagnostics::Diagnostics;

    use crate::lexer::{self, TokenKind};

    /// The words of a text that are reserved in it.
    fn reserved(text: &str) -> Vec<&str> {
        let tokens = lexer::tokens(text, &mut Diagnostics::default());
        let reserved = tokens.iter().filter(|t| matches!(t.kind, TokenKind::Keyword(_)));
        reserved.map(|token| token.span.text(text)).collect()
    }

    #[test]
    fn words_are_reserved_where_they_are_used() {
        for (text, words) in [
            ("flow end, next(n: bool), at", &["flow", "bool"][..]),
            ("flow idle flow crash, idle idle flow idle", &["flow", "flow", "idle", "flow"]),
            ("flow forgotten forgotten flow idle", &["flow", "forgotten", "flow"]),
            (
                "place p: pid idle flow passive start idle flow q",
                &["place", "pid", "idle", "flow", "start", "flow"],
            ),
            (
                "{ crash p: crash passive end end: passive passive crash q: end -> crash }",
                &["crash", "passive", "end", "passive", "crash"],
            ),
            ("{ move p: at -> end end q: next }", &["move", "end"]),
            ("{ end end: end spawn from from end: from }", &["end", "spawn", "from"]),
            ("{ spawn 3 times from p: next(0) put at }", &["spawn", "times", "from", "put"]),
            ("enum e { end, from }", &["enum"]),
            ("property p: next x at most", &["property", "next", "at"]),
            ("property p: at most 2 at at", &["property", "at", "most", "at"]),
            ("property p: always (next (a) or next == 3)", &["property", "always", "next", "or"]),
            (
                "property p: forall at at end: next at.next > 0",
                &["property", "forall", "at", "next"],
            ),
            ("{ take next(x) when next - 1 > from }", &["take", "when"]),
            (
                "{ spawn c from p end new x: A take new(new) }",
                &["spawn", "from", "end", "new", "take"],
            ),
            ("flow new start a: new new new: A", &["flow", "start", "new"]),
            ("property p: count(next(2)) > most", &["property", "count"]),
        ] {
            assert_eq!(reserved(text), words, "{text}");
        }
    }
}
