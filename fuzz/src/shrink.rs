//! Making an input smaller that panics.

use crate::{Caught, Target, attempt};

/// Attempts that may be made. Each costs as much as running the input.
const ATTEMPTS: usize = 2_000;

/// A smaller input that panics at the same place in the source: stretches are left out as long as it does,
/// first long ones, then shorter ones.
pub(crate) fn shrunk(target: Target, input: &[u8], caught: &Caught) -> Vec<u8> {
    let panics = |input: &[u8]| attempt(target, input).is_err_and(|it| it.place == caught.place);
    let mut small = input.to_vec();
    let mut attempts = 0;
    let mut length = small.len().next_power_of_two() / 2;
    while length > 0 && attempts < ATTEMPTS {
        let (before, mut at) = (small.len(), 0);
        while at < small.len() && attempts < ATTEMPTS {
            let mut candidate = small.clone();
            candidate.drain(at..(at + length).min(small.len()));
            attempts += 1;
            if panics(&candidate) {
                small = candidate;
            } else {
                at += length;
            }
        }
        if small.len() == before || length > 1 {
            length /= 2;
        }
    }
    small
}
