//! Runs that are found on reduced nets, mapped back: the given net can fire them, by definition, and they end where
//! what was looked for holds, or go on for ever as they should.

use budget::Budget;
use plain::{
    Comparison, Condition, FiringSequence, LinearOptions, Logic, PlainNet, Problem, Rule,
    SearchOptions, Target, accepted_run, search_with_runs,
};
use random::{Random, Seed};

use crate::naive::Graph;
use crate::{STUBBORN, accepted, cases, linear, nets, problem, reduced};

/// The run to where the only condition of a problem is met, if it is met.
fn run_to(problem: &Problem, options: SearchOptions) -> Option<FiringSequence> {
    let mut targets = [Target::reach(problem.conditions[0].clone())];
    let mut found = None;
    search_with_runs(
        &problem.net,
        &mut targets,
        options,
        &Budget::unlimited(),
        &mut |_, _, run| found = Some(run.clone()),
    )
    .unwrap();
    found
}

/// Whether a run of a reduced net is one of the given net that ends where a condition holds.
fn shows(net: &PlainNet, condition: &Condition, problem: &Problem, run: &FiringSequence) -> bool {
    let given = problem.back.given(run).ok();
    let graph = given.as_ref().and_then(|given| Graph::of_run(net, given));
    graph.is_some_and(|graph| graph.holds(graph.markings.len() - 1, condition))
}

/// Nets with a cycle of free moves through two or three places, which hardly any has by chance.
fn cases_with_cycles(
    count: usize,
    first: u64,
) -> impl Iterator<Item = (Seed, Random, PlainNet, Graph)> {
    let arc = |place: usize, least, change| plain::PlainArc {
        place: place as u32,
        least,
        most: i32::MAX,
        change,
    };
    let case = move |seed| {
        let mut random = Random::new(seed);
        let mut net = nets::net(&mut random);
        let mut places: Vec<usize> = (0..net.initial.len()).collect();
        random.shuffle(&mut places);
        places.truncate(2 + random.below(2));
        for (at, &from) in places.iter().enumerate() {
            let arcs = vec![arc(from, 1, -1), arc(places[(at + 1) % places.len()], 0, 1)];
            net.transitions.push(plain::PlainTransition::new(arcs, Vec::new()));
        }
        let graph = Graph::of(&net, 150)?;
        (graph.states().len() > 3).then_some((Seed(seed), random, net, graph))
    };
    (first..).filter_map(case).take(count)
}

#[test]
fn runs_to_where_a_condition_holds_are_mapped_back() {
    let (mut found, mut longer) = (0, 0);
    let all = cases(700, 20_000_000).chain(cases_with_cycles(300, 25_000_000));
    for (_seed, mut random, net, graph) in all {
        let dead = *random.pick(&[0, 0, 30]);
        let condition = match random.percent(20) {
            true => Condition::Dead(true),
            false => nets::condition(&mut random, &graph, 2, dead),
        };
        let original = problem(&net, std::slice::from_ref(&condition));
        for problem in reduced(&original, Logic::Reachability) {
            let [stubborn, latest_first] = [(); 2].map(|()| random.percent(50));
            let Some(run) = run_to(&problem, SearchOptions { stubborn, latest_first, ..STUBBORN })
            else {
                continue;
            };
            found += 1;
            assert!(shows(&net, &condition, &problem, &run), "{condition:?} {problem:?} {run:?}");
            let given = problem.back.given(&run).unwrap();
            longer += usize::from(given.steps.len() > run.steps.len());
        }
    }
    assert!(found > 2_000 && longer > 200, "{found} {longer}");
}

#[test]
fn runs_to_greatest_values_are_mapped_back() {
    let all = cases(400, 21_000_000).chain(cases_with_cycles(200, 26_000_000));
    for (_seed, mut random, net, graph) in all {
        let terms = nets::terms(&mut random, net.initial.len());
        let expected = graph.states().map(|state| graph.sum(state, &terms)).max();
        let sum = Comparison { terms: terms.clone(), bound: -1 }.opposite();
        let original = Problem::new(net.clone(), Vec::new(), vec![sum]);
        for problem in reduced(&original, Logic::Reachability) {
            let mut targets = [Target::greatest(problem.sums[0].opposite().terms)];
            let mut last = None;
            let budget = Budget::unlimited();
            search_with_runs(&problem.net, &mut targets, STUBBORN, &budget, &mut |_, _, run| {
                last = Some(run.clone());
            })
            .unwrap();
            let run = problem.back.given(&last.expect("the initial marking is one")).unwrap();
            let graph = Graph::of_run(&net, &run).expect("a run of the given net");
            assert_eq!(Some(graph.sum(graph.markings.len() - 1, &terms)), expected, "{problem:?}");
        }
    }
}

