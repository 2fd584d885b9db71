//! Panics that are recovered, and `runtime.Goexit`.
//!
//! A program that recovers nowhere and never calls `Goexit` does not need any of this: a panic is a fault where it happens.
//! In one that does, every function is *handed* the panic that its caller is unwinding by (if it is deferred), is told
//! whether somebody may *catch* what it raises, and gives back, besides its results, what it raises itself and whether it
//! has *taken* what it was handed. All of that is in variables of its own, so it costs no steps and no states.
//!
//! ```text
//! let t = f(x, calm(), caught)      // in a deferred call: the panic under way instead of `calm()`
//! if t.u.kind != 0 { uw = t.u   break body }
//! ```
//!
//! Where nobody can catch it, a panic is a fault at its own line, as in other programs.

use crate::fx::{Fx, Val};
use crate::packages::is_qualified;
use crate::syntax::*;
use crate::types::Ty;
use crate::world::{Item, R, World};

/// Nothing is under way.
pub(crate) const CALM: &str = "Unwind(kind: 0, v: any_nil)";

/// The record in which a panic (1) or an exit (2) is on its way.
pub(crate) const UNWIND: &str = "record Unwind { kind: 0..=2, v: Any }";

impl World<'_> {
    /// The record of the results of a function, with how it has ended.
    pub(crate) fn outcome(&mut self, results: &[Ty]) -> String {
        let name = format!("res_out_{}", self.mangled(&Ty::Tuple(results.to_vec())));
        if !self.declared.contains_key(&name) {
            self.declared.insert(name.clone(), Vec::new());
            let value = match results {
                [] => String::new(),
                [one] => format!("v: {}, ", self.kin(one)),
                many => format!("v: {}, ", self.tuple(many)),
            };
            let line = format!("record {name} {{ {value}u: Unwind, taken: bool }}");
            self.declared.insert(name.clone(), vec![line]);
        }
        name
    }
}

/// Where a panic that a deferred library call raises leads.
#[derive(Clone, Debug)]
pub(crate) struct Landing {
    pub(crate) label: String,
    pub(crate) used: bool,
}

impl Fx<'_, '_> {
    /// Whether somebody may catch what is raised here, as an expression.
    pub(crate) fn caught(&self) -> String {
        if self.defer_stack && self.may_recover {
            return "true".into();
        }
        let own = self.deferred.iter().filter(|one| one.recovers).map(|one| one.flag.clone());
        let given = (!self.is_process && !self.is_top).then(|| "caught".to_owned());
        let all: Vec<String> = given.into_iter().chain(own).collect();
        match &all[..] {
            [] => "false".into(),
            [one] => one.clone(),
            many => format!("({})", many.join(" or ")),
        }
    }

    /// Calls a function of the translation, and goes on unless it has raised something; `between` is done in any case.
    pub(crate) fn called(
        &mut self,
        callee: &str,
        args: Vec<String>,
        results: &[Ty],
        between: &str,
    ) -> Val {
        let ty = match results {
            [] => Ty::Tuple(Vec::new()),
            [one] => one.clone(),
            many => Ty::Tuple(many.to_vec()),
        };
        if !self.w.unwinds {
            let code = format!("{callee}({})", args.join(", "));
            let temp = if results.is_empty() {
                self.emit(code);
                String::new()
            } else {
                let kin = self.w.kin(&ty);
                self.keep_as(&code, &kin)
            };
            if !between.is_empty() {
                self.emit(between);
            }
            return Val::made(temp, ty);
        }
        let caught = self.caught();
        let temp = self.call_out(callee, args, results, CALM, &caught);
        if !between.is_empty() {
            self.emit(between);
        }
        self.emit(format!("if {temp}.u.kind != 0 {{"));
        self.leave_by(&format!("{temp}.u"));
        self.emit("}");
        let code = if results.is_empty() { String::new() } else { format!("{temp}.v") };
        Val::made(code, ty)
    }

    /// Calls a function and keeps what it gives, whatever that is.
    fn call_out(
        &mut self,
        callee: &str,
        mut args: Vec<String>,
        results: &[Ty],
        handed: &str,
        caught: &str,
    ) -> String {
        let out = self.w.outcome(results);
        args.extend([handed.to_owned(), caught.to_owned()]);
        self.keep_as(&format!("{callee}({})", args.join(", ")), &out)
    }

