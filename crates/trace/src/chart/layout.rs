//! Where everything is in a sequence chart.
//!
//! A step is a block of rows: one for each message received, one for the step itself, one for each message
//! to a place, one for the box of each who is born, one for the labels of where threads now are and what
//! places now hold. No two texts share a row and a gap between lifelines, so that it is enough to make each
//! gap as wide as the widest text in it: the label of the lifeline on its left, or the label of a message,
//! which is put into the gap nearest to its receiver that has room, or widens it. Beside a bar there is a
//! track for each message that waits there at the same time. Now and then the boxes of the lifelines are
//! repeated in a row of their own.

use super::super::interaction::{Interaction, Kind, Message};
use super::{FONT, HEAD, LINE, MARGIN};
use crate::outcome::Outcome;
use draw::{cut, mono_width};

pub(super) const SMALL: f64 = 10.0;
/// Half the width of a bar.
pub(super) const BAR: f64 = 3.5;
/// The distance between tracks.
pub(super) const TRACK: f64 = 4.0;

/// Labels are cut to this many characters.
pub(super) const MOST_CHARACTERS: usize = 36;
/// The middle of the boxes of those who are there initially.
const TOP: f64 = MARGIN + 22.0 + HEAD / 2.0;
const MESSAGE_ROW: f64 = 20.0;
const EVENT_ROW: f64 = 18.0;
const BIRTH_ROW: f64 = 26.0;
const LABEL_ROW: f64 = 16.0;
const BETWEEN: f64 = 6.0;
/// How far apart rows of boxes are, and how many steps must follow one.
const REPEAT: f64 = 720.0;
const FEWEST_STEPS: usize = 3;

fn width(text: &str, size: f64) -> f64 {
    mono_width(&cut(text, MOST_CHARACTERS), size)
}

/// The rows of a step.
pub(super) struct Row {
    pub top: f64,
    pub event: f64,
    /// The middle of the labels; threads that end do so here.
    pub label: f64,
    pub bottom: f64,
}

/// The way of a message.
#[derive(Clone, Default)]
pub(super) struct Route {
    pub track: usize,
    pub y: f64,
    /// The middle of its label.
    pub label: f64,
}

#[derive(Default)]
pub(super) struct Layout {
    /// The middle of each lifeline.
    pub x: Vec<f64>,
    /// The width of the box of each lifeline.
    pub heads: Vec<f64>,
    pub rows: Vec<Row>,
    pub routes: Vec<Route>,
    /// Where number, name and binding of steps are; the number ends there.
    pub columns: [f64; 3],
    /// The end of the columns.
    pub gutter: f64,
    /// The height of the middle of the box of each lifeline.
    pub heads_at: Vec<f64>,
    /// The middle of the labels of those who are there initially.
    pub first: f64,
    /// The rows in which the boxes are repeated: before which step, and their middle.
    pub repeats: Vec<(usize, f64)>,
    pub foot: f64,
    /// The height of what would come next, and the middle of its label.
    pub pending: Vec<[f64; 2]>,
    pub width: f64,
    pub height: f64,
    /// How many tracks there are to the left and to the right of each lifeline.
    tracks: Vec<[usize; 2]>,
}

impl Layout {
    pub fn of(
        interaction: &Interaction,
        looped: Option<usize>,
        outcome: &Outcome,
        title: &str,
    ) -> Layout {
        let heads =
            interaction.lifelines.iter().map(|line| width(&line.name, FONT) + 14.0).collect();
        let mut layout = Layout {
            heads,
            routes: vec![Route::default(); interaction.messages.len()],
            heads_at: vec![TOP; interaction.lifelines.len()],
            tracks: vec![[0; 2]; interaction.lifelines.len()],
            ..Layout::default()
        };
        layout.assign_tracks(interaction);
        layout.set_columns(interaction);
        layout.set_lifelines(interaction);
        layout.set_rows(interaction, looped);
        layout.set_pending(interaction);
        let texts = outcome.said.iter().chain(&outcome.details);
        let widest = texts.map(|text| mono_width(text, FONT) + 12.0).fold(0.0, f64::max);
        let widest = widest.max(mono_width(title, 14.0)) + 2.0 * MARGIN;
        layout.width = layout.width.max(widest);
        let lines = (outcome.said.len() + outcome.details.len()) as f64;
        layout.height = layout.foot + if lines > 0.0 { 16.0 + LINE * lines } else { 0.0 } + MARGIN;
        layout
    }

    /// Each in a row of its own at the end, with its label beside the thread.
    fn set_pending(&mut self, interaction: &Interaction) {
        for &(from, to, _) in &interaction.pending {
            self.foot += MESSAGE_ROW;
            let next = if to > from { from + 1 } else { from - 1 };
            self.pending.push([self.foot - 8.0, f64::midpoint(self.x[from], self.x[next])]);
        }
    }

    /// How far from the middle of a lifeline its labels begin.
    pub fn clearance(&self, lifeline: usize) -> f64 {
        BAR + TRACK * self.tracks[lifeline][1] as f64 + 5.0
    }

    /// What the left side of a lifeline needs.
    fn left_of(&self, lifeline: usize) -> f64 {
        BAR + TRACK * self.tracks[lifeline][0] as f64 + 5.0
    }

