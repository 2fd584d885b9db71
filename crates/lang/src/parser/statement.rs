//! Statements of processes.
//!
//! Statements have no separators: each starts with a name or a word, and no expression goes on with one. The
//! words are reserved only at the start of a statement, and not where the statement is an assignment to a variable
//! of that name. After a mistake the parser goes on at the next line, or after the block.

use net::BinaryOp;

use super::{DEPTH, Parsed, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::operator::Level;
use crate::syntax::process::{Block, Condition, Domain, Statement, StatementKind};
use crate::syntax::{Expr, ExprKind, Name};
use diagnostics::{Diagnostic, Span};

impl<'a> Parser<'a, '_> {
    /// Statements in braces.
    pub(super) fn block(&mut self) -> Parsed<Block<'a>> {
        if self.is(TokenKind::Colon) {
            let span = self.advance().span;
            let reported = self.foreign(span, "leave it out: a block stands in braces, `{ … }`");
            if !self.is(TokenKind::LeftBrace) {
                return Err(reported);
            }
        }
        let open = self.expect(TokenKind::LeftBrace, "`{`")?.span;
        self.depth += 1;
        let parsed =
            if self.depth > DEPTH { Err(self.too_deep(open)) } else { self.block_after(open) };
        self.depth -= 1;
        parsed
    }

    fn block_after(&mut self, open: Span) -> Parsed<Block<'a>> {
        let mut statements = Vec::new();
        while !self.ends_block() {
            let start = self.position;
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(_) => self.skip_statement(start),
            }
        }
        let close = self.close(open)?;
        Ok(Block { open, close, statements })
    }

    /// Whether no statement can follow.
    pub(super) fn ends_block(&self) -> bool {
        self.is(TokenKind::RightBrace) || self.is(TokenKind::End) || self.starts_declaration()
    }

    /// Takes the brace that closes one.
    pub(super) fn close(&mut self, open: Span) -> Parsed<Span> {
        if self.is(TokenKind::RightBrace) {
            let close = self.advance().span;
            self.note_askew(open, close);
            return Ok(close);
        }
        // Those around it are not closed either.
        if let Some((position, reported)) = self.unclosed
            && position == self.position
        {
            return Err(reported);
        }
        let error = Diagnostic::error("E0112", "a brace is not closed")
            .at(self.before(), "expected `}` after this")
            .also(open, "opened here");
        let error = match self.askew.filter(|askew| askew.start != open.start) {
            Some(askew) => {
                error.also(askew, "or perhaps this one is not: its `}` stands elsewhere")
            }
            None => error,
        };
        let reported = self.diagnostics.push(error);
        self.unclosed = Some((self.position, reported));
        Err(reported)
    }

    /// Notes the first brace of a declaration whose partner does not stand below the line that it is on.
    fn note_askew(&mut self, open: Span, close: Span) {
        // Of a long line nothing is asked.
        let indentation = |span: Span| {
            let before = self.text[..span.start as usize].bytes().rev().take(200);
            let line: Vec<u8> = before.take_while(|byte| *byte != b'\n').collect();
            let blank = line.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
            (blank, blank == line.len())
        };
        let ((wanted, _), (found, is_first)) = (indentation(open), indentation(close));
        if is_first && wanted != found && self.askew.is_none() {
            self.askew = Some(open);
        }
    }

    /// Goes on at the next line, or at the brace that closes the block. Nested blocks are passed over.
    pub(super) fn skip_statement(&mut self, start: usize) {
        if self.position == start && !self.is(TokenKind::RightBrace) {
            self.skip_one();
        }
        while !self.ends_block() && !self.starts_line() {
            self.skip_one();
        }
        self.skip_from(start, |_| true);
    }

    /// Passes over a token, or a block.
    fn skip_one(&mut self) {
        if self.advance().kind != TokenKind::LeftBrace {
            return;
        }
        let mut open = 1_usize;
        while open > 0 && !self.is(TokenKind::End) && !self.starts_declaration() {
            match self.advance().kind {
                TokenKind::LeftBrace => open += 1,
                TokenKind::RightBrace => open -= 1,
                _ => {}
            }
        }
    }

    fn statement(&mut self) -> Parsed<Statement<'a>> {
        let start = self.token().span;
        self.check_foreign_statement()?;
        let mut label = None;
        if self.is(TokenKind::Name) && self.kind_after(1) == TokenKind::Colon {
            let name = self.name("a label")?;
            self.advance();
            let is_loop = ["loop", "while", "for", "repeat"].iter().any(|w| self.is_word_here(w));
            if !is_loop {
                let span = start.to(self.before());
                return Ok(Statement { span, label, kind: StatementKind::Label(name) });
            }
            label = Some(name);
        }
        let kind = match self.kind() {
            TokenKind::Keyword(Keyword::Let) => self.definition()?,
            TokenKind::Keyword(Keyword::If) => self.choice()?,
            TokenKind::Name => match self.worded()? {
                Some(kind) => kind,
                None => self.assignment()?,
            },
            TokenKind::LeftBrace => return Err(self.bare_block()),
            TokenKind::Question => {
                let help = "what may fail gives a `T?`: write `if let v = … { … }`";
                return Err(self.foreign(start, help));
            }
            _ => return Err(self.unexpected("a statement")),
        };
        Ok(Statement { span: start.to(self.before()), label, kind })
    }

    /// Reports a block that belongs to nothing. What is in it is looked at.
    fn bare_block(&mut self) -> diagnostics::Reported {
        let reported = Diagnostic::error("E0101", "expected a statement, found `{`")
            .at(self.token().span, "this block belongs to nothing")
            .help("a block follows `if`, `while`, `loop`, `with m.lock()`, `atomic` and the like")
            .report(self.diagnostics);
        let _ = self.block();
        reported
    }

    fn definition(&mut self) -> Parsed<StatementKind<'a>> {
        self.advance();
        self.check_foreign_variable()?;
        let name = self.name("a variable")?;
        let of = match self.eat(TokenKind::Colon) {
            true => Some(self.type_syntax()?),
            false => None,
        };
        if !self.is(TokenKind::Assign) {
            let reported = self.unexpected("`=` and the value");
            // It is known from here on, whatever it is.
            self.skipped.insert(name.text);
            return Err(reported);
        }
        self.advance();
        Ok(StatementKind::Let { name, of, value: self.expression()? })
    }

    fn condition_or_let(&mut self) -> Parsed<Condition<'a>> {
        if !self.eat_keyword(Keyword::Let) {
            return Ok(Condition::Plain(self.expression()?));
        }
        let name = match self.foreign_pattern() {
            Some(name) => name,
            None => self.name("a variable")?,
        };
        self.expect(TokenKind::Assign, "`=` and a value that may be `none`")?;
        Ok(Condition::Let(name, self.expression()?))
    }

    fn choice(&mut self) -> Parsed<StatementKind<'a>> {
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            self.advance();
            let condition = self.condition_or_let()?;
            self.check_foreign_header();
            arms.push((condition, self.block()?));
            if !self.eat_keyword(Keyword::Else) {
                break;
            }
            if arms.len() >= usize::from(DEPTH) {
                return Err(self.too_deep(self.token().span));
            }
            if !self.is_keyword(Keyword::If) {
                otherwise = Some(self.block()?);
                break;
            }
        }
        Ok(StatementKind::If { arms, otherwise })
    }

    /// A statement that starts with a word, if one does.
    fn worded(&mut self) -> Parsed<Option<StatementKind<'a>>> {
        let word = self.token().span.text(self.text);
        if !self.is_word_here(word) {
            return Ok(None);
        }
        let next = self.kind_after(1);
        let has_block = next == TokenKind::LeftBrace;
        let kind = match word {
            "loop" | "either" | "atomic" | "select" if !has_block => return Ok(None),
            "loop" => self.after_word(|p| Ok(StatementKind::Loop(p.block()?)))?,
            "atomic" => self.after_word(|p| Ok(StatementKind::Atomic(p.block()?)))?,
            "either" => self.after_word(Self::alternatives)?,
            "select" => self.after_word(Self::select)?,
            "while" => self.after_word(|p| {
                let condition = p.condition_or_let()?;
                p.check_foreign_header();
                Ok(StatementKind::While(condition, p.block()?))
            })?,
            "repeat" => self.after_word(|p| {
                if p.is(TokenKind::LeftBrace) {
                    let help = "write `loop { … }`, or `repeat n { … }`";
                    return Err(p.foreign(p.before(), help));
                }
                let times = p.expression()?;
                Ok(StatementKind::Repeat(times, p.block()?))
            })?,
            "for" => self.after_word(Self::going_through)?,
            "match" => self.after_word(Self::matching)?,
            "return" => self.after_word(Self::giving_back)?,
            "break" => self.after_word(|p| Ok(StatementKind::Break(p.loop_name()?)))?,
            "continue" => self.after_word(|p| Ok(StatementKind::Continue(p.loop_name()?)))?,
            "choose" => self.after_word(|p| p.choosing(false))?,
            "forgotten" if self.token_after(1).span.text(self.text) == "choose" => {
                self.advance();
                self.after_word(|p| p.choosing(true))?
            }
            "await" => self.after_word(|p| Ok(StatementKind::Await(p.expression()?)))?,
            "assert" => self.after_word(|p| Ok(StatementKind::Assert(p.expression()?)))?,
            "require" => self.after_word(|p| Ok(StatementKind::Require(p.expression()?)))?,
            "kill" => self.after_word(|p| Ok(StatementKind::Kill(p.expression()?)))?,
            "crash" => self.after_word(|p| Ok(StatementKind::Crash(p.expression()?)))?,
            "with" => self.after_word(|p| {
                let call = p.climb(Level::Atom)?;
                Ok(StatementKind::With(call, p.block()?))
            })?,
            "defer" if has_block => self.after_word(|p| Ok(StatementKind::Defer(p.block()?)))?,
            "defer" if next == TokenKind::Name => {
                self.after_word(|p| Ok(StatementKind::DeferOne(Box::new(p.inner_statement()?))))?
            }
            "idle" if next == TokenKind::Name || next == TokenKind::Keyword(Keyword::Let) => {
                self.after_word(|p| Ok(StatementKind::Idle(Box::new(p.inner_statement()?))))?
            }
            _ => return Ok(None),
        };
        Ok(Some(kind))
    }

    /// A statement within another, which counts as nested.
    fn inner_statement(&mut self) -> Parsed<Statement<'a>> {
        self.depth += 1;
        let parsed = if self.depth > DEPTH {
            Err(self.too_deep(self.token().span))
        } else {
            self.statement()
        };
        self.depth -= 1;
        parsed
    }

    fn after_word(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parsed<StatementKind<'a>>,
    ) -> Parsed<StatementKind<'a>> {
        self.advance();
        read(self)
    }

    fn alternatives(&mut self) -> Parsed<StatementKind<'a>> {
        let mut blocks = vec![self.block()?];
        while self.eat_keyword(Keyword::Or) {
            blocks.push(self.block()?);
        }
        Ok(StatementKind::Either(blocks))
    }

    fn giving_back(&mut self) -> Parsed<StatementKind<'a>> {
        // A value may stand on the next line, but an assignment is none.
        let is_assigned = matches!(
            self.kind_after(1),
            TokenKind::Assign | TokenKind::PlusAssign | TokenKind::MinusAssign
        );
        let is_next = self.starts_line() && (is_assigned || self.is_keyword(Keyword::Let));
        let values = match self.ends_block() || is_next {
            true => Vec::new(),
            false => self.list(Self::expression)?,
        };
        Ok(StatementKind::Return(values))
    }

    /// The name after `break` or `continue`, which are the last in their block.
    fn loop_name(&mut self) -> Parsed<Option<Name<'a>>> {
        match self.is(TokenKind::Name) && self.kind_after(1) == TokenKind::RightBrace {
            true => self.name("a loop").map(Some),
            false => Ok(None),
        }
    }

    /// Numbers from one to another, or what an expression stands for.
    pub(super) fn domain(&mut self) -> Parsed<Domain<'a>> {
        if self.is_keyword(Keyword::Bool) {
            let span = self.advance().span;
            return Ok(Domain::Of(self.node(ExprKind::Name("bool"), span)?));
        }
        let low = self.climb(Level::Sum)?;
        let inclusive = match self.kind() {
            TokenKind::DotDotEqual => true,
            TokenKind::DotDot => false,
            _ => return Ok(Domain::Of(low)),
        };
        self.advance();
        Ok(Domain::Range { low, high: self.climb(Level::Sum)?, inclusive })
    }

    fn going_through(&mut self) -> Parsed<StatementKind<'a>> {
        self.check_foreign_loop()?;
        let name = self.name("a variable")?;
        self.expect_keyword(Keyword::In)?;
        let range = self.domain()?;
        Ok(StatementKind::For { name, range, body: self.block()? })
    }

    fn choosing(&mut self, is_forgotten: bool) -> Parsed<StatementKind<'a>> {
        let name = self.name("a variable")?;
        self.expect_keyword(Keyword::In)?;
        let domain = self.domain()?;
        let condition = match self.eat_word_here("where") {
            true => Some(self.expression()?),
            false => None,
        };
        Ok(StatementKind::Choose { name, domain, condition, is_forgotten })
    }

    /// An assignment, or a call.
    fn assignment(&mut self) -> Parsed<StatementKind<'a>> {
        let target = self.climb(Level::Atom)?;
        let op = match self.kind() {
            TokenKind::Assign => None,
            TokenKind::PlusAssign => Some(BinaryOp::Add),
            TokenKind::MinusAssign => Some(BinaryOp::Subtract),
            TokenKind::Less if self.is_arrow() => {
                let help = format!("write `{}.send(v)`", target.span.text(self.text));
                return Err(self.foreign(self.two_tokens(0), &help));
            }
            _ if does_something(&target) => return Ok(StatementKind::Do(target)),
            _ => return Err(self.does_nothing(&target)),
        };
        self.advance();
        Ok(StatementKind::Assign { target, op, value: self.expression()? })
    }

    fn does_nothing(&mut self, value: &Expr<'a>) -> diagnostics::Reported {
        // A misspelt word, most likely.
        let text = value.span.text(self.text);
        let words = [
            "loop",
            "while",
            "for",
            "repeat",
            "match",
            "return",
            "break",
            "continue",
            "choose",
            "either",
            "await",
            "atomic",
            "assert",
            "require",
            "kill",
            "crash",
            "defer",
            "with",
            "forgotten",
            "idle",
            "select",
            "let",
            "if",
            "spawn",
            "join",
        ];
        let near = diagnostics::nearest(text, words);
        let message = format!("`{}` does nothing", super::excerpt(text));
        let diagnostic = Diagnostic::error("E0101", message);
        self.diagnostics.push(match near {
            Some(near) => diagnostic.at(value.span, format!("did you mean `{near}`?")),
            None if matches!(value.kind, ExprKind::Member(..)) => diagnostic
                .at(value.span, "it is not called")
                .help(format!("write `{}()`", super::excerpt(text))),
            None => diagnostic
                .at(value.span, "expected a statement")
                .help("statements are assignments, calls, and what starts with a word; a value is given by `return`"),
        })
    }
}

fn does_something(expr: &Expr<'_>) -> bool {
    matches!(expr.kind, ExprKind::Call(..) | ExprKind::Spawn(..) | ExprKind::Join(_))
}
