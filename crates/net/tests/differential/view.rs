//! What folding is shown of a state: all of it, or all but one thing.
//!
//! Leaving something out is done to the kinship table, or to the schema, before a state is folded, so that
//! it is the real folding that then goes wrong. What is left out of kinship is what some graph of the
//! papers lacks.

use std::collections::BTreeMap;

use fold::{Class, Folder, Group, Kin, Kinship, Link, Schema, Working, concrete};
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
    /// The order of the records of groups is shown, as if it made a difference.
    OrderedRecords,
    /// The same within records only.
    OrderedWithinRecords,
    /// It is left out which values are together in a record of a group.
    LooseRecords,
    /// It is left out in which record the records within are.
    LooseWithinRecords,
}

impl View {
    /// All that leave something out.
    pub const BROKEN: [View; 4] =
        [View::NoNextPids, View::LooseNextPids, View::NoAncestors, View::NoElderSiblings];

    /// All that leave something out of classes.
    pub const BROKEN_CLASSES: [View; 2] = [View::NoParts, View::NoOrder];

    /// All that leave something out of groups, or show more of them than there is to see.
    pub const BROKEN_GROUPS: [View; 4] = [
        View::OrderedRecords,
        View::OrderedWithinRecords,
        View::LooseRecords,
        View::LooseWithinRecords,
    ];

    /// Whether more is seen than there is.
    pub fn sees_more(self) -> bool {
        matches!(self, View::OrderedRecords | View::OrderedWithinRecords)
    }

    /// Whether it is about groups.
    fn is_of_groups(self) -> bool {
        View::BROKEN_GROUPS.contains(&self)
    }

    /// Whether there is something to leave out under Ω, and something left that might make up for it.
    pub fn concerns(self, relations: Relations) -> bool {
        let both = |one, other| relations.contains(one) && relations.contains(other);
        match self {
            View::Whole | View::NoParts | View::NoOrder => true,
            _ if self.is_of_groups() => true,
            View::NoNextPids | View::LooseNextPids => {
                relations.contains(Relation::NextSibling)
                    || relations.contains(Relation::ElderSibling)
            }
            View::NoAncestors => both(Relation::Parent, Relation::Ancestor),
            View::NoElderSiblings => both(Relation::NextSibling, Relation::ElderSibling),
            _ => unreachable!("groups are there whatever is observed"),
        }
    }

    /// The working state of a concrete one, as it is seen.
    pub fn of(self, compiled: &Compiled, state: &State) -> Working {
        let (mut working, pids) = compiled.working(state);
        if self.is_of_groups() {
            return self.regrouped(&working, compiled);
        }
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
        let mut places = schema.places.clone();
        for shape in &mut places {
            let Regrouped { groups, order } = self.groups(&shape.groups, shape.columns.len());
            shape.columns = order.iter().map(|&at| shape.columns[at]).collect();
            shape.groups = groups;
        }
        Schema { places, classes }
    }

    /// The working state with the columns of its tokens as they are seen.
    fn regrouped(self, working: &Working, compiled: &Compiled) -> Working {
        let schema = self.schema(compiled.schema());
        let mut seen = Working::new(&schema, compiled.relations());
        seen.kinship = working.kinship.clone();
        for (place, shape) in compiled.schema().places.iter().enumerate() {
            let Regrouped { order, .. } = self.groups(&shape.groups, shape.columns.len());
            for entry in working.entries(place) {
                let mut token: Vec<u32> = order.iter().map(|&at| entry[1 + at]).collect();
                schema.places[place].normalise(&mut token);
                assert!(seen.put(place, &token, entry[0]), "as many as before");
            }
        }
        seen
    }

    /// The groups of a token or a record as they are seen, and the columns in their order.
    fn groups(self, groups: &[Group], columns: usize) -> Regrouped {
        let mut seen = Regrouped { groups: Vec::new(), order: Vec::new() };
        while seen.order.len() < columns {
            let at = seen.order.len();
            match groups.iter().find(|group| group.first == at) {
                Some(group) => self.add(group, &mut seen),
                None => seen.order.push(at),
            }
        }
        seen
    }

    fn add(self, group: &Group, seen: &mut Regrouped) {
        let Group { first, width, count, groups } = group;
        let column = |column: usize| (0..*count).map(move |number| first + number * width + column);
        match self {
            View::OrderedRecords => seen.order.extend(*first..group.end()),
            View::OrderedWithinRecords => {
                seen.groups.push(Group::new(*first, *width, *count));
                seen.order.extend(*first..group.end());
            }
            View::LooseRecords if groups.is_empty() => {
                for at in 0..*width {
                    seen.groups.push(Group::new(first + at * count, 1, *count));
                    seen.order.extend(column(at));
                }
            }
            // First what is in no group within, then all of the groups within together.
            View::LooseWithinRecords if !groups.is_empty() => {
                let within = |at: &usize| groups.iter().any(|g| (g.first..g.end()).contains(at));
                let outside = (0..*width).filter(|at| !within(at)).collect::<Vec<usize>>();
                seen.groups.push(Group::new(*first, outside.len(), *count));
                for number in 0..*count {
                    seen.order.extend(outside.iter().map(|at| first + number * width + at));
                }
                for group in groups {
                    let (start, all) = (seen.order.len(), group.count * count);
                    seen.groups.push(Group::new(start, group.width, all));
                    for number in 0..*count {
                        let record = first + number * width;
                        seen.order.extend(record + group.first..record + group.end());
                    }
                }
            }
            _ => {
                seen.groups.push(group.clone());
                seen.order.extend(*first..group.end());
            }
        }
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

/// Groups as they are seen, and which column is where.
struct Regrouped {
    groups: Vec<Group>,
    order: Vec<usize>,
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
