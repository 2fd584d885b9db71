//! The net as a bag of items.
//!
//! An item is a form and where it stands: a conjunct of a guard, a token of an arc, an initial token. Items
//! at one site commute, and equal ones add up; what does not commute has a site of its own. So a
//! permutation of members is a symmetry of the net exactly when it maps the bag onto itself, and to see
//! that for one that moves few members only the items that list these are looked at.

use std::collections::{HashMap, HashSet};

use super::Piece;
use super::form::{Form, Op, Order, Renaming};
use super::read::Reader;
use crate::transition::plain_variables;
use crate::{
    Arc, BinaryOp, EnumId, Expr, Fate, Inhibitor, InitialToken, InitialValue, Net, PlaceId,
    Property, Transition, TransitionId, Var,
};

/// Where an item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Site {
    pub(super) piece: Piece,
    pub(super) role: Role,
}

/// What an item is at its piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    Guard,
    Take,
    Read,
    Put,
    Inhibit,
    /// An initial token.
    Token,
    /// A property.
    Claim,
    /// Something that commutes with nothing, by a number.
    Alone(u32),
}

/// How often each item occurs.
pub(super) type Bag = HashMap<(Site, Form), u64>;

/// The items of a net, and of properties.
pub(super) fn bag(net: &Net, checked: &[Property]) -> Bag {
    let mut gather = Gather { net, bag: Bag::new(), alone: 0 };
    for (id, transition) in (0..).map(TransitionId).zip(&net.transitions) {
        gather.transition(id, transition);
    }
    for thread in &net.start {
        let values = thread.values.iter().map(initial_value).collect();
        gather.add_alone(Piece::Initial(thread.place), Form::kept(Op::Values, values));
    }
    for token in &net.tokens {
        gather.add(Piece::Initial(token.place), Role::Token, token_form(net, token), token.count);
    }
    for (index, property) in checked.iter().enumerate() {
        gather.add(
            Piece::Property(index),
            Role::Claim,
            Reader::of_property(net, property).formula(&property.formula),
            1,
        );
    }
    gather.bag
}

/// The form of an initial token.
pub(super) fn token_form(net: &Net, token: &InitialToken) -> Form {
    let mut operands: Vec<Form> = token.values.iter().map(initial_value).collect();
    operands.push(match &token.condition {
        Some(condition) => Reader::of_members(net, &token.each).form(condition),
        None => Form::Truth(true),
    });
    Form::kept(Op::Token { each: token.each.clone(), copies: None }, operands)
}

fn initial_value(value: &InitialValue) -> Form {
    match *value {
        // No column holds both threads and objects.
        InitialValue::Thread(index) | InitialValue::Object(index) => Form::Thread(index),
        InitialValue::Data(literal) => Form::literal(literal),
        InitialValue::Each(index) => Form::Choice(index as u32),
    }
}

/// The variables that an inhibitor has for itself, in the order in which they occur.
pub(super) fn own_variables(arcs: &[Arc], known: &HashSet<Var>) -> Vec<Var> {
    let mut own = Vec::new();
    for var in arcs.iter().flat_map(|arc| plain_variables(&arc.pattern)) {
        if !known.contains(&var) && !own.contains(&var) {
            own.push(var);
        }
    }
    own
}

struct Gather<'a> {
    net: &'a Net,
    bag: Bag,
    alone: u32,
}

