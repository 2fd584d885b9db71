//! Bit strings: numbers of a known width, and small numbers of unknown size, packed without gaps.

/// Appends bits to a vector of bytes.
pub struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    held: u64,
    count: u32,
}

impl<'a> BitWriter<'a> {
    /// A writer that appends to `bytes`.
    pub fn new(bytes: &'a mut Vec<u8>) -> Self {
        BitWriter { bytes, held: 0, count: 0 }
    }

    /// Writes the `width` low bits of `value`; the others must be zero.
    #[inline]
    pub fn fixed(&mut self, value: u32, width: u32) {
        debug_assert!(width == 32 || value >> width == 0, "{value} does not fit {width} bits");
        self.held |= u64::from(value) << self.count;
        self.count += width;
        if self.count >= 32 {
            self.bytes.extend_from_slice(&(self.held as u32).to_le_bytes());
            self.held >>= 32;
            self.count -= 32;
        }
    }

    /// Writes one bit.
    #[inline]
    pub fn bit(&mut self, bit: bool) {
        self.fixed(u32::from(bit), 1);
    }

    /// Writes a number of any size in about twice its bits, and one.
    #[inline]
    pub fn number(&mut self, value: u32) {
        let width = bit_width(value);
        // `width` ones and a zero, then the bits below the leading one.
        self.fixed(((1_u64 << width) - 1) as u32, width);
        self.bit(false);
        if width > 1 {
            self.fixed(value & !(1 << (width - 1)), width - 1);
        }
    }

    /// Writes what is held, filled up with zeros to a whole byte.
    pub fn finish(self) {
        let whole = self.count.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.held.to_le_bytes()[..whole]);
    }
}

/// Reads what a [`BitWriter`] has written.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    held: u64,
    count: u32,
}

impl<'a> BitReader<'a> {
    /// A reader from the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes, held: 0, count: 0 }
    }

    /// Reads a number of `width` bits.
    #[inline]
    pub fn fixed(&mut self, width: u32) -> u32 {
        if self.count < width {
            if let Some((chunk, rest)) = self.bytes.split_first_chunk::<4>() {
                self.held |= u64::from(u32::from_le_bytes(*chunk)) << self.count;
                self.bytes = rest;
                self.count += 32;
            } else {
                for &byte in self.bytes {
                    self.held |= u64::from(byte) << self.count;
                    self.count += 8;
                }
                self.bytes = &[];
                debug_assert!(self.count >= width, "read past the end");
                self.count = self.count.max(width);
            }
        }
        let value = (self.held & ((1 << width) - 1)) as u32;
        self.held >>= width;
        self.count -= width;
        value
    }

    /// Reads one bit.
    #[inline]
    pub fn bit(&mut self) -> bool {
        self.fixed(1) == 1
    }

    /// Reads a number written by [`BitWriter::number`].
    #[inline]
    pub fn number(&mut self) -> u32 {
        let mut width = 0;
        while width < 33 && self.bit() {
            width += 1;
        }
        match width {
            0 | 1 => width,
            _ => 1 << (width - 1) | self.fixed(width - 1),
        }
    }
}

/// The number of bits that `value` needs: 0 for 0.
#[must_use]
pub fn bit_width(value: u32) -> u32 {
    u32::BITS - value.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let values = [0, 1, 2, 3, 4, 7, 8, 100, 65_535, 1 << 31, u32::MAX];
        for shift in 0..40 {
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            (0..shift).for_each(|i| writer.bit(i % 3 == 0));
            for value in values {
                writer.number(value);
                writer.fixed(value, 32);
                writer.fixed(value & 0x1f, 5);
            }
            writer.finish();
            let mut reader = BitReader::new(&bytes);
            (0..shift).for_each(|i| assert_eq!(reader.bit(), i % 3 == 0));
            for value in values {
                assert_eq!(reader.number(), value);
                assert_eq!(reader.fixed(32), value);
                assert_eq!(reader.fixed(5), value & 0x1f);
            }
        }
    }
}
