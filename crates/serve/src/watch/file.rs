//! One file, looked at again and again.
//!
//! Editors save in many ways: some write over the file, others empty it first, write it in parts, or write another
//! and rename it. So a file is read when it has looked the same twice, and a file that is gone is given a few looks to
//! come back. Where two saves are too close for the clock of the file system, the times are the same; so the content
//! is compared for a while after each change.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Longer than a tick of any file system's clock.
const FRESH_TIME: Duration = Duration::from_secs(3);

/// For how many looks a file may be gone before that is told.
const LOOKS_TO_COME_BACK: u32 = 4;

/// A file, and what was seen of it last.
#[derive(Debug)]
pub(crate) struct Watched {
    path: PathBuf,
    /// The most bytes that are read.
    most: u64,
    content: Vec<u8>,
    /// How it looked when it was read.
    read: Option<Stamp>,
    /// How it looked at the last look, and since when.
    seen: Option<(Stamp, Instant)>,
    /// How long the content is compared after a change.
    fresh_time: Duration,
    looks_failed: u32,
    /// Why it cannot be read, if that was told.
    fault: Option<String>,
}

/// What is seen of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    /// Which file it is, where the system says so.
    file: u64,
}

/// What a look at a file shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Nothing new.
    Same,
    /// Its content is new.
    Content,
    /// It can no longer be read, for this reason.
    Gone(String),
    /// It can be read again, and is as it was.
    Back,
}

impl Watched {
    /// A file with what is in it, of which not more than `most` bytes are read.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn open(path: &Path, most: u64) -> io::Result<Watched> {
        let stamp = stamp_of(path)?;
        let content = content_of(path, most)?;
        Ok(Watched {
            path: path.to_owned(),
            most,
            content,
            read: Some(stamp),
            seen: Some((stamp, Instant::now())),
            fresh_time: FRESH_TIME,
            looks_failed: 0,
            fault: None,
        })
    }

    /// What is in it.
    pub(crate) fn content(&self) -> &[u8] {
        &self.content
    }

    /// Looks at it once more.
    pub(crate) fn look(&mut self) -> Seen {
        let looked = stamp_of(&self.path).and_then(|stamp| self.settled(stamp));
        match looked {
            Err(error) => {
                self.seen = None;
                self.looks_failed = self.looks_failed.saturating_add(1);
                if self.looks_failed < LOOKS_TO_COME_BACK || self.fault.is_some() {
                    return Seen::Same;
                }
                let fault = error.to_string();
                self.fault = Some(fault.clone());
                Seen::Gone(fault)
            }
            Ok(None) => {
                self.looks_failed = 0;
                Seen::Same
            }
            Ok(Some(content)) => {
                self.looks_failed = 0;
                let was_gone = self.fault.take().is_some();
                if content != self.content {
                    self.content = content;
                    Seen::Content
                } else if was_gone {
                    Seen::Back
                } else {
                    Seen::Same
                }
            }
        }
    }

    /// The content of a file that looks like this, if it has settled and may be new.
    fn settled(&mut self, stamp: Stamp) -> io::Result<Option<Vec<u8>>> {
        let since = match self.seen {
            Some((seen, since)) if seen == stamp => since,
            _ => {
                self.seen = Some((stamp, Instant::now()));
                return Ok(None);
            }
        };
        let is_known = self.read == Some(stamp) && self.fault.is_none();
        if is_known && since.elapsed() > self.fresh_time {
            return Ok(None);
        }
        let content = content_of(&self.path, self.most)?;
        if stamp_of(&self.path)? != stamp {
            // Somebody writes just now.
            return Ok(None);
        }
        self.read = Some(stamp);
        Ok(Some(content))
    }
}

/// How a file looks. What is no file, a pipe say, cannot be read twice.
fn stamp_of(path: &Path) -> io::Result<Stamp> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::other("it is a directory"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a file that can be watched"));
    }
    Ok(Stamp {
        modified: metadata.modified().ok(),
        length: metadata.len(),
        file: number_of(&metadata),
    })
}

