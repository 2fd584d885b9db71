//! What atoms say of the states seen so far.

use std::collections::HashSet;

use budget::{Budget, Exhausted};
use check::{Bits, Ctl, Formula as Linear, Ltl, Shape};
use explore::{Exploration, StateId};
use fold::Working;
use net::interpret::{self, Bindings};
use net::{FaultKind, Look, TransitionId};
use state::State;
use survey::Reader;

use super::Subject;
use super::parts::{Local, Parts};
use crate::atom::Atom;
use crate::goal::{Goal, Goals};
use crate::view::View;

/// A sum of tokens, each place times a factor.
type Terms = Vec<(u32, i64)>;

/// What has to be known of states for the goals that are pending.
#[derive(Default)]
pub(super) struct Needed {
    atoms: Vec<(u32, Atom)>,
    sums: Vec<Terms>,
    /// The number of all atoms, and of the variables they have at most.
    count: usize,
    variables: usize,
}

impl Needed {
    pub(super) fn of(goals: &Goals, pending: &[usize], subject: &Subject) -> Needed {
        let mut numbers: Vec<u32> = subject.premises.iter().map(|(_, atom, _)| *atom).collect();
        let mut sums = Vec::new();
        for goal in pending {
            match goals.goal(*goal) {
                Goal::Initially(atom) | Goal::Somewhere(atom, _) => numbers.push(*atom),
                Goal::Branching(formula) => atoms_of_branching(formula, &mut numbers),
                Goal::Linear(formula) => atoms_of_linear(&goals.ltl, *formula, &mut numbers),
                Goal::Greatest(terms) => sums.push(terms.clone()),
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let all = goals.atoms.all();
        let atoms = numbers.into_iter().map(|atom| (atom, all[atom as usize].clone())).collect();
        Needed { atoms, sums, count: all.len(), variables: goals.atoms.variables() }
    }

    /// Whether the steps out of a state have to be known.
    pub(super) fn asks_what_is_enabled(&self) -> bool {
        self.atoms.iter().any(|(_, atom)| atom.asks_what_is_enabled())
    }

    fn counts_tokens(&self) -> bool {
        !self.sums.is_empty() || self.atoms.iter().any(|(_, atom)| atom.counts_tokens())
    }

    fn has_formulas(&self) -> bool {
        self.atoms.iter().any(|(_, atom)| matches!(atom, Atom::Formula(_)))
    }
}

/// Adds the atoms of a formula of branching time.
pub(crate) fn atoms_of_branching(formula: &Ctl, atoms: &mut Vec<u32>) {
    match formula {
        Ctl::True => {}
        Ctl::Atom(atom) => atoms.push(*atom),
        Ctl::Not(a) | Ctl::SomeNext(a) | Ctl::SomeGlobally(a) => atoms_of_branching(a, atoms),
        Ctl::And(a, b) | Ctl::SomeUntil(a, b) => {
            atoms_of_branching(a, atoms);
            atoms_of_branching(b, atoms);
        }
    }
}

/// Adds the atoms of a formula of linear time. Formulas are shared, and may be deep.
pub(crate) fn atoms_of_linear(ltl: &Ltl, formula: Linear, atoms: &mut Vec<u32>) {
    let mut visited = HashSet::from([formula]);
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        let (a, b) = match ltl.shape(formula) {
            Shape::True | Shape::False => (None, None),
            Shape::Atom(atom, _) => {
                atoms.push(atom);
                (None, None)
            }
            Shape::Next(a) => (Some(a), None),
            Shape::And(a, b) | Shape::Or(a, b) | Shape::Until(a, b) | Shape::Release(a, b) => {
                (Some(a), Some(b))
            }
        };
        open.extend(a.into_iter().chain(b).filter(|inner| visited.insert(*inner)));
    }
}

/// Which atoms hold in which of the expanded states, and the greatest values of sums.
#[derive(Default)]
pub(super) struct Valuation {
    /// For each atom the states in which it holds.
    values: Vec<Bits>,
    /// The states looked at: those below this number.
    seen: u32,
    greatest: Vec<(Terms, Option<i128>)>,
    view: View,
}

impl Valuation {
    /// The number of states looked at.
    pub(super) fn seen(&self) -> u32 {
        self.seen
    }

    pub(super) fn holds(&self, atom: u32, state: u32) -> bool {
        self.values[atom as usize].get(state)
    }

    /// Whether an atom holds, or fails, in some state.
    pub(super) fn occurs(&self, atom: u32, value: bool) -> bool {
        let bits = &self.values[atom as usize];
        if value { !bits.is_empty() } else { (0..self.seen).any(|state| !bits.get(state)) }
    }

    /// The greatest value of a sum, if states were looked at.
    pub(super) fn greatest(&self, terms: &Terms) -> Option<i128> {
        self.greatest.iter().find(|(other, _)| other == terms).and_then(|(_, most)| *most)
    }

    /// The sets of states, one for each atom, to be put back.
    pub(super) fn take_values(&mut self) -> Vec<Bits> {
        std::mem::take(&mut self.values)
    }

    pub(super) fn put_values(&mut self, values: Vec<Bits>) {
        self.values = values;
    }

