//! How much of an exploration is left.
//!
//! Nobody knows the size of a state space before it is explored. But a breadth-first search that has passed its
//! widest level shrinks from level to level, mostly faster and faster: the sizes of levels are like a bell, in which the
//! ratio `r` of a level to the one before it falls by about the same factor `f` each time. If `a` is the size of the
//! last level that is complete, those that follow have `a·rf + a·rf·rf² + …` states together. What waits in the last
//! complete level comes on top. `f` is taken from the last [`SHRINKING`] ratios, and is at most 1.
//!
//! The estimate is only made where the last levels speak for it: at least [`SHRINKING`] levels in a row are smaller
//! than the ones before them, the ratio is at most [`LARGEST_RATIO`], and it does not rise by more than a
//! tenth. A model may still widen again: it remains an estimate.

use budget::Known;

/// The number of levels in a row that have to be smaller than the ones before them.
const SHRINKING: usize = 4;
/// The ratio of two successive levels, at most.
const LARGEST_RATIO: f64 = 0.97;
/// How much larger than the one before the last ratio may be.
const LARGEST_RISE: f64 = 1.1;

/// What is left, by estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The states that are still to be expanded, those that wait among them.
    pub states: u64,
    /// The states that are still to be found.
    pub new_states: u64,
    /// The last ratio of a level to the one before it.
    pub ratio: f64,
    /// The factor by which this ratio falls from level to level.
    pub fall: f64,
}

/// An estimate of what is left, where there is reason for one.
pub fn estimate(known: &Known) -> Option<Estimate> {
    let waiting = known.waiting();
    let (&newest, others) = known.levels.split_last()?;
    // While a level is expanded, the next one grows.
    let (complete, growing) = match waiting > newest {
        true => (others, newest),
        false => (&known.levels[..], 0),
    };
    let last = &complete[complete.len().checked_sub(SHRINKING + 1)?..];
    let ratios: Vec<f64> = last.windows(2).map(|two| two[1] as f64 / two[0] as f64).collect();
    let [first, .., before, ratio] = ratios[..] else { return None };
    let is_shrinking = ratios.iter().all(|ratio| *ratio < 1.0);
    if !is_shrinking || ratio.max(before) > LARGEST_RATIO || ratio > before * LARGEST_RISE {
        return None;
    }
    let fall = (ratio / first).powf(1.0 / (SHRINKING - 1) as f64).min(1.0);
    let in_last = waiting.saturating_sub(growing);
    let later = (sum(*last.last()? as f64, ratio, fall) as u64).max(growing);
    Some(Estimate { states: in_last + later, new_states: later - growing, ratio, fall })
}

/// What levels have together that follow one of this size.
fn sum(mut level: f64, mut ratio: f64, fall: f64) -> f64 {
    let mut sum = 0.0;
    while level >= 0.5 {
        ratio *= fall;
        level *= ratio;
        sum += level;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search that has found these levels and expanded this many states.
    fn known(levels: &[u64], expanded: u64) -> Known {
        let states = levels.iter().sum();
        let first = levels.len().saturating_sub(Known::LEVELS);
        Known { states, expanded, levels: levels[first..].to_vec(), ..Known::default() }
    }

    #[test]
    fn levels_that_halve_have_as_much_left_as_the_last_one() {
        // The last level is complete, and nothing of it is expanded.
        let levels = [100, 1600, 800, 400, 200, 100];
        let left = estimate(&known(&levels, 3100)).unwrap();
        assert_eq!((left.states, left.new_states), (199, 99));
        assert_eq!((left.ratio, left.fall), (0.5, 1.0));
        // Half of it is expanded, and half of the next one is found.
        let levels = [100, 1600, 800, 400, 200, 100, 25];
        let left = estimate(&known(&levels, 3150)).unwrap();
        assert_eq!((left.states, left.new_states), (149, 74));
    }

    #[test]
    fn nothing_is_said_before_levels_have_shrunk_for_some_time() {
        for levels in [
            &[][..],
            &[1],
            &[1, 2, 4, 8, 16, 32],
            &[32, 16, 8, 4],
            &[32, 16, 17, 8, 4, 2],
            &[1000, 990, 980, 970, 960, 950],
            // The ratio rises: this may not come to an end.
            &[4096, 2048, 1024, 512, 256, 200],
        ] {
            let known = known(levels, levels.iter().rev().skip(1).sum());
            assert_eq!(estimate(&known), None, "{levels:?}");
        }
    }

    #[test]
    fn what_is_left_of_a_bell_is_estimated_well() {
        // Choosing k of 20: the levels of twenty independent steps.
        let mut levels = vec![1_u64];
        for k in 0..20 {
            levels.push(levels[k] * (20 - k as u64) / (k as u64 + 1));
        }
        let all: u64 = levels.iter().sum();
        let mut estimates = 0;
        for depth in 0..levels.len() {
            let seen: u64 = levels[..=depth].iter().sum();
            let expanded = seen - levels[depth];
            if let Some(left) = estimate(&known(&levels[..=depth], expanded)) {
                estimates += 1;
                let really = all - expanded;
                let part = left.states as f64 / really as f64;
                assert!(part > 0.8 && part < 1.5, "{depth}: {part}, {left:?}");
            }
        }
        assert!(estimates >= 5);
    }
}
