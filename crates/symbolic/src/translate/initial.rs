//! The initial marking, as terms.
//!
//! Tokens for each member are terms as they stand. Tokens that name members are gathered by *type*:
//! the place, the data, the part that each member is in, which members of a symmetric class are the
//! same, and how far apart those of a cyclic class are. The types are the orbits of tuples, so in a
//! marking that is as symmetric as its classes all tuples of a type are there equally often, and one
//! term stands for them. Cost: linear in the tokens as written, but for sorting.

use std::collections::BTreeMap;

use net::{InitialToken, InitialValue, Kind, Net, Sort};

use super::expression::{Hard, Role, Scope};
use super::{Classes, Untranslatable, number};
use crate::{ClassId, Condition, Element, PlaceId, SymmetricNet, Term, Variable};

/// What a component of a token says beside which member it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Trait {
    /// A datum as a number.
    Data(i64),
    /// A member of a symmetric class: the part it is in, and which of the different members of that
    /// class it is, in the order in which they occur in the token.
    Symmetric { part: u32, which: u32 },
    /// A member of a cyclic class: how far it is after the first of that class in the token.
    Cyclic { after: u32 },
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
            InitialValue::Data(literal) => number(*literal),
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
        let sorts: Vec<Sort> = columns.iter().map(|column| column.sort).collect();
        let count = seen.count.filter(|_| seen.tuples == tuples_of(net, &sorts, &traits));
        let count = count.and_then(|count| u32::try_from(count).ok());
        let name = || net.places[place as usize].name.to_string();
        let count = count.ok_or_else(|| Untranslatable::Asymmetric(name()))?;
        let term = term(net, classes, &sorts, &traits, count);
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
                let constant = classes.constant(net, column.sort.into(), number(literal));
                constant.ok_or(Hard::Fault)?
            }
            InitialValue::Thread(_) => return Err(Hard::Fault),
        });
    }
    let condition = match &token.condition {
        Some(condition) => scope.condition(condition)?,
        None => Condition::always(),
    };
    let locals: Vec<ClassId> = kinds.into_iter().map(|kind| classes.of(kind)).collect();
    Ok(Term::times(token.count, &tuple).for_all(&locals, condition))
}

/// The type of a tuple.
fn traits(net: &Net, columns: &[net::Column], tuple: &[i64]) -> Vec<Trait> {
    let same_class = |i: usize, j: &usize| columns[*j].sort == columns[i].sort;
    let of = |(i, (&value, column)): (usize, (&i64, &net::Column))| {
        let Sort::Enum(id) = column.sort else { return Trait::Data(value) };
        let class = &net.enumerations[id.index()];
        match class.symmetry {
            net::Symmetry::None => Trait::Data(value),
            net::Symmetry::Rotations => {
                let first = (0..i).find(|j| same_class(i, j)).unwrap_or(i);
                let size = class.members.len() as i64;
                Trait::Cyclic { after: (value - tuple[first]).rem_euclid(size) as u32 }
            }
            net::Symmetry::Full => {
                let mut before: Vec<i64> = Vec::new();
                for j in (0..=i).filter(|j| same_class(i, j)) {
                    if !before.contains(&tuple[j]) {
                        before.push(tuple[j]);
                    }
                }
                let which = before.iter().position(|other| *other == value).unwrap_or(0) as u32;
                let part = class.part_ranges().position(|part| part.contains(&(value as u32)));
                Trait::Symmetric { part: part.unwrap_or(0) as u32, which }
            }
        }
    };
    tuple.iter().zip(columns).enumerate().map(of).collect()
}

/// The different members of symmetric classes, and the cyclic classes, that a type speaks of: the
/// columns in which they occur first.
fn firsts(sorts: &[Sort], traits: &[Trait]) -> Vec<usize> {
    let is_first = |&i: &usize| match traits[i] {
        Trait::Data(_) => false,
        Trait::Symmetric { which, .. } => (0..i).all(|j| {
            let other = matches!(traits[j], Trait::Symmetric { which: w, .. } if w == which);
            sorts[j] != sorts[i] || !other
        }),
        Trait::Cyclic { .. } => (0..i).all(|j| sorts[j] != sorts[i]),
    };
    (0..sorts.len()).filter(is_first).collect()
}

/// The number of tuples of a type.
fn tuples_of(net: &Net, sorts: &[Sort], traits: &[Trait]) -> u64 {
    let firsts = firsts(sorts, traits);
    let ways = firsts.iter().enumerate().map(|(i, &column)| {
        let Sort::Enum(id) = sorts[column] else { return 1 };
        let class = &net.enumerations[id.index()];
        match traits[column] {
            Trait::Symmetric { part, .. } => {
                let same = |&&other: &&usize| {
                    let here =
                        matches!(traits[other], Trait::Symmetric { part: p, .. } if p == part);
                    sorts[other] == sorts[column] && here
                };
                let taken = firsts[..i].iter().filter(same).count() as u64;
                (class.part(part as usize).len() as u64).saturating_sub(taken)
            }
            _ => class.members.len() as u64,
        }
    });
    ways.fold(1, u64::saturating_mul)
}

/// The term for all tuples of a type.
fn term(net: &Net, classes: &Classes, sorts: &[Sort], traits: &[Trait], count: u32) -> Term {
    let firsts = firsts(sorts, traits);
    let locals: Vec<ClassId> =
        firsts.iter().map(|&column| classes.of(sorts[column].into())).collect();
    let mut conditions = Vec::new();
    for (i, &column) in firsts.iter().enumerate() {
        if let Trait::Symmetric { part, .. } = traits[column] {
            let this = Variable(i as u32);
            conditions.push(Condition::Within(this, part));
            let alike = (0..i).filter(|&j| sorts[firsts[j]] == sorts[column]);
            conditions.extend(alike.map(|j| Condition::differ(Variable(j as u32), this)));
        }
    }
    let local_of = |column: usize| {
        let same = |&first: &usize| match (traits[first], traits[column]) {
            (Trait::Symmetric { which: a, .. }, Trait::Symmetric { which: b, .. }) => a == b,
            (Trait::Cyclic { .. }, Trait::Cyclic { .. }) => true,
            _ => false,
        };
        let found = firsts.iter().position(|first| sorts[*first] == sorts[column] && same(first));
        Variable(found.expect("every member occurs first somewhere") as u32)
    };
    let element = |column: usize| match traits[column] {
        Trait::Data(value) => {
            let constant = classes.constant(net, sorts[column].into(), value);
            constant.expect("data of a checked net fit their columns")
        }
        Trait::Symmetric { .. } | Trait::Cyclic { after: 0 } => local_of(column).into(),
        Trait::Cyclic { after } => local_of(column).plus(after as i32),
    };
    let tuple: Vec<Element> = (0..sorts.len()).map(element).collect();
    Term::times(count, &tuple).for_all(&locals, Condition::All(conditions))
}
