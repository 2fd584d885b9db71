//! The start tag of an element: its name and its attributes.

use std::borrow::Cow;

use super::entities::attribute_value;
use super::unknown_reference;
use crate::document::Id;
use diagnostics::{Diagnostic, Diagnostics, Span};

/// No element has more attributes than this.
const MOST: usize = 64;

/// A start tag.
#[derive(Debug)]
pub(crate) struct Element<'t> {
    /// The local name, if the prefix is that of the document.
    pub(crate) name: &'t str,
    pub(crate) name_span: Span,
    pub(crate) tag: Span,
    pub(super) attributes: Vec<Attribute<'t>>,
}

#[derive(Debug)]
pub(super) struct Attribute<'t> {
    name: &'t str,
    name_span: Span,
    /// The value as it is written.
    pub(super) raw: &'t str,
    pub(super) span: Span,
}

impl<'t> Element<'t> {
    /// The attribute that says what namespace the names with this prefix are of.
    pub(super) fn namespace(&self, prefix: Option<&str>) -> Option<&Attribute<'t>> {
        self.attributes.iter().find(|attribute| match (attribute.name, prefix) {
            ("xmlns", None) => true,
            (name, Some(prefix)) => name.strip_prefix("xmlns:") == Some(prefix),
            _ => false,
        })
    }

    /// Warns of attributes other than these. Those with a prefix, and `xmlns`, are not looked at.
    pub(crate) fn allow(&self, names: &[&str], sink: &mut Diagnostics) {
        for Attribute { name, name_span, .. } in &self.attributes {
            if !names.contains(name) && !name.contains(':') && *name != "xmlns" {
                ignored_attribute(name, *name_span, sink);
            }
        }
    }

    /// The value of an attribute and where it stands, if it is there.
    pub(crate) fn optional(
        &self,
        name: &str,
        sink: &mut Diagnostics,
    ) -> Option<(Cow<'t, str>, Span)> {
        let attribute = self.attributes.iter().find(|attribute| attribute.name == name)?;
        match attribute_value(attribute.raw) {
            Ok(value) => Some((value, attribute.span)),
            Err(reference) => {
                sink.report(|| unknown_reference(reference, attribute.span));
                None
            }
        }
    }

    /// The value of an attribute and where it stands; none, and reported, if there is none.
    pub(crate) fn value(&self, name: &str, sink: &mut Diagnostics) -> Option<(Cow<'t, str>, Span)> {
        if !self.attributes.iter().any(|attribute| attribute.name == name) {
            sink.report(|| {
                let message = format!("`<{}>` needs an attribute `{name}`", self.name);
                Diagnostic::error("P0105", message).at(self.tag, "")
            });
        }
        self.optional(name, sink)
    }

    /// The value of an attribute that names something; reported if there is none, or an empty one.
    pub(crate) fn id(&self, name: &str, sink: &mut Diagnostics) -> Id {
        let Some((value, span)) = self.value(name, sink) else { return Id::default() };
        let value = value.trim();
        if value.is_empty() {
            sink.report(|| {
                let message = format!("the attribute `{name}` of `<{}>` is empty", self.name);
                Diagnostic::error("P0105", message).at(self.tag, "")
            });
        }
        Id { text: value.to_owned(), span }
    }
}

/// Warns that an attribute was not needed to know what the document means.
pub(crate) fn ignored_attribute(name: &str, span: Span, sink: &mut Diagnostics) {
    sink.report_named("attributes".into(), name, || {
        Diagnostic::warning("P0106", "attributes are ignored that PNML does not have").at(span, "")
    });
}

/// The attributes in the rest of a tag, which starts at this place of the text.
pub(super) fn attributes(rest: &str, base: usize) -> Result<Vec<Attribute<'_>>, Box<Diagnostic>> {
    let blanks = [' ', '\t', '\n', '\r'];
    let mut list: Vec<Attribute<'_>> = Vec::new();
    let mut at = 0;
    loop {
        let left = &rest[at..];
        let start = at + left.len() - left.trim_start_matches(blanks).len();
        if start == rest.len() {
            return Ok(list);
        }
        let left = &rest[start..];
        let length = left.find(|c| c == '=' || blanks.contains(&c)).unwrap_or(left.len());
        let name = &left[..length];
        let name_span = Span::new(base + start..base + start + length);
        let wrong =
            |message: String| Box::new(Diagnostic::error("P0007", message).at(name_span, ""));
        if start == at {
            return Err(wrong("a space is missing before this".into()));
        }
        if !is_name(name) {
            return Err(wrong("this is no name of an attribute".into()));
        }
        let value = left[length..].trim_start_matches(blanks).strip_prefix('=');
        let value = value.map(|value| value.trim_start_matches(blanks));
        let quoted = value.and_then(|value| {
            let quote = value.chars().next().filter(|&c| c == '"' || c == '\'')?;
            value[1..].split_once(quote)
        });
        let Some((raw, after)) = quoted else {
            return Err(wrong(format!("the attribute `{name}` has no value in quotes")));
        };
        at = rest.len() - after.len();
        let end = base + at - 1;
        let span = Span::new(end - raw.len()..end);
        if raw.contains('<') {
            return Err(Box::new(
                Diagnostic::error("P0007", "write `&lt;` for `<` in an attribute").at(span, ""),
            ));
        }
        if let Some(first) = list.iter().find(|attribute| attribute.name == name) {
            let twice = wrong(format!("the attribute `{name}` is given twice"));
            return Err(Box::new(twice.also(first.name_span, "first here")));
        }
        if list.len() == MOST {
            return Err(wrong(format!("an element has at most {MOST} attributes")));
        }
        list.push(Attribute { name, name_span, raw, span });
    }
}

/// Whether it can be a name in XML. All characters beyond ASCII count as letters.
pub(super) fn is_name(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':' | 0x80..);
    let mut bytes = name.bytes();
    bytes.next().is_some_and(letter)
        && bytes.all(|byte| letter(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.'))
}
