//! When to go over to stubborn sets, where they are not asked for from the start.
//!
//! Most models are small when folded. As long as a model may be one of them, every state is looked at: runs that are
//! shown are shortest then, and nothing is spent on choosing. A model with more states than [`SMALL`] goes over if a
//! sample of its states says that this pays: the states are expanded again, with stubborn sets and without, and counted
//! is what is left of the successors. The sample depends on the states alone, so that neither the number of threads nor
//! the clock makes a difference. What was explored until then is given up.

use explore::{Exploration, Space, StateId, Successors};
use fold::Folded;
use net::Keep;
use survey::Reader;

use crate::explicit::Subject;

/// A model with fewer states is small.
pub(crate) const SMALL: u64 = 1 << 14;
/// How many states are looked at.
const SAMPLE: u64 = 256;
/// It pays if at most this share of the successors is left.
const SHARE: (u64, u64) = (3, 4);

/// Whether stubborn sets that keep this leave out enough of what follows the states that were found.
pub(crate) fn pays(
    subject: &Subject,
    keep: &Keep,
    so_far: &Exploration,
    reader: &mut dyn Reader,
) -> bool {
    let rules = subject.compiled();
    let mut all = Folded::new(rules.clone(), subject.relations);
    let mut some = Folded::new(rules.clone().reduced(keep), subject.relations);
    let [mut before, mut after] = [0_u64; 2];
    for number in 0..SAMPLE.min(so_far.expanded) {
        let state = StateId((number * so_far.expanded / SAMPLE) as u32);
        let Some(working) = reader.working(so_far.store.get(state)) else { return false };
        for (space, count) in [(&mut all, &mut before), (&mut some, &mut after)] {
            let (bytes, mut found) = (space.fold(working.clone()), Successors::new());
            if space.expand(&bytes, &mut found).is_err() {
                return false;
            }
            *count += found.iter().count() as u64;
        }
    }
    after * SHARE.1 <= before * SHARE.0
}
