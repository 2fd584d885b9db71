//! Functions that the language has, and operations on channels.

use std::rc::Rc;

use crate::fx::{Fx, Val};
use crate::syntax::*;
use crate::types::{Konst, Ty};
use crate::world::{R, World, refuse, refuse_as};

/// Channels have room for no more than this, nor slices for more elements than are listed.
const MOST: i128 = 256;

impl Fx<'_, '_> {
    pub(crate) fn builtin(
        &mut self,
        name: &str,
        args: &[Expr],
        spread: bool,
        want: Option<&Ty>,
        at: (Pos, Pos),
    ) -> R<Val> {
        let none = || Val::made("", Ty::Tuple(Vec::new()));
        match (name, args) {
            ("make", [of, sizes @ ..]) => self.make(of, sizes, at),
            ("new", [of]) => {
                let ty = self.ty(of)?;
                let zero = self.zero(&ty)?;
                if self.w.is_object(&ty) {
                    return Ok(Val::made(zero, ty.pointer()));
                }
                let cell = self.w.object(&ty);
                let temp = self.temp();
                self.emit(format!("let {temp}: {cell} = new {cell}(first: {zero})"));
                Ok(Val::made(temp, ty.pointer()))
            }
            ("len" | "cap", [of]) => {
                let val = self.expr(of, None)?;
                if name == "cap" && matches!(self.w.under(&val.ty), Ty::Slice(_)) {
                    return refuse_as(
                        "G0411",
                        at,
                        "the capacity of slices is not kept",
                        "do without it",
                    );
                }
                self.length(name, &val, at)
            }
            ("append", [of, more @ ..]) => {
                self.appended_to(of, at)?;
                self.append(of, more, spread, want, at)
            }
            ("copy", [to, from]) => self.copy(to, from, at),
            ("min" | "max", [first, rest @ ..]) => {
                let mut best = self.expr(first, want)?;
                for other in rest {
                    let other = self.expr(other, want)?;
                    let (mut a, mut b) = (best, other);
                    if a.ty == Ty::Untyped && b.ty != Ty::Untyped {
                        let ty = b.ty.clone();
                        a = self.fit(a, &ty, at)?;
                    } else if b.ty == Ty::Untyped && a.ty != Ty::Untyped {
                        let ty = a.ty.clone();
                        b = self.fit(b, &ty, at)?;
                    }
                    let op = if name == "min" { "<" } else { ">" };
                    let (x, y) = (self.simple(&a), self.simple(&b));
                    best = Val::made(format!("(if {x} {op} {y} then {x} else {y})"), a.ty);
                }
                Ok(best)
            }
            ("recover", []) => refuse_as(
                "G0410",
                at,
                "`recover` is not understood: a panic is reported where it happens",
                "leave it out, or replace the function that calls it with `--assume`",
            ),
            _ => {
                let values = self.plain_arguments(args)?;
                self.builtin_with(name, values, at)?;
                Ok(none())
            }
        }
    }

    /// One of those that give nothing.
    pub(crate) fn builtin_with(&mut self, name: &str, args: Vec<Val>, at: (Pos, Pos)) -> R<()> {
        match (name, &args[..]) {
            ("close", [channel]) => {
                if !matches!(self.w.under(&channel.ty), Ty::Chan(..)) {
                    return refuse_as("G0301", at, "this is no channel", "close a channel");
                }
                self.emit(format!("{}.close()", channel.code));
                Ok(())
            }
            ("panic", _) => {
                self.emit("assert false");
                Ok(())
            }
            ("print" | "println", _) => Ok(()),
            ("delete", [map, key]) => {
                let Ty::Map(of, _) = self.w.under(&map.ty) else {
                    return refuse_as("G0301", at, "this is no map", "delete from a map");
                };
                let key = self.fit(key.clone(), &of, at)?;
                let code = if key.konst.is_some() { key.code } else { self.simple(&key) };
                let key = self.key_of(&code, &of)?;
                let map = self.simple(map);
                self.emit(format!("if {map} != none {{"));
                self.emit(format!("{map}.items.remove({key})"));
                self.emit("}");
                Ok(())
            }
            ("clear", [of]) => {
                self.emit(format!("{}.items.clear()", of.code));
                Ok(())
            }
            _ => refuse(
                at,
                format!("the arguments of `{name}` are wrong"),
                "give what Go's documentation says",
            ),
        }
    }

