//! Values as bytes: most are one byte.

use crate::value::Kind;

use super::LOCAL;

/// Writes a number, seven bits a byte.
pub(crate) fn write_number(to: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        to.push(number as u8 | 128);
        number >>= 7;
    }
    to.push(number as u8);
}

const NOTHING: u8 = 0;
const INTEGER: u8 = 1;
const HUB: u8 = 2;
const OWN: u8 = 3;
/// Of kinds, in the order of [`tag`].
const KINDS: u8 = 4;
const SMALL_INTEGERS: u8 = 16;
const SMALL_HUBS: u8 = 80;
const SMALL_OWN: u8 = 168;
/// The number of small numbers and names, which are one byte.
const FEW_INTEGERS: u64 = (SMALL_HUBS - SMALL_INTEGERS) as u64;
const FEW_HUBS: u64 = (SMALL_OWN - SMALL_HUBS) as u64;
const FEW_OWN: u64 = 256 - SMALL_OWN as u64;

fn tag(kind: Kind) -> u8 {
    KINDS
        + match kind {
            Kind::Sequence => 0,
            Kind::Set => 1,
            Kind::Map => 2,
            Kind::Bag => 3,
            Kind::BagMap => 4,
            Kind::Record => 5,
            Kind::Present => 6,
            Kind::Case(_) => 7,
        }
}

/// Writes values.
pub(crate) struct Writer<'w>(pub &'w mut Vec<u8>);

impl Writer<'_> {
    pub(crate) fn number(&mut self, number: u64) {
        write_number(self.0, number);
    }

    pub(crate) fn nothing(&mut self) {
        self.0.push(NOTHING);
    }

    pub(crate) fn integer(&mut self, number: i64) {
        let number = ((number << 1) ^ (number >> 63)) as u64;
        self.short(number, (SMALL_INTEGERS, FEW_INTEGERS), INTEGER);
    }

    /// The name of an object.
    pub(crate) fn name(&mut self, name: u32) {
        let number = u64::from(name & !LOCAL);
        match name & LOCAL {
            0 => self.short(number, (SMALL_HUBS, FEW_HUBS), HUB),
            _ => self.short(number, (SMALL_OWN, FEW_OWN), OWN),
        }
    }

    fn short(&mut self, number: u64, (small, few): (u8, u64), long: u8) {
        match number < few {
            true => self.0.push(small + number as u8),
            false => {
                self.0.push(long);
                self.number(number);
            }
        }
    }

    /// A composite value: its parts follow.
    pub(crate) fn composite(&mut self, kind: Kind, length: u32) {
        self.0.push(tag(kind));
        if let Kind::Case(case) = kind {
            self.number(u64::from(case));
        }
        self.number(u64::from(length));
    }
}

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    Nothing,
    Integer(i64),
    Name(u32),
    Composite(Kind, u32),
}

/// Reads values.
pub(crate) struct Reader<'r> {
    bytes: &'r [u8],
    pub at: usize,
}

impl<'r> Reader<'r> {
    pub(crate) fn new(bytes: &'r [u8]) -> Reader<'r> {
        Reader { bytes, at: 0 }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    #[inline]
    pub(crate) fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return number;
            }
            shift += 7;
        }
    }

    pub(crate) fn read(&mut self) -> Read {
        let integer = |number: u64| (number >> 1) as i64 ^ -((number & 1) as i64);
        match self.byte() {
            NOTHING => Read::Nothing,
            INTEGER => Read::Integer(integer(self.number())),
            HUB => Read::Name(self.number() as u32),
            OWN => Read::Name(self.number() as u32 | LOCAL),
            byte @ SMALL_OWN.. => Read::Name(u32::from(byte - SMALL_OWN) | LOCAL),
            byte @ SMALL_HUBS.. => Read::Name(u32::from(byte - SMALL_HUBS)),
            byte @ SMALL_INTEGERS.. => Read::Integer(integer(u64::from(byte - SMALL_INTEGERS))),
            byte => {
                let kind = match byte - KINDS {
                    0 => Kind::Sequence,
                    1 => Kind::Set,
                    2 => Kind::Map,
                    3 => Kind::Bag,
                    4 => Kind::BagMap,
                    5 => Kind::Record,
                    6 => Kind::Present,
                    7 => Kind::Case(self.number() as u32),
                    other => panic!("{other} is no kind of value"),
                };
                Read::Composite(kind, self.number() as u32)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        let mut writer = Writer(&mut bytes);
        let integers = [0, 1, -1, 31, 32, -32, -33, 1000, i64::MAX, i64::MIN];
        let names = [0, 87, 88, 70_000, LOCAL, LOCAL | 87, LOCAL | 88, LOCAL | 70_000];
        let kinds = [Kind::Sequence, Kind::Set, Kind::Map, Kind::Bag, Kind::BagMap, Kind::Record];
        integers.into_iter().for_each(|number| writer.integer(number));
        writer.nothing();
        names.into_iter().for_each(|name| writer.name(name));
        let kinds = kinds.into_iter().chain([Kind::Present, Kind::Case(200)]);
        kinds.clone().for_each(|kind| writer.composite(kind, 300));
        let mut reader = Reader::new(&bytes);
        integers.into_iter().for_each(|number| assert_eq!(reader.read(), Read::Integer(number)));
        assert_eq!(reader.read(), Read::Nothing);
        names.into_iter().for_each(|name| assert_eq!(reader.read(), Read::Name(name)));
        kinds.for_each(|kind| assert_eq!(reader.read(), Read::Composite(kind, 300)));
        assert!(reader.is_at_end());
    }
}
