//! Which places a property looks at: a step that changes none of them makes no difference to it.

use super::access::Access;
use crate::{Expr, Formula, Net, PlaceId, Subject, TransitionId};

/// The places that are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen(Vec<PlaceId>);

impl Seen {
    /// Looks at a place, too.
    pub fn place(&mut self, place: PlaceId) {
        if !self.0.contains(&place) {
            self.0.push(place);
        }
    }

    /// Looks at whether a transition is enabled, too.
    pub fn transition(&mut self, net: &Net, transition: TransitionId) {
        let transition = net.transition(transition);
        let decide = Access::participants(transition)
            .chain(Access::inputs(transition))
            .chain(Access::inhibitors(transition));
        decide.for_each(|access| self.place(access.place));
    }

    /// Looks at what a formula about one state speaks of, too. `false` if that is more than places: what can fire at all,
    /// or who has ended.
    #[must_use]
    pub fn formula(&mut self, net: &Net, formula: &Formula) -> bool {
        let mut all =
            formula.is_of_state() && !formula.any(&|part| matches!(part, Formula::Deadlock));
        formula.for_each_term(&mut |term| match term {
            Expr::Field(_, place, _) | Expr::Count(place, _) | Expr::At(_, place) => {
                self.place(*place);
            }
            Expr::Enabled(transition) => self.transition(net, *transition),
            Expr::Ended(_) => all = false,
            _ => {}
        });
        self.subjects(formula);
        all
    }

    fn subjects(&mut self, formula: &Formula) {
        if let Formula::Quantified { subject, .. } = formula {
            match subject {
                Subject::At(place) | Subject::In(place, _) => self.place(*place),
                Subject::Entering(places) => places.iter().for_each(|place| self.place(*place)),
            }
        }
        formula.children().for_each(|child| self.subjects(child));
    }

    /// The places that are looked at.
    #[must_use]
    pub fn places(&self) -> &[PlaceId] {
        &self.0
    }

    /// Whether it is looked at.
    pub(super) fn contains(&self, place: PlaceId) -> bool {
        self.0.contains(&place)
    }
}
