//! Random nets and questions, with every choice of reductions, against what they mean by definition.

mod naive;
mod nets;
mod runs;

use budget::Budget;
use check::{Automaton, Ctl, Ltl};
use naive::Graph;
use plain::{
    BranchingOptions, Comparison, Condition, LinearOptions, Logic, Mistakes, PlainArc, PlainNet,
    PlainTransition, Problem, Rule, SearchOptions, Target, accepts, satisfies, search,
};
use random::{Random, Seed};

/// Nets with not too many markings, and few that have hardly any.
fn cases(count: usize, first: u64) -> impl Iterator<Item = (Seed, Random, PlainNet, Graph)> {
    let case = |seed| {
        let mut random = Random::new(seed);
        let net = nets::net(&mut random);
        let graph = Graph::of(&net, 60)?;
        let is_wanted = graph.states().len() > 3 || seed % 16 == 0;
        is_wanted.then_some((Seed(seed), random, net, graph))
    };
    (first..).filter_map(case).take(count)
}

const STUBBORN: SearchOptions = SearchOptions { stubborn: true, latest_first: false, blind: false };

/// Whether each condition is met by a search for all of them at once.
fn met(net: &PlainNet, conditions: &[Condition], options: SearchOptions) -> Vec<bool> {
    let reach = |condition: &Condition| Target::reach(condition.clone());
    let mut targets: Vec<Target> = conditions.iter().map(reach).collect();
    let mut met = vec![false; targets.len()];
    search(net, &mut targets, options, &Budget::unlimited(), &mut |number, _| met[number] = true)
        .unwrap();
    met
}

fn problem(net: &PlainNet, conditions: &[Condition]) -> Problem {
    Problem::new(net.clone(), conditions.to_vec(), Vec::new())
}

/// A problem after each choice of rules that keep a logic: each alone, all but each, and all.
fn reduced(original: &Problem, logic: Logic) -> Vec<Problem> {
    let needed = original.needs(logic);
    let rules: Vec<Rule> = Rule::ALL.into_iter().filter(|rule| rule.keeps() >= needed).collect();
    let mut choices: Vec<Vec<Rule>> = rules.iter().map(|rule| vec![*rule]).collect();
    choices.extend(rules.iter().map(|rule| rules.iter().filter(|r| *r != rule).copied().collect()));
    choices.push(rules);
    let problems = choices.into_iter().map(|rules| {
        let mut problem = original.clone();
        problem.apply(&rules, needed, &Budget::unlimited());
        problem
    });
    problems.collect()
}

#[test]
fn what_is_reachable_is_with_every_choice_of_reductions() {
    let (mut yes, mut no, mut smaller) = (0, 0, 0);
    for (_seed, mut random, net, graph) in cases(1_000, 1) {
        let dead = *random.pick(&[0, 0, 30]);
        let conditions: Vec<Condition> =
            (0..3).map(|_| nets::condition(&mut random, &graph, 2, dead)).collect();
        let holds = |condition: &Condition| graph.states().any(|s| graph.holds(s, condition));
        let expected: Vec<bool> = conditions.iter().map(holds).collect();
        yes += expected.iter().filter(|holds| **holds).count();
        no += expected.iter().filter(|holds| !**holds).count();
        for stubborn in [false, true] {
            let options = SearchOptions { latest_first: random.percent(50), ..STUBBORN };
            let options = SearchOptions { stubborn, ..options };
            assert_eq!(met(&net, &conditions, options), expected, "{conditions:?}");
            for (condition, expected) in conditions.iter().zip(&expected) {
                let single = std::slice::from_ref(condition);
                assert_eq!(met(&net, single, options), [*expected], "{condition:?}");
                for problem in reduced(&problem(&net, single), Logic::Reachability) {
                    let found = met(&problem.net, &problem.conditions, options);
                    assert_eq!(found, [*expected], "{condition:?} {problem:?}");
                    smaller += usize::from(problem.net.initial.len() < net.initial.len());
                }
            }
        }
        for problem in reduced(&problem(&net, &conditions), Logic::Reachability) {
            let found = met(&problem.net, &problem.conditions, STUBBORN);
            assert_eq!(found, expected, "{conditions:?} {problem:?}");
        }
    }
    assert!(yes > 500 && no > 500 && smaller > 1_000, "{yes} {no} {smaller}");
}

