//! Loading models.

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;

use lang::{Compilation, LONGEST_TEXT, Severity};
use net::Net;

use super::cli::ModelArgs;
use super::{Exit, Failure};

/// Reads and compiles a model. What is to be said about it goes to stderr.
pub fn net(args: &ModelArgs) -> Result<Arc<Net>, Failure> {
    if args.model.extension().is_some_and(|extension| extension == "pnml") {
        return pnml(&args.model).map(|(net, _)| net);
    }
    let text = text(&args.model)?;
    let Compilation { net, diagnostics } = lang::compile(&text, &args.set);
    if !diagnostics.is_empty() {
        let colour = io::stderr().is_terminal();
        let rendered = lang::render(&diagnostics, &name(&args.model), &text, colour);
        eprintln!("{}", rendered.trim_end());
    }
    net.map(Arc::new).ok_or_else(|| {
        let errors = || diagnostics.iter().filter(|d| d.severity == Severity::Error);
        // These are about `--set`, not about the model.
        let of_overrides = errors().all(|error| error.code.starts_with("E06"));
        let message = match errors().count() {
            1 => "1 error".into(),
            n => format!("{n} errors"),
        };
        let exit = if of_overrides { Exit::Usage } else { Exit::ModelWrong };
        Failure { exit, message: format!("{message} in {}", name(&args.model)) }
    })
}

/// Reads a PNML document: its net, and what symmetry was found in it.
pub fn pnml(path: &Path) -> Result<(Arc<Net>, Vec<net::Finding>), Failure> {
    let bytes = fs::read(path);
    let name = name(path);
    let bytes = bytes.map_err(|error| Failure::system(format!("cannot read {name}: {error}")))?;
    let text =
        String::from_utf8(bytes).map_err(|_| Failure::model(format!("{name}: not UTF-8")))?;
    pnml_text(&text, &name)
}

/// The net of a PNML text, and what symmetry was found in it.
pub fn pnml_text(text: &str, name: &str) -> Result<(Arc<Net>, Vec<net::Finding>), Failure> {
    let document = pnml::read(text, &pnml::Limits::default());
    let net = document.and_then(|document| pnml::to_net(&document, text));
    let net = net.map_err(|errors| Failure::model(format!("{name}: {errors}")))?;
    let found = net.find_symmetry(&[]);
    Ok((Arc::new(found.net), found.findings))
}

/// The text of a file, or of standard input for `-`.
pub fn text(path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    // One byte more than a model may have, so that one too long is noticed and not read to its end.
    let most = LONGEST_TEXT as u64 + 1;
    let read = if path.as_os_str() == "-" {
        io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    let name = name(path);
    read.map_err(|error| Failure::system(format!("cannot read {name}: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
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
        let known = match lang::nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        Failure::usage(format!("no transition is called `{name}`; {known}"))
    })
}
