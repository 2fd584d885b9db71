//! Writing property files.

use super::{FORMAT, Formula, Operator, PLAIN, Property};
use crate::document::Id;
use crate::write::markup::Markup;

/// The text of a property file; reading it gives the properties again.
#[must_use]
pub fn write(properties: &[Property]) -> String {
    Markup::document(FORMAT, |markup| {
        for property in properties {
            markup.element("property", &[], |markup| {
                markup.leaf("id", &property.id.text);
                if let Some(description) = &property.description {
                    markup.leaf("description", description);
                }
                let formula = &property.formula;
                markup.element("formula", &[], |markup| write_formula(formula, markup));
            });
        }
    })
}

fn write_formula(formula: &Formula, markup: &mut Markup) {
    match &formula.operator {
        Operator::Fireable(ids) => write_ids("is-fireable", "transition", ids, markup),
        Operator::Tokens(ids) => write_ids("tokens-count", "place", ids, markup),
        Operator::Bound(ids) => write_ids("place-bound", "place", ids, markup),
        Operator::Constant(value) => markup.leaf("integer-constant", &value.to_string()),
        plain => {
            let row = PLAIN.iter().find(|(_, operator, _)| operator == plain);
            let side = |index: usize| ["before", "reach"][index % 2];
            markup.element(row.map_or("", |(name, ..)| name), &[], |markup| {
                for (index, operand) in formula.operands.iter().enumerate() {
                    if *plain == Operator::Until {
                        markup.element(side(index), &[], |markup| write_formula(operand, markup));
                    } else {
                        write_formula(operand, markup);
                    }
                }
            });
        }
    }
}

fn write_ids(name: &str, each: &str, ids: &[Id], markup: &mut Markup) {
    markup.element(name, &[], |markup| ids.iter().for_each(|id| markup.leaf(each, &id.text)));
}
