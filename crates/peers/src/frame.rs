//! Frames: what is said on a connection after both sides have proved that they hold the key.
//!
//! A frame is the length of its content in four bytes, the lowest first, the content, and a seal: the BLAKE3 hash of how many
//! frames came before and of the content, under a key that this connection and this direction alone have. So a frame
//! cannot be made up, repeated, left out, or sent back to where it came from.

use std::io::{self, ErrorKind, Read, Write};

use subtle::ConstantTimeEq;

/// The length of a content, at most.
pub(crate) const MOST_BYTES: usize = 1 << 18;

const SEAL_BYTES: usize = 32;

/// The frames of one direction of a connection.
pub(crate) struct Seals {
    key: [u8; 32],
    count: u64,
}

impl Seals {
    pub(crate) fn new(key: [u8; 32]) -> Seals {
        Seals { key, count: 0 }
    }

    /// The seal of the next frame.
    fn next(&mut self, content: &[u8]) -> [u8; SEAL_BYTES] {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&self.count.to_le_bytes()).update(content);
        self.count += 1;
        *hasher.finalize().as_bytes()
    }

    /// Writes the next frame, in one piece.
    pub(crate) fn write(&mut self, content: &[u8], to: &mut impl Write) -> io::Result<()> {
        assert!(content.len() <= MOST_BYTES, "what is said is short");
        let seal = self.next(content);
        let length = (content.len() as u32).to_le_bytes();
        to.write_all(&[&length, content, &seal].concat())?;
        to.flush()
    }

    /// Reads the next frame.
    pub(crate) fn read(&mut self, from: &mut impl Read) -> io::Result<Vec<u8>> {
        let mut length = [0; 4];
        from.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > MOST_BYTES {
            return Err(garbled());
        }
        let mut content = vec![0; length];
        from.read_exact(&mut content)?;
        let mut seal = [0; SEAL_BYTES];
        from.read_exact(&mut seal)?;
        match bool::from(self.next(&content).ct_eq(&seal)) {
            true => Ok(content),
            false => Err(garbled()),
        }
    }
}

pub(crate) fn garbled() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "what was said does not make sense")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_as_they_were_sent() {
        let (mut out, mut wire) = (Seals::new([7; 32]), Vec::new());
        for content in [&b"first"[..], b"", b"third"] {
            out.write(content, &mut wire).unwrap();
        }
        let (mut into, mut from) = (Seals::new([7; 32]), &wire[..]);
        for content in [&b"first"[..], b"", b"third"] {
            assert_eq!(into.read(&mut from).unwrap(), content);
        }
        assert_eq!(into.read(&mut from).unwrap_err().kind(), ErrorKind::UnexpectedEof);
    }

    #[test]
    fn frames_that_are_changed_repeated_or_left_out_are_refused() {
        let (mut out, mut wire) = (Seals::new([7; 32]), Vec::new());
        out.write(b"once", &mut wire).unwrap();
        for at in 0..wire.len() {
            let mut changed = wire.clone();
            changed[at] ^= 1;
            assert!(Seals::new([7; 32]).read(&mut &changed[..]).is_err(), "byte {at}");
            assert!(Seals::new([7; 32]).read(&mut &wire[..at]).is_err(), "cut at {at}");
        }
        assert!(Seals::new([8; 32]).read(&mut &wire[..]).is_err(), "another key");
        let twice = [&wire[..], &wire[..]].concat();
        let (mut into, mut from) = (Seals::new([7; 32]), &twice[..]);
        assert!(into.read(&mut from).is_ok());
        assert!(into.read(&mut from).is_err(), "repeated");
        let mut second = Vec::new();
        out.write(b"twice", &mut second).unwrap();
        assert!(Seals::new([7; 32]).read(&mut &second[..]).is_err(), "left out");
        let long = (MOST_BYTES as u32 + 1).to_le_bytes();
        assert!(Seals::new([7; 32]).read(&mut &long[..]).is_err(), "too long");
    }
}
