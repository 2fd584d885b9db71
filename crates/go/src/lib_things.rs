//! Values of which little is kept: times and durations, loggers, random sources and buffers.

use crate::fx::{Fx, Val};
use crate::lib_calls::nothing;
use crate::operators::{CLOCK, TIMES};
use crate::syntax::*;
use crate::types::{Int, Ty};
use crate::world::{R, refuse_as};

impl Fx<'_, '_> {
    /// Methods of times and durations.
    pub(crate) fn opaque_call(
        &mut self,
        base: &Val,
        name: &str,
        args: &[Val],
        at: (Pos, Pos),
    ) -> R<Val> {
        let is_clock = base.is_clock || args.iter().any(|arg| arg.is_clock);
        let duration = Ty::Opaque("time.Duration");
        let time = Ty::Opaque("time.Time");
        let ty = match name {
            "Sub" | "Round" | "Truncate" | "Abs" => duration,
            "Add" | "AddDate" | "UTC" | "Local" | "In" => time,
            "Before" | "After" | "Equal" | "IsZero" => {
                let is_given = is_clock && name != "IsZero";
                return Ok(match is_given {
                    true => self.given_either(CLOCK, at),
                    false => self.either(TIMES, at),
                });
            }
            "String" | "Format" => {
                self.w.makes_vague = true;
                return Ok(Val::made("s_other", Ty::Str));
            }
            "Seconds" | "Minutes" | "Hours" => Ty::Float,
            "Unix" | "UnixNano" | "UnixMilli" | "Nanoseconds" | "Milliseconds" | "Microseconds"
            | "Year" | "Month" | "Day" | "Hour" | "Minute" | "Second" | "Nanosecond" => {
                return self.some_number(
                    "times and fractions are not kept: a whole number that is made of one is any of 0..=3",
                    at,
                );
            }
            _ => {
                let shown = self.w.show(&base.ty);
                return refuse_as(
                    "G0402",
                    at,
                    format!("the method `{name}` of {shown} is not known"),
                    "do without it",
                );
            }
        };
        Ok(Val { is_clock, ..Val::made("0", ty) })
    }

    /// Methods of loggers, random sources and buffers.
    pub(crate) fn thing_call(&mut self, name: &str, args: Vec<Val>, at: (Pos, Pos)) -> R<Val> {
        match name {
            "Print" | "Printf" | "Println" | "SetOutput" | "SetFlags" | "SetPrefix" | "Seed"
            | "Reset" => {
                self.print(&args, at)?;
                Ok(nothing())
            }
            "Write"
                if matches!(args.first().map(|arg| self.w.under(&arg.ty)), Some(Ty::Slice(_))) =>
            {
                // All of it is written.
                let bytes = self.simple(&args[0]);
                let count = self.slice_length(&bytes, &Ty::Int(Int::Uint8));
                let ty = Ty::Tuple(vec![Ty::INT, Ty::error()]);
                let record = self.w.kin(&ty);
                Ok(Val::made(format!("{record}(r0: {count}, r1: any_nil)"), ty))
            }
            "WriteString" | "Write" => Ok(nothing()),
            "WriteByte" => Ok(Val::made("any_nil", Ty::error())),
            "Len" => self.some_number("what is in buffers is not kept: one has any length", at),
            "String" => {
                self.w.makes_vague = true;
                Ok(Val::made("s_other", Ty::Str))
            }
            "Fatal" | "Fatalf" | "Fatalln" => self.exit(),
            "Panic" | "Panicf" => {
                let error = self.new_error().code;
                self.raise(&error);
                Ok(nothing())
            }
            _ => self.random(name, &args, at),
        }
    }

    /// The parts of a string: at most three, of which nothing is known.
    pub(crate) fn parts_of_string(&mut self, at: (Pos, Pos)) -> R<Val> {
        self.w.makes_vague = true;
        self.w
            .note("what is in strings is not kept: one has any number of parts up to three", at.0);
        let count = self.temp();
        self.emit_at(format!("forgotten choose {count} in 0..=3"), at);
        let (items, i) = (self.keep_as("[]", "seq[Str, room]"), self.keep_as("0", "-big..=big"));
        self.emit(format!("while {i} < {count} {{"));
        self.emit(format!("{items}.push_back(s_other)"));
        self.emit(format!("{i} += 1"));
        self.emit("}");
        let items = self.elements_first(&Ty::Str, &items);
        let made = self.new_slice(&Ty::Str, &items, &count);
        Ok(Val::made(made, Ty::Slice(Ty::Str.into())))
    }
}