    /// Looks at the states that were expanded since the last time. Of a thread that is followed nothing holds
    /// before there is one. The inner result says whether a formula faulted.
    pub(super) fn look(
        &mut self,
        subject: &Subject,
        needed: &Needed,
        so_far: &Exploration,
        reader: &mut dyn Reader,
        budget: &Budget,
    ) -> Result<Result<(), FaultKind>, Exhausted> {
        self.values.resize_with(needed.count, Bits::default);
        let states = so_far.store.len();
        needed.atoms.iter().for_each(|(atom, _)| self.values[*atom as usize].grow(states));
        self.greatest.retain(|(terms, _)| needed.sums.contains(terms));
        for terms in &needed.sums {
            if !self.greatest.iter().any(|(other, _)| other == terms) {
                self.greatest.push((terms.clone(), None));
            }
        }
        let mut parts = Parts::default();
        let locals = needed.atoms.iter().map(|(_, atom)| match atom {
            Atom::Formula(formula) if subject.following.is_none() => parts.local(formula),
            _ => None,
        });
        let locals: Vec<Option<Local>> = locals.collect();
        let is_decided = |((_, atom), local): (&(u32, Atom), &Option<Local>)| {
            local.is_some() || !matches!(atom, Atom::Formula(_))
        };
        let are_all_local = needed.atoms.iter().zip(&locals).all(is_decided);
        let mut look = StateLook {
            parts,
            has_locals: locals.iter().any(Option::is_some),
            are_all_local,
            locals,
            subject,
            needed,
            so_far,
            counts_tokens: needed.counts_tokens(),
            has_formulas: needed.has_formulas(),
            asks_what_is_enabled: needed.asks_what_is_enabled(),
            numbers: vec![0; needed.variables],
        };
        for id in (self.seen..so_far.expanded as u32).map(StateId) {
            budget.check()?;
            if let Err(fault) = look.at(id, reader, self) {
                return Ok(Err(fault));
            }
            self.seen = id.0 + 1;
        }
        Ok(Ok(()))
    }
}

/// How states are looked at.
struct StateLook<'a> {
    subject: &'a Subject<'a>,
    needed: &'a Needed,
    so_far: &'a Exploration,
    counts_tokens: bool,
    has_formulas: bool,
    asks_what_is_enabled: bool,
    /// The values of variables, as numbers.
    numbers: Vec<i64>,
    parts: Parts,
    /// For each atom that is needed, how parts decide it, if they do.
    locals: Vec<Option<Local>>,
    /// Whether parts decide some formula, and whether they decide all.
    has_locals: bool,
    are_all_local: bool,
}

/// A state as formulas are evaluated in it.
enum Seen {
    /// The variable of a followed thread has its value already.
    Working(Working),
    Concrete(State, Bindings),
}

impl StateLook<'_> {
    fn at(
        &mut self,
        id: StateId,
        reader: &mut dyn Reader,
        valuation: &mut Valuation,
    ) -> Result<(), FaultKind> {
        let bytes = self.so_far.store.get(id);
        let net = self.subject.net;
        let found = match self.has_locals {
            true => self.parts.found(net, bytes, reader, &mut self.numbers),
            false => None,
        };
        let is_whole = self.has_formulas && (found.is_none() || !self.are_all_local);
        let seen = if is_whole || self.subject.following.is_some() {
            let Some(seen) = self.seen(bytes, reader) else { return Ok(()) };
            Some(seen)
        } else {
            None
        };
        let Valuation { values, view, greatest, .. } = valuation;
        if self.counts_tokens {
            reader.count_tokens_in_places(bytes, &mut view.tokens);
        }
        let quotient = self.so_far.quotient.as_ref().filter(|_| self.asks_what_is_enabled);
        let labels = || quotient.into_iter().flat_map(|q| q.successors(id)).map(|(label, _)| label);
        let deadlock = self.so_far.is_deadlock(id);
        view.enable(labels());
        view.is_dead = deadlock || self.so_far.is_terminated(id);
        for (terms, most) in greatest {
            let value = view.sum(terms.iter().map(|(place, factor)| (place, factor)));
            *most = (*most).max(Some(value));
        }
        let enabled = |transition: TransitionId| labels().any(|label| label == transition.0);
        for ((atom, what), local) in self.needed.atoms.iter().zip(&self.locals) {
            let holds = match (what, &seen) {
                (Atom::Formula(_), _) if local.is_some() && found.is_some() => {
                    local.as_ref().zip(found).is_some_and(|(local, found)| local.holds(found))
                }
                (Atom::Counting(predicate), _) => view.satisfies(predicate),
                (Atom::Deadlock, _) => deadlock,
                (Atom::Formula(formula), Some(Seen::Working(working))) => {
                    let look = Look { net: self.subject.net, working, enabled: &enabled };
                    look.holds(formula, &mut self.numbers)?
                }
                (Atom::Formula(formula), Some(Seen::Concrete(state, bindings))) => {
                    interpret::holds(self.subject.net, state, formula, bindings)?
                }
                (Atom::Formula(_), None) => unreachable!("the state was looked at"),
            };
            if holds {
                values[*atom as usize].set(id.0);
            }
        }
        Ok(())
    }

    /// Looks into a state; `None` if the thread to be followed is not there yet.
    fn seen(&mut self, bytes: &[u8], reader: &mut dyn Reader) -> Option<Seen> {
        let followed = self.subject.following;
        if let Some(working) = reader.working(bytes) {
            if let Some((following, thread)) = followed {
                self.numbers[thread.index()] = i64::from(following.thread_in(&working)?);
            }
            return Some(Seen::Working(working));
        }
        let state = reader.state(bytes);
        let bindings = match followed {
            None => Bindings::new(),
            Some((following, thread)) => following.bindings(&state, thread)?,
        };
        Some(Seen::Concrete(state, bindings))
    }
}
