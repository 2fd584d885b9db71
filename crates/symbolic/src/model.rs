//! Symmetric nets, as this crate is given them.
//!
//! The well-formed nets of Chiola, Dutheillet, Franceschinis and Haddad (1993; Thierry-Mieg, Ilié
//! and Poitrenaud 2004, section 2.2) in a neutral form: classes with their symmetry, places whose
//! domain is a product of classes, transitions whose variables range over classes. Arcs carry sums
//! of *terms*. A term is a tuple of elements, a count, and local variables that range over their
//! whole class under a condition: `all` is a local, `all except x` is a local `r` with `r ≠ x`, and
//! `(s, r) for all s ≠ r` has two. That covers diffusion, and what the papers subtract from it.
//!
//! Elements of a symmetric class have no names here. What a model tells apart by name must be a
//! static subclass of one element.

use net::TransitionId;

/// A class, by its index in [`SymmetricNet::classes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u32);

/// A place, by its index in [`SymmetricNet::places`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(pub u32);

/// A variable of a transition by its index in [`Transition::variables`]; from there on, the local
/// variables of a term by their index in [`Term::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// The permutations of a class under which the net is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// All permutations within each static subclass; given are the sizes of these.
    Symmetric(Vec<u32>),
    /// Rotations of this number of elements.
    Cyclic(u32),
    /// None but the identity: this number of elements, which are data.
    Plain(u32),
}

/// A colour class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its name, for messages.
    pub name: String,
    /// Its elements and their symmetry.
    pub symmetry: Symmetry,
}

/// A place. Its tokens are tuples over its domain; with an empty domain it is a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name, for messages.
    pub name: String,
    /// The class of each component of its tokens.
    pub domain: Vec<ClassId>,
}

/// An element of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// The value of a variable.
    Var(Variable),
    /// The element some steps after the value of a variable, in a cyclic or plain class.
    Shift {
        /// The variable.
        of: Variable,
        /// How many steps after it; before it if negative.
        by: i32,
        /// Whether the first element follows the last. In a cyclic class it does in any case. If
        /// it does not, a step beyond an end leads nowhere: see [`Term`] and [`Condition`].
        wraps: bool,
    },
    /// In a plain class the element with this number, from 0; in a symmetric class the one element
    /// of the static subclass with this number.
    Constant(u32),
}

/// A condition on the values of variables. What compares an element that is not there is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The opposite.
    Not(Box<Condition>),
    /// All of these; true if there is none.
    All(Vec<Condition>),
    /// One of these; false if there is none.
    Any(Vec<Condition>),
    /// The same element.
    Equal(Element, Element),
    /// In a plain class: the first comes before the second.
    Less(Element, Element),
    /// In a symmetric class: the value is in the static subclass with this number.
    Within(Variable, u32),
}

/// A number of tokens of each tuple that the local variables give, as they range over their classes
/// under the condition.
///
/// Each local variable must occur in the tuple. Values of locals for which a component is not
/// there (see [`Element::Shift`]) are left out; if a component is not there whatever the locals, an
/// arc cannot be followed: the transition is not enabled. An inhibitor arc then inhibits nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// How many tokens of each.
    pub count: u32,
    /// The components.
    pub tuple: Vec<Element>,
    /// The classes over which local variables range.
    pub locals: Vec<ClassId>,
    /// The condition on them.
    pub condition: Condition,
}

/// A term at a place. A place may have several arcs of a kind to one transition: they are added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The place.
    pub place: PlaceId,
    /// What is taken, read, put or must not be there.
    pub term: Term,
}

/// A transition.
///
/// It is enabled under an assignment of its variables when the guard holds, each place has at least
/// the tokens that are taken and read together, and no inhibitor forbids it. Firing removes what is
/// taken and adds what is put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Its name, for messages.
    pub name: String,
    /// The transition of which it is a part, which its steps are labelled with: see
    /// [`SymmetricNet::labelled`].
    pub label: Option<TransitionId>,
    /// The classes over which its variables range.
    pub variables: Vec<ClassId>,
    /// What must hold of them.
    pub guard: Condition,
    /// What is taken.
    pub takes: Vec<Arc>,
    /// What must be there besides, and stays.
    pub reads: Vec<Arc>,
    /// What is put.
    pub puts: Vec<Arc>,
    /// The transition is disabled while the place has, in all, at least [`Term::count`] tokens that
    /// match the tuple, whatever the values of the local variables.
    pub inhibitors: Vec<Arc>,
}

/// A symmetric net with its initial marking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymmetricNet {
    /// The classes.
    pub classes: Vec<Class>,
    /// The places.
    pub places: Vec<Place>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// The initial marking; its terms have local variables only.
    pub initial: Vec<Arc>,
}

