//! The folded graph against the full one.
//!
//! For every state that was expanded, the successors found by the compiled rules on its working state
//! are those of the plain interpreter; all members of a class have the same successors as the class
//! has, transition by transition and mode by mode; and the explorer finds the classes at the depths
//! where they are.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use explore::{Control, Exploration, Options, Space, Successors, explore};
use fold::{Folded, Reach, Rules, Sink, Working};
use net::{Compiled, Fault};

use crate::exploration::Explored;
use crate::slow_checker::Classes;

/// The steps from a state: transition and the string of where it leads, once for each mode, in
/// order; or the transition that faults.
pub type Steps = Result<Vec<(u32, Vec<u8>)>, Faulty>;

/// Some transition faults. Where several do, which of them is met first is nobody's concern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Faulty;

/// The full graph with the classes of its states and the explorer's strings for them.
pub struct Full<'a> {
    pub has_threads: bool,
    pub explored: &'a Explored,
    pub classes: &'a Classes,
    pub strings: &'a [Vec<u8>],
}

struct Collected<'a> {
    folded: &'a mut Folded<Compiled>,
    steps: Vec<(u32, Vec<u8>)>,
}

impl Sink for Collected<'_> {
    fn emit(&mut self, transition: u32, successor: &mut Working) {
        self.steps.push((transition, self.folded.fold(successor.clone())));
    }

    fn enough(&mut self) -> bool {
        false
    }
}

impl Full<'_> {
    /// The steps from a state that was expanded, by the plain interpreter.
    fn plain(&self, state: usize) -> Steps {
        let steps = self.explored.steps[state].as_ref().map_err(|_| Faulty)?;
        let step =
            |&(transition, target): &(u32, usize)| (transition, self.strings[target].clone());
        let mut steps: Vec<_> = steps.iter().map(step).collect();
        steps.sort();
        Ok(steps)
    }

    /// Compares steps. Gives those of the classes of which a member was expanded.
    pub fn check_steps(
        &self,
        compiled: &mut Compiled,
        folded: &mut Folded<Compiled>,
    ) -> Result<BTreeMap<usize, Steps>, String> {
        let mut of_class: BTreeMap<usize, Steps> = BTreeMap::new();
        for i in 0..self.explored.steps.len() {
            let state = &self.explored.states[i];
            let plain = self.plain(i);
            let (working, _) = compiled.working(state);
            let fired = fired(compiled, &working, folded);
            if plain != fired {
                return Err(format!(
                    "the steps from {state} differ:\nplain    {plain:?}\ncompiled {fired:?}"
                ));
            }
            let steps = of_class
                .entry(self.classes.class_of[i])
                .or_insert_with(|| expanded(folded, &self.strings[i]));
            if plain != *steps {
                return Err(format!(
                    "the steps from {state} are not those of its class:\nplain {plain:?}\nclass {steps:?}"
                ));
            }
        }
        Ok(of_class)
    }

    /// Explores the folded graph and compares it with the full one as far as that is known.
    pub fn check_graph(
        &self,
        folded: &mut Folded<Compiled>,
        steps: &BTreeMap<usize, Steps>,
    ) -> Result<(), String> {
        let mut depth_of: HashMap<&[u8], u32> = HashMap::new();
        for (i, bytes) in self.strings.iter().enumerate() {
            depth_of.entry(bytes).or_insert(self.explored.depth[i]);
        }
        let full_depth = self.explored.full_depth();
        let near = depth_of.values().filter(|&&depth| depth <= full_depth).count();
        let mut options = Options::default();
        if !self.explored.is_complete() {
            // Numbers are given in the order of discovery: these are the nearest.
            options.states = Some(near as u64);
        }
        let (exploration, failed) = match explore(folded, &options, &mut |_| Control::Continue) {
            Ok(exploration) => (exploration, None),
            Err(failed) => (*failed.exploration, Some((failed.fault, failed.at))),
        };
        let faulty: BTreeSet<&[u8]> = (0..self.explored.steps.len())
            .filter(|&i| self.explored.steps[i].is_err())
            .map(|i| self.strings[i].as_slice())
            .collect();
        let first_fault = faulty.iter().map(|bytes| depth_of[bytes]).min();
        let mut compared = full_depth;
        match failed {
            Some((_, None)) => return Err("the initial state faults".into()),
            Some((fault, Some(at))) if exploration.depth_of(at) < full_depth => {
                if !faulty.contains(exploration.store.get(at)) {
                    return Err(format!("{fault:?}, but the full graph has no fault there"));
                }
                compared = exploration.depth_of(at);
                if Some(compared) != first_fault {
                    return Err(format!("{fault:?} at depth {compared}, not {first_fault:?}"));
                }
            }
            _ if first_fault.is_some_and(|depth| depth < full_depth) => {
                return Err(format!("a fault at depth {first_fault:?} is not found"));
            }
            _ => {}
        }
        compare_depths(&exploration, &depth_of, compared)?;
        if self.explored.is_complete() && faulty.is_empty() {
            self.compare_totals(&exploration, steps)?;
        }
        Ok(())
    }

    fn compare_totals(
        &self,
        exploration: &Exploration,
        steps: &BTreeMap<usize, Steps>,
    ) -> Result<(), String> {
        let (mut edges, mut modes, mut deadlocks, mut terminated) = (0, 0, 0, 0);
        for (&class, steps) in steps {
            let steps = steps.as_ref().expect("nothing faults");
            modes += steps.len() as u64;
            edges += steps.iter().collect::<BTreeSet<_>>().len() as u64;
            if steps.is_empty() {
                let state = &self.explored.states[self.classes.first[class]];
                let has_ended = self.has_threads && state.eta().is_empty();
                *if has_ended { &mut terminated } else { &mut deadlocks } += 1;
            }
        }
        let states = self.classes.first.len() as u64;
        let expected = (true, states, edges, modes, deadlocks, terminated);
        let e = exploration;
        let found =
            (e.complete, e.states(), e.edges, e.modes, e.deadlocks.len(), e.terminated.len());
        if found == expected {
            Ok(())
        } else {
            Err(format!(
                "(complete, states, edges, modes, deadlocks, terminated): {found:?}, not {expected:?}"
            ))
        }
    }
}

