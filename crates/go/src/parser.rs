//! A recovering parser for the whole of Go, generics included.
//!
//! By recursive descent, as Go's own. We write our own since the kept ones either need a C compiler to build
//! (`tree-sitter-go`), which this project does without, or stop at the first error. What is nested more than
//! [`DEEPEST`] levels is refused, so that no text exhausts the stack.

mod expression;
mod statement;
mod types;

use std::rc::Rc;

use diagnostics::{Diagnostic, Diagnostics, Span};

use crate::lexer::{Directive, Kind, Token, tokens};
use crate::syntax::*;

/// No more levels than this are nested.
const DEEPEST: usize = 120;

/// No more operators, fields or calls than this follow one another.
const LONGEST_CHAIN: usize = 300;

/// The tree of a text that begins at an offset.
pub(crate) fn parse(text: &str, base: u32, found: &mut Diagnostics) -> (File, Vec<Directive>) {
    let (tokens, directives) = tokens(text, base, found);
    (parse_tokens(tokens, found), directives)
}

/// The tree of a text, of its tokens.
pub(crate) fn parse_tokens(tokens: Vec<Token>, found: &mut Diagnostics) -> File {
    Parser { tokens, at: 0, found, depth: 0, no_literal: false }.file()
}

pub(super) struct Parser<'d> {
    tokens: Vec<Token>,
    at: usize,
    found: &'d mut Diagnostics,
    depth: usize,
    /// In the head of a statement, where `{` begins its block and no literal.
    no_literal: bool,
}

