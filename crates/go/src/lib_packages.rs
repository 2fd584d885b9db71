//! Functions and variables of the packages of the standard library.

use std::rc::Rc;

use crate::fx::{Fx, Val};
use crate::lib_calls::{nothing, signal};
use crate::syntax::*;
use crate::types::{Int, Konst, Lib, Sig, Ty};
use crate::world::{R, refuse, refuse_as};

fn sig(params: Vec<Ty>, results: Vec<Ty>) -> Sig {
    Sig { params, results, variadic: false }
}

const CONTEXT: [&str; 2] = ["context", "golang.org/x/net/context"];

impl Fx<'_, '_> {
    /// A variable or constant of a package.
    pub(crate) fn package_value(&mut self, path: &str, name: &str, at: (Pos, Pos)) -> R<Val> {
        if let Some((konst, ty)) = self.library_constant(path, name) {
            return self.konst(konst, ty, at);
        }
        match (path, name) {
            ("context" | "golang.org/x/net/context", "Canceled") => {
                Ok(Val::new(self.context_error("context_canceled"), Ty::error()))
            }
            ("context" | "golang.org/x/net/context", "DeadlineExceeded") => {
                Ok(Val::new(self.context_error("context_expired"), Ty::error()))
            }
            ("io", "EOF" | "ErrUnexpectedEOF" | "ErrClosedPipe") => {
                Ok(Val::new(self.context_error("io_eof"), Ty::error()))
            }
            ("os", "Stdout" | "Stderr" | "Stdin") | ("io/ioutil" | "io", "Discard") => {
                Ok(Val::made("0", Ty::Lib(Lib::Thing)))
            }
            ("os", "Args") => {
                let array = Ty::Slice(Rc::new(Ty::Str));
                Ok(Val::made("none", array))
            }
            _ => {
                if let Some(sig) = self.package_function(path, name) {
                    let fn_type = self.w.fn_type(&sig);
                    let kin = format!("lib_{name}");
                    let kin = self.library_function(path, name, &kin, &sig, at)?;
                    let case = self.fn_case(
                        fn_type,
                        format!("fn{fn_type}_{kin}"),
                        Vec::new(),
                        crate::world::FnTarget::Function(kin),
                    );
                    return Ok(Val::made(case, Ty::Func(Rc::new(sig))));
                }
                self.unknown(path, name, at)
            }
        }
    }

    fn unknown<T>(&mut self, path: &str, name: &str, at: (Pos, Pos)) -> R<T> {
        let last = path.rsplit('/').next().unwrap_or(path);
        refuse_as(
            "G0402",
            at,
            format!("`{last}.{name}` of package `{path}` is not known"),
            "write a function of your own that does what matters of it",
        )
    }

    /// Functions of packages that are used as values.
    fn package_function(&mut self, path: &str, name: &str) -> Option<Sig> {
        Some(match (path, name) {
            ("time", "Now") => sig(vec![], vec![Ty::Opaque("time.Time")]),
            ("time", "Sleep") => sig(vec![Ty::Opaque("time.Duration")], vec![]),
            ("runtime", "Gosched" | "GC") => sig(vec![], vec![]),
            _ => return None,
        })
    }

    fn library_function(
        &mut self,
        path: &str,
        name: &str,
        kin: &str,
        of: &Sig,
        at: (Pos, Pos),
    ) -> R<String> {
        let key = format!("lib {path} {name}");
        if let Some(kin) = self.w.instances.get(&key) {
            return Ok(kin.clone());
        }
        let kin = self.w.fresh(kin);
        self.w.instances.insert(key, kin.clone());
        self.w.shown.insert(kin.clone(), format!("{path}.{name}"));
        let params: Vec<String> = of
            .params
            .iter()
            .enumerate()
            .map(|(at, ty)| format!("p{at}: {}", self.w.kin(ty)))
            .collect();
        let mut params = params;
        let result = if self.w.unwinds {
            params.extend(["handed: Unwind".to_owned(), "caught: bool".to_owned()]);
            format!(": {}", self.w.outcome(&of.results))
        } else {
            of.results.first().map(|ty| format!(": {}", self.w.kin(ty))).unwrap_or_default()
        };
        let mut fx = Fx::new(self.w, name);
        fx.at = at;
        fx.emit(format!("fn {kin}({}){result} {{", params.join(", ")));
        let args = of
            .params
            .iter()
            .enumerate()
            .map(|(at, ty)| Val::new(format!("p{at}"), ty.clone()))
            .collect();
        fx.results = of.results.clone();
        let val = fx.package_call(path, name, args, at)?;
        let codes = if of.results.is_empty() { Vec::new() } else { vec![val.code] };
        if !codes.is_empty() || fx.w.unwinds {
            fx.emit_return(codes);
        }
        fx.emit("}");
        let lines = std::mem::take(&mut fx.lines);
        fx.w.routines.extend(lines);
        Ok(kin)
    }

