//! What tools write that is not in the standard.
//!
//! What does not change the meaning is skipped with one warning for each kind: text between elements,
//! attributes and elements of a tool's own. What has a plain meaning is understood, with a warning too:
//! nodes outside of a page, `<value>` for `<text>`, numbers of tokens in attributes, other names for the
//! type of a net. What gives a net another meaning is refused, once for each kind: other arcs than those that
//! move tokens, capacities, priorities, time.

use super::Reader;
use crate::document::{Kind, Tokens};
use crate::xml::{Element, Step, ignored_attribute};
use diagnostics::{Diagnostic, Span};

/// What tools call an arc that moves tokens.
const ORDINARY: &[&str] = &["", "normal", "regular", "ordinary", "standard", "timed"];

impl<'t> Reader<'t> {
    /// The kind of a net, from the attribute that says its type; if that does not tell, from its labels.
    pub(super) fn kind(&mut self, element: &Element<'t>) -> Kind {
        let kinds = [Kind::PlaceTransition, Kind::Symmetric];
        let given = element.optional("type", &mut self.xml.sink);
        let uri = given.as_ref().map_or("", |(uri, _)| uri.trim());
        if let Some(kind) = kinds.into_iter().find(|kind| kind.uri() == uri) {
            return kind;
        }
        let rest = self.xml.rest();
        let is_coloured = ["hlinitialMarking", "hlinscription", "<structure"]
            .iter()
            .any(|label| rest.contains(label));
        let kind = if is_coloured { Kind::Symmetric } else { Kind::PlaceTransition };
        let span = given.map_or(element.tag, |(_, span)| span);
        self.xml.sink.report_kind("type of net".into(), || {
            let message = format!("the net is not said to be a {}; it is read as one", kind.name());
            Diagnostic::warning("P0102", message)
                .at(span, "")
                .help(format!("the type of such nets is `{}`", kind.uri()))
        });
        kind
    }

    /// The number of tokens that an attribute gives, as TAPAAL writes it.
    pub(super) fn tokens_in(
        &mut self,
        element: &Element<'t>,
        name: &'static str,
    ) -> Option<Tokens> {
        let (text, span) = element.optional(name, &mut self.xml.sink)?;
        self.understood(name, || {
            (
                format!("`<{}>` has its number of tokens in the attribute `{name}`", element.name),
                span,
            )
        });
        match text.trim().parse() {
            Ok(count) => Some(Tokens::Number { count, span: element.tag }),
            Err(_) => {
                self.no_number(text.trim(), span);
                None
            }
        }
    }

    /// Warns once that something not in the standard is understood.
    pub(super) fn understood(&mut self, kind: &str, what: impl FnOnce() -> (String, Span)) {
        self.xml.sink.report_kind(format!("understood {kind}"), || {
            let (message, span) = what();
            Diagnostic::warning("P0114", message)
                .at(span, "")
                .help("this is understood, but not PNML as the standard has it")
        });
    }

    /// Refuses an arc that does not simply move tokens. This and what is like it tell whether all is well.
    fn arc_type(&mut self, given: &str, span: Span) -> bool {
        let given = given.trim();
        if ORDINARY.iter().any(|word| word.eq_ignore_ascii_case(given)) {
            return true;
        }
        let lower = given.to_ascii_lowercase();
        let is = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let help = if is(&["inhibitor"]) {
            "a `.kin` model can say this: `unless p` in a transition"
        } else if is(&["read", "test"]) {
            "write an arc from the place to the transition, and one back"
        } else if is(&["reset"]) {
            "nets in PNML have no such arcs: take tokens one by one"
        } else {
            "only arcs that move tokens are read"
        };
        self.refused(&format!("arc {lower}"), span, help, || {
            format!("arcs of type `{given}` are not read")
        })
    }

    /// Refuses what gives a net another meaning.
    fn refused(
        &mut self,
        kind: &str,
        span: Span,
        help: &str,
        message: impl FnOnce() -> String,
    ) -> bool {
        self.xml.sink.report_kind(format!("refused {kind}"), || {
            Diagnostic::error("P0113", message())
                .at(span, "this changes what the net means")
                .help(help)
        });
        false
    }

