//! What is not decided by the program: random numbers, and its end.

use crate::fx::{Fx, Val};
use crate::lib_calls::nothing;
use crate::syntax::*;
use crate::types::{Int, Konst, Lib, Ty};
use crate::world::R;

/// The type of the limit of a random number, and of the number.
pub(crate) fn limit(name: &str) -> Option<Ty> {
    Some(match name {
        "Intn" | "IntN" | "Perm" => Ty::INT,
        "Int31n" | "Int32N" => Ty::Int(Int::Int32),
        "Int63n" | "Int64N" => Ty::Int(Int::Int64),
        "UintN" => Ty::Int(Int::Uint),
        "Uint32N" => Ty::Int(Int::Uint32),
        "Uint64N" => Ty::Int(Int::Uint64),
        _ => return None,
    })
}

impl Fx<'_, '_> {
    /// A random number below a time, as it is a whole number: any, since nothing is kept of that.
    pub(crate) fn random_time(
        &mut self,
        name: &str,
        args: &[Expr],
        at: (Pos, Pos),
    ) -> R<Option<Val>> {
        let Some(ty) = limit(name).filter(|_| name != "Perm") else { return Ok(None) };
        let [limit] = args else { return Ok(None) };
        let ExprKind::Call { callee, args: inner, .. } = &*limit.bare().kind else {
            return Ok(None);
        };
        let [inner] = &inner[..] else { return Ok(None) };
        if self.as_type(callee.bare())?.is_none() {
            return Ok(None);
        }
        let of = self.type_of(inner)?;
        if !self.is_vague(&of) {
            return Ok(None);
        }
        let val = self.expr(inner, None)?;
        self.settled(val);
        let why = "a random number below a time is any of 0..=7";
        self.w.note(why, at.0);
        let temp = self.temp();
        self.emit(format!("choose {temp} in 0..=7"));
        let kin = self.w.kin(&ty);
        Ok(Some(Val::made(self.keep_as(&temp, &kin), ty)))
    }

    /// A number that may be any.
    pub(crate) fn random(&mut self, name: &str, args: &[Val], at: (Pos, Pos)) -> R<Val> {
        match name {
            "N" | "Intn" | "Int31n" | "Int63n" | "IntN" | "Int32N" | "Int64N" | "UintN"
            | "Uint32N" | "Uint64N" => {
                let temp = self.temp();
                match args.first().and_then(|arg| arg.konst.clone()) {
                    Some(Konst::Int(n)) if (1..=1000).contains(&n) => {
                        self.emit(format!("choose {temp} in 0..{n}"));
                    }
                    Some(Konst::Int(n)) if n > 1000 => {
                        self.w
                            .note("random numbers below more than 1000 are taken from 0..=7", at.0);
                        self.emit(format!("choose {temp} in 0..=7"));
                    }
                    _ => {
                        let most = args.first().map(|arg| arg.code.clone()).unwrap_or_default();
                        self.w.note(
                            "random numbers whose limit is no constant are taken from 0..=7",
                            at.0,
                        );
                        // There is none below what is not positive.
                        self.guard(&format!("{most} > 0"));
                        self.emit(format!("assert {most} > 0"));
                        self.emit(format!("choose {temp} in 0..=7 where {temp} < {most}"));
                    }
                }
                let ty = limit(name).unwrap_or(Ty::INT);
                let kin = self.w.kin(&ty);
                let wide = self.keep_as(&temp, &kin);
                Ok(Val::made(wide, ty))
            }
            "Int" | "Int31" | "Int63" | "Uint32" | "Uint64" => {
                self.w.note("random numbers are taken from 0..=7", at.0);
                let temp = self.temp();
                self.emit(format!("choose {temp} in 0..=7"));
                let ty = match name {
                    "Int31" => Ty::Int(Int::Int32),
                    "Int63" => Ty::Int(Int::Int64),
                    "Uint32" => Ty::Int(Int::Uint32),
                    "Uint64" => Ty::Int(Int::Uint64),
                    _ => Ty::INT,
                };
                let kin = self.w.kin(&ty);
                let wide = self.keep_as(&temp, &kin);
                Ok(Val::made(wide, ty))
            }
            "Float64" | "Float32" | "NormFloat64" | "ExpFloat64" => Ok(Val::made("0", Ty::Float)),
            "Seed" => Ok(nothing()),
            "New" | "NewSource" => Ok(Val::made("0", Ty::Lib(Lib::Thing).pointer())),
            _ => self.unknown("math/rand", name, at),
        }
    }

    /// The program ends here.
    pub(crate) fn exit(&mut self) -> R<Val> {
        self.w.lib_used.insert("exit");
        self.emit("over = true");
        self.emit("kill self");
        Ok(nothing())
    }
}
