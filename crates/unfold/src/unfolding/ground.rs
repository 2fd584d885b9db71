//! Transitions as they are unfolded: every element is its number.
//!
//! Elements of a class are numbered, those of one static subclass after those of the one before. A
//! constant of a symmetric class is the one element of its subclass; what is within a subclass has a
//! number between two others, so that conditions need nothing but numbers.

use std::ops::Index;

use net::TransitionId;

use super::NotUnfolded;
use super::effort::Effort;
use symbolic::operand::{Naming, Operand, Test};
use symbolic::{Arc, ClassId, Element, SymmetricNet, Symmetry, Variable};

/// A net whose elements are numbers.
pub(super) struct Rules {
    /// The number of places.
    pub(super) places: usize,
    pub(super) initial: Vec<Pattern>,
    transitions: Vec<Rule>,
}

/// A transition of a symmetric net, by its index. Not what it is labelled with: several of them may be
/// parts of one transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RuleId(u32);

/// A transition.
pub(super) struct Rule {
    /// What it is labelled with.
    pub(super) label: TransitionId,
    /// The number of elements that each variable ranges over.
    pub(super) variables: Vec<u32>,
    /// What has to hold of them, all of it.
    pub(super) guard: Vec<Test>,
    pub(super) takes: Vec<Pattern>,
    pub(super) reads: Vec<Pattern>,
    pub(super) puts: Vec<Pattern>,
    pub(super) inhibitors: Vec<Pattern>,
}

/// A term at a place.
pub(super) struct Pattern {
    pub(super) place: u32,
    pub(super) count: u32,
    pub(super) tuple: Vec<Operand>,
    /// Variables of the transition; those after them are local.
    pub(super) outer: usize,
    /// The number of elements that each local variable ranges over.
    pub(super) locals: Vec<u32>,
    /// By the number of locals that are known, what has to hold then.
    pub(super) tests: Vec<Vec<Test>>,
}

impl Rules {
    pub(super) fn of(net: &SymmetricNet) -> Self {
        let classes: Vec<Class> = net.classes.iter().map(|c| Class::of(&c.symmetry)).collect();
        let grounding = Grounding { net, classes };
        let patterns = |arcs: &[Arc], variables: &[ClassId]| -> Vec<Pattern> {
            let arcs = arcs.iter().filter(|arc| arc.term.count > 0);
            arcs.map(|arc| grounding.pattern(arc, variables)).collect()
        };
        let transitions = net.labelled().map(|(label, transition)| {
            let variables = &transition.variables;
            let inhibitors = transition.inhibitors.iter();
            Rule {
                label,
                variables: variables.iter().map(|class| grounding.size(*class)).collect(),
                guard: grounding.test(&transition.guard, variables).conjuncts(),
                takes: patterns(&transition.takes, variables),
                reads: patterns(&transition.reads, variables),
                puts: patterns(&transition.puts, variables),
                inhibitors: inhibitors.map(|arc| grounding.pattern(arc, variables)).collect(),
            }
        });
        Self {
            places: net.places.len(),
            initial: patterns(&net.initial, &[]),
            transitions: transitions.collect(),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (RuleId, &Rule)> {
        (0..).map(RuleId).zip(&self.transitions)
    }
}

impl Index<RuleId> for Rules {
    type Output = Rule;

    fn index(&self, id: RuleId) -> &Rule {
        &self.transitions[id.0 as usize]
    }
}

/// The elements of a class.
struct Class {
    size: u32,
    goes_round: bool,
    /// The first element of each static subclass, and one past the last.
    first: Vec<u32>,
}

impl Class {
    fn of(symmetry: &Symmetry) -> Self {
        match symmetry {
            Symmetry::Symmetric(sizes) => {
                let mut first = vec![0];
                first.extend(sizes.iter().scan(0, |sum, size| {
                    *sum += size;
                    Some(*sum)
                }));
                Self { size: sizes.iter().sum(), goes_round: true, first }
            }
            Symmetry::Cyclic(size) => Self { size: *size, goes_round: true, first: Vec::new() },
            Symmetry::Plain(size) => Self { size: *size, goes_round: false, first: Vec::new() },
        }
    }
}

struct Grounding<'n> {
    net: &'n SymmetricNet,
    classes: Vec<Class>,
}

impl Grounding<'_> {
    fn class(&self, class: ClassId) -> &Class {
        &self.classes[class.0 as usize]
    }

    fn size(&self, class: ClassId) -> u32 {
        self.class(class).size
    }

