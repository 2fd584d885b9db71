//! Reading property files, with a stack of the formulas that are open.

use std::collections::HashMap;

use super::{Comparison, FORMAT, Formula, FormulaShape, Property};
use super::{Quantity, QuantityShape, Question};
use crate::document::Id;
use crate::limits::Limits;
use crate::xml::{Element, Step, Xml};
use diagnostics::Span;
use diagnostics::{Diagnostic, Report};

/// Reads a property file. Whether its places and transitions exist is for
/// [`check`](super::check) to say.
///
/// # Errors
///
/// Everything that is wrong with the file, the first [`Diagnostics::KEPT`](diagnostics::Diagnostics::KEPT) of it with place and way out.
pub fn read(text: &str, limits: &Limits) -> Result<Vec<Property>, Report> {
    let (xml, accepted) = Xml::new(text, FORMAT, limits);
    let mut reader = Reader { xml };
    let properties = accepted.and_then(|()| reader.properties());
    reader.xml.sink.finish(text).into_result()?;
    Ok(properties.unwrap_or_default())
}

/// The elements that formulas and quantities are made of.
const PARTS: &[&str] = &[
    "conjunction",
    "disjunction",
    "negation",
    "implication",
    "equivalence",
    "exclusive-disjunction",
    "all-paths",
    "exists-path",
    "globally",
    "finally",
    "next",
    "until",
    "is-fireable",
    "deadlock",
    "true",
    "false",
    "integer-le",
    "integer-lt",
    "integer-ge",
    "integer-gt",
    "integer-eq",
    "integer-ne",
    "integer-constant",
    "tokens-count",
    "place-bound",
    "integer-sum",
    "integer-product",
    "integer-difference",
];

struct Reader<'t> {
    xml: Xml<'t>,
}

/// Something in a formula.
enum Part {
    Formula(Formula),
    Quantity(Quantity),
    Before(Formula),
    Reach(Formula),
    Place(Id),
    Transition(Id),
}

/// An element whose parts are being read.
struct Open<'t> {
    element: Element<'t>,
    parts: Vec<Part>,
    /// Whether a part was reported, so that the others say nothing.
    flawed: bool,
}

impl<'t> Reader<'t> {
    fn properties(&mut self) -> Step<Vec<Property>> {
        let root = self.xml.root()?;
        root.allow(&[], &mut self.xml.sink);
        let mut list = Vec::new();
        let mut known: HashMap<String, Span> = HashMap::new();
        while let Some(child) = self.xml.child()? {
            if child.name != "property" {
                self.xml.unexpected(&child, "property-set", &["property"])?;
                continue;
            }
            let Some(property) = self.property(&child)? else { continue };
            let id = &property.id;
            if let Some(first) = known.insert(id.text.clone(), id.span) {
                self.xml.report(|| {
                    let message = format!("two properties have the identifier `{id}`");
                    Diagnostic::error("P0201", message)
                        .at(id.span, "")
                        .also(first, "the first is here")
                });
            }
            list.push(property);
        }
        self.xml.finish()?;
        Ok(list)
    }

    fn property(&mut self, element: &Element<'t>) -> Step<Option<Property>> {
        element.allow(&[], &mut self.xml.sink);
        let (mut id, mut description, mut question) = (None, None, None);
        let mut asked = false;
        while let Some(child) = self.xml.child()? {
            let slot_taken = match child.name {
                "id" => {
                    let text = self.xml.text()?.trim().to_owned();
                    id.replace(Id { text, span: child.tag }).is_some()
                }
                "description" => {
                    let text = self.xml.text()?.trim().to_owned();
                    description.replace(text).is_some()
                }
                "formula" => {
                    let before = std::mem::replace(&mut asked, true);
                    question = self.question(&child)?.or(question);
                    before
                }
                "tags" => {
                    self.xml.skip()?;
                    false
                }
                _ => {
                    let expected = ["id", "description", "formula"];
                    self.xml.unexpected(&child, "property", &expected)?;
                    false
                }
            };
            if slot_taken {
                self.xml.report(|| {
                    let message = format!("a second `<{}>` in the same property", child.name);
                    Diagnostic::error("P0108", message).at(child.tag, "").help("remove one of them")
                });
            }
        }
        if !asked {
            self.missing("a `<formula>`", element);
        }
        let Some(id) = id.filter(|id| !id.text.is_empty()) else {
            self.missing("an `<id>`", element);
            return Ok(None);
        };
        Ok(question.map(|question| Property { id, description, question, span: element.tag }))
    }

    fn missing(&mut self, what: &str, element: &Element<'t>) {
        self.xml.report(|| {
            Diagnostic::error("P0107", format!("`<{}>` needs {what}", element.name))
                .at(element.tag, "")
        });
    }

