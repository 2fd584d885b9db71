//! Loading models, in either format: by the name of the file, or for standard input by how it starts.

use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;
use std::{env, fs};

use diagnostics::{Report, Severity, nearest};
use lang::{Compilation, LONGEST_TEXT};
use net::Net;
use pnml::Limits;

use super::cli::{ModelArgs, ModelFormat};
use super::{Exit, Failure};

/// Reads a model: of a `.kin` text with the symmetry it declares, of a PNML document with that which is found.
/// What is to be said about it goes to stderr.
pub fn net(args: &ModelArgs) -> Result<Arc<Net>, Failure> {
    let (net, format) = as_written(args)?;
    Ok(Arc::new(match format {
        ModelFormat::Kin => net,
        ModelFormat::Pnml => net.find_symmetry(&[]).net,
    }))
}

/// The net of a PNML file, with the symmetry found in it.
pub fn pnml(path: &Path) -> Result<Arc<Net>, Failure> {
    let args = ModelArgs { model: path.to_owned(), set: Vec::new() };
    net(&args)
}

/// The net of a PNML text of this name, with the symmetry found in it.
pub fn pnml_text(text: &str, name: &str) -> Result<Arc<Net>, Failure> {
    let net = imported(text.as_bytes(), Path::new(name))?;
    Ok(Arc::new(net.find_symmetry(&[]).net))
}

/// Reads a model, with no more symmetry than it declares.
pub fn as_written(args: &ModelArgs) -> Result<(Net, ModelFormat), Failure> {
    let (bytes, format) = model(&args.model)?;
    let net = match format {
        ModelFormat::Kin => compiled(args, &utf8(bytes, &args.model)?),
        ModelFormat::Pnml if args.set.is_empty() => imported(&bytes, &args.model),
        ModelFormat::Pnml => {
            let name = name(&args.model);
            Err(Failure::usage(format!("{name} is PNML, which has no constants to --set")))
        }
    };
    Ok((net?, format))
}

/// The format that a file has by its name.
pub fn format_of(path: &Path) -> Option<ModelFormat> {
    let extension = path.extension()?;
    let is = |name: &str| extension.eq_ignore_ascii_case(name);
    if is("pnml") { Some(ModelFormat::Pnml) } else { is("kin").then_some(ModelFormat::Kin) }
}

fn compiled(args: &ModelArgs, text: &str) -> Result<Net, Failure> {
    let Compilation { net, diagnostics } = lang::compile(text, &args.set);
    report(&diagnostics, &name(&args.model), text);
    net.ok_or_else(|| {
        let mut errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
        // These are about `--set`, not about the model.
        let of_overrides = errors.all(|error| error.code.starts_with("E06"));
        let exit = if of_overrides { Exit::Usage } else { Exit::ModelWrong };
        Failure { exit, message: wrong(diagnostics.errors(), &args.model) }
    })
}

fn imported(bytes: &[u8], path: &Path) -> Result<Net, Failure> {
    let text = pnml::decode(bytes)
        .map_err(|errors| Failure::model(format!("{}, {errors}", name(path))))?;
    let document = pnml::read(&text, &Limits::default());
    let net = document.and_then(|document| {
        report(&document.warnings, &name(path), &text);
        pnml::to_net(&document, &text)
    });
    net.map_err(|errors| {
        report(&errors, &name(path), &text);
        Failure::model(wrong(errors.errors(), path))
    })
}

/// Shows what was found in a text, on stderr; in colour if it is a terminal and nobody objects.
pub fn report(found: &Report, name: &str, text: &str) {
    let is_set = |variable: &str| env::var_os(variable).is_some_and(|value| !value.is_empty());
    let plain = is_set("NO_COLOR") || env::var_os("CLICOLOR").is_some_and(|value| value == "0");
    let colour = io::stderr().is_terminal() && !plain;
    if !found.is_empty() {
        eprintln!("{}", found.render(name, text, colour).trim_end());
    }
}

fn wrong(errors: usize, path: &Path) -> String {
    let count = if errors == 1 { "1 error".into() } else { format!("{errors} errors") };
    format!("{count} in {}", name(path))
}

/// The bytes of a model, and the format that they are in.
fn model(path: &Path) -> Result<(Vec<u8>, ModelFormat), Failure> {
    let format = format_of(path);
    let is_pnml = |bytes: &[u8]| {
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        text.trim_ascii_start().starts_with(b"<")
    };
    let mut bytes = Vec::new();
    let mut file = open(path)?;
    // One byte more than a model may have, so that one too long is noticed and not read to its end.
    read(&mut file, LONGEST_TEXT as u64 + 1, &mut bytes, path)?;
    let format = match format {
        Some(format) => format,
        None if path.as_os_str() == "-" && is_pnml(&bytes) => ModelFormat::Pnml,
        None => ModelFormat::Kin,
    };
    if format == ModelFormat::Pnml {
        let rest = (Limits::default().bytes as u64 + 1).saturating_sub(bytes.len() as u64);
        read(&mut file, rest, &mut bytes, path)?;
    }
    Ok((bytes, format))
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

/// The text of a file, or of standard input for `-`.
pub fn text(path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    read(&mut open(path)?, LONGEST_TEXT as u64 + 1, &mut bytes, path)?;
    utf8(bytes, path)
}

fn utf8(bytes: Vec<u8>, path: &Path) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let name = name(path);
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
        Failure::model(format!("{name}, line {line}: not UTF-8; save the model as UTF-8 text"))
    })
}

/// What a file is called in messages.
pub fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".into() } else { path.display().to_string() }
}

/// The transition of a name that was given on the command line.
pub fn transition(net: &Net, name: &str) -> Result<net::TransitionId, Failure> {
    let at = net.transitions.iter().position(|transition| transition.name == name);
    at.map(|at| net::TransitionId(at as u32)).ok_or_else(|| {
        let names: Vec<&str> = net.transitions.iter().map(|t| t.name.as_str()).collect();
        let known = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        Failure::usage(format!("no transition is called `{name}`; {known}"))
    })
}
