//! Runs of a graph that an automaton accepts, under fairness, on graphs that may be known in part.
//!
//! A run is infinite: where nothing follows a state, the state is repeated for ever, and since nothing is
//! enabled there, that is fair to all. A state of which it is not known what follows is the end of what is
//! known: no run is found that goes through it. So a run that is found in a part of a graph is one of the
//! whole; that none is found says something only if all is known.
//!
//! The product of graph and automaton is searched depth-first for strongly connected components, as it is
//! made (Couvreur 1999). Without fairness the search ends as soon as steps of all acceptance sets are known
//! to lie on a cycle. With it, each component is looked into (`lasso/refine.rs`, with the argument why nothing is
//! missed). Then a short run is made (`lasso/walk.rs`).
//!
//! Fairness of individuals follows them through the part of the product in which the run is to stay, along
//! every move: individuals come, go, and take each other's places (`lasso/tracks.rs`).
//!
//! Cost: linear in the steps of the product without fairness, and for each round of refinement with it. For each
//! node of the product 12 bytes, and four for each state of the automaton with each state of the graph that
//! is met (`lasso/numbers.rs`); with fairness four more.

use budget::{Budget, Exhausted};

use crate::automaton::Automaton;
use crate::bits::Bits;
use crate::components::{self, Event};
use crate::graph::Graph;

mod fair;
mod individuals;
mod numbers;
mod product;
mod refine;
mod region;
mod tracks;
mod walk;

use fair::Fair;
pub use individuals::{Fate, Individuals, Move, Moves, Strength};
use product::Product;
use region::Region;
use tracks::Tracks;

/// Whether a graph has a run that an automaton accepts, which is fair.
#[derive(Debug)]
pub struct Question<'a, G> {
    /// The graph.
    pub graph: &'a G,
    /// Where runs may start.
    pub roots: &'a [u32],
    /// Where each atom of the automaton holds.
    pub atoms: &'a [Bits],
    /// The automaton. It reads the states of a run, the first one first.
    pub automaton: &'a Automaton,
    /// The sets of labels to which a run has to be fair. A set is enabled in a state from which a step has one of
    /// its labels, and served by such a step.
    pub fairness: &'a [(Vec<u32>, Strength)],
}

/// A run: a stem, and then a cycle, for ever. The cycle is not empty, and ends where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// Where it starts.
    pub root: u32,
    /// The steps before the cycle.
    pub stem: Vec<Hop>,
    /// The steps of the cycle, which starts where the stem ends.
    pub cycle: Vec<Hop>,
}

/// A step of a [`Lasso`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The label of the step; none where nothing follows the state and it is repeated.
    pub label: Option<u32>,
    /// The state to which it leads.
    pub target: u32,
    /// On the cycle, and where individuals matter: which of the [`Moves::moves`] of the source it is. On the stem any
    /// move of the label will do.
    pub chosen: Option<u32>,
}

/// Looks for a run; `None` if there is none in what is known of the graph. If individuals are given the run
/// is fair to them, too.
///
/// # Errors
///
/// If the budget is used up before that is known.
///
/// # Panics
///
/// If a root is not in the graph, if the automaton speaks of an atom that was not given, or if individuals
/// have no move for a step.
pub fn find_lasso<G: Graph>(
    question: &Question<'_, G>,
    individuals: Option<(Strength, &mut dyn Individuals)>,
    budget: &Budget,
) -> Result<Option<Lasso>, Exhausted> {
    if question.automaton.states.is_empty() {
        return Ok(None);
    }
    // A number for each state of the graph, to find its row by.
    budget.require(u64::from(question.graph.states()) * 4)?;
    let mut product = Product::new(question);
    let roots: Vec<u32> = question.roots.iter().map(|&root| product.node(root, 0)).collect();
    let mut emptiness = Emptiness {
        product,
        region: Region::default(),
        fair: Fair::new(question.fairness, individuals),
        all_sets: question.automaton.all_sets(),
        budget,
    };
    match components::search(roots.iter().copied(), |event| emptiness.meet(event)) {
        Ok(()) => Ok(None),
        Err(Err(spent)) => Err(spent),
        Err(Ok(tracks)) => walk::lasso(&roots, &mut emptiness, tracks).map(Some),
    }
}

/// The search for a part of the product in which an accepting and fair run goes round.
struct Emptiness<'a, 'f, 'p, G> {
    product: Product<'a, G>,
    /// The part.
    region: Region,
    fair: Fair<'f>,
    all_sets: u64,
    budget: &'p Budget,
}

/// The search ends early when there is such a part, with the tracks in it, or the budget is used up.
type End = Result<Option<Tracks>, Exhausted>;

impl<G: Graph> Emptiness<'_, '_, '_, G> {
    fn meet(&mut self, event: Event<'_>) -> Result<(), End> {
        match event {
            Event::Expand(node, steps) => {
                self.product.steps(node, |step, to| steps.push((to, step.sets)));
                self.budget.check().map_err(Err)
            }
            Event::Connected(nodes, sets) if sets == self.all_sets && self.fair.is_trivial() => {
                self.region.put(nodes.to_vec());
                Err(Ok(None))
            }
            Event::Component(component) if component.is_accepting(self.all_sets) => {
                // The nodes, and their positions in the part.
                self.budget.require(component.nodes.len() as u64 * 12).map_err(Err)?;
                match self.refine(component.nodes).map_err(Err)? {
                    Some(tracks) => Err(Ok(tracks)),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}
