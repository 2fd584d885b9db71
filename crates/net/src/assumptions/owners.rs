//! Who owns what a transition looks at.
//!
//! There must be an order in which the owner of a token is known before the token is looked for, beginning with
//! threads and with places that nobody owns, and to ask for the owner must be no fault. Then all tokens that are
//! looked at are reached, and garbage would change nothing if it stayed. What inhibits is looked for when all else
//! is bound, and its own variables are known when one of its own arcs has bound them.

use crate::fallible::Fallibility;
use crate::transition::plain_variables;
use crate::{Arc, Expr, Hold, Net, PlaceId, Transition, Var};

/// What is wrong with the owners.
pub(super) fn check(net: &Net, transition: &Transition) -> Vec<String> {
    let unknown = net.unknown_owners(transition);
    let breach = |(place, inhibits): (PlaceId, bool)| {
        let place = &net.place(place).name;
        match inhibits {
            false => format!("nothing but owned tokens tells who owns the token of `{place}`"),
            true => format!("it is not known who owns the tokens of `{place}` that inhibit"),
        }
    };
    unknown.into_iter().map(breach).collect()
}

impl Net {
    /// The places of which a transition looks at tokens without knowing their owner before, and whether the tokens
    /// inhibit it.
    #[must_use]
    pub fn unknown_owners(&self, transition: &Transition) -> Vec<(PlaceId, bool)> {
        unknown_owners(self, transition)
    }
}

fn unknown_owners(net: &Net, transition: &Transition) -> Vec<(PlaceId, bool)> {
    let mut known = Known::nothing(net, transition);
    transition.parameters.iter().for_each(|(var, _)| known.learn([*var]));
    for participant in &transition.participants {
        known.learn(plain_variables(&participant.pattern).chain([participant.thread]));
    }
    let open = known.ordered(transition.takes.iter().chain(&transition.reads).collect());
    let mut unknown: Vec<(PlaceId, bool)> = open.iter().map(|arc| (arc.place, false)).collect();
    for inhibitor in &transition.inhibitors {
        let is_known = known.is_known.clone();
        let mut known = Known { is_known, ..Known::nothing(net, transition) };
        let open = known.ordered(inhibitor.arcs.iter().collect());
        unknown.extend(open.iter().map(|arc| (arc.place, true)));
    }
    unknown
}

/// What is known before the next token is looked for.
struct Known<'a> {
    net: &'a Net,
    transition: &'a Transition,
    fallibility: Fallibility<'a>,
    is_known: Vec<bool>,
}

impl<'a> Known<'a> {
    fn nothing(net: &'a Net, transition: &'a Transition) -> Known<'a> {
        let fallibility = Fallibility::of(net, transition);
        Known { net, transition, fallibility, is_known: vec![false; transition.variables.len()] }
    }

    fn learn(&mut self, variables: impl IntoIterator<Item = Var>) {
        variables.into_iter().for_each(|var| self.is_known[var.index()] = true);
    }

    fn knows(&self, expr: &Expr) -> bool {
        let mut knows = true;
        expr.variables(&mut |var| knows &= self.is_known[var.index()]);
        knows
    }

    /// Puts arcs into an order; gives those that do not come to their turn.
    fn ordered<'t>(&mut self, mut open: Vec<&'t Arc>) -> Vec<&'t Arc> {
        loop {
            let before = open.len();
            for (var, expr) in &self.transition.definitions {
                if self.knows(expr) {
                    self.learn([*var]);
                }
            }
            open.retain(|arc| !self.look(arc));
            if open.len() == before {
                return open;
            }
        }
    }

    /// Looks for the tokens of an arc, if it is known who owns them.
    fn look(&mut self, arc: &Arc) -> bool {
        match self.net.place(arc.place).hold {
            Hold::Owned(column) => {
                let owner = arc.pattern.get(column).and_then(Option::as_ref);
                let is_known = |owner| self.knows(owner) && !self.fallibility.can_fault(owner);
                if !owner.is_some_and(is_known) {
                    return false;
                }
            }
            Hold::Root => {}
            // What is mentioned here may have lost what it owns.
            Hold::Weak => return true,
        }
        self.learn(plain_variables(&arc.pattern));
        true
    }
}
