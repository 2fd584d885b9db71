//! Values as rows of scalars.
//!
//! A token of a net is a row of columns, each with a number, a truth value, a member or an identity in it. So
//! a value is laid out as a row of such *scalars*:
//!
//! - a number, a truth value, a member, a handle, a reference: one scalar;
//! - an optional one of these: one scalar that may be `none`;
//! - an optional value of another type: a truth value that says whether there is one, then the value;
//! - a sequence: its length, then as many elements as it can have;
//! - a record: its components; a variant: the number of its case, then the components of all cases;
//! - a set of values of which there are few, and a map with such keys: for each of them whether it is there, and
//!   what is there for it;
//! - any other set or map: its length, then as many keys and values as it can have. In tokens these are groups of
//!   columns, whose order makes no difference.
//!
//! What is not there is the least value of its type, or `none` if it is an identity. So equal values are equal rows,
//! except for sets and maps that are lists: these are compared by what is in them.

use std::ops::Range;

use net::{Column, EnumId, Expr, FreshId, Group, Kind, Literal, Net, Sort, Symmetry};

use program::{FieldId, ObjectId, Program, Type};

/// How many elements there is room for where a type says how many there may be. Any number is too much for a net.
pub(crate) fn room(most: u32) -> u32 {
    if most == Type::UNBOUNDED { Type::ROOM_IN_NETS } else { most }
}

/// A set or a map has room for each possible key if there are at most this many.
const MOST_KEYS: i64 = 64;

/// What a column can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub sort: Sort,
    pub optional: bool,
}

impl Scalar {
    pub(crate) fn column(self, name: Option<String>) -> Column {
        Column { name, sort: self.sort, optional: self.optional }
    }

    /// What stands in a column that is not used.
    fn absent(self) -> Literal {
        match self.sort {
            _ if self.optional => Literal::None(Kind::from(self.sort)),
            Sort::Int { min, .. } => Literal::Int(min),
            Sort::Bool => Literal::Bool(false),
            Sort::Enum(id) => Literal::Enum(id, 0),
            Sort::Pid | Sort::Object(_) => unreachable!("where it may be missing it is optional"),
        }
    }
}

/// How a collection is laid out.
#[derive(Clone, Debug)]
pub(crate) enum Collection {
    /// Its length, then elements of this width, in their order.
    Sequence { width: usize, capacity: usize },
    /// For each key whether it is there, and a value of this width.
    Keyed { keys: Vec<Literal>, width: usize, capacity: usize },
    /// Its length, then keys and values of these widths, in any order.
    Listed { key: usize, value: usize, capacity: usize },
}

/// How the types of a program are laid out.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'p> {
    pub program: &'p Program,
    pub net: &'p Net,
    /// The class of the objects of the first type.
    pub first_class: FreshId,
}

