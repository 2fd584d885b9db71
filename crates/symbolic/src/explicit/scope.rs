//! From the names of variables and constants to numbers.
//!
//! Variables of a transition come first, then one for each constant of a symmetric class, bound from
//! the start to the one element of its static subclass, then the local variables of a term.

use crate::explicit::compile::Compiler;
use crate::explicit::plan::Var;
use crate::explicit::rules::{Class, Kind, Local, Term};
use crate::model;
use crate::operand::{Operand, Test};
use crate::{ClassId, Condition, Element};

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
        let symmetric = self.compiler.classes[class.0 as usize].kind == Kind::Symmetric;
        symmetric.then(|| self.compiler.first[class.0 as usize] + number)
    }

    fn find_constant(&mut self, element: Element, class: ClassId) {
        if let Element::Constant(number) = element
            && let Some(subclass) = self.subclass(class, number)
            && self.constants.iter().all(|&(_, other)| other != subclass)
        {
            let var = self.variables.len() + self.constants.len();
            self.constants.push((var as u32, subclass));
        }
    }

    /// Finds variables for the constants of symmetric classes in a tuple; in conditions they need
    /// none, since what equals the one element of a static subclass is within it.
    pub(crate) fn find_constants(&mut self, term: &model::Term, domain: &[ClassId]) {
        for (&element, &class) in term.tuple.iter().zip(domain) {
            self.find_constant(element, class);
        }
    }

    /// What plans need to know of the variables.
    pub(crate) fn vars(&self) -> Vec<Var> {
        let compiler = self.compiler;
        let var = |class: u32, bound: bool| {
            let Class { kind, size, .. } = compiler.classes[class as usize];
            Var { class, kind, size, bound }
        };
        let constants = self.constants.iter().map(|&(_, subclass)| {
            let class = compiler.subclasses[subclass as usize].class;
            var(class, true)
        });
        self.variables.iter().map(|class| var(class.0, false)).chain(constants).collect()
    }

    /// Locals are numbered after constants.
    fn var(&self, variable: model::Variable) -> u32 {
        if variable.index() < self.variables.len() {
            variable.0
        } else {
            variable.0 + self.constants.len() as u32
        }
    }

    fn operand(&self, element: Element, class: ClassId) -> Operand {
        match element {
            Element::Var(variable) => Operand::Var(self.var(variable)),
            Element::Shift { of, by, wraps } => {
                let Class { kind, size, .. } = self.compiler.classes[class.0 as usize];
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

    /// Compiles a term, whose constants must have been found.
    pub(crate) fn term(&self, term: &model::Term, domain: &[ClassId]) -> Term {
        let scope: Vec<ClassId> = self.variables.iter().chain(&term.locals).copied().collect();
        let locals = term.locals.iter().map(|class| {
            let Class { kind, size, .. } = self.compiler.classes[class.0 as usize];
            Local { class: class.0, kind, size }
        });
        let tuple = term.tuple.iter().zip(domain);
        Term {
            count: term.count,
            tuple: tuple.map(|(&element, &class)| self.operand(element, class)).collect(),
            locals: locals.collect(),
            first_local: (self.variables.len() + self.constants.len()) as u32,
            condition: self.test_in(&term.condition, &scope),
        }
    }

    /// Compiles a condition on the variables of a transition.
    pub(crate) fn test(&self, condition: &Condition) -> Test {
        self.test_in(condition, &self.variables)
    }

    fn test_in(&self, condition: &Condition, scope: &[ClassId]) -> Test {
        let all = |inner: &[Condition]| inner.iter().map(|i| self.test_in(i, scope)).collect();
        match condition {
            Condition::Not(inner) => Test::Not(Box::new(self.test_in(inner, scope))),
            Condition::All(inner) => Test::All(all(inner)),
            Condition::Any(inner) => Test::Any(all(inner)),
            Condition::Equal(a, b) => self.compared(*a, *b, scope, Test::Equal),
            Condition::Less(a, b) => self.compared(*a, *b, scope, Test::Less),
            Condition::Within(variable, number) => {
                let class = scope[variable.index()];
                Test::Within(self.var(*variable), self.compiler.first[class.0 as usize] + number)
            }
        }
    }

    fn compared(
        &self,
        a: Element,
        b: Element,
        scope: &[ClassId],
        test: fn(Operand, Operand) -> Test,
    ) -> Test {
        let class = |element: Element| match element {
            Element::Var(of) | Element::Shift { of, .. } => Some(scope[of.index()]),
            Element::Constant(_) => None,
        };
        let class = class(a).or(class(b)).expect("a variable is compared");
        if let (Element::Var(of), Element::Constant(number))
        | (Element::Constant(number), Element::Var(of)) = (a, b)
            && let Some(subclass) = self.subclass(class, number)
        {
            return Test::Within(self.var(of), subclass);
        }
        test(self.operand(a, class), self.operand(b, class))
    }
}
