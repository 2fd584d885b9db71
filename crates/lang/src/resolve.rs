//! From the syntax tree to the net: names are looked up, types checked, constants computed.
//!
//! Enumerations are read first, then constants and the sizes of classes in their order, then places,
//! start threads, transitions, fairness and properties; except for constants and sizes, the order of
//! writing does not matter. After a mistake the value or the type is *wrong* rather than something made up,
//! and what is wrong is never reported again. The net is complete only if nothing was reported.

mod all;
mod argument;
mod binding;
mod classes;
mod constants;
mod expression;
mod fairness;
mod front;
mod groups;
mod marking;
mod member;
mod mismatch;
mod mixed;
mod names;
mod objects;
mod places;
mod processes;
mod property;
mod scope;
mod symmetry;
mod threads;
mod tokens;
mod transition;
mod value;

use std::collections::HashMap;

use net::{EnumId, Net, PlaceId, PlaceKind, Transition, TransitionId};

use crate::syntax::{DeclarationKind, Model};
pub(crate) use all::UNNAMED;
use classes::ClassInfo;
use diagnostics::{Diagnostic, Diagnostics, Reported, Span};
use names::{Meaning, Unknown};
use places::PlaceInfo;
pub use scope::Scope;

/// Gives the names of a model their meaning, and makes its net.
pub struct Resolver<'a, 'd> {
    model: &'a Model<'a>,
    diagnostics: &'d mut Diagnostics,
    net: Net,
    /// Constants, enumerations, their parts and the members that have names of their own.
    values: HashMap<&'a str, (Meaning, Span)>,
    /// The enumerations as declared, in the order of [`Net::enumerations`].
    classes: Vec<ClassInfo<'a>>,
    /// The members that were reported as distinguished from others.
    distinguished: HashMap<(EnumId, u32), Reported>,
    /// The places as declared, in the order of [`Net::places`].
    places: Vec<PlaceInfo<'a>>,
    place_names: HashMap<&'a str, PlaceId>,
    transition_names: HashMap<&'a str, (TransitionId, Span)>,
    /// The start threads that have names, by their index in [`Net::start`].
    threads: HashMap<&'a str, (usize, Span)>,
    /// The initial objects, by their index in [`Net::objects`].
    objects: HashMap<&'a str, (usize, Span)>,
    /// Where the start threads and the initial tokens of the net are written.
    thread_spans: Vec<Span>,
    token_spans: Vec<Span>,
    /// The names that were reported as unknown.
    unknown: HashMap<(Unknown, &'a str), Reported>,
    /// Whether there are more places than allowed.
    overfull: bool,
    /// How many constant conditions around this keep it from ever being evaluated.
    dead: usize,
}

impl<'a, 'd> Resolver<'a, 'd> {
    /// Nothing of the model is resolved yet but its name.
    #[must_use]
    pub fn new(model: &'a Model<'a>, diagnostics: &'d mut Diagnostics) -> Resolver<'a, 'd> {
        let name =
            model.declarations.iter().rev().find_map(|declaration| match &declaration.kind {
                DeclarationKind::Model(name) => Some(name.text.to_owned()),
                _ => None,
            });
        Resolver {
            model,
            diagnostics,
            net: Net { name: name.unwrap_or_default(), ..Net::default() },
            values: HashMap::new(),
            classes: Vec::new(),
            distinguished: HashMap::new(),
            places: Vec::new(),
            place_names: HashMap::new(),
            transition_names: HashMap::new(),
            threads: HashMap::new(),
            objects: HashMap::new(),
            thread_spans: Vec::new(),
            token_spans: Vec::new(),
            unknown: HashMap::new(),
            overfull: false,
            dead: 0,
        }
    }

    /// Whether nothing can ever happen in the net: the model neither says what is there at first, nor has it transitions
    /// that need nothing.
    fn is_still(&self) -> bool {
        let starts = |kind: &DeclarationKind| match kind {
            DeclarationKind::Start(_) => true,
            DeclarationKind::Place { initial, .. } => initial.is_some(),
            _ => false,
        };
        let needs_nothing = |rule: &Transition| {
            rule.participants.is_empty() && rule.takes.is_empty() && rule.reads.is_empty()
        };
        !self.model.declarations.iter().any(|one| starts(&one.kind))
            && !self.net.transitions.iter().any(needs_nothing)
    }

    /// Reports a net in which nothing can happen.
    fn report_still(&mut self) {
        if self.diagnostics.has_errors() {
            return;
        }
        let flow = self.places.iter().find(|place| place.kind == PlaceKind::Flow);
        let place = self.places.first();
        let help = match (flow, place) {
            (Some(flow), _) => format!("start a thread: `start {}`", flow.name),
            (None, Some(place)) => {
                format!("put a token into a place: `place {} = 1`, say", place.name)
            }
            (None, None) => {
                "write `process main { … }`; `kinfold new NAME` writes an example".into()
            }
        };
        let error = Diagnostic::error("E0004", "nothing starts").help(help);
        self.diagnostics.push(match flow.or(place) {
            Some(place) => error.at(place.span, "nothing is here, or in any other place"),
            None => error.at(Span::default(), ""),
        });
    }

    /// Warns of an initial state with nothing in it, and of one without threads where these are expected.
    fn check_something_starts(&mut self) {
        if self.net.has_threads() || self.diagnostics.has_errors() {
            return;
        }
        if self.net.tokens.is_empty() {
            let whole = Diagnostic::warning("W0001", "nothing is in the initial state")
                .help("start a thread with `start PLACE`, or put tokens in a place with `= 1`");
            let first = self.model.declarations.iter().find_map(|d| match &d.kind {
                DeclarationKind::Model(name) => Some(name.span),
                _ => None,
            });
            self.diagnostics.push(match first {
                Some(span) => whole.at(span, "no transition with an input can ever fire"),
                None => whole,
            });
        } else if let Some(flow) = self.places.iter().find(|place| place.kind == PlaceKind::Flow) {
            let help = format!("start one with `start {}`, or declare it as a `place`", flow.name);
            let forgotten =
                Diagnostic::warning("W0003", "there are flow places, and no thread starts")
                    .at(flow.span, "no thread is ever here")
                    .help(help);
            self.diagnostics.push(forgotten);
        }
    }
}
