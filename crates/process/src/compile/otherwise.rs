//! `else`, where an arm may be a rendezvous: it is taken only while there is nobody to meet.

use net::{Arc, Expr as NetExpr, Inhibitor, Variable};

use super::Compiler;
use crate::evaluate::{Halt, Parts, found};
use crate::execute::Flow;
use crate::formula::{TRUE, all};
use crate::path::{Begin, Path};
use program::graph::{Stop, StopArm};

impl Compiler<'_> {
    /// The path on which no arm of a stop can meet anybody who waits.
    pub(super) fn unless_met(&self, stop: &Stop, path: Path) -> Path {
        let may_meet = |arm: &&StopArm| self.runner.routines.facts.may_meet(&arm.actions);
        let mut inhibitors = Vec::new();
        let mut variables = path.variables.clone();
        for arm in stop.arms.iter().filter(may_meet) {
            let waiting =
                self.runner.routines.stops().filter(|(_, other)| other.otherwise.is_none());
            for (id, other) in waiting {
                for partner in other.arms.iter().filter(may_meet) {
                    let mut both = self.runner.at_stop(id, None, path.clone());
                    let at = both.threads.len() - 1;
                    both.threads[at].acts = true;
                    // The condition of the arm is looked at before the other one is.
                    let allowed = match &arm.when {
                        None => found(both, ()),
                        Some(when) => {
                            self.runner.apart(0, both, |path| self.runner.await_(when, path))
                        }
                    };
                    for (both, _) in allowed.into_iter().filter(|(_, outcome)| outcome.is_ok()) {
                        let met = self.joint([(0, arm), (at, partner)], both.clone());
                        let turned = self.joint([(at, partner), (0, arm)], both);
                        let met = met.into_iter().chain(turned).collect();
                        inhibitors.extend(self.inhibitors(&path, met, &mut variables));
                    }
                }
            }
        }
        Path { inhibitors, variables, ..path }
    }

    /// What inhibits where some way to meet can be gone: all that it looks at beyond what a path has looked at.
    /// Each has variables of its own.
    fn inhibitors(
        &self,
        known: &Path,
        met: Parts<[Flow; 2]>,
        variables: &mut Vec<Variable>,
    ) -> Vec<Inhibitor> {
        // One who faults by itself, before the two meet, cannot be met.
        let can = met.into_iter().filter(|(path, outcome)| match outcome {
            Ok(_) => true,
            Err(Halt::Fault(_)) => path.meeting.is_none(),
            Err(Halt::Blocked) => false,
        });
        let from = known.variables.len();
        can.map(|(path, _)| {
            let by = variables.len() - from;
            variables.extend(path.variables[from..].iter().cloned());
            let mut inhibitor = self.inhibitor(known, path);
            let patterns =
                inhibitor.arcs.iter_mut().flat_map(|arc| arc.pattern.iter_mut().flatten());
            patterns.chain(&mut inhibitor.condition).for_each(|expr| shift(expr, from, by));
            inhibitor
        })
        .collect()
    }

    fn inhibitor(&self, known: &Path, mut path: Path) -> Inhibitor {
        if path.endings.len() > known.endings.len()
            && path.endings[known.endings.len()..].iter().any(|ending| !ending.has_ended)
        {
            let what = "whether somebody can be met depends on who has not ended";
            self.runner.refuse(what, "ask before the `select`, and keep the answer in a variable");
        }
        if path.parameters.len() > known.parameters.len() {
            let what = "whether somebody can be met depends on what is chosen";
            self.runner.refuse(what, "choose before the `select`");
        }
        let condition = all(path.guard.split_off(known.guard.len()));
        let mut arcs: Vec<Arc> = Vec::new();
        for thread in &path.threads[known.threads.len()..] {
            if let Begin::At(stop, vars) = &thread.begin {
                arcs.push(self.emitter.look(thread.var, *stop, vars));
            }
        }
        path.objects.drain(..known.objects.len());
        path.objects.retain(|object| !object.is_new);
        path.globals.retain(|id, _| !known.globals.contains_key(id));
        path.endings.drain(..known.endings.len());
        path.results.drain(..known.results.len());
        arcs.extend(self.emitter.looks(path));
        let condition = Some(condition).filter(|holds| *holds != TRUE);
        Inhibitor { arcs, condition }
    }
}

/// Numbers variables, from one on, this much higher.
fn shift(expr: &mut NetExpr, from: usize, by: usize) {
    match expr {
        NetExpr::Var(var) if var.index() >= from => var.0 += by as u32,
        NetExpr::Var(_) | NetExpr::Literal(_) => {}
        NetExpr::Unary(_, a) | NetExpr::Shift(a, ..) | NetExpr::Within(a, ..) => shift(a, from, by),
        NetExpr::Binary(_, a, b) => [a, b].into_iter().for_each(|part| shift(part, from, by)),
        NetExpr::If(a, b, c) => [a, b, c].into_iter().for_each(|part| shift(part, from, by)),
        _ => unreachable!("paths have no such conditions"),
    }
}
