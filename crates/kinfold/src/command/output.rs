//! Where results go.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Failure;

/// Standard output or a file.
pub struct Output(Option<PathBuf>);

impl Output {
    pub fn stdout() -> Output {
        Output(None)
    }

    pub fn to(path: Option<&Path>) -> Output {
        Output(path.map(Path::to_owned))
    }

    /// Writes all of a result. A reader that has gone away is no failure.
    pub fn write(&self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        let written = match &self.0 {
            Some(path) => fs::write(path, bytes),
            None => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes.as_ref()).and_then(|()| stdout.flush())
            }
        };
        match written {
            Err(error) if self.0.is_some() || error.kind() != io::ErrorKind::BrokenPipe => {
                let name =
                    self.0.as_ref().map_or("standard output".into(), |p| p.display().to_string());
                Err(Failure::system(format!("cannot write {name}: {error}")))
            }
            _ => Ok(()),
        }
    }
}
