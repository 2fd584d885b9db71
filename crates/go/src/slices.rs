//! Slices.
//!
//! A slice is a reference to an array of its elements, and what is appended makes a new array, as long as nobody can tell:
//! as long as no slice with elements of that type shares them with another. Where one may (a part of a slice is taken, or
//! elements are assigned to and something is appended, or the result of `append` goes elsewhere, or `cap` is asked), a
//! slice is what it is in Go: an array, where it begins there, its length and its capacity. What a translation finds is
//! told to the next (`Sharing`).
//!
//! Capacities grow as in Go 1.18 and later: they are doubled, and rounded up to the sizes in which memory is given out.

use std::collections::BTreeSet;

use crate::fx::{Fx, Val};
use crate::syntax::*;
use crate::types::{Int, Konst, Lib, Ty};
use crate::world::{R, World, refuse, refuse_as};

/// The types of elements of slices that may share them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sharing {
    known: BTreeSet<Ty>,
    /// Parts of slices are taken.
    parts: BTreeSet<Ty>,
    /// Elements are assigned to.
    written: BTreeSet<Ty>,
    appended: BTreeSet<Ty>,
    /// `cap` is asked, or the result of `append` goes elsewhere.
    told_apart: BTreeSet<Ty>,
    /// Elements that are assigned to, as the translation before has found.
    changing: Option<BTreeSet<Ty>>,
}

impl Sharing {
    /// For the next translation.
    pub(crate) fn told(&self) -> Sharing {
        let mut known = self.known.clone();
        known.extend(self.told_apart.iter().cloned());
        let changed = |ty: &&Ty| self.written.contains(*ty) || self.appended.contains(*ty);
        known.extend(self.parts.iter().filter(changed).cloned());
        known.extend(self.appended.intersection(&self.written).cloned());
        let before = self.changing.iter().flatten();
        let changing = Some(self.written.iter().chain(before).cloned().collect());
        Sharing { known, changing, ..Sharing::default() }
    }

    pub(crate) fn is_known(&self, element: &Ty) -> bool {
        self.known.contains(element)
    }

    /// Whether arrays of such elements stay as they are made.
    pub(crate) fn is_constant(&self, element: &Ty) -> bool {
        !self.is_known(element)
            && self.changing.as_ref().is_some_and(|changing| !changing.contains(element))
    }

    pub(crate) fn write(&mut self, element: &Ty) {
        self.written.insert(element.clone());
    }

    /// Somebody can tell whether slices share their elements.
    pub(crate) fn tell_apart(&mut self, element: &Ty) {
        self.told_apart.insert(element.clone());
    }
}

/// The sizes in which Go gives out memory, as far as slices here may be long.
const SIZES: [u32; 44] = [
    8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352,
    384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048,
    2304, 2688, 3072, 3200, 3456, 4096,
];

impl World<'_> {
    /// The objects that slices refer to.
    pub(crate) fn slice_object(&mut self, element: &Ty) -> String {
        let array = self.array(element);
        if !self.sharing.is_known(element) {
            return array;
        }
        let name = format!("arr_of_{}", self.mangled(element));
        if !self.declared.contains_key(&name) {
            let lines = [
                format!(
                    "object {name}(on: {array}, begin: 0..=256, count: 0..=256, most: 0..=256) {{"
                ),
                format!("a: {array} = on"),
                "lo: 0..=256 = begin".into(),
                "n: 0..=256 = count".into(),
                "cap: 0..=256 = most".into(),
                "}".into(),
            ];
            self.declared.insert(name.clone(), lines.into());
        }
        name
    }

    /// How many bytes a value takes, and to what it is aligned.
    fn size_of(&self, ty: &Ty) -> (u32, u32) {
        let word = |n: u32| (8 * n, 8);
        match self.under(ty) {
            Ty::Bool => (1, 1),
            Ty::Int(Int::Int8 | Int::Uint8) => (1, 1),
            Ty::Int(Int::Int16 | Int::Uint16) => (2, 2),
            Ty::Int(Int::Int32 | Int::Uint32) => (4, 4),
            Ty::Str | Ty::Interface(_) => word(2),
            Ty::Slice(_) | Ty::Opaque("time.Time") => word(3),
            Ty::Array(n, element) => {
                let (size, align) = self.size_of(&element);
                (size * n, align)
            }
            Ty::Struct(fields) => {
                let (mut size, mut most) = (0u32, 1);
                for field in fields.iter() {
                    let (bytes, align) = self.size_of(&field.ty);
                    size = size.next_multiple_of(align) + bytes;
                    most = most.max(align);
                }
                (size.next_multiple_of(most), most)
            }
            Ty::Lib(Lib::RwMutex | Lib::WaitGroup) => word(3),
            Ty::Lib(Lib::Context | Lib::Error) => word(2),
            _ => word(1),
        }
    }

    /// The capacity that is given for a wished one, as an expression.
    fn rounded(&self, element: &Ty, wish: &str) -> String {
        let (size, _) = self.size_of(element);
        if size == 0 {
            return wish.to_owned();
        }
        let mut code = wish.to_owned();
        let mut fitting: Vec<u32> = SIZES.iter().map(|bytes| bytes / size).collect();
        fitting.retain(|count| (1..=256).contains(count));
        fitting.dedup();
        for count in fitting.into_iter().rev() {
            code = format!("if {wish} <= {count} then {count} else {code}");
        }
        code
    }
}