#[cfg(unix)]
fn number_of(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn number_of(_: &Metadata) -> u64 {
    0
}

fn content_of(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut content)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// Looks until there is something new, at most this often.
    fn news(file: &mut Watched, looks: u32) -> Seen {
        (0..looks).map(|_| file.look()).find(|seen| *seen != Seen::Same).unwrap_or(Seen::Same)
    }

    fn written(text: &str) -> (TempDir, PathBuf, Watched) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.kin");
        fs::write(&path, text).unwrap();
        let mut file = Watched::open(&path, 100).unwrap();
        file.fresh_time = Duration::MAX;
        (folder, path, file)
    }

    #[test]
    fn a_change_is_seen_once_and_only_when_it_has_settled() {
        let (_folder, path, mut file) = written("one");
        assert_eq!(file.content(), b"one");
        assert_eq!(news(&mut file, 5), Seen::Same);
        fs::write(&path, "two and three").unwrap();
        assert_eq!(file.look(), Seen::Same, "it may be written still");
        assert_eq!(file.look(), Seen::Content);
        assert_eq!(file.content(), b"two and three");
        assert_eq!(news(&mut file, 5), Seen::Same);
    }

    #[test]
    fn a_change_too_quick_for_the_clock_is_seen() {
        let (_folder, path, mut file) = written("one");
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "two").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        assert_eq!(news(&mut file, 5), Seen::Content);
        assert_eq!(file.content(), b"two");
    }

    #[test]
    fn a_file_that_stays_as_it_is_is_not_read_again() {
        let (_folder, path, mut file) = written("one");
        file.fresh_time = Duration::ZERO;
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "two").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        assert_eq!(news(&mut file, 5), Seen::Same, "it looks as it did");
        fs::write(&path, "three").unwrap();
        assert_eq!(news(&mut file, 5), Seen::Content);
        assert_eq!(file.content(), b"three");
    }

    #[test]
    fn a_file_that_is_empty_or_in_parts_for_a_moment_is_not_read() {
        let (_folder, path, mut file) = written("one");
        for part in ["", "t", "tw", "two!"] {
            fs::write(&path, part).unwrap();
            assert_eq!(file.look(), Seen::Same);
        }
        assert_eq!(file.look(), Seen::Content);
        assert_eq!(file.content(), b"two!");
    }

    #[test]
    fn a_file_may_be_replaced() {
        let (folder, path, mut file) = written("one");
        let other = folder.path().join("other");
        fs::write(&other, "two").unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(file.look(), Seen::Same, "it may come back");
        fs::rename(&other, &path).unwrap();
        assert_eq!(news(&mut file, 3), Seen::Content);
        assert_eq!(file.content(), b"two");
    }

    #[test]
    fn a_file_may_go_and_come_back() {
        let (_folder, path, mut file) = written("one");
        fs::remove_file(&path).unwrap();
        assert!(matches!(news(&mut file, LOOKS_TO_COME_BACK), Seen::Gone(_)));
        assert_eq!(news(&mut file, 10), Seen::Same, "it is told once");
        assert_eq!(file.content(), b"one");
        fs::write(&path, "one").unwrap();
        assert_eq!(news(&mut file, 3), Seen::Back);
        fs::remove_file(&path).unwrap();
        assert!(matches!(news(&mut file, LOOKS_TO_COME_BACK), Seen::Gone(_)));
        fs::write(&path, "two").unwrap();
        assert_eq!(news(&mut file, 3), Seen::Content);
        assert_eq!(file.content(), b"two");
    }

    #[test]
    fn not_more_is_read_than_may_be() {
        let (_folder, path, mut file) = written("one");
        fs::write(&path, "x".repeat(1000)).unwrap();
        assert_eq!(news(&mut file, 3), Seen::Content);
        assert_eq!(file.content(), "x".repeat(100).as_bytes());
    }

    #[test]
    fn a_directory_is_no_model() {
        let folder = tempfile::tempdir().unwrap();
        let error = Watched::open(folder.path(), 100).unwrap_err();
        assert_eq!(error.to_string(), "it is a directory");
    }
}
