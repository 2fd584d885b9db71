//! Nodes as the layout sees them, with the room their self loops and marks need.
//!
//! Self loops hang on the right of a node, one below the other, each with its label to the right;
//! the mark of an initial node is on the left. Both are counted as part of the node, so that
//! nothing else comes there, and neither takes part in the steps of the layout.

use super::{INITIAL_MARK, LABEL_PAD, NodeSpec, Point, Route, Size};
use crate::Shape;

/// How far a loop reaches out of its node.
const REACH: f64 = 21.0;
/// From one loop to the next, at least.
const PITCH: f64 = 18.0;
/// Half the distance between the ends of a loop, at most.
const SPREAD: f64 = 7.0;
/// Between the ends of edges on one side of a node, if it is long enough.
pub(super) const PORT_DISTANCE: f64 = 12.0;
/// How wide a node may become for the ends of its edges.
const WIDENED: f64 = 96.0;

/// A node: half its width and height, and the room taken to the left, to the right and in height.
#[derive(Debug, Clone)]
pub(super) struct Block {
    half_width: f64,
    half_height: f64,
    shape: Shape,
    pub left: f64,
    pub right: f64,
    pub height: f64,
    /// For each loop, the height of its middle relative to the centre, and its label's size.
    pub loops: Vec<(f64, Option<Size>)>,
}

impl Block {
    /// A node without loops.
    pub fn new(node: &NodeSpec) -> Self {
        let half_width = node.size.width / 2.0;
        Self {
            half_width,
            half_height: node.size.height / 2.0,
            shape: node.shape,
            left: half_width + if node.initial { INITIAL_MARK } else { 0.0 },
            right: half_width,
            height: node.size.height,
            loops: Vec::new(),
        }
    }

    /// Makes room for the loops, and for this many edges on one side. A node that is too low for its
    /// loops grows.
    pub fn make_room(&mut self, ports: usize) {
        self.widen_for_ports(ports);
        if self.loops.is_empty() {
            return;
        }
        let pitch = |label: &Option<Size>| label.map_or(0.0, |l| l.height + 5.0).max(PITCH);
        let total: f64 = self.loops.iter().map(|(_, label)| pitch(label)).sum();
        if self.loops.len() > 1 {
            // On an ellipse the ends of the border are of no use.
            let usable = if self.shape == Shape::Ellipse { 0.8 } else { 0.95 };
            self.half_height = self.half_height.max(total / usable / 2.0);
        }
        let mut top = -total / 2.0;
        for (middle, label) in &mut self.loops {
            *middle = top + pitch(label) / 2.0;
            top += pitch(label);
        }
        let widest = self.loops.iter().filter_map(|(_, label)| *label).map(|l| l.width + LABEL_PAD);
        self.right = self.half_width + REACH + widest.fold(0.0, f64::max);
        self.height = (2.0 * self.half_height).max(total);
    }

    /// Makes the node wide enough for `count` edges on one side, within reason.
    fn widen_for_ports(&mut self, count: usize) {
        let wanted = (count.saturating_sub(1) as f64 * PORT_DISTANCE).min(WIDENED);
        let more = (wanted - 2.0 * self.port_range()).max(0.0) / 2.0;
        self.half_width += more;
        self.left += more;
        self.right += more;
    }

    /// The size of the node alone.
    pub fn size(&self) -> Size {
        Size { width: 2.0 * self.half_width, height: 2.0 * self.half_height }
    }

    /// How far from the middle edges may end on the upper and lower border.
    pub fn port_range(&self) -> f64 {
        match self.shape {
            Shape::Ellipse => 0.62 * self.half_width,
            Shape::Hexagon => self.half_width - hexagon_tip(self.half_width, self.half_height),
            Shape::Box | Shape::Rounded => (self.half_width - 6.0).max(0.0),
        }
    }

    /// The height of the border above (and below) the centre at a distance `x` from the middle, at which
    /// an edge may end.
    pub fn border_height(&self, x: f64) -> f64 {
        match self.shape {
            Shape::Ellipse => self.half_height * circle(x / self.half_width),
            _ => self.half_height,
        }
    }

    /// The distance of the border to the right of the middle at a height `y` above or below it.
    fn border_width(&self, y: f64) -> f64 {
        let (width, height) = (self.half_width, self.half_height);
        match self.shape {
            Shape::Ellipse => width * circle(y / height),
            Shape::Hexagon => width - hexagon_tip(width, height) * (y / height).abs().min(1.0),
            Shape::Box | Shape::Rounded => width,
        }
    }

    /// The loops of the node when its centre is at `centre`.
    pub fn loop_routes(&self, centre: Point) -> Vec<Route> {
        let at = |x: f64, y: f64| Point { x: centre.x + x, y: centre.y + y };
        let spread = SPREAD.min(0.5 * self.half_height);
        let reach = self.half_width + REACH;
        self.loops
            .iter()
            .map(|&(middle, label)| {
                let (top, bottom) = (middle - spread, middle + spread);
                // A curve with both inner control points at the same x reaches 3/4 of the way
                // there.
                let out =
                    self.border_width(middle) + (reach - self.border_width(middle)) * 4.0 / 3.0;
                Route {
                    start: at(self.border_width(top), top),
                    pieces: vec![[
                        at(out, top - 0.8 * spread),
                        at(out, bottom + 0.8 * spread),
                        at(self.border_width(bottom), bottom),
                    ]],
                    label: label.map(|l| at(reach + LABEL_PAD + l.width / 2.0, middle)),
                }
            })
            .collect()
    }
}

/// How wide the tip of a hexagon of half this width and height is.
pub(crate) fn hexagon_tip(half_width: f64, half_height: f64) -> f64 {
    (0.8 * half_height).min(half_width)
}

/// The height of the unit circle at `x`; zero outside.
fn circle(x: f64) -> f64 {
    (1.0 - x * x).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::Frame;
    use super::super::tests::{depth, node};
    use super::*;

    #[test]
    fn loops_start_and_end_on_the_border_and_stay_in_their_room() {
        for shape in [Shape::Box, Shape::Ellipse, Shape::Hexagon] {
            for count in 1..6 {
                let mut block = Block::new(&node(shape));
                let label = Some(Size { width: 40.0, height: 14.0 });
                block.loops = vec![(0.0, label); count];
                block.make_room(0);
                let frame = Frame { centre: Point::default(), size: block.size() };
                let routes = block.loop_routes(frame.centre);
                assert_eq!(routes.len(), count);
                for route in &routes {
                    for end in [route.start, route.end()] {
                        let depth = depth(&frame, shape, end);
                        assert!((depth - 1.0).abs() < 1e-9, "{count} loops, {shape:?}: {depth}");
                    }
                    assert!(route.label.unwrap().x + 20.0 <= block.right + 1e-9);
                }
                for pair in routes.windows(2) {
                    assert!(pair[0].label.unwrap().y + 14.0 <= pair[1].label.unwrap().y);
                    assert!(pair[0].end().y < pair[1].start.y);
                }
            }
        }
    }
}
