//! What the whole translation knows: declarations, types with names, what is still to be translated, and what was.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use diagnostics::{Diagnostic, Diagnostics, Span};

use crate::escape::{Escapes, escapes};
use crate::language::Rounds;
use crate::lexer::Directive;
use crate::names::{global_name, safe, string_name};
use crate::syntax::*;
use crate::types::{Konst, Lib, Sig, Ty};

/// Why something is not translated, and what to write instead.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) pos: Pos,
    pub(crate) end: Pos,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) help: String,
}

pub(crate) type R<T> = Result<T, Box<Refusal>>;

/// Refuses something that is not understood.
pub(crate) fn refuse<T>(
    at: (Pos, Pos),
    message: impl Into<String>,
    help: impl Into<String>,
) -> R<T> {
    refuse_as("G0401", at, message, help)
}

/// Refuses with a code of its own.
pub(crate) fn refuse_as<T>(
    code: &'static str,
    (pos, end): (Pos, Pos),
    message: impl Into<String>,
    help: impl Into<String>,
) -> R<T> {
    Err(Box::new(Refusal { pos, end, code, message: message.into(), help: help.into() }))
}

/// A declaration of the package.
#[derive(Clone)]
pub(crate) enum Item {
    Func(Rc<FuncDecl>),
    Type(Rc<TypeDecl>),
    Const(Rc<ConstDecl>),
    /// By its index in [`World::globals`].
    Var(usize),
}

pub(crate) struct TypeDecl {
    pub(crate) name: Ident,
    pub(crate) params: Vec<Param>,
    pub(crate) of: Expr,
    pub(crate) alias: bool,
    /// The scopes around it, if it is declared in a function.
    pub(crate) scopes: Scopes,
}

pub(crate) struct ConstDecl {
    pub(crate) name: Ident,
    pub(crate) of: Option<Expr>,
    pub(crate) value: Option<Expr>,
    pub(crate) iota: i128,
}

/// A variable of the package.
#[derive(Clone)]
pub(crate) struct Global {
    pub(crate) name: String,
    pub(crate) kin: String,
    pub(crate) decl: Rc<GlobalDecl>,
    pub(crate) ty: Option<Ty>,
}

pub(crate) struct GlobalDecl {
    pub(crate) names: Vec<Ident>,
    pub(crate) of: Option<Expr>,
    pub(crate) values: Vec<Expr>,
    pub(crate) pos: Pos,
}

/// What a name in a function stands for.
#[derive(Clone)]
pub(crate) enum Entity {
    /// A variable, by where it is declared.
    Var(Pos),
    Const(Konst, Ty),
    Type(Ty),
    GenericType(Rc<TypeDecl>),
    /// A variable whose declaration was refused, which is reported.
    Wrong,
}

pub(crate) type Scopes = Vec<HashMap<String, Entity>>;

/// A type with a name.
pub(crate) struct Named {
    /// As it is shown: `Set[int]`.
    pub(crate) name: String,
    pub(crate) kin: String,
    pub(crate) underlying: Ty,
    pub(crate) decl: Rc<TypeDecl>,
    pub(crate) args: Vec<Ty>,
    pub(crate) methods: BTreeMap<String, Rc<FuncDecl>>,
}

/// A line of the result, and the part of the Go text it was made of.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) pos: (Pos, Pos),
}

/// A function value: the function to call, and what it has captured.
#[derive(Clone)]
pub(crate) struct FnCase {
    pub(crate) name: String,
    pub(crate) captured: Vec<(String, String)>,
    /// What calls it: the name of the function of `.kin`, or a method of the library or of an interface.
    pub(crate) target: FnTarget,
}

#[derive(Clone)]
pub(crate) enum FnTarget {
    /// Called with what was captured, then the arguments.
    Function(String),
    /// A method of the value that was captured.
    Method(Ty, String),
}

/// A type of function values.
pub(crate) struct FnType {
    pub(crate) sig: Sig,
    pub(crate) cases: Vec<FnCase>,
}

/// What is asked for by `--assume`, `--entry`, `--leaks`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The function to start with.
    pub entry: Option<String>,
    /// Whether goroutines that `main` leaves behind are looked at.
    pub leaks: bool,
    /// Functions that are replaced by stubs.
    pub assume: Vec<String>,
    /// The minor version of Go 1 that the module of the program is written in, if it is known.
    pub minor: Option<u32>,
}

