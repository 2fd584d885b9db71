//! From a net without flaws to rules.
//!
//! # Thresholds
//!
//! Let an assignment of a transition's variables name at most `v` elements of a class, let tokens
//! have at most `a` components of it, and let `n` be the largest count of an inhibitor with a local
//! variable over it (1 if there is none). Nothing that firing looks at tells a dynamic subclass of
//! `v + a + n − 1` elements from a larger one: after `v` elements are split off, `a` different ones
//! can still be met in a tuple, and whatever an inhibitor counts there, it counts at least `n`.
//! That is the *threshold* of the class.

use budget::{Budget, Exhausted};
use net::TransitionId;

use crate::explicit::changes::Amount;
use crate::explicit::fixed::{Fixed, changing};
use crate::explicit::plan::Plan;
use crate::explicit::rules::{
    Class, Column, Domain, Inhibitor, Kind, Place, Rules, Subclass, Term, Terms, Touch, Transition,
};
use crate::explicit::scope::Scope;
use crate::model;
use crate::operand::{Naming, Operand};
use crate::{ClassId, SymmetricNet, Symmetry};

/// What the plans of transitions go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// The entries of a marking.
    Marking,
    /// Nothing: variables have all values that the guard allows. No place counts as fixed.
    Nothing,
}

/// Compiles a net, which must have no flaws. Linear in the net.
pub(crate) fn compile(
    net: &SymmetricNet,
    given: Given,
    budget: &Budget,
) -> Result<Rules, Exhausted> {
    let (first, index) = (Vec::new(), Vec::new());
    let mut compiler = Compiler { net, given, first, index, rules: Rules::default() };
    compiler.classes();
    compiler.places();
    let mut scope = Scope::new(&compiler, &[]);
    net.initial.iter().for_each(|arc| scope.find_constants(&arc.term, compiler.columns(arc)));
    let mut initial: Vec<Terms> = vec![Vec::new(); net.places.len()];
    for arc in &net.initial {
        let put = Amount::new(0, 0, arc.term.count);
        initial[arc.place.0 as usize].push((put, scope.term(&arc.term, compiler.columns(arc))));
    }
    compiler.rules.initial_constants = scope.constants;
    if given == Given::Marking {
        compiler.fix_places(&initial, budget)?;
    }
    compiler.rules.initial = initial;
    compiler.order_places();
    let transitions = net.labelled().map(|(label, transition)| {
        budget.check()?;
        Ok(compiler.transition(transition, label))
    });
    let transitions = transitions.collect::<Result<Vec<Transition>, Exhausted>>()?;
    let Compiler { mut rules, .. } = compiler;
    rules.transitions = transitions;
    thresholds(net, &mut rules);
    Ok(rules)
}

/// Finds how many elements of each class can be named, and the thresholds.
fn thresholds(net: &SymmetricNet, rules: &mut Rules) {
    for (i, class) in rules.classes.iter_mut().enumerate() {
        let id = ClassId(i as u32);
        let constants = |t: &Transition| {
            let of = |&&(_, subclass): &&(u32, u32)| {
                rules.subclasses[subclass as usize].class == i as u32
            };
            t.constants.iter().filter(of).count()
        };
        let named = net.transitions.iter().zip(&rules.transitions).map(|(t, compiled)| {
            t.variables.iter().filter(|&&class| class == id).count() + constants(compiled)
        });
        let named = named.max().unwrap_or(0) as u32;
        let met = net.places.iter().map(|p| p.domain.iter().filter(|&&c| c == id).count());
        let met = met.max().unwrap_or(0) as u32;
        let inhibitors = net.transitions.iter().flat_map(|t| &t.inhibitors);
        let counted = inhibitors.filter(|arc| arc.term.locals.contains(&id));
        let counted = counted.map(|arc| arc.term.count).max().unwrap_or(1).max(1);
        class.named = named;
        class.threshold = (named + met).saturating_add(counted - 1).max(1);
    }
}

/// A net that is being compiled.
pub(crate) struct Compiler<'n> {
    net: &'n SymmetricNet,
    given: Given,
    /// The first static subclass of each class.
    pub(crate) first: Vec<u32>,
    /// Where each place is among those that are moving, if it is.
    index: Vec<u32>,
    /// What is compiled so far.
    pub(crate) rules: Rules,
}

