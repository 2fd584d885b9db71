//! What was compared, so that it can be seen to be enough.

use std::collections::BTreeMap;
use std::fmt;

use net::{Fairness, Property, Strength, Whom};

use crate::evidence::Repeated;

/// What was compared.
#[derive(Default)]
pub struct Tally {
    /// Those that stubborn sets have decided, too, and of these the runs that were shown.
    pub reduced: usize,
    pub reduced_runs: usize,
    /// By the name of the property, and by what was assumed: how often what holds, fails, is refused.
    pub kinds: BTreeMap<String, [usize; 3]>,
    /// How often fairness made the difference.
    pub mattered: usize,
    /// Runs shown, loops among them, those with deaths, those in which somebody takes the place of another,
    /// and those of more than one round.
    pub runs: usize,
    pub loops: usize,
    pub with_deaths: usize,
    pub with_changes: usize,
    pub turning: usize,
    /// Walks tried where nothing was shown; properties for which they were too many; properties shown to
    /// fail for which a walk was found, too.
    pub walks: usize,
    pub gave_up: usize,
    pub found_by_walking: usize,
    /// Concrete states and classes.
    pub sizes: Vec<(usize, usize)>,
}

impl Tally {
    /// The number of verdicts compared.
    pub fn verdicts(&self) -> usize {
        let properties = self.kinds.iter().filter(|(kind, _)| !kind.starts_with("fair"));
        properties.map(|(_, counts)| counts[0] + counts[1]).sum()
    }

    pub fn decided(
        &mut self,
        property: &Property,
        fairness: &[Fairness],
        holds: bool,
        mattered: bool,
    ) {
        self.count(property, fairness, usize::from(!holds));
        self.mattered += usize::from(mattered);
    }

    pub fn refused(&mut self, property: &Property, fairness: &[Fairness]) {
        self.count(property, fairness, 2);
    }

    fn count(&mut self, property: &Property, fairness: &[Fairness], column: usize) {
        let kind = |one: &Fairness| {
            let strength = match one.strength {
                Strength::Weak => "weak",
                Strength::Strong => "strong",
            };
            let whom = match one.of {
                Whom::Transition(_) => "transition",
                Whom::Threads => "threads",
                Whom::Class(_) => "class",
                Whom::Action(_) => "action",
            };
            format!("fair {strength} {whom}")
        };
        let mut kinds: Vec<String> = fairness.iter().map(kind).collect();
        kinds.push(property.name.clone());
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            self.kinds.entry(kind).or_default()[column] += 1;
        }
    }

    pub fn shown(&mut self, repeated: Option<&Repeated>) {
        self.runs += 1;
        if let Some(repeated) = repeated {
            self.loops += 1;
            self.with_deaths += usize::from(repeated.dying > 0);
            self.with_changes += usize::from(repeated.changed);
            self.turning += usize::from(repeated.rounds > 1);
        }
    }

    pub fn walked(&mut self, walks: usize) {
        self.walks += walks;
    }

    pub fn folded(&mut self, states: usize, classes: usize) {
        self.sizes.push((states, classes));
    }

    /// Demands that each kind of property and of fairness has been decided both ways at least so often.
    pub fn demand(&self, kinds: &[&str], least: usize) {
        for kind in kinds {
            let [holds, fails, _] = self.kinds.get(*kind).copied().unwrap_or_default();
            assert!(holds >= least && fails >= least, "{kind}: {holds} hold, {fails} fail");
        }
    }

    /// Demands that half of the nets have at least this many classes, and that folding is worth it.
    pub fn demand_folding(&self, least: usize) {
        let large = self.sizes.iter().filter(|(_, classes)| *classes >= least).count();
        assert!(2 * large >= self.sizes.len(), "{large} of {} nets are large", self.sizes.len());
        let (states, classes) = self.sums();
        assert!(4 * classes <= 3 * states, "{states} states are {classes} classes");
    }

    fn sums(&self) -> (usize, usize) {
        self.sizes.iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, [holds, fails, refused]) in &self.kinds {
            writeln!(f, "{kind}: {holds} hold, {fails} fail, {refused} refused")?;
        }
        let (states, classes) = self.sums();
        writeln!(f, "{} verdicts; fairness mattered {} times", self.verdicts(), self.mattered)?;
        writeln!(
            f,
            "{} runs, {} loops: {} with deaths, {} with changes, {} of several rounds",
            self.runs, self.loops, self.with_deaths, self.with_changes, self.turning
        )?;
        writeln!(
            f,
            "{} walks, too many {} times; found by walking {} times",
            self.walks, self.gave_up, self.found_by_walking
        )?;
        write!(f, "{} nets: {states} states, {classes} classes", self.sizes.len())
    }
}
