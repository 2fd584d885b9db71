//! Methods and fields of types of the library.

use std::rc::Rc;

use crate::fx::{Fx, Val};
use crate::syntax::*;
use crate::types::{Lib, Sig, Ty};
use crate::world::{R, refuse, refuse_as};

/// Nothing.
pub(crate) fn nothing() -> Val {
    Val::made("", Ty::Tuple(Vec::new()))
}

fn sig(params: Vec<Ty>, results: Vec<Ty>) -> Sig {
    Sig { params, results, variadic: false }
}

/// The library type of a value or a pointer to one.
pub(crate) fn lib_of(fx: &Fx<'_, '_>, ty: &Ty) -> Option<Lib> {
    match fx.w.under(ty) {
        Ty::Lib(lib) => Some(lib),
        Ty::Pointer(to) => match fx.w.under(&to) {
            Ty::Lib(lib) => Some(lib),
            _ => None,
        },
        _ => None,
    }
}

impl Fx<'_, '_> {
    /// Makes a new object of the library.
    pub(crate) fn zero_lib(&mut self, lib: Lib) -> R<String> {
        Ok(match lib {
            Lib::Cond => "new Cond(locker: any_nil)".into(),
            Lib::Pool => {
                let maker = self.pool_maker();
                format!("new Pool(maker: fn{maker}_nil)")
            }
            Lib::Timer | Lib::Ticker => {
                return refuse(
                    self.at,
                    "a timer is made without `time.NewTimer`",
                    "use `time.NewTimer`",
                );
            }
            Lib::Semaphore => "new Semaphore(size: 0)".into(),
            _ => match lib.object() {
                Some(object) => {
                    self.w.lib_used.insert(object);
                    format!("new {object}")
                }
                None => "0".into(),
            },
        })
    }

    /// A copy of an object of the library, in the state that it is in. Nobody waits at the copy.
    pub(crate) fn copy_lib(&mut self, code: &str, lib: Lib) -> R<String> {
        let kin = self.w.kin(&Ty::Lib(lib));
        let made = self.zero_lib(lib)?;
        let fields: &[&str] = match lib {
            Lib::Mutex => &["holder"],
            Lib::RwMutex => &["readers", "holder", "inside"],
            Lib::WaitGroup => &["count"],
            Lib::AtomicInt(_) | Lib::AtomicBool | Lib::AtomicValue => &["v"],
            _ => &[],
        };
        let from = self.keep_as(code, &kin);
        let copy = self.keep_as(&made, &kin);
        if !fields.is_empty() {
            let each = fields.iter().map(|field| format!("{copy}.{field} = {from}.{field}"));
            self.emit(format!("atomic {{ {} }}", each.collect::<Vec<_>>().join("  ")));
        }
        Ok(copy)
    }

    fn pool_maker(&mut self) -> usize {
        self.w.fn_type(&sig(vec![], vec![Ty::any()]))
    }

    pub(crate) fn lib_composite(
        &mut self,
        lib: Lib,
        elements: &[Element],
        at: (Pos, Pos),
    ) -> R<Val> {
        let ty = Ty::Lib(lib);
        let kin = self.w.kin(&ty);
        let mut code = self.zero_lib(lib)?;
        for element in elements {
            let key = element.key.as_ref().and_then(|key| key.name()).unwrap_or_default();
            match (lib, key) {
                (Lib::Pool, "New") => {
                    let of = Ty::Func(Rc::new(sig(vec![], vec![Ty::any()])));
                    let val = self.expr_as(&element.value, &of)?;
                    code = format!("new Pool(maker: {})", val.code);
                }
                (Lib::Cond, "L") => {
                    let val = self.expr_as(&element.value, &Ty::locker())?;
                    code = format!("new Cond(locker: {})", val.code);
                }
                _ => return refuse(at, "these fields are not known", "leave them out"),
            }
        }
        if code == "0" {
            return Ok(Val::made("0", ty));
        }
        let temp = self.temp();
        self.emit(format!("let {temp}: {kin} = {code}"));
        Ok(Val::made(temp, ty))
    }

