//! Runs that are fair to labels, against all sets of steps that a run may take again and again.

use budget::Budget;
use check::{Automaton, Bits, Cube, Edge, Label, Lasso, Question, Strength, find_lasso};
use random::Random;

use crate::graphs::{self, Steps};
use crate::runs;

const ATOMS: u64 = 1;
const LABELS: u64 = 3;
/// The most steps of a product of which all sets are tried.
const STEPS: usize = 12;

fn random_automaton(random: &mut Random) -> Automaton {
    let (states, sets) = (1 + random.below(2), random.below(3) as u32);
    let edge = |random: &mut Random| {
        let (holds, fails) = (
            Cube { holds: vec![0], fails: Vec::new() },
            Cube { holds: Vec::new(), fails: vec![0] },
        );
        let label = match random.below(3) {
            0 => Label::from(holds),
            1 => Label::from(fails),
            _ if random.below(2) == 0 => Label { cubes: vec![fails, holds] },
            _ => Label::always(),
        };
        let accepting = random.below(1 << sets);
        Edge { to: random.below(states) as u32, label, accepting }
    };
    let edges = |random: &mut Random| {
        let count = 1 + random.below(2);
        (0..count).map(|_| edge(random)).collect()
    };
    Automaton { states: (0..states).map(|_| edges(random)).collect(), sets }
}

/// The same with states that no run comes to and which speak of many atoms, all below the one that
/// matters, which is the last now.
fn padded(automaton: &Automaton, random: &mut Random) -> (Automaton, u32) {
    let last = random.below(2) as u32 * 100;
    let mut padded = automaton.clone();
    let labels = padded.states.iter_mut().flatten().map(|edge| &mut edge.label);
    for cube in labels.flat_map(|label| &mut label.cubes) {
        cube.holds.iter_mut().chain(&mut cube.fails).for_each(|atom| *atom = last);
    }
    let label = Label::from(Cube { holds: (0..=last).collect(), fails: Vec::new() });
    let more = random.below(2) * 40;
    padded
        .states
        .extend((0..more).map(|_| vec![Edge { to: 0, label: label.clone(), accepting: 0 }]));
    (padded, last)
}

/// A step of the product: from, to, label, acceptance sets.
type Taken = ((u32, u32), (u32, u32), Option<u32>, u64);

/// The steps of the product that can be reached from a state.
fn product(graph: &Steps, letters: &[u32], root: u32, automaton: &Automaton) -> Vec<Taken> {
    let (mut nodes, mut steps) = (vec![(root, 0)], Vec::new());
    let mut at = 0;
    while at < nodes.len() {
        let (state, q) = nodes[at];
        let mut moves: Vec<(Option<u32>, u32)> =
            graph.steps[state as usize].iter().map(|&(label, to)| (Some(label), to)).collect();
        if moves.is_empty() {
            moves.push((None, state));
        }
        for edge in &automaton.states[q as usize] {
            if edge.label.holds_where(|atom| letters[state as usize] >> atom & 1 == 1) {
                for &(label, to) in &moves {
                    steps.push(((state, q), (to, edge.to), label, edge.accepting));
                    if !nodes.contains(&(to, edge.to)) {
                        nodes.push((to, edge.to));
                    }
                }
            }
        }
        at += 1;
    }
    steps
}

type Fairness = [(Vec<u32>, Strength)];

/// Whether a run that visits these states and takes these labels again and again is fair.
fn is_fair(graph: &Steps, states: &[u32], labels: &[Option<u32>], fairness: &Fairness) -> bool {
    let is_enabled = |set: &[u32], state: &u32| {
        graph.steps[*state as usize].iter().any(|(label, _)| set.contains(label))
    };
    let is_taken = |set: &[u32]| set.iter().any(|&label| labels.contains(&Some(label)));
    fairness.iter().all(|(set, strength)| match strength {
        _ if is_taken(set) => true,
        Strength::Weak => !states.iter().all(|at| is_enabled(set, at)),
        Strength::Strong => !states.iter().any(|at| is_enabled(set, at)),
    })
}

/// Whether some set of steps, strongly connected by itself, is fair and in all acceptance sets.
fn has_run(graph: &Steps, steps: &[Taken], all_sets: u64, fairness: &Fairness) -> bool {
    (1_u32..1 << steps.len()).any(|chosen| {
        let taken = steps.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
        let taken: Vec<&Taken> = taken.map(|(_, step)| step).collect();
        if taken.iter().fold(0, |sets, step| sets | step.3) != all_sets {
            return false;
        }
        // From where the first step starts one comes to all, and from all one comes there.
        let closure = |forward: bool| {
            let ends = |step: &Taken| if forward { (step.0, step.1) } else { (step.1, step.0) };
            let mut seen = vec![taken[0].0];
            let mut at = 0;
            while at < seen.len() {
                for step in &taken {
                    let (from, to) = ends(step);
                    if from == seen[at] && !seen.contains(&to) {
                        seen.push(to);
                    }
                }
                at += 1;
            }
            seen
        };
        let (after, before) = (closure(true), closure(false));
        let is_inside = |node: &(u32, u32)| after.contains(node) && before.contains(node);
        let states: Vec<u32> = taken.iter().map(|step| step.0.0).collect();
        let labels: Vec<Option<u32>> = taken.iter().map(|step| step.2).collect();
        taken.iter().all(|step| is_inside(&step.0) && is_inside(&step.1))
            && is_fair(graph, &states, &labels, fairness)
    })
}

