//! Tokens with groups: records whose order makes no difference.
//!
//! Concrete states hold one of the ways to write such a token down: the records of a group are sorted, those
//! within records first. `none` comes after all else; pids and objects ascend; numbers, truth values and
//! members, these by their index, descend. So a record that holds only `none` and the least data is last.

use std::cmp::Ordering;

use state::{Token, Value};

use crate::{Column, Group, Net, Place, Sort};

/// The token of a place as concrete states hold it.
#[must_use]
pub fn in_normal_form(net: &Net, place: &Place, token: Token) -> Token {
    if place.groups.is_empty() { token } else { sorted(net, &place.columns, &place.groups, token) }
}

fn sorted(net: &Net, columns: &[Column], groups: &[Group], mut values: Vec<Value>) -> Vec<Value> {
    for group in groups {
        let whole = group.first..group.end();
        let columns = &columns[group.first..group.first + group.width];
        let records = values[whole.clone()].chunks(group.width);
        let mut records: Vec<Vec<Value>> =
            records.map(|record| sorted(net, columns, &group.groups, record.to_vec())).collect();
        records.sort_by(|one, other| {
            let values = one.iter().zip(other).zip(columns);
            let mut orders = values.map(|((a, b), column)| order(net, column.sort, a, b));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        values.splice(whole, records.into_iter().flatten());
    }
    values
}

fn order(net: &Net, sort: Sort, one: &Value, other: &Value) -> Ordering {
    let index = |value: &Value| match (value, sort) {
        (Value::Enum(name), Sort::Enum(id)) => {
            net.enumerations[id.index()].members.iter().position(|member| member == name)
        }
        _ => None,
    };
    match (one, other) {
        (Value::None, _) | (_, Value::None) => (*one == Value::None).cmp(&(*other == Value::None)),
        (Value::Enum(_), Value::Enum(_)) => index(other).cmp(&index(one)),
        (Value::Int(_) | Value::Bool(_), _) => other.cmp(one),
        _ => one.cmp(other),
    }
}