/// The state of a translation.
pub(crate) struct World<'t> {
    /// The text of the program, and after it those of packages that are written in Go.
    pub(crate) text: &'t str,
    /// Where the text of the program ends.
    pub(crate) own: Pos,
    /// Where in the program that is used which is translated.
    pub(crate) used_at: (Pos, Pos),
    pub(crate) options: &'t Options,
    pub(crate) found: Diagnostics,
    pub(crate) notes: BTreeMap<String, Pos>,
    pub(crate) imports: HashMap<String, String>,
    pub(crate) items: HashMap<String, Item>,
    pub(crate) methods: HashMap<String, BTreeMap<String, Rc<FuncDecl>>>,
    pub(crate) globals: Vec<Global>,
    pub(crate) used_globals: BTreeSet<usize>,
    pub(crate) escapes: Escapes,
    pub(crate) directives: Vec<Directive>,
    pub(crate) named: Vec<Named>,
    pub(crate) constants: HashMap<String, (Konst, Ty)>,
    pub(crate) resolving: HashSet<String>,
    /// Functions and processes that are wanted, by a key that tells instances apart, and the name that each has.
    pub(crate) instances: HashMap<String, String>,
    pub(crate) names: HashSet<String>,
    pub(crate) queue: Vec<Wanted>,
    pub(crate) routines: Vec<Line>,
    pub(crate) shown: BTreeMap<String, String>,
    /// Declarations of objects and records by name.
    pub(crate) declared: BTreeMap<String, Vec<String>>,
    pub(crate) strings: Vec<String>,
    /// Whether there are strings of which nothing is known; told by a first translation.
    pub(crate) vague_strings: bool,
    pub(crate) makes_vague: bool,
    pub(crate) any_cases: Vec<(Ty, String)>,
    pub(crate) fn_types: Vec<FnType>,
    /// Methods that are called by interfaces, with the names of the functions that find the right one.
    pub(crate) dynamic: Vec<(String, Sig, String)>,
    pub(crate) dynamic_done: HashSet<(usize, usize)>,
    pub(crate) dynamic_cases: BTreeMap<usize, Vec<Line>>,
    /// Interfaces that values are asked for.
    pub(crate) asked: Vec<(Ty, String)>,
    pub(crate) room: u32,
    pub(crate) lib_used: BTreeSet<&'static str>,
    /// Whether the end of `main` ends all others.
    pub(crate) ends_all: bool,
    /// Whether those who wait look for the end of the program.
    pub(crate) over_arms: bool,
    pub(crate) literals: HashMap<String, usize>,
    pub(crate) depth: usize,
    pub(crate) fn_done: HashSet<(usize, usize)>,
    pub(crate) fn_case_lines: BTreeMap<usize, Vec<Line>>,
    pub(crate) steps: usize,
    /// Slices that share their elements.
    pub(crate) sharing: crate::slices::Sharing,
    /// Whether each round of a loop has variables of its own, as since Go 1.22.
    pub(crate) rounds: Rounds,
    /// Whether something is there that only such a version has.
    pub(crate) has_own_rounds: bool,
    /// Small numbers that are mentioned: capacities of channels may be these.
    pub(crate) mentioned: BTreeSet<i128>,
    /// The capacities that are tried where none is a constant; told by a first translation.
    pub(crate) sizes: Vec<i128>,
    pub(crate) wants_sizes: bool,
    /// Whether structs are put into interfaces, which are then compared by what is in them; told by a first translation.
    pub(crate) struct_cases: bool,
    pub(crate) compares_any: bool,
    /// Names of numbers that only count.
    pub(crate) counters: BTreeSet<String>,
    /// Functions that were taken to do nothing.
    pub(crate) assumed: BTreeSet<String>,
    /// Whether strings are put together.
    pub(crate) joins_strings: bool,
    /// Whether something is printed of which only an interface is known, and the cases of the function that does it.
    pub(crate) prints_any: bool,
    pub(crate) print_done: usize,
    pub(crate) print_cases: Vec<Line>,
    /// Whether panics are recovered, or goroutines exit, somewhere; told by a first translation.
    pub(crate) unwinds: bool,
    pub(crate) makes_unwinds: bool,
    /// Fields and variables of the package that are kept in objects of their own.
    pub(crate) boxes: crate::boxes::Boxes,
    /// Whether there are contexts of the program's own; told by a first translation.
    pub(crate) own_contexts: bool,
    pub(crate) makes_contexts: bool,
    /// Fields that change.
    pub(crate) assigned: crate::assigned::Assigned,
}

/// Something to translate.
pub(crate) enum Wanted {
    Function {
        decl: Rc<FuncDecl>,
        kin: String,
        process: bool,
        bindings: HashMap<String, Entity>,
        receiver: Option<Ty>,
        stub: bool,
        /// Where in the program it is used.
        used_at: (Pos, Pos),
    },
}

