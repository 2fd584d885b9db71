//! The name that was probably meant: the nearest by edit distance.
//!
//! Characters inserted, removed, replaced, and neighbours swapped are counted (optimal string alignment).
//! A name is offered if at most a third of it differs. Costs the product of the lengths for each candidate of about the same length; asked for the
//! few errors that are kept only.

/// Names longer than this are not compared, nor more candidates than this.
const LONGEST: usize = 48;
const CANDIDATES: usize = 20_000;

/// The nearest of the candidates, if one is near; of several equally near, the first.
pub(crate) fn nearest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().take(CANDIDATES) {
        let longer = name.len().max(candidate.len());
        let limit = best.map_or((longer / 3).max(1), |(distance, _)| distance.saturating_sub(1));
        if candidate == name
            || longer > LONGEST
            || name.len().abs_diff(candidate.len()) > limit
            || limit >= longer
        {
            continue;
        }
        let distance = distance(name.as_bytes(), candidate.as_bytes());
        if distance <= limit {
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
            let other = usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + other);
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
    use super::{distance, nearest};

    #[test]
    fn distances() {
        for (a, b, d) in [("", "", 0), ("abc", "abc", 0), ("ab", "", 2), ("kitten", "sitting", 3)] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), d, "{a} {b}");
        }
    }

    #[test]
    fn only_what_is_near_is_offered() {
        let names = ["place", "transition", "arc"];
        assert_eq!(nearest("palce", names), Some("place"));
        assert_eq!(nearest("page", names), None);
        assert_eq!(nearest("Transition", names), Some("transition"));
        assert_eq!(nearest("x", ["y"]), None);
    }
}
