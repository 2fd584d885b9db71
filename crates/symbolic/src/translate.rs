//! From nets to the symmetric nets of this crate.
//!
//! A net without threads becomes a symmetric net: enumerations become classes with the symmetry they
//! have; truth values and integers become plain classes, all integers one class from the least to
//! the greatest that a column or parameter can be. Definitions are put in where they are used. What
//! the conditions of symmetric nets cannot say (arithmetic, steps that may lead beyond an end) is
//! worked out: the transition is written once for each value of the variables concerned, the
//! *instances*, all with the label of the transition. So symbolic markings stand for the states of
//! the net, and concrete bindings for its modes, one for one.
//!
//! A net is not translated if firing could fault, since a fault of the model has to be reported as
//! such, or if it would need too many instances.

mod expression;
mod initial;
mod transition;

use std::sync::Arc as Shared;

use budget::{Budget, Exhausted, Phase};
use net::{EnumId, Kind, Net, Sort, TransitionId};
use state::{State, Value};

use crate::{
    ClassId, Element, Flaw, PlaceId, Srs, SrsError, Symbolic, SymmetricNet, Symmetry, Tokens, model,
};

/// The most instances that all transitions of a net may have together, where values have to be known.
pub const MOST_INSTANCES: usize = 20_000;

/// A net as a symmetric net, and the way between their markings.
#[derive(Clone, Debug)]
pub struct Translation {
    net: Shared<Net>,
    symmetric_net: SymmetricNet,
    symbolic: Symbolic,
    classes: Classes,
}

/// Why a net is not translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untranslatable {
    /// It has threads.
    #[error("it has threads")]
    Threads,
    /// It has flow places or others for pids, and no thread starts.
    #[error("it has places for pids, though no thread starts")]
    Pids,
    /// It has objects, or what may be nothing or is owned.
    #[error("it creates objects, or has places for what may be nothing or is owned")]
    Objects,
    /// What keeps a transition from firing is tokens of several places together.
    #[error("tokens of several places together keep `{0}` from firing")]
    Conjunction(String),
    /// A transition is asked about, and never fires.
    #[error("`{0}` is a probe, which never fires")]
    Probe(String),
    /// Its integers span too wide a range.
    #[error("its integers span more than 2^31 values")]
    WideIntegers,
    /// Working out arithmetic would take too much.
    #[error("the arithmetic of `{0}` is too much to be worked out for each value")]
    TooManyInstances(String),
    /// It may fault.
    #[error("`{0}` may fault")]
    CanFault(String),
    /// It says something of the members of a class that is for elements only.
    #[error("`{0}` computes with members that go through a class")]
    NotSayable(String),
    /// Its initial marking is not as symmetric as its classes.
    #[error("the initial marking of `{0}` is less symmetric than the classes are declared")]
    Asymmetric(String),
    /// The symmetric net would have a flaw.
    #[error("{0}")]
    Flaw(#[from] Flaw),
    /// The budget is used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl Untranslatable {
    /// Whether it might be translated with more time or memory.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        matches!(self, Untranslatable::Exhausted(_))
    }
}

/// What stands for the sorts of a net. Enumerations come first, in their order.
#[derive(Clone, Debug)]
struct Classes {
    truth: ClassId,
    integers: ClassId,
    /// The least integer, which is element 0, and the greatest.
    range: (i64, i64),
}

impl Translation {
    /// Translates a net, which must be one that [`Net::check`] finds nothing wrong with.
    ///
    /// # Errors
    ///
    /// Why it cannot be translated, or that the budget is used up.
    pub fn of(net: &Shared<Net>, budget: &Budget) -> Result<Self, Untranslatable> {
        if net.has_threads() {
            return Err(Untranslatable::Threads);
        }
        if net.has_pids() {
            return Err(Untranslatable::Pids);
        }
        if net.has_objects() {
            return Err(Untranslatable::Objects);
        }
        for transition in &net.transitions {
            let name = || transition.name.clone();
            if transition.inhibitors.iter().any(|inhibitor| inhibitor.arcs.len() > 1) {
                return Err(Untranslatable::Conjunction(name()));
            }
            if transition.failure.is_some() {
                return Err(Untranslatable::CanFault(name()));
            }
            if transition.probe {
                return Err(Untranslatable::Probe(name()));
            }
        }
        let _under = budget.progress().during(Phase::Translating);
        let mut symmetric_net = SymmetricNet::new();
        for class in &net.enumerations {
            let size = class.members.len() as u32;
            let symmetry = match class.symmetry {
                net::Symmetry::None => Symmetry::Plain(size),
                net::Symmetry::Rotations => Symmetry::Cyclic(size),
                net::Symmetry::Full => {
                    let sizes = class.part_ranges().map(|part| part.len() as u32);
                    Symmetry::Symmetric(sizes.collect())
                }
            };
            symmetric_net.class(&class.name, symmetry);
        }
        let range = integers(net);
        let size = range.1.abs_diff(range.0).saturating_add(1);
        let size = u32::try_from(size).ok().filter(|&size| u64::from(size) <= crate::MOST_ELEMENTS);
        let size = size.ok_or(Untranslatable::WideIntegers)?;
        let truth = symmetric_net.class("bool", Symmetry::Plain(2));
        let integers = symmetric_net.class("int", Symmetry::Plain(size));
        let classes = Classes { truth, integers, range };
        for place in &net.places {
            let domain: Vec<ClassId> =
                place.columns.iter().map(|column| classes.of(column.sort.into())).collect();
            symmetric_net.place(&place.name, &domain);
        }
        initial::translate(net, &classes, &mut symmetric_net)?;
        let mut instances = 0;
        for (id, transition) in (0..).map(TransitionId).zip(&net.transitions) {
            budget.check()?;
            let translated = transition::translate(net, &classes, transition, &mut instances)?;
            for instance in translated {
                symmetric_net.transition(model::Transition { label: Some(id), ..instance });
            }
        }
        if let Some(flaw) = symmetric_net.flaws().into_iter().next() {
            return Err(flaw.into());
        }
        let symbolic = Symbolic::compiled(&symmetric_net, budget)?;
        Ok(Self { net: net.clone(), symmetric_net, symbolic, classes })
    }