impl Fx<'_, '_> {
    /// The length of a slice, as an expression over its name.
    pub(crate) fn slice_length(&self, slice: &str, element: &Ty) -> String {
        let length = match self.w.sharing.is_known(element) {
            true => format!("{slice}!.n"),
            false => format!("len({slice}!.items)"),
        };
        format!("if {slice} == none then 0 else {length}")
    }

    /// Element of a slice, as an expression over its name.
    pub(crate) fn slice_element(&self, slice: &str, element: &Ty, index: &str) -> String {
        let held = match self.w.sharing.is_known(element) {
            true => format!("{slice}!.a.items[{slice}!.lo + {index}]"),
            false => format!("{slice}!.items[{index}]"),
        };
        self.w.element_access(held, element)
    }

    /// An index is within a slice; an array is asked when it is read.
    pub(crate) fn in_slice(&mut self, slice: &str, element: &Ty, index: &str) {
        if self.w.sharing.is_known(element) {
            self.emit(format!("assert {index} >= 0 and {index} < {slice}!.n"));
        }
    }

    /// A new slice of all elements of a new array.
    pub(crate) fn new_slice(&mut self, element: &Ty, items: &str, count: &str) -> String {
        let array = self.w.array(element);
        if !self.w.sharing.is_known(element) {
            return self.keep_as(&format!("new {array}(first: {items})"), &format!("{array}?"));
        }
        let on = self.keep_as(&format!("new {array}(first: {items})"), &array);
        self.slice_on(element, &on, "0", count, count)
    }

    /// A slice of an array that is there.
    fn slice_on(&mut self, element: &Ty, on: &str, lo: &str, n: &str, cap: &str) -> String {
        let object = self.w.slice_object(element);
        let made = format!("new {object}(on: {on}, begin: {lo}, count: {n}, most: {cap})");
        self.keep_as(&made, &format!("{object}?"))
    }

    /// `cap(s)`.
    pub(crate) fn capacity(&mut self, slice: &Val, element: &Ty) -> Val {
        self.w.sharing.told_apart.insert(element.clone());
        let of = self.simple(slice);
        let code = match self.w.sharing.is_known(element) {
            true => format!("if {of} == none then 0 else {of}!.cap"),
            false => "0".into(),
        };
        Val::made(self.keep_as(&code, "-big..=big"), Ty::INT)
    }

