//! Functions, methods and goroutines as functions and processes of `.kin`.

use std::collections::HashMap;
use std::rc::Rc;

use crate::fx::{Fx, Variable};
use crate::syntax::*;
use crate::types::{Sig, Ty};
use crate::world::{Entity, Line, R, Wanted, World, refuse};

impl Fx<'_, '_> {
    /// A declared function that is used: its name here, and its signature.
    pub(crate) fn wanted_function(
        &mut self,
        decl: &Rc<FuncDecl>,
        types: &[Ty],
        process: bool,
        at: (Pos, Pos),
    ) -> R<(String, Sig)> {
        let bound = decl.type_params.iter().zip(types).filter_map(|(param, ty)| {
            Some((param.name.as_ref()?.name.clone(), Entity::Type(ty.clone())))
        });
        let bindings: HashMap<String, Entity> = bound.collect();
        if types.len() != decl.type_params.len() {
            return refuse(at, "type arguments are missing", "write them in brackets");
        }
        let sig = {
            let mut fx = Fx::new(self.w, "sig");
            fx.scopes.push(bindings.clone());
            fx.signature(&decl.of)?
        };
        let key = format!("func {} {types:?} {process}", decl.name.name);
        let shown = crate::packages::plain(&decl.name.name);
        let kin = self.want(key, decl, shown, process, bindings, None, at)?;
        Ok((kin, sig))
    }

    /// A function `init`, of which there may be several.
    pub(crate) fn wanted_init(&mut self, decl: &Rc<FuncDecl>, at: (Pos, Pos)) -> R<(String, Sig)> {
        let key = format!("init {}", decl.name.pos);
        let kin = self.want(key, decl, "init", false, HashMap::new(), None, at)?;
        Ok((kin, Sig::default()))
    }

    /// A method that is used.
    pub(crate) fn wanted_method(
        &mut self,
        of: &Ty,
        decl: &Rc<FuncDecl>,
        process: bool,
        at: (Pos, Pos),
    ) -> R<(String, Sig)> {
        let bindings = self.receiver_bindings(of, decl);
        let sig = self.method_sig(of, decl)?;
        let shown = format!("{}.{}", self.w.show(of), decl.name.name);
        let key = format!("method {of:?} {} {process}", decl.name.name);
        let kin = self.want(key, decl, &shown, process, bindings, Some(of.clone()), at)?;
        Ok((kin, sig))
    }

    #[allow(clippy::too_many_arguments)]
    fn want(
        &mut self,
        key: String,
        decl: &Rc<FuncDecl>,
        shown: &str,
        process: bool,
        bindings: HashMap<String, Entity>,
        receiver: Option<Ty>,
        at: (Pos, Pos),
    ) -> R<String> {
        if let Some(kin) = self.w.instances.get(&key) {
            return Ok(kin.clone());
        }
        if self.w.instances.len() > 2000 {
            return refuse(at, "there are more than 2000 functions", "check a smaller part");
        }
        let own = (!self.w.is_packaged(decl.name.pos)).then_some(decl.name.name.as_str());
        let stub =
            self.w.options.assume.iter().any(|name| name == shown || own == Some(name.as_str()));
        if decl.body.is_none() && !stub {
            return refuse(at, format!("`{shown}` has no body"), format!("use `--assume {shown}`"));
        }
        if stub {
            self.w.assumed.insert(shown.to_owned());
        }
        let wish = shown.replace('.', "_");
        let wish = if process { format!("go_{wish}") } else { format!("{wish}_") };
        let kin = self.w.fresh(wish.trim_end_matches('_'));
        self.w.instances.insert(key, kin.clone());
        self.w.shown.insert(kin.clone(), shown.to_owned());
        self.w.queue.push(Wanted::Function {
            decl: decl.clone(),
            kin: kin.clone(),
            process,
            bindings,
            receiver,
            stub,
            used_at: self.w.in_program(at),
        });
        Ok(kin)
    }

