//! Partitions: parts of one class, disjoint, and together the whole of it.

use std::collections::HashMap;

use super::types::{Type, TypeId, Types, UNKNOWN};
use crate::declaration::{Declared, Part};
use crate::document::Net;
use crate::index::{Index, UserOperator};
use crate::term::{Operator, Term};
use diagnostics::{Diagnostic, Diagnostics, Span};

/// An element of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Element<'d> {
    Constant(&'d str),
    Integer(i64),
}

pub(super) fn check<'d>(
    net: &'d Net,
    index: &Index<'d>,
    types: &mut Types<'d>,
    sink: &mut Diagnostics,
) {
    for declaration in net.all_declarations() {
        if let Declared::Partition { sort, parts } = &declaration.value {
            let known = types.partition(&declaration.id.text);
            let class = known.map_or(UNKNOWN, |(_, class)| class);
            match types.shape(class) {
                Type::Unknown => {}
                Type::Enumeration { .. } | Type::Range(_) => {
                    check_parts(parts, declaration.span, class, index, types, sink);
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

fn check_parts<'d>(
    parts: &'d [Part],
    span: Span,
    class: TypeId,
    index: &Index<'d>,
    types: &mut Types<'d>,
    sink: &mut Diagnostics,
) {
    let mut seen: HashMap<Element<'d>, Span> = HashMap::new();
    let mut flawed = false;
    for constant in parts.iter().flat_map(|part| &part.value) {
        let Some((element, sort)) = element(constant, index, types, sink) else {
            flawed = true;
            continue;
        };
        if sort != class && sort != UNKNOWN {
            flawed = true;
            sink.report(|| {
                let message = format!("this is no element of `{}`", types.words(class));
                Diagnostic::error("P0309", message)
                    .at(constant.span, format!("it is one of `{}`", types.words(sort)))
            });
        } else if let Some(first) = seen.insert(element, constant.span) {
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

/// The element that a constant is, and of what sort; reported if it is none.
fn element<'d>(
    constant: &'d Term,
    index: &Index<'d>,
    types: &mut Types<'d>,
    sink: &mut Diagnostics,
) -> Option<(Element<'d>, TypeId)> {
    match &constant.operator {
        Operator::User(id) => match index.operator(&id.text) {
            Some(UserOperator { declaration, .. })
                if matches!(declaration.value, Declared::Sort(_))
                    && constant.subterms.is_empty() =>
            {
                Some((Element::Constant(&id.text), types.declared(&declaration.id.text)))
            }
            Some(_) => {
                sink.report(|| {
                    Diagnostic::error("P0309", format!("`{id}` is no element of a class"))
                        .at(constant.span, "")
                });
                None
            }
            None => {
                sink.report(|| {
                    let message = format!("there is no constant named `{id}`");
                    Diagnostic::error("P0207", message).at(id.span, "").help_nearest(
                        &id.text,
                        index.operators.keys().copied(),
                        "",
                    )
                });
                None
            }
        },
        Operator::RangeConstant { value, range } => {
            Some((Element::Integer(*value), types.number(Type::Range(*range))))
        }
        _ => None,
    }
}
