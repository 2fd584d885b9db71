//! Runs that an automaton accepts, among those of the net.
//!
//! A run is an infinite sequence of markings from the initial one, each a successor of the one before; a
//! marking without successors repeats for ever. The product with the automaton is a set of markings for each
//! state of the automaton, in which it is about to read one of them. These sets keep the order of places,
//! and the steps of the net remain what they are.
//!
//! Strongly connected components of the automaton are taken one after the other, those from which others are
//! reached first. In each, what is reached is closed: a state with transitions to itself by constrained
//! saturation within the markings at which it may stay. Then an accepting run is sought that stays in the
//! component; the first one found ends the search:
//!
//! - a component that can stay and accept whatever comes accepts at once;
//! - where all runs are accepted that stay, a state by itself asks for a maximal path ([`lasso`](super::lasso)), and several
//!   for any transitions for ever;
//! - otherwise by the greatest fixpoint of Emerson and Lei (*Efficient Model Checking in Fragments of the
//!   Propositional Mu-Calculus*, LICS 1986): what leads, for each acceptance set, to a transition of it that
//!   stays among what is left.
//!
//! Cost: a closure for each state of the automaton, or a few; for each round of the fixpoint, a closure for
//! each acceptance set and state of the component.

use std::collections::HashMap;

use check::{Acceptance, Automaton, Component, Edge, Label};
use ddd::{Ddd, Result};

use super::simplify::with_opposites;
use super::{Diagram, Predicate};

/// The product, as far as it is known.
struct Product<'a> {
    diagram: &'a mut Diagram,
    automaton: &'a Automaton,
    /// Each with its opposite.
    atoms: Vec<[Predicate; 2]>,
    all: Ddd,
    dead: Ddd,
    /// The markings that each state is about to read.
    reached: Vec<Ddd>,
    labels: HashMap<Label, Ddd>,
}

