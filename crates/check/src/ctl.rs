//! Formulas of branching time.
//!
//! Paths are maximal: where nothing follows a state, the path ends there. So in a last state no next state
//! satisfies anything, all do, and a path that ends has been as long as it could be.

mod run;

pub use run::Ending;

/// A formula of branching time, over numbered atoms. The others are made of these, by constructors that keep
/// formulas small where constants allow it.
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
    /// EX: it holds in some state that comes next.
    SomeNext(Box<Ctl>),
    /// EU: on some path the second comes to hold, and until then the first does.
    SomeUntil(Box<Ctl>, Box<Ctl>),
    /// EG: on some maximal path it holds in every state.
    SomeGlobally(Box<Ctl>),
}

#[allow(clippy::should_implement_trait, reason = "`not` is the name of the connective")]
impl Ctl {
    /// It never holds.
    pub fn falsehood() -> Ctl {
        Ctl::True.not()
    }

    /// The formulas that it is made of.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Ctl> {
        let (a, b) = match self {
            Ctl::True | Ctl::Atom(_) => (None, None),
            Ctl::Not(a) | Ctl::SomeNext(a) | Ctl::SomeGlobally(a) => (Some(&**a), None),
            Ctl::And(a, b) | Ctl::SomeUntil(a, b) => (Some(&**a), Some(&**b)),
        };
        a.into_iter().chain(b)
    }

    /// Its atoms, some perhaps several times.
    #[must_use]
    pub fn atoms(&self) -> Vec<u32> {
        match self {
            Ctl::Atom(atom) => vec![*atom],
            _ => self.parts().flat_map(Ctl::atoms).collect(),
        }
    }

    /// It does not hold.
    pub fn not(self) -> Ctl {
        match self {
            Ctl::Not(inner) => *inner,
            other => Ctl::Not(Box::new(other)),
        }
    }

    fn is_falsehood(&self) -> bool {
        matches!(self, Ctl::Not(inner) if **inner == Ctl::True)
    }

    /// Both hold.
    pub fn and(self, other: Ctl) -> Ctl {
        match (&self, &other) {
            (Ctl::True, _) => other,
            (_, Ctl::True) => self,
            _ if self == other => self,
            _ if self.is_falsehood() || other.is_falsehood() => Ctl::falsehood(),
            _ if self == other.clone().not() => Ctl::falsehood(),
            _ => Ctl::And(Box::new(self), Box::new(other)),
        }
    }

    /// One of them holds.
    pub fn or(self, other: Ctl) -> Ctl {
        self.not().and(other.not()).not()
    }

    /// EX.
    pub fn some_next(self) -> Ctl {
        if self.is_falsehood() { self } else { Ctl::SomeNext(Box::new(self)) }
    }

    /// AX.
    pub fn all_next(self) -> Ctl {
        self.not().some_next().not()
    }

    /// EU.
    pub fn some_until(self, other: Ctl) -> Ctl {
        match (&self, &other) {
            (_, Ctl::True) => other,
            _ if self.is_falsehood() || other.is_falsehood() => other,
            (Ctl::True, Ctl::SomeUntil(first, _)) if **first == Ctl::True => other,
            _ => Ctl::SomeUntil(Box::new(self), Box::new(other)),
        }
    }

    /// EF.
    pub fn some_finally(self) -> Ctl {
        Ctl::True.some_until(self)
    }

    /// A formula that says the same, where an operator inside another makes one of both superfluous. What shows that
    /// it holds may look different.
    #[must_use]
    pub fn shorter(&self) -> Ctl {
        match self {
            Ctl::True | Ctl::Atom(_) => self.clone(),
            Ctl::Not(a) => a.shorter().not(),
            Ctl::And(a, b) => a.shorter().and(b.shorter()),
            Ctl::SomeNext(a) => a.shorter().some_next(),
            Ctl::SomeUntil(a, b) => shorter_until(a.shorter(), b.shorter()),
            Ctl::SomeGlobally(a) => match a.shorter() {
                // EG EG φ is EG φ, and EG AG φ is AG φ.
                Ctl::SomeGlobally(inner) => Ctl::SomeGlobally(inner),
                Ctl::Not(inner) if inner.finally().is_some() => Ctl::Not(inner),
                other => other.some_globally(),
            },
        }
    }

    /// What comes to hold, if the formula says just that something does on some path.
    #[must_use]
    pub fn finally(&self) -> Option<&Ctl> {
        match self {
            Ctl::SomeUntil(first, second) if **first == Ctl::True => Some(second),
            _ => None,
        }
    }

    /// EG.
    pub fn some_globally(self) -> Ctl {
        match self {
            Ctl::True => self,
            _ if self.is_falsehood() => self,
            _ => Ctl::SomeGlobally(Box::new(self)),
        }
    }

    /// AG.
    pub fn all_globally(self) -> Ctl {
        self.not().some_finally().not()
    }

    /// AF.
    pub fn all_finally(self) -> Ctl {
        self.not().some_globally().not()
    }

    /// AU: no path violates it by leaving the first too early, none by never coming to the second.
    pub fn all_until(self, other: Ctl) -> Ctl {
        let none = other.not();
        let too_early = none.clone().some_until(self.not().and(none.clone()));
        too_early.not().and(none.some_globally().not())
    }
}

/// EU of two formulas, as short as possible.
fn shorter_until(first: Ctl, second: Ctl) -> Ctl {
    // E φ U EF ψ is EF ψ.
    if first == second || second.finally().is_some() {
        return second;
    }
    // E ¬ψ U ψ is EF ψ: it comes to hold for the first time.
    let first = if first == second.clone().not() { Ctl::True } else { first };
    match second {
        // EF E φ U ψ is EF ψ, and E φ U (E φ U ψ) is E φ U ψ.
        Ctl::SomeUntil(inner, then) if first == Ctl::True || first == *inner => {
            first.some_until(*then)
        }
        // EF AF ψ is EF ψ: there is always a path.
        Ctl::Not(inner) if first == Ctl::True && matches!(*inner, Ctl::SomeGlobally(_)) => {
            let Ctl::SomeGlobally(never) = *inner else { unreachable!("as was asked") };
            shorter_until(Ctl::True, never.not())
        }
        second => first.some_until(second),
    }
}
