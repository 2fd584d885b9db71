//! From processes as written to a [`Program`].
//!
//! Names are looked up, types checked, type parameters filled in; what is sugar in the text is spelt out. Whatever is
//! asked for is made once, when it is first asked for: an object type for its type arguments, a function or a step
//! for the types of its parameters. Bodies wait in a queue until it is their turn, so that nothing is as deep as the
//! text is long. Of the prelude only what is used is made.
//!
//! A parameter of construction that is an `int` has the range that all `new`s of the program give it. So the whole
//! is done again until nothing changes: from round to round the ranges of the round before are taken for true.

mod argument;
mod assign;
mod body;
mod call;
mod check;
mod claim;
mod collection;
mod construct;
mod declared;
mod element;
mod expression;
mod fit;
mod instance;
mod interval;
mod loops;
mod meet;
mod member;
mod object;
mod operator;
mod predicate;
mod select;
mod statement;
mod types;
mod unknown;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use net::Origin;
use program::claim::Claim;
use program::{FunctionId, Global, Named, ObjectId, ProcessId, Program, RecordId, Type, VariantId};

use super::Resolver;
use super::names::SUGGESTIONS;
use crate::syntax::process::FunctionDecl;
use crate::syntax::{Model, Name};
use body::{Body, Kind};
use declared::{Decl, Declared};
use diagnostics::{Diagnostic, Diagnostics, Reported, Span};
use instance::Work;
use object::{Members, ObjectInfo};

/// The ranges of the numbers that objects are made with, by the name of the object type and the parameter.
type Ranges = HashMap<(usize, String, usize), (i64, i64)>;

/// After as many rounds the ranges do not come to rest.
const ROUNDS: usize = 12;
/// The range of a number that an object would be made with, if it were made.
const UNMADE: (i64, i64) = (0, 16);
/// No program has more object types, functions and steps than this.
const INSTANCES: usize = 4096;

impl<'a> Resolver<'a, '_> {
    /// The net of what is not said of processes, the program, and what is claimed of it. Of the text of the model and
    /// the prelude, the latter starts at `start`. Meaningful only if nothing is reported as an error.
    pub(crate) fn finish_with_processes(
        mut self,
        prelude: &'a Model<'a>,
        start: usize,
    ) -> (net::Net, Program, Vec<Claim>) {
        self.report_net_beside_processes();
        self.start_threads();
        self.initial_tokens();
        self.check_initial();
        self.transitions();
        let names = Declared::of(&mut self, prelude, start);
        let (mut program, claims) = self.program(&names);
        program.enumerations.clone_from(&self.net.enumerations);
        self.fairness();
        self.properties(|formula| !claim::speaks_of_processes(formula, &names));
        (self.net, program, claims)
    }

    /// The program that the processes of the model are, with what they use of the prelude, and what is claimed of it.
    fn program(&mut self, names: &Declared<'a>) -> (Program, Vec<Claim>) {
        let mut ranges = Ranges::new();
        for number in 0.. {
            let mut round = self.round(names, &ranges, number == ROUNDS);
            if round.found != ranges && number < ROUNDS {
                ranges = round.found;
                continue;
            }
            if round.diagnostics.has_errors() && !round.unmade.is_empty() {
                // What is never made may be made with any number: it is no mistake that one does not fit.
                ranges.extend(round.unmade.drain(..).map(|key| (key, UNMADE)));
                round.diagnostics = self.round(names, &ranges, false).diagnostics;
            }
            self.diagnostics.extend(round.diagnostics);
            let action = |name| net::Action { name, transitions: Vec::new() };
            // They come first: an arm is found by its name.
            self.net.actions.splice(0..0, round.arms.into_iter().map(action));
            return (round.program, round.claims);
        }
        unreachable!("the last round returns")
    }

    /// Makes the program with these ranges.
    fn round(&mut self, names: &Declared<'a>, ranges: &Ranges, is_last: bool) -> Round {
        let before = std::mem::take(self.diagnostics);
        let unknown = std::mem::take(&mut self.unknown);
        let distinguished = std::mem::take(&mut self.distinguished);
        let mut lowering = Lowering::new(self, names, ranges);
        let claims = lowering.run();
        if is_last && lowering.found != *ranges {
            lowering.report_growing();
        }
        let unmade = lowering.unmade();
        let Lowering { program, found, arms, .. } = lowering;
        let diagnostics = std::mem::replace(self.diagnostics, before);
        (self.unknown, self.distinguished) = (unknown, distinguished);
        Round { program, claims, found, unmade, arms, diagnostics }
    }
}

