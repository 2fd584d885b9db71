//! Transitions: arcs, variables and parameters.

use std::collections::{HashMap, HashSet};

use net::{Arc, Expr, Kind, Origin, PlaceId, Transition, Var, Variable};

use super::arcs::{condition, named, through, within_limits};
use super::classes::{Classes, Columns};
use super::draft::{Carried, Draft, Rule};
use super::enumerations::Names;
use super::sum::{Block, Slot, column_of};
use diagnostics::{Diagnostic, Diagnostics};

/// The largest number of inputs and parameters of one transition: the limit of `net`.
const MOST_INPUTS: usize = 256;
/// What a variable is called that goes through all members, where nothing speaks of it: as in `lang`.
const UNNAMED: &str = "all";

/// The transitions. What is beyond a limit is reported.
pub(super) fn transitions(
    draft: &Draft<'_>,
    classes: &Classes<'_, '_>,
    names: &Names,
    sink: &mut Diagnostics,
) -> Vec<Transition> {
    let mut list = Vec::with_capacity(draft.rules.len());
    for rule in &draft.rules {
        let transition = Assembly::new(draft, rule, names).assembled(classes, sink);
        let inputs = transition.takes.len() + transition.parameters.len();
        if inputs > MOST_INPUTS {
            sink.report(|| {
                let message = format!("the transition `{}` has too many inputs", rule.id);
                Diagnostic::error("P0506", message)
                    .at(rule.span, format!("{inputs} different tokens and parameters"))
                    .help(format!("at most {MOST_INPUTS}; split the transition, or use `<all>`"))
            });
        }
        list.push(transition);
    }
    list
}

struct Assembly<'a, 'd> {
    draft: &'a Draft<'d>,
    rule: &'a Rule<'d>,
    names: &'a Names,
    transition: Transition,
    /// The variables of the transition by their components.
    vars: HashMap<Var, Var>,
    /// The names that variables have.
    taken: HashSet<String>,
}

impl<'a, 'd> Assembly<'a, 'd> {
    fn new(draft: &'a Draft<'d>, rule: &'a Rule<'d>, names: &'a Names) -> Assembly<'a, 'd> {
        let mut assembly = Assembly {
            draft,
            rule,
            names,
            transition: Transition {
                name: rule.id.to_owned(),
                origin: Origin::new(rule.span.range()),
                ..Transition::default()
            },
            vars: HashMap::new(),
            taken: HashSet::new(),
        };
        for var in &rule.variables {
            let name = names.variable(*var).to_owned();
            assembly.taken.insert(name.clone());
            let kind = names.sort(draft.components[var.index()].domain).into();
            let number = assembly.add(name, kind);
            assembly.vars.insert(*var, number);
        }
        assembly
    }

    fn add(&mut self, name: String, kind: Kind) -> Var {
        let number = Var(self.transition.variables.len() as u32);
        self.transition.variables.push(Variable::new(name, kind));
        number
    }

    fn assembled(mut self, classes: &Classes<'_, '_>, sink: &mut Diagnostics) -> Transition {
        let takes: Vec<Arc> = self.arcs(&self.rule.takes, classes, sink);
        let puts = self.arcs(&self.rule.puts, classes, sink);
        let vars = |var: Var| self.vars[&var];
        let guard =
            self.rule.guard.iter().map(|expr| self.names.expr(expr.clone(), &vars)).collect();
        self.transition.guard = guard;
        let patterns = takes.iter().filter(|arc| arc.each.is_empty()).flat_map(|arc| &arc.pattern);
        let bound: HashSet<Var> = patterns
            .filter_map(|expr| match expr {
                Some(Expr::Var(var)) => Some(*var),
                _ => None,
            })
            .collect();
        let mut free: Vec<Var> = self.rule.variables.iter().copied().collect();
        free.retain(|var| !bound.contains(&self.vars[var]));
        // The order of parameters means nothing. That of names is the same wherever the net comes from.
        free.sort_by_key(|var| self.names.variable(*var));
        let parameter = |var: Var| {
            let sort = self.names.sort(self.draft.components[var.index()].domain);
            (self.vars[&var], sort)
        };
        self.transition.parameters = free.into_iter().map(parameter).collect();
        self.transition.takes = takes;
        self.transition.puts = puts;
        self.transition.number_variables();
        self.transition
    }

    fn arcs(
        &mut self,
        list: &[Carried],
        classes: &Classes<'_, '_>,
        sink: &mut Diagnostics,
    ) -> Vec<Arc> {
        let mut arcs = Vec::new();
        for Carried { place, sum, span } in list {
            let blocks = within_limits(sum, classes, *span, sink).into_iter();
            arcs.extend(blocks.map(|(block, _)| self.arc(*place, &sum.columns, block)));
        }
        arcs
    }

    fn arc(&mut self, place: usize, columns: &Columns, block: &Block) -> Arc {
        let named = named(block);
        let mut own: HashMap<usize, Var> = HashMap::new();
        let mut each = Vec::new();
        for column in through(block) {
            let name = match named.contains(&column) {
                true => self.names.fresh(&self.taken),
                false => UNNAMED.to_owned(),
            };
            if name != UNNAMED {
                self.taken.insert(name.clone());
            }
            let var = self.add(name, self.names.sort(columns[column]).into());
            own.insert(column, var);
            each.push(var);
        }
        let vars = |var: Var| match column_of(var) {
            Some(column) => own[&column],
            None => self.vars[&var],
        };
        let component =
            |(column, slot): (usize, &Slot)| Some(self.names.expr(slot.expr(column), &vars));
        Arc {
            place: PlaceId(place as u32),
            pattern: block.slots.iter().enumerate().map(component).collect(),
            count: block.count as u32,
            each,
            condition: condition(block).map(|condition| self.names.expr(condition, &vars)),
        }
    }
}
