//! A trace as text: for each step what it has changed, and nothing else.

use std::fmt::Write;

use state::State;

use super::RunStep;
use super::account::{Account, Tale};
use super::brief;
use super::change::Change;
use super::speech::Speech;

/// How many tokens of a place, and threads at one place, are listed of the initial state.
const MOST_LISTED: usize = 8;

/// The trace, step by step: what fired and what changed. Where it goes on for ever, from where and as whom;
/// where it ends in a deadlock, who waits for what.
pub(super) fn text(tale: &dyn Tale) -> String {
    let mut out = Lines(String::new());
    let Account { first, steps } = tale.account(true);
    out.line("initially");
    first.iter().for_each(|line| out.under(line));
    for (i, step) in steps.iter().enumerate() {
        if tale.back().is_some_and(|back| back.to == i) {
            out.line("↻ from here for ever");
        }
        if !step.is_left_out {
            out.line(&format!("step {}: {}", i + 1, step.text));
            step.changes.iter().for_each(|line| out.under(line));
        }
    }
    if let Some(said) = brief::said(steps.iter().filter(|step| step.is_left_out).count()) {
        out.line(&said);
    }
    let outcome = tale.outcome();
    outcome.said.iter().for_each(|said| out.line(said));
    outcome.details.iter().for_each(|detail| out.under(detail));
    out.0
}

struct Lines(String);

impl Lines {
    fn line(&mut self, text: &str) {
        writeln!(self.0, "{text}").expect("strings do not fail");
    }

    fn under(&mut self, text: &str) {
        writeln!(self.0, "    {text}").expect("strings do not fail");
    }
}

/// The first few, and how many more there are.
pub(super) fn some(texts: &[String], separator: &str) -> String {
    match texts.len().checked_sub(MOST_LISTED) {
        None | Some(0) => texts.join(separator),
        Some(more) => {
            format!("{}{separator}and {more} more", texts[..MOST_LISTED].join(separator))
        }
    }
}

/// What a step has changed, a line for each.
pub(super) fn change_lines(
    speech: Option<&Speech>,
    change: &Change,
    before: &State,
    step: &RunStep,
) -> Vec<String> {
    match speech {
        Some(speech) => speech.changes(change, before, step),
        None => change.lines(),
    }
}
