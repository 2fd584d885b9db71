//! The net as a whole: sorts, places, the initial marking.

use std::fmt;
use std::ops::Range;
use std::sync::Arc as Shared;

use fold::{Group, Hold};
use state::State;

use crate::listing::Listing;
use crate::{Action, Expr, Fairness, FaultKind, Literal, Origin, Property, Transition, Whom};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The index it stands for.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A place, by its index in [`Net::places`].
    PlaceId
}
id! {
    /// A transition, by its index in [`Net::transitions`].
    TransitionId
}
id! {
    /// An enumeration, by its index in [`Net::enumerations`].
    EnumId
}
id! {
    /// An action, by its index in [`Net::actions`].
    ActionId
}
id! {
    /// A fresh class, by its index in [`Net::fresh`].
    FreshId
}

/// A thread net. Built by `lang` from a text, or by hand; [`Net::check`] tells whether it is one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Net {
    /// The name of the model.
    pub name: String,
    /// Its constants, as they stand after overriding; for people, since their values are inlined.
    pub constants: Vec<Constant>,
    /// The enumerations.
    pub enumerations: Vec<Enumeration>,
    /// The fresh classes: objects of them are created while the net runs, and are all alike.
    pub fresh: Vec<FreshClass>,
    /// The places, flow and ordinary.
    pub places: Vec<Place>,
    /// The initial threads, siblings in their order.
    pub start: Vec<StartThread>,
    /// The initial objects, by their classes.
    pub objects: Vec<FreshId>,
    /// The tokens that are initially in ordinary places.
    pub tokens: Vec<InitialToken>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// What is done by any of several transitions: an arm of a `select`.
    pub actions: Vec<Action>,
    /// What the model is claimed to satisfy.
    pub properties: Vec<Property>,
    /// What is assumed of infinite runs.
    pub fairness: Vec<Fairness>,
    /// How it is told in the words of processes, if it was made of them.
    pub listing: Option<Shared<Listing>>,
}

/// A named constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Literal,
}

/// A finite set of named values. Names are unique over all enumerations of a net. With a symmetry it is
/// a *colour class*: states that differ by a permutation of its members are equivalent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// Its members, in order.
    pub members: Vec<Shared<str>>,
    /// Which permutations of the members the model cannot see.
    pub symmetry: Symmetry,
    /// Whether the first member follows the last. In a cyclic class it does in any case.
    pub round: bool,
    /// Its parts, called static subclasses: runs of members, one after the other, that cover them all.
    /// Where there are none, all members are one part.
    pub parts: Vec<Part>,
}

/// A class of which objects are created while the net runs. They have no order and no relations.
#[derive(Clone, Debug, PartialEq)]
pub struct FreshClass {
    /// Its name.
    pub name: Shared<str>,
}

/// The permutations of an enumeration that make no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// Only the identity: an enumeration, or an `ordered` class.
    #[default]
    None,
    /// Rotations: a `cyclic` class. It has no parts.
    Rotations,
    /// All permutations that keep each part: a `symmetric` class.
    Full,
}

/// A part of an enumeration, whose members the model tells from the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The number of its members, at least one.
    pub size: u32,
}

/// What a component of a token may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A process identifier.
    Pid,
    /// An integer in a range, bounds included.
    Int {
        /// The least value.
        min: i64,
        /// The greatest value; at least `min`, and less than 2³² above it.
        max: i64,
    },
    /// A truth value.
    Bool,
    /// A member of an enumeration.
    Enum(EnumId),
    /// An object of a fresh class.
    Object(FreshId),
}

/// A component of the tokens of a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name, if properties may speak of it.
    pub name: Option<String>,
    /// What it may be.
    pub sort: Sort,
    /// Whether it may also be nothing: `none`.
    pub optional: bool,
}

impl Column {
    /// One without a name, in which there is always something.
    #[must_use]
    pub fn of(sort: Sort) -> Column {
        Column { name: None, sort, optional: false }
    }
}