#[test]
fn stubborn_sets_leave_markings_out() {
    let (mut all, mut few) = (0, 0);
    for (_seed, mut random, net, graph) in cases(300, 5_000_000) {
        let condition = nets::condition(&mut random, &graph, 1, 30);
        for (stubborn, count) in [(false, &mut all), (true, &mut few)] {
            let mut targets = [Target::reach(condition.clone())];
            let options = SearchOptions { stubborn, ..STUBBORN };
            let budget = Budget::unlimited();
            *count += search(&net, &mut targets, options, &budget, &mut |_, _| {}).unwrap();
        }
    }
    assert!(few * 3 < all * 2, "{few} of {all}");
}

#[test]
fn deadlocks_are_found_with_every_choice_of_reductions() {
    let mut yes = 0;
    for (_seed, _, net, graph) in cases(1_500, 1_000_000) {
        let expected = graph.next.iter().any(Vec::is_empty);
        yes += usize::from(expected);
        let dead = [Condition::Dead(true)];
        assert_eq!(met(&net, &dead, STUBBORN), [expected]);
        for problem in reduced(&problem(&net, &dead), Logic::Deadlock) {
            assert_eq!(met(&problem.net, &problem.conditions, STUBBORN), [expected], "{problem:?}");
        }
    }
    assert!(yes > 300, "{yes}");
}

#[test]
fn greatest_values_are_found_with_every_choice_of_reductions() {
    for (_seed, mut random, net, graph) in cases(700, 2_000_000) {
        let terms = nets::terms(&mut random, net.initial.len());
        let expected = graph.states().map(|state| graph.sum(state, &terms)).max();
        let sum = Comparison { terms, bound: -1 }.opposite();
        let original = Problem::new(net, Vec::new(), vec![sum]);
        let mut problems = reduced(&original, Logic::Reachability);
        problems.push(original);
        for problem in problems {
            for stubborn in [false, true] {
                let sum = &problem.sums[0];
                let greatest = sum.opposite().terms;
                let mut targets = [Target::greatest(greatest)];
                let options = SearchOptions { stubborn, ..STUBBORN };
                let budget = Budget::unlimited();
                search(&problem.net, &mut targets, options, &budget, &mut |_, _| {}).unwrap();
                let Target::Greatest { best, .. } = &targets[0] else { unreachable!() };
                assert_eq!(Some(best + sum.bound), expected, "{problem:?}");
            }
        }
    }
}

/// A random formula of linear time with its atoms: whether all runs satisfy it, and on a reduced net.
fn linear(random: &mut Random, graph: &Graph, next: bool) -> (Vec<Condition>, Option<Automaton>) {
    let dead = *random.pick(&[0, 0, 0, 25]);
    let atoms = (0..2).map(|_| nets::condition(random, graph, 1, dead)).collect::<Vec<_>>();
    let mut ltl = Ltl::new();
    let formula = nets::ltl(random, &mut ltl, atoms.len(), 3, next);
    (atoms, Automaton::of(&ltl, formula).ok().filter(|automaton| !automaton.states.is_empty()))
}

/// Whether an automaton accepts a run, and how many markings were found for that.
fn accepted(problem: &Problem, automaton: &Automaton, options: LinearOptions) -> (bool, usize) {
    let Problem { net, conditions, .. } = problem;
    accepts(net, conditions, automaton, options, &Budget::unlimited()).unwrap()
}

#[test]
fn linear_time_is_kept_by_every_choice_of_reductions() {
    let (mut yes, mut no) = (0, 0);
    for (_seed, mut random, net, graph) in cases(1_000, 4_000_000) {
        let next = random.percent(25);
        let (atoms, automaton) = linear(&mut random, &graph, next);
        let Some(automaton) = automaton else { continue };
        let expected = graph.accepts(&automaton, &atoms);
        *if expected { &mut yes } else { &mut no } += 1;
        let logic = if next { Logic::Everything } else { Logic::Linear };
        let original = problem(&net, &atoms);
        for problem in reduced(&original, logic).into_iter().chain([original]) {
            for (seed, stubborn) in [(None, false), (Some(random.word()), !next), (None, !next)] {
                let options = LinearOptions { stubborn, seed, ..LinearOptions::default() };
                let found = accepted(&problem, &automaton, options).0;
                assert_eq!(found, expected, "{automaton:?} {problem:?} {options:?}");
            }
        }
    }
    assert!(yes > 150 && no > 150, "{yes} {no}");
}

