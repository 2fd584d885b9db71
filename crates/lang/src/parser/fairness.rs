//! What is assumed of runs: `fair threads`, `strongly fair accept, reply`.

use net::Strength;

use super::{Parsed, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::syntax::{DeclarationKind, Whom, WhomKind};

impl<'a> Parser<'a, '_> {
    /// What follows `fair` or `strongly`.
    pub(super) fn fairness(&mut self, keyword: Keyword) -> Parsed<DeclarationKind<'a>> {
        let strength = match keyword {
            Keyword::Strongly => {
                self.expect_keyword(Keyword::Fair)?;
                Strength::Strong
            }
            _ => Strength::Weak,
        };
        Ok(DeclarationKind::Fair { strength, whom: self.list(Self::whom)? })
    }

    /// `threads`, or a name, or that of an arm; in backticks `threads` is a name like others.
    fn whom(&mut self) -> Parsed<Whom<'a>> {
        let span = self.token().span;
        let kind = match self.kind() {
            TokenKind::Name if span.text(self.text) == "threads" => WhomKind::Threads,
            TokenKind::Keyword(Keyword::Transition) if self.is_kind_of_whom() => {
                self.advance();
                WhomKind::Transition
            }
            TokenKind::Keyword(Keyword::Class | Keyword::Enum) if self.is_kind_of_whom() => {
                self.advance();
                WhomKind::Class
            }
            _ => WhomKind::Either,
        };
        let what = match kind {
            WhomKind::Transition => "a transition",
            WhomKind::Class => "a class",
            _ => "a transition or a class, or `threads`",
        };
        let name = self.name(what)?;
        if kind == WhomKind::Either && self.eat(TokenKind::Dot) {
            let (kind, routine) = (WhomKind::Arm, Some(name));
            return Ok(Whom { kind, name: self.name_after_dot()?, routine });
        }
        Ok(Whom { kind, name, routine: None })
    }

    /// Whether a word that starts declarations says here what the name after it is of. If what follows the
    /// name makes it a declaration, the list before it was not finished.
    fn is_kind_of_whom(&self) -> bool {
        let declares = matches!(
            self.kind_after(2),
            TokenKind::LeftParen
                | TokenKind::LeftBrace
                | TokenKind::Keyword(Keyword::Symmetric | Keyword::Cyclic | Keyword::Ordered)
        );
        self.kind_after(1) == TokenKind::Name && !declares
    }
}
