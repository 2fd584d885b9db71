//! Runs that satisfy formulas of linear time, against a tableau that tries all valuations.

use budget::{Budget, Exhausted};
use check::{Automaton, Ltl, Question, Strength, find_lasso};
use random::for_seeds;

use crate::graphs::{self, Steps};
use crate::linear::{ATOMS, Plain, Word, formula, random_formula};
use crate::runs;

/// Formulas flattened, parts before what is made of them.
fn flatten(plain: &Plain, into: &mut Vec<(Plain, usize, usize)>) -> usize {
    let (a, b) = match plain {
        Plain::Atom(_) => (0, 0),
        Plain::Not(a) | Plain::Next(a) | Plain::Eventually(a) | Plain::Always(a) => {
            (flatten(a, into), 0)
        }
        Plain::And(a, b) | Plain::Or(a, b) | Plain::Until(a, b) | Plain::Release(a, b) => {
            (flatten(a, into), flatten(b, into))
        }
    };
    into.push((plain.clone(), a, b));
    into.len() - 1
}

/// Whether a run from a state satisfies a formula. A node is a state with a guess, for each temporal
/// operator, of whether what it speaks of holds in the next state.
fn has_run(graph: &Steps, letters: &[u32], root: u32, plain: &Plain) -> bool {
    let mut parts = Vec::new();
    flatten(plain, &mut parts);
    let is_temporal = |part: &Plain| {
        !matches!(part, Plain::Atom(_) | Plain::Not(_) | Plain::And(..) | Plain::Or(..))
    };
    let temporal: Vec<usize> = (0..parts.len()).filter(|&p| is_temporal(&parts[p].0)).collect();
    let values = |state: u32, guess: u32| {
        let mut values: Vec<bool> = Vec::new();
        for (number, (part, a, b)) in parts.iter().enumerate() {
            let place = temporal.iter().position(|&t| t == number);
            let next = place.is_some_and(|place| guess >> place & 1 == 1);
            let value = match part {
                Plain::Atom(atom) => letters[state as usize] >> atom & 1 == 1,
                Plain::Not(_) => !values[*a],
                Plain::And(..) => values[*a] && values[*b],
                Plain::Or(..) => values[*a] || values[*b],
                Plain::Next(_) => next,
                Plain::Eventually(_) => values[*a] || next,
                Plain::Always(_) => values[*a] && next,
                Plain::Until(..) => values[*b] || values[*a] && next,
                Plain::Release(..) => values[*b] && (values[*a] || next),
            };
            values.push(value);
        }
        values
    };
    let guesses = 1_u32 << temporal.len();
    let steps = |(state, guess): (u32, u32)| {
        let mut next: Vec<u32> = graph.steps[state as usize].iter().map(|&(_, to)| to).collect();
        if next.is_empty() {
            next.push(state);
        }
        let mut found = Vec::new();
        for to in next {
            for then in 0..guesses {
                let values = values(to, then);
                let is_so = |(place, &number): (usize, &usize)| {
                    let is_next = matches!(parts[number].0, Plain::Next(_));
                    let about = if is_next { parts[number].1 } else { number };
                    (guess >> place & 1 == 1) == values[about]
                };
                if temporal.iter().enumerate().all(is_so) {
                    found.push((to, then));
                }
            }
        }
        found
    };
    let reach = |starts: Vec<(u32, u32)>| {
        let mut seen = starts;
        let mut at = 0;
        while at < seen.len() {
            for to in steps(seen[at]) {
                if !seen.contains(&to) {
                    seen.push(to);
                }
            }
            at += 1;
        }
        seen
    };
    let starts = (0..guesses).filter(|&guess| *values(root, guess).last().unwrap());
    for node in reach(starts.map(|guess| (root, guess)).collect()) {
        let after = reach(steps(node));
        if !after.contains(&node) {
            continue;
        }
        let component = after.into_iter().filter(|&other| reach(steps(other)).contains(&node));
        let component: Vec<Vec<bool>> = component.map(|(state, g)| values(state, g)).collect();
        let is_kept = |&number: &usize| {
            let (part, a, b) = &parts[number];
            component.iter().any(|values| match part {
                Plain::Eventually(_) => !values[number] || values[*a],
                Plain::Always(_) => values[number] || !values[*a],
                Plain::Until(..) => !values[number] || values[*b],
                Plain::Release(..) => values[number] || !values[*b],
                _ => true,
            })
        };
        if temporal.iter().all(is_kept) {
            return true;
        }
    }
    false
}

/// All runs with few different positions.
fn short_runs(
    graph: &Steps,
    walk: &mut Vec<u32>,
    most: usize,
    each: &mut dyn FnMut(&[u32], usize),
) {
    let last = walk[walk.len() - 1];
    let mut next: Vec<u32> = graph.steps[last as usize].iter().map(|&(_, to)| to).collect();
    next.dedup();
    if next.is_empty() {
        next.push(last);
    }
    for to in next {
        (0..walk.len()).filter(|&back| walk[back] == to).for_each(|back| each(walk, back));
        if walk.len() < most {
            walk.push(to);
            short_runs(graph, walk, most, each);
            walk.pop();
        }
    }
}