    /// Emits a routine: head, parameters, body, what was deferred.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn routine(
        &mut self,
        kin: &str,
        mut params: Vec<String>,
        of: &FuncType,
        sig: &Sig,
        body: &Block,
        receiver: Option<(&Param, Ty)>,
        end: Pos,
    ) -> R<()> {
        self.open();
        let mut rebound = Vec::new();
        let own = receiver.iter().map(|(param, ty)| (*param, ty.clone()));
        let all: Vec<(&Param, Ty)> =
            own.chain(of.params.iter().zip(sig.params.iter().cloned())).collect();
        for (param, ty) in all {
            let kin_ty = self.w.kin(&ty);
            if self.is_main {
                if let Some(name) = param.name.as_ref().filter(|name| name.name != "_") {
                    let local = self.local(&name.name);
                    rebound.push(format!("let {local}: 0..=0 = 0"));
                    self.vars.insert(name.pos, Variable { kin: local, ty, boxed: false });
                    self.bind(&name.name, Entity::Var(name.pos));
                }
                continue;
            }
            match &param.name {
                Some(name) if name.name != "_" => {
                    let boxed = self.is_boxed(name.pos, &ty);
                    let local = self.local(&name.name);
                    params.push(format!("{local}: {kin_ty}"));
                    if boxed {
                        let cell = self.w.object(&ty);
                        let inner = self.local(&name.name);
                        rebound.push(format!("let {inner}: {cell} = new {cell}(first: {local})"));
                        self.vars.insert(name.pos, Variable { kin: inner, ty, boxed });
                    } else {
                        self.vars.insert(name.pos, Variable { kin: local, ty, boxed });
                    }
                    self.bind(&name.name, Entity::Var(name.pos));
                }
                _ => {
                    let local = self.local("unused");
                    params.push(format!("{local}: {kin_ty}"));
                }
            }
        }
        self.results = sig.results.clone();
        let result = match &sig.results[..] {
            [] => String::new(),
            [one] => format!(": {}", self.w.kin(one)),
            many => format!(": {}", self.w.tuple(many)),
        };
        let mut params = params;
        let result = if self.is_process {
            String::new()
        } else if self.w.unwinds {
            params.extend(["handed: Unwind".to_owned(), "caught: bool".to_owned()]);
            format!(": {}", self.w.outcome(&sig.results))
        } else {
            result
        };
        let word = if self.is_process { "process" } else { "fn" };
        let params = match (params.is_empty(), self.is_process) {
            (true, true) => String::new(),
            _ => format!("({})", params.join(", ")),
        };
        self.emit(format!("{word} {kin}{params}{result} {{"));
        for line in rebound {
            self.emit(line);
        }
        self.has_defer = has_defer(body);
        self.defer_stack = defers_in_loop(body, false);
        self.may_recover = self.has_defer && self.deferred_recovers(body);
        self.recovers = self.w.unwinds && !self.is_process && crate::unwind::recovers(body);
        if self.recovers {
            self.emit("let given: Unwind = handed");
            self.emit("let taken: bool = false");
        }
        if self.has_defer && self.w.unwinds {
            self.emit(format!("let uw: Unwind = {}", crate::unwind::CALM));
        }
        if self.defer_stack {
            let fn_type = self.w.fn_type(&Sig::default());
            self.emit(format!("let defers: seq[Fn{fn_type}, room] = []"));
        }
        self.declare_results(of, sig)?;
        if self.is_main {
            // What comes before the first step would be worked out at once, for which it may be too much.
            self.emit("await true");
            self.emit("initialise()");
        }
        let start = self.lines.len();
        if self.has_defer {
            self.emit("body: loop {");
        }
        self.block(body);
        let prologue = std::mem::take(&mut self.prologue);
        self.lines.splice(start..start, prologue);
        self.at = (end, end + 1);
        let ends =
            body.statements.last().is_some_and(|last| matches!(last.kind, StmtKind::Return(_)))
                && !body.statements.iter().any(|one| matches!(one.kind, StmtKind::Labeled(..)));
        if self.has_defer {
            if !ends {
                self.emit("break body");
            }
            self.emit("}");
            self.run_deferred();
            self.final_return()?;
        } else if !ends {
            self.final_return()?;
        }
        self.emit("}");
        self.close();
        let lines = std::mem::take(&mut self.lines);
        self.w.routines.extend(lines);
        Ok(())
    }

    fn declare_results(&mut self, of: &FuncType, sig: &Sig) -> R<()> {
        self.named_results = of.results.iter().any(|result| result.name.is_some());
        if !self.named_results && !self.has_defer {
            return Ok(());
        }
        for (at, (result, ty)) in of.results.iter().zip(&sig.results).enumerate() {
            let name = match &result.name {
                Some(name) if name.name != "_" => name.clone(),
                // A place that no name in the text has.
                _ => Ident { name: format!("result{at}"), pos: u32::MAX - at as u32 },
            };
            let zero = self.zero(ty)?;
            self.declare(&name, ty.clone(), &zero);
            self.result_vars.push(name.pos);
        }
        Ok(())
    }

    /// The values that the result variables have.
    pub(crate) fn result_codes(&self) -> Vec<String> {
        let code = |pos: &Pos| {
            let variable = &self.vars[pos];
            if variable.boxed { format!("{}.v", variable.kin) } else { variable.kin.clone() }
        };
        self.result_vars.iter().map(code).collect()
    }

    pub(crate) fn emit_return(&mut self, codes: Vec<String>) {
        if self.is_process {
            self.ended();
            return self.emit("return");
        }
        if self.w.unwinds {
            let unwind = if self.has_defer { "uw" } else { crate::unwind::CALM };
            return self.return_out(codes, unwind);
        }
        match &codes[..] {
            [] => self.emit("return"),
            [one] => self.emit(format!("return {one}")),
            _ => {
                let record = self.w.tuple(&self.results.clone());
                let parts = codes.iter().enumerate().map(|(at, code)| format!("r{at}: {code}"));
                let parts: Vec<String> = parts.collect();
                self.emit(format!("return {record}({})", parts.join(", ")));
            }
        }
    }

    /// A goroutine has come to its end.
    fn ended(&mut self) {
        let unwinds = self.w.unwinds && self.has_defer;
        if unwinds {
            self.emit("assert uw.kind != 1");
        }
        if self.is_main {
            self.end_of_main();
        }
    }

    fn final_return(&mut self) -> R<()> {
        if self.is_process {
            self.ended();
            return Ok(());
        }
        if self.results.is_empty() && !self.w.unwinds {
            return Ok(());
        }
        let codes = if self.result_vars.is_empty() {
            let mut codes = Vec::new();
            for ty in self.results.clone() {
                codes.push(self.zero(&ty)?);
            }
            codes
        } else {
            self.result_codes()
        };
        self.emit_return(codes);
        Ok(())
    }

    /// What was deferred, the last first.
    fn run_deferred(&mut self) {
        if self.defer_stack {
            let fn_type = self.w.fn_type(&Sig::default());
            let next = self.temp();
            self.emit("while len(defers) > 0 {");
            self.emit(format!("let {next}: Fn{fn_type} = defers.pop_back()"));
            self.called_deferred(&format!("call_{fn_type}"), vec![next], &[]);
            self.emit("}");
            return;
        }
        let deferred = std::mem::take(&mut self.deferred);
        for one in deferred.into_iter().rev() {
            self.emit(format!("if {} {{", one.flag));
            self.lines.extend(one.lines);
            self.emit("}");
        }
    }

    /// Whether something that a function defers may recover.
    fn deferred_recovers(&self, block: &Block) -> bool {
        let mut found = false;
        each_defer(block, &mut |call| {
            if let ExprKind::Call { callee, .. } = &*call.bare().kind {
                found |= self.callee_recovers(callee);
            }
        });
        found
    }
}

