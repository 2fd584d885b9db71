//! Writing small states.

use canon::sort_few;

use super::{LABEL_AT, MOST, PID_AT, PLACES, Small, kind};
use crate::Kin;

/// The bytes that a small state takes at most, but for repeated tokens: two for each pid, three for each other token, and
/// two numbers; and some more that mean nothing.
const BYTES: usize = 96;
const _: () = assert!(2 + 2 * MOST + 3 * MOST < BYTES);

type Written = [u8; BYTES];
type Position = [u32; PLACES];

impl Small {
    /// Appends the pids, and the tokens that are there once.
    #[inline(always)]
    pub(super) fn write<const BOTH: bool>(&mut self, kin: &[Kin], bytes: &mut Vec<u8>) {
        let Small { own, singles, single_count, pairs, pair_count, above, position, .. } = self;
        let start = bytes.len();
        bytes.extend_from_slice(&[0; BYTES]);
        let written = bytes.last_chunk_mut::<BYTES>().expect("they were added");
        written[0] = kin.len() as u8;
        for (pid, kin) in kin.iter().enumerate() {
            let above = position[usize::from(above[pid]) % PLACES].wrapping_add(1);
            let first = (above << (1 + u32::from(BOTH))).wrapping_add(kind::<BOTH>(kin));
            // One more than the label is behind the first number as it is in the token.
            let both = (first | own[pid] & 0xff << LABEL_AT) as u16;
            let at = 1 + 2 * (position[pid] as usize % MOST);
            written[at..at + 2].copy_from_slice(&both.to_le_bytes());
        }
        let count_at = 1 + 2 * kin.len();
        written[count_at] = (*single_count + *pair_count) as u8;
        let end = count_at + 1;
        let end = match *single_count {
            0 => end,
            1 => write_singles::<1>(singles, position, written, end),
            2 => write_singles::<2>(singles, position, written, end),
            3 => write_singles::<3>(singles, position, written, end),
            4 => write_singles::<4>(singles, position, written, end),
            count => write_many_singles(&mut singles[..count], position, written, end),
        };
        let end = match *pair_count {
            0 => end,
            1 => write_pairs::<1>(pairs, position, written, end),
            2 => write_pairs::<2>(pairs, position, written, end),
            3 => write_pairs::<3>(pairs, position, written, end),
            4 => write_pairs::<4>(pairs, position, written, end),
            count => write_many_pairs(&mut pairs[..count], position, written, end),
        };
        bytes.truncate(start + end);
    }
}

/// A token of one pid as it is sorted, and as it is written: the label comes first.
#[inline(always)]
fn renamed_single(token: u32, position: &Position) -> u32 {
    let at = position[(token >> PID_AT) as usize % MOST];
    at << LABEL_AT | ((token >> LABEL_AT & 0xff) - 1)
}

/// A token of two pids as it is sorted: by the first, the label, the second.
#[inline(always)]
fn renamed_pair(token: u32, position: &Position) -> u32 {
    let at = |pid: u32| position[pid as usize % MOST];
    at(token >> PID_AT) << PID_AT | ((token >> LABEL_AT & 0xff) - 1) << LABEL_AT | at(token)
}

#[inline(always)]
fn write_single(token: u32, written: &mut Written, end: usize) -> usize {
    written[end..end + 2].copy_from_slice(&(token as u16).to_le_bytes());
    end + 2
}

/// Writes three bytes, and one that means nothing.
#[inline(always)]
fn write_pair(token: u32, written: &mut Written, end: usize) -> usize {
    let all = token >> LABEL_AT | (token & 0xff) << PID_AT;
    written[end..end + 4].copy_from_slice(&all.to_le_bytes());
    end + 3
}

/// Writes the first `K` of these tokens of one pid, in order.
#[inline(always)]
fn write_singles<const K: usize>(
    tokens: &[u32; MOST + 1],
    position: &Position,
    written: &mut Written,
    end: usize,
) -> usize {
    let mut sorted: [u32; K] = std::array::from_fn(|at| renamed_single(tokens[at], position));
    sort_few(&mut sorted);
    sorted.into_iter().fold(end, |end, token| write_single(token, written, end))
}

/// Writes the first `K` of these tokens of two pids, in order.
#[inline(always)]
fn write_pairs<const K: usize>(
    tokens: &[u32; MOST],
    position: &Position,
    written: &mut Written,
    end: usize,
) -> usize {
    let mut sorted: [u32; K] = std::array::from_fn(|at| renamed_pair(tokens[at], position));
    sort_few(&mut sorted);
    sorted.into_iter().fold(end, |end, token| write_pair(token, written, end))
}

#[inline(never)]
fn write_many_singles(
    tokens: &mut [u32],
    position: &Position,
    written: &mut Written,
    end: usize,
) -> usize {
    tokens.iter_mut().for_each(|token| *token = renamed_single(*token, position));
    sort_few(tokens);
    tokens.iter().fold(end, |end, &token| write_single(token, written, end))
}

#[inline(never)]
fn write_many_pairs(
    tokens: &mut [u32],
    position: &Position,
    written: &mut Written,
    end: usize,
) -> usize {
    tokens.iter_mut().for_each(|token| *token = renamed_pair(*token, position));
    sort_few(tokens);
    tokens.iter().fold(end, |end, &token| write_pair(token, written, end))
}
