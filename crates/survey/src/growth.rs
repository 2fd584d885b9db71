//! What grows in a run that did not end.
//!
//! A state space that stays infinite after folding is a fact about the model, and the user wants to
//! know what it is that grows. States are found in the order of their depth, so a quantity whose
//! maximum is still rising in the later half of them is a suspect. This proves nothing; it is reported
//! as what was seen.

use std::collections::BTreeSet;
use std::fmt;

use explore::{Exploration, StateId};
use net::listing::{Field, Listed};
use net::{Expr, Fate, Net, PlaceId, Sort, Transition};
use state::Value;

use crate::reader::Reader;

/// States looked at, at most; spread evenly over all. Numbers are looked at in some of them, and less where it goes on.
pub(crate) const SAMPLES: u32 = 200;
pub(crate) const FEWER_SAMPLES: u32 = 50;
const SAMPLES_TO_NUMBERS: u32 = 4;
/// Of fewer states nothing can be said.
const FEWEST: u32 = 20;
/// With fewer states, nobody waits long enough to ask what grows.
pub(crate) const MANY: u32 = 1 << 10;
/// Only the fastest are of interest, and few of those who make them grow.
const MOST_NAMED: usize = 8;
const MOST_CAUSES: usize = 3;
/// Numbers that have a smaller range will soon have taken all of their values.
const WIDE: u64 = 1 << 16;

/// A quantity that was still rising when the run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// What is counted.
    pub what: String,
    /// The largest number in the first half of the states.
    pub before: u64,
    /// The largest number in the second half.
    pub after: u64,
    /// The statements or transitions that make it grow.
    pub by: Vec<String>,
}

impl Growth {
    /// What grows and why, for who waits for it to end.
    pub(crate) fn told(&self) -> String {
        match &self.by[..] {
            [] => self.to_string(),
            by => format!("{self}, by {}", by.join(", ")),
        }
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} (up to {}, then {})", self.what, self.before, self.after)
    }
}

/// Which quantities are still rising among the states of an exploration, the fastest first.
pub(crate) fn growth(
    found: &Exploration,
    samples: u32,
    net: &Net,
    reader: &mut dyn Reader,
) -> Vec<Growth> {
    let counted = |id, with_numbers, counts: &mut Vec<u64>| {
        quantities(net, reader, found.store.get(id), with_numbers, counts);
    };
    rising(halves(found.store.len(), samples, counted), net)
}

/// The largest number of each quantity in the first half of the states, and in the second.
pub(crate) fn halves(
    states: u32,
    samples: u32,
    mut quantities: impl FnMut(StateId, bool, &mut Vec<u64>),
) -> Vec<[u64; 2]> {
    let step = (states / samples).max(1);
    let mut halves: Vec<[u64; 2]> = Vec::new();
    let mut counts = Vec::new();
    let ids = (0..states).step_by(step as usize).filter(|_| states >= FEWEST);
    for (nth, id) in (0..).zip(ids) {
        quantities(StateId(id), nth % SAMPLES_TO_NUMBERS == 0, &mut counts);
        halves.resize(counts.len().max(halves.len()), [0; 2]);
        for (half, &count) in halves.iter_mut().zip(&counts) {
            let most = &mut half[usize::from(id >= states / 2)];
            *most = count.max(*most);
        }
    }
    halves
}

/// The larger numbers of both.
pub(crate) fn raise(halves: &mut Vec<[u64; 2]>, others: &[[u64; 2]]) {
    halves.resize(halves.len().max(others.len()), [0; 2]);
    for (half, other) in halves.iter_mut().zip(others) {
        *half = [half[0].max(other[0]), half[1].max(other[1])];
    }
}

/// Which quantities are larger in the second half, the fastest first.
pub(crate) fn rising(halves: Vec<[u64; 2]>, net: &Net) -> Vec<Growth> {
    let all = halves.into_iter().enumerate();
    let mut rising: Vec<_> = all.filter(|(_, [before, after])| after > before).collect();
    rising.sort_by_key(|(_, [before, after])| std::cmp::Reverse(after - before));
    let mut named: Vec<Growth> = Vec::new();
    for (number, [before, after]) in rising {
        let what = name(net, number);
        // A variable of a process is in a place for each point at which it has a value.
        if named.len() < MOST_NAMED && named.iter().all(|other| other.what != what) {
            named.push(Growth { what, before, after, by: causes(net, number) });
        }
    }
    named
}

/// What is counted in a state: threads and the pids they left behind, if there can be any, then the
/// tokens in each place, and how great the numbers in wide columns are. Objects are counted by the tokens that speak of them.
pub(crate) fn quantities(
    net: &Net,
    reader: &mut dyn Reader,
    bytes: &[u8],
    with_numbers: bool,
    counts: &mut Vec<u64>,
) {
    reader.count_tokens_in_places(bytes, counts);
    let working = reader.working(bytes);
    let kin = working.as_ref().map_or(&[][..], |working| working.kinship.kin());
    let active = kin.iter().filter(|kin| kin.active).count();
    let mut kept = kin.len() - active;
    if kept > 0 && net.has_objects() {
        let state = reader.state(bytes);
        let is_object = |value: &&Value| matches!(value, Value::Object(..));
        let objects: BTreeSet<&Value> = state.values().filter(is_object).collect();
        // Those in columns that nothing asks for are no part of the class.
        kept = kept.saturating_sub(objects.len());
    }
    counts.splice(0..0, [active as u64, kept as u64]);
    let wide = if with_numbers { wide_columns(net) } else { Vec::new() };
    if !wide.is_empty() {
        let state = reader.state(bytes);
        counts.extend(wide.iter().map(|(place, column)| {
            let tokens = state.tokens(&net.place(*place).name);
            let numbers = tokens.map(|(token, _)| match &token[*column] {
                Value::Int(number) => number.unsigned_abs(),
                _ => 0,
            });
            numbers.max().unwrap_or(0)
        }));
    }
}

