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

use std::sync::{Arc, Mutex, MutexGuard};

use ddd::{Value, Variable};

use super::instance::{Instance, Role, instances};
use super::pass::MOST_ELEMENTS;
use super::tensor::Tensors;
use crate::word::dynamic;
use crate::{ClassId, SrsError, SymmetricNet, Symmetry, Term, Transition, Unsupported};

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

#[derive(Clone, Copy, Debug)]
pub(super) struct Subclass {
    pub(super) class: u32,
    pub(super) size: u32,
}

#[derive(Debug)]
pub(super) struct Place {
    pub(super) domain: Vec<ClassId>,
    /// For each component whether its class is symmetric.
    pub(super) symmetric: Vec<bool>,
}

impl Place {
    pub(super) fn has(&self, class: u32) -> bool {
        self.domain.contains(&ClassId(class))
    }

    /// Whether it has several symmetric components.
    pub(super) fn is_relation(&self) -> bool {
        self.symmetric.iter().filter(|is_symmetric| **is_symmetric).count() > 1
    }
}

/// What all operations on a net's diagrams know.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) net: SymmetricNet,
    pub(super) subclasses: Vec<Subclass>,
    /// The first static subclass of each class.
    pub(super) first: Vec<u32>,
    /// For each class the size from which on a dynamic subclass, from which no element is split
    /// off, looks the same whatever its size: a tensor's tuple meets no more elements of it, and
    /// no inhibitor counts further.
    pub(super) enough: Vec<u32>,
    pub(super) places: Vec<Place>,
    pub(super) motifs: Vec<Motif>,
    /// The first motif behind all C motifs.
    pub(super) classes_end: usize,
    /// By transition and place, the arcs between them.
    pub(super) arcs: Vec<Vec<Vec<(Role, Term)>>>,
    pub(super) instances: Vec<Instance>,
    /// By static subclass, the size from which on no operation tells dynamic subclasses apart,
    /// whatever is split off.
    pub(super) large: Vec<u32>,
    tensors: Mutex<Tensors>,
    /// Why an operation had to give up, if not for the diagrams' sake.
    fault: Mutex<Option<SrsError>>,
}

impl Layout {
    /// The layout of a net without flaws.
    pub(super) fn of(net: &SymmetricNet) -> Result<Self, Unsupported> {
        check(net)?;
        let mut layout = Self::without_instances(net);
        let instances = instances(&layout)?;
        let large = layout.subclasses.iter().enumerate().map(|(id, subclass)| {
            let named = instances.iter().map(|instance| instance.named[id]).max().unwrap_or(0);
            layout.enough[subclass.class as usize].saturating_add(named).min(MOST_ELEMENTS)
        });
        layout.large = large.collect();
        layout.instances = instances;
        Ok(layout)
    }

    fn without_instances(net: &SymmetricNet) -> Self {
        let (mut subclasses, mut first) = (Vec::new(), Vec::new());
        for (class, info) in (0..).zip(&net.classes) {
            first.push(subclasses.len() as u32);
            if let Symmetry::Symmetric(sizes) = &info.symmetry {
                subclasses.extend(sizes.iter().map(|&size| Subclass { class, size }));
            }
        }
        let is_symmetric = |class: &ClassId| {
            matches!(net.classes[class.0 as usize].symmetry, Symmetry::Symmetric(_))
        };
        let places: Vec<Place> = net
            .places
            .iter()
            .map(|place| Place {
                domain: place.domain.clone(),
                symmetric: place.domain.iter().map(is_symmetric).collect(),
            })
            .collect();
        let (motifs, classes_end) = motifs(&subclasses, &places);
        let arcs = net.transitions.iter().map(|transition| {
            let mut by_place = vec![Vec::new(); net.places.len()];
            let roles = [
                (Role::Take, &transition.takes),
                (Role::Read, &transition.reads),
                (Role::Put, &transition.puts),
                (Role::Inhibit, &transition.inhibitors),
            ];
            for (role, arcs) in roles {
                for arc in arcs.iter().filter(|arc| arc.term.count > 0 || role == Role::Inhibit) {
                    by_place[arc.place.0 as usize].push((role, arc.term.clone()));
                }
            }
            by_place
        });
        Self {
            enough: (0..net.classes.len() as u32)
                .map(|class| enough(net, ClassId(class)))
                .collect(),
            arcs: arcs.collect(),
            net: net.clone(),
            subclasses,
            first,
            places,
            motifs,
            classes_end,
            instances: Vec::new(),
            large: Vec::new(),
            tensors: Mutex::default(),
            fault: Mutex::default(),
        }
    }

