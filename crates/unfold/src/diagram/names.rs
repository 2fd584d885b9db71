//! What the names of places say of elements.
//!
//! A P/T net that was unfolded by others has a place for each tuple of elements, and its name tells which:
//! `Active_3_2` is the place `Active` with the tuple (3, 2). A number in a name counts as an element if there are
//! names that have another number there and agree with it up to there; so the 12 of `fordo_12_1` and `fordo_12_2`
//! is none.
//!
//! Names say where places come in a diagram, and nothing else depends on them.

use std::collections::{HashMap, HashSet};

/// The elements that each name tells.
pub(super) fn elements(names: &[&str]) -> Vec<Vec<u64>> {
    let mut met: HashMap<&str, HashSet<&str>> = HashMap::new();
    for name in names {
        for (start, number) in numbers(name) {
            met.entry(&name[..start]).or_default().insert(number);
        }
    }
    let differ = |name: &str, start: usize| met.get(&name[..start]).is_some_and(|n| n.len() > 1);
    let of_name = |name: &&str| {
        let elements = numbers(name).filter(|(start, _)| differ(name, *start));
        // Numbers that are too long to be elements of a class are as good as one another.
        elements.map(|(_, number)| number.parse().unwrap_or(u64::MAX)).collect()
    };
    names.iter().map(of_name).collect()
}

/// The numbers in a name, and where they begin.
fn numbers(name: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + name[at..].find(is_digit)?;
        at = name[start..].find(|c| !is_digit(c)).map_or(name.len(), |length| start + length);
        Some((start, &name[start..at]))
    })
}

#[cfg(test)]
mod tests {
    use super::elements;

    #[test]
    fn numbers_that_differ_are_elements() {
        let names = ["fordo_12_1", "fordo_12_2", "wait_1_1", "wait_1_2", "wait_2_1", "x_0", "x_1"];
        let expected: [&[u64]; 7] = [&[1], &[2], &[1, 1], &[1, 2], &[2], &[0], &[1]];
        assert_eq!(elements(&names), expected);
    }

    #[test]
    fn any_text_is_a_name() {
        let long = "p99999999999999999999999";
        let names = ["", "7", "8", "ä1ö", "ä2ö", long, "p1"];
        let expected: [&[u64]; 7] = [&[], &[7], &[8], &[1], &[2], &[u64::MAX], &[1]];
        assert_eq!(elements(&names), expected);
    }
}
