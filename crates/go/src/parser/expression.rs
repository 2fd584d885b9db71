//! Expressions, by precedence.

use std::rc::Rc;

use super::{LONGEST_CHAIN, Parser};
use crate::lexer::Kind;
use crate::syntax::*;

/// How tightly an operator binds, if it has two operands.
fn precedence(op: &str) -> Option<u8> {
    Some(match op {
        "||" => 1,
        "&&" => 2,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 3,
        "+" | "-" | "|" | "^" => 4,
        "*" | "/" | "%" | "<<" | ">>" | "&" | "&^" => 5,
        _ => return None,
    })
}

impl Parser<'_> {
    fn expr(&self, kind: ExprKind, pos: Pos) -> Expr {
        Expr { kind: Box::new(kind), pos, end: self.end() }
    }

    pub(super) fn expressions(&mut self) -> Vec<Expr> {
        let mut list = vec![self.expression()];
        while self.eat(",") {
            list.push(self.expression());
        }
        list
    }

    pub(super) fn expression(&mut self) -> Expr {
        self.binary(1)
    }

    /// An expression in parentheses or brackets, where literals may stand again.
    pub(super) fn expression_with_literals(&mut self) -> Expr {
        let before = std::mem::replace(&mut self.no_literal, false);
        let expr = self.expression();
        self.no_literal = before;
        expr
    }

    fn binary(&mut self, least: u8) -> Expr {
        let pos = self.pos();
        let mut left = self.unary();
        let mut length = 0;
        while let Kind::Op(op) = *self.kind() {
            let Some(level) = precedence(op).filter(|level| *level >= least) else { break };
            length += 1;
            if length > LONGEST_CHAIN {
                self.too_deep();
                break;
            }
            self.next();
            let right = self.nested(
                |parser| parser.binary(level + 1),
                |parser| parser.expr(ExprKind::Wrong, parser.pos()),
            );
            left = self.expr(ExprKind::Binary(op, left, right), pos);
        }
        left
    }

    fn unary(&mut self) -> Expr {
        let wrong = |parser: &Self| parser.expr(ExprKind::Wrong, parser.pos());
        self.nested(Parser::unary_here, wrong)
    }

    fn unary_here(&mut self) -> Expr {
        let pos = self.pos();
        match *self.kind() {
            Kind::Op("<-") if matches!(self.ahead(1), Kind::Word("chan")) => self.type_(),
            Kind::Op(op @ ("+" | "-" | "!" | "^" | "&" | "<-" | "~")) => {
                self.next();
                let operand = self.unary();
                self.expr(ExprKind::Unary(op, operand), pos)
            }
            Kind::Op("*") => {
                self.next();
                let operand = self.unary();
                self.expr(ExprKind::Star(operand), pos)
            }
            _ => self.primary(),
        }
    }

    fn operand(&mut self) -> Expr {
        let pos = self.pos();
        let kind = match self.kind().clone() {
            Kind::Name(name) => {
                self.next();
                ExprKind::Name(name)
            }
            Kind::Int(value) => {
                self.next();
                ExprKind::Int(value)
            }
            Kind::Float(value) => {
                self.next();
                ExprKind::Float(value)
            }
            Kind::Char(value) => {
                self.next();
                ExprKind::Char(value)
            }
            Kind::Str(value) => {
                self.next();
                ExprKind::Str(value)
            }
            Kind::Op("(") => {
                self.next();
                let before = std::mem::replace(&mut self.no_literal, false);
                let inner = self.expression();
                self.no_literal = before;
                self.expect(")");
                ExprKind::Paren(inner)
            }
            Kind::Word("func") => {
                self.next();
                let of = self.signature();
                if self.is_op("{") {
                    let before = std::mem::replace(&mut self.no_literal, false);
                    let body = Rc::new(self.block());
                    self.no_literal = before;
                    ExprKind::FuncLit(FuncLit { of, body })
                } else {
                    ExprKind::FuncType(of)
                }
            }
            Kind::Op("[") | Kind::Word("struct" | "map" | "chan" | "interface") => {
                return self.type_();
            }
            _ => {
                self.wrong("expected an expression");
                ExprKind::Wrong
            }
        };
        self.expr(kind, pos)
    }

    fn primary(&mut self) -> Expr {
        let pos = self.pos();
        let mut expr = self.operand();
        let mut length = 0;
        loop {
            length += 1;
            if length > LONGEST_CHAIN {
                self.too_deep();
                return expr;
            }
            match *self.kind() {
                Kind::Op(".") => {
                    self.next();
                    if self.eat("(") {
                        let of = if self.eat_word("type") { None } else { Some(self.type_()) };
                        self.expect(")");
                        expr = self.expr(ExprKind::Assert(expr, of), pos);
                    } else {
                        let field = self.ident();
                        expr = self.expr(ExprKind::Select(expr, field), pos);
                    }
                }
                Kind::Op("[") => expr = self.index(expr, pos),
                Kind::Op("(") => {
                    self.next();
                    let before = std::mem::replace(&mut self.no_literal, false);
                    let (mut args, mut spread) = (Vec::new(), false);
                    while !self.is_op(")") && !self.is_end() {
                        let at = self.at;
                        args.push(self.argument());
                        spread |= self.eat("...");
                        if !self.eat(",") && !self.is_op(")") {
                            self.wrong("expected `,` or `)`");
                            break;
                        }
                        if self.at == at {
                            self.next();
                        }
                    }
                    self.no_literal = before;
                    self.expect(")");
                    expr = self.expr(ExprKind::Call { callee: expr, args, spread }, pos);
                }
                Kind::Op("{") if self.may_be_literal(&expr) => {
                    let elements = self.elements();
                    expr = self.expr(ExprKind::Composite(Some(expr), elements), pos);
                }
                _ => return expr,
            }
        }
    }

    /// An argument, which may be a type.
    fn argument(&mut self) -> Expr {
        match self.kind() {
            Kind::Op("[") | Kind::Word("map" | "chan" | "interface" | "struct") => {
                self.expression()
            }
            _ => self.expression(),
        }
    }

    fn may_be_literal(&self, expr: &Expr) -> bool {
        match &*expr.kind {
            ExprKind::Name(_) | ExprKind::Select(..) | ExprKind::Index(..) => !self.no_literal,
            ExprKind::ArrayType(..) | ExprKind::MapType(..) | ExprKind::StructType(_) => true,
            _ => false,
        }
    }

    fn index(&mut self, of: Expr, pos: Pos) -> Expr {
        self.next();
        let before = std::mem::replace(&mut self.no_literal, false);
        let mut parts: [Option<Expr>; 3] = [None, None, None];
        let mut colons = 0;
        let mut list = Vec::new();
        loop {
            if self.is_op("]") || self.is_end() {
                break;
            }
            if self.eat(":") {
                colons += 1;
                if colons > 2 {
                    self.wrong("expected `]`");
                    break;
                }
                continue;
            }
            let at = self.at;
            let expr = self.expression();
            if colons == 0 && parts[0].is_none() {
                parts[0] = Some(expr.clone());
            } else if colons > 0 {
                parts[colons] = Some(expr.clone());
            }
            list.push(expr);
            if !self.eat(",") && !self.is_op(":") && !self.is_op("]") {
                self.wrong("expected `]`");
                break;
            }
            if self.at == at {
                self.next();
            }
        }
        self.no_literal = before;
        self.expect("]");
        if colons > 0 {
            self.expr(ExprKind::Slice(of, parts), pos)
        } else {
            if list.is_empty() {
                self.wrong("expected an index");
            }
            self.expr(ExprKind::Index(of, list), pos)
        }
    }

    /// `{a, k: v, {…}}`.
    fn elements(&mut self) -> Vec<Element> {
        self.expect("{");
        let before = std::mem::replace(&mut self.no_literal, false);
        let mut elements = Vec::new();
        while !self.is_op("}") && !self.is_end() {
            let at = self.at;
            let first = self.element();
            if self.eat(":") {
                let value = self.element();
                elements.push(Element { key: Some(first), value });
            } else {
                elements.push(Element { key: None, value: first });
            }
            if !self.eat(",") && !self.is_op("}") {
                self.wrong("expected `,` or `}`");
                while !self.is_end() && !self.is_op("}") && !self.is_op(";") {
                    self.next();
                }
                break;
            }
            if self.at == at {
                self.next();
            }
        }
        self.no_literal = before;
        self.expect("}");
        elements
    }

    fn element(&mut self) -> Expr {
        let pos = self.pos();
        if self.is_op("{") {
            let elements = self.nested(Parser::elements, |_| Vec::new());
            return self.expr(ExprKind::Composite(None, elements), pos);
        }
        self.expression()
    }
}
