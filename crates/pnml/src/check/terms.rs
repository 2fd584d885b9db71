//! The sorts of terms.
//!
//! Bottom-up. Tools are generous with multisets, and so are we:
//! an element may stand where a multiset is meant, for itself once; a part of a partition may stand where
//! a multiset of its class is meant, for its elements once each; and a tuple of multisets is the multiset
//! of the tuples.

use super::types::{BOOL, DOT, NUMBER, Type, TypeId, Types, UNKNOWN};
use crate::declaration::{Declaration, Declared, Parameter};
use crate::document::{Id, Kind, Net, Place, Tokens};
use crate::index::{Index, Node, UserOperator};
use crate::order::order;
use crate::term::{Operator, Term};
use diagnostics::{Diagnostic, Diagnostics, Span};
use net::BinaryOp;
use std::collections::HashMap;

pub(super) fn check<'d>(net: &'d Net, types: &mut Types<'_, 'd>, sink: &mut Diagnostics) {
    let index = types.index;
    let mut checker = Checker {
        index,
        types,
        sink,
        variables: HashMap::new(),
        operators: HashMap::new(),
        is_marking: false,
    };
    checker.declarations(net);
    for page in net.all_pages() {
        for place in &page.places {
            let sort = place.sort.as_ref().map_or(DOT, |label| checker.sort(&label.value));
            if let Some(Tokens::Term(marking)) = &place.marking {
                checker.is_marking = true;
                let found = checker.term(&marking.value);
                checker.is_marking = false;
                checker.fits(found, sort, &marking.value, &place.id);
            }
        }
        for transition in &page.transitions {
            if let Some(condition) = &transition.condition {
                let found = checker.term(&condition.value);
                checker.is(found, BOOL, condition.value.span, "a condition holds or not");
            }
        }
    }
    for arc in net.all_pages().flat_map(|page| &page.arcs) {
        let found = match &arc.inscription {
            Some(Tokens::Term(inscription)) => {
                Some((checker.term(&inscription.value), inscription))
            }
            None if net.kind == Kind::Symmetric => None,
            _ => continue,
        };
        let ends = [&arc.source, &arc.target].map(|end| index.node(&end.text));
        let place = ends.into_iter().flatten().find_map(|end| match end {
            Node::Place(place) => Some(place),
            _ => None,
        });
        let Some(place) = place else { continue };
        let sort = checker.known_sort(place);
        match found {
            Some((found, inscription)) => checker.fits(found, sort, &inscription.value, &place.id),
            None if sort != DOT && sort != UNKNOWN => {
                checker.sink.report(|| {
                    let message =
                        format!("the arc `{}` does not say which tokens it moves", arc.id);
                    Diagnostic::error("P0107", message)
                        .at(arc.span, "")
                        .help("add an `<hlinscription>`; without one, an arc moves a dot")
                });
            }
            None => {}
        }
    }
}

struct Checker<'c, 't, 'd> {
    index: &'t Index<'d>,
    types: &'c mut Types<'t, 'd>,
    sink: &'c mut Diagnostics,
    /// The sorts of variables; of the parameters, where an operator is being defined.
    variables: HashMap<&'d str, TypeId>,
    /// What operators give, and what they are applied to.
    operators: HashMap<&'d str, (TypeId, Vec<TypeId>)>,
    /// Whether no variable may occur.
    is_marking: bool,
}

