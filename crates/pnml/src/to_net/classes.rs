//! Sorts as columns: the classes that tokens and variables are made of.
//!
//! A product is the list of its columns, products in it taken apart; the dot has none. An enumeration is
//! a class of its own. So is a range with a name, though to the standard ranges with the same ends are one
//! sort: what is never mixed need not be one class, and two classes can be permuted apart. Where a term
//! does mix two of them, they are united ([`Classes::unite`]), and everything is translated once more. A
//! range that is written without a name is a class with those that are written so and have its ends.
//! Partitions are sorts of parts; they become enumerations only where tokens or variables are parts.
//!
//! Until the net is complete, [`EnumId`] is the number of a class here.

use std::collections::HashMap;
use std::rc::Rc;

use net::EnumId;

use crate::check::types::declared_sorts;
use crate::closed::Members;
use crate::declaration::{Constant, Declaration, Declared, Part};
use crate::document::Net;
use crate::index::Index;
use crate::sort::{Range, Shape, Sort};
use crate::term::{Operator, Term};
use diagnostics::Span;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    Bool,
    Class(EnumId),
    /// A number that may be of any class with this range.
    Integer(Range),
}

/// The columns of a sort.
pub(super) type Columns = Rc<[Domain]>;

#[derive(Debug)]
pub(super) enum Class<'d> {
    Enumeration {
        sort: &'d Declaration,
        cyclic: bool,
        constants: &'d [Constant],
    },
    Range {
        range: Range,
        sort: Option<&'d Declaration>,
    },
    Partition {
        partition: &'d Declaration,
        class: EnumId,
        /// The identifiers of the parts.
        ids: Vec<&'d str>,
        /// The members of each part.
        parts: Vec<Vec<u32>>,
    },
}

impl Class<'_> {
    /// The identifier of its declaration, and where that stands; a range may have none.
    pub(super) fn declared(&self) -> Option<(&str, Span)> {
        match self {
            Class::Enumeration { sort, .. } | Class::Range { sort: Some(sort), .. } => {
                Some((&sort.id.text, sort.span))
            }
            Class::Range { sort: None, .. } => None,
            Class::Partition { partition, .. } => Some((&partition.id.text, partition.span)),
        }
    }

    /// The identifiers of its members; a range has none.
    pub(super) fn members(&self) -> Vec<&str> {
        match self {
            Class::Enumeration { constants, .. } => constants.iter().map(|c| &*c.id.text).collect(),
            Class::Range { .. } => Vec::new(),
            Class::Partition { ids, .. } => ids.clone(),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Classes<'d> {
    list: Vec<Class<'d>>,
    /// By class, one that it is united with; itself if there is none.
    united: Vec<EnumId>,
    /// Whether classes were united since the last question.
    changed: bool,
    named: HashMap<&'d str, Columns>,
    ranges: HashMap<(i64, i64), EnumId>,
}

impl Members for Classes<'_> {
    fn shifted(&self, id: EnumId, member: u32, steps: i32) -> Option<u32> {
        let size = i64::try_from(self.size(id)).ok()?;
        Some((i64::from(member) + i64::from(steps)).rem_euclid(size) as u32)
    }

    /// Partitions become comparisons with members, so classes have no parts here.
    fn is_within(&self, _: EnumId, _: u32, _: u32) -> bool {
        false
    }
}

