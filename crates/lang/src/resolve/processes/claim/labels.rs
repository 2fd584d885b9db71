//! The labels that properties name: points of processes and functions, and arms.

use program::Source;
use program::claim::Labels;
use program::{Action, FunctionId, Label, LabelId, ProcessId, Routine, Statement};

use crate::resolve::processes::Lowering;
use crate::resolve::processes::declared::Decl;
use crate::syntax::Name;

/// The label at the beginning of a process, which no text has.
const START: &str = "$start";

impl<'a> Lowering<'a, '_, '_> {
    /// A label at the beginning of a process.
    pub(super) fn start_of(&mut self, process: ProcessId) -> Labels {
        let routine = &mut self.program.processes[process.index()];
        let known = routine.labels.iter().position(|label| label.name == START);
        let number = known.unwrap_or(routine.labels.len());
        let label = LabelId(u32::try_from(number).expect("fewer than bytes"));
        if known.is_none() {
            let origin = routine.origin;
            routine.labels.push(Label { name: START.into(), origin });
            routine.body.insert(0, Statement { action: Action::Label(label), origin });
        }
        vec![(Source::Process(process), label)]
    }

    /// A label of a process, or of a function that it calls.
    pub(super) fn label_named(&mut self, process: ProcessId, names: &[Name<'a>]) -> Option<Labels> {
        let (within, name) = match names {
            [within, name] => (Some(*within), *name),
            [name] => (None, *name),
            _ => unreachable!("one name or two"),
        };
        let own = &self.program.processes[process.index()];
        if within.is_none_or(|within| within.text == own.name)
            && let Some(label) = label_in(own, name)
        {
            return Some(vec![(Source::Process(process), label)]);
        }
        let found = self.labels_in_functions(within, name);
        if !found.is_empty() {
            return Some(found);
        }
        let own = &self.program.processes[process.index()];
        let labels = own.labels.iter().map(|label| label.name.clone());
        let labels: Vec<String> = labels.filter(|label| label != START).collect();
        let message = format!("`{}` has no label `{}`", own.name, name.text);
        self.error("E1003", message, name.span, "no such label")
            .help_nearest(name.text, labels.iter().map(String::as_str), "set one: `NAME:`")
            .report(self.resolver.diagnostics);
        None
    }

    /// A label of functions: of one of this name, or of all.
    fn labels_in_functions(&self, within: Option<Name<'a>>, name: Name<'a>) -> Labels {
        let functions = (0..).map(FunctionId).zip(&self.program.functions);
        let is_meant =
            |function: &Routine| within.is_none_or(|within| function.own_name() == within.text);
        let functions = functions.filter(|(_, function)| is_meant(function));
        let label = |(id, function): (FunctionId, &Routine)| {
            Some((Source::Function(id), label_in(function, name)?))
        };
        functions.filter_map(label).collect()
    }

    /// Arms of a `select`, by the process or function that they are in, and their label.
    pub(super) fn arm_named(&mut self, routine: Name<'a>, label: Name<'a>) -> Option<Labels> {
        let name = format!("{}.{}", routine.text, label.text);
        if !self.arms.contains(&name) {
            let known: Vec<String> = self.arms.iter().cloned().collect();
            let message = format!("there is no arm named `{name}`");
            self.error("E0803", message, routine.span.to(label.span), "no such arm")
                .help_nearest(&name, known.iter().map(String::as_str), "label an arm: `NAME: …`")
                .report(self.resolver.diagnostics);
            return None;
        }
        if let Some(Decl::Process(decl)) = self.decl(routine) {
            let id = self.process(decl, routine.span)?;
            let found = label_in(&self.program.processes[id.index()], label)?;
            return Some(vec![(Source::Process(id), found)]);
        }
        Some(self.labels_in_functions(Some(routine), label))
    }
}

/// The label of a routine that has this name.
fn label_in(routine: &Routine, name: Name<'_>) -> Option<LabelId> {
    let at = routine.labels.iter().position(|label| label.name == name.text)?;
    Some(LabelId(u32::try_from(at).expect("fewer than bytes")))
}
