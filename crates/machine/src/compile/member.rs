//! Members of classes, as values: identities if some of the class are alike, and numbers otherwise.

use net::{EnumId, Enumeration, Symmetry};
use program::Type;

use super::Compiler;
use super::at_once::Body;
use crate::code::{Instruction, Register, Shift};
use crate::heap::Class;
use crate::member::{BEFORE, Members, NEXT};

/// Whether some members of a class are alike.
pub(super) fn has_alike(class: &Enumeration) -> bool {
    (0..class.members.len() as u32).any(|member| class.has_likes(member))
}

/// The members of a class that are alike, as they are in the heap.
pub(super) fn members(class: &Enumeration, number: Class) -> Members {
    Members {
        class: number,
        parts: class.part_ranges().map(|part| part.len() as u32).collect(),
        is_cyclic: class.symmetry == Symmetry::Rotations,
    }
}

impl<'p> Compiler<'p> {
    fn class(&self, id: EnumId) -> &'p Enumeration {
        &self.base.enumerations[id.index()]
    }

    /// Whether some members of a class are alike.
    pub(super) fn has_likes(&self, id: EnumId) -> bool {
        self.member_fields.contains_key(&id)
    }

    /// A member that is written down. One that is like others never is by itself, but only where all of its part are.
    pub(super) fn member(&mut self, id: EnumId, member: u32, to: Register, body: &mut Body<'_>) {
        let Some(&field) = self.member_fields.get(&id) else {
            self.push(Instruction::Number { to, number: i64::from(member) });
            return;
        };
        let class = self.class(id);
        let is_one_part = class.part_ranges().count() == 1;
        let mut parts = class.part_ranges().zip(if is_one_part { field } else { field + 1 }..);
        let (part, global) = parts.find(|(part, _)| part.contains(&member)).expect("it has a part");
        self.push(Instruction::Global { to, global });
        if part.len() > 1 {
            let (of, number) = (to, body.temporary());
            self.push(Instruction::Number { to: number, number: i64::from(member - part.start) });
            self.push(Instruction::Nth { to, of, number });
        }
    }

    /// Any member of a class.
    pub(super) fn any_member(&mut self, id: EnumId, to: Register, body: &mut Body<'_>) {
        match self.member_fields.get(&id) {
            Some(&global) => {
                let of = body.temporary();
                self.push(Instruction::Global { to: of, global });
                self.push(Instruction::ChooseElement { to, of });
            }
            None => {
                let [low, high] = [(); 2].map(|()| body.temporary());
                let most = self.class(id).members.len() as i64 - 1;
                self.push(Instruction::Number { to: low, number: 0 });
                self.push(Instruction::Number { to: high, number: most });
                self.push(Instruction::ChooseNumber { to, low, high });
            }
        }
    }

    /// The member a number of steps after another.
    pub(super) fn shifted(&mut self, from: Register, of: &Type, steps: i32, to: Register) {
        let Type::Member(id) = of else { unreachable!("only members have neighbours") };
        let class = self.class(*id);
        if has_alike(class) {
            self.push(Instruction::Copy { to, from });
            let field = if steps < 0 { BEFORE } else { NEXT };
            for _ in 0..steps.unsigned_abs() {
                self.push(Instruction::Field { to, object: to, field });
            }
            return;
        }
        let (members, goes_round) = (class.members.len() as u32, class.goes_round());
        self.code.shifts.push(Shift { steps, members, goes_round });
        let shift = self.code.shifts.len() as u32 - 1;
        self.push(Instruction::Shift { to, from, shift });
    }
}
