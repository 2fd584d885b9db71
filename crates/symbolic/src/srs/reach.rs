//! Closing a set of symbolic markings under the transitions (paper, section 6).
//!
//! `srs` takes transition after transition, in the order of `flow.rs`, to its fixpoint (`saturate`),
//! collects garbage, and goes round until nothing is new. A transition is fired only from markings
//! from which it has not been fired before.

use std::collections::BTreeMap;
use std::sync::Arc;

use ddd::{Ddd, Forest, Hom, Limits, Result, Shape};
use num_bigint::BigUint;

use super::fire::Fire;
use super::flow::flow_order;
use super::group::Group;
use super::instance::Scope;
use super::layout::{Layout, Motif, Shared};
use super::orbits;
use super::pass::pass;
use super::repair::{Repair, Written};
use super::sort::{Move, Sorted};
use super::tensor::{Tensor, renumber};
use super::written::write_out;
use crate::explicit::rules::Rules;
use crate::{Fault, PlaceId, SrsError};

/// A forest with the homomorphisms of a net.
pub(super) struct Reach {
    forest: Forest,
    on: Shared,
    repair: Repair,
    /// Selects markings that are sorted.
    sorted: Hom,
    /// Moves a dynamic subclass.
    moves: Hom,
    /// Selects sorted markings that are tied, if there can be any.
    tied: Option<Hom>,
    /// By transition, for each instance: fires and groups.
    steps: Vec<Vec<Hom>>,
    order: Vec<usize>,
}

impl Reach {
    pub(super) fn new(on: Arc<Layout>, rules: Arc<Rules>, limits: Limits) -> Self {
        let on = Shared(on);
        let mut forest = Forest::with_limits(limits);
        let mut steps = vec![Vec::new(); on.0.net.transitions.len()];
        for (index, instance) in on.0.instances.iter().enumerate() {
            let mut step = pass(&mut forest, &on, Fire::new(index));
            for (subclass, &named) in (0..).zip(&instance.named) {
                for element in (0..named).rev() {
                    let group = pass(&mut forest, &on, Group::new(subclass, element));
                    step = forest.compose(&group, &step);
                }
            }
            steps[instance.transition].push(step);
        }
        let can_be_tied = on.0.places.iter().any(|place| place.is_relation());
        Self {
            sorted: pass(&mut forest, &on, Sorted::new(false)),
            moves: pass(&mut forest, &on, Move::Open),
            tied: can_be_tied.then(|| pass(&mut forest, &on, Sorted::new(true))),
            steps,
            order: flow_order(&on.0.net),
            repair: Repair::new(rules),
            forest,
            on,
        }
    }

    /// All reachable markings.
    pub(super) fn srs(&mut self) -> Result<Ddd> {
        let mut all = self.initial()?;
        let mut fired = vec![self.forest.zero(); self.steps.len()];
        loop {
            let before = all.clone();
            for transition in self.order.clone() {
                all = self.saturate(all, transition, &fired[transition])?;
                fired[transition] = all.clone();
                self.forest.collect();
            }
            if all == before {
                return Ok(all);
            }
        }
    }

    /// The closure of a set under one transition, which has been fired from some already.
    fn saturate(&mut self, mut all: Ddd, transition: usize, fired: &Ddd) -> Result<Ddd> {
        let mut new = self.forest.difference(&all, fired)?;
        while !self.forest.is_empty(&new) {
            let next = self.succ(&new, transition)?;
            new = self.forest.difference(&next, &all)?;
            all = self.forest.union(&all, &new)?;
        }
        Ok(all)
    }

    /// The canonical successors of a set by one transition.
    fn succ(&mut self, set: &Ddd, transition: usize) -> Result<Ddd> {
        let mut all = self.forest.zero();
        for step in &self.steps[transition] {
            let image = self.forest.apply(step, set)?;
            all = self.forest.union(&all, &image)?;
        }
        let sorted = self.sort_iter(all)?;
        let Some(tied) = &self.tied else { return Ok(sorted) };
        let tied = self.forest.apply(tied, &sorted)?;
        let rest = self.forest.difference(&sorted, &tied)?;
        let repaired = self.repair.repaired(&mut self.forest, &self.on.0, tied)?;
        self.forest.union(&rest, &repaired)
    }

    /// The markings of a set, sorted.
    fn sort_iter(&mut self, mut set: Ddd) -> Result<Ddd> {
        let forest = &mut self.forest;
        let mut done = forest.zero();
        loop {
            let sorted = forest.apply(&self.sorted, &set)?;
            done = forest.union(&done, &sorted)?;
            set = forest.difference(&set, &sorted)?;
            if forest.is_empty(&set) {
                return Ok(done);
            }
            set = forest.apply(&self.moves, &set)?;
        }
    }

    /// The initial marking. Elements of a static subclass are alike in it.
    fn initial(&mut self) -> Result<Ddd> {
        let on = &self.on.0;
        let sizes = on.subclasses.iter().map(|subclass| subclass.size);
        let sizes: Vec<Vec<u32>> =
            sizes.map(|size| if size > 0 { vec![size] } else { Vec::new() }).collect();
        let scope = Scope { on, variables: &[], values: &[] };
        let mut tensors = Vec::new();
        for motif in &on.motifs {
            let Motif::Place(id) = *motif else { continue };
            let place = &on.places[id as usize];
            let mut cells: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
            for arc in on.net.initial.iter().filter(|arc| arc.place.0 == id) {
                scope.for_each_tuple(&arc.term, &place.domain, &sizes, &mut |mut tuple, _| {
                    renumber(place, &mut tuple);
                    *cells.entry(tuple).or_default() += u64::from(arc.term.count);
                });
            }
            let counted =
                cells.into_iter().map(|(tuple, count)| Ok((tuple, u32::try_from(count)?)));
            let counted: std::result::Result<Vec<_>, std::num::TryFromIntError> = counted.collect();
            let too_many = SrsError::Fault(Fault::TooManyTokens(PlaceId(id)));
            let counted = counted.map_err(|_| on.give_up(too_many))?;
            tensors.push((id, on.number(Tensor::new(place, counted))));
        }
        let sequence = Written { sizes, tensors }.sequence(on);
        self.forest.sequence(&sequence)
    }

    /// The number of concrete markings that those of a set stand for.
    pub(super) fn concrete(&mut self, set: &Ddd) -> Result<BigUint> {
        let Self { forest, on, repair, tied, .. } = self;
        let Some(tied) = tied else { return Ok(orbits::of_untied(forest, set)) };
        let tied = forest.apply(tied, set)?;
        let rest = forest.difference(set, &tied)?;
        Ok(orbits::of_untied(forest, &rest) + orbits::of_tied(forest, &on.0, repair, &tied)?)
    }

    /// The shape of a set, written out as motifs.
    pub(super) fn shape(&mut self, set: &Ddd) -> Result<Shape> {
        let write_out = write_out(&mut self.forest, &self.on);
        let written = self.forest.apply(&write_out, set)?;
        Ok(self.forest.shape(&written))
    }

    /// The most nodes there were.
    pub(super) fn peak_nodes(&self) -> usize {
        self.forest.statistics().peak_nodes
    }

    /// Why an operation failed.
    pub(super) fn reason(&self, error: ddd::Error) -> SrsError {
        self.on.0.reason(error)
    }
}
