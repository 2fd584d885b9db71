//! Formulas of branching time, against their meaning on paths unrolled step by step.

use budget::{Budget, Exhausted};
use check::{Branching, Certainty, Ctl, Ending};
use random::{Random, for_seeds};

use crate::graphs::{self, Steps};

pub const ATOMS: u64 = 2;

pub fn random_formula(random: &mut Random, size: u64) -> Ctl {
    if size <= 1 {
        return match random.below(ATOMS + 1) {
            0 => Ctl::True,
            atom => Ctl::Atom(atom as u32 - 1),
        };
    }
    let one = |random: &mut Random| random_formula(random, size - 1);
    let two = |random: &mut Random| {
        let left = 1 + random.below(size - 1);
        (random_formula(random, left), random_formula(random, size - left))
    };
    match random.below(12) {
        0 | 1 => Ctl::Not(Box::new(one(random))),
        2 => Ctl::SomeNext(Box::new(one(random))),
        3 => one(random).all_next(),
        4 => one(random).some_finally(),
        5 => one(random).all_finally(),
        6 => Ctl::SomeGlobally(Box::new(one(random))),
        7 => one(random).all_globally(),
        kind => {
            let (a, b) = two(random);
            match kind {
                8 => Ctl::And(Box::new(a), Box::new(b)),
                9 => a.or(b),
                10 => Ctl::SomeUntil(Box::new(a), Box::new(b)),
                _ => a.all_until(b),
            }
        }
    }
}

/// The same formula, as small as constructors make it.
fn small(formula: &Ctl) -> Ctl {
    match formula {
        Ctl::True | Ctl::Atom(_) => formula.clone(),
        Ctl::Not(a) => small(a).not(),
        Ctl::And(a, b) => small(a).and(small(b)),
        Ctl::SomeNext(a) => small(a).some_next(),
        Ctl::SomeUntil(a, b) => small(a).some_until(small(b)),
        Ctl::SomeGlobally(a) => small(a).some_globally(),
    }
}

/// What formulas mean, by unrolling paths.
pub struct Meaning<'a> {
    pub graph: &'a Steps,
    pub letters: &'a [u32],
}

impl Meaning<'_> {
    fn next(&self, state: u32) -> impl Iterator<Item = u32> {
        self.graph.steps[state as usize].iter().map(|&(_, to)| to)
    }

    fn everywhere(&self, formula: &Ctl) -> Vec<bool> {
        (0..self.letters.len() as u32).map(|state| self.holds(formula, state)).collect()
    }

    pub fn holds(&self, formula: &Ctl, state: u32) -> bool {
        match formula {
            Ctl::True => true,
            Ctl::Atom(atom) => self.letters[state as usize] >> atom & 1 == 1,
            Ctl::Not(a) => !self.holds(a, state),
            Ctl::And(a, b) => self.holds(a, state) && self.holds(b, state),
            Ctl::SomeNext(a) => self.next(state).any(|to| self.holds(a, to)),
            Ctl::SomeUntil(a, b) => self.steps_until(a, b, state).is_some(),
            Ctl::SomeGlobally(a) => {
                // A path of as many steps as there are states has been somewhere twice.
                let a = self.everywhere(a);
                let mut stays = a.clone();
                for _ in 0..=a.len() {
                    let longer = (0..a.len()).map(|at| {
                        let mut next = self.next(at as u32).peekable();
                        a[at] && (next.peek().is_none() || next.any(|to| stays[to as usize]))
                    });
                    stays = longer.collect();
                }
                stays[state as usize]
            }
        }
    }

    /// After how many steps the second can hold, with the first until then.
    fn steps_until(&self, a: &Ctl, b: &Ctl, state: u32) -> Option<usize> {
        let (a, b) = (self.everywhere(a), self.everywhere(b));
        let mut here = vec![state];
        for steps in 0..=a.len() {
            if here.iter().any(|&at| b[at as usize]) {
                return Some(steps);
            }
            let onward = here.iter().filter(|&&at| a[at as usize]);
            here = onward.flat_map(|&at| self.next(at)).collect();
            here.sort_unstable();
            here.dedup();
        }
        None
    }

    /// Whether a path that starts in a state shows why a formula holds there, or does not.
    fn is_shown(
        &self,
        formula: &Ctl,
        state: u32,
        path: &[(u32, u32)],
        back: Option<usize>,
    ) -> bool {
        let holds = self.holds(formula, state);
        let at = |steps: usize| if steps == 0 { state } else { path[steps - 1].1 };
        let rest = |inner: &Ctl, steps: usize| {
            let is_before = back.is_some_and(|back| back < steps);
            let back = back.map(|back| back.wrapping_sub(steps));
            !is_before && self.is_shown(inner, at(steps), &path[steps..], back)
        };
        match formula {
            Ctl::Not(a) => rest(a, 0),
            Ctl::And(a, b) => {
                [a, b].into_iter().any(|side| self.holds(side, state) == holds && rest(side, 0))
            }
            Ctl::SomeNext(a) if holds => !path.is_empty() && self.holds(a, at(1)) && rest(a, 1),
            Ctl::SomeUntil(a, b) if holds => {
                let steps = self.steps_until(a, b, state).unwrap();
                steps <= path.len()
                    && (0..steps).all(|before| self.holds(a, at(before)))
                    && self.holds(b, at(steps))
                    && rest(b, steps)
            }
            Ctl::SomeGlobally(a) if holds => {
                (0..=path.len()).all(|steps| self.holds(a, at(steps)))
                    && match back {
                        Some(back) => back < path.len() && at(back) == at(path.len()),
                        None => self.next(at(path.len())).next().is_none(),
                    }
            }
            _ => path.is_empty() && back.is_none(),
        }
    }
}

