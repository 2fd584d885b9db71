//! Where results go.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Failure, progress};

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

    /// Writes all of a result. A reader that has gone away is no failure.
    pub fn write(&self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.write_by(|out| out.write_all(bytes.as_ref()))
    }

    /// Writes a result piece by piece, as [`write`](Self::write) does.
    pub fn write_by(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
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
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Failure::system(format!("cannot write {name}: {error}"))),
            Ok(()) => Ok(()),
        }
    }
}
