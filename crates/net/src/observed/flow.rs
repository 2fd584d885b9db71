//! The equations: what is asked of an identity in a column is what a transition or a property asks there, and what is
//! asked in the columns that a transition hands it on to.

use fold::{Group, Hold, Interest};

use super::{Followed, is_identity};
use crate::{
    Arc, BinaryOp, Expr, Fate, Formula, Kind, Literal, Net, Participant, PlaceId, Property, Spawn,
    Subject, Transition, UnaryOp, Var,
};
use state::Relation;

/// A larger count of a token that is put, and tokens that became copies of each other might be too many to count.
const MANY: u32 = 1 << 8;

/// Where an identity is.
type Spot = (PlaceId, usize);

/// The equations, as far as they are solved.
pub(super) struct Flow<'a> {
    net: &'a Net,
    /// Whether Ω sees further than to parents.
    far: bool,
    columns: Vec<Vec<Interest>>,
    is_stable: bool,
}

impl<'a> Flow<'a> {
    /// Nothing is asked yet, but what the form of places asks.
    pub(super) fn new(net: &'a Net, far: bool) -> Flow<'a> {
        let nothing = |place: &crate::Place| vec![Interest::NONE; place.columns.len()];
        let columns = net.places.iter().map(nothing).collect();
        let mut flow = Flow { net, far, columns, is_stable: true };
        for (id, place) in (0..).map(PlaceId).zip(&net.places) {
            if place.is_flow() {
                flow.raise((id, 0), Interest::EQUALITY);
            }
            if let Hold::Owned(owner) = place.hold {
                flow.raise((id, owner), Interest::EQUALITY);
            }
            for column in place.groups.iter().flat_map(|group| group.first..group.end()) {
                flow.raise((id, column), Interest::EQUALITY);
            }
        }
        let put = net.transitions.iter().flat_map(|t| &t.puts).map(|arc| (arc.place, arc.count));
        for (place, count) in put.chain(net.tokens.iter().map(|token| (token.place, token.count))) {
            if count >= MANY {
                flow.compare_tokens(place);
            }
        }
        flow
    }

    /// The least solution above what is asked so far.
    pub(super) fn solved(mut self) -> Vec<Vec<Interest>> {
        loop {
            self.is_stable = true;
            self.net.transitions.iter().for_each(|transition| self.transition(transition));
            self.level_groups();
            if self.is_stable {
                return self.columns;
            }
        }
    }

    fn at(&self, (place, column): Spot) -> Interest {
        self.columns[place.index()][column]
    }

    fn raise(&mut self, (place, column): Spot, more: Interest) {
        if !is_identity(self.net.place(place).columns[column].sort) {
            return;
        }
        let interest = &mut self.columns[place.index()][column];
        self.is_stable &= interest.includes(more);
        *interest |= more;
    }

    /// Two tokens of a place are compared in all columns.
    fn compare_tokens(&mut self, place: PlaceId) {
        for column in 0..self.net.place(place).columns.len() {
            self.raise((place, column), Interest::EQUALITY);
        }
    }

    /// Records may trade places: what is asked of a column of one is asked of that column of all.
    fn level_groups(&mut self) {
        for (id, place) in (0..).map(PlaceId).zip(&self.net.places) {
            for group in &place.groups {
                self.level(id, 0, group);
            }
        }
    }

    fn level(&mut self, place: PlaceId, start: usize, group: &Group) {
        let Group { first, width, count, groups } = group;
        let first = start + first;
        for record in 0..*count {
            groups.iter().for_each(|inner| self.level(place, first + record * width, inner));
        }
        for column in 0..*width {
            let same = (0..*count).map(|record| (place, first + record * width + column));
            let all = same.clone().fold(Interest::NONE, |all, spot| all | self.at(spot));
            same.for_each(|spot| self.raise(spot, all));
        }
    }

    /// What a transition asks of what it binds.
    fn transition(&mut self, transition: &Transition) {
        let asked = Asked::of_transition(self, transition);
        for arc in transition.takes.iter().chain(&transition.reads).filter(|arc| arc.count > 1) {
            self.compare_tokens(arc.place);
        }
        self.ask(asked);
    }

    fn ask(&mut self, asked: Asked) {
        for (spot, more) in asked.of_spots {
            self.raise(spot, more);
        }
        for (interest, spots) in asked.of.iter().zip(asked.spots) {
            for (place, column) in spots {
                let is_thread = column == 0 && self.net.place(place).is_flow();
                let next = if is_thread { Interest::NONE } else { Interest::NEXT };
                self.raise((place, column), interest.without(next));
            }
        }
    }

    /// What a property asks of what it ranges over.
    pub(super) fn property(&mut self, property: &Property, followed: Followed) {
        let mut asked = Asked::nothing(property.variables.len());
        self.formula(&property.formula, followed, &mut asked);
        asked.compare_what_is_bound_twice();
        self.ask(asked);
    }

    fn formula(&mut self, formula: &Formula, followed: Followed, asked: &mut Asked) {
        match formula {
            Formula::Term(term) => {
                asked.by(term);
                term.walk(&mut |term| {
                    if let Expr::Count(place, _) = term {
                        self.range_over(*place);
                    }
                });
            }
            Formula::Quantified { thread, subject, .. } => match (subject, thread) {
                (Subject::At(place), Some(thread)) => asked.bind(*thread, (*place, 0)),
                (Subject::In(place, vars), _) => {
                    self.range_over(*place);
                    for (column, var) in vars.iter().enumerate() {
                        var.iter().for_each(|var| asked.bind(*var, (*place, column)));
                    }
                }
                (Subject::Entering(_), Some(thread)) => {
                    let place = followed.filter(|(var, _)| var == thread);
                    place.into_iter().for_each(|(_, place)| asked.bind(*thread, (place, 0)));
                    // Where it is remembered, it is the one that is meant.
                    asked.of[thread.index()] |= Interest::EQUALITY;
                }
                _ => {}
            },
            _ => {}
        }
        formula.children().for_each(|child| self.formula(child, followed, asked));
    }

    /// A property ranges over the tokens of a place: if they are owned, it sees what is reached, by whatever column.
    fn range_over(&mut self, place: PlaceId) {
        if matches!(self.net.place(place).hold, Hold::Owned(_)) {
            (0..self.net.places.len() as u32).for_each(|place| self.compare_tokens(PlaceId(place)));
        }
    }
}

/// What is asked of the variables of a transition or of a property.
pub(super) struct Asked {
    /// Of each variable.
    pub(super) of: Vec<Interest>,
    /// The columns that bind it.
    pub(super) spots: Vec<Vec<Spot>>,
    /// What is asked of columns that no variable is bound by.
    of_spots: Vec<(Spot, Interest)>,
}

impl Asked {
    fn nothing(variables: usize) -> Asked {
        Asked {
            of: vec![Interest::NONE; variables],
            spots: vec![Vec::new(); variables],
            of_spots: Vec::new(),
        }
    }

