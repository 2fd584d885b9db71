//! Two steps made one.
//!
//! Around a place that is not compared, which some transitions only put tokens into (the *producers*) and others only
//! take tokens from (the *consumers*), and which is empty at first, a producer and a consumer become one step.
//!
//! *Sequence* and *Choice*: a consumer needs nothing but the tokens of the place, and what it puts inhibits nobody. So
//! whatever a run does, its consumers can be moved forward to right behind the producers, and those that are missing
//! at the end can be added; for that, they must not matter to what is compared. Then no run is lost but for steps that
//! are not seen. Where a deadlock is reached the place is empty. With a single consumer there is no choice either that
//! could be made too early: markings before and after it have the same future, so branching time is kept, too. With
//! several, linear time is, which sees runs only.
//!
//! *Delay*: a producer puts tokens nowhere else, asks for no more than it takes, and nobody is inhibited by what it would
//! leave where it is. So it can be put off until a consumer needs its tokens, and left out where none does; for that it
//! must not matter to what is compared either. Tokens that it could have taken may go elsewhere then: this keeps
//! reachability only.
//!
//! For reachability, a step that is added may make sums smaller, and one that is left out may have made them larger.

use super::back::Joined;
use super::seen::Seen;
use super::{Logic, Problem};
use crate::{PlainArc, PlainTransition};

/// Which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sequence,
    Choice,
    Delay,
}

/// There may be this many steps after an agglomeration, or as many as there were before.
const FEW: usize = 6;

/// A place with those around it.
struct Around {
    place: u32,
    producers: Vec<u32>,
    consumers: Vec<u32>,
}

impl Problem {
    /// Agglomerates where it can; whether it could.
    pub(super) fn agglomerate(&mut self, kind: Kind, logic: Logic) -> bool {
        let visible = self.visible();
        let inhibiting = self.inhibiting();
        let seen = Seen::by(self);
        let at = self.net.transitions_at();
        let mut is_used = vec![false; self.net.transitions.len()];
        let mut added = Vec::new();
        let mut changed = false;
        for place in 0..self.net.initial.len() as u32 {
            let touching = &at[place as usize];
            let is_free = !visible[place as usize] && !inhibiting[place as usize];
            if !is_free || touching.iter().any(|&t| is_used[t as usize]) {
                continue;
            }
            let Some(around) = self.around(place, touching) else { continue };
            let fits = match kind {
                Kind::Sequence | Kind::Choice => {
                    self.can_be_hurried(&around, kind, &inhibiting, &seen, logic)
                }
                Kind::Delay => self.can_be_put_off(&around, &inhibiting, &seen, logic),
            };
            if !fits {
                continue;
            }
            let Some(steps) = self.joined(&around, kind) else { continue };
            // What is at first in the place moves on before anything else does.
            let Some(initial) = self.moved_on(&around, kind) else { continue };
            self.begin_with(&around);
            self.net.initial = initial;
            touching.iter().for_each(|&t| is_used[t as usize] = true);
            added.extend(steps);
            changed = true;
        }
        let mut used = is_used.into_iter();
        self.retain(|_| used.next() == Some(false));
        for (step, joined) in added {
            self.net.transitions.push(step);
            self.back.push(joined);
        }
        changed
    }

    /// The producers and consumers of a place, if nobody does anything else with it.
    fn around(&self, place: u32, touching: &[u32]) -> Option<Around> {
        let (mut producers, mut consumers) = (Vec::new(), Vec::new());
        for &number in touching {
            let arc = self.net.transitions[number as usize].arc(place)?;
            if arc.is_pure_output() {
                producers.push(number);
            } else if arc.is_pure_input() {
                consumers.push(number);
            } else {
                return None;
            }
        }
        let (before, after) =
            (producers.len() + consumers.len(), producers.len() * consumers.len());
        let fits = !consumers.is_empty() && after <= before.max(FEW);
        fits.then_some(Around { place, producers, consumers })
    }

    /// Whether the consumers can be moved forward.
    fn can_be_hurried(
        &self,
        around: &Around,
        kind: Kind,
        inhibiting: &[bool],
        seen: &Seen,
        logic: Logic,
    ) -> bool {
        let is_single = around.consumers.len() == 1;
        if is_single != (kind == Kind::Sequence) {
            return false;
        }
        let takes = |number: u32| -self.transition(number).change(around.place);
        let weight = takes(around.consumers[0]);
        let puts = |number: &u32| self.transition(*number).change(around.place);
        let fits = |tokens: i32| match is_single {
            true => tokens % weight == 0,
            false => tokens == weight,
        };
        let initial = self.net.initial[around.place as usize];
        let is_alone = |number: &u32| {
            let transition = self.transition(*number);
            let others = || transition.arcs.iter().filter(|arc| arc.place != around.place);
            takes(*number) == weight
                && transition.sums.is_empty()
                && others().all(|arc| arc.is_pure_output() && !inhibiting[arc.place as usize])
                && seen.does_not_matter(transition, logic, |effect| effect <= 0)
        };
        (initial == 0 || is_single && initial % weight == 0)
            && around.producers.iter().map(puts).all(fits)
            && around.consumers.iter().all(is_alone)
    }

