//! Types, parameters, results.

use super::Parser;
use crate::lexer::Kind;
use crate::syntax::*;

impl Parser<'_> {
    fn made(&self, kind: ExprKind, pos: Pos) -> Expr {
        Expr { kind: Box::new(kind), pos, end: self.end() }
    }

    pub(super) fn type_(&mut self) -> Expr {
        self.nested(Parser::type_here, |parser| parser.made(ExprKind::Wrong, parser.pos()))
    }

    /// Whether a type begins here.
    pub(super) fn begins_type(&self) -> bool {
        matches!(
            self.kind(),
            Kind::Name(_)
                | Kind::Op("*" | "[" | "(" | "<-")
                | Kind::Word("map" | "chan" | "func" | "struct" | "interface")
        )
    }

    fn type_here(&mut self) -> Expr {
        let pos = self.pos();
        let kind = match self.kind().clone() {
            Kind::Name(name) => {
                self.next();
                let mut of = self.made(ExprKind::Name(name), pos);
                while self.eat(".") {
                    let field = self.ident();
                    of = self.made(ExprKind::Select(of, field), pos);
                }
                if self.is_op("[") && !matches!(self.ahead(1), Kind::Op("]")) {
                    self.next();
                    let mut args = vec![self.type_()];
                    while self.eat(",") && !self.is_op("]") {
                        args.push(self.type_());
                    }
                    self.expect("]");
                    of = self.made(ExprKind::Index(of, args), pos);
                }
                return of;
            }
            Kind::Op("*") => {
                self.next();
                ExprKind::Star(self.type_())
            }
            Kind::Op("(") => {
                self.next();
                let inner = self.type_();
                self.expect(")");
                ExprKind::Paren(inner)
            }
            Kind::Op("[") => {
                self.next();
                if self.eat("]") {
                    ExprKind::ArrayType(ArrayLen::None, self.type_())
                } else if self.eat("...") {
                    self.expect("]");
                    ExprKind::ArrayType(ArrayLen::Counted, self.type_())
                } else {
                    let length = self.expression_with_literals();
                    self.expect("]");
                    ExprKind::ArrayType(ArrayLen::Given(length), self.type_())
                }
            }
            Kind::Op("<-") => {
                self.next();
                if !self.eat_word("chan") {
                    self.wrong("expected `chan`");
                }
                ExprKind::ChanType(ChanDir::Receive, self.type_())
            }
            Kind::Word("chan") => {
                self.next();
                let dir = if self.eat("<-") { ChanDir::Send } else { ChanDir::Both };
                ExprKind::ChanType(dir, self.type_())
            }
            Kind::Word("map") => {
                self.next();
                self.expect("[");
                let key = self.type_();
                self.expect("]");
                ExprKind::MapType(key, self.type_())
            }
            Kind::Word("func") => {
                self.next();
                ExprKind::FuncType(self.signature())
            }
            Kind::Word("struct") => {
                self.next();
                ExprKind::StructType(self.fields())
            }
            Kind::Word("interface") => {
                self.next();
                ExprKind::InterfaceType(self.interface())
            }
            _ => {
                self.wrong("expected a type");
                ExprKind::Wrong
            }
        };
        self.made(kind, pos)
    }

    fn fields(&mut self) -> Vec<FieldDecl> {
        self.expect("{");
        let mut fields = Vec::new();
        while !self.is_op("}") && !self.is_end() {
            let before = self.at;
            if self.eat(";") {
                continue;
            }
            let embedded = self.is_op("*")
                || matches!(self.ahead(1), Kind::Op(";" | "}" | ".") | Kind::Str(_));
            if embedded {
                let of = self.type_();
                let name = embedded_name(&of);
                fields.push(FieldDecl { name: Ident { name, pos: of.pos }, of, embedded });
            } else {
                let mut names = vec![self.ident()];
                while self.eat(",") {
                    names.push(self.ident());
                }
                let of = self.type_();
                let field = |name| FieldDecl { name, of: of.clone(), embedded: false };
                fields.extend(names.into_iter().map(field));
            }
            if matches!(self.kind(), Kind::Str(_)) {
                self.next();
            }
            self.semicolon();
            if self.at == before {
                self.next();
            }
        }
        self.expect("}");
        fields
    }

    fn interface(&mut self) -> Vec<InterfaceElem> {
        self.expect("{");
        let mut elems = Vec::new();
        while !self.is_op("}") && !self.is_end() {
            let before = self.at;
            if self.eat(";") {
                continue;
            }
            if matches!(self.kind(), Kind::Name(_)) && matches!(self.ahead(1), Kind::Op("(")) {
                let name = self.ident();
                let of = self.signature();
                elems.push(InterfaceElem::Method(name, of));
            } else {
                elems.push(InterfaceElem::Types(self.constraint()));
            }
            self.semicolon();
            if self.at == before {
                self.next();
            }
        }
        self.expect("}");
        elems
    }

    /// `~int | string`.
    fn constraint(&mut self) -> Vec<Expr> {
        let mut types = Vec::new();
        loop {
            self.eat("~");
            types.push(self.type_());
            if !self.eat("|") {
                return types;
            }
        }
    }

    /// Whether what follows `[` after the name of a type are parameters and not a length.
    pub(super) fn has_type_params(&self) -> bool {
        matches!(self.ahead(1), Kind::Name(_))
            && matches!(
                self.ahead(2),
                Kind::Name(_)
                    | Kind::Op("," | "~" | "[")
                    | Kind::Word("interface" | "func" | "map" | "chan" | "struct")
            )
    }

    pub(super) fn type_params(&mut self) -> Vec<Param> {
        self.expect("[");
        let mut params: Vec<Param> = Vec::new();
        while !self.is_op("]") && !self.is_end() {
            let before = self.at;
            let mut names = vec![self.ident()];
            while self.eat(",") {
                names.push(self.ident());
            }
            let pos = self.pos();
            let types = self.constraint();
            let of = match <[Expr; 1]>::try_from(types) {
                Ok([one]) => one,
                Err(types) => {
                    let elems = vec![InterfaceElem::Types(types)];
                    self.made(ExprKind::InterfaceType(elems), pos)
                }
            };
            params.extend(names.into_iter().map(|name| Param { name: Some(name), of: of.clone() }));
            self.eat(",");
            if self.at == before {
                self.next();
            }
        }
        self.expect("]");
        params
    }

    pub(super) fn signature(&mut self) -> FuncType {
        let (params, variadic) = self.params();
        let results = if self.is_op("(") {
            self.params().0
        } else if self.begins_type() {
            vec![Param { name: None, of: self.type_() }]
        } else {
            Vec::new()
        };
        FuncType { params, results, variadic }
    }

    /// Parameters in parentheses, and whether the last one takes any number.
    pub(super) fn params(&mut self) -> (Vec<Param>, bool) {
        self.expect("(");
        let mut entries: Vec<(Option<Ident>, Option<Expr>)> = Vec::new();
        let mut variadic = false;
        while !self.is_op(")") && !self.is_end() {
            let before = self.at;
            let is_name = matches!(self.kind(), Kind::Name(_));
            let follows = self.ahead(1);
            let is_alone = matches!(follows, Kind::Op("," | ")" | "."));
            let generic = matches!(follows, Kind::Op("["))
                && !matches!(self.ahead(2), Kind::Op("]" | "...") | Kind::Int(_))
                && !self.is_array_after_name();
            if is_name && !is_alone && !generic {
                let name = self.ident();
                variadic |= self.eat("...");
                let of = self.type_();
                entries.push((Some(name), Some(of)));
            } else {
                variadic |= self.eat("...");
                let of = self.type_();
                entries.push((None, Some(of)));
            }
            if !self.eat(",") && !self.is_op(")") {
                self.wrong("expected `,` or `)`");
                while !self.is_end() && !self.is_op(")") && !self.is_op("{") && !self.is_op(";") {
                    self.next();
                }
                break;
            }
            if self.at == before {
                self.next();
            }
        }
        self.expect(")");
        (grouped(entries), variadic)
    }

    /// Whether `name [ N ] T` stands here, so that the bracket is a length.
    fn is_array_after_name(&self) -> bool {
        matches!(self.ahead(3), Kind::Op("]"))
            && matches!(
                self.ahead(4),
                Kind::Name(_)
                    | Kind::Op("*" | "[")
                    | Kind::Word("map" | "chan" | "func" | "struct" | "interface")
            )
    }
}

/// `a, b int` is two parameters of one type: a name without a type has that of the next.
fn grouped(entries: Vec<(Option<Ident>, Option<Expr>)>) -> Vec<Param> {
    let named = entries.iter().any(|(name, _)| name.is_some());
    let mut params: Vec<Param> = Vec::new();
    let mut last: Option<Expr> = None;
    for (name, of) in entries.into_iter().rev() {
        let of = of.expect("all have one so far");
        match (&name, named) {
            (None, true) => {
                let only = of.name().map(|name| Ident { name: name.to_owned(), pos: of.pos });
                params.push(Param { name: only, of: last.clone().unwrap_or(of) });
            }
            _ => {
                last = Some(of.clone());
                params.push(Param { name, of });
            }
        }
    }
    params.reverse();
    params
}

/// What an embedded field is called.
pub(crate) fn embedded_name(of: &Expr) -> String {
    match &*of.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Select(_, field) => field.name.clone(),
        ExprKind::Star(inner) | ExprKind::Paren(inner) | ExprKind::Index(inner, _) => {
            embedded_name(inner)
        }
        _ => "_".into(),
    }
}
