//! Formulas of branching time.
//!
//! Paths are maximal: where nothing follows a state, the path ends there. So in a last state no next state
//! satisfies anything, all do, and a path that ends has been as long as it could be.

/// A formula of branching time, over numbered atoms. The others are made of these.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ctl {
    /// It always holds.
    True,
    /// A statement about the state.
    Atom(u32),
    /// It does not hold.
    Not(Box<Ctl>),
    /// Both hold.
    And(Box<Ctl>, Box<Ctl>),
    /// One of them holds.
    Or(Box<Ctl>, Box<Ctl>),
    /// It holds in some state that comes next.
    SomeNext(Box<Ctl>),
    /// On some path the second comes to hold, and until then the first does.
    SomeUntil(Box<Ctl>, Box<Ctl>),
    /// On some maximal path it holds in every state.
    SomeGlobally(Box<Ctl>),
}

#[allow(clippy::should_implement_trait, reason = "`not` is the name of the connective")]
impl Ctl {
    /// It does not hold.
    #[must_use]
    pub fn not(self) -> Ctl {
        match self {
            Ctl::Not(inner) => *inner,
            other => Ctl::Not(Box::new(other)),
        }
    }

    /// Both hold.
    #[must_use]
    pub fn and(self, other: Ctl) -> Ctl {
        Ctl::And(Box::new(self), Box::new(other))
    }

    /// One of them holds.
    #[must_use]
    pub fn or(self, other: Ctl) -> Ctl {
        Ctl::Or(Box::new(self), Box::new(other))
    }

    /// EX.
    #[must_use]
    pub fn some_next(self) -> Ctl {
        Ctl::SomeNext(Box::new(self))
    }

    /// AX.
    #[must_use]
    pub fn all_next(self) -> Ctl {
        self.not().some_next().not()
    }

    /// EU.
    #[must_use]
    pub fn some_until(self, other: Ctl) -> Ctl {
        Ctl::SomeUntil(Box::new(self), Box::new(other))
    }

    /// EF.
    #[must_use]
    pub fn some_finally(self) -> Ctl {
        Ctl::True.some_until(self)
    }

    /// EG.
    #[must_use]
    pub fn some_globally(self) -> Ctl {
        Ctl::SomeGlobally(Box::new(self))
    }

    /// AG.
    #[must_use]
    pub fn all_globally(self) -> Ctl {
        self.not().some_finally().not()
    }

    /// AF.
    #[must_use]
    pub fn all_finally(self) -> Ctl {
        self.not().some_globally().not()
    }

    /// AU: no path violates it by leaving the first too early, none by never coming to the second.
    #[must_use]
    pub fn all_until(self, other: Ctl) -> Ctl {
        let none = other.not();
        let too_early = none.clone().some_until(self.not().and(none.clone()));
        too_early.or(none.some_globally()).not()
    }
}
