//! The symbolic symbolic reachability set.
use std::sync::Arc;

use ddd::{Ddd, Forest, Hom, Limits};
use num_bigint::BigUint;

mod fire;
mod group;
mod instance;
mod layout;
mod pass;
mod repair;
mod sort;
mod tensor;
mod written;

use crate::rules::Rules;
use crate::{Fault, Flaw, Symbolic, SymmetricNet, Symmetry, Term};
use fire::Fire;
use group::Group;
use instance::{Scope, instances};
use layout::{Layout, MOST, Motif, Shared};
use pass::pass;
use repair::{Repair, Written};
use sort::{Move, Sorted};
use tensor::Tensor;

/// What a net has that sets of symbolic markings are not made for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// A cyclic class of more than one element.
    #[error("class {0} is cyclic")]
    Cyclic(String),
    /// A class with too many elements or static subclasses for the values of a diagram.
    #[error("class {0} is too large")]
    Large(String),
    /// A transition with too many symbolic bindings to be written down.
    #[error("transition {0} has too many symbolic bindings")]
    Bindings(String),
}

/// Why there is no reachability set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SrsError {
    /// The net has flaws.
    #[error("the net has flaws, the first of them: {}", .0.first().map_or(String::new(), ToString::to_string))]
    Flaws(Vec<Flaw>),
    /// The net is fine, but this form of the engine does not explore it.
    #[error("{0}")]
    Unsupported(Unsupported),
    /// A marking cannot be represented.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A limit of the diagrams was reached.
    #[error(transparent)]
    Diagram(#[from] ddd::Error),
}

/// A symbolic reachability set.
#[derive(Debug)]
pub struct Srs {
    /// The number of symbolic markings.
    pub markings: BigUint,
    /// nodes
    pub final_nodes: usize,
    /// working
    pub working: usize,
    /// share
    pub share: f64,
    /// length
    pub length: f64,
    /// The most nodes there were at once.
    pub peak_nodes: usize,
}

impl Srs {
    /// The reachability set of a net.
    ///
    /// # Errors
    pub fn of(net: &SymmetricNet, limits: Limits) -> Result<Self, SrsError> {
        let rules = Symbolic::new(net).map_err(SrsError::Flaws)?.rules;
        check(net)?;
        let mut layout = Layout::new(net);
        let instances = instances(&layout)?;
        layout.set_instances(instances);
        let mut engine = Engine::new(layout, rules, limits);
        let all = engine.reachable().map_err(|error| engine.on.0.reason(error))?;
        let write_out = written::write_out(&mut engine.forest, &engine.on);
        let peak = engine.forest.statistics().peak_nodes;
        let written = engine.forest.apply(&write_out, &all)?;
        let shape = engine.forest.shape(&written);
        Ok(Self {
            share: shape.average_sharing(),
            length: shape.average_length(),
            working: engine.forest.size([&all]),
            markings: shape.paths,
            final_nodes: shape.nodes,
            peak_nodes: peak,
        })
    }
}

fn check(net: &SymmetricNet) -> Result<(), SrsError> {
    for class in &net.classes {
        let name = || class.name.clone();
        match &class.symmetry {
            Symmetry::Cyclic(size) if *size > 1 => {
                return Err(SrsError::Unsupported(Unsupported::Cyclic(name())));
            }
            Symmetry::Symmetric(sizes) if sizes.iter().any(|&size| size >= pass::MOST_ELEMENTS) => {
                return Err(SrsError::Unsupported(Unsupported::Large(name())));
            }
            _ => {}
        }
    }
    let subclasses = net.classes.iter().map(|class| match &class.symmetry {
        Symmetry::Symmetric(sizes) => sizes.len(),
        _ => 0,
    });
    if subclasses.sum::<usize>() > MOST as usize {
        let name = net.classes.last().map(|class| class.name.clone()).unwrap_or_default();
        return Err(SrsError::Unsupported(Unsupported::Large(name)));
    }
    Ok(())
}

struct Engine {
    forest: Forest,
    on: Shared,
    rules: Arc<Rules>,
    repair: Repair,
    sorted: Hom,
    movable: Hom,
    small_moves: Hom,
    moves: Hom,
    tied: Option<Hom>,
    /// By transition, for each instance
    succ: Vec<Vec<Hom>>,
}

