//! Smaller automata for the same words.
//!
//! - [`prune`]: acceptance where it matters, component by component;
//! - [`simulation`]: states that another can replace, looking forwards and backwards;
//! - [`obligation`]: the least deterministic automaton, where a deterministic weak one exists.
//!
//! The first two are repeated as long as something becomes smaller. Transitions between components may be in any sets;
//! in turn they are put into none, so that others simulate them, and into all, so that they simulate others.

mod obligation;
mod partition;
mod prune;
mod simulation;

use crate::bdd::Bdd;
use crate::draft::Draft;
pub(crate) use prune::{Between, has_cycle};
use simulation::Direction;

/// What is done to make an automaton smaller. Each is right without the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Formulas are rewritten before they are translated.
    pub formulas: bool,
    /// Acceptance that does not matter is taken away, component by component.
    pub pruning: bool,
    /// States that simulate each other are made one.
    pub direct: bool,
    /// The same against the direction of transitions.
    pub reverse: bool,
    /// Obligations become least deterministic weak automata, if these are not larger.
    pub obligations: bool,
}

impl Reductions {
    /// All of them.
    pub const ALL: Reductions = Reductions {
        formulas: true,
        pruning: true,
        direct: true,
        reverse: true,
        obligations: true,
    };
    /// None of them.
    pub const NONE: Reductions = Reductions {
        formulas: false,
        pruning: false,
        direct: false,
        reverse: false,
        obligations: false,
    };
}

impl Draft {
    /// Makes it smaller.
    pub(crate) fn reduce(&mut self, reductions: Reductions, bdd: &mut Bdd) {
        let wanted =
            [(Direction::Direct, reductions.direct), (Direction::Reverse, reductions.reverse)];
        let wanted = wanted.into_iter().filter(|(_, is_wanted)| *is_wanted);
        let directions: Vec<Direction> = wanted.map(|(direction, _)| direction).collect();
        let between: &[Between] = if reductions.pruning {
            &[Between::InNone, Between::InAll]
        } else {
            &[Between::InNone]
        };
        let passes: Vec<(Direction, Between)> = between
            .iter()
            .flat_map(|&between| directions.iter().map(move |&direction| (direction, between)))
            .collect();
        let mut unchanged = 0;
        // What each direction has left as it was.
        let mut left: Vec<(Direction, Draft)> = Vec::new();
        for &(direction, between) in passes.iter().cycle() {
            if reductions.pruning {
                self.prune(between);
            }
            let before = (self.size(), self.sets);
            if !left.iter().any(|(known, draft)| *known == direction && draft == self) {
                self.simulate(direction, bdd);
            }
            if (self.size(), self.sets) == before {
                unchanged += 1;
                left.push((direction, self.clone()));
            } else {
                unchanged = 0;
                left.clear();
            }
            if unchanged == passes.len() || bdd.is_full() {
                break;
            }
        }
        if reductions.pruning {
            self.prune(Between::InNone);
        }
    }
}
