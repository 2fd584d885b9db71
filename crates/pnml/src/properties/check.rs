//! Whether the places and transitions that properties speak of are there.

use super::{Formula, FormulaShape, Property, Quantity, QuantityShape, Question};
use crate::document::{Id, Net};
use crate::index::{Index, Node};
use diagnostics::nearest;
use diagnostics::{Diagnostic, Diagnostics, Report};

/// Checks properties, read from this text, against the net that they are about. Linear.
///
/// # Errors
///
/// The net has no such place, or no such transition.
pub fn check(properties: &[Property], net: &Net, text: &str) -> Result<(), Report> {
    let mut checker = Checker { index: Index::new(net), sink: Diagnostics::default() };
    for property in properties {
        match &property.question {
            Question::Holds(formula) => checker.formulas(formula),
            Question::Value(quantity) => checker.quantities(quantity),
        }
    }
    checker.sink.finish(text).into_result().map(drop)
}

struct Checker<'d> {
    index: Index<'d>,
    sink: Diagnostics,
}

impl Checker<'_> {
    fn formulas(&mut self, root: &Formula) {
        use FormulaShape as F;
        let mut left = vec![root];
        while let Some(formula) = left.pop() {
            match &formula.shape {
                F::True | F::False | F::Deadlock => {}
                F::Fireable(transitions) => self.ids(transitions, "transition"),
                F::Compare(_, a, b) => {
                    self.quantities(a);
                    self.quantities(b);
                }
                F::And(parts) | F::Or(parts) => left.extend(parts),
                F::Implies(parts) | F::Equivalent(parts) | F::Differ(parts) | F::Until(parts) => {
                    left.extend(&**parts);
                }
                F::Not(part)
                | F::AllPaths(part)
                | F::ExistsPath(part)
                | F::Next(part)
                | F::Globally(part)
                | F::Finally(part) => left.push(part),
            }
        }
    }

    fn quantities(&mut self, root: &Quantity) {
        let mut left = vec![root];
        while let Some(quantity) = left.pop() {
            match &quantity.shape {
                QuantityShape::Constant(_) => {}
                QuantityShape::Tokens(places) | QuantityShape::Bound(places) => {
                    self.ids(places, "place");
                }
                QuantityShape::Sum(parts) | QuantityShape::Product(parts) => left.extend(parts),
                QuantityShape::Difference(parts) => left.extend(&**parts),
            }
        }
    }

    fn ids(&mut self, ids: &[Id], kind: &str) {
        for id in ids {
            let fits = match self.index.node(&id.text) {
                Some(Node::Place(_)) => kind == "place",
                Some(Node::Transition(_)) => kind == "transition",
                _ => false,
            };
            if fits {
                continue;
            }
            self.sink.report(|| {
                let message = format!("the net has no {kind} `{id}`");
                let error = Diagnostic::error("P0401", message).at(id.span, "");
                let nodes = self.index.nodes.iter().filter(|(_, node)| match node {
                    Node::Place(_) | Node::ReferencePlace(_) => kind == "place",
                    Node::Transition(_) | Node::ReferenceTransition(_) => kind == "transition",
                });
                let mut known: Vec<&str> = nodes.map(|(name, _)| *name).collect();
                known.sort_unstable();
                match nearest(&id.text, known) {
                    Some(meant) => error.help(format!("did you mean `{meant}`?")),
                    None => error.help("places and transitions are meant by their identifiers"),
                }
            });
        }
    }
}
