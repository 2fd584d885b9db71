//! Where a text speaks of processes.
//!
//! Declarations of processes, objects, functions, records and shared variables start with words that are reserved
//! nowhere else: a net may have a place `process`. The tokens around such a word decide which it is, so that the
//! parser and the formatter see the same. No net has two names in a row where a declaration can start, so nothing
//! is ambiguous. Inside of such a declaration the words of nets are names, and there are signs that nets do not
//! have.

use crate::keyword::Keyword;
use crate::lexer::{Token, TokenKind};

/// A word with which a declaration of processes starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Word {
    Process,
    Object,
    Function,
    Record,
    Shared,
}

impl Word {
    /// All of them.
    pub(crate) const ALL: [Word; 5] =
        [Word::Process, Word::Object, Word::Function, Word::Record, Word::Shared];

    /// How it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Word::Process => "process",
            Word::Object => "object",
            Word::Function => "fn",
            Word::Record => "record",
            Word::Shared => "shared",
        }
    }

    fn parse(text: &str) -> Option<Word> {
        Word::ALL.into_iter().find(|word| word.text() == text)
    }
}

/// Says of each token whether it is inside of such a declaration, marks the words that start them, and makes names
/// of the words of nets in them.
pub(crate) fn regions(text: &str, tokens: &mut [Token]) -> Vec<bool> {
    let places: Vec<usize> = (0..tokens.len()).filter(|&at| !tokens[at].is_comment()).collect();
    let code: Vec<Token> = places.iter().map(|&at| tokens[at]).collect();
    let reader = Reader { text, code };
    let mut inside = vec![false; tokens.len()];
    let mut depth = 0_usize;
    let mut at = 0;
    while at < reader.code.len() {
        let is_open = depth == 0 || reader.is_at_margin(at);
        if let Some(word) = reader.word(at).filter(|_| is_open) {
            let end = reader.end(at, word);
            tokens[places[at]].kind = TokenKind::Word(word);
            for index in at + 1..end {
                soften(&mut tokens[places[index]]);
                inside[places[index]] = true;
            }
            (at, depth) = (end, 0);
            continue;
        }
        if depth == 0 && reader.code[at].kind == TokenKind::Keyword(Keyword::Enum) {
            for index in reader.payloads(at) {
                soften(&mut tokens[places[index]]);
                inside[places[index]] = true;
            }
        }
        match reader.code[at].kind {
            TokenKind::LeftBrace | TokenKind::LeftParen | TokenKind::LeftBracket => depth += 1,
            TokenKind::RightBrace | TokenKind::RightParen | TokenKind::RightBracket => {
                depth = depth.saturating_sub(1);
            }
            // A bracket that was forgotten ends here.
            TokenKind::Keyword(word) if word.starts_declaration() && reader.is_at_margin(at) => {
                depth = 0;
            }
            _ => {}
        }
        at += 1;
    }
    if inside.contains(&true) {
        reader.properties(&places, &mut inside);
    }
    inside
}

/// Makes a name of a word that processes do not have.
fn soften(token: &mut Token) {
    use Keyword::*;
    if let TokenKind::Keyword(keyword) = token.kind
        && !matches!(
            keyword,
            True | False
                | If
                | Then
                | Else
                | And
                | Or
                | Not
                | Implies
                | In
                | Let
                | Forall
                | Exists
                | Bool
        )
    {
        token.kind = TokenKind::Name;
    }
}

struct Reader<'t> {
    text: &'t str,
    /// Without comments.
    code: Vec<Token>,
}