impl<'d> Checker<'_, '_, 'd> {
    /// Sorts of variables; definitions of operators, each after those that it uses.
    fn declarations(&mut self, net: &'d Net) {
        let mut operators: Vec<(&Declaration, &[Parameter], &Term)> = Vec::new();
        for declaration in net.all_declarations() {
            match &declaration.value {
                Declared::Variable(sort) => {
                    let sort = self.sort(sort);
                    self.variables.entry(&declaration.id.text).or_insert(sort);
                }
                Declared::Operator { parameters, definition } => {
                    operators.push((declaration, parameters, definition));
                }
                Declared::Sort(_) | Declared::Partition { .. } => {}
            }
        }
        let named = operators.iter().map(|(operator, _, term)| (&*operator.id.text, used(term)));
        let (order, circular) = order(&named.collect::<Vec<_>>());
        for (operator, ..) in circular.into_iter().map(|at| operators[at]) {
            self.sink.report(|| {
                let message = format!("the operator `{}` is defined by itself", operator.id);
                Diagnostic::error("P0209", message)
                    .at(operator.span, "")
                    .help("operators are abbreviations")
            });
        }
        for (operator, parameters, definition) in order.into_iter().map(|at| operators[at]) {
            let sorts = parameters.iter().map(|parameter| self.sort(&parameter.value));
            let sorts: Vec<TypeId> = sorts.collect();
            let ids = parameters.iter().map(|parameter| parameter.id.text.as_str());
            let known = ids.zip(sorts.iter().copied()).collect();
            let outside = std::mem::replace(&mut self.variables, known);
            let found = self.term(definition);
            self.variables = outside;
            self.operators.entry(&operator.id.text).or_insert((found, sorts));
        }
    }

    fn sort(&mut self, sort: &'d crate::sort::Sort) -> TypeId {
        let number = self.types.of(sort, self.sink);
        self.types.plain(number)
    }

    /// The sort of a place, which has been looked at before, so that nothing is reported twice.
    fn known_sort(&mut self, place: &'d Place) -> TypeId {
        let Some(label) = &place.sort else { return DOT };
        let number = self.types.of(&label.value, &mut Diagnostics::default());
        self.types.plain(number)
    }

    /// The sort of a term, or of the elements of the multiset that it is.
    fn term(&mut self, term: &'d Term) -> TypeId {
        let sorts: Vec<TypeId> = term.subterms.iter().map(|subterm| self.term(subterm)).collect();
        self.apply(term, &sorts)
    }

    /// Reports numbers where multisets are meant.
    fn no_numbers(&mut self, term: &'d Term, sorts: &[TypeId]) {
        use Operator::{Add, Cardinality, CardinalityOf, Contains, ScalarProduct, Subtract, Tuple};
        let multisets = match &term.operator {
            Tuple | Add | Subtract | Cardinality | CardinalityOf | Contains => sorts,
            Operator::NumberOf | ScalarProduct => &sorts[sorts.len() - 1..],
            _ => &[],
        };
        for sort in multisets {
            self.has(term, *sort, |shape| *shape != Type::Number, "multisets");
        }
    }

