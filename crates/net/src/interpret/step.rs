//! Firing a mode.

use state::{Pid, State, Value};

use super::scope::Scope;
use super::{Mode, garbage, in_normal_form};
use crate::{Expr, Fate, Fault, FaultKind, Net, PlaceId, Sort};

/// What firing a mode has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The state after it.
    pub state: State,
    /// The children created, in the order in which they are written.
    pub children: Vec<Pid>,
    /// The objects created, in the order in which they are written.
    pub objects: Vec<Value>,
}

/// Fires a mode that [`modes`](super::modes) has found in `state`. First all tokens are taken, then
/// children get their pids and objects their numbers, then values are evaluated and tokens put, then threads end,
/// and what is garbage then is dropped.
pub fn fire(net: &Net, state: &State, mode: &Mode) -> Result<Step, Fault> {
    try_fire(net, state, mode).map_err(|kind| Fault { transition: mode.transition, kind })
}

fn try_fire(net: &Net, source: &State, mode: &Mode) -> Result<Step, FaultKind> {
    let rule = net.transition(mode.transition);
    if rule.failure.is_some() {
        return Err(FaultKind::Failure { transition: mode.transition });
    }
    let mut state = source.clone();
    let mut binding = mode.binding.clone();
    let (of_threads, of_arcs) = mode.tokens.split_at(rule.participants.len());
    let mut threads = Vec::new();
    for (participant, token) in rule.participants.iter().zip(of_threads) {
        let taken = state.take(&net.place(participant.from).name, token, 1);
        assert!(taken, "the mode is enabled");
        threads.push(token[0].as_pid().expect("a thread comes first").clone());
    }
    for (place, token, count) in taken_by_arcs(net, mode, of_arcs)? {
        let taken = state.take(&net.place(place).name, &token, count);
        assert!(taken, "the mode is enabled");
    }
    let mut children = Vec::new();
    for spawn in &rule.spawns {
        let parent = binding[&spawn.parent].as_pid().expect("threads are pids").clone();
        for _ in 0..spawn.count {
            let child = state.spawn(&parent).ok_or(FaultKind::TooManyChildren)?;
            if let Some(var) = spawn.child {
                binding.insert(var, child.clone().into());
            }
            children.push(child);
        }
    }
    let before: Vec<Value> = source.values().cloned().collect();
    let mut created = Vec::new();
    for (var, class) in &rule.news {
        let in_use = before.iter().chain(&created);
        let object = garbage::unused(&net.fresh[class.index()].name, in_use);
        binding.insert(*var, object.clone());
        created.push(object);
    }
    let scope = Scope::of(net, rule, &binding);
    for ((participant, token), pid) in rule.participants.iter().zip(of_threads).zip(&threads) {
        match &participant.fate {
            Fate::Move { to, values } => {
                let token = token_of(net, &scope, *to, Some(pid), values)?;
                put(net, &mut state, *to, token, 1)?;
            }
            Fate::Stay => put(net, &mut state, participant.from, token.clone(), 1)?,
            Fate::End | Fate::Crash => {}
        }
    }
    let mut named = children.iter();
    for spawn in &rule.spawns {
        for child in named.by_ref().take(spawn.count as usize) {
            match spawn.to {
                Some(to) => {
                    let token = token_of(net, &scope, to, Some(child), &spawn.values)?;
                    put(net, &mut state, to, token, 1)?;
                }
                None => state.end(child),
            }
        }
    }
    for arc in &rule.puts {
        scope.for_each_choice(&arc.each, arc.condition.as_ref(), &mut |scope| {
            let token = token_of(net, scope, arc.place, None, arc.pattern.iter().flatten())?;
            put(net, &mut state, arc.place, token, arc.count)
        })?;
    }
    for (participant, pid) in rule.participants.iter().zip(&threads) {
        if participant.fate.ends() {
            state.end(pid);
        }
    }
    garbage::drop_garbage(net, &mut state);
    Ok(Step { state, children, objects: created })
}

/// The tokens that the arcs of a mode take, with their places, and how many of each. The same may be in it several
/// times.
///
/// # Errors
/// If an arc that takes a token for each member faults.
pub fn taken(net: &Net, mode: &Mode) -> Result<Vec<(PlaceId, Vec<Value>, u32)>, Fault> {
    let of_arcs = &mode.tokens[net.transition(mode.transition).participants.len()..];
    let taken = taken_by_arcs(net, mode, of_arcs);
    taken.map_err(|kind| Fault { transition: mode.transition, kind })
}

fn taken_by_arcs(
    net: &Net,
    mode: &Mode,
    of_arcs: &[Vec<Value>],
) -> Result<Vec<(PlaceId, Vec<Value>, u32)>, FaultKind> {
    let rule = net.transition(mode.transition);
    let scope = Scope::of(net, rule, &mode.binding);
    let mut of_arcs = of_arcs.iter();
    let mut taken = Vec::new();
    for arc in &rule.takes {
        let tokens = if arc.each.is_empty() {
            vec![of_arcs.next().expect("a token for each arc").clone()]
        } else {
            scope.tokens_of(arc)?
        };
        taken.extend(tokens.into_iter().map(|token| (arc.place, token, arc.count)));
    }
    Ok(taken)
}

fn token_of<'a>(
    net: &Net,
    scope: &Scope,
    place: PlaceId,
    thread: Option<&Pid>,
    values: impl IntoIterator<Item = &'a Expr>,
) -> Result<Vec<Value>, FaultKind> {
    let mut token: Vec<Value> = thread.cloned().map(Value::Pid).into_iter().collect();
    for expr in values {
        let value = scope.eval(expr)?;
        let column = token.len();
        if let (Value::Int(number), Sort::Int { min, max }) =
            (&value, net.place(place).columns[column].sort)
            && !(min..=max).contains(number)
        {
            return Err(FaultKind::OutOfRange { place, column, value: *number });
        }
        token.push(value);
    }
    Ok(token)
}

fn put(
    net: &Net,
    state: &mut State,
    place: PlaceId,
    token: Vec<Value>,
    count: u32,
) -> Result<(), FaultKind> {
    let token = in_normal_form(net, net.place(place), token);
    if state.put(&net.place(place).name, token, count) {
        Ok(())
    } else {
        Err(FaultKind::TooManyTokens { place })
    }
}
