//! Compiled rules: a net made ready to be fired on working states.
//!
//! For each transition a plan is drawn up once (see `plan`). In the loop there are only slots and words:
//! no names.

mod plan;
mod start;

use std::ops::Range;
use std::sync::Arc;

use fold::{Interests, Kin, Link, Reach, Regarded, Schema, Shape, Working};
use state::Relations;

use crate::encode;
use crate::expr::NO_VALUE;
use crate::fire::Machine;
use crate::stubborn::{Choice, Keep, Stubborn};
use crate::{Column, EnumId, Enumeration, Expr, Net, Observed, PlaceId, Sort};

/// A net whose transitions are compiled for a given Ω. Holds the scratch memory of firing too: one for
/// each worker.
#[derive(Clone)]
pub struct Compiled {
    /// The net as it was given.
    net: Arc<Net>,
    /// The net that is fired: without identities in dead columns.
    projected: Arc<Net>,
    /// Which links of pids are kept, if not all that Ω sees.
    pub(crate) kept: Option<(Arc<Interests>, Regarded)>,
    relations: Relations,
    pub(crate) schema: Schema,
    pub(crate) rules: Arc<[Rule]>,
    /// The initial tokens, those of the initial threads first.
    start: Arc<[Output]>,
    pub(crate) machine: Machine,
    pub(crate) successor: Working,
    /// The places where threads learn how a test on data that is not kept turns out.
    pub(crate) forgotten: Arc<[usize]>,
    /// By which it is decided who may wait, if not all modes fire.
    pub(crate) stubborn: Option<(Arc<Stubborn>, Choice)>,
}

/// A compiled transition.
pub(crate) struct Rule {
    /// How much of a state it looks at; nothing if it never fires.
    pub reach: Option<Reach>,
    /// The places that must not be empty.
    pub inputs: Vec<Input>,
    pub steps: Vec<Step>,
    /// Conditions that can fault, in order.
    pub late: Vec<Step>,
    /// Inputs by index in `inputs` whose tokens go away.
    pub taken: Vec<usize>,
    /// The arcs for each member that take or read, many tokens at once, none of them a matter of choice:
    /// those that cannot fault first.
    pub swarms: Vec<Output>,
    /// Those whose tokens go away, by index.
    pub taken_swarms: Vec<usize>,
    pub spawns: Vec<Births>,
    /// The slots of the objects created.
    pub news: Vec<usize>,
    pub effect: Effect,
    /// Whether it is how a test on data that is not kept may turn out.
    pub is_outcome: bool,
    pub outputs: Vec<Output>,
    /// Slots of the threads that take part.
    pub threads: Vec<usize>,
    /// Slots of the threads that end.
    pub ending: Vec<usize>,
    pub slots: usize,
}

/// Children that a thread creates.
pub(crate) struct Births {
    /// The slot of the thread.
    pub parent: usize,
    /// The slot of a single child.
    pub child: Option<usize>,
    pub count: u32,
    /// Whether they end at once.
    pub end: bool,
}

/// What comes of a mode.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It fires.
    Fires,
    /// It must not fire.
    Fails,
    /// It is known that there is one.
    Probes,
}

/// A place that is searched for a token.
pub(crate) struct Input {
    pub place: usize,
    pub count: u32,
    pub cells: Vec<Cell>,
    /// The inputs scanned before it that may claim the same token.
    pub rivals: Vec<usize>,
}

/// What is done with a column of a token: it binds a slot, must equal it, or is passed over.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub column: usize,
    pub bounds: Bounds,
    pub slot: usize,
    pub binds: bool,
}

/// A step of the search for modes.
pub(crate) enum Step {
    /// Try every token of an input, by its index.
    Scan(usize),
    /// Try every value of a parameter.
    Range { slot: usize, min: i64, max: i64 },
    /// A parameter that an input has bound must be in its range.
    Within { slot: usize, min: i64, max: i64 },
    /// Evaluate a definition.
    Define(usize, Expr),
    /// Go on only if it holds.
    Test(Expr),
    /// Go on only if too few tokens match.
    Inhibit(Inhibit),
    /// Go on only if each token of a swarm, by its index, is there.
    Find(usize),
    /// Go on only if the tokens of all inputs and of the first swarms, this many, are there together.
    FindTogether(usize),
}

