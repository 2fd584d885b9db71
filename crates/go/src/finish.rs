//! What can be written only once everything is known: the cases of interfaces and function values, the functions that
//! choose among them, the variables of the package; and all of it as one text.

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use crate::call::Callee;
use crate::fx::{Fx, Val};
use crate::library::{ATOMIC_BOOL, OBJECTS};
use crate::names::string_name;
use crate::syntax::*;
use crate::types::{Sig, Ty};
use crate::world::{FnTarget, Line, R, World};

impl World<'_> {
    /// Translates until nothing new is wanted.
    pub(crate) fn complete(&mut self) {
        loop {
            self.drain();
            let mut more = false;
            let mut at = 0;
            while at < self.dynamic.len() {
                let mut case = 0;
                while case < self.any_cases.len() {
                    if self.dynamic_done.insert((at, case)) {
                        more = true;
                        self.dynamic_case(at, case);
                    }
                    case += 1;
                }
                at += 1;
            }
            let mut at = 0;
            while at < self.fn_types.len() {
                let mut case = 0;
                while case < self.fn_types[at].cases.len() {
                    if self.fn_done.insert((at, case)) {
                        more = true;
                        self.function_case(at, case);
                    }
                    case += 1;
                }
                at += 1;
            }
            while self.prints_any && self.print_done < self.any_cases.len() {
                let (ty, case) = self.any_cases[self.print_done].clone();
                self.print_done += 1;
                more = true;
                self.print_case(ty, &case);
            }
            if !more && self.queue.is_empty() {
                break;
            }
        }
    }

    /// What printing does with a value of a type: its method that makes a string of it, if it has one.
    fn print_case(&mut self, ty: Ty, case: &str) {
        let mut fx = Fx::new(self, "print");
        fx.is_top = true;
        let is_func = matches!(fx.w.under(&ty), Ty::Func(_));
        let payload = Val::new(if is_func { "v.v" } else { "v" }, ty);
        fx.attempt(|fx| fx.printed(&payload, (0, 0)).map(drop));
        let mut lines = std::mem::take(&mut fx.lines);
        if lines.is_empty() {
            return;
        }
        lines.insert(0, Line { text: format!("{case}(v) {{"), pos: (0, 0) });
        lines.push(Line { text: "}".into(), pos: (0, 0) });
        self.print_cases.extend(lines);
    }

    fn dynamic_case(&mut self, at: usize, case: usize) {
        let (name, sig, _) = self.dynamic[at].clone();
        let (ty, member) = self.any_cases[case].clone();
        let interface = Ty::Interface(Rc::new(vec![(name.clone(), sig.clone())]));
        let mut fx = Fx::new(self, &name);
        if !fx.implements(&ty, &interface) {
            return;
        }
        // Functions are kept in objects there.
        let is_func = matches!(fx.w.under(&ty), Ty::Func(_));
        let payload = Val::new(if is_func { "v.v" } else { "v" }, ty);
        let mut lines = vec![Line { text: format!("{member}(v) {{"), pos: (0, 0) }];
        // Finding the receiver may be a fault, by which all of it is left.
        fx.results = sig.results.clone();
        fx.attempt(|fx| {
            let callee = fx.method_of(payload, &name, (0, 0))?;
            fx.forwarded(callee, &sig)
        });
        lines.append(&mut fx.lines);
        lines.push(Line { text: "}".into(), pos: (0, 0) });
        self.dynamic_cases.entry(at).or_default().extend(lines);
    }

    fn function_case(&mut self, at: usize, case: usize) {
        let sig = self.fn_types[at].sig.clone();
        let case = self.fn_types[at].cases[case].clone();
        let names: Vec<String> = case.captured.iter().map(|(name, _)| name.clone()).collect();
        let head = if names.is_empty() {
            format!("{} {{", case.name)
        } else {
            format!("{}({}) {{", case.name, names.join(", "))
        };
        let mut lines = vec![Line { text: head, pos: (0, 0) }];
        match &case.target {
            FnTarget::Function(kin) => {
                let params = (0..sig.params.len()).map(|at| format!("p{at}"));
                let passed = ["handed", "caught"].map(str::to_owned);
                let passed = passed.into_iter().filter(|_| self.unwinds);
                let args: Vec<String> = names.into_iter().chain(params).chain(passed).collect();
                let call = format!("{kin}({})", args.join(", "));
                let text = if sig.results.is_empty() && !self.unwinds {
                    vec![call, "return".into()]
                } else {
                    vec![format!("return {call}")]
                };
                lines.extend(text.into_iter().map(|text| Line { text, pos: (0, 0) }));
            }
            FnTarget::Method(ty, name) => {
                let mut fx = Fx::new(self, name);
                let is_interface = fx.w.is_interface(ty);
                let code = if is_interface { format!("{}.v", names[0]) } else { names[0].clone() };
                let receiver = Val::new(code, ty.clone());
                fx.results = sig.results.clone();
                fx.attempt(|fx| {
                    let is_made = matches!(name.as_str(), "cancel" | "cancel_cause" | "stop");
                    let callee = if is_made && matches!(receiver.ty, Ty::Lib(_)) {
                        Callee::Library(receiver, name.clone())
                    } else {
                        fx.method_of(receiver, name, (0, 0))?
                    };
                    fx.forwarded(callee, &sig)
                });
                lines.append(&mut fx.lines);
            }
        }
        lines.push(Line { text: "}".into(), pos: (0, 0) });
        self.fn_case_lines.entry(at).or_default().extend(lines);
    }

    /// The functions that choose among cases, and whose text depends on all of them.
    pub(crate) fn choosers(&mut self) {
        let mut lines = Vec::new();
        for at in 0..self.dynamic.len() {
            let (_, sig, kin) = self.dynamic[at].clone();
            let cases = self.dynamic_cases.remove(&at).unwrap_or_default();
            self.chooser(&kin, "Any", &sig, cases, &mut lines);
        }
        for at in 0..self.fn_types.len() {
            let sig = self.fn_types[at].sig.clone();
            let cases = self.fn_case_lines.remove(&at).unwrap_or_default();
            self.chooser(&format!("call_{at}"), &format!("Fn{at}"), &sig, cases, &mut lines);
        }
        if self.joins_strings {
            self.string_joins(&mut lines);
        }
        if self.compares_any {
            self.comparison(&mut lines);
        }
        if self.prints_any {
            let cases = std::mem::take(&mut self.print_cases);
            lines.push(self.line("fn dyn_print(x: Any) {"));
            if !cases.is_empty() {
                lines.push(self.line("match x {"));
                lines.extend(cases);
                lines.push(self.line("else { }"));
                lines.push(self.line("}"));
            }
            lines.push(self.line("}"));
        }
        for (ty, kin) in self.asked.clone() {
            lines.push(self.line(format!("fn {kin}(x: Any): bool {{")));
            lines.push(self.line("match x {"));
            for (of, case) in self.any_cases.clone() {
                if Fx::new(self, "is").implements(&of, &ty) {
                    lines.push(self.line(format!("{case}(v) {{ return true }}")));
                }
            }
            lines.push(self.line("else { }"));
            lines.push(self.line("}"));
            lines.push(self.line("return false"));
            lines.push(self.line("}"));
        }
        self.routines.extend(lines);
    }

    /// Two strings as one: known, if it is a string that the program mentions.
    fn string_joins(&self, lines: &mut Vec<Line>) {
        let mut push = |text: String| lines.push(Line { text, pos: (0, 0) });
        push("fn dyn_join(a: Str, b: Str): Str {".into());
        push("if a == s_empty { return b }".into());
        push("if b == s_empty { return a }".into());
        let number = |text: &str| self.strings.iter().position(|known| known == text);
        for (whole, text) in self.strings.iter().enumerate() {
            for (split, _) in text.char_indices().skip(1) {
                if let (Some(a), Some(b)) = (number(&text[..split]), number(&text[split..])) {
                    let [a, b, whole] = [a, b, whole].map(|at| string_name(at, &self.strings[at]));
                    push(format!("if a == {a} and b == {b} {{ return {whole} }}"));
                }
            }
        }
        push("return s_other".into());
        push("}".into());
    }

    /// The function that compares what is behind interfaces: structs by their fields, all else as it is.
    fn comparison(&mut self, lines: &mut Vec<Line>) {
        let cases: Vec<(Ty, String)> =
            self.any_cases.iter().filter(|(ty, _)| self.is_object(ty)).cloned().collect();
        let mut fx = Fx::new(self, "same");
        fx.emit("fn dyn_same(a: Any, b: Any): bool {");
        fx.emit("match a {");
        for (ty, case) in cases.iter().filter(|(ty, _)| !matches!(ty, Ty::Lib(_))) {
            fx.emit(format!("{case}(v) {{"));
            fx.emit("match b {");
            fx.emit(format!("{case}(w) {{"));
            fx.attempt(|fx| {
                let same = fx.same("v", "w", ty, (0, 0))?;
                fx.emit(format!("return {same}"));
                Ok(())
            });
            fx.emit("}");
            fx.emit("else { return false }");
            fx.emit("}");
            fx.emit("}");
        }
        fx.emit("else { }");
        fx.emit("}");
        fx.emit("return a == b");
        fx.emit("}");
        lines.append(&mut fx.lines);
    }

    fn chooser(&mut self, kin: &str, of: &str, sig: &Sig, cases: Vec<Line>, lines: &mut Vec<Line>) {
        let mut params = vec![format!("x: {of}")];
        for (at, ty) in sig.params.iter().enumerate() {
            params.push(format!("p{at}: {}", self.kin(ty)));
        }
        let result = match &sig.results[..] {
            _ if self.unwinds => {
                params.extend(["handed: Unwind".to_owned(), "caught: bool".to_owned()]);
                format!(": {}", self.outcome(&sig.results))
            }
            [] => String::new(),
            [one] => format!(": {}", self.kin(one)),
            many => format!(": {}", self.tuple(many)),
        };
        lines.push(self.line(format!("fn {kin}({}){result} {{", params.join(", "))));
        if !cases.is_empty() {
            lines.push(self.line("match x {"));
            lines.extend(cases);
            lines.push(self.line("else { }"));
            lines.push(self.line("}"));
        }
        if self.unwinds {
            // There is no function to call.
            let mut fx = Fx::new(self, "nil");
            fx.temps = 1000;
            fx.results = sig.results.clone();
            let error = fx.runtime_error();
            fx.raise(&error);
            lines.append(&mut fx.lines);
        } else {
            lines.push(self.line("assert false"));
        }
        if !sig.results.is_empty() && !self.unwinds {
            let mut fx = Fx::new(self, "zero");
            fx.temps = 1000;
            fx.results = sig.results.clone();
            fx.attempt(|fx| {
                let mut codes = Vec::new();
                for ty in &sig.results {
                    codes.push(fx.zero(ty)?);
                }
                fx.emit_return(codes);
                Ok(())
            });
            lines.append(&mut fx.lines);
        }
        lines.push(self.line("}"));
    }

    /// The function that gives the variables of the package their first values.
    pub(crate) fn initial(&mut self, inits: &[Rc<FuncDecl>]) {
        let mut done: HashSet<usize> = HashSet::new();
        let mut body: Vec<Line> = Vec::new();
        let mut temps = 0;
        loop {
            let next = self.used_globals.iter().copied().find(|index| !done.contains(index));
            let Some(index) = next else { break };
            let mut order = Vec::new();
            self.in_order(index, &mut done, &mut order);
            for index in order {
                let decl = self.globals[index].decl.clone();
                let first = decl.names.first().map(|name| name.name.clone());
                let is_first = first.as_deref() == Some(self.globals[index].name.as_str());
                let rest = self.text.get(decl.pos as usize..).unwrap_or_default();
                let end = decl.pos + rest.lines().next().map_or(1, |line| line.len() as u32);
                let mut fx = Fx::new(self, "init");
                fx.is_top = true;
                fx.temps = temps;
                fx.at = (decl.pos, end);
                let at = fx.at;
                fx.attempt(|fx| {
                    let ty = fx.global(index, at)?;
                    if decl.values.is_empty() {
                        if fx.w.is_object(&ty) || fx.w.is_boxed_global(index) {
                            let zero = fx.zero(&ty)?;
                            fx.first_value(index, &ty, &zero);
                        }
                        return Ok(());
                    }
                    if decl.values.len() == decl.names.len() {
                        let slot = decl
                            .names
                            .iter()
                            .position(|n| n.name == fx.w.globals[index].name)
                            .unwrap_or(0);
                        let val = fx.expr_as(&decl.values[slot], &ty)?;
                        fx.first_value(index, &ty, &val.code);
                    } else if is_first {
                        let val = fx.expr(&decl.values[0], None)?;
                        for (slot, name) in decl.names.iter().enumerate() {
                            if let Some(crate::world::Item::Var(other)) =
                                fx.w.items.get(&name.name).cloned()
                            {
                                let ty = fx.global(other, at)?;
                                fx.first_value(other, &ty, &format!("{}.r{slot}", val.code));
                            }
                        }
                    }
                    Ok(())
                });
                temps = fx.temps;
                body.append(&mut fx.lines);
            }
            self.complete();
        }
        for decl in inits {
            let mut fx = Fx::new(self, "init");
            fx.is_top = true;
            fx.temps = temps;
            let at = (decl.name.pos, decl.name.pos + 4);
            fx.at = at;
            let decl = decl.clone();
            fx.attempt(|fx| {
                let (kin, _) = fx.wanted_init(&decl, at)?;
                fx.called(&kin, Vec::new(), &[], "");
                Ok(())
            });
            temps = fx.temps;
            body.append(&mut fx.lines);
            self.complete();
        }
        self.complete();
        let left = self.used_globals.iter().any(|index| !done.contains(index));
        if left {
            // What the last functions have used.
            return self.initial(inits);
        }
        let mut lines = vec![self.line("fn initialise() {")];
        lines.extend(body);
        lines.push(self.line("}"));
        self.routines.extend(lines);
    }

    /// A variable after those that its first value mentions.
    fn in_order(&mut self, index: usize, done: &mut HashSet<usize>, order: &mut Vec<usize>) {
        if !done.insert(index) {
            return;
        }
        let decl = self.globals[index].decl.clone();
        let mut names = Vec::new();
        decl.values.iter().for_each(|value| mentioned(value, &mut names));
        for name in names {
            if let Some(crate::world::Item::Var(other)) = self.items.get(&name).cloned()
                && self.used_globals.contains(&other)
            {
                self.in_order(other, done, order);
            }
        }
        order.push(index);
    }

    /// All of it.
    pub(crate) fn assembled(&mut self, model: &str) -> Vec<Line> {
        let mut lines = Vec::new();
        let variants = self.variants();
        let mut push = |text: String| lines.push(Line { text, pos: (0, 0) });
        push(format!("model {model}"));
        push(String::new());
        push("const big = 1000000000".into());
        push(format!("const room = {}", self.room));
        push(String::new());
        let mut strings: Vec<String> =
            self.strings.iter().enumerate().map(|(at, text)| string_name(at, text)).collect();
        strings.push("s_other".into());
        push(format!("enum Str {{ {} }}", strings.join(", ")));
        let mut cases = vec!["any_nil".to_owned()];
        for (ty, case) in self.any_cases.clone() {
            let of = if matches!(self.under(&ty), Ty::Func(_)) {
                self.object(&ty)
            } else {
                self.kin(&ty)
            };
            cases.push(format!("{case}(v: {of})"));
        }
        push(format!("enum Any {{ {} }}", cases.join(", ")));
        for (at, of) in self.fn_types.iter().enumerate() {
            let mut cases = vec![format!("fn{at}_nil")];
            for case in &of.cases {
                let captured: Vec<String> =
                    case.captured.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
                cases.push(match captured.is_empty() {
                    true => case.name.clone(),
                    false => format!("{}({})", case.name, captured.join(", ")),
                });
            }
            push(format!("enum Fn{at} {{ {} }}", cases.join(", ")));
        }
        if self.unwinds {
            push(crate::unwind::UNWIND.into());
        }
        push(String::new());
        let used: Vec<&str> = self.lib_used.iter().copied().collect();
        let of_channels = ["Context", "ErrGroup", "AfterFunc"];
        if of_channels.iter().any(|name| used.contains(name)) {
            // They refer to channels that say that something is over, also where nobody makes one.
            self.kin(&crate::lib_calls::signal());
        }
        let pair = self.tuple(&[Ty::any(), Ty::Bool]);
        let maker = self
            .fn_types
            .iter()
            .position(|of| of.sig == Sig { results: vec![Ty::any()], ..Sig::default() });
        for (_, text) in self.declared.clone() {
            for text in text {
                push(text);
            }
            push(String::new());
        }
        for (name, text) in OBJECTS.iter().chain([&("AtomicBool", ATOMIC_BOOL)]) {
            if !used.contains(name) {
                continue;
            }
            let maker = format!("Fn{}", maker.unwrap_or(0));
            let text = text.replace("FNANY", &maker).replace("RESANY", &pair);
            for line in variants.lines(&text) {
                push(line);
            }
            push(String::new());
        }
        if self.over_arms {
            push("shared atomic over: bool = false".into());
        }
        self.testing(&mut push);
        let errors: BTreeSet<&str> =
            crate::lib_errors::ERRORS.iter().map(|(.., kin)| *kin).collect();
        for name in errors {
            if used.contains(&name) {
                push(format!("shared {name}: Error = new Error"));
            }
        }
        for index in self.used_globals.clone() {
            let Some(ty) = self.globals[index].ty.clone() else { continue };
            let (kept, zero) = if self.is_boxed_global(index) {
                (format!("{}?", self.object(&ty)), "none".to_owned())
            } else {
                (self.kept(&ty), self.zero(&ty).unwrap_or_else(|| "none".into()))
            };
            let global = &self.globals[index];
            lines.push(Line {
                text: format!("shared {}: {kept} = {zero}", global.kin),
                pos: (global.decl.pos, global.decl.pos + 1),
            });
        }
        lines.push(Line { text: String::new(), pos: (0, 0) });
        lines.append(&mut self.routines);
        lines
    }
}