#[test]
fn runs_are_found_where_there_are_some() {
    let fairness = &[];
    let (mut found, mut in_part, mut stuttering, mut cases) = (0, 0, 0, 0);
    for_seeds(0..4_000, |seed, random| {
        let states = 1 + random.below(4);
        let graph = Steps::random(random, states, 2, 2);
        let letters = graphs::random_letters(random, states, ATOMS);
        let atoms = &graphs::atoms(&letters, ATOMS);
        let size = 1 + random.below(7);
        let plain = random_formula(random, size);
        let case = || format!("seed {seed}: {plain:?} on {graph:?} {letters:?}");
        let mut ltl = Ltl::new();
        let wanted = formula(&mut ltl, &plain);
        let automaton = &Automaton::of(&ltl, wanted).expect("small enough");
        let roots = &[random.below(states) as u32];
        let mut ask = |graph: &Steps| {
            let question = Question { graph, roots, atoms, automaton, fairness };
            let Ok(Some(lasso)) = find_lasso(&question, None, &Budget::unlimited()) else {
                return false;
            };
            runs::check(&lasso, graph, roots, &case);
            let word = runs::word(&lasso, &letters);
            assert!(word.meaning(&plain)[0], "{lasso:?} for {}", case());
            stuttering += u32::from(lasso.cycle[0].label.is_none());
            true
        };
        let is_found = ask(&graph);
        let is_in_part = ask(&graph.known_in_part(random));
        assert!(is_found || !is_in_part, "{}", case());
        assert_eq!(is_found, has_run(&graph, &letters, roots[0], &plain), "{}", case());
        if !is_found {
            short_runs(&graph, &mut vec![roots[0]], 5, &mut |walk, back| {
                let letters = walk.iter().map(|&state| letters[state as usize]).collect();
                let word = Word { letters, back };
                assert!(!word.meaning(&plain)[0], "{walk:?} back to {back} for {}", case());
            });
        }
        cases += 1;
        found += u32::from(is_found);
        in_part += u32::from(is_in_part);
    });
    assert!((cases / 4..cases / 4 * 3).contains(&found), "{found} found");
    assert!(in_part > cases / 10 && in_part < found, "{in_part} found in part");
    assert!(stuttering > cases / 10, "{stuttering} at the end of what there is");
}

#[test]
fn stems_are_shortest_and_cycles_short() {
    // Round a ring; a side track of one step leads to a place of its own, for ever.
    let ring = 50;
    let mut steps: Vec<_> = (0..ring).map(|at| vec![(0, (at + 1) % ring)]).collect();
    steps[7].push((1, ring));
    steps.push(vec![(2, ring)]);
    let graph = &Steps { expanded: vec![true; steps.len()], steps };
    let letters: Vec<u32> = (0..=ring).map(|at| u32::from(at == ring)).collect();
    let atoms = &graphs::atoms(&letters, 1);
    let fairness = &[];
    let mut ltl = Ltl::new();
    let there = ltl.atom(0);
    let (eventually, away) = (ltl.eventually(there), ltl.not(there));
    let always = ltl.always(away);
    for (wanted, stem, cycle) in [(eventually, 8, 1), (always, 0, 50)] {
        let automaton = &Automaton::of(&ltl, wanted).unwrap();
        let question = Question { graph, roots: &[0], atoms, automaton, fairness };
        let Ok(Some(lasso)) = find_lasso(&question, None, &Budget::unlimited()) else {
            panic!("there is a run");
        };
        assert_eq!((lasso.stem.len(), lasso.cycle.len()), (stem, cycle), "{lasso:?}");
    }
    // Nothing satisfies what cannot be satisfied, not even where nothing is known.
    let none = &Automaton::of(&ltl, ltl.falsehood()).unwrap();
    for automaton in [none, &Automaton::default()] {
        let question = Question { graph, roots: &[0], atoms, automaton, fairness };
        assert_eq!(find_lasso(&question, None, &Budget::unlimited()), Ok(None));
    }
}

#[test]
fn a_budget_that_is_used_up_does_not_show_that_there_is_none() {
    let states = 100_000;
    let steps: Vec<_> = (0..states).map(|at| vec![(0, (at + 1) % states)]).collect();
    let graph = &Steps { expanded: vec![true; steps.len()], steps };
    let atoms = &[check::Bits::new(states)];
    let mut ltl = Ltl::new();
    let never = ltl.atom(0);
    let wanted = ltl.eventually(never);
    let automaton = &Automaton::of(&ltl, wanted).unwrap();
    let fairness = &[(vec![0], Strength::Weak), (vec![1], Strength::Strong)];
    let question = Question { graph, roots: &[0], atoms, automaton, fairness };
    let spent = Budget::unlimited();
    spent.interrupt();
    assert_eq!(find_lasso(&question, None, &spent), Err(Exhausted::Interrupted));
    assert_eq!(find_lasso(&question, None, &Budget::unlimited()), Ok(None));
}
