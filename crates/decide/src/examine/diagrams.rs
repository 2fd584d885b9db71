//! Deciding on the set of reachable markings of the unfolded net, in a decision diagram.
//!
//! With the set at hand some matters take no time, others more than there is, and which ones cannot be
//! foreseen. So they take turns: each is tried for a while, and those that were not done for longer, until
//! none is left or the time is up.

use std::time::Duration;

use budget::{Budget, Exhausted};
use check::Automaton;
use symbolic::Translation;
use unfold::{Diagram, DiagramError, DiagramLimits, Predicate, UnfoldLimits, UnfoldedNet};

use super::docket::{Answer, Matter};
use super::ledger::{Engine, Ledger};
use survey::orders;

/// How long a matter is tried at first, and how much longer each time after that.
const FIRST_TURN: Duration = Duration::from_millis(500);
const LONGER: u32 = 4;

/// Makes the diagram, which takes at most this many bytes, and settles what it can.
pub fn explored(
    translation: &Translation,
    order: &[String],
    ledger: &Ledger<'_>,
    budget: &Budget,
    bytes: Option<u64>,
) {
    let memory = bytes.map_or(usize::MAX, |bytes| bytes as usize);
    let unfold = UnfoldLimits { budget: budget.clone(), ..UnfoldLimits::default() };
    let Ok(net) = UnfoldedNet::of(translation.symmetric_net(), &unfold) else { return };
    let orders = orders(&net, translation, order);
    let limits = DiagramLimits { memory, ..DiagramLimits::within(budget) };
    let Ok(mut diagram) = Diagram::of(net, orders, &limits) else { return };
    let atoms = ledger.read(|docket| docket.atoms.clone());
    let mut turn = FIRST_TURN;
    let mut given_up = Vec::new();
    while !budget.is_exhausted() {
        let pending = ledger.read(|docket| docket.pending());
        let open: Vec<usize> =
            pending.into_iter().filter(|matter| !given_up.contains(matter)).collect();
        if open.is_empty() {
            return;
        }
        for number in open {
            if budget.is_exhausted() {
                return;
            }
            let Some(asked) = Asked::of(ledger, number) else {
                given_up.push(number);
                continue;
            };
            let turn = budget.within(turn);
            diagram.set_limits(DiagramLimits { memory, ..DiagramLimits::within(&turn) });
            match asked.answer(&mut diagram, &atoms) {
                Ok(answer) => ledger.settle(Engine::Diagrams, [(number, answer)]),
                Err(DiagramError::Exhausted(Exhausted::Time)) => {}
                Err(_) => given_up.push(number),
            }
        }
        turn *= LONGER;
    }
}

/// A matter as it is asked of a diagram.
enum Asked {
    Matter(Matter),
    /// Whether no run is accepted.
    Rejects(Automaton),
}

impl Asked {
    /// `None` if it is not pending any more, or a formula has no automaton of sensible size.
    fn of(ledger: &Ledger<'_>, number: usize) -> Option<Asked> {
        ledger.read(|docket| match &docket.matters[number] {
            (_, Some(_)) => None,
            (Matter::Linear(formula), None) => {
                let formula = *formula;
                let opposite = docket.ltl.not(formula);
                Automaton::of(&docket.ltl, opposite).ok().map(Asked::Rejects)
            }
            (matter, None) => Some(Asked::Matter(matter.clone())),
        })
    }

    fn answer(&self, diagram: &mut Diagram, atoms: &[Predicate]) -> Result<Answer, DiagramError> {
        Ok(match self {
            Asked::Matter(Matter::Somewhere(predicate)) => {
                Answer::Holds(diagram.holds_somewhere(predicate)?)
            }
            Asked::Matter(Matter::Greatest(terms)) => Answer::Greatest(diagram.range(terms).1),
            Asked::Matter(Matter::Branching(formula)) => {
                Answer::Holds(diagram.ctl(formula, atoms)?)
            }
            Asked::Matter(Matter::Linear(_)) => unreachable!("it is asked as an automaton"),
            Asked::Rejects(automaton) => Answer::Holds(!diagram.ltl(automaton, atoms)?),
        })
    }
}
