//! Firing transitions of an unfolded net one after the other.
//!
//! A marking, what is enabled in it, and both after a firing: only transitions at places that have changed are
//! looked at again. So a step costs the arcs at these places, whatever the size of the net.

use num_traits::ToPrimitive;
use unfold::{Predicate, UnfoldedNet};

/// What a transition asks of a place, or of a sum.
#[derive(Clone, Copy, Debug)]
struct Test {
    transition: u32,
    least: i64,
    most: i64,
}

impl Test {
    fn passes(&self, tokens: i64) -> bool {
        (self.least..=self.most).contains(&tokens)
    }
}

/// What transitions ask, by what it is asked of.
#[derive(Clone, Debug)]
pub struct Rules<'n> {
    net: &'n UnfoldedNet,
    /// What is asked of each place, and of each sum after them.
    tests: Vec<Vec<Test>>,
    /// The sums in which a place is, by number.
    sums_of: Vec<Vec<u32>>,
    /// The number of labels.
    labels: usize,
}

/// A marking of a net, and what is enabled in it.
#[derive(Clone, Debug)]
pub struct Game<'r> {
    rules: &'r Rules<'r>,
    /// The tokens of each place, and of each sum after them.
    tokens: Vec<i64>,
    /// The tokens of each place of the symmetric net.
    totals: Vec<i64>,
    /// How many tests each transition fails.
    failed: Vec<u32>,
    enabled: Vec<u32>,
    /// Where a transition is among those that are enabled.
    position: Vec<u32>,
    /// How many transitions are enabled of each label.
    labels: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;
/// More tokens than this are not played with.
const MOST_TOKENS: i64 = 1 << 40;

impl<'n> Rules<'n> {
    /// The rules of a net.
    #[must_use]
    pub fn of(net: &'n UnfoldedNet) -> Rules<'n> {
        let mut tests: Vec<Vec<Test>> = vec![Vec::new(); net.places.len()];
        let mut sums_of = vec![Vec::new(); net.places.len()];
        for (transition, t) in (0_u32..).zip(&net.transitions) {
            for arc in t.arcs.iter().filter(|arc| arc.least > 0 || arc.most < i32::MAX) {
                let most = if arc.most == i32::MAX { i64::MAX } else { i64::from(arc.most) };
                let test = Test { transition, least: i64::from(arc.least), most };
                tests[arc.place as usize].push(test);
            }
            for (members, bound) in &t.sums {
                let sum = tests.len() as u32;
                members.iter().for_each(|place| sums_of[*place as usize].push(sum));
                let most = i64::from(*bound) - 1;
                tests.push(vec![Test { transition, least: 0, most }]);
            }
        }
        let labels = net.transitions.iter().flat_map(|t| &t.labels).map(|label| label.index() + 1);
        Rules { net, tests, sums_of, labels: labels.max().unwrap_or(0) }
    }

    /// The net.
    #[must_use]
    pub fn net(&self) -> &'n UnfoldedNet {
        self.net
    }

    /// Whether more tokens never disable anything.
    #[must_use]
    pub fn are_monotone(&self) -> bool {
        self.tests.iter().flatten().all(|test| test.most == i64::MAX)
    }
}