    /// What is in a `formula`; reported if it is not one formula or one quantity.
    fn question(&mut self, element: &Element<'t>) -> Step<Option<Question>> {
        element.allow(&[], &mut self.xml.sink);
        let mut question = None;
        let mut seen = false;
        while let Some(child) = self.xml.child()? {
            if std::mem::replace(&mut seen, true) {
                self.xml.report(|| {
                    Diagnostic::error("P0402", "a property is one formula, and here is another")
                        .at(child.tag, "")
                        .help("join them with `<conjunction>` or `<disjunction>`")
                });
            }
            question = match self.part(child)? {
                Some(Part::Formula(formula)) => Some(Question::Holds(formula)),
                Some(Part::Quantity(quantity)) => Some(Question::Value(quantity)),
                _ => None,
            };
        }
        if !seen {
            self.missing("a formula in it", element);
        }
        Ok(question)
    }

    /// The part that an element stands for, with all that is in it.
    fn part(&mut self, element: Element<'t>) -> Step<Option<Part>> {
        if !PARTS.contains(&element.name) {
            self.xml.unexpected(&element, "formula", PARTS)?;
            return Ok(None);
        }
        element.allow(&[], &mut self.xml.sink);
        if element.name == "integer-constant" {
            return self.constant(&element);
        }
        let mut stack = vec![Open { element, parts: Vec::new(), flawed: false }];
        while let Some(top) = stack.last_mut() {
            let Some(child) = self.xml.child()? else {
                let part = stack.pop().and_then(|open| self.close(open));
                match stack.last_mut() {
                    Some(outer) => outer.take(part),
                    None => return Ok(part),
                }
                continue;
            };
            let expected = within(top.element.name);
            if !expected.contains(&child.name) {
                top.flawed = true;
                self.xml.unexpected(&child, top.element.name, expected)?;
                continue;
            }
            child.allow(&[], &mut self.xml.sink);
            match child.name {
                "integer-constant" => top.take(self.constant(&child)?),
                "place" => top.take(Some(Part::Place(self.id(&child)?))),
                "transition" => top.take(Some(Part::Transition(self.id(&child)?))),
                _ => stack.push(Open { element: child, parts: Vec::new(), flawed: false }),
            }
        }
        Ok(None)
    }

    fn id(&mut self, element: &Element<'t>) -> Step<Id> {
        let text = self.xml.text()?.trim().to_owned();
        if text.is_empty() {
            self.missing("an identifier in it", element);
        }
        Ok(Id { text, span: element.tag })
    }

    fn constant(&mut self, element: &Element<'t>) -> Step<Option<Part>> {
        let text = self.xml.text()?;
        match text.trim().parse() {
            Ok(value) => {
                let shape = QuantityShape::Constant(value);
                Ok(Some(Part::Quantity(Quantity { shape, span: element.tag })))
            }
            Err(_) => {
                self.xml.report(|| {
                    let shown: String = text.trim().chars().take(40).collect();
                    let message = format!("`{shown}` is no integer of 64 bits");
                    Diagnostic::error("P0109", message).at(element.tag, "")
                });
                Ok(None)
            }
        }
    }

    /// Makes one part of an element and the parts in it.
    fn close(&mut self, open: Open<'t>) -> Option<Part> {
        let Open { element, parts, flawed } = open;
        let (name, span) = (element.name, element.tag);
        let found = found(&parts);
        let part = assemble(name, span, parts);
        if part.is_none() && !flawed {
            self.xml.report(|| {
                let message = format!("`<{name}>` takes {}", takes(name));
                Diagnostic::error("P0402", message).at(span, format!("here: {}", words(found)))
            });
        }
        part
    }
}

impl Open<'_> {
    fn take(&mut self, part: Option<Part>) {
        match part {
            Some(part) => self.parts.push(part),
            None => self.flawed = true,
        }
    }
}

/// The elements that may be in an element.
fn within(name: &str) -> &'static [&'static str] {
    match name {
        "true" | "false" | "deadlock" => &[],
        "is-fireable" => &["transition"],
        "tokens-count" | "place-bound" => &["place"],
        "until" => &["before", "reach"],
        _ => PARTS,
    }
}

/// How many parts there are that are formulas, integers, and other things.
fn found(parts: &[Part]) -> [usize; 3] {
    let mut counts = [0; 3];
    for part in parts {
        let kind = match part {
            Part::Formula(_) => 0,
            Part::Quantity(_) => 1,
            _ => 2,
        };
        counts[kind] += 1;
    }
    counts
}