impl<'n> Compiler<'n> {
    /// The classes of the components at a place.
    fn columns(&self, arc: &model::Arc) -> &'n [ClassId] {
        &self.net.places[arc.place.0 as usize].domain
    }

    /// What a variable of a class ranges over.
    pub(crate) fn domain(&self, class: ClassId) -> Domain {
        let Class { kind, size, .. } = self.rules.classes[class.0 as usize];
        Domain { class: class.0, kind, size }
    }

    fn classes(&mut self) {
        for (i, class) in self.net.classes.iter().enumerate() {
            self.first.push(self.rules.subclasses.len() as u32);
            let (kind, size) = match &class.symmetry {
                Symmetry::Symmetric(sizes) => {
                    let of = |&size: &u32| Subclass { class: i as u32, size };
                    self.rules.subclasses.extend(sizes.iter().map(of));
                    (Kind::Symmetric, sizes.iter().sum())
                }
                Symmetry::Cyclic(size) if self.is_alone(ClassId(i as u32)) => {
                    (Kind::Turning, *size)
                }
                Symmetry::Cyclic(size) => (Kind::Cyclic, *size),
                Symmetry::Plain(size) => (Kind::Plain, *size),
            };
            self.rules.turning.extend((kind == Kind::Turning).then_some(i as u32));
            self.rules.classes.push(Class { kind, size, threshold: 1, named: 0 });
        }
    }

    /// Whether a class shares no place with another class but plain ones, and the tuples of such
    /// places have codes that fit.
    fn is_alone(&self, class: ClassId) -> bool {
        let size = |c: &ClassId| match &self.net.classes[c.0 as usize].symmetry {
            Symmetry::Plain(size) => Some(*size),
            Symmetry::Cyclic(size) if *c == class => Some(*size),
            _ => None,
        };
        let places = self.net.places.iter().filter(|place| place.domain.contains(&class));
        let mut tuples = places.map(|place| {
            place.domain.iter().try_fold(1, |product: u32, c| product.checked_mul(size(c)?))
        });
        let sum = tuples.try_fold(0, |sum: u32, tuples| sum.checked_add(tuples?));
        sum.is_some_and(|sum| sum < 1 << 31)
    }

    fn places(&mut self) {
        let mut codes = Some(0);
        let mut turning_codes = vec![0; self.rules.classes.len()];
        for place in &self.net.places {
            let mut columns: Vec<Column> = Vec::new();
            for id in &place.domain {
                let Domain { class, kind, size } = self.domain(*id);
                let before = columns.iter().filter(|column| column.class == class).count();
                columns.push(Column { kind, class, size, rank: before as u32 + 1 });
            }
            let has = |kind| columns.iter().any(|column: &Column| column.kind == kind);
            let turning = columns.iter().find(|column| column.kind == Kind::Turning);
            let turning = turning.map(|column| column.class);
            let (symmetric, structured) =
                (has(Kind::Symmetric), has(Kind::Symmetric) || has(Kind::Cyclic));
            let tuples = columns.iter().try_fold(1_u32, |product, column| {
                product.checked_mul(match column.kind {
                    Kind::Symmetric => column.rank,
                    Kind::Plain | Kind::Turning => column.size,
                    Kind::Cyclic => 1,
                })
            });
            let plain = columns.iter().all(|column| column.kind == Kind::Plain);
            let mut code = 0;
            if structured {
                code = codes.unwrap_or(0);
                codes = codes.and_then(|codes| tuples?.checked_add(codes));
            } else if let Some(class) = turning {
                code = turning_codes[class as usize];
                turning_codes[class as usize] += tuples.expect("codes of turning classes fit");
            }
            self.rules.has_cyclic |= has(Kind::Cyclic);
            self.rules.places.push(Place {
                columns,
                symmetric,
                structured,
                turning,
                code,
                plain,
                fixed: None,
            });
        }
        self.rules.codes = codes.filter(|&codes| codes < 1 << 31);
    }

    /// Finds the places that never change, and what they hold.
    fn fix_places(&mut self, initial: &[Terms], budget: &Budget) -> Result<(), Exhausted> {
        let changing = changing(self.net);
        for ((place, terms), changes) in self.rules.places.iter_mut().zip(initial).zip(changing) {
            budget.check()?;
            if !changes {
                place.fixed = Fixed::new(place, terms, &self.rules.subclasses);
            }
        }
        Ok(())
    }

    /// Orders the places that are not fixed.
    fn order_places(&mut self) {
        let all = 0..self.rules.places.len() as u32;
        self.rules.moving =
            all.filter(|&id| self.rules.places[id as usize].fixed.is_none()).collect();
        let is_plain = |id: u32| self.rules.places[id as usize].plain;
        self.rules.moving.sort_by_key(|&id| !is_plain(id));
        self.rules.plain = self.rules.moving.iter().filter(|&&id| is_plain(id)).count();
        self.index.resize(self.rules.places.len(), u32::MAX);
        for (index, &id) in (0..).zip(&self.rules.moving) {
            self.index[id as usize] = index;
        }
    }

    fn transition(&self, transition: &model::Transition, label: TransitionId) -> Transition {
        let mut scope = Scope::new(self, &transition.variables);
        let model::Transition { takes, reads, puts, inhibitors, .. } = transition;
        for arc in transition.arcs() {
            scope.find_constants(&arc.term, self.columns(arc));
        }
        let guard = scope.test(&transition.guard, &transition.variables);
        let mut touches: Vec<Touch> = Vec::new();
        for (arcs, [need, take, put]) in [(takes, [1, 1, 0]), (reads, [1, 0, 0]), (puts, [0, 0, 1])]
        {
            for arc in arcs.iter().filter(|arc| arc.term.count > 0) {
                let count = arc.term.count;
                let amount = Amount::new(need * count, take * count, put * count);
                let term = (amount, scope.term(&arc.term, self.columns(arc)));
                let needs = amount.need > 0;
                match touches.iter_mut().find(|touch| touch.place == arc.place.0) {
                    Some(touch) => {
                        touch.terms.push(term);
                        touch.needs |= needs;
                    }
                    None => {
                        let (place, terms) = (arc.place.0, vec![term]);
                        touches.push(Touch { place, terms, needs, counter: None });
                    }
                }
            }
        }
        for touch in &mut touches {
            let is_single = |(_, term): &(Amount, Term)| term.is_single();
            if self.rules.places[touch.place as usize].columns.is_empty()
                && touch.terms.iter().all(is_single)
            {
                let mut all = Amount::default();
                touch.terms.iter().for_each(|(amount, _)| all.add(*amount));
                touch.counter = Some(all);
            }
        }
        touches.sort_by_key(|touch| (!touch.needs, touch.place));
        let vars = scope.vars();
        let mut needs = Vec::new();
        let mut partial = Vec::new();
        for touch in &touches {
            for (amount, term) in &touch.terms {
                let is_need = amount.need > 0 && self.given == Given::Marking;
                if is_need && term.is_single() {
                    needs.push((touch.place, term.count, term));
                }
                partial.extend(term.tuple.iter().filter(|operand| match operand {
                    Operand::Shift { var, wraps, .. } => !wraps && *var < term.first_local,
                    _ => false,
                }));
            }
        }
        let variables = 0..transition.variables.len();
        let plan = Plan::new(&vars, variables, &self.rules.places, &needs, guard.conjuncts());
        drop(needs);
        // The plan sees to all that fixed places are asked for, but for terms that must be there
        // together, and locals.
        let is_fixed = |touch: &Touch| self.rules.places[touch.place as usize].fixed.is_some();
        let (mut together, touches): (Vec<Touch>, Vec<Touch>) =
            touches.into_iter().partition(is_fixed);
        together.retain_mut(|touch| {
            touch.terms.retain(|(amount, _)| amount.need > 0);
            touch.terms.len() > 1 || touch.terms.iter().any(|(_, term)| !term.is_single())
        });
        let inhibitors = inhibitors.iter().map(|arc| {
            let term = scope.term(&arc.term, self.columns(arc));
            let needs = [(arc.place.0, 1, &term)];
            let tests = term.condition.clone().conjuncts();
            let all = [&vars[..], &term.locals].concat();
            let plan = Plan::new(&all, vars.len()..all.len(), &self.rules.places, &needs, tests);
            Inhibitor { count: arc.term.count, locals: term.locals.len() as u32, plan }
        });
        let writes =
            |touch: &&Touch| touch.terms.iter().any(|(amount, _)| amount.take + amount.put > 0);
        let changed = touches.iter().filter(writes).map(|touch| touch.place as usize);
        let plain = changed.filter(|&place| self.rules.places[place].plain);
        let mut changes: Vec<u32> = plain.map(|place| self.index[place]).collect();
        changes.sort_unstable();
        Transition {
            changes,
            needed: plan.places().collect(),
            label: label.0,
            inhibitors: inhibitors.collect(),
            symmetric: vars.iter().map(|var| var.kind == Kind::Symmetric).collect(),
            constants: scope.constants,
            plan,
            touches,
            together,
            partial,
        }
    }
}
