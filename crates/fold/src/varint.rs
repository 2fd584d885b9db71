//! Numbers in groups of seven bits, the lowest first: small numbers take one byte.

/// The bytes that a number may take.
const MOST: usize = 5;

/// Room for numbers at the end of a vector of bytes.
pub(crate) struct Room<'b> {
    bytes: &'b mut [u8],
    at: usize,
}

/// Appends at most so many numbers, which `fill` writes.
#[inline]
pub(crate) fn append<T>(
    bytes: &mut Vec<u8>,
    numbers: usize,
    fill: impl FnOnce(&mut Room) -> T,
) -> T {
    let start = bytes.len();
    bytes.resize(start + MOST * numbers, 0);
    let mut room = Room { bytes: &mut bytes[start..], at: 0 };
    let result = fill(&mut room);
    let end = start + room.at;
    bytes.truncate(end);
    result
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

/// Writes a number of more than seven bits; gives how many bytes it takes.
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

/// Takes a number from the front; 0 if there is none.
#[inline]
pub(crate) fn read(bytes: &mut &[u8]) -> u32 {
    let mut number = 0;
    let mut shift = 0;
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let numbers = [0, 1, 127, 128, 129, 16_383, 16_384, 1 << 28, u32::MAX];
        let mut bytes = vec![7];
        append(&mut bytes, 2 * numbers.len(), |room| {
            numbers.iter().for_each(|&number| room.write(number));
        });
        append(&mut bytes, 2 * numbers.len(), |room| {
            numbers.iter().for_each(|&number| room.write_two(number, 5));
        });
        let mut rest = bytes.as_slice();
        let mut expect = |number| assert_eq!(read(&mut rest), number);
        expect(7);
        numbers.into_iter().for_each(&mut expect);
        numbers.into_iter().flat_map(|number| [number, 5]).for_each(&mut expect);
        assert!(rest.is_empty());
    }
}
