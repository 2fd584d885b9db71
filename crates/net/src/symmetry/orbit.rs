//! Sums of constants: tokens that a symmetry maps onto each other, said as one.
//!
//! The literals of a token that the symmetries move become variables that go through all members they can
//! become: of a part, those of the part, different ones for different literals; of a class with rotations,
//! all members, the other literals being some steps after the first. As the symmetries keep the net,
//! the tokens that the variables stand for are all there, equally often. Which tokens belong together is
//! seen from the result being the same.

use std::collections::HashSet;

use super::form::{Form, Op};
use super::group::Group;
use super::items::{Role, Site};
use super::{Piece, normal::Normal};
use crate::assumptions::{MOST_CHOICES, MOST_INPUTS};
use crate::{EnumId, Kind, Net, Symmetry, Transition, Var};

/// All tokens that one can become.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Orbit {
    /// The components and the condition of the token; the variables come after those it had.
    pub(super) operands: Vec<Form>,
    pub(super) choices: Vec<Choice>,
}

/// A variable that goes through the members of a class, or of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Choice {
    pub(super) class: EnumId,
    pub(super) part: Option<u32>,
}

/// The components and the condition of a token.
pub(super) fn operands(form: &Form) -> &[Form] {
    match form {
        Form::Apply(Op::Token { .. }, _, operands) => operands,
        _ => &[],
    }
}

/// The members among the components of a token that a symmetry moves.
pub(super) fn moved<'a>(
    form: &'a Form,
    groups: &'a [Group],
) -> impl Iterator<Item = (EnumId, u32)> + 'a {
    operands(form).iter().filter_map(|operand| match *operand {
        Form::Member(class, member) => {
            groups[class.index()].moves(member).then_some((class, member))
        }
        _ => None,
    })
}

/// The orbit of a token that has this number of variables of its own.
pub(super) fn orbit(net: &Net, form: &Form, own: u32, groups: &[Group]) -> Orbit {
    let mut choices = Vec::new();
    // The members met, by the index of their variables.
    let mut met: Vec<(EnumId, u32)> = Vec::new();
    let operands = operands(form).iter().map(|operand| {
        let Form::Member(class, member) = *operand else { return operand.clone() };
        let group = &groups[class.index()];
        if !group.moves(member) {
            return operand.clone();
        }
        let turns = group.symmetry == Symmetry::Rotations;
        let before = met.iter().position(|&(of, other)| of == class && (turns || other == member));
        let index = before.unwrap_or_else(|| {
            choices.push(Choice { class, part: group.part(member) });
            met.push((class, member));
            met.len() - 1
        });
        let steps = i64::from(member) - i64::from(met[index].1);
        Normal { net }.shifted(Form::Choice(own + index as u32), class, steps as i32)
    });
    let operands = operands.collect();
    Orbit { operands, choices }
}

/// Whether the tokens that one can become can be said as one.
pub(super) fn is_sayable(
    net: &Net,
    site: &Site,
    form: &Form,
    count: u64,
    groups: &[Group],
) -> bool {
    let Form::Apply(Op::Token { each, copies }, _, _) = form else { return false };
    let Piece::Arc(id, _) = site.piece else { return false };
    if site.role == Role::Inhibit {
        // Several inhibitors of one token each are one of any of these tokens.
        return *copies == Some(1);
    }
    let orbit = orbit(net, form, each.len() as u32, groups);
    let classes = each.iter().copied().chain(orbit.choices.iter().map(|choice| choice.class));
    let sizes = classes.map(|class| net.enumerations[class.index()].members.len());
    let choices = sizes.fold(1, usize::saturating_mul);
    let is_input = site.role != Role::Put;
    copies.is_none()
        && u32::try_from(count).is_ok()
        && choices <= MOST_CHOICES
        && !(is_input && each.is_empty() && !can_do_without(net.transition(id), form))
}

/// Whether the variables that an input binds can be parameters instead, or are bound in any case.
fn can_do_without(transition: &Transition, form: &Form) -> bool {
    let arcs = transition.takes.len() + transition.reads.len();
    let inputs = transition.participants.len() + transition.parameters.len() + arcs;
    // A transition that has too many as it is can only gain.
    let most = inputs + transition.variables.len();
    let bound: HashSet<Var> = transition.bound_without_arcs().collect();
    (most <= MOST_INPUTS || inputs > MOST_INPUTS)
        && operands(form).iter().all(|operand| match operand {
            Form::Var(var) => {
                let kind = transition.variables[var.index()].kind;
                matches!(kind, Kind::Enum(_) | Kind::Bool) || bound.contains(var)
            }
            _ => true,
        })
}
