//! From the syntax tree to the net: names are looked up, types checked, constants computed.
//!
//! Enumerations are read first, then constants in their order, then places, start threads,
//! transitions and properties; except for constants, the order of writing does not matter. After a
//! mistake the value or the type is *wrong* rather than something made up, and what is wrong is never
//! reported again. The net is complete only if nothing was reported.

mod argument;
mod binding;
mod constants;
mod expression;
mod marking;
mod mismatch;
mod names;
mod places;
mod property;
mod scope;
mod threads;
mod transition;
mod value;

use std::collections::HashMap;

use net::{Net, PlaceId, TransitionId};

use crate::Override;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lexer::Token;
use crate::span::Span;
use crate::syntax::{DeclarationKind, Model};
use names::{Meaning, Unknown};
use places::PlaceInfo;

/// The net of a model. Meaningful only if nothing is reported as an error.
pub(crate) fn net<'a>(
    text: &'a str,
    tokens: &[Token],
    model: &'a Model<'a>,
    overrides: &[Override],
    diagnostics: &mut Diagnostics,
) -> Net {
    let mut resolver = Resolver {
        text,
        tokens,
        model,
        diagnostics,
        net: Net::default(),
        values: HashMap::new(),
        places: Vec::new(),
        place_names: HashMap::new(),
        transition_names: HashMap::new(),
        threads: HashMap::new(),
        unknown: HashMap::new(),
        overfull: false,
        dead: 0,
    };
    resolver.model(overrides);
    resolver.net
}

/// The state of the resolution.
pub(crate) struct Resolver<'a, 'd> {
    text: &'a str,
    tokens: &'d [Token],
    model: &'a Model<'a>,
    diagnostics: &'d mut Diagnostics,
    net: Net,
    /// Constants, enumerations and their members.
    values: HashMap<&'a str, (Meaning, Span)>,
    /// The places as declared, in the order of [`Net::places`].
    places: Vec<PlaceInfo<'a>>,
    place_names: HashMap<&'a str, PlaceId>,
    transition_names: HashMap<&'a str, (TransitionId, Span)>,
    /// The start threads that have names, by their index in [`Net::start`].
    threads: HashMap<&'a str, (usize, Span)>,
    /// The names that were reported as unknown.
    unknown: HashMap<(Unknown, &'a str), crate::diagnostic::Ticket>,
    /// Whether there are more places than allowed.
    overfull: bool,
    /// How many constant conditions around this keep it from ever being evaluated.
    dead: usize,
}

impl Resolver<'_, '_> {
    fn model(&mut self, overrides: &[Override]) {
        let model = self.model;
        for declaration in &model.declarations {
            if let DeclarationKind::Model(name) = &declaration.kind {
                self.net.name = name.text.to_owned();
            }
        }
        self.enumerations();
        self.constants(overrides);
        self.places();
        self.start_threads();
        self.initial_tokens();
        self.transitions();
        self.properties();
        if self.net.start.is_empty() && self.net.tokens.is_empty() && !self.diagnostics.has_errors()
        {
            let whole = Diagnostic::warning("W0001", "nothing is in the initial state")
                .help("start a thread with `start PLACE`, or put tokens in a place with `= 1`");
            let first = model.declarations.iter().find_map(|d| match &d.kind {
                DeclarationKind::Model(name) => Some(name.span),
                _ => None,
            });
            self.diagnostics.push(match first {
                Some(span) => whole.at(span, "no transition with an input can ever fire"),
                None => whole,
            });
        }
    }
}