    pub(crate) fn is_lib_field(&self, ty: &Ty, name: &str) -> bool {
        match lib_of(self, ty) {
            Some(Lib::Cond) => name == "L",
            Some(Lib::Pool) => name == "New",
            Some(Lib::Timer | Lib::Ticker) => name == "C",
            Some(Lib::Testing) => name == "N",
            _ => false,
        }
    }

    pub(crate) fn lib_field(&mut self, base: &Val, name: &str, at: (Pos, Pos)) -> R<Val> {
        let object = self.object_code(base);
        match (lib_of(self, &base.ty), name) {
            (Some(Lib::Cond), "L") => Ok(Val::new(format!("{object}.l"), Ty::locker())),
            (Some(Lib::Pool), "New") => {
                let of = Ty::Func(Rc::new(sig(vec![], vec![Ty::any()])));
                Ok(Val::new(format!("{object}.make"), of))
            }
            (Some(Lib::Timer | Lib::Ticker), "C") => {
                let element = Ty::Opaque("time.Time");
                Ok(Val::new(format!("{object}.c"), Ty::Chan(ChanDir::Receive, Rc::new(element))))
            }
            (Some(Lib::Testing), _) => {
                self.given_number("the number of rounds of a benchmark is any number", at)
            }
            _ => refuse(at, format!("the field `{name}` is not known"), "do without it"),
        }
    }

    /// The signature of a method of the library, where it is used as a value.
    pub(crate) fn lib_signature(&mut self, ty: &Ty, name: &str, at: (Pos, Pos)) -> R<Sig> {
        match (lib_of(self, ty), name) {
            (
                Some(Lib::Mutex | Lib::RwMutex | Lib::ReadSide),
                "Lock" | "Unlock" | "RLock" | "RUnlock",
            ) => Ok(Sig::default()),
            (Some(Lib::WaitGroup), "Done" | "Wait") => Ok(Sig::default()),
            (Some(Lib::Cond), "Wait" | "Signal" | "Broadcast") => Ok(Sig::default()),
            (Some(Lib::Context), "Done") => Ok(sig(vec![], vec![signal()])),
            (Some(Lib::Context), "Err") => Ok(sig(vec![], vec![Ty::error()])),
            (Some(Lib::Context), "cancel") => Ok(Sig::default()),
            (Some(Lib::Error), "Error") => Ok(sig(vec![], vec![Ty::Str])),
            (Some(Lib::Timer | Lib::Ticker), "Stop") => Ok(sig(vec![], vec![Ty::Bool])),
            _ => refuse(
                at,
                format!("the method `{name}` is used as a value, which is not understood"),
                "put it into a function literal",
            ),
        }
    }

    /// What a method of the library takes, where its arguments have types of their own.
    pub(crate) fn lib_wants(&mut self, ty: &Ty, name: &str) -> Option<Sig> {
        let any = Ty::any;
        let func = |params: Vec<Ty>, results: Vec<Ty>| Ty::Func(Rc::new(sig(params, results)));
        Some(match (lib_of(self, ty)?, name) {
            (Lib::WaitGroup, "Add") => sig(vec![Ty::INT], vec![]),
            (Lib::WaitGroup, "Go") => sig(vec![func(vec![], vec![])], vec![]),
            (Lib::Once, "Do") => sig(vec![func(vec![], vec![])], vec![]),
            (Lib::Pool, "Put") => sig(vec![any()], vec![]),
            (Lib::SyncMap, "Load" | "Delete" | "LoadAndDelete") => sig(vec![any()], vec![]),
            (Lib::SyncMap, "Store" | "LoadOrStore") => sig(vec![any(), any()], vec![]),
            (Lib::SyncMap, "Range") => sig(vec![func(vec![any(), any()], vec![Ty::Bool])], vec![]),
            (Lib::Context, "Value") => sig(vec![any()], vec![]),
            (Lib::ErrGroup, "Go" | "TryGo") => sig(vec![func(vec![], vec![Ty::error()])], vec![]),
            (Lib::ErrGroup, "SetLimit") => sig(vec![Ty::INT], vec![]),
            (Lib::Semaphore, "Acquire") => sig(vec![Ty::Lib(Lib::Context), Ty::INT], vec![]),
            (Lib::Semaphore, "Release" | "TryAcquire") => sig(vec![Ty::INT], vec![]),
            (Lib::AtomicInt(kind), "Store" | "Add" | "Swap") => sig(vec![Ty::Int(kind)], vec![]),
            (Lib::AtomicInt(kind), "CompareAndSwap") => {
                sig(vec![Ty::Int(kind), Ty::Int(kind)], vec![])
            }
            (Lib::AtomicBool, "Store" | "Swap") => sig(vec![Ty::Bool], vec![]),
            (Lib::AtomicBool, "CompareAndSwap") => sig(vec![Ty::Bool, Ty::Bool], vec![]),
            (Lib::AtomicValue, "Store" | "Swap") => sig(vec![any()], vec![]),
            (Lib::AtomicValue, "CompareAndSwap") => sig(vec![any(), any()], vec![]),
            (Lib::Testing, "Run") => {
                sig(vec![Ty::Str, func(vec![Ty::Lib(Lib::Testing).pointer()], vec![])], vec![])
            }
            (Lib::Testing, "Cleanup") => sig(vec![func(vec![], vec![])], vec![]),
            _ => return None,
        })
    }