impl Parser<'_> {
    fn kind(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    fn ahead(&self, by: usize) -> &Kind {
        &self.tokens[(self.at + by).min(self.tokens.len() - 1)].kind
    }

    fn pos(&self) -> Pos {
        self.tokens[self.at].start
    }

    /// The end of the token before.
    fn end(&self) -> Pos {
        self.tokens[self.at.saturating_sub(1)].end
    }

    fn next(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn is_op(&self, op: &str) -> bool {
        matches!(self.kind(), Kind::Op(found) if *found == op)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Word(found) if *found == word)
    }

    fn is_end(&self) -> bool {
        *self.kind() == Kind::End
    }

    fn eat(&mut self, op: &str) -> bool {
        let is = self.is_op(op);
        if is {
            self.next();
        }
        is
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.next();
        }
        is
    }

    fn expect(&mut self, op: &str) {
        if !self.eat(op) {
            self.wrong(&format!("expected `{op}`"));
        }
    }

    /// Reports what stands here.
    fn wrong(&mut self, message: &str) {
        let token = &self.tokens[self.at];
        let found = match &token.kind {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Word(word) => format!("`{word}`"),
            Kind::Op(";") if token.start == token.end => "the end of the line".to_owned(),
            Kind::Op(op) => format!("`{op}`"),
            Kind::End => "the end of the file".to_owned(),
            _ => "a literal".to_owned(),
        };
        let span = Span::new(token.start as usize..token.end as usize);
        let message = format!("{message}, found {found}");
        self.found.report(|| {
            Diagnostic::error("G0102", message)
                .at(span, "here")
                .help("this is no Go as the compiler knows it: see what `go vet` says of the file")
        });
    }

    fn ident(&mut self) -> Ident {
        let pos = self.pos();
        if let Kind::Name(name) = self.kind() {
            let name = name.clone();
            self.next();
            return Ident { name, pos };
        }
        self.wrong("expected a name");
        Ident { name: "_".into(), pos }
    }

    /// Does what reads something nested, unless it is nested too deeply.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> T,
        otherwise: impl FnOnce(&Self) -> T,
    ) -> T {
        if self.depth >= DEEPEST {
            self.too_deep();
            return otherwise(self);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reports that there is too much here, and reads no further.
    fn too_deep(&mut self) {
        let token = &self.tokens[self.at];
        let span = Span::new(token.start as usize..token.end as usize);
        let message = format!(
            "this is nested more than {DEEPEST} levels deep, or a longer chain than {LONGEST_CHAIN}"
        );
        self.found.report(|| {
            Diagnostic::error("G0103", message)
                .at(span, "here")
                .help("give parts of it names, or put them into functions")
        });
        self.at = self.tokens.len() - 1;
    }

    fn file(&mut self) -> File {
        let mut file = File::default();
        if self.eat_word("package") {
            file.package = self.ident().name;
            self.semicolon();
        } else {
            self.wrong("expected `package`");
        }
        while !self.is_end() {
            let before = self.at;
            match self.kind() {
                Kind::Op(";") => self.next(),
                Kind::Word("import" | "const" | "var" | "type") => {
                    let decls = self.declaration();
                    file.decls.extend(decls);
                    self.semicolon();
                }
                Kind::Word("func") => {
                    let decl = self.function();
                    file.decls.push(Decl::Func(Rc::new(decl)));
                    self.semicolon();
                }
                _ => {
                    self.wrong("expected a declaration");
                    self.skip_to_declaration();
                }
            }
            if self.at == before {
                self.next();
            }
        }
        file
    }

    fn skip_to_declaration(&mut self) {
        while !self.is_end()
            && !matches!(self.kind(), Kind::Word("func" | "var" | "type" | "const" | "import"))
        {
            self.next();
        }
    }

    fn semicolon(&mut self) {
        if !self.eat(";") && !self.is_op("}") && !self.is_op(")") && !self.is_end() {
            self.wrong("expected the end of the statement");
            while !self.is_end() && !self.is_op(";") && !self.is_op("}") {
                self.next();
            }
            self.eat(";");
        }
    }

    /// `import`, `const`, `var`, `type`, alone or several in parentheses.
    pub(super) fn declaration(&mut self) -> Vec<Decl> {
        let Kind::Word(word) = *self.kind() else { return Vec::new() };
        self.next();
        let mut decls = Vec::new();
        let mut inherited: (Option<Expr>, Vec<Expr>) = (None, Vec::new());
        if self.eat("(") {
            let mut iota = 0;
            while !self.is_op(")") && !self.is_end() {
                let before = self.at;
                if !self.eat(";") {
                    decls.extend(self.spec(word, iota, &mut inherited));
                    iota += 1;
                    self.semicolon();
                }
                if self.at == before {
                    self.next();
                }
            }
            self.expect(")");
        } else {
            decls.extend(self.spec(word, 0, &mut inherited));
        }
        decls
    }

    fn spec(
        &mut self,
        word: &str,
        iota: i128,
        inherited: &mut (Option<Expr>, Vec<Expr>),
    ) -> Option<Decl> {
        let pos = self.pos();
        match word {
            "import" => {
                let alias = match self.kind() {
                    Kind::Name(_) => Some(self.ident()),
                    Kind::Op(".") => {
                        self.next();
                        Some(Ident { name: ".".into(), pos })
                    }
                    _ => None,
                };
                if let Kind::Str(path) = self.kind() {
                    let path = path.clone();
                    self.next();
                    return Some(Decl::Import { alias, path });
                }
                self.wrong("expected the path of a package");
                None
            }
            "type" => {
                let name = self.ident();
                let params = if self.is_op("[") && self.has_type_params() {
                    self.type_params()
                } else {
                    Vec::new()
                };
                let alias = self.eat("=");
                let of = self.type_();
                Some(Decl::Type { name, params, of, alias })
            }
            _ => {
                let mut names = vec![self.ident()];
                while self.eat(",") {
                    names.push(self.ident());
                }
                let has_type = !self.is_op("=") && !self.is_op(";") && !self.is_op(")");
                let of = (has_type && !self.is_end()).then(|| self.type_());
                let values = if self.eat("=") { self.expressions() } else { Vec::new() };
                if word == "var" {
                    return Some(Decl::Var { names, of, values, pos });
                }
                if values.is_empty() {
                    let (of, values) = inherited.clone();
                    return Some(Decl::Const { names, of, values, iota });
                }
                *inherited = (of.clone(), values.clone());
                Some(Decl::Const { names, of, values, iota })
            }
        }
    }

    fn function(&mut self) -> FuncDecl {
        self.next();
        let receiver = if self.is_op("(") {
            let (params, _) = self.params();
            params.into_iter().next()
        } else {
            None
        };
        let name = self.ident();
        let type_params = if self.is_op("[") { self.type_params() } else { Vec::new() };
        let of = self.signature();
        let body = if self.is_op("{") { Some(Rc::new(self.block())) } else { None };
        FuncDecl { name, receiver, type_params, of, body }
    }
}

/// The type that a method is of.
pub(crate) fn receiver_name(of: &Expr) -> String {
    types::embedded_name(of)
}

/// A single expression that begins at an offset.
pub(crate) fn parse_expression(text: &str, base: u32, found: &mut Diagnostics) -> Expr {
    let (tokens, _) = tokens(text, base, found);
    let mut parser = Parser { tokens, at: 0, found, depth: 0, no_literal: false };
    let expr = parser.expression();
    parser.eat(";");
    if !parser.is_end() {
        parser.wrong("expected the end of the condition");
    }
    expr
}
