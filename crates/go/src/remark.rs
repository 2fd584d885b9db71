//! Remarks on declarations: `//kinfold:range 0..3` and `//kinfold:any`, on the line before or at the end of the line.
//!
//! A number with a range becomes any of the range whenever something is assigned to it. Of one that may be any, nothing is
//! kept: what comparing it gives is not known. On a type, both are about all variables and fields of the type.

use diagnostics::{Diagnostic, Span};

use crate::fx::{Fx, Val};
use crate::lexer::Directive;
use crate::place::Place;
use crate::syntax::*;
use crate::types::Ty;
use crate::world::World;

/// Values of a number of which nothing is kept, since a remark says so.
pub(crate) const ANY: Ty = Ty::Opaque("a number that may be any");
/// Values of a number that only counts (`counters`).
pub(crate) const COUNT: Ty = Ty::Opaque("a number that only counts");

/// No range is wider.
const WIDEST: i128 = 1000;

/// What is said of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remark {
    Range(i128, i128),
    Any,
}

/// `range 0..3`, `any`; `None` if it is neither.
fn remark(text: &str) -> Option<Remark> {
    let mut words = text.split_whitespace();
    match (words.next()?, words.next(), words.next()) {
        ("any", None, _) => Some(Remark::Any),
        ("range", Some(range), None) => {
            let (low, high) = range.split_once("..")?;
            let (low, high) = (low.parse().ok()?, high.parse().ok()?);
            let fits = (-1_000_000_000..=1_000_000_000).contains(&low);
            (fits && low <= high && high - low < WIDEST).then_some(Remark::Range(low, high))
        }
        _ => None,
    }
}

/// Where the line of a place begins.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// The line that a remark is about: its own, or the first one after it that is no comment.
fn subject<'t>(text: &'t str, found: &Directive) -> &'t str {
    let start = found.start as usize;
    let own = text[line_start(text, start)..start].trim();
    if !own.is_empty() {
        return own;
    }
    let mut lines = text[start..].lines().skip(1).map(str::trim);
    lines.find(|line| !line.starts_with("//")).unwrap_or_default()
}

impl World<'_> {
    /// What is said of what is declared at a place.
    pub(crate) fn remark_on(&self, pos: Pos) -> Option<Remark> {
        if pos as usize >= self.text.len() {
            return None;
        }
        let start = line_start(self.text, pos as usize);
        let end = self.text[start..].find('\n').map_or(self.text.len(), |at| start + at);
        // The comments right above.
        let mut first = start;
        while first > 0 {
            let above = line_start(self.text, first - 1);
            if !self.text[above..first].trim_start().starts_with("//") {
                break;
            }
            first = above;
        }
        let is_near = |found: &&Directive| (first..end).contains(&(found.start as usize));
        self.directives.iter().filter(is_near).find_map(|found| remark(&found.text))
    }

    /// Remarks that cannot be read, or that are about nothing.
    pub(crate) fn check_remarks(&mut self, file: &File) {
        let bodies: Vec<(Pos, Pos)> = file
            .decls
            .iter()
            .filter_map(|decl| match decl {
                Decl::Func(one) => Some((one.name.pos, one.body.as_ref()?.end)),
                _ => None,
            })
            .collect();
        for found in self.directives.clone() {
            let start = found.start as usize;
            let length = self.text[start..].find('\n').unwrap_or(self.text.len() - start);
            let span = Span::new(start..start + length);
            let wrong = |message: &str, help: &str| {
                Diagnostic::error("G0104", message.to_owned()).at(span, "here").help(help)
            };
            let line = subject(self.text, &found);
            let in_body = bodies.iter().any(|(from, to)| (*from..*to).contains(&found.start));
            let declares =
                line.contains(":=") || line.starts_with("var ") || line.starts_with("type ");
            let error = if found.text.starts_with("assert") {
                (!in_body).then(|| {
                    wrong(
                        "there is nothing to assert here",
                        "put it between statements of a function",
                    )
                })
            } else if remark(&found.text).is_none() {
                Some(wrong(
                    "this remark is not understood",
                    "write `range LOW..HIGH`, with at most 1000 numbers from LOW to HIGH, or `any`",
                ))
            } else if !declares {
                Some(wrong(
                    "this remark is about no declaration",
                    "put it on the line before `var x …`, `x := …` or `type T int`; for a field, give it a type of its own",
                ))
            } else {
                None
            };
            if let Some(error) = error {
                self.found.push(error);
            }
        }
    }
}

impl Fx<'_, '_> {
    /// The type that a variable has, with what is said of it.
    pub(crate) fn remarked(&mut self, name: &str, pos: Pos, ty: Ty) -> Ty {
        if !matches!(self.w.under(&ty), Ty::Int(_)) || self.w.is_packaged(pos) {
            return ty;
        }
        if self.w.remark_on(pos) == Some(Remark::Any) {
            return ANY;
        }
        if self.w.counters.contains(name) {
            let why =
                format!("`{name}` only counts, and nothing depends on it: its value is not kept");
            self.w.note(why, pos);
            return COUNT;
        }
        ty
    }

    /// Any number of a range, or either truth value, in place of the value of a variable.
    pub(crate) fn chosen(&mut self, remark: Remark, ty: &Ty) -> Option<String> {
        let temp = self.temp();
        match (remark, self.w.under(ty)) {
            (Remark::Range(low, high), Ty::Int(_)) => {
                self.emit(format!("choose {temp} in {low}..={high}"));
                let kin = self.w.kin(ty);
                Some(self.keep_as(&temp, &kin))
            }
            (Remark::Any, Ty::Bool) => {
                self.emit(format!("forgotten choose {temp} in bool"));
                Some(temp)
            }
            (Remark::Any, Ty::Str) => {
                self.w.makes_vague = true;
                Some("s_other".into())
            }
            _ => None,
        }
    }

    /// What is assigned to a place, with what is said of that.
    pub(crate) fn within_range(&mut self, place: &Place, val: Val) -> Val {
        let Place::Code(code, ty) = place else { return val };
        let Some(remark) = self.remark_of(code, ty) else { return val };
        match self.chosen(remark, ty) {
            Some(code) => Val::made(code, ty.clone()),
            None => val,
        }
    }

    /// What is said of the variable that an expression of `.kin` stands for, or of its type.
    pub(crate) fn remark_of(&self, code: &str, ty: &Ty) -> Option<Remark> {
        if self.w.directives.is_empty() {
            return None;
        }
        let of_type = match ty {
            Ty::Named(id) => self.w.remark_on(self.w.named[*id].decl.name.pos),
            _ => None,
        };
        let local = || {
            let code = code.strip_suffix(".v").unwrap_or(code);
            self.vars.iter().find(|(_, one)| one.kin == code).map(|(pos, _)| *pos)
        };
        let global = || {
            let found = self.w.globals.iter().find(|one| one.kin == code)?;
            let names = &found.decl.names;
            names.iter().find(|name| name.name == found.name).map(|name| name.pos)
        };
        of_type.or_else(|| self.w.remark_on(local().or_else(global)?))
    }
}