impl<'t> World<'t> {
    pub(crate) fn new(
        (own, text): (&str, &'t str),
        options: &'t Options,
        file: &File,
        packages: Vec<Decl>,
        directives: Vec<Directive>,
        found: Diagnostics,
    ) -> World<'t> {
        let mut world = World {
            text,
            own: own.len() as Pos,
            used_at: (0, 0),
            options,
            found,
            notes: BTreeMap::new(),
            imports: HashMap::new(),
            items: HashMap::new(),
            methods: HashMap::new(),
            globals: Vec::new(),
            used_globals: BTreeSet::new(),
            escapes: Escapes::default(),
            directives,
            named: Vec::new(),
            constants: HashMap::new(),
            resolving: HashSet::new(),
            instances: HashMap::new(),
            names: HashSet::new(),
            queue: Vec::new(),
            routines: Vec::new(),
            shown: BTreeMap::new(),
            declared: BTreeMap::new(),
            strings: vec![String::new()],
            vague_strings: false,
            makes_vague: false,
            any_cases: Vec::new(),
            fn_types: Vec::new(),
            dynamic: Vec::new(),
            dynamic_done: HashSet::new(),
            dynamic_cases: BTreeMap::new(),
            asked: Vec::new(),
            room: 8,
            lib_used: BTreeSet::new(),
            ends_all: false,
            over_arms: false,
            literals: HashMap::new(),
            depth: 0,
            fn_done: HashSet::new(),
            fn_case_lines: BTreeMap::new(),
            steps: 0,
            sharing: crate::slices::Sharing::default(),
            rounds: Rounds::default(),
            has_own_rounds: false,
            mentioned: BTreeSet::new(),
            sizes: Vec::new(),
            wants_sizes: false,
            struct_cases: false,
            compares_any: false,
            counters: BTreeSet::new(),
            assumed: BTreeSet::new(),
            joins_strings: false,
            prints_any: false,
            print_done: 0,
            print_cases: Vec::new(),
            unwinds: false,
            makes_unwinds: false,
            boxes: crate::boxes::Boxes::default(),
            own_contexts: false,
            makes_contexts: false,
            assigned: crate::assigned::Assigned::default(),
        };
        let said: Vec<String> = world.directives.iter().map(|one| one.text.clone()).collect();
        world.counters = crate::counters::counters(file, &said);
        world.collect(&file.decls);
        world.collect(&packages);
        let names: Vec<String> = world.items.keys().cloned().collect();
        world.names.extend(names);
        let decls = || file.decls.iter().chain(&packages);
        world.escapes = escapes(decls(), &world.methods_of_values());
        world.check_remarks(file);
        world
    }

    fn collect(&mut self, decls: &[Decl]) {
        for decl in decls {
            match decl {
                Decl::Import { alias, path } => {
                    let last = path.rsplit('/').next().unwrap_or(path);
                    let name = alias.as_ref().map_or(last, |alias| &alias.name);
                    self.imports.insert(name.to_owned(), path.clone());
                }
                Decl::Const { names, of, values, iota } => {
                    for (at, name) in names.iter().enumerate() {
                        let decl = ConstDecl {
                            name: name.clone(),
                            of: of.clone(),
                            value: values.get(at).cloned(),
                            iota: *iota,
                        };
                        self.item(name, Item::Const(Rc::new(decl)));
                    }
                }
                Decl::Var { names, of, values, pos } => {
                    let decl = Rc::new(GlobalDecl {
                        names: names.clone(),
                        of: of.clone(),
                        values: values.clone(),
                        pos: *pos,
                    });
                    for name in names {
                        let index = self.globals.len();
                        let kin = global_name(&name.name);
                        self.globals.push(Global {
                            name: name.name.clone(),
                            kin,
                            decl: decl.clone(),
                            ty: None,
                        });
                        if name.name != "_" {
                            self.item(name, Item::Var(index));
                        }
                    }
                }
                Decl::Type { name, params, of, alias } => {
                    let decl = TypeDecl {
                        name: name.clone(),
                        params: params.clone(),
                        of: of.clone(),
                        alias: *alias,
                        scopes: Vec::new(),
                    };
                    self.item(name, Item::Type(Rc::new(decl)));
                }
                Decl::Func(function) => match &function.receiver {
                    Some(receiver) => {
                        let of = crate::parser::receiver_name(&receiver.of);
                        let methods = self.methods.entry(of).or_default();
                        methods.insert(function.name.name.clone(), function.clone());
                    }
                    None if matches!(function.name.name.as_str(), "init" | "_") => {}
                    None => self.item(&function.name, Item::Func(function.clone())),
                },
            }
        }
    }

    /// Methods with pointer receivers on types that are no structs: calling one takes the address of a variable.
    fn methods_of_values(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for (name, methods) in &self.methods {
            let is_struct = matches!(
                self.items.get(name),
                Some(Item::Type(decl)) if matches!(&*decl.of.kind, ExprKind::StructType(_))
            );
            if is_struct {
                continue;
            }
            for (method, decl) in methods {
                let receiver = decl.receiver.as_ref().map(|receiver| &*receiver.of.bare().kind);
                if matches!(receiver, Some(ExprKind::Star(_))) {
                    names.insert(method.clone());
                }
            }
        }
        names
    }

