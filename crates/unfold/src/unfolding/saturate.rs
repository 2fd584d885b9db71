//! The least fixpoint: possible tokens and possible bindings.

use std::collections::HashMap;

use super::NotUnfolded;
use super::effort::Effort;
use super::ground::{RuleId, Rules};
use super::join::{Candidate, Join, Plan, plans};
use super::possible::{Possible, TokenId};

/// What is possible in a net.
pub(super) struct Possibilities {
    pub(super) possible: Possible,
    /// How often each token is there at first; those that are not are past the end.
    pub(super) initial: Vec<u64>,
    pub(super) modes: Vec<Mode>,
}

/// A possible binding.
pub(super) struct Mode {
    /// The transition.
    pub(super) rule: RuleId,
    /// The values of its variables.
    pub(super) values: Box<[u32]>,
    /// By ascending token, each once.
    pub(super) changes: Box<[Change]>,
    /// Tokens that inhibit it, and the number that they must stay below in all; found in the end.
    pub(super) inhibitors: Vec<(Vec<TokenId>, u64)>,
}

/// What a binding has to do with a token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) token: TokenId,
    /// How many must be there.
    pub(super) need: u64,
    /// How many are taken, all of them needed.
    pub(super) taken: u64,
    pub(super) put: u64,
}

pub(super) fn possible(
    rules: &Rules,
    effort: &mut Effort<'_>,
) -> Result<Possibilities, NotUnfolded> {
    let mut search = Search {
        rules,
        found: Possibilities {
            possible: Possible::new(rules.places),
            initial: Vec::new(),
            modes: Vec::new(),
        },
        waiting: HashMap::new(),
        candidates: Vec::new(),
    };
    search.run(effort)?;
    Ok(search.found)
}

struct Search<'r> {
    rules: &'r Rules,
    found: Possibilities,
    /// Bindings that lack a token, by this.
    waiting: HashMap<(u32, Box<[u32]>), Vec<Candidate>>,
    candidates: Vec<Candidate>,
}

impl Search<'_> {
    fn run(&mut self, effort: &mut Effort<'_>) -> Result<(), NotUnfolded> {
        let mut from_nothing: Vec<(RuleId, Plan)> = Vec::new();
        let mut from_place: Vec<Vec<(RuleId, Plan)>> =
            (0..self.rules.places).map(|_| Vec::new()).collect();
        for (id, rule) in self.rules.iter() {
            for (place, plan) in plans(rule, &mut self.found.possible) {
                let list = match place {
                    Some(place) => &mut from_place[place as usize],
                    None => &mut from_nothing,
                };
                list.push((id, plan));
            }
            // Inhibitors are looked up in the end; see `reduce`.
            for pattern in &rule.inhibitors {
                self.found.possible.index(pattern.place, &pattern.outer_columns());
            }
        }
        self.initial(effort)?;
        self.join(&from_nothing, None, effort)?;
        let mut next: TokenId = 0;
        while (next as usize) < self.found.possible.len() {
            let place = self.found.possible.place(next);
            self.join(&from_place[place as usize], Some(next), effort)?;
            next += 1;
        }
        Ok(())
    }

    fn initial(&mut self, effort: &mut Effort<'_>) -> Result<(), NotUnfolded> {
        let Possibilities { possible, initial, .. } = &mut self.found;
        for pattern in &self.rules.initial {
            for tuple in pattern.tuples(&[], effort)? {
                let (id, new) = possible.insert(pattern.place, &tuple);
                if new {
                    effort.allow_places(possible.len())?;
                    initial.push(0);
                }
                initial[id as usize] += u64::from(pattern.count);
            }
        }
        Ok(())
    }

    /// Finds the bindings in which a token is the newest, and what follows from them.
    fn join(
        &mut self,
        plans: &[(RuleId, Plan)],
        newest: Option<TokenId>,
        effort: &mut Effort<'_>,
    ) -> Result<(), NotUnfolded> {
        for (rule, plan) in plans {
            let Self { found, candidates, .. } = self;
            let (possible, found) = (&found.possible, candidates);
            Join { possible, effort, rule: *rule, values: Vec::new(), found }.run(plan, newest)?;
            while let Some(candidate) = self.candidates.pop() {
                self.consider(candidate, effort)?;
            }
        }
        Ok(())
    }

    /// Takes up a binding if its tokens are possible; otherwise it waits for one that is not.
    fn consider(
        &mut self,
        Candidate { rule: id, values }: Candidate,
        effort: &mut Effort<'_>,
    ) -> Result<(), NotUnfolded> {
        let rule = &self.rules[id];
        let mut arcs = rule.takes.iter().chain(&rule.reads).chain(&rule.puts);
        if !arcs.all(|pattern| pattern.can_be_followed(&values)) {
            return Ok(());
        }
        let mut changes = Vec::new();
        let possible = &mut self.found.possible;
        for (patterns, is_taken) in [(&rule.takes, true), (&rule.reads, false)] {
            for pattern in patterns {
                for tuple in pattern.tuples(&values, effort)? {
                    effort.spend_arc()?;
                    let Some(token) = possible.find(pattern.place, &tuple) else {
                        let waiting = self.waiting.entry((pattern.place, tuple)).or_default();
                        waiting.push(Candidate { rule: id, values });
                        return Ok(());
                    };
                    let need = u64::from(pattern.count);
                    let taken = if is_taken { need } else { 0 };
                    changes.push(Change { token, need, taken, put: 0 });
                }
            }
        }
        for pattern in &rule.puts {
            for tuple in pattern.tuples(&values, effort)? {
                effort.spend_arc()?;
                let (token, new) = possible.insert(pattern.place, &tuple);
                changes.push(Change { token, need: 0, taken: 0, put: pattern.count.into() });
                if new {
                    effort.allow_places(possible.len())?;
                    let ready = self.waiting.remove(&(pattern.place, tuple));
                    self.candidates.extend(ready.into_iter().flatten());
                }
            }
        }
        changes.sort_unstable_by_key(|change| change.token);
        changes.dedup_by(|next, sum| {
            let same = next.token == sum.token;
            if same {
                sum.need = sum.need.saturating_add(next.need);
                sum.taken = sum.taken.saturating_add(next.taken);
                sum.put = sum.put.saturating_add(next.put);
            }
            same
        });
        self.found.modes.push(Mode {
            rule: id,
            values,
            changes: changes.into(),
            inhibitors: Vec::new(),
        });
        effort.allow_transitions(self.found.modes.len())
    }
}