/// Compares the classes at each depth up to `compared`.
fn compare_depths(
    exploration: &Exploration,
    depth_of: &HashMap<&[u8], u32>,
    compared: u32,
) -> Result<(), String> {
    for (&bytes, &depth) in depth_of {
        let found = exploration.store.find(bytes).map(|id| exploration.depth_of(id));
        if depth <= compared && found != Some(depth) {
            return Err(format!("a class at depth {depth} is explored at depth {found:?}"));
        }
    }
    for (id, bytes) in exploration.store.iter() {
        let depth = exploration.depth_of(id);
        if depth <= compared && depth_of.get(bytes) != Some(&depth) {
            return Err(format!(
                "a class explored at depth {depth} is not in the full graph there"
            ));
        }
    }
    Ok(())
}

/// The steps from a working state, by the compiled rules.
fn fired(compiled: &mut Compiled, working: &Working, folded: &mut Folded<Compiled>) -> Steps {
    let mut collected = Collected { folded, steps: Vec::new() };
    let result: Result<(), Fault> =
        Reach::ALL.into_iter().try_for_each(|reach| compiled.fire(working, reach, &mut collected));
    result.map_err(|_| Faulty)?;
    collected.steps.sort();
    Ok(collected.steps)
}

/// The steps from a class, as the explorer sees them.
fn expanded(folded: &mut Folded<Compiled>, bytes: &[u8]) -> Steps {
    let mut found = Successors::new();
    folded.expand(bytes, &mut found).map_err(|_| Faulty)?;
    let mut steps = Vec::new();
    for (transition, modes, bytes) in found.iter() {
        steps.extend((0..modes).map(|_| (transition, bytes.to_vec())));
    }
    steps.sort();
    Ok(steps)
}