    fn of_transition(flow: &Flow, transition: &Transition) -> Asked {
        let mut asked = Asked::nothing(transition.variables.len());
        asked.inputs(transition);
        asked.compare_what_is_bound_twice();
        for (var, _) in &transition.definitions {
            if !asked.spots[var.index()].is_empty() {
                asked.of[var.index()] |= Interest::EQUALITY;
            }
        }
        transition.expressions().for_each(|expr| asked.by(expr));
        for Participant { thread, fate, .. } in &transition.participants {
            if let Fate::Move { to, values } = fate {
                asked.of[thread.index()] |= flow.at((*to, 0));
                asked.hand_on(flow, *to, 1, values);
            }
        }
        for Spawn { to, values, .. } in &transition.spawns {
            to.iter().for_each(|to| asked.hand_on(flow, *to, 1, values));
        }
        for Arc { place, pattern, .. } in &transition.puts {
            asked.hand_on(flow, *place, 0, pattern.iter().flatten());
        }
        // One may use those before it.
        for (var, expr) in transition.definitions.iter().rev() {
            let interest = asked.of[var.index()];
            asked.of_value(expr, interest);
        }
        for Spawn { parent, child, to, .. } in transition.spawns.iter().rev() {
            let mut interest = to.map_or(Interest::NONE, |to| flow.at((to, 0)));
            interest |= child.map_or(Interest::NONE, |child| asked.of[child.index()]);
            if flow.far && interest.includes(Interest::DESCENDANT) {
                asked.of[parent.index()] |= Interest::DESCENDANT;
            }
            if interest.includes(Interest::SIBLING) {
                asked.of[parent.index()] |= Interest::NEXT;
            }
        }
        asked
    }

