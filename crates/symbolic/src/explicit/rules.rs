//! A net made ready for firing: numbers in place of names, and for each transition a plan.
//!
//! Static subclasses are numbered over all classes, those of one class next to each other.

use crate::explicit::changes::Amount;
use crate::explicit::fixed::Fixed;
use crate::explicit::plan::Plan;
use crate::operand::{Operand, Test};

/// How a class may be permuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Symmetric,
    /// With rotations that must be found together with the order of dynamic subclasses.
    Cyclic,
    /// A cyclic class that shares no place with another class but plain ones: its rotation is found
    /// on its own.
    Turning,
    Plain,
}

#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) kind: Kind,
    pub(crate) size: u32,
    /// From this size on, dynamic subclasses behave alike: see [`thresholds`](crate::explicit::compile).
    pub(crate) threshold: u32,
    /// The most elements of it that one assignment of a transition's variables can name.
    pub(crate) named: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Subclass {
    pub(crate) class: u32,
    pub(crate) size: u32,
}

/// A component of the tokens of a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) kind: Kind,
    pub(crate) class: u32,
    /// The number of elements of the class.
    pub(crate) size: u32,
    /// How many elements of the class can have been met up to here in a tuple.
    pub(crate) rank: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) columns: Vec<Column>,
    /// Whether a component is of a symmetric class.
    pub(crate) symmetric: bool,
    /// Whether a component is of a symmetric or a cyclic (not turning) class.
    pub(crate) structured: bool,
    /// The turning class that it has a component of.
    pub(crate) turning: Option<u32>,
    /// Where the codes of its tuples begin, if all codes fit.
    pub(crate) code: u32,
    /// Whether all components are of plain classes.
    pub(crate) plain: bool,
    /// What it holds for ever, if it is fixed: then markings say nothing of it.
    pub(crate) fixed: Option<Fixed>,
}

impl Class {
    /// The size from which on a dynamic subclass, from which no element is split off, looks the same
    /// whatever its size.
    pub(crate) fn enough(&self) -> u32 {
        (self.threshold - self.named).max(1)
    }

    pub(crate) fn is_cyclic(&self) -> bool {
        matches!(self.kind, Kind::Cyclic | Kind::Turning)
    }
}

impl Place {
    /// Whether a component is of this class.
    pub(crate) fn has(&self, class: u32) -> bool {
        self.columns.iter().any(|column| column.class == class)
    }

    /// The number of words of an entry: its count and its components.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        self.columns.len() + 1
    }
}

/// What a variable ranges over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Domain {
    pub(crate) class: u32,
    pub(crate) kind: Kind,
    pub(crate) size: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) count: u32,
    pub(crate) tuple: Vec<Operand>,
    /// Local variables, numbered from `first_local`.
    pub(crate) locals: Vec<Domain>,
    pub(crate) first_local: u32,
    pub(crate) condition: Test,
}

impl Term {
    /// Whether it stands for one tuple, whatever the variables are.
    #[inline]
    pub(crate) fn is_single(&self) -> bool {
        self.locals.is_empty() && matches!(&self.condition, Test::All(all) if all.is_empty())
    }
}

/// Terms, and what is asked for and done of each of their tuples.
pub(crate) type Terms = Vec<(Amount, Term)>;

/// What a transition does at one place.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    pub(crate) place: u32,
    pub(crate) terms: Terms,
    /// Whether something must be there.
    pub(crate) needs: bool,
    /// Where the place has no components and no term a condition: all terms added up.
    pub(crate) counter: Option<Amount>,
}

/// The transition is disabled while at least this many tokens match.
#[derive(Clone, Debug)]
pub(crate) struct Inhibitor {
    pub(crate) count: u32,
    pub(crate) locals: u32,
    /// Finds the tokens that match, given the variables of the transition.
    pub(crate) plan: Plan,
}

#[derive(Clone, Debug)]
pub(crate) struct Transition {
    /// What its steps are labelled with.
    pub(crate) label: u32,
    /// For each variable, those that stand for constants included, whether its class is symmetric.
    pub(crate) symmetric: Vec<bool>,
    /// Variables that stand for constants, with their static subclasses.
    pub(crate) constants: Vec<(u32, u32)>,
    pub(crate) plan: Plan,
    pub(crate) inhibitors: Vec<Inhibitor>,
    /// Places where something is needed come first.
    pub(crate) touches: Vec<Touch>,
    /// The places over plain classes that it may change, by their index among moving places, ascending.
    pub(crate) changes: Vec<u32>,
    /// The places, fixed ones aside, where its plan needs an entry.
    pub(crate) needed: Vec<u32>,
    /// What must be there together at fixed places.
    pub(crate) together: Vec<Touch>,
    /// Elements in arcs, given by its variables, that may not be there.
    pub(crate) partial: Vec<Operand>,
}

impl Transition {
    /// Whether all elements in arcs are there that its variables give.
    #[inline]
    pub(crate) fn can_be_followed(&self, values: &[u32]) -> bool {
        self.partial.iter().all(|operand| operand.value(values).is_some())
    }
}

/// A compiled net.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) classes: Vec<Class>,
    pub(crate) subclasses: Vec<Subclass>,
    pub(crate) places: Vec<Place>,
    /// The places that are not fixed: first those over plain classes only, then the others. That is
    /// the order in which markings have them, in words and in bytes.
    pub(crate) moving: Vec<u32>,
    /// How many of them are over plain classes only.
    pub(crate) plain: usize,
    pub(crate) transitions: Vec<Transition>,
    /// By place, the terms of the initial marking.
    pub(crate) initial: Vec<Terms>,
    /// Constants of the initial marking, as for transitions.
    pub(crate) initial_constants: Vec<(u32, u32)>,
    /// One more than the largest code of a tuple of a structured place; `None` if they do not fit.
    pub(crate) codes: Option<u32>,
    /// Whether there is a cyclic class that is not turning.
    pub(crate) has_cyclic: bool,
    /// Classes whose rotation is found on its own.
    pub(crate) turning: Vec<u32>,
}

impl Rules {
    /// The places that are not fixed.
    pub(crate) fn moving_places(&self) -> impl Iterator<Item = (u32, &Place)> {
        self.moving.iter().map(|&id| (id, &self.places[id as usize]))
    }

    /// The places that are fixed, and what they hold.
    pub(crate) fn fixed_places(&self) -> impl Iterator<Item = (u32, &Fixed)> {
        // Most nets have none, and this is asked for every marking.
        let there_are = self.moving.len() < self.places.len();
        let all = (0..).zip(if there_are { &self.places[..] } else { &[] });
        all.filter_map(|(id, place)| Some((id, place.fixed.as_ref()?)))
    }

    /// Whether no permutation but the identity is allowed.
    pub(crate) fn is_plain(&self) -> bool {
        self.several().is_empty()
            && self.classes.iter().all(|class| !class.is_cyclic() || class.size <= 1)
    }

    /// The sizes of the static subclasses that have several elements.
    pub(crate) fn several(&self) -> Vec<u32> {
        self.subclasses.iter().map(|subclass| subclass.size).filter(|&size| size > 1).collect()
    }
}
