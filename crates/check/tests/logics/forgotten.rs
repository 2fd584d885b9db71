//! Forgotten choices against what they stand for: one outcome of each is real, and it is not known which.
//!
//! A *resolution* fixes an outcome for each forgotten choice. What is certain holds by every resolution, and what is
//! possible by some. Where a single operator asks that some path exists, the converse is true as well: if a path exists
//! whatever a player does who decides the choices, one exists against each fixed way to decide them, since such games are
//! won without memory.

use budget::{Budget, Exhausted};
use check::{Branching, Certainty, Ctl, Fates, Graph, Open, Outlook, Prospect, Threads, Way};
use random::{Random, for_seeds};

use crate::branching::{ATOMS, Meaning, random_formula};
use crate::graphs::{self, Steps};

/// A graph in which some states are forgotten choices.
struct Forgetful {
    steps: Steps,
    forgotten: Vec<bool>,
}

impl Graph for Forgetful {
    fn states(&self) -> u32 {
        self.steps.states()
    }

    fn is_expanded(&self, state: u32) -> bool {
        self.steps.is_expanded(state)
    }

    fn successors(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        self.steps.successors(state)
    }

    fn is_forgotten_choice(&self, state: u32) -> bool {
        self.forgotten[state as usize]
    }
}

/// All ways to pick one of so many outcomes at each place where there is a choice.
fn resolutions(outcomes: &[Option<usize>]) -> Vec<Vec<Option<usize>>> {
    let mut all = vec![Vec::new()];
    for count in outcomes {
        let picks: Vec<Option<usize>> = match count {
            Some(count) => (0..*count).map(Some).collect(),
            None => vec![None],
        };
        let longer = |way: &Vec<Option<usize>>| {
            let way = way.clone();
            picks.iter().map(move |pick| [&way[..], &[*pick]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The same graph if these outcomes are the real ones.
fn resolved(graph: &Forgetful, way: &[Option<usize>]) -> Steps {
    let mut steps = graph.steps.clone();
    for (row, pick) in steps.steps.iter_mut().zip(way) {
        if let Some(pick) = pick {
            *row = vec![row[*pick]];
        }
    }
    steps
}

fn random_choices(random: &mut Random, sizes: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut left = 3;
    sizes
        .map(|size| {
            let is_choice = left > 0 && (1..=3).contains(&size) && random.percent(40);
            left -= i32::from(is_choice);
            is_choice
        })
        .collect()
}

#[test]
fn formulas_hold_for_certain_where_they_hold_by_every_resolution() {
    let (mut certain, mut impossible, mut open, mut single) = (0, 0, 0, 0);
    for_seeds(0..1_500, |seed, random| {
        let states = 1 + random.below(7);
        let steps = Steps::random(random, states, 3, 4);
        let forgotten = random_choices(random, steps.steps.iter().map(Vec::len));
        let graph = Forgetful { steps, forgotten };
        let letters = graphs::random_letters(random, states, ATOMS);
        let atoms = graphs::atoms(&letters, ATOMS);
        let outcomes = graph.steps.steps.iter().zip(&graph.forgotten);
        let outcomes: Vec<_> = outcomes.map(|(row, is)| is.then_some(row.len())).collect();
        let worlds: Vec<Steps> =
            resolutions(&outcomes).iter().map(|way| resolved(&graph, way)).collect();
        let mut branching = Branching::new(&graph, &atoms, &Budget::unlimited()).unwrap();
        for round in 0..5 {
            let [a, b] = [0, 1].map(Ctl::Atom);
            let (formula, is_single) = match round {
                0 => (a.some_next(), true),
                1 => (a.some_until(b), true),
                2 => (a.some_globally(), true),
                _ => {
                    let size = 1 + random.below(7);
                    (random_formula(random, size), false)
                }
            };
            let mut decided = |certainty| {
                branching.satisfying(&formula, certainty, &Budget::unlimited()).unwrap().clone()
            };
            let [must, may] = [Certainty::Must, Certainty::May].map(&mut decided);
            for state in 0..states as u32 {
                let mut by_all = true;
                let mut by_some = false;
                for world in &worlds {
                    let meaning = Meaning { graph: world, letters: &letters };
                    let holds = meaning.holds(&formula, state);
                    (by_all, by_some) = (by_all && holds, by_some || holds);
                }
                let case = || format!("seed {seed}: {formula:?} in {state} of {:?}", graph.steps);
                assert!(!must.get(state) || by_all, "certain, {}", case());
                assert!(may.get(state) || !by_some, "impossible, {}", case());
                if is_single {
                    assert_eq!(must.get(state), by_all, "{}", case());
                    single += u32::from(must.get(state) != may.get(state));
                }
                match (must.get(state), may.get(state)) {
                    (true, true) => certain += 1,
                    (false, false) => impossible += 1,
                    (false, true) => open += 1,
                    (true, false) => panic!("what is certain is possible, {}", case()),
                }
            }
        }
    });
    assert!(certain > 5_000 && impossible > 5_000, "{certain} {impossible}");
    assert!(open > 1_500 && single > 1_000, "{open} {single}");
}

/// States with threads, some of which are forgotten choices: who is idle, and for each move its target and, for each
/// thread, whether it acts, whether it is ended, and who it becomes.
#[derive(Clone, Debug, Default)]
struct World {
    idle: Vec<Vec<bool>>,
    moves: Vec<Vec<(usize, Vec<Fate>)>>,
    forgotten: Vec<bool>,
}

type Fate = (bool, bool, Option<u32>);

impl World {
    fn random(random: &mut Random) -> World {
        let count = 1 + random.below(6_usize);
        let mut world = World::default();
        for _ in 0..count {
            let threads = random.below(3_usize);
            world.idle.push((0..threads).map(|_| random.percent(10)).collect());
        }
        for at in 0..count {
            let mut moves = Vec::new();
            for _ in 0..random.below(4) {
                let target = random.below(count);
                let mut free: Vec<u32> = (0..world.idle[target].len() as u32).collect();
                let fates = (0..world.idle[at].len()).map(|_| {
                    let (acts, dies) = (random.percent(12), random.percent(8));
                    if dies || free.is_empty() {
                        return (acts, random.percent(50), None);
                    }
                    let place = random.below(free.len());
                    (acts, false, Some(free.swap_remove(place)))
                });
                moves.push((target, fates.collect()));
            }
            world.moves.push(moves);
        }
        world.forgotten = random_choices(random, world.moves.iter().map(Vec::len));
        world
    }

    /// The number of outcomes at each thread of each state, if it is a forgotten choice. States stand for those that are
    /// the same but for names: where a thread comes back as another one, another outcome may be real.
    fn outcomes(&self) -> Vec<Option<usize>> {
        let states = self.idle.iter().zip(&self.moves).zip(&self.forgotten);
        let of = |((idle, moves), is): ((&Vec<bool>, &Vec<_>), &bool)| {
            vec![is.then_some(moves.len()); idle.len()]
        };
        states.flat_map(of).collect()
    }

    /// Whether a thread comes to what is asked for if these outcomes are real.
    fn comes_to(&self, at: (usize, u32), prospect: Prospect, way: &[Option<usize>]) -> bool {
        let node = |state: usize, thread: u32| {
            self.idle[..state].iter().map(Vec::len).sum::<usize>() + thread as usize
        };
        let (mut seen, mut open) = (std::collections::BTreeSet::from([at]), vec![at]);
        while let Some((state, thread)) = open.pop() {
            if prospect == Prospect::Ending && self.idle[state][thread as usize] {
                return true;
            }
            for (number, (target, fates)) in self.moves[state].iter().enumerate() {
                if way[node(state, thread)].is_some_and(|real| real != number) {
                    continue;
                }
                let (acts, ends, becomes) = fates[thread as usize];
                if ends || prospect == Prospect::Acting && acts {
                    return true;
                }
                open.extend(becomes.map(|to| (*target, to)).filter(|to| seen.insert(*to)));
            }
        }
        false
    }
}

impl Threads for World {
    fn fates(&mut self, state: u32, into: &mut Fates) -> Result<(), Exhausted> {
        let at = state as usize;
        into.idle.extend(&self.idle[at]);
        into.is_forgotten = self.forgotten[at];
        for (target, fates) in &self.moves[at] {
            for (thread, (acts, ends, becomes)) in (0..).zip(fates) {
                let becomes = becomes.map(|thread| (*target as u32, thread));
                into.ways.push(Way { thread, acts: *acts, ends: *ends, becomes });
            }
        }
        Ok(())
    }
}

#[test]
fn threads_have_hope_for_certain_if_they_have_it_by_every_resolution() {
    let (mut hopeless, mut open, mut bright) = (0, 0, 0);
    for_seeds(0..3_000, |seed, random| {
        let world = World::random(random);
        let ways = resolutions(&world.outcomes());
        for prospect in [Prospect::Acting, Prospect::Ending] {
            let (mut lost, mut depends) = (None, None);
            for (state, idle) in world.idle.iter().enumerate() {
                let is_idle = |thread: u32| idle[thread as usize] && prospect == Prospect::Acting;
                let of = |thread: u32| {
                    let hopeful = |way: &Vec<_>| world.comes_to((state, thread), prospect, way);
                    (ways.iter().all(hopeful), ways.iter().any(hopeful))
                };
                let threads = (0..idle.len() as u32).filter(|thread| !is_idle(*thread));
                let hopes: Vec<_> = threads.map(|thread| (thread, of(thread))).collect();
                if hopes.iter().any(|(_, hope)| *hope == (false, false)) {
                    lost = lost.or(Some(state as u32));
                }
                let doubtful = hopes.iter().filter(|(_, hope)| *hope == (false, true));
                let doubtful: Vec<u32> = doubtful.map(|(thread, _)| *thread).collect();
                if !doubtful.is_empty() {
                    depends = depends.or(Some((state as u32, doubtful)));
                }
            }
            let mut threads = world.clone();
            let budget = Budget::unlimited();
            let expanded = world.idle.len() as u32;
            let found = Outlook::of(expanded, &mut threads, prospect, &budget).unwrap();
            let case = || format!("seed {seed}: {prospect:?} {world:?}");
            assert_eq!(found.hopeless_states().iter().next(), lost, "{}", case());
            let said = found.open();
            let same = said.clone().map(|Open { state, threads, .. }| (state, threads));
            assert_eq!(same, depends, "{}", case());
            if let Some(Open { choice, .. }) = said {
                assert!(world.forgotten[choice as usize], "{}", case());
                open += 1;
            }
            hopeless += u32::from(lost.is_some());
            bright += u32::from(lost.is_none() && depends.is_none());
        }
    });
    assert!(hopeless > 1_000 && open > 300 && bright > 1_000, "{hopeless} {open} {bright}");
}
