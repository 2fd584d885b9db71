//! Where results go.

use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use state::Relations;

use super::{Failure, progress};

/// Whether another process writes the results.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// From now on nothing is written but what went wrong: this is one of several processes of a run, and another one
/// writes the results.
pub fn be_quiet() {
    IS_QUIET.store(true, Ordering::SeqCst);
}

pub fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::SeqCst)
}

/// Says something besides the results, on standard error.
pub fn note(text: impl Display) {
    if !is_quiet() {
        tell(format_args!("note: {text}"));
    }
}

/// Says something on standard error. If nobody reads it, that is no failure.
pub fn tell(text: impl Display) {
    progress::clear_line();
    // In one piece, since other processes may write there as well.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// Asks for something on standard error, where the line goes on.
pub fn ask(text: impl Display) {
    progress::clear_line();
    let _ = io::stderr().write_all(text.to_string().as_bytes());
}

/// Standard output, standard error or a file.
pub enum Output {
    Stdout,
    Stderr,
    File(PathBuf),
}

impl Output {
    /// A file, or standard output if there is none.
    pub fn to(path: Option<&Path>) -> Output {
        path.map_or(Output::Stdout, |path| Output::File(path.to_owned()))
    }

    /// Writes all of a result. A reader that has gone away is no failure, nor is it that standard error cannot be written:
    /// there is always somewhere else to look, if only the status.
    pub fn write(&self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.write_by(|out| out.write_all(bytes.as_ref()))
    }

    /// Writes a result piece by piece, as [`write`](Self::write) does.
    pub fn write_by(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if is_quiet() {
            return Ok(());
        }
        let _quiet = progress::quiet();
        let (out, name): (io::Result<Box<dyn Write>>, _) = match self {
            Output::Stdout => (Ok(Box::new(io::stdout().lock())), "standard output".into()),
            Output::Stderr => (Ok(Box::new(io::stderr().lock())), "standard error".into()),
            Output::File(path) => {
                let file = fs::File::create(path);
                (file.map(|file| Box::new(file) as _), path.display().to_string())
            }
        };
        let written = out.and_then(|out| {
            let mut out = io::BufWriter::new(out);
            write(&mut out)?;
            out.flush()
        });
        match written {
            Err(_) if matches!(self, Output::Stderr) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Failure::system(format!("cannot write {name}: {error}"))),
            Ok(()) => Ok(()),
        }
    }
}

/// What folding is, and which relations between threads it leaves as they are.
pub fn folded(relations: Relations) -> String {
    let kept: Vec<String> = relations.iter().map(|relation| relation.to_string()).collect();
    let kept = match &kept[..] {
        [] => String::new(),
        [only] => format!("; {only} is kept"),
        several => format!("; {} are kept", several.join(", ")),
    };
    format!("folded: states that differ only in who is who are one{kept}")
}
