//! Conditions on members of classes and nothing else: which members they leave out.
//!
//! A condition on one member alone is said as a difference, `all` without these members, whatever it is made of; so it has
//! one form in nets that come from documents.

use net::{Expr, Members, Var};

/// Conditions on classes with more members are left as they are.
pub(crate) const MOST_MEMBERS: u64 = 1024;

/// The only variable of a condition, if it has only one.
pub(crate) fn only_variable(condition: &Expr) -> Option<Var> {
    let mut found: Option<Var> = None;
    let mut only = true;
    condition.variables(&mut |var| {
        only &= found.is_none_or(|other| other == var);
        found = Some(var);
    });
    found.filter(|_| only)
}

/// The members of a class of this size for which a condition on its only variable does not hold; none if
/// it cannot be told.
pub(crate) fn left_out(condition: &Expr, size: u64, members: &dyn Members) -> Option<Vec<u32>> {
    if size > MOST_MEMBERS {
        return None;
    }
    let mut list = Vec::new();
    for member in 0..size as u32 {
        if condition.value(members, &|_| member).ok()? == 0 {
            list.push(member);
        }
    }
    Some(list)
}
