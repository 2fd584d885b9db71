//! Individuals that come and go: who becomes whom along the moves of a graph.

use budget::Exhausted;

/// How fair to be to what waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strength {
    /// What is enabled from some point on is done again and again.
    Weak,
    /// What is enabled again and again is done again and again.
    Strong,
}

/// The individuals of the states of a graph: threads, or elements of a class.
pub trait Individuals {
    /// What individuals there are in a state, and what its moves do to them. It is asked only for
    /// states that lie on cycles, but of these often: keep what was found.
    ///
    /// For each step of the graph from the state there is at least one move with its label and target,
    /// and for each move there is a step. No two individuals of the source become one.
    ///
    /// # Errors
    ///
    /// If a budget is used up before all moves are known.
    fn moves(&mut self, state: u32) -> Result<&Moves, Exhausted>;
}

/// The individuals of a state, numbered from 0, and its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// Whether each individual is enabled: whether it acts in some move.
    pub enabled: Vec<bool>,
    /// All moves. Where individuals differ there are several for one step of the graph.
    pub moves: Vec<Move>,
}

/// A move from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its label in the graph.
    pub label: u32,
    /// The state to which it leads.
    pub target: u32,
    /// What it does to each individual of the source.
    pub fates: Vec<Fate>,
}

/// What a move does to an individual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// Whether it acts.
    pub acts: bool,
    /// Which individual of the target it is; none if it dies.
    pub becomes: Option<u32>,
}
