//! What other front ends read with a parser ([`crate::front`]).

use std::collections::HashMap;

use super::{Parsed, Parser};
use crate::lexer::{self, TokenKind};
use crate::syntax::Model;
use diagnostics::{Diagnostics, Span};

impl<'a, 'd> Parser<'a, 'd> {
    /// Starts to read a text. Declarations that are not of `.kin` models start with one of these words.
    /// A text longer than [`LONGEST_TEXT`](crate::LONGEST_TEXT) is for the caller to refuse.
    #[must_use]
    pub fn new(
        text: &'a str,
        words: &'d [&'d str],
        diagnostics: &'d mut Diagnostics,
    ) -> Parser<'a, 'd> {
        let mut tokens = lexer::tokens(text, diagnostics);
        tokens.retain(|token| !token.is_comment());
        let has_processes = tokens.iter().any(|token| matches!(token.kind, TokenKind::Word(_)));
        // Texts have been reported, and stand for anything.
        let texts = tokens.iter().map(|token| token.span.text(text));
        let skipped = texts.filter(|text| text.starts_with('"')).collect();
        Parser {
            text,
            tokens,
            position: 0,
            depth: 0,
            within_path: false,
            in_process: false,
            has_processes,
            in_claim: false,
            askew: None,
            unclosed: None,
            until: None,
            words,
            diagnostics,
            declarations: Vec::new(),
            skipped,
            reserved: HashMap::new(),
        }
    }

    /// Whether all of the text has been read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.is(TokenKind::End)
    }

    /// Where the next token is.
    #[must_use]
    pub fn span(&self) -> Span {
        self.token().span
    }

    /// Whether the next token is this word or sign.
    #[must_use]
    pub fn is_word(&self, word: &str) -> bool {
        self.token().span.text(self.text) == word
    }

    /// Takes the next token if it is this word or sign.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Takes this word or sign.
    ///
    /// # Errors
    ///
    /// The next token is another one, which is reported.
    pub fn expect_word(&mut self, word: &str) -> Parsed<Span> {
        match self.is_word(word) {
            true => Ok(self.advance().span),
            false => Err(self.unexpected(&format!("`{word}`"))),
        }
    }

    /// Goes on at the next declaration, of whichever language. Names that are passed over are not reported
    /// as unknown.
    pub fn skip(&mut self) {
        let start = self.position;
        self.advance();
        self.skip_declaration(start);
    }

    /// What was found in the text so far.
    pub fn diagnostics(&mut self) -> &mut Diagnostics {
        self.diagnostics
    }

    /// The declarations of `.kin` models that were read.
    #[must_use]
    pub fn finish(self) -> Model<'a> {
        let Parser { text, tokens, declarations, skipped, .. } = self;
        Model { text, tokens, declarations, skipped }
    }
}
