//! The statements of a function in those of its caller, with variables and loops of their own.
//!
//! In deferred blocks functions are not called but put in: so all that a thread has yet to do there is in one graph,
//! and one that is killed on the way can be let to finish it.

use crate::{Action, Block, Expr, Form, LocalId, Root, Statement};

/// Gives variables and loops other numbers.
#[derive(Clone, Copy)]
pub(crate) struct Renaming {
    /// What is added to the numbers of variables.
    pub locals: u32,
    /// What is added to the numbers of loops.
    pub loops: u32,
}

impl Renaming {
    pub(crate) fn block(self, block: &Block) -> Block {
        let mut renamed = block.clone();
        self.rename(&mut renamed);
        renamed
    }

    fn rename(self, block: &mut Block) {
        for Statement { action, .. } in block {
            match action {
                Action::Loop(id, _) | Action::Break(id) | Action::Continue(id) => {
                    id.0 += self.loops
                }
                Action::Choose(local, ..) => self.local(local),
                Action::Select(select) => {
                    for arm in &mut select.arms {
                        arm.operation.results_mut().into_iter().for_each(|local| self.local(local));
                    }
                }
                _ => {}
            }
            for target in action.targets_mut() {
                if let Root::Local(local) = &mut target.root {
                    self.local(local);
                }
            }
            action.exprs_mut().into_iter().for_each(|expr| self.expr(expr));
            action.blocks_mut().into_iter().for_each(|block| self.rename(block));
        }
    }

    fn expr(self, expr: &mut Expr) {
        if let Form::Local(local) | Form::Quantified(_, local, ..) = &mut expr.form {
            self.local(local);
        }
        expr.children_mut().into_iter().for_each(|child| self.expr(child));
    }

    fn local(self, local: &mut LocalId) {
        local.0 += self.locals;
    }
}
