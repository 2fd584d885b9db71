//! Homomorphisms as trees: their meaning on naive sets, and the same in a forest.

use ddd::{Ddd, Error, Forest, Hom, Inductive, Result, Shift, Value, Variable};
use random::Random;

use crate::naive::{Naive, View, sum};

#[derive(Clone, Debug)]
pub enum Map {
    Identity,
    Constant(Naive),
    Left(Naive),
    Right(Naive),
    Prefix(Variable, Value, Box<Map>),
    Shift(Variable, Value, Value, Value, Box<Map>),
    Sum(Vec<Map>),
    Compose(Box<Map>, Box<Map>),
    Star(Box<Map>),
    User(User),
}

/// Inductive homomorphisms. Those that are `open` say which variables they skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct User {
    pub kind: Kind,
    pub x: Variable,
    pub open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Adds one to the first occurrence.
    Increment,
    /// Adds one to the first occurrence, if it is below 3.
    Lift,
    /// Takes one off the first occurrence, if there is one, and lifts the next variable.
    Carry,
    /// Every occurrence gets each value of 0..=n.
    Assign(Value),
    /// Takes all occurrences out.
    Drop,
    /// Every occurrence comes twice.
    Double,
    /// Moves all occurrences to the end, by way of a diagram held in a field.
    Move,
    /// Occurrences with a value above n become ⊤.
    Refuse(Value),
}

/// What [`Kind::Move`] is on the way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Moving {
    x: Variable,
    open: bool,
    taken: Ddd,
}

impl Kind {
    /// Whether there must be an occurrence.
    fn needs_one(self) -> bool {
        matches!(self, Self::Increment | Self::Lift | Self::Carry)
    }
}

impl User {
    /// What [`Kind::Carry`] goes on with.
    fn lift(self) -> Self {
        Self { kind: Kind::Lift, x: self.x + 1, ..self }
    }
}

impl Inductive for User {
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        Ok(if self.kind.needs_one() { forest.top() } else { forest.one() })
    }

    fn on_arc(&self, forest: &mut Forest, y: Variable, v: Value) -> Result<Hom> {
        // Garbage may be collected at any moment.
        if (v + y as Value) % 3 == 0 {
            forest.collect();
        }
        let this = forest.inductive(*self);
        if self.kind == Kind::Move {
            let one = forest.one();
            let whole = forest.arc(y, v, &one)?;
            let moving = Moving { x: self.x, open: self.open, taken: one };
            let moving = forest.inductive(moving);
            let left = forest.left(&whole);
            let moved = forest.compose(&moving, &left);
            return Ok(moved);
        }
        if y != self.x {
            return forest.prefix(y, v, &this);
        }
        match self.kind {
            Kind::Increment => {
                let identity = forest.identity();
                forest.prefix(y, v + 1, &identity)
            }
            Kind::Lift if v < 3 => {
                let identity = forest.identity();
                forest.prefix(y, v + 1, &identity)
            }
            Kind::Carry if v > 0 => {
                let lift = forest.inductive(self.lift());
                forest.prefix(y, v - 1, &lift)
            }
            Kind::Lift | Kind::Carry => {
                let zero = forest.zero();
                Ok(forest.constant(&zero))
            }
            Kind::Assign(n) => {
                let each: Result<Vec<Hom>> = (0..=n).map(|v| forest.prefix(y, v, &this)).collect();
                Ok(forest.sum(&each?))
            }
            Kind::Double => {
                let once = forest.prefix(y, v, &this)?;
                forest.prefix(y, v, &once)
            }
            Kind::Refuse(n) if v > n => {
                let top = forest.top();
                Ok(forest.constant(&top))
            }
            Kind::Refuse(_) => forest.prefix(y, v, &this),
            Kind::Drop | Kind::Move => Ok(this),
        }
    }

    fn skips(&self, y: Variable) -> bool {
        self.open && y != self.x && self.kind != Kind::Move
    }
}

impl Inductive for Moving {
    fn on_one(&self, _: &mut Forest) -> Result<Ddd> {
        Ok(self.taken.clone())
    }

    fn on_arc(&self, forest: &mut Forest, y: Variable, v: Value) -> Result<Hom> {
        if y != self.x {
            let this = forest.inductive(self.clone());
            return forest.prefix(y, v, &this);
        }
        let one = forest.one();
        let arc = forest.arc(y, v, &one)?;
        // What was taken is extended by an application within the application.
        let right = forest.right(&arc);
        let taken = forest.apply(&right, &self.taken)?;
        Ok(forest.inductive(Self { taken, ..self.clone() }))
    }

