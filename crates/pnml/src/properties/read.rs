//! Reading property files.

use std::collections::HashMap;

use super::{FORMAT, FORMULA, Formula, Operator, PLAIN, Property};
use crate::document::Id;
use crate::limits::Limits;
use crate::xml::{Element, Step, Xml};
use diagnostics::{Diagnostic, Report, Span};

/// Reads a property file. Whether its places and transitions exist is for
/// [`claims`](super::claims()) to say.
///
/// # Errors
///
/// Everything that is wrong with the file, the first [`Diagnostics::KEPT`](diagnostics::Diagnostics::KEPT) of it with place and way out.
pub fn read(text: &str, limits: &Limits) -> Result<Vec<Property>, Report> {
    let (mut xml, accepted) = Xml::new(text, FORMAT, limits);
    let properties = accepted.and_then(|()| xml.properties());
    xml.sink.finish(text).into_result()?;
    Ok(properties.unwrap_or_default())
}

impl<'t> Xml<'t> {
    fn properties(&mut self) -> Step<Vec<Property>> {
        let root = self.root()?;
        root.allow(&[], &mut self.sink);
        let mut list = Vec::new();
        let mut known: HashMap<String, Span> = HashMap::new();
        while let Some(child) = self.child()? {
            if child.name != "property" {
                self.unexpected(&child, "property-set", &["property"])?;
                continue;
            }
            let Some(property) = self.property(&child)? else { continue };
            let id = &property.id;
            if let Some(first) = known.insert(id.text.clone(), id.span) {
                self.report(|| {
                    let message = format!("two properties have the identifier `{id}`");
                    Diagnostic::error("P0201", message)
                        .at(id.span, "")
                        .also(first, "the first is here")
                });
            }
            list.push(property);
        }
        self.finish()?;
        Ok(list)
    }

    fn property(&mut self, element: &Element<'t>) -> Step<Option<Property>> {
        element.allow(&[], &mut self.sink);
        let (mut id, mut description, mut formula) = (None, None, None);
        while let Some(child) = self.child()? {
            match child.name {
                "id" => {
                    let text = self.text()?.trim().to_owned();
                    self.once(&mut id, Some(Id { text, span: child.tag }), &child);
                }
                "description" => {
                    let text = self.text()?.trim().to_owned();
                    self.once(&mut description, Some(text), &child);
                }
                "formula" => {
                    let found = self.only_formula(&child)?;
                    self.once(&mut formula, Some(found), &child);
                }
                "tags" => self.skip()?,
                _ => {
                    let expected = ["id", "description", "formula"];
                    self.unexpected(&child, "property", &expected)?;
                }
            }
        }
        if formula.is_none() {
            self.missing("a `<formula>`", element);
        }
        let Some(id) = id.filter(|id| !id.text.is_empty()) else {
            self.missing("an `<id>`", element);
            return Ok(None);
        };
        let formula = formula.flatten();
        Ok(formula.map(|formula| Property { id, description, formula, span: element.tag }))
    }

    /// What is in a `formula`; reported if it is not one formula.
    fn only_formula(&mut self, element: &Element<'t>) -> Step<Option<Formula>> {
        element.allow(&[], &mut self.sink);
        let mut formula = None;
        let mut seen = false;
        while let Some(child) = self.child()? {
            if std::mem::replace(&mut seen, true) {
                self.report(|| {
                    Diagnostic::error("P0402", "a property is one formula, and here is another")
                        .at(child.tag, "")
                        .help("join them with `<conjunction>` or `<disjunction>`")
                });
            }
            formula = self.formula(child, "formula")?;
        }
        if !seen {
            self.missing("a formula in it", element);
        }
        Ok(formula)
    }

    /// The formula that an element stands for; none if it stands for none, which is reported.
    fn formula(&mut self, element: Element<'t>, parent: &str) -> Step<Option<Formula>> {
        if !within(parent).contains(&element.name) {
            return self.unexpected(&element, parent, &within(parent)).map(|()| None);
        }
        element.allow(&[], &mut self.sink);
        let operator = match element.name {
            "integer-constant" => self.constant(&element)?.map(Operator::Constant),
            "is-fireable" => self.ids(&element, "transition")?.map(Operator::Fireable),
            "tokens-count" => self.ids(&element, "place")?.map(Operator::Tokens),
            "place-bound" => self.ids(&element, "place")?.map(Operator::Bound),
            _ => return self.applied(&element),
        };
        let leaf = |operator| Formula { operator, operands: Vec::new(), span: element.tag };
        Ok(operator.map(leaf))
    }