    fn make(&mut self, of: &Expr, sizes: &[Expr], at: (Pos, Pos)) -> R<Val> {
        let ty = self.ty(of)?;
        match self.w.under(&ty) {
            Ty::Chan(_, element) => {
                let kin = self.w.channel(&element);
                let size = match sizes {
                    [] => Some(0),
                    [size, ..] => {
                        let size = self.expr(size, Some(&Ty::INT))?;
                        match size.konst {
                            Some(Konst::Int(n)) => Some(n),
                            _ => {
                                let n = self.simple(&size);
                                return self.make_sized(&kin, &n, ty);
                            }
                        }
                    }
                };
                let size = size.unwrap_or(0);
                if !(0..=MOST).contains(&size) {
                    return refuse_as(
                        "G0404",
                        at,
                        format!("the channel has room for more than {MOST}"),
                        "a smaller one does the same",
                    );
                }
                let temp = self.temp();
                self.emit(format!("let {temp}: {kin}? = new {kin}(capacity: {size})"));
                Ok(Val::made(temp, ty))
            }
            Ty::Map(key, value) => {
                for size in sizes {
                    self.expr(size, Some(&Ty::INT))?;
                }
                let object = self.w.map(&key, &value);
                let temp = self.temp();
                self.emit(format!("let {temp}: {object}? = new {object}"));
                Ok(Val::made(temp, ty))
            }
            Ty::Slice(element) => {
                let object = self.w.array(&element);
                let kept = self.w.kept(&element);
                let Some(size) = sizes.first() else {
                    return refuse(at, "the length is missing", "give it");
                };
                let size = self.expr(size, Some(&Ty::INT))?;
                let items = match size.konst {
                    Some(Konst::Int(n)) if (0..=MOST).contains(&n) => {
                        self.room_for(n as u32);
                        let mut items = Vec::new();
                        for _ in 0..n {
                            items.push(self.zero(&element)?);
                        }
                        format!("[{}]", items.join(", "))
                    }
                    Some(_) => {
                        return refuse_as(
                            "G0404",
                            at,
                            format!("the slice has more than {MOST} elements"),
                            "a shorter one may do",
                        );
                    }
                    None => {
                        let n = self.simple(&size);
                        let (items, i) = (self.temp(), self.temp());
                        self.emit(format!("let {items}: seq[{kept}, room] = []"));
                        self.emit(format!("let {i}: -big..=big = 0"));
                        self.emit(format!("while {i} < {n} {{"));
                        let zero = self.zero(&element)?;
                        self.emit(format!("{items}.push_back({zero})"));
                        self.emit(format!("{i} += 1"));
                        self.emit("}");
                        items
                    }
                };
                let temp = self.temp();
                self.emit(format!("let {temp}: {object}? = new {object}(first: {items})"));
                Ok(Val::made(temp, ty))
            }
            _ => refuse_as(
                "G0301",
                at,
                "`make` makes channels, maps and slices",
                "use one of these types",
            ),
        }
    }

    /// A channel whose capacity is known only when it is made: one of the numbers that the program mentions.
    fn make_sized(&mut self, kin: &str, n: &str, ty: Ty) -> R<Val> {
        let temp = self.temp();
        self.emit(format!("let {temp}: {kin}? = none"));
        self.w.wants_sizes = true;
        let sizes = match self.w.sizes.is_empty() {
            true => vec![0, 1],
            false => self.w.sizes.clone(),
        };
        for (at, size) in sizes.into_iter().enumerate() {
            let word = if at == 0 { "if" } else { "} else if" };
            self.emit(format!("{word} {n} == {size} {{"));
            self.emit(format!("{temp} = new {kin}(capacity: {size})"));
        }
        self.emit("} else {");
        self.limit();
        self.emit("}");
        Ok(Val::made(temp, ty))
    }

    /// Where the translation can go no further, a run ends with a fault that says so.
    pub(crate) fn limit(&mut self) {
        self.emit("assert not true");
    }

