//! What only properties say: the future, threads and tokens at large, counts.

use net::{PathOp, Quantifier};

use super::{Parsed, Parser, Reported};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::operator::{Level, path_op};
use crate::syntax::{Expr, ExprKind, Name, Prefix, RangeOver};
use diagnostics::{Diagnostic, Span};

impl<'a> Parser<'a, '_> {
    /// `always F` and its kin.
    pub(super) fn path(&mut self, keyword: Keyword, op: PathOp) -> Parsed<Expr<'a>> {
        let span = self.advance().span;
        let outside = std::mem::replace(&mut self.within_path, true);
        let operand = self.climb(Level::Implies);
        self.within_path = outside;
        let operand = operand?;
        if let TokenKind::Keyword(
            next @ (Keyword::Until | Keyword::LeadsTo | Keyword::AU | Keyword::EU),
        ) = self.kind()
        {
            let (outer, inner) = (keyword.text(), next.text());
            return Err(self.ambiguous(
                self.token().span,
                format!("`({outer} …) {inner} …` or `{outer} (… {inner} …)`"),
            ));
        }
        let span = span.to(operand.span);
        self.node(ExprKind::Unary(Prefix::Path(op), Box::new(operand)), span)
    }

    /// Within `eventually a and …`, another operator on the future may be meant to stand beside the
    /// first as well as within it. With `implies` only one reading is ever meant.
    pub(super) fn check_ambiguity(&mut self, operator: Span) -> Parsed<()> {
        if let TokenKind::Keyword(keyword) = self.kind()
            && path_op(keyword).is_some()
        {
            let (word, connective) = (keyword.text(), operator.text(self.text));
            return Err(self.ambiguous(
                operator,
                format!("`(…) {connective} ({word} …)` or `… (… {connective} {word} …)`"),
            ));
        }
        Ok(())
    }

    fn ambiguous(&mut self, span: Span, readings: String) -> Reported {
        Diagnostic::error("E0109", "this can be read in two ways")
            .at(span, "within the operator before it, or beside it?")
            .help(format!("use parentheses: {readings}"))
            .report(self.diagnostics)
    }

    /// `forall p at listening: F`.
    pub(super) fn quantified(&mut self) -> Parsed<Expr<'a>> {
        let start = self.advance();
        let quantifier = match start.kind {
            TokenKind::Keyword(Keyword::Forall) => Quantifier::Forall,
            _ => Quantifier::Exists,
        };
        let binders = if self.eat(TokenKind::LeftParen) {
            let binders = self.list(Self::binder)?;
            self.expect(TokenKind::RightParen, "`,` or `)`")?;
            binders
        } else {
            vec![self.binder()?]
        };
        let range = match self.kind() {
            TokenKind::Keyword(Keyword::At) => RangeOver::At,
            TokenKind::Keyword(Keyword::In) => RangeOver::In,
            TokenKind::Keyword(Keyword::Entering) => RangeOver::Entering,
            _ => return Err(self.unexpected("`at`, `entering` or `in` and a place")),
        };
        let word = self.advance().span;
        if range != RangeOver::Entering
            && self.is(TokenKind::Name)
            && self.kind_after(1) == TokenKind::Keyword(Keyword::Entering)
        {
            return Err(self.two_ranges(start.span, word));
        }
        if let (RangeOver::In, [Some(name)], true) = (range, &binders[..], self.goes_over_values())
        {
            return self.over_values(start.span, quantifier, *name);
        }
        let place = self.name("a place")?;
        let of = self.more_of_range()?;
        self.expect(TokenKind::Colon, "`:` and what is said of it")?;
        let body = Box::new(self.expression()?);
        let span = start.span.to(body.span);
        let kind = ExprKind::Quantified { quantifier, binders, range, place, of, body };
        self.node(kind, span)
    }

    /// Reports `forall w in worker entering asking`, of which the first of the two words has been read.
    fn two_ranges(&mut self, start: Span, word: Span) -> Reported {
        let quantified = self.text[start.start as usize..word.start as usize].trim_end();
        let (place, entering) = (self.advance().span, self.advance().span);
        let mut label = self.token().span.text(self.text).to_owned();
        if !self.is(TokenKind::Name) {
            label = "LABEL".to_owned();
        }
        if self.in_claim && self.kind_after(1) != TokenKind::Dot {
            label = format!("{}.{label}", place.text(self.text));
        } else if self.in_claim {
            label = format!("{label}.{}", self.token_after(2).span.text(self.text));
        }
        let message = format!("`{}` and `entering` do not go together", word.text(self.text));
        Diagnostic::error("E0101", message)
            .at(entering, "a second word for where they are")
            .also(word, "the first one")
            .help(format!("write `{quantified} entering {label}: …`"))
            .report(self.diagnostics)
    }

    /// What stands in parentheses after a word.
    fn argument<T>(&mut self, what: &str, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.advance();
        self.expect(TokenKind::LeftParen, &format!("`(` and {what}"))?;
        let argument = read(self)?;
        self.expect(TokenKind::RightParen, "`)`")?;
        Ok(argument)
    }

    fn binder(&mut self) -> Parsed<Option<Name<'a>>> {
        if self.eat(TokenKind::Underscore) { Ok(None) } else { self.name("a variable").map(Some) }
    }

    /// An atom that starts with a reserved word.
    pub(super) fn property_word(&mut self, keyword: Keyword) -> Parsed<Expr<'a>> {
        let span = self.token().span;
        let kind = match keyword {
            // A variable may have the name of a word that needs an argument.
            Keyword::Count | Keyword::Ended | Keyword::Enabled
                if self.in_claim && self.kind_after(1) != TokenKind::LeftParen =>
            {
                return self.claim_named();
            }
            Keyword::DeadlockFree => {
                self.advance();
                ExprKind::DeadlockFree
            }
            Keyword::Count if self.in_claim => return self.claim_count(),
            Keyword::Count => ExprKind::Count(self.argument("a place", |p| p.atom("a place"))?),
            Keyword::Ended => {
                ExprKind::Ended(Box::new(self.argument("a thread", Self::expression)?))
            }
            Keyword::Enabled => self.argument("a transition", |parser| {
                let name = parser.name("a transition")?;
                match parser.in_claim && parser.eat(TokenKind::Dot) {
                    true => Ok(ExprKind::EnabledArm(name, parser.name_after_dot()?)),
                    false => Ok(ExprKind::Enabled(name)),
                }
            })?,
            Keyword::At if self.kind_after(1) == TokenKind::Keyword(Keyword::Most) => {
                self.advance();
                self.advance();
                // Not an expression at large: `3 at critical` would be one.
                let number = self.climb(Level::Sum)?;
                let threads = match self.kind() {
                    TokenKind::Keyword(Keyword::At) => true,
                    TokenKind::Keyword(Keyword::In) => false,
                    _ => return Err(self.unexpected("`at` or `in` and a place")),
                };
                self.advance();
                let atom = Box::new(self.atom("a place")?);
                let label = match self.in_claim && self.eat(TokenKind::Dot) {
                    true => Some(self.name_after_dot()?),
                    false => None,
                };
                ExprKind::AtMost(Box::new(number), threads, atom, label)
            }
            _ => return Err(self.unexpected("a value")),
        };
        let span = span.to(self.before());
        self.node(kind, span)
    }
}
