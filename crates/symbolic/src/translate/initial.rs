//! The initial marking, as terms.
//!
//! Tokens for each member are terms as they stand. Tokens that name members are gathered by *type*:
//! the place, the data, the part that each member is in, which members of a symmetric class are the
//! same, and how far apart those of a cyclic class are. The types are the orbits of tuples, so in a
//! marking that is as symmetric as its classes all tuples of a type are there equally often, and one
//! term stands for them. Cost: linear in the tokens as written, but for sorting.

use std::collections::BTreeMap;

use net::{Column, InitialToken, InitialValue, Kind, Net, Sort};

use super::expression::{Hard, Role, Scope};
use super::{Classes, Untranslatable};
use crate::{ClassId, Condition, Element, PlaceId, SymmetricNet, Term, Variable};

/// What a component of a token says beside which member it is. Members are numbered in the order in which
/// they occur: different ones of a symmetric class, and the first of a cyclic class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Trait {
    /// A datum as a number.
    Data(i64),
    /// A member of a symmetric class, and the part it is in.
    Symmetric { member: u32, part: u32 },
    /// A member of a cyclic class: how far it is after the first of that class in the token.
    Cyclic { member: u32, after: u32 },
}

/// How often tuples of a type occur.
struct Seen {
    tuples: u64,
    /// How often each of them does, if all do equally often.
    count: Option<u64>,
}

pub(super) fn translate(
    net: &Net,
    classes: &Classes,
    symmetric_net: &mut SymmetricNet,
) -> Result<(), Untranslatable> {
    let mut named: BTreeMap<(u32, Vec<i64>), u64> = BTreeMap::new();
    for token in &net.tokens {
        if !token.each.is_empty() {
            let place = &net.place(token.place).name;
            let term = for_each(net, classes, token)
                .map_err(|_| Untranslatable::NotSayable(place.to_string()))?;
            symmetric_net.initially(PlaceId(token.place.0), term);
            continue;
        }
        let tuple = token.values.iter().map(|value| match value {
            InitialValue::Data(literal) => literal.number(),
            _ => unreachable!("a token without threads and choices is data"),
        });
        *named.entry((token.place.0, tuple.collect())).or_default() += u64::from(token.count);
    }
    let mut types: BTreeMap<(u32, Vec<Trait>), Seen> = BTreeMap::new();
    for ((place, tuple), count) in named {
        let key = (place, traits(net, &net.places[place as usize].columns, &tuple));
        let seen = types.entry(key).or_insert(Seen { tuples: 0, count: Some(count) });
        seen.tuples += 1;
        seen.count = seen.count.filter(|&other| other == count);
    }
    for ((place, traits), seen) in types {
        let columns = &net.places[place as usize].columns;
        let (tuples, term) = all_of(net, classes, columns, &traits);
        let count = seen.count.filter(|_| seen.tuples == tuples);
        let count = count.and_then(|count| u32::try_from(count).ok());
        let name = || net.places[place as usize].name.to_string();
        let count = count.ok_or_else(|| Untranslatable::Asymmetric(name()))?;
        let term = Term { count, ..term };
        symmetric_net.initially(PlaceId(place), term);
    }
    Ok(())
}

/// A token for each member.
fn for_each(net: &Net, classes: &Classes, token: &InitialToken) -> Result<Term, Hard> {
    let kinds: Vec<Kind> = token.each.iter().map(|&id| Kind::Enum(id)).collect();
    let mut scope = Scope::new(net, classes, kinds.clone());
    for (local, role) in scope.roles.iter_mut().enumerate() {
        *role = Role::Bound(Variable(local as u32));
    }
    let columns = &net.place(token.place).columns;
    let mut tuple = Vec::new();
    for (value, column) in token.values.iter().zip(columns) {
        tuple.push(match *value {
            InitialValue::Each(local) => Element::Var(Variable(local as u32)),
            InitialValue::Data(literal) => {
                let constant = classes.constant(net, column.sort.into(), literal.number());
                constant.ok_or(Hard::Fault)?
            }
            InitialValue::Thread(_) | InitialValue::Object(_) => return Err(Hard::Fault),
        });
    }
    let condition = scope.optional(token.condition.as_ref())?;
    let locals: Vec<ClassId> = kinds.into_iter().map(|kind| classes.of(kind)).collect();
    Ok(Term::times(token.count, &tuple).for_all(&locals, condition))
}

/// The type of a tuple.
fn traits(net: &Net, columns: &[Column], tuple: &[i64]) -> Vec<Trait> {
    let mut members: Vec<(Sort, i64)> = Vec::new();
    let mut of = |(&value, column): (&i64, &Column)| {
        let Sort::Enum(id) = column.sort else { return Trait::Data(value) };
        let class = &net.enumerations[id.index()];
        if class.symmetry == net::Symmetry::None {
            return Trait::Data(value);
        }
        let is_cyclic = class.symmetry == net::Symmetry::Rotations;
        let same =
            |&(sort, other): &(Sort, i64)| sort == column.sort && (is_cyclic || other == value);
        let member = members.iter().position(same).unwrap_or_else(|| {
            members.push((column.sort, value));
            members.len() - 1
        });
        let after = (value - members[member].1).rem_euclid(class.members.len() as i64) as u32;
        let member = member as u32;
        if is_cyclic {
            return Trait::Cyclic { member, after };
        }
        let part = class.part_ranges().position(|part| part.contains(&(value as u32)));
        Trait::Symmetric { member, part: part.unwrap_or(0) as u32 }
    };
    tuple.iter().zip(columns).map(&mut of).collect()
}

/// How many tuples of a type there are, and the term for all of them.
fn all_of(net: &Net, classes: &Classes, columns: &[Column], traits: &[Trait]) -> (u64, Term) {
    let mut tuples = 1_u64;
    // For each member its class and part.
    let mut members: Vec<(ClassId, u32)> = Vec::new();
    let mut conditions = Vec::new();
    let mut tuple = Vec::new();
    for (&this, column) in traits.iter().zip(columns) {
        let kind = column.sort.into();
        let (member, after, part) = match this {
            Trait::Data(value) => {
                let constant = classes.constant(net, kind, value);
                tuple.push(constant.expect("data of a checked net fit their columns"));
                continue;
            }
            Trait::Symmetric { member, part } => (Variable(member), 0, Some(part)),
            Trait::Cyclic { member, after } => (Variable(member), after, None),
        };
        tuple.push(if after == 0 { member.into() } else { member.plus(after as i32) });
        if member.index() < members.len() {
            continue;
        }
        let (Sort::Enum(id), class) = (column.sort, classes.of(kind)) else { continue };
        let enumeration = &net.enumerations[id.index()];
        let mut ways = enumeration.members.len() as u64;
        if let Some(part) = part {
            let taken = members.iter().filter(|&&other| other == (class, part)).count() as u64;
            ways = (enumeration.part(part as usize).len() as u64).saturating_sub(taken);
            conditions.push(Condition::Within(member, part));
            let alike = (0..).map(Variable).zip(&members).filter(|(_, other)| other.0 == class);
            conditions.extend(alike.map(|(other, _)| Condition::differ(other, member)));
        }
        tuples = tuples.saturating_mul(ways);
        members.push((class, part.unwrap_or(0)));
    }
    let locals: Vec<ClassId> = members.into_iter().map(|(class, _)| class).collect();
    (tuples, Term::one(&tuple).for_all(&locals, Condition::All(conditions)))
}
