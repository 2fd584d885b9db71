//! Types that do not fit.

use net::Kind;

use super::Resolver;
use super::value::Typed;
use diagnostics::{Diagnostic, Span};

impl Resolver<'_, '_> {
    /// Reports a value of another type than needed; tells whether it has the type.
    pub(super) fn demand(&mut self, typed: &Typed, span: Span, kind: Kind, what: &str) -> bool {
        if typed.is_nothing() {
            self.report_nothing(span, what);
        }
        let Some(found) = typed.kind else { return false };
        if found == kind {
            return typed.value.is_some();
        }
        let (expected, found_name) = (self.kind_name(kind), self.kind_name(found));
        let diagnostic = Diagnostic::error(
            mismatch(found, kind),
            format!("expected {expected}, found {found_name}"),
        )
        .at(span, format!("{what} must be {expected}"));
        let help = match (found, kind) {
            (Kind::Enum(id), Kind::Int) => {
                let name = self.classes[id.index()].name;
                &format!("members are no numbers: `{name}(3)` is the third, `succ(x)` the next")
            }
            (Kind::Pid, Kind::Int) => {
                "pids are black boxes: compare them with `==`, `!=`, `parent`, `ancestor`, \
                 `next_sibling` and `elder_sibling`"
            }
            (_, Kind::Pid) => "only variables for threads are pids; none can be written down",
            (Kind::Pid, _) => "pids are black boxes, not data",
            (Kind::Int, Kind::Bool) => "compare it: `x != 0`, say",
            (Kind::Bool, Kind::Int) => "make a number of it: `if b then 1 else 0`",
            _ => "",
        };
        self.diagnostics.push(if help.is_empty() { diagnostic } else { diagnostic.help(help) });
        false
    }

    /// Reports `==` or `!=` between different types.
    pub(super) fn report_incomparable(&mut self, op: Span, a: (Span, Kind), b: (Span, Kind)) {
        let (left, right) = (self.kind_name(a.1), self.kind_name(b.1));
        Diagnostic::error(mismatch(a.1, b.1), format!("{left} never equals {right}"))
            .at(op, "the two sides are of different types")
            .also(a.0, format!("this is {left}"))
            .also(b.0, format!("this is {right}"))
            .report(self.diagnostics);
    }
}

/// The code for one type in place of another: pids are a matter of their own.
pub(super) fn mismatch(a: Kind, b: Kind) -> &'static str {
    if a == Kind::Pid || b == Kind::Pid { "E0302" } else { "E0301" }
}
