//! What a net can say of members that are alike.
//!
//! An expression may not name a member that a symmetry moves; it may name parts. So after the symmetries
//! were found, every set of members must be made of whole parts, and a literal that is left must be in a
//! sum of constants that can be said otherwise. Where that is not so, members that are alike are taken
//! for different. A net in which that happens is rare: it says of two members the same by turns, as
//! `x == a and y == b or x == b and y == a` does.

use super::form::Form;
use super::group::Group;
use super::items::{Items, Role};
use super::orbit::{is_sayable, moved, operands};
use super::{Loss, Lost};
use crate::{EnumId, Net};

/// Narrows down the groups to what can be said, and gives what is lost by that.
pub(super) fn narrow(net: &Net, items: &Items, groups: &mut [Group]) -> Vec<(EnumId, Loss)> {
    let mut losses = Vec::new();
    for (site, form, _) in &items.list {
        let mut keep = |class: EnumId, set: &[u32]| {
            if let Some((member, from)) = groups[class.index()].keep(set) {
                let lost = Lost::Unsayable { member, from };
                losses.push((class, Loss { piece: site.piece, lost }));
            }
        };
        let mut in_expression = |form: &Form| {
            form.walk(&mut |form| match form {
                Form::Member(class, member) => keep(*class, &[*member]),
                Form::In(_, set) => keep(set.class, &set.members),
                _ => {}
            });
        };
        match site.role {
            Role::Claim => {}
            Role::Take | Role::Read | Role::Put | Role::Inhibit | Role::Token => {
                let components = operands(form).iter();
                let expressions = components.filter(|form| !matches!(form, Form::Member(..)));
                expressions.for_each(in_expression);
            }
            Role::Guard | Role::Alone(_) => {
                // A thread's initial values stay as they are, too, but no thread is like another.
                in_expression(form);
            }
        }
    }
    // Literals singled out in one place may make another sayable or not, until all are.
    let mut is_narrowed = true;
    while is_narrowed {
        is_narrowed = false;
        for (site, form, count) in &items.list {
            if !matches!(site.role, Role::Take | Role::Read | Role::Put | Role::Inhibit) {
                continue;
            }
            let literals: Vec<(EnumId, u32)> = moved(form, groups).collect();
            if literals.is_empty() || is_sayable(net, site, form, *count, groups) {
                continue;
            }
            for (class, member) in literals {
                if let Some((member, from)) = groups[class.index()].keep(&[member]) {
                    let lost = Lost::Unsayable { member, from };
                    losses.push((class, Loss { piece: site.piece, lost }));
                    is_narrowed = true;
                }
            }
        }
    }
    losses
}
