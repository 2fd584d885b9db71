//! A trace as a sequence chart: time goes down, one lifeline for each thread.
//!
//! A thread's bar is labelled with the place it is at, wherever that changes. A step is a dot on the bars of
//! those who take part, joined by a line, and named at the left. Whoever is born begins at a box that an arrow
//! from the parent leads to; whoever ends does so at a cross. A message leaves the bar at the step that put the
//! token, runs down beside the bar, and goes level to the step that takes it (dashed: that reads it), so that
//! its label has a row of its own and nothing is written over anything else; see [`Layout`] for the widths.

mod layout;

use super::story::{Message, Story};
use super::text::Outcome;
use draw::Tone;
use draw::{Anchor, Font, INK, Ink, Sheet, Short};
use layout::{BAR, Layout, SMALL, TRACK, shortened};

const FONT: f64 = 11.0;
const MARGIN: f64 = 16.0;
const HEAD: f64 = 20.0;
const ARROW: f64 = 7.0;
const LINE: f64 = 15.0;

/// The chart of a story that from event `looped` on goes on for ever.
pub(super) fn chart(
    story: &Story,
    looped: Option<usize>,
    outcome: &Outcome,
    title: &str,
) -> String {
    let layout = Layout::of(story, looped, outcome, title);
    let mut sheet = Sheet::new(layout.width, layout.height, title);
    sheet.text(MARGIN, MARGIN + 6.0, Font::sans(14.0, INK).bold(), Anchor::Start, title);
    let mut drawing = Chart { story, layout: &layout, sheet: &mut sheet };
    drawing.frame(looped);
    drawing.steps();
    drawing.lifelines();
    story.messages.iter().enumerate().for_each(|(at, message)| drawing.message(at, message));
    drawing.events();
    drawing.outcome(outcome, looped.is_some());
    sheet.finish()
}

struct Chart<'a> {
    story: &'a Story,
    layout: &'a Layout,
    sheet: &'a mut Sheet,
}