impl Reader<'_> {
    fn kind(&self, at: usize) -> TokenKind {
        self.code.get(at).map_or(TokenKind::End, |token| token.kind)
    }

    /// Whether a line starts with a token, without a blank before it.
    fn is_at_margin(&self, at: usize) -> bool {
        let start = self.code[at].span.start as usize;
        start == 0 || self.text.as_bytes()[start - 1] == b'\n'
    }

    /// Whether something can be complete before a token.
    fn follows_end(&self, at: usize) -> bool {
        use Keyword::{All, Bool, DeadlockFree, False, Pid, True};
        let Some(before) = at.checked_sub(1) else { return true };
        match self.kind(before) {
            // `class C ordered round n`.
            TokenKind::Name => {
                before == 0 || self.kind(before - 1) != TokenKind::Keyword(Keyword::Ordered)
            }
            TokenKind::Underscore
            | TokenKind::Int
            | TokenKind::RightParen
            | TokenKind::RightBracket
            | TokenKind::RightBrace
            | TokenKind::Box
            | TokenKind::Bang
            | TokenKind::Question => true,
            TokenKind::Keyword(word) => {
                matches!(word, True | False | All | Bool | Pid | DeadlockFree)
            }
            _ => false,
        }
    }

    /// The word with which a declaration starts at a token.
    fn word(&self, at: usize) -> Option<Word> {
        if self.kind(at) != TokenKind::Name {
            return None;
        }
        let word = Word::parse(self.code[at].span.text(self.text))?;
        let is_named = match self.kind(at + 1) {
            TokenKind::Name => true,
            TokenKind::Keyword(_) => matches!(
                self.kind(at + 2),
                TokenKind::LeftBrace
                    | TokenKind::LeftParen
                    | TokenKind::LeftBracket
                    | TokenKind::Colon
                    | TokenKind::Assign
            ),
            _ => false,
        };
        (is_named && self.follows_end(at)).then_some(word)
    }

    /// Whether a declaration starts at a token that is not inside of anything.
    fn starts_declaration(&self, at: usize) -> bool {
        match self.kind(at) {
            TokenKind::Keyword(Keyword::New) => {
                self.is_at_margin(at) && self.kind(at + 2) == TokenKind::Colon
            }
            TokenKind::Keyword(keyword) => keyword.starts_declaration() && self.follows_end(at),
            _ => self.word(at).is_some(),
        }
    }

    /// The token after a declaration.
    fn end(&self, start: usize, word: Word) -> usize {
        let mut open = 0_usize;
        // After the word and the name, which may be a word of nets.
        for at in start + 2..self.code.len() {
            match self.kind(at) {
                TokenKind::End => return at,
                TokenKind::LeftBrace if open == 0 && word != Word::Shared => {
                    return self.closed(at);
                }
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => open += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => {
                    open = open.saturating_sub(1);
                }
                _ if open == 0 && self.starts_declaration(at) => return at,
                _ if self.is_lost(at) => return at,
                _ => {}
            }
        }
        self.code.len()
    }

    /// The token after the brace that closes one.
    fn closed(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.code.len() {
            match self.kind(at) {
                TokenKind::End => return at,
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => {
                    depth -= 1;
                    if depth == 0 {
                        return at + 1;
                    }
                }
                // A brace was forgotten.
                _ if self.is_lost(at) => return at,
                _ => {}
            }
        }
        self.code.len()
    }

    /// Whether a declaration starts at the margin that cannot be part of a process.
    fn is_lost(&self, at: usize) -> bool {
        use Keyword::{Class, Const, Enum, Flow, Place, Property, Transition};
        let is_declaration = match self.kind(at) {
            TokenKind::Keyword(keyword) => {
                matches!(keyword, Class | Const | Enum | Flow | Place | Property | Transition)
            }
            // Objects have functions.
            _ => self.word(at).is_some_and(|word| word != Word::Function),
        };
        is_declaration
            && self.is_at_margin(at)
            && self.kind(at + 1) == TokenKind::Name
            && self.follows_end(at)
    }

    /// Properties of processes may have the signs that processes have; the words in them are those of properties.
    fn properties(&self, places: &[usize], inside: &mut [bool]) {
        let mut at = 0;
        while at < self.code.len() {
            let is_property = self.kind(at) == TokenKind::Keyword(Keyword::Property)
                && !inside[places[at]]
                && self.follows_end(at);
            let end = if is_property { self.end(at, Word::Shared) } else { at + 1 };
            if is_property {
                places[at..end].iter().for_each(|place| inside[*place] = true);
            }
            at = end;
        }
    }

    /// The tokens in parentheses after the members of an enumeration.
    fn payloads(&self, start: usize) -> Vec<usize> {
        let mut found = Vec::new();
        if self.kind(start + 2) != TokenKind::LeftBrace {
            return found;
        }
        let mut open = 0_usize;
        for at in start + 3..self.code.len() {
            match self.kind(at) {
                TokenKind::LeftParen => open += 1,
                TokenKind::RightParen => open = open.saturating_sub(1),
                TokenKind::RightBrace | TokenKind::End => break,
                TokenKind::Name | TokenKind::Keyword(_) | TokenKind::Comma if open == 0 => {}
                _ if open == 0 => break,
                _ => found.push(at),
            }
        }
        found
    }
}
