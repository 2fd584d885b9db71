//! Runs as they are found, looked at step by step.

use check::Lasso;

use crate::graphs::Steps;
use crate::linear::Word;

/// The states of a run, up to where the cycle closes.
pub fn states(lasso: &Lasso) -> Vec<u32> {
    let hops = lasso.stem.iter().chain(&lasso.cycle).map(|hop| hop.target);
    let mut states: Vec<u32> = std::iter::once(lasso.root).chain(hops).collect();
    states.pop();
    states
}

/// The word that a run gives an automaton to read.
pub fn word(lasso: &Lasso, letters: &[u32]) -> Word {
    let letters = states(lasso).iter().map(|&state| letters[state as usize]).collect();
    Word { letters, back: lasso.stem.len() }
}

/// Panics unless it is a run of the graph that goes round.
pub fn check(lasso: &Lasso, graph: &Steps, roots: &[u32], case: &dyn Fn() -> String) {
    assert!(roots.contains(&lasso.root) && !lasso.cycle.is_empty(), "{lasso:?} in {}", case());
    let states = states(lasso);
    for (&at, hop) in states.iter().zip(lasso.stem.iter().chain(&lasso.cycle)) {
        let steps = &graph.steps[at as usize];
        let is_step = match hop.label {
            Some(label) => steps.contains(&(label, hop.target)),
            None => steps.is_empty() && hop.target == at,
        };
        assert!(graph.expanded[at as usize] && is_step, "{hop:?} of {lasso:?} in {}", case());
    }
    let end = lasso.cycle[lasso.cycle.len() - 1].target;
    assert_eq!(end, states[lasso.stem.len()], "{lasso:?} in {}", case());
}