impl Diagram {
    /// Whether an automaton accepts some run from the initial marking. The atoms of its labels are given.
    ///
    /// A formula of linear time holds of all runs if the automaton of its negation accepts none.
    pub fn ltl(&mut self, automaton: &Automaton, atoms: &[Predicate]) -> Result<bool> {
        let (all, initial) = (self.markings.clone(), self.initial()?);
        let dead = self.dead_of(&all)?;
        let mut reached = vec![self.forest.zero(); automaton.states.len()];
        if let Some(first) = reached.first_mut() {
            *first = initial;
        }
        let labels = HashMap::new();
        let atoms = with_opposites(atoms);
        let mut product = Product { diagram: self, automaton, atoms, all, dead, reached, labels };
        let first = (0..automaton.states.len() as u32).take(1);
        for component in automaton.components(first).iter().rev() {
            if product.accepts(component)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Product<'_> {
    fn is_empty(&self, set: &Ddd) -> bool {
        self.diagram.forest.is_empty(set)
    }

    fn nothing(&mut self) -> Vec<Ddd> {
        vec![self.diagram.forest.zero(); self.automaton.states.len()]
    }

    /// Adds to a set.
    fn add(&mut self, to: &mut Ddd, more: &Ddd) -> Result<()> {
        *to = self.diagram.forest.union(to, more)?;
        Ok(())
    }

    /// The reachable markings in which a label holds.
    fn label(&mut self, label: &Label) -> Result<Ddd> {
        if let Some(known) = self.labels.get(label) {
            return Ok(known.clone());
        }
        let mut any = self.diagram.forest.zero();
        for cube in &label.cubes {
            let mut those = self.all.clone();
            for (opposite, atoms) in [&cube.holds, &cube.fails].into_iter().enumerate() {
                for atom in atoms {
                    those = self.diagram.those(&those, &self.atoms[*atom as usize][opposite])?;
                }
            }
            self.add(&mut any, &those)?;
        }
        self.labels.insert(label.clone(), any.clone());
        Ok(any)
    }

    /// The markings at which some transitions can be taken.
    fn labels<'e>(&mut self, edges: impl Iterator<Item = &'e Edge>) -> Result<Ddd> {
        let mut any = self.diagram.forest.zero();
        for edge in edges {
            let label = self.label(&edge.label)?;
            self.add(&mut any, &label)?;
        }
        Ok(any)
    }

    /// The transitions between states of a component, from one of them.
    fn inner(&self, component: &[u32], state: u32) -> Vec<Edge> {
        let edges = self.automaton.states[state as usize].iter();
        edges.filter(|edge| component.contains(&edge.to)).cloned().collect()
    }

    /// The markings at which a state may stay.
    fn staying(&mut self, state: u32) -> Result<Ddd> {
        let edges = self.inner(&[state], state);
        self.labels(edges.iter())
    }

    /// Closes what is reached under the transitions of a component; whether a run is accepted that stays in
    /// it.
    fn accepts(&mut self, component: &Component) -> Result<bool> {
        let Component { states: component, acceptance } = component;
        if component.iter().all(|state| self.is_empty(&self.reached[*state as usize])) {
            return Ok(false);
        }
        if *acceptance == Acceptance::Always {
            return Ok(true);
        }
        self.close(component)?;
        // Where staying is enough, any transition will do; so it will without acceptance sets.
        let sets = (0..self.automaton.sets).map(|set| 1 << set);
        let sets: Vec<u64> = match acceptance {
            Acceptance::Recurring => sets.collect(),
            _ => vec![0],
        };
        let accepted = match (acceptance, &component[..]) {
            (Acceptance::Never, _) => false,
            (Acceptance::Staying, [state]) => self.stays_for_ever(*state)?,
            _ => self.has_fair_run(component, &sets)?,
        };
        if accepted {
            return Ok(true);
        }
        // What comes after.
        for state in component {
            let reached = self.reached[*state as usize].clone();
            for edge in &self.automaton.states[*state as usize] {
                if !component.contains(&edge.to) {
                    let next = self.step(&reached, edge)?;
                    let mut known = self.reached[edge.to as usize].clone();
                    self.add(&mut known, &next)?;
                    self.reached[edge.to as usize] = known;
                }
            }
        }
        Ok(false)
    }

    /// The markings that come next when a transition is taken at some.
    fn step(&mut self, set: &Ddd, edge: &Edge) -> Result<Ddd> {
        let label = self.label(&edge.label)?;
        let from = self.diagram.forest.intersection(set, &label)?;
        let next = self.diagram.after(&from, &self.all)?;
        let same = self.diagram.forest.intersection(&from, &self.dead)?;
        self.diagram.forest.union(&next, &same)
    }

    /// The markings of `within` at which a transition can be taken that leads to one of a set.
    fn step_back(&mut self, set: &Ddd, edge: &Edge, within: &Ddd) -> Result<Ddd> {
        let label = self.label(&edge.label)?;
        let within = self.diagram.forest.intersection(within, &label)?;
        let before = self.diagram.before(set, &within)?;
        let same = self.diagram.forest.intersection(set, &self.dead)?;
        let same = self.diagram.forest.intersection(&same, &within)?;
        self.diagram.forest.union(&before, &same)
    }

    /// Closes what is reached under the transitions of a component.
    fn close(&mut self, component: &[u32]) -> Result<()> {
        let mut waiting = self.reached.clone();
        for state in component {
            self.reached[*state as usize] = self.diagram.forest.zero();
        }
        while let Some((state, mut new)) = self.next(component, &mut waiting) {
            let staying = self.staying(state)?;
            if !self.is_empty(&staying) {
                let passed = self.diagram.reached_from(&new, &staying)?;
                let after = self.diagram.after(&passed, &self.all)?;
                self.add(&mut new, &passed)?;
                self.add(&mut new, &after)?;
            }
            let mut known = self.reached[state as usize].clone();
            new = self.diagram.forest.difference(&new, &known)?;
            self.add(&mut known, &new)?;
            self.reached[state as usize] = known;
            for edge in self.inner(component, state).iter().filter(|edge| edge.to != state) {
                let next = self.step(&new, edge)?;
                let known = &self.reached[edge.to as usize];
                let next = self.diagram.forest.difference(&next, known)?;
                self.add(&mut waiting[edge.to as usize], &next)?;
            }
        }
        Ok(())
    }

    /// A state of a component for which something is waiting, and that, which waits no longer.
    fn next(&mut self, component: &[u32], waiting: &mut [Ddd]) -> Option<(u32, Ddd)> {
        let next = component.iter().find(|state| !self.is_empty(&waiting[**state as usize]));
        let zero = self.diagram.forest.zero();
        next.map(|&state| (state, std::mem::replace(&mut waiting[state as usize], zero)))
    }

    /// Whether a run stays in a state for ever.
    fn stays_for_ever(&mut self, state: u32) -> Result<bool> {
        let staying = self.staying(state)?;
        let start = self.diagram.forest.intersection(&self.reached[state as usize], &staying)?;
        // What is reached is closed, and so is the part of it in which it may stay.
        self.diagram.has_path_in(&start, &start.clone())
    }

    /// Whether a run stays in a component and takes transitions of each of some acceptance sets again and again.
    fn has_fair_run(&mut self, component: &[u32], sets: &[u64]) -> Result<bool> {
        let mut hull = self.nothing();
        for state in component {
            let edges = self.inner(component, *state);
            let labels = self.labels(edges.iter())?;
            let reached = &self.reached[*state as usize];
            hull[*state as usize] = self.diagram.forest.intersection(reached, &labels)?;
        }
        let mut unchanged = 0;
        for set in sets.iter().cycle() {
            let smaller = self.leading_to_set(component, &hull, *set)?;
            if smaller.iter().all(|part| self.is_empty(part)) {
                return Ok(false);
            }
            unchanged = if smaller == hull { unchanged + 1 } else { 0 };
            if unchanged == sets.len() {
                return Ok(true);
            }
            hull = smaller;
        }
        Ok(true)
    }

    /// What leads, within some part of a component, to a transition of an acceptance set in it.
    fn leading_to_set(&mut self, component: &[u32], part: &[Ddd], set: u64) -> Result<Vec<Ddd>> {
        let mut waiting = self.nothing();
        for &state in component {
            for edge in self.inner(component, state) {
                if edge.accepting & set == set {
                    let target = &part[edge.to as usize];
                    let more = self.step_back(target, &edge, &part[state as usize])?;
                    self.add(&mut waiting[state as usize], &more)?;
                }
            }
        }
        let mut leading = self.nothing();
        while let Some((state, mut new)) = self.next(component, &mut waiting) {
            let staying = self.staying(state)?;
            if !self.is_empty(&staying) {
                let mut within =
                    self.diagram.forest.intersection(&staying, &part[state as usize])?;
                self.add(&mut within, &new)?;
                new = self.diagram.leading_to(&new, &within)?;
            }
            self.add(&mut leading[state as usize], &new)?;
            for &from in component.iter().filter(|from| **from != state) {
                for edge in self.inner(&[state], from) {
                    let more = self.step_back(&new, &edge, &part[from as usize])?;
                    let more = self.diagram.forest.difference(&more, &leading[from as usize])?;
                    self.add(&mut waiting[from as usize], &more)?;
                }
            }
        }
        Ok(leading)
    }
}
