//! Ω, inferred: the relations that occur in an expression of a transition.

use state::Relations;

use crate::{Expr, Net, Property, Transition};

impl Net {
    /// The relations that the transitions observe. Fewer relations fold more, so this is the best Ω
    /// that is sound for the behaviour; what a property observes comes on top.
    #[must_use]
    pub fn relations(&self) -> Relations {
        let mut relations = Relations::NONE;
        for expr in self.transitions.iter().flat_map(Transition::expressions) {
            expr.walk(&mut |expr| {
                if let Expr::Relation(relation, ..) = expr {
                    relations = relations.with(*relation);
                }
            });
        }
        relations
    }

    /// The relations that the transitions and some properties observe.
    #[must_use]
    pub fn relations_with<'p>(
        &self,
        properties: impl IntoIterator<Item = &'p Property>,
    ) -> Relations {
        let observed = properties.into_iter().map(Property::relations);
        observed.fold(self.relations(), |all, more| more.iter().fold(all, Relations::with))
    }
}

impl Property {
    /// The relations that the property observes.
    #[must_use]
    pub fn relations(&self) -> Relations {
        let mut found = Relations::NONE;
        self.formula.for_each_term(&mut |term| {
            if let Expr::Relation(relation, ..) = term {
                found = found.with(*relation);
            }
        });
        found
    }
}
