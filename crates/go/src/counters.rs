//! Numbers that only count: variables and fields that are stepped, set to constants and printed, and on which nothing
//! else depends.
//!
//! Such a number may grow without end, and there would be no end of states. As nothing depends on it, its value is not
//! kept; that it is read and written is. Names are looked at, not what they stand for: a name counts only if nothing of
//! that name in the package is used in another way. Cost: linear in the text.

use std::collections::BTreeSet;

use crate::syntax::*;

/// What counts, by name.
pub(crate) fn counters(file: &File, said: &[String]) -> BTreeSet<String> {
    let mut walk = Walk::default();
    for decl in &file.decls {
        walk.decl(decl);
    }
    // What remarks mention matters.
    let is_said = |name: &String| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        said.iter().any(|text| text.split(|c| !is_part(c)).any(|word| word == name))
    };
    let Walk { stepped, used } = walk;
    stepped.into_iter().filter(|name| !used.contains(name) && !is_said(name)).collect()
}

#[derive(Default)]
struct Walk {
    stepped: BTreeSet<String>,
    used: BTreeSet<String>,
}

/// Packages and methods that print.
fn prints(callee: &Expr) -> bool {
    let ExprKind::Select(of, name) = &*callee.bare().kind else { return false };
    let name = name.name.as_str();
    match of.bare().name() {
        Some("fmt") => name.starts_with("Print"),
        Some("log") => name.starts_with("Print"),
        Some("t" | "b") => matches!(name, "Log" | "Logf"),
        _ => false,
    }
}

fn is_constant(expr: &Expr) -> bool {
    match &*expr.bare().kind {
        ExprKind::Int(_) => true,
        ExprKind::Unary("-", inner) => is_constant(inner),
        _ => false,
    }
}

impl Walk {
    /// The variable or field that is changed; what it is a part of is used.
    fn target(&mut self, expr: &Expr) -> Option<String> {
        match &*expr.bare().kind {
            ExprKind::Name(name) => Some(name.clone()),
            ExprKind::Select(of, name) => {
                self.expr(of);
                Some(name.name.clone())
            }
            _ => {
                self.expr(expr);
                None
            }
        }
    }

