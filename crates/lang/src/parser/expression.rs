//! Expressions, by precedence climbing.
//!
//! From loose to tight: `until` and its kin; `implies` (to the right); `or`; `and`; `not`; comparisons,
//! `at` and `in`, which do not chain; `+ -`; `* / %`; unary minus. Operators on the future and quantifiers
//! reach as far to the right as they can, up to `until`.

use net::{BinaryOp, UnaryOp};

use super::{DEPTH, Parsed, Parser, Reported};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::operator::{Level, binary_op, meant, path_op};
use crate::syntax::process::Argument;
use crate::syntax::{Direction, Expr, ExprKind, Infix, Name, Prefix};
use diagnostics::{Diagnostic, Span};

/// What stands between two operands.
enum Operator<'a> {
    Between(Infix),
    /// `x in s`, in a process.
    Has,
    /// The right side is the name of this, and the whole is made of the left side and the name.
    Of(&'static str, fn(Box<Expr<'a>>, Name<'a>) -> ExprKind<'a>),
}

/// The largest integer that may be written, in magnitude: every reader of JSON can hold it.
pub(crate) const LARGEST: i64 = 1 << 53;

/// The integer that is written, if one is, unless it is too large.
pub(crate) fn written_integer(text: &str) -> Option<Option<i64>> {
    let digits: String = text.chars().filter(|&c| c != '_').collect();
    let is_integer = text.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_integer.then(|| digits.parse().ok().filter(|number| *number <= LARGEST))
}

