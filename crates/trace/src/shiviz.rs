//! A trace as a log with vector clocks, for ShiViz (Beschastnikh et al. 2016).
//!
//! Each event is logged once by everyone who takes part, and by everyone who is born in it. The first line is
//! the expression by which ShiViz reads the log, the second, which separates executions, is empty: so the
//! file can be opened as it is. A clock counts the events of each host that happened before: those of the same
//! host, of those who put what is taken or read, of those who are looked at, of the parent. Of those who take part
//! in one event the others are logged as after the first, since a log has no events at the same time. Places
//! are no hosts: that would order steps which only take different tokens of one place.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::json;

use super::interaction::{Event, Interaction};

/// By which the log is read.
const EXPRESSION: &str = r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)";

/// How many events of each lifeline are known.
type Clock = BTreeMap<usize, u64>;

fn merge(clock: &mut Clock, other: &Clock) {
    for (&lifeline, &count) in other {
        let known = clock.entry(lifeline).or_default();
        *known = count.max(*known);
    }
}

pub(super) fn shiviz(interaction: &Interaction) -> String {
    let mut out = format!("{EXPRESSION}\n\n");
    let mut clocks: Vec<Clock> = vec![Clock::new(); interaction.lifelines.len()];
    // What is known of each event to those who learn of it.
    let mut known: Vec<Clock> = Vec::new();
    for (i, event) in interaction.events.iter().enumerate() {
        let mut before = Clock::new();
        for &lifeline in event.actors.iter().chain(&event.seen) {
            merge(&mut before, &clocks[lifeline]);
        }
        for &cause in &event.causes {
            merge(&mut before, &known[cause]);
        }
        for &lifeline in &event.actors {
            *before.entry(lifeline).or_default() += 1;
            clocks[lifeline].clone_from(&before);
            log(interaction, lifeline, &before, &entry(interaction, i, event, lifeline), &mut out);
        }
        known.push(before);
        for &(child, parent) in &event.born {
            let mut clock = clocks[parent].clone();
            clock.insert(child, 1);
            let at = interaction.lifelines[child].label_after(Some(i)).unwrap_or("nowhere");
            log(interaction, child, &clock, &format!("born at {at}"), &mut out);
            clocks[child] = clock;
        }
    }
    out
}

fn entry(interaction: &Interaction, number: usize, event: &Event, lifeline: usize) -> String {
    let mut text = event.text.clone();
    if event.ended.contains(&lifeline) {
        text += ": ends";
    } else if let Some(place) = interaction.lifelines[lifeline].label_after(Some(number)) {
        let _ = write!(text, ": now at {place}");
    }
    text.replace(['\n', '\r'], " ")
}

fn log(interaction: &Interaction, lifeline: usize, clock: &Clock, text: &str, out: &mut String) {
    let host =
        |lifeline: usize| interaction.lifelines[lifeline].name.replace(char::is_whitespace, "_");
    let counts: BTreeMap<String, u64> = clock.iter().map(|(&at, &n)| (host(at), n)).collect();
    let _ = write!(out, "{} {}\n{text}\n", host(lifeline), json!(counts));
}