    /// Calls what was deferred: it may take the panic under way, and raise another.
    pub(crate) fn called_deferred(&mut self, callee: &str, args: Vec<String>, results: &[Ty]) {
        if !self.w.unwinds {
            return self.emit(format!("{callee}({})", args.join(", ")));
        }
        let caught = self.caught();
        let temp = self.call_out(callee, args, results, "uw", &caught);
        self.emit(format!("if {temp}.taken {{ uw = {CALM} }}"));
        self.emit(format!("if {temp}.u.kind != 0 {{ uw = {temp}.u }}"));
    }

    /// Leaves the function by a panic or an exit.
    pub(crate) fn leave_by(&mut self, unwind: &str) {
        if let Some(landing) = &mut self.landing {
            landing.used = true;
            let label = landing.label.clone();
            self.emit(format!("uw = {unwind}"));
            self.emit(format!("break {label}"));
            return;
        }
        if self.has_defer {
            self.emit(format!("uw = {unwind}"));
            self.emit("break body");
            return;
        }
        if self.is_process || self.is_top {
            let kind = self.keep_as(&format!("{unwind}.kind"), "0..=2");
            self.emit(format!("assert {kind} != 1"));
            self.emit("return");
            return;
        }
        self.attempt(|fx| {
            let mut codes = Vec::new();
            for ty in fx.results.clone() {
                codes.push(fx.zero(&ty)?);
            }
            fx.return_out(codes, unwind);
            Ok(())
        });
    }

    /// Returns results and how the function ends.
    pub(crate) fn return_out(&mut self, codes: Vec<String>, unwind: &str) {
        let results = self.results.clone();
        let out = self.w.outcome(&results);
        let value = match &codes[..] {
            [] => String::new(),
            [one] => format!("v: {one}, "),
            many => {
                let record = self.w.tuple(&results);
                let parts = many.iter().enumerate().map(|(at, code)| format!("r{at}: {code}"));
                let parts: Vec<String> = parts.collect();
                let kept = self.keep_as(&format!("{record}({})", parts.join(", ")), &record);
                format!("v: {kept}, ")
            }
        };
        let taken = if self.recovers { "taken" } else { "false" };
        self.emit(format!("return {out}({value}u: {unwind}, taken: {taken})"));
    }

    /// `panic(v)`, or what Go's runtime says when something cannot be done.
    pub(crate) fn raise(&mut self, value: &str) {
        let caught = if self.w.unwinds { self.caught() } else { "false".into() };
        if caught == "false" && self.w.is_packaged(self.at.0) {
            // There is no statement of the program to tell of.
            self.emit("assert false and true");
        } else if caught != "true" {
            self.emit(format!("assert {caught}"));
        }
        if caught != "false" {
            self.leave_by(&format!("Unwind(kind: 1, v: {value})"));
        }
    }

    /// Where a condition does not hold, the runtime panics. What nobody can catch is a fault of what is done next.
    pub(crate) fn guard(&mut self, holds: &str) {
        if !self.w.unwinds {
            return;
        }
        let caught = self.caught();
        if caught == "false" {
            return;
        }
        let cond = if caught == "true" { String::new() } else { format!("{caught} and ") };
        self.emit(format!("if {cond}not ({holds}) {{"));
        let error = self.runtime_error();
        self.leave_by(&format!("Unwind(kind: 1, v: {error})"));
        self.emit("}");
    }

    /// The value of a panic of the runtime: an error.
    pub(crate) fn runtime_error(&mut self) -> String {
        self.new_error().code
    }

    /// `recover()`.
    pub(crate) fn recover(&mut self) -> Val {
        // A package recovers what the program could recover; where it does not, a panic is a fault.
        if !self.w.is_packaged(self.at.0) {
            self.w.makes_unwinds = true;
        }
        let value = self.keep_as("any_nil", "Any");
        if self.w.unwinds && self.recovers {
            self.emit(format!(
                "if given.kind == 1 {{ {value} = given.v  given = {CALM}  taken = true }}"
            ));
        }
        Val::made(value, Ty::any())
    }

    /// `runtime.Goexit()`.
    pub(crate) fn goexit(&mut self) -> R<Val> {
        if !self.w.is_packaged(self.at.0) {
            self.w.makes_unwinds = true;
        }
        if self.w.unwinds {
            self.leave_by("Unwind(kind: 2, v: any_nil)");
        }
        Ok(Val::made("", Ty::Tuple(Vec::new())))
    }