/// Looks at what a function defers, leaving out the functions in it.
fn each_defer(block: &Block, look: &mut impl FnMut(&Expr)) {
    each_statement(block, &mut |statement| {
        if let StmtKind::Defer(call) = &statement.kind {
            look(call);
        }
    });
}

/// Looks at all statements of a function, leaving out the functions in it.
fn each_statement(block: &Block, look: &mut impl FnMut(&Stmt)) {
    block.statements.iter().for_each(|statement| each_statement_of(statement, look));
}

fn each_statement_of(statement: &Stmt, look: &mut impl FnMut(&Stmt)) {
    use StmtKind::*;
    look(statement);
    match &statement.kind {
        Block(block) => each_statement(block, look),
        If(found) => {
            each_statement(&found.then, look);
            found.otherwise.iter().for_each(|other| each_statement_of(other, look));
        }
        Switch(found) => found.clauses.iter().for_each(|one| each_statement(&one.body, look)),
        TypeSwitch(found) => found.clauses.iter().for_each(|one| each_statement(&one.body, look)),
        Select(clauses) => clauses.iter().for_each(|one| each_statement(&one.body, look)),
        For(found) => each_statement(&found.body, look),
        Range(found) => each_statement(&found.body, look),
        Labeled(_, inner) => each_statement_of(inner, look),
        _ => {}
    }
}

