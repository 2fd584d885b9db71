//! Members of a class of which some are alike, or which is cyclic.

use net::{BinaryOp, EnumId, Enumeration, Literal, Part, Symmetry};
use program::{Action, CollectionOp, Domain, Expr, Form, Global, LocalId, Type};

use super::expression::compare;
use super::{Context, Generator, int, named, optional};

/// The class.
const POD: EnumId = EnumId(0);
/// Its members. Each process and function has a variable of this type.
pub(super) const MEMBER: Type = Type::Member(POD);

fn set() -> Type {
    Type::Set(Box::new(MEMBER), 4)
}

/// Whether there are members in values of a type.
pub(super) fn mentions_member(of: &Type) -> bool {
    match of {
        Type::Optional(inner) => mentions_member(inner),
        of => *of == MEMBER || of.elements().contains(&&MEMBER),
    }
}

impl Context {
    pub(super) fn has_member(&self) -> bool {
        self.locals.contains(&MEMBER)
    }
}

impl Generator<'_> {
    /// The class, and global variables with members.
    pub(super) fn declare_members(&mut self) {
        let (symmetry, sizes): (Symmetry, &[u32]) = match self.random.below(6) {
            0 | 1 => (Symmetry::Full, &[3]),
            2 => (Symmetry::Full, &[2]),
            3 => (Symmetry::Full, &[1, 2]),
            4 => (Symmetry::Full, &[2, 2]),
            _ => (Symmetry::Rotations, &[3]),
        };
        let parts = sizes.iter().enumerate().filter(|_| sizes.len() > 1);
        let parts = parts.map(|(number, size)| Part { name: format!("part{number}"), size: *size });
        self.program.enumerations.push(Enumeration {
            name: "Pod".into(),
            members: (1..=sizes.iter().sum::<u32>()).map(|n| format!("Pod{n}").into()).collect(),
            symmetry,
            round: false,
            parts: parts.collect(),
        });
        for of in [optional(MEMBER), self.type_of_members()] {
            if of != MEMBER {
                let initial = self.first(&of);
                let name = format!("m{}", self.program.globals.len());
                let variable = named(name, of);
                self.program.globals.push(Global { variable, initial, atomic: false });
            }
        }
    }

    pub(super) fn type_of_members(&mut self) -> Type {
        let member = || Box::new(MEMBER);
        match self.random.below(6) {
            0 | 1 => MEMBER,
            2 => optional(MEMBER),
            3 if self.features.collections => set(),
            4 if self.features.collections => Type::Map(member(), Box::new(int(0, 1)), 2),
            5 if self.features.collections => Type::Sequence(member(), 2),
            _ => MEMBER,
        }
    }

    /// A member: that of a variable, one beside it, or the only one of its part.
    pub(super) fn member(&mut self, context: &Context) -> Expr {
        let all = self.variables(&MEMBER, context);
        let class = &self.program.enumerations[POD.index()];
        let is_cyclic = class.symmetry == Symmetry::Rotations;
        let has_name = !class.has_likes(0);
        if has_name && self.percent(20) {
            return Expr { form: Form::Literal(Literal::Enum(POD, 0)), of: MEMBER };
        }
        let one = self.random.pick(&all).clone();
        if is_cyclic && self.percent(50) {
            let steps = if self.percent(50) { 1 } else { -1 };
            return Expr { form: Form::Shift(Box::new(one), steps), of: MEMBER };
        }
        one
    }

    pub(super) fn about_members(&mut self, context: &Context) -> Expr {
        let one = self.member(context);
        let sets = self.variables(&set(), context);
        let maps = self.variables(&Type::Map(Box::new(MEMBER), Box::new(int(0, 1)), 2), context);
        let all: Vec<Expr> = sets.into_iter().chain(maps).collect();
        if !all.is_empty() && self.percent(50) {
            let over = self.random.pick(&all).clone();
            return Expr { form: Form::On(CollectionOp::Has, vec![over, one]), of: Type::Bool };
        }
        let optionals = self.variables(&optional(MEMBER), context);
        let other = self.random.pick(&optionals).clone();
        let one = Expr { form: Form::Some(Box::new(one)), of: optional(MEMBER) };
        compare(*self.random.pick(&[BinaryOp::Equal, BinaryOp::NotEqual]), one, other)
    }

    /// A member is chosen: any, or one of a set.
    pub(super) fn choice_of_members(&mut self, context: &Context) -> Action {
        let locals = (0..).map(LocalId).zip(&context.locals).zip(&context.writable);
        let locals = locals.filter(|((_, of), is_writable)| **is_writable && **of == MEMBER);
        let locals: Vec<LocalId> = locals.map(|((local, _), _)| local).collect();
        let local = *self.random.pick(&locals);
        let sets = self.variables(&set(), context);
        let domain = match sets.is_empty() || self.percent(30) {
            true => Domain::Type(MEMBER),
            false => Domain::Collection(self.random.pick(&sets).clone()),
        };
        let when = self.percent(30).then(|| self.condition(context, 0));
        Action::Choose(local, domain, when)
    }
}
