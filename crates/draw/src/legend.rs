//! Legends: what the looks in a picture mean.

use crate::look::INK;
use crate::text::{self, Face};
use crate::{Anchor, Font, Sample, Sheet};

const FONT: f64 = 11.0;
/// The width and height of a sample.
const SAMPLE: [f64; 2] = [30.0, 16.0];
const ENTRY_HEIGHT: f64 = 22.0;
const ENTRY_GAP: f64 = 22.0;

/// A legend arranged in rows.
pub(crate) struct Legend<'a> {
    entries: &'a [(Sample, String)],
    /// Where each entry begins.
    corners: Vec<[f64; 2]>,
    /// How wide it is.
    pub width: f64,
    /// How high it is; 0 if it is empty.
    pub height: f64,
}

impl<'a> Legend<'a> {
    /// Arranges the entries to the width of the picture, or a readable one if that is small.
    pub fn new(entries: &'a [(Sample, String)], width: f64) -> Legend<'a> {
        let limit = width.max(340.0);
        let mut legend = Legend { entries, corners: Vec::new(), width: 0.0, height: 0.0 };
        let (mut x, mut y) = (0.0, 0.0);
        for (_, words) in entries {
            let width = SAMPLE[0] + 7.0 + FONT * text::width(Face::Plain, words);
            if x > 0.0 && x + width > limit {
                (x, y) = (0.0, y + ENTRY_HEIGHT);
            }
            legend.corners.push([x, y]);
            legend.width = legend.width.max(x + width);
            legend.height = y + ENTRY_HEIGHT;
            x += width + ENTRY_GAP;
        }
        legend
    }

    /// Draws it with its upper left corner at a point.
    pub fn draw(&self, sheet: &mut Sheet, x: f64, y: f64) {
        sheet.begin_at(x, y);
        for ((sample, words), [x, y]) in self.entries.iter().zip(&self.corners) {
            let middle = y + ENTRY_HEIGHT / 2.0;
            let (from, to) = ([*x, middle], [x + SAMPLE[0], middle]);
            sheet.begin("legend", "");
            match sample {
                Sample::Node(look) => {
                    sheet.outline(look, [x + SAMPLE[0] / 2.0, middle, SAMPLE[0], SAMPLE[1]]);
                }
                Sample::Edge(look) => sheet.straight(look, from, to),
                Sample::Initial => sheet.initial_mark(from, to),
            }
            let font = Font::sans(FONT, INK);
            sheet.text(to[0] + 7.0, middle, font, Anchor::Start, words);
            sheet.end();
        }
        sheet.end();
    }
}
