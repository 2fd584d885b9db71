//! The tokens that a transition has to do with, and how it comes to know them.
//!
//! A token is *tied* to a thread that takes part if a chain of tokens leads from one to the other in which
//! neighbours share a pid or an object. So whoever takes part in the transition knew an atom of the token before: that
//! in a *keyed* column. A place is *open* if some transition comes by its tokens in another way.

use super::touch::Touch;
use crate::{Arc, Expr, Fate, Net, Participant, PlaceId, Sort, Transition, Var};

/// What a transition does with a place, and the components of the tokens there.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) place: PlaceId,
    pub(super) touch: Touch,
    pub(super) pattern: Vec<Option<Expr>>,
    /// Whether there is no mode without such a token.
    pub(super) is_needed: bool,
    /// How many of it.
    pub(super) count: u32,
}

impl Access {
    fn of(arc: &Arc, touch: Touch) -> Access {
        // There may be no choice of members.
        let is_needed = arc.count > 0 && arc.each.is_empty();
        Access {
            place: arc.place,
            touch,
            pattern: arc.pattern.clone(),
            is_needed,
            count: arc.count,
        }
    }

    fn of_thread(
        place: PlaceId,
        touch: Touch,
        thread: Option<Var>,
        rest: &[Option<Expr>],
    ) -> Access {
        let thread = std::iter::once(thread.map(Expr::Var));
        let pattern = thread.chain(rest.iter().cloned()).collect();
        Access { place, touch, pattern, is_needed: true, count: 1 }
    }

    /// The threads that take part where they are, in the order of the participants.
    pub(super) fn participants(transition: &Transition) -> impl Iterator<Item = Access> {
        transition.participants.iter().map(|participant| {
            let Participant { thread, from, pattern, fate, .. } = participant;
            let touch = if *fate == Fate::Stay { Touch::default() } else { Touch::LEAVES };
            Access::of_thread(*from, touch, Some(*thread), pattern)
        })
    }

    /// The tokens taken and read.
    pub(super) fn inputs(transition: &Transition) -> impl Iterator<Item = Access> {
        let takes = transition.takes.iter().map(|arc| Access::of(arc, Touch::TAKES));
        takes.chain(transition.reads.iter().map(|arc| Access::of(arc, Touch::READS)))
    }

    /// The tokens that disable it.
    pub(super) fn inhibitors(transition: &Transition) -> impl Iterator<Item = Access> {
        let arcs = transition.inhibitors.iter().flat_map(|inhibitor| &inhibitor.arcs);
        arcs.map(|arc| Access::of(arc, Touch::FORBIDS))
    }

    /// The tokens put, and the threads where they come to.
    pub(super) fn outputs(transition: &Transition) -> impl Iterator<Item = Access> {
        let values = |values: &[Expr]| values.iter().cloned().map(Some).collect::<Vec<_>>();
        let moved = transition.participants.iter().filter_map(move |one| match &one.fate {
            Fate::Move { to, values: after } => {
                Some(Access::of_thread(*to, Touch::ENTERS, Some(one.thread), &values(after)))
            }
            Fate::Stay | Fate::End | Fate::Crash => None,
        });
        let born = transition.spawns.iter().filter_map(move |spawn| {
            Some(Access::of_thread(spawn.to?, Touch::ENTERS, spawn.child, &values(&spawn.values)))
        });
        let puts = transition.puts.iter().map(|arc| Access::of(arc, Touch::PUTS));
        moved.chain(born).chain(puts)
    }

    /// All of them.
    pub(super) fn all(transition: &Transition) -> impl Iterator<Item = Access> {
        Access::participants(transition)
            .chain(Access::inputs(transition))
            .chain(Access::inhibitors(transition))
            .chain(Access::outputs(transition))
    }
}

/// Whether a component is a pid or an object.
pub(super) fn is_atom(sort: Sort) -> bool {
    matches!(sort, Sort::Pid | Sort::Object(_))
}

/// The variables of which one must be the atom in a column of a token that matches a pattern; nothing if there need
/// not be an atom, or it is any.
pub(super) fn atoms(
    net: &Net,
    transition: &Transition,
    access: &Access,
    column: usize,
) -> Option<Vec<Var>> {
    let expr = access.pattern.get(column)?.as_ref()?;
    let of = &net.place(access.place).columns[column];
    if !is_atom(of.sort) {
        return None;
    }
    let variable = |var: Var| &transition.variables[var.index()];
    match expr {
        Expr::Var(var) if transition.defines(*var) => None,
        Expr::Var(var) => (!of.optional || !variable(*var).optional).then(|| vec![*var]),
        _ if of.optional => None,
        expr => {
            let mut found = Vec::new();
            expr.variables(&mut |var| found.push(var));
            found.retain(|var| variable(*var).kind == of.sort.into());
            let is_plain = |var: &Var| !transition.defines(*var);
            (!found.is_empty() && found.iter().all(is_plain)).then_some(found)
        }
    }
}

/// By which columns the tokens of places are known, and which places are open.
#[derive(Clone, Debug)]
pub(super) struct Ties {
    /// For each place, and each of its columns.
    pub(super) keyed: Vec<Vec<bool>>,
    pub(super) open: Vec<bool>,
}

impl Ties {
    pub(super) fn of(net: &Net) -> Ties {
        let columns = |place: &crate::Place| vec![false; place.columns.len()];
        let mut ties = Ties {
            keyed: net.places.iter().map(columns).collect(),
            open: vec![false; net.places.len()],
        };
        for transition in net.transitions.iter().filter(|transition| !transition.probe) {
            let mut nodes: Vec<Access> = Access::participants(transition).collect();
            let threads = nodes.len();
            nodes.extend(Access::inputs(transition));
            ties.tie(net, transition, &nodes, threads);
            let inputs = nodes.len();
            for inhibitor in &transition.inhibitors {
                nodes.truncate(inputs);
                nodes.extend(inhibitor.arcs.iter().map(|arc| Access::of(arc, Touch::FORBIDS)));
                ties.tie(net, transition, &nodes, threads);
            }
        }
        ties
    }

    /// Ties tokens to each other, of which the first are those of the threads that take part.
    fn tie(&mut self, net: &Net, transition: &Transition, nodes: &[Access], threads: usize) {
        let mut group: Vec<usize> = (0..nodes.len()).collect();
        for (at, node) in nodes.iter().enumerate() {
            for column in 0..node.pattern.len() {
                for var in atoms(net, transition, node, column).into_iter().flatten() {
                    for (other, shared) in nodes.iter().enumerate() {
                        let mentions = (0..shared.pattern.len())
                            .filter_map(|column| atoms(net, transition, shared, column))
                            .any(|atoms| atoms.contains(&var));
                        if other != at && mentions {
                            self.keyed[node.place.index()][column] = true;
                            let (from, to) = (group[other], group[at]);
                            group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
                        }
                    }
                }
            }
        }
        for (at, node) in nodes.iter().enumerate() {
            if !group[..threads].contains(&group[at]) {
                self.open[node.place.index()] = true;
            }
        }
    }
}
