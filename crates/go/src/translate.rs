//! From the files of a package to a text in `.kin`, and from there to a net.

use std::rc::Rc;

use diagnostics::{Diagnostic, Diagnostics, Report, Span};

use crate::fx::Fx;
use crate::language::Rounds;
use crate::listing::relate;
use crate::names::string_name;
use crate::packages::is_qualified;
use crate::routine::is_endless;
use crate::syntax::*;
use crate::types::{Lib, Ty};
use crate::world::{Item, Line, Options, World, refuse_as};

/// No program longer than this is read, in bytes.
const LONGEST: usize = 4 << 20;

/// How often a program is translated again with what was found, at most.
const ROUNDS: usize = 6;

/// A file of a package.
#[derive(Clone, Copy, Debug)]
pub struct Source<'t> {
    /// What it is called.
    pub name: &'t str,
    /// What is in it.
    pub text: &'t str,
}

/// A program as processes.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    /// The processes, unless something was refused.
    pub kin: Option<String>,
    /// For each line of them, the part of the Go text that it was made of.
    pub lines: Vec<(u32, u32)>,
    /// The names of functions, by those they have in `.kin`.
    pub shown: std::collections::BTreeMap<String, String>,
    /// The strings that are told apart, each after what it is called in `.kin`.
    pub strings: Vec<(String, String)>,
    /// The functions that were taken to do nothing, as `--assume` asks.
    pub assumed: Vec<String>,
    /// What was found in the text.
    pub diagnostics: Report,
    /// The text of all files, one after the other, in which things have their places.
    pub text: String,
}

/// A program as a net.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// The net, if there is no error.
    pub net: Option<net::Net>,
    /// The translation.
    pub translation: Translation,
    /// The processes that it became.
    pub processes: Option<lang::Processes>,
    /// What was found in the text.
    pub diagnostics: Report,
}

