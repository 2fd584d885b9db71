//! Loading models, in any of the formats: by the name of the file, or for standard input by how it starts.

mod package;

pub use package::programs;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use decide::Executable;
use diagnostics::{Diagnostic, Report, Severity, nearest};
use explorer::reading::{Format, Reading, Unreadable};
use lang::{LONGEST_TEXT, Override};
use net::{Net, TransitionId};
use pnml::Limits;
use serde_json::{Value as Json, json};

use super::cli::{GoArgs, ModelArgs, ModelFormat};
use super::{Exit, Failure, output, progress};

/// A file that holds a model.
pub struct ModelFile {
    path: PathBuf,
    bytes: Vec<u8>,
    format: ModelFormat,
}

/// A model as it is written.
pub struct Written {
    /// With no more symmetry than the model declares.
    pub net: Net,
    pub format: ModelFormat,
    /// The text of the model, in which things have their origins.
    pub text: Option<String>,
    /// What was remarked about the text, though it is right.
    pub warnings: Vec<Diagnostic>,
    /// The processes that a program became.
    pub processes: Option<String>,
    /// Functions of a program that were taken to do nothing.
    pub assumed: Vec<String>,
    /// The program that the net was made of.
    pub executable: Option<Arc<Executable>>,
}

/// Reads a model: a `.kin` text with the symmetry that it declares, a PNML document with the symmetry
/// that is found in it. Diagnostics go to stderr.
pub fn net(args: &ModelArgs) -> Result<Arc<Net>, Failure> {
    Ok(Arc::new(as_written(args)?.with_symmetry()))
}

/// The net of a PNML file, with the symmetry found in it.
pub fn pnml(path: &Path) -> Result<Arc<Net>, Failure> {
    let args = ModelArgs { model: path.to_owned(), set: Vec::new(), go: GoArgs::default() };
    net(&args)
}

/// The net of a PNML text with this name, with the symmetry found in it.
pub fn pnml_text(text: &str, name: &str) -> Result<Arc<Net>, Failure> {
    let bytes = text.as_bytes().to_vec();
    Ok(Arc::new(
        written(bytes, Path::new(name), ModelFormat::Pnml, &[], &GoArgs::default())?
            .with_symmetry(),
    ))
}

/// Reads a model, with no more symmetry than it declares. Diagnostics go to stderr.
pub fn as_written(args: &ModelArgs) -> Result<Written, Failure> {
    ModelFile::read(&args.model)?.with(&args.set, &args.go)
}

impl ModelFile {
    /// Reads a file, or standard input for `-`.
    pub fn read(path: &Path) -> Result<ModelFile, Failure> {
        if path.is_dir() {
            return package::of_folder(path);
        }
        let (bytes, format) = model(path)?;
        Ok(ModelFile { path: path.to_owned(), bytes, format })
    }

    /// Reads the files of a package of Go, each with the others.
    pub fn read_package(paths: &[PathBuf]) -> Result<ModelFile, Failure> {
        match paths {
            [one] => ModelFile::read(one),
            _ => package::of_files(paths),
        }
    }

    /// Reads a file, unless its bytes were kept.
    pub fn read_or_kept(path: &Path, kept: Option<&[u8]>) -> Result<ModelFile, Failure> {
        let Some(bytes) = kept else { return ModelFile::read(path) };
        let format = format_in(path, bytes);
        Ok(ModelFile { path: path.to_owned(), bytes: bytes.to_owned(), format })
    }

    /// What is in it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its format.
    pub fn format(&self) -> ModelFormat {
        self.format
    }

    /// The model, with some constants given. Diagnostics go to stderr.
    pub fn with(&self, set: &[Override], go: &GoArgs) -> Result<Written, Failure> {
        set_once(set.iter().map(|one| one.name.as_str()))?;
        written(self.bytes.clone(), &self.path, self.format, set, go)
    }
}

impl Written {
    /// The net: with the symmetry that a `.kin` text declares, or that is found in a PNML document.
    pub fn with_symmetry(self) -> Net {
        reading_format(self.format).with_symmetry(self.net)
    }
}

