//! Graphs of states, as the logics see them.

/// A graph of states, perhaps known in part.
///
/// Steps have labels, which are numbers of transitions. Two states may be joined by several steps of
/// different labels.
pub trait Graph {
    /// The number of states; they are numbered from 0.
    fn states(&self) -> u32;

    /// Whether all that follows the state is known.
    fn is_expanded(&self, state: u32) -> bool;

    /// The steps from a state that is expanded: label and target.
    fn successors(&self, state: u32) -> impl Iterator<Item = (u32, u32)>;

    /// Whether the steps from a state are the outcomes of a test on data that the model does not keep. Exactly one of
    /// them is real, and neither the scheduler nor the user decides which.
    fn is_forgotten_choice(&self, _state: u32) -> bool {
        false
    }
}
