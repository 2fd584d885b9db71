//! What a transition does with threads: who takes part, what becomes of them, their children.

use std::collections::HashMap;

use net::{Fate, Participant, PlaceKind, Spawn, Transition};

use super::Resolver;
use super::scope::{Role, Scope, Usage};
use crate::syntax::{Atom, Children, Fate as FateSyntax, ItemKind, Name, Tokens, TransitionDecl};
use diagnostics::{Diagnostic, Span};

/// No transition creates more children than this at once.
const CHILDREN: u32 = 100_000;

impl<'a> Resolver<'a, '_> {
    /// The participants and the children of a transition.
    pub(super) fn threads(
        &mut self,
        decl: &'a TransitionDecl<'a>,
        scope: &mut Scope<'a>,
        transition: &mut Transition,
    ) {
        let mut taking_part: HashMap<&'a str, Span> = HashMap::new();
        for item in &decl.items {
            let ItemKind::Thread { thread, at, fate, passive } = &item.kind else { continue };
            if let Some(&first) = taking_part.get(thread.text) {
                let text = thread.text;
                Diagnostic::error("E0503", format!("the thread `{text}` takes part twice"))
                    .at(thread.span, "a second time")
                    .also(first, "the first time")
                    .help(
                        "a thread is at one place and has one fate: `move`, `stay` or `end`; \
                         use another variable for another thread",
                    )
                    .report(self.diagnostics);
            }
            taking_part.entry(thread.text).or_insert(thread.span);
            let participant = self.participant(*thread, at, fate, scope);
            let participant = participant.map(|one| Participant { passive: *passive, ..one });
            transition.participants.extend(participant);
        }
        let mut children: u64 = 0;
        for item in &decl.items {
            let ItemKind::Spawn { children: number, parent, to } = &item.kind else { continue };
            if !taking_part.contains_key(parent.text) {
                self.report_no_parent(*parent, scope);
            }
            let Some(spawn) = self.spawn(number, *parent, to.as_ref(), scope) else { continue };
            let before = children;
            children += u64::from(spawn.count);
            if children > u64::from(CHILDREN) && before <= u64::from(CHILDREN) {
                Diagnostic::error("E0407", format!("the transition creates {children} children"))
                    .at(item.span, format!("at most {CHILDREN} are created at once"))
                    .report(self.diagnostics);
            }
            transition.spawns.push(spawn);
        }
    }

    fn participant(
        &mut self,
        thread: Name<'a>,
        from: &Atom<'a>,
        fate: &FateSyntax<'a>,
        scope: &mut Scope<'a>,
    ) -> Option<Participant> {
        let from_place = self.place_of_kind(from, PlaceKind::Flow, |name| {
            format!("tokens are taken and put: `take {name}`, `put {name}`, `read {name}`")
        });
        let pattern =
            from_place.and_then(|place| self.components(from, place, Usage::Pattern, scope));
        let fate = match fate {
            FateSyntax::Stay => Fate::Stay,
            FateSyntax::End => Fate::End,
            FateSyntax::Crash => Fate::Crash,
            FateSyntax::Move(to) => {
                let place = self.place_of_kind(to, PlaceKind::Flow, |name| {
                    format!(
                        "a thread goes from one flow place to another; write `put {name}` besides"
                    )
                })?;
                Fate::Move { to: place, values: self.outputs(to, place, scope)? }
            }
        };
        let entry = scope.get(thread.text)?;
        let (thread, passive) = (entry.var, false);
        Some(Participant { thread, from: from_place?, pattern: pattern?, fate, passive })
    }

    fn spawn(
        &mut self,
        children: &Children<'a>,
        parent: Name<'a>,
        to: Option<&Atom<'a>>,
        scope: &mut Scope<'a>,
    ) -> Option<Spawn> {
        let (child, count) = match children {
            Children::One(name) => {
                let entry = name.and_then(|name| scope.get(name.text));
                let child = entry.filter(|entry| entry.role == Role::Child);
                (child.map(|entry| entry.var), Some(1))
            }
            Children::Several(times) => (None, self.count(Some(times), 0)),
        };
        let parent = scope.get(parent.text).map(|entry| entry.var);
        let Some(to) = to else {
            return Some(Spawn {
                parent: parent?,
                child,
                count: count?,
                to: None,
                values: Vec::new(),
            });
        };
        let place = self.place_of_kind(to, PlaceKind::Flow, |name| {
            format!("threads start in flow places; write `put {name}` for a token")
        })?;
        let values = self.outputs(to, place, scope)?;
        Some(Spawn { parent: parent?, child, count: count?, to: Some(place), values })
    }

    fn report_no_parent(&mut self, parent: Name<'a>, scope: &Scope<'a>) {
        if self.model.skipped.contains(parent.text) {
            return;
        }
        let text = parent.text;
        let diagnostic =
            Diagnostic::error("E0504", format!("`{text}` takes no part in the transition"));
        let diagnostic = match scope.get(text) {
            Some(entry) if entry.role == Role::Child => diagnostic
                .at(parent.span, "this thread is only being created")
                .also(entry.span, "here")
                .help("let it have children in a transition of its own"),
            Some(entry) => diagnostic
                .at(parent.span, "only a thread that takes part has children")
                .also(entry.span, "this is not a thread that takes part")
                .help(format!("let it take part: `stay {text}: PLACE`")),
            None => diagnostic
                .at(parent.span, "no thread of this name")
                .help(format!("let it take part: `stay {text}: PLACE`, or `move` or `end` it")),
        };
        self.diagnostics.push(diagnostic);
    }

    /// Reports `take h: buffer`; tells whether it is that.
    pub(super) fn report_thread(&mut self, tokens: &Tokens<'a>, item: &str) -> bool {
        let Some(thread) = tokens.thread else { return false };
        let name = tokens.atom.place;
        let diagnostic = Diagnostic::error(
            "E0502",
            format!("`{}` is no flow place: no threads are there", name.text),
        );
        let span = thread.map_or(name.span, |thread| thread.span);
        self.diagnostics.push(diagnostic.at(span, "a thread means nothing here").help(format!(
            "write `{item} {}`; a pid in the token stands in parentheses",
            name.text
        )));
        true
    }
}
