//! The language of .kin models: syntax, types, diagnostics, formatter.
//!
//! [`compile`] turns a text into a [`net::Net`], or says everything that is wrong with it;
//! [`compile_with_property`] and [`assumed()`] are for what is asked of a model and not written in it;
//! [`format()`] gives the text in its canonical layout; [`highlight()`] says what its parts are; [`write()`] gives the
//! text of a net; [`front`] is for other front ends that want expressions and properties to be those of this
//! language. The language itself is described in `docs/language.md`.
//!
//! The way of a text: `lexer` (tokens), `parser` (syntax tree, recovering), `resolve` (names, types,
//! constants; the net). Nothing that can be typed panics, exhausts the stack, or costs more than about
//! linear time: the size of a file, the depth of expressions, the multiplicities and the number of
//! diagnostics are limited.

mod added;
mod assumed;
mod format;
pub mod front;
mod highlight;
mod keyword;
mod lexer;
pub mod names;
mod operator;
mod orders;
mod parser;
mod region;
mod resolve;
mod soft;
mod syntax;
pub mod words;
mod write;

pub use added::{Added, compile_with_property};
pub use assumed::{Unassumable, assumed};
pub use format::format;
pub use highlight::{Highlight, HighlightKind, highlight};
pub use write::{
    with_too_many_orders, write, write_arc, write_expr, write_guard, write_inhibitor,
    write_pattern, write_transition,
};

use diagnostics::{Diagnostic, Diagnostics, Explanations, Report, Span};

/// What the codes mean. E00: the text as a whole. E01: syntax. E02: names. E03: types. E04: numbers. E05:
/// threads and places. E06: constants given from outside. E07: classes and their symmetry. E08: fairness. E09:
/// fresh classes and owned places. E10: processes. W: warnings.
pub const EXPLANATIONS: Explanations = Explanations(include_str!("explain.md"));

/// No text longer than this is read, in bytes.
pub const LONGEST_TEXT: usize = 16 << 20;

/// A constant given from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The name of the constant.
    pub name: String,
    /// Its value, as it would be written in a model: an integer, `true`, `false` or a member.
    pub value: String,
}

/// The objects that every model has, written in the language itself. Origins in it start after the text of the model
/// and a line break.
pub const PRELUDE: &str = include_str!("prelude.kin");

/// What became of a text.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// The net, if there is no error. What processes do is part of it.
    pub net: Option<net::Net>,
    /// The processes, if the model has any and there is no error.
    pub processes: Option<Processes>,
    /// Everything that was found in the text, in its order.
    pub diagnostics: Report,
}

/// The processes of a model.
#[derive(Clone, Debug)]
pub struct Processes {
    /// What they do. Its text is that of the model, with the prelude behind it.
    pub program: program::Program,
    /// What is claimed of them.
    pub claims: Vec<program::claim::Claim>,
    /// What of them is observed, by what is claimed.
    pub observed: program::Observed,
    /// Where they stop, in the net.
    pub points: Vec<process::Point>,
    /// The transitions of arms that have a label.
    pub arms: Vec<LabelledArm>,
    /// How many conditions were looked at to translate them: what it has cost.
    pub conditions: usize,
}

/// A transition of an arm that has a label.
pub type LabelledArm = (program::Source, program::LabelId, net::TransitionId);

/// Compiles a model, with some of its constants given from outside, each at most once. One without a name is called
/// [`UNNAMED`].
#[must_use]
pub fn compile(text: &str, overrides: &[Override]) -> Compilation {
    compile_named(text, UNNAMED, overrides)
}

/// What a model is called that has no name, nor a file that has one.
pub const UNNAMED: &str = "unnamed";

/// The same with what the model is called if it has no name of its own.
#[must_use]
pub fn compile_named(text: &str, name: &str, overrides: &[Override]) -> Compilation {
    let mut compilation = compile_own(text, overrides);
    if let Some(net) = compilation.net.as_mut().filter(|net| net.name.is_empty()) {
        name.clone_into(&mut net.name);
    }
    compilation
}

/// The same, but the net of a model without a name has none.
fn compile_own(text: &str, overrides: &[Override]) -> Compilation {
    let mut diagnostics = Diagnostics::default();
    if let Some(diagnostics) = too_long(text).or_else(|| in_go(text)) {
        return Compilation { net: None, processes: None, diagnostics };
    }
    let model = parser::parse(text, &mut diagnostics);
    if model.has_processes() {
        return compile_processes(text, &model, overrides, diagnostics);
    }
    let mut resolver = resolve::Resolver::new(&model, &mut diagnostics);
    resolver.declare(overrides);
    let net = resolver.finish_whole();
    let net = if diagnostics.has_errors() { None } else { Some(net) };
    Compilation { net, processes: None, diagnostics: diagnostics.finish(text) }
}

