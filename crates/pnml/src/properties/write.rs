//! Writing property files.

use super::{FORMAT, Formula, Operator, PLAIN, Property};
use crate::document::Id;
use crate::write::markup::Markup;

/// The text of a property file; reading it gives the properties again.
#[must_use]
pub fn write(properties: &[Property]) -> String {
    let mut markup = Markup::new();
    markup.open(FORMAT.root, &[("xmlns", FORMAT.namespace)]);
    for property in properties {
        markup.open("property", &[]);
        markup.leaf("id", &property.id.text);
        if let Some(description) = &property.description {
            markup.leaf("description", description);
        }
        markup.open("formula", &[]);
        write_formula(&property.formula, &mut markup);
        markup.close();
        markup.close();
    }
    markup.close();
    markup.finish()
}

fn write_formula(formula: &Formula, markup: &mut Markup) {
    match &formula.operator {
        Operator::Fireable(ids) => write_ids("is-fireable", "transition", ids, markup),
        Operator::Tokens(ids) => write_ids("tokens-count", "place", ids, markup),
        Operator::Bound(ids) => write_ids("place-bound", "place", ids, markup),
        Operator::Constant(value) => markup.leaf("integer-constant", &value.to_string()),
        plain => {
            let row = PLAIN.iter().find(|(_, operator, _)| operator == plain);
            markup.open(row.map_or("", |(name, ..)| name), &[]);
            for (index, operand) in formula.operands.iter().enumerate() {
                if *plain == Operator::Until {
                    markup.open(["before", "reach"][index % 2], &[]);
                    write_formula(operand, markup);
                    markup.close();
                } else {
                    write_formula(operand, markup);
                }
            }
            markup.close();
        }
    }
}

fn write_ids(name: &'static str, each: &'static str, ids: &[Id], markup: &mut Markup) {
    markup.open(name, &[]);
    for id in ids {
        markup.leaf(each, &id.text);
    }
    markup.close();
}