    /// Whether the producers can be put off.
    fn can_be_put_off(
        &self,
        around: &Around,
        inhibiting: &[bool],
        seen: &Seen,
        logic: Logic,
    ) -> bool {
        let takes = |number: &u32| -self.transition(*number).change(around.place);
        let is_simple = |number: &u32| {
            let transition = self.transition(*number);
            let mut others = transition.arcs.iter().filter(|arc| arc.place != around.place);
            transition.change(around.place) == 1
                && transition.sums.is_empty()
                && others.all(|arc| arc.is_pure_input() && !inhibiting[arc.place as usize])
                && seen.does_not_matter(transition, logic, |effect| effect >= 0)
        };
        let is_single = around.producers.len() == 1;
        let takes_one = |number: &u32| {
            (is_single || takes(number) == 1) && self.transition(*number).sums.is_empty()
        };
        self.net.initial[around.place as usize] == 0
            && around.producers.iter().all(is_simple)
            && around.consumers.iter().all(takes_one)
    }

    fn transition(&self, number: u32) -> &PlainTransition {
        &self.net.transitions[number as usize]
    }

    /// The steps that producers and consumers are together, each with the words it is; `None` if numbers become too
    /// large.
    fn joined(&self, around: &Around, kind: Kind) -> Option<Vec<(PlainTransition, Joined)>> {
        let mut steps = Vec::new();
        for &producer in &around.producers {
            for &consumer in &around.consumers {
                let (first, second) = (self.transition(producer), self.transition(consumer));
                let (put, taken) = (first.change(around.place), -second.change(around.place));
                // How often the producer, and then the consumer.
                let (once, again) = match kind {
                    Kind::Sequence | Kind::Choice => (1, put / taken),
                    Kind::Delay => (taken / put, 1),
                };
                let step = after(&times(first, once)?, &times(second, again)?)?;
                let word = |number, count: i32| (self.back.word(number), count.unsigned_abs());
                let joined = Joined { first: word(producer, once), second: word(consumer, again) };
                steps.push((step, joined));
            }
        }
        Some(steps)
    }

    /// Notes that the only consumer takes first what is in the place.
    fn begin_with(&mut self, around: &Around) {
        let tokens = self.net.initial[around.place as usize];
        if tokens > 0 {
            let taken = -self.transition(around.consumers[0]).change(around.place);
            let word = self.back.word(around.consumers[0]);
            self.back.begin(word, (tokens / taken).unsigned_abs());
        }
    }

    /// The initial marking after the only consumer has taken what is in the place.
    fn moved_on(&self, around: &Around, kind: Kind) -> Option<Vec<i32>> {
        let mut initial = self.net.initial.clone();
        let tokens = initial[around.place as usize];
        if kind == Kind::Sequence && tokens > 0 {
            let consumer = self.transition(around.consumers[0]);
            let taken = -consumer.change(around.place);
            times(consumer, tokens / taken)?.fire(&mut initial)?;
        }
        Some(initial)
    }
}

/// A transition several times, one after the other; `None` if numbers become too large.
fn times(transition: &PlainTransition, count: i32) -> Option<PlainTransition> {
    let mut all = transition.clone();
    // Each time more: what is asked of the last is asked of all that come before it, too.
    for arc in &mut all.arcs {
        let more = arc.change.checked_mul(count - 1)?;
        if more < 0 {
            arc.least = arc.least.checked_sub(more)?;
        } else if arc.inhibits() {
            arc.most = arc.most.checked_sub(more)?;
        }
        arc.change = arc.change.checked_mul(count)?;
    }
    Some(all)
}

/// One transition and then another; `None` if numbers become too large.
fn after(first: &PlainTransition, second: &PlainTransition) -> Option<PlainTransition> {
    let mut places: Vec<u32> = first.arcs.iter().chain(&second.arcs).map(|arc| arc.place).collect();
    places.sort_unstable();
    places.dedup();
    let mut arcs = Vec::new();
    for place in places {
        let none = PlainArc { place, least: 0, most: i32::MAX, change: 0 };
        let [a, b] = [first, second].map(|t| t.arc(place).copied().unwrap_or(none));
        let least = a.least.max(b.least.checked_sub(a.change)?);
        let most = if b.inhibits() { a.most.min(b.most.checked_sub(a.change)?) } else { a.most };
        arcs.push(PlainArc { place, least, most, change: a.change.checked_add(b.change)? });
    }
    let sums = first.sums.iter().chain(&second.sums).cloned().collect();
    Some(PlainTransition::new(arcs, sums))
}
