//! Declarations: sorts, partitions and variables.
//!
//! Every sort has a name, since tools expect it: the dot, truth values, ranges and products too. Variables
//! are declared once for the whole net, so those that transitions call alike, and that are of different
//! sorts, get different identifiers.

use std::collections::{HashMap, HashSet};

use net::{EnumId, Net, Sort as NetSort, Symmetry};

use super::id;
use crate::declaration::{Declaration, Declared, Named};
use crate::document::free;
use crate::sort::{Range, Shape, Sort};
use crate::term::{Operator, Term};
use diagnostics::Span;

pub(super) struct Sorts<'n> {
    net: &'n Net,
    taken: HashSet<String>,
    /// Sorts that are no classes, as they were asked for.
    named: Vec<(Vec<NetSort>, String)>,
    variables: Vec<(String, NetSort)>,
    variable_ids: HashMap<(String, NetSort), String>,
    variables_taken: HashSet<String>,
    partitions: Vec<String>,
}

impl<'n> Sorts<'n> {
    pub(super) fn new(net: &'n Net) -> Sorts<'n> {
        let mut sorts = Sorts {
            net,
            taken: net.enumerations.iter().map(|class| class.name.clone()).collect(),
            named: Vec::new(),
            variables: Vec::new(),
            variable_ids: HashMap::new(),
            variables_taken: HashSet::new(),
            partitions: Vec::new(),
        };
        sorts.partitions = net
            .enumerations
            .iter()
            .map(|class| {
                free(format!("{}_parts", class.name), |name| !sorts.taken.insert(name.into()))
            })
            .collect();
        sorts
    }

    /// The sort of one column.
    pub(super) fn column(&mut self, sort: NetSort) -> Sort {
        self.place(&[sort])
    }

    /// The sort of a place with these columns.
    pub(super) fn place(&mut self, columns: &[NetSort]) -> Sort {
        match columns {
            [NetSort::Enum(id)] => user(&self.net.enumerations[id.index()].name),
            columns => self.named(columns),
        }
    }

    fn named(&mut self, columns: &[NetSort]) -> Sort {
        if let Some((_, name)) = self.named.iter().find(|(other, _)| other == columns) {
            return user(name);
        }
        let words: Vec<String> = columns.iter().map(|sort| self.word(*sort)).collect();
        let name = if words.is_empty() { "dot".into() } else { words.join("_x_") };
        // Those that it is made of are declared before it.
        if columns.len() > 1 {
            columns.iter().for_each(|sort| drop(self.column(*sort)));
        }
        let name = free(name, |name| !self.taken.insert(name.into()));
        self.named.push((columns.to_vec(), name.clone()));
        user(&name)
    }

    fn word(&self, sort: NetSort) -> String {
        match sort {
            NetSort::Enum(id) => self.net.enumerations[id.index()].name.clone(),
            NetSort::Int { min, max } => format!("{min}..{max}"),
            _ => "bool".into(),
        }
    }

    /// The identifier of a variable.
    pub(super) fn variable(&mut self, name: &str, sort: NetSort) -> String {
        let key = (name.to_owned(), sort);
        if let Some(id) = self.variable_ids.get(&key) {
            return id.clone();
        }
        let _ = self.column(sort);
        let id = free(name.into(), |name| !self.variables_taken.insert(name.into()));
        self.variables.push((id.clone(), sort));
        self.variable_ids.insert(key, id.clone());
        id
    }

    /// The partition of a class into its parts.
    pub(super) fn partition(&self, id: EnumId) -> &str {
        &self.partitions[id.index()]
    }

    pub(super) fn declarations(&mut self) -> Vec<Declaration> {
        let mut list: Vec<Declaration> = Vec::new();
        for class in &self.net.enumerations {
            let constants = class.members.iter().map(|member| named(member, ())).collect();
            let cyclic = class.goes_round() && class.symmetry != Symmetry::Full;
            list.push(named_sort(&class.name, Shape::Enumeration { cyclic, constants }));
        }
        for (columns, name) in self.named.clone() {
            let shape = match &columns[..] {
                [] => Shape::Dot,
                [NetSort::Int { min, max }] => Shape::Range(Range { start: *min, end: *max }),
                [_] => Shape::Bool,
                columns => Shape::Product(columns.iter().map(|sort| self.column(*sort)).collect()),
            };
            list.push(named_sort(&name, shape));
        }
        for (class, name) in self.net.enumerations.iter().zip(&self.partitions) {
            if class.parts.is_empty() {
                continue;
            }
            let part = |(index, part): (usize, &net::Part)| {
                let constants = class.part(index).map(|i| constant(&class.members[i as usize]));
                named(&part.name, constants.collect())
            };
            let parts = class.parts.iter().enumerate().map(part).collect();
            list.push(named(name, Declared::Partition { sort: user(&class.name), parts }));
        }
        for (name, sort) in self.variables.clone() {
            list.push(named(&name, Declared::Variable(self.column(sort))));
        }
        list
    }
}

fn named<T>(name: &str, value: T) -> Named<T> {
    Named { id: id(name), name: name.to_owned(), value, span: Span::default() }
}

fn named_sort(name: &str, shape: Shape) -> Declaration {
    named(name, Declared::Sort(Sort { shape, span: Span::default() }))
}

pub(super) fn user(name: &str) -> Sort {
    Sort { shape: Shape::User(id(name)), span: Span::default() }
}

pub(super) fn constant(name: &str) -> Term {
    Term { operator: Operator::User(id(name)), subterms: Vec::new(), span: Span::default() }
}