    fn skips(&self, y: Variable) -> bool {
        self.open && y != self.x
    }
}

impl Map {
    pub fn random(
        random: &mut Random,
        depth: u32,
        set: &mut impl FnMut(&mut Random) -> Naive,
    ) -> Self {
        let variable = |random: &mut Random| random.below(4) as Variable;
        let value = |random: &mut Random| random.below(4) as Value;
        if depth == 0 || random.below(4) == 0 {
            let x = variable(random);
            let user = |kind, random: &mut Random| {
                Self::User(User { kind, x, open: random.below(2) == 0 })
            };
            return match random.below(10) {
                0 => Self::Identity,
                1 => Self::Constant(set(random)),
                2 => Self::Left(set(random)),
                3 => Self::Right(set(random)),
                4 => user(Kind::Increment, random),
                5 => user(Kind::Assign(1), random),
                6 => user(Kind::Drop, random),
                7 => user(Kind::Double, random),
                8 => user(Kind::Move, random),
                _ => user(Kind::Refuse(2), random),
            };
        }
        let mut part = |random: &mut Random| Self::random(random, depth - 1, set);
        match random.below(8) {
            0..3 => Self::Sum((0..random.below(4)).map(|_| part(random)).collect()),
            3 | 4 => Self::Compose(Box::new(part(random)), Box::new(part(random))),
            5 => Self::Prefix(variable(random), value(random), Box::new(part(random))),
            _ => Self::shift(random, part),
        }
    }

    fn shift(random: &mut Random, part: impl FnOnce(&mut Random) -> Self) -> Self {
        let low = random.below(4) as Value;
        let high = low + random.below(3) as Value;
        let by = random.below(4) as Value - 2;
        Self::Shift(random.below(4) as Variable, low, high, by, Box::new(part(random)))
    }

    /// A sum of chains over ascending variables that keep values between 0 and 3, with `extra`.
    pub fn transitions(random: &mut Random, variables: u32, extra: Vec<Map>) -> Self {
        let mut members = extra;
        for _ in 0..random.below(3) {
            let kind = if random.below(2) == 0 { Kind::Lift } else { Kind::Carry };
            let x = random.below(u64::from(variables) - 1) as Variable;
            members.push(Self::User(User { kind, x, open: random.below(4) != 0 }));
        }
        for _ in 0..1 + random.below(5) {
            let mut chain = Self::Identity;
            for x in (0..variables).rev() {
                if random.below(3) != 0 {
                    continue;
                }
                let by = random.below(4) as Value - 2;
                let low = (random.below(3) as Value).max(-by);
                let high = (low + random.below(4) as Value).min(3 - by).min(3);
                chain = Self::Shift(x, low, high, by, Box::new(chain));
            }
            members.push(chain);
        }
        Self::Sum(members)
    }