    /// `append(s, x, y)`, `append(s, t...)`.
    pub(crate) fn append(
        &mut self,
        of: &Expr,
        more: &[Expr],
        spread: bool,
        want: Option<&Ty>,
        at: (Pos, Pos),
    ) -> R<Val> {
        let base = self.expr(of, want)?;
        let ty = match (&base.ty, want) {
            (Ty::Nil, Some(ty)) => ty.clone(),
            (ty, _) => ty.clone(),
        };
        let Ty::Slice(element) = self.w.under(&ty) else {
            return refuse_as("G0301", at, "this is no slice", "append to a slice");
        };
        self.w.sharing.appended.insert((*element).clone());
        self.appended_to(of, &element);
        let from = self.settled(Val::new(base.code, ty.clone()));
        let from = self.simple(&from);
        let kept = self.w.kept(&element);
        let mut values = Vec::new();
        if !spread {
            for one in more {
                let val = self.expr_as(one, &element)?;
                values.push(self.settled(val).code);
            }
        }
        let rest = match (spread, more) {
            (true, [rest]) => {
                let rest = self.expr(rest, Some(&ty))?;
                if matches!(self.w.under(&rest.ty), Ty::Str) {
                    return refuse(at, "a string is appended", "append a slice");
                }
                let rest = self.settled(rest);
                Some(self.simple(&rest))
            }
            (true, _) => return refuse(at, "`...` needs one slice", "give one"),
            _ => None,
        };
        if !self.w.sharing.is_known(&element) {
            let items = self.keep_as(
                &format!("if {from} == none then [] else {from}!.items"),
                &format!("seq[{kept}, room]"),
            );
            if let Some(rest) = rest {
                let x = self.temp();
                self.emit(format!("if {rest} != none {{"));
                self.emit(format!("for {x} in {rest}!.items {{"));
                self.push_copy(&items, &x, &element)?;
                self.emit("}");
                self.emit("}");
            }
            for value in values {
                self.emit(format!("{items}.push_back({value})"));
            }
            return Ok(Val::made(self.new_slice(&element, &items, ""), ty));
        }
        // What is appended, read before anything is written.
        let added = match rest {
            None => {
                self.keep_as(&format!("[{}]", values.join(", ")), &format!("seq[{kept}, room]"))
            }
            Some(rest) => self.elements(&rest, &element)?,
        };
        let n = self.keep_as(&self.slice_length(&from, &element), "0..=256");
        let old = self.keep_as(&format!("if {from} == none then 0 else {from}!.cap"), "0..=256");
        let need = self.keep_as(&format!("{n} + len({added})"), "0..=512");
        let object = self.w.slice_object(&element);
        let result = self.keep_as(&from, &format!("{object}?"));
        self.emit(format!("if len({added}) > 0 {{"));
        self.emit(format!("if {need} <= {old} {{"));
        let i = self.keep_as("0", "0..=512");
        self.emit(format!("while {i} < len({added}) {{"));
        let after = self.slice_element(&from, &element, &format!("{n} + {i}"));
        if self.w.is_object(&element) {
            // There may be pointers to what is there.
            let place = crate::place::Place::Object(format!("{after}!"), (*element).clone(), true);
            let val = self.unkept(&format!("{added}[{i}]"), &element, false)?;
            self.assign(&place, val)?;
        } else {
            self.emit(format!("{after} = {added}[{i}]"));
        }
        self.emit(format!("{i} += 1"));
        self.emit("}");
        let on = format!("{from}!.a");
        let lo = format!("{from}!.lo");
        let grown = self.slice_on(&element, &on, &lo, &need, &old);
        self.emit(format!("{result} = {grown}"));
        self.emit("} else {");
        let wish = self.keep_as(
            &format!("if {need} > {old} + {old} then {need} else {old} + {old}"),
            "0..=512",
        );
        let cap = self.w.rounded(&element, &wish);
        let cap = self.keep_as(&cap, "0..=512");
        let items = self.elements(&from, &element)?;
        let x = self.temp();
        self.emit(format!("for {x} in {added} {{"));
        self.emit(format!("{items}.push_back({x})"));
        self.emit("}");
        self.emit(format!("while len({items}) < {cap} {{"));
        let zero = self.zero(&element)?;
        self.emit(format!("{items}.push_back({zero})"));
        self.emit("}");
        let array = self.w.array(&element);
        let items = self.elements_first(&element, &items);
        let on = self.keep_as(&format!("new {array}(first: {items})"), &array);
        let moved = self.slice_on(&element, &on, "0", &need, &cap);
        self.emit(format!("{result} = {moved}"));
        self.emit("}");
        self.emit("}");
        Ok(Val::made(result, ty))
    }

    /// Appends a copy of an element to a sequence.
    fn push_copy(&mut self, items: &str, from: &str, element: &Ty) -> R<()> {
        let val = self.unkept(from, element, false)?;
        let val = self.copied(val)?;
        self.emit(format!("{items}.push_back({})", val.code));
        Ok(())
    }

    /// Copies of the elements of a slice, as a sequence.
    fn elements(&mut self, slice: &str, element: &Ty) -> R<String> {
        let kept = self.w.kept(element);
        let items = self.keep_as("[]", &format!("seq[{kept}, room]"));
        let i = self.keep_as("0", "0..=512");
        let n = self.keep_as(&self.slice_length(slice, element), "0..=512");
        self.emit(format!("while {i} < {n} {{"));
        let from = self.slice_element(slice, element, &i);
        self.push_copy(&items, &from, element)?;
        self.emit(format!("{i} += 1"));
        self.emit("}");
        Ok(items)
    }

