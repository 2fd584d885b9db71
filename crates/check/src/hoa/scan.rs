//! The tokens of the format.

use super::HoaError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// `name:`.
    Header(&'t str),
    Word(&'t str),
    /// `@name`.
    Alias(&'t str),
    Number(u64),
    /// What stands in quotes.
    Text(String),
    Symbol(char),
    Body,
    End,
}

/// The tokens of a text, one after the other.
pub(super) struct Scanner<'t> {
    tokens: Vec<(usize, Token<'t>)>,
    at: usize,
}

impl<'t> Scanner<'t> {
    /// Cuts a text into tokens. Linear.
    pub(super) fn new(text: &'t str) -> Result<Self, HoaError> {
        let mut tokens = Vec::new();
        let mut line = 1;
        let mut rest = text;
        let error = |line, what: &str| Err(HoaError { line, what: what.to_owned() });
        while let Some(first) = rest.chars().next() {
            if first.is_whitespace() {
                line += usize::from(first == '\n');
                rest = &rest[first.len_utf8()..];
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let Some(end) = comment.find("*/") else {
                    return error(line, "a comment has no end; write `*/`");
                };
                line += comment[..end].matches('\n').count();
                rest = &comment[end + 2..];
            } else if let Some(after) = rest.strip_prefix("--BODY--") {
                tokens.push((line, Token::Body));
                rest = after;
            } else if rest.starts_with("--END--") {
                tokens.push((line, Token::End));
                break;
            } else if rest.starts_with("--ABORT--") {
                return error(line, "the automaton was aborted by who wrote it");
            } else if let Some(quoted) = rest.strip_prefix('"') {
                let mut text = String::new();
                let mut chars = quoted.char_indices();
                let end = loop {
                    match chars.next() {
                        None => return error(line, "a text has no end; write `\"`"),
                        Some((i, '"')) => break i,
                        Some((_, '\\')) => text.extend(chars.next().map(|(_, c)| c)),
                        Some((_, c)) => {
                            line += usize::from(c == '\n');
                            text.push(c);
                        }
                    }
                };
                tokens.push((line, Token::Text(text)));
                rest = &quoted[end + 1..];
            } else if first.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let Ok(number) = rest[..end].parse() else {
                    return error(line, "a number is too large");
                };
                tokens.push((line, Token::Number(number)));
                rest = &rest[end..];
            } else if first.is_ascii_alphabetic() || first == '_' || first == '@' {
                let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                let end = rest[1..].find(|c| !is_part(c)).map_or(rest.len(), |end| end + 1);
                let (word, after) = rest.split_at(end);
                rest = after;
                tokens.push((
                    line,
                    match (word.strip_prefix('@'), after.strip_prefix(':')) {
                        (Some(name), _) => Token::Alias(name),
                        (None, Some(after)) => {
                            rest = after;
                            Token::Header(word)
                        }
                        (None, None) => Token::Word(word),
                    },
                ));
            } else if "[](){}!&|".contains(first) {
                tokens.push((line, Token::Symbol(first)));
                rest = &rest[1..];
            } else {
                return error(line, &format!("`{first}` has no meaning here"));
            }
        }
        Ok(Scanner { tokens, at: 0 })
    }

    pub(super) fn next(&mut self) -> Option<Token<'t>> {
        let token = self.peek();
        self.at += usize::from(token.is_some());
        token
    }

    pub(super) fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).map(|(_, token)| token.clone())
    }

    /// Takes this symbol, if it comes next; whether it did.
    pub(super) fn takes(&mut self, symbol: char) -> bool {
        let is_next = self.peek() == Some(Token::Symbol(symbol));
        self.at += usize::from(is_next);
        is_next
    }

    /// The line of the token last taken.
    pub(super) fn line(&self) -> usize {
        let last = self.tokens.get(self.at.saturating_sub(1)).or(self.tokens.last());
        last.map_or(1, |(line, _)| *line)
    }

    /// Passes over what belongs to a header.
    pub(super) fn skip_item(&mut self) {
        while !matches!(self.peek(), Some(Token::Header(_) | Token::Body | Token::End) | None) {
            self.at += 1;
        }
    }
}