/// Whether threads or mere tokens are in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceKind {
    /// Threads are here: each active thread has one token in one flow place.
    Flow,
    /// Tuples are here.
    Ordinary,
}

/// A place.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its name.
    pub name: Shared<str>,
    /// Whether it is a flow place.
    pub kind: PlaceKind,
    /// The components of its tokens. In a flow place the first is the thread itself.
    pub columns: Vec<Column>,
    /// What its tokens keep from being dropped as garbage; that of a flow place is [`Hold::Root`].
    pub hold: Hold,
    /// Which columns are records whose order makes no difference: sets and maps. What a transition does must not depend
    /// on the order; all the records of a token are read, and all are written. Those that are not used hold `none`, or the
    /// least datum, and come last.
    pub groups: Vec<Group>,
    /// Of a flow place: whether threads may be here for ever.
    pub idle: bool,
    /// Of a flow place: whether threads are here to learn how a test on data that is not kept turns out. While there is
    /// one in such a place, only outcomes fire ([`Net::is_outcome`]). Exactly one of them is real.
    pub forgotten: bool,
    /// Where it is declared.
    pub origin: Origin,
}

/// An initial thread.
#[derive(Clone, Debug, PartialEq)]
pub struct StartThread {
    /// The flow place it starts in.
    pub place: PlaceId,
    /// What follows the thread in its token.
    pub values: Vec<InitialValue>,
}

/// A token that is initially in an ordinary place.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialToken {
    /// The place.
    pub place: PlaceId,
    /// The token.
    pub values: Vec<InitialValue>,
    /// How often it is there.
    pub count: u32,
    /// The enumerations of which it goes through all members: there is a token for each choice of
    /// members that meets the condition.
    pub each: Vec<EnumId>,
    /// The condition on the members. Its variables are indices into `each`.
    pub condition: Option<Expr>,
}

/// A component of an initial token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InitialValue {
    /// The pid of an initial thread, by its index in [`Net::start`].
    Thread(usize),
    /// An initial object, by its index in [`Net::objects`].
    Object(usize),
    /// A datum.
    Data(Literal),
    /// The member that the token is for, by the index of its enumeration in [`InitialToken::each`]. Not in
    /// the token of a thread.
    Each(usize),
}

impl Enumeration {
    /// The members of each part, by index. Where no parts are named, there is one, which has them all.
    pub fn part_ranges(&self) -> impl Iterator<Item = Range<u32>> {
        let whole = self.parts.is_empty().then_some(0..self.members.len() as u32);
        let parts = self.parts.iter().scan(0_u32, |end, part| {
            let start = *end;
            *end = start.saturating_add(part.size);
            Some(start..*end)
        });
        whole.into_iter().chain(parts)
    }

    /// The members of a part, by index.
    ///
    /// # Panics
    /// If there is no such part.
    #[must_use]
    pub fn part(&self, part: usize) -> Range<u32> {
        self.part_ranges().nth(part).expect("there is such a part")
    }

    /// The members of the part that a member belongs to.
    #[must_use]
    pub fn part_of(&self, member: u32) -> Range<u32> {
        self.part_ranges().find(|part| part.contains(&member)).unwrap_or_default()
    }

    /// Whether a permutation that makes no difference takes the member to another.
    #[must_use]
    pub fn has_likes(&self, member: u32) -> bool {
        match self.symmetry {
            Symmetry::None => false,
            Symmetry::Rotations => true,
            Symmetry::Full => self.part_of(member).len() > 1,
        }
    }

    /// Whether the first member follows the last.
    #[must_use]
    pub fn goes_round(&self) -> bool {
        self.round || self.symmetry == Symmetry::Rotations
    }

    /// The member a number of steps after another, or before it if the number is negative. There is none
    /// beyond the ends, unless the first member follows the last.
    #[must_use]
    pub fn shifted(&self, member: u32, steps: i32) -> Option<u32> {
        let size = self.members.len() as i64;
        let shifted = i64::from(member) + i64::from(steps);
        if self.goes_round() {
            return Some(shifted.rem_euclid(size) as u32);
        }
        (0..size).contains(&shifted).then_some(shifted as u32)
    }
}

