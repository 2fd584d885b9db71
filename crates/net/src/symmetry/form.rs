//! Expressions up to what commutes.
//!
//! A form is what an expression means, as far as two ways to write it are taken for the same. Negations
//! stand innermost; operands that commute are sorted; comparisons of a member with literals are a set of
//! members, and sets that speak of one expression are merged. So `x == a or b == x`, `not (x != b and
//! x != a)` and, where `a` and `b` are the first members, `x <= b` have one form.
//!
//! Renaming members and sorting again gives the form of what was renamed: nothing but the order of
//! operands depends on which member is which.

use std::hash::{DefaultHasher, Hash, Hasher};

use state::Relation;

use crate::{
    BinaryOp, EnumId, Literal, PathOp, PlaceId, Quantifier, Subject, TransitionId, UnaryOp, Var,
};

/// An expression, a pattern, a token or a property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Form {
    /// A truth value.
    Truth(bool),
    /// A number.
    Number(i64),
    /// A member of a class.
    Member(EnumId, u32),
    /// An initial thread.
    Thread(usize),
    /// A variable.
    Var(Var),
    /// A variable that nothing outside the form knows, by its position.
    Choice(u32),
    /// A component that is left open.
    Open,
    /// Whether something is in a set of members.
    In(Box<Form>, Set),
    /// An operator and its operands.
    Apply(Op, Order, Vec<Form>),
}

/// Whether the order of operands matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Order {
    /// They are sorted.
    Free,
    /// They stand as written.
    Kept,
}

/// What is applied to operands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Op {
    Unary(UnaryOp),
    Binary(BinaryOp),
    /// Whether a member comes before another, or, unless `strict`, is the same.
    Before {
        class: EnumId,
        strict: bool,
    },
    If,
    Relation(Relation),
    Shift(EnumId, i32),
    /// A token, or tokens for each choice of members. The operands are its components and, last, the
    /// condition. Where several of the same do not simply add up, `copies` says how many are meant.
    Token {
        each: Vec<EnumId>,
        copies: Option<u32>,
    },
    /// What follows a thread in its token.
    Values,
    // The rest occurs in properties only.
    DeadlockFree,
    NoOneStuck,
    EveryoneCanEnd,
    Deadlock,
    Field(PlaceId, usize),
    Count(PlaceId),
    At(PlaceId),
    Ended,
    Enabled(TransitionId),
    Path(PathOp),
    Until,
    LeadsTo,
    AllUntil,
    SomeUntil,
    Quantified(Quantifier, Option<Var>, Subject),
}

/// Members of a class, or all but these. The shorter list is kept, and of two equally long ones that of
/// the members that are in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Set {
    pub(super) class: EnumId,
    /// Whether the members listed are those that are not in.
    pub(super) without: bool,
    /// In ascending order.
    pub(super) members: Vec<u32>,
}

impl Set {
    /// The set of these members of a class of this size, or of the others.
    pub(super) fn new(class: EnumId, size: u32, mut members: Vec<u32>, without: bool) -> Set {
        members.sort_unstable();
        members.dedup();
        let listed = members.len() as u64 * 2;
        if listed > u64::from(size) || listed == u64::from(size) && without {
            let mut in_list = members.iter().copied().peekable();
            members = (0..size).filter(|m| in_list.next_if_eq(m).is_none()).collect();
            return Set { class, without: !without, members };
        }
        Set { class, without, members }
    }

    /// The members that are not in.
    pub(super) fn complement(self, size: u32) -> Set {
        Set::new(self.class, size, self.members, !self.without)
    }

    pub(super) fn contains(&self, member: u32) -> bool {
        self.members.binary_search(&member).is_ok() != self.without
    }

    /// The members that are in one of these, of which there is at least one.
    pub(super) fn union(sets: Vec<Set>, size: u32) -> Set {
        let class = sets[0].class;
        let (without, with): (Vec<Set>, Vec<Set>) = sets.into_iter().partition(|set| set.without);
        let with: Vec<u32> = with.into_iter().flat_map(|set| set.members).collect();
        let mut without = without.into_iter();
        let Some(first) = without.next() else { return Set::new(class, size, with, false) };
        let mut missing = first.members;
        without.for_each(|set| missing.retain(|m| !set.contains(*m)));
        let with = Set { class, without: false, members: sorted(with) };
        missing.retain(|m| !with.contains(*m));
        Set::new(class, size, missing, true)
    }

    fn renamed(&self, by: &Renaming) -> Option<Set> {
        let changes = self.class == by.class
            && match by.how {
                How::Swap(a, b) => self.contains(a) != self.contains(b),
                How::Turn(_) => !self.members.is_empty(),
            };
        changes.then(|| {
            let members = sorted(self.members.iter().map(|m| by.image(*m)).collect());
            Set { members, ..self.clone() }
        })
    }
}

fn sorted(mut members: Vec<u32>) -> Vec<u32> {
    members.sort_unstable();
    members.dedup();
    members
}

/// A permutation of the members of one class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Renaming {
    class: EnumId,
    how: How,
}

#[derive(Clone, Copy, Debug)]
enum How {
    Swap(u32, u32),
    Turn(u32),
}

