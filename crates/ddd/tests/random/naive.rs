//! Sets of sequences, written out; homomorphisms on them by their definitions.

use std::collections::{BTreeMap, BTreeSet};

use ddd::{Ddd, Forest, Node, Value, Variable};

/// How a sequence ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    One,
    Top,
}

pub type Sequence = Vec<(Variable, Value)>;

/// A set of sequences. Sequences that end in ⊤ stand for any set of continuations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Naive(pub BTreeSet<(Sequence, End)>);

/// A set by its first assignments.
pub enum View {
    Zero,
    One,
    Top,
    Node(Variable, BTreeMap<Value, Naive>),
}

impl Naive {
    pub fn zero() -> Self {
        Self::default()
    }

    pub fn one() -> Self {
        Self::of([(Vec::new(), End::One)])
    }

    pub fn top() -> Self {
        Self::of([(Vec::new(), End::Top)])
    }

    /// Any sequences; ⊤ where they do not fit together.
    pub fn of(sequences: impl IntoIterator<Item = (Sequence, End)>) -> Self {
        let all: BTreeSet<_> = sequences.into_iter().collect();
        let heads: BTreeSet<Option<Variable>> =
            all.iter().map(|(sequence, _)| sequence.first().map(|(x, _)| *x)).collect();
        if all.contains(&(Vec::new(), End::Top)) || heads.len() > 1 {
            return Self([(Vec::new(), End::Top)].into());
        }
        let mut groups: BTreeMap<(Variable, Value), Vec<(Sequence, End)>> = BTreeMap::new();
        for (sequence, end) in &all {
            match sequence.split_first() {
                Some((head, tail)) => {
                    groups.entry(*head).or_default().push((tail.to_vec(), *end));
                }
                None => return Self(all),
            }
        }
        let groups = groups.into_iter().map(|((x, v), tails)| Self::of(tails).after(x, v).0);
        Self(groups.flatten().collect())
    }

    pub fn view(&self) -> View {
        let Some((first, end)) = self.0.first() else { return View::Zero };
        let Some((x, _)) = first.first() else {
            return if *end == End::Top { View::Top } else { View::One };
        };
        let mut arcs: BTreeMap<Value, Naive> = BTreeMap::new();
        for (sequence, end) in &self.0 {
            let tail = sequence[1..].to_vec();
            arcs.entry(sequence[0].1).or_default().0.insert((tail, *end));
        }
        View::Node(*x, arcs)
    }

    pub fn is_well_defined(&self) -> bool {
        self.0.iter().all(|(_, end)| *end == End::One)
    }

    /// x –v→ self.
    pub fn after(&self, x: Variable, v: Value) -> Self {
        let with_head =
            |(sequence, end): &(Sequence, End)| ([&[(x, v)], sequence.as_slice()].concat(), *end);
        Self(self.0.iter().map(with_head).collect())
    }

    pub fn plus(&self, other: &Self) -> Self {
        Self::of(self.0.union(&other.0).cloned())
    }

    pub fn times(&self, other: &Self) -> Self {
        match (self.view(), other.view()) {
            (View::Zero, _) | (_, View::Zero) => Self::zero(),
            (View::Top, _) | (_, View::Top) => Self::top(),
            (View::One, View::One) => Self::one(),
            (View::Node(x, a), View::Node(y, b)) if x == y => {
                sum(a.iter().filter_map(|(v, d)| b.get(v).map(|e| d.times(e).after(x, *v))))
            }
            _ => Self::zero(),
        }
    }

    pub fn without(&self, other: &Self) -> Self {
        match (self.view(), other.view()) {
            (View::Zero, _) => Self::zero(),
            (View::Top, _) | (_, View::Top) => Self::top(),
            (View::One, View::One) => Self::zero(),
            (View::Node(x, a), View::Node(y, b)) if x == y => sum(a
                .iter()
                .map(|(v, d)| b.get(v).map_or(d.clone(), |e| d.without(e)).after(x, *v))),
            _ => self.clone(),
        }
    }

    pub fn then(&self, other: &Self) -> Self {
        let joined = self.0.iter().flat_map(|(head, end)| {
            other.0.iter().map(move |(tail, last)| match end {
                End::Top => (head.clone(), End::Top),
                End::One => ([head.as_slice(), tail].concat(), *last),
            })
        });
        Self::of(joined)
    }

    /// The diagram, made from single sequences.
    pub fn to_ddd(&self, forest: &mut Forest) -> Ddd {
        let mut sum = forest.zero();
        for (sequence, end) in &self.0 {
            let mut d = if *end == End::One { forest.one() } else { forest.top() };
            for (x, v) in sequence.iter().rev() {
                d = forest.arc(*x, *v, &d).unwrap();
            }
            sum = forest.union(&sum, &d).unwrap();
        }
        sum
    }

    pub fn from_ddd(forest: &mut Forest, d: &Ddd) -> Self {
        match forest.node(d) {
            Node::Zero => Self::zero(),
            Node::One => Self::one(),
            Node::Top => Self::top(),
            Node::Arcs(x, arcs) => {
                let tails = arcs.iter().map(|(v, d)| Self::from_ddd(forest, d).after(x, *v).0);
                Self(tails.flatten().collect())
            }
        }
    }
}

pub fn sum(sets: impl IntoIterator<Item = Naive>) -> Naive {
    Naive::of(sets.into_iter().flat_map(|set| set.0))
}
