//! Where threads can come to, what they may do on the way, and where they go round.
//!
//! The *flow graph* has an arc from each place to where a transition moves a thread from there, and to where it lets
//! children start. Whatever a thread and its descendants do, their steps are paths through this graph.
//!
//! In an infinite run some path through it is infinite: there is a thread that takes part in infinitely many steps, or
//! there are infinitely many generations (Kőnig's lemma). So it goes through one of the arcs by which a depth-first
//! search comes back to where it is, infinitely often. A transition with such an arc is *sticky*: where it fires,
//! nothing else is left out. That is the cycle proviso of R. Kurshan, V. Levin, M. Minea, D. Peled, H. Yenigün,
//! *Static Partial Order Reduction*, TACAS 1998, which asks nothing of the search. An arc from a place to itself that
//! counts up, or down, is gone through finitely often.

use super::access::Access;
use super::touch::Touch;
use crate::{BinaryOp, Expr, Fate, Literal, Net, PlaceId, Sort, Transition};

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
        let arcs = FlowArc::all(net);
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
        let sticky = sticky(net, &arcs);
        Future { reaches, touches, of_nobody, sticky }
    }
}

/// The transitions that fire, with their numbers.
pub(super) fn firing(net: &Net) -> impl Iterator<Item = (usize, &Transition)> {
    net.transitions.iter().enumerate().filter(|(_, transition)| !transition.probe)
}

/// An arc of the flow graph.
struct FlowArc {
    from: usize,
    to: usize,
    transition: usize,
    /// The columns of the place that it counts up, or down; nothing unless it leads to where it comes from.
    up: Vec<usize>,
    down: Vec<usize>,
}

impl FlowArc {
    /// The arcs of all transitions after which a run goes on.
    fn all(net: &Net) -> Vec<FlowArc> {
        let mut arcs = Vec::new();
        for (number, transition) in firing(net).filter(|(_, t)| t.failure.is_none()) {
            for one in &transition.participants {
                let mut arc = |to: PlaceId, values: Option<&[Expr]>| {
                    let values = values.filter(|_| to == one.from);
                    let steps = values.into_iter().flat_map(|values| {
                        let columns = one.pattern.iter().zip(values).enumerate();
                        let columns = columns.filter(|(at, _)| {
                            matches!(net.place(to).columns[at + 1].sort, Sort::Int { .. })
                        });
                        columns.filter_map(|(at, (before, after))| {
                            Some((at + 1, step(before.as_ref()?, after)?))
                        })
                    });
                    let (up, down): (Vec<_>, Vec<_>) = steps.partition(|(_, step)| *step > 0);
                    let [up, down] =
                        [up, down].map(|of| of.into_iter().map(|(at, _)| at).collect());
                    arcs.push(FlowArc {
                        from: one.from.index(),
                        to: to.index(),
                        transition: number,
                        up,
                        down,
                    });
                };
                match &one.fate {
                    Fate::Move { to, values } => arc(*to, Some(values)),
                    Fate::Stay => arc(one.from, None),
                    Fate::End | Fate::Crash => {}
                }
                let children = transition.spawns.iter().filter(|spawn| spawn.parent == one.thread);
                children.filter_map(|spawn| spawn.to).for_each(|to| arc(to, None));
            }
        }
        arcs
    }
}

/// By how much a component grows, if it is always by the same, and not by nothing.
fn step(before: &Expr, after: &Expr) -> Option<i64> {
    let Expr::Binary(op, a, b) = after else { return None };
    let (true, Expr::Literal(Literal::Int(by))) = (**a == *before, &**b) else { return None };
    match op {
        _ if !matches!(before, Expr::Var(_)) || *by == 0 => None,
        BinaryOp::Add => Some(*by),
        BinaryOp::Subtract => Some(-*by),
        _ => None,
    }
}

/// The transitions by which threads go round, and those in which nobody takes part.
fn sticky(net: &Net, arcs: &[FlowArc]) -> Vec<bool> {
    let mut sticky: Vec<bool> = net.transitions.iter().map(|t| t.participants.is_empty()).collect();
    for place in 0..net.places.len() {
        let round: Vec<&FlowArc> =
            arcs.iter().filter(|arc| arc.from == place && arc.to == place).collect();
        let columns = 0..net.places[place].columns.len();
        let mut counted = columns.map(|column| {
            let up = round.iter().all(|arc| arc.up.contains(&column));
            up || round.iter().all(|arc| arc.down.contains(&column))
        });
        if !round.is_empty() && !counted.any(|counted| counted) {
            round.iter().for_each(|arc| sticky[arc.transition] = true);
        }
    }
    let mut visits = vec![Visit::Never; net.places.len()];
    for place in 0..net.places.len() {
        visit(place, arcs, &mut visits, &mut sticky);
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
    for arc in arcs.iter().filter(|arc| arc.from == place && arc.to != place) {
        match visits[arc.to] {
            Visit::Open => sticky[arc.transition] = true,
            Visit::Never => visit(arc.to, arcs, visits, sticky),
            Visit::Over => {}
        }
    }
    visits[place] = Visit::Over;
}
