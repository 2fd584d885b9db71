//! Branching time on maximal paths: sets of states, enlarged or made smaller until nothing changes.

use net::{BinaryOp, Formula, PathOp};

use crate::space::Space;

type Set = Vec<bool>;

/// The states in which a formula of branching time holds, given where those hold that speak of one state;
/// nothing if it is of linear time.
pub fn satisfying(
    space: &Space,
    formula: &Formula,
    says: &mut dyn FnMut(&Formula) -> Set,
) -> Option<Set> {
    if formula.is_of_state() {
        return Some(says(formula));
    }
    let count = space.states.len();
    let mut inner = |formula: &Formula| satisfying(space, formula, says);
    let each = |holds: &dyn Fn(usize) -> bool| (0..count).map(holds).collect::<Set>();
    let some_next = |set: &Set, s: usize| space.steps[s].iter().any(|step| set[step.target]);
    let all_next = |set: &Set, s: usize| space.steps[s].iter().all(|step| set[step.target]);
    let goes_on = |s: usize| !space.steps[s].is_empty();
    // The least or the greatest set that a law maps to itself.
    let limit = |start: bool, law: &dyn Fn(&Set, usize) -> bool| {
        let mut set = vec![start; count];
        loop {
            let next = each(&|s| law(&set, s));
            if next == set {
                return set;
            }
            set = next;
        }
    };
    Some(match formula {
        Formula::Not(a) => {
            let a = inner(a)?;
            each(&|s| !a[s])
        }
        Formula::Binary(op, a, b) => {
            let (a, b) = (inner(a)?, inner(b)?);
            each(&|s| match op {
                BinaryOp::And => a[s] && b[s],
                BinaryOp::Or => a[s] || b[s],
                _ => !a[s] || b[s],
            })
        }
        Formula::Path(op, a) => {
            let a = inner(a)?;
            match op {
                PathOp::AllNext => each(&|s| all_next(&a, s)),
                PathOp::SomeNext => each(&|s| some_next(&a, s)),
                PathOp::AllGlobally => limit(true, &|set, s| a[s] && all_next(set, s)),
                PathOp::SomeGlobally => {
                    limit(true, &|set, s| a[s] && (!goes_on(s) || some_next(set, s)))
                }
                PathOp::AllFinally => {
                    limit(false, &|set, s| a[s] || goes_on(s) && all_next(set, s))
                }
                PathOp::SomeFinally | PathOp::Reachable => {
                    limit(false, &|set, s| a[s] || some_next(set, s))
                }
                PathOp::Always | PathOp::Never | PathOp::Eventually | PathOp::Next => return None,
            }
        }
        Formula::AllUntil(a, b) => {
            let (a, b) = (inner(a)?, inner(b)?);
            limit(false, &|set, s| b[s] || a[s] && goes_on(s) && all_next(set, s))
        }
        Formula::SomeUntil(a, b) => {
            let (a, b) = (inner(a)?, inner(b)?);
            limit(false, &|set, s| b[s] || a[s] && some_next(set, s))
        }
        _ => return None,
    })
}

/// Whether it says of a path that it goes on for ever, so that it matters which paths are fair.
pub fn asks_for_ever(formula: &Formula) -> bool {
    match formula {
        Formula::Path(PathOp::SomeGlobally | PathOp::AllFinally, _) | Formula::AllUntil(..) => true,
        Formula::Not(a) | Formula::Path(_, a) | Formula::Quantified { body: a, .. } => {
            asks_for_ever(a)
        }
        Formula::Binary(_, a, b) | Formula::SomeUntil(a, b) => asks_for_ever(a) || asks_for_ever(b),
        _ => false,
    }
}
