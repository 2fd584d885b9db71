//! What sorts are once their names are taken for what they stand for.
//!
//! Enumerations and partitions are the same sort only if they are the same declaration; ranges if they
//! have the same ends; products if their factors are the same. Each sort is given a number, so that
//! comparing takes no time and a product of products of products stays small. A range with a name has a
//! number of its own, too, for those who want to keep it apart from the others ([`Types::plain`]).

use std::collections::HashMap;

use crate::declaration::{Declaration, Declared};
use crate::document::{Id, Net};
use crate::index::{Index, UserOperator};
use crate::limits::Limits;
use crate::order::order;
use crate::sort::{Range, Shape, Sort};
use crate::term::{Operator, Term};
use diagnostics::{Diagnostic, Diagnostics, Span};

/// The number of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(pub(crate) u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type<'d> {
    /// Something that has been reported; it fits everything.
    Unknown,
    Dot,
    Bool,
    Number,
    Enumeration {
        id: &'d str,
        cyclic: bool,
        size: usize,
    },
    Range {
        range: Range,
        id: Option<&'d str>,
    },
    Partition {
        id: &'d str,
        size: usize,
        class: TypeId,
    },
    Product(Vec<TypeId>),
}

pub(crate) const UNKNOWN: TypeId = TypeId(0);
pub(crate) const DOT: TypeId = TypeId(1);
pub(crate) const BOOL: TypeId = TypeId(2);
pub(crate) const NUMBER: TypeId = TypeId(3);

#[derive(Debug)]
pub(crate) struct Types<'t, 'd> {
    pub(crate) index: &'t Index<'d>,
    list: Vec<Known<'d>>,
    numbers: HashMap<Type<'d>, TypeId>,
    named: HashMap<&'d str, TypeId>,
    /// The first range with these ends.
    ranges: HashMap<Range, TypeId>,
    limits: Limits,
}

#[derive(Debug)]
struct Known<'d> {
    shape: Type<'d>,
    /// How many elements it has, and how many columns when products are taken apart.
    size: u128,
    columns: u64,
    /// The same, whatever ranges are called.
    plain: TypeId,
    /// The same with classes in place of partitions.
    divided: TypeId,
}

impl<'t, 'd> Types<'t, 'd> {
    /// The sorts that a net declares: enumerations and ranges by their order, then what is made of them.
    pub(crate) fn new(
        net: &'d Net,
        index: &'t Index<'d>,
        limits: &Limits,
        sink: &mut Diagnostics,
    ) -> Types<'t, 'd> {
        let mut types = Types {
            index,
            list: Vec::new(),
            numbers: HashMap::new(),
            named: HashMap::new(),
            ranges: HashMap::new(),
            limits: limits.clone(),
        };
        for shape in [Type::Unknown, Type::Dot, Type::Bool, Type::Number] {
            types.number(shape);
        }
        let (declarations, mut order, circular) = declared_sorts(net);
        for (Declaration { id, .. }, _) in circular.into_iter().map(|at| declarations[at]) {
            sink.report(|| {
                let message = format!("the sort `{id}` is defined by itself");
                Diagnostic::error("P0209", message).at(id.span, "").help("a sort is made of others")
            });
        }
        order.sort_by_key(|at| match (&declarations[*at].0.value, &declarations[*at].1.shape) {
            (Declared::Sort(_), Shape::Enumeration { .. } | Shape::Range(_)) => *at,
            _ => usize::MAX,
        });
        for declaration in order.into_iter().map(|at| declarations[at]) {
            let number = types.declare(declaration, sink);
            types.named.entry(&declaration.0.id.text).or_insert(number);
        }
        types
    }

    fn declare(&mut self, (declaration, sort): DeclaredSort<'d>, sink: &mut Diagnostics) -> TypeId {
        let id = declaration.id.text.as_str();
        let (number, span) = match (&declaration.value, &sort.shape) {
            (Declared::Partition { parts, .. }, _) => {
                let class = self.of(sort, sink);
                return self.number(Type::Partition { id, size: parts.len(), class });
            }
            (_, Shape::Enumeration { cyclic, constants }) => {
                let (cyclic, size) = (*cyclic, constants.len());
                (self.number(Type::Enumeration { id, cyclic, size }), declaration.span)
            }
            (_, Shape::Range(range)) => {
                (self.number(Type::Range { range: *range, id: Some(id) }), sort.span)
            }
            _ => return self.of(sort, sink),
        };
        self.check_size(number, span, sink);
        number
    }

