//! What processes agree on when each has looked at its own states.

use budget::{Budget, Exhausted};
use explore::distributed::Lost;
use net::{Net, PlaceId};
use num_bigint::BigUint;
use serde::Deserialize;
use serde_json::json;
use state::Relations;
use symbolic::Census;

use super::Shared;
use crate::growth::{self, Growth};
use crate::reader::Observer;
use crate::unbounded::Covering;

/// What another process has said.
fn understood<'s, T: Deserialize<'s>>(said: &'s [u8]) -> Result<T, Lost> {
    let nonsense = |error| Lost(format!("another process says what makes no sense: {error}"));
    serde_json::from_slice(said).map_err(nonsense)
}

/// Has every process say something, and gives what all have said.
fn told<T: for<'d> Deserialize<'d>>(
    search: &dyn Shared,
    said: &serde_json::Value,
) -> Result<Vec<T>, Lost> {
    let all = search.exchange(said.to_string().into_bytes())?;
    all.iter().map(|said| understood(said)).collect()
}

/// The larger numbers, place by place.
fn raise(most: &mut Vec<u64>, seen: &[u64]) {
    most.resize(most.len().max(seen.len()), 0);
    most.iter_mut().zip(seen).for_each(|(most, &seen)| *most = seen.max(*most));
}

/// Looks for a covering on the first process.
pub(crate) fn covering(
    search: &dyn Shared,
    observer: &mut dyn Observer,
    walk: &mut dyn FnMut(&mut dyn Observer) -> Option<Covering>,
) -> Result<Option<Covering>, Lost> {
    type Said = Option<(u32, usize, Vec<(u32, Vec<u8>)>)>;
    let mut said: Said = None;
    if search.network().process() == 0
        && let Some(Covering { place, path, from }) = walk(observer)
    {
        let path = path.into_iter().map(|(label, state)| (label, observer.portable(&state)));
        said = Some((place.0, from, path.collect()));
    }
    let found = told::<Said>(search, &json!(said))?.swap_remove(0);
    Ok(found.map(|(place, from, path)| {
        let path = path
            .into_iter()
            .map(|(label, state)| (label, observer.adopted_state(&state)))
            .collect();
        Covering { place: PlaceId(place), path, from }
    }))
}

/// The bytes that hold the states, in all.
pub(crate) fn store_bytes(search: &dyn Shared, parts: u64) -> Result<u64, Lost> {
    let mut bytes = parts;
    for worker in 0..search.network().threads() {
        search.look(worker, &mut |portion, _| bytes += portion.found().store.allocated_bytes());
    }
    Ok(told::<u64>(search, &json!(bytes))?.into_iter().sum())
}

/// The largest number of tokens in each place, and whether all states have been looked at.
pub(crate) fn most_tokens(search: &dyn Shared, budget: &Budget) -> Result<(Vec<u64>, bool), Lost> {
    let (mut most, mut are_all) = (Vec::new(), true);
    for worker in 0..search.network().threads() {
        search.look(worker, &mut |portion, observer| {
            let (seen, looked) = observer.most_tokens(portion, budget);
            raise(&mut most, &seen);
            are_all &= looked;
        });
    }
    for (seen, looked) in told::<(Vec<u64>, bool)>(search, &json!((&most, are_all)))? {
        raise(&mut most, &seen);
        are_all &= looked;
    }
    Ok((most, are_all))
}

/// What was folded, counted; nothing if there are threads.
pub(crate) fn census(
    search: &dyn Shared,
    net: &Net,
    relations: Relations,
    budget: &Budget,
) -> Result<Result<Option<Census>, Exhausted>, Lost> {
    let mut here = Ok(Some(Census::default()));
    for worker in 0..search.network().threads() {
        search.look(worker, &mut |portion, observer| {
            if let Ok(Some(sum)) = &mut here {
                match observer.census(net, relations, portion.found(), budget) {
                    Ok(Some(more)) => add(sum, &more),
                    other => here = other,
                }
            }
        });
    }
    let said = match &here {
        Ok(Some(census)) => json!({ "census": written(census) }),
        Ok(None) => json!({ "census": null }),
        Err(_) => json!(null),
    };
    let mut all = Some(Census::default());
    for said in told::<Option<Said>>(search, &said)? {
        let Some(Said { census }) = said else {
            let why = budget.exhausted().unwrap_or(Exhausted::Time);
            return Ok(Err(here.err().unwrap_or(why)));
        };
        match (census, &mut all) {
            (Some(numbers), Some(sum)) => {
                let census = read(&numbers)
                    .ok_or_else(|| Lost("another process counts what is no number".to_owned()))?;
                add(sum, &census);
            }
            _ => all = None,
        }
    }
    Ok(Ok(all))
}

#[derive(Deserialize)]
struct Said {
    census: Option<Vec<String>>,
}

/// A census as numbers in decimal digits; those of places come last.
fn written(census: &Census) -> Vec<String> {
    let Census { concrete_states, concrete_edges, concrete_deadlocks, modes, .. } = census;
    let sums = [concrete_states, concrete_edges, concrete_deadlocks, modes];
    let most = [&census.most_tokens, &census.most_in_place];
    let all = sums.into_iter().chain(most).chain(&census.most_in_places);
    all.map(ToString::to_string).collect()
}

fn read(numbers: &[String]) -> Option<Census> {
    let mut numbers = numbers.iter().map(|number| number.parse::<BigUint>().ok());
    let mut next = || numbers.next().flatten();
    Some(Census {
        concrete_states: next()?,
        concrete_edges: next()?,
        concrete_deadlocks: next()?,
        modes: next()?,
        most_tokens: next()?,
        most_in_place: next()?,
        most_in_places: numbers.collect::<Option<_>>()?,
    })
}

fn add(sum: &mut Census, more: &Census) {
    sum.concrete_states += &more.concrete_states;
    sum.concrete_edges += &more.concrete_edges;
    sum.concrete_deadlocks += &more.concrete_deadlocks;
    sum.modes += &more.modes;
    let raise = |most: &mut BigUint, seen: &BigUint| {
        if *most < *seen {
            most.clone_from(seen);
        }
    };
    raise(&mut sum.most_tokens, &more.most_tokens);
    raise(&mut sum.most_in_place, &more.most_in_place);
    let places = sum.most_in_places.len().max(more.most_in_places.len());
    sum.most_in_places.resize(places, BigUint::ZERO);
    sum.most_in_places.iter_mut().zip(&more.most_in_places).for_each(|(a, b)| raise(a, b));
}

/// What was still rising when the search ended.
pub(crate) fn growth(search: &dyn Shared, net: &Net) -> Result<Vec<Growth>, Lost> {
    let mut halves = Vec::new();
    for worker in 0..search.network().threads() {
        search.look(worker, &mut |portion, observer| {
            let store = &portion.found().store;
            let quantities = |id, counts: &mut Vec<u64>| {
                growth::quantities(net, observer, store.get(id), counts);
            };
            growth::raise(&mut halves, &growth::halves(store.len(), quantities));
        });
    }
    for said in told::<Vec<[u64; 2]>>(search, &json!(halves))? {
        growth::raise(&mut halves, &said);
    }
    Ok(growth::rising(halves, net))
}