    /// What is bound, and compared, by the inputs and by what inhibits.
    fn inputs(&mut self, transition: &Transition) {
        for Participant { thread, from, pattern, .. } in &transition.participants {
            self.bind(*thread, (*from, 0));
            self.pattern(*from, 1, pattern);
        }
        let forbidden = transition.inhibitors.iter().flat_map(|inhibitor| &inhibitor.arcs);
        let arcs = transition.takes.iter().chain(&transition.reads);
        for arc in arcs.chain(forbidden) {
            self.pattern(arc.place, 0, &arc.pattern);
            if !arc.each.is_empty() {
                // It binds nothing: what is there is compared.
                arc.pattern
                    .iter()
                    .flatten()
                    .for_each(|expr| self.of_value(expr, Interest::EQUALITY));
            }
        }
    }

    fn pattern(&mut self, place: PlaceId, first: usize, pattern: &[Option<Expr>]) {
        for (column, expr) in (first..).zip(pattern) {
            match expr {
                // That there is nothing is seen in any case.
                None | Some(Expr::Literal(Literal::None(_))) => {}
                Some(Expr::Var(var)) => self.bind(*var, (place, column)),
                Some(expr) => {
                    self.of_spots.push(((place, column), Interest::EQUALITY));
                    self.of_value(expr, Interest::EQUALITY);
                }
            }
        }
    }

    fn bind(&mut self, var: Var, spot: Spot) {
        self.spots[var.index()].push(spot);
    }

    /// What is bound in two columns is compared.
    fn compare_what_is_bound_twice(&mut self) {
        for (interest, spots) in self.of.iter_mut().zip(&self.spots) {
            if spots.len() > 1 {
                *interest |= Interest::EQUALITY;
            }
        }
    }

    fn hand_on<'e>(
        &mut self,
        flow: &Flow,
        to: PlaceId,
        first: usize,
        values: impl IntoIterator<Item = &'e Expr>,
    ) {
        for (column, expr) in (first..).zip(values) {
            let interest = flow.at((to, column));
            self.of_value(expr, interest);
        }
    }

    /// What is asked of the value of an expression is asked of whatever it may be the value of.
    fn of_value(&mut self, expr: &Expr, interest: Interest) {
        match expr {
            Expr::Var(var) => self.of[var.index()] |= interest,
            Expr::Field(_, place, column) => self.of_spots.push(((*place, *column), interest)),
            Expr::Unary(UnaryOp::Value, a) => self.of_value(a, interest),
            Expr::If(_, a, b) => {
                self.of_value(a, interest);
                self.of_value(b, interest);
            }
            _ => {}
        }
    }

    /// What an expression asks of what occurs in it, whatever becomes of its value.
    fn by(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| match expr {
            Expr::Relation(relation, a, b) => {
                let (first, second) = match relation {
                    Relation::Parent | Relation::Ancestor => {
                        (Interest::ANCESTOR, Interest::DESCENDANT)
                    }
                    Relation::NextSibling | Relation::ElderSibling => {
                        (Interest::SIBLING, Interest::SIBLING)
                    }
                };
                self.of[a.index()] |= first;
                self.of[b.index()] |= second;
            }
            Expr::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) => {
                let is_nothing = |expr: &Expr| matches!(expr, Expr::Literal(Literal::None(_)));
                if !is_nothing(a) && !is_nothing(b) {
                    self.of_value(a, Interest::EQUALITY);
                    self.of_value(b, Interest::EQUALITY);
                }
            }
            Expr::At(var, _) | Expr::Ended(var) | Expr::Field(var, ..) => {
                self.of[var.index()] |= Interest::EQUALITY;
            }
            Expr::Count(place, pattern) => {
                for (column, expr) in pattern.iter().enumerate() {
                    let expr = expr.as_ref();
                    let is_nothing = |expr: &&Expr| matches!(expr, Expr::Literal(Literal::None(_)));
                    if let Some(expr) = expr.filter(|expr| !is_nothing(expr)) {
                        self.of_spots.push(((*place, column), Interest::EQUALITY));
                        self.of_value(expr, Interest::EQUALITY);
                    }
                }
            }
            _ => {}
        });
    }
}

/// What is asked of the variables of a transition, where what is asked of columns is known.
pub(super) fn asked(net: &Net, observed: &super::Observed, transition: &Transition) -> Asked {
    let columns = observed.columns.clone();
    let far = observed.relations.contains(Relation::Ancestor);
    Asked::of_transition(&Flow { net, far, columns, is_stable: true }, transition)
}

/// Whether a variable of this type may stand for an identity.
pub(super) fn holds_identity(kind: Kind) -> bool {
    matches!(kind, Kind::Pid | Kind::Object(_))
}
