//! Declarations: the model's name, constants, places, start threads.

use std::rc::Rc;

use net::PlaceKind;

use super::{DEPTH, Parsed, Parser, Reported, starts_item};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::syntax::{
    Atom, ColumnDecl, Declaration, DeclarationKind, Expr, ExprKind, GroupDecl, Initial,
    InitialTokens, Name, NewObject, PlaceDecl, SortKind, SortSyntax, StartDecl,
};
use diagnostics::{Diagnostic, Span};

impl<'a> Parser<'a, '_> {
    /// All declarations up to the end of the text. If the model has a name of its own, that comes first.
    pub(super) fn model(&mut self) {
        while !self.is(TokenKind::End) {
            self.declaration();
        }
    }

    /// Reads a declaration of a `.kin` model, and keeps it. After a mistake, which is reported, it goes on
    /// at the next declaration.
    pub fn declaration(&mut self) {
        let start = self.position;
        let first = self.token().span;
        let parsed = if let TokenKind::Word(word) = self.kind() {
            self.advance();
            self.process_declaration(word)
        } else {
            let Some(keyword) = self.declaration_keyword() else {
                return self.skip_declaration(start);
            };
            if keyword == Keyword::Model && start > 0 {
                self.report_late_model(first);
            }
            self.declaration_of(keyword)
        };
        match parsed {
            Ok(kind) => {
                let span = first.to(self.before());
                self.declarations.push(Declaration { span, kind });
                self.nothing_more(start);
            }
            Err(_) => self.skip_declaration(start),
        }
    }

    fn report_late_model(&mut self, here: Span) {
        let here = match self.kind() {
            TokenKind::Name => here.to(self.token().span),
            _ => here,
        };
        let mut names = self.declarations.iter().filter_map(|one| match &one.kind {
            DeclarationKind::Model(_) => Some(one.span),
            _ => None,
        });
        let error = match names.next() {
            Some(first) => Diagnostic::error("E0107", "a model has one name")
                .at(here, "this is another one")
                .also(first, "the model has its name here")
                .help("remove one of them"),
            None => Diagnostic::error("E0107", "the name of a model comes before all else")
                .at(here, "this is the name")
                .help(
                    "move it to the first line, or remove it: then the model is called as its file",
                ),
        };
        self.diagnostics.push(error);
    }

    /// What follows a complete declaration must be another.
    fn nothing_more(&mut self, start: usize) {
        // On a line of its own it is a declaration gone wrong, and is reported as that.
        if !self.is(TokenKind::End) && !self.starts_declaration() && !self.starts_line() {
            let last = self.declarations.last().map(|one| &one.kind);
            if let (TokenKind::Arrow, Some(DeclarationKind::Property { .. })) = (self.kind(), last)
            {
                let later = "`implies`, or `leads_to` for what comes later";
                self.report_operator(self.token().span, &format!("write {later}"));
                return self.skip_declaration(start);
            }
            self.unexpected("the end of the declaration");
            self.skip_declaration(start);
        }
    }

    /// Takes the word that starts a declaration.
    fn declaration_keyword(&mut self) -> Option<Keyword> {
        let starts = |keyword: Keyword| keyword.starts_declaration() || keyword == Keyword::New;
        self.starting_word("declaration", starts, |parser| {
            if starts_item(parser.kind()) {
                "it belongs into the braces of a `transition`"
            } else if parser.kind_after(1) == TokenKind::Keyword(Keyword::Fair) {
                "fairness is weak, unless `strongly` stands before `fair`"
            } else if let Some(help) = super::foreign::declaration(parser.token().span.text(parser.text)) {
                help
            } else {
                "declarations start with `const`, `enum`, `class`, `flow`, `idle flow`, `forgotten flow`, `place`, `start`, \
                 `new`, `transition`, `fair`, `strongly fair`, `property`, `process`, `object`, `fn`, \
                 `record` or `shared`"
            }
        })
    }

    fn declaration_of(&mut self, keyword: Keyword) -> Parsed<DeclarationKind<'a>> {
        match keyword {
            Keyword::Model => Ok(DeclarationKind::Model(self.name("the model")?)),
            Keyword::Const => {
                let name = self.name("a constant")?;
                if self.is(TokenKind::Colon) {
                    let token = self.token();
                    return Err(Diagnostic::error(
                        "E0101",
                        "the type of a constant is not written",
                    )
                    .at(token.span, "expected `=`")
                    .help("it is the type of its value: write `const NAME = VALUE`")
                    .report(self.diagnostics));
                }
                self.expect(TokenKind::Assign, "`=` and the value of the constant")?;
                Ok(DeclarationKind::Const { name, value: self.expression()? })
            }
            Keyword::Enum => self.enumeration(),
            Keyword::Idle | Keyword::Forgotten | Keyword::Flow => {
                let (idle, forgotten) = (keyword == Keyword::Idle, keyword == Keyword::Forgotten);
                if idle || forgotten {
                    self.expect_keyword(Keyword::Flow)?;
                }
                let places = self.list(|parser| parser.place("a flow place"))?;
                if self.is(TokenKind::Colon) || self.is(TokenKind::Assign) {
                    return Err(self.flow_is_not_place());
                }
                let (kind, initial) = (PlaceKind::Flow, None);
                Ok(DeclarationKind::Place { kind, idle, forgotten, places, initial })
            }
            Keyword::Place => self.places(),
            Keyword::Start => Ok(DeclarationKind::Start(self.list(Self::start_thread)?)),
            Keyword::New => Ok(DeclarationKind::New(self.new_objects()?)),
            Keyword::Transition => self.transition(),
            Keyword::Fair | Keyword::Strongly => self.fairness(keyword),
            Keyword::Property => {
                let name = self.property_name()?;
                self.expect(TokenKind::Colon, "`:` and what the property says")?;
                self.in_claim = self.has_processes;
                let formula = self.expression();
                self.in_claim = false;
                Ok(DeclarationKind::Property { name, formula: formula? })
            }
            _ => self.class(),
        }
    }

    /// The name of a property. Before the colon every word is one.
    fn property_name(&mut self) -> Parsed<Name<'a>> {
        match (self.kind(), self.kind_after(1)) {
            (TokenKind::Keyword(_), TokenKind::Colon) => {
                let span = self.advance().span;
                Ok(Name { text: span.text(self.text), span })
            }
            _ => self.name("a property"),
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
        self.diagnostics.push(diagnostic)
    }

    fn place(&mut self, what: &str) -> Parsed<PlaceDecl<'a>> {
        let name = self.name(what)?;
        let columns = match self.eat(TokenKind::LeftParen) {
            true => self.list_to_paren(Self::column)?,
            false => Vec::new(),
        };
        Ok(PlaceDecl { name, columns: columns.into() })
    }

    fn column(&mut self) -> Parsed<ColumnDecl<'a>> {
        let owner = self.eat_owner();
        let name = if self.kind_after(1) == TokenKind::Colon {
            let name = self.name("a column")?;
            self.advance();
            Some(name)
        } else {
            None
        };
        let sort = self.sort()?;
        Ok(ColumnDecl { name, sort, optional: self.eat(TokenKind::Question), owner })
    }

    /// Takes the word `owner` before a column. It is not reserved: a column may be called like it.
    fn eat_owner(&mut self) -> Option<Span> {
        let is_column = matches!(
            self.kind_after(1),
            TokenKind::Name
                | TokenKind::Int
                | TokenKind::LeftBrace
                | TokenKind::Keyword(Keyword::Pid)
                | TokenKind::Keyword(Keyword::Bool)
        );
        let token = self.token();
        let is_word = self.is(TokenKind::Name) && token.span.text(self.text) == "owner";
        (is_word && is_column).then(|| self.advance().span)
    }

    /// What follows `new`.
    pub(super) fn new_objects(&mut self) -> Parsed<Vec<NewObject<'a>>> {
        self.list(|parser| {
            let name = parser.name("an object")?;
            parser.expect(TokenKind::Colon, "`:` and the class of the object")?;
            Ok(NewObject { name, class: parser.name("a fresh class")? })
        })
    }

    fn places(&mut self) -> Parsed<DeclarationKind<'a>> {
        let mut places = self.list(|parser| parser.place("a place"))?;
        if self.is(TokenKind::Colon) {
            let colon = self.advance().span;
            if let Some(place) = places.iter().find(|place| !place.columns.is_empty()) {
                return Err(Diagnostic::error("E0101", "the type of a place is written once")
                    .at(colon, "a second time here")
                    .also(place.name.span, "this place has its columns in parentheses")
                    .help("write either `NAME(column: SORT)` or `NAME: SORT`")
                    .report(self.diagnostics));
            }
            let mut columns = vec![self.unnamed_column()?];
            while self.eat(TokenKind::Star) {
                columns.push(self.unnamed_column()?);
            }
            let columns: Rc<[ColumnDecl<'a>]> = columns.into();
            for place in &mut places {
                place.columns = Rc::clone(&columns);
            }
        }
        let assign = self.token().span;
        let initial = if self.eat(TokenKind::Assign) {
            let tokens = self.list(Self::initial_tokens)?;
            Some(Initial { span: assign.to(self.before()), tokens })
        } else {
            None
        };
        let (kind, idle, forgotten) = (PlaceKind::Ordinary, false, false);
        Ok(DeclarationKind::Place { kind, idle, forgotten, places, initial })
    }

    /// A column of a product of sorts.
    fn unnamed_column(&mut self) -> Parsed<ColumnDecl<'a>> {
        let owner = self.eat_owner();
        let sort = self.sort_within(false)?;
        Ok(ColumnDecl { name: None, sort, optional: self.eat(TokenKind::Question), owner })
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
        let arguments = match self.eat(TokenKind::LeftParen) {
            true => Some(self.list_to_paren(Self::expression)?),
            false => None,
        };
        Ok(Atom { place, arguments, span: place.span.to(self.before()) })
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

    /// A sort.
    ///
    /// # Errors
    ///
    /// There is none here, which is reported.
    pub fn sort(&mut self) -> Parsed<SortSyntax<'a>> {
        self.sort_within(true)
    }

    /// A sort. Within a product of sorts, a product in a bound needs parentheses.
    fn sort_within(&mut self, alone: bool) -> Parsed<SortSyntax<'a>> {
        let start = self.token().span;
        if self.eat_keyword(Keyword::Pid) {
            return Ok(SortSyntax { span: start, kind: SortKind::Pid });
        }
        if self.eat_keyword(Keyword::Bool) {
            return Ok(SortSyntax { span: start, kind: SortKind::Bool });
        }
        if self.eat(TokenKind::LeftBrace) {
            self.depth += 1;
            let group = if self.depth > DEPTH { Err(self.too_deep(start)) } else { self.group() };
            self.depth -= 1;
            let kind = SortKind::Group(Box::new(group?));
            return Ok(SortSyntax { span: start.to(self.before()), kind });
        }
        if !matches!(
            self.kind(),
            TokenKind::Name | TokenKind::Int | TokenKind::LeftParen | TokenKind::Minus
        ) {
            return Err(self.unexpected("a sort: `pid`, `bool`, a class, a range or `{3 of pid?}`"));
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
    /// What follows `{`: how many records there are, and what is in each.
    fn group(&mut self) -> Parsed<GroupDecl<'a>> {
        let count = self.bound(true)?;
        self.expect_keyword(Keyword::Of)?;
        let columns = match self.eat(TokenKind::LeftParen) {
            true => self.list_to_paren(Self::column)?,
            false => vec![self.column()?],
        };
        self.expect(TokenKind::RightBrace, "`}`")?;
        Ok(GroupDecl { count, columns })
    }
}
