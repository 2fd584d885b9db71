//! Statements.

use super::Parser;
use crate::lexer::Kind;
use crate::syntax::*;

/// The operator of `x op= e`.
fn assigning(op: &str) -> Option<&'static str> {
    Some(match op {
        "+=" => "+",
        "-=" => "-",
        "*=" => "*",
        "/=" => "/",
        "%=" => "%",
        "&=" => "&",
        "|=" => "|",
        "^=" => "^",
        "<<=" => "<<",
        ">>=" => ">>",
        "&^=" => "&^",
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Block {
        self.nested(Parser::block_here, |_| Block::default())
    }

    fn block_here(&mut self) -> Block {
        self.expect("{");
        let before = std::mem::replace(&mut self.no_literal, false);
        let statements = self.statements();
        self.no_literal = before;
        let end = self.pos();
        self.expect("}");
        Block { statements, end }
    }

    fn statements(&mut self) -> Vec<Stmt> {
        let mut statements = Vec::new();
        while !self.is_end()
            && !self.is_op("}")
            && !self.is_word("case")
            && !self.is_word("default")
        {
            let before = self.at;
            if self.eat(";") {
                continue;
            }
            statements.push(self.statement());
            self.semicolon();
            if self.at == before {
                self.next();
            }
        }
        statements
    }

    fn statement(&mut self) -> Stmt {
        let wrong = |parser: &Self| {
            let pos = parser.pos();
            Stmt { kind: StmtKind::Empty, pos, end: pos }
        };
        self.nested(Parser::statement_here, wrong)
    }

    fn made_stmt(&self, kind: StmtKind, pos: Pos) -> Stmt {
        Stmt { kind, pos, end: self.end() }
    }

    fn statement_here(&mut self) -> Stmt {
        let pos = self.pos();
        let kind = match self.kind().clone() {
            Kind::Word("var" | "const" | "type") => StmtKind::Decl(self.declaration()),
            Kind::Word(word @ ("go" | "defer")) => {
                self.next();
                let call = self.expression();
                if !matches!(&*call.bare().kind, ExprKind::Call { .. } | ExprKind::Wrong) {
                    self.wrong("expected a call");
                }
                if word == "go" { StmtKind::Go(call) } else { StmtKind::Defer(call) }
            }
            Kind::Word("return") => {
                self.next();
                let none = self.is_op(";") || self.is_op("}") || self.is_end();
                StmtKind::Return(if none { Vec::new() } else { self.expressions() })
            }
            Kind::Word(word @ ("break" | "continue")) => {
                self.next();
                let label = matches!(self.kind(), Kind::Name(_)).then(|| self.ident());
                if word == "break" { StmtKind::Break(label) } else { StmtKind::Continue(label) }
            }
            Kind::Word("goto") => {
                self.next();
                StmtKind::Goto(self.ident())
            }
            Kind::Word("fallthrough") => {
                self.next();
                StmtKind::Fallthrough
            }
            Kind::Word("if") => self.if_(),
            Kind::Word("switch") => self.switch(),
            Kind::Word("select") => self.select(),
            Kind::Word("for") => self.for_(),
            Kind::Op("{") => StmtKind::Block(self.block()),
            Kind::Op(";" | "}") => StmtKind::Empty,
            Kind::Name(_) if matches!(self.ahead(1), Kind::Op(":")) => {
                let label = self.ident();
                self.next();
                while self.eat(";") {}
                if self.is_op("}") {
                    let end = self.pos();
                    let empty = Stmt { kind: StmtKind::Empty, pos: end, end };
                    StmtKind::Labeled(label, Box::new(empty))
                } else {
                    StmtKind::Labeled(label, Box::new(self.statement()))
                }
            }
            _ => return self.simple(),
        };
        self.made_stmt(kind, pos)
    }

    /// An expression, a send, an assignment, a short declaration.
    fn simple(&mut self) -> Stmt {
        let pos = self.pos();
        let left = self.expressions();
        let many = left.len() > 1;
        let simple = self.rest_of_simple(left, pos);
        if many && matches!(simple.kind, StmtKind::Expr(_)) {
            self.wrong("expected `=` or `:=`");
        }
        simple
    }

    fn head<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.no_literal, true);
        let result = read(self);
        self.no_literal = before;
        result
    }

    fn if_(&mut self) -> StmtKind {
        self.next();
        let (init, cond) = self.head(|parser| {
            let first = (!parser.is_op(";")).then(|| parser.simple());
            if parser.eat(";") {
                let cond = parser.expression();
                return (first, cond);
            }
            match first {
                Some(Stmt { kind: StmtKind::Expr(cond), .. }) => (None, cond),
                other => {
                    parser.wrong("expected a condition");
                    let pos = parser.pos();
                    let wrong = Expr { kind: Box::new(ExprKind::Wrong), pos, end: pos };
                    (other, wrong)
                }
            }
        });
        let then = self.block();
        let otherwise = if self.eat_word("else") {
            let pos = self.pos();
            let kind = if self.is_word("if") {
                self.nested(Parser::if_, |_| StmtKind::Empty)
            } else {
                StmtKind::Block(self.block())
            };
            Some(self.made_stmt(kind, pos))
        } else {
            None
        };
        StmtKind::If(Box::new(If { init, cond, then, otherwise }))
    }

    fn switch(&mut self) -> StmtKind {
        self.next();
        let (init, tag) = self.head(|parser| {
            if parser.is_op("{") {
                return (None, None);
            }
            let first = (!parser.is_op(";")).then(|| parser.simple());
            if parser.eat(";") {
                let tag = (!parser.is_op("{")).then(|| parser.simple());
                return (first, tag);
            }
            (None, first)
        });
        let clauses = self.clauses();
        let asks_type = |expr: &Expr| match &*expr.bare().kind {
            ExprKind::Assert(value, None) => Some(value.clone()),
            _ => None,
        };
        match tag.map(|tag| tag.kind) {
            None => StmtKind::Switch(Box::new(Switch { init, tag: None, clauses })),
            Some(StmtKind::Expr(tag)) => match asks_type(&tag) {
                Some(value) => {
                    StmtKind::TypeSwitch(Box::new(TypeSwitch { init, bind: None, value, clauses }))
                }
                None => StmtKind::Switch(Box::new(Switch { init, tag: Some(tag), clauses })),
            },
            Some(StmtKind::Define(names, values)) => {
                let name = names.first().and_then(|name| Some((name.name()?.to_owned(), name.pos)));
                match (name, values.first().and_then(asks_type)) {
                    (Some((name, pos)), Some(value)) => {
                        let bind = Some(Ident { name, pos });
                        StmtKind::TypeSwitch(Box::new(TypeSwitch { init, bind, value, clauses }))
                    }
                    _ => {
                        self.wrong("expected `x := y.(type)`");
                        StmtKind::Empty
                    }
                }
            }
            Some(_) => {
                self.wrong("expected a value to switch on");
                StmtKind::Empty
            }
        }
    }

    fn clauses(&mut self) -> Vec<CaseClause> {
        self.expect("{");
        let before = std::mem::replace(&mut self.no_literal, false);
        let mut clauses = Vec::new();
        while !self.is_op("}") && !self.is_end() {
            let pos = self.pos();
            let cases = if self.eat_word("case") {
                let mut cases = vec![self.case()];
                while self.eat(",") {
                    cases.push(self.case());
                }
                Some(cases)
            } else if self.eat_word("default") {
                None
            } else {
                self.wrong("expected `case` or `default`");
                self.next();
                continue;
            };
            self.expect(":");
            let statements = self.statements();
            let end = self.pos();
            clauses.push(CaseClause { pos, cases, body: Block { statements, end } });
        }
        self.no_literal = before;
        self.expect("}");
        clauses
    }

    /// A value or a type.
    fn case(&mut self) -> Expr {
        match self.kind() {
            Kind::Op("[") | Kind::Word("map" | "chan" | "interface" | "struct") => {
                self.expression()
            }
            Kind::Word("func") => self.expression(),
            _ => self.expression(),
        }
    }

    fn select(&mut self) -> StmtKind {
        self.next();
        self.expect("{");
        let before = std::mem::replace(&mut self.no_literal, false);
        let mut clauses = Vec::new();
        while !self.is_op("}") && !self.is_end() {
            let pos = self.pos();
            let comm = if self.eat_word("case") {
                Some(self.simple())
            } else if self.eat_word("default") {
                None
            } else {
                self.wrong("expected `case` or `default`");
                self.next();
                continue;
            };
            self.expect(":");
            let statements = self.statements();
            let end = self.pos();
            clauses.push(CommClause { pos, comm, body: Block { statements, end } });
        }
        self.no_literal = before;
        self.expect("}");
        StmtKind::Select(clauses)
    }

    fn for_(&mut self) -> StmtKind {
        self.next();
        enum Head {
            For(Option<Stmt>, Option<Expr>, Option<Stmt>),
            Range(Option<Expr>, Option<Expr>, bool, Expr),
        }
        let head = self.head(|parser| {
            if parser.is_op("{") {
                return Head::For(None, None, None);
            }
            if parser.eat_word("range") {
                return Head::Range(None, None, false, parser.expression());
            }
            let first = if parser.is_op(";") {
                None
            } else {
                let pos = parser.pos();
                let mut left = parser.expressions();
                let define = parser.is_op(":=");
                if (define || parser.is_op("=")) && matches!(parser.ahead(1), Kind::Word("range")) {
                    parser.next();
                    parser.next();
                    let over = parser.expression();
                    let value = if left.len() > 1 { left.pop() } else { None };
                    return Head::Range(left.pop(), value, define, over);
                }
                Some(parser.rest_of_simple(left, pos))
            };
            if !parser.is_op(";") {
                return match first {
                    Some(Stmt { kind: StmtKind::Expr(cond), .. }) => {
                        Head::For(None, Some(cond), None)
                    }
                    other => {
                        parser.wrong("expected a condition");
                        Head::For(other, None, None)
                    }
                };
            }
            parser.next();
            let cond = (!parser.is_op(";") && !parser.is_op("{")).then(|| parser.expression());
            if !parser.eat(";") && !parser.is_op("{") {
                parser.wrong("expected `;`");
            }
            let post = (!parser.is_op("{")).then(|| parser.simple());
            Head::For(first, cond, post)
        });
        let body = self.block();
        match head {
            Head::For(init, cond, post) => StmtKind::For(Box::new(For { init, cond, post, body })),
            Head::Range(key, value, define, over) => {
                StmtKind::Range(Box::new(Range { key, value, define, over, body }))
            }
        }
    }

    /// A simple statement whose first expressions have been read.
    fn rest_of_simple(&mut self, mut left: Vec<Expr>, pos: Pos) -> Stmt {
        let kind = match *self.kind() {
            Kind::Op(op @ (":=" | "=")) => {
                self.next();
                let right = self.expressions();
                if op == ":=" {
                    StmtKind::Define(left, right)
                } else {
                    StmtKind::Assign(left, None, right)
                }
            }
            Kind::Op("<-") => {
                self.next();
                let value = self.expression();
                StmtKind::Send(left.remove(0), value)
            }
            Kind::Op(op @ ("++" | "--")) => {
                self.next();
                StmtKind::Step(left.remove(0), if op == "++" { "+" } else { "-" })
            }
            Kind::Op(op) if assigning(op).is_some() => {
                self.next();
                let right = self.expressions();
                StmtKind::Assign(left, assigning(op), right)
            }
            _ => StmtKind::Expr(left.remove(0)),
        };
        self.made_stmt(kind, pos)
    }
}
