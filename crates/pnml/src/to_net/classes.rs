//! Sorts as columns: the classes that tokens and variables are made of.
//!
//! A product is the list of its columns, products in it taken apart; the dot has none. An enumeration is
//! a class of its own. So is a range with a name, though to the standard ranges with the same ends are one
//! sort: what is never mixed need not be one class, and two classes can be permuted apart. Where a term
//! does mix two of them, they are united ([`Classes::joined`]), and everything is translated once more. A
//! range that is written without a name is a class with those that are written so and have its ends.
//! Partitions are sorts of parts; they become enumerations only where tokens or variables are parts.
//!
//! Until the net is complete, [`EnumId`] is the number of a class among all sorts ([`Types`]).

use std::collections::HashMap;
use std::rc::Rc;

use net::{EnumId, Members};

use crate::check::types::{BOOL, DOT, Type, TypeId, Types};
use crate::declaration::{Declaration, Declared};
use crate::document::Net;
use crate::index::Index;
use crate::limits::Limits;
use crate::sort::{Range, Shape, Sort};
use diagnostics::Diagnostics;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    Bool,
    /// A number that says how often.
    Number,
    Class(EnumId),
    /// A number that may be of any class with this range.
    Integer(Range),
}

/// The columns of a sort.
pub(super) type Columns = Rc<[Domain]>;

pub(super) struct Classes<'t, 'd> {
    types: Types<'t, 'd>,
    /// The members of the parts of each partition.
    parts: HashMap<EnumId, Vec<Vec<u32>>>,
    /// Of ranges that are mixed, one with which they are united.
    united: HashMap<EnumId, EnumId>,
    /// Whether classes were united since the last question.
    pub(super) changed: bool,
}

impl Members for Classes<'_, '_> {
    fn shifted(&self, id: EnumId, member: u32, steps: i32) -> Option<u32> {
        let size = i64::try_from(self.size(id)).ok()?;
        Some((i64::from(member) + i64::from(steps)).rem_euclid(size) as u32)
    }

    /// Partitions become comparisons with members, so classes have no parts here.
    fn is_within(&self, _: EnumId, _: u32, _: u32) -> bool {
        false
    }
}

impl<'t, 'd> Classes<'t, 'd> {
    /// The classes of a net with which nothing is wrong.
    pub(super) fn new(net: &'d Net, index: &'t Index<'d>) -> Classes<'t, 'd> {
        let mut types = Types::new(net, index, &Limits::default(), &mut Diagnostics::default());
        let mut members = HashMap::new();
        for declaration in net.all_declarations() {
            let Declared::Partition { parts, .. } = &declaration.value else { continue };
            let mut member = |constant| types.element(constant).map(|(_, position)| position);
            let parts = parts.iter().map(|p| p.value.iter().filter_map(&mut member).collect());
            let parts = parts.collect();
            members.insert(EnumId(types.declared(&declaration.id.text).0), parts);
        }
        Classes { types, parts: members, united: HashMap::new(), changed: false }
    }

    /// The columns of a sort.
    pub(super) fn columns(&mut self, sort: &'d Sort) -> Columns {
        let number = self.types.of(sort, &mut Diagnostics::default());
        self.columns_of(number)
    }

    /// The columns of a sort or partition that is declared under this name.
    pub(super) fn declared(&self, id: &str) -> Columns {
        self.columns_of(self.types.declared(id))
    }

    fn columns_of(&self, number: TypeId) -> Columns {
        match self.types.shape(number) {
            _ if number == DOT => Rc::new([]),
            _ if number == BOOL => Rc::new([Domain::Bool]),
            Type::Product(factors) => {
                let lists: Vec<Columns> = factors.iter().map(|f| self.columns_of(*f)).collect();
                lists.iter().flat_map(|list| list.iter().copied()).collect()
            }
            _ => Rc::new([Domain::Class(self.root(EnumId(number.0)))]),
        }
    }

    fn root(&self, mut id: EnumId) -> EnumId {
        while let Some(other) = self.united.get(&id) {
            id = *other;
        }
        id
    }

    /// The class that the elements of both are in. Of two ranges that are mixed it makes one; the one
    /// declared first remains.
    pub(super) fn joined(&mut self, a: EnumId, b: EnumId) -> EnumId {
        let (a, b) = (self.root(a), self.root(b));
        let class = |id| self.divided(id).map(|(class, _)| class);
        match (class(a), class(b)) {
            _ if a == b => a,
            (None, None) => {
                let is_range = self.range(a).is_some() && self.range(a) == self.range(b);
                assert!(is_range, "only sorts that are the same are mixed");
                self.changed = true;
                self.united.insert(a.max(b), a.min(b));
                a.min(b)
            }
            (left, right) => self.joined(left.unwrap_or(a), right.unwrap_or(b)),
        }
    }

    pub(super) fn shape(&self, id: EnumId) -> &Type<'d> {
        self.types.shape(TypeId(id.0))
    }

    /// The number of its members.
    pub(super) fn size(&self, id: EnumId) -> u64 {
        u64::try_from(self.types.size(TypeId(id.0))).unwrap_or(u64::MAX)
    }

    pub(super) fn range(&self, id: EnumId) -> Option<Range> {
        match self.shape(id) {
            Type::Range { range, .. } => Some(*range),
            _ => None,
        }
    }

    /// The class that a partition divides, and the members of its parts.
    pub(super) fn divided(&self, id: EnumId) -> Option<(EnumId, &[Vec<u32>])> {
        match self.shape(id) {
            Type::Partition { class, .. } => Some((self.root(EnumId(class.0)), &self.parts[&id])),
            _ => None,
        }
    }

    /// Its declaration; a range may have none.
    pub(super) fn declaration(&self, id: EnumId) -> Option<&'d Declaration> {
        match self.shape(id) {
            Type::Range { id, .. } => self.types.index.sort((*id)?),
            Type::Enumeration { id, .. } | Type::Partition { id, .. } => self.types.index.sort(id),
            _ => None,
        }
    }

    /// The identifiers of its members; a range has none.
    pub(super) fn members(&self, id: EnumId) -> Vec<&'d str> {
        match self.declaration(id).map(|declaration| &declaration.value) {
            Some(Declared::Sort(Sort { shape: Shape::Enumeration { constants, .. }, .. })) => {
                constants.iter().map(|constant| &*constant.id.text).collect()
            }
            Some(Declared::Partition { parts, .. }) => {
                parts.iter().map(|part| &*part.id.text).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The classes that are enumerations of the net whatever it says: all but partitions and those that
    /// were united with another.
    pub(super) fn always(&self) -> impl Iterator<Item = EnumId> {
        let shapes = self.types.all().map(|(number, shape)| (EnumId(number.0), shape));
        let kept = shapes.filter(|(id, shape)| {
            matches!(shape, Type::Enumeration { .. } | Type::Range { .. })
                && !self.united.contains_key(id)
        });
        kept.map(|(id, _)| id)
    }
}
