//! Candidates: states of the model together with who has which name, folded.
//!
//! The net gets one more place for each kind of identity that the log names, which holds ⟨who, slot⟩ for each name, and
//! one for the slots of names whose bearer is gone. No transition touches them. So a candidate is a state of a net
//! like any other, and its canonical bytes tell apart exactly what differs by more than who is who *with the names kept*:
//! names are data, and data are not permuted. Equivalent candidates have the same future of named modes, since equivalence
//! of states is a bisimulation that keeps who takes part in a step.
//!
//! Somebody is *gone* who is no active thread and whom no token mentions but that of the name: no mode can have them
//! any more. Then the token goes, too, so that candidates do not grow; where names are not used again, the slot stays
//! behind without its bearer.
//!
//! Firing is that of `net`, folding that of `fold`; here it is only looked at which modes are what the log says. It
//! costs one firing of the transition, and a folding for each mode that fits.

use std::sync::Arc;

use budget::Budget;
use fold::{Folder, Hold, Rules, Schema, Sink, Working};
use net::{
    Column, Compiled, Fault, Kind, Literal, Net, Place, PlaceId, PlaceKind, Sort, TransitionId,
};

use crate::event::{Source, Wanted};
use crate::names::MOST_SLOTS;

/// What stands for nothing in bindings.
pub(crate) fn nothing() -> i64 {
    Literal::None(Kind::Int).number()
}

/// The net with names, and what it takes to go on from candidates.
pub(crate) struct Engine {
    net: Arc<Net>,
    compiled: Compiled,
    schema: Schema,
    folder: Folder,
    /// Where the names of each kind are.
    places: Vec<(Kind, usize)>,
    /// Where the slots are of names whose bearer is gone.
    gone: usize,
    /// Whether a name may be used again when its bearer is gone.
    reuse: bool,
    /// The candidate from which modes are fired.
    source: Working,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    used: Vec<bool>,
    renamed: Vec<u32>,
    bytes: Vec<u8>,
    added: Vec<(usize, u32, u32)>,
}

/// A value of a mode, as far as the log could say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Said {
    /// Who has the name of this slot.
    Name(u32),
    /// Somebody without a name.
    Unnamed,
    /// A datum, or nothing.
    Data(i64),
}

/// A mode that is what the log says.
pub(crate) struct Found<'f> {
    /// Its number among those that fit, in the order in which they are found.
    pub number: u32,
    /// The candidate that it leads to.
    pub bytes: &'f [u8],
    /// The values asked for.
    pub said: &'f [Said],
}

/// A value that is asked for, and its type.
pub(crate) type Asked = (Source, Kind);

impl Engine {
    /// Candidates of `net` in which identities of these kinds have names.
    pub fn new(net: &Arc<Net>, kinds: impl IntoIterator<Item = Kind>, reuse: bool) -> Engine {
        let mut extended = Net { properties: Vec::new(), fairness: Vec::new(), ..(**net).clone() };
        let slot = Column::of(Sort::Int { min: 0, max: i64::from(MOST_SLOTS) - 1 });
        let mut add = |what: &str, columns: Vec<Column>| {
            let mut name = format!("${what}");
            while extended.places.iter().any(|place| *place.name == *name) {
                name.insert(0, '$');
            }
            let place = Place::new(name, PlaceKind::Ordinary, columns);
            extended.places.push(Place { hold: Hold::Weak, ..place });
            extended.places.len() - 1
        };
        let mut places = Vec::new();
        for kind in kinds {
            let sort = match kind {
                Kind::Pid => Sort::Pid,
                Kind::Object(class) => Sort::Object(class),
                Kind::Enum(id) => Sort::Enum(id),
                Kind::Int | Kind::Bool => unreachable!("data have no names"),
            };
            places.push((kind, add("names", vec![Column::of(sort), slot.clone()])));
        }
        let gone = add("gone", vec![slot]);
        let net = Arc::new(extended);
        let relations = net.relations();
        let compiled = Compiled::new(net.clone(), relations);
        let folder = Folder::new(compiled.schema(), relations);
        let source = Working::new(compiled.schema(), relations);
        let (schema, scratch) = (compiled.schema().clone(), Scratch::default());
        Engine { net, compiled, schema, folder, places, gone, reuse, source, scratch }
    }

    /// The net with the places for names.
    pub fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// Where the names of a kind are.
    pub fn names_of(&self, kind: Kind) -> PlaceId {
        PlaceId(place_of(&self.places, kind) as u32)
    }