/// Refuses constants that are given twice.
pub fn set_once<'n>(names: impl Iterator<Item = &'n str>) -> Result<(), Failure> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Failure::usage(format!("--set gives `{name}` a value twice")));
        }
    }
    Ok(())
}

/// The format that a file or folder has by its name.
pub fn format_of(path: &Path) -> Option<ModelFormat> {
    let extension = path.extension()?;
    let is = |name: &str| extension.eq_ignore_ascii_case(name);
    let formats = [("pnml", ModelFormat::Pnml), ("kin", ModelFormat::Kin), ("go", ModelFormat::Go)];
    formats.into_iter().find(|(name, _)| is(name)).map(|(_, format)| format)
}

/// Whether it is a Go program, by its name; of a folder, since packages of Go are folders.
pub fn is_go(path: &Path) -> bool {
    path.is_dir() || format_of(path) == Some(ModelFormat::Go)
}

fn reading_format(format: ModelFormat) -> Format {
    match format {
        ModelFormat::Kin => Format::Kin,
        ModelFormat::Pnml => Format::Pnml,
        ModelFormat::Go => Format::Go,
    }
}

/// The model in these bytes. Diagnostics go to stderr.
fn written(
    bytes: Vec<u8>,
    path: &Path,
    format: ModelFormat,
    set: &[Override],
    go: &GoArgs,
) -> Result<Written, Failure> {
    let name = name(path);
    let reading = Reading::of(bytes, &name, reading_format(format), set, &go_options(path, go));
    let Reading { text, net, reports, processes, assumed, executable } =
        reading.map_err(|why| match why {
            Unreadable::NoConstants => {
                Failure::usage(format!("{name} is PNML, which has no constants to --set"))
            }
            why => Failure::model(format!("{name}, {why}")),
        })?;
    reports.iter().for_each(|found| report(found, &name, &text));
    let Some(net) = net else {
        let errors = reports.last().cloned().unwrap_or_default();
        let mut all = errors.iter().filter(|one| one.severity == Severity::Error);
        // These are about `--set`, not about the model.
        let of_overrides = all.all(|error| error.code.starts_with("E06"));
        let exit = if of_overrides { Exit::Usage } else { Exit::ModelWrong };
        return Err(wrong(exit, &errors, path, &text));
    };
    let warnings = reports.iter().flatten().map(|one| own(one, &text)).collect();
    Ok(Written { net, format, text: Some(text), warnings, processes, assumed, executable })
}

/// How a Go program that is there is read.
pub fn go_options(path: &Path, go: &GoArgs) -> go::Options {
    go::Options { minor: go::minor_of(path), ..go.options() }
}

/// Shows what was found in a text, on stderr; in colour if it is a terminal, unless NO_COLOR is set.
pub fn report(found: &Report, name: &str, text: &str) {
    let is_set = |variable: &str| env::var_os(variable).is_some_and(|value| !value.is_empty());
    let plain = is_set("NO_COLOR") || env::var_os("CLICOLOR").is_some_and(|value| value == "0");
    let colour = io::stderr().is_terminal() && !plain;
    // Of several processes of a run one tells what could be better; what is wrong is told by all.
    let is_wrong = found.iter().any(|one| one.severity == Severity::Error);
    if !found.is_empty() && (is_wrong || !output::is_quiet()) {
        progress::clear_line();
        output::tell(format_args!("{}", rendered(found, name, text, colour).trim_end()));
    }
}

/// The same where the text may be of several files: each remark with the file that it is about.
fn rendered(found: &Report, name: &str, text: &str, colour: bool) -> String {
    let own = |one: &Diagnostic| {
        let (own, text) = go::localized(one, text)?;
        let file = Path::new(name).join(own.file.as_deref()?);
        Some(Report::of(own, &text).render(&file.display().to_string(), &text, colour))
    };
    let each: Option<Vec<String>> = found.iter().map(own).collect();
    match each {
        Some(each) if !each.is_empty() => each.join("\n"),
        _ => found.render(name, text, colour),
    }
}

