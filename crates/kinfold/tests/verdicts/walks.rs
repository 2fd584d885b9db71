//! Closed walks through classes, all of them up to a length, and whether going round one for ever is fair and
//! violates something.
//!
//! A walk that returns to a class maps its threads, some of which die on the way. Those that stay for ever go
//! round among themselves; each of them does, one round after the other, what those do once that are
//! on the same round. A stem from where runs start is found backwards: what is true of the walk tells what is
//! true before it.

use std::collections::{BTreeMap, HashMap, HashSet};

use net::{Fairness, Strength, Whom};
use state::Pid;

use crate::linear::{Linear, Truths};
use crate::space::{Someone, Space};

/// What trying all walks has shown.
pub enum Tried {
    /// The states of a walk that violates something and is fair.
    Violation(Vec<usize>),
    /// None does; this many were tried.
    None(usize),
    /// There were too many of them.
    TooMany,
}

/// A step, with threads by their position in the state.
struct Move {
    target: usize,
    transition: u32,
    /// Who acts, as bits.
    acts: u64,
    becomes: Vec<Option<usize>>,
}

/// What happens on a walk to a thread that is there when it begins.
#[derive(Clone, Copy)]
struct Fate {
    now: Option<usize>,
    acted: bool,
    was_able: bool,
    was_always_able: bool,
}

pub struct Walks<'a> {
    space: &'a Space,
    linear: &'a Linear,
    says: &'a [u64],
    fairness: &'a [Fairness],
    moves: Vec<Vec<Move>>,
    before: Vec<Vec<usize>>,
    /// Whether a run from a root can come to where this is true, and violates the formula then.
    known: HashMap<(usize, Truths), bool>,
    tried: usize,
    most: usize,
}

fn positions(space: &Space, state: usize) -> BTreeMap<&Pid, usize> {
    space.states[state].eta().keys().enumerate().map(|(at, pid)| (pid, at)).collect()
}

fn moves(space: &Space, state: usize) -> Vec<Move> {
    let here = positions(space, state);
    let made = space.steps[state].iter().map(|step| {
        let there = positions(space, step.target);
        let becomes = here.keys().map(|&pid| there.get(step.onto.get(pid)?).copied());
        let mut made =
            Move { target: step.target, transition: 0, acts: 0, becomes: becomes.collect() };
        for someone in &step.acting {
            match someone {
                Someone::Transition(transition) => made.transition = transition.0,
                Someone::Thread(pid) => made.acts |= 1 << here[pid],
                Someone::Member(..) => {}
            }
        }
        made
    });
    made.collect()
}

/// Whether threads are born on a way back to where it began, so that concrete states are infinitely many.
pub fn is_endless(space: &Space) -> bool {
    let reaches = |from: usize, to: usize| {
        let mut seen = HashSet::from([from]);
        let mut waiting = vec![from];
        while let Some(state) = waiting.pop() {
            let new = space.steps[state].iter().map(|step| step.target);
            waiting.extend(new.filter(|&state| seen.insert(state)));
        }
        seen.contains(&to)
    };
    (0..space.states.len()).any(|state| {
        moves(space, state).iter().any(|step| {
            let stay = step.becomes.iter().flatten().count();
            stay < space.states[step.target].eta().len() && reaches(step.target, state)
        })
    })
}

impl<'a> Walks<'a> {
    /// Walks through a space, which are looked at if they are not more than `most`.
    pub fn new(
        space: &'a Space,
        linear: &'a Linear,
        says: &'a [u64],
        fairness: &'a [Fairness],
        most: usize,
    ) -> Self {
        let mut before = vec![Vec::new(); space.states.len()];
        for (state, steps) in space.steps.iter().enumerate() {
            steps.iter().for_each(|step| before[step.target].push(state));
        }
        before.iter_mut().for_each(|states: &mut Vec<usize>| states.dedup());
        let moves = (0..space.states.len()).map(|state| moves(space, state)).collect();
        let known = HashMap::new();
        Walks { space, linear, says, fairness, moves, before, known, tried: 0, most }
    }

    /// Tries the walks of at most this many steps, the short ones first. A state in which nothing fires is a
    /// walk, too.
    pub fn tried(mut self, longest: usize) -> Tried {
        for state in 0..self.space.states.len() {
            if self.moves[state].is_empty() && self.is_violated(&[state]) {
                return Tried::Violation(vec![state]);
            }
        }
        let away: Vec<Vec<usize>> =
            (0..self.space.states.len()).map(|home| self.distances(home)).collect();
        for length in 1..=longest {
            for (home, away) in away.iter().enumerate() {
                let (mut walk, mut taken) = (vec![home], Vec::new());
                if self.goes_on(&mut walk, &mut taken, length, away) {
                    return Tried::Violation(walk);
                }
                if self.tried > self.most {
                    return Tried::TooMany;
                }
            }
        }
        Tried::None(self.tried)
    }

