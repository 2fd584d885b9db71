//! Operators of two operands.

use crate::expr::without_number;
use crate::fx::{Fx, Val};
use crate::remark::{ANY, COUNT};
use crate::syntax::*;
use crate::types::{Konst, Lib, Ty};
use crate::world::{R, refuse, refuse_as};

/// What the clock says is input.
pub(crate) const CLOCK: &str =
    "what the clock says comes from outside: comparing it gives either answer";
/// Of times, durations and fractions nothing is kept.
pub(crate) const TIMES: &str =
    "times, durations and fractions are not kept: what comparing them gives is not known";

/// Why it is not known what a comparison of values of a type gives of which nothing is kept.
fn vague(ty: &Ty) -> &'static str {
    match ty {
        _ if *ty == ANY => {
            "nothing is kept of what is declared with `//kinfold:any`: what comparing it gives is not known"
        }
        _ if *ty == COUNT => {
            "nothing is kept of numbers that only count: what comparing them gives is not known"
        }
        _ => TIMES,
    }
}

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
        let compares = matches!(op, "==" | "!=" | "<" | "<=" | ">" | ">=");
        let want = if compares { None } else { want };
        let mut left = self.expr(a, want)?;
        let is_unknown = compares && without_number(&left, &mut self.lines);
        let want = match &left.ty {
            Ty::Untyped | Ty::Nil => want.cloned(),
            _ if matches!(op, "<<" | ">>") => None,
            ty => Some(ty.clone()),
        };
        let (right, mut lines) = self.apart(|fx| fx.expr(b, want.as_ref()))?;
        let is_unknown = compares && without_number(&right, &mut lines) || is_unknown;
        // The left is read first: what the right does or waits for may change it, and others may in between.
        if !lines.is_empty() || self.reads_shared(&right.code) {
            left = self.settled(left);
        }
        self.lines.extend(lines);
        if is_unknown {
            // What it is compared with is read.
            let others = [left, right].into_iter().filter(|operand| operand.chosen.is_none());
            others.for_each(|operand| _ = self.settled(operand));
            return Ok(self.compared(at));
        }
        if matches!(op, "<<" | ">>") {
            return self.shift(op, left, right, at);
        }
        let mut right = right;
        let is_clock = left.is_clock || right.is_clock;
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
        // Of what is not compared it is kept that it is read.
        let is_order = matches!(op, "<" | "<=" | ">" | ">=");
        if self.is_vague(&left.ty) || is_order && matches!(self.w.under(&left.ty), Ty::Str) {
            (left, right) = (self.settled(left), self.settled(right));
        }
        match op {
            "==" | "!=" | "<" | "<=" | ">" | ">=" if is_clock && self.is_vague(&left.ty) => {
                Ok(self.given_either(CLOCK, at))
            }
            "==" | "!=" => self.equality(op, left, right, at),
            "<" | "<=" | ">" | ">=" => {
                if self.is_vague(&left.ty) {
                    return Ok(self.either(vague(&self.w.under(&left.ty)), at));
                }
                if matches!(self.w.under(&left.ty), Ty::Str) {
                    return Ok(self.either(
                        "the order of strings is not kept: what comparing them gives is not known",
                        at,
                    ));
                }
                Ok(Val::made(format!("({} {op} {})", left.code, right.code), Ty::Bool))
            }
            _ => Ok(Val { is_clock, ..self.arithmetic(op, left, right, at)? }),
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
        if lines.is_empty() && !may_fault && !self.reads_shared(&right.code) {
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
            return Ok(self.either(vague(&self.w.under(&left.ty)), at));
        }
        let code = self.same(&left.code, &right.code, &left.ty, at)?;
        let code = if op == "==" { code } else { format!("(not {code})") };
        Ok(Val::made(code, Ty::Bool))
    }

    pub(crate) fn same(&mut self, a: &str, b: &str, ty: &Ty, at: (Pos, Pos)) -> R<String> {
        match self.w.under(ty) {
            Ty::Struct(fields) if self.w.is_object(ty) => {
                let mut all = Vec::new();
                for (index, field) in fields.iter().enumerate() {
                    let name = self.w.field_access(ty, field, index);
                    all.push(self.same(
                        &format!("{a}.{name}"),
                        &format!("{b}.{name}"),
                        &field.ty,
                        at,
                    )?);
                }
                Ok(if all.is_empty() { "true".into() } else { format!("({})", all.join(" and ")) })
            }
            Ty::Array(n, element) if self.w.is_boxed_element(&element) => {
                let mut all = vec!["true".to_owned()];
                for index in 0..n {
                    let [a, b] = [a, b].map(|of| format!("{of}.items[{index}]!.v"));
                    all.push(self.same(&a, &b, &element, at)?);
                }
                Ok(format!("({})", all.join(" and ")))
            }
            Ty::Array(_, element) if !self.w.is_object(&element) => {
                Ok(format!("({a}.items == {b}.items)"))
            }
            Ty::Str if self.w.vague_strings => {
                let (a, b) = (self.keep_as(a, "Str"), self.keep_as(b, "Str"));
                let same = self.keep_as(&format!("({a} == {b})"), "bool");
                self.emit(format!("if {a} == s_other or {b} == s_other {{"));
                let why = "strings that are put together are not kept: what comparing them gives is not known";
                let chosen = self.either(why, at);
                self.emit(format!("{same} = {}", chosen.code));
                self.emit("}");
                Ok(same)
            }
            of @ (Ty::Float | Ty::Opaque(_)) => Ok(self.either(vague(&of), at).code),
            Ty::Lib(Lib::Context) if self.w.own_contexts && a != "none" && b != "none" => {
                self.same_context(a, b, at)
            }
            Ty::Interface(_) if self.w.struct_cases && a != "any_nil" && b != "any_nil" => {
                self.w.compares_any = true;
                Ok(self.keep_as(&format!("dyn_same({a}, {b})"), "bool"))
            }
            _ => {
                // Each is read on its own.
                let mut read = |code: &str| -> String {
                    if !self.reads_shared(code) || !code.contains('.') {
                        return code.to_owned();
                    }
                    let kin = self.w.kin(ty);
                    self.keep_as(code, &kin)
                };
                let a = read(a);
                Ok(format!("({a} == {})", read(b)))
            }
        }
    }

    pub(crate) fn arithmetic(&mut self, op: &str, left: Val, right: Val, at: (Pos, Pos)) -> R<Val> {
        match self.w.under(&left.ty) {
            Ty::Float | Ty::Opaque(_) => Ok(Val::made("0", left.ty)),
            Ty::Str if op == "+" => {
                self.w.makes_vague = true;
                self.w.joins_strings = true;
                let a = if left.konst.is_some() { left.code.clone() } else { self.simple(&left) };
                let b = if right.konst.is_some() { right.code } else { self.simple(&right) };
                let joined = self.keep_as(&format!("dyn_join({a}, {b})"), "Str");
                Ok(Val::made(joined, left.ty))
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
                    if matches!(op, "/" | "%") && right.konst.is_none() {
                        self.guard(&format!("{b} != 0"));
                    }
                    let val = Val::made(format!("({a} {op} {b})"), left.ty);
                    if op == "*" {
                        return Ok(Val::made(self.keep(&val), val.ty));
                    }
                    Ok(val)
                }
                "&" | "|" | "^" | "&^" => self.bitwise(op, left, right, at),
                _ => bits(op, at),
            },
            _ => {
                let shown = self.w.show(&left.ty);
                refuse_as("G0301", at, format!("`{op}` is not defined on {shown}"), "use numbers")
            }
        }
    }

    /// Operations on the bits of numbers that are not negative, as sums over their bits.
    fn bitwise(&mut self, op: &str, left: Val, right: Val, at: (Pos, Pos)) -> R<Val> {
        let ty = left.ty.clone();
        let is_mask = |val: &Val| match val.konst {
            Some(Konst::Int(n)) => Some(n),
            _ => None,
        };
        // With a constant, that is the right one.
        let (left, right) = match (is_mask(&left), op) {
            (Some(_), "&" | "|" | "^") => (right, left),
            _ => (left, right),
        };
        let a = self.simple(&left);
        let mut not_negative = vec![a.clone()];
        let both = match is_mask(&right) {
            Some(mask) if (0..1 << 30).contains(&mask) => {
                if (mask + 1).count_ones() == 1 {
                    format!("({a} % {})", mask + 1)
                } else {
                    let bits = (0..30).filter(|bit| mask >> bit & 1 == 1);
                    let bits = bits.map(|bit| format!("{a} / {0} % 2 * {0}", 1 << bit));
                    format!("({})", bits.collect::<Vec<_>>().join(" + "))
                }
            }
            Some(_) => return bits(op, at),
            None => {
                let b = self.simple(&right);
                let bits =
                    (0..30).map(|bit| format!("({a} / {0} % 2) * ({b} / {0} % 2) * {0}", 1 << bit));
                let all = format!("({})", bits.collect::<Vec<_>>().join(" + "));
                not_negative.push(b);
                all
            }
        };
        for one in not_negative {
            self.emit(format!("if {one} < 0 {{"));
            self.emit("assert true and false");
            self.emit("}");
        }
        let b = if right.konst.is_some() { right.code.clone() } else { self.simple(&right) };
        let both = self.keep_as(&both, "-big..=big");
        let code = match op {
            "&" => both,
            "|" => format!("({a} + {b} - {both})"),
            "^" => format!("({a} + {b} - {both} - {both})"),
            _ => format!("({a} - {both})"),
        };
        Ok(Val::made(code, ty))
    }

    pub(crate) fn shift(&mut self, op: &str, left: Val, right: Val, at: (Pos, Pos)) -> R<Val> {
        match (left.konst.clone(), right.konst.clone()) {
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
            _ => {
                let (x, by) = (self.simple(&left), self.simple(&right));
                let mut power = (1i64 << 29).to_string();
                for bit in (0..29).rev() {
                    power = format!("if {by} == {bit} then {} else {power}", 1i64 << bit);
                }
                let op = if op == "<<" { "*" } else { "/" };
                let power = self.keep_as(&power, "0..=big");
                Ok(Val::made(format!("({x} {op} {power})"), left.ty))
            }
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
