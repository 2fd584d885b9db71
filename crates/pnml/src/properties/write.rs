//! Writing property files.

use super::{FORMAT, Formula, FormulaShape, Property, Quantity, QuantityShape, Question};
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
        match &property.question {
            Question::Holds(formula) => write_formula(formula, &mut markup),
            Question::Value(quantity) => write_quantity(quantity, &mut markup),
        }
        markup.close();
        markup.close();
    }
    markup.close();
    markup.finish()
}

fn write_formula(formula: &Formula, markup: &mut Markup) {
    use FormulaShape as F;
    let (name, parts): (&'static str, &[Formula]) = match &formula.shape {
        F::True => ("true", &[]),
        F::False => ("false", &[]),
        F::Deadlock => ("deadlock", &[]),
        F::Fireable(transitions) => {
            return write_ids("is-fireable", "transition", transitions, markup);
        }
        F::Compare(comparison, left, right) => {
            markup.open(comparison.element(), &[]);
            write_quantity(left, markup);
            write_quantity(right, markup);
            return markup.close();
        }
        F::Until(parts) => {
            markup.open("until", &[]);
            for (name, part) in ["before", "reach"].into_iter().zip(&**parts) {
                markup.open(name, &[]);
                write_formula(part, markup);
                markup.close();
            }
            return markup.close();
        }
        F::Not(part) => ("negation", std::slice::from_ref(part)),
        F::And(parts) => ("conjunction", parts),
        F::Or(parts) => ("disjunction", parts),
        F::Implies(parts) => ("implication", &**parts),
        F::Equivalent(parts) => ("equivalence", &**parts),
        F::Differ(parts) => ("exclusive-disjunction", &**parts),
        F::AllPaths(part) => ("all-paths", std::slice::from_ref(part)),
        F::ExistsPath(part) => ("exists-path", std::slice::from_ref(part)),
        F::Next(part) => ("next", std::slice::from_ref(part)),
        F::Globally(part) => ("globally", std::slice::from_ref(part)),
        F::Finally(part) => ("finally", std::slice::from_ref(part)),
    };
    markup.open(name, &[]);
    for part in parts {
        write_formula(part, markup);
    }
    markup.close();
}

fn write_quantity(quantity: &Quantity, markup: &mut Markup) {
    let (name, parts): (&'static str, &[Quantity]) = match &quantity.shape {
        QuantityShape::Constant(value) => {
            return markup.leaf("integer-constant", &value.to_string());
        }
        QuantityShape::Tokens(places) => return write_ids("tokens-count", "place", places, markup),
        QuantityShape::Bound(places) => return write_ids("place-bound", "place", places, markup),
        QuantityShape::Sum(parts) => ("integer-sum", parts),
        QuantityShape::Product(parts) => ("integer-product", parts),
        QuantityShape::Difference(parts) => ("integer-difference", &**parts),
    };
    markup.open(name, &[]);
    for part in parts {
        write_quantity(part, markup);
    }
    markup.close();
}

fn write_ids(name: &'static str, each: &'static str, ids: &[Id], markup: &mut Markup) {
    markup.open(name, &[]);
    for id in ids {
        markup.leaf(each, &id.text);
    }
    markup.close();
}
