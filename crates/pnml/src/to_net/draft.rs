//! The net before its enumerations are numbered and its variables named.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use net::{Expr, Origin, PlaceKind, Var};

use super::Step;
use super::classes::{Classes, Columns, Domain};
use super::enumerations::Names;
use super::logic::conjuncts;
use super::sum::Sum;
use super::terms::{Component, Terms};
use crate::document::{Arc, Net, Tokens};
use crate::index::{Index, Node};
use crate::term::{Operator, Term};
use diagnostics::{Diagnostics, Span};

pub(super) struct Draft<'d> {
    pub(super) places: Vec<Place<'d>>,
    pub(super) rules: Vec<Rule<'d>>,
    /// The variables of all transitions.
    pub(super) components: Vec<Component<'d>>,
}

pub(super) struct Place<'d> {
    pub(super) id: &'d str,
    pub(super) span: Span,
    pub(super) columns: Columns,
    /// The initial tokens, and where they are written.
    pub(super) marking: Option<(Sum, Span)>,
}

/// A transition.
#[derive(Default)]
pub(super) struct Rule<'d> {
    pub(super) id: &'d str,
    pub(super) span: Span,
    /// By place, in the order in which the arcs are written.
    pub(super) takes: Vec<Carried>,
    pub(super) puts: Vec<Carried>,
    /// Where what arcs from a place, or to it, carry stands among these.
    carries: HashMap<(bool, usize), usize>,
    pub(super) guard: Vec<Expr>,
    /// Whatever occurs in its terms.
    pub(super) variables: BTreeSet<Var>,
}

/// What arcs from or to one place carry.
pub(super) struct Carried {
    pub(super) place: usize,
    pub(super) sum: Sum,
    /// Where the first of the arcs says so.
    pub(super) span: Span,
}

impl<'d> Draft<'d> {
    /// What could be made of a net; whatever could not is reported.
    pub(super) fn new<'t>(
        net: &'d Net,
        index: &'t Index<'d>,
        classes: &mut Classes<'t, 'd>,
        sink: &mut Diagnostics,
    ) -> Draft<'d> {
        let mut terms = Terms::new(index, classes, sink);
        let mut draft = Draft { places: Vec::new(), rules: Vec::new(), components: Vec::new() };
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for place in net.all_pages().flat_map(|page| &page.places) {
            let columns = match &place.sort {
                Some(label) => terms.classes.columns(&label.value),
                None => Rc::new([]),
            };
            let marking = place.marking.as_ref();
            let marking = marking.and_then(|tokens| carried(tokens, &columns, &mut terms).ok());
            numbers.insert(&place.id.text, draft.places.len());
            draft.places.push(Place { id: &place.id.text, span: place.span, columns, marking });
        }
        let mut arcs: BTreeMap<&str, Vec<(&'d Arc, bool, usize)>> = BTreeMap::new();
        for arc in net.all_pages().flat_map(|page| &page.arcs) {
            let ends = [&arc.source, &arc.target].map(|end| index.node(&end.text));
            let (transition, place, is_taken) = match ends {
                [Some(Node::Place(place)), Some(Node::Transition(t))] => (t, place, true),
                [Some(Node::Transition(t)), Some(Node::Place(place))] => (t, place, false),
                _ => continue,
            };
            let Some(place) = numbers.get(place.id.text.as_str()) else { continue };
            arcs.entry(&transition.id.text).or_default().push((arc, is_taken, *place));
        }
        for transition in net.all_pages().flat_map(|page| &page.transitions) {
            let arcs = arcs.get(transition.id.text.as_str()).map_or(&[][..], Vec::as_slice);
            let (id, span) = (&transition.id.text, transition.span);
            let mut rule = Rule { id, span, ..Rule::default() };
            if let Some(condition) = &transition.condition {
                occurring(&condition.value, &mut rule.variables, &mut terms);
                if let Ok(condition) = terms.expr(&condition.value) {
                    rule.guard = conjuncts(condition);
                }
            }
            for (arc, is_taken, place) in arcs {
                // A mistake is reported; the next arc may have another.
                let _ = rule.carry(arc, *is_taken, *place, &draft.places, &mut terms);
            }
            draft.rules.push(rule);
        }
        draft.components = terms.components;
        draft
    }

    /// Every sum of the draft.
    pub(super) fn sums(&self) -> impl Iterator<Item = &Sum> {
        let markings = self.places.iter().filter_map(|place| place.marking.as_ref());
        let rules = self.rules.iter().flat_map(|rule| rule.takes.iter().chain(&rule.puts));
        markings.map(|(sum, _)| sum).chain(rules.map(|carried| &carried.sum))
    }
}

impl<'d> Rule<'d> {
    fn carry(
        &mut self,
        arc: &'d Arc,
        is_taken: bool,
        place: usize,
        places: &[Place<'d>],
        terms: &mut Terms<'_, '_, 'd>,
    ) -> Step<()> {
        let columns = &places[place].columns;
        let (sum, span) = match &arc.inscription {
            Some(tokens) => {
                if let Tokens::Term(label) = tokens {
                    occurring(&label.value, &mut self.variables, terms);
                }
                carried(tokens, columns, terms)?
            }
            None => (dots(1), arc.span),
        };
        let list = if is_taken { &mut self.takes } else { &mut self.puts };
        match self.carries.entry((is_taken, place)) {
            Entry::Vacant(entry) => {
                entry.insert(list.len());
                list.push(Carried { place, sum, span });
            }
            Entry::Occupied(entry) => {
                let before = &mut list[*entry.get()];
                let mut both = before.sum.clone();
                both.blocks.extend(sum.blocks);
                before.sum = terms.gathered(both, span)?;
            }
        }
        Ok(())
    }
}

impl Place<'_> {
    pub(super) fn finished(&self, names: &Names) -> net::Place {
        let column = |domain: &Domain| net::Column::of(names.sort(*domain));
        let columns = self.columns.iter().map(column).collect();
        let origin = Origin::new(self.span.range());
        net::Place { origin, ..net::Place::new(self.id, PlaceKind::Ordinary, columns) }
    }
}

fn dots(count: u64) -> Sum {
    Sum::of(Rc::new([]), Vec::new()).times(count).expect("what is there once can be multiplied")
}

/// What tokens are carried, and where they are written.
fn carried<'d>(
    tokens: &'d Tokens,
    columns: &Columns,
    terms: &mut Terms<'_, '_, 'd>,
) -> Step<(Sum, Span)> {
    Ok(match tokens {
        Tokens::Number { count, span } => (dots(*count), *span),
        Tokens::Term(label) => (terms.multiset(&label.value, columns)?, label.value.span),
    })
}

/// Adds the variables that occur in a term.
fn occurring<'d>(term: &'d Term, into: &mut BTreeSet<Var>, terms: &mut Terms<'_, '_, 'd>) {
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        if let Operator::Variable(id) = &term.operator {
            let (start, columns) = terms.components_of(&id.text);
            into.extend((start..).take(columns.len()).map(Var));
        }
        left.extend(&term.subterms);
    }
}
