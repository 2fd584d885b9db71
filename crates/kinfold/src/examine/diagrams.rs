//! Deciding on the set of reachable markings of the unfolded net, in a decision diagram.

use std::time::Instant;

use explore::Limits;
use symbolic::{
    Diagram, DiagramError, DiagramLimits, PlaceOrder, Translation, UnfoldLimits, Unfolded,
};

use super::docket::{Answer, Matter};
use super::ledger::{Engine, Ledger};

/// The memory that diagrams may take where no limit is given.
const MEMORY: usize = 8 << 30;

/// Makes the diagram, and settles what it can.
pub fn explored(translation: &Translation, ledger: &Ledger<'_>, limits: Limits) {
    let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
    let interrupt = Some(ledger.stop().clone());
    let memory = limits.memory.map_or(MEMORY, |bytes| bytes as usize);
    let unfold = UnfoldLimits { deadline, interrupt: interrupt.clone(), ..UnfoldLimits::default() };
    let Ok(net) = Unfolded::of(translation.symmetric_net(), &unfold) else { return };
    let limits = DiagramLimits {
        memory,
        cache: DiagramLimits::default().cache.min(memory / 4),
        deadline,
        interrupt,
        ..DiagramLimits::default()
    };
    let orders = PlaceOrder::candidates(&net);
    let Ok(mut diagram) = Diagram::of(net, orders, &limits) else { return };
    let matters = ledger.read(|docket| {
        let pending = docket.pending().into_iter();
        pending.map(|matter| (matter, docket.matters[matter].0.clone())).collect::<Vec<_>>()
    });
    for (number, matter) in matters {
        if let Ok(Some(answer)) = settled(&mut diagram, &matter) {
            ledger.settle(Engine::Diagrams, [(number, answer)]);
        }
    }
}

fn settled(diagram: &mut Diagram, matter: &Matter) -> Result<Option<Answer>, DiagramError> {
    Ok(match matter {
        Matter::Somewhere(predicate) => Some(Answer::Holds(diagram.holds_somewhere(predicate)?)),
        Matter::Greatest(terms) => Some(Answer::Greatest(diagram.range(terms).1)),
        Matter::Branching(_) | Matter::Linear(_) => None,
    })
}
