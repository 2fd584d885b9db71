//! What becomes of a homomorphism at nodes of some variable.
//!
//! Members of a sum that skip the variable are *below*: they are applied to the children, all at
//! once. The others are *local* to it. Splitting is what makes saturation automatic; each pair of
//! homomorphism and variable is split once, and remembered while the homomorphism lives.

use rustc_hash::FxHashMap;

use crate::term::{HomId, IDENTITY, NOTHING, Term, Terms};
use crate::{Value, Variable};

/// A guarded shift of the node's own variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalShift {
    pub(crate) low: Value,
    pub(crate) high: Value,
    pub(crate) by: Value,
    /// What is applied to the child. In a closure, what comes out is closed under all that is
    /// below.
    pub(crate) next: HomId,
}

/// A homomorphism, split at a variable.
#[derive(Debug)]
pub(crate) struct Split {
    /// Applied to the children.
    pub(crate) below: HomId,
    /// Shifts of the variable, those with one effect put together.
    pub(crate) shifts: Vec<LocalShift>,
    /// Whatever else does not skip the variable.
    pub(crate) local: Vec<HomId>,
}

/// The splits made so far.
#[derive(Debug, Default)]
pub(crate) struct Splits {
    splits: Vec<Split>,
    index: FxHashMap<(HomId, Variable), u32>,
    free: Vec<u32>,
}

impl std::ops::Index<u32> for Splits {
    type Output = Split;
    fn index(&self, at: u32) -> &Split {
        &self.splits[at as usize]
    }
}

impl Splits {
    /// Where the split of a sum, a closure, or a closure after something, is kept.
    #[inline]
    pub(crate) fn at(&mut self, terms: &mut Terms, id: HomId, variable: Variable) -> u32 {
        match self.index.get(&(id, variable)) {
            Some(at) => *at,
            None => {
                let split = match terms.term(id) {
                    Term::Star(h) => split_star(terms, h, variable),
                    Term::Close { star, next } => {
                        let below = self.at(terms, star, variable);
                        split_close(terms, star, self[below].below, next, variable)
                    }
                    _ => split_sum(terms, id, variable),
                };
                self.insert((id, variable), split)
            }
        }
    }

    fn insert(&mut self, key: (HomId, Variable), split: Split) -> u32 {
        let at = match self.free.pop() {
            Some(at) => {
                self.splits[at as usize] = split;
                at
            }
            None => {
                self.splits.push(split);
                self.splits.len() as u32 - 1
            }
        };
        self.index.insert(key, at);
        at
    }

    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.splits.len() * 2 * (size_of::<Split>() + 16)
    }

    /// The homomorphisms that the splits of each one need, sorted by the former.
    pub(crate) fn needs(&self) -> Vec<(HomId, HomId)> {
        let mut needs = Vec::new();
        for ((id, _), at) in &self.index {
            let split = &self[*at];
            needs.push((*id, split.below));
            needs.extend(split.shifts.iter().map(|shift| (*id, shift.next)));
            needs.extend(split.local.iter().map(|local| (*id, *local)));
        }
        needs.sort_unstable();
        needs
    }

    /// Forgets the splits of homomorphisms that are not marked.
    pub(crate) fn sweep(&mut self, marked: &[bool]) {
        let free = &mut self.free;
        self.index.retain(|(id, _), at| {
            let keep = marked[*id as usize];
            if !keep {
                free.push(*at);
            }
            keep
        });
    }
}

fn split_sum(terms: &mut Terms, sum: HomId, variable: Variable) -> Split {
    let (below, members) = terms.parted(sum, variable);
    let (shifts, local) = grouped(terms, members, IDENTITY);
    Split { below, shifts, local }
}

fn split_star(terms: &mut Terms, h: HomId, variable: Variable) -> Split {
    let (below, members) = terms.parted(h, variable);
    // A part of a sum that is closed already needs no second look at its members.
    let below = match below {
        NOTHING => IDENTITY,
        below => terms.number(Term::Star(below)),
    };
    let (shifts, others) = grouped(terms, members, below);
    let local = others.into_iter().map(|member| terms.close(below, member)).collect();
    Split { below, shifts, local }
}

/// Of `star` after `next`; `below` is what the closure does below the variable.
fn split_close(
    terms: &mut Terms,
    star: HomId,
    below: HomId,
    next: HomId,
    variable: Variable,
) -> Split {
    let (skipping, members) = terms.parted(next, variable);
    let (shifts, others) = grouped(terms, members, below);
    let local = others.into_iter().map(|member| terms.close(star, member)).collect();
    Split { below: terms.close(below, skipping), shifts, local }
}

/// Takes the shifts out of what does not skip a variable. Shifts that do the same to it are one,
/// with a sum for what follows: it goes down through the diagram once.
fn grouped(terms: &mut Terms, members: Vec<HomId>, below: HomId) -> (Vec<LocalShift>, Vec<HomId>) {
    let mut groups: Vec<((Value, Value, Value), Vec<HomId>)> = Vec::new();
    let mut others = Vec::new();
    for member in members {
        let Term::Shift { low, high, by, next, .. } = terms.term(member) else {
            others.push(member);
            continue;
        };
        match groups.iter_mut().find(|(shift, _)| *shift == (low, high, by)) {
            Some((_, nexts)) => nexts.push(next),
            None => groups.push(((low, high, by), vec![next])),
        }
    }
    let mut shift = |((low, high, by), nexts): (_, Vec<HomId>)| {
        let next = terms.sum(&nexts);
        LocalShift { low, high, by, next: terms.close(below, next) }
    };
    (groups.into_iter().map(&mut shift).collect(), others)
}
