//! Functions and variables of the packages of the standard library.

use std::rc::Rc;

use crate::fx::{Fx, Val};
use crate::lib_calls::nothing;
use crate::syntax::*;
use crate::types::{Int, Konst, Lib, Sig, Ty};
use crate::world::{R, refuse_as};

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
        if let Some(kin) = crate::lib_errors::error_of(path, name) {
            return Ok(Val::new(self.context_error(kin), Ty::error()));
        }
        match (path, name) {
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

    pub(crate) fn unknown<T>(&mut self, path: &str, name: &str, at: (Pos, Pos)) -> R<T> {
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
        let stream = |name: &str| crate::lib_types::lib_type("io", name).unwrap_or_else(Ty::any);
        let (reader, writer) = (|| stream("Reader"), || stream("Writer"));
        let bytes = || Ty::Slice(Ty::Int(Int::Uint8).into());
        if CONTEXT.contains(&path) {
            return Some(match name {
                "WithCancel" | "WithCancelCause" | "WithoutCancel" => sig(vec![context()], vec![]),
                "WithTimeout" => sig(vec![context(), duration], vec![]),
                "WithDeadline" => sig(vec![context(), time], vec![]),
                "WithTimeoutCause" => sig(vec![context(), duration, Ty::error()], vec![]),
                "WithDeadlineCause" => sig(vec![context(), time, Ty::error()], vec![]),
                "Cause" => sig(vec![context()], vec![]),
                "WithValue" => sig(vec![context(), Ty::any(), Ty::any()], vec![]),
                "AfterFunc" => sig(vec![context(), func(vec![], vec![])], vec![]),
                _ => return None,
            });
        }
        Some(match (path, name) {
            ("sync", "NewCond") => sig(vec![Ty::locker()], vec![]),
            ("time", "AfterFunc") => sig(vec![duration, func(vec![], vec![])], vec![]),
            ("golang.org/x/sync/errgroup", "WithContext") => sig(vec![context()], vec![]),
            ("golang.org/x/sync/semaphore", "NewWeighted") => sig(vec![Ty::INT], vec![]),
            ("errors", "Is") => sig(vec![Ty::error(), Ty::error()], vec![]),
            ("errors", "Unwrap") => sig(vec![Ty::error()], vec![]),
            ("math/rand" | "math/rand/v2", _) => sig(vec![crate::lib_chance::limit(name)?], vec![]),
            ("io", "ReadFull") => sig(vec![reader(), bytes()], vec![]),
            ("io", "ReadAll") | ("io/ioutil", "ReadAll") => sig(vec![reader()], vec![]),
            ("io", "Copy") => sig(vec![writer(), reader()], vec![]),
            ("strconv", "Itoa") => sig(vec![Ty::INT], vec![]),
            ("os", "Exit") => sig(vec![Ty::INT], vec![]),
            _ => return None,
        })
    }

    pub(crate) fn package_call(
        &mut self,
        path: &str,
        name: &str,
        args: Vec<Val>,
        at: (Pos, Pos),
    ) -> R<Val> {
        let args = self.read_out(args)?;
        let vague = |fx: &mut Self| {
            fx.w.makes_vague = true;
            Ok(Val::made("s_other", Ty::Str))
        };
        if CONTEXT.contains(&path) {
            return self.context_function(name, args, at);
        }
        match (path, name) {
            ("fmt", "Sprintf" | "Sprint" | "Sprintln") => {
                self.print(&args, at)?;
                vague(self)
            }
            ("fmt", "Errorf") | ("errors" | "github.com/pkg/errors", "New" | "Errorf") => {
                self.print(&args, at)?;
                self.formatted_error(&args, at)
            }
            ("fmt", _) if name.starts_with("Print") || name.starts_with("Fprint") => {
                self.print(&args, at)?;
                Ok(nothing())
            }
            ("log", _) if name.starts_with("Fatal") => self.exit(),
            ("log", _) if name.starts_with("Panic") => {
                let error = self.new_error().code;
                self.raise(&error);
                Ok(nothing())
            }
            ("log", "New" | "Default") => Ok(Val::made("0", Ty::Lib(Lib::Thing).pointer())),
            ("log", _) => {
                self.print(&args, at)?;
                Ok(nothing())
            }
            ("errors", "Is") => self.error_is(&args[0].clone(), &args[1].clone(), at),
            ("errors", "Unwrap") => {
                let error = self.simple(&args[0]);
                Ok(Val::made(self.unwrapped(&error, at)?, Ty::error()))
            }
            ("time", "Sleep") | ("runtime", "Gosched" | "GC" | "KeepAlive") => Ok(nothing()),
            ("runtime", "GOMAXPROCS" | "NumGoroutine" | "NumCPU") => {
                self.given_number("what the runtime counts is any number", at)
            }
            ("runtime", "Goexit") => self.goexit(),
            ("time", "Now") => Ok(Val::of_clock("time.Time")),
            ("time", "Since" | "Until") => Ok(Val::of_clock("time.Duration")),
            ("time", "Unix" | "Date") => Ok(Val::made("0", Ty::Opaque("time.Time"))),
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
            ("strings", "Split" | "SplitN" | "Fields") => self.parts_of_string(at),
            ("strconv", "Atoi" | "ParseInt" | "ParseUint" | "ParseBool" | "ParseFloat") => {
                let (n, of) = match name {
                    "ParseBool" => {
                        let why = "what is read from a string is either";
                        (self.either(why, at), Ty::Bool)
                    }
                    "ParseFloat" => (Val::made("0", Ty::Float), Ty::Float),
                    _ => {
                        let why = "what is read from a string is any number of 0..=3";
                        let of = match name {
                            "ParseInt" => Ty::Int(Int::Int64),
                            "ParseUint" => Ty::Int(Int::Uint64),
                            _ => Ty::INT,
                        };
                        (self.some_number(why, at)?, of)
                    }
                };
                let ok = self.either("what is read from a string may be no number", at);
                let error = self.new_error();
                let ty = Ty::Tuple(vec![of, Ty::error()]);
                let record = self.w.kin(&ty);
                let both = self.temp();
                self.emit(format!(
                    "let {both}: {record} = {record}(r0: {}, r1: if {} then any_nil else {})",
                    n.code, ok.code, error.code
                ));
                Ok(Val::made(both, ty))
            }
            ("strings", "Contains" | "HasPrefix" | "HasSuffix" | "EqualFold" | "ContainsAny") => {
                Ok(self
                    .either("what is in strings is not kept: what asking gives is not known", at))
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
            ("os/signal", "NotifyContext") if !args.is_empty() => {
                let parent = self.fit(args[0].clone(), &Ty::Lib(Lib::Context), at)?;
                self.context_function(name, vec![parent], at)
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
            ("io", "ReadFull" | "ReadAll" | "Copy") | ("io/ioutil", "ReadAll") => {
                self.reading(name, &args, at)
            }
            ("sort", "Slice" | "SliceStable" | "Ints") => self.sorting(name, &args, at),
            ("testing", "Short" | "Verbose") => Ok(Val::made("false", Ty::Bool)),
            ("math", _) => Ok(Val::made("0", Ty::Float)),
            ("reflect", "DeepEqual") => Ok(self.either("what `reflect` says may be either", at)),
            _ => self.unknown(path, name, at),
        }
    }

    /// A channel on which a timer sends: once, or again and again.
    pub(crate) fn timer_channel(&mut self, kind: u8) -> R<Val> {
        let element = Ty::Opaque("time.Time");
        let kin = self.w.channel(&element);
        let temp = self.temp();
        self.emit(format!("let {temp}: {kin}? = new {kin}(capacity: 1, first: {kind})"));
        Ok(Val::made(temp, Ty::Chan(ChanDir::Receive, Rc::new(element))))
    }
}