/// Translates a program, and compiles what comes of it, with some of the constants of that given.
#[must_use]
pub fn compile(files: &[Source<'_>], set: &[lang::Override], options: &Options) -> Compilation {
    let translation = translate(files, options);
    let Some(kin) = &translation.kin else {
        let diagnostics = translation.diagnostics.clone();
        return Compilation { net: None, translation, processes: None, diagnostics };
    };
    let mut compiled = lang::compile(kin, set);
    let mut diagnostics = translation.diagnostics.clone();
    match &mut compiled.net {
        Some(net) => relate(net, &translation, files),
        None => diagnostics = crate::listing::internal(&compiled.diagnostics, &translation),
    }
    let lang::Compilation { net, processes, .. } = compiled;
    Compilation { net, translation, processes, diagnostics }
}

/// Translates a program.
#[must_use]
pub fn translate(files: &[Source<'_>], options: &Options) -> Translation {
    let text: String = files.iter().flat_map(|file| [file.text, "\n"]).collect();
    if text.len() > LONGEST {
        let message =
            format!("the program is longer than {} MiB, which is the limit", LONGEST >> 20);
        let error =
            Diagnostic::error("G0001", message).at(Span::default(), "").help("check a part of it");
        let diagnostics = Report::of(error, "");
        return Translation { diagnostics, ..Translation::default() };
    }
    // What is known only at the end is told to the next translation, until there is nothing new. What is told only grows.
    let whole = crate::packages::with_packages(&text);
    let texts = (&*text, &*whole);
    let mut outcome = attempt(files, texts, options, &Told::default());
    for _ in 0..ROUNDS {
        let Some(told) = outcome.again.take() else { break };
        outcome = attempt(files, texts, options, &told);
    }
    outcome.translation
}

struct Outcome {
    translation: Translation,
    again: Option<Told>,
}

/// What a translation tells the next.
#[derive(Clone, Debug, Default, PartialEq)]
struct Told {
    /// There are strings of which nothing is known.
    vague: bool,
    /// The program may end itself.
    exits: bool,
    /// The capacities that channels may have.
    sizes: Vec<i128>,
    /// Structs are put into interfaces.
    struct_cases: bool,
    /// Panics are recovered, or goroutines exit.
    unwinds: bool,
    /// What is kept in objects of its own, since its address is taken.
    boxes: crate::boxes::Boxes,
    /// Slices that share their elements.
    sharing: crate::slices::Sharing,
    /// The language is one in which each round of a loop has variables of its own.
    own_rounds: bool,
    /// There are contexts of the program's own.
    own_contexts: bool,
    /// The fields that change.
    assigned: crate::assigned::Assigned,
}

/// One translation. The texts are that of the program, and that with the packages which are written in Go.
fn attempt(
    files: &[Source<'_>],
    (text, all): (&str, &str),
    options: &Options,
    told: &Told,
) -> Outcome {
    let mut found = Diagnostics::default();
    let mut whole = File::default();
    let mut directives = Vec::new();
    let mut base = 0;
    for file in files {
        let (parsed, more) = crate::parser::parse(file.text, base, &mut found);
        if whole.package != parsed.package && base > 0 {
            let (one, other) = (&whole.package, &parsed.package);
            let message = format!("the files are of two packages: `{one}` and `{other}`");
            let at = Span::new(base as usize..base as usize + 1);
            let help = "check the files of one package at a time";
            found.push(Diagnostic::error("G0503", message).at(at, "here").help(help));
        }
        base += file.text.len() as u32 + 1;
        whole.package = parsed.package;
        whole.decls.extend(parsed.decls);
        directives.extend(more);
    }
    let failed = |found: Diagnostics| {
        let diagnostics = found.finish(text);
        let translation =
            Translation { diagnostics, text: text.to_owned(), ..Translation::default() };
        Outcome { translation, again: None }
    };
    if found.has_errors() {
        return failed(found);
    }
    let inits = whole.decls.iter().filter_map(|decl| match decl {
        Decl::Func(function) if function.receiver.is_none() && function.name.name == "init" => {
            Some(function.clone())
        }
        _ => None,
    });
    let inits: Vec<Rc<FuncDecl>> = inits.collect();
    let packages = crate::packages::declarations(text, &mut found);
    let mut world = World::new((text, all), options, &whole, packages, directives, found);
    world.vague_strings = told.vague;
    world.sizes = told.sizes.clone();
    world.struct_cases = told.struct_cases;
    world.assigned = told.assigned.clone();
    world.unwinds = told.unwinds;
    world.own_contexts = told.own_contexts;
    world.boxes = told.boxes.clone();
    world.sharing = told.sharing.clone();
    world.rounds = Rounds::of(text, options.minor);
    if told.own_rounds && world.rounds == Rounds::TakenAsShared {
        world.rounds = Rounds::Own;
    }
    let entry = match entry(&world, options) {
        Ok(entry) => entry,
        Err(error) => {
            world.found.push(*error);
            return failed(world.found);
        }
    };
    let is_main = entry.name.name == "main";
    let is_endless = entry.body.as_deref().is_some_and(is_endless);
    world.ends_all = is_main && !options.leaks && !is_endless;
    world.over_arms = world.ends_all || told.exits;
    start(&mut world, &entry);
    world.complete();
    world.initial(&inits);
    world.choosers();
    world.complete();
    let model = whole.package.clone();
    let lines = world.assembled(&crate::names::safe(&model));
    // Numbers of elements are small, and not mentioned.
    world.mentioned.extend(0..=8);
    let mut sizes: Vec<i128> = world.mentioned.iter().copied().collect();
    sizes.truncate(24);
    let now = Told {
        vague: told.vague || world.makes_vague,
        exits: told.exits || world.lib_used.contains("exit") && !world.ends_all,
        sizes: if world.wants_sizes { sizes } else { told.sizes.clone() },
        unwinds: told.unwinds || world.makes_unwinds,
        struct_cases: told.struct_cases
            || world.any_cases.iter().any(|(ty, _)| world.is_object(ty)),
        own_rounds: told.own_rounds || world.has_own_rounds,
        own_contexts: told.own_contexts || world.makes_contexts,
        boxes: world.boxes.told(),
        sharing: world.sharing.told(),
        assigned: world.assigned.told(),
    };
    let again = (now != *told).then_some(now);
    for name in unknown_stubs(&world) {
        world.found.push(name);
    }
    let World { mut found, notes, shown, strings, assumed, .. } = world;
    let strings = strings.into_iter().enumerate();
    let strings = strings.map(|(at, text)| (string_name(at, &text), text)).collect();
    for (message, pos) in notes {
        let span = Span::new(pos as usize..pos as usize + 1);
        found.push(Diagnostic::warning("G0501", message).at(span, "here first"));
    }
    let has_errors = found.has_errors();
    let (kin, mut places) = written(&lines);
    // Nobody has the texts of the packages before them.
    places
        .iter_mut()
        .filter(|place| place.0 as usize >= text.len())
        .for_each(|place| *place = (0, 0));
    let translation = Translation {
        kin: (!has_errors).then_some(kin),
        lines: places,
        shown,
        strings,
        assumed: assumed.into_iter().collect(),
        diagnostics: found.finish(text),
        text: text.to_owned(),
    };
    Outcome { translation, again }
}

/// Names given by `--assume` that no function has.
fn unknown_stubs(world: &World<'_>) -> Vec<Diagnostic> {
    let functions = world.items.iter().filter(|(_, item)| matches!(item, Item::Func(_)));
    let functions = functions.map(|(name, _)| crate::packages::plain(name).to_owned());
    let methods = world.methods.iter().flat_map(|(of, methods)| {
        let of = crate::packages::plain(of);
        methods.keys().flat_map(move |name| [format!("{of}.{name}"), name.clone()])
    });
    let known: Vec<String> = functions.chain(methods).collect();
    let names = world.options.assume.iter().filter(|name| !known.contains(name));
    let error = |name: &String| {
        let error = Diagnostic::error("G0504", format!("there is no function named `{name}`"));
        error.help(match diagnostics::nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `--assume {near}`?"),
            None => "`--assume` takes a function or method of the program".to_owned(),
        })
    };
    names.map(error).collect()
}

/// The function to start with.
fn entry(world: &World<'_>, options: &Options) -> Result<Rc<FuncDecl>, Box<Diagnostic>> {
    let functions = || {
        world.items.values().filter_map(|item| match item {
            Item::Func(decl) if !is_qualified(&decl.name.name) => Some(decl.clone()),
            _ => None,
        })
    };
    if let Some(name) = &options.entry {
        return functions().find(|decl| decl.name.name == *name).ok_or_else(|| {
            let names: Vec<String> = functions().map(|decl| decl.name.name.clone()).collect();
            let error = Diagnostic::error("G0502", format!("there is no function named `{name}`"));
            let near = diagnostics::nearest(name, names.iter().map(String::as_str));
            Box::new(match near {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("give the name of a function of the package"),
            })
        });
    }
    if let Some(main) =
        functions().find(|decl| decl.name.name == "main" && decl.of.params.is_empty())
    {
        return Ok(main);
    }
    let mut tests: Vec<Rc<FuncDecl>> = functions()
        .filter(|decl| {
            decl.name.name.starts_with("Test")
                && decl.of.params.len() == 1
                && decl.name.name != "TestMain"
        })
        .collect();
    tests.sort_by_key(|decl| decl.name.pos);
    match &tests[..] {
        [one] => Ok(one.clone()),
        [] => Err(Box::new(
            Diagnostic::error("G0502", "there is neither a function `main` nor a test")
                .help("say where to start: `--entry FUNCTION`"),
        )),
        many => {
            let names: Vec<&str> = many.iter().map(|decl| decl.name.name.as_str()).collect();
            Err(Box::new(
                Diagnostic::error(
                    "G0502",
                    format!("there are several tests: {}", names.join(", ")),
                )
                .help(format!("say which one: `--entry {}`", names[0])),
            ))
        }
    }
}

fn start(world: &mut World<'_>, entry: &Rc<FuncDecl>) {
    world.shown.insert("main".into(), entry.name.name.clone());
    world.names.insert("main".into());
    let mut fx = Fx::new(world, &entry.name.name);
    fx.is_main = true;
    fx.is_process = true;
    fx.at = (entry.name.pos, entry.name.pos + entry.name.name.len() as u32);
    fx.w.used_at = fx.at;
    fx.attempt(|fx| {
        let at = fx.at;
        let sig = fx.signature(&entry.of)?;
        let known = sig.params.iter().all(|ty| *ty == Ty::Lib(Lib::Testing).pointer());
        if !known || !entry.type_params.is_empty() {
            return refuse_as(
                "G0502",
                at,
                "the entry has parameters",
                "write a function without any that calls it",
            );
        }
        let Some(body) = &entry.body else {
            return refuse_as("G0502", at, "the entry has no body", "write one");
        };
        fx.routine("main", Vec::new(), &entry.of, &sig, body, None, body.end)
    });
}

/// The lines as a text, indented, and where each comes from.
fn written(lines: &[Line]) -> (String, Vec<(u32, u32)>) {
    let mut text = String::new();
    let mut places = Vec::new();
    let mut depth = 0usize;
    // What follows a statement that leaves the block is never come to, and would be read as a part of that statement.
    let mut left: Option<usize> = None;
    for line in lines {
        let opens = line.text.matches('{').count();
        let closes = line.text.matches('}').count();
        let leading = usize::from(line.text.starts_with('}'));
        let indent = depth.saturating_sub(leading);
        if left.is_some_and(|left| indent >= left) {
            depth = (depth + opens).saturating_sub(closes);
            continue;
        }
        left = None;
        let leaves = ["break ", "continue ", "return "];
        let leaves = line.text == "return" || leaves.iter().any(|word| line.text.starts_with(word));
        if leaves && opens == closes {
            left = Some(depth);
        }
        if !line.text.is_empty() {
            text.push_str(&"    ".repeat(indent));
            text.push_str(&line.text);
        }
        text.push('\n');
        places.push(line.pos);
        depth = (depth + opens).saturating_sub(closes);
    }
    (text, places)
}
