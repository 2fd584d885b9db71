//! The initial marking, as tokens to be put.
//!
//! A start thread is the pid with its index, and its token names it as a datum would be named; so are the
//! threads that other initial tokens speak of. What goes through the members of an enumeration does so in
//! the slots that a condition calls its variables.

use super::{Choices, Output, Owner};
use crate::{Expr, InitialValue, Net, Var};

pub(super) fn outputs(net: &Net) -> Vec<Output> {
    let value = |value: &InitialValue| match *value {
        InitialValue::Thread(index) => Expr::int(index as i64),
        InitialValue::Object(index) => Expr::int((net.start.len() + index) as i64),
        InitialValue::Data(literal) => Expr::Literal(literal),
        InitialValue::Each(index) => Expr::Var(Var(index as u32)),
    };
    let threads = net.start.iter().enumerate().map(|(index, thread)| {
        let own = InitialValue::Thread(index);
        let values: Vec<Expr> = std::iter::once(&own).chain(&thread.values).map(value).collect();
        Output::new(net, (thread.place, 1), Owner::Nobody, Choices::default(), values)
    });
    let tokens = net.tokens.iter().map(|token| {
        let members = token.each.iter().map(|id| net.enumerations[id.index()].members.len() as i64);
        let choices =
            Choices { slots: members.enumerate().collect(), condition: token.condition.clone() };
        let values = token.values.iter().map(value);
        Output::new(net, (token.place, token.count), Owner::Nobody, choices, values)
    });
    threads.chain(tokens).collect()
}
