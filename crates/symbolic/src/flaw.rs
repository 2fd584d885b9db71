//! What may be wrong with a net, all of it collected.
//!
//! A net without flaws can be compiled and fired; whatever else goes wrong is a
//! [`Fault`](crate::Fault) of a marking.

use crate::{
    Arc, ClassId, Condition, Element, PlaceId, SymmetricNet, Symmetry, Term, Transition, Variable,
};

/// The largest number of elements of a class.
pub const MOST_ELEMENTS: u64 = 1 << 31;
/// The largest number of components of a token, and of variables that one term can see.
pub const MOST_COLUMNS: usize = 200;
const TOO_WIDE: &str = "more than 200 components or variables";

/// Something wrong with a net.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {problem}")]
pub struct Flaw {
    /// Where: a class, a place, or an arc of a transition.
    pub at: String,
    /// What.
    pub problem: String,
}

impl SymmetricNet {
    /// All flaws of the net: it can be explored and unfolded if there are none.
    #[must_use]
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut check = Check { net: self, flaws: Vec::new(), at: String::new() };
        for class in &self.classes {
            check.at = format!("class {}", class.name);
            let size = match &class.symmetry {
                Symmetry::Symmetric(sizes) => sizes.iter().map(|&size| u64::from(size)).sum(),
                Symmetry::Cyclic(size) | Symmetry::Plain(size) => u64::from(*size),
            };
            if size > MOST_ELEMENTS {
                check.report("more than 2^31 elements");
            }
        }
        for place in &self.places {
            check.at = format!("place {}", place.name);
            place.domain.iter().for_each(|&class| check.class(class));
            if place.domain.len() > MOST_COLUMNS {
                check.report(TOO_WIDE);
            }
        }
        for arc in &self.initial {
            check.at = "initial marking".to_owned();
            check.arc(arc, &[]);
        }
        for transition in &self.transitions {
            check.transition(transition);
        }
        check.flaws
    }
}

struct Check<'n> {
    net: &'n SymmetricNet,
    flaws: Vec<Flaw>,
    at: String,
}

impl Check<'_> {
    fn report(&mut self, problem: impl Into<String>) {
        self.flaws.push(Flaw { at: self.at.clone(), problem: problem.into() });
    }

    fn class(&mut self, class: ClassId) {
        if class.0 as usize >= self.net.classes.len() {
            self.report(format!("there is no class {}", class.0));
        }
    }

    fn transition(&mut self, transition: &Transition) {
        let name = &transition.name;
        self.at = format!("transition {name}");
        transition.variables.iter().for_each(|&class| self.class(class));
        self.condition(&transition.guard, &transition.variables);
        let kinds = [
            ("takes", &transition.takes),
            ("reads", &transition.reads),
            ("puts", &transition.puts),
            ("unless", &transition.inhibitors),
        ];
        for (kind, arcs) in kinds {
            for arc in arcs {
                self.at = format!("transition {name}, {kind}");
                self.arc(arc, &transition.variables);
            }
        }
    }

    fn arc(&mut self, arc: &Arc, variables: &[ClassId]) {
        let PlaceId(place) = arc.place;
        let Some(place) = self.net.places.get(place as usize) else {
            return self.report(format!("there is no place {place}"));
        };
        self.at = format!("{}, place {}", self.at, place.name);
        let Term { tuple, locals, condition, .. } = &arc.term;
        locals.iter().for_each(|&class| self.class(class));
        let scope: Vec<ClassId> = variables.iter().chain(locals).copied().collect();
        if scope.len() > MOST_COLUMNS {
            self.report(TOO_WIDE);
        }
        if tuple.len() != place.domain.len() {
            let (found, expected) = (tuple.len(), place.domain.len());
            return self.report(format!("the tuple has {found} components, the domain {expected}"));
        }
        for (&element, &class) in tuple.iter().zip(&place.domain) {
            self.element(element, class, &scope);
        }
        self.condition(condition, &scope);
        for local in variables.len()..scope.len() {
            let is_local =
                |element: &Element| element.variable().map(Variable::index) == Some(local);
            if !tuple.iter().any(is_local) {
                let local = local - variables.len();
                self.report(format!("local variable {local} does not occur in the tuple"));
            }
        }
    }

    /// The class of a variable, if there is one.
    fn variable(&mut self, variable: Variable, scope: &[ClassId]) -> Option<ClassId> {
        let class = scope.get(variable.index()).copied();
        if class.is_none() {
            self.report(format!("there is no variable {}", variable.0));
        }
        class
    }

    fn symmetry(&self, class: ClassId) -> Option<&Symmetry> {
        self.net.classes.get(class.0 as usize).map(|class| &class.symmetry)
    }

    /// Looks at an element that is to be of this class.
    fn element(&mut self, element: Element, class: ClassId, scope: &[ClassId]) {
        match element {
            Element::Var(of) | Element::Shift { of, .. } => {
                let Some(found) = self.variable(of, scope) else { return };
                let shifted = matches!(element, Element::Shift { .. });
                if found != class {
                    self.report(format!(
                        "an element of class {} where one of class {} is wanted",
                        found.0, class.0
                    ));
                } else if shifted && matches!(self.symmetry(class), Some(Symmetry::Symmetric(_))) {
                    self.report("a symmetric class has no successors");
                }
            }
            Element::Constant(number) => {
                let fits = match self.symmetry(class) {
                    Some(Symmetry::Symmetric(sizes)) => sizes.get(number as usize) == Some(&1),
                    Some(Symmetry::Plain(size)) => number < *size,
                    Some(Symmetry::Cyclic(_)) => false,
                    None => true,
                };
                if !fits {
                    self.report(format!(
                        "constant {number} is neither an element of a plain class nor a static \
                         subclass of one element"
                    ));
                }
            }
        }
    }

    /// Looks at two elements that are compared, and gives their class.
    fn pair(&mut self, a: Element, b: Element, scope: &[ClassId]) -> Option<ClassId> {
        let Some(variable) = a.variable().or(b.variable()) else {
            self.report("two constants are compared");
            return None;
        };
        let class = self.variable(variable, scope)?;
        self.element(a, class, scope);
        self.element(b, class, scope);
        Some(class)
    }

    fn condition(&mut self, condition: &Condition, scope: &[ClassId]) {
        match condition {
            Condition::Not(inner) => self.condition(inner, scope),
            Condition::All(inner) | Condition::Any(inner) => {
                inner.iter().for_each(|inner| self.condition(inner, scope));
            }
            Condition::Equal(a, b) => {
                self.pair(*a, *b, scope);
            }
            Condition::Less(a, b) => {
                if let Some(class) = self.pair(*a, *b, scope)
                    && matches!(
                        self.symmetry(class),
                        Some(Symmetry::Symmetric(_) | Symmetry::Cyclic(_))
                    )
                {
                    self.report("only elements of plain classes have an order");
                }
            }
            Condition::Within(variable, number) => {
                let Some(class) = self.variable(*variable, scope) else { return };
                let subclasses = match self.symmetry(class) {
                    Some(Symmetry::Symmetric(sizes)) => sizes.len(),
                    _ => 0,
                };
                if *number as usize >= subclasses {
                    self.report(format!("there is no static subclass {number}"));
                }
            }
        }
    }
}
