//! Operators of two operands.

use crate::fx::{Fx, Val};
use crate::syntax::*;
use crate::types::{Konst, Ty};
use crate::world::{R, refuse, refuse_as};

const VAGUE: &str =
    "times, durations and fractions are not kept: comparing them gives either answer";

impl Fx<'_, '_> {
    pub(crate) fn binary(
        &mut self,
        op: &str,
        a: &Expr,
        b: &Expr,
        want: Option<&Ty>,
        at: (Pos, Pos),
    ) -> R<Val> {
        if op == "&&" || op == "||" {
            return self.lazy(op, a, b, at);
        }
        let want = match op {
            "==" | "!=" | "<" | "<=" | ">" | ">=" => None,
            _ => want,
        };
        let mut left = self.expr(a, want)?;
        let right = match &left.ty {
            Ty::Untyped | Ty::Nil => self.expr(b, want)?,
            ty => {
                let ty = ty.clone();
                self.expr(b, if matches!(op, "<<" | ">>") { None } else { Some(&ty) })?
            }
        };
        // A call on the right may change what is read on the left.
        if matches!(op, "<<" | ">>") {
            return self.shift(op, left, right, at);
        }
        let mut right = right;
        if let (Some(x), Some(y)) = (left.konst.clone(), right.konst.clone())
            && let Some(folded) = fold(op, &x, &y)
        {
            let ty = match folded {
                Konst::Bool(_) if matches!(op, "==" | "!=" | "<" | "<=" | ">" | ">=") => Ty::Bool,
                _ if matches!(left.ty, Ty::Untyped) => right.ty,
                _ => left.ty,
            };
            return self.konst(folded, ty, at);
        }
        match (&left.ty, &right.ty) {
            (Ty::Untyped | Ty::Nil, Ty::Untyped | Ty::Nil) => {}
            (Ty::Untyped | Ty::Nil, ty) => {
                let ty = ty.clone();
                left = self.fit(left, &ty, at)?;
            }
            (ty, Ty::Untyped | Ty::Nil) => {
                let ty = ty.clone();
                right = self.fit(right, &ty, at)?;
            }
            (ty, other) if ty != other => {
                let (ty, other) = (ty.clone(), other.clone());
                if self.w.is_interface(&ty) {
                    right = self.fit(right, &ty, at)?;
                } else if self.w.is_interface(&other) {
                    left = self.fit(left, &other, at)?;
                } else {
                    right = self.fit(right, &ty, at)?;
                }
            }
            _ => {}
        }
        match op {
            "==" | "!=" => self.equality(op, left, right, at),
            "<" | "<=" | ">" | ">=" => {
                if self.is_vague(&left.ty) {
                    return Ok(self.either(VAGUE, at));
                }
                if matches!(self.w.under(&left.ty), Ty::Str) {
                    return Ok(self.either(
                        "the order of strings is not kept: comparing them gives either answer",
                        at,
                    ));
                }
                Ok(Val::made(format!("({} {op} {})", left.code, right.code), Ty::Bool))
            }
            _ => self.arithmetic(op, left, right, at),
        }
    }

    fn lazy(&mut self, op: &str, a: &Expr, b: &Expr, at: (Pos, Pos)) -> R<Val> {
        let left = self.expr(a, None)?;
        let (right, lines) = self.apart(|fx| fx.expr(b, None))?;
        if let (Some(x), Some(y)) = (left.konst.clone(), right.konst.clone())
            && let Some(folded) = fold(op, &x, &y)
        {
            return self.konst(folded, left.ty, at);
        }
        let word = if op == "&&" { "and" } else { "or" };
        // What can be a fault, such as `p.x` of a nil `p`, is looked at only if it matters.
        let may_fault = right.code.contains('!')
            || right.code.contains('[')
            || right.code.contains('/')
            || right.code.contains('%');
        if lines.is_empty() && !may_fault {
            return Ok(Val::made(format!("({} {word} {})", left.code, right.code), left.ty));
        }
        let temp = self.keep_as(&left.code, "bool");
        let not = if op == "&&" { "" } else { "not " };
        self.emit(format!("if {not}{temp} {{"));
        self.lines.extend(lines);
        self.emit(format!("{temp} = {}", right.code));
        self.emit("}");
        Ok(Val::made(temp, left.ty))
    }

    pub(crate) fn equality(&mut self, op: &str, left: Val, right: Val, at: (Pos, Pos)) -> R<Val> {
        if self.is_vague(&left.ty) {
            return Ok(self.either(VAGUE, at));
        }
        let code = self.same(&left.code, &right.code, &left.ty, at)?;
        let code = if op == "==" { code } else { format!("(not {code})") };
        Ok(Val::made(code, Ty::Bool))
    }

