//! The forms of what operators make of forms.
//!
//! Commuting must not change what faults: where an operand of `and` or `or` can, all stay as written.
//! Where both operands are evaluated in any case, as of `==`, the order decides only which fault is
//! reported.

use std::collections::BTreeMap;

use super::form::{Form, Op, Order, Set};
use crate::{BinaryOp, EnumId, Net, UnaryOp};

/// The forms of a net's expressions.
#[derive(Clone, Copy)]
pub(super) struct Normal<'a> {
    pub(super) net: &'a Net,
}

impl Normal<'_> {
    pub(super) fn size(self, class: EnumId) -> u32 {
        self.net.enumerations[class.index()].members.len() as u32
    }

    /// `not form`.
    pub(super) fn negated(self, form: Form) -> Form {
        match form {
            Form::Truth(truth) => Form::Truth(!truth),
            Form::In(of, set) => {
                let size = self.size(set.class);
                Form::In(of, set.complement(size))
            }
            Form::Apply(Op::Unary(UnaryOp::Not), _, mut operands) if operands.len() == 1 => {
                operands.remove(0)
            }
            form => Form::kept(Op::Unary(UnaryOp::Not), vec![form]),
        }
    }

    /// Whether `of` is in a set.
    pub(super) fn within(self, of: Form, set: Set, can_fault: bool) -> Form {
        match of {
            Form::Member(_, member) => Form::Truth(set.contains(member)),
            _ if set.members.is_empty() && !can_fault => Form::Truth(set.without),
            of => Form::In(Box::new(of), set),
        }
    }

    /// `a == b`, or `a != b` unless `positive`.
    pub(super) fn equal(self, a: Form, b: Form, positive: bool, can_fault: bool) -> Form {
        match (a, b) {
            (Form::Member(class, member), of) | (of, Form::Member(class, member)) => {
                let set = Set::new(class, self.size(class), vec![member], !positive);
                self.within(of, set, can_fault)
            }
            (Form::Truth(truth), form) | (form, Form::Truth(truth)) => {
                if truth == positive {
                    form
                } else {
                    self.negated(form)
                }
            }
            (a, b) if a == b && !can_fault => Form::Truth(positive),
            (a, b) => {
                let equal = Form::free(Op::Binary(BinaryOp::Equal), vec![a, b]);
                if positive { equal } else { self.negated(equal) }
            }
        }
    }

    /// `a < b`, or `a <= b` unless `strict`, of members. Compared with a literal it is a set.
    pub(super) fn before(
        self,
        class: EnumId,
        a: Form,
        b: Form,
        strict: bool,
        can_fault: bool,
    ) -> Form {
        let size = self.size(class);
        match (a, b) {
            (a, Form::Member(_, last)) => {
                let members = (0..if strict { last } else { last + 1 }).collect();
                self.within(a, Set::new(class, size, members, false), can_fault)
            }
            (Form::Member(_, first), b) => {
                let members = (if strict { first + 1 } else { first }..size).collect();
                self.within(b, Set::new(class, size, members, false), can_fault)
            }
            (a, b) => Form::kept(Op::Before { class, strict }, vec![a, b]),
        }
    }

    /// The member a number of steps after another.
    pub(super) fn shifted(self, of: Form, class: EnumId, steps: i32) -> Form {
        let enumeration = &self.net.enumerations[class.index()];
        let goes_round = enumeration.goes_round();
        let around = |steps: i64| steps.rem_euclid(i64::from(self.size(class)).max(1)) as i32;
        match of {
            Form::Member(_, member) => match enumeration.shifted(member, steps) {
                Some(image) => Form::Member(class, image),
                None => Form::kept(Op::Shift(class, steps), vec![Form::Member(class, member)]),
            },
            Form::Apply(Op::Shift(_, before), _, mut operands)
                if goes_round && operands.len() == 1 =>
            {
                match around(i64::from(before) + i64::from(steps)) {
                    0 => operands.remove(0),
                    steps => Form::kept(Op::Shift(class, steps), operands),
                }
            }
            of => match if goes_round { around(steps.into()) } else { steps } {
                0 => of,
                steps => Form::kept(Op::Shift(class, steps), vec![of]),
            },
        }
    }

    /// What holds when all of these do, or one of them if `either`.
    pub(super) fn joined(self, either: bool, forms: Vec<Form>, can_fault: bool) -> Form {
        let op = Op::Binary(if either { BinaryOp::Or } else { BinaryOp::And });
        if can_fault {
            return Form::kept(op, forms);
        }
        let mut sets: BTreeMap<Form, Vec<Set>> = BTreeMap::new();
        let mut others = Vec::new();
        let mut left = forms;
        while let Some(form) = left.pop() {
            match form {
                Form::In(of, set) => sets.entry(*of).or_default().push(set),
                Form::Apply(same, Order::Free, operands) if same == op => left.extend(operands),
                form => others.push(form),
            }
        }
        for (of, mut sets) in sets {
            let size = self.size(sets[0].class);
            if !either {
                sets = sets.into_iter().map(|set| set.complement(size)).collect();
            }
            let union = Set::union(sets, size);
            let set = if either { union } else { union.complement(size) };
            others.push(self.within(of, set, false));
        }
        if others.contains(&Form::Truth(either)) {
            return Form::Truth(either);
        }
        others.retain(|form| *form != Form::Truth(!either));
        others.sort_unstable();
        others.dedup();
        match others.len() {
            0 => Form::Truth(!either),
            1 => others.remove(0),
            _ => Form::Apply(op, Order::Free, others),
        }
    }
}