    /// What a function of a package takes, where its arguments have types of their own.
    pub(crate) fn package_wants(&mut self, path: &str, name: &str) -> Option<Sig> {
        let context = || Ty::Lib(Lib::Context);
        let func = |params: Vec<Ty>, results: Vec<Ty>| Ty::Func(Rc::new(sig(params, results)));
        let (duration, time) = (Ty::Opaque("time.Duration"), Ty::Opaque("time.Time"));
        if CONTEXT.contains(&path) {
            return Some(match name {
                "WithCancel" | "WithCancelCause" | "WithoutCancel" => sig(vec![context()], vec![]),
                "WithTimeout" => sig(vec![context(), duration], vec![]),
                "WithDeadline" => sig(vec![context(), time], vec![]),
                "WithValue" => sig(vec![context(), Ty::any(), Ty::any()], vec![]),
                "AfterFunc" => sig(vec![context(), func(vec![], vec![])], vec![]),
                _ => return None,
            });
        }
        Some(match (path, name) {
            ("sync", "NewCond") => sig(vec![Ty::locker()], vec![]),
            ("sync", "OnceFunc") => sig(vec![func(vec![], vec![])], vec![]),
            ("time", "AfterFunc") => sig(vec![duration, func(vec![], vec![])], vec![]),
            ("golang.org/x/sync/errgroup", "WithContext") => sig(vec![context()], vec![]),
            ("golang.org/x/sync/semaphore", "NewWeighted") => sig(vec![Ty::INT], vec![]),
            ("errors", "Is" | "As") => sig(vec![Ty::error(), Ty::any()], vec![]),
            ("errors", "Unwrap") => sig(vec![Ty::error()], vec![]),
            ("math/rand", "Intn" | "Int31n" | "Int63n" | "Perm" | "N" | "IntN") => {
                sig(vec![Ty::INT], vec![])
            }
            ("strconv", "Itoa") => sig(vec![Ty::INT], vec![]),
            ("os", "Exit") => sig(vec![Ty::INT], vec![]),
            _ => return None,
        })
    }

    /// Calls whose arguments are looked at as they are written: operations on atomic variables.
    pub(crate) fn special_call(
        &mut self,
        path: &str,
        name: &str,
        args: &[Expr],
        at: (Pos, Pos),
    ) -> R<Option<Val>> {
        if path == "sync/atomic" && !args.is_empty() {
            return self.atomic(name, args, at).map(Some);
        }
        if path == "math/rand" || path == "math/rand/v2" {
            return Ok(None);
        }
        if path == "unsafe" {
            for arg in args {
                self.expr(arg, None)?;
            }
            return Ok(Some(Val::made("0", Ty::Opaque("unsafe.Pointer"))));
        }
        Ok(None)
    }

