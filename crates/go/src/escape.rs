//! Which variables outlive what can be kept in a process of its own: those that closures capture, and those whose address
//! is taken.
//!
//! Names are looked up here by scopes alone, before types are known. A variable is known by where it is declared. One that
//! a closure captures and that is assigned again, or whose address is taken, becomes an object with one field, so that
//! all who know it see the same; the others are copied into the closure.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::syntax::*;

/// What is known of a variable.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Escape {
    pub(crate) captured: bool,
    pub(crate) reassigned: bool,
    pub(crate) addressed: bool,
    /// The address of something inside of it is taken.
    pub(crate) shared: bool,
    /// A field or a method of it is used.
    pub(crate) selected: bool,
}

/// What is known of all variables, and what each closure captures.
#[derive(Debug, Default)]
pub(crate) struct Escapes {
    pub(crate) variables: HashMap<Pos, Escape>,
    /// By where a function literal begins: the outer variables that it uses.
    pub(crate) captures: BTreeMap<Pos, BTreeSet<Pos>>,
}

/// Looks at all functions. `methods` are the names of those with a pointer receiver on a type that is no struct:
/// calling one takes an address.
pub(crate) fn escapes<'d>(
    decls: impl Iterator<Item = &'d Decl>,
    methods: &BTreeSet<String>,
) -> Escapes {
    let mut walk =
        Walk { out: Escapes::default(), scopes: Vec::new(), literals: Vec::new(), methods };
    for decl in decls {
        match decl {
            Decl::Func(function) => {
                walk.scopes.push(HashMap::new());
                for param in
                    function.receiver.iter().chain(&function.of.params).chain(&function.of.results)
                {
                    walk.declare_param(param);
                }
                if let Some(body) = &function.body {
                    walk.block(body);
                }
                walk.scopes.pop();
            }
            Decl::Var { values, .. } => {
                walk.scopes.push(HashMap::new());
                values.iter().for_each(|value| walk.expr(value));
                walk.scopes.pop();
            }
            _ => {}
        }
    }
    walk.out
}

struct Walk<'m> {
    out: Escapes,
    /// Each name with where it is declared and how many literals are around it.
    scopes: Vec<HashMap<String, (Pos, usize)>>,
    /// The literals around what is looked at.
    literals: Vec<Pos>,
    methods: &'m BTreeSet<String>,
}

