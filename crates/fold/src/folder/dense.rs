//! Tokens of two pids of which there are so many that a bit for each pair of pids takes less than to list them.
//!
//! At most one label is written so: one that more than half of the pairs have. It is found by the vote of Boyer and Moore
//! (1991) and counted, so that it is the same in equivalent states. Cost: linear in the pairs, and only where there are
//! enough of them.

use crate::writer::Writer;

/// Up to this many pids, a row is a word.
const WORD: usize = u64::BITS as usize;
/// The bytes that a listed pair takes at least.
const LISTED: usize = 3;

/// The label whose pairs are written as bits where there are this many pids, if there is one, and their number.
pub(super) fn label(pairs: &[(u32, u32, u32)], pids: usize) -> Option<(u32, usize)> {
    let needed = pids * pids.div_ceil(8);
    let is_enough = |count: usize| LISTED * count > needed;
    if !is_enough(pairs.len()) {
        return None;
    }
    let count_of = |label: u32| pairs.iter().filter(|pair| pair.0 == label).count();
    let (mut label, mut count) = (pairs[0].0, count_of(pairs[0].0));
    if 2 * count <= pairs.len() {
        label = most_voted(pairs);
        count = count_of(label);
    }
    (2 * count > pairs.len() && is_enough(count)).then_some((label, count))
}

/// The label that more than half of the pairs have, if there is one; some label otherwise.
fn most_voted(pairs: &[(u32, u32, u32)]) -> u32 {
    let (mut label, mut lead) = (0, 0_usize);
    for pair in pairs {
        if lead == 0 {
            label = pair.0;
        }
        lead = if pair.0 == label { lead + 1 } else { lead - 1 };
    }
    label
}

/// Writes the pairs of a label, in rows of bits by position.
pub(super) fn write(
    pairs: &[(u32, u32, u32)],
    label: u32,
    position: &[u32],
    rows: &mut Vec<u8>,
    writer: &mut Writer,
) {
    let width = position.len().div_ceil(8);
    let pairs = pairs.iter().filter(|pair| pair.0 == label);
    if position.len() <= WORD {
        let mut words = [0_u64; WORD];
        for &(_, from, to) in pairs {
            words[position[from as usize] as usize % WORD] |= 1 << (position[to as usize] % 64);
        }
        rows.clear();
        rows.extend(
            words[..position.len()]
                .iter()
                .flat_map(|word| word.to_le_bytes().into_iter().take(width)),
        );
        return writer.write_bytes(rows);
    }
    rows.clear();
    rows.resize(position.len() * width, 0);
    for &(_, from, to) in pairs {
        let (from, to) = (position[from as usize] as usize, position[to as usize] as usize);
        rows[from * width + to / 8] |= 1 << (to % 8);
    }
    writer.write_bytes(rows);
}
