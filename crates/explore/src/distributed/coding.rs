//! States on their way from one worker to another.
//!
//! To a worker of the same process, a row is the length of a string and the string: both understand it. The same where
//! strings depend on the model alone. To another process, a row is the number of the parts of a state, and for each its
//! code: 0 and the part itself, with its length, the first time that it is sent on this way, and from then on the
//! number, from 1, that it got by that. Where there is more to a state than parts, that follows, with its length. When there are too many codes, all are forgotten: 0 parts and a 1. So what both
//! ends keep stays bounded. An empty state is 0 parts and a 0. All numbers are varints.

use super::codes::Codes;
use crate::{Space, varint};

/// The codes of one way, at most.
const MOST_CODES: usize = 1 << 18;

/// The sending end of a way to a worker of another process.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    codes: Codes,
}

impl Encoder {
    /// Appends a row. `numbers` are the parts of the state, if it has any.
    pub(super) fn write<S: Space>(
        &mut self,
        space: &S,
        state: &[u8],
        numbers: Option<&[u32]>,
        to: &mut Vec<u8>,
    ) {
        let Some(numbers) = numbers else { return write_plain(state, to) };
        if self.codes.len() + numbers.len() > MOST_CODES {
            self.codes.clear();
            to.extend([0, 1]);
        }
        varint::push(numbers.len() as u64, to);
        if numbers.is_empty() {
            to.push(0);
        }
        for &number in numbers {
            let (code, is_new) = self.codes.code(number);
            if !is_new {
                varint::push(code.into(), to);
                continue;
            }
            to.push(0);
            let start = to.len();
            space.part(number, to);
            let length = to.len() - start;
            varint::push(length as u64, to);
            let bytes = to.len() - start - length;
            to[start..].rotate_right(bytes);
        }
        if let Some(rest) = space.rest(state) {
            write_plain(rest, to);
        }
    }

    pub(super) fn allocated_bytes(&self) -> u64 {
        self.codes.allocated_bytes()
    }
}

/// Appends a row for one who understands strings as they are.
pub(super) fn write_plain(state: &[u8], to: &mut Vec<u8>) {
    varint::push(state.len() as u64, to);
    to.extend_from_slice(state);
}

/// The next row that [`write_plain`] has written.
pub(super) fn read_plain<'b>(bytes: &mut &'b [u8]) -> &'b [u8] {
    let length = varint::read(bytes) as usize;
    let (state, rest) = bytes.split_at(length);
    *bytes = rest;
    state
}

/// The receiving end of a way from a worker of another process.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// The number here of each code, from 1.
    numbers: Vec<u32>,
    parts: Vec<u32>,
}

impl Decoder {
    /// Reads a row, and appends the string that it is here.
    pub(super) fn read<S: Space>(&mut self, space: &mut S, bytes: &mut &[u8], to: &mut Vec<u8>) {
        let mut count = varint::read(bytes);
        while count == 0 {
            let (what, rest) = bytes.split_first().expect("a row is complete");
            *bytes = rest;
            if *what == 0 {
                break;
            }
            self.numbers.clear();
            count = varint::read(bytes);
        }
        self.parts.clear();
        for _ in 0..count {
            let code = varint::read(bytes) as usize;
            let number = match code.checked_sub(1) {
                Some(at) => self.numbers[at],
                None => {
                    let number = space.adopt(read_plain(bytes));
                    self.numbers.push(number);
                    number
                }
            };
            self.parts.push(number);
        }
        let rest = if space.rest(&[]).is_some() { read_plain(bytes) } else { &[] };
        space.compose(&mut self.parts, rest, to);
    }
}

/// A state as every process understands it, and by which states can be compared: the parts of the state in the order of
/// their bytes, each with its length; the string itself where there are no parts. Where there is more to a state than
/// parts, their number, the parts in their own order, and the rest.
#[must_use]
pub fn portable<S: Space>(space: &S, state: &[u8]) -> Vec<u8> {
    let mut numbers = Vec::new();
    if !space.parts(state, &mut numbers) {
        return state.to_vec();
    }
    let mut parts: Vec<Vec<u8>> = Vec::with_capacity(numbers.len());
    for number in numbers {
        let mut part = Vec::new();
        space.part(number, &mut part);
        parts.push(part);
    }
    let rest = space.rest(state);
    let mut bytes = Vec::new();
    match rest {
        Some(_) => varint::push(parts.len() as u64, &mut bytes),
        None => parts.sort_unstable(),
    }
    parts.iter().for_each(|part| write_plain(part, &mut bytes));
    bytes.extend_from_slice(rest.unwrap_or(&[]));
    bytes
}

/// The string of a state that was made [`portable`], perhaps elsewhere.
#[must_use]
pub fn from_portable<S: Space>(space: &mut S, mut bytes: &[u8]) -> Vec<u8> {
    let mut numbers = Vec::new();
    if !space.parts(&[], &mut numbers) {
        return bytes.to_vec();
    }
    let has_rest = space.rest(&[]).is_some();
    let mut left = if has_rest { varint::read(&mut bytes) } else { u64::MAX };
    while !bytes.is_empty() && left > 0 {
        numbers.push(space.adopt(read_plain(&mut bytes)));
        left -= 1;
    }
    let mut string = Vec::new();
    space.compose(&mut numbers, bytes, &mut string);
    string
}
