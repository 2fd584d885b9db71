//! The enumerations of the net, and the names in it.
//!
//! Members of enumerations, enumerations and variables are called differently, each by its identifier
//! where that is free. Columns of one variable, and members of ranges, have numbers after the name.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use net::{EnumId, Enumeration, Expr, Literal, Sort, Var};

use super::classes::{Classes, Domain};
use super::draft::Draft;
use super::sum::Slot;
use crate::check::types::Type;
use crate::document::free;
use diagnostics::{Diagnostic, Diagnostics, Span};

/// No net has more members than this, in all enumerations together.
const MOST_MEMBERS: u64 = 1 << 20;

#[derive(Default)]
pub(super) struct Names {
    /// By class, the enumeration that it is in the net.
    numbers: HashMap<EnumId, EnumId>,
    pub(super) enumerations: Vec<Enumeration>,
    /// The names of enumerations and members.
    values: HashSet<Arc<str>>,
    /// By component.
    variables: Vec<String>,
}

impl Names {
    /// The names of a net; none if it has too many members, which is reported.
    pub(super) fn new(
        draft: &Draft<'_>,
        classes: &Classes<'_, '_>,
        sink: &mut Diagnostics,
    ) -> Option<Names> {
        let mut order: Vec<EnumId> = classes.always().collect();
        order.extend(parts_in_use(draft, classes));
        let members: u64 = order.iter().map(|id| classes.size(*id)).fold(0, u64::saturating_add);
        if members > MOST_MEMBERS {
            let largest = order.iter().copied().max_by_key(|id| classes.size(*id))?;
            let span = classes.declaration(largest).map_or_else(Span::default, |d| d.span);
            sink.report(|| {
                Diagnostic::error("P0502", "the classes have too many members")
                    .at(span, format!("this one has {}", classes.size(largest)))
                    .help(format!("a net has at most {MOST_MEMBERS} in all its classes"))
            });
            return None;
        }
        let numbers = order.iter().copied().zip((0..).map(EnumId)).collect();
        let mut names = Names { numbers, ..Names::default() };
        names.name_enumerations(&order, classes);
        names.name_variables(draft);
        Some(names)
    }

    /// Members keep their names; then enumerations are named, then the members of ranges.
    fn name_enumerations(&mut self, order: &[EnumId], classes: &Classes<'_, '_>) {
        for id in order {
            let members: Vec<Arc<str>> = classes.members(*id).into_iter().map(Arc::from).collect();
            self.values.extend(members.iter().cloned());
            let round = matches!(classes.shape(*id), Type::Enumeration { cyclic: true, .. });
            self.enumerations.push(Enumeration { members, round, ..Enumeration::default() });
        }
        for (id, enumeration) in order.iter().zip(&mut self.enumerations) {
            let wanted = match (classes.declaration(*id), classes.range(*id)) {
                (Some(declaration), _) => declaration.id.text.clone(),
                (None, Some(range)) => format!("{}..{}", range.start, range.end),
                (None, None) => unreachable!("all classes but ranges have declarations"),
            };
            enumeration.name = free(wanted, |name| self.values.contains(name));
            self.values.insert(Arc::from(&*enumeration.name));
        }
        for (id, enumeration) in order.iter().zip(&mut self.enumerations) {
            let Some(range) = classes.range(*id) else { continue };
            let wanted = classes.declaration(*id).map_or("N", |_| &enumeration.name).to_owned();
            let is_taken = |stem: &str| {
                self.values.iter().any(|name| {
                    let number = name.strip_prefix(stem).and_then(|n| n.parse::<i64>().ok());
                    number.is_some_and(|number| range.contains(number))
                })
            };
            let stem = free(wanted, is_taken);
            let numbers = range.start..=range.end;
            enumeration.members = numbers.map(|number| format!("{stem}{number}").into()).collect();
            self.values.extend(enumeration.members.iter().cloned());
        }
    }

    /// Names that need no change go first, so that they are not given to others.
    fn name_variables(&mut self, draft: &Draft<'_>) {
        let mut taken: HashSet<String> = HashSet::new();
        self.variables = vec![String::new(); draft.components.len()];
        for (component, name) in draft.components.iter().zip(&mut self.variables) {
            let is_free = component.number.is_none() && !self.values.contains(component.variable);
            if is_free && taken.insert(component.variable.to_owned()) {
                *name = component.variable.to_owned();
            }
        }
        for (component, name) in draft.components.iter().zip(&mut self.variables) {
            if name.is_empty() {
                let wanted = match component.number {
                    Some(number) => format!("{}_{number}", component.variable),
                    None => component.variable.to_owned(),
                };
                let is_taken = |name: &str| self.values.contains(name) || taken.contains(name);
                *name = free(wanted, is_taken);
                taken.insert(name.clone());
            }
        }
    }

    pub(super) fn variable(&self, var: Var) -> &str {
        &self.variables[var.index()]
    }

    /// The first of these names that is neither that of a value nor one of those `taken`.
    pub(super) fn fresh(&self, taken: &HashSet<String>) -> String {
        let letters = ["x", "y", "z"].map(String::from).into_iter();
        let mut names = letters.chain((1..).map(|i| format!("m{i}")));
        let is_free = |name: &String| !self.values.contains(&**name) && !taken.contains(name);
        names.find(is_free).expect("there are more than are taken")
    }

    /// The number of the enumeration that a class has become.
    pub(super) fn number(&self, id: EnumId) -> EnumId {
        self.numbers.get(&id).copied().expect("all classes in use are numbered")
    }

    pub(super) fn sort(&self, domain: Domain) -> Sort {
        match domain {
            Domain::Bool => Sort::Bool,
            Domain::Class(id) => Sort::Enum(self.number(id)),
            other => unreachable!("no place and no variable holds {other:?}"),
        }
    }

    /// An expression of the net.
    pub(super) fn expr(&self, mut expr: Expr, vars: &dyn Fn(Var) -> Var) -> Expr {
        expr.change(&mut |expr| match expr {
            Expr::Var(var) => *var = vars(*var),
            Expr::Literal(Literal::Enum(id, _))
            | Expr::Shift(_, id, _)
            | Expr::Within(_, id, _) => *id = self.number(*id),
            _ => {}
        });
        expr
    }
}

/// The partitions whose parts are in tokens, variables or expressions.
fn parts_in_use(draft: &Draft<'_>, classes: &Classes<'_, '_>) -> Vec<EnumId> {
    let mut found: Vec<EnumId> = Vec::new();
    let mut seen: HashSet<EnumId> = HashSet::new();
    let mut meet = |id: EnumId| {
        if classes.divided(id).is_some() && seen.insert(id) {
            found.push(id);
        }
    };
    let of_places = draft.places.iter().flat_map(|place| place.columns.iter());
    let of_variables = draft.components.iter().map(|component| &component.domain);
    for domain in of_places.chain(of_variables) {
        if let Domain::Class(id) = domain {
            meet(*id);
        }
    }
    let mut walk = |expr: &Expr| {
        expr.walk(&mut |expr| {
            if let Expr::Literal(Literal::Enum(id, _)) = expr {
                meet(*id);
            }
        });
    };
    draft.rules.iter().flat_map(|rule| &rule.guard).for_each(&mut walk);
    for block in draft.sums().flat_map(|sum| &sum.blocks) {
        block.conditions.iter().for_each(&mut walk);
        for slot in &block.slots {
            if let Slot::Value(expr) = slot {
                walk(expr);
            }
        }
    }
    found
}