    /// Calls a method of the library.
    pub(crate) fn lib_call(
        &mut self,
        base: &Val,
        name: &str,
        args: Vec<Val>,
        at: (Pos, Pos),
    ) -> R<Val> {
        let Some(lib) = lib_of(self, &base.ty) else {
            return self.opaque_call(base, name, &args, at);
        };
        // Steps may be done to what may be nil: it is a fault then.
        let object = base.code.strip_suffix('!').unwrap_or(&base.code).to_owned();
        let first = args.first().map(|arg| arg.code.clone()).unwrap_or_default();
        let second = args.get(1).map(|arg| arg.code.clone()).unwrap_or_default();
        let step = |fx: &mut Self, call: String| {
            fx.emit(format!("{object}.{call}"));
            Ok(nothing())
        };
        let given = |fx: &mut Self, call: String, ty: Ty| {
            let kin = fx.w.kin(&ty);
            let temp = fx.temp();
            fx.emit(format!("let {temp}: {kin} = {object}.{call}"));
            Ok(Val::made(temp, ty))
        };
        match (lib, name) {
            (Lib::Mutex | Lib::ReadSide, "Lock") => {
                self.wait(&format!("{object}.lock()"), "");
                Ok(nothing())
            }
            (Lib::Mutex | Lib::ReadSide, "Unlock") => step(self, "unlock()".into()),
            (Lib::Mutex, "TryLock") => given(self, "try_lock()".into(), Ty::Bool),
            (Lib::RwMutex, "Lock") => {
                let object = self.keep_base(base, &object);
                self.wait(&format!("{object}.ask()"), "");
                self.wait(&format!("{object}.enter()"), "");
                Ok(nothing())
            }
            (Lib::RwMutex, "Unlock") => step(self, "unlock()".into()),
            (Lib::RwMutex, "RLock") => {
                self.wait(&format!("{object}.read_lock()"), "");
                Ok(nothing())
            }
            (Lib::RwMutex, "RUnlock") => step(self, "read_unlock()".into()),
            (Lib::RwMutex, "TryLock") => given(self, "try_lock()".into(), Ty::Bool),
            (Lib::RwMutex, "TryRLock") => given(self, "try_read_lock()".into(), Ty::Bool),
            (Lib::RwMutex, "RLocker") => {
                self.w.lib_used.insert("RLocker");
                self.w.lib_used.insert("RWMutex");
                let of = self.object_code(base);
                let temp = self.temp();
                self.emit(format!("let {temp}: RLocker = new RLocker(of: {of})"));
                self.as_interface(Val::made(temp, Ty::Lib(Lib::ReadSide)), &Ty::locker(), at)
            }
            (Lib::WaitGroup, "Add") => step(self, format!("add({first})")),
            (Lib::WaitGroup, "Done") => step(self, "done()".into()),
            (Lib::WaitGroup, "Wait") => {
                let object = self.keep_base(base, &object);
                self.emit(format!("{object}.come()"));
                self.wait(&format!("{object}.wait()"), "");
                Ok(nothing())
            }
            (Lib::WaitGroup, "Go") => {
                self.emit(format!("{object}.add(1)"));
                let group = self.object_code(base);
                let f = (first, self.kin_of(&args[0].ty));
                self.started("go_wg", vec![(group, "WaitGroup".into()), f], |fx, names| {
                    let fn_type = fx.w.fn_type(&Sig::default());
                    let done = format!("{}.done()", names[0]);
                    fx.called(&format!("call_{fn_type}"), vec![names[1].clone()], &[], &done);
                    Ok(())
                })
            }
            (Lib::Cond, "Wait") => {
                let object = self.keep_base(base, &object);
                let inner = object.clone();
                let l = self.keep_as(&format!("{inner}!.l"), "Any");
                let l = Val::new(l, Ty::locker());
                self.emit(format!("{object}.sleep()"));
                let unlock = self.method_of(l.clone(), "Unlock", at)?;
                self.invoke(unlock, Vec::new(), at)?;
                self.wait(&format!("{object}.wake()"), "");
                let lock = self.method_of(l, "Lock", at)?;
                self.invoke(lock, Vec::new(), at)?;
                Ok(nothing())
            }
            (Lib::Cond, "Signal") => step(self, "signal()".into()),
            (Lib::Cond, "Broadcast") => step(self, "broadcast()".into()),
            (Lib::Once, "Do") => {
                let object = self.keep_base(base, &object);
                let f = self.simple(&args[0]);
                let mine = self.keep_as("false", "bool");
                let got = self.temp();
                self.wait(&format!("let {got} = {object}.begin()"), &format!("{mine} = {got}"));
                self.emit(format!("if {mine} {{"));
                let fn_type = self.w.fn_type(&Sig::default());
                let finish = format!("{object}.finish()");
                self.called(&format!("call_{fn_type}"), vec![f], &[], &finish);
                self.emit("}");
                Ok(nothing())
            }
            (Lib::Pool, "Put") => step(self, format!("give({first})")),
            (Lib::Pool, "Get") => {
                let object = self.keep_base(base, &object);
                let temp = self.temp();
                self.emit(format!("let {temp}: Any = {object}.take()"));
                let maker = self.pool_maker();
                let make = self.keep_as(&format!("{object}!.make"), &format!("Fn{maker}"));
                self.emit(format!("if {temp} == any_nil and {make} != fn{maker}_nil {{"));
                let made = self.called(&format!("call_{maker}"), vec![make], &[Ty::any()], "");
                self.emit(format!("{temp} = {}", made.code));
                self.emit("}");
                Ok(Val::made(temp, Ty::any()))
            }
            (Lib::SyncMap, "Load" | "LoadAndDelete" | "LoadOrStore") => {
                let call = match name {
                    "Load" => format!("load({first})"),
                    "LoadAndDelete" => format!("take({first})"),
                    _ => format!("load_or_store({first}, {second})"),
                };
                given(self, call, Ty::Tuple(vec![Ty::any(), Ty::Bool]))
            }
            (Lib::SyncMap, "Store") => step(self, format!("store({first}, {second})")),
            (Lib::SyncMap, "Delete") => step(self, format!("delete({first})")),
            (Lib::SyncMap, "Range") => {
                let object = self.keep_base(base, &object);
                let f = self.simple(&args[0]);
                let fn_type = self.w.fn_type(&sig(vec![Ty::any(), Ty::any()], vec![Ty::Bool]));
                let pair = self.w.tuple(&[Ty::any(), Ty::Bool]);
                let (k, found, go_on) = (self.temp(), self.temp(), self.keep_as("true", "bool"));
                let copy = self.temp();
                self.emit(format!("let {copy}: map[Any, Any, room] = []"));
                self.emit(format!("atomic {{ {copy} = {object}!.items }}"));
                self.emit(format!("for {k} in {copy} {{"));
                self.emit(format!("if {go_on} {{"));
                self.emit(format!("let {found}: {pair} = {object}.load({k})"));
                self.emit(format!("if {found}.r1 {{"));
                let args = vec![f, k, format!("{found}.r0")];
                let more = self.called(&format!("call_{fn_type}"), args, &[Ty::Bool], "");
                self.emit(format!("{go_on} = {}", more.code));
                self.emit("}");
                self.emit("}");
                self.emit("}");
                Ok(nothing())
            }
            (Lib::Context, _) => self.context_call(base, name, args, at),
            (Lib::AfterFunc, "stop") => {
                let (fire, temp) = (self.temp(), self.temp());
                self.emit(format!("choose {fire} in bool"));
                self.emit(format!("let {temp}: bool = {object}.stop({fire})"));
                Ok(Val::made(temp, Ty::Bool))
            }
            (Lib::Timer | Lib::Ticker, "Stop") => {
                let inner = self.object_code(base);
                let (fire, temp) = (self.temp(), self.temp());
                self.emit(format!("choose {fire} in bool"));
                self.emit(format!("let {temp}: bool = {inner}.c.stop({fire})"));
                Ok(Val::made(temp, Ty::Bool))
            }
            (Lib::Timer | Lib::Ticker, "Reset") => {
                let inner = self.object_code(base);
                let kind = if lib == Lib::Timer { 1 } else { 2 };
                let (fire, temp) = (self.temp(), self.temp());
                self.emit(format!("choose {fire} in bool"));
                self.emit(format!("let {temp}: bool = {inner}.c.reset({kind}, {fire})"));
                Ok(Val::made(temp, Ty::Bool))
            }
            (Lib::ErrGroup, "Go") => {
                self.wait(&format!("{object}.begin()"), "");
                let group = self.object_code(base);
                let f = (first, self.kin_of(&args[0].ty));
                self.started("go_errgroup", vec![(group, "ErrGroup".into()), f], |fx, names| {
                    let fn_type = fx.w.fn_type(&sig(vec![], vec![Ty::error()]));
                    let name = format!("call_{fn_type}");
                    let e = fx.called(&name, vec![names[1].clone()], &[Ty::error()], "").code;
                    fx.emit(format!("if {e} != any_nil {{"));
                    fx.emit(format!("let first: bool = {}.is_first({e})", names[0]));
                    fx.emit("if first {");
                    fx.end_group(&names[0], &e);
                    fx.emit("}");
                    fx.emit("}");
                    fx.emit(format!("{}.end()", names[0]));
                    Ok(())
                })
            }
            (Lib::ErrGroup, "SetLimit") => step(self, format!("limit({first})")),
            (Lib::ErrGroup, "Wait") => {
                let temp = self.keep_as("any_nil", "Any");
                let got = self.temp();
                let object = self.keep_base(base, &object);
                self.wait(&format!("let {got} = {object}.wait()"), &format!("{temp} = {got}"));
                self.end_group(&format!("{object}!"), &temp);
                Ok(Val::made(temp, Ty::error()))
            }
            (Lib::Semaphore, "Acquire") => {
                let ctx = self.simple(&args[0]);
                let done = self.channel_of_context(&ctx);
                let temp = self.keep_as("any_nil", "Any");
                let object = self.keep_base(base, &object);
                let n = self.keep_as(&second, "0..=big");
                let at_once = self.temp();
                let err = self.context_error("context_canceled");
                self.emit(format!("let {at_once}: bool = {object}.come({n})"));
                self.emit(format!("if not {at_once} {{"));
                self.emit("select {");
                self.emit(format!("{object}.acquire({n}) {{ }}"));
                self.emit(format!(
                    "{done}.receive() when {done} != none {{ {object}.leave()  {temp} = {err} }}"
                ));
                self.over_arm();
                self.emit("}");
                self.emit("}");
                Ok(Val::made(temp, Ty::error()))
            }
            (Lib::Semaphore, "TryAcquire") => {
                given(self, format!("try_acquire({first})"), Ty::Bool)
            }
            (Lib::Semaphore, "Release") => step(self, format!("release({first})")),
            (Lib::Error, "Error") => {
                self.w.makes_vague = true;
                Ok(Val::made("s_other", Ty::Str))
            }
            (Lib::Error, _) => Ok(Val::made("any_nil", Ty::error())),
            (Lib::AtomicInt(kind), "Load") => given(self, "load()".into(), Ty::Int(kind)),
            (Lib::AtomicBool, "Load") => given(self, "load()".into(), Ty::Bool),
            (Lib::AtomicValue, "Load") => given(self, "load()".into(), Ty::any()),
            (Lib::AtomicInt(_) | Lib::AtomicBool | Lib::AtomicValue, "Store") => {
                step(self, format!("store({first})"))
            }
            (Lib::AtomicInt(kind), "Add") => given(self, format!("add({first})"), Ty::Int(kind)),
            (Lib::AtomicInt(kind), "Swap") => given(self, format!("swap({first})"), Ty::Int(kind)),
            (Lib::AtomicBool, "Swap") => given(self, format!("swap({first})"), Ty::Bool),
            (Lib::AtomicValue, "Swap") => given(self, format!("swap({first})"), Ty::any()),
            (Lib::AtomicInt(_) | Lib::AtomicBool | Lib::AtomicValue, "CompareAndSwap") => {
                given(self, format!("compare_and_swap({first}, {second})"), Ty::Bool)
            }
            (Lib::Testing, _) => {
                let args = self.read_out(args)?;
                self.testing_call(name, args, at)
            }
            (Lib::Thing, _) => {
                let args = self.read_out(args)?;
                self.thing_call(name, args, at)
            }
            _ => refuse_as(
                "G0402",
                at,
                format!("the method `{name}` is not known"),
                "write what it does",
            ),
        }
    }