impl Fx<'_, '_> {
    /// Gives a variable of the package its first value.
    fn first_value(&mut self, index: usize, ty: &Ty, value: &str) {
        let kin = self.w.globals[index].kin.clone();
        if self.w.is_boxed_global(index) {
            let cell = self.w.object(ty);
            self.emit(format!("{kin} = new {cell}(first: {value})"));
        } else {
            self.emit(format!("{kin} = {value}"));
        }
    }

    /// A function that calls a method of its first parameter.
    pub(crate) fn calling(&mut self, kin: &str, of: &Ty, name: &str, sig: &Sig) -> R<()> {
        let mut params = vec![format!("x: {}", self.w.kin(of))];
        for (at, ty) in sig.params.iter().enumerate() {
            params.push(format!("p{at}: {}", self.w.kin(ty)));
        }
        let result = match &sig.results[..] {
            _ if self.w.unwinds => {
                params.extend(["handed: Unwind".to_owned(), "caught: bool".to_owned()]);
                format!(": {}", self.w.outcome(&sig.results))
            }
            [] => String::new(),
            [one] => format!(": {}", self.w.kin(one)),
            many => format!(": {}", self.w.tuple(many)),
        };
        self.emit(format!("fn {kin}({}){result} {{", params.join(", ")));
        let at = self.at;
        self.results = sig.results.clone();
        let callee = self.method_of(Val::new("x", of.clone()), name, at)?;
        self.forwarded(callee, sig)?;
        self.emit("}");
        Ok(())
    }

