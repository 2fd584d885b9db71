//! Transitions and their items.

use super::{Parsed, Parser, starts_declaration, starts_item};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::syntax::{
    Children, DeclarationKind, Expr, Fate, Item, ItemKind, Name, Parameter, Tokens, TransitionDecl,
};
use diagnostics::{Diagnostic, Span};

impl<'a> Parser<'a, '_> {
    /// What follows `transition`.
    pub(super) fn transition(&mut self) -> Parsed<DeclarationKind<'a>> {
        let name = self.name("a transition")?;
        let start = self.position;
        let parameters = match self.parameters() {
            Ok(parameters) => parameters,
            Err(_) => {
                self.skip_from(start, |parser| {
                    let kind = parser.kind();
                    kind == TokenKind::LeftBrace || starts_item(kind) || starts_declaration(kind)
                });
                Vec::new()
            }
        };
        let failure = self.failure(name)?;
        let open = self.expect(TokenKind::LeftBrace, "`{` and the items of the transition")?.span;
        let items = self.items();
        let close = self.token().span;
        if !self.eat(TokenKind::RightBrace) {
            let before = self.before();
            Diagnostic::error("E0112", format!("the transition `{}` is not closed", name.text))
                .at(before, "expected `}` after this")
                .also(open, "it is opened here")
                .report(self.diagnostics);
        }
        let transition = TransitionDecl { name, parameters, failure, items, open, close };
        Ok(DeclarationKind::Transition(transition))
    }

    /// `fails`, perhaps with what is wrong then; otherwise its name says it.
    fn failure(&mut self, transition: Name<'a>) -> Parsed<Option<Name<'a>>> {
        if !self.is(TokenKind::Name) || self.token().span.text(self.text) != "fails" {
            return Ok(None);
        }
        self.advance();
        match self.is(TokenKind::Name) {
            true => self.name("what is wrong").map(Some),
            false => Ok(Some(transition)),
        }
    }

    fn parameters(&mut self) -> Parsed<Vec<Parameter<'a>>> {
        if !self.eat(TokenKind::LeftParen) {
            return Ok(Vec::new());
        }
        self.list_to_paren(|parser| {
            let name = parser.name("a parameter")?;
            parser.expect(TokenKind::Colon, "`:` and the sort of the parameter")?;
            Ok(Parameter { name, sort: parser.sort()? })
        })
    }

    /// The items up to `}`, or to what cannot be in a transition.
    fn items(&mut self) -> Vec<Item<'a>> {
        let mut items = Vec::new();
        let mut when: Option<Span> = None;
        let mut complained = false;
        loop {
            let kind = self.kind();
            if matches!(kind, TokenKind::RightBrace | TokenKind::End) || starts_declaration(kind) {
                return items;
            }
            let start = self.position;
            let first = self.token().span;
            let Some(keyword) = self.item_keyword() else {
                self.skip_from(start, |parser| ends_item(parser.kind()));
                continue;
            };
            if let Some(guard) = when
                && !complained
            {
                complained = true;
                self.diagnostics.push(if keyword == Keyword::When {
                    Diagnostic::error("E0111", "a transition has one `when`")
                        .at(first, "a second one")
                        .also(guard, "the first one")
                        .help("join the two with `and`")
                } else {
                    Diagnostic::error("E0111", "`when` comes last")
                        .at(guard, "this stands before other items")
                        .also(first, "such as this")
                        .help("move the `when` to the end of the transition")
                });
            }
            if keyword == Keyword::When {
                when = Some(first);
            }
            match self.item(keyword) {
                Ok(kind) => {
                    let span = first.to(self.before());
                    items.push(Item { span, kind });
                    let after = self.kind();
                    if !ends_item(after) && self.meant_keyword(Keyword::starts_item).is_none() {
                        self.report_no_item(keyword);
                        self.skip_from(self.position, |parser| ends_item(parser.kind()));
                    }
                }
                Err(_) => self.skip_from(start, |parser| ends_item(parser.kind())),
            }
        }
    }

    /// Reports what follows an item and is none.
    fn report_no_item(&mut self, before: Keyword) {
        if self.is(TokenKind::Comma) {
            let (span, word) = (self.token().span, before.text());
            Diagnostic::error("E0101", format!("each `{word}` stands by itself"))
                .at(span, "")
                .help(format!("write `{word}` again instead of `,`"))
                .report(self.diagnostics);
        } else {
            self.unexpected("an item or `}`");
        }
    }

    /// Takes the word that starts an item.
    fn item_keyword(&mut self) -> Option<Keyword> {
        self.starting_word("item", Keyword::starts_item, |parser| match parser.kind() {
            TokenKind::Semicolon => "items follow one another without `;`: remove it",
            _ => {
                "items start with `move`, `stay`, `end`, `crash`, `passive`, `spawn`, `new`, `take`, \
                 `read`, `put`, `unless`, `let` or `when`"
            }
        })
    }

    fn item(&mut self, keyword: Keyword) -> Parsed<ItemKind<'a>> {
        match keyword {
            Keyword::Passive => {
                let keyword = self.passive_fate()?;
                self.taking_part(keyword, true)
            }
            Keyword::Move | Keyword::Stay | Keyword::End | Keyword::Crash => {
                self.taking_part(keyword, false)
            }
            Keyword::Spawn => self.spawn(),
            Keyword::Take => Ok(ItemKind::Take(self.list(Self::tokens_of_place)?)),
            Keyword::Read => Ok(ItemKind::Read(self.list(Self::tokens_of_place)?)),
            Keyword::Put => Ok(ItemKind::Put(self.list(Self::tokens_of_place)?)),
            Keyword::New => Ok(ItemKind::New(self.new_objects()?)),
            Keyword::Unless => {
                let tokens = self.list(Self::tokens_of_place)?;
                let (_, before) = tokens.split_last().unwrap_or((&tokens[0], &[]));
                if let Some(condition) = before.iter().find_map(|one| one.condition.as_ref()) {
                    return Err(Diagnostic::error("E0101", "`with` comes last in an `unless`")
                        .at(condition.span, "other tokens follow this")
                        .help("join the conditions with `and` behind the last; or write `unless` again if each of them is to disable by itself")
                        .report(self.diagnostics));
                }
                Ok(ItemKind::Unless(tokens))
            }
            Keyword::Let => {
                let name = self.name("a variable")?;
                self.expect(TokenKind::Assign, "`=` and the value")?;
                Ok(ItemKind::Let { name, value: self.expression()? })
            }
            _ => Ok(ItemKind::When(self.expression()?)),
        }
    }

    /// What follows `passive`.
    fn passive_fate(&mut self) -> Parsed<Keyword> {
        use Keyword::{Crash, End, Move, Stay};
        match self.kind() {
            TokenKind::Keyword(fate @ (Move | Stay | End | Crash)) => {
                self.advance();
                Ok(fate)
            }
            _ => Err(self.unexpected("`move`, `stay`, `end` or `crash`")),
        }
    }

    /// What follows the word for what becomes of a thread.
    fn taking_part(&mut self, keyword: Keyword, passive: bool) -> Parsed<ItemKind<'a>> {
        let thread = self.thread(keyword.text())?;
        let at = self.atom("a flow place")?;
        let fate = match keyword {
            Keyword::Stay => Fate::Stay,
            Keyword::End => Fate::End,
            Keyword::Crash => Fate::Crash,
            _ => {
                self.expect(TokenKind::Arrow, "`->` and where the thread goes")?;
                Fate::Move(self.atom("a flow place")?)
            }
        };
        Ok(ItemKind::Thread { thread, at, fate, passive })
    }

    /// `p:` of an item in which the thread takes part.
    fn thread(&mut self, item: &str) -> Parsed<Name<'a>> {
        let span = self.token().span;
        if self.is_keyword(Keyword::All) {
            return Err(Diagnostic::error(
                "E0113",
                format!("`{item} all` would be one step for many threads"),
            )
            .at(span, "a step names each thread that takes part")
            .help(format!(
                "let each of them do it: `transition each {{ {item} p: … }}`; a step that \
                     waits until none is left says `unless _: PLACE`"
            ))
            .report(self.diagnostics));
        }
        if self.is(TokenKind::Name)
            && !matches!(self.kind_after(1), TokenKind::Colon | TokenKind::Name)
        {
            let place = span.text(self.text);
            return Err(Diagnostic::error("E0101", format!("`{item}` names the thread first"))
                .at(span, "expected a variable for the thread and `:`")
                .help(format!("write `{item} p: {place}`, where `p` stands for the thread"))
                .report(self.diagnostics));
        }
        let thread = self.name("the thread")?;
        self.expect(TokenKind::Colon, "`:` and the flow place of the thread")?;
        Ok(thread)
    }

    fn spawn(&mut self) -> Parsed<ItemKind<'a>> {
        let times = self.multiplicity(|kind| kind == TokenKind::Keyword(Keyword::Times))?;
        let children = match times {
            Some(times) => {
                self.expect_keyword(Keyword::Times)?;
                Children::Several(times)
            }
            None if self.eat(TokenKind::Underscore) => Children::One(None),
            None => {
                let name = self.name("the child, or how many `times`")?;
                if !self.is_keyword(Keyword::From) {
                    return Err(self.unexpected("`from` and the parent"));
                }
                Children::One(Some(name))
            }
        };
        self.expect_keyword(Keyword::From)?;
        let parent = self.name("the parent")?;
        if self.eat_keyword(Keyword::End) {
            return Ok(ItemKind::Spawn { children, parent, to: None });
        }
        self.expect(TokenKind::Colon, "`:` and the flow place of the child")?;
        Ok(ItemKind::Spawn { children, parent, to: Some(self.atom("a flow place")?) })
    }

    /// `2 buffer(x)`, `h: ready(c)`, `_: ready(c)`, `unused(s, all r) with r != s`.
    fn tokens_of_place(&mut self) -> Parsed<Tokens<'a>> {
        let count =
            self.multiplicity(|kind| matches!(kind, TokenKind::Name | TokenKind::Underscore))?;
        let thread = match (self.kind(), self.kind_after(1)) {
            (TokenKind::Underscore, TokenKind::Colon) => {
                self.advance();
                Some(None)
            }
            (TokenKind::Name, TokenKind::Colon) => Some(Some(self.name("a thread")?)),
            _ => None,
        };
        if thread.is_some() {
            self.advance();
        }
        let atom = self.atom("a place")?;
        Ok(Tokens { count, thread, atom, condition: self.condition()? })
    }

    /// What follows `with`, if that is written.
    pub(super) fn condition(&mut self) -> Parsed<Option<Expr<'a>>> {
        Ok(if self.eat_keyword(Keyword::With) { Some(self.expression()?) } else { None })
    }
}

fn ends_item(kind: TokenKind) -> bool {
    starts_item(kind)
        || starts_declaration(kind)
        || matches!(kind, TokenKind::RightBrace | TokenKind::End)
}
