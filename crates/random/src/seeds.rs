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