impl<'d> Classes<'d> {
    pub(super) fn new(net: &'d Net, index: &Index<'d>) -> Classes<'d> {
        let mut classes = Classes::default();
        let (declarations, order, _) = declared_sorts(net);
        for (sort, definition) in &declarations {
            let Declared::Sort(_) = sort.value else { continue };
            let class = match &definition.shape {
                Shape::Enumeration { cyclic, constants } => {
                    Class::Enumeration { sort, cyclic: *cyclic, constants }
                }
                Shape::Range(range) => Class::Range { range: *range, sort: Some(sort) },
                _ => continue,
            };
            let columns = Rc::new([Domain::Class(classes.add(class))]);
            classes.named.insert(&sort.id.text, columns);
        }
        for (declaration, sort) in order.into_iter().map(|at| declarations[at]) {
            let id = declaration.id.text.as_str();
            let columns = match &declaration.value {
                Declared::Partition { parts, .. } => {
                    classes.partition(declaration, sort, parts, index)
                }
                _ if classes.named.contains_key(id) => continue,
                _ => classes.columns(sort),
            };
            classes.named.insert(id, columns);
        }
        classes
    }

    fn add(&mut self, class: Class<'d>) -> EnumId {
        let id = EnumId(u32::try_from(self.list.len()).expect("fewer than bytes of the text"));
        self.list.push(class);
        self.united.push(id);
        id
    }

    fn partition(
        &mut self,
        partition: &'d Declaration,
        sort: &'d Sort,
        parts: &'d [Part],
        index: &Index<'d>,
    ) -> Columns {
        let columns = self.columns(sort);
        let [Domain::Class(class)] = *columns else { return columns };
        let start = self.range(class).map_or(0, |range| range.start);
        let member = |constant: &Term| match &constant.operator {
            Operator::User(id) => {
                let constant = index.operator(&id.text)?;
                u32::try_from(constant.position).ok()
            }
            Operator::RangeConstant { value, .. } => {
                value.checked_sub(start).and_then(|index| u32::try_from(index).ok())
            }
            _ => None,
        };
        let members = |part: &Part| part.value.iter().filter_map(member).collect();
        let ids = parts.iter().map(|part| part.id.text.as_str()).collect();
        let parts = parts.iter().map(members).collect();
        Rc::new([Domain::Class(self.add(Class::Partition { partition, class, ids, parts }))])
    }

    /// The columns of a sort. Of nested sorts that were declared, those are known.
    pub(super) fn columns(&mut self, sort: &'d Sort) -> Columns {
        match &sort.shape {
            Shape::Dot | Shape::Enumeration { .. } => Rc::new([]),
            Shape::Bool => Rc::new([Domain::Bool]),
            Shape::User(id) => self.declared(&id.text),
            Shape::Range(range) => Rc::new([Domain::Class(self.anonymous(*range))]),
            Shape::Product(factors) => match &factors[..] {
                [factor] => self.columns(factor),
                factors => {
                    let lists: Vec<Columns> = factors.iter().map(|f| self.columns(f)).collect();
                    lists.iter().flat_map(|list| list.iter().copied()).collect()
                }
            },
        }
    }

    /// The columns of a sort or partition that is declared under this name.
    pub(super) fn declared(&self, id: &str) -> Columns {
        self.named.get(id).map_or_else(|| Rc::new([]) as Columns, Rc::clone)
    }

    /// The class of ranges with these ends that have no name.
    pub(super) fn anonymous(&mut self, range: Range) -> EnumId {
        match self.ranges.get(&(range.start, range.end)) {
            Some(id) => self.root(*id),
            None => {
                let id = self.add(Class::Range { range, sort: None });
                self.ranges.insert((range.start, range.end), id);
                id
            }
        }
    }

    fn root(&self, mut id: EnumId) -> EnumId {
        while self.united[id.index()] != id {
            id = self.united[id.index()];
        }
        id
    }

    /// Whether two are the same class, or united.
    pub(super) fn are_one(&self, a: EnumId, b: EnumId) -> bool {
        self.root(a) == self.root(b)
    }

    /// Makes one class of two ranges that are mixed; the one declared first remains.
    pub(super) fn unite(&mut self, a: EnumId, b: EnumId) -> EnumId {
        let (a, b) = (self.root(a), self.root(b));
        let (first, second) = (a.min(b), a.max(b));
        self.changed |= first != second;
        self.united[second.index()] = first;
        first
    }

    /// Whether classes were united since this was last asked. From now on they are one.
    pub(super) fn take_changes(&mut self) -> bool {
        if !std::mem::take(&mut self.changed) {
            return false;
        }
        for id in 0..self.united.len() {
            self.united[id] = self.root(self.united[id]);
        }
        let united = &self.united;
        for columns in self.named.values_mut() {
            let rooted = |domain: &Domain| match *domain {
                Domain::Class(id) => Domain::Class(united[id.index()]),
                other => other,
            };
            *columns = columns.iter().map(rooted).collect();
        }
        for class in &mut self.list {
            if let Class::Partition { class, .. } = class {
                *class = united[class.index()];
            }
        }
        true
    }

    pub(super) fn get(&self, id: EnumId) -> &Class<'d> {
        &self.list[id.index()]
    }

    /// The number of its members.
    pub(super) fn size(&self, id: EnumId) -> u64 {
        match self.get(id) {
            Class::Enumeration { constants, .. } => constants.len() as u64,
            Class::Range { range, .. } => range.size(),
            Class::Partition { parts, .. } => parts.len() as u64,
        }
    }

    pub(super) fn range(&self, id: EnumId) -> Option<Range> {
        match self.get(id) {
            Class::Range { range, .. } => Some(*range),
            _ => None,
        }
    }

    /// The class that a partition divides, and the members of its parts.
    pub(super) fn divided(&self, id: EnumId) -> Option<(EnumId, &[Vec<u32>])> {
        match self.get(id) {
            Class::Partition { class, parts, .. } => Some((*class, parts)),
            _ => None,
        }
    }

    /// The classes that are enumerations of the net whatever it says: all but partitions and those that
    /// were united with another.
    pub(super) fn always(&self) -> impl Iterator<Item = EnumId> {
        let numbered = (0..).map(EnumId).zip(&self.list);
        let kept = numbered.filter(|(id, class)| {
            self.united[id.index()] == *id && !matches!(class, Class::Partition { .. })
        });
        kept.map(|(id, _)| id)
    }
}
