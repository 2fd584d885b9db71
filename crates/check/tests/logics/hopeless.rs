//! Threads without a prospect on random graphs, with births and deaths, against the definition: from each thread
//! of each state all runs are tried.

use std::collections::BTreeSet;

use budget::{Budget, Exhausted};
use check::{Fates, Hopeless, Prospect, Threads, Way, hopeless};
use random::{Random, for_seeds};

const PROSPECTS: [Prospect; 2] = [Prospect::Acting, Prospect::Ending];

/// A state: who is idle, and the moves. Each has a target, and for each thread whether it acts, is ended, and who it
/// becomes.
#[derive(Clone, Debug, Default)]
struct Place {
    idle: Vec<bool>,
    moves: Vec<(usize, Vec<Fate>)>,
}

type Fate = (bool, bool, Option<u32>);

#[derive(Clone, Debug)]
struct World(Vec<Place>);

impl World {
    fn random(random: &mut Random) -> World {
        let count = 1 + random.below(7_usize);
        let idle = random.below(40_u32);
        let acting = 5 + random.below(30_u32);
        let dying = random.below(15_u32);
        let mut places: Vec<Place> = Vec::new();
        for _ in 0..count {
            let threads = random.below(4_usize);
            let idle = (0..threads).map(|_| random.percent(idle)).collect();
            places.push(Place { idle, moves: Vec::new() });
        }
        for at in 0..count {
            for _ in 0..random.below(4) {
                let target = random.below(count);
                let mut free: Vec<u32> = (0..places[target].idle.len() as u32).collect();
                let fates = (0..places[at].idle.len()).map(|_| {
                    let (acts, dies) = (random.percent(acting), random.percent(dying));
                    if dies || free.is_empty() {
                        return (acts, random.percent(50), None);
                    }
                    let place = random.below(free.len());
                    (acts, false, Some(free.swap_remove(place)))
                });
                let fates = fates.collect();
                places[at].moves.push((target, fates));
            }
        }
        World(places)
    }

    /// Whether a thread comes to what is asked for on some run. `None` if that depends on what follows states from
    /// `known` on.
    fn comes_to(&self, at: (usize, u32), prospect: Prospect, known: usize) -> Option<bool> {
        let mut seen = BTreeSet::from([at]);
        let mut open = vec![at];
        let mut depends = false;
        while let Some((state, thread)) = open.pop() {
            if state >= known {
                depends = true;
                continue;
            }
            let place = &self.0[state];
            if prospect == Prospect::Ending && place.idle[thread as usize] {
                return Some(true);
            }
            for (target, fates) in &place.moves {
                let (acts, ends, becomes) = fates[thread as usize];
                if ends || prospect == Prospect::Acting && acts {
                    return Some(true);
                }
                if let Some(thread) = becomes
                    && seen.insert((*target, thread))
                {
                    open.push((*target, thread));
                }
            }
        }
        if depends { None } else { Some(false) }
    }

    /// The threads of a state that are hopeless for sure.
    fn lost(&self, state: usize, prospect: Prospect, known: usize) -> Vec<u32> {
        if state >= known {
            return Vec::new();
        }
        let idle = &self.0[state].idle;
        let is_exempt = |thread: &u32| prospect == Prospect::Acting && idle[*thread as usize];
        let is_lost = |thread: &u32| {
            self.comes_to((state, *thread), prospect, known) == Some(false) && !is_exempt(thread)
        };
        (0..idle.len() as u32).filter(is_lost).collect()
    }

    /// Whether some run leads from a state to one with more hopeless threads; at each step one of them is left.
    fn can_grow(&self, from: usize, prospect: Prospect, known: usize) -> bool {
        let most = self.lost(from, prospect, known).len();
        let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(state) = open.pop() {
            let lost = self.lost(state, prospect, known);
            if lost.len() > most {
                return true;
            }
            for (target, fates) in &self.0[state].moves {
                let is_left = lost.iter().any(|thread| fates[*thread as usize].2.is_some());
                if is_left && seen.insert(*target) {
                    open.push(*target);
                }
            }
        }
        false
    }

    /// The first state of those known in which threads are hopeless for sure and cannot become more, and these.
    fn hopeless(&self, prospect: Prospect, known: usize) -> Option<Hopeless> {
        let states = (0..known).filter(|&state| !self.lost(state, prospect, known).is_empty());
        let state = states.into_iter().find(|&state| !self.can_grow(state, prospect, known))?;
        Some(Hopeless { state: state as u32, threads: self.lost(state, prospect, known) })
    }
}

