//! Names that stand for nothing: what may have been meant, and how to declare it.

use diagnostics::nearest;
use program::Type;

use super::Lowering;
use super::body::Kind;
use super::declared::Decl;
use crate::syntax::Name;

/// No more members than this are listed in a message.
const MOST_MEMBERS: usize = 6;

impl<'a> Lowering<'a, '_, '_> {
    /// Reports a name that stands for nothing.
    pub(super) fn report_unknown_name(&mut self, name: Name<'a>, hint: Option<&Type>) {
        let text = name.text;
        if self.resolver.model.skipped.contains(text) {
            return;
        }
        if let Some(ticket) = self.reported.get(text) {
            let span = self.place(name.span);
            return self.resolver.diagnostics.again(*ticket, span);
        }
        if self.is_plainly_reported(name) {
            return;
        }
        if let Some(later) =
            self.body.decl.and_then(|decl| super::check::declared_in(&decl.body, text))
        {
            let message = format!("`{text}` has no value here");
            let is_later = later.start > name.span.start;
            let label =
                if is_later { "it is declared later" } else { "it is known in another block" };
            let error = self
                .error("E1001", message, name.span, "read here")
                .also(self.place(later), label)
                .help("declare it before, in the same block or one around it");
            let ticket = self.resolver.diagnostics.push(error);
            self.reported.insert(text, ticket);
            return;
        }
        let mut known: Vec<&str> = self.body.names.keys().copied().collect();
        known.extend(self.names.all(|decl| matches!(decl, Decl::Shared | Decl::Case(..))));
        known.extend(self.resolver.values.keys().copied());
        if let Some(id) = self.body.this {
            known.extend(self.objects[id.index()].fields.keys().copied());
        }
        known.extend(["none", "self", "this"]);
        if self.body.kind == Kind::Claim {
            known.extend(["no_one_stuck", "everyone_can_end", "race_free", "deadlock_free"]);
            known.extend(self.names.all(|decl| matches!(decl, Decl::Process(_))));
        }
        let near = match text {
            "nil" | "null" | "NULL" | "None" | "nullptr" => Some("none"),
            "True" => Some("true"),
            "False" => Some("false"),
            _ => nearest(text, known),
        };
        let label = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "not declared".into(),
        };
        let error = self
            .error("E1008", format!("there is nothing named `{text}`"), name.span, label)
            .help(self.way_to_name(text, hint));
        let ticket = self.resolver.diagnostics.push(error);
        self.reported.insert(text, ticket);
    }

    /// The values of a type, if they have names and are few.
    pub(super) fn values_of(&self, of: &Type) -> Option<String> {
        let mut values: Vec<String> = match of {
            Type::Bool => vec!["false".into(), "true".into()],
            Type::Member(id) => {
                let members = self.resolver.net.enumerations[id.index()].members.iter();
                members.take(MOST_MEMBERS + 1).map(ToString::to_string).collect()
            }
            Type::Variant(id) => {
                let cases = self.program.variants[id.index()].cases.iter();
                cases.map(|case| case.name.clone()).collect()
            }
            _ => return None,
        };
        if values.len() > MOST_MEMBERS {
            values.truncate(MOST_MEMBERS);
            values.push("…".into());
        }
        Some(format!("the values of `{}` are `{}`", self.shown(of), values.join("`, `")))
    }

    /// What to do about a name that stands for nothing, where a value of a type is expected.
    fn way_to_name(&self, text: &str, hint: Option<&Type>) -> String {
        if matches!(text, "ended" | "len" | "succ" | "pred") {
            return format!("write `{text}(x)`");
        }
        let values = hint.filter(|of| **of != Type::Bool).and_then(|of| self.values_of(of));
        if let Some(values) = values {
            return values;
        }
        match self.body.kind {
            Kind::Constant | Kind::Default | Kind::Initials(_) => {
                format!("declare it: `const {text} = …`")
            }
            Kind::Claim => {
                "name a `shared` variable, or bind a process: `forall w in PROCESS: …`".into()
            }
            _ => format!("declare it: `let {text} = …` here, `shared {text}: … = …` for all"),
        }
    }
}
