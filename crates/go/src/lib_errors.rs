//! Errors.

use crate::fx::{Fx, Val};
use crate::syntax::*;
use crate::types::{Konst, Lib, Sig, Ty};
use crate::world::{R, refuse};

/// Errors that are variables of packages, and what they are called here.
pub(crate) const ERRORS: [(&str, &str, &str); 20] = [
    ("context", "Canceled", "context_canceled"),
    ("context", "DeadlineExceeded", "context_expired"),
    ("golang.org/x/net/context", "Canceled", "context_canceled"),
    ("golang.org/x/net/context", "DeadlineExceeded", "context_expired"),
    ("io", "EOF", "io_eof"),
    ("io", "ErrUnexpectedEOF", "io_unexpected_eof"),
    ("io", "ErrClosedPipe", "io_closed_pipe"),
    ("io", "ErrShortWrite", "io_short_write"),
    ("net", "ErrClosed", "net_closed"),
    ("net/http", "ErrServerClosed", "http_server_closed"),
    ("net/http", "ErrHandlerTimeout", "http_handler_timeout"),
    ("os", "ErrNotExist", "os_not_exist"),
    ("os", "ErrExist", "os_exist"),
    ("os", "ErrDeadlineExceeded", "os_deadline_exceeded"),
    ("os", "ErrClosed", "os_closed"),
    ("os", "ErrPermission", "os_permission"),
    ("io", "ErrNoProgress", "io_no_progress"),
    ("io", "ErrShortBuffer", "io_short_buffer"),
    ("database/sql", "ErrNoRows", "sql_no_rows"),
    ("database/sql", "ErrTxDone", "sql_tx_done"),
];

/// What an error of a package is called here.
pub(crate) fn error_of(path: &str, name: &str) -> Option<&'static str> {
    ERRORS.iter().find(|(of, error, _)| *of == path && *error == name).map(|(.., kin)| *kin)
}

impl Fx<'_, '_> {
    /// A new error that is like no other.
    pub(crate) fn new_error(&mut self) -> Val {
        self.wrapping("any_nil")
    }

    /// A new error with another one in it.
    fn wrapping(&mut self, inner: &str) -> Val {
        self.w.lib_used.insert("Error");
        let temp = self.temp();
        self.emit(format!("let {temp}: Error? = new Error(inner: {inner})"));
        let case = self.any_case(&Ty::Lib(Lib::Error));
        Val::made(format!("{case}({temp})"), Ty::error())
    }

    /// `fmt.Errorf`: with `%w`, the error has that one in it.
    pub(crate) fn formatted_error(&mut self, args: &[Val], at: (Pos, Pos)) -> R<Val> {
        let inner = match args.first().and_then(|format| format.konst.as_ref()) {
            Some(Konst::Str(format)) => wrapped(format).and_then(|at| args.get(at + 1)),
            _ => None,
        };
        match inner.cloned() {
            Some(inner) => {
                let inner = self.fit(inner, &Ty::error(), at)?;
                let inner = self.simple(&inner);
                Ok(self.wrapping(&inner))
            }
            None => Ok(self.new_error()),
        }
    }

    /// The error within another one, or nil. Those of the program itself may say by `Unwrap`.
    pub(crate) fn unwrapped(&mut self, error: &str, at: (Pos, Pos)) -> R<String> {
        self.w.lib_used.insert("Error");
        let case = self.any_case(&Ty::Lib(Lib::Error));
        let (inner, found) = (self.temp(), self.keep_as("any_nil", "Any"));
        self.emit(format!("match {error} {{"));
        self.emit(format!("{case}({inner}) {{ {found} = {inner}!.of }}"));
        self.emit("else { }");
        self.emit("}");
        let has_own = self.w.methods.values().any(|methods| methods.contains_key("Unwrap"));
        if has_own {
            let sig = Sig { results: vec![Ty::error()], ..Sig::default() };
            let ty = Ty::Interface(vec![("Unwrap".to_owned(), sig)].into());
            let val = Val::new(error, Ty::error());
            let (val, ok) = self.assert_type(&val, &ty, at)?;
            self.emit(format!("if {ok} and not ({error} is {case}) {{"));
            let callee = self.method_of(val, "Unwrap", at)?;
            let inner = self.invoke(callee, Vec::new(), at)?;
            self.emit(format!("{found} = {}", inner.code));
            self.emit("}");
        }
        Ok(found)
    }