/// Slots that go through all members of their enumerations, and the condition on the choice.
#[derive(Default)]
pub(crate) struct Choices {
    /// The slots, and how many members there are for each.
    pub slots: Vec<(usize, i64)>,
    pub condition: Option<Expr>,
}

/// A compiled inhibitor.
pub(crate) struct Inhibit {
    /// The places that are searched, one after the other.
    pub arcs: Vec<Forbidden>,
    /// How many tokens, where one place is searched; else one choice of them is enough.
    pub count: u32,
    /// Conditions that can fault, in order; then all choices are looked at.
    pub late: Vec<Expr>,
}

/// A place that is searched for a token that inhibits.
pub(crate) struct Forbidden {
    pub place: usize,
    pub cells: Vec<Cell>,
    /// Conditions that can be tested now.
    pub tests: Vec<Expr>,
    /// Those searched before it that may have chosen the same token.
    pub rivals: Vec<usize>,
}

/// Tokens that are put, or that must be there: the expressions of their columns.
pub(crate) struct Output {
    pub place: usize,
    pub count: u32,
    /// For threads: the slot of the thread that moves, or the children of a spawn by its index.
    pub owner: Owner,
    /// There is a token for each choice; where there is nothing to choose, one.
    pub choices: Choices,
    pub values: Vec<(Expr, Bounds)>,
    /// The shape of the place, if it has groups: tokens are then brought into normal form.
    pub grouped: Option<Box<Shape>>,
}

impl Output {
    fn new(
        net: &Net,
        (place, count): (PlaceId, u32),
        owner: Owner,
        choices: Choices,
        values: impl IntoIterator<Item = Expr>,
    ) -> Output {
        let skip = usize::from(!matches!(owner, Owner::Nobody));
        let columns = net.place(place).columns[skip..].iter();
        let columns = columns.map(|column| bounds(net, column));
        let values = values.into_iter().zip(columns).collect();
        let of = net.place(place);
        let grouped = (!of.groups.is_empty()).then(|| Box::new(encode::shape(net, of)));
        Output { place: place.index(), count, owner, choices, values, grouped }
    }
}

/// Whose token is put.
pub(crate) enum Owner {
    Nobody,
    Slot(usize),
    Children(usize),
}

/// The range of a column, and how its values are words; pids, truth values and members fit by their types.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub min: i64,
    pub max: i64,
    /// The value of the word 0.
    base: i64,
    /// The word for nothing; where there is always something, one that is more than all others.
    none: u64,
}

impl Bounds {
    /// What a word stands for.
    #[inline]
    pub(crate) fn value(self, word: u32) -> i64 {
        if u64::from(word) == self.none { NO_VALUE } else { self.base + i64::from(word) }
    }

    /// The word for a value, if there is one.
    #[inline]
    pub(crate) fn word(self, value: i64) -> Option<u32> {
        if (self.min..=self.max).contains(&value) {
            return Some((value - self.base) as u32);
        }
        u32::try_from(self.none).ok().filter(|_| value == NO_VALUE)
    }
}

/// What is asked of the members of an enumeration, by their indices.
pub(crate) struct Members {
    pub count: i64,
    /// Whether the first comes after the last.
    pub go_round: bool,
    pub parts: Vec<Range<i64>>,
}

impl Members {
    fn of(enumeration: &Enumeration) -> Members {
        let part = |part: usize| {
            let Range { start, end } = enumeration.part(part);
            start.into()..end.into()
        };
        Members {
            count: enumeration.members.len() as i64,
            go_round: enumeration.goes_round(),
            parts: (0..enumeration.parts.len()).map(part).collect(),
        }
    }
}

impl Compiled {
    /// Compiles `net` for exploration up to `relations`.
    ///
    /// # Panics
    /// If the net breaches what [`Net::check`] checks, or `relations` does not include all that it observes.
    #[must_use]
    pub fn new(net: Arc<Net>, relations: Relations) -> Compiled {
        Compiled::of(net.clone(), net, relations, None)
    }

    /// Compiles `net` for exploration up to what can still be observed where. States are projected: what is dropped of
    /// them is missing in initial states and in successors.
    ///
    /// # Panics
    /// If the net breaches what [`Net::check`] checks, or observes more relations.
    #[must_use]
    pub fn observing(net: Arc<Net>, observed: &Observed) -> Compiled {
        let interests = observed.interests(&net);
        Compiled::of(net.clone(), observed.erased(&net), observed.relations(), interests)
    }

