//! Which transitions do the same: those that have the same key.
//!
//! The key says all that a transition does, with its variables by number, in the order in which they occur, and the
//! records of what is put in an order of their own. The operands of `==`, `and` and the like are sorted where none
//! of them can fault, so that it makes no difference which is looked at first.

use std::collections::HashSet;

use net::{BinaryOp, Expr, Fate, Group, Inhibitor, Net, PlaceId, Transition, UnaryOp, Var};

/// What a transition has besides what its inhibitors have for themselves.
pub(super) struct Shared {
    variables: HashSet<Var>,
    /// Whether some of them are definitions, which may fault where they are used.
    defines: bool,
}

impl Shared {
    pub(super) fn of(transition: &Transition) -> Shared {
        let children = transition.spawns.iter().filter_map(|spawn| spawn.child);
        let news = transition.news.iter().map(|(var, _)| *var);
        let variables = transition.bound_variables().chain(children).chain(news).collect();
        Shared { variables, defines: !transition.definitions.is_empty() }
    }

    pub(super) fn contains(&self, var: Var) -> bool {
        self.variables.contains(&var)
    }
}

/// The key of a transition.
pub(super) fn of_transition(net: &Net, transition: &Transition) -> String {
    let mut of = Transition { inhibitors: Vec::new(), ..transition.clone() };
    let numbers = numbered(&mut of);
    let mut shared = Shared::of(transition);
    let inhibitors = transition.inhibitors.iter().map(|inhibitor| {
        let mut inhibitor = inhibitor.clone();
        change_variables(&mut inhibitor, &mut |var| {
            *var = match shared.contains(*var) {
                true => numbers[var.index()],
                // Larger than all numbers, so that nothing is mistaken for another.
                false => Var(var.0 + numbers.len() as u32),
            }
        });
        inhibitor
    });
    let inhibitors: Vec<Inhibitor> = inhibitors.collect();
    shared.variables = shared.variables.iter().map(|var| numbers[var.index()]).collect();
    let mut inhibitors: Vec<String> =
        inhibitors.iter().map(|inhibitor| of_inhibitor(inhibitor, &shared)).collect();
    inhibitors.sort();
    for participant in &mut of.participants {
        if let Fate::Move { to, values } = &mut participant.fate {
            sort_records(net, *to, 1, values);
        }
    }
    for spawn in &mut of.spawns {
        if let Some(to) = spawn.to {
            sort_records(net, to, 1, &mut spawn.values);
        }
    }
    of.puts.iter_mut().for_each(|arc| sort_records(net, arc.place, 0, &mut arc.pattern));
    let (sure, others): (Vec<&Expr>, Vec<&Expr>) =
        of.guard.iter().partition(|condition| !shared.defines && cannot_fault(condition));
    let mut sure: Vec<String> = sure.into_iter().map(sorted).collect();
    sure.sort();
    sure.dedup();
    let inputs = (&of.parameters, &of.participants, &of.takes, &of.reads);
    let rest = (&of.definitions, &of.spawns, &of.news, &of.puts);
    format!("{inputs:?}{rest:?}{inhibitors:?}{sure:?}{others:?}")
}

/// Numbers the variables of a transition, and gives the new number of each.
fn numbered(transition: &mut Transition) -> Vec<Var> {
    for (number, variable) in transition.variables.iter_mut().enumerate() {
        variable.name = number.to_string();
    }
    transition.number_variables();
    let mut numbers = vec![Var(0); transition.variables.len()];
    for (new, variable) in (0..).zip(&transition.variables) {
        let old: usize = variable.name.parse().expect("it was written as a number");
        numbers[old] = Var(new);
    }
    numbers
}

/// The key of an inhibitor, which has all but the shared variables for itself.
pub(super) fn of_inhibitor(inhibitor: &Inhibitor, shared: &Shared) -> String {
    let mut own: Vec<Var> = Vec::new();
    let mut inhibitor = inhibitor.clone();
    change_variables(&mut inhibitor, &mut |var| {
        if shared.contains(*var) {
            return;
        }
        let at = own.iter().position(|other| other == var).unwrap_or_else(|| {
            own.push(*var);
            own.len() - 1
        });
        *var = Var(u32::MAX - at as u32);
    });
    let condition = inhibitor.condition.as_ref().map(|condition| {
        match !shared.defines && cannot_fault(condition) {
            true => sorted(condition),
            false => format!("{condition:?}"),
        }
    });
    format!("{:?}{condition:?}", inhibitor.arcs)
}

/// Calls `change` on every variable of an inhibitor.
pub(super) fn change_variables(inhibitor: &mut Inhibitor, change: &mut dyn FnMut(&mut Var)) {
    let arcs = inhibitor.arcs.iter_mut().flat_map(|arc| arc.pattern.iter_mut().flatten());
    for expr in arcs.chain(&mut inhibitor.condition) {
        expr.change(&mut |expr| match expr {
            Expr::Var(var) => change(var),
            Expr::Relation(_, a, b) => {
                change(a);
                change(b);
            }
            _ => {}
        });
    }
}

/// Sorts the records of what is put, from this column of its place on.
fn sort_records<T: Clone + std::fmt::Debug>(
    net: &Net,
    place: PlaceId,
    start: usize,
    row: &mut Vec<T>,
) {
    fn sort<T: Clone + std::fmt::Debug>(groups: &[Group], start: usize, row: &mut Vec<T>) {
        for group in groups {
            let whole = group.first - start..group.end() - start;
            let records = row[whole.clone()].chunks(group.width).map(<[T]>::to_vec);
            let mut records: Vec<Vec<T>> = records.collect();
            records.iter_mut().for_each(|record| sort(&group.groups, 0, record));
            records.sort_by_key(|record| format!("{record:?}"));
            row.splice(whole, records.into_iter().flatten());
        }
    }
    sort(&net.place(place).groups, start, row);
}

/// Whether a condition is made of what can always be said, if there are no definitions.
fn cannot_fault(expr: &Expr) -> bool {
    use BinaryOp::{Add, Divide, Multiply, Remainder, Subtract};
    let is_sure = match expr {
        Expr::Literal(_) | Expr::Var(_) | Expr::Relation(..) | Expr::Within(..) => true,
        Expr::Unary(op, _) => *op == UnaryOp::Not,
        Expr::Binary(op, ..) => !matches!(op, Add | Subtract | Multiply | Divide | Remainder),
        Expr::If(..) => true,
        _ => false,
    };
    is_sure && expr.children().all(cannot_fault)
}

/// A condition with its operands in an order of their own, where that makes no difference.
fn sorted(expr: &Expr) -> String {
    match expr {
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
            let mut operands = Vec::new();
            add_operands(*op, expr, &mut operands);
            operands.sort();
            operands.dedup();
            format!("{op:?}{operands:?}")
        }
        Expr::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), a, b) => {
            let mut operands = [sorted(a), sorted(b)];
            operands.sort();
            format!("{op:?}{operands:?}")
        }
        _ => format!("{expr:?}"),
    }
}

fn add_operands(op: BinaryOp, expr: &Expr, into: &mut Vec<String>) {
    match expr {
        Expr::Binary(own, a, b) if *own == op => {
            add_operands(op, a, into);
            add_operands(op, b, into);
        }
        _ => into.push(sorted(expr)),
    }
}
