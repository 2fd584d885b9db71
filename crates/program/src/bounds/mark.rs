//! Putting what was found into a program.

use super::{Bounds, Found};
use crate::{Block, Expr, Form, Type};

impl Found {
    /// Marks what never faults in a block.
    pub(crate) fn mark(&self, block: &mut Block) {
        for statement in block {
            statement.action.exprs_mut().into_iter().for_each(|expr| self.mark_expr(expr, false));
            statement.action.blocks_mut().into_iter().for_each(|block| self.mark(block));
        }
    }

    fn mark_expr(&self, expr: &mut Expr, is_sure: bool) {
        let at: *const Expr = expr;
        let own = matches!(expr.form, Form::Sure(_));
        expr.children_mut().into_iter().for_each(|child| self.mark_expr(child, own));
        if let (Some(Bounds { least, most }), Type::Int { min, max }) =
            (self.fitting.get(&at), &mut expr.of)
        {
            (*min, *max) = ((*min).max(*least), (*max).min(*most));
        }
        if self.faults.get(&at) == Some(&false) && !is_sure && can_be_marked(expr) {
            let of = expr.of.clone();
            let inner = std::mem::replace(expr, Expr { form: Form::None, of });
            expr.form = Form::Sure(Box::new(inner));
        }
    }
}

/// Whether an operation is one that might fault otherwise.
fn can_be_marked(expr: &Expr) -> bool {
    let inner = expr.children().into_iter().any(crate::facts::can_fault);
    !inner && crate::facts::can_fault(expr)
}