impl Gather<'_> {
    fn add(&mut self, piece: Piece, role: Role, form: Form, count: u32) {
        *self.bag.entry((Site { piece, role }, form)).or_default() += u64::from(count);
    }

    fn add_alone(&mut self, piece: Piece, form: Form) {
        self.alone += 1;
        self.add(piece, Role::Alone(self.alone), form, 1);
    }

    fn transition(&mut self, id: TransitionId, transition: &Transition) {
        let mut reader = Reader::of(self.net, transition);
        let at = |place: PlaceId| Piece::Arc(id, place);
        let values = |reader: &Reader, exprs: &mut dyn Iterator<Item = Option<&Expr>>| {
            let forms = exprs.map(|expr| expr.map_or(Form::Open, |expr| reader.form(expr)));
            Form::kept(Op::Values, forms.collect())
        };
        for participant in &transition.participants {
            let pattern = values(&reader, &mut participant.pattern.iter().map(Option::as_ref));
            self.add_alone(at(participant.from), pattern);
            if let Fate::Move { to, values: then } = &participant.fate {
                self.add_alone(at(*to), values(&reader, &mut then.iter().map(Some)));
            }
        }
        for spawn in &transition.spawns {
            let Some(to) = spawn.to else { continue };
            self.add_alone(at(to), values(&reader, &mut spawn.values.iter().map(Some)));
        }
        let known = transition.bound_variables().collect();
        let inhibitors: Vec<Arc> =
            transition.inhibitors.iter().filter_map(Inhibitor::alone).collect();
        let arcs = [
            (Role::Take, &transition.takes),
            (Role::Read, &transition.reads),
            (Role::Put, &transition.puts),
            (Role::Inhibit, &inhibitors),
        ];
        for (role, arc) in arcs.iter().flat_map(|(role, arcs)| arcs.iter().map(|arc| (*role, arc)))
        {
            // What is put is evaluated in any case; of the rest, what can fault is in its order.
            let can_fault = arc.expressions().any(|expr| reader.can_fault(expr));
            let form = match role {
                Role::Inhibit => {
                    reader.inhibitor(arc, own_variables(std::slice::from_ref(arc), &known))
                }
                _ => reader.arc(arc),
            };
            if can_fault && role != Role::Put {
                self.add_alone(at(arc.place), Form::kept(Op::Values, vec![form]));
            } else {
                let adds_up = role != Role::Inhibit && arc.pattern.iter().all(Option::is_some);
                self.add(at(arc.place), role, form, if adds_up { arc.count } else { 1 });
            }
        }
        for inhibitor in transition.inhibitors.iter().filter(|one| one.arcs.len() > 1) {
            let own = own_variables(&inhibitor.arcs, &known);
            let mut arcs = inhibitor.arcs.clone();
            let place = arcs[0].place;
            arcs[0].condition.clone_from(&inhibitor.condition);
            let forms = arcs.iter().map(|arc| reader.inhibitor(arc, own.clone()));
            self.add_alone(at(place), Form::kept(Op::Values, forms.collect()));
        }
        for (_, expr) in &transition.definitions {
            self.add_alone(Piece::Definitions(id), reader.form(expr));
        }
        let piece = Piece::Guard(id);
        let (can_fault, sure): (Vec<&Expr>, Vec<&Expr>) =
            transition.guard.iter().partition(|expr| reader.can_fault(expr));
        match reader.all(sure.into_iter()) {
            Form::Truth(true) => {}
            Form::Apply(Op::Binary(BinaryOp::And), Order::Free, conjuncts) => {
                conjuncts.into_iter().for_each(|form| self.add(piece, Role::Guard, form, 1));
            }
            form => self.add(piece, Role::Guard, form, 1),
        }
        can_fault.into_iter().for_each(|expr| self.add_alone(piece, reader.form(expr)));
    }
}

/// A bag in order, and where each member is listed in it.
pub(super) struct Items<'a> {
    bag: &'a Bag,
    pub(super) list: Vec<(&'a Site, &'a Form, u64)>,
    /// By class and member: the items that list it, by index, in ascending order.
    with: Vec<Vec<Vec<u32>>>,
}

impl<'a> Items<'a> {
    pub(super) fn of(net: &Net, bag: &'a Bag) -> Items<'a> {
        let mut list: Vec<_> =
            bag.iter().map(|((site, form), count)| (site, form, *count)).collect();
        list.sort_unstable();
        let classes = net.enumerations.iter();
        let mut with: Vec<Vec<Vec<u32>>> =
            classes.map(|class| vec![Vec::new(); class.members.len()]).collect();
        for (index, (_, form, _)) in (0..).zip(&list) {
            form.members(&mut |class, member| {
                let items = &mut with[class.index()][member as usize];
                if items.last() != Some(&index) {
                    items.push(index);
                }
            });
        }
        Items { bag, list, with }
    }

    /// The items that list a member.
    pub(super) fn with(&self, class: EnumId, member: u32) -> &[u32] {
        &self.with[class.index()][member as usize]
    }

    /// Whether an item is there as often when members are renamed.
    pub(super) fn is_kept(&self, item: u32, by: &Renaming) -> bool {
        let (site, form, count) = self.list[item as usize];
        match form.renamed(by) {
            None => true,
            Some(image) => self.bag.get(&(*site, image)) == Some(&count),
        }
    }

    /// The pieces that a class's order is used in, and those that use its successors.
    pub(super) fn uses(&self, class: EnumId) -> (Vec<Piece>, Vec<Piece>) {
        let (mut order, mut successors) = (Vec::new(), Vec::new());
        for (site, form, _) in &self.list {
            form.walk(&mut |form| match form {
                Form::Apply(Op::Before { class: of, .. }, ..) if *of == class => {
                    order.push(site.piece);
                }
                Form::Apply(Op::Shift(of, _), ..) if *of == class => successors.push(site.piece),
                _ => {}
            });
        }
        order.dedup();
        successors.dedup();
        (order, successors)
    }
}
