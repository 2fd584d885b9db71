//! A million events of the server N(3, 3), and what time and memory it takes to explain them.
//!
//! The log is made by a server of its own, which shares nothing with the model, as it is read: lines of JSON, connections
//! and calls named by counters, or by words that are no numbers. `cargo bench -p kinfold-conform --bench million [EVENTS]`

use std::fs;
use std::io::{BufReader, Read};
use std::sync::Arc;
use std::time::Instant;

use budget::Budget;
use conform::{Mapping, Options, Reader, Vocabulary, conform};
use lang::Override;
use random::Random;

const LISTENERS: usize = 3;
const HANDLERS: usize = 3;

/// Where a handler is.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Ready,
    Called,
    Running(u64),
    Returned(u64),
    Finished,
}

/// A server whose log is read.
struct Server {
    random: Random,
    /// The handlers of each listener: their names, and where they are.
    listeners: Vec<Vec<(u64, Phase)>>,
    named: u64,
    left: u64,
    /// Which events are not logged.
    silent: &'static [&'static str],
    is_numbered: bool,
    line: Vec<u8>,
}

impl Server {
    fn name(&self, letter: char, number: u64) -> String {
        match self.is_numbered {
            true => format!("{letter}{number}"),
            // Letters only, as of an address or a hash.
            false => {
                let digits = format!("{number:x}");
                let letters = digits.bytes().map(|digit| match digit {
                    b'0'..=b'9' => (digit - b'0' + b'q') as char,
                    other => other as char,
                });
                format!("{letter}{}", letters.collect::<String>())
            }
        }
    }

    /// Does something, and gives what it logs.
    fn step(&mut self) -> Option<String> {
        let mut choices = Vec::new();
        for (at, handlers) in self.listeners.iter().enumerate() {
            if handlers.len() < HANDLERS {
                choices.push((at, None));
            }
            choices.extend((0..handlers.len()).map(|handler| (at, Some(handler))));
        }
        let (at, handler) = *self.random.pick(&choices);
        let Some(handler) = handler else {
            let name = self.named;
            self.named += 1;
            self.listeners[at].push((name, Phase::Ready));
            let name = self.name('c', name);
            return self.said("accept", format!(r#""p":"listener {at}","h":"{name}""#));
        };
        let (number, phase) = self.listeners[at][handler];
        let name = self.name('c', number);
        let (event, next, rest) = match phase {
            Phase::Ready => ("compute", Phase::Called, String::new()),
            Phase::Called => {
                self.named += 1;
                let call = self.named - 1;
                ("call", Phase::Running(call), format!(r#","f":"{}""#, self.name('f', call)))
            }
            Phase::Running(call) => {
                self.listeners[at][handler].1 = Phase::Returned(call);
                let call = self.name('f', call);
                return self.said("function", format!(r#""f":"{call}""#));
            }
            Phase::Returned(call) => {
                let call = self.name('f', call);
                ("result", Phase::Finished, format!(r#","f":"{call}""#))
            }
            Phase::Finished => {
                self.listeners[at].remove(handler);
                return self.said("reap", format!(r#""p":"listener {at}","h":"{name}""#));
            }
        };
        self.listeners[at][handler].1 = next;
        self.said(event, format!(r#""h":"{name}"{rest}"#))
    }

    fn said(&self, event: &'static str, fields: String) -> Option<String> {
        let is_silent = self.silent.contains(&event);
        (!is_silent).then(|| format!("{{\"event\":\"{event}\",{fields}}}\n"))
    }
}

impl Read for Server {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        while self.line.is_empty() && self.left > 0 {
            if let Some(line) = self.step() {
                self.line = line.into_bytes();
                self.left -= 1;
            }
        }
        let count = self.line.len().min(into.len());
        into[..count].copy_from_slice(&self.line[..count]);
        self.line.drain(..count);
        Ok(count)
    }
}

fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

/// The processor time of this process, in seconds, where the system tells.
fn cpu_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}

#[allow(clippy::print_stdout, reason = "it is a report")]
fn main() {
    let events = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(1_000_000);
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/server.kin"));
    let set = |name: &str, value: usize| Override { name: name.into(), value: value.to_string() };
    let net = lang::compile(&text.expect("the model"), &[set("k", LISTENERS), set("m", HANDLERS)]);
    let net = Arc::new(net.net.expect("it compiles"));
    let cases: [(&str, &'static [&'static str], bool); 3] = [
        ("all steps but init are logged", &[], true),
        ("compute and function are not logged", &["compute", "function"], true),
        ("names without numbers", &[], false),
    ];
    for (what, silent, is_numbered) in cases {
        let unlogged = silent.iter().chain(&["init"]).map(|&name| name.to_owned()).collect();
        let mapping = Mapping { unlogged, ..Mapping::default() };
        let vocabulary = Vocabulary::new(&net, &mapping).expect("it fits");
        let server = Server {
            random: Random::new(1),
            listeners: vec![Vec::new(); LISTENERS],
            named: 0,
            left: events,
            silent,
            is_numbered,
            line: Vec::new(),
        };
        let mut reader =
            Reader::new(Box::new(BufReader::new(server)), &mapping.log).expect("a form");
        let (start, cpu) = (Instant::now(), cpu_time());
        let answer = conform(
            &vocabulary,
            &mut || reader.next_entry(),
            &Options::default(),
            &Budget::unlimited(),
        );
        let answer = answer.expect("the log is read");
        println!(
            "{what}: {:?}, {} events, at most {} candidates, {:.1} s of processor time, {:.1} s, {:.1} MiB at most so far",
            answer.verdict,
            answer.events,
            answer.candidates,
            cpu_time() - cpu,
            start.elapsed().as_secs_f64(),
            peak_memory() as f64 / 1024.0,
        );
    }
}
