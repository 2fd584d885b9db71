//! From tokens to the syntax tree, by recursive descent.
//!
//! A mistake is reported where it is found; then the parser skips to the next item or declaration and
//! goes on. What starts declarations and items is reserved, so nothing else is mistaken for it. The
//! names in what was skipped are remembered: whatever they declared is not reported as missing.
//!
//! The cost is linear in the text. The depth of every expression is limited to [`DEPTH`], for chains of
//! operators too, so that no walk over a tree can exhaust the stack.

mod claim;
mod class;
mod declaration;
mod expression;
mod fairness;
mod foreign;
mod front;
mod letters;
mod process;
mod property;
mod select;
mod statement;
mod term;
mod transition;
mod types;

use std::collections::{HashMap, HashSet};

use crate::keyword::Keyword;
use crate::lexer::{Token, TokenKind};
use crate::syntax::{Declaration, Infix, Model, Name};
use diagnostics::{Diagnostic, Diagnostics, Reported, Span, nearest};

/// No expression is nested deeper than this.
pub(crate) const DEPTH: u16 = 200;

/// What was read, unless a mistake was reported; then its caller skips to where it can go on.
pub type Parsed<T> = Result<T, Reported>;

/// The syntax tree of a text.
pub(crate) fn parse<'a>(text: &'a str, diagnostics: &mut Diagnostics) -> Model<'a> {
    let mut parser = Parser::new(text, &[], diagnostics);
    parser.model();
    parser.finish()
}

/// The syntax tree of what stands in a text from this byte on.
pub(crate) fn parse_after<'a>(
    text: &'a str,
    start: usize,
    diagnostics: &mut Diagnostics,
) -> Model<'a> {
    let mut parser = Parser::new(&text[start..], &[], diagnostics);
    let start = u32::try_from(start).expect("the size of a text is checked first");
    for token in &mut parser.tokens {
        token.span = Span { start: token.span.start + start, end: token.span.end + start };
    }
    parser.text = text;
    parser.model();
    parser.finish()
}

/// Reads a text, token by token.
pub struct Parser<'a, 'd> {
    text: &'a str,
    /// Without comments; the last is [`TokenKind::End`].
    tokens: Vec<Token>,
    position: usize,
    depth: u16,
    /// Whether the operand of an operator on the future is being read, without parentheses around.
    within_path: bool,
    /// Whether a declaration of processes is being read.
    in_process: bool,
    /// Whether the text has processes, of which properties may speak.
    has_processes: bool,
    /// Whether a property that may speak of processes is being read.
    in_claim: bool,
    /// The first brace of the declaration whose partner stands further left or right.
    askew: Option<Span>,
    /// Where a brace was reported that is not closed.
    unclosed: Option<(usize, Reported)>,
    /// What `U` stands for within `A[…]` and `E[…]`.
    until: Option<Infix>,
    /// The words with which declarations of another language start.
    words: &'d [&'d str],
    diagnostics: &'d mut Diagnostics,
    declarations: Vec<Declaration<'a>>,
    skipped: HashSet<&'a str>,
    /// The reserved words that were reported as names.
    reserved: HashMap<Keyword, Reported>,
}

