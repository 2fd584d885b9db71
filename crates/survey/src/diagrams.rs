//! Exploring a model without threads by decision diagrams.
//!
//! Sets of states are stored, not states one by one. A net with symmetry is explored as the set of its
//! symbolic markings (Thierry-Mieg et al. 2004), a net without as the set of markings of the unfolded net.
//! How many there are is counted on the diagram, exactly; nothing is known of single states.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use budget::{Budget, Instant};
use net::{Net, Symmetry};
use num_bigint::BigUint;
use symbolic::{SrsError, Translation, Untranslatable};
use unfold::{
    Diagram, DiagramCensus, DiagramError, DiagramLimits, NotUnfolded, PlaceOrder, UnfoldLimits,
    UnfoldedNet,
};

use crate::Plan;

/// Beside symbolic markings, edges and tokens are counted where the unfolded net has at most this many places
/// and its diagram takes at most this many steps. Steps, not time, so that it is the same on every machine.
const PLACES_BESIDE_MARKINGS: usize = 20_000;
const STEPS_BESIDE_MARKINGS: u64 = 200_000;

/// What the sets are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagramForm {
    /// Symbolic markings.
    Markings,
    /// Markings of the unfolded net.
    Unfolded,
}

/// What decision diagrams have shown of a model.
#[derive(Clone, Debug)]
pub struct DiagramSurvey {
    /// What the set is made of.
    pub form: DiagramForm,
    /// The number of its elements.
    pub states: BigUint,
    /// The number of concrete states.
    pub concrete_states: BigUint,
    /// What the unfolded net has: edges, deadlocks, tokens. Not known where it would be too large.
    pub census: Option<DiagramCensus>,
    /// The nodes of the set.
    pub final_nodes: usize,
    /// The most nodes there were at once.
    pub peak_nodes: usize,
    /// Of symbolic markings: what sharing saves, between 0 and 1, and the assignments per marking.
    pub sharing: Option<(f64, f64)>,
    /// How long it took.
    pub seconds: f64,
}

/// Why there is no set.
#[derive(Debug, thiserror::Error)]
pub enum NoDiagram {
    /// The model is not for diagrams.
    #[error("decision diagrams cannot be used for this model: {0}")]
    Untranslatable(#[from] Untranslatable),
    /// The net cannot be unfolded.
    #[error("{0}")]
    NotUnfolded(#[from] NotUnfolded),
    /// A limit was reached.
    #[error("{0}")]
    Limit(#[from] DiagramError),
    /// There is no place of this name.
    #[error("the order names `{0}`, and there is no place of this name")]
    NoPlace(String),
}

impl NoDiagram {
    /// Whether a limit ended the run: there might be a set with more time or memory.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        match self {
            NoDiagram::Limit(_) => true,
            NoDiagram::NotUnfolded(why) => matches!(why, NotUnfolded::Exhausted(_)),
            NoDiagram::Untranslatable(why) => why.is_limit(),
            NoDiagram::NoPlace(_) => false,
        }
    }
}

/// Explores a model by decision diagrams.
///
/// # Errors
///
/// If the model is not for them, or a limit is reached.
pub fn diagram_survey(net: &Arc<Net>, plan: &Plan) -> Result<DiagramSurvey, NoDiagram> {
    let began = Instant::now();
    if let Some(name) = unknown_place(net, &plan.order) {
        return Err(NoDiagram::NoPlace(name.clone()));
    }
    let limits = DiagramLimits::within(&plan.budget);
    let translation = Translation::of(net, &plan.budget)?;
    let is_symmetric = |class: &net::Enumeration| {
        class.symmetry == Symmetry::Full && class.part_ranges().any(|part| part.len() > 1)
    };
    let unfolded = |places: usize| {
        let budget = plan.budget.clone();
        let limits = UnfoldLimits { places, budget, ..UnfoldLimits::default() };
        UnfoldedNet::of(translation.symmetric_net(), &limits)
    };
    if !plan.unfold && net.enumerations.iter().any(is_symmetric) {
        match translation.srs(limits.clone()) {
            Ok(srs) => {
                let limits = DiagramLimits { steps: Some(STEPS_BESIDE_MARKINGS), ..limits };
                let census = unfolded(PLACES_BESIDE_MARKINGS).ok();
                let census = census.and_then(|net| counted(net, plan, &limits, &translation).ok());
                return Ok(DiagramSurvey {
                    form: DiagramForm::Markings,
                    states: srs.markings,
                    concrete_states: srs.concrete_markings,
                    census,
                    final_nodes: srs.final_nodes,
                    peak_nodes: srs.peak_nodes,
                    sharing: Some((srs.average_share, srs.average_length)),
                    seconds: began.elapsed().as_secs_f64(),
                });
            }
            Err(SrsError::Diagram(limit)) => return Err(limit.into()),
            // What such sets cannot say, the unfolded net can.
            Err(_) => {}
        }
    }
    let census = counted(unfolded(UnfoldLimits::default().places)?, plan, &limits, &translation)?;
    Ok(DiagramSurvey {
        form: DiagramForm::Unfolded,
        states: census.states.clone(),
        concrete_states: census.states.clone(),
        final_nodes: census.final_nodes,
        peak_nodes: census.peak_nodes,
        census: Some(census),
        sharing: None,
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// Explores an unfolded net and counts.
fn counted(
    net: UnfoldedNet,
    plan: &Plan,
    limits: &DiagramLimits,
    translation: &Translation,
) -> Result<DiagramCensus, NoDiagram> {
    let orders = orders(&net, translation, &plan.order, &plan.budget);
    Ok(Diagram::of(net, orders, limits)?.census()?)
}

/// The orders to try: those that are found, or the one given by the names of places.
pub fn orders(
    net: &UnfoldedNet,
    translation: &Translation,
    names: &[String],
    budget: &Budget,
) -> Vec<PlaceOrder> {
    let places = &translation.symmetric_net().places;
    let known: Vec<&str> = places.iter().map(|place| &*place.name).collect();
    let orders = PlaceOrder::candidates_named(net, &known, budget);
    if names.is_empty() {
        return orders;
    }
    // A name that is given twice counts where it comes first.
    let ranks: HashMap<&String, usize> =
        names.iter().enumerate().rev().map(|(rank, name)| (name, rank)).collect();
    let rank = |place: &u32| {
        let name = &places[net.places[*place as usize].place.0 as usize].name;
        ranks.get(name).copied().unwrap_or(names.len())
    };
    let mut given = orders[0].places().to_vec();
    given.sort_by_key(rank);
    vec![PlaceOrder::new(given).expect("the same places in another order")]
}

/// The first name that no place has.
pub fn unknown_place<'o>(net: &Net, names: &'o [String]) -> Option<&'o String> {
    let known: HashSet<&str> = net.places.iter().map(|place| &*place.name).collect();
    names.iter().find(|name| !known.contains(name.as_str()))
}