#[test]
fn branching_time_is_kept_by_every_choice_of_reductions() {
    let (mut yes, mut no) = (0, 0);
    for (_seed, mut random, net, graph) in cases(1_000, 6_000_000) {
        let next = random.percent(25);
        let dead = *random.pick(&[0, 0, 0, 25]);
        let atoms: Vec<_> = (0..2).map(|_| nets::condition(&mut random, &graph, 1, dead)).collect();
        let formula = nets::ctl(&mut random, atoms.len(), 3, next);
        let expected = graph.satisfying(&formula, &atoms)[0];
        *if expected { &mut yes } else { &mut no } += 1;
        let logic = if next { Logic::Everything } else { Logic::Branching };
        let guided = random.percent(50);
        let original = problem(&net, &atoms);
        for problem in reduced(&original, logic).into_iter().chain([original]) {
            for (seed, guided) in [(None, false), (None, true), (Some(random.word()), guided)] {
                let (options, budget) = (BranchingOptions { seed, guided }, Budget::unlimited());
                let found =
                    satisfies(&problem.net, &problem.conditions, &formula, options, &budget);
                assert_eq!(found, Ok(expected), "{formula:?} {problem:?}");
            }
        }
    }
    assert!(yes > 150 && no > 150, "{yes} {no}");
}

#[test]
fn a_stubborn_set_without_interesting_transitions_is_noticed() {
    let blind = SearchOptions { blind: true, ..STUBBORN };
    let mut wrong = 0;
    for (_seed, mut random, net, graph) in cases(200, 1) {
        let condition = nets::condition(&mut random, &graph, 2, 0);
        let expected = graph.states().any(|state| graph.holds(state, &condition));
        wrong += usize::from(met(&net, &[condition], blind) != [expected]);
    }
    assert!(wrong > 10, "{wrong}");
}

/// Random nets with formulas without `next`: how often the answer is wrong with stubborn sets in which these mistakes
/// are made; and the markings that are found with and without, where no run is accepted.
fn with_stubborn_sets(mistakes: Mistakes, count: usize) -> (usize, usize, usize) {
    let (mut wrong, mut few, mut all) = (0, 0, 0);
    for (_seed, mut random, net, graph) in cases(count, 8_000_000) {
        let atoms: Vec<_> = (0..2).map(|_| nets::condition(&mut random, &graph, 0, 0)).collect();
        let mut ltl = Ltl::new();
        let formula = nets::ltl(&mut random, &mut ltl, atoms.len(), 3, false);
        let Ok(automaton) = Automaton::of(&ltl, formula) else { continue };
        if automaton.states.is_empty() {
            continue;
        }
        let problem = problem(&net, &atoms);
        let expected = graph.accepts(&automaton, &atoms);
        let options = LinearOptions { stubborn: true, seed: None, mistakes };
        let (found, fewer) = accepted(&problem, &automaton, options);
        wrong += usize::from(found != expected);
        if !expected {
            few += fewer;
            all += accepted(&problem, &automaton, LinearOptions::default()).1;
        }
    }
    (wrong, few, all)
}

#[test]
fn stubborn_sets_keep_linear_time_and_leave_markings_out() {
    let (wrong, few, all) = with_stubborn_sets(Mistakes::default(), 3_000);
    assert_eq!(wrong, 0);
    assert!(few * 20 < all * 19, "{few} of {all}");
}

#[test]
fn a_stubborn_set_that_ignores_what_is_visible_or_cycles_is_noticed() {
    let blind = Mistakes { blind: true, ..Mistakes::default() };
    let (wrong, ..) = with_stubborn_sets(blind, 1_000);
    assert!(wrong > 5, "{wrong}");
    let ignoring = Mistakes { ignores_cycles: true, ..Mistakes::default() };
    let (wrong, ..) = with_stubborn_sets(ignoring, 1_000);
    assert!(wrong > 5, "{wrong}");
}

/// How often a rule, applied to conditions that are used in a logic, makes a difference to some formula of it.
fn differences(rule: Rule, logic: Logic, first: u64) -> usize {
    let mut count = 0;
    for (_seed, mut random, net, graph) in cases(1_200, first) {
        let dead = if logic == Logic::Deadlock { 60 } else { 0 };
        let atoms: Vec<_> = (0..2).map(|_| nets::condition(&mut random, &graph, 1, dead)).collect();
        let mut problem = problem(&net, &atoms);
        let helpers = [rule, Rule::Untested];
        problem.apply(&helpers, logic, &Budget::unlimited());
        let budget = Budget::unlimited();
        let differs = match logic {
            Logic::Reachability | Logic::Deadlock => {
                let holds =
                    |condition: &Condition| graph.states().any(|s| graph.holds(s, condition));
                let expected: Vec<bool> = atoms.iter().map(holds).collect();
                met(&problem.net, &problem.conditions, STUBBORN) != expected
            }
            Logic::Linear => {
                let mut ltl = Ltl::new();
                let formula = nets::ltl(&mut random, &mut ltl, atoms.len(), 3, false);
                let automaton = Automaton::of(&ltl, formula).ok();
                automaton.filter(|automaton| !automaton.states.is_empty()).is_some_and(
                    |automaton| {
                        let found = accepted(&problem, &automaton, LinearOptions::default());
                        found.0 != graph.accepts(&automaton, &atoms)
                    },
                )
            }
            Logic::Branching | Logic::Everything => {
                let next = logic == Logic::Everything;
                let formula: Ctl = nets::ctl(&mut random, atoms.len(), 3, next);
                let found = satisfies(
                    &problem.net,
                    &problem.conditions,
                    &formula,
                    BranchingOptions::default(),
                    &budget,
                );
                found != Ok(graph.satisfying(&formula, &atoms)[0])
            }
        };
        count += usize::from(differs);
    }
    count
}

