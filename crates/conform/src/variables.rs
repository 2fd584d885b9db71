//! What a log may say of a step: the variables of transitions, and those of processes.
//!
//! Of a net these are the variables that a mode binds, by their names; not local definitions, which others determine, and
//! not what stands in a record of a set or a map, whose order says nothing. Of processes it is `self`, the variables of the
//! statement by their names, before the step (`job`) and after it (`job'`), shared variables before it, `child` for the
//! process that it starts, `new` for the object that it makes, and `partner` for whom it meets, with `partner.job`.

use net::listing::{Field, Listed, Listing, Shape};
use net::{Arc, Expr, Fate, Kind, Net, Participant, PlaceId, Transition, TransitionId};

use crate::event::Source;

/// Something that a log may say of a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Variable {
    pub name: String,
    pub source: Source,
    pub kind: Kind,
    /// Whether it may be nothing.
    pub optional: bool,
}

/// What a log may say of a transition.
pub(crate) fn variables(net: &Net, id: TransitionId) -> Vec<Variable> {
    let transition = net.transition(id);
    let is_told = |listing: &&std::sync::Arc<Listing>| {
        let statement = listing.statements.get(id.index());
        statement.is_some_and(Option::is_some)
    };
    match net.listing.as_ref().filter(is_told) {
        Some(listing) => Told { net, listing, transition }.variables(),
        None => of_net(net, transition),
    }
}

fn variable(transition: &Transition, name: &str, var: usize) -> Variable {
    let of = &transition.variables[var];
    let source = Source::Var(var);
    Variable { name: name.to_owned(), source, kind: of.kind, optional: of.optional }
}

/// The variables of a pattern that are not in a record of a group; columns are counted after `skip` others.
fn of_pattern<'p>(
    net: &'p Net,
    place: PlaceId,
    skip: usize,
    pattern: &'p [Option<Expr>],
) -> impl Iterator<Item = usize> + 'p {
    let groups = &net.place(place).groups;
    let is_grouped = move |column: usize| {
        groups.iter().any(|group| (group.first..group.end()).contains(&(column + skip)))
    };
    let plain = pattern.iter().enumerate().filter(move |(column, _)| !is_grouped(*column));
    plain.filter_map(|(_, expr)| match expr {
        Some(Expr::Var(var)) => Some(var.index()),
        _ => None,
    })
}

fn of_net(net: &Net, transition: &Transition) -> Vec<Variable> {
    let mut bound = Vec::new();
    for Participant { thread, from, pattern, .. } in &transition.participants {
        bound.push(thread.index());
        bound.extend(of_pattern(net, *from, 1, pattern));
    }
    let arcs = transition.takes.iter().chain(&transition.reads);
    for Arc { place, pattern, .. } in arcs.filter(|arc| arc.each.is_empty()) {
        bound.extend(of_pattern(net, *place, 0, pattern));
    }
    bound.extend(transition.parameters.iter().map(|(var, _)| var.index()));
    bound.extend(transition.spawns.iter().filter_map(|spawn| Some(spawn.child?.index())));
    bound.extend(transition.news.iter().map(|(var, _)| var.index()));
    bound.retain(|&var| !transition.defines(net::Var(var as u32)));
    bound.sort_unstable();
    bound.dedup();
    let name = |var: usize| variable(transition, &transition.variables[var].name, var);
    bound.into_iter().map(name).collect()
}

/// A transition that stands for a statement.
struct Told<'n> {
    net: &'n Net,
    listing: &'n Listing,
    transition: &'n Transition,
}

impl Told<'_> {
    fn variables(&self) -> Vec<Variable> {
        let mut found = Vec::new();
        let acting = self.transition.participants.iter().filter(|one| !one.passive);
        for (one, (who, before)) in acting.zip([("self", ""), ("partner", "partner.")]) {
            found.push(variable(self.transition, who, one.thread.index()));
            self.locals(one, before, &mut found);
        }
        let child = self.transition.spawns.iter().find_map(|spawn| spawn.child);
        found.extend(child.map(|var| variable(self.transition, "child", var.index())));
        let new = self.transition.news.first();
        found.extend(new.map(|(var, _)| variable(self.transition, "new", var.index())));
        for arc in self.transition.takes.iter().chain(&self.transition.reads) {
            if let Some(Listed::Global(field)) = self.listing.places.get(&arc.place)
                && let Some(column) = column(field)
                && let Some(Some(Expr::Var(var))) = arc.pattern.get(column)
                && !self.transition.defines(*var)
            {
                found.push(variable(self.transition, &field.name, var.index()));
            }
        }
        // What is nearest comes first.
        let mut names = std::collections::BTreeSet::new();
        found.retain(|one| names.insert(one.name.clone()));
        found
    }

    /// The variables of somebody who acts, before and after the step.
    fn locals(&self, one: &Participant, before: &str, found: &mut Vec<Variable>) {
        for field in self.fields(one.from) {
            if let Some(column) = column(field)
                && let Some(Some(Expr::Var(var))) = one.pattern.get(column.wrapping_sub(1))
                && !self.transition.defines(*var)
            {
                let name = format!("{before}{}", field.name);
                found.push(variable(self.transition, &name, var.index()));
            }
        }
        let to = match &one.fate {
            Fate::Move { to, .. } => *to,
            Fate::Stay => one.from,
            Fate::End | Fate::Crash => return,
        };
        for field in self.fields(to) {
            let Some(at) = column(field) else { continue };
            let of = &self.net.place(to).columns[at];
            found.push(Variable {
                name: format!("{before}{}'", field.name),
                source: Source::After(one.thread.index(), to, at),
                kind: of.sort.into(),
                optional: of.optional,
            });
        }
    }

    /// The variables of a point that somebody has written.
    fn fields(&self, place: PlaceId) -> impl Iterator<Item = &Field> {
        let fields = match self.listing.places.get(&place) {
            Some(Listed::Point { variables, .. }) => &variables[..],
            _ => &[],
        };
        fields.iter().filter(|field| !field.is_hidden())
    }
}

/// The column of a variable that has just one.
fn column(field: &Field) -> Option<usize> {
    matches!(field.shape, Shape::Scalar).then_some(field.columns.start)
}
