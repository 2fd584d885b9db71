//! Numbers in groups of seven bits, the lowest first (LEB128): small numbers take one byte.

/// Appends a number.
#[inline]
pub fn push(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number from the front; 0 if there is none.
#[inline]
pub fn read(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    let mut shift = 0;
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f).wrapping_shl(shift);
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    number
}

/// The number of bytes that [`push`] appends.
pub(crate) fn length(number: u64) -> usize {
    let bits = (u64::BITS - number.leading_zeros()).max(1);
    bits.div_ceil(7) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let numbers = [0, 1, 127, 128, 129, 16_383, 16_384, (1 << 28) - 1, 1 << 28, u64::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            let before = bytes.len();
            push(number, &mut bytes);
            assert_eq!(bytes.len() - before, length(number));
        }
        let mut rest = bytes.as_slice();
        assert_eq!(numbers.map(|_| read(&mut rest)), numbers);
        assert_eq!((rest.len(), read(&mut rest)), (0, 0));
    }
}