    /// Whether the result of `append` goes to where the slice came from.
    fn appended_to(&mut self, of: &Expr, element: &Ty) {
        let bare = of.bare();
        let same = |fx: &Self, expr: &Expr| fx.replaced.as_deref() == Some(fx.source(expr));
        let stays = match &*bare.kind {
            ExprKind::Name(_) | ExprKind::Select(..) | ExprKind::Index(..) => same(self, bare),
            ExprKind::Slice(base, _) => same(self, base),
            // A new one, or a conversion of nil.
            _ => true,
        };
        if !stays {
            self.w.sharing.told_apart.insert(element.clone());
        }
    }

    /// `copy(to, from)`.
    pub(crate) fn copy(&mut self, to: &Expr, from: &Expr, at: (Pos, Pos)) -> R<Val> {
        let to = self.expr(to, None)?;
        let to = self.settled(to);
        let from = self.expr(from, None)?;
        let from = self.settled(from);
        if let (Ty::Slice(_), Ty::Str) = (self.w.under(&to.ty), self.w.under(&from.ty)) {
            return self.some_number(
                "the letters of strings are not kept: any number of them is copied",
                at,
            );
        }
        let (Ty::Slice(element), Ty::Slice(_)) = (self.w.under(&to.ty), self.w.under(&from.ty))
        else {
            return refuse(at, "only slices are copied", "use slices");
        };
        self.w.sharing.write(&element);
        let (to, from) = (self.simple(&to), self.simple(&from));
        let items = self.elements(&from, &element)?;
        let i = self.keep_as("0", "-big..=big");
        let n = self.keep_as(&self.slice_length(&to, &element), "-big..=big");
        self.emit(format!("while {i} < {n} and {i} < len({items}) {{"));
        let target = self.slice_element(&to, &element, &i);
        if self.w.is_object(&element) {
            let place = crate::place::Place::Object(format!("{target}!"), (*element).clone(), true);
            let val = self.unkept(&format!("{items}[{i}]"), &element, false)?;
            self.assign(&place, val)?;
        } else {
            self.emit(format!("{target} = {items}[{i}]"));
        }
        self.emit(format!("{i} += 1"));
        self.emit("}");
        Ok(Val::made(i, Ty::INT))
    }

