//! What folding is shown of a state: all of it, or all but one thing.
//!
//! Leaving something out is done to the kinship table, or to the schema, before a state is folded, so that
//! it is the real folding that then goes wrong. What is left out of kinship is what some graph of the
//! papers lacks.

use std::collections::BTreeMap;

use fold::{Class, Folder, Kin, Kinship, Link, Schema, Working, concrete};
use net::Compiled;
use state::{Pid, Relation, Relations, State};

/// A view of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Everything.
    Whole,
    /// Next pids are left out.
    NoNextPids,
    /// Next pids are there, with their siblings and their parents as far as Ω sees them, but nothing
    /// else ties them to their threads.
    LooseNextPids,
    /// The arcs of `ancestor` are left out; those of `parent` are there.
    NoAncestors,
    /// The arcs of `elder_sibling` are left out; those of `next_sibling` are there.
    NoElderSiblings,
    /// The parts of classes are left out: all their members are alike.
    NoParts,
    /// The order of cyclic classes is left out: all permutations of their members are allowed.
    NoOrder,
}

impl View {
    /// All that leave something out.
    pub const BROKEN: [View; 4] =
        [View::NoNextPids, View::LooseNextPids, View::NoAncestors, View::NoElderSiblings];

    /// All that leave something out of classes.
    pub const BROKEN_CLASSES: [View; 2] = [View::NoParts, View::NoOrder];

    /// Whether there is something to leave out under Ω, and something left that might make up for it.
    pub fn concerns(self, relations: Relations) -> bool {
        let both = |one, other| relations.contains(one) && relations.contains(other);
        match self {
            View::Whole | View::NoParts | View::NoOrder => true,
            View::NoNextPids | View::LooseNextPids => {
                relations.contains(Relation::NextSibling)
                    || relations.contains(Relation::ElderSibling)
            }
            View::NoAncestors => both(Relation::Parent, Relation::Ancestor),
            View::NoElderSiblings => both(Relation::NextSibling, Relation::ElderSibling),
        }
    }

    /// The working state of a concrete one, as it is seen.
    pub fn of(self, compiled: &Compiled, state: &State) -> Working {
        let (mut working, pids) = compiled.working(state);
        if self != View::Whole {
            working.kinship = self.kinship(&pids, state.eta(), compiled.relations());
        }
        working
    }

    /// The schema as it is seen.
    fn schema(self, schema: &Schema) -> Schema {
        let class = |class: &Class| match (self, class) {
            (View::NoParts, Class::Symmetric(_)) | (View::NoOrder, Class::Cyclic(_)) => {
                Class::Symmetric(vec![class.size()])
            }
            _ => class.clone(),
        };
        let classes = schema.classes.iter().map(class).collect();
        Schema { places: schema.places.clone(), classes }
    }

    fn kinship(self, pids: &[Pid], eta: &BTreeMap<Pid, u32>, relations: Relations) -> Kinship {
        let seen = match self {
            View::NoAncestors => relations.without(Relations::NONE.with(Relation::Ancestor)),
            View::NoElderSiblings => {
                relations.without(Relations::NONE.with(Relation::ElderSibling))
            }
            _ => relations,
        };
        let whole = concrete::abstracted(pids, eta, seen);
        if !matches!(self, View::NoNextPids | View::LooseNextPids) {
            return whole;
        }
        let mut kinship = Kinship::new(relations);
        for kin in whole.kin() {
            kinship.add(Kin { youngest: Link::NONE, ..*kin });
        }
        if self == View::LooseNextPids {
            for (thread, kin) in (0..).zip(whole.kin()).filter(|(_, kin)| kin.active) {
                let ancestor = Link::new(thread, true);
                let (elder, youngest) = (kin.youngest, Link::NONE);
                kinship.add(Kin { active: false, ancestor, elder, youngest });
            }
        }
        kinship
    }
}

/// The canonical bytes of states as a view shows them.
pub struct Seer<'a> {
    compiled: &'a Compiled,
    view: View,
    folder: Folder,
}

impl<'a> Seer<'a> {
    pub fn new(compiled: &'a Compiled, view: View) -> Self {
        let folder = Folder::new(&view.schema(compiled.schema()), compiled.relations());
        Seer { compiled, view, folder }
    }

    pub fn bytes(&mut self, state: &State) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.folder.fold(&self.view.of(self.compiled, state), &mut bytes);
        bytes
    }
}
