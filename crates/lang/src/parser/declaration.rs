//! Declarations: the model's name, constants, places, start threads.

use std::rc::Rc;

use super::{Parsed, Parser, Reported, starts_declaration};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::syntax::{
    Atom, ColumnDecl, Declaration, DeclarationKind, Expr, ExprKind, Initial, InitialTokens,
    PlaceDecl, SortKind, SortSyntax, StartDecl,
};
use diagnostics::Diagnostic;
use diagnostics::Span;

impl<'a> Parser<'a, '_> {
    /// All declarations up to the end of the text.
    pub(super) fn model(&mut self) -> Vec<Declaration<'a>> {
        let mut declarations = Vec::new();
        let mut named: Option<Span> = None;
        if !self.is_keyword(Keyword::Model) && self.meant_keyword(|k| k == Keyword::Model).is_none()
        {
            let start = Span { end: self.token().span.start, ..self.token().span };
            named = Some(start);
            // If it comes later, it is reported there.
            let later = TokenKind::Keyword(Keyword::Model);
            if !self.tokens.iter().any(|token| token.kind == later) {
                self.diagnostics.push(
                    Diagnostic::error("E0107", "a model starts with its name")
                        .at(start, "")
                        .help("write `model NAME` as the first line"),
                );
            }
        }
        while !self.is(TokenKind::End) {
            let start = self.position;
            let first = self.token().span;
            let parsed = match self.declaration_keyword() {
                Some(keyword) => {
                    if keyword == Keyword::Model {
                        self.only_one_model(&mut named, first);
                    }
                    self.declaration(keyword)
                }
                None => Err(Reported),
            };
            match parsed {
                Ok(kind) => {
                    let span = first.to(self.before());
                    declarations.push(Declaration { span, kind });
                    self.nothing_more(start);
                }
                Err(Reported) => self.skip_from(start, starts_declaration),
            }
        }
        declarations
    }

    fn only_one_model(&mut self, named: &mut Option<Span>, here: Span) {
        if let Some(first) = named {
            let diagnostic = Diagnostic::error("E0107", "`model` is the first line, and only that")
                .at(here, "not here")
                .help("keep one `model NAME`, before everything else");
            self.diagnostics.push(if first.start == first.end {
                diagnostic
            } else {
                diagnostic.also(*first, "the model has its name here")
            });
        } else {
            *named = Some(here);
        }
    }

    /// What follows a complete declaration must be another.
    fn nothing_more(&mut self, start: usize) {
        if !self.is(TokenKind::End) && !starts_declaration(self.kind()) {
            let on_the_line = {
                let gap = self.before().end as usize..self.token().span.start as usize;
                !self.text[gap].contains('\n')
            };
            // On a line of its own it is a declaration gone wrong, and is reported as that.
            if on_the_line {
                self.unexpected("the end of the declaration");
                self.skip_from(start, starts_declaration);
            }
        }
    }

    /// Takes the word that starts a declaration. One that is misspelt is reported, and read as meant.
    fn declaration_keyword(&mut self) -> Option<Keyword> {
        let token = self.token();
        if let TokenKind::Keyword(keyword) = token.kind
            && keyword.starts_declaration()
        {
            self.advance();
            return Some(keyword);
        }
        let meant = self.meant_keyword(Keyword::starts_declaration);
        match meant {
            Some(keyword) => {
                let word = token.span.text(self.text);
                self.diagnostics.push(
                    Diagnostic::error("E0101", format!("no declaration starts with `{word}`"))
                        .at(token.span, format!("did you mean `{}`?", keyword.text())),
                );
            }
            None => {
                let item = matches!(token.kind, TokenKind::Keyword(k) if k.starts_item());
                let message = match token.kind {
                    TokenKind::Name | TokenKind::Keyword(_) => {
                        let word = super::name_of(token.span.text(self.text));
                        format!("no declaration starts with `{word}`")
                    }
                    _ => "a declaration starts with a word".to_owned(),
                };
                let is_fair = self.kind_after(1) == TokenKind::Keyword(Keyword::Fair);
                let help = if item {
                    "it belongs into the braces of a `transition`"
                } else if is_fair {
                    "fairness is weak, unless `strongly` stands before `fair`"
                } else {
                    "declarations start with `const`, `enum`, `class`, `flow`, `place`, `start`, \
                     `transition`, `fair`, `strongly fair` or `property`"
                };
                self.diagnostics
                    .push(Diagnostic::error("E0101", message).at(token.span, "").help(help));
            }
        }
        self.advance();
        meant
    }

    fn declaration(&mut self, keyword: Keyword) -> Parsed<DeclarationKind<'a>> {
        match keyword {
            Keyword::Model => Ok(DeclarationKind::Model(self.name("the model")?)),
            Keyword::Const => {
                let name = self.name("a constant")?;
                if self.is(TokenKind::Colon) {
                    let token = self.token();
                    self.diagnostics.push(
                        Diagnostic::error("E0101", "the type of a constant is not written")
                            .at(token.span, "expected `=`")
                            .help("it is the type of its value: write `const NAME = VALUE`"),
                    );
                    return Err(Reported);
                }
                self.expect(TokenKind::Assign, "`=` and the value of the constant")?;
                Ok(DeclarationKind::Const { name, value: self.expression()? })
            }
            Keyword::Enum => self.enumeration(),
            Keyword::Flow => {
                let mut places = vec![self.place("a flow place")?];
                while self.eat(TokenKind::Comma) {
                    places.push(self.place("a flow place")?);
                }
                if self.is(TokenKind::Colon) || self.is(TokenKind::Assign) {
                    return Err(self.flow_is_not_place());
                }
                Ok(DeclarationKind::Flow(places))
            }
            Keyword::Place => self.places(),
            Keyword::Start => {
                let mut threads = vec![self.start_thread()?];
                while self.eat(TokenKind::Comma) {
                    threads.push(self.start_thread()?);
                }
                Ok(DeclarationKind::Start(threads))
            }
            Keyword::Transition => self.transition(),
            Keyword::Fair | Keyword::Strongly => self.fairness(keyword),
            Keyword::Property => {
                let name = self.name("a property")?;
                self.expect(TokenKind::Colon, "`:` and what the property says")?;
                Ok(DeclarationKind::Property { name, formula: self.expression()? })
            }
            _ => self.class(),
        }
    }

    fn flow_is_not_place(&mut self) -> Reported {
        let span = self.token().span;
        let diagnostic = if self.is(TokenKind::Colon) {
            Diagnostic::error("E0101", "the columns of a flow place stand in parentheses")
                .at(span, "expected `(` or the end of the declaration")
                .help("write `flow NAME(column: 0..=3)`; the thread itself is not written")
        } else {
            Diagnostic::error("E0101", "threads are put into flow places by `start`")
                .at(span, "expected the end of the declaration")
                .help("write `start 3 times NAME`, say")
        };
        self.diagnostics.push(diagnostic);
        Reported
    }

    fn place(&mut self, what: &str) -> Parsed<PlaceDecl<'a>> {
        let name = self.name(what)?;
        let mut columns = Vec::new();
        if self.eat(TokenKind::LeftParen) && !self.eat(TokenKind::RightParen) {
            columns.push(self.column()?);
            while self.eat(TokenKind::Comma) {
                columns.push(self.column()?);
            }
            self.expect(TokenKind::RightParen, "`,` or `)`")?;
        }
        Ok(PlaceDecl { name, columns: columns.into() })
    }

    fn column(&mut self) -> Parsed<ColumnDecl<'a>> {
        let name = if self.kind_after(1) == TokenKind::Colon {
            let name = self.name("a column")?;
            self.advance();
            Some(name)
        } else {
            None
        };
        Ok(ColumnDecl { name, sort: self.sort(true)? })
    }

    fn places(&mut self) -> Parsed<DeclarationKind<'a>> {
        let mut places = vec![self.place("a place")?];
        while self.eat(TokenKind::Comma) {
            places.push(self.place("a place")?);
        }
        if self.is(TokenKind::Colon) {
            let colon = self.advance().span;
            if let Some(place) = places.iter().find(|place| !place.columns.is_empty()) {
                self.diagnostics.push(
                    Diagnostic::error("E0101", "the type of a place is written once")
                        .at(colon, "a second time here")
                        .also(place.name.span, "this place has its columns in parentheses")
                        .help("write either `NAME(column: SORT)` or `NAME: SORT`"),
                );
                return Err(Reported);
            }
            let mut sorts = vec![self.sort(false)?];
            while self.eat(TokenKind::Star) {
                sorts.push(self.sort(false)?);
            }
            let columns: Rc<[ColumnDecl<'a>]> =
                sorts.into_iter().map(|sort| ColumnDecl { name: None, sort }).collect();
            for place in &mut places {
                place.columns = Rc::clone(&columns);
            }
        }
        let assign = self.token().span;
        let initial = if self.eat(TokenKind::Assign) {
            let mut tokens = vec![self.initial_tokens()?];
            while self.eat(TokenKind::Comma) {
                tokens.push(self.initial_tokens()?);
            }
            Some(Initial { span: assign.to(self.before()), tokens })
        } else {
            None
        };
        Ok(DeclarationKind::Place { places, initial })
    }

    fn initial_tokens(&mut self) -> Parsed<InitialTokens<'a>> {
        let first = self.expression()?;
        let (count, token) = match self.eat_keyword(Keyword::Of) {
            true => (Some(first), self.expression()?),
            false => (None, first),
        };
        Ok(InitialTokens { count, token, condition: self.condition()? })
    }

    fn start_thread(&mut self) -> Parsed<StartDecl<'a>> {
        if self.is(TokenKind::Name) && self.kind_after(1) == TokenKind::Colon {
            let name = self.name("a thread")?;
            self.advance();
            return Ok(StartDecl {
                name: Some(name),
                times: None,
                place: self.atom("a flow place")?,
            });
        }
        let times = self.multiplicity(|kind| kind == TokenKind::Keyword(Keyword::Times))?;
        if times.is_some() {
            self.expect_keyword(Keyword::Times)?;
        }
        Ok(StartDecl { name: None, times, place: self.atom("a flow place")? })
    }

    /// A place, perhaps with arguments.
    pub(super) fn atom(&mut self, what: &str) -> Parsed<Atom<'a>> {
        let place = self.name(what)?;
        let mut arguments = None;
        if self.eat(TokenKind::LeftParen) {
            arguments = Some(self.arguments()?);
        }
        Ok(Atom { place, arguments, span: place.span.to(self.before()) })
    }

    /// What follows `(`, and `)`.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr<'a>>> {
        let mut arguments = Vec::new();
        if !self.eat(TokenKind::RightParen) {
            arguments.push(self.expression()?);
            while self.eat(TokenKind::Comma) {
                arguments.push(self.expression()?);
            }
            self.expect(TokenKind::RightParen, "`,` or `)`")?;
        }
        Ok(arguments)
    }

    /// How many, if it is written: a number, parentheses, or the name of a constant, which is told
    /// from another name by what `follows` it.
    pub(super) fn multiplicity(
        &mut self,
        follows: impl Fn(TokenKind) -> bool,
    ) -> Parsed<Option<Expr<'a>>> {
        match self.kind() {
            TokenKind::Int | TokenKind::LeftParen => Ok(Some(self.primary()?)),
            TokenKind::Name if follows(self.kind_after(1)) => Ok(Some(self.primary()?)),
            TokenKind::Minus => Ok(Some(self.bound(true)?)),
            _ => Ok(None),
        }
    }

    /// A sort. Within a product of sorts, a product in a bound needs parentheses.
    pub(super) fn sort(&mut self, alone: bool) -> Parsed<SortSyntax<'a>> {
        let start = self.token().span;
        if self.eat_keyword(Keyword::Pid) {
            return Ok(SortSyntax { span: start, kind: SortKind::Pid });
        }
        if self.eat_keyword(Keyword::Bool) {
            return Ok(SortSyntax { span: start, kind: SortKind::Bool });
        }
        if !matches!(
            self.kind(),
            TokenKind::Name | TokenKind::Int | TokenKind::LeftParen | TokenKind::Minus
        ) {
            return Err(self.unexpected("a sort: `pid`, `bool`, a class or a range"));
        }
        let low = self.bound(alone)?;
        let inclusive = match self.kind() {
            TokenKind::DotDotEqual => true,
            TokenKind::DotDot => false,
            _ => {
                return match low.kind {
                    ExprKind::Name(name) => {
                        Ok(SortSyntax { span: start, kind: SortKind::Named(name) })
                    }
                    _ => Err(self.unexpected("`..=` and the greatest value")),
                };
            }
        };
        self.advance();
        let high = self.bound(alone)?;
        let kind = SortKind::Range { low, high, inclusive };
        Ok(SortSyntax { span: start.to(self.before()), kind })
    }
}