    /// The tensors met so far.
    pub(super) fn tensors(&self) -> MutexGuard<'_, Tensors> {
        self.tensors.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The static subclasses of a class.
    pub(super) fn statics(&self, class: u32) -> impl Iterator<Item = u32> {
        let from = self.first[class as usize];
        let own = move |subclass: &Subclass| subclass.class == class;
        let count = self.subclasses[from as usize..].iter().take_while(|s| own(s)).count() as u32;
        from..from + count
    }

    /// The number of elements of a class that is not symmetric.
    pub(super) fn plain_size(&self, class: ClassId) -> u32 {
        match self.net.classes[class.0 as usize].symmetry {
            Symmetry::Plain(size) | Symmetry::Cyclic(size) => size,
            Symmetry::Symmetric(_) => 0,
        }
    }

    /// The static subclass that a word of a symmetric class is in.
    pub(super) fn subclass_of_word(word: u32) -> u32 {
        subclass_of(dynamic(word))
    }

    /// Notes why an operation gives up, and what it is to return.
    pub(super) fn give_up(&self, why: SrsError) -> ddd::Error {
        let mut fault = self.fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        fault.get_or_insert(why);
        ddd::Error::Overflow
    }

    /// Why operations failed.
    pub(super) fn reason(&self, error: ddd::Error) -> SrsError {
        let mut fault = self.fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        fault.take().unwrap_or(SrsError::Diagram(error))
    }
}

/// Refuses what cannot be laid out.
fn check(net: &SymmetricNet) -> Result<(), Unsupported> {
    let mut subclasses = 0;
    for class in &net.classes {
        match &class.symmetry {
            Symmetry::Cyclic(size) if *size > 1 => {
                return Err(Unsupported::Cyclic(class.name.clone()));
            }
            Symmetry::Symmetric(sizes) => {
                subclasses += sizes.len();
                if sizes.iter().any(|&size| size >= MOST_ELEMENTS) {
                    return Err(Unsupported::Elements(class.name.clone()));
                }
            }
            Symmetry::Cyclic(_) | Symmetry::Plain(_) => {}
        }
    }
    if subclasses >= MOST as usize {
        return Err(Unsupported::Subclasses);
    }
    let of_transitions = net.transitions.iter().flat_map(|transition| {
        let Transition { takes, reads, puts, inhibitors, .. } = transition;
        takes.iter().chain(reads).chain(puts).chain(inhibitors)
    });
    for arc in net.initial.iter().chain(of_transitions) {
        let tuples = arc.term.locals.iter().fold(1_u64, |tuples, class| {
            match net.classes[class.0 as usize].symmetry {
                Symmetry::Plain(size) => tuples.saturating_mul(size.into()),
                _ => tuples,
            }
        });
        let is_symmetric = |class: &&ClassId| {
            matches!(net.classes[class.0 as usize].symmetry, Symmetry::Symmetric(_))
        };
        let symmetric = arc.term.locals.iter().filter(is_symmetric).count();
        if tuples > MOST_TUPLES || symmetric > MOST_LOCALS {
            let place = &net.places[arc.place.0 as usize];
            return Err(Unsupported::Tuples(place.name.clone()));
        }
    }
    Ok(())
}

/// Motifs in their order, and how many there are up to the last C motif.
fn motifs(subclasses: &[Subclass], places: &[Place]) -> (Vec<Motif>, usize) {
    // A place comes behind the last static subclass of the last class of its domain. A class without
    // static subclasses has no elements, and places over it no tokens.
    let last = |place: &Place| {
        let symmetric = place.domain.iter().zip(&place.symmetric).filter(|(_, is)| **is);
        symmetric.map(|(class, _)| class.0).max()
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

/// See [`Layout::enough`]; the argument is that of `compile.rs`.
fn enough(net: &SymmetricNet, class: ClassId) -> u32 {
    let met = net.places.iter().map(|place| place.domain.iter().filter(|&&c| c == class).count());
    let met = met.max().unwrap_or(0) as u32;
    let inhibitors = net.transitions.iter().flat_map(|transition| &transition.inhibitors);
    let counted = inhibitors.filter(|arc| arc.term.locals.contains(&class));
    let counted = counted.map(|arc| arc.term.count).max().unwrap_or(1).max(1);
    met.max(1).saturating_add(counted - 1)
}

/// A layout that operations share; all operations of a forest have the same one.
#[derive(Clone)]
pub(super) struct Shared(pub(super) Arc<Layout>);

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shared")
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Shared {}

impl std::hash::Hash for Shared {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}
