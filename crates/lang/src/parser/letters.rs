//! Formulas as logicians write them: `G p`, `[] p`, `p U q`, `A F p`, `A[p U q]`.
//!
//! They are reported with the words of the language, and read as meant.

use net::PathOp;

use super::{Parsed, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::operator::{Level, path_op};
use crate::syntax::{Expr, ExprKind, Infix, Prefix};
use diagnostics::{Diagnostic, Span};

impl<'a> Parser<'a, '_> {
    /// The operator with one operand that letters or signs stand for here, the word for it, and how many
    /// tokens it is.
    pub(super) fn letters(&self) -> Option<(PathOp, &'static str, usize)> {
        let letter = |tokens| match self.kind_after(tokens) {
            TokenKind::Box => "G",
            TokenKind::LessGreater => "F",
            _ => self.letter(tokens),
        };
        let (keyword, tokens) = match (letter(0), letter(1)) {
            ("G", _) => (Keyword::Always, 1),
            ("F", _) => (Keyword::Eventually, 1),
            ("X", _) => (Keyword::Next, 1),
            ("A", "G") => (Keyword::AG, 2),
            ("A", "F") => (Keyword::AF, 2),
            ("A", "X") => (Keyword::AX, 2),
            ("E", "G") => (Keyword::EG, 2),
            ("E", "F") => (Keyword::EF, 2),
            ("E", "X") => (Keyword::EX, 2),
            _ => return None,
        };
        let is_operator = tokens == 2 || self.starts_operand(1);
        path_op(keyword).filter(|_| is_operator).map(|op| (op, keyword.text(), tokens))
    }

    /// A name of one letter, these many tokens ahead.
    fn letter(&self, tokens: usize) -> &'a str {
        let token = self.token_after(tokens);
        match token.kind {
            TokenKind::Name => token.span.text(self.text),
            _ => "",
        }
    }

    /// Reports a word before an operand that is nearly one of the operators or quantifiers, and makes it the word that
    /// was meant.
    pub(super) fn read_misspelt(&mut self) -> bool {
        let is_at = self.kind_after(1) == TokenKind::Keyword(Keyword::At)
            && self.kind_after(2) != TokenKind::Keyword(Keyword::Most);
        // Letters alone are those of logic.
        let word = self.token().span;
        if !self.is(TokenKind::Name) || word.range().len() < 3 || is_at || !self.starts_operand(1) {
            return false;
        }
        let is_prefix = |keyword: Keyword| {
            let others = [Keyword::Not, Keyword::Forall, Keyword::Exists];
            path_op(keyword).is_some() || others.contains(&keyword)
        };
        let Some(keyword) = self.meant_keyword(is_prefix) else { return false };
        let written = super::excerpt(word.text(self.text));
        Diagnostic::error("E0101", format!("no formula starts with `{written}`"))
            .at(word, format!("did you mean `{}`?", keyword.text()))
            .report(self.diagnostics);
        self.tokens[self.position].kind = TokenKind::Keyword(keyword);
        true
    }

    /// Whether an operand without parentheses starts there. `G(x)` may be a member of a class.
    fn starts_operand(&self, tokens: usize) -> bool {
        match self.kind_after(tokens) {
            TokenKind::Name | TokenKind::Int | TokenKind::Bang | TokenKind::Box => true,
            TokenKind::LeftParen => !self.is(TokenKind::Name) || !self.is_adjacent(),
            TokenKind::LessGreater => !self.is(TokenKind::Name),
            TokenKind::Keyword(keyword) => keyword.starts_operand(),
            _ => false,
        }
    }

    /// Whether nothing stands between this token and the next.
    fn is_adjacent(&self) -> bool {
        self.token().span.end == self.token_after(1).span.start
    }

    /// Reports such an operator, and reads its formula as meant.
    pub(super) fn lettered(&mut self, op: PathOp, words: &str, tokens: usize) -> Parsed<Expr<'a>> {
        let first = self.token().span;
        for _ in 1..tokens {
            self.advance();
        }
        let span = first.to(self.advance().span);
        self.report_operator(span, &format!("write `{words}`"));
        let operand = self.climb(Level::Implies)?;
        let whole = span.to(operand.span);
        self.node(ExprKind::Unary(Prefix::Path(op), Box::new(operand)), whole)
    }

    /// Reports what is an operator in other languages.
    pub(super) fn report_operator(&mut self, span: Span, instead: &str) {
        let word = span.text(self.text);
        Diagnostic::error("E0105", format!("`{word}` is no operator here"))
            .at(span, instead)
            .report(self.diagnostics);
    }

    /// `A[p U q]` and `E[p U q]`.
    pub(super) fn bracketed(&mut self) -> Option<Parsed<Expr<'a>>> {
        let (infix, words) = match self.letter(0) {
            "A" => (Infix::AllUntil, "AU"),
            "E" => (Infix::SomeUntil, "EU"),
            _ => return None,
        };
        let bracket = self.token().span.end as usize;
        if !self.text[bracket..].trim_start().starts_with('[') {
            return None;
        }
        let span = self.advance().span;
        self.report_operator(span, &format!("write `p {words} q`"));
        let outside = self.until.replace(infix);
        let parsed = self.primary();
        self.until = outside;
        Some(parsed)
    }

    /// The operator between two operands that a letter stands for here.
    pub(super) fn infix_letter(&self) -> Option<Infix> {
        match self.letter(0) {
            "U" | "W" | "R" => Some(self.until.unwrap_or(Infix::Until)),
            _ => None,
        }
    }

    /// Reports such an operator.
    pub(super) fn check_infix_letter(&mut self) {
        let instead = match (self.letter(0), self.until) {
            ("U", None) => "write `until`",
            // The whole was reported.
            ("U", Some(_)) => return,
            ("W", _) => "write `(p until q) or (always p)`",
            ("R", _) => "write `not (not p until not q)`",
            _ => return,
        };
        self.report_operator(self.token().span, instead);
    }
}
