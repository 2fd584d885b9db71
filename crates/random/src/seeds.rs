//! Tests on many seeds.

use crate::Random;

/// Names a seed if the test that holds this panics.
///
/// The only thing in a library that prints: when a test fails, the seed must not be lost.
#[derive(Debug)]
pub struct Seed(pub u64);

impl Drop for Seed {
    #[allow(clippy::print_stderr, reason = "a test is failing")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with seed {}", self.0);
        }
    }
}

/// Runs a test with each of the seeds and its generator. If it panics, the seed is printed.
pub fn for_seeds(seeds: impl IntoIterator<Item = u64>, mut test: impl FnMut(u64, &mut Random)) {
    for seed in seeds {
        let _seed = Seed(seed);
        test(seed, &mut Random::new(seed));
    }
}

/// How many random inputs a test tries: one of `part` every day, `all` of them if `KINFOLD_TESTS=all`.
///
/// The only thing in a library that reads the environment: nothing but tests asks for it.
#[must_use]
pub fn daily(all: u64, part: u64) -> u64 {
    let is_all = std::env::var_os("KINFOLD_TESTS").is_some_and(|which| which == "all");
    if is_all { all } else { all / part }
}
