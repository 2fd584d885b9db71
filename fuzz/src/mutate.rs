//! Mutation: small changes to one input, with pieces of others and words of the dictionary.
//!
//! Half of the changes are *rough*: any piece may go anywhere, and most results are not even well-formed.
//! The others are *gentle*: a value takes the place of a value, an element that of an element, so that many
//! results are read to the end.

mod json;
mod xml;

use random::Random;

use crate::dictionary::words;

/// What inputs look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Words, numbers and signs.
    Kin,
    /// Tags, attributes and text.
    Xml,
    /// Objects, lists and values.
    Json,
}

/// Mutation of inputs of one syntax.
pub(crate) struct Mutator {
    syntax: Syntax,
    words: Vec<Vec<u8>>,
}

impl Mutator {
    pub(crate) fn new(syntax: Syntax) -> Mutator {
        Mutator { syntax, words: words(syntax) }
    }

    /// The input, changed; `donor` gives pieces.
    pub(crate) fn mutated(&self, input: &[u8], donor: &[u8], random: &mut Random) -> Vec<u8> {
        if random.percent(50) {
            return self.roughly(input, donor, random);
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match self.syntax {
            Syntax::Kin => self.words_alike(input, donor, random),
            Syntax::Xml => xml::gently(&text(input), &text(donor), random).into_bytes(),
            Syntax::Json => json::gently(&text(input), &text(donor), random)
                .unwrap_or_else(|| self.roughly(input, donor, random)),
        }
    }

    /// Any piece may go anywhere.
    fn roughly(&self, input: &[u8], donor: &[u8], random: &mut Random) -> Vec<u8> {
        let mut list = pieces(input);
        for _ in 0..=random.below(4) {
            if list.is_empty() {
                list.push(b"");
            }
            let (at, other) = (random.below(list.len()), random.below(list.len()));
            let end = (at + random.below(40)).min(list.len());
            match random.below(9) {
                0 => drop(list.remove(at)),
                1 => list.insert(at, list[other]),
                2 => list.swap(at, other),
                3 => list[at] = list[other],
                4 => list.insert(at, random.pick::<Vec<u8>>(&self.words)),
                5 => list[at] = random.pick::<Vec<u8>>(&self.words),
                6 => {
                    let donor = pieces(donor);
                    let start = random.below(donor.len() + 1);
                    let end = (start + random.below(40)).min(donor.len());
                    list.splice(at..at, donor[start..end].iter().copied());
                }
                7 => {
                    let again = list[at..end].to_vec();
                    list.splice(at..at, again);
                }
                _ if random.below(8) == 0 => list.truncate(at),
                _ => drop(list.drain(at..end)),
            }
        }
        let mut bytes = list.concat();
        if random.below(5) == 0 && !bytes.is_empty() {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        bytes
    }

    /// A word takes the place of a word, a number that of a number, a sign that of a sign; or a line comes,
    /// goes or moves.
    fn words_alike(&self, input: &[u8], donor: &[u8], random: &mut Random) -> Vec<u8> {
        let mut bytes = input.to_vec();
        for _ in 0..=random.below(3) {
            let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
            let donors: Vec<&[u8]> = donor.split_inclusive(|&byte| byte == b'\n').collect();
            if lines.is_empty() || donors.is_empty() {
                break;
            }
            let (at, other) = (random.below(lines.len()), random.below(lines.len()));
            match random.below(8) {
                0 => drop(lines.remove(at)),
                1 => lines.insert(at, lines[other]),
                2 => lines.swap(at, other),
                3 => lines.insert(at, *random.pick(&donors)),
                _ => {
                    bytes = self.exchanged(&bytes, donor, random);
                    continue;
                }
            }
            bytes = lines.concat();
        }
        bytes
    }

    /// One piece is exchanged for another of its class.
    fn exchanged(&self, input: &[u8], donor: &[u8], random: &mut Random) -> Vec<u8> {
        let mut list = pieces(input);
        let solid = |piece: &&[u8]| piece.first().is_some_and(|byte| !byte.is_ascii_whitespace());
        let places: Vec<usize> = (0..list.len()).filter(|&i| solid(&list[i])).collect();
        if places.is_empty() {
            return input.to_vec();
        }
        let at = *random.pick(&places);
        let donors = if random.percent(70) { pieces(input) } else { pieces(donor) };
        let words = self.words.iter().map(Vec::as_slice);
        let wanted = class(list[at][0]);
        let like: Vec<&[u8]> = donors
            .iter()
            .copied()
            .chain(words)
            .filter(|piece| solid(piece) && class(piece[0]) == wanted)
            .collect();
        list[at] = *random.pick(&like);
        list.concat()
    }
}

fn class(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => 1,
        b' ' | b'\t' | b'\r' | b'\n' => 2,
        _ => 3,
    }
}

/// Words, numbers, space, and single signs: not the tokens of any language, on purpose.
fn pieces(input: &[u8]) -> Vec<&[u8]> {
    let joined = |a: &u8, b: &u8| match (class(*a), class(*b)) {
        (3, _) | (_, 3) => false,
        // A word may have digits in it.
        (1, 0) => true,
        (a, b) => a == b,
    };
    input.chunk_by(joined).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_words_numbers_and_signs() {
        let found = pieces(b"take p1(x+12)\n");
        let expected = ["take", " ", "p1", "(", "x", "+", "12", ")", "\n"];
        assert_eq!(found, expected.map(str::as_bytes));
    }

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        let input = b"{\"a\": [1, 2, {\"b\": null}], \"c\": \"1.1\"}";
        for syntax in [Syntax::Kin, Syntax::Xml, Syntax::Json] {
            let mutator = Mutator::new(syntax);
            random::for_seeds(0..200, |seed, random| {
                let one = mutator.mutated(input, input, random);
                assert_eq!(one, mutator.mutated(input, input, &mut Random::new(seed)));
            });
        }
    }
}