impl Engine {
    fn new(layout: Layout, rules: Arc<Rules>, limits: Limits) -> Self {
        let on = Shared(Arc::new(layout));
        let mut forest = Forest::with_limits(limits);
        let mut succ = vec![Vec::new(); on.0.net.transitions.len()];
        for (index, instance) in on.0.instances.iter().enumerate() {
            let mut hom = pass(&mut forest, &on, Fire::new(index));
            for (subclass, &named) in (0..).zip(&instance.named) {
                for i in (0..named).rev() {
                    let group = pass(&mut forest, &on, Group::new(subclass, i));
                    hom = forest.compose(&group, &hom);
                }
            }
            succ[instance.transition].push(hom);
        }
        let sorted = pass(&mut forest, &on, Sorted::new(false));
        let small_moves = pass(&mut forest, &on, Move::small());
        let movable = pass(&mut forest, &on, Move::small_selects());
        let moves = pass(&mut forest, &on, Move::any());
        let ties = on.0.places.iter().any(|p| p.symmetric.iter().filter(|s| **s).count() > 1);
        let tied = ties.then(|| pass(&mut forest, &on, Sorted::new(true)));
        Self { forest, on, rules, repair: Repair::new(), sorted, movable, small_moves, moves, tied, succ }
    }

    fn initial(&mut self) -> ddd::Result<Ddd> {
        let on = &self.on.0;
        let sizes: Vec<Vec<u32>> = on
            .subclasses
            .iter()
            .map(|subclass| if subclass.size > 0 { vec![subclass.size] } else { Vec::new() })
            .collect();
        let scope = Scope { on, variables: &[], values: &[] };
        let mut written = Written { sizes: sizes.clone(), tensors: Vec::new() };
        for motif in &on.motifs {
            let Motif::Place(id) = *motif else { continue };
            let place = &on.places[id as usize];
            let mut cells = std::collections::BTreeMap::new();
            let arcs = on.net.initial.iter().filter(|arc| arc.place.0 == id);
            for Term { count, .. } in arcs.clone().map(|arc| &arc.term) {
                let _ = count;
            }
            for arc in arcs {
                scope.for_each_tuple(&arc.term, &place.domain, &sizes, &mut |mut tuple, _| {
                    crate::marking::number_elements(
                        &mut tuple,
                        |i| place.symmetric[i],
                        &mut Vec::new(),
                    );
                    *cells.entry(tuple).or_insert(0_u32) += arc.term.count;
                });
            }
            let tensor = on.number(Tensor::new(place, cells.into_iter().collect()));
            written.tensors.push((id, tensor));
        }
        self.forest.sequence(&written.sequence(on))
    }

    fn sort(&mut self, mut set: Ddd) -> ddd::Result<Ddd> {
        let mut done = self.forest.apply(&self.sorted, &set)?;
        set = self.forest.difference(&set, &done)?;
        while !self.forest.is_empty(&set) {
            let movable = self.forest.apply(&self.movable, &set)?;
            let moved = self.forest.apply(&self.small_moves, &movable)?;
            let rest = self.forest.difference(&set, &movable)?;
            let rest = self.forest.apply(&self.moves, &rest)?;
            let moved = self.forest.union(&moved, &rest)?;
            let sorted = self.forest.apply(&self.sorted, &moved)?;
            set = self.forest.difference(&moved, &sorted)?;
            done = self.forest.union(&done, &sorted)?;
        }
        if let Some(tied) = &self.tied {
            let tied = self.forest.apply(tied, &done)?;
            let rest = self.forest.difference(&done, &tied)?;
            let repaired =
                self.repair.repaired(&mut self.forest, &self.on.0, &self.rules, &tied)?;
            done = self.forest.union(&rest, &repaired)?;
        }
        Ok(done)
    }

    fn successors(&mut self, set: &Ddd, transition: usize) -> ddd::Result<Ddd> {
        let mut all = self.forest.zero();
        for i in 0..self.succ[transition].len() {
            let image = self.forest.apply(&self.succ[transition][i], set)?;
            all = self.forest.union(&all, &image)?;
        }
        self.sort(all)
    }

    fn reachable(&mut self) -> ddd::Result<Ddd> {
        let mut all = self.initial()?;
        let mut fired = vec![self.forest.zero(); self.succ.len()];
        loop {
            let before = all.clone();
            for transition in 0..self.succ.len() {
                let mut new = self.forest.difference(&all, &fired[transition])?;
                while !self.forest.is_empty(&new) {
                    let next = self.successors(&new, transition)?;
                    new = self.forest.difference(&next, &all)?;
                    all = self.forest.union(&all, &new)?;
                }
                fired[transition] = all.clone();
            }
            if all == before {
                return Ok(all);
            }
        }
    }
}