#[test]
fn formulas_hold_where_paths_say_so() {
    let (mut held, mut all, mut longest, mut round, mut shortened) = (0, 0, 0, 0, 0);
    for_seeds(0..1_500, |seed, random| {
        let states = 1 + random.below(8);
        let graph = Steps::random(random, states, 3, 4);
        let letters = graphs::random_letters(random, states, ATOMS);
        let atoms = graphs::atoms(&letters, ATOMS);
        let meaning = Meaning { graph: &graph, letters: &letters };
        let mut branching = Branching::new(&graph, &atoms, &Budget::unlimited()).unwrap();
        for _ in 0..4 {
            let size = 1 + random.below(7);
            let formula = random_formula(random, size);
            let found = branching
                .satisfying(&formula, Certainty::Must, &Budget::unlimited())
                .unwrap()
                .clone();
            let small = small(&formula);
            let short = formula.shorter();
            shortened += u32::from(short != small);
            for same in [small, short] {
                let satisfying =
                    branching.satisfying(&same, Certainty::Must, &Budget::unlimited()).unwrap();
                assert_eq!(*satisfying, found, "seed {seed}: {same:?} for {formula:?}");
            }
            for (state, expected) in (0..).zip(meaning.everywhere(&formula)) {
                let case =
                    || format!("seed {seed}: {formula:?} in {state} of {graph:?} {letters:?}");
                assert_eq!(found.get(state), expected, "{}", case());
                let evidence = branching
                    .evidence(&formula, Certainty::Must, state, &Budget::unlimited())
                    .unwrap();
                let mut at = state;
                for &(label, to) in &evidence.path {
                    assert!(graph.steps[at as usize].contains(&(label, to)), "{}", case());
                    at = to;
                }
                assert!(
                    meaning.is_shown(&formula, state, &evidence.path, evidence.back),
                    "{evidence:?} for {}",
                    case()
                );
                held += u32::from(expected);
                all += 1;
                longest = longest.max(evidence.path.len());
                round += u32::from(evidence.back.is_some());
            }
        }
    });
    assert!(all / 4 < held && held < all / 4 * 3, "{held} of {all} hold");
    assert!(longest >= 5 && round > 1_000, "paths up to {longest}, {round} go round");
    assert!(shortened > 200, "{shortened} became shorter");
}

