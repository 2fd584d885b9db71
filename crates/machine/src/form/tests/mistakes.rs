//! Mistakes in the canonical form, and in what is read back from it: each is noticed on some random heap, and by what is
//! compared there.

use super::picture::code;
use random::daily;

use super::{Bench, by_seed};
use crate::mistake::{self, Mistake};

/// What is noticed first where a mistake is planted, and the seed; nothing if it is not noticed on a number of heaps.
fn noticed(mistake: Mistake, most: u64) -> Option<(&'static str, u64)> {
    let codes = [true, false].map(code);
    let mut benches = codes.each_ref().map(Bench::new);
    (0..most).find_map(|seed| {
        let found = mistake::with(mistake, || by_seed(&mut benches, seed, &mut [0; 2]));
        found.unwrap_or(Some("it panics")).map(|wrong| (wrong, seed))
    })
}

#[test]
fn each_is_noticed() {
    for (mistake, by) in [
        (Mistake::OneCandidate, "a heap whose objects have other places has another key"),
        (Mistake::OrderKept, "a heap whose objects have other places has another key"),
        (Mistake::FirstCell, "what is read back has another key"),
        (Mistake::UnsortedParts, "what is read back has another key"),
        (Mistake::NamesThroughBags, "what is read back is another heap"),
        (Mistake::NoMemberships, "what is read back is another heap"),
        (Mistake::NoBagNumbers, "the elements of a bag that is read back are in no order"),
        (Mistake::EndedKept, "two heaps that are the same have different keys"),
        (Mistake::UnsortedMembers, "the elements of a bag that is read back are in no order"),
        (Mistake::AlikeByLength, "what is said to be interchangeable is not"),
    ] {
        let noticed = noticed(mistake, 5_000).map(|(wrong, _)| wrong);
        assert_eq!(noticed, Some(by), "{mistake:?}");
    }
}

#[test]
fn what_is_no_mistake_is_not() {
    for mistake in [Mistake::FewColours, Mistake::NoMultiplicity, Mistake::NothingAlike] {
        assert_eq!(noticed(mistake, daily(20_000, 100)), None, "{mistake:?}");
    }
}
