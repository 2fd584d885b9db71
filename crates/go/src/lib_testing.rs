//! Package `testing`: a test that fails is a fault, and a log that comes when the test is over is one, too.

use crate::fx::{Fx, Val};
use crate::lib_calls::nothing;
use crate::syntax::*;
use crate::types::{Lib, Sig, Ty};
use crate::world::{Entity, R, World, refuse_as};

impl Fx<'_, '_> {
    pub(crate) fn testing_call(&mut self, name: &str, args: Vec<Val>, at: (Pos, Pos)) -> R<Val> {
        match name {
            "Fatal" | "Fatalf" | "FailNow" | "Error" | "Errorf" | "Fail" => {
                self.print(&args, at)?;
                self.emit("assert false");
                if name.starts_with("Fatal") || name == "FailNow" {
                    self.emit("kill self");
                }
                Ok(nothing())
            }
            "Skip" | "Skipf" | "SkipNow" => {
                self.emit("kill self");
                Ok(nothing())
            }
            "Parallel" => {
                self.parallel();
                Ok(nothing())
            }
            "Run" => {
                self.subtest(&args[1])?;
                Ok(Val::made("true", Ty::Bool))
            }
            "Log" | "Logf" => {
                self.print(&args, at)?;
                // The test itself is not over as long as it logs.
                if !self.is_main && !self.w.ends_all {
                    self.w.lib_used.insert("test_over");
                    self.emit("assert not test_over");
                }
                Ok(nothing())
            }
            "Helper" | "ResetTimer" | "StopTimer" | "StartTimer" | "ReportAllocs" | "Setenv" => {
                Ok(nothing())
            }
            "Cleanup" if self.w.text.contains(".Run(") => {
                refuse_as("G0412", at, "`Cleanup` beside subtests is not understood", "use `defer`")
            }
            "Cleanup" => {
                self.w.lib_used.insert("test_cleanup");
                self.w.fn_type(&Sig::default());
                self.emit(format!("test_cleanups.push_back({})", args[0].code));
                Ok(nothing())
            }
            "Name" | "TempDir" => {
                self.w.makes_vague = true;
                Ok(Val::made("s_other", Ty::Str))
            }
            "Failed" | "Short" => Ok(Val::made("false", Ty::Bool)),
            "Deadline" => {
                let ty = Ty::Tuple(vec![Ty::Opaque("time.Time"), Ty::Bool]);
                let record = self.w.kin(&ty);
                let both = self.keep_as(&format!("{record}(r0: 0, r1: false)"), &record);
                Ok(Val::made(both, ty))
            }
            _ => refuse_as(
                "G0402",
                at,
                format!("`{name}` of package `testing` is not known"),
                "do without it",
            ),
        }
    }

    /// What the end of the entry does: the end of `main` ends all others, and a test is over. What nobody asks for is left out
    /// in the end (`World::testing`).
    pub(crate) fn end_of_main(&mut self) {
        if self.w.ends_all {
            // Who exits does not end the program.
            let unwinds = self.w.unwinds && self.has_defer;
            self.emit(if unwinds { "over = uw.kind == 0" } else { "over = true" });
        } else {
            self.release_subtests();
            self.emit("test_cleanup()");
            self.emit("test_over = true");
        }
    }

    /// The arms of a `select` without those by which a test gives up on a time-out. They are for what takes for ever, which
    /// is found without them; and that a program is slow is no fault of it.
    pub(crate) fn patient(&mut self, clauses: &[CommClause]) -> Vec<CommClause> {
        let mut kept = Vec::new();
        for clause in clauses {
            let comm = clause.comm.as_ref().map(|comm| &comm.kind);
            let waits = matches!(comm, Some(StmtKind::Expr(expr)) if matches!(
                &*expr.bare().kind, ExprKind::Unary("<-", channel) if self.is_after(channel)));
            if waits && self.gives_up(&clause.body) {
                let why = "a time-out by which a test only fails is taken to be long enough: it never comes";
                self.w.note(why, clause.pos);
            } else {
                kept.push(clause.clone());
            }
        }
        if kept.is_empty() { clauses.to_vec() } else { kept }
    }

    /// Whether a block begins with `t.Fatal`, `t.Error` or `panic`.
    fn gives_up(&mut self, body: &Block) -> bool {
        let Some(Stmt { kind: StmtKind::Expr(expr), .. }) = body.statements.first() else {
            return false;
        };
        let ExprKind::Call { callee, .. } = &*expr.bare().kind else { return false };
        match &*callee.bare().kind {
            ExprKind::Name(name) => name == "panic",
            ExprKind::Select(of, name) => {
                let fails = ["Fatal", "Fatalf", "FailNow", "Error", "Errorf", "Fail"];
                let is_test = |fx: &Self, name: &str| match fx.look_up(name) {
                    Some(Entity::Var(pos)) => fx
                        .vars
                        .get(&pos)
                        .is_some_and(|one| one.ty == Ty::Lib(Lib::Testing).pointer()),
                    _ => false,
                };
                fails.contains(&name.name.as_str()) && of.name().is_some_and(|of| is_test(self, of))
            }
            _ => false,
        }
    }
}

impl World<'_> {
    /// Declares what tests use, and leaves out what none does.
    pub(crate) fn testing(&mut self, push: &mut dyn FnMut(String)) {
        let ends = self.lib_used.contains("test_over");
        let cleans = self.lib_used.contains("test_cleanup");
        self.routines.retain(|line| match line.text.as_str() {
            "test_over = true" => ends,
            "test_cleanup()" => cleans,
            _ => true,
        });
        if ends {
            push("shared atomic test_over: bool = false".into());
        }
        if cleans {
            let f = self.fn_type(&Sig::default());
            push(format!("shared atomic test_cleanups: seq[Fn{f}, room] = []"));
            let mut fx = Fx::new(self, "cleanup");
            fx.is_top = true;
            fx.emit("fn test_cleanup() {");
            fx.emit("while len(test_cleanups) > 0 {");
            fx.emit(format!("let f: Fn{f} = test_cleanups.pop_back()"));
            fx.called(&format!("call_{f}"), vec!["f".to_owned()], &[], "");
            fx.emit("}");
            fx.emit("}");
            let lines = std::mem::take(&mut fx.lines).into_iter().map(|line| line.text);
            lines.for_each(push);
        }
    }
}
