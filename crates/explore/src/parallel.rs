//! Breadth-first search on several threads, with the results of one.
//!
//! The store is cut into shards by the hash of a string, some for each worker. A *wave* is a piece from
//! the front of the queue:
//!
//! 1. Workers take chunks of it and expand them. What they find they sort by the shards it belongs
//!    to ([`outbox`]).
//! 2. Workers take shards and store what belongs there ([`desk`]). A shard is in the hands of one worker,
//!    who goes through what was found in the order of the queue, and so knows which way to a new string
//!    is the first. It counts the edges as well, as equal targets always meet in the same shard.
//! 3. The new strings of all shards are numbered in the order in which they were first found
//!    ([`numbering`]).
//!
//! So states get the numbers that a sequential search would give them, as long as the space gives
//! successors in an order that depends on the state alone; counts and lengths of paths are the same
//! in any case. While they expand and store, workers share nothing that changes but two counters, from
//! which chunks and shards are taken.
//!
//! Waves handle the usual case only. When in a wave there is a fault, or the label looked for, or a
//! limit that might be passed before its end, then its results are discarded, and a sequential search
//! goes on in its place. Where few states wait, waking the others does not pay; then one worker does all
//! of a wave. A search begins sequentially, and starts threads only when enough states wait.

mod crew;
mod desk;
mod numbering;
mod outbox;
mod wave;

use std::thread;

use crate::exploration::{Exploration, Failed};
use crate::search::Search;
use crate::watch::{Control, Watch};
use crate::{Journal, Options, Space, Store};
use crew::Crew;
use wave::Workshop;

/// The others are woken when there is this much to do for each, in seconds, judging by the time that
/// states have taken so far.
const WORTH_WAKING: f64 = 100e-6;
/// With several shards per worker, a worker that is done early takes another.
const SHARDS_PER_WORKER: usize = 4;

/// What the workers do together.
#[derive(Clone, Copy)]
enum Task {
    Expand,
    Store,
}

/// Explores what is reachable, with one worker for each of the spaces, which must be spaces of the
/// same system: a string that one gives, all understand. `watch` is called as by
/// [`explore`](crate::explore), and `review` each time the number of states has doubled: it may take
/// time in proportion to what was found so far.
///
/// # Errors
///
/// If a space finds a fault, with what was known up to then.
///
/// # Panics
///
/// If there is no space.
pub fn explore_on<S>(
    spaces: &mut [S],
    options: &Options,
    watch: &mut dyn FnMut(&Exploration) -> Control,
    review: &mut dyn FnMut(&Exploration) -> Control,
) -> Result<Exploration, Failed<S::Fault>>
where
    S: Space + Send,
{
    explored_on(spaces, options, &mut Watch::new(watch, review, None))
}

/// Explores what is reachable, as [`explore_on`] does, from where the journal was, and keeps in it what is found.
///
/// # Errors
///
/// If a space finds a fault, with what was known up to then.
///
/// # Panics
///
/// If there is no space.
pub fn explore_kept_on<S>(
    spaces: &mut [S],
    options: &Options,
    journal: &mut Journal,
    watch: &mut dyn FnMut(&Exploration) -> Control,
    review: &mut dyn FnMut(&Exploration) -> Control,
) -> Result<Exploration, Failed<S::Fault>>
where
    S: Space + Send,
{
    explored_on(spaces, options, &mut Watch::new(watch, review, Some(journal)))
}

fn explored_on<S: Space + Send>(
    spaces: &mut [S],
    options: &Options,
    watch: &mut Watch,
) -> Result<Exploration, Failed<S::Fault>> {
    let workers = spaces.len();
    let [space, ..] = spaces else { panic!("there is no space") };
    let mut search = Search::start(space, options, watch)?;
    let is_worth_sharing = |search: &Search| {
        workers > 1 && is_worth_waking(search, workers, search.seconds_per_state())
    };
    let mut advanced = search.advance(space, watch, is_worth_sharing);
    if advanced.is_ok() {
        // The strings are copied when they are dealt out to shards.
        let store = &search.found.store;
        let can_be_dealt_out =
            store.is_dealt_out() || options.budget.allows(store.allocated_bytes());
        if search.is_under_way() && can_be_dealt_out {
            advance_in_waves(&mut search, spaces, watch);
        }
        advanced = search.advance(&mut spaces[0], watch, |_| false);
    }
    search.end(advanced, &spaces[0], watch)
}

/// The number of shards for this many workers.
pub(crate) fn shards_for(workers: usize) -> usize {
    (SHARDS_PER_WORKER * workers).min(Store::MOST_SHARDS)
}

/// Whether enough states wait for it to pay that all workers take part.
fn is_worth_waking(search: &Search, workers: usize, seconds_per_state: f64) -> bool {
    let waiting = search.found.waiting();
    match search.options.share_from {
        Some(states) => waiting >= states,
        None => waiting as f64 * seconds_per_state >= workers as f64 * WORTH_WAKING,
    }
}

/// Goes on until the search is over, or there is a wave that cannot be taken in.
fn advance_in_waves<S: Space + Send>(search: &mut Search, spaces: &mut [S], watch: &mut Watch) {
    let shards = shards_for(spaces.len());
    if !search.found.store.is_dealt_out() {
        search.found.store.deal_out(shards, search.options.keep_edges);
    }
    let shop = Workshop::new(search, spaces.len(), shards);
    let (own, others) = spaces.split_first_mut().expect("there are several spaces");
    thread::scope(|scope| {
        let hands = (1..).zip(others).map(|(worker, space)| {
            let shop = &shop;
            move |task| match task {
                Task::Expand => shop.expand(worker, space),
                Task::Store => shop.store(),
            }
        });
        let mut crew = Crew::hire(scope, hands);
        while let Some(is_shared) = shop.plan(watch, own) {
            crew.work(is_shared.then_some(Task::Expand), || shop.expand(0, own));
            if !shop.hand_over() {
                break;
            }
            crew.work(is_shared.then_some(Task::Store), || shop.store());
            shop.take_in();
        }
    });
}
