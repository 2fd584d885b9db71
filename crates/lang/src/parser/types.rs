//! Types of variables of processes.

use super::{DEPTH, Parsed, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::syntax::ExprKind;
use crate::syntax::process::{TypeKind, TypeSyntax};

impl<'a> Parser<'a, '_> {
    /// A type.
    pub(super) fn type_syntax(&mut self) -> Parsed<TypeSyntax<'a>> {
        let found = self.type_argument()?;
        match found.kind {
            TypeKind::Number(_) => Err(self.unexpected("`..=` and the greatest value")),
            _ => Ok(found),
        }
    }

    /// A type, or a number.
    pub(super) fn type_argument(&mut self) -> Parsed<TypeSyntax<'a>> {
        self.depth += 1;
        let parsed = if self.depth > DEPTH {
            Err(self.too_deep(self.token().span))
        } else {
            self.type_here()
        };
        self.depth -= 1;
        parsed
    }

    fn type_here(&mut self) -> Parsed<TypeSyntax<'a>> {
        let start = self.token().span;
        let kind = self.plain_type()?;
        let mut found = TypeSyntax { span: start.to(self.before()), kind };
        let mut optional = false;
        while self.is(TokenKind::Question) {
            let span = start.to(self.advance().span);
            // One that may be missing may be missing.
            if !optional {
                found = TypeSyntax { span, kind: TypeKind::Optional(Box::new(found)) };
            }
            optional = true;
        }
        Ok(found)
    }

    fn plain_type(&mut self) -> Parsed<TypeKind<'a>> {
        if self.eat_keyword(Keyword::Bool) {
            return Ok(TypeKind::Bool);
        }
        if self.is_word_here("any") && self.kind_after(1) == TokenKind::LeftBrace {
            self.advance();
            self.advance();
            let names = self.list(|parser| parser.name("a step"))?;
            self.expect(TokenKind::RightBrace, "`,` or `}`")?;
            return Ok(TypeKind::AnyWith(names));
        }
        if self.is_word_here("any") && self.token_after(1).span.text(self.text) == "process" {
            self.advance();
            self.advance();
            return Ok(TypeKind::AnyProcess);
        }
        if self.is_word_here("fn") && self.kind_after(1) == TokenKind::LeftParen {
            self.advance();
            self.advance();
            let parameters = self.list_to_paren(Self::type_syntax)?;
            self.expect(TokenKind::Colon, "`:` and what it gives")?;
            return Ok(TypeKind::Predicate(parameters, Box::new(self.type_syntax()?)));
        }
        if self.is(TokenKind::Name) && self.kind_after(1) == TokenKind::LeftBracket {
            return self.applied();
        }
        if !matches!(
            self.kind(),
            TokenKind::Name | TokenKind::Int | TokenKind::LeftParen | TokenKind::Minus
        ) {
            return Err(self.unexpected("a type"));
        }
        self.range()
    }

    /// A name with arguments in brackets.
    fn applied(&mut self) -> Parsed<TypeKind<'a>> {
        let name = self.name("a type")?;
        self.advance();
        let arguments = self.list(Self::type_argument)?;
        self.expect(TokenKind::RightBracket, "`,` or `]`")?;
        Ok(TypeKind::Named(name, arguments))
    }

    /// A range, a name or a number.
    fn range(&mut self) -> Parsed<TypeKind<'a>> {
        let low = Box::new(self.bound(true)?);
        let inclusive = match self.kind() {
            TokenKind::DotDotEqual => true,
            TokenKind::DotDot => false,
            TokenKind::Less if low.as_name().is_some() => {
                let help = format!("types stand in brackets: `{}[…]`", low.span.text(self.text));
                return Err(self.foreign(self.token().span, &help));
            }
            _ => {
                return Ok(match low.kind {
                    ExprKind::Name(_) => {
                        TypeKind::Named(low.as_name().expect("it is one"), Vec::new())
                    }
                    _ => TypeKind::Number(low),
                });
            }
        };
        self.advance();
        let high = Box::new(self.bound(true)?);
        Ok(TypeKind::Range { low, high, inclusive })
    }
}
