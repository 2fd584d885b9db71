//! Variables in the order in which they occur.
//!
//! Texts that differ only in the order of their items should give the same net, so the variables of a
//! transition are numbered by its parts: parameters, threads, tokens taken and read, definitions,
//! inhibitors, guard, children, what is put.

use crate::{Arc, Expr, Fate, Transition, Var};

impl Transition {
    /// Numbers the variables in the order of their first occurrence. Those that do not occur come last.
    pub fn number_variables(&mut self) {
        let mut order: Vec<Var> = Vec::with_capacity(self.variables.len());
        let mut seen = vec![false; self.variables.len()];
        let mut meet = |var: &mut Var| {
            if !std::mem::replace(&mut seen[var.index()], true) {
                order.push(*var);
            }
        };
        self.for_each_variable(&mut meet);
        order.extend((0..seen.len()).filter(|&i| !seen[i]).map(|i| Var(i as u32)));
        let mut number = vec![Var(0); order.len()];
        (0..).zip(&order).for_each(|(new, old)| number[old.index()] = Var(new));
        self.for_each_variable(&mut |var| *var = number[var.index()]);
        self.variables = order.iter().map(|var| self.variables[var.index()].clone()).collect();
    }

    /// Calls `visit` on every variable, as often as it occurs.
    pub(crate) fn for_each_variable(&mut self, visit: &mut dyn FnMut(&mut Var)) {
        self.parameters.iter_mut().for_each(|(var, _)| visit(var));
        for participant in &mut self.participants {
            visit(&mut participant.thread);
            participant.pattern.iter_mut().flatten().for_each(|expr| in_expr(expr, visit));
        }
        self.takes.iter_mut().chain(&mut self.reads).for_each(|arc| in_arc(arc, visit));
        for (var, expr) in &mut self.definitions {
            visit(var);
            in_expr(expr, visit);
        }
        for inhibitor in &mut self.inhibitors {
            inhibitor.arcs.iter_mut().for_each(|arc| in_arc(arc, visit));
            inhibitor.condition.iter_mut().for_each(|expr| in_expr(expr, visit));
        }
        self.guard.iter_mut().for_each(|expr| in_expr(expr, visit));
        for spawn in &mut self.spawns {
            visit(&mut spawn.parent);
            spawn.child.iter_mut().for_each(&mut *visit);
            spawn.values.iter_mut().for_each(|expr| in_expr(expr, visit));
        }
        self.news.iter_mut().for_each(|(var, _)| visit(var));
        for participant in &mut self.participants {
            if let Fate::Move { values, .. } = &mut participant.fate {
                values.iter_mut().for_each(|expr| in_expr(expr, visit));
            }
        }
        self.puts.iter_mut().for_each(|arc| in_arc(arc, visit));
    }
}

fn in_arc(arc: &mut Arc, visit: &mut dyn FnMut(&mut Var)) {
    let pattern = arc.pattern.iter_mut().flatten();
    pattern.chain(&mut arc.condition).for_each(|expr| in_expr(expr, visit));
    arc.each.iter_mut().for_each(visit);
}

fn in_expr(expr: &mut Expr, visit: &mut dyn FnMut(&mut Var)) {
    expr.change(&mut |expr| match expr {
        Expr::Var(v) | Expr::Field(v, ..) | Expr::At(v, _) | Expr::Ended(v) => visit(v),
        Expr::Relation(_, a, b) => {
            visit(a);
            visit(b);
        }
        _ => {}
    });
}
