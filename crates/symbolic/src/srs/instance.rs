//! Transitions under symbolic bindings, and what their arcs mean then.
//!
//! An *instance* of a transition says of each variable of a symmetric class in which static
//! subclass its value is, and which variables have the same value; variables of plain classes have
//! their values. That decides the guard. What is left open is only from which dynamic subclass each
//! value is split off (`fire.rs`): after that, the values are dynamic subclasses of one element
//! each, the first ones of their static subclass, so the arcs of an instance can be written down
//! beforehand but for the local variables.

use super::layout::{Layout, code, index_of, subclass_of};
use crate::operand::shifted;
use crate::word::{falling, word};
use crate::{ClassId, Condition, Element, Symmetry, Term, Transition, Unsupported};

/// What an arc is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Take,
    Read,
    Put,
    Inhibit,
}

/// A transition under a symbolic binding.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) transition: usize,
    /// The values of its variables.
    pub(super) values: Vec<u32>,
    /// By static subclass, how many elements are named.
    pub(super) named: Vec<u32>,
}

/// How many words the bindings of a net that are tried may take, and instances with them.
const MOST_WORDS: usize = 1 << 21;
/// The largest number of elements of a static subclass that an instance names.
const MOST_NAMED: u32 = 12;

/// All instances of a net's transitions, those that can never be enabled left out.
pub(super) fn instances(on: &Layout) -> Result<Vec<Instance>, Unsupported> {
    let mut all = Vec::new();
    let mut room = MOST_WORDS;
    for (index, transition) in on.net.transitions.iter().enumerate() {
        let mut instance =
            Instance { transition: index, values: Vec::new(), named: vec![0; on.subclasses.len()] };
        let Transition { takes, reads, puts, inhibitors, .. } = transition;
        for arc in takes.iter().chain(reads).chain(puts).chain(inhibitors) {
            let domain = &on.places[arc.place.0 as usize].domain;
            for (&element, &class) in arc.term.tuple.iter().zip(domain) {
                instance.name_constant(on, element, class);
            }
        }
        if !bind(on, transition, &mut instance, &mut all, &mut room) {
            return Err(Unsupported::Bindings(transition.name.clone()));
        }
    }
    Ok(all)
}

/// Binds the variables from the next one on in all ways; `false` if there are too many.
fn bind(
    on: &Layout,
    transition: &Transition,
    so_far: &mut Instance,
    all: &mut Vec<Instance>,
    room: &mut usize,
) -> bool {
    let Some(&class) = transition.variables.get(so_far.values.len()) else {
        if so_far.can_be_enabled(on, transition) {
            all.push(so_far.clone());
        }
        let used = so_far.values.len() + so_far.named.len() + 1;
        *room = room.saturating_sub(used);
        return *room > 0;
    };
    let mut go_on = |so_far: &mut Instance, value: u32| {
        so_far.values.push(value);
        let fits = bind(on, transition, so_far, all, room);
        so_far.values.pop();
        fits
    };
    if let Symmetry::Symmetric(_) = on.net.classes[class.0 as usize].symmetry {
        for subclass in on.statics(class.0) {
            let named = so_far.named[subclass as usize];
            for index in 0..named {
                if !go_on(so_far, word(code(subclass, index), 0)) {
                    return false;
                }
            }
            if named < on.subclasses[subclass as usize].size {
                if named == MOST_NAMED {
                    return false;
                }
                so_far.named[subclass as usize] += 1;
                let fits = go_on(so_far, word(code(subclass, named), 0));
                so_far.named[subclass as usize] -= 1;
                if !fits {
                    return false;
                }
            }
        }
        return true;
    }
    (0..on.plain_size(class)).all(|value| go_on(so_far, value))
}

impl Instance {
    /// Names a constant of a symmetric class, the one element of its static subclass.
    fn name_constant(&mut self, on: &Layout, element: Element, class: ClassId) {
        if let Element::Constant(number) = element
            && let Symmetry::Symmetric(_) = on.net.classes[class.0 as usize].symmetry
        {
            self.named[(on.first[class.0 as usize] + number) as usize] = 1;
        }
    }

    /// Whether the guard holds, and all elements of arcs that variables give are there.
    fn can_be_enabled(&self, on: &Layout, transition: &Transition) -> bool {
        let scope = self.scope(on);
        let there = |role: Role, term: &Term, domain: &[ClassId]| {
            role == Role::Inhibit || scope.is_there(term, domain)
        };
        scope.holds(&transition.guard, &transition.variables, &self.values)
            && on.arcs[self.transition].iter().zip(&on.places).all(|(arcs, place)| {
                arcs.iter().all(|(role, term)| there(*role, term, &place.domain))
            })
    }

    pub(super) fn scope<'a>(&'a self, on: &'a Layout) -> Scope<'a> {
        let variables = &on.net.transitions[self.transition].variables;
        Scope { on, variables, values: &self.values }
    }
}

/// Where arcs are evaluated: the values of a transition's variables.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) on: &'a Layout,
    pub(super) variables: &'a [ClassId],
    pub(super) values: &'a [u32],
}

