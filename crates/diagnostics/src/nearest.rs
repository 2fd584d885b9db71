//! The name that was probably meant: the nearest by edit distance.
//!
//! The distance counts characters inserted, removed, replaced, and neighbours swapped (optimal string
//! alignment). A name is offered if at most a third of it differs. The cost is quadratic in the length of
//! the names, and only names of about the same length are compared.

/// Names longer than this are not compared, nor more candidates than this.
const LONGEST: usize = 64;
const CANDIDATES: usize = 20_000;

/// The nearest of the candidates, if one is near; of several equally near, the first by the alphabet.
#[must_use]
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let mut best: Option<(usize, &str)> = None;
    // They may come from a map, which has no order of its own; messages should not depend on chance.
    let mut candidates: Vec<&str> = candidates.into_iter().collect();
    candidates.sort_unstable();
    for candidate in candidates.into_iter().take(CANDIDATES) {
        let longer = name.len().max(candidate.len());
        let limit = (longer / 3).max(1);
        let limit = best.map_or(limit, |(distance, _)| limit.min(distance.saturating_sub(1)));
        let apart = name.len().abs_diff(candidate.len());
        if longer > LONGEST || apart > limit || candidate == name {
            continue;
        }
        let distance = distance(name.as_bytes(), candidate.as_bytes());
        // Two names of one letter have nothing in common.
        if distance <= limit && distance < longer {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let differs = usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + differs);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, d) in [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("ab", "", 2)] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), d, "{a} {b}");
        }
        assert_eq!(distance(b"kitten", b"sitting"), 3);
    }

    #[test]
    fn only_what_is_near_is_offered() {
        let names = ["listening", "ready", "called"];
        assert_eq!(nearest("lisening", names), Some("listening"));
        assert_eq!(nearest("Listening", names), Some("listening"));
        assert_eq!(nearest("raedy", names), Some("ready"));
        assert_eq!(nearest("finished", names), None);
        assert_eq!(nearest("page", ["place"]), None);
        assert_eq!(nearest("x", ["y"]), None);
    }
}