    fn uses(&mut self, name: &Option<Ident>) {
        self.used.extend(name.iter().map(|name| name.name.clone()));
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Import { .. } => {}
            Decl::Const { names, values, .. } => {
                self.used.extend(names.iter().map(|name| name.name.clone()));
                self.exprs(values);
            }
            Decl::Var { names, of, values, .. } => {
                let is_plain = of.as_ref().is_none_or(|of| of.name().is_some());
                if !is_plain || !values.iter().all(is_constant) {
                    self.used.extend(names.iter().map(|name| name.name.clone()));
                }
                of.iter().for_each(|of| self.expr(of));
                self.exprs(values);
            }
            Decl::Type { name, of, .. } => {
                self.used.insert(name.name.clone());
                self.expr(of);
            }
            Decl::Func(function) => {
                self.used.insert(function.name.name.clone());
                function.receiver.iter().for_each(|param| self.uses(&param.name));
                self.signature(&function.of);
                function.body.iter().for_each(|body| self.block(body));
            }
        }
    }

    fn signature(&mut self, of: &FuncType) {
        for param in of.params.iter().chain(&of.results) {
            self.uses(&param.name);
            self.expr(&param.of);
        }
    }

    fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|statement| self.statement(statement));
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn init(&mut self, statement: &Option<Stmt>) {
        statement.iter().for_each(|statement| self.statement(statement));
    }

    fn clauses(&mut self, clauses: &[CaseClause]) {
        for clause in clauses {
            clause.cases.iter().for_each(|cases| self.exprs(cases));
            self.block(&clause.body);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Step(target, _) => {
                let name = self.target(target);
                self.stepped.extend(name);
            }
            StmtKind::Assign(targets, op, values) => {
                let constant = values.iter().all(is_constant);
                let plain = matches!(op, None | Some("+" | "-" | "+=" | "-="));
                for target in targets {
                    match self.target(target) {
                        Some(name) if constant && plain => {
                            if op.is_some() {
                                self.stepped.insert(name);
                            }
                        }
                        name => self.used.extend(name),
                    }
                }
                self.exprs(values);
            }
            StmtKind::Define(targets, values) => {
                for (at, target) in targets.iter().enumerate() {
                    let value = values.get(at).filter(|_| values.len() == targets.len());
                    if !value.is_some_and(is_constant) {
                        self.used.extend(target.name().map(str::to_owned));
                    }
                }
                self.exprs(values);
            }
            StmtKind::Expr(expr) => match &*expr.bare().kind {
                // `atomic.AddInt64(&n, 1)` without its result.
                ExprKind::Call { callee, args, .. } if adds(callee) && args.len() == 2 => {
                    match &*args[0].bare().kind {
                        ExprKind::Unary("&", inner) if is_constant(&args[1]) => {
                            let name = self.target(inner);
                            self.stepped.extend(name);
                        }
                        _ => self.exprs(args),
                    }
                }
                _ => self.expr(expr),
            },
            StmtKind::Go(expr) | StmtKind::Defer(expr) => self.expr(expr),
            StmtKind::Send(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            StmtKind::Return(values) => self.exprs(values),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(found) => {
                self.init(&found.init);
                self.expr(&found.cond);
                self.block(&found.then);
                self.init(&found.otherwise);
            }
            StmtKind::Switch(found) => {
                self.init(&found.init);
                found.tag.iter().for_each(|tag| self.expr(tag));
                self.clauses(&found.clauses);
            }
            StmtKind::TypeSwitch(found) => {
                self.init(&found.init);
                self.uses(&found.bind);
                self.expr(&found.value);
                self.clauses(&found.clauses);
            }
            StmtKind::Select(clauses) => {
                for clause in clauses {
                    self.init(&clause.comm);
                    self.block(&clause.body);
                }
            }
            StmtKind::For(found) => {
                self.init(&found.init);
                found.cond.iter().for_each(|cond| self.expr(cond));
                self.init(&found.post);
                self.block(&found.body);
            }
            StmtKind::Range(found) => {
                found.key.iter().chain(&found.value).for_each(|one| self.expr(one));
                self.expr(&found.over);
                self.block(&found.body);
            }
            StmtKind::Labeled(_, inner) => self.statement(inner),
            StmtKind::Decl(decls) => decls.iter().for_each(|decl| self.decl(decl)),
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &*expr.kind {
            ExprKind::Name(name) => {
                self.used.insert(name.clone());
            }
            ExprKind::Select(of, name) => {
                self.expr(of);
                self.used.insert(name.name.clone());
            }
            ExprKind::Call { callee, args, .. } => {
                self.expr(callee);
                for arg in args {
                    // What is printed has no effect; what it is a part of is used.
                    match prints(callee) {
                        true => drop(self.target(arg)),
                        false => self.expr(arg),
                    }
                }
            }
            ExprKind::Composite(of, elements) => {
                of.iter().for_each(|of| self.expr(of));
                for element in elements {
                    let key = element.key.as_ref();
                    match key.and_then(|key| key.name()) {
                        Some(_) if is_constant(&element.value) => {}
                        Some(name) => drop(self.used.insert(name.to_owned())),
                        None => key.iter().for_each(|key| self.expr(key)),
                    }
                    self.expr(&element.value);
                }
            }
            ExprKind::FuncLit(function) => {
                self.signature(&function.of);
                self.block(&function.body);
            }
            ExprKind::StructType(fields) => {
                for field in fields {
                    if field.embedded || field.of.name().is_none() {
                        self.used.insert(field.name.name.clone());
                    }
                    self.expr(&field.of);
                }
            }
            ExprKind::Paren(a) | ExprKind::Star(a) | ExprKind::Unary(_, a) => self.expr(a),
            ExprKind::Assert(a, of) => {
                self.expr(a);
                of.iter().for_each(|of| self.expr(of));
            }
            ExprKind::Index(a, rest) => {
                self.expr(a);
                self.exprs(rest);
            }
            ExprKind::Slice(a, parts) => {
                self.expr(a);
                parts.iter().flatten().for_each(|part| self.expr(part));
            }
            ExprKind::Binary(_, a, b) | ExprKind::MapType(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::ArrayType(length, a) => {
                if let ArrayLen::Given(length) = length {
                    self.expr(length);
                }
                self.expr(a);
            }
            ExprKind::ChanType(_, a) => self.expr(a),
            ExprKind::FuncType(of) => self.signature(of),
            ExprKind::InterfaceType(elems) => {
                for elem in elems {
                    match elem {
                        InterfaceElem::Method(name, of) => {
                            self.used.insert(name.name.clone());
                            self.signature(of);
                        }
                        InterfaceElem::Types(types) => self.exprs(types),
                    }
                }
            }
            _ => {}
        }
    }
}

fn adds(callee: &Expr) -> bool {
    let ExprKind::Select(of, name) = &*callee.bare().kind else { return false };
    of.bare().name() == Some("atomic") && name.name.starts_with("Add")
}