    /// The sort of an operator applied to terms of these sorts.
    fn apply(&mut self, term: &'d Term, sorts: &[TypeId]) -> TypeId {
        self.no_numbers(term, sorts);
        match &term.operator {
            Operator::Variable(id) => self.variable(id),
            Operator::User(id) => self.user(id, term, sorts),
            Operator::Dot => DOT,
            Operator::Boolean(_) => BOOL,
            Operator::Number { .. } => NUMBER,
            Operator::RangeConstant { range, .. } => self.types.range(*range),
            Operator::All(sort) | Operator::Empty(sort) => self.sort(sort),
            Operator::Tuple => {
                if sorts.contains(&UNKNOWN) {
                    return UNKNOWN;
                }
                self.types.product(sorts.to_vec())
            }
            Operator::Add | Operator::Subtract => {
                if sorts.iter().all(|sort| *sort == sorts[0]) {
                    return sorts[0];
                }
                let sorts: Vec<TypeId> =
                    sorts.iter().map(|sort| self.types.divided(*sort)).collect();
                self.alike(term, &sorts)
            }
            Operator::NumberOf if sorts.len() == 1 => sorts[0],
            Operator::NumberOf | Operator::ScalarProduct => {
                self.is(
                    sorts[0],
                    NUMBER,
                    term.subterms[0].span,
                    "the first subterm says how often",
                );
                sorts[1]
            }
            Operator::Cardinality => NUMBER,
            Operator::CardinalityOf => {
                self.alike(term, sorts);
                NUMBER
            }
            Operator::Contains | Operator::Binary(BinaryOp::Equal | BinaryOp::NotEqual) => {
                self.alike(term, sorts);
                BOOL
            }
            Operator::Not | Operator::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies) => {
                for (sort, subterm) in sorts.iter().zip(&term.subterms) {
                    self.is(*sort, BOOL, subterm.span, "only conditions can be joined");
                }
                BOOL
            }
            Operator::Successor | Operator::Predecessor => {
                let fits =
                    |shape: &Type<'_>| matches!(shape, Type::Enumeration { cyclic: true, .. });
                self.has(term, sorts[0], fits, "cyclic enumerations");
                sorts[0]
            }
            Operator::Binary(_) | Operator::NumberOrder(_) => {
                let sort = self.alike(term, sorts);
                let fits = |shape: &Type<'_>| {
                    matches!(shape, Type::Enumeration { .. } | Type::Range { .. } | Type::Number)
                };
                self.has(term, sort, fits, "ranges, enumerations and numbers");
                BOOL
            }
            Operator::PartOf(id) => self.part_of(id, term, sorts[0]),
            Operator::PartOrder(_) => {
                let sort = self.alike(term, sorts);
                let fits = |shape: &Type<'_>| matches!(shape, Type::Partition { .. });
                self.has(term, sort, fits, "the parts of partitions");
                BOOL
            }
        }
    }

    fn variable(&mut self, id: &'d Id) -> TypeId {
        match self.variables.get(id.text.as_str()) {
            Some(_) if self.is_marking => {
                self.sink.report(|| {
                    Diagnostic::error("P0307", "an initial marking has no variables")
                        .at(id.span, "")
                        .help("name the elements, or take `<all>` of them")
                });
                UNKNOWN
            }
            Some(sort) => *sort,
            None => {
                self.sink.report(|| {
                    let message = format!("there is no variable named `{id}`");
                    let known = self.variables.keys().copied();
                    Diagnostic::error("P0206", message).at(id.span, "").help_nearest(
                        &id.text,
                        known,
                        "declare it with `<variabledecl>`",
                    )
                });
                UNKNOWN
            }
        }
    }

    fn user(&mut self, id: &'d Id, term: &'d Term, sorts: &[TypeId]) -> TypeId {
        let Some(UserOperator { declaration, .. }) = self.index.operator(&id.text) else {
            self.sink.report(|| {
                let message = format!("there is no constant or operator named `{id}`");
                Diagnostic::error("P0207", message).at(id.span, "").help_nearest(
                    &id.text,
                    self.index.operators.keys().copied(),
                    "",
                )
            });
            return UNKNOWN;
        };
        let declared = declaration.id.text.as_str();
        let (result, parameters) = match &declaration.value {
            Declared::Operator { parameters, .. } => match self.operators.get(declared) {
                Some(known) => known.clone(),
                None => (UNKNOWN, vec![UNKNOWN; parameters.len()]),
            },
            _ => (self.types.declared(declared), Vec::new()),
        };
        if parameters.len() != sorts.len() {
            self.sink.report(|| {
                let message = format!("`{id}` takes {} subterms", parameters.len());
                Diagnostic::error("P0110", message).at(term.span, format!("found {}", sorts.len()))
            });
        }
        for ((expected, sort), subterm) in parameters.iter().zip(sorts).zip(&term.subterms) {
            self.is(*sort, *expected, subterm.span, "the parameter is");
        }
        result
    }

    fn part_of(&mut self, id: &'d Id, term: &'d Term, sort: TypeId) -> TypeId {
        let Some((partition, class)) = self.types.partition(&id.text) else {
            self.sink.report(|| {
                let message = format!("there is no partition named `{id}`");
                let is_sort = self.index.sort(&id.text).is_some();
                let label = if is_sort { "this is a sort, but no partition" } else { "" };
                let partitions = self.index.sorts.values().filter_map(|(id, sort)| {
                    matches!(sort.value, Declared::Partition { .. }).then_some(&*id.text)
                });
                Diagnostic::error("P0208", message).at(id.span, label).help_nearest(
                    &id.text,
                    partitions,
                    "declare it with `<partition>`",
                )
            });
            return UNKNOWN;
        };
        self.is(sort, class, term.subterms[0].span, "this is what the partition divides");
        partition
    }

    /// The sort that all subterms have; the others are reported.
    fn alike(&mut self, term: &'d Term, sorts: &[TypeId]) -> TypeId {
        let known = sorts.iter().zip(&term.subterms).filter(|(sort, _)| **sort != UNKNOWN);
        let mut known = known.map(|(sort, subterm)| (*sort, subterm.span));
        let Some((first, first_span)) = known.next() else { return UNKNOWN };
        for (sort, span) in known.filter(|(sort, _)| *sort != first) {
            self.sink.report(|| {
                let message =
                    format!("the subterms of `<{}>` are of one sort", term.operator.element());
                Diagnostic::error("P0305", message)
                    .at(span, format!("of sort `{}`", self.types.words(sort)))
                    .also(first_span, format!("of sort `{}`", self.types.words(first)))
            });
        }
        first
    }

    /// Reports a term of another sort than it has to have.
    fn is(&mut self, found: TypeId, expected: TypeId, span: Span, why: &str) {
        if found != expected && found != UNKNOWN && expected != UNKNOWN {
            self.sink.report(|| {
                let words = self.types.words(expected);
                Diagnostic::error("P0305", format!("this has to be of sort `{words}`: {why}"))
                    .at(span, format!("of sort `{}`", self.types.words(found)))
            });
        }
    }

    /// Reports an operator on a sort that has none such.
    fn has(&mut self, term: &Term, sort: TypeId, fits: fn(&Type<'_>) -> bool, what: &str) {
        let shape = self.types.shape(sort);
        if *shape != Type::Unknown && !fits(shape) {
            self.sink.report(|| {
                let element = term.operator.element();
                let message = format!("`<{element}>` is an operator of {what}");
                Diagnostic::error("P0308", message)
                    .at(term.span, format!("applied to `{}`", self.types.words(sort)))
            });
        }
    }

    /// Reports tokens of another sort than their place.
    fn fits(&mut self, found: TypeId, expected: TypeId, term: &Term, place: &Id) {
        let same = found == expected || self.types.divided(found) == expected;
        if same || found == UNKNOWN || expected == UNKNOWN {
            return;
        }
        let arity = |sort: TypeId| match self.types.shape(sort) {
            Type::Product(factors) => factors.len(),
            _ => 1,
        };
        let (have, want) = (arity(found), arity(expected));
        self.sink.report(|| {
            let label = format!("of sort `{}`", self.types.words(found));
            let words = self.types.words(expected);
            if have != want {
                let message =
                    format!("the place `{place}` holds tuples of {want}, this is one of {have}");
                Diagnostic::error("P0306", message).at(term.span, label).help(format!(
                    "tokens of `{place}` are of sort `{words}`: give one subterm for each factor"
                ))
            } else {
                let message = format!("the place `{place}` holds tokens of sort `{words}`");
                Diagnostic::error("P0305", message).at(term.span, label)
            }
        });
    }
}

/// The constants and operators that a term applies.
fn used(root: &Term) -> Vec<&str> {
    let mut left = vec![root];
    let mut list = Vec::new();
    while let Some(term) = left.pop() {
        if let Operator::User(id) = &term.operator {
            list.push(id.text.as_str());
        }
        left.extend(&term.subterms);
    }
    list
}
