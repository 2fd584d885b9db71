//! What the identifiers of a net stand for.
//!
//! PNML wants identifiers to be unique in the whole document. Here they have to be unique among what can
//! be meant in the same place: nodes; sorts; variables; constants, parts and operators; arcs; pages.
//! References to nodes are followed once, when the index is built. Linear.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::declaration::{Declaration, NamedOperator, NamedSort, Part, Partition, Variable};
use crate::document::{Id, Net, Place, Reference, Transition};
use crate::sort::{Constant, Shape};

/// What the identifiers of a net stand for.
#[derive(Debug, Default)]
pub struct Index<'d> {
    pub(crate) nodes: HashMap<&'d str, Node<'d>>,
    /// What references stand for in the end.
    resolved: HashMap<&'d str, Option<Node<'d>>>,
    pub(crate) sorts: HashMap<&'d str, SortDeclaration<'d>>,
    pub(crate) variables: HashMap<&'d str, &'d Variable>,
    pub(crate) operators: HashMap<&'d str, OperatorDeclaration<'d>>,
    /// The identifiers that are given a second time: of what, and both places. The first one counts.
    pub(crate) duplicates: Vec<(&'static str, &'d Id, &'d Id)>,
}

/// A node of a net.
#[derive(Clone, Copy, Debug)]
pub enum Node<'d> {
    /// A place.
    Place(&'d Place),
    /// A transition.
    Transition(&'d Transition),
    /// A place of another page.
    ReferencePlace(&'d Reference),
    /// A transition of another page.
    ReferenceTransition(&'d Reference),
}

/// What a `usersort` can refer to.
#[derive(Clone, Copy, Debug)]
pub enum SortDeclaration<'d> {
    /// A named sort.
    Named(&'d NamedSort),
    /// A partition: the sort of its parts.
    Partition(&'d Partition),
}

/// What a `useroperator` can refer to.
#[derive(Clone, Copy, Debug)]
pub enum OperatorDeclaration<'d> {
    /// An element of an enumeration, and its place in the order, from 0.
    Constant(&'d NamedSort, &'d Constant, usize),
    /// A part of a partition, and its place in the order, from 0.
    Part(&'d Partition, &'d Part, usize),
    /// An operator defined by a term.
    Named(&'d NamedOperator),
}

impl<'d> Index<'d> {
    /// The index of a net.
    #[must_use]
    pub fn new(net: &'d Net) -> Index<'d> {
        let mut index = Index::default();
        index.add_declarations(net);
        index.add_nodes(net);
        index.resolve_references();
        index
    }

    /// The place or transition known by this name, references followed.
    #[must_use]
    pub fn node(&self, id: &str) -> Option<Node<'d>> {
        match self.nodes.get(id)? {
            Node::ReferencePlace(_) | Node::ReferenceTransition(_) => *self.resolved.get(id)?,
            node => Some(*node),
        }
    }

    /// The sort known by this name.
    #[must_use]
    pub fn sort(&self, id: &str) -> Option<SortDeclaration<'d>> {
        self.sorts.get(id).copied()
    }

    /// The variable known by this name; not the parameters of operators.
    #[must_use]
    pub fn variable(&self, id: &str) -> Option<&'d Variable> {
        self.variables.get(id).copied()
    }

    /// The constant, part or operator known by this name.
    #[must_use]
    pub fn operator(&self, id: &str) -> Option<OperatorDeclaration<'d>> {
        self.operators.get(id).copied()
    }

    fn add_declarations(&mut self, net: &'d Net) {
        for declaration in net.all_declarations() {
            match declaration {
                Declaration::Sort(sort) => {
                    self.add_sort(SortDeclaration::Named(sort));
                    let Shape::Enumeration { constants, .. } = &sort.sort.shape else { continue };
                    for (position, constant) in constants.iter().enumerate() {
                        self.add_operator(OperatorDeclaration::Constant(sort, constant, position));
                    }
                }
                Declaration::Partition(partition) => {
                    self.add_sort(SortDeclaration::Partition(partition));
                    for (position, part) in partition.parts.iter().enumerate() {
                        self.add_operator(OperatorDeclaration::Part(partition, part, position));
                    }
                }
                Declaration::Operator(operator) => {
                    self.add_operator(OperatorDeclaration::Named(operator));
                }
                Declaration::Variable(variable) => {
                    let first = insert(&mut self.variables, &variable.id, variable);
                    let twice = first.map(|first| ("variables", &first.id, &variable.id));
                    self.duplicates.extend(twice);
                }
            }
        }
    }

    fn add_sort(&mut self, sort: SortDeclaration<'d>) {
        let first = insert(&mut self.sorts, sort.id(), sort);
        self.duplicates.extend(first.map(|first| ("sorts", first.id(), sort.id())));
    }

    fn add_operator(&mut self, operator: OperatorDeclaration<'d>) {
        let first = insert(&mut self.operators, operator.id(), operator);
        let twice = first.map(|first| ("constants or operators", first.id(), operator.id()));
        self.duplicates.extend(twice);
    }

    fn add_nodes(&mut self, net: &'d Net) {
        let mut arcs = HashMap::new();
        let mut pages = HashMap::new();
        for page in net.all_pages() {
            let first = insert(&mut pages, &page.id, &page.id);
            self.duplicates.extend(first.map(|first| ("pages", first, &page.id)));
            for arc in &page.arcs {
                let first = insert(&mut arcs, &arc.id, &arc.id);
                self.duplicates.extend(first.map(|first| ("arcs", first, &arc.id)));
            }
            let places = page.places.iter().map(Node::Place);
            let transitions = page.transitions.iter().map(Node::Transition);
            let reference_places = page.reference_places.iter().map(Node::ReferencePlace);
            let reference_transitions =
                page.reference_transitions.iter().map(Node::ReferenceTransition);
            let references = reference_places.chain(reference_transitions);
            for node in places.chain(transitions).chain(references) {
                let first = insert(&mut self.nodes, node.id(), node);
                self.duplicates.extend(first.map(|first| ("nodes", first.id(), node.id())));
            }
        }
    }

    /// Follows every reference to its end, each one once. What a circle of references stands for, or one
    /// that leads nowhere or to a node of the other kind, is nothing.
    fn resolve_references(&mut self) {
        let mut path = Vec::new();
        for start in self.nodes.values() {
            let mut node = *start;
            let found = loop {
                let (Node::ReferencePlace(reference) | Node::ReferenceTransition(reference)) = node
                else {
                    break Some(node);
                };
                match self.resolved.entry(&reference.id.text) {
                    Entry::Occupied(entry) => break *entry.get(),
                    // Nothing, for now: so a circle comes to its end.
                    Entry::Vacant(entry) => entry.insert(None),
                };
                path.push(node);
                match self.nodes.get(reference.target.text.as_str()) {
                    Some(next) => node = *next,
                    None => break None,
                }
            };
            let mut found = found;
            for node in path.drain(..).rev() {
                found = match (&node, &found) {
                    (Node::ReferencePlace(_), Some(Node::Place(_))) => found,
                    (Node::ReferenceTransition(_), Some(Node::Transition(_))) => found,
                    _ => None,
                };
                self.resolved.insert(&node.id().text, found);
            }
        }
    }
}

impl<'d> Node<'d> {
    /// What the node is known by.
    #[must_use]
    pub fn id(&self) -> &'d Id {
        match self {
            Node::Place(place) => &place.id,
            Node::Transition(transition) => &transition.id,
            Node::ReferencePlace(reference) | Node::ReferenceTransition(reference) => &reference.id,
        }
    }
}

impl<'d> SortDeclaration<'d> {
    /// What the sort is known by.
    #[must_use]
    pub fn id(&self) -> &'d Id {
        match self {
            SortDeclaration::Named(sort) => &sort.id,
            SortDeclaration::Partition(partition) => &partition.id,
        }
    }
}

impl<'d> OperatorDeclaration<'d> {
    /// What the operator is known by.
    #[must_use]
    pub fn id(&self) -> &'d Id {
        match self {
            OperatorDeclaration::Constant(_, constant, _) => &constant.id,
            OperatorDeclaration::Part(_, part, _) => &part.id,
            OperatorDeclaration::Named(operator) => &operator.id,
        }
    }
}

/// Adds what an identifier stands for, unless it stands for something already, which is returned.
fn insert<'d, T: Copy>(map: &mut HashMap<&'d str, T>, id: &'d Id, value: T) -> Option<T> {
    match map.entry(&id.text) {
        Entry::Occupied(entry) => Some(*entry.get()),
        Entry::Vacant(entry) => {
            entry.insert(value);
            None
        }
    }
}
