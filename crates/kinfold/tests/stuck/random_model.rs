//! Random models whose threads wait for each other, end, crash, are done something to by others, and idle.
//!
//! Threads and room for more are bounded together, so that there are finitely many classes. In half of the
//! models what ends leaves room again: then births go on for ever.

use std::fmt::Write;

use random::Random;

const FLOWS: [&str; 4] = ["a", "b", "c", "d"];

/// A model as text.
pub fn model(random: &mut Random) -> String {
    let mut text = String::from("model random\n");
    let idle = random.below(30_u32);
    let with_number: Vec<bool> = FLOWS.iter().map(|_| random.percent(25)).collect();
    for (flow, number) in FLOWS.iter().zip(&with_number) {
        let word = if random.percent(idle) { "idle " } else { "" };
        let column = if *number { "(n: 0..=1)" } else { "" };
        writeln!(text, "{word}flow {flow}{column}").unwrap();
    }
    let again = random.percent(60);
    writeln!(text, "place room = {}", random.below(3)).unwrap();
    writeln!(text, "place key = {}", random.below(3)).unwrap();
    writeln!(text, "place held: pid").unwrap();
    // Where members of classes are folded, too, threads are followed in another way.
    let tints = random.percent(20);
    if tints {
        writeln!(text, "class Tint symmetric 2\nplace tint: Tint = all\nplace used: Tint").unwrap();
    }
    let passive = *random.pick(&[10, 30, 80]);
    let mut writer = Writer { random, with_number, again, tints, passive };
    for _ in 0..1 + writer.random.below(2) {
        let at = writer.made();
        writeln!(text, "start {at}").unwrap();
    }
    let mut transitions = Vec::new();
    if writer.random.percent(60) {
        transitions = writer.way_through();
    }
    for _ in 0..1 + writer.random.below(5) - transitions.len().min(1) {
        transitions.push(writer.items());
    }
    for (number, items) in transitions.iter().enumerate() {
        writeln!(text, "transition t{number} {{ {} }}", items.join("   ")).unwrap();
    }
    text
}

struct Writer<'r> {
    random: &'r mut Random,
    with_number: Vec<bool>,
    /// What ends leaves room.
    again: bool,
    /// There is a class.
    tints: bool,
    /// In how many of a hundred cases something is done to a thread by others.
    passive: u32,
}

impl Writer<'_> {
    /// A way through all places, with a birth at the first and an end at the last.
    fn way_through(&mut self) -> Vec<Vec<String>> {
        let mut all = Vec::new();
        for flow in 0..FLOWS.len() {
            let word = if self.random.percent(self.passive) { "passive " } else { "" };
            let (at, last) = (self.matched_at(flow), flow + 1 == FLOWS.len());
            let fate = match self.random.below(8) {
                0 => format!("{word}crash p: {at}"),
                _ if last => format!("{word}end p: {at}"),
                _ => format!("{word}move p: {at} -> {}", self.made_at(flow + 1)),
            };
            let gone = !fate.contains("move");
            let room = (gone && self.again).then(|| "put room".to_owned());
            all.push([fate].into_iter().chain(room).collect());
        }
        let (parent, child) = (self.matched_at(0), self.made_at(1));
        let birth = [format!("stay p: {parent}"), format!("spawn h from p: {child}")];
        all.push(birth.into_iter().chain(["take room".into()]).collect());
        all
    }

    /// Where a thread comes to.
    fn made(&mut self) -> String {
        let flow = self.random.below(FLOWS.len());
        self.made_at(flow)
    }

    fn made_at(&mut self, flow: usize) -> String {
        match self.with_number[flow] {
            true => format!("{}({})", FLOWS[flow], self.random.below(2)),
            false => FLOWS[flow].into(),
        }
    }

    /// Where a thread is.
    fn matched(&mut self) -> String {
        let flow = self.random.below(FLOWS.len());
        self.matched_at(flow)
    }

    fn matched_at(&mut self, flow: usize) -> String {
        match (self.with_number[flow], self.random.below(3)) {
            (true, 0) => format!("{}(_)", FLOWS[flow]),
            (true, number) => format!("{}({})", FLOWS[flow], number - 1),
            (false, _) => FLOWS[flow].into(),
        }
    }

    fn items(&mut self) -> Vec<String> {
        let mut items = Vec::new();
        let count = *self.random.pick(&[1, 1, 1, 2, 2]);
        let mut gone = Vec::new();
        for thread in ["p", "q"].into_iter().take(count) {
            let passive = self.random.percent(self.passive);
            let word = if passive { "passive " } else { "" };
            let at = self.matched();
            items.push(match self.random.below(10) {
                0..5 => format!("{word}move {thread}: {at} -> {}", self.made()),
                5 => format!("{word}stay {thread}: {at}"),
                6..8 => {
                    gone.push(thread);
                    format!("{word}end {thread}: {at}")
                }
                _ => {
                    gone.push(thread);
                    format!("{word}crash {thread}: {at}")
                }
            });
        }
        let spawns = self.random.percent(30);
        let mut room = i32::from(spawns) - if self.again { gone.len() as i32 } else { 0 };
        if spawns {
            let parent = if count == 2 && self.random.percent(50) { "q" } else { "p" };
            items.push(format!("spawn h from {parent}: {}", self.made()));
        }
        if room > 0 {
            items.push("take room".into());
        }
        while room < 0 {
            items.push("put room".into());
            room += 1;
        }
        items.extend(self.tokens(count));
        items
    }

    /// What is done with tokens, of which there are never more than at the start.
    fn tokens(&mut self, count: usize) -> Vec<String> {
        let mut items: Vec<String> = Vec::new();
        match self.random.below(if self.tints { 12 } else { 8 }) {
            0 => items.push("take key".into()),
            1 => items.extend(["take key".into(), "put held(p)".into()]),
            2 => items.extend(["take held(p)".into(), "put key".into()]),
            3 => items.extend(["take held(_)".into(), "put key".into()]),
            4 => items.push("unless held(p)".into()),
            5 if count == 2 => items.push("when parent(p, q)".into()),
            6 => items.push(format!("unless _: {}", self.matched())),
            _ if self.tints && self.random.percent(50) => {
                items.extend(["take tint(x)".into(), "put used(x)".into()]);
            }
            _ if self.tints => items.extend(["take used(x)".into(), "put tint(x)".into()]),
            _ => {}
        }
        items
    }
}