    /// Cancels the context of a group, if it has one; why, an error says.
    fn end_group(&mut self, group: &str, why: &str) {
        let stop = self.keep_as(&format!("{group}.stop"), "chan_unit?");
        self.emit(format!("if {stop} != none {{"));
        self.finished(&format!("{stop}!"), "any_nil", why);
        self.emit("}");
    }

    fn kin_of(&mut self, ty: &Ty) -> String {
        self.w.kin(ty)
    }

    /// The object kept in a variable, where it is used more than once.
    fn keep_base(&mut self, base: &Val, object: &str) -> String {
        let kin = self.w.kin(&base.ty);
        let kin = kin.trim_end_matches('?').to_owned();
        let code = if matches!(self.w.under(&base.ty), Ty::Pointer(_)) && !base.code.ends_with('!')
        {
            object.to_owned()
        } else {
            base.code.clone()
        };
        self.keep_as(&code, &format!("{kin}?"))
    }

    /// A process of its own that does something with what it is given.
    pub(crate) fn started(
        &mut self,
        wish: &str,
        given: Vec<(String, String)>,
        body: impl FnOnce(&mut Fx<'_, '_>, &[String]) -> R<()>,
    ) -> R<Val> {
        let shown = format!("{}.{}", self.shown, wish.trim_start_matches("go_"));
        let kin = self.w.fresh(wish);
        self.w.shown.insert(kin.clone(), shown.clone());
        let at = self.at;
        let names: Vec<String> = (0..given.len()).map(|at| format!("p{at}")).collect();
        let params: Vec<String> =
            names.iter().zip(&given).map(|(name, (_, ty))| format!("{name}: {ty}")).collect();
        let mut fx = Fx::new(self.w, &shown);
        fx.at = at;
        fx.is_process = true;
        fx.emit(format!("process {kin}({}) {{", params.join(", ")));
        body(&mut fx, &names)?;
        fx.emit("}");
        let lines = std::mem::take(&mut fx.lines);
        fx.w.routines.extend(lines);
        let codes: Vec<String> = given.into_iter().map(|(code, _)| code).collect();
        self.emit(format!("spawn {kin}({})", codes.join(", ")));
        Ok(nothing())
    }
}

/// `<-chan struct{}`.
pub(crate) fn signal() -> Ty {
    Ty::Chan(ChanDir::Receive, Rc::new(Ty::unit()))
}