impl Scope<'_> {
    fn element(&self, element: Element, class: ClassId, values: &[u32]) -> Option<u32> {
        match element {
            Element::Var(variable) => Some(values[variable.index()]),
            Element::Shift { of, by, wraps } => {
                // A cyclic class of one element goes round.
                let is_cyclic =
                    matches!(self.on.net.classes[class.0 as usize].symmetry, Symmetry::Cyclic(_));
                let size = self.on.plain_size(class);
                shifted(values[of.index()], by.into(), size, wraps || is_cyclic)
            }
            Element::Constant(number) => Some(self.constant(number, class)),
        }
    }

    /// A constant of a symmetric class is the one element of its static subclass.
    fn constant(&self, number: u32, class: ClassId) -> u32 {
        match self.on.net.classes[class.0 as usize].symmetry {
            Symmetry::Symmetric(_) => word(code(self.on.first[class.0 as usize] + number, 0), 0),
            _ => number,
        }
    }

    /// Whether a condition holds; `classes` and `values` are those of all variables it may name.
    pub(super) fn holds(&self, condition: &Condition, classes: &[ClassId], values: &[u32]) -> bool {
        let both = |a: Element, b: Element| {
            let class = [a, b].into_iter().find_map(|element| match element {
                Element::Var(of) | Element::Shift { of, .. } => Some(classes[of.index()]),
                Element::Constant(_) => None,
            })?;
            Some((self.element(a, class, values)?, self.element(b, class, values)?))
        };
        match condition {
            Condition::Not(inner) => !self.holds(inner, classes, values),
            Condition::All(inner) => inner.iter().all(|inner| self.holds(inner, classes, values)),
            Condition::Any(inner) => inner.iter().any(|inner| self.holds(inner, classes, values)),
            Condition::Equal(a, b) => both(*a, *b).is_some_and(|(a, b)| a == b),
            Condition::Less(a, b) => both(*a, *b).is_some_and(|(a, b)| a < b),
            Condition::Within(variable, number) => {
                let index = variable.index();
                let subclass = self.on.first[classes[index].0 as usize] + number;
                Layout::subclass_of_word(values[index]) == subclass
            }
        }
    }

    /// Whether all components that are given by variables are there.
    fn is_there(&self, term: &Term, domain: &[ClassId]) -> bool {
        term.tuple.iter().zip(domain).all(|(&element, &class)| match element {
            Element::Shift { of, .. } if of.index() < self.values.len() => {
                self.element(element, class, self.values).is_some()
            }
            _ => true,
        })
    }

    /// Calls `visit` with each tuple of a term, and with how many concrete tuples it stands for as
    /// far as local variables range over dynamic subclasses. `sizes` are those of the dynamic
    /// subclasses of each static one.
    pub(super) fn for_each_tuple(
        &self,
        term: &Term,
        domain: &[ClassId],
        sizes: &[Vec<u32>],
        visit: &mut impl FnMut(Vec<u32>, u64),
    ) {
        if !self.is_there(term, domain) {
            return;
        }
        let classes: Vec<ClassId> = self.variables.iter().chain(&term.locals).copied().collect();
        let mut values = self.values.to_vec();
        self.locals(term, domain, &classes, sizes, &mut values, &mut Vec::new(), visit);
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "what is the same for all locals, and what is not"
    )]
    fn locals(
        &self,
        term: &Term,
        domain: &[ClassId],
        classes: &[ClassId],
        sizes: &[Vec<u32>],
        values: &mut Vec<u32>,
        met: &mut Vec<(u32, u32)>,
        visit: &mut impl FnMut(Vec<u32>, u64),
    ) {
        let Some(&class) = classes.get(values.len()) else {
            if self.holds(&term.condition, classes, values) {
                let tuple = term.tuple.iter().zip(domain);
                let tuple: Option<Vec<u32>> =
                    tuple.map(|(&element, &class)| self.element(element, class, values)).collect();
                let ways = met.iter().fold(1_u64, |ways, &(of, met)| {
                    let size = sizes[subclass_of(of) as usize][index_of(of) as usize];
                    let more = falling(size, met).and_then(|more| u64::try_from(more).ok());
                    ways.saturating_mul(more.unwrap_or(u64::MAX))
                });
                tuple.into_iter().for_each(|tuple| visit(tuple, ways));
            }
            return;
        };
        let Symmetry::Symmetric(_) = self.on.net.classes[class.0 as usize].symmetry else {
            for value in 0..self.on.plain_size(class) {
                values.push(value);
                self.locals(term, domain, classes, sizes, values, met, visit);
                values.pop();
            }
            return;
        };
        for subclass in self.on.statics(class.0) {
            for (index, &size) in (0..).zip(&sizes[subclass as usize]) {
                let of = code(subclass, index);
                let at = met.iter().position(|&(other, _)| other == of).unwrap_or_else(|| {
                    met.push((of, 0));
                    met.len() - 1
                });
                let before = met[at].1;
                // One of those met, or a further one.
                for which in 0..=before {
                    if which < size {
                        met[at].1 = before.max(which + 1);
                        values.push(word(of, which));
                        self.locals(term, domain, classes, sizes, values, met, visit);
                        values.pop();
                    }
                }
                met[at].1 = before;
                if at + 1 == met.len() && before == 0 {
                    met.pop();
                }
            }
        }
    }
}