    /// The number of a sort as it is written.
    pub(crate) fn of(&mut self, sort: &'d Sort, sink: &mut Diagnostics) -> TypeId {
        let number = match &sort.shape {
            Shape::Dot => return DOT,
            Shape::Bool => return BOOL,
            Shape::User(id) => return self.user(id, sink),
            Shape::Enumeration { .. } => {
                sink.report(|| {
                    Diagnostic::error("P0303", "an enumeration has to have a name")
                        .at(sort.span, "")
                        .help("declare it with `<namedsort>`, and refer to it with `<usersort>`")
                });
                return UNKNOWN;
            }
            Shape::Range(range) => self.number(Type::Range { range: *range, id: None }),
            Shape::Product(factors) => {
                let factors: Vec<TypeId> =
                    factors.iter().map(|factor| self.of(factor, sink)).collect();
                if factors.contains(&UNKNOWN) {
                    return UNKNOWN;
                }
                self.product(factors)
            }
        };
        self.check_size(number, sort.span, sink);
        number
    }

    fn user(&mut self, id: &'d Id, sink: &mut Diagnostics) -> TypeId {
        match (self.named.get(id.text.as_str()), self.index.sort(&id.text)) {
            (Some(number), _) => *number,
            // Part of a circle, which has been reported.
            (None, Some(_)) => UNKNOWN,
            (None, None) => {
                sink.report(|| {
                    let known = self.index.sorts.keys().copied();
                    Diagnostic::error("P0205", format!("there is no sort named `{id}`"))
                        .at(id.span, "")
                        .help_nearest(&id.text, known, "declare it with `<namedsort>`")
                });
                UNKNOWN
            }
        }
    }

    /// The number of the product of these.
    pub(crate) fn product(&mut self, factors: Vec<TypeId>) -> TypeId {
        match factors[..] {
            // A product of one is what it is a product of.
            [single] => single,
            _ => self.number(Type::Product(factors)),
        }
    }

    pub(crate) fn number(&mut self, shape: Type<'d>) -> TypeId {
        if let Some(number) = self.numbers.get(&shape) {
            return *number;
        }
        let number = TypeId(u32::try_from(self.list.len()).expect("fewer than bytes of the text"));
        let (size, columns) = match &shape {
            Type::Unknown | Type::Dot | Type::Number => (1, 1),
            Type::Bool => (2, 1),
            Type::Enumeration { size, .. } | Type::Partition { size, .. } => (*size as u128, 1),
            Type::Range { range, .. } => (u128::from(range.size()), 1),
            Type::Product(factors) => factors.iter().fold((1_u128, 0_u64), |(size, columns), f| {
                let factor = &self.list[f.0 as usize];
                (size.saturating_mul(factor.size), columns.saturating_add(factor.columns))
            }),
        };
        let (plain, divided) = (number, number);
        self.list.push(Known { shape: shape.clone(), size, columns, plain, divided });
        self.numbers.insert(shape.clone(), number);
        let (plain, divided) = match shape {
            Type::Range { range, .. } => {
                let first = *self.ranges.entry(range).or_insert(number);
                (first, first)
            }
            Type::Partition { class, .. } => (number, self.divided(class)),
            Type::Product(factors) => {
                let plain = factors.iter().map(|factor| self.plain(*factor)).collect();
                let divided = factors.iter().map(|factor| self.divided(*factor)).collect();
                (self.product(plain), self.product(divided))
            }
            _ => (number, number),
        };
        let known = &mut self.list[number.0 as usize];
        (known.plain, known.divided) = (plain, divided);
        number
    }

    /// The range with these ends, whatever it is called.
    pub(crate) fn range(&mut self, range: Range) -> TypeId {
        match self.ranges.get(&range) {
            Some(number) => *number,
            None => self.number(Type::Range { range, id: None }),
        }
    }

    /// The class that a constant is an element of, and its position there; none if it is no constant.
    pub(crate) fn element(&mut self, constant: &Term) -> Option<(TypeId, u32)> {
        match &constant.operator {
            Operator::User(id) if constant.subterms.is_empty() => {
                let UserOperator { declaration, position } = self.index.operator(&id.text)?;
                let is_constant = matches!(declaration.value, Declared::Sort(_));
                let class = self.declared(&declaration.id.text);
                is_constant.then_some((class, u32::try_from(position).ok()?))
            }
            Operator::RangeConstant { value, range } => {
                let position = u32::try_from(value.checked_sub(range.start)?).ok()?;
                Some((self.range(*range), position))
            }
            _ => None,
        }
    }

