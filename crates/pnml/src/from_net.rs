//! Documents from nets.
//!
//! The other direction of [`to_net`](crate::to_net()): a net that came from a document gives one that
//! means the same net. Reading a token becomes taking it and putting it back, which is what it means.
//! Symmetries are not written, since PNML cannot express them: whether a class is symmetric is seen from
//! how the net uses it. Neither are constants, whose values are in the net already, and names of columns.
//!
//! Nets can say more than PNML can. Whatever cannot be said is listed, all of it, and there is no document
//! then: threads, tokens that must not be there, arithmetic, successors that end, tokens under conditions
//! that are no differences of multisets, fairness. Properties are no part of a net in PNML; those that the
//! contest's files can say are written by [`properties::from_net`](crate::properties::from_net). Linear, but for `all x except y` of two
//! columns, which PNML writes member by member.

mod sorts;
mod terms;
mod tokens;

use std::collections::HashSet;

use net::{InitialToken, PlaceId, Sort as NetSort, Whom};
use thiserror::Error;

use crate::document::{Arc, Document, Id, Kind, Label, Net, Page, Place, Transition};
use crate::term::Term;
use diagnostics::Span;
use sorts::Sorts;
use terms::Scope;
use tokens::Carried;

/// Something that PNML cannot say.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {what}")]
pub struct Unsayable {
    /// Where it is: "transition `t`", say.
    pub place: String,
    /// What it is.
    pub what: String,
}

/// The document of a net.
///
/// # Errors
///
/// Everything in the net that PNML cannot say.
///
/// # Panics
///
/// If the net breaches what [`net::Net::check`] checks.
pub fn from_net(net: &net::Net) -> Result<Document, Vec<Unsayable>> {
    let mut writer = Writer {
        net,
        kind: kind(net),
        sorts: Sorts::new(net),
        unsayable: Vec::new(),
        place: String::new(),
    };
    writer.check_names();
    let page = writer.page();
    let list = std::mem::take(&mut writer.unsayable);
    if !list.is_empty() {
        return Err(list);
    }
    let declarations = match writer.kind {
        Kind::Symmetric => writer.sorts.declarations(),
        Kind::PlaceTransition => Vec::new(),
    };
    let name = if net.name.is_empty() { "net" } else { &net.name };
    let net = Net {
        id: id(name),
        kind: writer.kind,
        name: Some(name.into()),
        declarations,
        pages: vec![page],
        span: Span::default(),
    };
    Ok(Document { nets: vec![net], ..Document::default() })
}

/// Whether a net has colours.
fn kind(net: &net::Net) -> Kind {
    let plain = net.enumerations.is_empty()
        && net.places.iter().all(|place| place.columns.is_empty())
        && net.transitions.iter().all(|t| t.variables.is_empty() && t.guard.is_empty());
    if plain { Kind::PlaceTransition } else { Kind::Symmetric }
}

/// The places of arcs, whether these lead from there, and what they carry.
type Inscriptions = Vec<(PlaceId, bool, Vec<Carried>)>;

struct Writer<'n> {
    net: &'n net::Net,
    kind: Kind,
    sorts: Sorts<'n>,
    unsayable: Vec<Unsayable>,
    /// What is being written.
    place: String,
}

impl<'n> Writer<'n> {
    fn complain(&mut self, what: impl Into<String>) {
        let unsayable = Unsayable { place: self.place.clone(), what: what.into() };
        if !self.unsayable.contains(&unsayable) {
            self.unsayable.push(unsayable);
        }
    }

    /// Complains of something that there is then no term for.
    fn refuse<T>(&mut self, what: impl Into<String>) -> Option<T> {
        self.complain(what);
        None
    }

    fn check_names(&mut self) {
        let places: HashSet<&str> = self.net.places.iter().map(|place| &*place.name).collect();
        for transition in &self.net.transitions {
            if places.contains(&*transition.name) {
                self.place = format!("transition `{}`", transition.name);
                self.complain("a place has the same name, and nodes have one identifier each");
            }
        }
        for fairness in &self.net.fairness {
            self.place = match fairness.of {
                Whom::Threads => "fairness of threads".into(),
                Whom::Transition(id) => {
                    format!("fairness of transition `{}`", self.net.transition(id).name)
                }
                Whom::Action(id) => {
                    format!("fairness of `{}`", self.net.actions[id.index()].name)
                }
                Whom::Class(id) => {
                    format!("fairness of class `{}`", self.net.enumerations[id.index()].name)
                }
            };
            self.complain("what is assumed of runs is no part of a net in PNML");
        }
        if !self.net.start.is_empty() {
            self.place = "the initial state".into();
            self.complain("there are threads in it, which PNML does not have");
        }
    }

