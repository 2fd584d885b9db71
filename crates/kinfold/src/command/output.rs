//! Where results go.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Failure;

/// Standard output, standard error or a file.
pub enum Output {
    Stdout,
    Stderr,
    File(PathBuf),
}

impl Output {
    pub fn stdout() -> Output {
        Output::Stdout
    }

    pub fn stderr() -> Output {
        Output::Stderr
    }

    /// A file, or standard output if there is none.
    pub fn to(path: Option<&Path>) -> Output {
        path.map_or(Output::Stdout, |path| Output::File(path.to_owned()))
    }

    /// Writes all of a result. A reader that has gone away is no failure.
    pub fn write(&self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        let all = |out: &mut dyn Write| out.write_all(bytes.as_ref()).and_then(|()| out.flush());
        let (written, name) = match self {
            Output::Stdout => (all(&mut io::stdout().lock()), "standard output".into()),
            Output::Stderr => (all(&mut io::stderr().lock()), "standard error".into()),
            Output::File(path) => (fs::write(path, &bytes), path.display().to_string()),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Failure::system(format!("cannot write {name}: {error}"))),
            Ok(()) => Ok(()),
        }
    }
}
