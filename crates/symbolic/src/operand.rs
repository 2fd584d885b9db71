//! Elements and conditions as they are evaluated: on the words of variables.

use crate::word::dynamic;
use crate::{ClassId, Condition, Element, Variable};

/// An element, given the words of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The value of a variable of any class.
    Var(u32),
    /// The element some steps after the value of a variable.
    Shift {
        /// The variable.
        var: u32,
        /// How many steps after it; before it if negative.
        by: i64,
        /// The number of elements.
        size: u32,
        /// Whether the first element follows the last.
        wraps: bool,
    },
    /// An element of a plain class.
    Constant(u32),
}

/// The element this many steps after another; `None` if that leads nowhere.
#[inline]
pub(crate) fn shifted(element: u32, by: i64, size: u32, wraps: bool) -> Option<u32> {
    let to = i64::from(element) + by;
    let size = i64::from(size);
    if wraps {
        Some(to.rem_euclid(size) as u32)
    } else {
        (0 <= to && to < size).then_some(to as u32)
    }
}

impl Operand {
    /// The word of the element, unless it is not there.
    #[must_use]
    #[inline]
    pub fn value(self, values: &[u32]) -> Option<u32> {
        match self {
            Self::Var(var) => Some(values[var as usize]),
            Self::Shift { var, by, size, wraps } => shifted(values[var as usize], by, size, wraps),
            Self::Constant(element) => Some(element),
        }
    }

    /// The value of its variable for which it is this element, if there is one.
    #[must_use]
    #[inline]
    pub fn solved(self, element: u32) -> Option<u32> {
        match self {
            Self::Var(_) => Some(element),
            Self::Shift { by, size, wraps, .. } => shifted(element, -by, size, wraps),
            Self::Constant(_) => None,
        }
    }

    /// The variable it depends on.
    #[must_use]
    pub fn var(self) -> Option<u32> {
        match self {
            Self::Var(var) | Self::Shift { var, .. } => Some(var),
            Self::Constant(_) => None,
        }
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// The opposite.
    Not(Box<Test>),
    /// All of these.
    All(Vec<Test>),
    /// One of these.
    Any(Vec<Test>),
    /// The same element; false if one of them is not there.
    Equal(Operand, Operand),
    /// The first comes before the second; false if one of them is not there.
    Less(Operand, Operand),
    /// The static subclass, numbered over all classes.
    Within(u32, u32),
}

/// How the elements of a net are evaluated.
pub trait Naming {
    /// An element of a class.
    fn operand(&self, element: Element, class: ClassId) -> Operand;

    /// That a variable of a class is in a static subclass of it.
    fn within(&self, variable: Variable, class: ClassId, subclass: u32) -> Test;

    /// That two elements of a class are the same.
    fn equal(&self, a: Element, b: Element, class: ClassId) -> Test {
        Test::Equal(self.operand(a, class), self.operand(b, class))
    }

    /// A condition on variables of these classes.
    fn test(&self, condition: &Condition, scope: &[ClassId]) -> Test {
        let all = |list: &[Condition]| list.iter().map(|one| self.test(one, scope)).collect();
        let class = |a: Element, b: Element| {
            let of = a.variable().or(b.variable()).expect("a variable is compared");
            scope[of.index()]
        };
        match condition {
            Condition::Not(inner) => Test::Not(Box::new(self.test(inner, scope))),
            Condition::All(list) => Test::All(all(list)),
            Condition::Any(list) => Test::Any(all(list)),
            Condition::Equal(a, b) => self.equal(*a, *b, class(*a, *b)),
            Condition::Less(a, b) => {
                let class = class(*a, *b);
                Test::Less(self.operand(*a, class), self.operand(*b, class))
            }
            Condition::Within(of, subclass) => self.within(*of, scope[of.index()], *subclass),
        }
    }
}

impl Test {
    /// Whether it holds. `subclasses` has the static subclass of each dynamic one.
    #[must_use]
    pub fn holds(&self, values: &[u32], subclasses: &[u32]) -> bool {
        match self {
            Self::Not(inner) => !inner.holds(values, subclasses),
            Self::All(inner) => inner.iter().all(|inner| inner.holds(values, subclasses)),
            Self::Any(inner) => inner.iter().any(|inner| inner.holds(values, subclasses)),
            Self::Equal(a, b) => match (a.value(values), b.value(values)) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            },
            Self::Less(a, b) => match (a.value(values), b.value(values)) {
                (Some(a), Some(b)) => a < b,
                _ => false,
            },
            Self::Within(var, subclass) => {
                subclasses[dynamic(values[*var as usize]) as usize] == *subclass
            }
        }
    }

    /// Calls `visit` for each variable, perhaps more than once.
    pub fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Self::Not(inner) => inner.for_each_var(visit),
            Self::All(inner) | Self::Any(inner) => {
                inner.iter().for_each(|inner| inner.for_each_var(visit));
            }
            Self::Equal(a, b) | Self::Less(a, b) => {
                [a, b].into_iter().filter_map(|operand| operand.var()).for_each(visit);
            }
            Self::Within(var, _) => visit(*var),
        }
    }

    /// The conditions of which it is the conjunction.
    #[must_use]
    pub fn conjuncts(self) -> Vec<Test> {
        match self {
            Self::All(inner) => inner.into_iter().flat_map(Self::conjuncts).collect(),
            other => vec![other],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_round_or_lead_nowhere() {
        assert_eq!(shifted(3, 1, 4, true), Some(0));
        assert_eq!(shifted(0, -1, 4, true), Some(3));
        assert_eq!(
            shifted(2, i64::from(i32::MIN), 3, true),
            Some((2 - (1_i64 << 31)).rem_euclid(3) as u32)
        );
        assert_eq!(shifted(3, 1, 4, false), None);
        assert_eq!(shifted(0, -1, 4, false), None);
        assert_eq!(shifted(1, 2, 4, false), Some(3));
    }

    #[test]
    fn nothing_equals_what_is_not_there() {
        let after = Operand::Shift { var: 0, by: 1, size: 3, wraps: false };
        let equal = Test::Equal(after, Operand::Constant(0));
        assert!(!equal.holds(&[2], &[]));
        assert!(Test::Not(Box::new(equal)).holds(&[2], &[]));
        assert!(!Test::Less(Operand::Constant(0), after).holds(&[2], &[]));
        assert!(Test::Less(Operand::Constant(0), after).holds(&[1], &[]));
    }
}