/// What is made with the ranges of the round before.
struct Round {
    program: Program,
    claims: Vec<Claim>,
    /// The ranges that were met.
    found: Ranges,
    /// The numbers of objects that are never made.
    unmade: Vec<(usize, String, usize)>,
    arms: BTreeSet<String>,
    diagnostics: Diagnostics,
}

/// Makes a program.
struct Lowering<'a, 'r, 'd> {
    resolver: &'r mut Resolver<'a, 'd>,
    names: &'r Declared<'a>,
    ranges: &'r Ranges,
    /// The ranges that were met in this round.
    found: Ranges,
    program: Program,
    objects: Vec<ObjectInfo<'a>>,
    /// What can be done to objects, by where they are declared.
    members: HashMap<usize, Rc<Members<'a>>>,
    object_ids: HashMap<(usize, Vec<Type>), ObjectId>,
    function_ids: HashMap<(usize, Option<ObjectId>, Vec<Type>), FunctionId>,
    process_ids: HashMap<usize, ProcessId>,
    record_ids: HashMap<usize, RecordId>,
    variant_ids: HashMap<usize, VariantId>,
    /// How many numbers values of these types consist of.
    record_widths: HashMap<RecordId, u64>,
    variant_widths: HashMap<VariantId, u64>,
    /// How deep the type at hand is within others.
    nesting: usize,
    /// The records and enumerations whose components are being looked at, and whether one of them was met again.
    open_types: Vec<usize>,
    is_circular: bool,
    /// The record without components.
    unit: Option<RecordId>,
    /// The globals by name, with their numbers in the program.
    globals: HashMap<&'a str, u32>,
    queue: VecDeque<Work<'a>>,
    instances: usize,
    is_overfull: bool,
    /// Which steps call which.
    step_calls: Vec<(check::StepKey, check::StepKey, Span)>,
    /// The names of arms: `worker.stopping`.
    arms: BTreeSet<String>,
    /// Names that were reported, each once in a body.
    reported: HashMap<&'a str, Reported>,
    /// Warnings that were given, as instances of one text give them again.
    warned: HashSet<(u32, &'static str)>,
    body: Body<'a>,
}