impl Threads for World {
    fn fates(&mut self, state: u32, into: &mut Fates) -> Result<(), Exhausted> {
        let Place { idle, moves } = &self.0[state as usize];
        into.idle.extend(idle);
        for (target, fates) in moves {
            for (thread, (acts, ends, becomes)) in (0..).zip(fates) {
                let becomes = becomes.map(|thread| (*target as u32, thread));
                into.ways.push(Way { thread, acts: *acts, ends: *ends, becomes });
            }
        }
        Ok(())
    }
}

fn found(world: &World, prospect: Prospect, known: usize) -> Option<Hopeless> {
    let mut world = world.clone();
    hopeless(known as u32, &mut world, prospect, &Budget::unlimited()).expect("there is no limit")
}

#[test]
fn those_are_hopeless_who_come_to_nothing_on_any_run() {
    let (mut hopeful, mut lost, mut later) = (0, 0, 0);
    for_seeds(0..4000, |_, random| {
        let world = World::random(random);
        for prospect in PROSPECTS {
            let expected = world.hopeless(prospect, world.0.len());
            assert_eq!(found(&world, prospect, world.0.len()), expected, "{prospect:?} {world:?}");
            let known = world.0.len();
            let first = (0..known).find(|&state| !world.lost(state, prospect, known).is_empty());
            later +=
                usize::from(expected.as_ref().is_some_and(|e| Some(e.state as usize) != first));
            if expected.is_some() { lost += 1 } else { hopeful += 1 }
        }
    });
    assert!(hopeful > 1000 && lost > 1000 && later > 100, "{hopeful} {lost} {later}");
}

#[test]
fn what_is_found_in_a_part_is_true_of_the_whole() {
    let mut early = 0;
    for_seeds(0..2000, |_, random| {
        let world = World::random(random);
        for prospect in PROSPECTS {
            for known in 0..world.0.len() {
                let expected = world.hopeless(prospect, known);
                let found = found(&world, prospect, known);
                assert_eq!(found, expected, "{known} of {prospect:?} {world:?}");
                let Some(Hopeless { state, threads }) = found else { continue };
                early += 1;
                for thread in threads {
                    let at = (state as usize, thread);
                    assert_eq!(world.comes_to(at, prospect, world.0.len()), Some(false));
                }
            }
        }
    });
    assert!(early > 500, "{early}");
}

/// The world as somebody gets it wrong.
struct Wrong(World, Mistake);

type Mistake = fn(&mut Fates);

impl Threads for Wrong {
    fn fates(&mut self, state: u32, fates: &mut Fates) -> Result<(), Exhausted> {
        self.0.fates(state, fates)?;
        (self.1)(fates);
        Ok(())
    }
}

#[test]
fn mistakes_are_noticed() {
    let mistakes: [(&str, Mistake); 7] = [
        ("the idle are like others", |fates| fates.idle.fill(false)),
        ("everybody is idle", |fates| fates.idle.fill(true)),
        ("crashes are ends", |fates| {
            fates.ways.iter_mut().for_each(|way| way.ends |= way.becomes.is_none());
        }),
        ("ends are crashes", |fates| fates.ways.iter_mut().for_each(|way| way.ends = false)),
        ("who acts does not", |fates| fates.ways.iter_mut().for_each(|way| way.acts = false)),
        ("who acts is ended", |fates| {
            fates.ways.iter_mut().for_each(|way| way.ends |= way.acts);
        }),
        ("a move is missing", |fates| {
            fates.ways.pop();
        }),
    ];
    for (mistake, wrong) in mistakes {
        let mut noticed = 0;
        for_seeds(0..1000, |_, random| {
            let world = World::random(random);
            let states = world.0.len();
            noticed += usize::from(PROSPECTS.into_iter().any(|prospect| {
                let mut wrong = Wrong(world.clone(), wrong);
                let found = hopeless(states as u32, &mut wrong, prospect, &Budget::unlimited());
                found.expect("there is no limit") != world.hopeless(prospect, states)
            }));
        });
        assert!(noticed > 10, "{mistake}: noticed {noticed} times");
    }
}

/// States with a thread each that never does anything; who counts them is interrupted.
struct Interrupted<'b> {
    budget: &'b Budget,
    counted: u32,
}

impl Threads for Interrupted<'_> {
    fn fates(&mut self, _: u32, fates: &mut Fates) -> Result<(), Exhausted> {
        fates.idle.push(false);
        Ok(())
    }

    fn count(&mut self, _: u32, threads: &[u32]) -> u32 {
        self.counted += 1;
        self.budget.interrupt();
        threads.len() as u32
    }
}

#[test]
fn threads_are_counted_within_the_limits() {
    let budget = Budget::unlimited();
    let mut threads = Interrupted { budget: &budget, counted: 0 };
    let found = hopeless(1000, &mut threads, Prospect::Acting, &budget);
    assert_eq!((found, threads.counted), (Err(Exhausted::Interrupted), 1));
}
