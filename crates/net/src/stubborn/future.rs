//! Where threads can come to, what they may do on the way, and where they go round.
//!
//! The *flow graph* has an arc from each place to where a transition moves a thread from there, and to where it lets
//! children start. Whatever a thread and its descendants do, their steps are paths through this graph.
//!
//! In an infinite run some path through it is infinite: there is a thread that takes part in infinitely many steps, or
//! there are infinitely many generations (Kőnig's lemma). So it goes through one of the arcs by which a depth-first
//! search comes back to where it is, infinitely often; only arcs count that a path may go through infinitely often
//! ([`endless`](super::endless)). A transition with such an arc is *sticky*: where it fires, nothing else is left out.
//! That is the cycle proviso of R. Kurshan, V. Levin, M. Minea, D. Peled, H. Yenigün, *Static Partial Order Reduction*,
//! TACAS 1998, which asks nothing of the search.

use super::access::Access;
use super::endless::{Endless, FlowArc, flow_arcs};
use super::touch::Touch;
use crate::{Net, Transition};

/// What may become of threads, by the place that they are at.
pub(super) struct Future {
    /// Whether a thread here, or a descendant, may come there.
    pub(super) reaches: Vec<Vec<bool>>,
    /// What they may do with each place.
    pub(super) touches: Vec<Vec<Touch>>,
    /// What transitions do in which nobody takes part.
    pub(super) of_nobody: Vec<Touch>,
    /// Whether a transition is sticky.
    pub(super) sticky: Vec<bool>,
}

impl Future {
    pub(super) fn of(net: &Net) -> Future {
        let places = net.places.len();
        let arcs = flow_arcs(net);
        let mut reaches = vec![vec![false; places]; places];
        for (from, row) in reaches.iter_mut().enumerate() {
            let mut waiting = vec![from];
            while let Some(place) = waiting.pop() {
                if !std::mem::replace(&mut row[place], true) {
                    waiting.extend(arcs.iter().filter(|arc| arc.from == place).map(|arc| arc.to));
                }
            }
        }
        let mut touches = vec![vec![Touch::default(); places]; places];
        let mut of_nobody = vec![Touch::default(); places];
        for transition in firing(net).map(|(_, transition)| transition) {
            let comes = |row: &[bool]| transition.participants.iter().any(|p| row[p.from.index()]);
            let who = reaches.iter().zip(&mut touches).filter(|(row, _)| comes(row));
            let mut who: Vec<&mut Vec<Touch>> = who.map(|(_, touches)| touches).collect();
            if transition.participants.is_empty() {
                who.push(&mut of_nobody);
            }
            for Access { place, touch, .. } in Access::all(transition) {
                for touches in &mut who {
                    touches[place.index()] = touches[place.index()].and(touch);
                }
            }
        }
        let sticky = sticky(net);
        Future { reaches, touches, of_nobody, sticky }
    }
}

/// The transitions that fire, with their numbers.
pub(super) fn firing(net: &Net) -> impl Iterator<Item = (usize, &Transition)> {
    net.transitions.iter().enumerate().filter(|(_, transition)| !transition.probe)
}

/// The transitions by which threads go round, and those in which nobody takes part, of those that may fire infinitely
/// often.
fn sticky(net: &Net) -> Vec<bool> {
    let endless = Endless::of(net);
    let transitions = net.transitions.iter().zip(&endless.transitions);
    let mut sticky: Vec<bool> =
        transitions.map(|(rule, endless)| *endless && rule.participants.is_empty()).collect();
    let mut visits = vec![Visit::Never; net.places.len()];
    for place in 0..net.places.len() {
        visit(place, &endless.arcs, &mut visits, &mut sticky);
    }
    sticky
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Never,
    Open,
    Over,
}

/// Goes on from a place, depth first. There are as many calls inside each other as places, at most.
fn visit(place: usize, arcs: &[FlowArc], visits: &mut [Visit], sticky: &mut [bool]) {
    if visits[place] != Visit::Never {
        return;
    }
    visits[place] = Visit::Open;
    for arc in arcs.iter().filter(|arc| arc.from == place) {
        match visits[arc.to] {
            Visit::Open => sticky[arc.transition] = true,
            Visit::Never => visit(arc.to, arcs, visits, sticky),
            Visit::Over => {}
        }
    }
    visits[place] = Visit::Over;
}