    fn of(
        net: Arc<Net>,
        projected: Arc<Net>,
        relations: Relations,
        kept: Option<Interests>,
    ) -> Compiled {
        let breaches = net.check();
        assert!(breaches.is_empty(), "not a thread net: {breaches:?}");
        assert!(relations.includes(net.relations()), "{relations:?} lacks what the net observes");
        let rules: Arc<[Rule]> =
            projected.transitions.iter().map(|t| plan::rule(&projected, t)).collect();
        let start: Arc<[Output]> = start::outputs(&projected).into();
        let schema = encode::schema(&projected);
        let of_rules = rules.iter().map(|rule| rule.slots);
        let of_start = start.iter().map(|output| output.choices.slots.len());
        let slots = of_rules.chain(of_start).max().unwrap_or(0);
        let inputs = rules.iter().map(|rule| rule.inputs.len()).max().unwrap_or(0);
        let machine =
            Machine::new(slots, inputs, projected.enumerations.iter().map(Members::of).collect());
        let successor = Working::new(&schema, relations);
        let kept = kept.map(|kept| (Arc::new(kept), Regarded::default()));
        let forgotten = net.forgotten_places().map(PlaceId::index).collect();
        let stubborn = None;
        Compiled {
            net,
            projected,
            kept,
            relations,
            schema,
            rules,
            start,
            machine,
            successor,
            forgotten,
            stubborn,
        }
    }

    /// Fires only some of the modes of a state, by stubborn sets.
    #[must_use]
    pub fn reduced(mut self, keep: &Keep) -> Compiled {
        if self.projected.has_threads() {
            self.stubborn = Some((Stubborn::of(&self.projected, keep), Choice::default()));
        }
        self
    }

    /// The net.
    #[must_use]
    pub fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// The net whose states working states are: that in which dead columns hold no identities.
    #[must_use]
    pub fn projected(&self) -> &Arc<Net> {
        &self.projected
    }

    /// Ω.
    #[must_use]
    pub fn relations(&self) -> Relations {
        self.relations
    }

    /// The shapes of the places.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The index among [`Schema::classes`] of an enumeration some of whose members may be permuted.
    #[must_use]
    pub fn class_of(&self, enumeration: EnumId) -> Option<usize> {
        let is_class = |enumeration: &Enumeration| encode::class(enumeration).is_some();
        let (before, from) = self.projected.enumerations.split_at(enumeration.index());
        is_class(&from[0]).then(|| before.iter().filter(|other| is_class(other)).count())
    }

    /// Puts the initial threads and tokens into `working`, which is empty.
    pub(crate) fn start(&mut self, working: &mut Working) {
        let mut elder = Link::NONE;
        for _ in &self.projected.start {
            let (ancestor, youngest) = (Link::NONE, Link::NONE);
            let thread = working.kinship.add(Kin { active: true, ancestor, elder, youngest });
            elder = Link::new(thread, true);
        }
        self.projected.objects.iter().for_each(|_| _ = working.kinship.add(Kin::STRANGER));
        for output in &*self.start {
            let put = self.machine.put_swarm(output, working);
            put.expect("the net was checked, its initial marking too");
        }
        self.keep_links(working);
    }

    /// Drops the links that nothing asks for any more.
    pub(crate) fn keep_links(&mut self, working: &mut Working) {
        if let Some((interests, regarded)) = &mut self.kept {
            working.keep_links(&self.schema, interests, regarded);
        }
    }
}

/// The range of a sort, with pids, objects and members as their indices.
fn range(net: &Net, sort: Sort) -> (i64, i64) {
    match sort {
        Sort::Pid | Sort::Object(_) => (0, u32::MAX.into()),
        Sort::Int { min, max } => (min, max),
        Sort::Bool => (0, 1),
        Sort::Enum(id) => (0, net.enumerations[id.index()].members.len() as i64 - 1),
    }
}

/// The range of a column, and how its values are words.
pub(crate) fn bounds(net: &Net, column: &Column) -> Bounds {
    let (min, max) = range(net, column.sort);
    let (base, none) = match column.optional {
        false => (min, u64::MAX),
        true if encode::is_atom(net, column.sort) => (0, fold::NONE.into()),
        // Data have one more value, which is the first.
        true => (min - 1, 0),
    };
    Bounds { min, max, base, none }
}
