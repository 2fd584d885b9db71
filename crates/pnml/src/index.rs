//! What the identifiers of a net stand for.
//!
//! PNML wants identifiers to be unique in the whole document. Here they have to be unique among what can
//! be meant in the same place: nodes; sorts; variables; constants, parts and operators; arcs; pages.
//! References to nodes are followed once, when the index is built. Linear.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::declaration::{Declaration, Declared};
use crate::document::{Id, Net, Place, Reference, Transition};
use crate::order::order;
use crate::sort::{Shape, Sort};

/// What the identifiers of a net stand for.
#[derive(Debug, Default)]
pub struct Index<'d> {
    pub(crate) nodes: Known<'d, Node<'d>>,
    /// What references stand for in the end.
    resolved: HashMap<&'d str, Node<'d>>,
    pub(crate) sorts: Known<'d, &'d Declaration>,
    variables: Known<'d, &'d Sort>,
    pub(crate) operators: Known<'d, UserOperator<'d>>,
    /// The identifiers that are given a second time: of what, and both places. The first one counts.
    pub(crate) duplicates: Vec<(&'static str, &'d Id, &'d Id)>,
}

/// What identifiers stand for, and where each is given first.
type Known<'d, T> = HashMap<&'d str, (&'d Id, T)>;

/// A node of a net.
#[derive(Clone, Copy, Debug)]
pub enum Node<'d> {
    /// A place.
    Place(&'d Place),
    /// A transition.
    Transition(&'d Transition),
    /// A place or a transition of another page.
    Reference(&'d Reference),
}

/// What a `useroperator` can refer to: a constant of a sort, a part of a partition, or an operator.
#[derive(Clone, Copy, Debug)]
pub struct UserOperator<'d> {
    /// The sort, the partition, or the operator itself.
    pub declaration: &'d Declaration,
    /// The place of a constant or a part in the order, from 0.
    pub position: usize,
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
        match self.nodes.get(id)?.1 {
            Node::Reference(_) => self.resolved.get(id).copied(),
            node => Some(node),
        }
    }

    /// The named sort or partition known by this name.
    #[must_use]
    pub fn sort(&self, id: &str) -> Option<&'d Declaration> {
        self.sorts.get(id).map(|(_, declaration)| *declaration)
    }

    /// The sort of the variable known by this name; not of the parameters of operators.
    #[must_use]
    pub fn variable(&self, id: &str) -> Option<&'d Sort> {
        self.variables.get(id).map(|(_, sort)| *sort)
    }

    /// The constant, part or operator known by this name.
    #[must_use]
    pub fn operator(&self, id: &str) -> Option<UserOperator<'d>> {
        self.operators.get(id).map(|(_, operator)| *operator)
    }

    fn add_declarations(&mut self, net: &'d Net) {
        for declaration in net.all_declarations() {
            let id = &declaration.id;
            match &declaration.value {
                Declared::Sort(sort) => {
                    add(&mut self.sorts, "sorts", id, declaration, &mut self.duplicates);
                    if let Shape::Enumeration { constants, .. } = &sort.shape {
                        self.add_operators(declaration, constants.iter().map(|c| &c.id));
                    }
                }
                Declared::Partition { parts, .. } => {
                    add(&mut self.sorts, "sorts", id, declaration, &mut self.duplicates);
                    self.add_operators(declaration, parts.iter().map(|part| &part.id));
                }
                Declared::Operator { .. } => self.add_operators(declaration, [id]),
                Declared::Variable(sort) => {
                    add(&mut self.variables, "variables", id, sort, &mut self.duplicates);
                }
            }
        }
    }

    fn add_operators(
        &mut self,
        declaration: &'d Declaration,
        ids: impl IntoIterator<Item = &'d Id>,
    ) {
        for (position, id) in ids.into_iter().enumerate() {
            let operator = UserOperator { declaration, position };
            let what = "constants or operators";
            add(&mut self.operators, what, id, operator, &mut self.duplicates);
        }
    }

    fn add_nodes(&mut self, net: &'d Net) {
        let mut arcs = HashMap::new();
        let mut pages = HashMap::new();
        for page in net.all_pages() {
            add(&mut pages, "pages", &page.id, (), &mut self.duplicates);
            for arc in &page.arcs {
                add(&mut arcs, "arcs", &arc.id, (), &mut self.duplicates);
            }
            let places = page.places.iter().map(|place| (&place.id, Node::Place(place)));
            let transitions = page.transitions.iter().map(|t| (&t.id, Node::Transition(t)));
            let references = page.references.iter().map(|r| (&r.id, Node::Reference(r)));
            for (id, node) in places.chain(transitions).chain(references) {
                add(&mut self.nodes, "nodes", id, node, &mut self.duplicates);
            }
        }
    }

    /// Follows every reference to its end, each one once. What a circle of references stands for, or one
    /// that leads nowhere or to a node of the other kind, is nothing.
    fn resolve_references(&mut self) {
        let references = self.nodes.values().filter_map(|(_, node)| match node {
            Node::Reference(reference) => Some(*reference),
            _ => None,
        });
        let references: Vec<&Reference> = references.collect();
        let target =
            |reference: &&'d Reference| (&*reference.id.text, vec![reference.target.text.as_str()]);
        let (order, _) = order(&references.iter().map(target).collect::<Vec<_>>());
        for reference in order.into_iter().map(|at| references[at]) {
            match self.node(&reference.target.text) {
                Some(node) if matches!(node, Node::Place(_)) == reference.is_place => {
                    self.resolved.insert(&reference.id.text, node);
                }
                _ => {}
            }
        }
    }
}

/// Adds what an identifier stands for, unless it stands for something already.
fn add<'d, T>(
    known: &mut Known<'d, T>,
    what: &'static str,
    id: &'d Id,
    value: T,
    duplicates: &mut Vec<(&'static str, &'d Id, &'d Id)>,
) {
    match known.entry(&id.text) {
        Entry::Occupied(first) => duplicates.push((what, first.get().0, id)),
        Entry::Vacant(entry) => {
            entry.insert((id, value));
        }
    }
}