impl Chart<'_> {
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

    /// The names of the steps at the left, and a faint line from each to those who take part.
    fn steps(&mut self) {
        for (i, (event, row)) in self.story.events.iter().zip(&self.layout.rows).enumerate() {
            let y = row.event;
            let far = event.actors.last().map_or(self.layout.gutter, |&at| self.layout.x[at]);
            let guide = format!("M{} {}H{}", Short(self.layout.gutter), Short(y), Short(far));
            self.sheet.path(&guide, Ink::line("#d5dae0", 1.0));
            self.sheet.begin("step", &format!("{} {}({})", i + 1, event.name, event.binding));
            let [number, name, binding] = self.layout.columns;
            let grey = Font::mono(FONT, Tone::Grey.line());
            self.sheet.text(number, y, grey, Anchor::End, &(i + 1).to_string());
            let bold = Font::mono(FONT, INK).bold();
            self.sheet.text(name, y, bold, Anchor::Start, &shortened(&event.name));
            let small = Font::mono(SMALL, Tone::Grey.line());
            self.sheet.text(binding, y, small, Anchor::Start, &shortened(&event.binding));
            self.sheet.end();
        }
    }

    fn lifelines(&mut self) {
        let layout = self.layout;
        for (at, lifeline) in self.story.lifelines.iter().enumerate() {
            let x = layout.x[at];
            let top = layout.heads_at[at];
            let end = lifeline.ended.map(|ended| layout.rows[ended].station);
            let foot = end.unwrap_or(layout.foot);
            let is_thread = !lifeline.stations.is_empty();
            self.sheet.begin("lifeline", &lifeline.name);
            if is_thread {
                let changes = lifeline.stations.iter().filter_map(|(event, _)| *event);
                let changes = changes.filter(|event| Some(*event) != lifeline.born);
                let mut from = top + HEAD / 2.0;
                for y in changes.map(|event| layout.rows[event].event).chain([foot]) {
                    let bar = [x - BAR, from, 2.0 * BAR, y - from];
                    let ink = Ink::line(Tone::Blue.line(), 1.0).filled(Tone::Blue.area());
                    self.sheet.rectangle(bar, 1.5, ink);
                    from = y;
                }
            } else {
                let path = format!("M{} {}V{}", Short(x), Short(top), Short(foot));
                self.sheet.path(&path, Ink::line(Tone::Grey.line(), 1.0).dashed("4 3"));
            }
            if end.is_some() {
                let (x, y, r) = (x, foot, 5.0);
                let path = format!(
                    "M{} {}L{} {}M{} {}L{} {}",
                    Short(x - r),
                    Short(y - r),
                    Short(x + r),
                    Short(y + r),
                    Short(x - r),
                    Short(y + r),
                    Short(x + r),
                    Short(y - r)
                );
                self.sheet.path(&path, Ink::line(Tone::Red.line(), 2.2));
            }
            let width = layout.heads[at];
            let frame = [x - width / 2.0, top - HEAD / 2.0, width, HEAD];
            let (tone, radius) = if is_thread { (Tone::Blue, 4.0) } else { (Tone::Grey, 0.0) };
            let ink = Ink::line(tone.line(), 1.4).filled(tone.area());
            self.sheet.rectangle(frame, radius, ink);
            let font = Font::mono(FONT, INK).bold();
            self.sheet.text(x, top, font, Anchor::Middle, &shortened(&lifeline.name));
            for (event, station) in &lifeline.stations {
                let y = event.map_or(layout.first, |event| layout.rows[event].station);
                let font = Font::mono(SMALL, INK);
                let left = x + layout.clearance(at);
                self.sheet.text(left, y, font, Anchor::Start, &shortened(station));
            }
            self.sheet.end();
        }
    }

    fn message(&mut self, at: usize, message: &Message) {
        let layout = self.layout;
        let route = &layout.routes[at];
        let (from, to) = (layout.x[message.from], layout.x[message.to]);
        let side = (to - from).signum();
        let (start, y) = (layout.rows[message.put].event + 3.0, route.y);
        let track = from + side * (BAR + TRACK * (route.track + 1) as f64);
        let tip = to - side * BAR;
        let tone = if message.read { Tone::Grey } else { Tone::Amber };
        let dash = if message.read { "5 3" } else { "" };
        let verb = if message.read { "reads" } else { "takes" };
        let names = [message.from, message.to].map(|at| self.story.lifelines[at].name.as_str());
        let tokens = message.tokens.join(", ");
        self.sheet.begin("message", &format!("{} {verb} {tokens} of {}", names[1], names[0]));
        let path = format!(
            "M{} {}H{}V{}H{}",
            Short(from + side * BAR),
            Short(start),
            Short(track),
            Short(y),
            Short(tip - side * ARROW)
        );
        self.sheet.path(&path, Ink::line(tone.line(), 1.3).dashed(dash));
        self.arrow(tip, y, side, tone);
        let font = Font::mono(SMALL, tone.line());
        self.sheet.text(route.label, y - 7.0, font, Anchor::Middle, &shortened(&tokens));
        self.sheet.end();
    }

    /// The tip of an arrow that goes level.
    fn arrow(&mut self, x: f64, y: f64, side: f64, tone: Tone) {
        let back = x - side * ARROW;
        let path = format!(
            "M{} {}L{} {}L{} {}Z",
            Short(x),
            Short(y),
            Short(back),
            Short(y - 3.5),
            Short(back),
            Short(y + 3.5)
        );
        self.sheet.path(&path, Ink::line(tone.line(), 0.0).filled(tone.line()));
    }

    fn events(&mut self) {
        let layout = self.layout;
        for (event, row) in self.story.events.iter().zip(&layout.rows) {
            let x = |at: usize| layout.x[at];
            if let (Some(&first), Some(&last)) = (event.actors.first(), event.actors.last())
                && first != last
            {
                let path = format!("M{} {}H{}", Short(x(first)), Short(row.event), Short(x(last)));
                self.sheet.path(&path, Ink::line(INK, 2.4));
            }
            for &actor in &event.actors {
                let ink = Ink::line(INK, 1.0).filled(INK);
                self.sheet.ellipse([x(actor), row.event, 4.0, 4.0], ink);
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
        let (start, y) = (from + side * BAR, layout.heads_at[child]);
        let path = format!("M{} {}H{}", Short(start), Short(y), Short(tip - side * ARROW));
        self.sheet.path(&path, Ink::line(Tone::Green.line(), 1.3));
        self.arrow(tip, y, side, Tone::Green);
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
            self.sheet.text(MARGIN + 12.0, y, Font::mono(FONT, INK), Anchor::Start, detail);
            y += LINE;
        }
    }
}