impl<'a> Parser<'a, '_> {
    fn token(&self) -> Token {
        self.tokens[self.position]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The token this many ahead, or the end of the text.
    fn token_after(&self, tokens: usize) -> Token {
        let last = self.tokens.len() - 1;
        self.tokens[(self.position + tokens).min(last)]
    }

    fn kind_after(&self, tokens: usize) -> TokenKind {
        self.token_after(tokens).kind
    }

    /// Whether a new line starts with the next token.
    fn starts_line(&self) -> bool {
        self.text[self.before().end as usize..self.token().span.start as usize].contains('\n')
    }

    /// Where the token before this one is.
    fn before(&self) -> Span {
        match self.position {
            0 => Span::default(),
            position => self.tokens[position - 1].span,
        }
    }

    /// Takes the next token. The end of the text is never passed.
    fn advance(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        token
    }

    fn is(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        self.is(TokenKind::Keyword(keyword))
    }

    /// Takes the next token if it is of this kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.is(kind);
        if found {
            self.advance();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        self.eat(TokenKind::Keyword(keyword))
    }

    fn expect(&mut self, kind: TokenKind, wanted: &str) -> Parsed<Token> {
        if self.is(kind) { Ok(self.advance()) } else { Err(self.unexpected(wanted)) }
    }

    fn expect_keyword(&mut self, keyword: Keyword) -> Parsed<Token> {
        self.expect(TokenKind::Keyword(keyword), &format!("`{}`", keyword.text()))
    }

    /// What `item` reads, again after each comma.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = vec![item(self)?];
        while self.eat(TokenKind::Comma) {
            list.push(item(self)?);
        }
        Ok(list)
    }

    /// What follows `(`, a list that may be empty, and `)`.
    fn list_to_paren<T>(&mut self, item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        if self.eat(TokenKind::RightParen) {
            return Ok(Vec::new());
        }
        let list = self.list(item)?;
        self.expect(TokenKind::RightParen, "`,` or `)`")?;
        Ok(list)
    }

    /// A name; `what` says of what, such as "a place".
    ///
    /// # Errors
    ///
    /// There is none here, which is reported.
    pub fn name(&mut self, what: &str) -> Parsed<Name<'a>> {
        let token = self.token();
        match token.kind {
            TokenKind::Name => {
                self.advance();
                Ok(Name { text: name_of(token.span.text(self.text)), span: token.span })
            }
            TokenKind::Keyword(keyword) if self.is_meant_as_name(keyword) => {
                // Nothing is to start with it.
                self.advance();
                let text = keyword.text();
                Err(*self.reserved.entry(keyword).or_insert_with(|| {
                    Diagnostic::error("E0106", format!("`{text}` is a reserved word"))
                        .at(token.span, format!("expected the name of {what}"))
                        .help(format!("choose another name, such as `{text}_`"))
                        .report(self.diagnostics)
                }))
            }
            TokenKind::Underscore => {
                Err(Diagnostic::error("E0101", format!("`_` is not the name of {what}"))
                    .at(token.span, format!("expected the name of {what}"))
                    .help("`_` stands for a value nobody asks for; give a name here")
                    .report(self.diagnostics))
            }
            _ => Err(self.unexpected(&format!("the name of {what}"))),
        }
    }

    /// Whether a reserved word where a name is expected was chosen as one. If an item or a declaration
    /// can start with it, the name is more likely missing, unless what follows is no part of that, or it
    /// was chosen as a name before.
    fn is_meant_as_name(&self, keyword: Keyword) -> bool {
        let goes_on = matches!(
            self.kind_after(1),
            TokenKind::LeftBrace | TokenKind::LeftParen | TokenKind::Colon | TokenKind::Comma
        );
        let is_known = self.reserved.contains_key(&keyword);
        goes_on || is_known || !(keyword.starts_declaration() || keyword.starts_item())
    }

    /// Reports that something else was expected here. Where the next token is on another line, the end
    /// of this line is where something is missing.
    pub fn unexpected(&mut self, wanted: &str) -> Reported {
        let token = self.token();
        // What was declared under a reserved word is used under it.
        if let TokenKind::Keyword(keyword) = token.kind
            && let Some(reported) = self.reserved.get(&keyword)
        {
            return *reported;
        }
        let before = self.before();
        let found = match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Keyword(keyword) => format!("the reserved word `{}`", keyword.text()),
            _ => format!("`{}`", excerpt(name_of(token.span.text(self.text)))),
        };
        let message = format!("expected {wanted}, found {found}");
        let diagnostic = Diagnostic::error("E0101", message);
        let diagnostic =
            if self.position > 0 && (self.starts_line() || token.kind == TokenKind::End) {
                diagnostic.at(before, format!("expected {wanted} after this"))
            } else {
                diagnostic.at(token.span, format!("expected {wanted}"))
            };
        self.diagnostics.push(match token.kind {
            TokenKind::Semicolon => diagnostic.help("nothing is closed with `;`: remove it"),
            _ => diagnostic,
        })
    }

    /// Goes on where `stop` holds. The names from the token `start` on are remembered as lost.
    fn skip_from(&mut self, start: usize, stop: impl Fn(&Self) -> bool) {
        while !self.is(TokenKind::End) && !stop(self) {
            self.advance();
        }
        for token in &self.tokens[start.min(self.position)..self.position] {
            if token.kind == TokenKind::Name {
                self.skipped.insert(name_of(token.span.text(self.text)));
            }
        }
    }

    /// Whether a declaration starts here, of whichever language.
    fn starts_declaration(&self) -> bool {
        let text = self.token().span.text(self.text);
        starts_declaration(self.kind()) || self.words.contains(&text)
    }

    /// Goes on at the next declaration. The names from the token `start` on are remembered as lost.
    fn skip_declaration(&mut self, start: usize) {
        self.skip_from(start, Self::starts_declaration);
    }

    /// Takes a word that starts a declaration or an item. One that is misspelt is reported, and read as
    /// meant. For any other token `help` says what can stand here.
    fn starting_word(
        &mut self,
        what: &str,
        starts: impl Fn(Keyword) -> bool,
        help: impl FnOnce(&Self) -> &'static str,
    ) -> Option<Keyword> {
        let token = self.token();
        if let TokenKind::Keyword(keyword) = token.kind
            && starts(keyword)
        {
            self.advance();
            return Some(keyword);
        }
        let meant = self.meant_keyword(starts);
        let word = excerpt(name_of(token.span.text(self.text)));
        let diagnostic = Diagnostic::error("E0101", format!("no {what} starts with `{word}`"));
        self.diagnostics.push(match meant {
            Some(keyword) => {
                diagnostic.at(token.span, format!("did you mean `{}`?", keyword.text()))
            }
            None => diagnostic.at(token.span, "").help(help(self)),
        });
        self.advance();
        meant
    }

    /// The keyword that was probably meant by the word here.
    fn meant_keyword(&self, candidates: impl Fn(Keyword) -> bool) -> Option<Keyword> {
        self.meant_keyword_after(0, candidates)
    }

    /// The keyword that was probably meant by the word this many tokens ahead.
    fn meant_keyword_after(
        &self,
        tokens: usize,
        candidates: impl Fn(Keyword) -> bool,
    ) -> Option<Keyword> {
        let token = self.token_after(tokens);
        if token.kind != TokenKind::Name || is_quoted(token.span.text(self.text)) {
            return None;
        }
        let words = Keyword::ALL.iter().copied().filter(|&k| candidates(k));
        nearest(token.span.text(self.text), words.map(Keyword::text)).and_then(Keyword::parse)
    }
}

/// The name that a token is, without its backticks.
fn name_of(text: &str) -> &str {
    text.trim_matches('`')
}

/// Whether a name is written in backticks.
fn is_quoted(text: &str) -> bool {
    text.starts_with('`')
}

/// The beginning of a token, which may be very long.
fn excerpt(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn starts_declaration(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Keyword(keyword) => keyword.starts_declaration(),
        TokenKind::Word(_) => true,
        _ => false,
    }
}

fn starts_item(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Keyword(keyword) if keyword.starts_item())
}

pub(crate) use expression::{LARGEST, written_integer};
