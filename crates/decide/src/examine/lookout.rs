//! Looking at states as they are expanded.
//!
//! A space that looks at each state whose successors are known: which predicates it satisfies that no state
//! has before, and how many tokens it has. So what can be reached is known as soon as it has been. Cost: for
//! each state its tokens are counted, where that is asked for, and the open predicates are evaluated.

use explore::{Space, Standing, Successors};
use fold::Folded;
use net::Compiled;
use symbolic::SymbolicSpace;
use unfold::Predicate;

use super::docket::{Answer, Matter};
use super::ledger::{Engine, Ledger};
use super::predicate::View;

/// A space of states in which tokens can be counted.
pub trait Counting: Space {
    /// Puts the number of tokens in each place into `counts`.
    fn count(&mut self, state: &[u8], counts: &mut Vec<u64>);
}

impl Counting for SymbolicSpace {
    fn count(&mut self, state: &[u8], counts: &mut Vec<u64>) {
        self.count_tokens_in_places(state, counts);
    }
}

impl Counting for Folded<Compiled> {
    fn count(&mut self, state: &[u8], counts: &mut Vec<u64>) {
        let working = self.decode(state);
        counts.clear();
        counts.extend((0..working.places()).map(|place| working.tokens(place)));
    }
}

/// A space that is looked at.
pub struct Lookout<'l, 't, S> {
    space: S,
    ledger: &'l Ledger<'t>,
    /// That of the ledger when the following was read off it.
    version: usize,
    somewhere: Vec<(usize, Predicate)>,
    /// The sums asked for, with the greatest value seen.
    greatest: Vec<Greatest>,
    counts_tokens: bool,
    view: View,
}

/// A sum, the matter it is, and the greatest value seen.
type Greatest = (usize, Vec<(u32, i64)>, Option<i128>);

impl<'l, 't, S: Counting> Lookout<'l, 't, S> {
    pub fn new(space: S, ledger: &'l Ledger<'t>) -> Self {
        let (somewhere, greatest) = Default::default();
        let view = View::default();
        Self { space, ledger, version: 0, somewhere, greatest, counts_tokens: false, view }
    }

    /// The space.
    pub fn space(&mut self) -> &mut S {
        &mut self.space
    }

    /// Whether nothing was looked for when a state was last looked at.
    pub fn is_idle(&self) -> bool {
        self.somewhere.is_empty()
    }

    /// The sums and their greatest values.
    pub fn greatest(&self) -> &[Greatest] {
        &self.greatest
    }

    fn refresh(&mut self) {
        self.version = self.ledger.version();
        let before = std::mem::take(&mut self.greatest);
        self.somewhere.clear();
        self.ledger.read(|docket| {
            for matter in docket.pending() {
                match &docket.matters[matter].0 {
                    Matter::Somewhere(predicate) => {
                        self.somewhere.push((matter, predicate.clone()));
                    }
                    Matter::Greatest(terms) => {
                        let seen = before.iter().find(|(number, ..)| *number == matter);
                        let seen = seen.and_then(|(_, _, seen)| *seen);
                        self.greatest.push((matter, terms.clone(), seen));
                    }
                    Matter::Branching(_) | Matter::Linear(_) => {}
                }
            }
        });
        let counts = |(_, predicate): &(usize, Predicate)| counts_tokens(predicate);
        self.counts_tokens = !self.greatest.is_empty() || self.somewhere.iter().any(counts);
    }

    fn look(&mut self, state: &[u8], found: &Successors) {
        if self.version != self.ledger.version() {
            self.refresh();
        }
        if self.somewhere.is_empty() && self.greatest.is_empty() {
            return;
        }
        let Self { space, view, somewhere, greatest, .. } = self;
        view.enable(found.iter().map(|(label, ..)| label));
        if self.counts_tokens {
            space.count(state, &mut view.tokens);
        }
        for (_, terms, most) in greatest {
            let value = view.sum(terms.iter().map(|(place, factor)| (place, factor)));
            *most = (*most).max(Some(value));
        }
        let met = somewhere.iter().filter(|(_, predicate)| view.satisfies(predicate));
        let met: Vec<_> = met.map(|(matter, _)| (*matter, Answer::Holds(true))).collect();
        if !met.is_empty() {
            self.ledger.settle(Engine::Explicit, met);
        }
    }
}

fn counts_tokens(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::True | Predicate::Enabled(_) | Predicate::Dead => false,
        Predicate::AtMost { .. } => true,
        Predicate::Not(inner) => counts_tokens(inner),
        Predicate::And(parts) | Predicate::Or(parts) => parts.iter().any(counts_tokens),
    }
}

impl<S: Counting> Space for Lookout<'_, '_, S> {
    type Fault = S::Fault;

    fn initial(&mut self, found: &mut Successors) -> Result<(), S::Fault> {
        self.space.initial(found)
    }

    fn expand(&mut self, state: &[u8], found: &mut Successors) -> Result<Standing, S::Fault> {
        let standing = self.space.expand(state, found)?;
        // Where a limit has cut the expansion short, it is not known what is not enabled.
        if !found.enough() {
            self.look(state, found);
        }
        Ok(standing)
    }
}
