//! Labels: what is written at nodes and arcs, as text for people and as structure for machines.

use super::Reader;
use crate::document::{Label, Tokens};
use crate::xml::{Element, Step};
use diagnostics::{Diagnostic, Span};

impl<'t> Reader<'t> {
    /// The text of a `name`.
    pub(super) fn name(&mut self, element: &Element<'t>) -> Step<Option<String>> {
        Ok(self.text_label(element)?.map(|(text, _)| text))
    }

    /// The number of tokens of a label of P/T nets.
    pub(super) fn number(&mut self, element: &Element<'t>, least: u64) -> Step<Option<Tokens>> {
        let Some((text, span)) = self.text_label(element)? else {
            self.xml.missing("a `<text>` with a number", element);
            return Ok(None);
        };
        // PIPE writes the colour of tokens with their number, and has one colour if nothing else is said.
        let digits = match text.split_once(',') {
            Some(("Default", number)) => number.trim(),
            _ => text.strip_prefix('+').unwrap_or(&text),
        };
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits.parse().ok().filter(|_| is_number) {
            Some(count) if count >= least => {
                return Ok(Some(Tokens::Number { count, span: element.tag }));
            }
            Some(_) => self.xml.report(|| {
                Diagnostic::error("P0109", "an arc moves at least one token")
                    .at(span, "")
                    .help("remove the arc, if it does nothing")
            }),
            None => self.no_number(&text, span),
        }
        Ok(None)
    }

    /// Reports that a number of tokens is none.
    pub(super) fn no_number(&mut self, text: &str, span: Span) {
        self.xml.report(|| {
            let shown: String = text.chars().take(40).collect();
            let error = Diagnostic::error("P0109", format!("`{shown}` is no number of tokens"));
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            error.at(span, "").help(match is_number {
                true => format!("the greatest that is read is {}", u64::MAX),
                false => "in P/T nets these are written in digits only".into(),
            })
        });
    }

    /// The text of a label that has nothing else, and where it starts.
    fn text_label(&mut self, element: &Element<'t>) -> Step<Option<(String, Span)>> {
        let mut text = None;
        while let Some(child) = self.xml.child()? {
            match child.name {
                "text" | "value" => {
                    child.allow(&[], &mut self.xml.sink);
                    if child.name == "value" {
                        let message = "the text of a label stands in `<value>`, not in `<text>`";
                        self.understood("value", || (message.into(), child.tag));
                    }
                    let content = self.xml.text()?.trim().to_owned();
                    self.xml.once(&mut text, Some((content, child.tag)), &child);
                }
                "graphics" | "toolspecific" => self.xml.skip()?,
                _ => {
                    let expected = ["text", "graphics", "toolspecific"];
                    self.xml.ignore(&child, element.name, &expected)?;
                }
            }
        }
        Ok(text)
    }

    /// A label of symmetric nets. `content` reads the one element that is its structure.
    pub(super) fn label<T>(
        &mut self,
        element: &Element<'t>,
        what: &str,
        content: fn(&mut Reader<'t>, Element<'t>) -> Step<Option<T>>,
    ) -> Step<Option<Label<T>>> {
        element.allow(&[], &mut self.xml.sink);
        let mut text = None;
        let mut value = None;
        let mut has_structure = false;
        while let Some(child) = self.xml.child()? {
            match child.name {
                "text" => {
                    child.allow(&[], &mut self.xml.sink);
                    let content = self.xml.text()?.trim().to_owned();
                    self.xml.once(&mut text, Some(content), &child);
                }
                "structure" => {
                    child.allow(&[], &mut self.xml.sink);
                    has_structure = true;
                    let structure = self.only(&child, what, content)?;
                    self.xml.once(&mut value, structure, &child);
                }
                "graphics" | "toolspecific" => self.xml.skip()?,
                _ => {
                    let expected = ["text", "structure", "graphics", "toolspecific"];
                    self.xml.ignore(&child, element.name, &expected)?;
                }
            }
        }
        if !has_structure {
            self.xml.report(|| {
                let message = format!("`<{}>` has no `<structure>`", element.name);
                Diagnostic::error("P0107", message)
                    .at(element.tag, "")
                    .help("its `<text>` is for people; nothing is read from it")
            });
        }
        Ok(value.map(|value| Label { text, value, span: element.tag }))
    }
}
