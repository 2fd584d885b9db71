//! The initial state: start threads and initial tokens.

use net::{InitialToken, InitialValue, Kind, PlaceId, PlaceKind, StartThread};

use super::Resolver;
use super::names::Unknown;
use super::places::ColumnInfo;
use super::scope::{Scope, Usage};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::{DeclarationKind, Expr, ExprKind, Initial, PlaceDecl, StartDecl};

/// No model starts with more threads or tokens than these.
const THREADS: usize = 100_000;
const TOKENS: u64 = 1_000_000;

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
                    self.diagnostics.push(
                        Diagnostic::error("E0409", "too many threads are started")
                            .at(thread.place.span, format!("at most {THREADS} in all")),
                    );
                }
                // What is too much is counted, and not made.
                threads.push((thread, if total + times > THREADS { 0 } else { times }));
                total += times;
            }
        }
        for (thread, times) in threads {
            if let Some(thread) = self.start_thread(thread) {
                self.net.start.extend(std::iter::repeat_n(thread, times));
            }
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
        let values = self.initial_values(thread.place.arguments(), &columns)?;
        Some(StartThread { place, values })
    }

    pub(super) fn initial_tokens(&mut self) {
        let model = self.model;
        let mut total = 0;
        for declaration in &model.declarations {
            let DeclarationKind::Place { places, initial: Some(initial) } = &declaration.kind
            else {
                continue;
            };
            if let [place] = &places[..] {
                self.tokens_of(place, initial, &mut total);
            } else {
                self.diagnostics.push(
                    Diagnostic::error(
                        "E0506",
                        "initial tokens are written for one place at a time",
                    )
                    .at(initial.span, format!("for {} places here", places.len()))
                    .help("declare the places one by one"),
                );
            }
        }
    }

    fn tokens_of(&mut self, place: &PlaceDecl<'a>, initial: &Initial<'a>, total: &mut u64) {
        let Some(&id) = self.place_names.get(place.name.text) else { return };
        let columns = self.places[id.index()].columns.clone();
        for tokens in &initial.tokens {
            let before = *total;
            if columns.is_empty() && place.columns.is_empty() {
                self.dots(id, place, initial, total);
            } else {
                let count = self.count(tokens.count.as_ref(), 0);
                let values = self.token(&tokens.token, place, &columns);
                let (Some(count), Some(values)) = (count, values) else { continue };
                self.put_initially(id, values, count, total);
            }
            if before <= TOKENS && *total > TOKENS {
                self.diagnostics.push(
                    Diagnostic::error("E0408", "too many tokens are there initially")
                        .at(tokens.token.span, format!("at most {TOKENS} in all")),
                );
            }
            if columns.is_empty() {
                return;
            }
        }
    }

    /// A place without columns: its tokens are all alike, and only counted.
    fn dots(&mut self, id: PlaceId, place: &PlaceDecl<'a>, initial: &Initial<'a>, total: &mut u64) {
        let [only] = &initial.tokens[..] else {
            self.report_dots(place, initial.span);
            return;
        };
        if only.count.is_some() || matches!(only.token.kind, ExprKind::Tuple(_)) {
            self.report_dots(place, initial.span);
            return;
        }
        if let Some(count) = self.count(Some(&only.token), 0) {
            self.put_initially(id, Vec::new(), count, total);
        }
    }

    fn report_dots(&mut self, place: &PlaceDecl<'a>, span: Span) {
        let name = place.name.text;
        self.diagnostics.push(
            Diagnostic::error("E0303", format!("the tokens of `{name}` have no columns"))
                .at(span, "expected how many they are")
                .help(format!("write `place {name} = 1`, say")),
        );
    }

    fn put_initially(
        &mut self,
        place: PlaceId,
        values: Vec<InitialValue>,
        count: u32,
        total: &mut u64,
    ) {
        *total += u64::from(count);
        if count > 0 && *total <= TOKENS {
            self.net.tokens.push(InitialToken::new(place, values, count));
        }
    }

    fn token(
        &mut self,
        token: &Expr<'a>,
        place: &PlaceDecl<'a>,
        columns: &[ColumnInfo<'a>],
    ) -> Option<Vec<InitialValue>> {
        let components = match &token.kind {
            ExprKind::Tuple(list) => &list[..],
            _ => std::slice::from_ref(token),
        };
        if components.len() != columns.len() {
            let (name, wanted, given) = (place.name.text, columns.len(), components.len());
            let message = format!("a token of `{name}` has {wanted} components, not {given}");
            self.diagnostics.push(
                Diagnostic::error("E0303", message)
                    .at(token.span, "")
                    .also(place.name.span, "declared here")
                    .help(match wanted {
                        1 => "write `3`, or `2 of 3` for two of them",
                        _ => "write them in parentheses: `(0, 1)`, or `2 of (0, 1)`",
                    }),
            );
            return None;
        }
        self.initial_values(components, columns)
    }

    fn initial_values(
        &mut self,
        components: &[Expr<'a>],
        columns: &[ColumnInfo<'a>],
    ) -> Option<Vec<InitialValue>> {
        let mut values = Some(Vec::with_capacity(columns.len()));
        for (component, column) in components.iter().zip(columns) {
            let value = self.initial_value(component, *column);
            values = match (values, value) {
                (Some(mut values), Some(value)) => {
                    values.push(value);
                    Some(values)
                }
                _ => None,
            };
        }
        values
    }

    fn initial_value(
        &mut self,
        component: &Expr<'a>,
        column: ColumnInfo<'a>,
    ) -> Option<InitialValue> {
        if column.sort.map(Kind::from) == Some(Kind::Pid)
            && let Some(name) = component.as_name()
            && !self.values.contains_key(name.text)
        {
            let thread = self.threads.get(name.text).copied();
            if thread.is_none() {
                self.report_unknown(Unknown::Thread, name);
            }
            return thread.map(|(index, _)| InitialValue::Thread(index));
        }
        let mut scope = Scope::new(Usage::Constant("an initial value"));
        let value = self.fitting(component, column, &mut scope);
        value.as_literal().map(InitialValue::Data)
    }
}