    fn check_size(&mut self, number: TypeId, span: Span, sink: &mut Diagnostics) {
        let known = &self.list[number.0 as usize];
        let limit = match known.shape {
            Type::Product(_) => self.limits.product,
            _ => self.limits.class,
        };
        let (size, columns) = (known.size, known.columns);
        if size > u128::from(limit) {
            sink.report(|| {
                let message = format!("this sort has more than {limit} elements");
                Diagnostic::error("P0301", message).at(span, format!("it has {size}"))
            });
        } else if columns > self.limits.columns {
            sink.report(|| {
                let message = format!("this sort has more than {} columns", self.limits.columns);
                Diagnostic::error("P0301", message)
                    .at(span, format!("it has {columns}, when products in it are taken apart"))
            });
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (TypeId, &Type<'d>)> {
        (0..).map(TypeId).zip(self.list.iter().map(|known| &known.shape))
    }

    pub(crate) fn shape(&self, number: TypeId) -> &Type<'d> {
        &self.list[number.0 as usize].shape
    }

    pub(crate) fn size(&self, number: TypeId) -> u128 {
        self.list[number.0 as usize].size
    }

    /// A sort for people. Of products in products, and of long ones, only the beginning.
    pub(crate) fn words(&self, number: TypeId) -> String {
        self.words_within(number, 0)
    }

    fn words_within(&self, number: TypeId, depth: usize) -> String {
        match self.shape(number) {
            Type::Unknown => "?".into(),
            Type::Dot => "dot".into(),
            Type::Bool => "bool".into(),
            Type::Number => "number".into(),
            Type::Enumeration { id, .. } | Type::Partition { id, .. } => (*id).into(),
            Type::Range { range, .. } => format!("{}..{}", range.start, range.end),
            Type::Product(_) if depth > 1 => "(…)".into(),
            Type::Product(factors) => {
                let mut words: Vec<String> =
                    factors.iter().take(6).map(|f| self.words_within(*f, depth + 1)).collect();
                if factors.len() > 6 {
                    words.push("…".into());
                }
                let words = words.join(" × ");
                if depth == 0 { words } else { format!("({words})") }
            }
        }
    }

    /// The sort of the parts of a partition, and the class that it divides.
    pub(crate) fn partition(&self, id: &str) -> Option<(TypeId, TypeId)> {
        let number = *self.named.get(id)?;
        match self.shape(number) {
            Type::Partition { class, .. } => Some((number, self.plain(*class))),
            _ => None,
        }
    }

    /// The sort, whatever ranges in it are called: sorts that are the same are then equal.
    pub(crate) fn plain(&self, number: TypeId) -> TypeId {
        self.list[number.0 as usize].plain
    }

    /// The sort with classes in place of their partitions: what a part is when it stands for its
    /// elements.
    pub(crate) fn divided(&self, number: TypeId) -> TypeId {
        self.list[number.0 as usize].divided
    }

    /// The sort that a declared name stands for.
    pub(crate) fn declared(&self, id: &str) -> TypeId {
        self.named.get(id).copied().unwrap_or(UNKNOWN)
    }
}

/// The sorts and partitions that a net declares, and their numbers so ordered that each comes after those
/// that it is made of; and those that are made of themselves.
fn declared_sorts(net: &Net) -> (Vec<DeclaredSort<'_>>, Vec<usize>, Vec<usize>) {
    let declarations = net.all_declarations().filter_map(|declaration| match &declaration.value {
        Declared::Sort(sort) | Declared::Partition { sort, .. } => Some((declaration, sort)),
        _ => None,
    });
    let declarations: Vec<DeclaredSort<'_>> = declarations.collect();
    let named = declarations.iter().map(|(declaration, sort)| (&*declaration.id.text, used(sort)));
    let (order, circular) = order(&named.collect::<Vec<_>>());
    (declarations, order, circular)
}

/// A named sort with what it is, or a partition with what it divides.
type DeclaredSort<'d> = (&'d Declaration, &'d Sort);

/// The declared sorts that a sort refers to.
fn used(sort: &Sort) -> Vec<&str> {
    match &sort.shape {
        Shape::User(id) => vec![&id.text],
        Shape::Product(factors) => factors.iter().flat_map(used).collect(),
        _ => Vec::new(),
    }
}