#[test]
fn runs_that_go_on_for_ever_are_mapped_back() {
    let (mut found, mut dead, mut round, mut longer) = (0, 0, 0, 0);
    for (_seed, mut random, net, graph) in cases(900, 22_000_000) {
        let next = random.percent(15);
        let (atoms, automaton) = linear(&mut random, &graph, next);
        let Some(automaton) = automaton else { continue };
        let logic = if next { Logic::Everything } else { Logic::Linear };
        let original = problem(&net, &atoms);
        for problem in reduced(&original, logic).into_iter().chain([original]) {
            let seed = random.percent(50).then(|| random.word());
            let stubborn = !next && random.percent(50);
            let options = LinearOptions { stubborn, seed, ..LinearOptions::default() };
            let Problem { net: smaller, conditions, .. } = &problem;
            let budget = Budget::unlimited();
            let run = accepted_run(smaller, conditions, &automaton, options, &budget).unwrap();
            assert_eq!(run.is_some(), accepted(&problem, &automaton, options).0);
            let Some(run) = run else { continue };
            found += 1;
            // All nets here are finite, so that nothing grows that is repeated.
            let given = problem.back.given(&run).unwrap();
            let of_run = Graph::of_run(&net, &given);
            let of_run = of_run.unwrap_or_else(|| panic!("no run: {problem:?} {run:?} {given:?}"));
            assert!(of_run.accepts(&automaton, &atoms), "{automaton:?} {problem:?} {given:?}");
            *if given.back == Some(given.steps.len()) { &mut dead } else { &mut round } += 1;
            longer += usize::from(given.steps.len() > run.steps.len());
        }
    }
    let all = [found, dead, round, longer];
    assert!(found > 2_000 && dead > 300 && round > 300 && longer > 100, "{all:?}");
}

/// How often it is noticed that a rule has left no record of what it has done, which is the worst record it could leave.
fn noticed(rule: Rule, first: u64) -> usize {
    let mut count = 0;
    let logic = Logic::Reachability;
    let others: Vec<Rule> = Rule::ALL.into_iter().filter(|other| *other != rule).collect();
    let all: Box<dyn Iterator<Item = (Seed, Random, PlainNet, Graph)>> = match rule {
        Rule::Cycle => Box::new(cases_with_cycles(300, first)),
        _ => Box::new(cases(1_200, first)),
    };
    for (_seed, mut random, net, graph) in all {
        let condition = nets::condition(&mut random, &graph, 1, 0);
        let mut problem = problem(&net, std::slice::from_ref(&condition));
        let budget = Budget::unlimited();
        if random.percent(50) {
            problem.apply(&others, logic, &budget);
        }
        let before = problem.back.clone();
        problem.apply(&[rule], logic, &budget);
        problem.back = before;
        let run = run_to(&problem, STUBBORN);
        count += usize::from(run.is_some_and(|run| !shows(&net, &condition, &problem, &run)));
    }
    count
}

#[test]
fn a_rule_without_a_record_is_noticed() {
    for rule in [
        Rule::Constant,
        Rule::Dominated,
        Rule::Effectless,
        Rule::Cone,
        Rule::Sequence,
        Rule::Choice,
        Rule::Delay,
        Rule::Cycle,
    ] {
        let count = noticed(rule, 23_000_000);
        assert!(count > 0, "nobody misses the record of {rule:?}");
    }
    // There is none to be missed.
    for rule in [Rule::Parallel, Rule::Untested] {
        assert_eq!(noticed(rule, 24_000_000), 0, "{rule:?}");
    }
}

/// A net whose only run is as long as a power of two.
#[test]
fn a_run_that_is_too_long_is_not_written_out() {
    let arc = |place, least, change| plain::PlainArc { place, least, most: i32::MAX, change };
    let step = |from: u32| {
        plain::PlainTransition::new(vec![arc(from, 1, -1), arc(from + 1, 0, 2)], Vec::new())
    };
    let transitions = (0..24).map(step).collect();
    let mut initial = vec![0; 25];
    initial[0] = 1;
    let net = PlainNet { initial, transitions };
    let full = Comparison { terms: vec![(24, -1)], bound: -(1 << 24) };
    let mut problem = problem(&net, &[Condition::AtMost(full)]);
    problem.reduce(Logic::Reachability, &Budget::unlimited());
    let run = run_to(&problem, STUBBORN).expect("it is reached");
    assert!(run.steps.len() < 10);
    assert_eq!(problem.back.given(&run), Err(plain::Unmapped::TooLong));
}
