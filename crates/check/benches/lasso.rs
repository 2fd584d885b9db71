//! Deciding on a graph of a quarter of a million states and a million steps: steps of the product per
//! second where there is no run, with and without fairness; steps of the graph per second for each operator
//! of branching time.

use check::{
    Answer, Automaton, Bits, Branching, Ctl, Fairness, Fate, Formula, Graph, Individuals, Ltl,
    Move, Moves, Question, Strength, find_lasso,
};
use divan::Bencher;
use divan::counter::ItemsCount;

const STATES: u32 = 1 << 18;
const STEPS: u32 = 4;

fn main() {
    divan::main();
}

/// As in a state space: most steps lead a little on, some far back.
struct Generated {
    edges: Vec<(u32, u32)>,
}

impl Generated {
    fn new() -> Self {
        let mut seed = 0_u64;
        let mut random = || {
            seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (seed ^ seed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB) >> 32
        };
        let edge = |number: u32| {
            let (state, label) = (number / STEPS, number % STEPS);
            let far = random() % 16 == 0;
            let to = match far {
                true => random() % u64::from(STATES),
                false => u64::from(state) + 1 + random() % 1_000,
            };
            (label, (to % u64::from(STATES)) as u32)
        };
        Self { edges: (0..STATES * STEPS).map(edge).collect() }
    }

    /// One state in so many, all over the graph.
    fn one_in(&self, many: u32) -> Bits {
        Bits::where_true(STATES, |state| state.wrapping_mul(0x9E37_79B1) % many == 0)
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

/// One individual in each state, that acts by no step but can everywhere.
struct Waiting {
    graph: Generated,
    moves: Moves,
}

impl Individuals for Waiting {
    fn moves(&mut self, state: u32) -> &Moves {
        let fates = vec![Fate { acts: false, becomes: Some(0) }];
        let moves = self.graph.successors(state);
        self.moves.moves.clear();
        self.moves.moves.extend(moves.map(|(label, target)| Move {
            label,
            target,
            fates: fates.clone(),
        }));
        &self.moves
    }
}

fn run(
    bencher: Bencher,
    fairness: &Fairness,
    individuals: bool,
    wanted: impl Fn(&mut Ltl, Formula, Formula) -> Formula,
) {
    let graph = &Generated::new();
    // The first atom holds nowhere, the second here and there.
    let atoms = &[Bits::new(STATES), graph.one_in(10)];
    let mut ltl = Ltl::new();
    let (nowhere, some) = (ltl.atom(0), ltl.atom(1));
    let wanted = wanted(&mut ltl, nowhere, some);
    let automaton = &Automaton::of(&ltl, wanted).unwrap();
    let question = Question { graph, roots: &[0], atoms, automaton, fairness };
    let moves = Moves { enabled: vec![true], moves: Vec::new() };
    let mut waiting = Waiting { graph: Generated::new(), moves };
    let steps = automaton.states.len() * graph.edges.len();
    bencher.counter(ItemsCount::new(steps)).bench_local(|| {
        let individuals: Option<(Strength, &mut dyn Individuals)> =
            if individuals { Some((Strength::Weak, &mut waiting)) } else { None };
        let answer = find_lasso(&question, individuals, &mut || false);
        assert_eq!(answer, Answer::None);
    });
}

/// `G F nowhere`: one state of the automaton, every step of the graph.
#[divan::bench]
fn recurrence(bencher: Bencher) {
    run(bencher, &Fairness::default(), false, |ltl, nowhere, _| {
        let eventually = ltl.eventually(nowhere);
        ltl.always(eventually)
    });
}

/// `F (some and G F nowhere)`: two states of the automaton.
#[divan::bench]
fn response(bencher: Bencher) {
    run(bencher, &Fairness::default(), false, |ltl, nowhere, some| {
        let eventually = ltl.eventually(nowhere);
        let always = ltl.always(eventually);
        let both = ltl.and(some, always);
        ltl.eventually(both)
    });
}

/// Any run that is strongly fair to a label that is always enabled and never taken.
#[divan::bench]
fn individuals(bencher: Bencher) {
    run(bencher, &Fairness::default(), true, |ltl, _, _| ltl.truth());
}

/// Runs that never take one of the labels and are fair to it: components are split again and again.
#[divan::bench]
fn strong_labels(bencher: Bencher) {
    let fairness = Fairness { weak_labels: vec![1], strong_labels: vec![0, 1, 2, 3] };
    run(bencher, &fairness, false, |ltl, nowhere, some| {
        let eventually = ltl.eventually(nowhere);
        let away = ltl.not(some);
        let often = ltl.always(eventually);
        let either = ltl.or(often, nowhere);
        ltl.and(either, away)
    });
}

/// Where a run is: the stem and the cycle are made too.
#[divan::bench]
fn found(bencher: Bencher) {
    let graph = &Generated::new();
    let atoms = &[graph.one_in(100_000), graph.one_in(10)];
    let mut ltl = Ltl::new();
    let (rare, some) = (ltl.atom(0), ltl.atom(1));
    let (rare, some) = (ltl.eventually(rare), ltl.eventually(some));
    let both = ltl.and(rare, some);
    let wanted = ltl.always(both);
    let automaton = &Automaton::of(&ltl, wanted).unwrap();
    let fairness = &Fairness { weak_labels: vec![0, 1], strong_labels: vec![2, 3] };
    let question = Question { graph, roots: &[0], atoms, automaton, fairness };
    bencher.bench_local(|| {
        let answer = find_lasso(&question, None, &mut || false);
        assert!(matches!(answer, Answer::Lasso(_)));
    });
}

#[divan::bench]
fn reversing(bencher: Bencher) {
    let graph = Generated::new();
    bencher
        .counter(ItemsCount::new(graph.edges.len()))
        .bench_local(|| Branching::new(&graph, &[], &mut || false).is_some());
}

/// One operator each, on the graph that is reversed already.
#[divan::bench(args = ["EX", "EF", "EG", "AF"])]
fn branching(bencher: Bencher, operator: &str) {
    let graph = Generated::new();
    let mut most = graph.one_in(10);
    most.not();
    let atoms = [graph.one_in(1_000), most];
    let formula = match operator {
        "EX" => Ctl::Atom(1).some_next(),
        "EF" => Ctl::Atom(0).some_finally(),
        "EG" => Ctl::Atom(1).some_globally(),
        _ => Ctl::Atom(0).all_finally(),
    };
    bencher
        .counter(ItemsCount::new(graph.edges.len()))
        .with_inputs(|| Branching::new(&graph, &atoms, &mut || false).unwrap())
        .bench_local_values(|mut branching| {
            branching.satisfying(&formula, &mut || false).map(Bits::count)
        });
}
