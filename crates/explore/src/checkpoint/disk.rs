//! What a checkpoint needs of a disk, and a directory that gives it.
//!
//! Few operations, so that tests can have a disk that is full or loses power between any two of them.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::document::Document;
use super::error::CheckpointError;
use super::manifest::Manifest;

/// The file that is locked while a process works on a checkpoint.
const LOCK: &str = "lock";

/// Files by their names, in one directory.
pub(crate) trait Disk: Send {
    /// What a file is called in messages.
    fn path(&self, name: &str) -> String;

    /// The length of a file; nothing if there is none.
    fn length(&self, name: &str) -> io::Result<Option<u64>>;

    /// Reads a file from its start.
    fn read(&self, name: &str) -> io::Result<Box<dyn Read>>;

    /// Cuts a file off at this length, which is at most the one it has. A file that is not there is made.
    fn cut(&mut self, name: &str, length: u64) -> io::Result<()>;

    /// Appends to a file.
    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Waits until what is in a file is there to stay.
    fn sync(&mut self, name: &str) -> io::Result<()>;

    /// Gives a file another name, and at once: what had that name before is gone.
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()>;

    /// Waits until the names of files are there to stay.
    fn sync_names(&mut self) -> io::Result<()>;
}

/// A directory that no other process uses as a checkpoint meanwhile.
pub(crate) struct Folder {
    path: PathBuf,
    open: BTreeMap<String, File>,
    /// Holds the lock; nothing where the directory is only looked at.
    _lock: Option<File>,
}

impl Folder {
    /// Takes a directory, which is made if there is none.
    pub(crate) fn take(path: &Path) -> Result<Folder, CheckpointError> {
        let lock = path.join(LOCK);
        let name = lock.display().to_string();
        let opened = fs::create_dir_all(path)
            .and_then(|()| OpenOptions::new().create(true).truncate(false).write(true).open(&lock));
        let lock = opened.map_err(CheckpointError::writing(&name))?;
        match lock.try_lock() {
            Ok(()) => Ok(Folder { _lock: Some(lock), ..Folder::look(path) }),
            Err(TryLockError::WouldBlock) => {
                Err(CheckpointError::InUse(path.display().to_string()))
            }
            Err(TryLockError::Error(error)) => Err(CheckpointError::writing(&name)(error)),
        }
    }

    /// Looks at a directory.
    pub(crate) fn look(path: &Path) -> Folder {
        Folder { path: path.to_owned(), open: BTreeMap::new(), _lock: None }
    }

    /// Whether there is anything in a directory beside what a checkpoint has there before its first manifest.
    pub(crate) fn has_others(path: &Path, is_ours: impl Fn(&str) -> bool) -> io::Result<bool> {
        for entry in fs::read_dir(path)? {
            let name = entry?.file_name();
            let is_ours = |name: &str| [LOCK, Manifest::NEW].contains(&name) || is_ours(name);
            if !name.to_str().is_some_and(is_ours) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn file(&mut self, name: &str) -> io::Result<&mut File> {
        if !self.open.contains_key(name) {
            let mut options = OpenOptions::new();
            let file = options.create(true).append(true).open(self.path.join(name))?;
            self.open.insert(name.to_owned(), file);
        }
        Ok(self.open.get_mut(name).expect("it is open"))
    }
}

impl Disk for Folder {
    fn path(&self, name: &str) -> String {
        self.path.join(name).display().to_string()
    }

    fn length(&self, name: &str) -> io::Result<Option<u64>> {
        match fs::metadata(self.path.join(name)) {
            Ok(found) => Ok(Some(found.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read(&self, name: &str) -> io::Result<Box<dyn Read>> {
        Ok(Box::new(File::open(self.path.join(name))?))
    }

    fn cut(&mut self, name: &str, length: u64) -> io::Result<()> {
        self.file(name)?.set_len(length)
    }

    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.file(name)?.write_all(bytes)
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        self.file(name)?.sync_all()
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.open.remove(from);
        self.open.remove(to);
        fs::rename(self.path.join(from), self.path.join(to))
    }

    #[cfg(unix)]
    fn sync_names(&mut self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()
    }

    /// Only Unix lets a directory be opened and synced.
    #[cfg(not(unix))]
    fn sync_names(&mut self) -> io::Result<()> {
        Ok(())
    }
}
