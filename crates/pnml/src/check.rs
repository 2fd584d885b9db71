//! What a document has to keep to besides its form: names that stand for something, sorts that fit.
//!
//! Done once a document is read without mistakes of form. Linear, but for sorting out which sorts and
//! operators are defined by which, which is linear too. Terms are walked by recursion, since their depth is
//! limited; chains of definitions are not.

mod nodes;
mod partitions;
mod terms;
pub(crate) mod types;

use std::collections::HashMap;

use crate::document::{Document, Id, Net};
use crate::index::Index;
use crate::limits::Limits;
use diagnostics::{Diagnostic, Diagnostics};

/// Reports everything that is wrong with a document of the right form.
pub(crate) fn check(document: &Document, limits: &Limits, sink: &mut Diagnostics) {
    let mut nets = HashMap::new();
    for net in &document.nets {
        if let Some(first) = nets.insert(net.id.text.as_str(), net) {
            twice(sink, "nets", &first.id, &net.id);
        }
        check_net(net, limits, sink);
    }
}

fn check_net(net: &Net, limits: &Limits, sink: &mut Diagnostics) {
    let index = Index::new(net);
    for (what, first, second) in &index.duplicates {
        twice(sink, what, first, second);
    }
    nodes::check(net, &index, sink);
    let mut types = types::Types::new(net, &index, limits, sink);
    partitions::check(net, &mut types, sink);
    terms::check(net, &mut types, sink);
}

fn twice(sink: &mut Diagnostics, what: &str, first: &Id, second: &Id) {
    // Nodes of one kind come before those of the other, wherever they stand.
    let before = first.span.range().start < second.span.range().start;
    let (first, second) = if before { (first, second) } else { (second, first) };
    sink.report(|| {
        Diagnostic::error("P0201", format!("two {what} have the identifier `{second}`"))
            .at(second.span, "")
            .also(first.span, "the first is here")
            .help("give one of them another one, also where it is referred to")
    });
}
