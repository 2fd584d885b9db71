//! A trace as a sequence chart: time goes down, one lifeline for each thread.
//!
//! A thread's bar is labelled with the place it is at, wherever that changes. A step is a dot on the bars of
//! those who take part, joined by a line, and named at the left. A thread that is born begins at a box, to which an arrow
//! leads from its parent; one that ends does so at a cross. A place that several compete for has a lifeline
//! as well, labelled with what it holds: a bar while it holds tokens, a broken line while it is empty.
//!
//! A message leaves the bar at the step that put the token, runs down beside the bar, and goes level to the
//! step that takes it (dashed: that reads it), so that its label has a row of its own and nothing is written
//! over anything else; see [`Layout`] for the widths. What is taken from or put into a place with a lifeline
//! goes level, too. Labels that are too long are cut, and said in full when pointed at.

mod layout;
mod lifelines;

use super::interaction::{Interaction, Kind, Message, Owner};
use super::outcome::Outcome;
use draw::{Anchor, Font, INK, Ink, Path, Sheet, Tip, Tone, mono_width};
use layout::{BAR, Layout, MOST_CHARACTERS, SMALL, TRACK};

const FONT: f64 = 11.0;
const MARGIN: f64 = 16.0;
const HEAD: f64 = 20.0;
const ARROW: f64 = 7.0;
const LINE: f64 = 15.0;

/// The chart of an interaction that from event `looped` on goes on for ever.
pub(super) fn chart(
    interaction: &Interaction,
    looped: Option<usize>,
    outcome: &Outcome,
    title: &str,
) -> String {
    let layout = Layout::of(interaction, looped, outcome, title);
    let mut sheet = Sheet::new(layout.width, layout.height, title);
    sheet.text(MARGIN, MARGIN + 6.0, Font::sans(14.0, INK).bold(), Anchor::Start, title);
    let mut chart = Chart { interaction, layout: &layout, sheet: &mut sheet };
    chart.frame(looped);
    chart.steps();
    chart.lifelines();
    interaction.messages.iter().enumerate().for_each(|(at, message)| chart.message(at, message));
    chart.pending();
    chart.events();
    chart.repeated_boxes();
    chart.outcome(outcome, looped.is_some());
    sheet.finish()
}

struct Chart<'a> {
    interaction: &'a Interaction,
    layout: &'a Layout,
    sheet: &'a mut Sheet,
}

