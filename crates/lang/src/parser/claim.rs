//! What properties say of processes: where they are, what their variables are, and those of objects.

use super::{Parsed, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::syntax::{Atom, Expr, ExprKind, Name, Ranged};
use diagnostics::Diagnostic;

impl<'a> Parser<'a, '_> {
    /// A name, and what stands behind it.
    pub(super) fn claim_named(&mut self) -> Parsed<Expr<'a>> {
        let name = match self.kind() {
            TokenKind::Keyword(_) => self.name_after_dot()?,
            _ => self.name("a value")?,
        };
        let mut found = self.node(ExprKind::Name(name.text), name.span)?;
        loop {
            let kind = match self.kind() {
                TokenKind::Dot => {
                    self.advance();
                    let member = self.name_after_dot()?;
                    match found.kind {
                        ExprKind::Name(_) => ExprKind::Field(name, member),
                        _ => ExprKind::Member(Box::new(as_member(found)), member),
                    }
                }
                TokenKind::LeftParen => {
                    self.advance();
                    let arguments = self.list_to_paren(Self::call_argument)?;
                    match found.kind {
                        ExprKind::Name(_) => {
                            let values = arguments.into_iter().map(|argument| argument.value);
                            ExprKind::Nth(name, values.collect())
                        }
                        _ => ExprKind::Call(Box::new(as_member(found)), arguments),
                    }
                }
                TokenKind::LeftBracket => {
                    self.advance();
                    let index = self.expression()?;
                    self.expect(TokenKind::RightBracket, "`]`")?;
                    ExprKind::Index(Box::new(as_member(found)), Box::new(index))
                }
                TokenKind::Bang => {
                    self.advance();
                    ExprKind::Value(Box::new(as_member(found)))
                }
                _ => return Ok(found),
            };
            found = self.node(kind, name.span.to(self.before()))?;
        }
    }

    /// What follows `at NAME.`: a label.
    pub(super) fn at_label(&mut self, left: Expr<'a>, routine: Name<'a>) -> Parsed<Expr<'a>> {
        let label = self.name_after_dot()?;
        let span = left.span.to(label.span);
        self.node(ExprKind::AtLabel(Box::new(left), routine, label), span)
    }

    /// `count(worker)`, `count(worker at critical)`, or tokens as in nets.
    pub(super) fn claim_count(&mut self) -> Parsed<Expr<'a>> {
        let start = self.advance().span;
        self.expect(TokenKind::LeftParen, "`(` and a place or a process")?;
        let kind = if self.kind_after(1) == TokenKind::Keyword(Keyword::At) {
            let process = self.name("a process")?;
            self.advance();
            let mut labels = vec![self.name("a label")?];
            if self.eat(TokenKind::Dot) {
                labels.push(self.name_after_dot()?);
            }
            ExprKind::CountAt(process, labels)
        } else {
            let atom: Atom<'a> = self.atom("a place or a process")?;
            if self.is(TokenKind::Dot) {
                let (process, label) = (atom.place.text, self.token_after(1).span);
                let help = format!("write `count({process} at {})`", label.text(self.text));
                return Err(Diagnostic::error("E0101", "a label stands behind `at` here")
                    .at(atom.place.span.to(label), "the threads of a process at a label")
                    .help(help)
                    .report(self.diagnostics));
            }
            ExprKind::Count(atom)
        };
        self.expect(TokenKind::RightParen, "`)`")?;
        self.node(kind, start.to(self.before()))
    }

    /// Whether a quantifier of a property ranges over the elements of a collection, or over numbers: what it ranges
    /// over is not a name with a label or with types behind it.
    pub(super) fn goes_over_values(&self) -> bool {
        let mut after = 1;
        match self.kind_after(1) {
            TokenKind::Dot => after = 3,
            TokenKind::LeftBracket => {
                let mut open = 0_usize;
                loop {
                    match self.kind_after(after) {
                        TokenKind::LeftBracket => open += 1,
                        TokenKind::RightBracket => open -= 1,
                        TokenKind::End => break,
                        _ => {}
                    }
                    after += 1;
                    // No type is longer than that.
                    if open == 0 || after > 200 {
                        break;
                    }
                }
            }
            _ => {}
        }
        self.in_claim && !(self.is(TokenKind::Name) && self.kind_after(after) == TokenKind::Colon)
    }

    /// What may follow the name of what a quantifier ranges over: the types of an object type, or a label.
    pub(super) fn more_of_range(&mut self) -> Parsed<Option<Box<Ranged<'a>>>> {
        if self.in_claim && self.eat(TokenKind::LeftBracket) {
            let types = self.list(Self::type_argument)?;
            self.expect(TokenKind::RightBracket, "`,` or `]`")?;
            return Ok(Some(Box::new(Ranged { types, label: None })));
        }
        if self.in_claim && self.eat(TokenKind::Dot) {
            let label = Some(self.name_after_dot()?);
            return Ok(Some(Box::new(Ranged { types: Vec::new(), label })));
        }
        Ok(None)
    }
}

/// `a.b` as the beginning of something longer.
fn as_member(expr: Expr<'_>) -> Expr<'_> {
    match expr.kind {
        ExprKind::Field(name, member) => {
            let inner = Expr { span: name.span, depth: 1, kind: ExprKind::Name(name.text) };
            let kind = ExprKind::Member(Box::new(inner), member);
            Expr { span: expr.span, depth: expr.depth.max(2), kind }
        }
        _ => expr,
    }
}
