//! Assumption 2: about the initial marking.
//!
//! It must be the same under every permutation that the symmetries of the enumerations allow (`distinction`).

use state::State;

use super::typing::{breaks_of_symmetry, kind};
use crate::interpret::try_initial;
use crate::{
    Distinction, EnumId, FaultKind, InitialToken, InitialValue, Kind, Literal, Net, Place, Sort,
    Symmetry, Var,
};

/// What is wrong with the initial marking; its symmetry is checked only where nothing else is wrong, in it or
/// `so_far`.
pub(super) fn check(net: &Net, so_far: bool) -> Vec<String> {
    let mut found = Vec::new();
    check_each_alone(net, &mut |what| found.push(what));
    if so_far && found.is_empty() {
        check_together(net, &mut |what| found.push(what));
    }
    found
}

/// Checks threads and tokens one by one.
fn check_each_alone(net: &Net, breach: &mut dyn FnMut(String)) {
    for thread in &net.start {
        match net.places.get(thread.place.index()) {
            None => breach("a thread starts at a place that does not exist".into()),
            Some(p) if !p.is_flow() => {
                breach(format!("a thread starts at `{}`, which is no flow place", p.name));
            }
            Some(p) if p.columns.is_empty() => {}
            Some(p) => check_values(net, p, 1, &thread.values, &[], breach),
        }
    }
    for token in &net.tokens {
        match net.places.get(token.place.index()) {
            None => breach("a token is in a place that does not exist".into()),
            Some(p) if p.is_flow() => {
                breach(format!("a token without a thread is in the flow place `{}`", p.name));
            }
            Some(p) => check_values(net, p, 0, &token.values, &token.each, breach),
        }
        check_each(net, token, breach);
    }
}

/// Checks all of it together.
fn check_together(net: &Net, breach: &mut dyn FnMut(String)) {
    match try_initial(net) {
        Err(FaultKind::TooManyTokens { .. }) => {
            breach("a place holds more than 2³² tokens".into());
        }
        Err(kind) => breach(format!("the condition of a token asks for {}", kind.describe(net))),
        Ok(state) => {
            check_totals(&state, breach);
            check_symmetry(net, breach);
        }
    }
}

fn check_values(
    net: &Net,
    place: &Place,
    skip: usize,
    values: &[InitialValue],
    each: &[EnumId],
    breach: &mut dyn FnMut(String),
) {
    let columns = &place.columns[skip..];
    if values.len() != columns.len() {
        let (name, n, m) = (&place.name, columns.len(), values.len());
        breach(format!("a token of `{name}` has {n} components, not {m}"));
    }
    for (value, column) in values.iter().zip(columns) {
        let fits = match (*value, column.sort) {
            (InitialValue::Thread(index), Sort::Pid) => index < net.start.len(),
            (InitialValue::Object(index), Sort::Object(class)) => {
                net.objects.get(index) == Some(&class)
            }
            (InitialValue::Data(Literal::None(kind)), sort) => {
                column.optional && kind == sort.into()
            }
            (InitialValue::Data(Literal::Int(n)), Sort::Int { min, max }) => {
                (min..=max).contains(&n)
            }
            (InitialValue::Data(Literal::Enum(id, i)), Sort::Enum(other)) => {
                let members = net.enumerations.get(id.index()).map_or(0, |e| e.members.len());
                id == other && (i as usize) < members
            }
            (InitialValue::Data(Literal::Bool(_)), Sort::Bool) => true,
            (InitialValue::Each(index), Sort::Enum(id)) => each.get(index) == Some(&id),
            _ => false,
        };
        // A sort that does not exist is reported with its place.
        if !fits && net.check_sort(column.sort).is_ok() {
            let (name, sort) = (&place.name, net.sort_name(column.sort));
            breach(format!("a token of `{name}` has {value:?} where {sort} is expected"));
        }
    }
}

/// Checks what a token that goes through members says of them.
fn check_each(net: &Net, token: &InitialToken, breach: &mut dyn FnMut(String)) {
    if let Err(what) = net.check_each(&token.each) {
        breach(format!("a token is too wide: {what}"));
        return;
    }
    let Some(condition) = &token.condition else { return };
    if token.each.is_empty() {
        breach("a token has a condition, but goes through no members".into());
        return;
    }
    let mut known = true;
    condition.variables(&mut |var| known &= var.index() < token.each.len());
    if !known {
        breach("the condition of a token uses what it does not go through".into());
        return;
    }
    let variables = |var: Var| Kind::Enum(token.each[var.index()]);
    if kind(net, &variables, condition) != Some(Kind::Bool) {
        breach("the condition of a token is no truth value".into());
    }
    breaks_of_symmetry(net, &variables, condition).into_iter().for_each(breach);
}

fn check_totals(state: &State, breach: &mut dyn FnMut(String)) {
    let total = |place: &str| state.tokens(place).map(|(_, count)| u64::from(count)).sum::<u64>();
    if state.marked().any(|place| total(place) > u64::from(u32::MAX)) {
        breach("a place holds more than 2³² tokens".into());
    }
}

fn check_symmetry(net: &Net, breach: &mut dyn FnMut(String)) {
    for Distinction { class, member, other, .. } in net.distinctions() {
        let class = &net.enumerations[class.index()];
        let [mut a, mut b] = [member, other];
        if class.symmetry == Symmetry::Full && b < a {
            std::mem::swap(&mut a, &mut b);
        }
        let [a, b] = [a, b].map(|index| &class.members[index as usize]);
        breach(format!("it tells `{a}` from `{b}`, which are alike in `{}`", class.name));
    }
}
