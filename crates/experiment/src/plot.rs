//! Plots on logarithmic scales: points, and the power laws through them.

use draw::{Anchor, Font, INK, Ink, Path, Sheet, Tone};

use super::PowerLaw;

/// One kind of points.
pub(super) struct Series {
    pub name: String,
    pub tone: Tone,
    pub mark: Mark,
    pub points: Vec<(f64, f64)>,
    pub law: Option<PowerLaw>,
}

/// How points are drawn, so that they differ without colour.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    Dot,
    Square,
    Triangle,
}

/// What is plotted.
pub(super) struct Plot<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
    pub series: Vec<Series>,
}

const WIDTH: f64 = 680.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 52.0;
const KEY_LINE: f64 = 18.0;

/// One logarithmic axis: the values it spans, and where they are on the sheet.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Axis {
        let (low, high) = values
            .filter(|value| *value > 0.0)
            .fold((f64::MAX, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low > high { (1.0, 10.0) } else { (low, high) };
        Axis { low: low / 1.25, high: high * 1.25, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        let part = (value / self.low).ln() / (self.high / self.low).ln();
        self.from + part * (self.to - self.from)
    }

    /// The round numbers on it, each with whether it is written out.
    fn ticks(&self) -> Vec<(f64, bool)> {
        let decades = (self.high / self.low).log10();
        let mut ticks = Vec::new();
        let mut decade = 10_f64.powf(self.low.log10().floor());
        while decade <= self.high {
            for digit in 1..10_u8 {
                let value = decade * f64::from(digit);
                let written = match digit {
                    1 => true,
                    2 | 5 => decades < 3.5,
                    _ => false,
                };
                if (self.low..=self.high).contains(&value) {
                    ticks.push((value, written));
                }
            }
            decade *= 10.0;
        }
        ticks
    }
}

/// A number as short as can be.
fn number(value: f64) -> String {
    if value >= 1.0 { format!("{value:.0}") } else { format!("{value}") }
}

impl Plot<'_> {
    /// The plot as a picture.
    pub fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| series.points.iter());
        let key = KEY_LINE * self.series.len() as f64;
        let (bottom, height) = (TOP + key + HEIGHT - BOTTOM - TOP, HEIGHT + key);
        let x = Axis::new(points().map(|p| p.0), LEFT, WIDTH - RIGHT);
        let y = Axis::new(points().map(|p| p.1), bottom, TOP + key);
        let mut sheet = Sheet::new(WIDTH, height, self.title);
        sheet.text(LEFT, 20.0, Font::sans(14.0, INK).bold(), Anchor::Start, self.title);
        self.axes(&mut sheet, &x, &y);
        for (nth, series) in self.series.iter().enumerate() {
            sheet.begin("series", &series.name);
            let line = 40.0 + KEY_LINE * nth as f64;
            let colour = Ink::line(series.tone.line(), 1.4);
            sheet.path(&Path::at(LEFT, line).across(LEFT + 26.0), colour.dashed("6 3"));
            mark(&mut sheet, series, LEFT + 13.0, line);
            let exponent = series.law.map_or(String::new(), |law| {
                format!(": exponent {:.2} ± {:.2}", law.exponent, law.error)
            });
            let words = format!("{}{exponent}", series.name);
            sheet.text(LEFT + 34.0, line, Font::sans(11.5, INK), Anchor::Start, &words);
            if let Some(law) = series.law {
                line_through(&mut sheet, series, law, &x, &y);
            }
            for &(px, py) in series.points.iter().filter(|p| p.0 > 0.0 && p.1 > 0.0) {
                mark(&mut sheet, series, x.at(px), y.at(py));
            }
            sheet.end();
        }
        sheet.finish()
    }

    fn axes(&self, sheet: &mut Sheet, x: &Axis, y: &Axis) {
        let small = Font::sans(10.5, Tone::Grey.line());
        let shade = |written: bool| if written { "#d5dae0" } else { "#edf0f3" };
        for (value, written) in x.ticks() {
            let at = x.at(value);
            sheet.path(&Path::at(at, y.from).down(y.to), Ink::line(shade(written), 1.0));
            if written {
                sheet.text(at, y.from + 14.0, small, Anchor::Middle, &number(value));
            }
        }
        for (value, written) in y.ticks() {
            let at = y.at(value);
            sheet.path(&Path::at(x.from, at).across(x.to), Ink::line(shade(written), 1.0));
            if written {
                sheet.text(x.from - 7.0, at, small, Anchor::End, &number(value));
            }
        }
        let frame = [x.from, y.to, x.to - x.from, y.from - y.to];
        sheet.rectangle(frame, 0.0, Ink::line(Tone::Grey.line(), 1.0));
        let words = Font::sans(12.0, INK);
        let middle = (x.from + x.to) / 2.0;
        sheet.text(middle, y.from + 36.0, words, Anchor::Middle, self.x);
        sheet.upright_text(16.0, (y.from + y.to) / 2.0, words, self.y);
    }
}

/// The law, as far as there are points, and not beyond the frame.
fn line_through(sheet: &mut Sheet, series: &Series, law: PowerLaw, x: &Axis, y: &Axis) {
    let xs = || series.points.iter().map(|p| p.0).filter(|x| *x > 0.0);
    let clipped = |value: f64| value.clamp(y.low, y.high);
    // Where the line would leave the frame, it ends there.
    let at_height = |height: f64| (height / law.factor).powf(1.0 / law.exponent);
    let end = |value: f64| {
        let height = law.at(value);
        let inside = clipped(height);
        if inside == height { (value, height) } else { (at_height(inside), inside) }
    };
    let (from, to) = (end(xs().fold(f64::MAX, f64::min)), end(xs().fold(0.0, f64::max)));
    let path = Path::at(x.at(from.0), y.at(from.1)).line(x.at(to.0), y.at(to.1));
    sheet.path(&path, Ink::line(series.tone.line(), 1.4).dashed("6 3"));
}

fn mark(sheet: &mut Sheet, series: &Series, x: f64, y: f64) {
    let ink = Ink::line(series.tone.line(), 1.0).filled(series.tone.area());
    match series.mark {
        Mark::Dot => sheet.ellipse([x, y, 3.4, 3.4], ink),
        Mark::Square => sheet.rectangle([x - 3.0, y - 3.0, 6.0, 6.0], 0.0, ink),
        Mark::Triangle => {
            let right = Path::at(x, y - 4.4).line(x + 4.0, y + 2.6);
            sheet.path(&right.line(x - 4.0, y + 2.6).closed(), ink);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        let axis = Axis::new([3.0, 80.0].into_iter(), 0.0, 100.0);
        let written: Vec<f64> = axis.ticks().iter().filter(|t| t.1).map(|t| t.0).collect();
        assert_eq!(written, [5.0, 10.0, 20.0, 50.0, 100.0]);
        assert!(axis.at(3.0) > 0.0 && axis.at(80.0) < 100.0);
    }

    #[test]
    fn a_plot_without_points_is_still_a_plot() {
        let series = Series {
            name: "none".into(),
            tone: Tone::Blue,
            mark: Mark::Dot,
            points: vec![(0.0, 1.0)],
            law: None,
        };
        let svg = Plot { title: "nothing", x: "x", y: "y", series: vec![series] }.svg();
        assert!(svg.starts_with("<svg") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}