impl Chart<'_> {
    /// A label that is said in full when pointed at, if it is cut.
    fn label(&mut self, x: f64, y: f64, font: Font, anchor: Anchor, text: &str) {
        self.sheet.cut_text([x, y], font, anchor, text, MOST_CHARACTERS);
    }

    fn frame(&mut self, looped: Option<usize>) {
        let (Some(looped), Some(last)) = (looped, self.layout.rows.last()) else { return };
        let top = self.layout.rows[looped].top - LINE - 5.0;
        let frame = [MARGIN / 2.0, top, self.layout.width - MARGIN, last.bottom + 3.0 - top];
        self.sheet.begin("loop", "for ever");
        let ink = Ink::line(Tone::Violet.line(), 1.2).filled("#faf8fe").dashed("6 3");
        self.sheet.rectangle(frame, 6.0, ink);
        let font = Font::mono(FONT, Tone::Violet.line()).bold();
        self.sheet.text(MARGIN, top + 10.0, font, Anchor::Start, "↻ for ever");
        self.sheet.end();
    }

    /// The numbers and names of the steps at the left, and a faint line from each to those who take part.
    fn steps(&mut self) {
        for (i, (event, row)) in self.interaction.events.iter().zip(&self.layout.rows).enumerate() {
            let y = row.event;
            let far = event.actors.last().map_or(self.layout.gutter, |&at| self.layout.x[at]);
            let guide = Path::at(self.layout.gutter, y).across(far);
            self.sheet.path(&guide, Ink::line("#d5dae0", 1.0));
            self.sheet.begin("step", &format!("{} {}", i + 1, event.text));
            let [number, name, binding] = self.layout.columns;
            let grey = Font::mono(FONT, Tone::Grey.line());
            self.sheet.text(number, y, grey, Anchor::End, &(i + 1).to_string());
            self.label(name, y, Font::mono(FONT, INK).bold(), Anchor::Start, &event.name);
            let small = Font::mono(SMALL, Tone::Grey.line());
            self.label(binding, y, small, Anchor::Start, &event.binding);
            self.sheet.end();
        }
    }

    fn message(&mut self, at: usize, message: &Message) {
        let layout = self.layout;
        let route = &layout.routes[at];
        let (from, to) = (layout.x[message.from], layout.x[message.to]);
        let side = (to - from).signum();
        let (bar, tip) = (from + side * BAR, to - side * BAR);
        let (tone, dash) = match message.kind {
            Kind::Take | Kind::Put => (Tone::Amber, ""),
            Kind::Read | Kind::Absent => (Tone::Grey, "5 3"),
        };
        self.sheet.begin("message", &self.sentence(message));
        let path = if message.is_level() {
            Path::at(bar, route.y)
        } else {
            let track = bar + side * TRACK * (route.track + 1) as f64;
            Path::at(bar, layout.rows[message.put].event + 3.0).across(track).down(route.y)
        };
        let path = path.across(tip - side * ARROW);
        self.sheet.path(&path, Ink::line(tone.line(), 1.3).dashed(dash));
        self.sheet.tip(Tip::Arrow, [tip - side * ARROW, route.y], [tip, route.y], tone.line());
        let font = Font::mono(SMALL, tone.line());
        self.label(route.label, route.y - 7.0, font, Anchor::Middle, &message.label);
        self.sheet.end();
    }

    /// What threads would do next, and wait or race for.
    fn pending(&mut self) {
        let pending = self.interaction.pending.iter().zip(&self.layout.pending);
        for (&(from, to, word), &[y, label]) in pending {
            let [name, other] = [from, to].map(|at| &self.interaction.lifelines[at].name);
            let [x, end] = [from, to].map(|at| self.layout.x[at]);
            let side = (end - x).signum();
            let tip = end - side * BAR;
            self.sheet.begin("pending", &format!("{name} {word}: {other}"));
            let path = Path::at(x + side * BAR, y).across(tip - side * ARROW);
            self.sheet.path(&path, Ink::line(Tone::Red.line(), 1.3).dashed("2 3"));
            self.sheet.tip(Tip::Arrow, [tip - side * ARROW, y], [tip, y], Tone::Red.line());
            let font = Font::mono(SMALL, Tone::Red.line());
            self.label(label, y - 7.0, font, Anchor::Middle, word);
            self.sheet.end();
        }
    }

    /// What a message says when pointed at.
    fn sentence(&self, message: &Message) -> String {
        let lifelines = &self.interaction.lifelines;
        let [from, to] = [message.from, message.to].map(|at| &lifelines[at]);
        let tokens = &message.label;
        match (&from.owner, &to.owner, message.kind) {
            (Owner::Place(_), ..) => format!("{}: {tokens} ({})", to.name, from.name),
            (_, Owner::Place(_), _) => format!("{}: {tokens} ({})", from.name, to.name),
            (_, _, Kind::Read) => format!("{} reads {tokens} of {}", to.name, from.name),
            _ => format!("{} takes {tokens} of {}", to.name, from.name),
        }
    }

    fn events(&mut self) {
        let layout = self.layout;
        for (event, row) in self.interaction.events.iter().zip(&layout.rows) {
            let x = |at: usize| layout.x[at];
            if let (Some(&first), Some(&last)) = (event.actors.first(), event.actors.last())
                && first != last
            {
                let path = Path::at(x(first), row.event).across(x(last));
                self.sheet.path(&path, Ink::line(INK, 2.4));
            }
            for &actor in &event.actors {
                self.sheet
                    .ellipse([x(actor), row.event, 4.0, 4.0], Ink::line(INK, 1.0).filled(INK));
            }
            for &(child, parent) in &event.born {
                self.birth(child, parent);
            }
        }
    }

    /// The arrow from a parent to the box of its child.
    fn birth(&mut self, child: usize, parent: usize) {
        let layout = self.layout;
        let (from, to) = (layout.x[parent], layout.x[child]);
        let side = (to - from).signum();
        let tip = to - side * layout.heads[child] / 2.0;
        let (base, y) = (tip - side * ARROW, layout.heads_at[child]);
        let path = Path::at(from + side * BAR, y).across(base);
        self.sheet.path(&path, Ink::line(Tone::Green.line(), 1.3));
        self.sheet.tip(Tip::Arrow, [base, y], [tip, y], Tone::Green.line());
    }

    fn outcome(&mut self, outcome: &Outcome, looped: bool) {
        let mut y = self.layout.foot + 24.0;
        let tone = if looped { Tone::Violet } else { Tone::Red };
        for said in &outcome.said {
            let font = Font::mono(FONT, tone.line()).bold();
            self.sheet.text(MARGIN, y, font, Anchor::Start, said);
            y += LINE;
        }
        for detail in &outcome.details {
            // Not every viewer keeps blanks at the beginning of a text.
            let text = detail.trim_start();
            let indent = detail.chars().count() - text.chars().count();
            let x = MARGIN + 12.0 + mono_width(" ", FONT) * indent as f64;
            self.sheet.text(x, y, Font::mono(FONT, INK), Anchor::Start, text);
            y += LINE;
        }
    }
}