/// The columns whose numbers may become ever greater.
fn wide_columns(net: &Net) -> Vec<(PlaceId, usize)> {
    let is_wide = |sort| matches!(sort, Sort::Int { min, max } if max.abs_diff(min) >= WIDE);
    let of_place = |(id, place): (u32, &net::Place)| {
        let columns = place.columns.iter().enumerate();
        let wide = columns.filter(|(_, column)| is_wide(column.sort));
        let wide = wide.map(|(column, _)| (PlaceId(id), column));
        // Other variables of a program are steps on the way from one of its own to another.
        let is_named = |(place, column): &(PlaceId, usize)| {
            net.listing.is_none() || variable(net, *place, *column).is_some()
        };
        wide.filter(is_named).collect::<Vec<_>>()
    };
    (0..).zip(&net.places).flat_map(of_place).collect()
}

/// One of the [`quantities`].
#[derive(Clone, Copy)]
enum Quantity {
    Alive,
    Kept,
    Tokens(PlaceId),
    Numbers(PlaceId, usize),
}

fn quantity(net: &Net, number: usize) -> Quantity {
    match number {
        0 => Quantity::Alive,
        1 => Quantity::Kept,
        _ if number - 2 < net.places.len() => Quantity::Tokens(PlaceId(number as u32 - 2)),
        _ => {
            let (place, column) = wide_columns(net)[number - 2 - net.places.len()];
            Quantity::Numbers(place, column)
        }
    }
}

/// What it is called.
fn name(net: &Net, number: usize) -> String {
    let (alive, kept) = match net.listing {
        Some(_) => ("processes alive", "handles of processes that have ended"),
        None => ("threads alive", "pids kept after their threads ended"),
    };
    match quantity(net, number) {
        Quantity::Alive => alive.to_owned(),
        Quantity::Kept => kept.to_owned(),
        Quantity::Tokens(place) => {
            let told = trace::told_place(net, place);
            told.unwrap_or_else(|| {
                let place = net.place(place);
                let what = if place.is_flow() { "threads at" } else { "tokens in" };
                format!("{what} `{}`", place.name)
            })
        }
        Quantity::Numbers(place, column) => variable(net, place, column).unwrap_or_else(|| {
            let place = net.place(place);
            match &place.columns[column].name {
                Some(column) => format!("the value of `{column}` in `{}`", place.name),
                None => format!("the numbers in `{}`", place.name),
            }
        }),
    }
}

/// The value of a variable, in a net that was made of processes.
fn variable(net: &Net, place: PlaceId, column: usize) -> Option<String> {
    let of = |fields: &[Field]| {
        let mut fields = fields.iter().filter(|field| !field.name.starts_with('$'));
        let field = fields.find(|field| field.columns.contains(&column));
        field.map(|field| format!("the value of `{}`", field.name))
    };
    match net.listing.as_ref()?.places.get(&place)? {
        Listed::Global(field) | Listed::Result(field) => of(std::slice::from_ref(field)),
        Listed::Point { routine, variables, .. } | Listed::Frame { routine, variables, .. } => {
            of(variables).map(|value| format!("{value} in `{routine}`"))
        }
        Listed::Object { name, fields } => {
            of(fields).map(|value| format!("{value} of an object of type {name}"))
        }
        Listed::Ended => None,
    }
}

/// What makes it grow, as far as the text shows it.
fn causes(net: &Net, number: usize) -> Vec<String> {
    let copies = |arcs: &[net::Arc], place| -> u64 {
        let arcs = arcs.iter().filter(|arc| arc.place == place);
        arcs.map(|arc| u64::from(arc.count)).sum()
    };
    let grows = quantity(net, number);
    let is_cause = |transition: &Transition| match grows {
        Quantity::Alive => transition.spawns.iter().any(|spawn| spawn.to.is_some()),
        Quantity::Kept => false,
        Quantity::Tokens(place) => {
            let spawned = transition.spawns.iter().any(|spawn| spawn.to == Some(place));
            spawned || copies(&transition.puts, place) > copies(&transition.takes, place)
        }
        Quantity::Numbers(place, column) => {
            let taken = transition.takes.iter().filter(|arc| arc.place == place);
            let taken: Vec<_> = taken.filter_map(|arc| arc.pattern[column].as_ref()).collect();
            let is_computed = |expr: &Expr| match expr {
                Expr::Var(_) => !taken.is_empty() && !taken.contains(&expr),
                Expr::Literal(_) => false,
                _ => true,
            };
            let put = transition.puts.iter().filter(|arc| arc.place == place);
            let mut put = put.filter_map(|arc| arc.pattern[column].as_ref());
            let mut moved = transition.participants.iter().filter_map(|one| match &one.fate {
                Fate::Move { to, values } if *to == place && column > 0 => values.get(column - 1),
                _ => None,
            });
            put.any(is_computed) || moved.any(is_computed)
        }
    };
    let mut causes = Vec::new();
    for (number, transition) in net.transitions.iter().enumerate() {
        if transition.probe || !is_cause(transition) {
            continue;
        }
        let cause = match &net.listing {
            None => Some(format!("`{}`", transition.name)),
            Some(listing) => {
                let line = listing.statements.get(number).and_then(Option::as_ref);
                let line = line.filter(|line| !line.in_prelude);
                line.map(|line| format!("{}: `{}`", line.place(), line.text))
            }
        };
        if let Some(cause) = cause.filter(|cause| !causes.contains(cause)) {
            causes.push(cause);
        }
    }
    causes.truncate(MOST_CAUSES);
    causes
}
