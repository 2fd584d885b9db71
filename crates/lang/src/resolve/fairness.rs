//! What is assumed of runs, and of whom.
//!
//! A name by itself is a transition or a class. These have different namespaces, so it may be both; then
//! the model has to say which. Each assumption is made once, and not weakly where it is made strongly.
//! The cost is linear in the assumptions and in the transitions.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use net::{ActionId, EnumId, Fairness, Kind, Strength, Transition, Whom};

use super::Resolver;
use super::names::{Meaning, Unknown};
use crate::syntax::{DeclarationKind, Name, Whom as WhomSyntax, WhomKind};
use diagnostics::{Diagnostic, Span};

impl<'a> Resolver<'a, '_> {
    pub(super) fn fairness(&mut self) {
        let model = self.model;
        // After a mistake elsewhere it is not known what the model lacks.
        let is_whole = !self.diagnostics.has_errors();
        let bound: HashSet<EnumId> = self.net.transitions.iter().flat_map(bound_classes).collect();
        let mut assumed: HashMap<Whom, (Strength, Span)> = HashMap::new();
        for declaration in &model.declarations {
            let DeclarationKind::Fair { strength, whom } = &declaration.kind else { continue };
            for written in whom {
                let Some(of) = self.whom(written) else { continue };
                let name = written.name;
                match assumed.entry(of) {
                    Entry::Occupied(mut first) => {
                        let (before, span) = *first.get();
                        self.report_assumed(name, *strength, (before, span));
                        if *strength > before {
                            first.insert((*strength, name.span));
                        }
                        continue;
                    }
                    Entry::Vacant(first) => first.insert((*strength, name.span)),
                };
                if is_whole {
                    self.check_somebody(of, name, &bound);
                }
                self.net.fairness.push(Fairness { strength: *strength, of });
            }
        }
    }

    fn whom(&mut self, whom: &WhomSyntax<'a>) -> Option<Whom> {
        let WhomSyntax { kind, name, routine } = *whom;
        if let Some(routine) = routine {
            return self.arm(routine, name);
        }
        let transition = self.transition_names.get(name.text).copied();
        let class = match self.meaning(name.text) {
            Some((Meaning::Enumeration(id), span)) => Some((id, span)),
            _ => None,
        };
        if let Some((Meaning::Fresh(_), span)) = self.meaning(name.text)
            && (kind == WhomKind::Class || kind == WhomKind::Either && transition.is_none())
        {
            let text = name.text;
            Diagnostic::error("E0901", format!("fairness of `{text}` cannot be assumed"))
                .at(name.span, "this is a fresh class: nobody knows how many objects it has")
                .also(span, "declared here")
                .help("assume fairness of threads, or of transitions")
                .report(self.diagnostics);
            return None;
        }
        let of_transition = transition.map(|(id, _)| self.net.whom(id));
        let of_class = class.map(|(id, _)| Whom::Class(id));
        let (found, unknown) = match kind {
            WhomKind::Threads => return Some(Whom::Threads),
            WhomKind::Arm => unreachable!("it is in a routine"),
            WhomKind::Transition => (of_transition, Unknown::Transition),
            WhomKind::Class => (of_class, Unknown::Class),
            WhomKind::Either => {
                if let (Some((_, transition)), Some((id, class))) = (transition, class) {
                    let (text, word) = (name.text, self.word(Meaning::Enumeration(id)));
                    Diagnostic::error("E0213", format!("`{text}` is a transition and {word}"))
                        .at(name.span, "which of them is meant?")
                        .also(transition, "the transition")
                        .also(class, format!("the {}", word.rsplit(' ').next().unwrap_or(word)))
                        .help(format!("write `transition {text}` or `class {text}`"))
                        .report(self.diagnostics);
                    return None;
                }
                (of_transition.or(of_class), Unknown::Whom)
            }
        };
        if found.is_none() {
            self.report_unknown(unknown, name);
        }
        found
    }

    /// An arm of a `select`, by the process or function that it is in, and its label.
    fn arm(&mut self, routine: Name<'a>, label: Name<'a>) -> Option<Whom> {
        let name = format!("{}.{}", routine.text, label.text);
        let actions = &self.net.actions;
        if let Some(at) = actions.iter().position(|action| action.name == name) {
            return Some(Whom::Action(ActionId(u32::try_from(at).expect("fewer than bytes"))));
        }
        let known: Vec<String> = actions.iter().map(|action| action.name.clone()).collect();
        let help = "name an arm: `select { stopping: stop.receive() { … } }`";
        Diagnostic::error("E0803", format!("there is no arm named `{name}`"))
            .at(routine.span.to(label.span), "fairness is assumed of an arm of a `select`")
            .help_nearest(&name, known.iter().map(String::as_str), help)
            .report(self.diagnostics);
        None
    }

    fn report_assumed(
        &mut self,
        name: Name<'a>,
        strength: Strength,
        (before, first): (Strength, Span),
    ) {
        let text = name.text;
        let diagnostic = if strength == before {
            Diagnostic::error("E0802", format!("fairness of `{text}` is assumed twice"))
                .at(name.span, "a second time")
                .also(first, "the first time")
                .help("leave one of them out")
        } else {
            let [weak, strong] = match strength {
                Strength::Weak => [name.span, first],
                Strength::Strong => [first, name.span],
            };
            Diagnostic::error("E0802", format!("strong fairness of `{text}` includes weak"))
                .at(weak, "assumed weakly here")
                .also(strong, "and strongly here")
                .help("leave the weak one out")
        };
        self.diagnostics.push(diagnostic);
    }

    /// Reports fairness of whom there is none. The classes given have members that modes bind.
    fn check_somebody(&mut self, of: Whom, name: Name<'a>, bound: &HashSet<EnumId>) {
        let text = name.text;
        let diagnostic = match of {
            Whom::Threads if !self.net.has_threads() && !self.model.has_processes() => {
                let is_name = self.transition_names.contains_key(text)
                    || matches!(self.meaning(text), Some((Meaning::Enumeration(_), _)));
                let flow = self.net.places.iter().find(|place| place.is_flow());
                let label = match flow {
                    Some(_) => "no thread starts, so there is never any",
                    None => "the model has no flow place",
                };
                let help = match flow {
                    _ if is_name => {
                        "what is called `threads` is meant by the name in backticks".into()
                    }
                    Some(flow) => format!("start one with `start {}`", flow.name),
                    None => {
                        "declare where threads are: `flow PLACE`; or assume fairness of transitions"
                            .into()
                    }
                };
                Diagnostic::error("E0801", "fairness of threads is assumed, and there are none")
                    .at(name.span, label)
                    .help(help)
            }
            Whom::Class(id) if !bound.contains(&id) => Diagnostic::warning(
                "W0002",
                format!("fairness of `{text}` assumes nothing"),
            )
            .at(name.span, "no transition binds a variable to one of its members")
            .also(self.classes[id.index()].span, "declared here")
            .help("where members are taken or read, write a variable rather than `_` or `all`"),
            _ => return,
        };
        self.diagnostics.push(diagnostic);
    }
}

/// The classes to whose members the modes of a transition bind variables. What is local to an `unless`, or
/// goes through all members, is bound by no mode.
fn bound_classes(transition: &Transition) -> impl Iterator<Item = EnumId> {
    let kinds = transition.bound_variables().map(|var| transition.variables[var.index()].kind);
    kinds.filter_map(|kind| if let Kind::Enum(id) = kind { Some(id) } else { None })
}
