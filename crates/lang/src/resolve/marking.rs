//! The initial state: start threads, and the values that threads and tokens have.

use net::{Expr as Value, InitialValue, Kind, PlaceKind, StartThread};

use super::Resolver;
use super::names::Unknown;
use super::objects::NOTHING;
use super::places::ColumnInfo;
use super::scope::{Scope, Usage};
use crate::syntax::{DeclarationKind, Expr, StartDecl};
use diagnostics::Diagnostic;

/// No model starts with more threads than this.
const THREADS: usize = 100_000;

impl<'a> Resolver<'a, '_> {
    pub(super) fn start_threads(&mut self) {
        let model = self.model;
        let mut threads: Vec<(&StartDecl<'a>, usize)> = Vec::new();
        let mut total: usize = 0;
        for declaration in &model.declarations {
            let DeclarationKind::Start(list) = &declaration.kind else { continue };
            for thread in list {
                let times = self.count(thread.times.as_ref(), 0).unwrap_or(0) as usize;
                if let Some(name) = thread.name {
                    self.name_thread(name, total);
                }
                if total <= THREADS && total + times > THREADS {
                    Diagnostic::error("E0409", "too many threads are started")
                        .at(thread.place.span, format!("at most {THREADS} in all"))
                        .report(self.diagnostics);
                }
                // What is too much is counted, and not made.
                threads.push((thread, if total + times > THREADS { 0 } else { times }));
                total += times;
            }
        }
        for (written, times) in threads {
            let Some(thread) = self.start_thread(written) else { continue };
            self.net.start.extend(std::iter::repeat_n(thread, times));
            self.thread_spans.resize(self.net.start.len(), written.place.span);
        }
    }

    fn name_thread(&mut self, name: crate::syntax::Name<'a>, index: usize) {
        if let Some(&(_, first)) = self.threads.get(name.text) {
            self.report_duplicate("the start thread", name, first);
        } else {
            self.report_shadowing(name);
            self.threads.insert(name.text, (index, name.span));
        }
    }

    fn start_thread(&mut self, thread: &StartDecl<'a>) -> Option<StartThread> {
        let place = self.place_of_kind(&thread.place, PlaceKind::Flow, |name| {
            format!("threads start in flow places; initial tokens are written `place {name} = …`")
        })?;
        let columns = self.columns_of(&thread.place, place)?;
        let mut scope = Scope::new(Usage::Constant("an initial value"));
        let components = thread.place.arguments().iter().zip(columns);
        // All of them are looked at, also after a mistake.
        let values: Vec<Option<InitialValue>> = components
            .map(|(component, column)| self.initial_value(component, column, &mut scope))
            .collect();
        let values = values.into_iter().collect::<Option<Vec<InitialValue>>>()?;
        Some(StartThread { place, values })
    }

    /// A component of an initial token or thread. A variable stands for a member that is gone through.
    pub(super) fn initial_value(
        &mut self,
        component: &Expr<'a>,
        column: ColumnInfo<'a>,
        scope: &mut Scope<'a>,
    ) -> Option<InitialValue> {
        if column.sort.map(Kind::from) == Some(Kind::Pid)
            && let Some(name) = component.as_name()
            && self.meaning(name.text).is_none()
            && scope.get(name.text).is_none()
            && (name.text != NOTHING || self.threads.contains_key(NOTHING))
        {
            let thread = self.threads.get(name.text).copied();
            if thread.is_none() {
                self.report_unknown(Unknown::Thread, name);
            }
            return thread.map(|(index, _)| InitialValue::Thread(index));
        }
        if let Some(value) = self.initial_object(component, column, scope) {
            return value;
        }
        match self.fitting(component, column, scope) {
            Some(Value::Literal(literal)) => Some(InitialValue::Data(literal)),
            Some(Value::Var(var)) => Some(InitialValue::Each(var.index())),
            None => None,
            Some(_) => {
                Diagnostic::error("E0715", "an initial value is not computed from a member")
                    .at(component.span, "this depends on a variable of `all`")
                    .help("write `all y` here, and `with y == …` after the token")
                    .report(self.diagnostics);
                None
            }
        }
    }
}