    fn page(&mut self) -> Page {
        let net = self.net;
        let mut page = Page { id: id("page"), ..Page::default() };
        let mut tokens: Vec<Vec<&InitialToken>> = vec![Vec::new(); net.places.len()];
        for token in &net.tokens {
            tokens[token.place.index()].push(token);
        }
        for (place, tokens) in net.places.iter().zip(tokens) {
            self.place = format!("place `{}`", place.name);
            if place.is_flow() {
                self.complain("threads are there, which PNML does not have");
                continue;
            }
            let sorts: Vec<NetSort> = place.columns.iter().map(|column| column.sort).collect();
            let is_foreign = |column: &net::Column| {
                column.optional || matches!(column.sort, NetSort::Pid | NetSort::Object(_))
            };
            if place.columns.iter().any(is_foreign) {
                let what = "its tokens hold pids, objects, or nothing, which PNML does not have";
                self.complain(what);
                continue;
            }
            let carried: Vec<Carried> =
                tokens.into_iter().filter_map(|token| self.initial(token)).collect();
            page.places.push(Place {
                id: id(&place.name),
                name: Some(place.name.to_string()),
                sort: match self.kind {
                    Kind::Symmetric => Some(label(self.sorts.place(&sorts))),
                    Kind::PlaceTransition => None,
                },
                marking: (!carried.is_empty()).then(|| self.tokens(carried)),
                span: Span::default(),
            });
        }
        let transitions = net.transitions.iter().map(|transition| transition.name.as_str());
        let nodes: HashSet<&str> =
            net.places.iter().map(|place| &*place.name).chain(transitions).collect();
        let mut free = (1..).map(|number| format!("arc{number}"));
        let mut fresh = || free.find(|name| !nodes.contains(name.as_str())).unwrap_or_default();
        for transition in &net.transitions {
            let (condition, arcs) = self.transition(transition).unwrap_or_default();
            for (place, is_taken, carried) in arcs {
                let mut ends = [id(&net.place(place).name), id(&transition.name)];
                if !is_taken {
                    ends.reverse();
                }
                let [source, target] = ends;
                let inscription = Some(self.tokens(carried));
                let (id, span) = (id(&fresh()), Span::default());
                page.arcs.push(Arc { id, name: None, source, target, inscription, span });
            }
            let (id, name) = (id(&transition.name), Some(transition.name.clone()));
            page.transitions.push(Transition { id, name, condition, span: Span::default() });
        }
        page
    }

    /// The condition of a transition, and what its arcs carry, from places and to them.
    fn transition(
        &mut self,
        transition: &'n net::Transition,
    ) -> Option<(Option<Label<Term>>, Inscriptions)> {
        self.place = format!("transition `{}`", transition.name);
        if !transition.participants.is_empty() || !transition.spawns.is_empty() {
            self.complain("threads take part in it, which PNML does not have");
        }
        for inhibitor in &transition.inhibitors {
            for arc in &inhibitor.arcs {
                let place = &self.net.place(arc.place).name;
                self.complain(format!("tokens of `{place}` keep it from firing (`unless`)"));
            }
        }
        if transition.failure.is_some() {
            self.complain("it must not fire, which PNML cannot say");
        }
        if transition.probe {
            self.complain("it never fires, and properties ask whether it could");
        }
        let mut scope = Scope::of(self, transition)?;
        let mut sides: [Inscriptions; 2] = Default::default();
        // What is read is taken and put back.
        let takes = transition.takes.iter().map(|arc| (arc, [true, false]));
        let reads = transition.reads.iter().map(|arc| (arc, [true, true]));
        let puts = transition.puts.iter().map(|arc| (arc, [false, true]));
        for (arc, is_there) in takes.chain(reads).chain(puts) {
            let Some(carried) = self.arc(arc, &mut scope) else { continue };
            for (number, side) in sides.iter_mut().enumerate().filter(|(at, _)| is_there[*at]) {
                match side.iter_mut().find(|(place, ..)| *place == arc.place) {
                    Some((.., list)) => list.push(carried.clone()),
                    None => side.push((arc.place, number == 0, vec![carried.clone()])),
                }
            }
        }
        let condition = self.condition(&scope).map(label);
        Some((condition, sides.concat()))
    }
}

pub(crate) fn id(text: &str) -> Id {
    Id { text: text.into(), span: Span::default() }
}

fn label<T>(value: T) -> Label<T> {
    Label { text: None, value, span: Span::default() }
}
