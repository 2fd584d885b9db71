//! The definition, by brute force: all runs and all bindings, on concrete states, by the plain interpreter.

use std::collections::{BTreeMap, HashMap, VecDeque};

use net::interpret;
use net::{Kind, Net, TransitionId, Var};
use serde_json::Value as Json;
use state::{State, Value};

use crate::log::{self, Case, LARGE, is_named, is_there, value_of};

/// More states than this are too many.
pub const MOST: usize = 200;
/// More tokens than this are too many: steps may double them.
const MOST_TOKENS: usize = 60;

/// What there is to be found.
#[derive(Debug)]
pub struct Found {
    /// How many events a run explains, at most.
    pub explained: u64,
    /// The least number of edits that explain all, if that many are enough; nothing if it was too much to find out.
    pub edits: Option<Option<u32>>,
}

/// Who has which name; nobody if they are gone.
type Binding = BTreeMap<(Kind, String), Option<Value>>;

#[derive(Clone)]
struct Node {
    happened: u32,
    state: State,
    binding: Binding,
}

impl Node {
    fn key(&self) -> String {
        format!("{} {} {:?}", self.happened, self.state.to_json(), self.binding)
    }
}

/// What explains a log, at most; or why that is too much to find out.
pub fn explain(net: &Net, case: &Case, edits: u32) -> Result<Found, &'static str> {
    let without = search(net, case, 0)?;
    let total = case.events.len() as u64;
    if without.0 == total {
        return Ok(Found { explained: total, edits: Some(Some(0)) });
    }
    let edits = match search(net, case, edits) {
        Ok((_, cost)) => Some(cost),
        Err(LARGE) => return Err(LARGE),
        Err(_) => None,
    };
    Ok(Found { explained: without.0, edits })
}

/// The most events that happen in a run, and the least cost at which all do.
fn search(net: &Net, case: &Case, most: u32) -> Result<(u64, Option<u32>), &'static str> {
    let start = Node { happened: 0, state: interpret::initial(net), binding: Binding::new() };
    let mut costs: HashMap<String, u32> = HashMap::from([(start.key(), 0)]);
    let mut open: Vec<VecDeque<Node>> = vec![VecDeque::new(); most as usize + 1];
    open[0].push_back(start);
    let all = (1_u32 << case.events.len()) - 1;
    let (mut farthest, mut least) = (0, None);
    for cost in 0..=most {
        while let Some(node) = open[cost as usize].pop_front() {
            if costs[&node.key()] != cost {
                continue;
            }
            farthest = farthest.max(u64::from(node.happened.count_ones()));
            if node.happened == all {
                least = least.or(Some(cost));
            }
            for (next, more) in successors(net, case, &node, cost < most)? {
                let total = cost + more;
                let known = costs.entry(next.key()).or_insert(u32::MAX);
                if total < *known {
                    *known = total;
                    open[total as usize].push_back(next);
                }
            }
            if costs.len() > MOST {
                return Err("too many states");
            }
        }
        if least.is_some() {
            break;
        }
    }
    Ok((farthest, least))
}

fn successors(
    net: &Net,
    case: &Case,
    node: &Node,
    may_edit: bool,
) -> Result<Vec<(Node, u32)>, &'static str> {
    let mut found = Vec::new();
    for &id in &case.unlogged {
        steps(net, case, node, TransitionId(id), &[], node.happened, 0, &mut found)?;
    }
    if may_edit {
        for &id in case.logged.keys() {
            steps(net, case, node, TransitionId(id), &[], node.happened, 1, &mut found)?;
        }
    }
    for number in 0..case.events.len() {
        if !may_happen(case, node.happened, number) {
            continue;
        }
        let happened = node.happened | 1 << number;
        for (transition, said) in case.readings(&case.events[number]) {
            steps(net, case, node, transition, &said, happened, 0, &mut found)?;
        }
        if may_edit {
            for &id in case.logged.keys() {
                steps(net, case, node, TransitionId(id), &[], happened, 1, &mut found)?;
            }
            found.push((Node { happened, ..node.clone() }, 1));
        }
    }
    Ok(found)
}

fn may_happen(case: &Case, happened: u32, number: usize) -> bool {
    let has = |other: usize| happened >> other & 1 == 1;
    let in_time = match case.window {
        Some(window) => (0..number).all(|other| has(other) || number - other < window as usize),
        None => true,
    };
    !has(number)
        && in_time
        && (0..case.events.len()).all(|other| has(other) || !case.is_before(other, number))
}

#[expect(clippy::too_many_arguments, reason = "it is all that a step depends on")]
fn steps(
    net: &Net,
    case: &Case,
    node: &Node,
    transition: TransitionId,
    said: &[(Var, Json)],
    happened: u32,
    cost: u32,
    found: &mut Vec<(Node, u32)>,
) -> Result<(), &'static str> {
    let modes = log::modes(net, &node.state, transition)?;
    for mode in modes {
        let step = interpret::fire(net, &node.state, &mode).map_err(|_| "a fault")?;
        if tokens(net, &step.state) > MOST_TOKENS {
            return Err(LARGE);
        }
        let mut binding = node.binding.clone();
        let fits = said.iter().all(|(var, json)| {
            let kind = net.transition(transition).variables[var.index()].kind;
            let value = value_of(net, &mode, &step, *var).expect("it is bound");
            says(net, kind, json, &value, &mut binding)
        });
        if !fits {
            continue;
        }
        let state = step.state;
        for bearer in binding.values_mut() {
            let is_gone = bearer
                .as_ref()
                .is_some_and(|value| !matches!(value, Value::Enum(_)) && !is_there(&state, value));
            if is_gone {
                *bearer = None;
            }
        }
        if case.reuse {
            binding.retain(|_, bearer| bearer.is_some());
        }
        found.push((Node { happened, state, binding }, cost));
    }
    Ok(())
}

fn tokens(net: &Net, state: &State) -> usize {
    let of = |place: &net::Place| {
        state.tokens(&place.name).map(|(_, count)| count as usize).sum::<usize>()
    };
    net.places.iter().map(of).sum()
}

/// Whether a field of the log may mean a value, given who has which name.
fn says(net: &Net, kind: Kind, json: &Json, value: &Value, binding: &mut Binding) -> bool {
    if json.is_null() || *value == Value::None {
        return json.is_null() && *value == Value::None;
    }
    if is_named(net, kind) {
        let name = (kind, json.as_str().expect("a name").to_owned());
        if let Some(bearer) = binding.get(&name) {
            return bearer.as_ref() == Some(value);
        }
        let is_named =
            binding.iter().any(|((of, _), bearer)| *of == kind && bearer.as_ref() == Some(value));
        binding.insert(name, Some(value.clone()));
        return !is_named;
    }
    match value {
        Value::Int(number) => json.as_i64() == Some(*number),
        Value::Bool(truth) => json.as_bool() == Some(*truth),
        Value::Enum(member) => json.as_str() == Some(&**member),
        _ => false,
    }
}