    fn item(&mut self, name: &Ident, item: Item) {
        if name.name == "_" {
            return;
        }
        if self.items.insert(name.name.clone(), item).is_some() {
            let span = Span::new(name.pos as usize..name.pos as usize + name.name.len());
            let message = format!("`{}` is declared twice", name.name);
            self.found.report(|| {
                Diagnostic::error("G0201", message)
                    .at(span, "a second time")
                    .help("rename one of them")
            });
        }
    }

    pub(crate) fn report(&mut self, refusal: Refusal) {
        let Refusal { pos, end, code, message, help } = refusal;
        if code.is_empty() {
            // It follows from something that is reported.
            return;
        }
        let (pos, end) = self.in_program((pos, end));
        let kind = format!("{code}{message}{pos}");
        let span = Span::new(pos as usize..end.max(pos) as usize);
        self.found
            .report_kind(kind, || Diagnostic::error(code, message).at(span, "here").help(help));
    }

    /// Remarks on something that is kept less exactly than it is written; once.
    pub(crate) fn note(&mut self, message: impl Into<String>, pos: Pos) {
        let (pos, _) = self.in_program((pos, pos + 1));
        self.notes.entry(message.into()).or_insert(pos);
    }

    /// Whether something stands in a package that is written in Go.
    pub(crate) fn is_packaged(&self, pos: Pos) -> bool {
        pos >= self.own
    }

    /// A place of the program; for one in a package, that by which it is used.
    pub(crate) fn in_program(&self, at: (Pos, Pos)) -> (Pos, Pos) {
        if self.is_packaged(at.0) { self.used_at } else { at }
    }

    /// A name that nobody has yet.
    pub(crate) fn fresh(&mut self, wish: &str) -> String {
        let wish = safe(wish);
        let mut name = wish.clone();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{wish}_{number}");
            number += 1;
        }
        name
    }

    /// The same for a name that the translation makes itself.
    pub(crate) fn fresh_exact(&mut self, wish: &str) -> String {
        let mut name = wish.to_owned();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{wish}_{number}");
            number += 1;
        }
        name
    }

    /// The member of the enumeration of strings that stands for a literal.
    pub(crate) fn string(&mut self, text: &str) -> String {
        let at = match self.strings.iter().position(|known| known == text) {
            Some(at) => at,
            None => {
                self.strings.push(text.to_owned());
                self.strings.len() - 1
            }
        };
        string_name(at, text)
    }

    /// The underlying type.
    pub(crate) fn under(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Named(id) => self.named[*id].underlying.clone(),
            other => other.clone(),
        }
    }

    /// A type as it is written in Go.
    pub(crate) fn show(&self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => "bool".into(),
            Ty::Int(kind) => kind.name().into(),
            Ty::Str => "string".into(),
            Ty::Float => "float64".into(),
            Ty::Opaque(name) => (*name).into(),
            Ty::Nil => "nil".into(),
            Ty::Untyped => "a constant".into(),
            Ty::Pointer(inner) => format!("*{}", self.show(inner)),
            Ty::Slice(inner) => format!("[]{}", self.show(inner)),
            Ty::Array(n, inner) => format!("[{n}]{}", self.show(inner)),
            Ty::Map(key, value) => format!("map[{}]{}", self.show(key), self.show(value)),
            Ty::Chan(_, inner) => format!("chan {}", self.show(inner)),
            Ty::Func(_) => "func".into(),
            Ty::Struct(_) => "struct".into(),
            Ty::Interface(_) => "interface".into(),
            Ty::Named(id) => self.named[*id].name.clone(),
            Ty::Tuple(_) => "several values".into(),
            Ty::Lib(Lib::AtomicInt(kind)) => {
                let name = kind.name();
                format!("atomic.{}{}", name[..1].to_uppercase(), &name[1..])
            }
            Ty::Lib(lib) => format!("{lib:?}"),
        }
    }

    pub(crate) fn is_interface(&self, ty: &Ty) -> bool {
        matches!(self.under(ty), Ty::Interface(_))
    }

    /// Whether values are kept as objects and copied when assigned: structs with fields, arrays, and what the library has.
    pub(crate) fn is_object(&self, ty: &Ty) -> bool {
        match self.under(ty) {
            Ty::Struct(fields) => !fields.is_empty() || matches!(ty, Ty::Named(_)),
            Ty::Array(..) => true,
            Ty::Lib(lib) => lib.object().is_some() && !is_reference(lib),
            _ => false,
        }
    }
}

/// Types of the library that are references themselves, and may be nil.
pub(crate) fn is_reference(lib: Lib) -> bool {
    matches!(lib, Lib::Context | Lib::Error | Lib::ReadSide)
}
