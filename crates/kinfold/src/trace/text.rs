//! A trace as text: for each step what it has changed, and nothing else.

use std::collections::BTreeMap;
use std::fmt::Write;

use net::Net;
use state::{Pid, State};

use super::change::{At, Change, Tokens, ordinary_tokens, whereabouts};
use super::waits::{is_dead, waits};
use super::{Back, Trace};
use crate::mode_text;

/// So many tokens of a place are listed of the initial state, and so many threads that are at one place.
const MOST_LISTED: usize = 8;

/// The trace, step by step: what fired and what changed. Where it goes on for ever, from where and as whom;
/// where it ends in a deadlock, who waits for what.
pub(super) fn text(trace: &Trace, net: &Net) -> String {
    let mut out = Lines(String::new());
    out.line("initially");
    initial(net, &trace.run.initial, &mut out);
    let mut before = &trace.run.initial;
    for (i, step) in trace.run.steps.iter().enumerate() {
        if trace.back.as_ref().is_some_and(|back| back.to == i) {
            out.line("↻ from here for ever");
        }
        out.line(&format!("step {}: {}", i + 1, mode_text(net, &step.mode)));
        changed(&Change::between(net, before, &step.state), &mut out);
        before = &step.state;
    }
    match &trace.back {
        Some(back) if back.to < trace.run.steps.len() => again(back, &mut out),
        Some(_) => {
            out.line("and nothing happens any more");
            stuck(net, before, &mut out);
        }
        None => stuck(net, before, &mut out),
    }
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

fn initial(net: &Net, state: &State, out: &mut Lines) {
    let mut threads: BTreeMap<String, Vec<Pid>> = BTreeMap::new();
    for (pid, at) in whereabouts(net, state) {
        threads.entry(at.text()).or_default().push(pid);
    }
    let mut threads: Vec<(String, Vec<Pid>)> = threads.into_iter().collect();
    threads.sort_by(|(_, one), (_, other)| one.cmp(other));
    for (at, pids) in threads {
        let noun = if pids.len() == 1 { "thread" } else { "threads" };
        let pids: Vec<String> = pids.iter().map(Pid::to_string).collect();
        out.under(&format!("{noun} {} at {at}", some(&pids, ", ")));
    }
    let mut places: Vec<(&str, Vec<String>)> = Vec::new();
    let tokens = ordinary_tokens(net, state);
    for held in &tokens {
        match places.last_mut() {
            Some((place, texts)) if *place == &*held.place => texts.push(held.text()),
            _ => places.push((&held.place, vec![held.text()])),
        }
    }
    for (_, texts) in places {
        out.under(&some(&texts, " "));
    }
}

/// The first few, and how many more there are.
fn some(texts: &[String], separator: &str) -> String {
    match texts.len().checked_sub(MOST_LISTED) {
        None | Some(0) => texts.join(separator),
        Some(more) => {
            format!("{}{separator}and {more} more", texts[..MOST_LISTED].join(separator))
        }
    }
}

fn changed(change: &Change, out: &mut Lines) {
    let text = |at: &Option<At>| at.as_ref().map_or_else(|| "nowhere".to_owned(), At::text);
    for (pid, at) in &change.born {
        out.under(&format!("thread {pid} born at {}", text(at)));
    }
    for (pid, from, to) in &change.moved {
        out.under(&format!("{pid}: {} → {}", text(from), text(to)));
    }
    for (pid, at) in &change.ended {
        out.under(&format!("{pid} ended (was at {})", text(at)));
    }
    for (sign, tokens) in [("-", &change.lost), ("+", &change.gained)] {
        for token in tokens {
            out.under(&format!("{sign} {}", Tokens::text(token)));
        }
    }
    if change.is_nothing() {
        out.under("(nothing changes)");
    }
}

/// Who has taken whose place at the end of a loop.
fn again(back: &Back, out: &mut Lines) {
    out.line("and so on for ever, from ↻");
    let mut others = back.replaced.iter().filter(|(now, then)| now != then).peekable();
    if others.peek().is_none() && !back.replaced.is_empty() {
        out.under("every thread is where it was");
    }
    for (now, then) in others {
        out.under(&format!("{now} is now where {then} was"));
    }
}

/// What is to be said of a last state in which nothing can fire.
fn stuck(net: &Net, state: &State, out: &mut Lines) {
    if !is_dead(net, state) {
        return;
    }
    if !net.start.is_empty() && state.eta().is_empty() {
        out.line("all threads have ended");
        return;
    }
    out.line("deadlock: nothing can fire");
    for wait in waits(net, state) {
        out.under(&wait.to_string());
    }
}
