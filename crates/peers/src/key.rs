//! The key of a run: 32 bytes that all its processes hold, and nobody else.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::{fmt, io};

use crate::PeerError;

/// The bytes of a key.
pub(crate) const KEY_BYTES: usize = 32;

/// What all processes of a run hold, and nobody else.
#[derive(Clone)]
pub struct Key(pub(crate) [u8; KEY_BYTES]);

/// Keys are not shown.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// A new key, from the system's source of randomness.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn generate() -> Result<Key, PeerError> {
        random_bytes().map(Key)
    }

    /// The key in these bytes: the 32 bytes of the key, or 64 hexadecimal digits, with white space around them or not.
    ///
    /// # Errors
    ///
    /// If they are something else.
    pub fn read(bytes: &[u8]) -> Result<Key, PeerError> {
        if let Ok(key) = bytes.try_into() {
            return Ok(Key(key));
        }
        let digits = bytes.trim_ascii();
        let value = |pair: &[u8]| {
            let [high, low] = [pair[0], pair[1]].map(|digit| char::from(digit).to_digit(16));
            Some((high? << 4 | low?) as u8)
        };
        let read: Option<Vec<u8>> = match digits.len() {
            64 => digits.chunks_exact(2).map(value).collect(),
            _ => None,
        };
        let key = read.and_then(|read| read.try_into().ok());
        key.map(Key).ok_or(PeerError::NoKey { bytes: bytes.len() })
    }

    /// The key in a file that nobody but its owner may read.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, may be read by others, or holds no key.
    pub fn open(path: &Path) -> Result<Key, PeerError> {
        let failed = |error| PeerError::KeyFile { file: path.display().to_string(), error };
        let mut file = File::open(path).map_err(failed)?;
        if let Some(mode) = mode_for_others(&file).map_err(failed)? {
            return Err(PeerError::KeyIsOpen { file: path.display().to_string(), mode });
        }
        let mut bytes = Vec::new();
        // No key is longer, whatever the file is.
        (&mut file).take(1 << 10).read_to_end(&mut bytes).map_err(failed)?;
        Key::read(&bytes)
    }

    /// Writes the key to a new file that nobody but its owner may read.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or is there already.
    pub fn save(&self, path: &Path) -> Result<(), PeerError> {
        let failed = |error| PeerError::KeyFile { file: path.display().to_string(), error };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(failed)?;
        writeln!(file, "{}", self.digits()).map_err(failed)
    }

    /// The key in hexadecimal digits.
    #[must_use]
    pub fn digits(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Bytes that nobody can foresee.
pub(crate) fn random_bytes<const N: usize>() -> Result<[u8; N], PeerError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| PeerError::Randomness(error.to_string()))?;
    Ok(bytes)
}

/// The mode of a file, if others than its owner may do anything with it.
#[cfg(unix)]
fn mode_for_others(file: &File) -> io::Result<Option<u32>> {
    use std::os::unix::fs::MetadataExt;
    let mode = file.metadata()?.mode() & 0o777;
    Ok((mode & 0o077 != 0).then_some(mode))
}

/// Where files have no such mode, nothing is known of others.
#[cfg(not(unix))]
fn mode_for_others(_: &File) -> io::Result<Option<u32>> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_bytes_or_digits() {
        let key = Key::generate().unwrap();
        assert_eq!(Key::read(&key.0).unwrap().0, key.0);
        assert_eq!(Key::read(key.digits().as_bytes()).unwrap().0, key.0);
        assert_eq!(Key::read(format!(" {}\n", key.digits()).as_bytes()).unwrap().0, key.0);
        for wrong in [&b""[..], b"short", &[7; 33], &[b'g'; 64], &[b'a'; 63], &[0xff; 64]] {
            let message = Key::read(wrong).unwrap_err().to_string();
            assert!(message.contains("kinfold cluster key"), "{message}");
        }
        assert_eq!(format!("{key:?}"), "Key");
        assert_ne!(Key::generate().unwrap().0, key.0);
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_may_read_is_refused() {
        use std::fs::{Permissions, set_permissions};
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.key");
        let key = Key::generate().unwrap();
        key.save(&path).unwrap();
        assert_eq!(Key::open(&path).unwrap().0, key.0);
        assert!(key.save(&path).is_err(), "a key is not overwritten");
        for mode in [0o640, 0o604, 0o620, 0o644] {
            set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let message = Key::open(&path).unwrap_err().to_string();
            assert!(message.contains("chmod 600"), "{message}");
        }
        set_permissions(&path, Permissions::from_mode(0o400)).unwrap();
        assert!(Key::open(&path).is_ok());
        assert!(matches!(Key::open(&folder.path().join("none")), Err(PeerError::KeyFile { .. })));
    }
}
