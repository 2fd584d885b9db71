//! What a sequence of the diagram says: the order of motifs, and what their values stand for.
//!
//! A symbolic marking is written motif by motif (paper, section 3.2). A *C motif* partitions a
//! static subclass: for each dynamic subclass, [`MORE`] and its size, and then
//! [`END`]. An *M motif* marks a place. The classes come one by one, each followed by the places
//! whose domain is complete with it, as in figure 2 of the paper: whatever an operation has to know
//! of a tensor's dimensions has been read before. Places without symmetric components come last.
//!
//! While sets are computed, the tensor of a place is one arc of the variable [`M`], labelled with
//! the number of the tensor, as the figure draws it. `written.rs` writes tensors out, cell by cell.
//!
//! Dynamic subclasses are named by *codes*: the static subclass, and which of its dynamic ones. So
//! tensors do not depend on how other static subclasses are partitioned.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ddd::{Value, Variable};

use super::fire::Scratch;
use super::instance::{Instance, instances};
use super::pass::MOST_ELEMENTS;
use super::tensor::Tensors;
use crate::explicit::rules::{Kind, Place, Rules, Subclass};
use crate::{ClassId, SrsError, SymmetricNet, Symmetry, Unsupported};

/// The variable of C motifs: whether there is a further dynamic subclass, [`MORE`] or [`END`].
pub(super) const Z: Variable = 0;
/// The variable of the size of a dynamic subclass.
pub(super) const SIZE: Variable = 2;
/// A further dynamic subclass follows.
pub(super) const MORE: Value = 0;
/// The variable of M motifs.
pub(super) const M: Variable = 1;
/// Ends a motif.
pub(super) const END: Value = -1;

const INDEX_BITS: u32 = 12;
/// The largest number of static subclasses, and of dynamic ones in a static one.
pub(super) const MOST: u32 = 1 << INDEX_BITS;
pub(super) const TOO_MANY: &str = "there are too many subclasses";

/// The largest number of tuples over plain classes that a term stands for.
const MOST_TUPLES: u64 = 1 << 20;

/// The largest number of local variables over symmetric classes of a term.
const MOST_LOCALS: usize = 6;

/// The code of a dynamic subclass.
pub(super) fn code(subclass: u32, index: u32) -> u32 {
    subclass << INDEX_BITS | index
}

/// The static subclass of a code.
pub(super) fn subclass_of(code: u32) -> u32 {
    code >> INDEX_BITS
}

/// Which dynamic subclass of its static one a code means.
pub(super) fn index_of(code: u32) -> u32 {
    code & (MOST - 1)
}

/// A part of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motif {
    /// The partition of a static subclass, numbered over all classes.
    Class(u32),
    /// The marking of a place.
    Place(u32),
}

/// What all operations on a net's diagrams know.
#[derive(Debug)]
pub(super) struct Layout {
    /// The net, with the guards of transitions as their plans.
    pub(super) rules: Arc<Rules>,
    pub(super) motifs: Vec<Motif>,
    /// The first motif behind all C motifs.
    pub(super) classes_end: usize,
    pub(super) instances: Vec<Instance>,
    /// By static subclass, the size from which on no operation tells dynamic subclasses apart,
    /// whatever is split off.
    pub(super) large: Vec<u32>,
    tensors: Mutex<Tensors>,
    scratch: Mutex<Scratch>,
    /// Why an operation had to give up, if not for the diagrams' sake.
    fault: Mutex<Option<SrsError>>,
}

impl Layout {
    /// The layout of a net without flaws, and its rules.
    pub(super) fn of(net: &SymmetricNet, rules: Rules) -> Result<Self, Unsupported> {
        check(net)?;
        let instances = instances(net, &rules)?;
        let large = rules.subclasses.iter().enumerate().map(|(id, subclass)| {
            let named = instances.iter().map(|instance| instance.named[id]).max().unwrap_or(0);
            let enough = rules.classes[subclass.class as usize].enough();
            enough.saturating_add(named).min(MOST_ELEMENTS)
        });
        let (motifs, classes_end) = motifs(&rules.subclasses, &rules.places);
        Ok(Self {
            large: large.collect(),
            rules: Arc::new(rules),
            motifs,
            classes_end,
            instances,
            tensors: Mutex::default(),
            scratch: Mutex::default(),
            fault: Mutex::default(),
        })
    }