impl Layout<'_> {
    /// The class of the objects of a type.
    pub(crate) fn class_of(&self, object: ObjectId) -> FreshId {
        FreshId(self.first_class.0 + object.0)
    }

    /// The scalars of a type.
    pub(crate) fn scalars(&self, of: &Type) -> Vec<Scalar> {
        let mut row = Vec::new();
        self.add(of, false, &mut row);
        row
    }

    /// The same where a value of the type may not be there.
    pub(crate) fn scalars_if_there(&self, of: &Type) -> Vec<Scalar> {
        let mut row = Vec::new();
        self.add(of, true, &mut row);
        row
    }

    /// The scalars of the fields of an object, one after the other.
    pub(crate) fn field_scalars(&self, of: ObjectId) -> Vec<Scalar> {
        let fields = &self.program.objects[of.index()].fields;
        fields.iter().flat_map(|field| self.scalars(&field.variable.of)).collect()
    }

    /// Where a field is among the scalars of an object.
    pub(crate) fn field(&self, of: ObjectId, field: FieldId) -> Range<usize> {
        let fields = self.program.objects[of.index()].fields.iter();
        self.range(fields.map(|field| &field.variable.of), field.index())
    }

    /// Where a component is in a record.
    pub(crate) fn component(&self, of: &Type, index: usize) -> Range<usize> {
        let Type::Record(id) = of else { unreachable!("only records have components") };
        let components = &self.program.records[id.index()].components;
        self.range(components.iter().map(|component| &component.of), index)
    }

    /// Where a component of a case is in a variant.
    pub(crate) fn payload(&self, of: &Type, case: usize, index: usize) -> Range<usize> {
        let Type::Variant(id) = of else { unreachable!("only variants have cases") };
        let cases = &self.program.variants[id.index()].cases;
        let before: usize = cases[..case].iter().map(|case| case.components.len()).sum();
        let components = cases.iter().flat_map(|case| &case.components);
        let Range { start, end } =
            self.range(components.map(|component| &component.of), before + index);
        start + 1..end + 1
    }

    fn range<'t>(&self, types: impl Iterator<Item = &'t Type>, index: usize) -> Range<usize> {
        let mut start = 0;
        for (number, of) in types.enumerate() {
            let width = self.width(of);
            if number == index {
                return start..start + width;
            }
            start += width;
        }
        unreachable!("the program was checked: there is such a part")
    }

    /// The row of a case of a variant, whose components these are.
    pub(crate) fn case(&self, of: &Type, case: usize, payload: Vec<Expr>) -> Vec<Expr> {
        let mut row = self.absent(of);
        row[0] = Expr::int(case as i64);
        let Type::Variant(id) = of else { unreachable!("only variants have cases") };
        if !self.program.variants[id.index()].cases[case].components.is_empty() {
            let start = self.payload(of, case, 0).start;
            row.splice(start..start + payload.len(), payload);
        }
        row
    }

    /// The number of scalars of a type.
    pub(crate) fn width(&self, of: &Type) -> usize {
        self.scalars(of).len()
    }

    /// The row of a value that is not there.
    pub(crate) fn absent(&self, of: &Type) -> Vec<Expr> {
        let mut row = Vec::new();
        self.add(of, true, &mut row);
        row.into_iter().map(|scalar| Expr::Literal(scalar.absent())).collect()
    }

    /// The row of an optional value of a type.
    pub(crate) fn optional(&self, of: &Type, value: Option<Vec<Expr>>) -> Vec<Expr> {
        let flag = self.sort(of).is_none().then_some(Expr::Literal(Literal::Bool(true)));
        match value {
            Some(row) => flag.into_iter().chain(row).collect(),
            None => self.absent(&Type::Optional(Box::new(of.clone()))),
        }
    }

    /// The sort of a type that is one scalar.
    pub(crate) fn sort(&self, of: &Type) -> Option<Sort> {
        Some(match of {
            Type::Int { min, max } => Sort::Int { min: *min, max: *max },
            Type::Bool => Sort::Bool,
            Type::Member(id) => Sort::Enum(*id),
            Type::Handle(_) => Sort::Pid,
            Type::Object(id) => Sort::Object(self.class_of(*id)),
            _ => return None,
        })
    }

    /// Adds the scalars of a type, which is perhaps not there.
    fn add(&self, of: &Type, may_be_absent: bool, row: &mut Vec<Scalar>) {
        if let Some(sort) = self.sort(of) {
            row.push(Scalar { sort, optional: may_be_absent && !self.has_least(sort) });
            return;
        }
        let plain = |sort| Scalar { sort, optional: false };
        let count = |most: u32| plain(Sort::Int { min: 0, max: most.into() });
        match of {
            Type::Optional(inner) => match self.sort(inner) {
                Some(sort) => row.push(Scalar { sort, optional: true }),
                None => {
                    row.push(plain(Sort::Bool));
                    self.add(inner, true, row);
                }
            },
            Type::Record(id) => {
                let components = &self.program.records[id.index()].components;
                components.iter().for_each(|one| self.add(&one.of, may_be_absent, row));
            }
            Type::Variant(id) => {
                let cases = &self.program.variants[id.index()].cases;
                row.push(count(cases.len() as u32 - 1));
                for component in cases.iter().flat_map(|case| &case.components) {
                    self.add(&component.of, true, row);
                }
            }
            Type::Sequence(element, capacity) => {
                let capacity = room(*capacity);
                row.push(count(capacity));
                (0..capacity).for_each(|_| self.add(element, true, row));
            }
            Type::Set(key, capacity) | Type::Map(key, _, capacity) => {
                let value = match of {
                    Type::Map(_, value, _) => Some(value),
                    _ => None,
                };
                let (keys, capacity) = (self.keys(key), room(*capacity));
                if keys.is_none() {
                    row.push(count(capacity));
                }
                let times = keys.as_ref().map_or(capacity as usize, Vec::len);
                for _ in 0..times {
                    match &keys {
                        Some(_) => row.push(plain(Sort::Bool)),
                        None => self.add(key, true, row),
                    }
                    value.into_iter().for_each(|value| self.add(value, true, row));
                }
            }
            _ => unreachable!("a scalar"),
        }
    }

    /// The groups of columns in a row of values of these types, which starts at a column.
    pub(crate) fn groups<'t>(
        &self,
        types: impl IntoIterator<Item = &'t Type>,
        first: usize,
    ) -> Vec<Group> {
        let mut groups = Vec::new();
        let mut at = first;
        for of in types {
            self.add_groups(of, at, &mut groups);
            at += self.width(of);
        }
        groups
    }

    /// Adds the groups of a value that starts at a column.
    fn add_groups(&self, of: &Type, at: usize, groups: &mut Vec<Group>) {
        match of {
            Type::Optional(inner) if self.sort(inner).is_none() => {
                self.add_groups(inner, at + 1, groups);
            }
            Type::Record(id) => {
                let components = self.program.records[id.index()].components.iter();
                groups.extend(self.groups(components.map(|component| &component.of), at));
            }
            Type::Variant(id) => {
                let cases = self.program.variants[id.index()].cases.iter();
                let components = cases.flat_map(|case| &case.components);
                groups.extend(self.groups(components.map(|component| &component.of), at + 1));
            }
            Type::Sequence(element, capacity) => {
                let elements = std::iter::repeat_n(&**element, room(*capacity) as usize);
                groups.extend(self.groups(elements, at + 1));
            }
            Type::Set(..) | Type::Map(..) => self.add_groups_of_collection(of, at, groups),
            _ => {}
        }
    }

    fn add_groups_of_collection(&self, of: &Type, at: usize, groups: &mut Vec<Group>) {
        let (key, value) = match of {
            Type::Set(key, _) => (key, None),
            Type::Map(key, value, _) => (key, Some(value)),
            _ => unreachable!("a set or a map"),
        };
        match self.collection(of) {
            Collection::Sequence { .. } => unreachable!("a set or a map"),
            Collection::Keyed { keys, width, .. } => {
                for number in 0..keys.len() {
                    let values = value.into_iter().map(|value| &**value);
                    groups.extend(self.groups(values, at + number * (1 + width) + 1));
                }
            }
            Collection::Listed { key: 0, value: 0, .. } => {}
            Collection::Listed { key: own, value: more, capacity } => {
                let parts = std::iter::once(&**key).chain(value.map(|value| &**value));
                let within = self.groups(parts, 0);
                groups.push(Group { groups: within, ..Group::new(at + 1, own + more, capacity) });
            }
        }
    }

    /// Whether there is a value that may stand where there is none, without anybody being told from others by it.
    fn has_least(&self, sort: Sort) -> bool {
        match sort {
            Sort::Int { .. } | Sort::Bool => true,
            Sort::Enum(id) => !self.has_symmetry(id),
            Sort::Pid | Sort::Object(_) => false,
        }
    }

    fn has_symmetry(&self, id: EnumId) -> bool {
        self.net.enumerations[id.index()].symmetry != Symmetry::None
    }

    /// How a collection is laid out.
    pub(crate) fn collection(&self, of: &Type) -> Collection {
        let (key, value, capacity) = match of {
            Type::Sequence(element, capacity) => {
                let capacity = room(*capacity) as usize;
                return Collection::Sequence { width: self.width(element), capacity };
            }
            Type::Set(key, capacity) => (key, None, capacity),
            Type::Map(key, value, capacity) => (key, Some(value), capacity),
            _ => unreachable!("a collection"),
        };
        let width = value.map_or(0, |value| self.width(value));
        match self.keys(key) {
            Some(keys) => {
                let capacity = (*capacity as usize).min(keys.len());
                Collection::Keyed { keys, width, capacity }
            }
            None => Collection::Listed {
                key: self.width(key),
                value: width,
                capacity: room(*capacity) as usize,
            },
        }
    }

    /// The values of a sort, if they are few and all told apart.
    pub(crate) fn values(&self, sort: Sort) -> Option<Vec<Literal>> {
        match sort {
            Sort::Int { min, max } => self.keys(&Type::Int { min, max }),
            Sort::Bool => self.keys(&Type::Bool),
            Sort::Enum(id) => self.keys(&Type::Member(id)),
            Sort::Pid | Sort::Object(_) => None,
        }
    }

    /// The values of a type, if they are few and all told apart.
    fn keys(&self, of: &Type) -> Option<Vec<Literal>> {
        match of {
            Type::Bool => Some([false, true].map(Literal::Bool).to_vec()),
            Type::Int { min, max } if max - min < MOST_KEYS => {
                Some((*min..=*max).map(Literal::Int).collect())
            }
            Type::Member(id) => {
                let members = self.net.enumerations[id.index()].members.len() as u32;
                let is_few = i64::from(members) <= MOST_KEYS && !self.has_symmetry(*id);
                is_few.then(|| (0..members).map(|member| Literal::Enum(*id, member)).collect())
            }
            _ => None,
        }
    }
}