    /// `atomic.AddInt32(&x, 1)` and the like.
    fn atomic(&mut self, name: &str, args: &[Expr], at: (Pos, Pos)) -> R<Val> {
        // `(*uint32)(&x)`, as for types with other names.
        let first = match &*args[0].bare().kind {
            ExprKind::Call { callee, args: inner, .. }
                if inner.len() == 1 && matches!(&*callee.bare().kind, ExprKind::Star(_)) =>
            {
                &inner[0]
            }
            _ => &args[0],
        };
        let target = match &*first.bare().kind {
            ExprKind::Unary("&", inner) => {
                let place = self.place(inner)?;
                let ty = self.place_ty(&place).unwrap_or(Ty::INT);
                let crate::expr::Place::Code(code, _) = place else {
                    return refuse(
                        at,
                        "this atomic variable is not understood",
                        "use a variable or a field",
                    );
                };
                Val::new(code, ty)
            }
            _ => {
                let pointer = self.expr(first, None)?;
                let Ty::Pointer(to) = self.w.under(&pointer.ty) else {
                    return refuse_as("G0301", at, "this is no pointer", "write `&`");
                };
                let base = self.simple(&pointer);
                Val::new(format!("{base}!.v"), (*to).clone())
            }
        };
        let code = self.stable(&target.code);
        let ty = target.ty.clone();
        let kin = self.w.kin(&ty);
        let mut values = Vec::new();
        for arg in &args[1..] {
            let val = self.expr(arg, Some(&ty))?;
            // The type may have another name.
            let val = if matches!(val.ty, Ty::Untyped | Ty::Nil) || self.w.is_interface(&ty) {
                self.fit(val, &ty, at)?
            } else {
                Val { ty: ty.clone(), ..val }
            };
            values.push(if val.konst.is_some() { val.code } else { self.keep(&val) });
        }
        let zero = self.w.zero(&ty).unwrap_or_else(|| "none".into());
        let is = |prefix: &str| name.starts_with(prefix);
        match values.len() {
            0 if is("Load") => {
                let temp = self.keep_as(&zero, &kin);
                self.emit(format!("atomic {{ {temp} = {code} }}"));
                Ok(Val::made(temp, ty))
            }
            1 if is("Store") => {
                self.emit(format!("atomic {{ {code} = {} }}", values[0]));
                Ok(nothing())
            }
            1 if is("Add") => {
                let temp = self.keep_as(&zero, &kin);
                self.emit(format!("atomic {{ {code} = {code} + {}  {temp} = {code} }}", values[0]));
                Ok(Val::made(temp, ty))
            }
            1 if is("Swap") => {
                let temp = self.keep_as(&zero, &kin);
                self.emit(format!("atomic {{ {temp} = {code}  {code} = {} }}", values[0]));
                Ok(Val::made(temp, ty))
            }
            2 if is("CompareAndSwap") => {
                let temp = self.keep_as("false", "bool");
                let (old, new) = (&values[0], &values[1]);
                self.emit(format!(
                    "atomic {{ if {code} == {old} {{ {code} = {new}  {temp} = true }} }}"
                ));
                Ok(Val::made(temp, Ty::Bool))
            }
            _ => self.unknown("sync/atomic", name, at),
        }
    }

    /// An expression whose way to the variable is evaluated before, and not in the atomic step.
    fn stable(&mut self, code: &str) -> String {
        code.to_owned()
    }