    /// The symmetric net.
    #[must_use]
    pub fn symmetric_net(&self) -> &SymmetricNet {
        &self.symmetric_net
    }

    /// The symmetric net, ready to be explored. Labels are transitions of the net.
    #[must_use]
    pub fn symbolic(&self) -> &Symbolic {
        &self.symbolic
    }

    /// All symbolic markings of the symmetric net, in a decision diagram; see [`Srs::of`].
    ///
    /// # Errors
    ///
    /// If the net is not supported, a marking cannot be represented, or a limit is reached.
    pub fn srs(&self, limits: ddd::Limits) -> Result<Srs, SrsError> {
        Srs::of(&self.symmetric_net, limits)
    }

    /// A state of the net as tokens of the symmetric net.
    ///
    /// # Panics
    ///
    /// If it is not a state of the net.
    #[must_use]
    pub fn tokens(&self, state: &State) -> Vec<Tokens> {
        let mut tokens = Vec::new();
        for (id, place) in self.net.places.iter().enumerate() {
            for (token, count) in state.tokens(&place.name) {
                let columns = token.iter().zip(&place.columns);
                let tuple = columns.map(|(value, column)| self.element(value, column.sort));
                let place = PlaceId(id as u32);
                tokens.push(Tokens { place, tuple: tuple.collect(), count });
            }
        }
        tokens
    }

    /// Tokens of the symmetric net as a state of the net.
    ///
    /// # Panics
    ///
    /// If they are no tokens of the symmetric net.
    #[must_use]
    pub fn state(&self, tokens: &[Tokens]) -> State {
        let mut state = State::new();
        for Tokens { place, tuple, count } in tokens {
            let place = &self.net.places[place.0 as usize];
            let columns = tuple.iter().zip(&place.columns);
            let token = columns.map(|(&element, column)| self.value(element, column.sort));
            let fits = state.put(&place.name, token.collect(), *count);
            assert!(fits, "counts fit in both");
        }
        state
    }

    fn element(&self, value: &Value, sort: Sort) -> u32 {
        match (value, sort) {
            (Value::Bool(truth), _) => u32::from(*truth),
            (Value::Int(number), _) => (number - self.classes.range.0) as u32,
            (Value::Enum(name), Sort::Enum(id)) => {
                let members = &self.net.enumerations[id.index()].members;
                let found = members.iter().position(|member| member == name);
                found.expect("a member of the enumeration") as u32
            }
            _ => panic!("{value} is no token of a net without threads"),
        }
    }

    fn value(&self, element: u32, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(element == 1),
            Sort::Int { .. } => Value::Int(self.classes.range.0 + i64::from(element)),
            Sort::Enum(id) => Value::Enum(self.net.member(id, element).clone()),
            Sort::Pid | Sort::Object(_) => unreachable!("there are no pids, and no objects"),
        }
    }
}

/// The least and the greatest integer that a column or a parameter can be.
fn integers(net: &Net) -> (i64, i64) {
    let columns = net.places.iter().flat_map(|place| &place.columns).map(|column| column.sort);
    let parameters = net.transitions.iter().flat_map(|t| &t.parameters).map(|&(_, sort)| sort);
    let ranges = columns.chain(parameters).filter_map(|sort| match sort {
        Sort::Int { min, max } => Some((min, max)),
        _ => None,
    });
    ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0))
}

impl Classes {
    fn of(&self, kind: Kind) -> ClassId {
        match kind {
            Kind::Enum(EnumId(id)) => ClassId(id),
            Kind::Bool => self.truth,
            Kind::Int | Kind::Pid | Kind::Object(_) => self.integers,
        }
    }

    /// The element that stands for a datum, given as a number: a member by its index, an integer by
    /// itself, truth as 1. `None` if there is no such element.
    fn constant(&self, net: &Net, kind: Kind, number: i64) -> Option<Element> {
        let element = match kind {
            Kind::Int | Kind::Pid | Kind::Object(_) => {
                let (least, greatest) = self.range;
                let fits = (least..=greatest).contains(&number);
                fits.then(|| (number - least) as u32)?
            }
            Kind::Bool => u32::from(number == 1),
            Kind::Enum(id) => {
                let class = &net.enumerations[id.index()];
                let member = u32::try_from(number).ok()?;
                match class.symmetry {
                    net::Symmetry::None => member,
                    // Of a part with one member, as the net was checked.
                    _ => class.part_ranges().position(|part| part.contains(&member))? as u32,
                }
            }
        };
        Some(Element::Constant(element))
    }
}