    /// How far each state is from one, by states that do not come before it: a closed walk begins with the
    /// first of its states.
    fn distances(&self, home: usize) -> Vec<usize> {
        let mut distances = vec![usize::MAX; self.space.states.len()];
        distances[home] = 0;
        let mut waiting = std::collections::VecDeque::from([home]);
        while let Some(state) = waiting.pop_front() {
            for &before in &self.before[state] {
                if before > home && distances[before] == usize::MAX {
                    distances[before] = distances[state] + 1;
                    waiting.push_back(before);
                }
            }
        }
        distances
    }

    /// Whether a walk can be ended in this many more steps, so that it is fair and violates something.
    fn goes_on(
        &mut self,
        walk: &mut Vec<usize>,
        taken: &mut Vec<usize>,
        left: usize,
        away: &[usize],
    ) -> bool {
        let at = walk[walk.len() - 1];
        for number in 0..self.moves[at].len() {
            let target = self.moves[at][number].target;
            if away[target] > left - 1 || self.tried > self.most {
                continue;
            }
            taken.push(number);
            if left == 1 {
                self.tried += 1;
                if self.is_violated(walk) && self.is_fair(walk, taken) {
                    return true;
                }
            } else {
                walk.push(target);
                if self.goes_on(walk, taken, left - 1, away) {
                    return true;
                }
                walk.pop();
            }
            taken.pop();
        }
        false
    }

    /// Whether a run that comes to a walk and goes round it for ever violates the formula.
    fn is_violated(&mut self, walk: &[usize]) -> bool {
        let says: Vec<u64> = walk.iter().map(|&state| self.says[state]).collect();
        let key = (walk[0], self.linear.along(&says, 0)[0]);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut seen = HashSet::from([key]);
        let mut waiting = vec![key];
        let mut found = false;
        while let Some((state, truths)) = waiting.pop() {
            found |= self.space.roots.contains(&state) && !self.linear.is_true(truths);
            let foretold = self.linear.foretold(truths);
            for &before in &self.before[state] {
                let key = (before, self.linear.truths(self.says[before], foretold));
                if seen.insert(key) {
                    waiting.push(key);
                }
            }
        }
        self.known.insert(key, found);
        found
    }

    /// Whether going round for ever is fair.
    fn is_fair(&self, walk: &[usize], taken: &[usize]) -> bool {
        let steps =
            || walk.iter().zip(taken).map(|(&state, &number)| (state, &self.moves[state][number]));
        let count = self.space.states[walk[0]].eta().len();
        let start =
            |at| Fate { now: Some(at), acted: false, was_able: false, was_always_able: true };
        let mut fates: Vec<Fate> = (0..count).map(start).collect();
        for (state, step) in steps() {
            let able = self.moves[state].iter().fold(0, |all, step| all | step.acts);
            for fate in &mut fates {
                let Some(now) = fate.now else { continue };
                fate.acted |= step.acts >> now & 1 == 1;
                fate.was_able |= able >> now & 1 == 1;
                fate.was_always_able &= able >> now & 1 == 1;
                fate.now = step.becomes[now];
            }
        }
        self.fairness.iter().all(|Fairness { strength, of }| match *of {
            Whom::Transition(transition) => {
                let is_able = |state: usize| {
                    self.moves[state].iter().any(|step| step.transition == transition.0)
                };
                let waits = match strength {
                    Strength::Weak => walk.iter().all(|&state| is_able(state)),
                    Strength::Strong => walk.iter().any(|&state| is_able(state)),
                };
                !waits || steps().any(|(_, step)| step.transition == transition.0)
            }
            Whom::Threads => (0..count).all(|thread| {
                // Those on the same round, unless it ends with a death.
                let mut round = vec![fates[thread]];
                let mut at = fates[thread].now;
                while let Some(next) = at.filter(|&next| next != thread) {
                    if round.len() > count {
                        panic!("two threads have become one");
                    }
                    round.push(fates[next]);
                    at = fates[next].now;
                }
                let waits = match strength {
                    Strength::Weak => round.iter().all(|fate| fate.was_always_able),
                    Strength::Strong => round.iter().any(|fate| fate.was_able),
                };
                at.is_none() || !waits || round.iter().any(|fate| fate.acted)
            }),
            Whom::Action(_) => panic!("nets at random have no actions"),
            Whom::Class(_) => panic!("there are no classes where threads are followed by number"),
        })
    }
}
