//! Lists of byte strings, saved and restored.
//!
//! The number of strings that were saved before, the number of those that follow, and for each its length and
//! its bytes; numbers are eight bytes, the lowest first.

use std::io::{self, Error, ErrorKind, Read, Write};

/// Writes strings, of which there are as many as the iterator says; `before` were written earlier.
///
/// # Errors
///
/// If writing fails.
pub fn save_strings<'s>(
    before: u64,
    strings: impl ExactSizeIterator<Item = &'s [u8]>,
    to: &mut dyn Write,
) -> io::Result<()> {
    to.write_all(&before.to_le_bytes())?;
    to.write_all(&(strings.len() as u64).to_le_bytes())?;
    for string in strings {
        to.write_all(&(string.len() as u64).to_le_bytes())?;
        to.write_all(string)?;
    }
    Ok(())
}

/// Reads what [`save_strings`] has written, and hands each string on, with its number.
///
/// # Errors
///
/// If reading fails, or there is less than was written, or `take` refuses a string.
pub fn restore_strings(
    from: &mut dyn Read,
    mut take: impl FnMut(u64, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut string = Vec::new();
    let before = number(from)?;
    let count = number(from)?;
    let wrong = || Error::new(ErrorKind::InvalidData, "there are too many saved strings");
    for at in before..before.checked_add(count).ok_or_else(wrong)? {
        let length = number(from)?;
        string.clear();
        // A length that is wrong must not make room for itself.
        Read::take(&mut *from, length).read_to_end(&mut string)?;
        if string.len() as u64 != length {
            return Err(Error::new(ErrorKind::UnexpectedEof, "a saved string is cut off"));
        }
        take(at, &string)?;
    }
    Ok(())
}

fn number(from: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back_and_what_is_cut_off_is_noticed() {
        let strings: [&[u8]; 4] = [b"", b"a", &[7; 1000], b"a"];
        let mut saved = Vec::new();
        save_strings(7, strings.iter().copied(), &mut saved).unwrap();
        let mut restored: Vec<Vec<u8>> = Vec::new();
        let keep = |number: u64, string: &[u8]| {
            assert_eq!(number, 7 + restored.len() as u64);
            restored.push(string.to_vec());
            Ok(())
        };
        restore_strings(&mut &saved[..], keep).unwrap();
        assert_eq!(restored, strings);
        for end in 0..saved.len() {
            assert!(restore_strings(&mut &saved[..end], |_, _| Ok(())).is_err(), "{end}");
        }
        for (before, count) in [(0, 1), (1, u64::MAX)] {
            let huge = [before, count, u64::MAX].map(u64::to_le_bytes).concat();
            assert!(restore_strings(&mut &huge[..], |_, _| Ok(())).is_err());
        }
    }
}
