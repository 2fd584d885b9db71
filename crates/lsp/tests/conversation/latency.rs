//! What requests need is made in about linear time. How long answers take is measured by `benches/latency.rs`.

use std::time::Duration;

use cpu_time::ThreadTime;

use crate::long;

/// The processor time of this thread that the names and the parts of a text take: the least of three times.
fn made(text: &str) -> Duration {
    let once = || {
        let began = ThreadTime::now();
        assert!(lang::names::names(text).is_complete);
        assert!(!lang::highlight(text).is_empty());
        began.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap()
}

#[test]
fn ten_thousand_lines_take_four_times_as_long_as_a_quarter_of_them() {
    for text in [long::net, long::processes] {
        let (quarter, whole) = (made(&text(2_500)), made(&text(10_000)));
        assert!(whole < 8 * quarter, "{quarter:?}, {whole:?}");
    }
}
