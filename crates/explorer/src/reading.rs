//! From the bytes of a model to its net, in any of the formats, for all who read models.

use std::borrow::Cow;
use std::sync::Arc;

use decide::Executable;
use diagnostics::{Diagnostic, Report, Span};
pub use go::Options as GoOptions;
use lang::Override;
use net::Net;

/// What a model is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The language of `.kin` files.
    Kin,
    /// PNML.
    Pnml,
    /// A Go program.
    Go,
}

/// What became of a text.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The text, in which things have their origins.
    pub text: String,
    /// The net, if there is no error; with no more symmetry than the model declares.
    pub net: Option<Net>,
    /// What was found in the text. Where there are errors, they are in the last.
    pub reports: Vec<Report>,
    /// The processes that a program became, as a model of their own.
    pub processes: Option<String>,
    /// Functions of a program that were taken to do nothing.
    pub assumed: Vec<String>,
    /// The program that the net was made of, if it was made of one.
    pub executable: Option<Arc<Executable>>,
}

/// Why bytes are no text of a model.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// They are not UTF-8.
    #[error("line {line}: not UTF-8; save it as UTF-8 text")]
    NotUtf8 {
        /// The line with the first mistake.
        line: usize,
        /// The bytes before that.
        valid: usize,
    },
    /// They are not of the encoding that the document says.
    #[error("{0}")]
    Encoding(Report),
    /// Constants are given, and the format has none.
    #[error("PNML has no constants to set")]
    NoConstants,
}

impl Unreadable {
    /// The same as what is wrong with a text: the bytes, with other characters for those that cannot be read.
    #[must_use]
    pub fn report(self, text: &str) -> Report {
        let error = match self {
            Unreadable::Encoding(report) => return report,
            Unreadable::NotUtf8 { valid, .. } => {
                let valid = valid.min(u32::MAX as usize);
                Diagnostic::error("E0003", "this is not UTF-8")
                    .at(Span::new(valid..valid), "")
                    .help("save the file as UTF-8 text")
            }
            Unreadable::NoConstants => Diagnostic::error("E0601", self.to_string()),
        };
        Report::of(error, text)
    }
}

impl Format {
    /// The format that a file has by its name.
    #[must_use]
    pub fn of(file: &str) -> Option<Format> {
        // As paths have extensions: `.kin` is the name of a file that has none.
        let name = file.rsplit(['/', std::path::MAIN_SEPARATOR]).next()?;
        let (stem, extension) = name.rsplit_once('.')?;
        match extension {
            _ if stem.is_empty() => None,
            pnml if pnml.eq_ignore_ascii_case("pnml") => Some(Format::Pnml),
            kin if kin.eq_ignore_ascii_case("kin") => Some(Format::Kin),
            go if go.eq_ignore_ascii_case("go") => Some(Format::Go),
            _ => None,
        }
    }

    /// The net to explore: with the symmetry that a `.kin` text declares, or that is found in a PNML document.
    #[must_use]
    pub fn with_symmetry(self, net: Net) -> Net {
        match self {
            Format::Kin | Format::Go => net,
            Format::Pnml => net.find_symmetry(&[]).net,
        }
    }
}

impl Reading {
    /// Reads a model, with some constants given, each at most once. `file` is what people call it. How a Go program is
    /// read matters for those alone.
    ///
    /// # Errors
    /// If the bytes are no text, or constants are given where there can be none.
    pub fn of(
        bytes: Vec<u8>,
        file: &str,
        format: Format,
        set: &[Override],
        go: &GoOptions,
    ) -> Result<Reading, Unreadable> {
        match format {
            Format::Kin => Ok(compiled(utf8(bytes)?, file, set)),
            Format::Go => Ok(translated(utf8(bytes)?, file, set, go)),
            Format::Pnml if set.is_empty() => imported(&bytes),
            Format::Pnml => Err(Unreadable::NoConstants),
        }
    }
}

fn utf8(bytes: Vec<u8>) -> Result<String, Unreadable> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Unreadable::NotUtf8 { line, valid: at }
    })
}

/// What a model is called that has no name of its own: its file, without folder and extension.
fn name_of(file: &str) -> &str {
    let name = file.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_file = !stem.is_empty() && !stem.contains(['<', '`']);
    if is_file && !stem.contains(char::is_control) { stem } else { lang::UNNAMED }
}

fn compiled(text: String, file: &str, set: &[Override]) -> Reading {
    let compiled = lang::compile_named(&text, name_of(file), set);
    let lang::Compilation { mut net, diagnostics, processes } = compiled;
    if let Some(listing) = net.as_mut().and_then(|net| net.listing.as_mut()) {
        Arc::make_mut(listing).file = Some(file.to_owned());
    }
    let (reports, executable) = (vec![diagnostics], processes.map(executable));
    Reading { text, net, reports, processes: None, assumed: Vec::new(), executable }
}

/// A Go program, which becomes processes.
fn translated(text: String, file: &str, set: &[Override], options: &GoOptions) -> Reading {
    let go::Compilation { mut net, translation, processes, diagnostics } =
        go::compile(&go::sources(&text, file), set, options);
    if let Some(listing) = net.as_mut().and_then(|net| net.listing.as_mut()) {
        Arc::make_mut(listing).file = Some(file.to_owned());
    }
    let go::Translation { kin, assumed, .. } = translation;
    let (reports, executable) = (vec![diagnostics], processes.map(executable));
    Reading { text, net, reports, processes: kin, assumed, executable }
}

fn executable(processes: lang::Processes) -> Arc<Executable> {
    let lang::Processes { program, claims, observed, .. } = processes;
    Arc::new(Executable { program, claims, observed })
}

fn imported(bytes: &[u8]) -> Result<Reading, Unreadable> {
    let text = pnml::decode(bytes).map_err(Unreadable::Encoding)?;
    let mut reports = Vec::new();
    let net = pnml::read(&text, &pnml::Limits::default()).and_then(|document| {
        reports.push(document.warnings.clone());
        pnml::to_net(&document, &text)
    });
    let net = net.map_err(|errors| reports.push(errors)).ok();
    let text = Cow::into_owned(text);
    Ok(Reading { text, net, reports, processes: None, assumed: Vec::new(), executable: None })
}