#[test]
fn a_rule_for_a_logic_that_it_does_not_keep_is_noticed() {
    for (rule, logic) in [
        (Rule::Effectless, Logic::Deadlock),
        (Rule::Cone, Logic::Deadlock),
        (Rule::Delay, Logic::Deadlock),
        (Rule::Effectless, Logic::Linear),
        (Rule::Cone, Logic::Linear),
    ] {
        let count = differences(rule, logic, 7_000_000);
        assert!(count > 0, "{rule:?} seems to keep {logic:?}");
    }
}

/// A net from what transitions take and put, a token each.
fn made(initial: &[i32], transitions: &[(&[u32], &[u32])]) -> PlainNet {
    let transition = |(taken, put): &(&[u32], &[u32])| {
        let take = |&place| PlainArc { place, least: 1, most: i32::MAX, change: -1 };
        let add = |&place| PlainArc { place, least: 0, most: i32::MAX, change: 1 };
        let arcs = taken.iter().map(take).chain(put.iter().map(add)).collect();
        PlainTransition::new(arcs, Vec::new())
    };
    let transitions = transitions.iter().map(transition).collect();
    PlainNet { initial: initial.to_vec(), transitions }
}

/// That a place is marked.
fn marked(place: u32) -> Condition {
    Condition::AtMost(Comparison { terms: vec![(place, -1)], bound: -1 })
}

/// What a formula comes to on a net, and on what a rule makes of it for a logic.
fn with_and_without(
    net: &PlainNet,
    atoms: &[Condition],
    formula: &Ctl,
    rule: Rule,
    logic: Logic,
) -> [bool; 2] {
    let original = problem(net, atoms);
    let mut reduced = original.clone();
    reduced.apply(&[rule], logic, &Budget::unlimited());
    assert_ne!(original, reduced, "{rule:?} does nothing");
    [original, reduced].map(|problem| {
        satisfies(
            &problem.net,
            &problem.conditions,
            formula,
            BranchingOptions::default(),
            &Budget::unlimited(),
        )
        .unwrap()
    })
}

#[test]
fn rules_for_logics_that_they_do_not_keep_are_noticed_where_that_is_rare() {
    let atom = |number| Ctl::Atom(number);
    // Who waits at 1 has not yet chosen between 2 and 3.
    let choosing = made(
        &[1, 0, 0, 0, 0, 0],
        &[(&[0], &[1]), (&[1], &[2]), (&[1], &[3]), (&[2], &[4]), (&[3], &[5])],
    );
    let [left, right] = [1, 2].map(|end| atom(end).some_finally());
    let open = atom(0).not().and(left).and(right).some_finally();
    let atoms = [marked(0), marked(4), marked(5)];
    let found = with_and_without(&choosing, &atoms, &open, Rule::Choice, Logic::Branching);
    assert_eq!(found, [true, false], "branching time sees it");
    // Three steps are not one.
    let line = made(&[1, 0, 0, 0], &[(&[0], &[1]), (&[1], &[2]), (&[2], &[3])]);
    let soon = atom(0).some_next();
    let found = with_and_without(&line, &[marked(3)], &soon, Rule::Sequence, Logic::Everything);
    assert_eq!(found, [false, true], "`next` sees it");
    // A token that was taken to 1 never comes to 3.
    let lost = made(&[1, 0, 0, 0], &[(&[0], &[1]), (&[0], &[3]), (&[1, 2], &[0])]);
    let inevitable = atom(0).all_finally();
    let found = with_and_without(&lost, &[marked(3)], &inevitable, Rule::Delay, Logic::Linear);
    assert_eq!(found, [false, true], "a run that ends sees it");
}