/// Whether a function never returns, as is easily seen: it ends with a loop that nothing leaves.
pub(crate) fn is_endless(body: &Block) -> bool {
    let mut last = body.statements.last();
    while let Some(Stmt { kind: StmtKind::Labeled(_, inner), .. }) = last {
        last = Some(inner);
    }
    let loops = |last: &Stmt| matches!(&last.kind, StmtKind::For(found) if found.cond.is_none());
    let mut leaves = false;
    each_statement(body, &mut |statement| {
        use StmtKind::{Break, Goto, Return};
        leaves |= matches!(statement.kind, Break(_) | Goto(_) | Return(_));
    });
    last.is_some_and(loops) && !leaves
}

/// Whether something is deferred in a loop, or where `goto` may come to it again.
fn defers_in_loop(block: &Block, again: bool) -> bool {
    let again =
        again || block.statements.iter().any(|one| matches!(one.kind, StmtKind::Labeled(..)));
    block.statements.iter().any(|statement| stmt_defers_again(statement, again))
}

fn stmt_defers_again(statement: &Stmt, again: bool) -> bool {
    use StmtKind::*;
    let cases = |clauses: &[CaseClause]| clauses.iter().any(|one| defers_in_loop(&one.body, again));
    match &statement.kind {
        Defer(_) => again,
        Block(block) => defers_in_loop(block, again),
        If(found) => {
            defers_in_loop(&found.then, again)
                || found.otherwise.as_ref().is_some_and(|other| stmt_defers_again(other, again))
        }
        Switch(found) => cases(&found.clauses),
        TypeSwitch(found) => cases(&found.clauses),
        Select(clauses) => clauses.iter().any(|one| defers_in_loop(&one.body, again)),
        For(found) => has_defer(&found.body),
        Range(found) => has_defer(&found.body),
        Labeled(_, inner) => stmt_defers_again(inner, again),
        _ => false,
    }
}

/// Whether something is deferred in a function, leaving out the functions in it.
pub(crate) fn has_defer(block: &Block) -> bool {
    block.statements.iter().any(stmt_defers)
}

fn stmt_defers(statement: &Stmt) -> bool {
    use StmtKind::*;
    match &statement.kind {
        Defer(_) => true,
        Block(block) => has_defer(block),
        If(found) => has_defer(&found.then) || found.otherwise.as_ref().is_some_and(stmt_defers),
        Switch(found) => found.clauses.iter().any(|clause| has_defer(&clause.body)),
        TypeSwitch(found) => found.clauses.iter().any(|clause| has_defer(&clause.body)),
        Select(clauses) => clauses.iter().any(|clause| has_defer(&clause.body)),
        For(found) => has_defer(&found.body),
        Range(found) => has_defer(&found.body),
        Labeled(_, inner) => stmt_defers(inner),
        _ => false,
    }
}

impl World<'_> {
    /// Translates everything that is wanted, and what that wants.
    pub(crate) fn drain(&mut self) {
        while let Some(Wanted::Function { decl, kin, process, bindings, receiver, stub, used_at }) =
            self.queue.pop()
        {
            if used_at != (0, 0) {
                self.used_at = used_at;
            }
            self.steps += 1;
            let shown = self.shown.get(&kin).cloned().unwrap_or_else(|| kin.clone());
            let mut fx = Fx::new(self, &shown);
            fx.scopes.push(bindings);
            fx.is_process = process;
            fx.at = (decl.name.pos, decl.name.pos + decl.name.name.len() as u32);
            fx.attempt(|fx| {
                let sig = fx.signature(&decl.of)?;
                let own = match (&decl.receiver, &receiver) {
                    (Some(param), Some(ty)) => {
                        let pointer = matches!(&*param.of.bare().kind, ExprKind::Star(_));
                        Some((param, if pointer { ty.clone().pointer() } else { ty.clone() }))
                    }
                    _ => None,
                };
                let empty = Block::default();
                let body = match (&decl.body, stub) {
                    (Some(body), false) => body,
                    _ => &Rc::new(empty),
                };
                fx.routine(&kin, Vec::new(), &decl.of, &sig, body, own, body.end)
            });
        }
    }

    pub(crate) fn line(&self, text: impl Into<String>) -> Line {
        Line { text: text.into(), pos: (0, 0) }
    }
}
