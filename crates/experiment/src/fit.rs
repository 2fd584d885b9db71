//! Power laws through points: least squares on logarithms.

/// `y = factor · x^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// The exponent: the slope of the line on paper with logarithmic scales.
    pub exponent: f64,
    /// The value at 1.
    pub factor: f64,
    /// The standard error of the exponent.
    pub error: f64,
}

impl PowerLaw {
    /// The law with the least sum of squared distances between logarithms; none for fewer than three
    /// different `x`. Points that are not positive are left out.
    #[must_use]
    pub fn through(points: &[(f64, f64)]) -> Option<PowerLaw> {
        let points: Vec<(f64, f64)> = (points.iter())
            .filter(|(x, y)| *x > 0.0 && *y > 0.0)
            .map(|(x, y)| (x.ln(), y.ln()))
            .collect();
        let n = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
        let sxx: f64 = points.iter().map(|(x, _)| (x - mx).powi(2)).sum();
        let sxy: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
        let exponent = sxy / sxx;
        let level = my - exponent * mx;
        let residue: f64 = points.iter().map(|(x, y)| (y - level - exponent * x).powi(2)).sum();
        let error = (residue / (n - 2.0) / sxx).sqrt();
        (points.len() > 2 && sxx > 0.0).then(|| PowerLaw { exponent, factor: level.exp(), error })
    }

    /// The value at `x`.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.factor * x.powf(self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_found_again() {
        let points: Vec<(f64, f64)> =
            (0..9).map(|x| (f64::from(x), 3.0 * f64::from(x).powf(1.5))).collect();
        let law = PowerLaw::through(&points).unwrap();
        assert!((law.exponent - 1.5).abs() < 1e-9 && (law.factor - 3.0).abs() < 1e-9, "{law:?}");
        assert!(law.error < 1e-6 && (law.at(4.0) - 24.0).abs() < 1e-6);
        assert_eq!(PowerLaw::through(&points[..3]), None, "the first point is at 0");
    }

    #[test]
    fn noise_shows_in_the_error() {
        let points = [(1.0, 1.0), (2.0, 5.0), (4.0, 3.0), (8.0, 9.0)];
        assert!(PowerLaw::through(&points).unwrap().error > 0.1);
    }
}