    /// Where names of somebody are, each with the kind.
    pub fn name_places(&self) -> impl Iterator<Item = (Kind, PlaceId)> + '_ {
        self.places.iter().map(|&(kind, place)| (kind, PlaceId(place as u32)))
    }

    /// Where the slots are of names whose bearer is gone; nowhere if names are used again.
    pub fn gone(&self) -> Option<PlaceId> {
        (!self.reuse).then_some(PlaceId(self.gone as u32))
    }

    /// The candidate in the initial state, with no names.
    pub fn initial(&mut self) -> Vec<u8> {
        let mut working = self.source.emptied();
        self.compiled.initial(&mut working);
        self.folded(&mut working)
    }

    /// The bytes of a candidate.
    fn folded(&mut self, working: &mut Working) -> Vec<u8> {
        let Engine { schema, folder, places, gone, reuse, scratch, .. } = self;
        Settling { schema, places, gone: *gone, reuse: *reuse }.settle(working, scratch);
        let mut bytes = Vec::new();
        folder.fold(working, &mut bytes);
        bytes
    }

    /// The bytes of a concrete state of the net with names.
    pub fn bytes_of(&mut self, state: &state::State) -> Vec<u8> {
        let (mut working, _) = self.compiled.working(state);
        self.folded(&mut working)
    }

    /// Makes this the candidate from which [`Engine::fire`] goes on.
    pub fn load(&mut self, bytes: &[u8]) {
        self.folder.unfold(bytes, &mut self.source);
    }

    /// Fires the modes of a transition that have what is wanted, in the candidate that was loaded. Gives each to `each`,
    /// with the values asked for, until it says that there are enough.
    ///
    /// # Errors
    /// If the model faults.
    pub fn fire(
        &mut self,
        transition: TransitionId,
        wanted: &[(Source, Wanted)],
        asked: &[Asked],
        budget: &Budget,
        each: &mut dyn FnMut(Found<'_>) -> bool,
    ) -> Result<(), Fault> {
        let Engine { net, compiled, schema, folder, places, gone, reuse, source, scratch } = self;
        let mut taker = Taker {
            net,
            settling: Settling { schema, places, gone: *gone, reuse: *reuse },
            folder,
            scratch,
            wanted,
            asked,
            said: Vec::new(),
            budget,
            count: 0,
            is_enough: false,
            each,
        };
        compiled.fire_transition(source, transition, &mut taker)
    }

    /// The slots of the names in a candidate, and of those whose bearer is gone.
    pub fn slots(&mut self, bytes: &[u8], bound: &mut Vec<u32>, gone: &mut Vec<u32>) {
        self.load(bytes);
        bound.clear();
        gone.clear();
        for &(_, place) in &self.places {
            bound.extend(self.source.entries(place).map(|entry| entry[2]));
        }
        gone.extend(self.source.entries(self.gone).map(|entry| entry[1]));
    }

    /// A candidate without the slots of some names whose bearer is gone.
    pub fn without(&mut self, bytes: &[u8], slots: &[u32]) -> Vec<u8> {
        self.load(bytes);
        let mut working = self.source.clone();
        for slot in slots {
            if working.count(self.gone, &[*slot]) > 0 {
                working.take(self.gone, &[*slot], 1);
            }
        }
        self.folded(&mut working)
    }

    /// Where each one is that has a name, if it is a thread that has not ended.
    pub fn whereabouts(&mut self, bytes: &[u8]) -> Vec<(u32, Option<PlaceId>)> {
        self.load(bytes);
        let flows = (0..self.net.places.len()).filter(|&place| self.net.places[place].is_flow());
        let flows: Vec<usize> = flows.collect();
        let mut found = Vec::new();
        for &(kind, place) in &self.places {
            for entry in self.source.entries(place).filter(|_| kind == Kind::Pid) {
                let is_at =
                    |flow: &&usize| self.source.entries(**flow).any(|token| token[1] == entry[1]);
                let at = flows.iter().find(is_at).map(|&flow| PlaceId(flow as u32));
                found.push((entry[2], at));
            }
        }
        found.sort_unstable();
        found
    }
}

fn place_of(places: &[(Kind, usize)], kind: Kind) -> usize {
    let found = places.iter().find(|(other, _)| *other == kind);
    found.expect("what the log names has a place for names").1
}

/// How candidates get their final form.
struct Settling<'s> {
    schema: &'s Schema,
    places: &'s [(Kind, usize)],
    gone: usize,
    reuse: bool,
}

