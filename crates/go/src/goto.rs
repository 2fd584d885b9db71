//! `goto`: a block with labels that are jumped to becomes a loop over its parts, and a jump is another round of it, from
//! the part of the label on.
//!
//! ```text
//! part: loop {
//!     if from <= 0 { … }
//!     if from <= 1 { … }      // goto L: from = 1   continue part
//!     break part
//! }
//! ```
//!
//! Go lets nobody jump into a block, nor over a variable that is declared. Variables of such a block are declared before
//! the loop, since all parts of it know them.

use std::collections::BTreeSet;

use crate::fx::Fx;
use crate::syntax::*;
use crate::world::{R, refuse_as};

/// A label that can be jumped to.
#[derive(Clone, Debug)]
pub(crate) struct Jump {
    label: String,
    parts: String,
    from: String,
    number: usize,
}

impl Fx<'_, '_> {
    /// The statements of a block, if some of its labels are jumped to.
    pub(crate) fn with_jumps(&mut self, statements: &[Stmt], end: Pos) -> bool {
        let mut wanted = BTreeSet::new();
        statements.iter().for_each(|one| jumps(one, &mut wanted));
        let is_target = |one: &Stmt| match &one.kind {
            StmtKind::Labeled(label, _) => wanted.contains(&label.name),
            _ => false,
        };
        let labels: Vec<usize> =
            (0..statements.len()).filter(|&number| is_target(&statements[number])).collect();
        if labels.is_empty() {
            return false;
        }
        self.temps += 1;
        let (parts, from) = (format!("part{}", self.temps), format!("from{}", self.temps));
        self.prologue(format!("let {from}: 0..={} = 0", labels.len()));
        self.emit(format!("{from} = 0"));
        for (number, &at) in labels.iter().enumerate() {
            if let StmtKind::Labeled(label, _) = &statements[at].kind {
                self.jumps.push(Jump {
                    label: label.name.clone(),
                    parts: parts.clone(),
                    from: from.clone(),
                    number: number + 1,
                });
            }
        }
        let hoisted = self.hoisted.replace(self.scopes.len());
        self.emit(format!("{parts}: loop {{"));
        let starts = std::iter::once(0).chain(labels.iter().copied());
        let ends = labels.iter().copied().chain([statements.len()]);
        for (number, (start, stop)) in starts.zip(ends).enumerate() {
            if start == stop {
                continue;
            }
            self.emit(format!("if {from} <= {number} {{"));
            let until = statements.get(stop).map_or(end, |next| next.pos);
            self.listed(&statements[start..stop], until);
            self.emit("}");
        }
        self.emit(format!("break {parts}"));
        self.emit("}");
        self.hoisted = hoisted;
        self.jumps.truncate(self.jumps.len() - labels.len());
        true
    }

    pub(crate) fn goto(&mut self, label: &Ident, at: (Pos, Pos)) -> R<()> {
        let Some(jump) = self.jumps.iter().rev().find(|jump| jump.label == label.name).cloned()
        else {
            return refuse_as(
                "G0205",
                at,
                format!("there is no label `{}` to go to", label.name),
                "put the label into a block around it",
            );
        };
        self.emit(format!("{} = {}", jump.from, jump.number));
        self.emit(format!("continue {}", jump.parts));
        Ok(())
    }
}

/// The labels that are jumped to, leaving out the functions in it.
fn jumps(statement: &Stmt, found: &mut BTreeSet<String>) {
    use StmtKind::*;
    let mut all = |block: &crate::syntax::Block| {
        block.statements.iter().for_each(|one| jumps(one, found));
    };
    match &statement.kind {
        Goto(label) => {
            found.insert(label.name.clone());
        }
        Block(block) => all(block),
        If(one) => {
            all(&one.then);
            one.otherwise.iter().for_each(|other| jumps(other, found));
        }
        Switch(one) => one.clauses.iter().for_each(|clause| all(&clause.body)),
        TypeSwitch(one) => one.clauses.iter().for_each(|clause| all(&clause.body)),
        Select(clauses) => clauses.iter().for_each(|clause| all(&clause.body)),
        For(one) => all(&one.body),
        Range(one) => all(&one.body),
        Labeled(_, inner) => jumps(inner, found),
        _ => {}
    }
}
