//! A model is a net, or it has processes: what is declared of both is reported.

use net::PlaceKind;

use super::Resolver;
use crate::syntax::{Declaration, DeclarationKind};
use diagnostics::{Diagnostic, Span};

impl Resolver<'_, '_> {
    /// Reports the first declaration of a net in a model that has processes, if there is one.
    pub(super) fn report_net_beside_processes(&mut self) {
        let declarations = &self.model.declarations;
        let Some((span, help)) = declarations.iter().find_map(of_net) else { return };
        let error = Diagnostic::error("E1020", "a model is a net, or it has processes, not both")
            .at(span, "this is declared for a net")
            .help(format!("{help}; or put the net into a model of its own"));
        let of_processes = declarations.iter().find(|one| one.kind.is_of_processes());
        self.diagnostics.push(match of_processes {
            Some(one) => error.also(one.span, "this for processes"),
            None => error,
        });
    }
}

/// Where something is declared that only nets have, and what processes have in its place.
fn of_net(declaration: &Declaration<'_>) -> Option<(Span, &'static str)> {
    let shared = "let processes share a variable, such as `shared n: 0..=3 = 0`, or a channel";
    let process = "write what a thread does as a `process`";
    let object = "write `object`, and make objects by `new`";
    match &declaration.kind {
        DeclarationKind::Place { kind, places, .. } => {
            let span = places.first().map_or(declaration.span, |place| place.name.span);
            let help = match kind {
                PlaceKind::Flow => process,
                PlaceKind::Ordinary => shared,
            };
            Some((span, help))
        }
        DeclarationKind::Start(_) => Some((declaration.span, process)),
        DeclarationKind::Transition(transition) => Some((transition.name.span, process)),
        DeclarationKind::Fresh(name) => Some((name.span, object)),
        DeclarationKind::New(objects) => {
            Some((objects.first().map_or(declaration.span, |one| one.name.span), object))
        }
        DeclarationKind::Model(_)
        | DeclarationKind::Const { .. }
        | DeclarationKind::Class(_)
        | DeclarationKind::Fair { .. }
        | DeclarationKind::Property { .. }
        | DeclarationKind::Shared(_)
        | DeclarationKind::Record(_)
        | DeclarationKind::Variant(_)
        | DeclarationKind::Object(_)
        | DeclarationKind::Process(_)
        | DeclarationKind::Function(_) => None,
    }
}