    /// The meaning; none if closing takes too long.
    pub fn on(&self, set: &Naive) -> Option<Naive> {
        let by_arc = |step: &dyn Fn(Variable, Value, &Naive) -> Option<Naive>, one: Naive| match set
            .view()
        {
            View::Zero => Some(Naive::zero()),
            View::One => Some(one),
            View::Top => Some(Naive::top()),
            View::Node(y, arcs) => {
                let images: Option<Vec<_>> =
                    arcs.iter().map(|(v, child)| step(y, *v, child)).collect();
                Some(sum(images?))
            }
        };
        if matches!(set.view(), View::Zero) {
            return Some(Naive::zero());
        }
        match self {
            Self::Identity => Some(set.clone()),
            Self::Constant(c) if matches!(set.view(), View::Top) => {
                Some(if *c == Naive::zero() { Naive::zero() } else { Naive::top() })
            }
            Self::Constant(c) => Some(c.clone()),
            Self::Left(c) => Some(c.then(set)),
            Self::Right(c) => Some(set.then(c)),
            Self::Prefix(x, v, next) => Some(next.on(set)?.after(*x, *v)),
            Self::Shift(x, low, high, by, next) => by_arc(
                &|y, v, child| match (*x == y, (*low..=*high).contains(&v)) {
                    (false, _) => Some(self.on(child)?.after(y, v)),
                    (true, true) => Some(next.on(child)?.after(y, v + by)),
                    (true, false) => Some(Naive::zero()),
                },
                Naive::top(),
            ),
            Self::Sum(members) => {
                let images: Option<Vec<_>> = members.iter().map(|member| member.on(set)).collect();
                Some(sum(images?))
            }
            Self::Compose(outer, inner) => outer.on(&inner.on(set)?),
            Self::Star(h) => {
                let mut all = set.clone();
                for _ in 0..25 {
                    if all.0.iter().any(|(sequence, _)| sequence.len() > 8) || all.0.len() > 120 {
                        return None;
                    }
                    let more = all.plus(&h.on(&all)?);
                    if more == all {
                        return Some(all);
                    }
                    all = more;
                }
                None
            }
            Self::User(user) if user.kind == Kind::Move => {
                let moved = |tail: &Naive| {
                    Naive::of(tail.0.iter().map(|(sequence, end)| {
                        let of_x = |(y, _): &&(Variable, Value)| *y == user.x;
                        let stay = sequence.iter().filter(|pair| !of_x(pair));
                        let moved = sequence.iter().filter(of_x);
                        match end {
                            crate::naive::End::One => (stay.chain(moved).copied().collect(), *end),
                            crate::naive::End::Top => (stay.copied().collect(), *end),
                        }
                    }))
                };
                Some(match set.view() {
                    View::Node(..) | View::Zero => moved(set),
                    View::One => Naive::one(),
                    View::Top => Naive::top(),
                })
            }
            Self::User(user @ User { kind, x, .. }) => {
                let one = if kind.needs_one() { Naive::top() } else { Naive::one() };
                by_arc(
                    &|y, v, child| {
                        if y != *x {
                            return Some(self.on(child)?.after(y, v));
                        }
                        Some(match kind {
                            Kind::Increment => child.after(y, v + 1),
                            Kind::Lift if v < 3 => child.after(y, v + 1),
                            Kind::Carry if v > 0 => {
                                Self::User(user.lift()).on(child)?.after(y, v - 1)
                            }
                            Kind::Lift | Kind::Carry => Naive::zero(),
                            Kind::Assign(n) => {
                                let image = self.on(child)?;
                                sum((0..=*n).map(|v| image.after(y, v)))
                            }
                            Kind::Drop => self.on(child)?,
                            Kind::Double => self.on(child)?.after(y, v).after(y, v),
                            Kind::Refuse(n) if v > *n => Naive::top(),
                            Kind::Refuse(_) => self.on(child)?.after(y, v),
                            Kind::Move => unreachable!(),
                        })
                    },
                    one,
                )
            }
        }
    }

    /// The same in a forest.
    pub fn in_forest(&self, forest: &mut Forest) -> Hom {
        match self {
            Self::Identity => forest.identity(),
            Self::Constant(c) => {
                let c = c.to_ddd(forest);
                forest.constant(&c)
            }
            Self::Left(c) => {
                let c = c.to_ddd(forest);
                forest.left(&c)
            }
            Self::Right(c) => {
                let c = c.to_ddd(forest);
                forest.right(&c)
            }
            Self::Prefix(x, v, next) => {
                let next = next.in_forest(forest);
                forest.prefix(*x, *v, &next).unwrap()
            }
            Self::Shift(x, low, high, by, next) => {
                let next = next.in_forest(forest);
                forest.shift(Shift { variable: *x, within: *low..=*high, by: *by }, &next).unwrap()
            }
            Self::Sum(members) => {
                let members: Vec<Hom> = members.iter().map(|h| h.in_forest(forest)).collect();
                forest.sum(&members)
            }
            Self::Compose(outer, inner) => {
                let (outer, inner) = (outer.in_forest(forest), inner.in_forest(forest));
                forest.compose(&outer, &inner)
            }
            Self::Star(h) => {
                let h = h.in_forest(forest);
                forest.star(&h)
            }
            Self::User(user) => forest.inductive(*user),
        }
    }
}

/// An inductive homomorphism that swallows the error of an operation within.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Swallow;

impl Inductive for Swallow {
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        Ok(forest.one())
    }

    fn on_arc(&self, forest: &mut Forest, y: Variable, v: Value) -> Result<Hom> {
        let one = forest.one();
        let far = forest.arc(y, Value::MAX, &one)?;
        let identity = forest.identity();
        let shift = Shift { variable: y, within: 0..=Value::MAX, by: 1 };
        let shift = forest.shift(shift, &identity)?;
        assert_eq!(forest.apply(&shift, &far), Err(Error::Overflow));
        forest.prefix(y, v, &identity)
    }
}