impl Walk<'_> {
    fn declare(&mut self, name: &str, pos: Pos) {
        if name == "_" {
            return;
        }
        let depth = self.literals.len();
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), (pos, depth));
        }
        self.out.variables.entry(pos).or_default();
    }

    fn declare_param(&mut self, param: &Param) {
        if let Some(name) = &param.name {
            self.declare(&name.name, name.pos);
        }
    }

    fn look_up(&self, name: &str) -> Option<(Pos, usize)> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    fn used(&mut self, name: &str) -> Option<Pos> {
        let (pos, depth) = self.look_up(name)?;
        if depth < self.literals.len() {
            self.out.variables.entry(pos).or_default().captured = true;
            for literal in &self.literals[depth..] {
                self.out.captures.entry(*literal).or_default().insert(pos);
            }
        }
        Some(pos)
    }

    fn assigned(&mut self, target: &Expr) {
        if let Some(pos) = target.bare().name().and_then(|name| self.used(name)) {
            self.out.variables.entry(pos).or_default().reassigned = true;
        }
        self.expr(target);
    }

    /// The variable that an address is taken of. Structs and arrays are objects anyway, so `&x.f` asks for nothing more,
    /// but that others may know `x` then.
    fn addressed(&mut self, of: &Expr) {
        let mut of = of.bare();
        let mut inside = false;
        while let ExprKind::Select(inner, _) | ExprKind::Index(inner, _) = &*of.kind {
            of = inner.bare();
            inside = true;
        }
        if let Some(pos) = of.name().and_then(|name| self.used(name)) {
            let escape = self.out.variables.entry(pos).or_default();
            if inside { escape.shared = true } else { escape.addressed = true }
        }
    }

    fn block(&mut self, block: &Block) {
        self.scopes.push(HashMap::new());
        block.statements.iter().for_each(|statement| self.statement(statement));
        self.scopes.pop();
    }

    fn statement(&mut self, statement: &Stmt) {
        use StmtKind::*;
        match &statement.kind {
            Empty | Break(_) | Continue(_) | Goto(_) | Fallthrough => {}
            Expr(expr) | Go(expr) | Defer(expr) => self.expr(expr),
            Send(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Step(target, _) => self.assigned(target),
            Assign(targets, _, values) => {
                values.iter().for_each(|value| self.expr(value));
                targets.iter().for_each(|target| self.assigned(target));
            }
            Define(targets, values) => {
                values.iter().for_each(|value| self.expr(value));
                self.define(targets);
            }
            Return(values) => values.iter().for_each(|value| self.expr(value)),
            Block(block) => self.block(block),
            If(found) => {
                self.scopes.push(HashMap::new());
                found.init.iter().for_each(|init| self.statement(init));
                self.expr(&found.cond);
                self.block(&found.then);
                found.otherwise.iter().for_each(|other| self.statement(other));
                self.scopes.pop();
            }
            Switch(found) => {
                self.scopes.push(HashMap::new());
                found.init.iter().for_each(|init| self.statement(init));
                found.tag.iter().for_each(|tag| self.expr(tag));
                for clause in &found.clauses {
                    clause.cases.iter().flatten().for_each(|case| self.expr(case));
                    self.block(&clause.body);
                }
                self.scopes.pop();
            }
            TypeSwitch(found) => {
                self.scopes.push(HashMap::new());
                found.init.iter().for_each(|init| self.statement(init));
                self.expr(&found.value);
                for clause in &found.clauses {
                    self.scopes.push(HashMap::new());
                    // Each clause has a variable of its own.
                    found.bind.iter().for_each(|bind| self.declare(&bind.name, bind.pos));
                    self.block(&clause.body);
                    self.scopes.pop();
                }
                self.scopes.pop();
            }
            Select(clauses) => {
                for clause in clauses {
                    self.scopes.push(HashMap::new());
                    clause.comm.iter().for_each(|comm| self.statement(comm));
                    self.block(&clause.body);
                    self.scopes.pop();
                }
            }
            For(found) => {
                self.scopes.push(HashMap::new());
                found.init.iter().for_each(|init| self.statement(init));
                found.cond.iter().for_each(|cond| self.expr(cond));
                found.post.iter().for_each(|post| self.statement(post));
                self.block(&found.body);
                self.scopes.pop();
            }
            Range(found) => {
                self.expr(&found.over);
                self.scopes.push(HashMap::new());
                for target in found.key.iter().chain(&found.value) {
                    if found.define {
                        self.define(std::slice::from_ref(target));
                    }
                    // It is assigned in every round.
                    self.assigned(target);
                }
                self.block(&found.body);
                self.scopes.pop();
            }
            Labeled(_, inner) => self.statement(inner),
            Decl(decls) => decls.iter().for_each(|decl| self.declaration(decl)),
        }
    }

    /// The variables of `:=`, of which some may be there already.
    fn define(&mut self, targets: &[Expr]) {
        for target in targets {
            let Some(name) = target.name() else { continue };
            let is_known = self.scopes.last().is_some_and(|scope| scope.contains_key(name));
            if is_known && targets.len() > 1 {
                self.assigned(target);
            } else {
                self.declare(name, target.pos);
            }
        }
    }

    fn declaration(&mut self, decl: &Decl) {
        if let Decl::Var { names, values, .. } = decl {
            values.iter().for_each(|value| self.expr(value));
            names.iter().for_each(|name| self.declare(&name.name, name.pos));
        }
    }

    fn expr(&mut self, expr: &Expr) {
        use ExprKind::*;
        match &*expr.kind {
            Name(name) => {
                self.used(name);
            }
            Composite(_, elements) => {
                for element in elements {
                    element.key.iter().for_each(|key| self.expr(key));
                    self.expr(&element.value);
                }
            }
            FuncLit(literal) => {
                self.literals.push(expr.pos);
                self.out.captures.entry(expr.pos).or_default();
                self.scopes.push(HashMap::new());
                for param in literal.of.params.iter().chain(&literal.of.results) {
                    self.declare_param(param);
                }
                self.block(&literal.body);
                self.scopes.pop();
                self.literals.pop();
            }
            Unary("&", inner) => {
                if !matches!(*inner.bare().kind, Composite(..)) {
                    self.addressed(inner);
                }
                self.expr(inner);
            }
            Paren(inner) | Star(inner) | Unary(_, inner) | Assert(inner, _) => self.expr(inner),
            Select(inner, field) => {
                if self.methods.contains(&field.name) {
                    self.addressed(inner);
                }
                // A method may keep the address of what it is called on.
                if let Some(pos) = inner.bare().name().and_then(|name| self.used(name)) {
                    self.out.variables.entry(pos).or_default().selected = true;
                }
                self.expr(inner);
            }
            Index(of, indices) => {
                self.expr(of);
                indices.iter().for_each(|index| self.expr(index));
            }
            Slice(of, parts) => {
                self.expr(of);
                parts.iter().flatten().for_each(|part| self.expr(part));
            }
            Call { callee, args, .. } => {
                self.expr(callee);
                args.iter().for_each(|arg| self.expr(arg));
            }
            Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            _ => {}
        }
    }
}
