//! Enumerations and colour classes, and how `all` their members are spoken of.

use net::Symmetry;

use super::{Parsed, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::syntax::{All, ClassDecl, DeclarationKind, Expr, ExprKind, Extent, Name, PartDecl};
use diagnostics::Diagnostic;

impl<'a> Parser<'a, '_> {
    /// What follows `enum`.
    pub(super) fn enumeration(&mut self) -> Parsed<DeclarationKind<'a>> {
        let name = self.name("an enumeration")?;
        if !self.is(TokenKind::LeftBrace) {
            return Err(self.unexpected("`{` and the members"));
        }
        self.cases(name)
    }

    /// What follows `class`.
    pub(super) fn class(&mut self) -> Parsed<DeclarationKind<'a>> {
        if symmetry(self.kind()).is_some() && symmetry(self.kind_after(1)).is_none() {
            let span = self.token().span;
            return Err(Diagnostic::error("E0110", "the name of a class comes first")
                .at(span, "expected the name of the class")
                .help(format!("write `class NAME {} …`", span.text(self.text)))
                .report(self.diagnostics));
        }
        let name = self.name("a class")?;
        if self.is(TokenKind::Name) && self.token().span.text(self.text) == "fresh" {
            self.advance();
            return Ok(DeclarationKind::Fresh(name));
        }
        let symmetry = self.symmetry(name)?;
        let round = symmetry == Symmetry::None && self.eat_round();
        let parts = if self.is_part() {
            self.list(|parser| {
                let name = parser.name("a part")?;
                parser.extent(Some(name))
            })?
        } else {
            vec![self.extent(None)?]
        };
        if self.is(TokenKind::Comma) {
            return Err(Diagnostic::error("E0101", "each part of a class has a name")
                .at(parts[0].span, "this part has none")
                .help("write `class Proc symmetric leader 1, others 4`, say")
                .report(self.diagnostics));
        }
        Ok(DeclarationKind::Class(ClassDecl { name, is_enum: false, symmetry, round, parts }))
    }

    /// Takes the word `round`. It is not reserved: a part that is called like it stands in backticks.
    fn eat_round(&mut self) -> bool {
        let goes_on = matches!(
            self.kind_after(1),
            TokenKind::Int
                | TokenKind::LeftParen
                | TokenKind::LeftBrace
                | TokenKind::Minus
                | TokenKind::Name
        );
        let is_round =
            self.is(TokenKind::Name) && self.token().span.text(self.text) == "round" && goes_on;
        if is_round {
            self.advance();
        }
        is_round
    }

    /// The word that says which permutations of the members make no difference. One that is misspelt
    /// is reported, and read as meant.
    fn symmetry(&mut self, name: Name<'a>) -> Parsed<Symmetry> {
        if let Some(symmetry) = symmetry(self.kind()) {
            self.advance();
            return Ok(symmetry);
        }
        let span = self.token().span;
        let words = |k| matches!(k, Keyword::Symmetric | Keyword::Cyclic | Keyword::Ordered);
        if let Some(keyword) = self.meant_keyword(words)
            && let Some(symmetry) = symmetry(TokenKind::Keyword(keyword))
        {
            let word = span.text(self.text);
            Diagnostic::error("E0110", format!("no class is `{word}`"))
                .at(span, format!("did you mean `{}`?", keyword.text()))
                .report(self.diagnostics);
            self.advance();
            return Ok(symmetry);
        }
        let text = name.text;
        Err(Diagnostic::error(
            "E0110",
            format!("it is not said which members of `{text}` are alike"),
        )
        .at(name.span, "expected `symmetric`, `cyclic` or `ordered` after this")
        .help(format!(
            "write `class {text} symmetric 5` if all are alike, `cyclic` if they go round, \
                 `ordered` if none are alike; `class {text} fresh` if members are created while the net runs"
        ))
        .report(self.diagnostics))
    }

    /// Whether a part with a name stands here, not just a size. A word on the next line that is near
    /// one that starts declarations belongs there.
    fn is_part(&self) -> bool {
        self.is(TokenKind::Name)
            && match self.kind_after(1) {
                TokenKind::Int | TokenKind::LeftParen | TokenKind::LeftBrace => true,
                TokenKind::Name => !self.is_lost_declaration(1),
                _ => false,
            }
    }

    /// Whether a line starts with a misspelt declaration this many tokens ahead.
    fn is_lost_declaration(&self, tokens: usize) -> bool {
        let before = match tokens {
            0 => self.before(),
            _ => self.token_after(tokens - 1).span,
        };
        let gap = before.end as usize..self.token_after(tokens).span.start as usize;
        self.text[gap].contains('\n')
            && self.meant_keyword_after(tokens, Keyword::starts_declaration).is_some()
    }

    /// How many members a part has, or which.
    fn extent(&mut self, name: Option<Name<'a>>) -> Parsed<PartDecl<'a>> {
        let start = self.token().span;
        let extent = match self.kind() {
            TokenKind::LeftBrace => Extent::Members(self.members()?),
            TokenKind::Name | TokenKind::Int | TokenKind::LeftParen | TokenKind::Minus => {
                Extent::Size(self.bound(true)?)
            }
            _ => return Err(self.unexpected("the number of members, or `{` and their names")),
        };
        Ok(PartDecl { name, extent, span: start.to(self.before()) })
    }

    fn members(&mut self) -> Parsed<Vec<Name<'a>>> {
        self.advance();
        let mut members = Vec::new();
        while !self.is(TokenKind::RightBrace) {
            members.push(self.name("a member")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "`,` or `}`")?;
        Ok(members)
    }

    /// `all`, `all r`, `all in others`, `all except x`, and combinations.
    pub(super) fn all(&mut self) -> Parsed<Expr<'a>> {
        let span = self.advance().span;
        let named = self.is(TokenKind::Name) && !self.is_lost_declaration(0);
        let name = if named { Some(self.name("a variable")?) } else { None };
        let part = match self.eat_keyword(Keyword::In) {
            true => Some(self.name("a part of a class")?),
            false => None,
        };
        let except = match self.eat_keyword(Keyword::Except) {
            true => self.left_out()?,
            false => Vec::new(),
        };
        let span = span.to(self.before());
        self.node(ExprKind::All(Box::new(All { name, part, except })), span)
    }

    /// One member, or several in parentheses.
    fn left_out(&mut self) -> Parsed<Vec<Expr<'a>>> {
        let list = self.bound(true)?;
        Ok(match list.kind {
            ExprKind::Tuple(list) => list,
            _ => vec![list],
        })
    }
}

fn symmetry(kind: TokenKind) -> Option<Symmetry> {
    match kind {
        TokenKind::Keyword(Keyword::Symmetric) => Some(Symmetry::Full),
        TokenKind::Keyword(Keyword::Cyclic) => Some(Symmetry::Rotations),
        TokenKind::Keyword(Keyword::Ordered) => Some(Symmetry::None),
        _ => None,
    }
}