impl<'r> Game<'r> {
    /// The initial marking; `None` if there are more tokens than can be counted here.
    #[must_use]
    pub fn new(rules: &'r Rules<'r>) -> Option<Game<'r>> {
        let net = rules.net;
        let mut tokens: Vec<i64> = net.places.iter().map(|p| i64::from(p.initial)).collect();
        tokens.resize(rules.tests.len(), 0);
        for (place, sums) in rules.sums_of.iter().enumerate() {
            sums.iter().for_each(|sum| tokens[*sum as usize] += tokens[place]);
        }
        let mut totals = Vec::with_capacity(net.fixed.len());
        for fixed in &net.fixed {
            totals.push(fixed.to_i64().filter(|fixed| *fixed <= MOST_TOKENS)?);
        }
        for place in &net.places {
            totals[place.place.0 as usize] += i64::from(place.initial);
        }
        let mut failed = vec![0; net.transitions.len()];
        for (tests, tokens) in rules.tests.iter().zip(&tokens) {
            for test in tests.iter().filter(|test| !test.passes(*tokens)) {
                failed[test.transition as usize] += 1;
            }
        }
        let position = vec![NOWHERE; failed.len()];
        let labels = vec![0; rules.labels];
        let enabled = Vec::new();
        let mut game = Game { rules, tokens, totals, failed, enabled, position, labels };
        for t in 0..net.transitions.len() as u32 {
            if game.failed[t as usize] == 0 {
                game.enable(t);
            }
        }
        Some(game)
    }

    fn enable(&mut self, t: u32) {
        self.position[t as usize] = self.enabled.len() as u32;
        self.enabled.push(t);
        let labels = &self.rules.net.transitions[t as usize].labels;
        labels.iter().for_each(|label| self.labels[label.index()] += 1);
    }

    fn disable(&mut self, t: u32) {
        let at = std::mem::replace(&mut self.position[t as usize], NOWHERE) as usize;
        self.enabled.swap_remove(at);
        if let Some(moved) = self.enabled.get(at) {
            self.position[*moved as usize] = at as u32;
        }
        let labels = &self.rules.net.transitions[t as usize].labels;
        labels.iter().for_each(|label| self.labels[label.index()] -= 1);
    }

    /// What is played.
    #[must_use]
    pub fn rules(&self) -> &'r Rules<'r> {
        self.rules
    }

    /// The transitions that are enabled, in no particular order.
    #[must_use]
    pub fn enabled(&self) -> &[u32] {
        &self.enabled
    }

    /// The tokens in each unfolded place.
    #[must_use]
    pub fn tokens(&self) -> &[i64] {
        &self.tokens[..self.rules.net.places.len()]
    }

    /// Fires a transition. Whether there are not too many tokens after that.
    ///
    /// # Panics
    ///
    /// If it is not enabled.
    pub fn fire(&mut self, t: u32) -> bool {
        assert_ne!(self.position[t as usize], NOWHERE, "it is enabled");
        self.add(t, 1)
    }

    /// Takes back the last firing.
    pub(crate) fn take_back(&mut self, t: u32) {
        self.add(t, -1);
    }

    /// Adds the changes of a transition, so many times.
    fn add(&mut self, t: u32, times: i64) -> bool {
        let (rules, mut fits) = (self.rules, true);
        let net = rules.net;
        for arc in net.transitions[t as usize].arcs.iter().filter(|arc| arc.change != 0) {
            let change = times * i64::from(arc.change);
            fits &= self.tokens[arc.place as usize] <= MOST_TOKENS;
            let place = &net.places[arc.place as usize];
            self.totals[place.place.0 as usize] += change;
            self.change(arc.place, change);
            rules.sums_of[arc.place as usize].iter().for_each(|sum| self.change(*sum, change));
        }
        fits
    }

    /// Changes the tokens of a place or a sum.
    fn change(&mut self, at: u32, by: i64) {
        let before = self.tokens[at as usize];
        let after = before + by;
        self.tokens[at as usize] = after;
        let rules = self.rules;
        for test in &rules.tests[at as usize] {
            match (test.passes(before), test.passes(after)) {
                (true, false) => {
                    let failed = &mut self.failed[test.transition as usize];
                    *failed += 1;
                    if *failed == 1 {
                        self.disable(test.transition);
                    }
                }
                (false, true) => {
                    let failed = &mut self.failed[test.transition as usize];
                    *failed -= 1;
                    if *failed == 0 {
                        self.enable(test.transition);
                    }
                }
                _ => {}
            }
        }
    }

    /// How much a sum over places of the symmetric net is.
    #[must_use]
    pub fn sum(&self, terms: &[(u32, i64)]) -> i128 {
        let tokens = |place: u32| i128::from(self.totals[place as usize]);
        terms.iter().map(|&(place, factor)| i128::from(factor) * tokens(place)).sum()
    }

    /// How far the marking is from one in which a predicate holds, or does not: 0 where it is one, and the more tokens
    /// have to be moved the more it is. It is a guess that guides walks.
    #[must_use]
    pub fn distance(&self, predicate: &Predicate, holds: bool) -> u64 {
        match predicate {
            Predicate::True => {
                if holds {
                    0
                } else {
                    u64::MAX
                }
            }
            Predicate::AtMost { terms, bound } => {
                let excess = self.sum(terms) - i128::from(*bound);
                let lacking = if holds { excess } else { 1 - excess };
                u64::try_from(lacking.max(0)).unwrap_or(u64::MAX)
            }
            Predicate::Enabled(_) | Predicate::Dead => {
                u64::from(self.satisfies(predicate) != holds)
            }
            Predicate::Not(inner) => self.distance(inner, !holds),
            Predicate::And(parts) | Predicate::Or(parts) => {
                let each = parts.iter().map(|part| self.distance(part, holds));
                match matches!(predicate, Predicate::And(_)) == holds {
                    true => each.fold(0, u64::saturating_add),
                    false => each.min().unwrap_or(u64::MAX),
                }
            }
        }
    }

    /// Whether a predicate holds.
    #[must_use]
    pub fn satisfies(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::True => true,
            Predicate::AtMost { terms, bound } => self.sum(terms) <= i128::from(*bound),
            Predicate::Enabled(label) => self.labels.get(label.index()).is_some_and(|n| *n > 0),
            Predicate::Dead => self.enabled.is_empty(),
            Predicate::Not(inner) => !self.satisfies(inner),
            Predicate::And(parts) => parts.iter().all(|part| self.satisfies(part)),
            Predicate::Or(parts) => parts.iter().any(|part| self.satisfies(part)),
        }
    }
}
