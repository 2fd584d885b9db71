//! Nets from documents.
//!
//! Identifiers remain what they are; where two things of the net need different names and have one
//! identifier, `_` is added to one of them. Places without colours have no columns, products have one for
//! each factor, dots none. Each enumeration and each range is an enumeration of the net, the members of a
//! range called by the name of its sort and their number; whether its members can be permuted is for
//! others to find. What a cyclic enumeration promises is kept: after the last member comes the first.
//!
//! Inscriptions are multisets, which become arcs one by one ([`sum`]): elements, `all` members of a class,
//! and differences of these, exactly. What is on arcs into a transition is taken together, whichever arcs
//! it is on. A variable that no token taken holds plainly is a parameter, so that it ranges over its sort.
//! Whatever occurs in a transition is one of its variables, whether it makes a difference or not: firing
//! with other values is another way to fire.
//!
//! Multisets are never written out: `all` of a product stays one arc or one initial token. Where a
//! document can make something grow, there is a limit, and reaching it is an error with its place. The
//! cost is otherwise linear in the document.
//!
//! # Where we deviate
//!
//! Subtracting what is not there is an error of the model to some; here it leaves nothing. Several nets in
//! one document are refused, since which one is meant cannot be known.

mod arcs;
mod classes;
mod conditions;
mod draft;
mod enumerations;
mod gather;
mod guards;
mod logic;
mod marking;
mod parts;
mod subtract;
mod sum;
mod terms;
mod transitions;

use crate::check;
use crate::document::Document;
use crate::index::Index;
use crate::limits::Limits;
use classes::Classes;
use diagnostics::{Diagnostic, Diagnostics, Report};
use draft::Draft;
use enumerations::Names;

/// Something was reported; the caller goes on with the next thing.
#[derive(Debug)]
struct Failed;

type Step<T> = Result<T, Failed>;

/// The net of a document; the text is what errors give places in. Nothing is wrong with the net, in the
/// sense of [`net::Net::check`].
///
/// # Errors
///
/// What reading a document would report, if it was put together by hand; what is beyond a limit of nets;
/// the few terms that cannot be said of a net, each with its place.
pub fn to_net(document: &Document, text: &str) -> Result<net::Net, Report> {
    let mut sink = Diagnostics::default();
    check::check(document, &Limits::default(), &mut sink);
    let net = match &document.nets[..] {
        _ if sink.has_errors() => None,
        [net] => translate(net, &mut sink),
        [] => {
            let span = Default::default();
            sink.report(|| Diagnostic::error("P0107", "`<pnml>` needs a net").at(span, ""));
            None
        }
        [_, second, ..] => {
            sink.report(|| {
                Diagnostic::error("P0501", "the document has several nets")
                    .at(second.span, "")
                    .help("put each of them into a document of its own")
            });
            None
        }
    };
    sink.finish(text).into_result()?;
    Ok(net.expect("whatever keeps a net from being made is reported"))
}

/// The net, unless something is reported.
fn translate(net: &crate::document::Net, sink: &mut Diagnostics) -> Option<net::Net> {
    let index = Index::new(net);
    let mut classes = Classes::new(net, &index);
    let draft = loop {
        let mut found = Diagnostics::default();
        let draft = Draft::new(net, &index, &mut classes, &mut found);
        // What mixes two classes makes them one; the second time they are.
        if !std::mem::take(&mut classes.changed) {
            sink.extend(found);
            break draft;
        }
    };
    if sink.has_errors() {
        return None;
    }
    let names = Names::new(&draft, &classes, sink)?;
    let tokens = marking::tokens(&draft, &classes, &names, sink);
    let transitions = transitions::transitions(&draft, &classes, &names, sink);
    (!sink.has_errors()).then(|| net::Net {
        name: net.id.text.clone(),
        places: draft.places.iter().map(|place| place.finished(&names)).collect(),
        enumerations: names.enumerations,
        tokens,
        transitions,
        ..net::Net::default()
    })
}