/// Compiles a model that has processes.
fn compile_processes(
    text: &str,
    model: &syntax::Model<'_>,
    overrides: &[Override],
    mut diagnostics: Diagnostics,
) -> Compilation {
    let whole = format!("{text}\n{PRELUDE}");
    let start = text.len() + 1;
    let prelude = parser::parse_after(&whole, start, &mut diagnostics);
    let mut resolver = resolve::Resolver::new(model, &mut diagnostics);
    resolver.declare(overrides);
    let (base, mut program, claims) = resolver.finish_with_processes(&prelude, start);
    let mut compilation =
        Compilation { net: None, processes: None, diagnostics: Report::default() };
    if !diagnostics.has_errors() {
        (program.text, program.prelude) = (whole, Some(start));
        program::mark_sure(&mut program);
        debug_assert!(program::check(&program).is_ok(), "{:?}", program::check(&program));
        let mut observed = program::Observed::of(&claims);
        observed.races = true;
        match process::compile(&program, &base, &observed, &claims) {
            Ok(process::Translation { mut net, points, arms, conditions }) => {
                note_arms(&mut net, &program, &arms);
                let claim = |property: &net::Property| {
                    let of_processes = claims.iter().find(|claim| claim.name == property.name);
                    of_processes.cloned().unwrap_or_else(|| property.into())
                };
                let claims = net.properties.iter().map(claim).collect();
                compilation.net = Some(net);
                compilation.processes =
                    Some(Processes { program, claims, observed, points, arms, conditions });
            }
            Err(refusals) => refuse(refusals, text, &mut diagnostics),
        }
    }
    compilation.diagnostics = diagnostics.finish(text);
    compilation
}

/// Notes the transitions of arms of which fairness may be assumed.
fn note_arms(net: &mut net::Net, program: &program::Program, arms: &[LabelledArm]) {
    for (source, label, transition) in arms {
        let routine = source.of(program);
        let name = format!("{}.{}", routine.own_name(), routine.labels[label.index()].name);
        if let Some(action) = net.actions.iter_mut().find(|action| action.name == name) {
            action.transitions.push(*transition);
        }
    }
}

/// Where something is written in the text of a model. What is in the prelude is nowhere in it.
#[must_use]
pub fn in_text(text: &str, origin: net::Origin) -> Option<std::ops::Range<usize>> {
    origin.range().filter(|range| range.end <= text.len())
}

/// Reports what cannot be compiled. The prelude's own statements have no place in the text.
fn refuse(refusals: Vec<program::Refusal>, text: &str, diagnostics: &mut Diagnostics) {
    for program::Refusal { origin, what, help } in refusals {
        let error = Diagnostic::error("E1019", what).help(help);
        diagnostics.report(|| match in_text(text, origin) {
            Some(range) => error.at(Span::new(range), "here"),
            None => error,
        });
    }
}

fn too_long(text: &str) -> Option<Report> {
    (text.len() > LONGEST_TEXT).then(|| {
        let limit = LONGEST_TEXT >> 20;
        let message = format!("the text is longer than {limit} MiB, which is the limit");
        let error = Diagnostic::error("E0001", message)
            .at(Span::default(), "")
            .help("use constants, parameters and multiplicities rather than many similar lines");
        Report::of(error, "")
    })
}

/// What is said of a text that is a Go program: `package NAME` is the first thing in it but comments.
fn in_go(text: &str) -> Option<Report> {
    let mut code = text.trim_start();
    while let Some(comment) = code.strip_prefix("//").or_else(|| code.strip_prefix("/*")) {
        let end = if code.starts_with("//") { "\n" } else { "*/" };
        code = comment.split_once(end)?.1.trim_start();
    }
    let name = code.strip_prefix("package")?.strip_prefix([' ', '\t'])?.trim_start();
    let length = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    let rest = name[length..].trim_start_matches([' ', '\t', '\r']);
    let is_alone = rest.is_empty() || rest.starts_with(['\n', ';', '/']);
    (length > 0 && is_alone).then(|| {
        let start = text.len() - code.len();
        let end = text.len() - name.len() + length;
        let error = Diagnostic::error("E0114", "this is a Go program")
            .at(Span::new(start..end), "a file of Go begins like this")
            .help("give the file a name that ends in `.go`: `kinfold check main.go` checks it as it is");
        Report::of(error, text)
    })
}
