//! What only processes say in expressions: calls, members, elements, collections, `new`, `spawn`, `join`.

use net::Quantifier;

use super::foreign::PATH;
use super::{Parsed, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::operator::Level;
use crate::syntax::process::{Argument, TypeKind, TypeSyntax};
use crate::syntax::{Expr, ExprKind, Name};
use diagnostics::Span;

impl<'a> Parser<'a, '_> {
    /// What no operator between operands is part of, in a process.
    pub(super) fn process_primary(&mut self) -> Parsed<Expr<'a>> {
        self.check_foreign_value()?;
        let mut found = match self.kind() {
            TokenKind::Name => self.process_name()?,
            TokenKind::LeftBracket | TokenKind::Box => self.collection()?,
            _ => self.plain_primary()?,
        };
        loop {
            let start = found.span;
            let kind = match self.kind() {
                TokenKind::Dot => {
                    self.advance();
                    ExprKind::Member(Box::new(found), self.name_after_dot()?)
                }
                TokenKind::LeftParen => {
                    self.advance();
                    let arguments = self.list_to_paren(Self::call_argument)?;
                    ExprKind::Call(Box::new(found), arguments)
                }
                TokenKind::LeftBracket => {
                    self.advance();
                    let index = self.expression()?;
                    self.expect(TokenKind::RightBracket, "`]`")?;
                    ExprKind::Index(Box::new(found), Box::new(index))
                }
                TokenKind::Bang => {
                    self.check_foreign_macro(&found)?;
                    self.advance();
                    ExprKind::Value(Box::new(found))
                }
                TokenKind::Colon if self.is_path(0) => {
                    return Err(self.foreign(self.two_tokens(0), PATH));
                }
                _ => return Ok(found),
            };
            found = self.node(kind, start.to(self.before()))?;
        }
    }

    /// After a dot every word is a name.
    pub(super) fn name_after_dot(&mut self) -> Parsed<Name<'a>> {
        if let TokenKind::Keyword(_) = self.kind() {
            let span = self.advance().span;
            return Ok(Name { text: span.text(self.text), span });
        }
        self.name("a field, a step or a component")
    }

    /// `NAME: VALUE`, a value, or `x => P`.
    pub(super) fn call_argument(&mut self) -> Parsed<Argument<'a>> {
        let name = match self.is(TokenKind::Name) && self.kind_after(1) == TokenKind::Colon {
            true => {
                let name = self.name("a parameter")?;
                self.advance();
                Some(name)
            }
            false => None,
        };
        if self.is(TokenKind::Name) && self.kind_after(1) == TokenKind::FatArrow {
            let variable = self.name("a variable")?;
            self.advance();
            let body = self.expression()?;
            let span = variable.span.to(body.span);
            let value = self.node(ExprKind::Predicate(variable, Box::new(body)), span)?;
            return Ok(Argument { name, value });
        }
        Ok(Argument { name, value: self.expression()? })
    }

    fn arguments_if_any(&mut self) -> Parsed<Vec<Argument<'a>>> {
        match self.eat(TokenKind::LeftParen) {
            true => self.list_to_paren(Self::call_argument),
            false => Ok(Vec::new()),
        }
    }

    fn process_name(&mut self) -> Parsed<Expr<'a>> {
        let token = self.token();
        let is_named = self.kind_after(1) == TokenKind::Name;
        match token.span.text(self.text) {
            "new" if is_named => {
                self.advance();
                let start = self.token().span;
                let name = self.name("a type of objects")?;
                let arguments = match self.eat(TokenKind::LeftBracket) {
                    true => {
                        let arguments = self.list(Self::type_argument)?;
                        self.expect(TokenKind::RightBracket, "`,` or `]`")?;
                        arguments
                    }
                    false => Vec::new(),
                };
                let span = start.to(self.before());
                let of = TypeSyntax { span, kind: TypeKind::Named(name, arguments) };
                let kind = ExprKind::New(of, self.arguments_if_any()?);
                self.node(kind, token.span.to(self.before()))
            }
            "spawn" if is_named => {
                self.advance();
                let name = self.name("a process")?;
                let kind = ExprKind::Spawn(name, self.arguments_if_any()?);
                self.node(kind, token.span.to(self.before()))
            }
            "join" if is_named => {
                self.advance();
                let handle = self.climb(Level::Atom)?;
                let span = token.span.to(handle.span);
                self.node(ExprKind::Join(Box::new(handle)), span)
            }
            _ => {
                let name = self.name("a value")?;
                self.node(ExprKind::Name(name.text), name.span)
            }
        }
    }

    /// `[]`, `[a, b]`, `[k: v]`, `[e; n]`.
    pub(super) fn collection(&mut self) -> Parsed<Expr<'a>> {
        let open = self.advance();
        if open.kind == TokenKind::Box || self.eat(TokenKind::RightBracket) {
            let span = open.span.to(self.before());
            return self.node(ExprKind::List(Vec::new()), span);
        }
        let first = self.expression()?;
        let kind = if self.eat(TokenKind::Semicolon) {
            ExprKind::Repeated(Box::new(first), Box::new(self.expression()?))
        } else if self.eat(TokenKind::Colon) {
            let mut all = vec![first, self.expression()?];
            while self.eat(TokenKind::Comma) {
                all.push(self.expression()?);
                self.expect(TokenKind::Colon, "`:` and the value")?;
                all.push(self.expression()?);
            }
            ExprKind::Pairs(all)
        } else {
            let mut all = vec![first];
            while self.eat(TokenKind::Comma) {
                all.push(self.expression()?);
            }
            ExprKind::List(all)
        };
        self.expect(TokenKind::RightBracket, "`,` or `]`")?;
        self.node(kind, open.span.to(self.before()))
    }

    /// `forall x in s: P`.
    pub(super) fn over(&mut self) -> Parsed<Expr<'a>> {
        let start = self.advance();
        let quantifier = match start.kind {
            TokenKind::Keyword(Keyword::Forall) => Quantifier::Forall,
            _ => Quantifier::Exists,
        };
        let name = self.name("a variable")?;
        self.expect_keyword(Keyword::In)?;
        self.over_values(start.span, quantifier, name)
    }

    /// What a variable ranges over, and what is said of it.
    pub(super) fn over_values(
        &mut self,
        start: Span,
        quantifier: Quantifier,
        name: Name<'a>,
    ) -> Parsed<Expr<'a>> {
        let range = Box::new(self.domain()?);
        self.expect(TokenKind::Colon, "`:` and what is said of it")?;
        let body = Box::new(self.expression()?);
        let span = start.to(body.span);
        self.node(ExprKind::Over { quantifier, name, range, body }, span)
    }
}
