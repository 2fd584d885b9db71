//! What is written of a run: tables as CSV, plots, and a summary in words.

use std::fmt::Write;

use super::comparison::Method;
use super::plot::{Mark, Plot, Series};
use super::tally::{Buckets, SIZES, Times};
use super::{Experiment, PowerLaw, Transformation};
use draw::Tone;

/// Buckets with fewer times say too little to be fitted or plotted.
const FEWEST_TIMES: u64 = 100;

/// How many of the sizes are plotted.
const PLOTTED: usize = 2;

/// Times in µs by size: means or medians.
fn points(buckets: &Buckets, method: Method, of: fn(&Times) -> f64) -> Vec<(f64, f64)> {
    let times = buckets.iter().map(|(&size, times)| (size, &times[method as usize]));
    times
        .filter(|(size, times)| *size > 0 && times.count >= FEWEST_TIMES)
        .map(|(size, times)| (f64::from(size), of(times) / 1e3))
        .collect()
}

impl Experiment {
    /// The files of the results: their names and contents.
    #[must_use]
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files = vec![("verdicts.csv".to_owned(), self.verdicts_csv())];
        for (nth, (buckets, (file, words))) in self.tally.times.iter().zip(SIZES).enumerate() {
            files.push((format!("{file}.csv"), times_csv(file, buckets)));
            if nth < PLOTTED {
                files.push((format!("{file}.svg"), plot(words, buckets)));
            }
        }
        files.push(("summary.txt".to_owned(), self.summary()));
        files
    }

    /// How a method's times grow with the number of pids, and with that of vectors: by what the times of
    /// one size are taken to be, such as [`Times::mean`] or [`Times::median`].
    #[must_use]
    pub fn growth(&self, method: Method, of: fn(&Times) -> f64) -> [Option<PowerLaw>; PLOTTED] {
        [0, 1].map(|nth| PowerLaw::through(&points(&self.tally.times[nth], method, of)))
    }

    fn verdicts_csv(&self) -> String {
        let mut csv = "transformation,compared,equivalent,undecided_by_vf2,unproved,\
                       thrown_away_inconsistent,thrown_away_trivial\n"
            .to_owned();
        for transformation in Transformation::ALL {
            let made = self.tally.made.get(&transformation).cloned().unwrap_or_default();
            let _ = writeln!(
                csv,
                "{},{},{},{},{},{},{}",
                transformation.name(),
                made.compared,
                made.equivalent,
                made.undecided,
                made.unproved,
                made.inconsistent,
                made.trivial
            );
        }
        csv
    }

    /// The run in words.
    #[must_use]
    pub fn summary(&self) -> String {
        let tally = &self.tally;
        let mut text = format!(
            "{} comparisons of {} wanted, seed {}\n",
            tally.comparisons(),
            self.wanted,
            self.seed
        );
        let _ = writeln!(
            text,
            "{} equivalent, {} not; {} disagreements\nVF2 was stopped on {}; of {} of \
             these the verdict was not proved otherwise",
            tally.total(|made| made.equivalent),
            tally.total(|made| made.compared - made.equivalent),
            tally.disagreed,
            tally.total(|made| made.undecided),
            tally.total(|made| made.unproved),
        );
        let _ = writeln!(
            text,
            "thrown away: {} states that are not consistent, {} that are trivial\n",
            tally.total(|made| made.inconsistent),
            tally.total(|made| made.trivial),
        );
        let _ =
            writeln!(text, "{:<26} {:>9} {:>10} {:>9}", "", "compared", "equivalent", "stopped");
        for transformation in Transformation::ALL {
            let made = tally.made.get(&transformation).cloned().unwrap_or_default();
            let name = transformation.name();
            let (compared, equivalent, undecided) =
                (made.compared, made.equivalent, made.undecided);
            let _ = writeln!(text, "{name:<26} {compared:>9} {equivalent:>10} {undecided:>9}");
        }
        let law = |law: Option<PowerLaw>| {
            law.map_or("–".to_owned(), |law| format!("{:.2} ± {:.2}", law.exponent, law.error))
        };
        for (name, of) in ["mean", "median"].into_iter().zip([Times::mean, Times::median]) {
            let head = format!("exponent of the {name} time");
            let _ = writeln!(text, "\n{head:<28} {:>14} {:>14}", "pids", "vectors");
            for method in Method::ALL {
                let [pids, vectors] = self.growth(method, of).map(law);
                let _ = writeln!(text, "{:<28} {pids:>14} {vectors:>14}", method.name());
            }
        }
        text
    }
}

fn times_csv(name: &str, buckets: &Buckets) -> String {
    let mut csv = format!("{name},method,count,mean_ns,median_ns\n");
    for (size, times) in buckets {
        for (method, times) in Method::ALL.into_iter().zip(times) {
            let (mean, median) = (times.mean(), times.median());
            let name = method.name();
            let _ = writeln!(csv, "{size},{name},{},{mean:.0},{median:.0}", times.count);
        }
    }
    csv
}

fn plot(size: &str, buckets: &Buckets) -> String {
    let series = |name: &str, method, tone, mark| {
        let points = points(buckets, method, Times::mean);
        let law = PowerLaw::through(&points);
        Series { name: name.to_owned(), tone, mark, points, law }
    };
    let title = format!("Mean time of a comparison by {size}");
    let series = vec![
        series("VF2, graphs given", Method::Vf2, Tone::Red, Mark::Triangle),
        series("canonical states", Method::State, Tone::Blue, Mark::Dot),
        series("canonical bytes, working states given", Method::Bytes, Tone::Green, Mark::Square),
    ];
    Plot { title: &title, x: size, y: "mean time, µs", series }.svg()
}
