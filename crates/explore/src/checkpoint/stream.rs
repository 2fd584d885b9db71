//! A file that only grows, and whose beginning is vouched for by a checksum.
//!
//! The manifest says how long the file is, and has the BLAKE3 hash of that much. What is behind was being written
//! when a run ended, and is cut off before more is appended.

use std::io::{self, BufReader, Read, Write};

use blake3::Hasher;
use serde::{Deserialize, Serialize};

use super::disk::Disk;
use super::error::CheckpointError;

/// The bytes that are appended, and read, at a time.
const BLOCK: usize = 1 << 16;

/// What the manifest says of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct FileMark {
    pub(crate) file: String,
    pub(crate) bytes: u64,
    pub(crate) blake3: String,
}

/// A file, as far as it is vouched for.
#[derive(Clone)]
pub(crate) struct Stream {
    file: String,
    length: u64,
    hasher: Hasher,
}

impl Stream {
    /// A file that has yet to be written, and is to begin with `head`.
    pub(crate) fn begun(
        file: &str,
        head: &[u8],
        disk: &mut dyn Disk,
    ) -> Result<Stream, CheckpointError> {
        let empty = Stream { file: file.to_owned(), length: 0, hasher: Hasher::new() };
        let path = disk.path(file);
        empty.appended(disk, |to| to.write_all(head)).map_err(CheckpointError::writing(&path))
    }

    /// A file that has been written, if it holds what the manifest says.
    pub(crate) fn verified(mark: &FileMark, disk: &dyn Disk) -> Result<Stream, CheckpointError> {
        let path = disk.path(&mark.file);
        let length = disk.length(&mark.file).map_err(CheckpointError::reading(&path))?;
        let Some(length) = length else {
            return Err(CheckpointError::damaged(path, "it is not there"));
        };
        if length < mark.bytes {
            let why = format!("it has {length} bytes, and should have {}", mark.bytes);
            return Err(CheckpointError::damaged(path, why));
        }
        let mut hasher = Hasher::new();
        let file = disk.read(&mark.file).map_err(CheckpointError::reading(&path))?;
        let mut read = BufReader::with_capacity(BLOCK, file.take(mark.bytes));
        let copied = io::copy(&mut read, &mut hasher).map_err(CheckpointError::reading(&path))?;
        if copied != mark.bytes || hasher.finalize().to_hex().as_str() != mark.blake3 {
            let why = "its checksum is not the one in the manifest";
            return Err(CheckpointError::damaged(path, why));
        }
        Ok(Stream { file: mark.file.clone(), length: mark.bytes, hasher })
    }

    /// The name of the file.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// What the manifest is to say of it.
    pub(crate) fn mark(&self) -> FileMark {
        let blake3 = self.hasher.finalize().to_hex().to_string();
        FileMark { file: self.file.clone(), bytes: self.length, blake3 }
    }

    /// What is vouched for, from its start.
    pub(crate) fn read(&self, disk: &dyn Disk) -> io::Result<impl io::BufRead + use<>> {
        Ok(BufReader::with_capacity(BLOCK, disk.read(&self.file)?.take(self.length)))
    }

    /// The file with what `write` appends to it, on disk to stay. If that fails, what is vouched for is there all the
    /// same, with something behind it.
    pub(crate) fn appended(
        &self,
        disk: &mut dyn Disk,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<Stream> {
        if disk.length(&self.file)? != Some(self.length) {
            disk.cut(&self.file, self.length)?;
        }
        let buffer = Vec::with_capacity(BLOCK);
        let mut tail = Tail { stream: self.clone(), disk, buffer };
        let written = write(&mut tail).and_then(|()| tail.flush());
        let Tail { stream, disk, .. } = tail;
        match written {
            Ok(()) if stream.length == self.length => Ok(stream),
            Ok(()) => disk.sync(&self.file).map(|()| stream),
            Err(error) => Err(error),
        }
    }

    /// Cuts off what could not be appended whole, so that a full disk has room again. If this fails, it is cut off
    /// before more is appended.
    pub(crate) fn cut_back(&self, disk: &mut dyn Disk) {
        let _ = disk.cut(&self.file, self.length);
    }
}

/// What is being appended.
struct Tail<'d> {
    stream: Stream,
    disk: &'d mut dyn Disk,
    buffer: Vec<u8>,
}

impl Write for Tail<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() + bytes.len() > BLOCK {
            self.flush()?;
        }
        if bytes.len() >= BLOCK {
            self.put(bytes)?;
        } else {
            self.buffer.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut buffer = std::mem::take(&mut self.buffer);
        if !buffer.is_empty() {
            self.put(&buffer)?;
            buffer.clear();
        }
        self.buffer = buffer;
        Ok(())
    }
}

impl Tail<'_> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.disk.append(&self.stream.file, bytes)?;
        self.stream.hasher.update(bytes);
        self.stream.length += bytes.len() as u64;
        Ok(())
    }
}
