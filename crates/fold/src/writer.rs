//! Numbers as [`explore::varint`] writes them, written faster: into memory that is there already.

/// The bytes that a number may take.
const MOST: usize = 5;

/// Numbers to be written. Its memory stays, so that room for them costs nothing.
#[derive(Default)]
pub(crate) struct Writer {
    /// What is written, up to `len`; what is beyond means nothing.
    bytes: Vec<u8>,
    len: usize,
}

/// Room for a known number of numbers.
pub(crate) struct Room<'w> {
    bytes: &'w mut [u8],
    at: usize,
    len: &'w mut usize,
}

impl Writer {
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// What was written.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Writes bytes as they are.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) {
        self.bytes.resize(self.bytes.len().max(self.len + bytes.len()), 0);
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Room for at most this many numbers.
    pub(crate) fn room(&mut self, numbers: usize) -> Room<'_> {
        let end = self.len + MOST * numbers;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        Room { bytes: &mut self.bytes, at: self.len, len: &mut self.len }
    }
}

impl Room<'_> {
    /// Writes a number.
    #[inline(always)]
    pub(crate) fn write(&mut self, number: u32) {
        if number < 0x80 {
            self.bytes[self.at] = number as u8;
            self.at += 1;
        } else {
            self.at += write_long(number, &mut self.bytes[self.at..]);
        }
    }

    /// Writes a number that may as well be small as large. Up to fourteen bits, no branch depends on it.
    #[inline(always)]
    pub(crate) fn write_any(&mut self, number: u32) {
        if number < 1 << 14 {
            let more = u32::from(number >= 0x80);
            let both = number & 0x7f | more << 7 | number >> 7 << 8;
            self.bytes[self.at..self.at + 2].copy_from_slice(&(both as u16).to_le_bytes());
            self.at += 1 + more as usize;
        } else {
            self.at += write_long(number, &mut self.bytes[self.at..]);
        }
    }

    /// Writes what is known of a pid: the second number is small as a rule, the first may as well be large.
    #[inline(always)]
    pub(crate) fn write_pid(&mut self, first: u32, second: u32) {
        if first < 1 << 14 && second < 0x80 {
            let more = u32::from(first >= 0x80);
            let both = first & 0x7f | more << 7 | first >> 7 << 8;
            let all = both | second << 8 << (8 * more);
            self.bytes[self.at..self.at + 4].copy_from_slice(&all.to_le_bytes());
            self.at += 2 + more as usize;
        } else {
            self.write(first);
            self.write(second);
        }
    }

    /// Writes the first `count` of these numbers; the others are 0. There must be room for as many as are given.
    #[inline(always)]
    pub(crate) fn write_few(&mut self, count: usize, numbers: [u32; 3]) {
        let [a, b, c] = numbers;
        if a | b | c < 0x80 {
            let all = a | b << 8 | c << 16;
            self.bytes[self.at..self.at + 4].copy_from_slice(&all.to_le_bytes());
            self.at += count;
        } else {
            numbers[..count].iter().for_each(|&number| self.write(number));
        }
    }

    /// Writes two numbers.
    #[inline(always)]
    pub(crate) fn write_two(&mut self, first: u32, second: u32) {
        if first | second < 0x80 {
            self.bytes[self.at..self.at + 2].copy_from_slice(&[first as u8, second as u8]);
            self.at += 2;
        } else {
            self.write(first);
            self.write(second);
        }
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        *self.len = self.at;
    }
}

/// Writes a number of any length; gives how many bytes it takes.
#[inline(never)]
fn write_long(mut number: u32, bytes: &mut [u8]) -> usize {
    let mut at = 0;
    while number >= 0x80 {
        bytes[at] = number as u8 | 0x80;
        number >>= 7;
        at += 1;
    }
    bytes[at] = number as u8;
    at + 1
}

#[cfg(test)]
mod tests {
    use explore::varint;

    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let numbers = [0, 1, 127, 128, 129, 16_383, 16_384, 1 << 28, u32::MAX];
        let mut writer = Writer::default();
        for times in 1..4 {
            writer.clear();
            for _ in 0..times {
                let mut room = writer.room(4 * numbers.len());
                for number in numbers {
                    room.write(number);
                    room.write_two(5, number);
                    room.write_any(number);
                }
            }
            let mut rest = writer.bytes();
            for number in [numbers; 3].into_iter().take(times).flatten() {
                let four = [(); 4].map(|()| varint::read(&mut rest));
                assert_eq!(four, [number, 5, number, number].map(u64::from));
            }
            assert!(rest.is_empty());
        }
    }
}
