//! From the names of variables and constants to numbers.
//!
//! Variables of a transition come first, then one for each constant of a symmetric class, bound from
//! the start to the one element of its static subclass, then the local variables of a term.

use crate::explicit::compile::Compiler;
use crate::explicit::rules::{Domain, Kind, Term};
use crate::model;
use crate::operand::{Naming, Operand, Test};
use crate::{ClassId, Element, Variable};

/// The variables of a transition or of the initial marking, constants of symmetric classes among
/// them.
pub(crate) struct Scope<'c, 'n> {
    compiler: &'c Compiler<'n>,
    variables: Vec<ClassId>,
    /// The variables that stand for constants, with their static subclasses.
    pub(crate) constants: Vec<(u32, u32)>,
}

impl<'c, 'n> Scope<'c, 'n> {
    pub(crate) fn new(compiler: &'c Compiler<'n>, variables: &[ClassId]) -> Self {
        Self { compiler, variables: variables.to_vec(), constants: Vec::new() }
    }

    /// The static subclass that a constant of a symmetric class stands for.
    fn subclass(&self, class: ClassId, number: u32) -> Option<u32> {
        let symmetric = self.compiler.domain(class).kind == Kind::Symmetric;
        symmetric.then(|| self.compiler.first[class.0 as usize] + number)
    }

    /// Finds variables for the constants of symmetric classes in a tuple; in conditions they need
    /// none, since what equals the one element of a static subclass is within it.
    pub(crate) fn find_constants(&mut self, term: &model::Term, domain: &[ClassId]) {
        for (&element, &class) in term.tuple.iter().zip(domain) {
            if let Element::Constant(number) = element
                && let Some(subclass) = self.subclass(class, number)
                && self.constants.iter().all(|&(_, other)| other != subclass)
            {
                let var = self.variables.len() + self.constants.len();
                self.constants.push((var as u32, subclass));
            }
        }
    }

    /// What the variables range over, those that stand for constants at the end.
    pub(crate) fn vars(&self) -> Vec<Domain> {
        let compiler = self.compiler;
        let constants = self.constants.iter().map(|&(_, subclass)| {
            compiler.domain(ClassId(compiler.rules.subclasses[subclass as usize].class))
        });
        self.variables.iter().map(|&class| compiler.domain(class)).chain(constants).collect()
    }

    /// Locals are numbered after constants.
    fn var(&self, variable: Variable) -> u32 {
        if variable.index() < self.variables.len() {
            variable.0
        } else {
            variable.0 + self.constants.len() as u32
        }
    }

    /// Compiles a term, whose constants must have been found.
    pub(crate) fn term(&self, term: &model::Term, domain: &[ClassId]) -> Term {
        let scope: Vec<ClassId> = self.variables.iter().chain(&term.locals).copied().collect();
        let tuple = term.tuple.iter().zip(domain);
        Term {
            count: term.count,
            tuple: tuple.map(|(&element, &class)| self.operand(element, class)).collect(),
            locals: term.locals.iter().map(|&class| self.compiler.domain(class)).collect(),
            first_local: (self.variables.len() + self.constants.len()) as u32,
            condition: self.test(&term.condition, &scope),
        }
    }
}

impl Naming for Scope<'_, '_> {
    fn operand(&self, element: Element, class: ClassId) -> Operand {
        match element {
            Element::Var(variable) => Operand::Var(self.var(variable)),
            Element::Shift { of, by, wraps } => {
                let Domain { kind, size, .. } = self.compiler.domain(class);
                let wraps = wraps || kind != Kind::Plain;
                Operand::Shift { var: self.var(of), by: i64::from(by), size, wraps }
            }
            Element::Constant(number) => match self.subclass(class, number) {
                Some(subclass) => {
                    let mut constants = self.constants.iter();
                    let found = constants.find(|&&(_, other)| other == subclass);
                    Operand::Var(found.expect("constants are found first").0)
                }
                None => Operand::Constant(number),
            },
        }
    }

    fn within(&self, variable: Variable, class: ClassId, subclass: u32) -> Test {
        Test::Within(self.var(variable), self.compiler.first[class.0 as usize] + subclass)
    }

    fn equal(&self, a: Element, b: Element, class: ClassId) -> Test {
        match (a, b) {
            (Element::Var(of), Element::Constant(number))
            | (Element::Constant(number), Element::Var(of))
                if self.subclass(class, number).is_some() =>
            {
                self.within(of, class, number)
            }
            _ => Test::Equal(self.operand(a, class), self.operand(b, class)),
        }
    }
}
