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
#[derive(Debug)]
pub struct Index<'d> {
    pub(crate) nodes: HashMap<&'d str, Node<'d>>,
    /// What references stand for in the end.
    resolved: HashMap<&'d str, Option<Node<'d>>>,
    pub(crate) sorts: HashMap<&'d str, SortDeclaration<'d>>,
    pub(crate) variables: HashMap<&'d str, &'d Variable>,
    pub(crate) operators: HashMap<&'d str, OperatorDeclaration<'d>>,
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
        Index::build(net, &mut |_, _, _| {})
    }

    /// The index of a net; `twice` is called for each identifier that is given a second time,
    /// with what it is of and both places. The first one counts.
    pub(crate) fn build(
        net: &'d Net,
        twice: &mut dyn FnMut(&'static str, &'d Id, &'d Id),
    ) -> Index<'d> {
        let mut index = Index {
            nodes: HashMap::new(),
            resolved: HashMap::new(),
            sorts: HashMap::new(),
            variables: HashMap::new(),
            operators: HashMap::new(),
        };
        index.add_declarations(net, twice);
        index.add_nodes(net, twice);
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

    fn add_declarations(
        &mut self,
        net: &'d Net,
        twice: &mut dyn FnMut(&'static str, &'d Id, &'d Id),
    ) {
        for declaration in net.all_declarations() {
            match declaration {
                Declaration::Sort(sort) => {
                    let named = SortDeclaration::Named(sort);
                    insert(&mut self.sorts, &sort.id, named, SortDeclaration::id, "sorts", twice);
                    let Shape::Enumeration { constants, .. } = &sort.sort.shape else { continue };
                    for (position, constant) in constants.iter().enumerate() {
                        let found = OperatorDeclaration::Constant(sort, constant, position);
                        self.add_operator(&constant.id, found, twice);
                    }
                }
                Declaration::Partition(partition) => {
                    let found = SortDeclaration::Partition(partition);
                    let id = &partition.id;
                    insert(&mut self.sorts, id, found, SortDeclaration::id, "sorts", twice);
                    for (position, part) in partition.parts.iter().enumerate() {
                        let found = OperatorDeclaration::Part(partition, part, position);
                        self.add_operator(&part.id, found, twice);
                    }
                }
                Declaration::Operator(operator) => {
                    self.add_operator(&operator.id, OperatorDeclaration::Named(operator), twice);
                }
                Declaration::Variable(variable) => {
                    let id = |variable: &&'d Variable| &variable.id;
                    insert(&mut self.variables, id(&variable), variable, id, "variables", twice);
                }
            }
        }
    }

    fn add_operator(
        &mut self,
        id: &'d Id,
        found: OperatorDeclaration<'d>,
        twice: &mut dyn FnMut(&'static str, &'d Id, &'d Id),
    ) {
        insert(
            &mut self.operators,
            id,
            found,
            OperatorDeclaration::id,
            "constants or operators",
            twice,
        );
    }

    fn add_nodes(&mut self, net: &'d Net, twice: &mut dyn FnMut(&'static str, &'d Id, &'d Id)) {
        let mut arcs = HashMap::new();
        let mut pages = HashMap::new();
        for page in net.all_pages() {
            insert(&mut pages, &page.id, &page.id, |id| id, "pages", twice);
            for arc in &page.arcs {
                insert(&mut arcs, &arc.id, &arc.id, |id| id, "arcs", twice);
            }
            let places = page.places.iter().map(Node::Place);
            let transitions = page.transitions.iter().map(Node::Transition);
            let reference_places = page.reference_places.iter().map(Node::ReferencePlace);
            let reference_transitions =
                page.reference_transitions.iter().map(Node::ReferenceTransition);
            let references = reference_places.chain(reference_transitions);
            for node in places.chain(transitions).chain(references) {
                insert(&mut self.nodes, node.id(), node, Node::id, "nodes", twice);
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

fn insert<'d, T>(
    map: &mut HashMap<&'d str, T>,
    id: &'d Id,
    value: T,
    id_of: impl Fn(&T) -> &'d Id,
    what: &'static str,
    twice: &mut dyn FnMut(&'static str, &'d Id, &'d Id),
) {
    match map.entry(&id.text) {
        Entry::Occupied(entry) => twice(what, id_of(entry.get()), id),
        Entry::Vacant(entry) => {
            entry.insert(value);
        }
    }
}
