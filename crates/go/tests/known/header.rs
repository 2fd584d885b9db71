//! What the head of a program says is expected of it.
//!
//! ```text
//! // options: --leaks
//! // expect: stuck
//! // blocked: main@done, closer@stop, worker@stopper*1..3
//! // fault: send on closed channel@send
//! // race: read, write
//! // depends: d > 1.0@test
//! ```
//!
//! `expect` is `holds`, or what is reported: `stuck`, `fault`, `race`; `maybe fault` if that depends on data that is not
//! kept, and `depends` if a property does, on a test on a line. Lines are named by comments `//@name` at their
//! ends. A line `go: 1.22` says which version of Go it is for, where nothing else in it does. Each line `blocked` is a way in which goroutines may be blocked for ever, by where they are and how many of them;
//! the words before `@` say who they are. What is reported is one of these; likewise for faults, in Go's words, and
//! races.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// What is expected of a program.
#[derive(Debug, Default)]
pub struct Expected {
    /// What is reported; nothing if all is well.
    pub reported: BTreeSet<String>,
    /// By line, how many may be blocked there.
    pub blocked: Vec<BTreeMap<usize, RangeInclusive<usize>>>,
    /// What a fault is about, and its line.
    pub faults: Vec<(String, usize)>,
    /// The lines of two accesses, in order.
    pub races: Vec<[usize; 2]>,
    /// Tests on data that is not kept, and their lines.
    pub depends: Vec<(String, usize)>,
    /// Whether those are looked at that `main` leaves behind.
    pub leaks: bool,
}

/// What the head of a text says.
pub fn expected(text: &str) -> Result<Expected, String> {
    let marks = marks(text)?;
    let line = |name: &str| marks.get(name).copied().ok_or(format!("no line is marked `{name}`"));
    let mut all = Expected::default();
    let mut is_there = false;
    for said in text.lines().map_while(|line| line.strip_prefix("//")) {
        let Some((key, value)) = said.trim().split_once(": ") else { continue };
        match key {
            "options" => all.leaks = value == "--leaks",
            "expect" => {
                is_there = true;
                all.reported = value.split(", ").map(str::to_owned).collect();
                all.reported.remove("holds");
            }
            "blocked" => {
                let mut way: BTreeMap<usize, RangeInclusive<usize>> = BTreeMap::new();
                for part in value.split(", ") {
                    let (mark, count) = place(part)?;
                    let known = way.entry(line(mark)?).or_insert(0..=0);
                    *known = known.start() + count.start()..=known.end() + count.end();
                }
                all.blocked.push(way);
            }
            "fault" => {
                let (what, mark) = value.split_once('@').ok_or(format!("no line: {value}"))?;
                all.faults.push((what.to_owned(), line(mark)?));
            }
            "depends" => {
                let (test, mark) = value.split_once('@').ok_or(format!("no line: {value}"))?;
                all.depends.push((test.to_owned(), line(mark)?));
            }
            "race" => {
                let (one, other) = value.split_once(", ").ok_or(format!("two lines: {value}"))?;
                let mut lines = [line(one)?, line(other)?];
                lines.sort_unstable();
                all.races.push(lines);
            }
            _ => {}
        }
    }
    if is_there { Ok(all) } else { Err("nothing is expected".to_owned()) }
}

/// `worker@stopper*1..3`: the mark, and how many.
fn place(text: &str) -> Result<(&str, RangeInclusive<usize>), String> {
    let wrong = || format!("not understood: {text}");
    let (_, rest) = text.split_once('@').ok_or_else(wrong)?;
    let Some((mark, count)) = rest.split_once('*') else { return Ok((rest, 1..=1)) };
    let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
    Ok(match count.split_once("..") {
        None => (mark, number(count)?..=number(count)?),
        Some((low, high)) => (mark, number(low)?..=number(high)?),
    })
}

/// The lines that have names.
fn marks(text: &str) -> Result<BTreeMap<&str, usize>, String> {
    let mut marks = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let Some((_, name)) = line.rsplit_once("//@") else { continue };
        if marks.insert(name.trim(), number + 1).is_some() {
            return Err(format!("two lines are marked `{name}`"));
        }
    }
    Ok(marks)
}

impl Expected {
    /// Whether goroutines may be blocked at these lines.
    pub fn allows_blocked(&self, lines: &[usize]) -> bool {
        self.blocked.iter().any(|way| {
            let count = |line: usize| lines.iter().filter(|&&one| one == line).count();
            way.iter().all(|(&line, allowed)| allowed.contains(&count(line)))
                && lines.iter().all(|line| way.contains_key(line))
        })
    }
}