    fn pattern(&self, arc: &Arc, variables: &[ClassId]) -> Pattern {
        let term = &arc.term;
        let domain = &self.net.places[arc.place.0 as usize].domain;
        let scope = [variables, &term.locals].concat();
        let mut tests: Vec<Vec<Test>> = (0..=term.locals.len()).map(|_| Vec::new()).collect();
        for test in self.test(&term.condition, &scope).conjuncts() {
            let mut known = 0;
            test.for_each_var(&mut |var| {
                known = known.max((var as usize + 1).saturating_sub(variables.len()));
            });
            tests[known].push(test);
        }
        let tuple = term.tuple.iter().zip(domain);
        Pattern {
            place: arc.place.0,
            count: term.count,
            tuple: tuple.map(|(&element, &class)| self.operand(element, class)).collect(),
            outer: variables.len(),
            locals: term.locals.iter().map(|class| self.size(*class)).collect(),
            tests,
        }
    }
}

impl Naming for Grounding<'_> {
    fn operand(&self, element: Element, class: ClassId) -> Operand {
        let class = self.class(class);
        match element {
            Element::Var(Variable(var)) => Operand::Var(var),
            Element::Shift { of: Variable(var), by, wraps } => {
                let wraps = wraps || class.goes_round;
                Operand::Shift { var, by: by.into(), size: class.size, wraps }
            }
            Element::Constant(number) => {
                let first = class.first.get(number as usize);
                Operand::Constant(first.copied().unwrap_or(number))
            }
        }
    }

    fn within(&self, variable: Variable, class: ClassId, subclass: u32) -> Test {
        let first = &self.class(class).first;
        let before = |bound: u32| Test::Less(Operand::Var(variable.0), Operand::Constant(bound));
        let [from, to] = [0, 1].map(|next| first[subclass as usize + next]);
        Test::All(vec![Test::Not(Box::new(before(from))), before(to)])
    }
}

impl Pattern {
    /// Whether it stands for one tuple, whatever the variables are.
    pub(super) fn is_single(&self) -> bool {
        self.locals.is_empty() && self.tests.iter().all(Vec::is_empty)
    }

    /// Whether an operand is known with the variables of the transition.
    fn is_outer(&self, operand: Operand) -> bool {
        operand.var().is_none_or(|var| (var as usize) < self.outer)
    }

    /// The components that are known with the variables of the transition.
    pub(super) fn outer_columns(&self) -> Vec<usize> {
        (0..self.tuple.len()).filter(|column| self.is_outer(self.tuple[*column])).collect()
    }

    /// Whether all components are there that depend on variables of the transition alone.
    pub(super) fn can_be_followed(&self, values: &[u32]) -> bool {
        let mut outer = self.tuple.iter().filter(|operand| self.is_outer(**operand));
        outer.all(|operand| operand.value(values).is_some())
    }

    /// The tuples. `values` are those of the variables of the transition.
    pub(super) fn tuples(
        &self,
        values: &[u32],
        effort: &mut Effort<'_>,
    ) -> Result<Vec<Box<[u32]>>, NotUnfolded> {
        let mut tuples = Vec::new();
        self.add_tuples(&mut values.to_vec(), &mut tuples, effort)?;
        Ok(tuples)
    }

    fn add_tuples(
        &self,
        values: &mut Vec<u32>,
        tuples: &mut Vec<Box<[u32]>>,
        effort: &mut Effort<'_>,
    ) -> Result<(), NotUnfolded> {
        effort.spend()?;
        let known = values.len() - self.outer;
        if !self.tests[known].iter().all(|test| test.holds(values, &[])) {
            return Ok(());
        }
        let Some(size) = self.locals.get(known) else {
            tuples.extend(
                self.tuple.iter().map(|operand| operand.value(values)).collect::<Option<_>>(),
            );
            return effort.allow_places(tuples.len());
        };
        for element in 0..*size {
            values.push(element);
            self.add_tuples(values, tuples, effort)?;
            values.pop();
        }
        Ok(())
    }

    /// Whether a tuple is one of the pattern's, when the variables of the transition are known.
    pub(super) fn has(&self, values: &[u32], tuple: &[u32], scratch: &mut Vec<u32>) -> bool {
        scratch.clear();
        scratch.extend_from_slice(values);
        for local in self.outer..self.outer + self.locals.len() {
            let mut components = self.tuple.iter().zip(tuple);
            let own = components.find(|(operand, _)| operand.var() == Some(local as u32));
            let value = own.and_then(|(operand, value)| operand.solved(*value));
            let Some(value) = value else { return false };
            scratch.push(value);
        }
        self.tuple.iter().zip(tuple).all(|(operand, value)| operand.value(scratch) == Some(*value))
            && self.tests.iter().flatten().all(|test| test.holds(scratch, &[]))
    }
}
