//! Names as they are written: in backticks where they need them.

use net::{Literal, Net, Sort};

use crate::keyword::Keyword;

/// A name. What holds a backtick or a control character has no form in the language.
pub(super) fn quoted(name: &str) -> String {
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    let is_plain = starts && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    match is_plain && name != "_" && Keyword::parse(name).is_none() {
        true => name.to_owned(),
        false => format!("`{name}`"),
    }
}

/// A datum.
pub(super) fn literal(net: &Net, literal: Literal) -> String {
    match literal {
        Literal::Enum(id, index) => quoted(net.member(id, index)),
        other => net.literal(other),
    }
}

/// A sort.
pub(super) fn sort(net: &Net, sort: Sort) -> String {
    match sort {
        Sort::Enum(id) => quoted(&net.enumerations[id.index()].name),
        Sort::Object(id) => quoted(&net.fresh[id.index()].name),
        other => net.sort_name(other),
    }
}
