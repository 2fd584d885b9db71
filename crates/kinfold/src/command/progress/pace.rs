//! When something is said of a run that goes on: a line of progress now and then, and each minute a word about what grows,
//! where nothing was given that would end it.

use std::time::Duration;

use budget::Known;
use indicatif::HumanCount;

/// How long a run may take without a limit before that is remarked on, and again.
const MINUTE: Duration = Duration::from_secs(60);

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    pub line: bool,
    pub remark: bool,
}

/// Times since the run began.
pub struct Pace {
    every: Duration,
    next_line: Duration,
    /// None where the run has a limit.
    next_remark: Option<Duration>,
}

impl Pace {
    pub fn new(every: Duration, has_limit: bool) -> Pace {
        Pace { every, next_line: every, next_remark: (!has_limit).then_some(MINUTE) }
    }

    /// How long nothing is due.
    pub fn wait(&self, elapsed: Duration) -> Duration {
        let next = self.next_remark.map_or(self.next_line, |remark| remark.min(self.next_line));
        next.saturating_sub(elapsed)
    }

    /// What is due now. It is not due again before its time has passed.
    pub fn due(&mut self, elapsed: Duration) -> Due {
        let line = elapsed >= self.next_line;
        if line {
            self.next_line = elapsed + self.every;
        }
        let remark = self.next_remark.is_some_and(|next| elapsed >= next);
        if remark {
            self.next_remark = Some(elapsed + MINUTE);
        }
        Due { line, remark }
    }
}

/// What is said of a run that nothing will end: what grows, and what can be done about it.
pub fn remark(elapsed: Duration, known: &Known, found_each_second: f64) -> String {
    let seconds = elapsed.as_secs();
    let mut text = format!("note: no end is in sight after {seconds} s, and there is no limit");
    if known.states > 0 {
        let (states, more) = (HumanCount(known.states), HumanCount(found_each_second as u64));
        text += &format!(": {states} states so far, {more} more each second");
    }
    for what in &known.growing {
        text += &format!("\n  growing: {what}");
    }
    let first = match known.growing.is_empty() {
        true => "make constants smaller (`--set NAME=VALUE`)",
        false => "bound what grows where it is written",
    };
    text + &format!(
        "\n  {first}, or give a limit: `--time 5m`, `--max-states 1000000` or `--memory 2G`; \
         what was found by then is reported"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// What is said in the first minutes, with the seconds.
    fn said(mut pace: Pace, until: u64) -> (Vec<u64>, Vec<u64>) {
        let (mut lines, mut remarks, mut at) = (Vec::new(), Vec::new(), Duration::ZERO);
        loop {
            at += pace.wait(at);
            if at > SECOND * until as u32 {
                return (lines, remarks);
            }
            let due = pace.due(at);
            assert!(due.line || due.remark, "it is not waited in vain");
            lines.extend(due.line.then_some(at.as_secs()));
            remarks.extend(due.remark.then_some(at.as_secs()));
        }
    }

    #[test]
    fn lines_come_at_their_pace_and_remarks_each_minute() {
        let (lines, remarks) = said(Pace::new(10 * SECOND, false), 185);
        assert_eq!(lines, (1..=18).map(|n| n * 10).collect::<Vec<_>>());
        assert_eq!(remarks, [60, 120, 180]);
        assert_eq!(
            said(Pace::new(300 * SECOND, false), 310),
            (vec![300], vec![60, 120, 180, 240, 300])
        );
        assert_eq!(said(Pace::new(100 * SECOND, true), 250), (vec![100, 200], vec![]));
    }

    #[test]
    fn what_is_late_is_not_said_twice() {
        let mut pace = Pace::new(SECOND, false);
        assert_eq!(pace.due(200 * SECOND), Due { line: true, remark: true });
        assert_eq!(pace.due(200 * SECOND), Due { line: false, remark: false });
        assert_eq!(pace.wait(200 * SECOND), SECOND);
    }

    #[test]
    fn a_remark_says_what_grows_and_what_to_do() {
        let mut known = Known { states: 1_234_567, ..Known::default() };
        let text = remark(61 * SECOND, &known, 20_000.9);
        assert!(text.starts_with(
            "note: no end is in sight after 61 s, and there is no limit: 1,234,567 states so far, 20,000 more each second\n"
        ));
        assert!(text.contains("\n  make constants smaller (`--set NAME=VALUE`), or give a limit"));
        known.growing =
            vec!["processes alive (up to 3, then 7), by line 2: `spawn worker()`".into()];
        let text = remark(61 * SECOND, &known, 0.0);
        assert!(text.contains(
            "\n  growing: processes alive (up to 3, then 7), by line 2: `spawn worker()`\n  bound"
        ));
        assert!(
            ["--time 5m", "--max-states", "--memory"].iter().all(|option| text.contains(option))
        );
    }
}