    /// `s[low:high:most]`.
    pub(crate) fn slice(&mut self, of: &Expr, parts: &[Option<Expr>; 3], at: (Pos, Pos)) -> R<Val> {
        let base = self.expr(of, None)?;
        let base = self.settled(base);
        let (element, length) = match self.w.under(&base.ty) {
            Ty::Slice(element) => (element, None),
            Ty::Array(n, element) => (element, Some(n)),
            Ty::Pointer(to) => match self.w.under(&to) {
                Ty::Array(n, element) => (element, Some(n)),
                _ => return refuse(at, "this cannot be sliced", "use a slice"),
            },
            Ty::Str => {
                self.w.makes_vague = true;
                for part in parts.iter().flatten() {
                    self.expr(part, Some(&Ty::INT))?;
                }
                return Ok(Val::made("s_other", base.ty));
            }
            _ => return refuse(at, "this cannot be sliced", "use a slice"),
        };
        let result = match self.w.under(&base.ty) {
            Ty::Slice(_) => base.ty.clone(),
            _ => Ty::Slice(element.clone()),
        };
        let is_known = self.w.sharing.is_known(&element);
        if parts.iter().all(Option::is_none) && (!is_known || length.is_none()) {
            if length.is_some() {
                self.w.sharing.parts.insert((*element).clone());
            }
            return Ok(Val::new(base.code, result));
        }
        // `s = s[1:]` leaves nobody behind who could tell.
        let advances = parts[0].is_some() && parts[1].is_none() && parts[2].is_none();
        if !advances || length.is_some() || self.replaced.as_deref() != Some(self.source(of)) {
            self.w.sharing.parts.insert((*element).clone());
        }
        let mut bounds = Vec::new();
        for part in parts {
            bounds.push(match part {
                Some(part) => {
                    let val = self.expr(part, Some(&Ty::INT))?;
                    let val = self.fit(val, &Ty::INT, at)?;
                    Some(self.keep(&val))
                }
                None => None,
            });
        }
        let from = match length {
            // An array, which is there.
            Some(_) => {
                let kin = self.w.array(&element);
                self.keep_as(&base.code, &format!("{kin}?"))
            }
            None => self.simple(&base),
        };
        let (count, most) = match (length, is_known) {
            (Some(n), _) => (n.to_string(), n.to_string()),
            (None, true) => (
                self.slice_length(&from, &element),
                format!("if {from} == none then 0 else {from}!.cap"),
            ),
            (None, false) => {
                let length = self.slice_length(&from, &element);
                (length.clone(), length)
            }
        };
        let low = bounds[0].clone().unwrap_or_else(|| "0".into());
        let high = match &bounds[1] {
            Some(high) => high.clone(),
            None => self.keep_as(&count, "-big..=big"),
        };
        let most = match &bounds[2] {
            Some(end) => {
                let most = self.keep_as(&most, "-big..=big");
                self.emit(format!("assert {end} >= {high} and {end} <= {most}"));
                end.clone()
            }
            None => self.keep_as(&most, "-big..=big"),
        };
        let fits = format!("0 <= {low} and {low} <= {high} and {high} <= {most}");
        self.guard(&fits);
        self.emit(format!("assert {fits}"));
        if is_known {
            let object = self.w.slice_object(&element);
            let made = self.keep_as("none", &format!("{object}?"));
            self.emit(format!("if {from} != none {{"));
            let (on, lo) = match length {
                Some(_) => (format!("{from}!"), low.clone()),
                None => (format!("{from}!.a"), format!("{from}!.lo + {low}")),
            };
            let part = self.slice_on(
                &element,
                &on,
                &lo,
                &format!("{high} - {low}"),
                &format!("{most} - {low}"),
            );
            self.emit(format!("{made} = {part}"));
            self.emit("}");
            return Ok(Val::made(made, result));
        }
        let kept = self.w.kept(&element);
        let items = self.keep_as("[]", &format!("seq[{kept}, room]"));
        let i = self.keep_as(&low, "-big..=big");
        self.emit(format!("while {i} < {high} {{"));
        self.emit(format!("{items}.push_back({from}!.items[{i}])"));
        self.emit(format!("{i} += 1"));
        self.emit("}");
        Ok(Val::made(self.new_slice(&element, &items, ""), result))
    }

    /// `make([]T, n, m)`.
    pub(crate) fn make_slice(
        &mut self,
        ty: Ty,
        element: &Ty,
        sizes: &[Expr],
        at: (Pos, Pos),
    ) -> R<Val> {
        let kept = self.w.stored(element);
        let Some(size) = sizes.first() else {
            return refuse(at, "the length is missing", "give it");
        };
        let size = self.expr(size, Some(&Ty::INT))?;
        let size = self.settled(size);
        let most = match sizes.get(1) {
            Some(most) => {
                let most = self.expr(most, Some(&Ty::INT))?;
                Some(self.settled(most))
            }
            None => None,
        };
        let is_known = self.w.sharing.is_known(element);
        // Spare room matters only where it is shared.
        let whole = most.clone().filter(|_| is_known).unwrap_or_else(|| size.clone());
        let items = match whole.konst {
            Some(Konst::Int(n)) if (0..=256).contains(&n) => {
                self.room_for(n as u32);
                let mut items = Vec::new();
                for _ in 0..n {
                    let zero = self.zero(element)?;
                    items.push(self.element_first(element, zero));
                }
                format!("[{}]", items.join(", "))
            }
            Some(_) => {
                return refuse_as(
                    "G0404",
                    at,
                    "the slice has more than 256 elements",
                    "a shorter one may do",
                );
            }
            None => {
                let n = self.simple(&whole);
                let (items, i) = (self.temp(), self.temp());
                self.emit(format!("let {items}: seq[{kept}, room] = []"));
                self.emit(format!("let {i}: -big..=big = 0"));
                self.emit(format!("while {i} < {n} {{"));
                let zero = self.zero(element)?;
                let zero = self.element_first(element, zero);
                self.emit(format!("{items}.push_back({zero})"));
                self.emit(format!("{i} += 1"));
                self.emit("}");
                items
            }
        };
        if !is_known {
            return Ok(Val::made(self.new_slice(element, &items, ""), ty));
        }
        let array = self.w.array(element);
        let on = self.keep_as(&format!("new {array}(first: {items})"), &array);
        let made = self.slice_on(element, &on, "0", &size.code, &whole.code);
        Ok(Val::made(made, ty))
    }
}