impl InitialToken {
    /// A number of copies of one token.
    #[must_use]
    pub fn new(place: PlaceId, values: Vec<InitialValue>, count: u32) -> InitialToken {
        InitialToken { place, values, count, each: Vec::new(), condition: None }
    }

    /// Calls `visit` with each choice of members, by their indices, that meets the condition.
    ///
    /// # Errors
    /// If the condition faults.
    pub fn for_each_choice(
        &self,
        net: &Net,
        visit: &mut dyn FnMut(&[u32]),
    ) -> Result<(), FaultKind> {
        let sizes = self.each.iter().map(|id| net.enumerations[id.index()].members.len());
        let sizes: Vec<usize> = sizes.collect();
        let mut members = vec![0; sizes.len()];
        for choice in 0..sizes.iter().product() {
            let mut rest = choice;
            for (member, size) in members.iter_mut().zip(&sizes).rev() {
                *member = (rest % size) as u32;
                rest /= size;
            }
            let holds =
                |condition: &Expr| condition.value(&net.enumerations, &|var| members[var.index()]);
            if self.condition.as_ref().map_or(Ok(1), holds)? != 0 {
                visit(&members);
            }
        }
        Ok(())
    }
}

impl Place {
    /// A place that was not read from a text.
    pub fn new(name: impl Into<Shared<str>>, kind: PlaceKind, columns: Vec<Column>) -> Place {
        let (hold, groups, origin) = (Hold::Root, Vec::new(), Origin::default());
        let (idle, forgotten) = (false, false);
        Place { name: name.into(), kind, columns, hold, groups, idle, forgotten, origin }
    }

    /// What a column is called in messages: by its name, or by its position among what is written in
    /// parentheses, which the thread of a flow place is not.
    pub(crate) fn column_name(&self, column: usize) -> String {
        let place = &self.name;
        if let Some(name) = &self.columns[column].name {
            return format!("`{name}` in `{place}`");
        }
        let threads = usize::from(self.is_flow());
        if column < threads {
            return format!("the thread in `{place}`");
        }
        match (self.columns.len() - threads, column + 1 - threads) {
            (1, _) => format!("the component of `{place}`"),
            (_, 1) => format!("the 1st component of `{place}`"),
            (_, 2) => format!("the 2nd component of `{place}`"),
            (_, 3) => format!("the 3rd component of `{place}`"),
            (_, number) => format!("the {number}th component of `{place}`"),
        }
    }

    /// Whether it is a flow place.
    #[must_use]
    pub fn is_flow(&self) -> bool {
        self.kind == PlaceKind::Flow
    }
}