    /// Gives each message the first track beside its sender that is free from when it is put till it is taken.
    fn assign_tracks(&mut self, interaction: &Interaction) {
        let side = |message: &Message| usize::from(message.to > message.from);
        for (at, message) in interaction.messages.iter().enumerate() {
            if message.is_level() {
                continue;
            }
            let others = interaction.messages[..at].iter().zip(&self.routes);
            let busy: Vec<usize> = others
                .filter(|(other, _)| {
                    other.from == message.from
                        && !other.is_level()
                        && side(other) == side(message)
                        && other.put <= message.taken
                        && message.put <= other.taken
                })
                .map(|(_, route)| route.track)
                .collect();
            let free = (0..).find(|track| !busy.contains(track)).unwrap_or_default();
            self.routes[at].track = free;
            let tracks = &mut self.tracks[message.from][side(message)];
            *tracks = (*tracks).max(free + 1);
        }
    }

    fn set_columns(&mut self, interaction: &Interaction) {
        let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
        let number = mono_width(&interaction.events.len().to_string(), FONT);
        let name = widest(&mut interaction.events.iter().map(|event| width(&event.name, FONT)));
        let binding =
            widest(&mut interaction.events.iter().map(|event| width(&event.binding, SMALL)));
        let end = MARGIN + number;
        self.columns = [end, end + 8.0, end + 16.0 + name];
        self.gutter = end + 16.0 + name + if binding > 0.0 { binding + 8.0 } else { 0.0 };
    }

    fn set_lifelines(&mut self, interaction: &Interaction) {
        let count = interaction.lifelines.len();
        let label = |at: usize| {
            let labels = interaction.lifelines[at].labels.iter();
            labels.map(|(_, text)| width(text, SMALL)).fold(0.0, f64::max)
        };
        // What is right of each lifeline: labels, and half of boxes.
        let right: Vec<f64> = (0..count)
            .map(|at| (self.clearance(at) + label(at)).max(self.heads[at] / 2.0))
            .collect();
        let left: Vec<f64> =
            (0..count).map(|at| self.left_of(at).max(self.heads[at] / 2.0)).collect();
        let mut gaps: Vec<f64> = (1..count).map(|at| right[at - 1] + left[at] + 14.0).collect();
        let mut order: Vec<usize> = (0..interaction.messages.len()).collect();
        order
            .sort_by_key(|&at| interaction.messages[at].from.abs_diff(interaction.messages[at].to));
        let mut within = vec![0_usize; interaction.messages.len()];
        for at in order {
            let message = &interaction.messages[at];
            let text = width(&message.label, SMALL) + 16.0;
            let room = |gap: usize| self.clearance(gap) + self.left_of(gap + 1) + text;
            let nearest: Vec<usize> = if message.to > message.from {
                (message.from..message.to).rev().collect()
            } else {
                (message.to..message.from).collect()
            };
            let roomy = nearest.iter().copied().find(|&gap| gaps[gap] >= room(gap));
            let gap = roomy.unwrap_or(nearest[0]);
            gaps[gap] = gaps[gap].max(room(gap));
            within[at] = gap;
        }
        let mut x = self.gutter + left.first().copied().unwrap_or(0.0) + 12.0;
        for at in 0..count {
            self.x.push(x);
            x += gaps.get(at).copied().unwrap_or(0.0);
        }
        self.width = self.x.last().zip(right.last()).map_or(self.gutter, |(x, right)| x + right);
        self.width += MARGIN;
        for (route, gap) in self.routes.iter_mut().zip(within) {
            let from = self.x[gap] + BAR + TRACK * self.tracks[gap][1] as f64;
            let to = self.x[gap + 1] - BAR - TRACK * self.tracks[gap + 1][0] as f64;
            route.label = f64::midpoint(from, to);
        }
    }

    fn set_rows(&mut self, interaction: &Interaction, looped: Option<usize>) {
        self.first = TOP + HEAD / 2.0 + LABEL_ROW / 2.0 + 2.0;
        let mut y = self.first + LABEL_ROW / 2.0 + BETWEEN;
        let mut boxes = TOP;
        let mut next = 0;
        for (i, event) in interaction.events.iter().enumerate() {
            if y - boxes > REPEAT && i + FEWEST_STEPS <= interaction.events.len() {
                boxes = y + HEAD / 2.0 + BETWEEN;
                self.repeats.push((i, boxes));
                y = boxes + HEAD / 2.0 + BETWEEN;
            }
            if looped == Some(i) {
                y += LINE + 12.0;
            }
            let top = y;
            let mut middle = None;
            for message in interaction.messages_of(i) {
                if message.kind == Kind::Put && middle.is_none() {
                    middle = Some(y + EVENT_ROW / 2.0);
                    y += EVENT_ROW;
                }
                y += MESSAGE_ROW;
                self.routes[next].y = y - 3.0;
                next += 1;
            }
            let event_at = middle.unwrap_or_else(|| {
                y += EVENT_ROW;
                y - EVENT_ROW / 2.0
            });
            for &(child, _) in &event.born {
                self.heads_at[child] = y + BIRTH_ROW / 2.0;
                y += BIRTH_ROW;
            }
            let label = y + LABEL_ROW / 2.0;
            let changed =
                interaction.lifelines.iter().any(|line| line.label_after(Some(i)).is_some());
            if changed || !event.ended.is_empty() {
                y += LABEL_ROW;
            }
            y += BETWEEN;
            self.rows.push(Row { top, event: event_at, label, bottom: y });
        }
        self.foot = y + 6.0;
    }
}
