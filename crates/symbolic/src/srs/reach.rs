//! Closing a set of symbolic markings under the transitions (paper, section 6).
//!
//! `srs` takes transition after transition, in the order of `flow.rs`, to its fixpoint (`saturate`),
//! collects garbage, and goes round until nothing is new. A transition is fired only from markings
//! from which it has not been fired before.

use std::sync::Arc;

use ddd::{Ddd, Forest, Hom, Limits, Result};
use num_bigint::BigUint;

use super::fire::Fire;
use super::flow::flow_order;
use super::group::Group;
use super::layout::{Layout, Motif, code};
use super::orbits;
use super::pass::pass;
use super::repair::{Repair, Written};
use super::sort::{Move, Sorted};
use super::tensor::Tensor;
use super::written::write_out;
use crate::explicit::rules::{Column, Kind, Place};
use crate::{Srs, SrsError, SymmetricNet};

/// A forest with the homomorphisms of a net.
pub(super) struct Reach {
    forest: Forest,
    on: Arc<Layout>,
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
    pub(super) fn new(net: &SymmetricNet, on: Layout, limits: Limits) -> Self {
        let on = Arc::new(on);
        let mut forest = Forest::with_limits(limits);
        let mut steps = vec![Vec::new(); net.transitions.len()];
        for (index, instance) in on.instances.iter().enumerate() {
            let mut step = pass(&mut forest, &on, Fire::new(index));
            for (subclass, &named) in (0..).zip(&instance.named) {
                for element in (0..named).rev() {
                    let group = pass(&mut forest, &on, Group::new(subclass, element));
                    step = forest.compose(&group, &step);
                }
            }
            steps[instance.transition].push(step);
        }
        let is_symmetric = |column: &&Column| column.kind == Kind::Symmetric;
        let is_relation = |place: &Place| place.columns.iter().filter(is_symmetric).count() > 1;
        let can_be_tied = on.rules.places.iter().any(is_relation);
        Self {
            sorted: pass(&mut forest, &on, Sorted::new(false)),
            moves: pass(&mut forest, &on, Move::Open),
            tied: can_be_tied.then(|| pass(&mut forest, &on, Sorted::new(true))),
            steps,
            order: flow_order(net),
            repair: Repair::default(),
            forest,
            on,
        }
    }

    /// The figures of the reachable markings.
    pub(super) fn figures(&mut self) -> Result<Srs> {
        let all = self.srs()?;
        let peak_nodes = self.forest.statistics().peak_nodes;
        let concrete_markings = self.concrete(&all)?;
        let write_out = write_out(&mut self.forest, &self.on);
        let written = self.forest.apply(&write_out, &all)?;
        let shape = self.forest.shape(&written);
        Ok(Srs {
            peak_nodes,
            final_nodes: shape.nodes,
            average_share: shape.average_sharing(),
            average_length: shape.average_length(),
            markings: shape.paths,
            concrete_markings,
        })
    }

    /// All reachable markings.
    fn srs(&mut self) -> Result<Ddd> {
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
        let repaired = self.repair.repaired(&mut self.forest, &self.on, tied)?;
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
        let on = &self.on;
        let firing = &mut on.scratch().firing;
        firing.initial(&on.rules).map_err(|fault| on.give_up(SrsError::Fault(fault)))?;
        let initial = &firing.target;
        let mut sizes = vec![Vec::new(); on.rules.subclasses.len()];
        initial.dynamic_subclasses().for_each(|(of, size)| sizes[of as usize].push(size));
        let places = on.motifs.iter().filter_map(|motif| match *motif {
            Motif::Place(id) => Some(id),
            Motif::Class(_) => None,
        });
        let tensors = places.map(|id| {
            let words = &initial.words[initial.range(id)];
            let only = |of: u32| code(initial.subclasses[of as usize], 0);
            (id, on.number(Tensor::new(on.place(id), words, only)))
        });
        let tensors = tensors.collect();
        let sequence = Written { sizes, tensors }.sequence(on);
        self.forest.sequence(&sequence)
    }

    /// The number of concrete markings that those of a set stand for.
    fn concrete(&mut self, set: &Ddd) -> Result<BigUint> {
        let Self { forest, on, repair, tied, .. } = self;
        let Some(tied) = tied else { return Ok(orbits::of_untied(forest, set)) };
        let tied = forest.apply(tied, set)?;
        let rest = forest.difference(set, &tied)?;
        Ok(orbits::of_untied(forest, &rest) + orbits::of_tied(forest, on, repair, &tied)?)
    }

    /// Why an operation failed.
    pub(super) fn reason(&self, error: ddd::Error) -> SrsError {
        self.on.reason(error)
    }
}
