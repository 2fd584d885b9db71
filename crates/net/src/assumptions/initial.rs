//! Assumption 2: about the initial marking.
//!
//! It must be the same under every permutation that the symmetries of the enumerations allow. It is
//! enough to look at generators: neighbours of a part swapped, and the rotation by one step. Each looks
//! only at the tokens with the members it moves, so all of it costs little more than the tokens.

use std::collections::HashMap;

use state::{State, Token, Value};

use super::typing::{breaks_of_symmetry, kind};
use crate::interpret::try_initial;
use crate::{
    EnumId, Enumeration, FaultKind, InitialToken, InitialValue, Kind, Literal, Net, Place, Sort,
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
            check_symmetry(net, &state, breach);
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
    let mut known = true;
    condition.variables(&mut |var| known &= var.index() < token.each.len());
    if !known {
        breach("the condition of a token uses what it does not go through".into());
        return;
    }
    let variables = |var: Var| Kind::Enum(token.each[var.index()]);
    if kind(&variables, condition) != Some(Kind::Bool) {
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

fn check_symmetry(net: &Net, state: &State, breach: &mut dyn FnMut(String)) {
    for (id, class) in (0..).map(EnumId).zip(&net.enumerations) {
        let distinguished = match class.symmetry {
            Symmetry::None => None,
            Symmetry::Full => Tokens::of(net, state, id).neighbours_that_differ(),
            Symmetry::Rotations => Tokens::of(net, state, id).turned(),
        };
        if let Some((a, b)) = distinguished {
            let [a, b] = [a, b].map(|index| &class.members[index as usize]);
            breach(format!("it tells `{a}` from `{b}`, which are alike in `{}`", class.name));
        }
    }
}

/// The tokens that hold members of a class.
struct Tokens<'a> {
    state: &'a State,
    id: EnumId,
    class: &'a Enumeration,
    index: HashMap<&'a str, u32>,
    /// By member: where the tokens with it are, and how often.
    with: Vec<Vec<(&'a Place, &'a Token, u32)>>,
}

impl<'a> Tokens<'a> {
    fn of(net: &'a Net, state: &'a State, id: EnumId) -> Tokens<'a> {
        let class = &net.enumerations[id.index()];
        let index: HashMap<&str, u32> = class.members.iter().map(|m| &**m).zip(0..).collect();
        let mut with = vec![Vec::new(); class.members.len()];
        for place in &net.places {
            for (token, count) in state.tokens(&place.name) {
                for (value, column) in token.iter().zip(&place.columns) {
                    if let (Value::Enum(member), true) = (value, column.sort == Sort::Enum(id)) {
                        with[index[&**member] as usize].push((place, token, count));
                    }
                }
            }
        }
        Tokens { state, id, class, index, with }
    }

    /// Two members of a part such that swapping them changes the marking.
    fn neighbours_that_differ(&self) -> Option<(u32, u32)> {
        let parts = self.class.part_ranges();
        { parts.flat_map(|part| part.clone().zip(part.skip(1))) }.find(|&(a, b)| {
            let swap = |member| match member {
                _ if member == a => b,
                _ if member == b => a,
                _ => member,
            };
            !self.is_kept(a, swap) || !self.is_kept(b, swap)
        })
    }

    /// A member and the one after it such that going on by one step changes the marking.
    fn turned(&self) -> Option<(u32, u32)> {
        let size = self.class.members.len() as u32;
        let next = |member| (member + 1) % size;
        (0..size)
            .map(|member| (member, next(member)))
            .find(|&(member, _)| !self.is_kept(member, next))
    }

    /// Whether each token with a member is there as often when members are renamed.
    fn is_kept(&self, member: u32, renamed: impl Fn(u32) -> u32) -> bool {
        self.with[member as usize].iter().all(|(place, token, count)| {
            let mut image = (*token).clone();
            for (value, column) in image.iter_mut().zip(&place.columns) {
                if let (Value::Enum(name), true) = (value, column.sort == Sort::Enum(self.id)) {
                    let to = renamed(self.index[&**name]);
                    *name = self.class.members[to as usize].clone();
                }
            }
            self.state.count(&place.name, &image) == *count
        })
    }
}
