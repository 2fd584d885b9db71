//! Packages `io` and `sort`, as far as functions of the program are called by them. What is read is not kept.

use crate::fx::{Fx, Val};
use crate::lib_calls::nothing;
use crate::syntax::*;
use crate::types::{Int, Sig, Ty};
use crate::world::{R, refuse_as};

impl Fx<'_, '_> {
    /// `io.ReadFull`, `io.ReadAll`, `io.Copy`: reads until there is enough, or until an error.
    pub(crate) fn reading(&mut self, name: &str, args: &[Val], at: (Pos, Pos)) -> R<Val> {
        let bytes = Ty::Slice(Ty::Int(Int::Uint8).into());
        let byte = Ty::Int(Int::Uint8);
        let reader = if name == "Copy" { &args[1] } else { &args[0] };
        let reader = Val { code: self.keep(reader), ..reader.clone() };
        let buffer = match (name, args) {
            ("ReadFull", [_, buffer]) => self.keep(buffer),
            _ => {
                let letter = self.element_first(&byte, "0".into());
                self.new_slice(&byte, &format!("[{letter}]"), "1")
            }
        };
        let total = self.keep_as("0", "-big..=big");
        let error = self.keep_as("any_nil", "Any");
        let enough = match name {
            "ReadFull" => format!("({total} >= ({}))", self.slice_length(&buffer, &byte)),
            _ => "false".to_owned(),
        };
        self.emit(format!("while {error} == any_nil and not {enough} {{"));
        let callee = self.method_of(reader, "Read", at)?;
        let read = self.invoke(callee, vec![Val::new(buffer.clone(), bytes.clone())], at)?;
        let read = self.keep(&read);
        if name == "Copy" {
            self.emit(format!("if {read}.r0 > 0 {{"));
            let callee = self.method_of(args[0].clone(), "Write", at)?;
            let written = self.invoke(callee, vec![Val::new(buffer.clone(), bytes.clone())], at)?;
            self.emit(format!("{error} = {}.r1", written.code));
            self.emit("}");
        }
        self.emit(format!("{total} += {read}.r0"));
        self.emit(format!("if {error} == any_nil {{ {error} = {read}.r1 }}"));
        self.emit("}");
        let end = self.context_error("io_eof");
        if name != "ReadFull" {
            // The end is what these are for.
            self.emit(format!("if {error} == {end} {{ {error} = any_nil }}"));
        }
        let first = if name == "ReadAll" { bytes } else { Ty::INT };
        let value = if name == "ReadAll" { buffer } else { total };
        let ty = Ty::Tuple(vec![first, Ty::error()]);
        let record = self.w.kin(&ty);
        let both = self.keep_as(&format!("{record}(r0: {value}, r1: {error})"), &record);
        Ok(Val::made(both, ty))
    }

    /// `sort.Slice`, `sort.Ints`: by insertion, which is stable.
    pub(crate) fn sorting(&mut self, name: &str, args: &[Val], at: (Pos, Pos)) -> R<Val> {
        let Ty::Slice(element) = self.w.under(&args[0].ty) else {
            return refuse_as("G0301", at, "what is sorted is no slice", "give a slice");
        };
        self.w.sharing.write(&element);
        let kept = self.w.kept(&element);
        let slice = self.keep(&args[0]);
        let (i, j) = (self.keep_as("1", "-big..=big"), self.keep_as("0", "-big..=big"));
        let goes_on = self.keep_as("true", "bool");
        let count = self.keep_as(&self.slice_length(&slice, &element), "-big..=big");
        let at_j = self.slice_element(&slice, &element, &j);
        let before_j = self.slice_element(&slice, &element, &format!("({j} - 1)"));
        self.emit(format!("while {i} < {count} {{"));
        self.emit(format!("{j} = {i}"));
        self.emit(format!("{goes_on} = true"));
        self.emit(format!("while {goes_on} and {j} > 0 {{"));
        let (one, other) = (self.temp(), self.temp());
        match (name, args) {
            ("Ints", _) => {
                self.emit(format!("{goes_on} = {at_j} < {before_j}"));
            }
            (_, [_, less]) => {
                let int = || Ty::INT;
                let sig =
                    Sig { params: vec![int(), int()], results: vec![Ty::Bool], variadic: false };
                let f = self.w.fn_type(&sig);
                let before = self.keep_as(&format!("{j} - 1"), "-big..=big");
                let args = vec![less.code.clone(), j.clone(), before];
                let more = self.called(&format!("call_{f}"), args, &[Ty::Bool], "");
                self.emit(format!("{goes_on} = {}", more.code));
            }
            _ => return self.unknown("sort", name, at),
        }
        self.emit(format!("if {goes_on} {{"));
        self.emit(format!("let {one}: {kept} = {at_j}"));
        self.emit(format!("let {other}: {kept} = {before_j}"));
        self.emit(format!("{at_j} = {other}"));
        self.emit(format!("{before_j} = {one}"));
        self.emit(format!("{j} -= 1"));
        self.emit("}");
        self.emit("}");
        self.emit(format!("{i} += 1"));
        self.emit("}");
        Ok(nothing())
    }
}