    /// Calls a method with the parameters of a chooser and returns what it returns.
    fn forwarded(&mut self, callee: Callee, sig: &Sig) -> R<()> {
        let args: Vec<Val> = sig
            .params
            .iter()
            .enumerate()
            .map(|(at, ty)| Val::new(format!("p{at}"), ty.clone()))
            .collect();
        if self.w.unwinds {
            self.results = sig.results.clone();
            if let Some((kin, mut args, _)) = self.direct(&callee, &args, (0, 0))? {
                args.extend(["handed".to_owned(), "caught".to_owned()]);
                self.emit(format!("return {kin}({})", args.join(", ")));
                return Ok(());
            }
            let val = self.invoke(callee, args, (0, 0))?;
            let out = self.w.outcome(&sig.results);
            let value = if sig.results.is_empty() {
                String::new()
            } else {
                format!("v: {}, ", self.settled(val).code)
            };
            self.emit(format!("return {out}({value}u: {}, taken: false)", crate::unwind::CALM));
            return Ok(());
        }
        let val = self.invoke(callee, args, (0, 0))?;
        if sig.results.is_empty() {
            self.emit("return");
        } else {
            self.emit(format!("return {}", val.code));
        }
        Ok(())
    }
}

/// The names in an expression.
fn mentioned(expr: &Expr, names: &mut Vec<String>) {
    use ExprKind::*;
    match &*expr.kind {
        Name(name) => names.push(name.clone()),
        Composite(_, elements) => {
            elements.iter().for_each(|element| mentioned(&element.value, names))
        }
        Paren(a) | Star(a) | Unary(_, a) | Assert(a, _) | Select(a, _) => mentioned(a, names),
        Index(a, rest) => {
            mentioned(a, names);
            rest.iter().for_each(|one| mentioned(one, names));
        }
        Call { callee, args, .. } => {
            mentioned(callee, names);
            args.iter().for_each(|arg| mentioned(arg, names));
        }
        Binary(_, a, b) => {
            mentioned(a, names);
            mentioned(b, names);
        }
        _ => {}
    }
}