#[test]
fn what_a_run_shows_is_so() {
    let (mut yes, mut no, mut unknown) = (0, 0, 0);
    for_seeds(0..3_000, |seed, random| {
        let states = 1 + random.below(8);
        let graph = Steps::random(random, states, 3, 4);
        let letters = graphs::random_letters(random, states, ATOMS);
        let meaning = Meaning { graph: &graph, letters: &letters };
        let mut run = vec![0_u32];
        let ending = loop {
            let next: Vec<u32> = meaning.next(run[run.len() - 1]).collect();
            if next.is_empty() {
                break Ending::Last;
            }
            let to = *random.pick(&next);
            if let Some(back) = run.iter().position(|at| *at == to) {
                break Ending::Back(back);
            }
            if random.percent(10) {
                break Ending::Open;
            }
            run.push(to);
        };
        let holds = |atom: u32, at: usize| letters[run[at] as usize] >> atom & 1 == 1;
        for _ in 0..4 {
            let size = 1 + random.below(7);
            let formula = random_formula(random, size);
            let shown = formula.shown_by(run.len(), ending, &holds);
            if let Some(shown) = shown {
                let case = format!("{formula:?} on {run:?} {ending:?} of {graph:?} {letters:?}");
                assert_eq!(shown, meaning.holds(&formula, 0), "seed {seed}: {case}");
            }
            match shown {
                Some(true) => yes += 1,
                Some(false) => no += 1,
                None => unknown += 1,
            }
        }
    });
    assert!(yes > 1_000 && no > 1_000 && unknown > 1_000, "{yes} {no} {unknown}");
}

#[test]
fn evidence_goes_to_the_nearest_cycle_or_end() {
    // 0 → 1 → 2 → 3 → 1, and 2 → 4, which is the end.
    let steps = vec![vec![(0, 1)], vec![(1, 2)], vec![(2, 3), (3, 4)], vec![(4, 1)], Vec::new()];
    let graph = Steps { expanded: vec![true; steps.len()], steps };
    let atoms = graphs::atoms(&[0b01, 0b01, 0b01, 0b01, 0b11], ATOMS);
    let mut branching = Branching::new(&graph, &atoms, &Budget::unlimited()).unwrap();
    let evidence = |branching: &mut Branching<'_, Steps>, formula: &Ctl| {
        branching.evidence(formula, Certainty::Must, 0, &Budget::unlimited()).unwrap()
    };
    let always = evidence(&mut branching, &Ctl::Atom(0).some_globally());
    assert_eq!(always.path, [(0, 1), (1, 2), (2, 3), (4, 1)]);
    assert_eq!(always.back, Some(1));
    // That it never happens is shown by where it does.
    let never = evidence(&mut branching, &Ctl::Atom(1).not().all_globally());
    assert_eq!(never.path, [(0, 1), (1, 2), (3, 4)]);
    assert_eq!(never.back, None);
    // Nothing shows that something holds on all paths but all of them.
    let next = evidence(&mut branching, &Ctl::Atom(0).all_next());
    assert!(next.path.is_empty());
}

#[test]
fn a_budget_that_is_used_up_gives_no_answer() {
    let states = 100_000;
    let steps: Vec<_> = (0..states).map(|at| vec![(0, (at + 1) % states)]).collect();
    let graph = Steps { expanded: vec![true; steps.len()], steps };
    let spent = Budget::unlimited();
    spent.interrupt();
    let end = Exhausted::Interrupted;
    assert_eq!(Branching::new(&graph, &[], &spent).err(), Some(end));
    let mut branching = Branching::new(&graph, &[], &Budget::unlimited()).unwrap();
    let formula = Ctl::SomeGlobally(Box::new(Ctl::True));
    assert_eq!(branching.satisfying(&formula, Certainty::Must, &spent), Err(end));
    assert_eq!(branching.evidence(&formula, Certainty::Must, 0, &spent), Err(end));
    assert_eq!(
        branching.satisfying(&formula, Certainty::Must, &Budget::unlimited()).unwrap().count(),
        states.into()
    );
    assert_eq!(
        branching.evidence(&formula, Certainty::Must, 0, &Budget::unlimited()).unwrap().path.len(),
        100_000
    );
}