    /// A number that may be any.
    pub(crate) fn random(&mut self, name: &str, args: &[Val], at: (Pos, Pos)) -> R<Val> {
        match name {
            "Intn" | "Int31n" | "Int63n" | "N" | "IntN" => {
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
                        self.emit(format!("choose {temp} in 0..=7 where {temp} < {most}"));
                    }
                }
                let wide = self.keep_as(&temp, "-big..=big");
                Ok(Val::made(wide, Ty::INT))
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

    /// What is printed: methods that make a string of it are called.
    pub(crate) fn printed(&mut self, val: &Val, at: (Pos, Pos)) -> R<()> {
        if matches!(val.ty, Ty::Lib(_) | Ty::Nil | Ty::Untyped) {
            return Ok(());
        }
        if self.w.is_interface(&val.ty) {
            self.w.prints_any = true;
            self.emit(format!("dyn_print({})", val.code));
            return Ok(());
        }
        for name in ["Error", "String"] {
            let is_own = matches!(
                self.member(&val.ty, name).map(|member| member.kind),
                Some(crate::member::MemberKind::Method(_, decl)) if decl.of.params.is_empty()
            );
            if is_own && self.implements(&val.ty, &stringer(name)) {
                let callee = self.method_of(val.clone(), name, at)?;
                self.invoke(callee, Vec::new(), at)?;
                return Ok(());
            }
        }
        Ok(())
    }

    /// A new error that is like no other.
    fn new_error(&mut self) -> Val {
        self.w.lib_used.insert("Error");
        let temp = self.temp();
        self.emit(format!("let {temp}: Error? = new Error"));
        let case = self.any_case(&Ty::Lib(Lib::Error));
        Val::made(format!("{case}({temp})"), Ty::error())
    }

    /// An error of the library that is always the same.
    pub(crate) fn context_error(&mut self, name: &'static str) -> String {
        self.w.lib_used.insert("Error");
        self.w.lib_used.insert(name);
        let case = self.any_case(&Ty::Lib(Lib::Error));
        format!("{case}({name})")
    }

    pub(crate) fn package_call(
        &mut self,
        path: &str,
        name: &str,
        args: Vec<Val>,
        at: (Pos, Pos),
    ) -> R<Val> {
        let vague = |fx: &mut Self| {
            fx.w.makes_vague = true;
            Ok(Val::made("s_other", Ty::Str))
        };
        if CONTEXT.contains(&path) {
            return self.context_function(name, args, at);
        }
        match (path, name) {
            ("fmt", "Sprintf" | "Sprint" | "Sprintln") => {
                for arg in &args {
                    self.printed(arg, at)?;
                }
                vague(self)
            }
            ("fmt", "Errorf") | ("errors", "New") => {
                for arg in &args {
                    self.printed(arg, at)?;
                }
                Ok(self.new_error())
            }
            ("fmt", _) if name.starts_with("Print") || name.starts_with("Fprint") => {
                for arg in &args {
                    self.printed(arg, at)?;
                }
                Ok(nothing())
            }
            ("log", _) if name.starts_with("Fatal") => self.exit(),
            ("log", _) if name.starts_with("Panic") => {
                let error = self.new_error().code;
                self.raise(&error);
                Ok(nothing())
            }
            ("log", "New") => Ok(Val::made("0", Ty::Lib(Lib::Thing).pointer())),
            ("log", _) => {
                for arg in &args {
                    self.printed(arg, at)?;
                }
                Ok(nothing())
            }
            ("errors", "Is") => {
                let (a, b) = (args[0].clone(), args[1].clone());
                self.equality("==", a, b, at)
            }
            ("errors", "Unwrap") => Ok(Val::made("any_nil", Ty::error())),
            ("time", "Sleep") | ("runtime", "Gosched" | "GC" | "KeepAlive") => Ok(nothing()),
            ("runtime", "GOMAXPROCS" | "NumGoroutine" | "NumCPU") => {
                self.some_number("what the runtime counts is any number", at)
            }
            ("runtime", "Goexit") => self.goexit(),
            ("time", "Now") | ("time", "Unix" | "Date") => {
                Ok(Val::made("0", Ty::Opaque("time.Time")))
            }
            ("time", "Since" | "Until") => Ok(Val::made("0", Ty::Opaque("time.Duration"))),
            ("time", "Duration") => Ok(Val::made("0", Ty::Opaque("time.Duration"))),
            ("time", "After" | "Tick") => self.timer_channel(if name == "After" { 1 } else { 2 }),
            ("time", "NewTimer" | "NewTicker") => {
                let (kind, lib) =
                    if name == "NewTimer" { (1, Lib::Timer) } else { (2, Lib::Ticker) };
                let channel = self.timer_channel(kind)?;
                self.w.lib_used.insert("Timer");
                let temp = self.temp();
                self.emit(format!(
                    "let {temp}: Timer = new Timer(channel_: {}!, kind_: {kind})",
                    channel.code
                ));
                Ok(Val::made(temp, Ty::Lib(lib).pointer()))
            }
            ("time", "AfterFunc") => {
                let channel = self.timer_channel(1)?;
                self.w.lib_used.insert("Timer");
                let temp = self.temp();
                self.emit(format!(
                    "let {temp}: Timer = new Timer(channel_: {}!, kind_: 1)",
                    channel.code
                ));
                let f = self.w.kin(&args[1].ty);
                let given = vec![
                    (format!("{}!", channel.code), "chan_opaque".to_owned()),
                    (args[1].code.clone(), f),
                ];
                self.started("go_timer", given, |fx, names| {
                    fx.emit(format!("idle {}.receive()", names[0]));
                    let fn_type = fx.w.fn_type(&Sig::default());
                    fx.called(&format!("call_{fn_type}"), vec![names[1].clone()], &[], "");
                    Ok(())
                })?;
                Ok(Val::made(temp, Ty::Lib(Lib::Timer).pointer()))
            }
            ("sync", "NewCond") => {
                self.w.lib_used.insert("Cond");
                let temp = self.temp();
                self.emit(format!("let {temp}: Cond = new Cond(locker: {})", args[0].code));
                Ok(Val::made(temp, Ty::Lib(Lib::Cond).pointer()))
            }
            ("math/rand" | "math/rand/v2", _) => self.random(name, &args, at),
            ("os", "Exit") => self.exit(),
            ("os", "Getenv")
            | (
                "strings",
                "Join" | "Repeat" | "ToLower" | "ToUpper" | "TrimSpace" | "Replace" | "Trim"
                | "TrimPrefix" | "TrimSuffix" | "ReplaceAll" | "Title",
            )
            | ("strconv", "Itoa" | "FormatInt" | "Quote" | "FormatBool")
            | ("path", "Join")
            | ("path/filepath", "Join") => vague(self),
            ("strconv", "Atoi") => {
                let n =
                    self.some_number("what is read from a string is any number of 0..=3", at)?;
                let ok = self.either("what is read from a string may be no number", at);
                let error = self.new_error();
                let ty = Ty::Tuple(vec![Ty::INT, Ty::error()]);
                let record = self.w.kin(&ty);
                let both = self.temp();
                self.emit(format!(
                    "let {both}: {record} = {record}(r0: {}, r1: if {} then any_nil else {})",
                    n.code, ok.code, error.code
                ));
                Ok(Val::made(both, ty))
            }
            ("strings", "Contains" | "HasPrefix" | "HasSuffix" | "EqualFold" | "ContainsAny") => {
                Ok(self.either("what is in strings is not kept: asking gives either answer", at))
            }
            ("strings" | "bytes", "Index" | "Count" | "LastIndex") => {
                self.some_number("what is in strings is not kept", at)
            }
            ("os/signal", "Notify") => {
                // A signal may come at any time, as long as somebody can take it.
                let given = vec![(args[0].code.clone(), self.w.kin(&args[0].ty))];
                self.started("go_signal", given, |fx, names| {
                    fx.w.string("SIGINT");
                    let signal = fx.konst(Konst::Str("SIGINT".into()), Ty::Str, at)?;
                    let any = fx.as_interface(signal, &Ty::any(), at)?;
                    fx.emit(format!(
                        "idle select {{ {}.send({}) when {} != none {{ }} }}",
                        names[0], any.code, names[0]
                    ));
                    Ok(())
                })
            }
            ("os/signal", _) => Ok(nothing()),
            ("golang.org/x/sync/errgroup", "WithContext") => {
                let pair = self.context_function("WithCancel", args, at)?;
                self.w.lib_used.insert("ErrGroup");
                let temp = self.temp();
                self.emit(format!(
                    "let {temp}: ErrGroup? = new ErrGroup(signal: {}.r0!.done)",
                    pair.code
                ));
                let ty = Ty::Tuple(vec![Ty::Lib(Lib::ErrGroup).pointer(), Ty::Lib(Lib::Context)]);
                let record = self.w.kin(&ty);
                let both = self.temp();
                self.emit(format!(
                    "let {both}: {record} = {record}(r0: {temp}, r1: {}.r0)",
                    pair.code
                ));
                Ok(Val::made(both, ty))
            }
            ("golang.org/x/sync/semaphore", "NewWeighted") => {
                self.w.lib_used.insert("Semaphore");
                let temp = self.temp();
                self.emit(format!("let {temp}: Semaphore = new Semaphore(size: {})", args[0].code));
                Ok(Val::made(temp, Ty::Lib(Lib::Semaphore).pointer()))
            }
            ("testing", "Short" | "Verbose") => Ok(Val::made("false", Ty::Bool)),
            ("math", _) => Ok(Val::made("0", Ty::Float)),
            ("reflect", "DeepEqual") => Ok(self.either("what `reflect` says may be either", at)),
            _ => self.unknown(path, name, at),
        }
    }

    /// A channel on which a timer sends: once, or again and again.
    fn timer_channel(&mut self, kind: u8) -> R<Val> {
        let element = Ty::Opaque("time.Time");
        let kin = self.w.channel(&element);
        let temp = self.temp();
        self.emit(format!("let {temp}: {kin}? = new {kin}(capacity: 1, first: {kind})"));
        Ok(Val::made(temp, Ty::Chan(ChanDir::Receive, Rc::new(element))))
    }

    /// Functions of package `context`.
    fn context_function(&mut self, name: &str, args: Vec<Val>, at: (Pos, Pos)) -> R<Val> {
        let context = Ty::Lib(Lib::Context);
        self.w.kin(&context);
        self.w.channel(&Ty::unit());
        match name {
            "Background" | "TODO" | "WithoutCancel" => {
                let temp = self.temp();
                self.emit(format!("let {temp}: Context? = new Context"));
                Ok(Val::made(temp, context))
            }
            "WithCancel" | "WithTimeout" | "WithDeadline" | "WithCancelCause" => {
                let parent = self.simple(&args[0]);
                let late = if name.starts_with("WithCancel") { "false" } else { "true" };
                let above = self.keep_as(
                    &format!("if {parent} == none then none else {parent}!.done"),
                    "chan_unit?",
                );
                let (done, made) = (self.temp(), self.temp());
                self.emit(format!("let {done}: chan_unit = new chan_unit(capacity: 0, above: {above}, late: {late})"));
                self.emit(format!(
                    "let {made}: Context? = new Context(above: {parent}, signal: {done})"
                ));
                let cancel = Sig::default();
                let fn_type = self.w.fn_type(&cancel);
                let case = self.fn_case(
                    fn_type,
                    format!("fn{fn_type}_cancel"),
                    vec![("of".into(), "Context?".into())],
                    crate::world::FnTarget::Method(context.clone(), "cancel".into()),
                );
                let ty = Ty::Tuple(vec![context, Ty::Func(Rc::new(cancel))]);
                let record = self.w.kin(&ty);
                let both = self.temp();
                self.emit(format!(
                    "let {both}: {record} = {record}(r0: {made}, r1: {case}({made}))"
                ));
                Ok(Val::made(both, ty))
            }
            "WithValue" => {
                let parent = self.simple(&args[0]);
                let made = self.temp();
                let above = self.keep_as(
                    &format!("if {parent} == none then none else {parent}!.done"),
                    "chan_unit?",
                );
                self.emit(format!(
                    "let {made}: Context? = new Context(above: {parent}, signal: {above}, key_: {}, value_: {})",
                    args[1].code, args[2].code
                ));
                Ok(Val::made(made, context))
            }
            _ => self.unknown("context", name, at),
        }
    }

    /// Methods of contexts.
    pub(crate) fn context_call(
        &mut self,
        base: &Val,
        name: &str,
        args: Vec<Val>,
        at: (Pos, Pos),
    ) -> R<Val> {
        let ctx = self.simple(&Val::new(base.code.clone(), Ty::Lib(Lib::Context)));
        match name {
            "Done" => Ok(Val::new(self.keep_as(&format!("{ctx}!.done"), "chan_unit?"), signal())),
            "cancel" => {
                let done = self.keep_as(&format!("{ctx}!.done"), "chan_unit?");
                self.emit(format!("{done}.finish()"));
                Ok(nothing())
            }
            "Err" => {
                let done = self.keep_as(&format!("{ctx}!.done"), "chan_unit?");
                let error = self.keep_as("any_nil", "Any");
                let (canceled, expired) =
                    (self.context_error("context_canceled"), self.context_error("context_expired"));
                self.emit(format!("if {done} != none {{"));
                let (fire, over, late) = (self.temp(), self.temp(), self.temp());
                self.emit(format!("choose {fire} in bool"));
                self.emit(format!("let {over}: bool = {done}.is_over({fire})"));
                self.emit(format!("if {over} {{"));
                self.emit(format!("let {late}: bool = {done}.has_expired()"));
                self.emit(format!("{error} = if {late} then {expired} else {canceled}"));
                self.emit("}");
                self.emit("}");
                Ok(Val::made(error, Ty::error()))
            }
            "Value" => {
                let found = self.temp();
                self.emit(format!("let {found}: Any = {ctx}.find({})", args[0].code));
                Ok(Val::made(found, Ty::any()))
            }
            "Deadline" => {
                let ok = self.either(
                    "whether a context has a deadline is not kept: asking gives either answer",
                    at,
                );
                let ty = Ty::Tuple(vec![Ty::Opaque("time.Time"), Ty::Bool]);
                let record = self.w.kin(&ty);
                let both = self.temp();
                self.emit(format!("let {both}: {record} = {record}(r0: 0, r1: {})", ok.code));
                Ok(Val::made(both, ty))
            }
            _ => self.unknown("context", name, at),
        }
    }
}

/// An interface with one method that gives a string.
fn stringer(name: &str) -> Ty {
    let sig = Sig { results: vec![Ty::Str], ..Sig::default() };
    Ty::Interface(vec![(name.to_owned(), sig)].into())
}
