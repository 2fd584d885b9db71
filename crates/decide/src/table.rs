//! Truth tables of statements: what is true or false whatever its parts are, or no more than one of them, is seen there.
//!
//! Cost: a bit for each valuation of the parts, times the size of the statement.

use unfold::Predicate;

use crate::predicate::{falsehood, not};

/// Statements of more different parts have no table.
const MOST: usize = 10;
/// The bits of a word.
const BITS: usize = u64::BITS as usize;

/// For each valuation of the parts whether a statement holds; valuation `v` gives the part `n` the bit `n` of `v`.
type Table = Vec<u64>;

/// The same statement, if it is a constant or one of its parts, or the opposite of one, as that.
pub(crate) fn shortest(predicate: Predicate) -> Predicate {
    let mut parts = Vec::new();
    if !matches!(predicate, Predicate::And(_) | Predicate::Or(_) | Predicate::Not(_))
        || !collect(&predicate, &mut parts)
    {
        return predicate;
    }
    let table = table(&predicate, &parts);
    let is_all = |words: &Table, bit: bool| {
        let (used, expected) = (used_bits(parts.len()), if bit { u64::MAX } else { 0 });
        words.iter().all(|word| (word ^ expected) & used == 0)
    };
    if is_all(&table, true) {
        return Predicate::True;
    }
    if is_all(&table, false) {
        return falsehood();
    }
    let same = |part: &&Predicate| {
        let differs = table.iter().zip(self::table(part, &parts)).map(|(a, b)| a ^ b).collect();
        [false, true].into_iter().find(|opposite| is_all(&differs, *opposite))
    };
    match parts.iter().find_map(|part| Some((*part, same(part)?))) {
        Some((part, false)) => part.clone(),
        Some((part, true)) => not(part.clone()),
        None => predicate,
    }
}

/// The bits of a word that stand for valuations of so many parts.
fn used_bits(parts: usize) -> u64 {
    let valuations = 1_usize << parts;
    if valuations < BITS { (1 << valuations) - 1 } else { u64::MAX }
}

/// Collects the different parts; whether they are few.
fn collect<'p>(predicate: &'p Predicate, parts: &mut Vec<&'p Predicate>) -> bool {
    match predicate {
        Predicate::True => true,
        Predicate::Not(inner) => collect(inner, parts),
        Predicate::And(inner) | Predicate::Or(inner) => {
            inner.iter().all(|part| collect(part, parts))
        }
        part => {
            if !parts.contains(&part) {
                parts.push(part);
            }
            parts.len() <= MOST
        }
    }
}

fn table(predicate: &Predicate, parts: &[&Predicate]) -> Table {
    let words = (1_usize << parts.len()).div_ceil(BITS);
    let of_all = |inner: &[Predicate], first: u64, join: fn(u64, u64) -> u64| {
        inner.iter().fold(vec![first; words], |all, part| {
            all.into_iter().zip(table(part, parts)).map(|(a, b)| join(a, b)).collect()
        })
    };
    match predicate {
        Predicate::True => vec![u64::MAX; words],
        Predicate::Not(inner) => table(inner, parts).into_iter().map(|word| !word).collect(),
        Predicate::And(inner) => of_all(inner, u64::MAX, |a, b| a & b),
        Predicate::Or(inner) => of_all(inner, 0, |a, b| a | b),
        part => {
            let number = parts.iter().position(|other| *other == part).expect("it was collected");
            let holds = |valuation: usize| u64::from(valuation >> number & 1 == 1);
            let word =
                |at: usize| (0..BITS).fold(0, |word, bit| word | holds(at * BITS + bit) << bit);
            (0..words).map(word).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use net::TransitionId;
    use random::Random;
    use unfold::Predicate;

    use super::shortest;
    use crate::predicate::not;

    /// A statement about some of so many parts.
    fn draw(random: &mut Random, parts: u32, depth: u32) -> Predicate {
        if depth == 0 || random.percent(15) {
            return match random.below(parts + 1) {
                0 => Predicate::True,
                part => Predicate::Enabled(TransitionId(part)),
            };
        }
        let inner = |random: &mut Random| (0..3).map(|_| draw(random, parts, depth - 1)).collect();
        match random.below(3_u32) {
            0 => not(draw(random, parts, depth - 1)),
            1 => Predicate::And(inner(random)),
            _ => Predicate::Or(inner(random)),
        }
    }

    fn holds(predicate: &Predicate, valuation: u32) -> bool {
        match predicate {
            Predicate::True => true,
            Predicate::Enabled(part) => valuation >> part.0 & 1 == 1,
            Predicate::Not(inner) => !holds(inner, valuation),
            Predicate::And(parts) => parts.iter().all(|part| holds(part, valuation)),
            Predicate::Or(parts) => parts.iter().any(|part| holds(part, valuation)),
            other => panic!("{other:?} is not drawn"),
        }
    }

    #[test]
    fn shorter_statements_say_the_same() {
        let (mut shorter, mut as_they_were) = (0, 0);
        for seed in 1..=600 {
            let random = &mut Random::new(seed);
            let parts = 1 + random.below(12_u32);
            let predicate = draw(random, parts, 4);
            let short = shortest(predicate.clone());
            for valuation in 0..1 << (parts + 1) {
                let said = holds(&predicate, valuation);
                assert_eq!(holds(&short, valuation), said, "seed {seed}: {short:?} {valuation:b}");
            }
            *(if short == predicate { &mut as_they_were } else { &mut shorter }) += 1;
        }
        assert!(shorter > 50 && as_they_were > 50, "{shorter} {as_they_were}");
    }

    #[test]
    fn constants_and_single_parts_are_seen() {
        let [a, b] = [1, 2].map(|part| Predicate::Enabled(TransitionId(part)));
        let never = Predicate::And(vec![a.clone(), not(a.clone())]);
        assert_eq!(shortest(never.clone()), not(Predicate::True));
        assert_eq!(shortest(not(never)), Predicate::True);
        let absorbed = Predicate::Or(vec![a.clone(), Predicate::And(vec![a.clone(), b.clone()])]);
        assert_eq!(shortest(absorbed.clone()), a);
        assert_eq!(shortest(not(absorbed)), not(a.clone()));
        let both = Predicate::And(vec![a, b]);
        assert_eq!(shortest(both.clone()), both);
    }
}
