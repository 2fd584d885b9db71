//! References and arcs: where they lead.

use crate::document::{Arc, Id, Net, Reference};
use crate::index::{Index, Node};
use diagnostics::{Diagnostic, Diagnostics};

pub(super) fn check(net: &Net, index: &Index<'_>, sink: &mut Diagnostics) {
    for page in net.all_pages() {
        for reference in &page.references {
            check_reference(reference, index, sink);
        }
        for arc in &page.arcs {
            check_arc(arc, index, sink);
        }
    }
}

fn check_reference(reference: &Reference, index: &Index<'_>, sink: &mut Diagnostics) {
    let kind = if reference.is_place { "place" } else { "transition" };
    let id = &reference.target;
    if index.node(&reference.id.text).is_some() {
        return;
    }
    if !index.nodes.contains_key(id.text.as_str()) {
        sink.report(|| {
            unknown(id, &format!("this reference {kind} leads nowhere"), "P0204", index)
        });
        return;
    }
    sink.report(|| {
        let message = format!("this reference {kind} stands for no {kind}");
        Diagnostic::error("P0204", message)
            .at(id.span, format!("`{id}` is of the other kind, or part of a circle"))
            .help(format!("refer to the {kind} itself"))
    });
}

fn check_arc(arc: &Arc, index: &Index<'_>, sink: &mut Diagnostics) {
    let [source, target] = [&arc.source, &arc.target].map(|id| {
        // A reference that stands for nothing has been reported.
        if !index.nodes.contains_key(id.text.as_str()) {
            let message = format!("the arc `{}` has an end that is not there", arc.id);
            sink.report(|| unknown(id, &message, "P0202", index));
        }
        index.node(&id.text)
    });
    let (Some(source), Some(target)) = (source, target) else { return };
    let kind = match (source, target) {
        (Node::Place(_), Node::Place(_)) => "places",
        (Node::Transition(_), Node::Transition(_)) => "transitions",
        _ => return,
    };
    sink.report(|| {
        let message = format!("the arc `{}` joins two {kind}", arc.id);
        Diagnostic::error("P0203", message)
            .at(arc.span, "")
            .help("arcs lead from a place to a transition, or from a transition to a place")
    });
}

/// That nothing is known by this name, and what may have been meant.
fn unknown(id: &Id, message: &str, code: &'static str, index: &Index<'_>) -> Diagnostic {
    Diagnostic::error(code, message)
        .at(id.span, format!("there is no node named `{id}`"))
        .help_nearest(&id.text, index.nodes.keys().copied(), "")
}
