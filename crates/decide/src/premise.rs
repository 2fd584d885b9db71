//! What must hold some time if a property is not to hold vacuously.

use net::{BinaryOp, Expr, Formula, Literal, PathOp, Quantifier, Subject};

/// A statement about single states: where it never holds, the formula says nothing.
pub(crate) fn premise(formula: &Formula) -> Option<Formula> {
    match formula {
        // What is said of a thread that is followed.
        Formula::Quantified { subject: Subject::Entering(_), body, .. } => premise(body),
        Formula::Path(PathOp::Always | PathOp::AllGlobally, inner) if inner.is_of_state() => {
            premise_of_state(inner)
        }
        Formula::Path(PathOp::Always | PathOp::AllGlobally, inner) => match &**inner {
            Formula::Binary(BinaryOp::Implies, a, _) if a.is_of_state() => Some((**a).clone()),
            _ => None,
        },
        Formula::LeadsTo(a, _) if a.is_of_state() => Some((**a).clone()),
        _ => None,
    }
}

/// The premise of `P implies Q`; of `forall x …: F` that there is such an x, with the premise of F.
fn premise_of_state(formula: &Formula) -> Option<Formula> {
    match formula {
        Formula::Binary(BinaryOp::Implies, a, _) => Some((**a).clone()),
        Formula::Quantified { quantifier: Quantifier::Forall, thread, subject, body } => {
            let truth = || Formula::Term(Expr::Literal(Literal::Bool(true)));
            Some(Formula::Quantified {
                quantifier: Quantifier::Exists,
                thread: *thread,
                subject: subject.clone(),
                body: Box::new(premise_of_state(body).unwrap_or_else(truth)),
            })
        }
        _ => None,
    }
}