    /// An operator with its operands.
    fn applied(&mut self, element: &Element<'t>) -> Step<Option<Formula>> {
        let mut operands: Vec<(&str, Formula)> = Vec::new();
        // If an operand was reported, the others say nothing.
        let mut is_flawed = false;
        while let Some(child) = self.child()? {
            let name = child.name;
            match self.formula(child, element.name)? {
                Some(operand) => operands.push((name, operand)),
                None => is_flawed = true,
            }
        }
        // The two sides of `until` may come in either order.
        operands.sort_by_key(|(name, _)| *name == "reach");
        let row = PLAIN.iter().find(|(name, ..)| *name == element.name);
        let (count, are_integers) = row.map_or(FORMULA, |(.., takes)| takes.clone());
        let is_until = element.name == "until";
        let fits = count.contains(&operands.len())
            && operands.iter().all(|(_, operand)| operand.is_integer() == are_integers)
            && (!is_until || operands[0].0 != operands[1].0);
        if !fits {
            if !is_flawed {
                let takes = match (*count.end(), if are_integers { "integer" } else { "formula" }) {
                    _ if is_until => "one `<before>` and one `<reach>`".into(),
                    (0, _) => "nothing".into(),
                    (1, what) => format!("one {what}"),
                    (2, what) => format!("two {what}s"),
                    (_, what) => format!("{what}s, at least one"),
                };
                self.misapplied(element, &takes, &words(&operands));
            }
            return Ok(None);
        }
        let mut operands: Vec<Formula> = operands.into_iter().map(|(_, operand)| operand).collect();
        // A side of `until` is its operand.
        let Some((_, operator, _)) = row else { return Ok(operands.pop()) };
        Ok(Some(Formula { operator: operator.clone(), operands, span: element.tag }))
    }

    fn ids(&mut self, element: &Element<'t>, each: &str) -> Step<Option<Vec<Id>>> {
        let mut ids = Vec::new();
        let mut seen = false;
        while let Some(child) = self.child()? {
            seen = true;
            if child.name != each {
                self.unexpected(&child, element.name, &[each])?;
                continue;
            }
            child.allow(&[], &mut self.sink);
            let text = self.text()?.trim().to_owned();
            if text.is_empty() {
                self.missing("an identifier in it", &child);
            }
            ids.push(Id { text, span: child.tag });
        }
        if !seen {
            self.misapplied(element, &format!("{each}s, at least one"), "nothing");
        }
        Ok((!ids.is_empty()).then_some(ids))
    }

    fn constant(&mut self, element: &Element<'t>) -> Step<Option<i64>> {
        let text = self.text()?;
        let number = text.trim().parse();
        if number.is_err() {
            self.report(|| {
                let shown: String = text.trim().chars().take(40).collect();
                let message = format!("`{shown}` is no integer of 64 bits");
                Diagnostic::error("P0109", message).at(element.tag, "")
            });
        }
        Ok(number.ok())
    }

    fn misapplied(&mut self, element: &Element<'t>, takes: &str, found: &str) {
        self.report(|| {
            let message = format!("`<{}>` takes {takes}", element.name);
            Diagnostic::error("P0402", message).at(element.tag, format!("here: {found}"))
        });
    }
}

/// The elements that may be in an element.
fn within(parent: &str) -> Vec<&'static str> {
    match parent {
        "true" | "false" | "deadlock" => Vec::new(),
        "until" => vec!["before", "reach"],
        _ => {
            let others = ["is-fireable", "integer-constant", "tokens-count", "place-bound"];
            PLAIN.iter().map(|(name, ..)| *name).chain(others).collect()
        }
    }
}

/// How many operands there are that are formulas, and how many that are integers.
fn words(operands: &[(&str, Formula)]) -> String {
    let integers = operands.iter().filter(|(_, operand)| operand.is_integer()).count();
    let counts = [(operands.len() - integers, "formula"), (integers, "integer")];
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    let list: Vec<String> = some
        .map(|(count, name)| format!("{count} {name}{}", if count > 1 { "s" } else { "" }))
        .collect();
    if list.is_empty() { "nothing".into() } else { list.join(", ") }
}
