//! Manifests: a line with the form and its version, a JSON document, and a line with the BLAKE3 hash of all that is
//! before it.
//!
//! A manifest is written under another name, synced, and renamed, so that there is always one that is whole.

use std::io::Read;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::disk::Disk;
use super::error::CheckpointError;
use super::stream::FileMark;

const LAST: &str = "\nblake3 ";
pub(super) const VERSION: u64 = 6;
/// A manifest is not longer than this, in bytes.
const LONGEST: u64 = 1 << 30;

/// What a manifest says.
pub(crate) trait Document: Serialize + DeserializeOwned {
    /// The name of the file.
    const NAME: &'static str;
    /// The name under which it is written.
    const NEW: &'static str;
    /// How it begins. The version follows.
    const FIRST: &'static str;

    /// What it says of files.
    fn marks(&self) -> impl Iterator<Item = &FileMark>;

    /// Reads the manifest; nothing if there is none.
    fn read(disk: &dyn Disk) -> Result<Option<Self>, CheckpointError> {
        let path = disk.path(Self::NAME);
        let length = disk.length(Self::NAME).map_err(CheckpointError::reading(&path))?;
        if length.is_none() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let read =
            disk.read(Self::NAME).and_then(|file| file.take(LONGEST).read_to_end(&mut bytes));
        read.map_err(CheckpointError::reading(&path))?;
        Self::parsed(&bytes, &path).map(Some)
    }

    /// What the bytes of a manifest say.
    fn parsed(bytes: &[u8], path: &str) -> Result<Self, CheckpointError> {
        let damaged = |why: &str| CheckpointError::damaged(path, why);
        let text = str::from_utf8(bytes).map_err(|_| damaged("it is not UTF-8"))?;
        let rest = text.strip_prefix(Self::FIRST).ok_or_else(|| damaged("it is not a manifest"))?;
        let (version, _) = rest.split_once('\n').unwrap_or((rest, ""));
        let version = version.parse().map_err(|_| damaged("it has no version"))?;
        if version != VERSION {
            return Err(CheckpointError::Version { file: path.to_owned(), version });
        }
        let end = text.rfind(LAST).ok_or_else(|| damaged("it is cut off"))?;
        let (before, hash) = text.split_at(end);
        if hash != last_line(before) {
            return Err(damaged("its checksum is not right"));
        }
        let (_, json) = before.split_once('\n').ok_or_else(|| damaged("it is cut off"))?;
        let document: Self =
            serde_json::from_str(json).map_err(|error| damaged(&error.to_string()))?;
        // Files are cut off and appended to: a manifest from elsewhere must not name others than those beside it.
        if let Some(mark) = document.marks().find(|mark| !is_plain(&mark.file)) {
            return Err(damaged(&format!("{:?} is not the name of a file", mark.file)));
        }
        Ok(document)
    }

    /// The bytes of the manifest.
    fn text(&self) -> String {
        let json = serde_json::to_string_pretty(self).expect("it is made of numbers and strings");
        let before = format!("{}{VERSION}\n{json}", Self::FIRST);
        let last = last_line(&before);
        before + &last
    }

    /// Puts the manifest in the place of the one before, at once and on disk to stay.
    fn write(&self, disk: &mut dyn Disk) -> Result<(), CheckpointError> {
        let written = disk
            .cut(Self::NEW, 0)
            .and_then(|()| disk.append(Self::NEW, self.text().as_bytes()))
            .and_then(|()| disk.sync(Self::NEW))
            .and_then(|()| disk.rename(Self::NEW, Self::NAME))
            .and_then(|()| disk.sync_names());
        let path = disk.path(Self::NAME);
        written.map_err(CheckpointError::writing(&path))
    }
}

/// Whether this is the name of a file in the same directory.
fn is_plain(name: &str) -> bool {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    !name.is_empty() && !name.starts_with('.') && name.chars().all(is_usual)
}

fn last_line(before: &str) -> String {
    format!("{LAST}{}\n", blake3::hash(before.as_bytes()).to_hex())
}

#[cfg(test)]
mod tests {
    use super::super::manifest::{About, Manifest};
    use super::*;

    fn text(file: &str) -> String {
        let mark = FileMark { file: file.to_owned(), bytes: 0, blake3: String::new() };
        let (about, explorations) = (About::default(), Vec::new());
        Manifest { about, attached: vec![mark], explorations }.text()
    }

    #[test]
    fn only_files_beside_it_are_named() {
        assert!(Manifest::parsed(text("0.strings").as_bytes(), "m").is_ok());
        for name in ["", "..", "../0.strings", "/etc/passwd", "a\\b", "C:x", ".hidden"] {
            let error = Manifest::parsed(text(name).as_bytes(), "m").expect_err("it is elsewhere");
            assert!(error.to_string().contains("is not the name of a file"), "{error}");
        }
    }

    #[test]
    fn another_version_is_told_from_damage() {
        let own = format!("checkpoint {VERSION}");
        assert!(text("model").contains(&own));
        for other in [VERSION - 1, VERSION + 1] {
            let text = text("model").replacen(&own, &format!("checkpoint {other}"), 1);
            let error = Manifest::parsed(text.as_bytes(), "m").expect_err("it is another");
            let is_told =
                matches!(error, CheckpointError::Version { version, .. } if version == other);
            assert!(is_told, "{error}");
        }
        let cut_off = format!("kinfold {own}\n{{}}");
        for text in ["", "kinfold checkpoint ", "kinfold checkpoint x\n", &cut_off] {
            let error = Manifest::parsed(text.as_bytes(), "m").expect_err("it is no manifest");
            assert!(matches!(error, CheckpointError::Damaged { .. }), "{error}");
        }
    }
}
