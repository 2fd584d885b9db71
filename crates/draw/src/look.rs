//! How nodes and edges look, and the looks that nets and state graphs use.
//!
//! No meaning rests on colour alone: looks that must be told apart also differ in shape, border,
//! dash or tip, so that a picture survives a grey printer. Text and lines have a contrast of at
//! least 4.5 : 1 against what they are drawn on (WCAG 2.1, level AA), which a test computes.

/// The outline of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A rectangle.
    Box,
    /// A rectangle with rounded corners.
    Rounded,
    /// An ellipse, a circle for short text.
    Ellipse,
    /// A box with a tip on its left and right.
    Hexagon,
}

/// The line around a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Border {
    /// One thin line.
    Single,
    /// Two thin lines.
    Double,
    /// One heavy line.
    Heavy,
    /// One broken line.
    Dashed,
}

/// A colour for lines with a matching light colour for areas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tone {
    /// Near black on white.
    Plain,
    /// Grey.
    Grey,
    /// Blue.
    Blue,
    /// Amber.
    Amber,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Violet.
    Violet,
}

impl Tone {
    /// The colour of lines and of text beside them, as `#rrggbb`.
    #[must_use]
    pub fn line(self) -> &'static str {
        match self {
            Self::Plain => "#2b3440",
            Self::Grey => "#59636e",
            Self::Blue => "#1c5b96",
            Self::Amber => "#8a5200",
            Self::Red => "#a8201a",
            Self::Green => "#1d6b3a",
            Self::Violet => "#6534ac",
        }
    }

    /// The colour of areas, as `#rrggbb`.
    #[must_use]
    pub fn area(self) -> &'static str {
        match self {
            Self::Plain => "#ffffff",
            Self::Grey => "#e6e9ed",
            Self::Blue => "#e8f1fa",
            Self::Amber => "#fdf1da",
            Self::Red => "#fce8e6",
            Self::Green => "#e5f4ea",
            Self::Violet => "#f1ebfb",
        }
    }
}

/// The colour of text inside nodes and of titles.
pub const INK: &str = "#16191d";

/// Shape, border and colours of a node, with the name that the legend and the style classes use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeLook {
    /// What such nodes are called; empty for a look that needs no explanation.
    pub name: &'static str,
    /// The outline.
    pub shape: Shape,
    /// The line around it.
    pub border: Border,
    /// The colours.
    pub tone: Tone,
}

impl NodeLook {
    /// A look with this name.
    #[must_use]
    pub const fn new(name: &'static str, shape: Shape, border: Border, tone: Tone) -> Self {
        Self { name, shape, border, tone }
    }

    /// A flow place: a plain ellipse.
    pub const FLOW_PLACE: Self =
        Self::new("flow place", Shape::Ellipse, Border::Single, Tone::Plain);
    /// An ordinary place: a shaded ellipse with a double border.
    pub const PLACE: Self = Self::new("place", Shape::Ellipse, Border::Double, Tone::Grey);
    /// A transition: a box.
    pub const TRANSITION: Self = Self::new("transition", Shape::Box, Border::Single, Tone::Blue);
    /// A state with successors.
    pub const STATE: Self = Self::new("state", Shape::Rounded, Border::Single, Tone::Plain);
    /// A state without successor in which a thread is still active.
    pub const DEADLOCK: Self = Self::new("deadlock", Shape::Rounded, Border::Heavy, Tone::Red);
    /// A state in which all threads have ended.
    pub const TERMINATED: Self =
        Self::new("terminated", Shape::Rounded, Border::Double, Tone::Green);
    /// A state whose successors are not known.
    pub const UNEXPLORED: Self =
        Self::new("unexplored", Shape::Rounded, Border::Dashed, Tone::Grey);
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stroke {
    /// Unbroken.
    Solid,
    /// In dashes.
    Dashed,
    /// In dots.
    Dotted,
    /// Unbroken and heavy.
    Heavy,
}

/// What is at the end of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tip {
    /// Nothing.
    None,
    /// A filled arrowhead.
    Arrow,
    /// An arrowhead that is not filled.
    Hollow,
    /// A small circle, as inhibitor arcs have.
    Circle,
}

/// Line, colour and tips of an edge, with the name that the legend and the style classes use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EdgeLook {
    /// What such edges are called; empty for a look that needs no explanation.
    pub name: &'static str,
    /// How the line is drawn.
    pub stroke: Stroke,
    /// Its colour.
    pub tone: Tone,
    /// What is at its start.
    pub tail: Tip,
    /// What is at its end.
    pub head: Tip,
}

impl EdgeLook {
    /// A look with this name, and nothing at the start.
    #[must_use]
    pub const fn new(name: &'static str, stroke: Stroke, tone: Tone, head: Tip) -> Self {
        Self { name, stroke, tone, tail: Tip::None, head }
    }

    /// An arc that moves, takes or puts.
    pub const ARC: Self = Self::new("arc", Stroke::Solid, Tone::Plain, Tip::Arrow);
    /// An arc both ways: what is taken is put back.
    pub const STAY: Self = Self { name: "stay", tail: Tip::Arrow, ..Self::ARC };
    /// An arc that only looks.
    pub const READ: Self = Self::new("read", Stroke::Dashed, Tone::Plain, Tip::Arrow);
    /// An arc that forbids.
    pub const INHIBITOR: Self = Self::new("inhibitor", Stroke::Solid, Tone::Red, Tip::Circle);
    /// An arc that creates threads.
    pub const SPAWN: Self = Self::new("spawn", Stroke::Heavy, Tone::Violet, Tip::Hollow);
    /// A step from state to state.
    pub const STEP: Self = Self::new("step", Stroke::Solid, Tone::Plain, Tip::Arrow);
}

/// The style class of a look: its name in letters, digits and hyphens.
pub(super) fn class(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// All looks of nodes.
    pub(crate) const NODES: [NodeLook; 7] = [
        NodeLook::FLOW_PLACE,
        NodeLook::PLACE,
        NodeLook::TRANSITION,
        NodeLook::STATE,
        NodeLook::DEADLOCK,
        NodeLook::TERMINATED,
        NodeLook::UNEXPLORED,
    ];

    /// Relative luminance of `#rrggbb` as WCAG 2.1 defines it.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(dark: &str, light: &str) -> f64 {
        (luminance(light) + 0.05) / (luminance(dark) + 0.05)
    }

    #[test]
    fn everything_can_be_read() {
        let tones = [
            Tone::Plain,
            Tone::Grey,
            Tone::Blue,
            Tone::Amber,
            Tone::Red,
            Tone::Green,
            Tone::Violet,
        ];
        for tone in tones {
            assert!(contrast(tone.line(), "#ffffff") >= 4.5, "{tone:?} beside white");
            assert!(contrast(tone.line(), tone.area()) >= 4.5, "{tone:?} around its area");
            assert!(contrast(INK, tone.area()) >= 7.0, "text on {tone:?}");
        }
    }

    #[test]
    fn looks_differ_without_colour() {
        for (at, a) in NODES.iter().enumerate() {
            for b in &NODES[..at] {
                assert_ne!((a.shape, a.border), (b.shape, b.border), "{} and {}", a.name, b.name);
            }
        }
    }

    #[test]
    fn a_class_has_no_blanks() {
        assert_eq!(class("flow place"), "flow-place");
        assert_eq!(class("\"<&>"), "----");
    }
}
