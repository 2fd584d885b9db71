//! Ω, inferred: the relations that occur in an expression of a transition.

use state::Relations;

use crate::{Arc, Expr, Net, Property, Term, Transition};

impl Transition {
    /// Every expression of the transition: patterns, conditions, definitions, guard, outputs.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        use crate::Fate;
        let participants = self.participants.iter().flat_map(|participant| {
            let values: &[Expr] = match &participant.fate {
                Fate::Move { values, .. } => values,
                Fate::Stay | Fate::End => &[],
            };
            participant.pattern.iter().flatten().chain(values)
        });
        let arcs = self.takes.iter().chain(&self.reads).chain(&self.puts);
        let inhibitors =
            self.inhibitors.iter().flat_map(|i| i.pattern.iter().flatten().chain(&i.condition));
        participants
            .chain(arcs.flat_map(Arc::expressions))
            .chain(inhibitors)
            .chain(self.definitions.iter().map(|(_, expr)| expr))
            .chain(&self.guard)
            .chain(self.spawns.iter().flat_map(|spawn| &spawn.values))
    }
}

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
}

impl Property {
    /// The relations that the property observes.
    #[must_use]
    pub fn relations(&self) -> Relations {
        let mut found = Relations::NONE;
        self.formula.for_each_term(&mut |term| {
            if let Term::Relation(relation, ..) = term {
                found = found.with(*relation);
            }
        });
        found
    }
}