    pub(crate) fn length(&mut self, name: &str, val: &Val, at: (Pos, Pos)) -> R<Val> {
        match self.w.under(&val.ty) {
            Ty::Str => match &val.konst {
                Some(Konst::Str(text)) => self.konst(Konst::Int(text.len() as i128), Ty::INT, at),
                _ => self.some_number("the length of a string is any number", at),
            },
            Ty::Array(n, _) => self.konst(Konst::Int(i128::from(n)), Ty::INT, at),
            Ty::Pointer(to) => match self.w.under(&to) {
                Ty::Array(n, _) => self.konst(Konst::Int(i128::from(n)), Ty::INT, at),
                _ => refuse(at, "this has no length", "use a slice"),
            },
            Ty::Slice(_) | Ty::Map(..) => {
                let of = self.simple(val);
                let length = self.keep_as(
                    &format!("if {of} == none then 0 else len({of}!.items)"),
                    "-big..=big",
                );
                Ok(Val::made(length, Ty::INT))
            }
            Ty::Chan(..) => {
                let of = self.simple(val);
                let length = self.temp();
                self.emit(format!("let {length}: -big..=big = 0"));
                self.emit(format!("if {of} != none {{"));
                let what =
                    if name == "len" { format!("{of}.size()") } else { format!("{of}!.capacity") };
                self.emit(format!("{length} = {what}"));
                self.emit("}");
                Ok(Val::made(length, Ty::INT))
            }
            _ => refuse(at, "this has no length", "use a slice, a map or a channel"),
        }
    }

    fn append(
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
        let object = self.w.array(&element);
        let kept = self.w.kept(&element);
        let mut values = Vec::new();
        if !spread {
            for one in more {
                values.push(self.expr_as(one, &element)?.code);
            }
        }
        let from = self.simple(&Val::new(base.code, ty.clone()));
        let items = self.keep_as(
            &format!("if {from} == none then [] else {from}!.items"),
            &format!("seq[{kept}, room]"),
        );
        if spread {
            let [rest] = more else { return refuse(at, "`...` needs one slice", "give one") };
            let rest = self.expr(rest, Some(&ty))?;
            if matches!(self.w.under(&rest.ty), Ty::Str) {
                return refuse(at, "a string is appended", "append a slice");
            }
            let rest = self.simple(&rest);
            let x = self.temp();
            self.emit(format!("if {rest} != none {{"));
            self.emit(format!("for {x} in {rest}!.items {{"));
            self.emit(format!("{items}.push_back({x})"));
            self.emit("}");
            self.emit("}");
        }
        for value in values {
            self.emit(format!("{items}.push_back({value})"));
        }
        let temp = self.temp();
        self.emit(format!("let {temp}: {object}? = new {object}(first: {items})"));
        Ok(Val::made(temp, ty))
    }

    /// The text of an expression.
    pub(crate) fn source(&self, expr: &Expr) -> &str {
        &self.w.text[expr.pos as usize..expr.end as usize]
    }

    /// What is appended may overwrite what another slice has: here a slice never shares its elements with one that was
    /// made from it, so this is refused unless the result replaces the slice.
    fn appended_to(&mut self, of: &Expr, at: (Pos, Pos)) -> R<()> {
        let bare = of.bare();
        let replaced = self.replaced.clone();
        let is_same = |fx: &Self, expr: &Expr| replaced.as_deref() == Some(fx.source(expr));
        match &*bare.kind {
            ExprKind::Slice(base, _) if !is_same(self, base) => refuse_as(
                "G0411",
                at,
                "something is appended to a part of a slice, which may overwrite the rest of it",
                "assign the result to the slice itself, or append to a new one",
            ),
            ExprKind::Name(_) | ExprKind::Select(..) if !is_same(self, bare) && self.declares => {
                refuse_as(
                    "G0411",
                    at,
                    "the result of `append` goes to another variable, and may share elements with the first",
                    "assign the result to the slice itself, or append to a new one",
                )
            }
            _ => Ok(()),
        }
    }

    fn copy(&mut self, to: &Expr, from: &Expr, at: (Pos, Pos)) -> R<Val> {
        let to = self.expr(to, None)?;
        let from = self.expr(from, None)?;
        let (Ty::Slice(element), Ty::Slice(_)) = (self.w.under(&to.ty), self.w.under(&from.ty))
        else {
            return refuse(at, "only slices are copied", "use slices");
        };
        if self.w.is_object(&element) {
            return refuse(at, "structs are copied from slice to slice", "copy them in a loop");
        }
        let (to, from) = (self.simple(&to), self.simple(&from));
        let i = self.keep_as("0", "-big..=big");
        let n = self.keep_as(
            &format!("if {to} == none or {from} == none then 0 else len({to}!.items)"),
            "-big..=big",
        );
        let m = self
            .keep_as(&format!("if {from} == none then 0 else len({from}!.items)"), "-big..=big");
        self.emit(format!("while {i} < {n} and {i} < {m} {{"));
        self.emit(format!("{to}.items[{i}] = {from}!.items[{i}]"));
        self.emit(format!("{i} += 1"));
        self.emit("}");
        Ok(Val::made(i, Ty::INT))
    }