    fn same(&mut self, a: &str, b: &str, ty: &Ty, at: (Pos, Pos)) -> R<String> {
        match self.w.under(ty) {
            Ty::Struct(fields) if self.w.is_object(ty) => {
                let mut all = Vec::new();
                for (index, field) in fields.iter().enumerate() {
                    let name = crate::kin::field_name(&field.name, index);
                    all.push(self.same(
                        &format!("{a}.{name}"),
                        &format!("{b}.{name}"),
                        &field.ty,
                        at,
                    )?);
                }
                Ok(if all.is_empty() { "true".into() } else { format!("({})", all.join(" and ")) })
            }
            Ty::Array(_, element) if !self.w.is_object(&element) => {
                Ok(format!("({a}.items == {b}.items)"))
            }
            Ty::Str if self.w.vague_strings => {
                let (a, b) = (self.keep_as(a, "Str"), self.keep_as(b, "Str"));
                let same = self.keep_as(&format!("({a} == {b})"), "bool");
                self.emit(format!("if {a} == s_other or {b} == s_other {{"));
                let chosen = self.either("strings that are put together are not kept: comparing them gives either answer", at);
                self.emit(format!("{same} = {}", chosen.code));
                self.emit("}");
                Ok(same)
            }
            Ty::Float | Ty::Opaque(_) => Ok(self.either(VAGUE, at).code),
            _ => Ok(format!("({a} == {b})")),
        }
    }

    pub(crate) fn arithmetic(&mut self, op: &str, left: Val, right: Val, at: (Pos, Pos)) -> R<Val> {
        match self.w.under(&left.ty) {
            Ty::Float | Ty::Opaque(_) => Ok(Val::made("0", left.ty)),
            Ty::Str if op == "+" => {
                self.w.makes_vague = true;
                Ok(Val::made("s_other", left.ty))
            }
            Ty::Int(_) | Ty::Untyped => match op {
                "+" | "-" | "*" | "/" | "%" => {
                    // What is read is kept first, so that nothing wider than the type is ever kept.
                    let a =
                        if left.konst.is_some() { left.code.clone() } else { self.simple(&left) };
                    let b = if right.konst.is_some() {
                        right.code.clone()
                    } else {
                        self.simple(&right)
                    };
                    let val = Val::made(format!("({a} {op} {b})"), left.ty);
                    if op == "*" {
                        return Ok(Val::made(self.keep(&val), val.ty));
                    }
                    Ok(val)
                }
                "&" => match right.konst {
                    Some(Konst::Int(mask)) if mask >= 0 && (mask + 1).count_ones() == 1 => {
                        Ok(Val::made(format!("({} % {})", left.code, mask + 1), left.ty))
                    }
                    _ => bits(op, at),
                },
                _ => bits(op, at),
            },
            _ => {
                let shown = self.w.show(&left.ty);
                refuse_as("G0301", at, format!("`{op}` is not defined on {shown}"), "use numbers")
            }
        }
    }

    fn shift(&mut self, op: &str, left: Val, right: Val, at: (Pos, Pos)) -> R<Val> {
        match (left.konst.clone(), right.konst) {
            (Some(Konst::Int(x)), Some(Konst::Int(by))) if (0..100).contains(&by) => {
                let shifted =
                    if op == "<<" { x.checked_shl(by as u32) } else { x.checked_shr(by as u32) };
                match shifted {
                    Some(n) => self.konst(Konst::Int(n), left.ty, at),
                    None => refuse(at, "this number is too large", "use a smaller one"),
                }
            }
            (_, Some(Konst::Int(by))) if (0..30).contains(&by) => {
                let op = if op == "<<" { "*" } else { "/" };
                Ok(Val::made(format!("({} {op} {})", left.code, 1i64 << by), left.ty))
            }
            _ => bits(op, at),
        }
    }
}

fn bits<T>(op: &str, at: (Pos, Pos)) -> R<T> {
    refuse_as(
        "G0403",
        at,
        format!("the operator `{op}` on bits is not kept"),
        "compute without bits",
    )
}

/// The result of an operator on constants.
fn fold(op: &str, a: &Konst, b: &Konst) -> Option<Konst> {
    use Konst::*;
    Some(match (a, b) {
        (Int(a), Int(b)) => match op {
            "+" => Int(a.checked_add(*b)?),
            "-" => Int(a.checked_sub(*b)?),
            "*" => Int(a.checked_mul(*b)?),
            "/" => Int(a.checked_div(*b)?),
            "%" => Int(a.checked_rem(*b)?),
            "&" => Int(a & b),
            "|" => Int(a | b),
            "^" => Int(a ^ b),
            "&^" => Int(a & !b),
            "==" => Bool(a == b),
            "!=" => Bool(a != b),
            "<" => Bool(a < b),
            "<=" => Bool(a <= b),
            ">" => Bool(a > b),
            ">=" => Bool(a >= b),
            _ => return None,
        },
        (Str(a), Str(b)) => match op {
            "+" if a.len() + b.len() < 10_000 => Str(format!("{a}{b}")),
            "==" => Bool(a == b),
            "!=" => Bool(a != b),
            "<" => Bool(a < b),
            "<=" => Bool(a <= b),
            ">" => Bool(a > b),
            ">=" => Bool(a >= b),
            _ => return None,
        },
        (Bool(a), Bool(b)) => match op {
            "&&" => Bool(*a && *b),
            "||" => Bool(*a || *b),
            "==" => Bool(a == b),
            "!=" => Bool(a != b),
            _ => return None,
        },
        (Float(_), Int(_) | Float(_)) | (Int(_), Float(_)) => match op {
            "+" | "-" | "*" | "/" => Float(0.0),
            _ => return None,
        },
        _ => return None,
    })
}