impl Settling<'_> {
    /// Removes garbage, names of those who are gone, and pids that nothing mentions.
    fn settle(&self, working: &mut Working, scratch: &mut Scratch) {
        let Scratch { used, renamed, .. } = scratch;
        working.collect(self.schema, used);
        used.clear();
        used.extend(working.kinship.kin().iter().map(|kin| kin.active));
        for (place, shape) in self.schema.places.iter().enumerate() {
            if self.places.iter().any(|(_, names)| *names == place) {
                continue;
            }
            for entry in working.entries(place) {
                for (column, &word) in shape.columns.iter().zip(&entry[1..]) {
                    let holds_pids =
                        matches!(column, fold::Column::Pid | fold::Column::OptionalPid);
                    if holds_pids && word != fold::NONE {
                        used[word as usize] = true;
                    }
                }
            }
        }
        for &(kind, place) in self.places {
            if matches!(kind, Kind::Enum(_)) {
                continue;
            }
            let mut at = 0;
            while at < working.len(place) {
                let entry = working.entry(place, at);
                let (who, slot) = (entry[1], entry[2]);
                if used[who as usize] {
                    at += 1;
                    continue;
                }
                working.take(place, &[who, slot], 1);
                if !self.reuse {
                    assert!(working.put(self.gone, &[slot], 1), "a name is gone once");
                }
            }
        }
        working.sweep(self.schema, used, renamed);
    }
}

/// Takes the modes that are what the log says.
struct Taker<'t> {
    net: &'t Net,
    settling: Settling<'t>,
    folder: &'t mut Folder,
    scratch: &'t mut Scratch,
    wanted: &'t [(Source, Wanted)],
    asked: &'t [Asked],
    said: Vec<Said>,
    budget: &'t Budget,
    count: u32,
    is_enough: bool,
    each: &'t mut dyn FnMut(Found<'_>) -> bool,
}

impl Taker<'_> {
    /// The value of something in a mode.
    fn value(&self, source: Source, binding: &[i64], successor: &Working) -> i64 {
        match source {
            Source::Var(var) => binding[var],
            Source::After(thread, place, column) => {
                let thread = binding[thread] as u32;
                let token = successor.entries(place.index()).find(|entry| entry[1] == thread);
                token.map_or(nothing(), |entry| self.net.number(place, column, entry[1 + column]))
            }
        }
    }

    /// Whether somebody has the name of a slot, or can get it.
    fn is_named(&mut self, kind: Kind, who: u32, slot: u32, successor: &Working) -> bool {
        let place = place_of(self.settling.places, kind);
        let named = successor.entries(place).map(|entry| (entry[1], entry[2]));
        let added = self.scratch.added.iter().filter(|(other, ..)| *other == place);
        for (other, name) in named.chain(added.map(|&(_, who, slot)| (who, slot))) {
            if name == slot || other == who {
                return name == slot && other == who;
            }
        }
        if successor.count(self.settling.gone, &[slot]) > 0 {
            return false;
        }
        self.scratch.added.push((place, who, slot));
        true
    }

    /// Whether a mode is what the log says; then new names are to be added.
    fn fits(&mut self, binding: &[i64], successor: &Working) -> bool {
        self.scratch.added.clear();
        let wanted = self.wanted;
        wanted.iter().all(|&(source, wanted)| {
            let value = self.value(source, binding, successor);
            match wanted {
                Wanted::Data(number) => value == number,
                Wanted::Gone => false,
                Wanted::Name(kind, slot) => {
                    value != nothing() && self.is_named(kind, value as u32, slot, successor)
                }
            }
        })
    }

    fn said(&self, (source, kind): Asked, binding: &[i64], successor: &Working) -> Said {
        let value = self.value(source, binding, successor);
        let names = self.settling.places.iter().find(|(other, _)| *other == kind);
        let Some(&(_, place)) = names.filter(|_| value != nothing()) else {
            return Said::Data(value);
        };
        let mut named = successor.entries(place).filter(|entry| entry[1] == value as u32);
        named.next().map_or(Said::Unnamed, |entry| Said::Name(entry[2]))
    }
}

impl Sink for Taker<'_> {
    fn emit(&mut self, _: u32, _: &mut Working) {
        unreachable!("nets tell their bindings")
    }

    fn emit_mode(&mut self, _: u32, binding: &[i64], successor: &mut Working) {
        if !self.fits(binding, successor) {
            return;
        }
        for (place, who, slot) in std::mem::take(&mut self.scratch.added) {
            assert!(successor.put(place, &[who, slot], 1), "a name is given once");
        }
        self.said.clear();
        for &asked in self.asked {
            let said = self.said(asked, binding, successor);
            self.said.push(said);
        }
        self.settling.settle(successor, self.scratch);
        let mut bytes = std::mem::take(&mut self.scratch.bytes);
        bytes.clear();
        self.folder.fold(successor, &mut bytes);
        let found = Found { number: self.count, bytes: &bytes, said: &self.said };
        self.is_enough = (self.each)(found);
        self.scratch.bytes = bytes;
        self.count += 1;
    }

    fn enough(&mut self) -> bool {
        self.is_enough || self.budget.is_exhausted()
    }
}
