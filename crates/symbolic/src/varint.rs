//! Numbers in groups of seven bits, the lowest first: small numbers take one byte.

/// Appends a number.
#[inline]
pub(crate) fn write(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number from the front; 0 if there is none.
#[inline]
pub(crate) fn read(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    let mut shift = 0;
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
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
        let numbers = [0, 1, 127, 128, 129, 16_383, 16_384, 1 << 28, u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| write(number, &mut bytes));
        let mut rest = bytes.as_slice();
        numbers.iter().for_each(|&number| assert_eq!(read(&mut rest), number));
        assert!(rest.is_empty());
        assert_eq!(read(&mut rest), 0);
    }
}