    /// A channel, and the type of what it carries.
    pub(crate) fn channel_of(&mut self, val: &Val, at: (Pos, Pos)) -> R<(String, Rc<Ty>)> {
        match self.w.under(&val.ty) {
            Ty::Chan(_, element) => Ok((self.simple(val), element)),
            _ => refuse_as(
                "G0301",
                at,
                format!("{} is no channel", self.w.show(&val.ty)),
                "use a channel",
            ),
        }
    }

    /// `<-c`: the value, and whether it was sent.
    pub(crate) fn receive(
        &mut self,
        channel: &Val,
        asks: bool,
        at: (Pos, Pos),
    ) -> R<(Val, String)> {
        let (channel, element) = self.channel_of(channel, at)?;
        let kept = self.w.kept(&element);
        let zero = self.w.zero(&element).unwrap_or_else(|| "none".into());
        let value = self.keep_as(&zero, &kept);
        let ok = if asks { self.keep_as("false", "bool") } else { String::new() };
        let got = self.temp();
        let mut body = format!("{value} = {got}.v");
        if asks {
            body.push_str(&format!("  {ok} = {got}.ok"));
        }
        self.wait(&format!("let {got} = {channel}.receive() when {channel} != none"), &body);
        let val = self.unkept(&value, &element, true)?;
        Ok((val, ok))
    }

    /// `<-c` of which the value is not wanted.
    pub(crate) fn receive_only(&mut self, channel: &Val, at: (Pos, Pos)) -> R<()> {
        let (channel, _) = self.channel_of(channel, at)?;
        self.wait(&format!("{channel}.receive() when {channel} != none"), "");
        Ok(())
    }

    pub(crate) fn send(&mut self, channel: &Val, value: &Expr, at: (Pos, Pos)) -> R<()> {
        let (channel, element) = self.channel_of(channel, at)?;
        let value = self.expr_as(value, &element)?;
        let value = if value.konst.is_some() { value.code } else { self.simple(&value) };
        self.wait(&format!("{channel}.send({value}) when {channel} != none"), "");
        Ok(())
    }

    /// Waits for one thing, or for the end of the program.
    pub(crate) fn wait(&mut self, arm: &str, body: &str) {
        let body = if body.is_empty() { "{ }".to_owned() } else { format!("{{ {body} }}") };
        self.emit("select {");
        self.emit(format!("{arm} {body}"));
        self.over_arm();
        self.emit("}");
    }

    pub(crate) fn over_arm(&mut self) {
        if self.w.over_arms && !self.is_main {
            self.emit("await over { kill self }");
        }
    }
}

impl World<'_> {
    /// Whether channels without values may be those of contexts.
    pub(crate) fn has_contexts(&self) -> bool {
        let has = |path: &String| {
            ["context", "errgroup", "semaphore"].iter().any(|name| path.ends_with(name))
        };
        self.imports.values().any(has)
    }

    /// The objects that stand for channels of a type.
    pub(crate) fn channel(&mut self, element: &Ty) -> String {
        let name = format!("chan_{}", self.mangled(element));
        if self.declared.contains_key(&name) {
            return name;
        }
        self.declared.insert(name.clone(), Vec::new());
        let kept = self.kept(element);
        let zero = self.zero(element).unwrap_or_else(|| "none".into());
        let got = format!("got_{}", self.mangled(element));
        self.declared.insert(got.clone(), vec![format!("record {got} {{ v: {kept}, ok: bool }}")]);
        let is_time = matches!(element, Ty::Opaque("time.Time"));
        let is_signal = *element == Ty::unit() && self.has_contexts();
        let text = match (is_time, is_signal) {
            (true, _) => crate::library::TIME_CHANNEL,
            (_, true) => crate::library::SIGNAL_CHANNEL,
            _ => crate::library::CHANNEL,
        };
        let lines = text.lines().filter(|line| !line.is_empty()).map(|line| {
            line.replace("NAME", &name)
                .replace("GOT", &got)
                .replace("KEPT", &kept)
                .replace("ZERO", &zero)
        });
        self.declared.insert(name.clone(), lines.collect());
        name
    }
}
