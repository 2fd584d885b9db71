//! `switch`, also on types.

use crate::fx::{Fx, Target, Val};
use crate::leaving::breaks;
use crate::syntax::*;
use crate::world::{R, refuse_as};

impl Fx<'_, '_> {
    pub(crate) fn loop_name(&mut self, wish: &str) -> String {
        self.temps += 1;
        format!("{wish}{}", self.temps)
    }

    /// Does something that `break` can leave, in a loop of its own if there is one that does.
    pub(crate) fn breakable(
        &mut self,
        label: Option<String>,
        leaves: bool,
        what: impl FnOnce(&mut Self) -> R<()>,
    ) -> R<()> {
        let name = self.loop_name("leave");
        self.targets.push(Target { label, outer: name.clone(), inner: None, is_loop: false });
        if leaves {
            self.emit(format!("{name}: loop {{"));
        }
        let result = what(self);
        if leaves {
            self.emit(format!("break {name}"));
            self.emit("}");
        }
        self.targets.pop();
        result
    }

    pub(crate) fn switch(
        &mut self,
        found: &Switch,
        label: Option<String>,
        at: (Pos, Pos),
    ) -> R<()> {
        self.open();
        let leaves =
            found.clauses.iter().any(|clause| breaks(&clause.body, label.as_deref(), true));
        let result = self.breakable(label, leaves, |fx| fx.switch_in_scope(found, at));
        self.close();
        result
    }

    pub(crate) fn switch_in_scope(&mut self, found: &Switch, at: (Pos, Pos)) -> R<()> {
        if let Some(init) = &found.init {
            self.statement(init, None)?;
        }
        self.at = at;
        let tag = match &found.tag {
            Some(tag) => {
                let val = self.expr_defaulted(tag)?;
                let code = self.keep(&val);
                Some(Val { code, ..val })
            }
            None => None,
        };
        let mut open = 0;
        let mut default = None;
        for (number, clause) in found.clauses.iter().enumerate() {
            let Some(cases) = &clause.cases else {
                default = Some(number);
                continue;
            };
            self.at = (clause.pos, clause.pos + 4);
            let mut hit: Option<String> = None;
            for case in cases {
                let (cond, lines) = self.apart(|fx| fx.case_holds(tag.as_ref(), case))?;
                let plain = lines.is_empty() && !self.reads_shared(&cond);
                hit = Some(match hit {
                    None => {
                        self.lines.extend(lines);
                        cond
                    }
                    Some(hit) if plain => format!("{hit} or {cond}"),
                    // A case is looked at only if those before it do not fit.
                    Some(hit) => {
                        let known = self.keep_as(&hit, "bool");
                        self.emit(format!("if not {known} {{"));
                        self.lines.extend(lines);
                        self.emit(format!("{known} = {cond}"));
                        self.emit("}");
                        known
                    }
                });
            }
            self.emit(format!("if {} {{", hit.unwrap_or_else(|| "false".into())));
            self.clause(&found.clauses[number..]);
            self.emit("} else {");
            open += 1;
        }
        if let Some(number) = default {
            let clause = &found.clauses[number];
            self.at = (clause.pos, clause.pos + 7);
            self.clause(&found.clauses[number..]);
        }
        for _ in 0..open {
            self.emit("}");
        }
        Ok(())
    }

    /// Whether a case of a switch fits: it is the value of the switch, or holds.
    pub(crate) fn case_holds(&mut self, tag: Option<&Val>, case: &Expr) -> R<String> {
        let place = (case.pos, case.end);
        let Some(tag) = tag else { return Ok(self.expr(case, None)?.code) };
        let val = self.expr(case, Some(&tag.ty))?;
        let (mut left, mut right) = (tag.clone(), val);
        if left.ty != right.ty {
            if self.w.is_interface(&right.ty) {
                let ty = right.ty.clone();
                left = self.fit(left, &ty, place)?;
            } else {
                let ty = left.ty.clone();
                right = self.fit(right, &ty, place)?;
            }
        }
        // It is spoken of as it is written: `case "stop"`.
        Ok(self.equality("==", left, right, (self.at.0, case.end))?.code)
    }

    /// The first of some clauses, and those that it falls through to.
    pub(crate) fn clause(&mut self, clauses: &[CaseClause]) {
        for clause in clauses {
            let statements = &clause.body.statements[..];
            self.open();
            match statements.split_last() {
                Some((Stmt { kind: StmtKind::Fallthrough, .. }, before)) => {
                    self.statements(before, clause.body.end)
                }
                _ => {
                    self.statements(statements, clause.body.end);
                    self.close();
                    return;
                }
            }
            self.close();
        }
    }

    pub(crate) fn type_switch(
        &mut self,
        found: &TypeSwitch,
        label: Option<String>,
        at: (Pos, Pos),
    ) -> R<()> {
        self.open();
        let leaves =
            found.clauses.iter().any(|clause| breaks(&clause.body, label.as_deref(), true));
        let result = self.breakable(label, leaves, |fx| fx.type_switch_in_scope(found, at));
        self.close();
        result
    }

    pub(crate) fn type_switch_in_scope(&mut self, found: &TypeSwitch, at: (Pos, Pos)) -> R<()> {
        if let Some(init) = &found.init {
            self.statement(init, None)?;
        }
        self.at = at;
        let value = self.expr(&found.value, None)?;
        if !self.w.is_interface(&value.ty) {
            return refuse_as("G0301", at, "this is no interface", "use the value itself");
        }
        let code = self.keep(&value);
        let value = Val { code, ..value };
        let mut open = 0;
        let mut default = None;
        for clause in &found.clauses {
            let Some(cases) = &clause.cases else {
                default = Some(clause);
                continue;
            };
            self.at = (clause.pos, clause.pos + 4);
            let mut conds = Vec::new();
            let mut only = None;
            for case in cases {
                if case.name() == Some("nil") {
                    conds.push(format!("({} == any_nil)", value.code));
                    continue;
                }
                let ty = self.ty(case)?;
                let (val, ok) = self.assert_type(&value, &ty, (case.pos, case.end))?;
                conds.push(ok);
                only = (cases.len() == 1).then_some(val);
            }
            self.emit(format!("if {} {{", conds.join(" or ")));
            self.bound_clause(found, clause, only.unwrap_or_else(|| value.clone()))?;
            self.emit("} else {");
            open += 1;
        }
        if let Some(clause) = default {
            self.at = (clause.pos, clause.pos + 7);
            self.bound_clause(found, clause, value)?;
        }
        for _ in 0..open {
            self.emit("}");
        }
        Ok(())
    }

    pub(crate) fn bound_clause(
        &mut self,
        found: &TypeSwitch,
        clause: &CaseClause,
        val: Val,
    ) -> R<()> {
        self.open();
        if let Some(bind) = &found.bind {
            let val = self.copied(val)?;
            self.declare(bind, val.ty.clone(), &val.code);
        }
        self.block(&clause.body);
        self.close();
        Ok(())
    }
}
