//! A property that is not written in a model, but asked of it: compiled as if it stood at the end of the text.
//!
//! So it may speak of everything that the properties of the model may speak of, and of processes what it observes
//! stays to be seen: the net may have more states than that of the model alone. What is wrong with it is said with
//! places in its own text.

use diagnostics::{Diagnostic, Diagnostics, Label, Report, Span};
use net::{Net, Property};

use crate::syntax::DeclarationKind;
use crate::{Override, compile, parser};

/// A model with a property more.
#[derive(Clone, Debug)]
pub struct Added {
    /// The net of the model, with the properties that it has without that one.
    pub net: Net,
    /// The property.
    pub property: Property,
}

/// Compiles a model that is right by itself, with a property as it would stand behind `property NAME:`.
///
/// # Errors
/// What is wrong with the property; places are those in its text.
pub fn compile_with_property(
    text: &str,
    overrides: &[Override],
    property: &str,
) -> Result<Added, Report> {
    let mut name = "typed".to_owned();
    while text.contains(&name) {
        name.push('\'');
    }
    let whole = format!("{text}\nproperty `{name}`: {property}\n");
    let start = whole.len() - property.len() - 1;
    let place = Place { model: text.len(), start, text: property };
    place.check_alone(text, &whole)?;
    let compilation = compile(&whole, overrides);
    let Some(mut net) = compilation.net else {
        return Err(place.errors(compilation.diagnostics.iter()));
    };
    let at = net.properties.iter().position(|one| one.name == name);
    let property = net.properties.remove(at.expect("what was declared is there"));
    Ok(Added { net, property })
}

/// Where the property is in the text that is compiled.
struct Place<'t> {
    /// Where the model ends.
    model: usize,
    start: usize,
    text: &'t str,
}

impl Place<'_> {
    /// Refuses what is more than one property.
    fn check_alone(&self, text: &str, whole: &str) -> Result<(), Report> {
        let before = parser::parse(text, &mut Diagnostics::default()).declarations.len();
        let mut found = Diagnostics::default();
        let model = parser::parse(whole, &mut found);
        if found.has_errors() {
            return Err(self.errors(found.finish(whole).iter()));
        }
        let is_property = matches!(
            model.declarations.get(before).map(|declaration| &declaration.kind),
            Some(DeclarationKind::Property { .. })
        );
        if !is_property {
            let error =
                Diagnostic::error("E0101", "a property cannot follow the text of the model");
            return Err(Report::of(error, self.text));
        }
        match model.declarations.get(before + 1) {
            None => Ok(()),
            Some(second) => {
                let start = (second.span.start as usize).saturating_sub(self.start);
                let word = self.text[start..].split(char::is_whitespace).next().unwrap_or_default();
                let error =
                    Diagnostic::error("E0101", format!("`{word}` starts another declaration"))
                        .at(Span::new(start..start + word.len()), "the property ends before this")
                        .help("type one property, without what follows it");
                Err(Report::of(error, self.text))
            }
        }
    }

    /// The errors among what was found in the text that was compiled.
    fn errors<'d>(&self, found: impl Iterator<Item = &'d Diagnostic>) -> Report {
        let mut own = Diagnostics::default();
        for error in found.filter(|one| one.severity == diagnostics::Severity::Error) {
            let labels = error.labels.iter().filter_map(|label| {
                // What is missing after the name is missing at the beginning.
                let own = |at: usize| at.saturating_sub(self.start).min(self.text.len());
                let is_own = label.span.start >= self.model;
                let span = own(label.span.start)..own(label.span.end);
                is_own.then(|| Label { span, ..label.clone() })
            });
            let labels = labels.collect();
            own.push(Diagnostic { labels, line: 0, column: 0, ..error.clone() });
        }
        own.finish(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NET: &str =
        "model m\nplace p = 1\ntransition t { take p }\nproperty typed: true // the end";

    #[test]
    fn a_property_is_added_and_not_kept() {
        let added = compile_with_property(NET, &[], "always count(p) <= 1").expect("it is right");
        assert_eq!(added.property.text, "always count(p) <= 1");
        assert_eq!(Some(added.net), compile(NET, &[]).net);
    }

    #[test]
    fn mistakes_are_placed_in_the_property() {
        for (text, place) in [("count(q) == 1", (1, 7)), ("true and\n  r", (2, 3)), ("", (1, 1))] {
            let report = compile_with_property(NET, &[], text).expect_err(text);
            let first = report.iter().next().expect("a mistake");
            assert_eq!((first.line, first.column), place, "{text}: {report}");
        }
    }

    #[test]
    fn nothing_else_can_be_added() {
        for text in
            ["true property more: false", "true\nplace q", "true\nprocess p { }", "true fair t"]
        {
            let report = compile_with_property(NET, &[], text).expect_err(text);
            assert!(report.to_string().contains("starts another declaration"), "{text}: {report}");
        }
    }
}
