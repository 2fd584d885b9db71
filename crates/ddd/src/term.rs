//! Homomorphisms as terms, each term once.
//!
//! A term names its parts by number. The table finds a term by number and by what it is. Sums are
//! put together in `sum.rs`.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::arena::Id;
use crate::inductive::{Erased, Inductive, hash};
use crate::{Value, Variable};

/// The number of a homomorphism.
pub(crate) type HomId = u32;

/// The identity.
pub(crate) const IDENTITY: HomId = 0;
/// Everything to the empty set.
pub(crate) const NOTHING: HomId = 1;

/// What a homomorphism is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    /// d ↦ d.
    Identity,
    /// d ↦ c unless d is 0.
    Constant(Id),
    /// d ↦ c · d.
    Left(Id),
    /// d ↦ d · c.
    Right(Id),
    /// d ↦ x –v→ next(d).
    Prefix(Variable, Value, HomId),
    /// The first occurrence of x must have a value in the interval and is shifted; then `next`.
    Shift { variable: Variable, low: Value, high: Value, by: Value, next: HomId },
    /// Two parts of a sum: sums, or members.
    Sum(HomId, HomId),
    /// The first after the second; the first is not itself a composition.
    Compose(HomId, HomId),
    /// The reflexive and transitive closure, d ↦ d + h(d) + h(h(d)) + …
    Star(HomId),
    /// A closure after some homomorphism, for diagrams that the closure leaves as they are.
    Close { star: HomId, next: HomId },
    /// A user's, by its place among these.
    Inductive(u32),
}

/// The least and the greatest variable a homomorphism may not skip; the wrong way round if there
/// is none.
pub(crate) type Span = (Variable, Variable);
const NO_SPAN: Span = (Variable::MAX, 0);
const ANY_SPAN: Span = (0, Variable::MAX);

fn hull(a: Span, b: Span) -> Span {
    (a.0.min(b.0), a.1.max(b.1))
}

/// All homomorphisms.
#[derive(Debug)]
pub(crate) struct Terms {
    terms: Vec<Term>,
    spans: Vec<Span>,
    /// What decides where it is in a sum: of a sum, the key of its first member.
    keys: Vec<u64>,
    /// Whether it is a sum with the identity among its members.
    has_identity: Vec<bool>,
    index: FxHashMap<Term, HomId>,
    free: Vec<HomId>,
    inductive: Vec<Option<Arc<dyn Erased>>>,
    /// Places among the inductive ones, by hash of the value.
    by_hash: FxHashMap<u64, Vec<u32>>,
    free_inductive: Vec<u32>,
}

impl Terms {
    pub(crate) fn new() -> Self {
        let mut terms = Self {
            terms: Vec::new(),
            spans: Vec::new(),
            keys: Vec::new(),
            has_identity: Vec::new(),
            index: FxHashMap::default(),
            free: Vec::new(),
            inductive: Vec::new(),
            by_hash: FxHashMap::default(),
            free_inductive: Vec::new(),
        };
        assert_eq!(terms.number(Term::Identity), IDENTITY);
        assert_eq!(terms.number(Term::Constant(crate::arena::ZERO)), NOTHING);
        terms
    }

    #[inline(always)]
    pub(crate) fn term(&self, id: HomId) -> Term {
        self.terms[id as usize]
    }

    /// The number of a term.
    pub(crate) fn number(&mut self, term: Term) -> HomId {
        if let Some(id) = self.index.get(&term) {
            return *id;
        }
        let span = self.span_of(term);
        let has_identity = match term {
            Term::Sum(left, right) => [left, right]
                .iter()
                .any(|part| *part == IDENTITY || self.has_identity[*part as usize]),
            _ => false,
        };
        let id = match self.free.pop() {
            Some(id) => {
                self.terms[id as usize] = term;
                self.spans[id as usize] = span;
                self.has_identity[id as usize] = has_identity;
                id
            }
            None => {
                self.terms.push(term);
                self.spans.push(span);
                self.has_identity.push(has_identity);
                self.keys.push(0);
                self.terms.len() as HomId - 1
            }
        };
        self.keys[id as usize] = match term {
            Term::Sum(left, _) => self.keys[left as usize],
            _ => u64::from(span.0) << 32 | u64::from(id),
        };
        self.index.insert(term, id);
        id
    }

    /// The number of a user's homomorphism.
    pub(crate) fn number_inductive<T: Inductive>(&mut self, value: T) -> HomId {
        let places = self.by_hash.entry(hash(&value)).or_default();
        let same = |place: &&u32| {
            let other = self.inductive[**place as usize].as_deref();
            other.and_then(|other| other.as_any().downcast_ref()) == Some(&value)
        };
        let place = match places.iter().find(same) {
            Some(place) => *place,
            None => {
                let place = self.free_inductive.pop().unwrap_or_else(|| {
                    self.inductive.push(None);
                    self.inductive.len() as u32 - 1
                });
                self.inductive[place as usize] = Some(Arc::new(value));
                places.push(place);
                place
            }
        };
        self.number(Term::Inductive(place))
    }

    /// A user's homomorphism by its place.
    pub(crate) fn inductive(&self, place: u32) -> &Arc<dyn Erased> {
        self.inductive[place as usize].as_ref().expect("a living term has a value")
    }

