//! Deciding on the set of reachable markings of the unfolded net, in a decision diagram.
//!
//! With the set at hand some matters take no time, others more than there is, and which ones cannot be
//! foreseen. So they take turns: each is tried for a while, and those that were not done for longer, until
//! none is left or the time is up.

use std::time::{Duration, Instant};

use check::Automaton;
use explore::Limits;
use symbolic::Translation;
use unfold::{Diagram, DiagramError, DiagramLimits, Predicate, UnfoldLimits, UnfoldedNet};

use super::docket::{Answer, Matter};
use super::ledger::{Engine, Ledger};
use survey::orders;

/// The memory that diagrams may take where no limit is given.
const MEMORY: usize = 8 << 30;
/// How long a matter is tried at first, and how much longer each time after that.
const FIRST_TURN: Duration = Duration::from_millis(500);
const LONGER: u32 = 4;

/// Makes the diagram, and settles what it can.
pub fn explored(translation: &Translation, order: &[String], ledger: &Ledger<'_>, limits: Limits) {
    let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
    let interrupt = Some(ledger.stop().clone());
    let memory = limits.memory.map_or(MEMORY, |bytes| bytes as usize);
    let unfold = UnfoldLimits { deadline, interrupt: interrupt.clone(), ..UnfoldLimits::default() };
    let Ok(net) = UnfoldedNet::of(translation.symmetric_net(), &unfold) else { return };
    let limits = DiagramLimits {
        memory,
        cache: DiagramLimits::default().cache.min(memory / 4),
        deadline,
        interrupt,
        ..DiagramLimits::default()
    };
    let orders = orders(&net, translation, order);
    let Ok(mut diagram) = Diagram::of(net, orders, &limits) else { return };
    let atoms = ledger.read(|docket| docket.atoms.clone());
    let mut turn = FIRST_TURN;
    let is_over = || ledger.is_over() || deadline.is_some_and(|end| Instant::now() >= end);
    let mut given_up = Vec::new();
    while !is_over() {
        let pending = ledger.read(|docket| docket.pending());
        let open: Vec<usize> =
            pending.into_iter().filter(|matter| !given_up.contains(matter)).collect();
        if open.is_empty() {
            return;
        }
        for number in open {
            if is_over() {
                return;
            }
            let Some(asked) = Asked::of(ledger, number) else {
                given_up.push(number);
                continue;
            };
            let end = Instant::now().checked_add(turn);
            let end = end.into_iter().chain(deadline).min();
            diagram.set_limits(DiagramLimits { deadline: end, ..limits.clone() });
            match asked.answer(&mut diagram, &atoms) {
                Ok(answer) => ledger.settle(Engine::Diagrams, [(number, answer)]),
                Err(DiagramError::Deadline) => {}
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
