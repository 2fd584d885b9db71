//! What atoms say of the states seen so far.

use budget::{Budget, Exhausted};
use check::Bits;
use explore::{Exploration, StateId};
use fold::Working;
use net::interpret::{self, Bindings};
use net::{Compiled, FaultKind, Look, Net, TransitionId};
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
    pub(super) fn of(goals: &Goals, pending: &[usize]) -> Needed {
        let (mut numbers, mut sums) = (Vec::new(), Vec::new());
        for &goal in pending {
            numbers.extend(goals.atoms_of(goal));
            if let Goal::Greatest(terms) = goals.goal(goal) {
                sums.push(terms.clone());
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let all = goals.atoms.all();
        let atoms = numbers.into_iter().map(|atom| (atom, all[atom as usize].clone())).collect();
        Needed { atoms, sums, count: all.len(), variables: goals.atoms.variables() }
    }

    /// Whether the steps out of a state have to be known.
    pub(super) fn asks_what_is_enabled(&self, net: &Net) -> bool {
        self.atoms.iter().any(|(_, atom)| atom.asks_what_is_enabled(net))
    }

    /// The probes that are asked for.
    fn probes(&self, net: &Net) -> Vec<TransitionId> {
        let asked = self.atoms.iter().flat_map(|(_, atom)| atom.transitions());
        let mut probes: Vec<_> = asked.filter(|asked| net.transition(*asked).probe).collect();
        probes.sort_unstable();
        probes.dedup();
        probes
    }

    fn counts_tokens(&self) -> bool {
        !self.sums.is_empty() || self.atoms.iter().any(|(_, atom)| atom.counts_tokens())
    }
}

/// Which atoms hold in which of the expanded states, and the greatest values of sums.
#[derive(Default)]
pub(super) struct Valuation {
    /// For each atom the states in which it holds.
    values: Vec<Bits>,
    /// The states in which data is tested that is not kept.
    choices: Bits,
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

    /// The states in which data is tested that is not kept.
    pub(super) fn choices(&self) -> &Bits {
        &self.choices
    }

    /// The greatest value of a sum, if states were looked at.
    pub(super) fn greatest(&self, terms: &Terms) -> Option<i128> {
        self.greatest.iter().find(|(other, _)| other == terms).and_then(|(_, most)| *most)
    }

    /// For each atom the states in which it holds.
    pub(super) fn values(&self) -> &[Bits] {
        &self.values
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
        let tests_data = subject.net.has_forgotten();
        if tests_data {
            self.choices.grow(states);
        }
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
        let mut look = StateLook {
            parts,
            has_locals: locals.iter().any(Option::is_some),
            locals,
            subject,
            needed,
            so_far,
            counts_tokens: needed.counts_tokens(),
            asks_what_is_enabled: needed.asks_what_is_enabled(subject.net),
            probes: Probes::new(subject, needed.probes(subject.net)),
            numbers: vec![0; needed.variables],
        };
        for id in (self.seen..so_far.expanded as u32).map(StateId) {
            budget.check()?;
            if let Err(fault) = look.at(id, reader, self) {
                return Ok(Err(fault));
            }
            if tests_data && reader.is_forgotten_choice(so_far.store.get(id)) {
                self.choices.set(id.0);
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
    asks_what_is_enabled: bool,
    probes: Probes,
    /// The values of variables, as numbers.
    numbers: Vec<i64>,
    parts: Parts,
    /// For each atom that is needed, how parts decide it, if they do.
    locals: Vec<Option<Local>>,
    /// Whether parts decide some formula.
    has_locals: bool,
}

/// The probes that are asked for, and those that are enabled in the present state.
struct Probes {
    asked: Vec<TransitionId>,
    enabled: Vec<TransitionId>,
    compiled: Option<Compiled>,
}

impl Probes {
    fn new(subject: &Subject, asked: Vec<TransitionId>) -> Probes {
        let compiled = (!asked.is_empty()).then(|| subject.compiled().clone());
        Probes { asked, enabled: Vec::new(), compiled }
    }

    fn ask(&mut self, net: &Net, seen: &Seen) -> Result<(), FaultKind> {
        self.enabled.clear();
        for &probe in &self.asked {
            let enabled = match (seen, &mut self.compiled) {
                (Seen::Working(working), Some(compiled)) => compiled.probes(working, probe),
                (Seen::Working(_), None) => unreachable!("there are probes"),
                (Seen::Concrete(state, _), _) => interpret::is_enabled(net, state, probe),
            };
            if enabled.map_err(|fault| fault.kind)? {
                self.enabled.push(probe);
            }
        }
        Ok(())
    }
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
        let StateLook { subject, needed, so_far, .. } = *self;
        let (net, projected, following) =
            (subject.net, subject.projected(), subject.following.as_ref());
        let bytes = so_far.store.get(id);
        let found = match self.has_locals {
            true => self.parts.found(projected, bytes, reader, &mut self.numbers),
            false => None,
        };
        // Only if a formula asks for it, or nothing holds before a thread is there.
        let mut seen = None;
        if following.is_some() {
            seen = self.seen(bytes, reader);
            if seen.is_none() {
                return Ok(());
            }
        }
        if !self.probes.asked.is_empty() {
            if seen.is_none() {
                seen = self.seen(bytes, reader);
            }
            let seen = seen.as_ref().expect("nothing is followed that is not there");
            self.probes.ask(net, seen)?;
        }
        let Valuation { values, view, greatest, .. } = valuation;
        if self.counts_tokens {
            reader.count_tokens_in_places(bytes, &mut view.tokens);
        }
        let quotient = so_far.quotient.as_ref().filter(|_| self.asks_what_is_enabled);
        let labels = || quotient.into_iter().flat_map(|q| q.successors(id)).map(|(label, _)| label);
        let deadlock = so_far.is_deadlock(id);
        let probes = self.probes.enabled.clone();
        view.enable(labels().chain(probes.iter().map(|probe| probe.0)));
        view.is_dead = deadlock || so_far.is_terminated(id);
        for (terms, most) in greatest {
            *most = (*most).max(Some(view.sum(terms)));
        }
        let enabled = |transition: TransitionId| {
            probes.contains(&transition) || labels().any(|label| label == transition.0)
        };
        for (at, (atom, what)) in needed.atoms.iter().enumerate() {
            let holds = match (what, self.locals[at].as_ref().zip(found)) {
                (Atom::Counting(predicate), _) => view.satisfies(predicate),
                (Atom::Deadlock, _) => deadlock,
                (Atom::Formula(_), Some((local, found))) => local(found),
                (Atom::Formula(formula), None) => {
                    if seen.is_none() {
                        seen = self.seen(bytes, reader);
                    }
                    match seen.as_ref().expect("nothing is followed that is not there") {
                        Seen::Working(working) => {
                            Look { net: projected, working, enabled: &enabled }
                                .holds(formula, &mut self.numbers)?
                        }
                        Seen::Concrete(state, bindings) => {
                            interpret::holds(net, state, formula, bindings)?
                        }
                    }
                }
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