impl<'a, 'r, 'd> Lowering<'a, 'r, 'd> {
    fn new(
        resolver: &'r mut Resolver<'a, 'd>,
        names: &'r Declared<'a>,
        ranges: &'r Ranges,
    ) -> Lowering<'a, 'r, 'd> {
        Lowering {
            resolver,
            names,
            ranges,
            found: Ranges::new(),
            program: Program::default(),
            objects: Vec::new(),
            members: HashMap::new(),
            object_ids: HashMap::new(),
            function_ids: HashMap::new(),
            process_ids: HashMap::new(),
            record_ids: HashMap::new(),
            variant_ids: HashMap::new(),
            record_widths: HashMap::new(),
            variant_widths: HashMap::new(),
            nesting: 0,
            open_types: Vec::new(),
            is_circular: false,
            unit: None,
            globals: HashMap::new(),
            queue: VecDeque::new(),
            instances: 0,
            is_overfull: false,
            step_calls: Vec::new(),
            arms: BTreeSet::new(),
            reported: HashMap::new(),
            warned: HashSet::new(),
            body: Body::new(Kind::Constant, Span::default()),
        }
    }

    /// Makes everything that the model declares, and what that asks for.
    fn run(&mut self) -> Vec<Claim> {
        self.globals();
        self.declared_by_the_model();
        loop {
            while let Some(work) = self.queue.pop_front() {
                self.work(work);
            }
            if !self.meetings() {
                break;
            }
        }
        self.check_step_calls();
        self.claims()
    }

    /// The numbers that objects would be made with which are never made.
    fn unmade(&self) -> Vec<(usize, String, usize)> {
        let keys = self.objects.iter().flat_map(|info| {
            let ints = (0..).zip(&info.decl.parameters).filter(|(_, one)| one.of.is_int());
            ints.map(|(number, _)| (address(info.decl), info.name.clone(), number))
        });
        keys.filter(|key| !self.found.contains_key(key)).collect()
    }

    /// Reports that the ranges of numbers that objects are made with have changed in this round, too, and nothing else.
    fn report_growing(&mut self) {
        let grows = |info: &&ObjectInfo<'a>, number: usize| {
            let key = (address(info.decl), info.name.clone(), number);
            self.found.get(&key) != self.ranges.get(&key)
        };
        let growing = self.objects.iter().find_map(|info| {
            let mut numbers = 0..info.decl.parameters.len();
            Some((info, &info.decl.parameters[numbers.find(|number| grows(&info, *number))?]))
        });
        let error = match growing {
            Some((info, parameter)) => {
                let name = parameter.name;
                let is_own = !self.names.is_prelude(name.span);
                let place = if is_own { name.span } else { info.used };
                let message =
                    format!("the numbers that `{}` is made with grow and grow", info.name);
                let label = format!("`{}` is given greater and greater values", name.text);
                Diagnostic::error("E1013", message).at(place, label)
            }
            None => {
                let message = "the numbers that objects are made with do not come to rest";
                Diagnostic::error("E1013", message)
            }
        };
        let help = "give the parameter a range of its own, such as `0..=3`";
        *self.resolver.diagnostics = Diagnostics::default();
        self.resolver.diagnostics.push(error.help(help));
    }

    /// The shared variables, in the order in which they are declared. One may use those before it.
    fn globals(&mut self) {
        for declaration in &self.resolver.model.declarations {
            let crate::syntax::DeclarationKind::Shared(decl) = &declaration.kind else { continue };
            self.body = Body::new(Kind::Constant, decl.initial.span);
            self.body.refuse("the first value of a shared variable");
            let declared = decl.of.as_ref().map(|of| self.type_of(of));
            let (of, initial) = match declared {
                Some(None) => {
                    if !call::needs_type(&decl.initial) {
                        self.expr(&decl.initial, None);
                    }
                    continue;
                }
                Some(Some(of)) => match self.fitting(&decl.initial, &of, "the first value") {
                    Some(value) => (of, value),
                    None => continue,
                },
                None => match self.expr(&decl.initial, None) {
                    Some(value) => (value.of.clone(), value),
                    None => continue,
                },
            };
            let of = match (&decl.of, of) {
                (None, Type::Int { min, max }) if min == max => {
                    self.report_unknown_range(decl.name, min);
                    Type::Int { min, max }
                }
                (_, of) => of,
            };
            let number = u32::try_from(self.program.globals.len()).expect("fewer than bytes");
            let variable = self.named_variable(decl.name, of);
            self.program.globals.push(Global { variable, initial, atomic: decl.atomic });
            self.globals.insert(decl.name.text, number);
        }
    }

    fn named_variable(&self, name: Name<'a>, of: Type) -> Named {
        Named { name: name.text.into(), of, origin: origin(name.span) }
    }

    /// Reports a variable that would always have the same value.
    fn report_unknown_range(&mut self, name: Name<'a>, value: i64) {
        let text = name.text;
        self.error("E1011", format!("the range of `{text}` is not known"), name.span, "no type")
            .help(format!("write `{text}: 0..=3 = {value}`, say"))
            .report(self.resolver.diagnostics);
    }

    /// Whatever the model itself declares is made, used or not, so that mistakes in it are found.
    fn declared_by_the_model(&mut self) {
        let model = self.resolver.model;
        let mut main = None;
        let mut processes = Vec::new();
        for declaration in &model.declarations {
            use crate::syntax::DeclarationKind::*;
            match &declaration.kind {
                Process(decl) => {
                    processes.push(decl.name);
                    let id = self.process(decl, decl.name.span);
                    if decl.name.text == "main" {
                        main = id;
                        self.check_main(decl);
                    }
                }
                Function(decl) if self.is_plain(decl) => {
                    self.check_recursion(decl);
                    self.function(decl, None, Vec::new(), decl.name.span);
                }
                Function(decl) => self.check_recursion(decl),
                Object(decl) => {
                    self.check_members(decl);
                    if decl.types.is_empty()
                        && let Some(id) = self.object(decl, Vec::new(), decl.name.span)
                    {
                        self.whole_object(id);
                    }
                }
                Record(decl) => _ = self.record(decl),
                Variant(decl) => _ = self.variant(decl),
                _ => {}
            }
        }
        self.program.main = main;
        let is_lost = self.resolver.model.skipped.contains("main");
        let is_net = !self.resolver.is_still();
        if !is_lost && !is_net && main.is_none() && !self.names.is_declared("main") {
            self.report_no_main(&processes);
        }
    }

    /// Reports that no process starts by itself, given those that there are.
    fn report_no_main(&mut self, processes: &[Name<'a>]) {
        let near = |name: &str| {
            name.eq_ignore_ascii_case("main") || diagnostics::nearest(name, ["main"]).is_some()
        };
        let meant = processes.iter().find(|name| near(name.text));
        let error = Diagnostic::error("E0004", "nothing starts: no process is called `main`");
        self.resolver.diagnostics.push(match (meant, processes) {
            (Some(meant), _) => error
                .at(meant.span, "did you mean `main`?")
                .help("the process that is called `main` starts by itself, and starts the others"),
            (None, [first, ..]) => {
                let call = format!("`process main {{ spawn {}(…) }}`", first.text);
                error
                    .at(first.span, "it is started by no one")
                    .help(format!("`main` starts by itself, and starts the others: {call}, say"))
            }
            (None, []) => error.at(Span::default(), "").help(
                "write `process main { … }`: it starts by itself, and starts others by `spawn`",
            ),
        });
    }

    fn check_main(&mut self, decl: &'a FunctionDecl<'a>) {
        if let Some(parameter) = decl.parameters.first() {
            let message = "`main` starts by itself, so it has no parameters";
            self.error("E1006", message, parameter.name.span, "nobody gives it a value")
                .help("use a `shared` variable or a `const`")
                .report(self.resolver.diagnostics);
        }
    }

    /// Where something is said about a place: what is in the prelude was asked for by the model.
    fn place(&self, span: Span) -> Span {
        if self.names.is_prelude(span) { self.body.used } else { span }
    }

    /// An error at a place.
    fn error(
        &self,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::error(code, message).at(self.place(span), label)
    }

    /// Warns once of something in the text.
    fn warn(&mut self, warning: Diagnostic, span: Span) {
        if !self.names.is_prelude(span) && self.warned.insert((span.start, warning.code)) {
            self.resolver.diagnostics.push(warning);
        }
    }

    /// Reports a name without looking for near ones, if that was done often enough. It costs a walk over all names.
    fn is_plainly_reported(&mut self, name: Name<'a>) -> bool {
        if self.resolver.diagnostics.len() <= SUGGESTIONS {
            return false;
        }
        let message = format!("there is nothing named `{}`", name.text);
        self.error("E1008", message, name.span, "not declared").report(self.resolver.diagnostics);
        true
    }

    /// What a name stands for that is declared by the model, or by the prelude.
    fn decl(&self, name: Name<'a>) -> Option<Decl<'a>> {
        self.names.find(name)
    }
}

/// Where something is written.
fn origin(span: Span) -> Origin {
    Origin::new(span.range())
}

/// What a part of the syntax tree is known by.
fn address<T>(part: &T) -> usize {
    std::ptr::from_ref(part).addr()
}
