//! The lifelines of a sequence chart.

use draw::{Anchor, Font, INK, Ink, Path, Tone};

use super::layout::{BAR, SMALL};
use super::{Chart, FONT, HEAD};
use crate::interaction::{Lifeline, Owner};

fn tone(lifeline: &Lifeline) -> Tone {
    match lifeline.owner {
        Owner::Thread(_) => Tone::Blue,
        Owner::Transition(_) => Tone::Grey,
        Owner::Place(_) => Tone::Amber,
    }
}

impl Chart<'_> {
    pub(super) fn lifelines(&mut self) {
        for at in 0..self.interaction.lifelines.len() {
            let lifeline = &self.interaction.lifelines[at];
            self.sheet.begin("lifeline", &lifeline.full_name());
            self.line(at, lifeline);
            self.head(at, self.layout.heads_at[at], lifeline);
            for (event, label) in &lifeline.labels {
                let y = event.map_or(self.layout.first, |event| self.layout.rows[event].label);
                let left = self.layout.x[at] + self.layout.clearance(at);
                self.label(left, y, Font::mono(SMALL, INK), Anchor::Start, label);
            }
            self.sheet.end();
        }
    }

    /// The boxes of those who are there, once more: for those who no longer see the first.
    pub(super) fn repeated_boxes(&mut self) {
        for &(event, y) in &self.layout.repeats {
            for (at, lifeline) in self.interaction.lifelines.iter().enumerate() {
                if lifeline.is_alive_before(event) {
                    self.head(at, y, lifeline);
                }
            }
        }
    }

    /// From its box to its end: a bar for a thread and for a place that holds tokens, else a broken line.
    fn line(&mut self, at: usize, lifeline: &Lifeline) {
        let (layout, x, tone) = (self.layout, self.layout.x[at], tone(lifeline));
        let end = lifeline.ended.map(|ended| layout.rows[ended].label);
        let foot = end.unwrap_or(layout.foot);
        let top = layout.heads_at[at] + HEAD / 2.0;
        let broken = Ink::line(tone.line(), 1.0).dashed("4 3");
        let first = lifeline.labels.first().map(|(event, _)| *event);
        match first {
            None => self.sheet.path(&Path::at(x, top).down(foot), broken),
            // What is made later than the picture begins.
            Some(Some(event)) if lifeline.born.is_none() => {
                self.sheet.path(&Path::at(x, top).down(layout.rows[event].event), broken);
            }
            Some(_) => {}
        }
        for (nth, (event, _)) in lifeline.labels.iter().enumerate() {
            let begun = event.filter(|event| Some(*event) != lifeline.born);
            let from = begun.map_or(top, |event| layout.rows[event].event);
            let next = lifeline.labels.get(nth + 1).and_then(|(event, _)| *event);
            let to = next.map_or(foot, |event| layout.rows[event].event);
            if lifeline.vacant.contains(event) {
                self.sheet.path(&Path::at(x, from).down(to), broken);
            } else {
                let ink = Ink::line(tone.line(), 1.0).filled(tone.area());
                self.sheet.rectangle([x - BAR, from, 2.0 * BAR, to - from], 1.5, ink);
            }
        }
        if let Some(y) = end {
            let r = 5.0;
            let cross = Path::at(x - r, y - r).line(x + r, y + r);
            let cross = cross.and_at(x - r, y + r).line(x + r, y - r);
            self.sheet.path(&cross, Ink::line(Tone::Red.line(), 2.2));
        }
    }

    fn head(&mut self, at: usize, y: f64, lifeline: &Lifeline) {
        let (x, width) = (self.layout.x[at], self.layout.heads[at]);
        let radius = match lifeline.owner {
            Owner::Thread(_) => 4.0,
            Owner::Transition(_) => 0.0,
            Owner::Place(_) => HEAD / 2.0,
        };
        let tone = tone(lifeline);
        let ink = Ink::line(tone.line(), 1.4).filled(tone.area());
        self.sheet.rectangle([x - width / 2.0, y - HEAD / 2.0, width, HEAD], radius, ink);
        self.label(x, y, Font::mono(FONT, INK).bold(), Anchor::Middle, &lifeline.name);
    }
}
