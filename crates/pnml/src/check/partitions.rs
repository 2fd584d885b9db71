//! Partitions: parts of one class, disjoint, and together the whole of it.

use std::collections::HashMap;

use super::types::{Type, TypeId, Types, UNKNOWN};
use crate::declaration::{Declared, Part};
use crate::document::Net;
use crate::term::{Operator, Term};
use diagnostics::{Diagnostic, Diagnostics, Span};

pub(super) fn check<'d>(net: &'d Net, types: &mut Types<'_, 'd>, sink: &mut Diagnostics) {
    for declaration in net.all_declarations() {
        if let Declared::Partition { sort, parts } = &declaration.value {
            let known = types.partition(&declaration.id.text);
            let class = known.map_or(UNKNOWN, |(_, class)| class);
            match types.shape(class) {
                Type::Unknown => {}
                Type::Enumeration { .. } | Type::Range { .. } => {
                    check_parts(parts, declaration.span, class, types, sink);
                }
                _ => sink.report(|| {
                    let words = types.words(class);
                    Diagnostic::error("P0309", format!("`{words}` cannot be divided"))
                        .at(sort.span, "")
                        .help("partitions are of enumerations and ranges")
                }),
            }
        }
    }
}

fn check_parts(
    parts: &[Part],
    span: Span,
    class: TypeId,
    types: &mut Types<'_, '_>,
    sink: &mut Diagnostics,
) {
    let mut seen: HashMap<u32, Span> = HashMap::new();
    let mut flawed = false;
    for constant in parts.iter().flat_map(|part| &part.value) {
        let Some((sort, position)) = types.element(constant) else {
            flawed = true;
            sink.report(|| no_element(constant, types));
            continue;
        };
        if sort != class && sort != UNKNOWN {
            flawed = true;
            sink.report(|| {
                let message = format!("this is no element of `{}`", types.words(class));
                Diagnostic::error("P0309", message)
                    .at(constant.span, format!("it is one of `{}`", types.words(sort)))
            });
        } else if let Some(first) = seen.insert(position, constant.span) {
            flawed = true;
            sink.report(|| {
                Diagnostic::error("P0309", "this element is in two parts")
                    .at(constant.span, "")
                    .also(first, "it is also here")
                    .help("parts of a partition are disjoint: remove one of the two")
            });
        }
    }
    let size = types.size(class);
    if !flawed && seen.len() as u128 != size {
        sink.report(|| {
            let message = format!(
                "{} of the {size} elements of `{}` are in no part",
                size - seen.len() as u128,
                types.words(class)
            );
            Diagnostic::error("P0309", message)
                .at(span, "")
                .help("together the parts of a partition are the whole class: add one for the rest")
        });
    }
}

/// That a term is no constant.
fn no_element(term: &Term, types: &Types<'_, '_>) -> Diagnostic {
    match &term.operator {
        Operator::User(id) if types.index.operator(&id.text).is_none() => {
            let known = types.index.operators.keys().copied();
            Diagnostic::error("P0207", format!("there is no constant named `{id}`"))
                .at(id.span, "")
                .help_nearest(&id.text, known, "")
        }
        Operator::User(id) => {
            let message = format!("`{id}` is no element of a class");
            Diagnostic::error("P0309", message).at(term.span, "")
        }
        _ => Diagnostic::error("P0309", "this is no element of a class").at(term.span, ""),
    }
}