fn words(counts: [usize; 3]) -> String {
    let names = [["formula", "formulas"], ["integer", "integers"], ["other", "others"]];
    let some = counts.into_iter().zip(names).filter(|(count, _)| *count > 0);
    let list: Vec<String> =
        some.map(|(count, name)| format!("{count} {}", name[usize::from(count > 1)])).collect();
    if list.is_empty() { "nothing".into() } else { list.join(", ") }
}

/// What an element is made of, in words.
fn takes(name: &str) -> &'static str {
    match name {
        "true" | "false" | "deadlock" => "nothing",
        "is-fireable" => "transitions, at least one",
        "tokens-count" | "place-bound" => "places, at least one",
        "conjunction" | "disjunction" => "formulas, at least one",
        "implication" | "equivalence" | "exclusive-disjunction" => "two formulas",
        "until" => "one `<before>` and one `<reach>`",
        "integer-sum" | "integer-product" => "integers, at least one",
        _ if name.starts_with("integer-") => "two integers",
        _ => "one formula",
    }
}

/// An element and its parts as one part; none if they do not go together.
fn assemble(name: &str, span: Span, parts: Vec<Part>) -> Option<Part> {
    use FormulaShape as F;
    use QuantityShape as Q;
    let formula = |shape| Some(Part::Formula(Formula { shape, span }));
    let quantity = |shape| Some(Part::Quantity(Quantity { shape, span }));
    let comparison = Comparison::ALL.into_iter().find(|comparison| comparison.element() == name);
    if let Some(comparison) = comparison {
        let [left, right] = *two(all(parts, as_quantity)?)?;
        return formula(F::Compare(comparison, left, right));
    }
    match name {
        "true" => formula(parts.is_empty().then_some(F::True)?),
        "false" => formula(parts.is_empty().then_some(F::False)?),
        "deadlock" => formula(parts.is_empty().then_some(F::Deadlock)?),
        "is-fireable" => formula(F::Fireable(all(parts, as_transition)?)),
        "negation" => formula(F::Not(one(parts)?)),
        "conjunction" => formula(F::And(all(parts, as_formula)?)),
        "disjunction" => formula(F::Or(all(parts, as_formula)?)),
        "implication" => formula(F::Implies(two(all(parts, as_formula)?)?)),
        "equivalence" => formula(F::Equivalent(two(all(parts, as_formula)?)?)),
        "exclusive-disjunction" => formula(F::Differ(two(all(parts, as_formula)?)?)),
        "all-paths" => formula(F::AllPaths(one(parts)?)),
        "exists-path" => formula(F::ExistsPath(one(parts)?)),
        "next" => formula(F::Next(one(parts)?)),
        "globally" => formula(F::Globally(one(parts)?)),
        "finally" => formula(F::Finally(one(parts)?)),
        "before" => Some(Part::Before(*one(parts)?)),
        "reach" => Some(Part::Reach(*one(parts)?)),
        "until" => match <[Part; 2]>::try_from(parts).ok()? {
            [Part::Before(before), Part::Reach(reach)]
            | [Part::Reach(reach), Part::Before(before)] => {
                formula(F::Until(Box::new([before, reach])))
            }
            _ => None,
        },
        "tokens-count" => quantity(Q::Tokens(all(parts, as_place)?)),
        "place-bound" => quantity(Q::Bound(all(parts, as_place)?)),
        "integer-sum" => quantity(Q::Sum(all(parts, as_quantity)?)),
        "integer-product" => quantity(Q::Product(all(parts, as_quantity)?)),
        "integer-difference" => quantity(Q::Difference(two(all(parts, as_quantity)?)?)),
        _ => None,
    }
}

fn as_formula(part: Part) -> Option<Formula> {
    if let Part::Formula(formula) = part { Some(formula) } else { None }
}

fn as_quantity(part: Part) -> Option<Quantity> {
    if let Part::Quantity(quantity) = part { Some(quantity) } else { None }
}

fn as_place(part: Part) -> Option<Id> {
    if let Part::Place(id) = part { Some(id) } else { None }
}

fn as_transition(part: Part) -> Option<Id> {
    if let Part::Transition(id) = part { Some(id) } else { None }
}

/// All parts, at least one, if they are of one kind.
fn all<T>(parts: Vec<Part>, kind: fn(Part) -> Option<T>) -> Option<Vec<T>> {
    let list: Vec<T> = parts.into_iter().map(kind).collect::<Option<_>>()?;
    (!list.is_empty()).then_some(list)
}

fn one(parts: Vec<Part>) -> Option<Box<Formula>> {
    let [part] = <[Part; 1]>::try_from(parts).ok()?;
    as_formula(part).map(Box::new)
}

fn two<T>(list: Vec<T>) -> Option<Box<[T; 2]>> {
    <[T; 2]>::try_from(list).ok().map(Box::new)
}
