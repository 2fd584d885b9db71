//! What is written as in another language, and how it is said here.
//!
//! Who comes from Go, Java or C writes `x := 1`, `go f()`, `c <- v` at first. Where such a text cannot be anything else,
//! the message says what is written instead; the parser goes on as if that were there, if it can.

use super::{Parsed, Parser, Reported};
use crate::lexer::TokenKind;
use crate::syntax::{Expr, Name};
use diagnostics::{Diagnostic, Span};

/// Words that start statements elsewhere, and what is written here.
const STATEMENTS: [(&str, &str); 18] = [
    ("go", "write `spawn NAME(…)`, where `NAME` is a `process`"),
    ("async", "write `spawn NAME(…)`, where `NAME` is a `process`"),
    ("thread", "write `spawn NAME(…)`, where `NAME` is a `process`"),
    ("var", "write `let x: 0..=3 = 0`: a variable has a type and a first value"),
    ("val", "write `let x = …`"),
    ("const", "write `let x = …`; constants are declared outside of processes"),
    ("switch", "write `match e { CASE { … }   else { … } }`"),
    ("do", "write `loop { …   if c { break } }`"),
    ("until", "write `while not c { … }`"),
    ("try", "there are no exceptions: what can fail gives a `T?`; `kill self` unwinds"),
    ("throw", "there are no exceptions: `return none`, or `kill self` to unwind"),
    ("raise", "there are no exceptions: `return none`, or `kill self` to unwind"),
    ("yield", "others may take turns between any two steps: leave it out"),
    ("synchronized", "write `with m.lock() { … }`"),
    ("case", "only `select` and `match` have cases: `match e { CASE { … } }`"),
    ("elif", ELSE_IF),
    ("elseif", ELSE_IF),
    ("elsif", ELSE_IF),
];

const ELSE_IF: &str = "write `else if c { … }`";

/// Words that start declarations elsewhere, and what is written here.
const DECLARATIONS: [(&str, &str); 24] = [
    (
        "func",
        "write `fn NAME(x: TYPE): TYPE { … }`, or `process NAME(…) { … }` for what is spawned",
    ),
    ("function", "write `fn NAME(x: TYPE): TYPE { … }`"),
    ("def", "write `fn NAME(x: TYPE): TYPE { … }`"),
    ("thread", "write `process NAME(…) { … }`"),
    ("proc", "write `process NAME(…) { … }`"),
    ("proctype", "write `process NAME(…) { … }`"),
    (
        "struct",
        "write `record NAME { x: TYPE, y: TYPE }` for values, `object NAME { … }` for what is shared",
    ),
    ("type", "write `record`, `enum` or `object`"),
    ("interface", "a parameter may be any object with certain steps: `x: any { lock, unlock }`"),
    ("import", "nothing is imported: locks, channels and the like are there in every model"),
    ("package", "a model starts with `model NAME`"),
    ("var", "write `shared NAME: TYPE = VALUE`"),
    ("let", "write `shared NAME: TYPE = VALUE`"),
    ("global", "write `shared NAME: TYPE = VALUE`"),
    ("int", "write `shared NAME: 0..=3 = 0`"),
    ("bool", "write `shared NAME: bool = false`"),
    ("mutex", "write `shared NAME = new mutex`"),
    ("chan", "write `shared NAME = new channel[TYPE](capacity: 1)`"),
    ("channel", "write `shared NAME = new channel[TYPE](capacity: 1)`"),
    ("init", "write `process main { … }`: it starts by itself"),
    ("active", "write `process main { … }`: it starts by itself, and starts others by `spawn`"),
    ("invariant", "write `property NAME: always …`"),
    ("ltl", "write `property NAME: …`"),
    ("assert", "write `property NAME: always …`, or `assert …` within a process"),
];

/// What is said of `thread::spawn`.
pub(super) const PATH: &str = "names have no paths: what is in the prelude, such as `mutex` and `channel`, is there in every model";