impl Renaming {
    /// Two members change places.
    pub(crate) fn swap(class: EnumId, a: u32, b: u32) -> Renaming {
        Renaming { class, how: How::Swap(a, b) }
    }

    /// Each of this number of members becomes the one after it.
    pub(crate) fn turn(class: EnumId, size: u32) -> Renaming {
        Renaming { class, how: How::Turn(size) }
    }

    /// What becomes of a member of a class.
    pub(crate) fn image_in(&self, class: EnumId, member: u32) -> u32 {
        if class == self.class { self.image(member) } else { member }
    }

    fn image(&self, member: u32) -> u32 {
        match self.how {
            How::Swap(a, b) if member == a => b,
            How::Swap(a, b) if member == b => a,
            How::Swap(..) => member,
            How::Turn(size) => (member + 1) % size,
        }
    }
}

impl Form {
    /// A datum.
    pub(super) fn literal(literal: Literal) -> Form {
        match literal {
            Literal::Int(number) => Form::Number(number),
            Literal::Bool(truth) => Form::Truth(truth),
            Literal::Enum(id, member) => Form::Member(id, member),
            Literal::None(_) => Form::Number(literal.number()),
        }
    }

    /// An operator applied to operands that commute.
    pub(super) fn free(op: Op, mut operands: Vec<Form>) -> Form {
        operands.sort_unstable();
        Form::Apply(op, Order::Free, operands)
    }

    /// An operator applied to operands in their order.
    pub(super) fn kept(op: Op, operands: Vec<Form>) -> Form {
        Form::Apply(op, Order::Kept, operands)
    }

    /// The form with its members renamed; none where that changes nothing. Costs as much as the form is
    /// long, but for sets, of which only those that change are looked at.
    pub(super) fn renamed(&self, by: &Renaming) -> Option<Form> {
        match self {
            Form::Member(class, member) if *class == by.class => {
                let image = by.image(*member);
                (image != *member).then_some(Form::Member(*class, image))
            }
            Form::In(of, set) => match (of.renamed(by), set.renamed(by)) {
                (None, None) => None,
                (of_image, set_image) => {
                    let of = of_image.map_or_else(|| of.clone(), Box::new);
                    Some(Form::In(of, set_image.unwrap_or_else(|| set.clone())))
                }
            },
            Form::Apply(op, order, operands) => {
                let mut images: Option<Vec<Form>> = None;
                for (i, operand) in operands.iter().enumerate() {
                    if let Some(image) = operand.renamed(by) {
                        images.get_or_insert_with(|| operands.clone())[i] = image;
                    }
                }
                let mut images = images?;
                if *order == Order::Free {
                    images.sort_unstable();
                }
                Some(Form::Apply(op.clone(), *order, images))
            }
            _ => None,
        }
    }

    /// Calls `visit` on this form and all below it, parents first.
    pub(super) fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Form)) {
        visit(self);
        match self {
            Form::In(of, _) => of.walk(visit),
            Form::Apply(_, _, operands) => operands.iter().for_each(|form| form.walk(visit)),
            _ => {}
        }
    }

    /// Calls `visit` on every member that is listed, as often as it is.
    pub(super) fn members(&self, visit: &mut dyn FnMut(EnumId, u32)) {
        self.walk(&mut |form| match form {
            Form::Member(class, member) => visit(*class, *member),
            Form::In(_, set) => set.members.iter().for_each(|member| visit(set.class, *member)),
            _ => {}
        });
    }

    /// A number that is the same for renamed forms, as long as the colours of the members of a class are,
    /// and for each occurrence of such a member one that says the same of where it occurs.
    pub(super) fn print(
        &self,
        class: EnumId,
        colours: &[u64],
        at: u64,
        occurrences: &mut Vec<(u32, u64)>,
    ) -> u64 {
        match self {
            Form::Member(of, member) if *of == class => {
                occurrences.push((*member, mixed(at, 1)));
                mixed(colours[*member as usize], 1)
            }
            Form::In(of, set) => {
                let inner = of.print(class, colours, mixed(at, 2), occurrences);
                let outer = if set.class == class {
                    let place = mixed(at, 3);
                    occurrences.extend(set.members.iter().map(|member| (*member, place)));
                    let members = set.members.iter().map(|m| mixed(colours[*m as usize], 2));
                    mixed(u64::from(set.without), members.fold(0, u64::wrapping_add))
                } else {
                    hashed(set)
                };
                mixed(inner, outer)
            }
            Form::Apply(op, order, operands) => {
                let op = hashed(op);
                let operands = operands.iter().zip(1..).map(|(operand, i)| {
                    let place = if *order == Order::Free { 0 } else { i };
                    mixed(
                        operand.print(class, colours, mixed(mixed(at, op), place), occurrences),
                        place,
                    )
                });
                mixed(op, operands.fold(0, u64::wrapping_add))
            }
            _ => hashed(self),
        }
    }
}

pub(super) fn hashed(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// One number of two, such that it is unlikely that others give the same.
pub(super) fn mixed(a: u64, b: u64) -> u64 {
    let x = (a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (x ^ x >> 32).wrapping_mul(0xc4ce_b9fe_1a85_ec53) ^ x >> 29
}