impl<'a> Parser<'a, '_> {
    /// An expression or a formula.
    ///
    /// # Errors
    ///
    /// There is none here, which is reported.
    pub fn expression(&mut self) -> Parsed<Expr<'a>> {
        let outside = std::mem::replace(&mut self.within_path, false);
        let parsed = self.climb(Level::Until);
        self.within_path = outside;
        parsed
    }

    /// The bound of a range; within a product of sorts, without products.
    pub(super) fn bound(&mut self, alone: bool) -> Parsed<Expr<'a>> {
        if alone {
            return self.climb(Level::Sum);
        }
        let mut left = self.climb(Level::Negate)?;
        loop {
            let op = match self.kind() {
                TokenKind::Plus => BinaryOp::Add,
                TokenKind::Minus => BinaryOp::Subtract,
                _ => return Ok(left),
            };
            let span = self.advance().span;
            let right = self.climb(Level::Negate)?;
            left = self.binary(Infix::Data(op), span, left, right)?;
        }
    }

    /// An expression whose operators bind at least as tightly as `loosest`.
    pub(super) fn climb(&mut self, loosest: Level) -> Parsed<Expr<'a>> {
        self.depth += 1;
        let parsed = if self.depth > DEPTH {
            Err(self.too_deep(self.token().span))
        } else {
            self.climb_here(loosest)
        };
        self.depth -= 1;
        parsed
    }

    fn climb_here(&mut self, loosest: Level) -> Parsed<Expr<'a>> {
        let mut left = self.prefix()?;
        // The operator of a comparison that cannot be followed by another.
        let mut compared: Option<(Level, Span)> = None;
        while let Some((op, level)) = self.infix() {
            if level < loosest {
                break;
            }
            let token = self.token();
            if let Some((before, span)) = compared
                && before == level
                && matches!(level, Level::Compare | Level::Until)
            {
                return Err(self.report_chain(level, span));
            }
            self.check_spelling();
            if !self.in_process {
                self.check_infix_letter();
            }
            self.advance();
            compared = Some((level, token.span));
            let op = match op {
                Operator::Between(op) => op,
                Operator::Has => {
                    let right = self.climb(level.operands().1)?;
                    let span = left.span.to(right.span);
                    let kind = match right.as_name().filter(|_| self.in_claim) {
                        Some(part) => ExprKind::Within(Box::new(left), part),
                        None => ExprKind::Has(Box::new(left), Box::new(right)),
                    };
                    left = self.node(kind, span)?;
                    continue;
                }
                Operator::Of(what, kind) => {
                    let name = self.name(what)?;
                    if self.in_claim && self.eat(TokenKind::Dot) {
                        left = self.at_label(left, name)?;
                        continue;
                    }
                    let span = left.span.to(name.span);
                    left = self.node(kind(Box::new(left), name), span)?;
                    continue;
                }
            };
            if self.within_path && matches!(level, Level::And | Level::Or) {
                self.check_ambiguity(token.span)?;
            }
            let right = self.climb(level.operands().1)?;
            left = self.binary(op, token.span, left, right)?;
        }
        Ok(left)
    }

    /// Reports a second operator at a level where only one can be.
    fn report_chain(&mut self, level: Level, first: Span) -> Reported {
        let (what, help) = match level {
            Level::Compare => {
                ("comparisons do not chain", "write `a < b and b < c`, or use parentheses")
            }
            _ => ("these operators do not chain", "use parentheses to say what is meant"),
        };
        Diagnostic::error("E0108", what)
            .at(self.token().span, "a second one")
            .also(first, "the first one")
            .help(help)
            .report(self.diagnostics)
    }

    /// The operator here.
    fn infix(&self) -> Option<(Operator<'a>, Level)> {
        let kind = self.kind();
        if let Some(op) = binary_op(meant(kind).unwrap_or(kind)) {
            return Some((Operator::Between(Infix::Data(op)), Level::of(op)));
        }
        if self.in_process {
            return self.process_infix();
        }
        if self.in_claim
            && let Some(found) = self.process_infix()
        {
            return Some(found);
        }
        let until = match kind {
            TokenKind::Keyword(Keyword::At) => {
                return Some((Operator::Of("a flow place", ExprKind::At), Level::Compare));
            }
            TokenKind::Keyword(Keyword::In) => {
                return Some((Operator::Of("a part of a class", ExprKind::Within), Level::Compare));
            }
            TokenKind::Keyword(Keyword::Until) => Infix::Until,
            TokenKind::Keyword(Keyword::LeadsTo) => Infix::LeadsTo,
            TokenKind::Keyword(Keyword::AU) => Infix::AllUntil,
            TokenKind::Keyword(Keyword::EU) => Infix::SomeUntil,
            TokenKind::Name => self.infix_letter()?,
            _ => return None,
        };
        Some((Operator::Between(until), Level::Until))
    }

    /// The operator here that nets do not have.
    fn process_infix(&self) -> Option<(Operator<'a>, Level)> {
        match self.kind() {
            TokenKind::Keyword(Keyword::In) => Some((Operator::Has, Level::Compare)),
            TokenKind::Name if self.kind_after(1) == TokenKind::Name && self.is_word_here("is") => {
                Some((Operator::Of("a case", ExprKind::Is), Level::Compare))
            }
            _ => None,
        }
    }

    /// Reports an operator of other languages; it is then read as meant.
    fn check_spelling(&mut self) {
        let token = self.token();
        let meant = match meant(token.kind) {
            None => return,
            Some(TokenKind::Keyword(keyword)) => keyword.text(),
            Some(TokenKind::Equal) => "==",
            Some(_) => "!=",
        };
        self.report_operator(token.span, &format!("write `{meant}`"));
    }

    /// Whether no operand starts this many tokens ahead, so that `[]` before it is empty, and not `always`.
    fn ends_operand(&self, tokens: usize) -> bool {
        let kind = self.kind_after(tokens);
        super::starts_declaration(kind)
            || matches!(
                kind,
                TokenKind::RightParen
                    | TokenKind::RightBracket
                    | TokenKind::Comma
                    | TokenKind::End
                    | TokenKind::Keyword(Keyword::And | Keyword::Or | Keyword::Implies)
                    | TokenKind::Keyword(Keyword::Until | Keyword::LeadsTo)
            )
    }

    fn prefix(&mut self) -> Parsed<Expr<'a>> {
        let token = self.token();
        let (op, level) = match token.kind {
            TokenKind::Keyword(Keyword::Not) | TokenKind::Bang => (UnaryOp::Not, Level::Not),
            TokenKind::Minus => (UnaryOp::Negate, Level::Negate),
            TokenKind::Keyword(Keyword::Forall | Keyword::Exists) if self.in_process => {
                return self.over();
            }
            TokenKind::Keyword(Keyword::Forall | Keyword::Exists) => return self.quantified(),
            TokenKind::Keyword(keyword) => match path_op(keyword) {
                Some(op) => return self.path(keyword, op),
                None => return self.primary(),
            },
            TokenKind::LeftBracket if self.in_claim => return self.collection(),
            TokenKind::Box if self.in_claim && self.ends_operand(1) => return self.collection(),
            TokenKind::Box | TokenKind::LessGreater | TokenKind::Name if !self.in_process => {
                if self.read_misspelt() {
                    return self.prefix();
                }
                if let Some((op, words, tokens)) = self.letters() {
                    return self.lettered(op, words, tokens);
                }
                return self.bracketed().unwrap_or_else(|| self.primary());
            }
            _ => return self.primary(),
        };
        self.check_spelling();
        self.advance();
        if op == UnaryOp::Negate && self.is(TokenKind::Int) {
            let number = self.integer()?;
            let span = token.span.to(number.span);
            let ExprKind::Int(magnitude) = number.kind else { return Ok(number) };
            return self.node(ExprKind::Int(-magnitude), span);
        }
        let operand = self.climb(level)?;
        let span = token.span.to(operand.span);
        self.node(ExprKind::Unary(Prefix::Data(op), Box::new(operand)), span)
    }

    /// What no operator is part of. Only a dispatcher: the frames of nested expressions add up.
    pub(super) fn primary(&mut self) -> Parsed<Expr<'a>> {
        if self.in_process { self.process_primary() } else { self.plain_primary() }
    }

    /// What no operator is part of, and nets have, too.
    pub(super) fn plain_primary(&mut self) -> Parsed<Expr<'a>> {
        match self.kind() {
            TokenKind::Int => self.integer(),
            TokenKind::Underscore => {
                let span = self.advance().span;
                self.node(ExprKind::Wildcard, span)
            }
            TokenKind::Name => self.named(),
            TokenKind::LeftParen => self.parenthesised(),
            TokenKind::Keyword(keyword) => self.word(keyword),
            _ => Err(self.unexpected("a value")),
        }
    }

    /// A name, perhaps with a column, or a member by its number.
    fn named(&mut self) -> Parsed<Expr<'a>> {
        if self.in_claim {
            return self.claim_named();
        }
        let name = self.name("a value")?;
        if self.eat(TokenKind::Dot) {
            let column = self.name("a column")?;
            return self.node(ExprKind::Field(name, column), name.span.to(column.span));
        }
        if self.eat(TokenKind::LeftParen) {
            let arguments = self.list_to_paren(Self::expression)?;
            let span = name.span.to(self.before());
            return self.node(ExprKind::Nth(name, arguments), span);
        }
        self.node(ExprKind::Name(name.text), name.span)
    }

    /// `(a)`, or a tuple.
    fn parenthesised(&mut self) -> Parsed<Expr<'a>> {
        let span = self.advance().span;
        let mut inner = self.list_to_paren(Self::expression)?;
        let span = span.to(self.before());
        let kind = match inner.len() {
            1 => ExprKind::Paren(Box::new(inner.remove(0))),
            _ => ExprKind::Tuple(inner),
        };
        self.node(kind, span)
    }

    fn word(&mut self, keyword: Keyword) -> Parsed<Expr<'a>> {
        let span = self.token().span;
        match keyword {
            Keyword::True | Keyword::False => {
                self.advance();
                self.node(ExprKind::Bool(keyword == Keyword::True), span)
            }
            Keyword::If => self.conditional(),
            Keyword::Parent | Keyword::Ancestor | Keyword::NextSibling | Keyword::ElderSibling => {
                self.called("two threads", |list| ExprKind::Relation(keyword.text(), list))
            }
            Keyword::All => self.all(),
            Keyword::Succ | Keyword::Pred => {
                let is_succ = keyword == Keyword::Succ;
                let direction = if is_succ { Direction::Forward } else { Direction::Backward };
                self.called("a member of a class", |list| ExprKind::Shift(direction, list))
            }
            _ => self.property_word(keyword),
        }
    }

    fn conditional(&mut self) -> Parsed<Expr<'a>> {
        let span = self.advance().span;
        let condition = Box::new(self.climb(Level::Until)?);
        if self.in_process && self.is(TokenKind::LeftBrace) {
            let help = "as a value, write `if c then a else b`";
            return Err(self.foreign(self.token().span, help));
        }
        self.expect_keyword(Keyword::Then)?;
        let then = Box::new(self.climb(Level::Until)?);
        self.expect_keyword(Keyword::Else)?;
        let other = Box::new(self.climb(Level::Implies)?);
        let span = span.to(other.span);
        self.node(ExprKind::If(condition, then, other), span)
    }

    /// A word with arguments, such as `parent(p, c)` or `succ(x)`; `what` they are.
    fn called(
        &mut self,
        what: &str,
        kind: impl FnOnce(Vec<Expr<'a>>) -> ExprKind<'a>,
    ) -> Parsed<Expr<'a>> {
        let span = self.advance().span;
        self.expect(TokenKind::LeftParen, &format!("`(` and {what}"))?;
        let arguments = self.list_to_paren(Self::expression)?;
        self.node(kind(arguments), span.to(self.before()))
    }

    fn integer(&mut self) -> Parsed<Expr<'a>> {
        let span = self.advance().span;
        let text = span.text(self.text);
        let Some(number) = written_integer(text) else {
            return Err(Diagnostic::error(
                "E0104",
                format!("`{}` is no number", super::excerpt(text)),
            )
            .at(span, "")
            .help("numbers are decimal, such as 12 or 1_000; names do not start with a digit")
            .report(self.diagnostics));
        };
        match number {
            Some(number) => self.node(ExprKind::Int(number), span),
            None => Err(Diagnostic::error("E0104", "the number is too large")
                .at(span, "")
                .help("integers that are written lie between -2^53 and 2^53")
                .report(self.diagnostics)),
        }
    }

    fn binary(
        &mut self,
        op: Infix,
        span: Span,
        left: Expr<'a>,
        right: Expr<'a>,
    ) -> Parsed<Expr<'a>> {
        let whole = left.span.to(right.span);
        self.node(ExprKind::Binary(op, span, Box::new(left), Box::new(right)), whole)
    }

    /// An expression, if it is not too deep.
    pub(super) fn node(&mut self, kind: ExprKind<'a>, span: Span) -> Parsed<Expr<'a>> {
        let deepest = |list: &[Expr<'a>]| list.iter().map(|e| e.depth).max().unwrap_or(0);
        let given = |list: &[Argument<'a>]| list.iter().map(|a| a.value.depth).max().unwrap_or(0);
        let below = match &kind {
            ExprKind::Paren(a)
            | ExprKind::Unary(_, a)
            | ExprKind::At(a, _)
            | ExprKind::AtLabel(a, ..)
            | ExprKind::Within(a, _)
            | ExprKind::Ended(a) => a.depth,
            ExprKind::Binary(_, _, a, b) => a.depth.max(b.depth),
            ExprKind::If(a, b, c) => a.depth.max(b.depth).max(c.depth),
            ExprKind::Tuple(list)
            | ExprKind::Relation(_, list)
            | ExprKind::Nth(_, list)
            | ExprKind::Shift(_, list) => deepest(list),
            ExprKind::All(all) => deepest(&all.except),
            ExprKind::Count(atom) => deepest(atom.arguments()),
            ExprKind::AtMost(a, _, atom, _) => a.depth.max(deepest(atom.arguments())),
            ExprKind::Quantified { body, .. } | ExprKind::Predicate(_, body) => body.depth,
            ExprKind::Member(a, _)
            | ExprKind::Value(a)
            | ExprKind::Join(a)
            | ExprKind::Is(a, _) => a.depth,
            ExprKind::Index(a, b) | ExprKind::Has(a, b) | ExprKind::Repeated(a, b) => {
                a.depth.max(b.depth)
            }
            ExprKind::Over { range, body, .. } => {
                range.parts().iter().map(|part| part.depth).fold(body.depth, u16::max)
            }
            ExprKind::List(list) | ExprKind::Pairs(list) => deepest(list),
            ExprKind::Call(callee, arguments) => callee.depth.max(given(arguments)),
            ExprKind::New(_, arguments) | ExprKind::Spawn(_, arguments) => given(arguments),
            _ => 0,
        };
        if below >= DEPTH {
            return Err(self.too_deep(span));
        }
        Ok(Expr { span, depth: below + 1, kind })
    }

    pub(super) fn too_deep(&mut self, span: Span) -> Reported {
        let end = span.end.min(span.start + 1);
        // Only the beginning is shown, and only if it is a character of its own.
        let start = match self.text.is_char_boundary(end as usize) {
            true => Span { end, ..span },
            false => Span { end: span.start, ..span },
        };
        Diagnostic::error("E0002", format!("more than {DEPTH} operations within one another"))
            .at(start, "this expression")
            .help("name parts of it: with `let` in a transition, with `const` where it is constant")
            .report(self.diagnostics)
    }
}