/// Macros of Rust, and what is written here.
const MACROS: [(&str, &str); 6] = [
    ("vec", "write `[a, b]`, or `[e; n]`"),
    ("assert_eq", "write `assert a == b`"),
    ("panic", "write `assert false`"),
    ("println", PRINTING),
    ("print", PRINTING),
    ("format", PRINTING),
];
const PRINTING: &str = "nothing is printed: leave it out; a run shows what changes at each step";

/// How a word that starts a declaration elsewhere is said here.
pub(super) fn declaration(word: &str) -> Option<&'static str> {
    DECLARATIONS.iter().find(|(other, _)| *other == word).map(|(_, help)| *help)
}

impl<'a> Parser<'a, '_> {
    /// Reports something of another language.
    pub(super) fn foreign(&mut self, span: Span, help: &str) -> Reported {
        let text = super::excerpt(span.text(self.text));
        Diagnostic::error("E0114", format!("`{text}` is not how it is said here"))
            .at(span, "")
            .help(help)
            .report(self.diagnostics)
    }

    /// Reports a statement of another language that starts here.
    pub(super) fn check_foreign_statement(&mut self) -> Parsed<()> {
        if !self.is(TokenKind::Name) {
            return match self.is_arrow() {
                true => Err(self.foreign(self.two_tokens(0), "write `c.receive()`")),
                false => Ok(()),
            };
        }
        let (span, next) = (self.token().span, self.kind_after(1));
        let word = span.text(self.text);
        if next == TokenKind::Colon && self.kind_after(2) == TokenKind::Assign {
            let help =
                format!("write `let {word} = …` to declare it, `{word} = …` to assign to it");
            return Err(self.foreign(self.two_tokens(1), &help));
        }
        if self.is_path(1) {
            return Err(self.foreign(self.two_tokens(1), PATH));
        }
        if next == TokenKind::Comma && self.kind_after(2) == TokenKind::Name {
            let help = format!(
                "one variable is assigned to at a time; of a receive, write `if let {word} = c.receive() {{ … }} \
                 else {{ … }}`"
            );
            return Err(self.foreign(span.to(self.token_after(2).span), &help));
        }
        if next == self.kind_after(2) && matches!(next, TokenKind::Plus | TokenKind::Minus) {
            let sign = if next == TokenKind::Plus { "+" } else { "-" };
            let help = format!("write `{word} {sign}= 1`");
            return Err(self.foreign(self.two_tokens(1), &help));
        }
        let found = STATEMENTS.iter().find(|(other, _)| *other == word);
        if let (Some((_, help)), TokenKind::Name | TokenKind::LeftBrace) = (found, next) {
            return Err(self.foreign(span, help));
        }
        Ok(())
    }

    /// Whether `::` stands this many tokens ahead.
    pub(super) fn is_path(&self, ahead: usize) -> bool {
        let (first, second) = (self.token_after(ahead), self.token_after(ahead + 1));
        first.kind == TokenKind::Colon
            && second.kind == TokenKind::Colon
            && first.span.end == second.span.start
    }

    /// Reports a macro of Rust, whose name has been read.
    pub(super) fn check_foreign_macro(&mut self, name: &Expr<'a>) -> Parsed<()> {
        let word = name.span.text(self.text);
        let found = MACROS.iter().find(|(other, _)| *other == word);
        match (found, self.kind_after(1)) {
            (Some((_, help)), TokenKind::LeftParen | TokenKind::LeftBracket) => {
                Err(self.foreign(name.span.to(self.token().span), help))
            }
            _ => Ok(()),
        }
    }

    /// Reports what stands behind `let` elsewhere: `mut`, or several variables in parentheses.
    pub(super) fn check_foreign_variable(&mut self) -> Parsed<()> {
        if self.is_word_here("mut") && self.kind_after(1) == TokenKind::Name {
            let span = self.advance().span;
            self.foreign(span, "leave it out: every variable can be assigned to");
        }
        if !self.is(TokenKind::LeftParen) {
            return Ok(());
        }
        let open = self.advance().span;
        while matches!(self.kind(), TokenKind::Name | TokenKind::Comma | TokenKind::Underscore) {
            let token = self.advance();
            // They are known from here on, whatever they are.
            self.skipped.insert(token.span.text(self.text));
        }
        let span = open.to(self.token().span);
        Err(self.foreign(span, "one variable is declared at a time: `let x = …`"))
    }

    /// Reports `Some(x)` behind `if let` and `while let`, and gives the variable.
    pub(super) fn foreign_pattern(&mut self) -> Option<Name<'a>> {
        let kinds = [1, 2, 3].map(|ahead| self.kind_after(ahead));
        let pattern = [TokenKind::LeftParen, TokenKind::Name, TokenKind::RightParen];
        if !self.is(TokenKind::Name) || kinds != pattern {
            return None;
        }
        let span = self.token().span.to(self.token_after(3).span);
        self.advance();
        self.advance();
        let name = self.name("a variable").ok()?;
        self.advance();
        let help = format!("write `let {} = …`: it is the value, if there is one", name.text);
        self.foreign(span, &help);
        Some(name)
    }

    /// Whether `<-` stands here.
    pub(super) fn is_arrow(&self) -> bool {
        let (less, minus) = (self.token(), self.token_after(1));
        less.kind == TokenKind::Less
            && minus.kind == TokenKind::Minus
            && less.span.end == minus.span.start
    }

    /// Where two tokens are, this many ahead.
    pub(super) fn two_tokens(&self, ahead: usize) -> Span {
        self.token_after(ahead).span.to(self.token_after(ahead + 1).span)
    }

    /// Reports what does not belong between a header and its block, which is passed over.
    pub(super) fn check_foreign_header(&mut self) {
        let help = match self.kind() {
            TokenKind::Keyword(crate::keyword::Keyword::Then) => {
                "remove `then`: a block in braces follows"
            }
            TokenKind::FatArrow => "remove `=>`: a block in braces follows",
            TokenKind::Name if self.is_word_here("do") => "remove `do`: a block in braces follows",
            _ => return,
        };
        if self.kind_after(1) == TokenKind::LeftBrace {
            let span = self.advance().span;
            self.foreign(span, help);
        }
    }

    /// Reports the header of a `for` that is written as in another language. What is in its block is looked at.
    pub(super) fn check_foreign_loop(&mut self) -> Parsed<()> {
        let start = self.position;
        let is_range = |ahead: usize| self.token_after(ahead).span.text(self.text) == "range";
        let help = match self.kind() {
            TokenKind::LeftBrace => "write `loop { … }`",
            TokenKind::LeftParen => "write `for i in 0..3 { … }`, or `while c { … }`",
            TokenKind::Name | TokenKind::Underscore
                if matches!(self.kind_after(1), TokenKind::Colon | TokenKind::Comma) =>
            {
                let is_pair = self.kind_after(3) == TokenKind::Keyword(crate::keyword::Keyword::In);
                match is_range(3) || is_range(5) {
                    _ if is_pair => "write `for k in m { … }`; what is there for it is `m[k]`",
                    true => "write `for x in c { … }`, over a channel or a collection",
                    false => "write `for i in 0..3 { … }`",
                }
            }
            TokenKind::Name
                if self.kind_after(1) != TokenKind::Keyword(crate::keyword::Keyword::In) =>
            {
                "write `while c { … }`, or `for x in s { … }`"
            }
            _ => return Ok(()),
        };
        while !self.ends_block() && !self.is(TokenKind::LeftBrace) && !self.starts_next_line(start)
        {
            self.advance();
        }
        let span = match self.position == start {
            true => self.before(),
            false => self.tokens[start].span.to(self.before()),
        };
        let reported = self.foreign(span, help);
        self.skip_from(start, |_| true);
        if self.is(TokenKind::LeftBrace) {
            self.block()?;
        }
        Err(reported)
    }

    /// Whether the token here is on another line than that of the position.
    fn starts_next_line(&self, start: usize) -> bool {
        let from = self.tokens[start].span.start as usize;
        self.text[from..self.token().span.start as usize].contains('\n')
    }

    /// Whether behind a name and a colon, on the same line, stands what an arm waits for, with a block behind it.
    fn is_labelled_arm(&self) -> bool {
        let colon = self.token_after(1).span.end as usize;
        let next = self.token_after(2).span.start as usize;
        let mut after = (2..).map(|ahead| self.kind_after(ahead));
        let is_brace = |kind: &TokenKind| {
            matches!(kind, TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::End)
        };
        !self.text[colon..next].contains('\n') && after.find(is_brace) == Some(TokenKind::LeftBrace)
    }

    /// Reports an arm of a `select` as in Go.
    pub(super) fn check_foreign_arm(&mut self) -> Parsed<()> {
        let span = self.token().span;
        let help = match span.text(self.text) {
            "case"
                if matches!(
                    self.kind_after(1),
                    TokenKind::Name | TokenKind::Less | TokenKind::Keyword(_)
                ) =>
            {
                "write `let x = c.receive() { … }` or `c.send(v) { … }`, without `case`"
            }
            "default" if self.kind_after(1) == TokenKind::LeftBrace => "write `else { … }`",
            "default" if self.kind_after(1) == TokenKind::Colon && !self.is_labelled_arm() => {
                "write `else { … }`"
            }
            _ => return Ok(()),
        };
        let reported = self.foreign(span, help);
        self.skip_foreign_arm();
        Err(reported)
    }

    /// Passes over an arm as in Go: it ends where the next one starts, or with the block.
    fn skip_foreign_arm(&mut self) {
        let mut open = 0_usize;
        self.advance();
        while !self.is(TokenKind::End) {
            let word = self.token().span.text(self.text);
            match self.kind() {
                TokenKind::LeftBrace => open += 1,
                TokenKind::RightBrace if open == 0 => break,
                TokenKind::RightBrace => open -= 1,
                _ if open == 0 && matches!(word, "case" | "default") => break,
                _ => {}
            }
            self.advance();
        }
    }

    /// Whether a type of Go stands this many tokens ahead: `chan int`, `map[string]int`, `[]int`.
    fn is_foreign_type(&self, ahead: usize) -> bool {
        let names = |kind| matches!(kind, TokenKind::Name | TokenKind::Keyword(_));
        let after = self.kind_after(ahead + 1);
        match (self.token_after(ahead).span.text(self.text), after) {
            ("chan", TokenKind::Less) => true,
            ("chan", after) => names(after),
            ("map", TokenKind::LeftBracket) => {
                let close = (ahead + 2..ahead + 6)
                    .find(|at| self.kind_after(*at) == TokenKind::RightBracket);
                close.is_some_and(|close| names(self.kind_after(close + 1)))
            }
            ("[", TokenKind::RightBracket) => names(self.kind_after(ahead + 2)),
            _ => self.kind_after(ahead) == TokenKind::Box && names(after),
        }
    }

    /// Whether a function without a name starts here: `func() {`, `func(x int) {`.
    fn is_closure(&self) -> bool {
        if self.kind_after(2) == TokenKind::Name {
            return matches!(self.kind_after(3), TokenKind::Name | TokenKind::Star);
        }
        // A call may stand before a block, too, where that is the body of a statement.
        let is_called = self.position > 0 && {
            let before = self.tokens[self.position - 1].span.text(self.text);
            !matches!(before, "defer" | "return" | "(" | ",")
        };
        let ends = (self.kind_after(2), self.kind_after(3));
        !is_called && ends == (TokenKind::RightParen, TokenKind::LeftBrace)
    }

    /// Reports a value of another language that starts here.
    pub(super) fn check_foreign_value(&mut self) -> Parsed<()> {
        if self.is_arrow() {
            let span = self.two_tokens(0);
            return Err(self.foreign(span, "write `c.receive()`"));
        }
        let span = self.token().span;
        let help = match (span.text(self.text), self.kind_after(1)) {
            ("make", TokenKind::LeftParen) if self.is_foreign_type(2) => {
                "write `new channel[T](capacity: n)`; `[]` for an empty map or sequence"
            }
            ("func", TokenKind::LeftParen) if self.is_closure() => {
                "there are no closures: declare a `process` or an `fn`, and give it what it needs"
            }
            ("{", _) => {
                "an empty collection is `[]`; maps are written `[k: v]`, records `NAME(x: …)`"
            }
            _ => return Ok(()),
        };
        Err(self.foreign(span, help))
    }
}
