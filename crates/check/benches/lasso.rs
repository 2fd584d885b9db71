//! Deciding on a graph of a quarter of a million states and a million steps: steps of the product per
//! second where there is no run, with and without fairness; steps of the graph per second for each operator
//! of branching time.

use budget::{Budget, Exhausted};
use check::{
    Automaton, Bits, Branching, Certainty, Ctl, Fate, Formula, Graph, Individuals, Ltl, Move,
    Moves, Question, Strength, find_lasso,
};
use divan::Bencher;
use divan::counter::ItemsCount;
use random::Random;

const STATES: u32 = 1 << 18;
const STEPS: u32 = 4;
/// The label of the steps that lead to one of the states in a tenth of all.
const OUT: u32 = 3;
const TENTH: u32 = 10;

fn main() {
    divan::main();
}

/// As in a state space: most steps lead a little on, some far back.
struct Generated {
    edges: Vec<(u32, u32)>,
}

impl Generated {
    fn new() -> Self {
        let mut random = Random::new(0);
        let edge = |number: u32| {
            let (state, label) = (number / STEPS, number % STEPS);
            let far = random.below(16) == 0;
            let to = if far { random.below(STATES) } else { state + 1 + random.below(1_000) };
            let to = to % STATES;
            (label, if label == OUT { to - to % TENTH } else { to })
        };
        Self { edges: (0..STATES * STEPS).map(edge).collect() }
    }

    /// One state in this many.
    fn one_in(many: u32) -> Bits {
        Bits::where_true(STATES, |state| state % many == 0)
    }
}

impl Graph for Generated {
    fn states(&self) -> u32 {
        STATES
    }

    fn is_expanded(&self, _: u32) -> bool {
        true
    }

    fn successors(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        let start = (state * STEPS) as usize;
        self.edges[start..start + STEPS as usize].iter().copied()
    }
}

/// One individual in each state, that could act everywhere but does not where runs are to stay.
struct Waiting(Vec<Moves>);

impl Waiting {
    fn new(graph: &Generated) -> Self {
        let moves = |state| {
            let fates = |label| vec![Fate { acts: label == OUT, becomes: Some(0) }];
            let moves = graph.successors(state);
            let moves = moves.map(|(label, target)| Move { label, target, fates: fates(label) });
            Moves { enabled: vec![true], moves: moves.collect() }
        };
        Self((0..STATES).map(moves).collect())
    }
}

impl Individuals for Waiting {
    fn moves(&mut self, state: u32) -> Result<&Moves, Exhausted> {
        Ok(&self.0[state as usize])
    }
}

fn run(
    bencher: Bencher,
    fairness: &[(Vec<u32>, Strength)],
    individuals: bool,
    wanted: impl Fn(&mut Ltl, Formula, Formula) -> Formula,
) {
    let graph = &Generated::new();
    // The first atom holds nowhere, the second here and there.
    let atoms = &[Bits::new(STATES), Generated::one_in(TENTH)];
    let mut ltl = Ltl::new();
    let (nowhere, some) = (ltl.atom(0), ltl.atom(1));
    let wanted = wanted(&mut ltl, nowhere, some);
    let automaton = &Automaton::of(&ltl, wanted).unwrap();
    let question = Question { graph, roots: &[1], atoms, automaton, fairness };
    let mut waiting = Waiting::new(graph);
    let steps = automaton.states.len() * graph.edges.len();
    bencher.counter(ItemsCount::new(steps)).bench_local(|| {
        let individuals: Option<(Strength, &mut dyn Individuals)> =
            if individuals { Some((Strength::Weak, &mut waiting)) } else { None };
        let answer = find_lasso(&question, individuals, &Budget::unlimited());
        assert_eq!(answer, Ok(None));
    });
}

/// `G F nowhere`: one state of the automaton, every step of the graph.
#[divan::bench]
fn recurrence(bencher: Bencher) {
    run(bencher, &[], false, |ltl, nowhere, _| {
        let eventually = ltl.eventually(nowhere);
        ltl.always(eventually)
    });
}

/// `F (some and G F nowhere)`: two states of the automaton.
#[divan::bench]
fn response(bencher: Bencher) {
    run(bencher, &[], false, |ltl, nowhere, some| {
        let eventually = ltl.eventually(nowhere);
        let always = ltl.always(eventually);
        let both = ltl.and(some, always);
        ltl.eventually(both)
    });
}

/// Runs that stay out of a tenth of the states, to which the individual's only acts lead.
#[divan::bench]
fn individuals(bencher: Bencher) {
    run(bencher, &[], true, stay_out);
}

/// The same for a label.
#[divan::bench]
fn strong_label(bencher: Bencher) {
    run(bencher, &[(vec![OUT], Strength::Strong)], false, stay_out);
}

fn stay_out(ltl: &mut Ltl, _: Formula, some: Formula) -> Formula {
    let out = ltl.not(some);
    ltl.always(out)
}

/// Where a run is: the stem and the cycle are made too.
#[divan::bench]
fn found(bencher: Bencher) {
    let graph = &Generated::new();
    let atoms = &[Generated::one_in(100_000), Generated::one_in(TENTH)];
    let mut ltl = Ltl::new();
    let (rare, some) = (ltl.atom(0), ltl.atom(1));
    let (rare, some) = (ltl.eventually(rare), ltl.eventually(some));
    let both = ltl.and(rare, some);
    let wanted = ltl.always(both);
    let automaton = &Automaton::of(&ltl, wanted).unwrap();
    let (weak, strong) = (Strength::Weak, Strength::Strong);
    let fairness = &[(vec![0], weak), (vec![1], weak), (vec![2], strong), (vec![3], strong)];
    let question = Question { graph, roots: &[1], atoms, automaton, fairness };
    bencher.bench_local(|| {
        let answer = find_lasso(&question, None, &Budget::unlimited());
        assert!(matches!(answer, Ok(Some(_))));
    });
}

#[divan::bench]
fn reversing(bencher: Bencher) {
    let graph = Generated::new();
    bencher
        .counter(ItemsCount::new(graph.edges.len()))
        .bench_local(|| Branching::new(&graph, &[], &Budget::unlimited()).is_ok());
}

/// One operator each, on the graph that is reversed already.
#[divan::bench(args = ["EX", "EF", "EG", "AF"])]
fn branching(bencher: Bencher, operator: &str) {
    let graph = Generated::new();
    let mut most = Generated::one_in(TENTH);
    most.not();
    let atoms = [Generated::one_in(1_000), most];
    let formula = match operator {
        "EX" => Ctl::Atom(1).some_next(),
        "EF" => Ctl::Atom(0).some_finally(),
        "EG" => Ctl::Atom(1).some_globally(),
        _ => Ctl::Atom(0).all_finally(),
    };
    bencher
        .counter(ItemsCount::new(graph.edges.len()))
        .with_inputs(|| Branching::new(&graph, &atoms, &Budget::unlimited()).unwrap())
        .bench_local_values(|mut branching| {
            branching.satisfying(&formula, Certainty::Must, &Budget::unlimited()).map(Bits::count)
        });
}
