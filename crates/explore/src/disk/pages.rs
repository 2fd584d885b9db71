//! Bytes in a file, read as if they were in memory.
//!
//! The file is mapped, so that reading costs nothing where the system has the bytes at hand. What is mapped and was
//! read counts as memory of the process; so the blocks that were read are counted, and when they are too many, all are
//! released. The system may well keep them for a while, which costs nobody anything.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::mapping::Mapping;

/// The size of a block is two to this power. A fault brings in no more than is in one.
const BLOCK_BITS: u32 = 18;

/// The bytes that are written at a time.
const WRITTEN_AT_ONCE: usize = 1 << 17;

/// Makes the names of files differ.
static FILES: AtomicU64 = AtomicU64::new(0);

/// A file of bytes that only grows, and is gone when this is dropped.
#[derive(Debug)]
pub(crate) struct Pages {
    file: File,
    /// Where the file is, if it still has a name.
    path: Option<PathBuf>,
    mapping: Mapping,
    length: u64,
    /// Of each block, whether it was read since the last release.
    read: Vec<AtomicBool>,
    /// How many were.
    blocks: AtomicU64,
    most_blocks: u64,
}

impl Pages {
    /// An empty file in a directory, which is made if there is none. At most this many bytes of it are in memory at a
    /// time.
    pub(crate) fn create(directory: &Path, most_mapped: u64) -> io::Result<Pages> {
        fs::create_dir_all(directory)?;
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!("kinfold-{}-{number}.pages", std::process::id()));
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        // Where an open file cannot lose its name, it does so in the end.
        let path = if fs::remove_file(&path).is_ok() { None } else { Some(path) };
        Ok(Pages {
            file,
            path,
            mapping: Mapping::default(),
            length: 0,
            read: Vec::new(),
            blocks: AtomicU64::new(0),
            most_blocks: (most_mapped >> BLOCK_BITS).max(2),
        })
    }

    /// The number of bytes.
    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    /// Appends what `write` writes: all of it, or in case of an error nothing.
    pub(crate) fn append(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        // What a failure has left behind is written over.
        self.file.seek(SeekFrom::Start(self.length))?;
        let mut tail = BufWriter::with_capacity(WRITTEN_AT_ONCE, &self.file);
        write(&mut tail)?;
        tail.flush()?;
        drop(tail);
        let length = self.file.stream_position()?;
        let mapped = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.mapping = Mapping::of(&self.file, mapped)?;
        self.length = length;
        self.read.clear();
        self.read.resize_with((mapped >> BLOCK_BITS) + 1, || AtomicBool::new(false));
        self.blocks = AtomicU64::new(0);
        Ok(())
    }

    /// Some of the bytes.
    #[inline]
    pub(crate) fn get(&self, range: Range<u64>) -> &[u8] {
        let blocks = range.start >> BLOCK_BITS..=range.end >> BLOCK_BITS;
        for block in blocks {
            if !self.read[block as usize].load(Ordering::Relaxed) {
                self.note(block as usize);
            }
        }
        &self.mapping.bytes()[range.start as usize..range.end as usize]
    }

    /// Notes that a block is read.
    #[cold]
    fn note(&self, block: usize) {
        if self.blocks.fetch_add(1, Ordering::Relaxed) >= self.most_blocks {
            self.release();
        }
        self.read[block].store(true, Ordering::Relaxed);
    }

    /// Takes everything out of memory.
    pub(crate) fn release(&self) {
        self.blocks.store(0, Ordering::Relaxed);
        self.read.iter().for_each(|read| read.store(false, Ordering::Relaxed));
        self.mapping.release();
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            self.mapping = Mapping::default();
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_appended_is_read_whatever_is_released() {
        let folder = tempfile::tempdir().unwrap();
        let mut pages = Pages::create(folder.path(), 0).unwrap();
        let piece = |number: u32| -> Vec<u8> {
            (0..50_000_u32).map(|at| (at.wrapping_mul(number + 7) >> 3) as u8).collect()
        };
        for number in 0..60 {
            pages.append(|to| to.write_all(&piece(number))).unwrap();
            for earlier in (0..=number).rev() {
                let start = u64::from(earlier) * 50_000;
                assert_eq!(pages.get(start..start + 50_000), piece(earlier));
            }
        }
        assert_eq!(pages.len(), 3_000_000);
        assert!(pages.blocks.load(Ordering::Relaxed) <= pages.most_blocks + 1);
        assert!(pages.get(3_000_000..3_000_000).is_empty());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), usize::from(pages.path.is_some()));
    }

    #[test]
    fn a_directory_that_cannot_be_used_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(Pages::create(&file, 1 << 20).is_err());
    }
}