    /// Whether what is deferred may recover.
    pub(crate) fn callee_recovers(&self, callee: &Expr) -> bool {
        match &*callee.bare().kind {
            ExprKind::FuncLit(literal) => recovers(&literal.body),
            ExprKind::Name(name) if self.look_up(name).is_none() => match self.w.items.get(name) {
                Some(Item::Func(decl)) => decl.body.as_ref().is_some_and(|body| recovers(body)),
                Some(_) => true,
                None => false,
            },
            ExprKind::Select(of, _) if self.package(of).is_some() => false,
            // What packages defer recovers or does not; which it is matters little there.
            ExprKind::Select(..) if self.w.is_packaged(callee.pos) => true,
            ExprKind::Select(_, name) => {
                let own = self.w.methods.iter().filter(|(of, _)| !is_qualified(of));
                let methods = own.filter_map(|(_, of)| of.get(&name.name));
                let bodies: Vec<_> = methods.filter_map(|decl| decl.body.clone()).collect();
                // A method of the library does not; a field may hold anything.
                let is_field = bodies.is_empty() && !crate::lib_types::is_lib_method(&name.name);
                is_field || bodies.iter().any(|body| recovers(body))
            }
            _ => true,
        }
    }
}

/// Whether a function calls `recover` itself, leaving out the functions in it.
pub(crate) fn recovers(block: &Block) -> bool {
    let mut walk = Calls { found: false };
    walk.block(block);
    walk.found
}

struct Calls {
    found: bool,
}

impl Calls {
    fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        use StmtKind::*;
        match &statement.kind {
            Expr(expr) | Go(expr) => self.expr(expr),
            Defer(expr) => {
                // `defer recover()` does not recover; its arguments may.
                if let ExprKind::Call { args, .. } = &*expr.bare().kind {
                    args.iter().for_each(|arg| self.expr(arg));
                }
            }
            Send(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Step(target, _) => self.expr(target),
            Assign(targets, _, values) | Define(targets, values) => {
                targets.iter().chain(values).for_each(|one| self.expr(one));
            }
            Return(values) => values.iter().for_each(|value| self.expr(value)),
            Block(block) => self.block(block),
            If(found) => {
                found.init.iter().for_each(|init| self.statement(init));
                self.expr(&found.cond);
                self.block(&found.then);
                found.otherwise.iter().for_each(|other| self.statement(other));
            }
            Switch(found) => {
                found.init.iter().for_each(|init| self.statement(init));
                found.tag.iter().for_each(|tag| self.expr(tag));
                for clause in &found.clauses {
                    clause.cases.iter().flatten().for_each(|case| self.expr(case));
                    self.block(&clause.body);
                }
            }
            TypeSwitch(found) => {
                found.init.iter().for_each(|init| self.statement(init));
                self.expr(&found.value);
                found.clauses.iter().for_each(|clause| self.block(&clause.body));
            }
            Select(clauses) => {
                for clause in clauses {
                    clause.comm.iter().for_each(|comm| self.statement(comm));
                    self.block(&clause.body);
                }
            }
            For(found) => {
                found.init.iter().chain(&found.post).for_each(|one| self.statement(one));
                found.cond.iter().for_each(|cond| self.expr(cond));
                self.block(&found.body);
            }
            Range(found) => {
                self.expr(&found.over);
                self.block(&found.body);
            }
            Labeled(_, inner) => self.statement(inner),
            Decl(decls) => {
                for decl in decls {
                    if let crate::syntax::Decl::Var { values, .. } = decl {
                        values.iter().for_each(|value| self.expr(value));
                    }
                }
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        use ExprKind::*;
        match &*expr.kind {
            Call { callee, args, .. } => {
                self.found |= callee.bare().name() == Some("recover");
                self.expr(callee);
                args.iter().for_each(|arg| self.expr(arg));
            }
            Composite(_, elements) => elements.iter().for_each(|one| self.expr(&one.value)),
            Paren(a) | Star(a) | Unary(_, a) | Assert(a, _) | Select(a, _) => self.expr(a),
            Index(a, rest) => {
                self.expr(a);
                rest.iter().for_each(|one| self.expr(one));
            }
            Slice(a, parts) => {
                self.expr(a);
                parts.iter().flatten().for_each(|part| self.expr(part));
            }
            Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            _ => {}
        }
    }
}