    fn span_of(&self, term: Term) -> Span {
        let span = |id: HomId| self.spans[id as usize];
        match term {
            Term::Identity | Term::Right(_) => NO_SPAN,
            Term::Shift { variable, .. } => (variable, variable),
            Term::Sum(a, b) | Term::Compose(a, b) | Term::Close { star: a, next: b } => {
                hull(span(a), span(b))
            }
            Term::Star(h) => span(h),
            Term::Constant(_) | Term::Left(_) | Term::Prefix(..) | Term::Inductive(_) => ANY_SPAN,
        }
    }

    /// The members of a sum are in the order of their keys; that of a sum is its first member's.
    #[inline]
    pub(crate) fn key(&self, id: HomId) -> u64 {
        self.keys[id as usize]
    }

    /// Whether it surely skips a variable, without looking into it.
    #[inline]
    pub(crate) fn far_from(&self, id: HomId, variable: Variable) -> bool {
        let (least, greatest) = self.spans[id as usize];
        variable < least || greatest < variable
    }

    /// Whether `h(x –v→ d) = x –v→ h(d)` for this x, all v and all d.
    ///
    /// Costs the size of the term at worst; for sums of shifts, a step for each member that is
    /// not past the variable.
    pub(crate) fn skips(&self, id: HomId, variable: Variable) -> bool {
        let mut open = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next.or_else(|| open.pop()) {
            next = None;
            if self.far_from(id, variable) {
                continue;
            }
            match self.term(id) {
                Term::Sum(first, rest)
                | Term::Compose(first, rest)
                | Term::Close { next: first, star: rest } => {
                    if !self.far_from(rest, variable) {
                        open.push(rest);
                    }
                    next = Some(first);
                }
                Term::Star(h) => next = Some(h),
                Term::Inductive(place) => {
                    if !self.inductive(place).skips(variable) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// `outer` after `inner`.
    pub(crate) fn compose(&mut self, outer: HomId, inner: HomId) -> HomId {
        if outer == NOTHING || inner == NOTHING {
            return NOTHING;
        }
        let mut chain = Vec::new();
        let mut id = outer;
        while let Term::Compose(first, rest) = self.term(id) {
            chain.push(first);
            id = rest;
        }
        chain.push(id);
        chain.retain(|link| *link != IDENTITY);
        chain.into_iter().rev().fold(inner, |inner, outer| match inner {
            IDENTITY => outer,
            _ => self.number(Term::Compose(outer, inner)),
        })
    }

    /// The closure of `h`.
    pub(crate) fn star(&mut self, h: HomId) -> HomId {
        if let Term::Star(_) = self.term(h) {
            return h;
        }
        if h == IDENTITY || h == NOTHING {
            return IDENTITY;
        }
        let mut h = h;
        if self.has_identity[h as usize] {
            let mut members = self.members(h);
            members.retain(|member| *member != IDENTITY);
            h = self.sum(&members);
        }
        self.number(Term::Star(h))
    }

    /// `star` after `next`, for diagrams that `star` leaves as they are.
    pub(crate) fn close(&mut self, star: HomId, next: HomId) -> HomId {
        match (star, next) {
            (IDENTITY, _) | (_, IDENTITY | NOTHING) => next,
            _ => self.number(Term::Close { star, next }),
        }
    }

    /// The variable, if it is a sum of prefixes all of one variable.
    pub(crate) fn common_prefix(&self, id: HomId) -> Option<Variable> {
        match self.term(id) {
            Term::Prefix(variable, ..) => Some(variable),
            Term::Sum(left, right) => {
                let common = self.common_prefix(left)?;
                (self.common_prefix(right)? == common).then_some(common)
            }
            _ => None,
        }
    }

    /// How many there are.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.terms.len() - self.free.len()
    }

    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        let each = size_of::<Term>()
            + size_of::<Span>()
            + size_of::<u64>()
            + 2 * size_of::<(Term, HomId)>();
        self.terms.len() * each + self.inductive.len() * 64
    }

    /// Homomorphisms that a term is made of.
    pub(crate) fn parts(&self, id: HomId) -> [HomId; 2] {
        match self.term(id) {
            Term::Prefix(_, _, next) | Term::Shift { next, .. } => [next, IDENTITY],
            Term::Sum(a, b) | Term::Compose(a, b) => [a, b],
            Term::Star(h) => [h, IDENTITY],
            Term::Close { star, next } => [star, next],
            _ => [IDENTITY; 2],
        }
    }

    /// The diagram that a term holds.
    pub(crate) fn diagram(&self, id: HomId) -> Option<Id> {
        match self.term(id) {
            Term::Constant(d) | Term::Left(d) | Term::Right(d) => Some(d),
            _ => None,
        }
    }

    /// One more than the greatest number.
    pub(crate) fn end(&self) -> usize {
        self.terms.len()
    }

    /// Forgets the terms that are not marked.
    pub(crate) fn sweep(&mut self, marked: &[bool]) {
        let Self { terms, index, free, inductive, by_hash, free_inductive, .. } = self;
        index.retain(|term, id| {
            let keep = marked[*id as usize];
            if !keep {
                free.push(*id);
                if let Term::Inductive(place) = term {
                    inductive[*place as usize] = None;
                    free_inductive.push(*place);
                }
                // No living term holds a diagram that is gone.
                terms[*id as usize] = Term::Identity;
            }
            keep
        });
        by_hash.retain(|_, places| {
            places.retain(|place| inductive[*place as usize].is_some());
            !places.is_empty()
        });
    }
}