    /// Looks at the attributes of an element that would change the meaning, and at the others that there may
    /// not be.
    pub(super) fn attributes(&mut self, element: &Element<'t>, standard: &[&str]) {
        const LOOKED_AT: &[&str] =
            &["capacity", "invariant", "priority", "urgent", "type", "inscription"];
        element.allow(&[standard, LOOKED_AT].concat(), &mut self.xml.sink);
        for &name in LOOKED_AT {
            let Some((value, span)) = element.optional(name, &mut self.xml.sink) else { continue };
            if self.is_harmless(element.name, name, &value, span) {
                ignored_attribute(name, span, &mut self.xml.sink);
            }
        }
    }

    /// Refuses what a tool says of a node or an arc, unless it leaves the meaning as it is.
    fn is_harmless(&mut self, of: &str, name: &'t str, value: &str, span: Span) -> bool {
        match (of, name) {
            ("place", "capacity") => self.capacity(value, span),
            ("transition", "priority" | "timed") => self.priority(name, value, span),
            ("transition", "urgent") => value.trim() != "true" || self.time("urgent", span),
            ("arc", "type" | "arctype") => self.arc_type(value, span),
            ("arc", "inscription") => value.trim() == "1" || self.time(value, span),
            ("place", "invariant") | ("transition", "delay" | "timing" | "interval") => {
                self.time(value, span)
            }
            _ => true,
        }
    }

    /// Reads an element of a place, a transition or an arc that is not in the standard: refuses it if it
    /// would change the meaning, and otherwise skips it.
    pub(super) fn extension(
        &mut self,
        child: &Element<'t>,
        parent: &str,
        expected: &[&str],
    ) -> Step<()> {
        let is_known = match parent {
            "place" => child.name == "capacity",
            "arc" => ["type", "arctype"].contains(&child.name),
            _ => ["priority", "timed", "delay", "timing", "interval"].contains(&child.name),
        };
        if !is_known {
            return self.xml.ignore(child, parent, expected);
        }
        let attribute = child.optional("value", &mut self.xml.sink);
        let within = self.characters()?;
        let value = attribute.map_or(within.into(), |(value, _)| value);
        if self.is_harmless(parent, child.name, &value, child.tag) {
            self.xml.ignored(child);
        }
        Ok(())
    }

    /// All characters in the open element and in what is in it, without blanks.
    fn characters(&mut self) -> Step<String> {
        let mut characters = String::new();
        let is_kept = |c: &char| !c.is_whitespace();
        self.xml.skip_with(|text| characters.extend(text.chars().filter(is_kept)))?;
        Ok(characters)
    }

    fn capacity(&mut self, given: &str, span: Span) -> bool {
        let help = "add a place for what is free: an arc that fills the one empties the other";
        ["", "0", "-1", "inf"].contains(&given.trim())
            || self.refused("capacity", span, help, || "places with a capacity are not read".into())
    }

    /// Refuses an interval, unless it leaves all time there is.
    fn time(&mut self, given: &str, span: Span) -> bool {
        let given: String = given.chars().filter(|c| !c.is_whitespace()).collect();
        let help = "without its times the net could do more: remove them, if that is meant";
        ["", "0infty", "[0,inf)", "[0;inf[", "[0,w[", "<inf"].contains(&given.as_str())
            || self.refused("time", span, help, || "nets with time are not read".into())
    }

    /// Refuses priorities, unless all transitions have the same. Timed transitions wait for those that are not.
    fn priority(&mut self, name: &'t str, given: &str, span: Span) -> bool {
        let given = given.trim().to_owned();
        let help = "without priorities the net could do more: remove them, if that is meant";
        *self.priorities.entry(name).or_insert_with(|| given.clone()) == given
            || self.refused("priority", span, help, || {
                format!("transitions with different values of `{name}` are not read")
            })
    }
}