    /// A place of the net.
    pub(super) fn place(&self, id: u32) -> &Place {
        &self.rules.places[id as usize]
    }

    /// The class of a static subclass.
    pub(super) fn class_of(&self, subclass: u32) -> u32 {
        self.rules.subclasses[subclass as usize].class
    }

    /// A size, as far as it matters.
    pub(super) fn cut(&self, subclass: u32, size: u32) -> u32 {
        size.min(self.rules.classes[self.class_of(subclass) as usize].enough())
    }

    /// The tensors met so far.
    pub(super) fn tensors(&self) -> MutexGuard<'_, Tensors> {
        self.tensors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What firing works with.
    pub(super) fn scratch(&self) -> MutexGuard<'_, Scratch> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes why an operation gives up, and what it is to return.
    pub(super) fn give_up(&self, why: SrsError) -> ddd::Error {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.get_or_insert(why);
        ddd::Error::Overflow
    }

    /// Why operations failed.
    pub(super) fn reason(&self, error: ddd::Error) -> SrsError {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.take().unwrap_or(SrsError::Diagram(error))
    }
}

/// Refuses what cannot be laid out.
fn check(net: &SymmetricNet) -> Result<(), Unsupported> {
    let mut subclasses = 0;
    for class in &net.classes {
        match &class.symmetry {
            Symmetry::Cyclic(size) if *size > 1 => {
                return Err(Unsupported(format!("class {} is cyclic", class.name)));
            }
            Symmetry::Symmetric(sizes) => {
                subclasses += sizes.len();
                if sizes.iter().any(|&size| size >= MOST_ELEMENTS) {
                    return Err(Unsupported(format!("class {} has too many elements", class.name)));
                }
            }
            Symmetry::Cyclic(_) | Symmetry::Plain(_) => {}
        }
    }
    if subclasses >= MOST as usize {
        return Err(Unsupported(TOO_MANY.to_owned()));
    }
    let of_transitions = net.transitions.iter().flat_map(|transition| transition.arcs());
    for arc in net.initial.iter().chain(of_transitions) {
        let (mut tuples, mut symmetric) = (1_u64, 0);
        for &ClassId(class) in &arc.term.locals {
            match net.classes[class as usize].symmetry {
                Symmetry::Plain(size) => tuples = tuples.saturating_mul(size.into()),
                Symmetry::Symmetric(_) => symmetric += 1,
                Symmetry::Cyclic(_) => {}
            }
        }
        if tuples > MOST_TUPLES || symmetric > MOST_LOCALS {
            let place = &net.places[arc.place.0 as usize];
            return Err(Unsupported(format!("an arc of place {} has too many tuples", place.name)));
        }
    }
    Ok(())
}

/// Motifs in their order, and how many there are up to the last C motif.
fn motifs(subclasses: &[Subclass], places: &[Place]) -> (Vec<Motif>, usize) {
    // A place comes behind the last static subclass of the last class of its domain. A class without
    // static subclasses has no elements, and places over it no tokens.
    let last = |place: &Place| {
        let symmetric = place.columns.iter().filter(|column| column.kind == Kind::Symmetric);
        symmetric.map(|column| column.class).max()
    };
    let behind = |class: u32| subclasses.iter().rposition(|subclass| subclass.class == class);
    let mut motifs = Vec::new();
    let mut end = 0;
    let mut is_written = vec![false; places.len()];
    for id in 0..subclasses.len() {
        motifs.push(Motif::Class(id as u32));
        end = motifs.len();
        for (place, info) in places.iter().enumerate() {
            if last(info).and_then(behind) == Some(id) {
                is_written[place] = true;
                motifs.push(Motif::Place(place as u32));
            }
        }
    }
    let others = (0..places.len()).filter(|&place| !is_written[place]);
    motifs.extend(others.map(|place| Motif::Place(place as u32)));
    (motifs, end)
}

impl PartialEq for Layout {
    /// All operations of a forest have the same one.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Layout {}

impl std::hash::Hash for Layout {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}
