//! Who is who along runs: the graph of a program in which each process keeps its name as long as it lives.
//!
//! A name that has become free may be given to another. Whoever dies need not be treated fairly, so that it makes no
//! difference if infinitely many have had the same name: each of them has died.

use std::collections::HashMap;

use interpret::{Pid, State};

use crate::graph::{Fates, Graph};

/// Who has which name, by number; nobody's is `NOBODY`.
type Called = Vec<u8>;

const NOBODY: u8 = u8::MAX;

/// A graph in which processes have names.
#[derive(Debug, Default)]
pub struct Lives {
    pub nodes: Vec<Life>,
    pub initial: Vec<usize>,
}

/// A state with names. Those that can act, and those that act or die in a step, are sets of names.
#[derive(Debug)]
pub struct Life {
    pub state: usize,
    pub enabled: u32,
    pub steps: Vec<(usize, u32)>,
}

/// The graph with names; nothing if it has more than a number of nodes.
pub fn lives(graph: &Graph, states: &[State], most: usize) -> Option<Lives> {
    let mut numbers: HashMap<(usize, Called), usize> = HashMap::new();
    let mut open: Vec<(usize, Called)> = Vec::new();
    let mut found = Lives::default();
    let mut number = |node: (usize, Called), open: &mut Vec<(usize, Called)>| {
        *numbers.entry(node).or_insert_with_key(|node| {
            open.push(node.clone());
            open.len() - 1
        })
    };
    for first in &graph.initial {
        let state = &states[*first];
        let runs = state.pids().map(|pid| state.thread(pid).is_some());
        let called = (0..).zip(runs).map(|(name, runs)| if runs { name } else { NOBODY });
        found.initial.push(number((*first, called.collect()), &mut open));
    }
    while found.nodes.len() < open.len() {
        if open.len() > most {
            return None;
        }
        let (state, called) = open[found.nodes.len()].clone();
        let mut life = Life { state, enabled: 0, steps: Vec::new() };
        for (to, fates) in &graph.states[state].fates {
            let acting = fates.acting.iter().map(|pid| 1 << called[*pid as usize]);
            let acting = acting.fold(0, |all, one| all | one);
            life.enabled |= acting;
            let dying = called.iter().zip(&fates.becomes);
            let dying = dying.filter(|(name, to)| **name != NOBODY && to.is_none());
            let dying = dying.fold(0, |all, (name, _)| all | 1 << *name);
            let next = renamed(&called, fates, states[*to].processes.len());
            life.steps.push((number((*to, next), &mut open), acting | dying));
        }
        life.steps.sort_unstable();
        life.steps.dedup();
        found.nodes.push(life);
    }
    Some(found)
}

/// Who has which name after a step. Those that are born get the least names that were free before it.
fn renamed(called: &Called, fates: &Fates, count: usize) -> Called {
    let mut next = vec![NOBODY; count];
    let mut free = (0..NOBODY).filter(|name| !called.contains(name));
    for (pid, to) in fates.becomes.iter().enumerate() {
        let name = match called.get(pid) {
            Some(name) => *name,
            None => free.next().expect("there are few processes"),
        };
        if let Some(to) = to {
            next[*to as usize] = name;
        }
    }
    next
}

/// What is asked of each process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// That it acts some time, or is ended.
    Acting,
    /// That it ends some time, or comes to where it may wait for ever.
    Ending,
}

/// Whether, in some state, there is a process for which there is no run on which it does what is asked. Where it may
/// wait for ever is given by state and number.
pub fn is_hopeless(
    graph: &Graph,
    states: &[State],
    asked: Asked,
    is_idle: &dyn Fn(usize, Pid) -> bool,
) -> bool {
    let pairs =
        (0..states.len()).flat_map(|state| states[state].running().map(move |pid| (state, pid)));
    let pairs: Vec<(usize, Pid)> = pairs.collect();
    let mut hope: HashMap<(usize, Pid), bool> = HashMap::new();
    for &(state, pid) in &pairs {
        let fulfils = |fates: &Fates| {
            let ends = fates.becomes[pid.index()].is_none() && !fates.crashed.contains(&pid.0);
            ends || asked == Asked::Acting && fates.acting.contains(&pid.0)
        };
        let fulfilled = graph.states[state].fates.iter().any(|(_, fates)| fulfils(fates));
        let waits = asked == Asked::Ending && is_idle(state, pid);
        // What goes wrong ends everything.
        hope.insert((state, pid), fulfilled || waits || graph.states[state].faults);
    }
    loop {
        let mut is_changed = false;
        for &(state, pid) in &pairs {
            let goes_on = |(to, fates): &(usize, Fates)| {
                fates.becomes[pid.index()].is_some_and(|pid| hope[&(*to, Pid(pid))])
            };
            if !hope[&(state, pid)] && graph.states[state].fates.iter().any(goes_on) {
                hope.insert((state, pid), true);
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
    let lost = |(state, pid): &(usize, Pid)| {
        let may_wait = asked == Asked::Acting && is_idle(*state, *pid);
        !hope[&(*state, *pid)] && !may_wait
    };
    pairs.iter().any(lost)
}

/// Whether there is a state in which nothing can happen, and somebody waits who may not wait for ever.
pub fn has_deadlock(graph: &Graph, states: &[State], is_idle: &dyn Fn(usize, Pid) -> bool) -> bool {
    (0..states.len()).any(|state| {
        graph.states[state].edges.is_empty()
            && states[state].running().any(|pid| !is_idle(state, pid))
    })
}