    /// `errors.Is`: whether an error, or one within it, is a given one.
    pub(crate) fn error_is(&mut self, error: &Val, other: &Val, at: (Pos, Pos)) -> R<Val> {
        let other = &Val { code: self.keep(other), ..other.clone() };
        let current = self.keep_as(&error.code, "Any");
        let found = self.keep_as("false", "bool");
        self.within(&current, &found, at, |fx| {
            let now = Val::new(current.clone(), Ty::error());
            let same = fx.equality("==", now.clone(), other.clone(), at)?.code;
            // Errors of the program may say by `Is`.
            if !fx.w.methods.values().any(|methods| methods.contains_key("Is")) {
                return Ok(same);
            }
            let same = fx.keep_as(&same, "bool");
            let sig = Sig { params: vec![Ty::error()], results: vec![Ty::Bool], variadic: false };
            let ty = Ty::Interface(vec![("Is".to_owned(), sig)].into());
            let (val, ok) = fx.assert_type(&now, &ty, at)?;
            fx.emit(format!("if {ok} and not {same} {{"));
            let callee = fx.method_of(val, "Is", at)?;
            let says = fx.invoke(callee, vec![other.clone()], at)?;
            fx.emit(format!("{same} = {}", says.code));
            fx.emit("}");
            Ok(same)
        })?;
        // Nil is in no error, and is nil.
        let same = self.keep_as(
            &format!("{found} or ({} == any_nil and {} == any_nil)", error.code, other.code),
            "bool",
        );
        Ok(Val::made(same, Ty::Bool))
    }

    /// `errors.As`: whether an error, or one within it, is of the type of a variable, which it is then assigned to.
    pub(crate) fn error_as(&mut self, error: &Expr, target: &Expr, at: (Pos, Pos)) -> R<Val> {
        let error = self.expr_as(error, &Ty::error())?;
        let ExprKind::Unary("&", variable) = &*target.bare().kind else {
            return refuse(
                at,
                "the target of `errors.As` is no `&variable`",
                "give the address of a variable",
            );
        };
        let place = self.place(variable)?;
        let ty = self.place_ty(&place).unwrap_or_else(Ty::error);
        let current = self.keep_as(&error.code, "Any");
        let found = self.keep_as("false", "bool");
        self.within(&current, &found, at, |fx| {
            let now = Val::new(current.clone(), Ty::error());
            let (val, ok) = fx.assert_type(&now, &ty, at)?;
            fx.emit(format!("if {ok} {{"));
            fx.assign(&place, val)?;
            fx.emit("}");
            Ok(ok)
        })?;
        Ok(Val::made(found, Ty::Bool))
    }

    /// Goes through an error and those within it until one is the right one.
    fn within(
        &mut self,
        current: &str,
        found: &str,
        at: (Pos, Pos),
        is_it: impl FnOnce(&mut Self) -> R<String>,
    ) -> R<()> {
        self.emit(format!("while not {found} and {current} != any_nil {{"));
        let code = is_it(self)?;
        self.emit(format!("{found} = {code}"));
        self.emit(format!("if not {found} {{"));
        let inner = self.unwrapped(current, at)?;
        self.emit(format!("{current} = {inner}"));
        self.emit("}");
        self.emit("}");
        Ok(())
    }
}

/// Which of the verbs of a format is `%w`.
fn wrapped(format: &str) -> Option<usize> {
    let mut verbs = 0;
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let verb = &rest[at + 1..];
        let end = verb.find(|c: char| c.is_ascii_alphabetic() || c == '%')?;
        match verb.as_bytes()[end] {
            b'w' => return Some(verbs),
            b'%' => {}
            _ => verbs += 1,
        }
        rest = &verb[end + 1..];
    }
    None
}
