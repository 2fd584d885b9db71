//! Equivalence of states, by its definition.
//!
//! A bijection `h` of pids and next pids is looked for that maps active pids to active ones and
//! `next(π)` to `next(h(π))`, keeps every relation of Ω (`parent` and `ancestor` on pids, the sibling
//! relations on next pids too), and maps the tokens onto those of the other state. Bijections are tried
//! one pid after the other; relations are read off the digits here. Exponential; shares nothing with
//! what is tested.

use std::collections::BTreeMap;

use state::{Pid, Relation, Relations, State, Value};

/// Tokens of all places, counted.
type Tokens = BTreeMap<(String, Vec<Value>), u32>;

struct Side {
    pids: Vec<Pid>,
    /// For each pid its next one, if it is active.
    next: Vec<Option<Pid>>,
    /// Where each pid occurs, and how often.
    occurrences: Vec<BTreeMap<(String, usize), u32>>,
    tokens: Tokens,
}

impl Side {
    fn of(state: &State) -> Side {
        let pids: Vec<Pid> = state.pids().into_iter().collect();
        let next = |pid| state.eta().get(pid).map(|&children| Pid::child(pid, children + 1));
        let mut tokens = Tokens::new();
        for place in state.marked() {
            for (token, count) in state.tokens(place) {
                tokens.insert((place.to_string(), token.clone()), count);
            }
        }
        let occurrences = |pid: &Pid| {
            let mut found = BTreeMap::new();
            for ((place, token), count) in &tokens {
                for (at, _) in token.iter().enumerate().filter(|(_, v)| v.as_pid() == Some(pid)) {
                    *found.entry((place.clone(), at)).or_default() += count;
                }
            }
            found
        };
        Side {
            next: pids.iter().map(next).collect(),
            occurrences: pids.iter().map(occurrences).collect(),
            pids,
            tokens,
        }
    }
}

fn related(relation: Relation, a: &Pid, b: &Pid) -> bool {
    let (a, b) = (a.digits(), b.digits());
    let siblings = a.len() == b.len() && a[..a.len() - 1] == b[..b.len() - 1];
    match relation {
        Relation::Parent => a.len() + 1 == b.len() && *a == b[..a.len()],
        Relation::Ancestor => a.len() < b.len() && *a == b[..a.len()],
        Relation::NextSibling => siblings && a[a.len() - 1] + 1 == b[b.len() - 1],
        Relation::ElderSibling => siblings && a[a.len() - 1] < b[b.len() - 1],
    }
}

/// Whether `h` keeps the relations between the pids of index `i` and `j` and their next pids.
fn keeps(one: &Side, other: &Side, relations: Relations, h: &[usize], i: usize, j: usize) -> bool {
    relations.iter().all(|relation| {
        let agree = |a: &Pid, b: &Pid, x: &Pid, y: &Pid| {
            related(relation, a, b) == related(relation, x, y)
                && related(relation, b, a) == related(relation, y, x)
        };
        if !agree(&one.pids[i], &one.pids[j], &other.pids[h[i]], &other.pids[h[j]]) {
            return false;
        }
        if matches!(relation, Relation::Parent | Relation::Ancestor) {
            return true;
        }
        // Both next pids exist on both sides, or on neither: activity is compared first.
        let both = |k: usize| Some((one.next[k].as_ref()?, other.next[h[k]].as_ref()?));
        let (next_i, next_j) = (both(i), both(j));
        next_i.is_none_or(|(a, x)| agree(a, &one.pids[j], x, &other.pids[h[j]]))
            && next_j.is_none_or(|(b, y)| agree(&one.pids[i], b, &other.pids[h[i]], y))
            && match (next_i, next_j) {
                (Some((a, x)), Some((b, y))) => agree(a, b, x, y),
                _ => true,
            }
    })
}

fn maps_tokens(one: &Side, other: &Side, h: &[usize]) -> bool {
    let image = |pid: &Pid| {
        let at = one.pids.iter().position(|p| p == pid).expect("it is present");
        other.pids[h[at]].clone()
    };
    let renamed: Tokens = one
        .tokens
        .iter()
        .map(|((place, token), &count)| {
            let value = |value: &Value| match value {
                Value::Pid(pid) => Value::Pid(image(pid)),
                data => data.clone(),
            };
            ((place.clone(), token.iter().map(value).collect()), count)
        })
        .collect();
    renamed == other.tokens
}

fn search(one: &Side, other: &Side, relations: Relations, h: &mut Vec<usize>) -> bool {
    let i = h.len();
    if i == one.pids.len() {
        return maps_tokens(one, other, h);
    }
    (0..other.pids.len()).any(|image| {
        if h.contains(&image)
            || one.next[i].is_some() != other.next[image].is_some()
            || one.occurrences[i] != other.occurrences[image]
        {
            return false;
        }
        h.push(image);
        let found = (0..=i).all(|j| keeps(one, other, relations, h, i, j))
            && search(one, other, relations, h);
        h.pop();
        found
    })
}

/// Whether two states are equivalent up to `relations`.
pub fn equivalent(one: &State, other: &State, relations: Relations) -> bool {
    let (one, other) = (Side::of(one), Side::of(other));
    one.pids.len() == other.pids.len() && search(&one, &other, relations, &mut Vec::new())
}

/// Whether `h` shows it.
pub fn is_equivalence(
    h: &BTreeMap<Pid, Pid>,
    one: &State,
    other: &State,
    relations: Relations,
) -> bool {
    let (one, other) = (Side::of(one), Side::of(other));
    let index = |pid: &Pid| other.pids.iter().position(|p| *p == h[pid]).expect("it is present");
    let h: Vec<usize> = one.pids.iter().map(index).collect();
    let n = h.len();
    n == other.pids.len()
        && (0..n).all(|image| h.contains(&image))
        && (0..n).all(|i| one.next[i].is_some() == other.next[h[i]].is_some())
        && (0..n).all(|i| (0..n).all(|j| keeps(&one, &other, relations, &h, i, j)))
        && maps_tokens(&one, &other, &h)
}