/// What was found in a text, for programs.
pub fn json(found: &[Diagnostic]) -> Json {
    let one = |diagnostic: &Diagnostic| {
        let is_in_text = diagnostic.line > 0;
        json!({
            "severity": match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            "code": diagnostic.code,
            "message": diagnostic.message,
            "help": diagnostic.help,
            "line": is_in_text.then_some(diagnostic.line),
            "column": is_in_text.then_some(diagnostic.column),
            "file": diagnostic.file,
        })
    };
    found.iter().map(one).collect()
}

/// A remark, told by the file that it is about, if there are several.
fn own(one: &Diagnostic, text: &str) -> Diagnostic {
    go::localized(one, text).map_or_else(|| one.clone(), |(own, _)| own)
}

fn wrong(exit: Exit, report: &Report, path: &Path, text: &str) -> Failure {
    let count = match report.errors() {
        1 => "1 error".into(),
        errors => format!("{errors} errors"),
    };
    let message = format!("{count} in {}", name(path));
    Failure { exit, message, diagnostics: report.iter().map(|one| own(one, text)).collect() }
}

/// The bytes of a model, and the format that they are in.
fn model(path: &Path) -> Result<(Vec<u8>, ModelFormat), Failure> {
    let mut bytes = Vec::new();
    let mut file = open(path)?;
    // One byte more than a model may have, so that one too long is noticed and not read to its end.
    read(&mut file, LONGEST_TEXT as u64 + 1, &mut bytes, path)?;
    let format = format_in(path, &bytes);
    if format == ModelFormat::Pnml {
        let rest = (Limits::default().bytes as u64 + 1).saturating_sub(bytes.len() as u64);
        read(&mut file, rest, &mut bytes, path)?;
    }
    Ok((bytes, format))
}

/// The format of a model that begins with these bytes.
fn format_in(path: &Path, bytes: &[u8]) -> ModelFormat {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let is_pnml = text.trim_ascii_start().starts_with(b"<");
    match format_of(path) {
        Some(format) => format,
        None if path.is_dir() => ModelFormat::Go,
        None if path.as_os_str() == "-" && is_pnml => ModelFormat::Pnml,
        None => ModelFormat::Kin,
    }
}

/// A file, or standard input for `-`.
fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    match fs::File::open(path) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err(unreadable(path, &error)),
    }
}

fn read(file: &mut dyn Read, most: u64, into: &mut Vec<u8>, path: &Path) -> Result<(), Failure> {
    file.take(most).read_to_end(into).map_err(|error| unreadable(path, &error))?;
    Ok(())
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::system(format!("cannot read {}: {error}", name(path)))
}

/// The text of a file, or of standard input for `-`, as long as a model may be.
pub fn text(path: &Path) -> Result<String, Failure> {
    text_up_to(LONGEST_TEXT as u64 + 1, path)
}

/// The text of a file, or of standard input for `-`, however long.
pub fn whole_text(path: &Path) -> Result<String, Failure> {
    text_up_to(u64::MAX, path)
}

fn text_up_to(most: u64, path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    read(&mut open(path)?, most, &mut bytes, path)?;
    utf8(bytes, path)
}

fn utf8(bytes: Vec<u8>, path: &Path) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let name = name(path);
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
        Failure::model(format!("{name}, line {line}: not UTF-8; save it as UTF-8 text"))
    })
}

/// What a file is called in messages.
pub fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".into() } else { path.display().to_string() }
}

/// The transition that the command line names.
pub fn transition(net: &Net, name: &str) -> Result<TransitionId, Failure> {
    let names = || net.transitions.iter().map(|transition| transition.name.as_str());
    match names().position(|other| other == name) {
        Some(at) => Ok(TransitionId(at as u32)),
        None => Err(Failure::usage(no_such("transition", name, names()))),
    }
}

/// That there is no `kind` with this name, and which there are.
pub fn no_such<'n>(kind: &str, name: &str, known: impl Iterator<Item = &'n str> + Clone) -> String {
    let help = match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => match known.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => "the model has none".into(),
            names => format!("there are: {names}"),
        },
    };
    format!("there is no {kind} named `{name}`; {help}")
}
