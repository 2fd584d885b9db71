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
                if let (true, Ty::Slice(element)) = (name == "cap", self.w.under(&val.ty)) {
                    return Ok(self.capacity(&val, &element));
                }
                self.length(name, &val, at)
            }
            ("append", [of, more @ ..]) => self.append(of, more, spread, want, at),
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
            ("recover", []) => Ok(self.recover()),
            ("panic", [value]) => {
                let value = self.expr_as(value, &Ty::any())?;
                self.raise(&value.code);
                Ok(none())
            }
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
                let caught = if self.w.unwinds { self.caught() } else { "false".into() };
                if caught != "false" {
                    let done = self.keep_as("false", "bool");
                    let (c, got) = (self.simple(channel), self.temp());
                    self.emit(format!("if {caught} {{"));
                    self.emit(format!("if {c} != none {{"));
                    self.emit(format!("let {got}: bool = {c}.try_close()"));
                    self.emit(format!("{done} = {got}"));
                    self.emit("}");
                    self.guard(&done);
                    self.emit("}");
                    self.emit(format!("if not {done} {{"));
                    self.emit(format!("{c}.close()"));
                    self.emit("}");
                    return Ok(());
                }
                self.emit(format!("{}.close()", channel.code));
                Ok(())
            }
            ("panic", [value]) => {
                let value = self.fit(value.clone(), &Ty::any(), at)?;
                self.raise(&value.code);
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
                let code = self.simple(of);
                let Ty::Slice(element) = self.w.under(&of.ty) else {
                    self.emit(format!("if {code} != none {{"));
                    self.emit(format!("{code}.items.clear()"));
                    self.emit("}");
                    return Ok(());
                };
                // The elements of a slice become zero, and stay.
                self.w.sharing.write(&element);
                let i = self.keep_as("0", "-big..=big");
                let n = self.keep_as(&self.slice_length(&code, &element), "-big..=big");
                self.emit(format!("while {i} < {n} {{"));
                let target = self.slice_element(&code, &element, &i);
                let zero = self.zero(&element)?;
                if self.w.is_object(&element) {
                    self.overwrite(&format!("{target}!"), &zero, &element)?;
                } else {
                    self.emit(format!("{target} = {zero}"));
                }
                self.emit(format!("{i} += 1"));
                self.emit("}");
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
            Ty::Slice(element) => self.make_slice(ty, &element, sizes, at),
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
                _ => self.some_number("the length of a string is not kept: where it is more than compared, it is any of 0..=3", at),
            },
            Ty::Array(n, _) => self.konst(Konst::Int(i128::from(n)), Ty::INT, at),
            Ty::Pointer(to) => match self.w.under(&to) {
                Ty::Array(n, _) => self.konst(Konst::Int(i128::from(n)), Ty::INT, at),
                _ => refuse(at, "this has no length", "use a slice"),
            },
            Ty::Slice(element) => {
                let of = self.simple(val);
                let length = self.keep_as(&self.slice_length(&of, &element), "-big..=big");
                Ok(Val::made(length, Ty::INT))
            }
            Ty::Map(..) => {
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

    /// The text of an expression.
    pub(crate) fn source(&self, expr: &Expr) -> &str {
        &self.w.text[expr.pos as usize..expr.end as usize]
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
        if self.w.unwinds && self.caught() != "false" {
            let (sent, got) = (self.keep_as("true", "bool"), self.temp());
            let arm = format!("let {got} = {channel}.offer({value}) when {channel} != none");
            self.wait(&arm, &format!("{sent} = {got}"));
            self.sent(&sent);
            return Ok(());
        }
        self.wait(&format!("{channel}.send({value}) when {channel} != none"), "");
        Ok(())
    }

    /// Goes on if something was sent: the channel may be closed.
    pub(crate) fn sent(&mut self, sent: &str) {
        self.guard(sent);
        // Nobody catches it.
        self.emit(format!("require {sent}"));
    }

    /// Waits for one thing, or for the end of the program.
    pub(crate) fn wait(&mut self, arm: &str, body: &str) {
        let body = if body.is_empty() { "{ }".to_owned() } else { format!("{{ {body} }}") };
        self.emit("select {");
        self.emit(format!("{arm} {body}"));
        self.over_arm();
        self.emit("}");
    }

    /// The arm of whoever waits when the program ends. Nobody has written it, so it has no place in the program.
    pub(crate) fn over_arm(&mut self) {
        if self.w.over_arms && !self.is_main {
            let at = std::mem::take(&mut self.at);
            self.emit("await over { kill self }");
            self.at = at;
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
        let more = self.variants().parameters();
        let text = match (is_time, is_signal) {
            (true, _) => crate::library::TIME_CHANNEL,
            (_, true) => crate::library::SIGNAL_CHANNEL,
            _ => crate::library::CHANNEL,
        };
        let lines = self.variants().lines(text).into_iter().map(|line| {
            line.replace("MORE", more)
                .replace("NAME", &name)
                .replace("GOT", &got)
                .replace("KEPT", &kept)
                .replace("ZERO", &zero)
        });
        let mut lines: Vec<String> = lines.collect();
        if self.unwinds {
            attempts(&mut lines);
        }
        self.declared.insert(name.clone(), lines);
        name
    }
}

/// Adds steps that say whether they could be done, for what may be recovered: `offer` sends, `try_close` closes.
fn attempts(lines: &mut Vec<String>) {
    let mut more: Vec<String> = Vec::new();
    let (mut sends, mut meets) = (false, false);
    for line in lines.iter() {
        if let Some(of) = line.strip_prefix("step send(") {
            sends = true;
            more.push(format!("step offer({}: bool {{", of.trim_end_matches(" {")));
            more.push("if closed { return false }".into());
        } else if let Some(with) = line.strip_prefix("meet send(x), ") {
            meets = true;
            more.push(format!("meet offer(x), {with}"));
        } else if sends && line == "}" {
            more.extend(["return true".to_owned(), "}".to_owned()]);
            sends = false;
        } else if sends && line != "require not closed" {
            more.push(line.clone());
        } else if let (true, Some(value)) = (meets, line.strip_prefix("return ")) {
            more.push(format!("return true, {value}"));
        } else if meets {
            more.push(line.clone());
            meets = line != "}";
        }
    }
    more.extend(
        [
            "step try_close(): bool {",
            "if closed { return false }",
            "closed = true",
            "return true",
            "}",
        ]
        .map(str::to_owned),
    );
    let end = lines.len() - 1;
    lines.splice(end..end, more);
}