fn ask(
    graph: &Steps,
    letters: &[u32],
    roots: &[u32],
    (automaton, last): &(Automaton, u32),
    fairness: &Fairness,
) -> Option<Lasso> {
    // The last atom is the one that matters; the others hold everywhere.
    let mut atoms = vec![Bits::where_true(letters.len() as u32, |_| true); *last as usize];
    atoms.extend(graphs::atoms(letters, ATOMS));
    let question = Question { graph, roots, atoms: &atoms, automaton, fairness };
    find_lasso(&question, None, &Budget::unlimited()).expect("there is no limit")
}

#[test]
fn fair_runs_are_found_where_there_are_some() {
    let (mut cases, mut found, mut in_part) = (0, 0, 0);
    let mut seed = 0;
    while cases < 4_000 {
        seed += 1;
        let random = &mut Random::new(seed);
        let states = 1 + random.below(4);
        let graph = Steps::random(random, states, 3, LABELS);
        let letters = graphs::random_letters(random, states, ATOMS);
        let automaton = random_automaton(random);
        let root = random.below(states) as u32;
        let steps = product(&graph, &letters, root, &automaton);
        let all_sets = automaton.all_sets();
        if !(4..=STEPS).contains(&steps.len()) || !has_run(&graph, &steps, all_sets, &[]) {
            continue;
        }
        let mut fairness = Vec::new();
        for strength in [Strength::Weak, Strength::Strong] {
            let labels = (0..LABELS as u32).filter(|_| random.below(3) > 0);
            fairness.extend(labels.map(|label| (vec![label], strength)));
            if random.below(2) == 0 {
                let set = (0..LABELS as u32).filter(|_| random.below(2) > 0);
                fairness.push((set.collect(), strength));
            }
        }
        let case = || {
            format!("seed {seed}: {fairness:?} {automaton:?} from {root} of {graph:?} {letters:?}")
        };
        let padded = padded(&automaton, random);
        let check = |graph: &Steps| {
            let lasso = ask(graph, &letters, &[root], &padded, &fairness)?;
            runs::check(&lasso, graph, &[root], &case);
            let word = runs::word(&lasso, &letters);
            assert!(word.is_accepted_by(&automaton), "{lasso:?} in {}", case());
            let states: Vec<u32> = lasso.cycle.iter().map(|hop| hop.target).collect();
            let labels: Vec<Option<u32>> = lasso.cycle.iter().map(|hop| hop.label).collect();
            assert!(is_fair(graph, &states, &labels, &fairness), "{lasso:?} in {}", case());
            Some(lasso)
        };
        let lasso = check(&graph);
        let expected = has_run(&graph, &steps, all_sets, &fairness);
        assert_eq!(lasso.is_some(), expected, "{}", case());
        let part = check(&graph.known_in_part(random));
        assert!(part.is_none() || expected, "{}", case());
        cases += 1;
        found += u32::from(expected);
        in_part += u32::from(part.is_some());
    }
    let unfair = cases - found;
    assert!(unfair > cases / 30 && found > cases / 2, "{found} of {cases} found");
    assert!(in_part > cases / 10 && in_part < found, "{in_part} found in part");
}

#[test]
fn strong_fairness_is_more_than_weak() {
    // One may go round for ever between two states, of which only one lets label 1 out.
    let steps = vec![vec![(0, 1), (1, 2)], vec![(0, 0)], Vec::new()];
    let graph = Steps { expanded: vec![true; steps.len()], steps };
    let stays = Label::from(Cube { holds: Vec::new(), fails: vec![0] });
    let automaton =
        Automaton { states: vec![vec![Edge { to: 0, label: stays, accepting: 0 }]], sets: 0 };
    let (automaton, letters) = ((automaton, 0), [0, 0, 1]);
    let (weak, strong) = ((vec![1], Strength::Weak), (vec![1], Strength::Strong));
    let lasso = ask(&graph, &letters, &[0], &automaton, std::slice::from_ref(&weak)).unwrap();
    assert_eq!((lasso.stem.len(), lasso.cycle.len()), (0, 2));
    for fairness in [vec![strong.clone()], vec![weak.clone(), strong.clone()], vec![strong, weak]] {
        assert_eq!(ask(&graph, &letters, &[0], &automaton, &fairness), None);
    }
}
