//! Several orders of places, of which the first to come to an end is taken.
//!
//! Nothing that can be read off an order alone predicts reliably how large its diagrams will be on the
//! way. So a few orders are tried in turn, for more and more steps; the one that has come furthest gets
//! more of them than the others, and in time the last are dropped. If that one is the best, what is lost
//! is a part of the whole, not a multiple of it; what is won may be any factor.
//!
//! Steps are counted, not seconds, so that the outcome is always the same.

use budget::Exhausted;
use ddd::{Error, Limits, Result};

use super::PlaceOrder;
use super::climb::Climb;
use crate::UnfoldedNet;

/// Steps of the first turn.
const FIRST: u64 = 1 << 15;
/// How much more each turn has than the one before.
const GROWTH: u64 = 2;
/// How much more the one ahead has than the others.
const LEAD: u64 = 4;

/// Rounds after which the last of them goes, one in each, until two are left.
const TRIAL: u32 = 3;

/// The reachable markings, under one of the orders.
pub(super) fn first_at_end(
    net: &UnfoldedNet,
    orders: Vec<PlaceOrder>,
    limits: &Limits,
) -> Result<Climb> {
    if orders.len() == 1 {
        let order = orders.into_iter().next().expect("there is one");
        let mut climb = Climb::new(net, order, limits.clone())?;
        return if climb.go_on(limits.clone())? { Ok(climb) } else { Err(Exhausted::Steps.into()) };
    }
    let climbs = orders.into_iter().map(|order| Climb::new(net, order, limits.clone()));
    let mut climbs = climbs.collect::<Result<Vec<Climb>>>()?;
    let (mut steps, mut rounds) = (FIRST, 0);
    loop {
        let mut turn = 0;
        while turn < climbs.len() {
            let steps = if turn == 0 { steps.saturating_mul(LEAD) } else { steps };
            let share = share(&climbs, turn, limits, steps);
            match climbs[turn].go_on(share) {
                Ok(true) => return Ok(climbs.swap_remove(turn)),
                Ok(false) => turn += 1,
                // Those that are left have more room then.
                Err(Error::Exhausted(Exhausted::Memory)) if climbs.len() > 1 => {
                    climbs.remove(turn);
                }
                Err(error) => return Err(error),
            }
        }
        climbs.sort_by(|a, b| a.ahead().total_cmp(&b.ahead()));
        rounds += 1;
        if rounds >= TRIAL && climbs.len() > 2 {
            climbs.pop();
        }
        steps = steps.saturating_mul(GROWTH);
        if limits.steps.is_some_and(|most| steps > most) {
            return Err(Exhausted::Steps.into());
        }
    }
}

/// What one of them may use: what the others have is not there.
fn share(climbs: &[Climb], turn: usize, limits: &Limits, steps: u64) -> Limits {
    let others = climbs.iter().enumerate().filter(|(other, _)| *other != turn);
    let bytes: usize = others.map(|(_, climb)| climb.forest.statistics().bytes).sum();
    let memory = limits.memory.saturating_sub(bytes);
    // The last one left need not stop for others.
    let steps = if climbs.len() == 1 { limits.steps } else { Some(steps) };
    Limits { memory, steps, ..limits.clone() }
}
