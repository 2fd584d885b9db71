//! Long models, for measurements.

use std::fmt::Write;

/// A net of this many lines.
pub fn net(lines: usize) -> String {
    let mut text = String::from("model long\nconst k = 3\nflow main, busy(n: 0..=k)\nstart main\n");
    for number in 0..(lines - 4) / 5 {
        write!(
            text,
            "place p{number}: 0..=k = 1\ntransition t{number} {{\n    move h: busy(n) -> busy((n + 1) % k)\n    \
             take p{number}(x)   put p{number}(x)\n}}\n"
        )
        .unwrap();
    }
    text
}

/// Processes of this many lines.
pub fn processes(lines: usize) -> String {
    let mut text =
        String::from("model long\nshared lock = new mutex\nprocess main { spawn w0(0) }\n");
    for number in 0..(lines - 3) / 8 {
        write!(
            text,
            "process w{number}(n: 0..=3) {{\n    let c = new channel[0..=3](capacity: 1)\n    lock.lock()\n    \
             if n > 0 {{\n        c.send(n)\n    }}\n    lock.unlock()\n}}\n"
        )
        .unwrap();
    }
    text
}