impl Variable {
    /// Its index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The element a number of steps after its value, going round at the ends.
    #[must_use]
    pub fn plus(self, by: i32) -> Element {
        Element::Shift { of: self, by, wraps: true }
    }
}

impl Element {
    /// The variable that it depends on.
    #[must_use]
    pub fn variable(self) -> Option<Variable> {
        match self {
            Self::Var(of) | Self::Shift { of, .. } => Some(of),
            Self::Constant(_) => None,
        }
    }
}

impl From<Variable> for Element {
    fn from(variable: Variable) -> Self {
        Self::Var(variable)
    }
}

impl Condition {
    /// What always holds.
    #[must_use]
    pub fn always() -> Self {
        Self::All(Vec::new())
    }

    /// The same element.
    #[must_use]
    pub fn equal(a: impl Into<Element>, b: impl Into<Element>) -> Self {
        Self::Equal(a.into(), b.into())
    }

    /// Different elements.
    #[must_use]
    pub fn differ(a: impl Into<Element>, b: impl Into<Element>) -> Self {
        Self::Not(Box::new(Self::equal(a, b)))
    }
}

impl Term {
    /// One token.
    #[must_use]
    pub fn one(tuple: &[Element]) -> Self {
        Self::times(1, tuple)
    }

    /// A number of tokens of one tuple.
    #[must_use]
    pub fn times(count: u32, tuple: &[Element]) -> Self {
        Self { count, tuple: tuple.to_vec(), locals: Vec::new(), condition: Condition::always() }
    }

    /// For all values of local variables over these classes that satisfy the condition.
    #[must_use]
    pub fn for_all(mut self, locals: &[ClassId], condition: Condition) -> Self {
        self.locals = locals.to_vec();
        self.condition = condition;
        self
    }
}

impl Transition {
    /// A transition without arcs, enabled whenever its variables have values.
    #[must_use]
    pub fn new(name: &str, variables: &[ClassId]) -> Self {
        Self {
            name: name.to_owned(),
            label: None,
            variables: variables.to_vec(),
            guard: Condition::always(),
            takes: Vec::new(),
            reads: Vec::new(),
            puts: Vec::new(),
            inhibitors: Vec::new(),
        }
    }

    /// All its arcs.
    pub(crate) fn arcs(&self) -> impl Iterator<Item = &Arc> {
        let Self { takes, reads, puts, inhibitors, .. } = self;
        takes.iter().chain(reads).chain(puts).chain(inhibitors)
    }

    /// Under this guard.
    #[must_use]
    pub fn guard(mut self, guard: Condition) -> Self {
        self.guard = guard;
        self
    }

    /// Takes this, too.
    #[must_use]
    pub fn take(mut self, place: PlaceId, term: Term) -> Self {
        self.takes.push(Arc { place, term });
        self
    }

    /// Reads this, too.
    #[must_use]
    pub fn read(mut self, place: PlaceId, term: Term) -> Self {
        self.reads.push(Arc { place, term });
        self
    }

    /// Puts this, too.
    #[must_use]
    pub fn put(mut self, place: PlaceId, term: Term) -> Self {
        self.puts.push(Arc { place, term });
        self
    }

    /// Is disabled while this is there.
    #[must_use]
    pub fn unless(mut self, place: PlaceId, term: Term) -> Self {
        self.inhibitors.push(Arc { place, term });
        self
    }
}

impl SymmetricNet {
    /// A net without anything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a class.
    pub fn class(&mut self, name: &str, symmetry: Symmetry) -> ClassId {
        self.classes.push(Class { name: name.to_owned(), symmetry });
        ClassId(self.classes.len() as u32 - 1)
    }

    /// Adds a place.
    pub fn place(&mut self, name: &str, domain: &[ClassId]) -> PlaceId {
        self.places.push(Place { name: name.to_owned(), domain: domain.to_vec() });
        PlaceId(self.places.len() as u32 - 1)
    }

    /// Adds tokens to the initial marking.
    pub fn initially(&mut self, place: PlaceId, term: Term) {
        self.initial.push(Arc { place, term });
    }

    /// The transitions, each with what its steps are labelled with.
    ///
    /// Where the net is a translation, one transition of the original may have become several here, and
    /// that original is their common label: what is asked of a transition is asked of all of them. A
    /// transition without a label stands for itself, and its index is its label.
    pub fn labelled(&self) -> impl Iterator<Item = (TransitionId, &Transition)> {
        let own = (0..).map(TransitionId);
        own.zip(&self.transitions).map(|(own, rule)| (rule.label.unwrap_or(own), rule))
    }

    /// Adds a transition.
    pub fn transition(&mut self, transition: Transition) {
        self.transitions.push(transition);
    }
}
