//! Statements with several arms: `match` and `select`.

use super::{DEPTH, Parsed, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::operator::Level;
use crate::syntax::process::{
    ArmResult, Block, Match, MatchArm, Select, SelectArm, SelectOperation, StatementKind,
};
use crate::syntax::{Expr, ExprKind};
use diagnostics::{Diagnostic, Span};

impl<'a> Parser<'a, '_> {
    /// What follows `match`.
    pub(super) fn matching(&mut self) -> Parsed<StatementKind<'a>> {
        let value = self.expression()?;
        let open = self.expect(TokenKind::LeftBrace, "`{` and the cases")?.span;
        let mut arms = Vec::new();
        let mut otherwise = None;
        while !self.ends_block() {
            let start = self.position;
            let parsed = match self.is_keyword(Keyword::Else) {
                true => self.otherwise().map(|found| otherwise = Some(found)),
                false => self.match_arm(arms.len()).map(|arm| arms.push(arm)),
            };
            if parsed.is_err() {
                self.skip_statement(start);
            }
        }
        let close = self.close(open)?;
        Ok(StatementKind::Match(Match { value, open, close, arms, otherwise }))
    }

    /// `else { … }`.
    fn otherwise(&mut self) -> Parsed<(Span, Block<'a>)> {
        let start = self.advance().span;
        let body = self.block()?;
        Ok((start.to(body.close), body))
    }

    fn match_arm(&mut self, arms: usize) -> Parsed<MatchArm<'a>> {
        if arms >= usize::from(DEPTH) {
            return Err(self.too_deep(self.token().span));
        }
        let start = self.token().span;
        if self.is(TokenKind::Underscore) {
            return Err(self.foreign(start, "write `else { … }`"));
        }
        let (pattern, names) = if self.is(TokenKind::Name) {
            let name = self.name("a case")?;
            let names = match self.eat(TokenKind::LeftParen) {
                true => self.list_to_paren(|parser| match parser.eat(TokenKind::Underscore) {
                    true => Ok(None),
                    false => parser.name("a variable").map(Some),
                })?,
                false => Vec::new(),
            };
            (self.node(ExprKind::Name(name.text), name.span)?, names)
        } else {
            (self.climb(Level::Sum)?, Vec::new())
        };
        self.check_foreign_header();
        let body = self.block()?;
        Ok(MatchArm { span: start.to(body.close), pattern, names, body })
    }

    /// What follows `select`.
    pub(super) fn select(&mut self) -> Parsed<StatementKind<'a>> {
        let open = self.expect(TokenKind::LeftBrace, "`{` and the arms")?.span;
        let mut arms = Vec::new();
        let (mut otherwise, mut is_whole) = (None, true);
        while !self.ends_block() {
            let start = self.position;
            let parsed = match self.is_keyword(Keyword::Else) {
                true => self.otherwise().map(|found| otherwise = Some(found)),
                false => self.select_arm().map(|arm| arms.push(arm)),
            };
            if parsed.is_err() {
                is_whole = false;
                self.skip_statement(start);
            }
        }
        let close = self.close(open)?;
        Ok(StatementKind::Select(Select { open, close, arms, otherwise, is_whole }))
    }

    fn select_arm(&mut self) -> Parsed<SelectArm<'a>> {
        let start = self.token().span;
        self.check_foreign_arm()?;
        let label = match self.is(TokenKind::Name) && self.kind_after(1) == TokenKind::Colon {
            true => {
                let name = self.name("an arm")?;
                self.advance();
                Some(name)
            }
            false => None,
        };
        let operation = self.select_operation()?;
        let when = match self.eat_word_here("when") {
            true => Some(self.expression()?),
            false => None,
        };
        self.check_foreign_header();
        let body = self.block()?;
        Ok(SelectArm { span: start.to(body.close), label, operation, when, body })
    }

    fn select_operation(&mut self) -> Parsed<SelectOperation<'a>> {
        if self.is_word_here("timeout") {
            let length = match (self.kind_after(1), self.kind_after(3)) {
                (TokenKind::Int, _) => 2,
                (TokenKind::LeftParen, TokenKind::RightParen) => 4,
                _ => 0,
            };
            if length > 0 {
                let span = self.token().span.to(self.token_after(length - 1).span);
                let help = "there is no clock: write `timeout { … }`, which may come at any time";
                return Err(self.foreign(span, help));
            }
        }
        if self.is_word_here("timeout")
            && (self.kind_after(1) == TokenKind::LeftBrace
                || self.token_after(1).span.text(self.text) == "when")
        {
            self.advance();
            return Ok(SelectOperation::Timeout);
        }
        if self.eat_word_here("await") {
            return Ok(SelectOperation::Await(self.expression()?));
        }
        let result = if self.eat_keyword(Keyword::Let) {
            let name = self.name("a variable")?;
            self.expect(TokenKind::Assign, "`=` and what to wait for")?;
            ArmResult::Let(name)
        } else {
            ArmResult::None
        };
        let mut call = self.climb(Level::Atom)?;
        let mut result = result;
        if matches!(result, ArmResult::None) && self.eat(TokenKind::Assign) {
            result = ArmResult::Assign(call);
            call = self.climb(Level::Atom)?;
        }
        if self.is_keyword(Keyword::In) {
            return self.join_any(result, call);
        }
        Ok(SelectOperation::Call { result, call })
    }

    /// `join h in handles`, of which `join h` has been read.
    fn join_any(&mut self, result: ArmResult<'a>, call: Expr<'a>) -> Parsed<SelectOperation<'a>> {
        let name = match &call.kind {
            ExprKind::Join(handle) => handle.as_name(),
            _ => None,
        };
        let Some(name) = name else {
            return Err(Diagnostic::error("E0101", "only a `join` is of one of several")
                .at(self.token().span, "")
                .help("write `join h in handles { … }`")
                .report(self.diagnostics));
        };
        self.advance();
        let handles = self.climb(Level::Sum)?;
        Ok(SelectOperation::JoinAny { result, name, handles })
    }
}
