//! What the parts of a text are, for those who show it in colours. Made of the tokens alone, so that a text with
//! mistakes is highlighted as well.

use std::collections::HashSet;
use std::ops::Range;

use diagnostics::Diagnostics;

use crate::keyword::Keyword;
use crate::lexer::{self, Token, TokenKind};
use crate::region::Word;

/// A part of a text, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Where, in bytes.
    pub span: Range<usize>,
    /// What.
    pub kind: HighlightKind,
}

/// What a part of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HighlightKind {
    /// A word of the language.
    Keyword,
    /// A name.
    Name,
    /// The name of a type.
    Type,
    /// A number, or another constant of the language.
    Number,
    /// An operator or a sign.
    Operator,
    /// A comment.
    Comment,
}

impl HighlightKind {
    /// How it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            HighlightKind::Keyword => "keyword",
            HighlightKind::Name => "name",
            HighlightKind::Type => "type",
            HighlightKind::Number => "number",
            HighlightKind::Operator => "operator",
            HighlightKind::Comment => "comment",
        }
    }
}

/// Words of processes, which are names to the lexer.
const PROCESS_WORDS: &[&str] = &[
    "any",
    "assert",
    "atomic",
    "await",
    "break",
    "choose",
    "continue",
    "crash",
    "defer",
    "either",
    "for",
    "forgotten",
    "idle",
    "kill",
    "loop",
    "match",
    "meet",
    "new",
    "repeat",
    "require",
    "return",
    "select",
    "self",
    "spawn",
    "step",
    "timeout",
    "undo",
    "when",
    "while",
    "with",
];

/// The parts of a text in their order. White space is none; a text that is too long has none at all.
#[must_use]
pub fn highlight(text: &str) -> Vec<Highlight> {
    if crate::too_long(text).is_some() {
        return Vec::new();
    }
    let tokens = lexer::tokens(text, &mut Diagnostics::default());
    let mut types = types(text, &tokens);
    let has_processes = tokens.iter().any(|token| matches!(token.kind, TokenKind::Word(_)));
    let prelude = match has_processes {
        true => lexer::tokens(crate::PRELUDE, &mut Diagnostics::default()),
        false => Vec::new(),
    };
    types.extend(self::types(crate::PRELUDE, &prelude));
    let mut found = Vec::new();
    let mut region = Region::default();
    for (at, token) in tokens.iter().enumerate() {
        let is_in_process = region.pass(token.kind);
        let word = token.span.text(text);
        let kind = match token.kind {
            TokenKind::End => continue,
            TokenKind::LineComment | TokenKind::BlockComment => HighlightKind::Comment,
            TokenKind::Int => HighlightKind::Number,
            TokenKind::Keyword(Keyword::True | Keyword::False) => HighlightKind::Number,
            TokenKind::Keyword(Keyword::Bool | Keyword::Pid) => HighlightKind::Type,
            TokenKind::Keyword(_) | TokenKind::Word(_) => HighlightKind::Keyword,
            TokenKind::Name | TokenKind::Underscore => match word {
                "none" if has_processes => HighlightKind::Number,
                // `lock.select` and `new: int` are names.
                _ if is_in_process
                    && PROCESS_WORDS.contains(&word)
                    && !follows_dot(&tokens, at)
                    && tokens[at + 1].kind != TokenKind::Colon =>
                {
                    HighlightKind::Keyword
                }
                _ if types.contains(word.trim_matches('`')) => HighlightKind::Type,
                _ => HighlightKind::Name,
            },
            _ => HighlightKind::Operator,
        };
        found.push(Highlight { span: token.span.range(), kind });
    }
    // Where characters were left out, tokens are out of order.
    found.sort_by_key(|highlight| highlight.span.start);
    found
}

fn follows_dot(tokens: &[Token], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| tokens[before].kind == TokenKind::Dot)
}

/// Whether what is being read is inside of a declaration of processes.
#[derive(Default)]
struct Region {
    is_process: bool,
    depth: usize,
}

impl Region {
    /// Passes a token; whether it is inside.
    fn pass(&mut self, kind: TokenKind) -> bool {
        match kind {
            TokenKind::Word(_) => (self.is_process, self.depth) = (true, 0),
            // Inside of processes these are names.
            TokenKind::Keyword(keyword) if keyword.starts_declaration() => self.is_process = false,
            TokenKind::LeftBrace => self.depth += 1,
            TokenKind::RightBrace => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.is_process
    }
}

/// The names that are declared as types.
fn types<'t>(text: &'t str, tokens: &[Token]) -> HashSet<&'t str> {
    let declares = |kind: TokenKind| match kind {
        TokenKind::Keyword(Keyword::Enum | Keyword::Class) => true,
        TokenKind::Word(word) => matches!(word, Word::Object | Word::Record),
        _ => false,
    };
    let pairs = tokens.windows(2).filter(|pair| declares(pair[0].kind));
    pairs.map(|pair| pair[1].span.text(text).trim_matches('`')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(&str, &'static str)> {
        highlight(text).into_iter().map(|one| (&text[one.span], one.kind.name())).collect()
    }

    #[test]
    fn nets_are_highlighted() {
        let text = "enum Colour { red }\nplace p(Colour) = red // one\n";
        let expected = [
            ("enum", "keyword"),
            ("Colour", "type"),
            ("{", "operator"),
            ("red", "name"),
            ("}", "operator"),
            ("place", "keyword"),
            ("p", "name"),
            ("(", "operator"),
            ("Colour", "type"),
            (")", "operator"),
            ("=", "operator"),
            ("red", "name"),
            ("// one", "comment"),
        ];
        assert_eq!(kinds(text), expected);
    }

    #[test]
    fn words_of_processes_are_words_in_processes_only() {
        let text = "place loop\nprocess main { loop { a.loop() } }\nshared a: mutex? = none\n";
        let found: Vec<_> =
            kinds(text).into_iter().filter(|(_, kind)| *kind != "operator").collect();
        let expected = [
            ("place", "keyword"),
            ("loop", "name"),
            ("process", "keyword"),
            ("main", "name"),
            ("loop", "keyword"),
            ("a", "name"),
            ("loop", "name"),
            ("shared", "keyword"),
            ("a", "name"),
            ("mutex", "type"),
            ("none", "number"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn mistakes_leave_the_rest() {
        let found = kinds("proces # `x é \"abc\" 12");
        assert_eq!(found.first(), Some(&("proces", "name")));
        assert_eq!(found.last(), Some(&("12", "number")));
    }
}
