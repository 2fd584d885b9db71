//! Declarations of processes, objects, functions, records and shared variables.

use super::{Parsed, Parser, Reported};
use crate::lexer::TokenKind;
use crate::region::Word;
use crate::syntax::process::{
    Component, FunctionDecl, MeetSide, Member, MemberKind, ObjectDecl, RecordDecl, SharedDecl,
    TypeKind, TypeSyntax, VariantDecl,
};
use crate::syntax::{ClassDecl, DeclarationKind, Extent, Name, PartDecl};
use diagnostics::Diagnostic;

impl<'a> Parser<'a, '_> {
    /// A declaration that starts with this word, which has been taken.
    pub(super) fn process_declaration(&mut self, word: Word) -> Parsed<DeclarationKind<'a>> {
        self.in_process = true;
        self.askew = None;
        let parsed = match word {
            Word::Process => self.function("a process").map(DeclarationKind::Process),
            Word::Function => self.function("a function").map(DeclarationKind::Function),
            Word::Record => self.record().map(DeclarationKind::Record),
            Word::Shared => self.shared().map(DeclarationKind::Shared),
            Word::Object => self.object().map(DeclarationKind::Object),
        };
        self.in_process = false;
        parsed
    }

    /// Whether this word stands here, and not as a name that something follows.
    pub(super) fn is_word_here(&self, word: &str) -> bool {
        self.is(TokenKind::Name)
            && self.token().span.text(self.text) == word
            && !matches!(
                self.kind_after(1),
                TokenKind::Assign
                    | TokenKind::PlusAssign
                    | TokenKind::MinusAssign
                    | TokenKind::Dot
                    | TokenKind::Colon
            )
    }

    pub(super) fn eat_word_here(&mut self, word: &str) -> bool {
        let found = self.is_word_here(word);
        if found {
            self.advance();
        }
        found
    }

    fn function(&mut self, what: &str) -> Parsed<FunctionDecl<'a>> {
        let name = self.name(what)?;
        let parameters = self.components()?;
        let mut undo = None;
        let mut result = None;
        loop {
            if self.is(TokenKind::Arrow) {
                let help = "write `: TYPE` for what is returned";
                self.foreign(self.token().span, help);
            }
            if self.eat(TokenKind::Colon) || self.eat(TokenKind::Arrow) {
                result = Some(self.type_syntax()?);
            } else if self.eat_word_here("undo") {
                undo = Some(self.name("the step that undoes it")?);
            } else {
                break;
            }
        }
        Ok(FunctionDecl { name, parameters, result, undo, body: self.block()? })
    }

    fn components(&mut self) -> Parsed<Vec<Component<'a>>> {
        match self.eat(TokenKind::LeftParen) {
            true => self.list_to_paren(|parser| parser.component("a parameter")),
            false => Ok(Vec::new()),
        }
    }

    /// What an object is made with: parameters, which may have defaults.
    fn made_with(&mut self) -> Parsed<Vec<Component<'a>>> {
        let parameter = |parser: &mut Self| {
            let mut parameter = parser.component("a parameter")?;
            if parser.eat(TokenKind::Assign) {
                parameter.default = Some(parser.expression()?);
            }
            Ok(parameter)
        };
        if self.eat(TokenKind::LeftParen) { self.list_to_paren(parameter) } else { Ok(Vec::new()) }
    }

    fn component(&mut self, what: &str) -> Parsed<Component<'a>> {
        let name = self.name(what)?;
        if !self.is(TokenKind::Colon) {
            self.skipped.insert(name.text);
            let message = format!("`{}` has no type", name.text);
            let error =
                Diagnostic::error("E0101", message).at(name.span, "expected `: TYPE` after this");
            self.diagnostics.push(match what {
                "a component" => error.help("components have names: `data(n: 0..=3)`"),
                _ => error
                    .help(format!("write `{}: 0..=3`, or `{0}: channel[bool]`, say", name.text)),
            });
            while !matches!(
                self.kind(),
                TokenKind::Comma | TokenKind::RightParen | TokenKind::RightBrace | TokenKind::End
            ) && !self.starts_line()
            {
                self.advance();
            }
            let of = TypeSyntax { span: name.span, kind: TypeKind::Wrong };
            return Ok(Component { name, of, default: None });
        }
        self.advance();
        Ok(Component { name, of: self.type_syntax()?, default: None })
    }

    fn shared(&mut self) -> Parsed<SharedDecl<'a>> {
        let atomic = self.eat_atomic();
        let name = self.name("a shared variable")?;
        let of = match self.eat(TokenKind::Colon) {
            true => Some(self.type_syntax()?),
            false => None,
        };
        if self.is(TokenKind::LeftParen) && of.is_some() {
            let span = self.token().span;
            let help = format!("write `shared {} = new TYPE(…)`: it is made with these", name.text);
            return Err(self.foreign(span, &help));
        }
        if let (Some(of), false) = (&of, self.is(TokenKind::Assign)) {
            return Err(self.no_first_value(name, of));
        }
        self.expect(TokenKind::Assign, "`=` and the first value")?;
        Ok(SharedDecl { atomic, name, of, initial: self.expression()? })
    }

    /// Reports a shared variable without its first value.
    fn no_first_value(&mut self, name: Name<'a>, of: &TypeSyntax<'a>) -> Reported {
        let (name, written) = (name.text, of.span.text(self.text));
        let first = match &of.kind {
            TypeKind::Bool => Some("false"),
            TypeKind::Optional(_) => Some("none"),
            TypeKind::Range { low, .. } => Some(low.span.text(self.text)),
            TypeKind::Named(of, _) if ["seq", "set", "map"].contains(&of.text) => Some("[]"),
            _ => None,
        };
        // Of an object of the prelude, whether it is made with something.
        let made_with = |of: Name<'_>| {
            let objects = crate::PRELUDE.lines().filter_map(|line| line.strip_prefix("object "));
            let mut own = objects.filter_map(|rest| rest.strip_prefix(of.text));
            let rest = own.find(|rest| rest.starts_with([' ', '(', '[']))?;
            Some(if rest.contains('(') { "(…)" } else { "" })
        };
        let made = match &of.kind {
            TypeKind::Named(of, _) => made_with(*of),
            _ => None,
        };
        let help = match (first, made) {
            (Some(first), _) => format!("write `shared {name}: {written} = {first}`, say"),
            (None, Some(with)) => format!("write `shared {name} = new {written}{with}`"),
            (None, None) => format!(
                "write `shared {name} = new {written}` if it is an object, and `shared {name}: \
                 {written} = VALUE` if it is not"
            ),
        };
        Diagnostic::error("E0101", format!("`{name}` has no first value"))
            .at(self.before(), "expected `=` and the first value after this")
            .help(help)
            .report(self.diagnostics)
    }

    /// Takes the word `atomic` before a name.
    fn eat_atomic(&mut self) -> bool {
        self.kind_after(1) == TokenKind::Name && self.eat_word_here("atomic")
    }

    fn record(&mut self) -> Parsed<RecordDecl<'a>> {
        let name = self.name("a record")?;
        self.expect(TokenKind::LeftBrace, "`{` and the components")?;
        let mut components = Vec::new();
        while !self.is(TokenKind::RightBrace) {
            components.push(self.component("a component")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "`,` or `}`")?;
        Ok(RecordDecl { name, components })
    }

    /// The members of an enumeration, some of which may carry data. The name has been read.
    pub(super) fn cases(&mut self, name: Name<'a>) -> Parsed<DeclarationKind<'a>> {
        let start = self.expect(TokenKind::LeftBrace, "`{` and the members")?.span;
        let mut cases = Vec::new();
        let mut carries_data = false;
        while !self.is(TokenKind::RightBrace) {
            let name = self.name("a member")?;
            let components = match self.eat(TokenKind::LeftParen) {
                true => {
                    carries_data = true;
                    self.in_process = true;
                    let list = self.list_to_paren(|parser| parser.component("a component"));
                    self.in_process = false;
                    list?
                }
                false => Vec::new(),
            };
            cases.push(RecordDecl { name, components });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "`,` or `}`")?;
        if carries_data {
            return Ok(DeclarationKind::Variant(VariantDecl { name, cases }));
        }
        let members = cases.into_iter().map(|case| case.name).collect();
        let span = start.to(self.before());
        let parts = vec![PartDecl { name: None, extent: Extent::Members(members), span }];
        let symmetry = net::Symmetry::None;
        Ok(DeclarationKind::Class(ClassDecl { name, is_enum: true, symmetry, round: false, parts }))
    }

    fn object(&mut self) -> Parsed<ObjectDecl<'a>> {
        let name = self.name("a type of objects")?;
        let types = match self.eat(TokenKind::LeftBracket) {
            true => {
                let types = self.list(|parser| parser.name("a type parameter"))?;
                self.expect(TokenKind::RightBracket, "`,` or `]`")?;
                types
            }
            false => Vec::new(),
        };
        let parameters = self.made_with()?;
        let open = self.expect(TokenKind::LeftBrace, "`{` and what the object has")?.span;
        let mut members = Vec::new();
        while !self.ends_block() {
            let start = self.position;
            match self.member() {
                Ok(member) => members.push(member),
                Err(_) => self.skip_statement(start),
            }
        }
        let close = self.close(open)?;
        Ok(ObjectDecl { name, types, parameters, open, close, members })
    }

    fn member(&mut self) -> Parsed<Member<'a>> {
        let start = self.token().span;
        let is_named = self.kind_after(1) == TokenKind::Name;
        let kind = if is_named && self.eat_word_here("step") {
            MemberKind::Step(self.function("a step")?)
        } else if is_named && self.eat_word_here("fn") {
            MemberKind::Function(self.function("a function")?)
        } else if is_named && self.eat_word_here("meet") {
            self.meet()?
        } else {
            let atomic = self.eat_atomic();
            let name = self.name("a field")?;
            let of = match self.eat(TokenKind::Colon) {
                true => Some(self.type_syntax()?),
                false if self.is(TokenKind::Assign) => None,
                false => return Err(self.no_member(name)),
            };
            self.expect(TokenKind::Assign, "`=` and the first value")?;
            MemberKind::Field { atomic, name, of, initial: self.expression()? }
        };
        Ok(Member { span: start.to(self.before()), kind })
    }

    fn no_member(&mut self, name: Name<'a>) -> Reported {
        let message = format!("nothing in an object starts with `{}`", name.text);
        Diagnostic::error("E0101", message)
            .at(name.span, "")
            .help("an object has fields `NAME: TYPE = VALUE`, and `step`, `fn` and `meet`")
            .report(self.diagnostics)
    }

    fn meet(&mut self) -> Parsed<MemberKind<'a>> {
        let sides = self.list(|parser| {
            let step = parser.name("a step")?;
            let parameters = match parser.eat(TokenKind::LeftParen) {
                true => parser.list_to_paren(|parser| parser.name("a parameter"))?,
                false => Vec::new(),
            };
            Ok(MeetSide { step, parameters })
        })?;
        if sides.len() != 2 {
            let last = sides.last().expect("a list has an item").step;
            return Err(Diagnostic::error("E0101", "two steps meet")
                .at(last.span, format!("{} given", sides.len()))
                .help("write `meet send(value), receive { … }`")
                .report(self.diagnostics));
        }
        Ok(MemberKind::Meet { sides, body: self.block()? })
    }
}