impl Net {
    /// A place by its id.
    #[must_use]
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.index()]
    }

    /// A transition by its id.
    #[must_use]
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// The transitions by which an equivalent state may do what a state does by this one; this one is first.
    /// Where there are groups, records come in another order there: what one transition does with the first
    /// record, another of the same statement does with the second.
    pub fn alike(&self, id: TransitionId) -> impl Iterator<Item = TransitionId> {
        let this = self.transition(id);
        let from = |of: &Transition| of.participants.iter().map(|one| one.from).collect::<Vec<_>>();
        let has_groups = self.places.iter().any(|place| !place.groups.is_empty());
        let others = (0..self.transitions.len() as u32).map(TransitionId).filter(move |&other| {
            let that = self.transition(other);
            let is_same = that.origin.range() == this.origin.range() && from(that) == from(this);
            has_groups && other != id && is_same
        });
        std::iter::once(id).chain(others)
    }

    /// The transitions that are declared as one, of which this is the first: where records are in any order, there is
    /// one for each order that makes a difference. Mostly it is one.
    #[must_use]
    pub fn copies(&self, first: TransitionId) -> Vec<TransitionId> {
        let action = self.action_of(first);
        action.map_or_else(|| vec![first], |at| self.actions[at].transitions.clone())
    }

    /// The first of the transitions that are declared as one, of which this is one.
    #[must_use]
    pub fn first_copy(&self, id: TransitionId) -> TransitionId {
        let actions = self.actions.iter().filter(|action| action.transitions.contains(&id));
        let mut firsts = actions.map(|action| action.transitions[0]);
        firsts.find(|first| self.action_of(*first).is_some()).unwrap_or(id)
    }

    /// Of whom fairness is assumed where it is of a transition as declared.
    #[must_use]
    pub fn whom(&self, first: TransitionId) -> Whom {
        let action = self.action_of(first).map(|at| Whom::Action(ActionId(at as u32)));
        action.unwrap_or(Whom::Transition(first))
    }

    /// Whether an action is a transition with its copies, as declared.
    #[must_use]
    pub fn is_transition(&self, action: ActionId) -> bool {
        let first = self.actions[action.index()].transitions.first();
        first.is_some_and(|first| self.action_of(*first) == Some(action.index()))
    }

    /// The action that a transition with its copies is, which has its name.
    fn action_of(&self, first: TransitionId) -> Option<usize> {
        let name = &self.transition(first).name;
        let is_it =
            |action: &Action| action.transitions.first() == Some(&first) && action.name == *name;
        self.actions.iter().position(is_it)
    }

    /// Whether there are threads: whether some start. Only threads create threads, so that a net in which
    /// none starts never has any, whatever its flow places are. In a net without threads every state
    /// without successor is a deadlock; in one with threads it is not once all of them have ended.
    #[must_use]
    pub fn has_threads(&self) -> bool {
        !self.start.is_empty()
    }

    /// Whether no thread of a state is at a place where it may not be for ever.
    #[must_use]
    pub fn may_rest(&self, state: &State) -> bool {
        let busy = self.places.iter().filter(|place| place.is_flow() && !place.idle);
        { busy }.all(|place| state.tokens(&place.name).next().is_none())
    }

    /// Whether a token may hold a pid. That of a thread does, so that a net without pids has no threads;
    /// one that has places for pids may have none either.
    #[must_use]
    pub fn has_pids(&self) -> bool {
        let columns = self.places.iter().flat_map(|place| &place.columns);
        { columns }.any(|column| column.sort == Sort::Pid)
    }

    /// Whether it has objects, or places for what may be nothing or is owned, or for sets: what P/T and symmetric
    /// nets do not have.
    #[must_use]
    pub fn has_objects(&self) -> bool {
        let is_special = |place: &Place| {
            place.hold != Hold::Root
                || !place.groups.is_empty()
                || place.columns.iter().any(|column| column.optional)
        };
        !self.fresh.is_empty() || self.places.iter().any(is_special)
    }

    /// The name of a member of an enumeration.
    #[must_use]
    pub fn member(&self, id: EnumId, index: u32) -> &Shared<str> {
        &self.enumerations[id.index()].members[index as usize]
    }

    /// A literal as people write it.
    #[must_use]
    pub fn literal(&self, literal: Literal) -> String {
        match literal {
            Literal::Int(number) => number.to_string(),
            Literal::Bool(truth) => truth.to_string(),
            Literal::Enum(id, index) => self.member(id, index).to_string(),
            Literal::None(_) => "none".into(),
        }
    }

    /// A sort as people write it.
    #[must_use]
    pub fn sort_name(&self, sort: Sort) -> String {
        match sort {
            Sort::Pid => "pid".into(),
            Sort::Int { min, max } => format!("{min}..={max}"),
            Sort::Bool => "bool".into(),
            Sort::Enum(id) => self.enumerations[id.index()].name.clone(),
            Sort::Object(id) => self.fresh[id.index()].name.to_string(),
        }
    }
}

impl fmt::Display for PlaceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlaceKind::Flow => "flow",
            PlaceKind::Ordinary => "place",
        })
    }
}
