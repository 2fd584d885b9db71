//! Subtests of which some are parallel.
//!
//! `t.Run` starts a subtest and waits until it has ended, or has said `t.Parallel()`. One that has said so goes on when the
//! test that has started it has returned, and that one is not over before. In programs without parallel subtests, `t.Run` is
//! a call. The object below knows who is whose subtest, by their processes.

use crate::fx::{Fx, Val};
use crate::types::{Lib, Sig, Ty};
use crate::world::{R, World};

const TREE: [&str; 17] = [
    "object TestTree {",
    "parents: map[any process, any process, 16] = []",
    "paused: set[any process, 16] = []",
    "released: set[any process, 16] = []",
    "step enter(parent: any process) { parents.insert(self, parent) }",
    "step pause { if self in parents { paused.insert(self) } }",
    "step resume { if self in parents { await parents[self] in released } }",
    "step left(h: any process) { await h in paused or ended(h) }",
    "step release { released.insert(self) }",
    "step finish {",
    "await forall c in parents: parents[c] != self",
    "parents.remove(self)",
    "}",
    "}",
    "",
    "shared test_tree: TestTree = new TestTree",
    "",
];

impl World<'_> {
    /// Whether there are parallel subtests.
    pub(crate) fn has_parallel(&self) -> bool {
        self.text.contains(".Run(") && self.text.contains(".Parallel()")
    }

    fn test_tree(&mut self) {
        let lines = TREE.iter().filter(|line| !line.is_empty()).map(|line| (*line).to_owned());
        self.declared.entry("TestTree".into()).or_insert_with(|| lines.collect());
    }
}

impl Fx<'_, '_> {
    /// `t.Run(name, f)`.
    pub(crate) fn subtest(&mut self, f: &Val) -> R<()> {
        let test = Ty::Lib(Lib::Testing).pointer();
        let sig = Sig { params: vec![test], results: Vec::new(), variadic: false };
        let fn_type = self.w.fn_type(&sig);
        let call = format!("call_{fn_type}");
        if !self.w.has_parallel() {
            self.called(&call, vec![f.code.clone(), "0".to_owned()], &[], "");
            return Ok(());
        }
        self.w.test_tree();
        let shown = format!("{}.subtest", self.shown);
        let kin = self.w.fresh("go_subtest");
        self.w.shown.insert(kin.clone(), shown.clone());
        let at = self.at;
        let mut fx = Fx::new(self.w, &shown);
        fx.at = at;
        fx.is_process = true;
        fx.emit(format!("process {kin}(p0: Fn{fn_type}, p1: any process) {{"));
        fx.emit("test_tree.enter(p1)");
        fx.called(&call, vec!["p0".into(), "0".into()], &[], "test_tree.release()");
        fx.wait("test_tree.finish()", "");
        fx.emit("}");
        let lines = std::mem::take(&mut fx.lines);
        fx.w.routines.extend(lines);
        let f = self.simple(f);
        let child = self.temp();
        self.emit(format!("let {child}: {kin} = spawn {kin}({f}, self)"));
        self.wait(&format!("test_tree.left({child})"), "");
        Ok(())
    }

    /// `t.Parallel()`.
    pub(crate) fn parallel(&mut self) {
        if self.w.has_parallel() {
            self.w.test_tree();
            self.emit("test_tree.pause()");
            self.wait("test_tree.resume()", "");
        }
    }

    /// The test that was entered has returned.
    pub(crate) fn release_subtests(&mut self) {
        if self.w.has_parallel() {
            self.w.test_tree();
            self.emit("test_tree.release()");
        }
    }
}
