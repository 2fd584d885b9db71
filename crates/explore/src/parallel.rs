//! Breadth-first search in waves: on several threads, and on disk, with the results of one thread in memory.
//!
//! What finds the strings is cut into tables by the hash of a string, some for each worker. A *wave* is a piece from
//! the front of the queue:
//!
//! 1. Workers take chunks of it and expand them. What they find they sort by the tables it belongs
//!    to ([`outbox`]).
//! 2. Workers take tables and gather what belongs there, each string once ([`desk`]). A table is in the hands of one
//!    worker, who goes through what was found in the order of the queue, and so knows which way to a string
//!    is the first. It counts the edges as well, as equal targets always meet at the same table.
//! 3. Where strings are on disk, workers look which of those gathered are new. In memory this is known already.
//! 4. The new strings of all tables are numbered in the order in which they were first found ([`numbering`]).
//! 5. Workers tell the tables, and put the new strings together as the store is to have them.
//! 6. They are added to the store.
//!
//! So states get the numbers that a sequential search would give them, as long as the space gives
//! successors in an order that depends on the state alone; counts and lengths of paths are the same
//! in any case. While they work, workers share nothing that changes but counters, from
//! which chunks, tables and parts are taken. In steps 4 and 6 one thread works and the others wait, so these are short.
//!
//! Where strings are on disk, what was gathered is added to the store in step 4, and steps 3 to 6 are done for many waves at once, as many as memory allows. Then each string
//! is looked for once, however often it was found, and what it may be equal to is read in the order in which it lies
//! on disk.
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
/// With several tables per worker, a worker that is done early takes another.
const TABLES_PER_WORKER: usize = 4;

/// What the workers do together.
#[derive(Clone, Copy)]
enum Task {
    Expand,
    Gather,
    LookUp,
    Enter,
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
    let mut search = Search::start(space, options, workers, watch)?;
    let is_worth_sharing = |search: &Search| {
        let seconds_per_state = search.seconds_per_state();
        search.is_on_disk() || workers > 1 && is_worth_waking(search, workers, seconds_per_state)
    };
    let mut advanced = search.advance(space, watch, is_worth_sharing);
    while advanced.is_ok() && search.is_under_way() {
        let was_on_disk = search.is_on_disk();
        if !was_on_disk {
            search.found.store.deal_out(tables_for(workers));
        }
        advance_in_waves(&mut search, spaces, watch);
        // What waves cannot do is done one by one, until everything has gone to disk: there waves are worth much.
        let has_gone = |search: &Search| search.is_on_disk() != was_on_disk;
        if !has_gone(&search) {
            advanced = search.advance(&mut spaces[0], watch, has_gone);
        }
    }
    search.end(advanced, &spaces[0], watch)
}

/// The number of tables for this many workers, in memory. On disk there is one for each, so that what is there is
/// read as few times as can be.
pub(crate) fn tables_for(workers: usize) -> usize {
    (TABLES_PER_WORKER * workers).min(Store::MOST_TABLES)
}

/// Whether enough states wait for it to pay that all workers take part.
fn is_worth_waking(search: &Search, workers: usize, seconds_per_state: f64) -> bool {
    let waiting = search.found.waiting();
    match search.options.share_from {
        Some(states) => waiting >= states,
        None => waiting as f64 * seconds_per_state >= workers as f64 * WORTH_WAKING,
    }
}

/// Goes on until the search is over, or there is a wave that cannot be taken in, or everything has gone to disk.
fn advance_in_waves<S: Space + Send>(search: &mut Search, spaces: &mut [S], watch: &mut Watch) {
    let shop = Workshop::new(search, spaces.len());
    let (own, others) = spaces.split_first_mut().expect("there is a space");
    thread::scope(|scope| {
        let hands = (1..).zip(others).map(|(worker, space)| {
            let shop = &shop;
            move |task| shop.work(task, worker, space)
        });
        go_on(&shop, own, &mut Crew::hire(scope, hands), watch);
    });
}

/// The same for one worker.
pub(crate) fn advance_alone<S: Space>(search: &mut Search, space: &mut S, watch: &mut Watch) {
    go_on(&Workshop::new(search, 1), space, &mut Crew::alone(), watch);
}

fn go_on<S: Space>(shop: &Workshop, own: &mut S, crew: &mut Crew<'_, Task>, watch: &mut Watch) {
    while let Some(is_shared) = shop.plan(watch, own) {
        let mut together = |task| crew.work(is_shared.then_some(task), || shop.work(task, 0, own));
        together(Task::Expand);
        let is_usual = shop.hand_over();
        if is_usual {
            together(Task::Gather);
            if !shop.take_in() {
                continue;
            }
        }
        let has_gathered = shop.has_gathered();
        if has_gathered && !settled(shop, &mut together) {
            return;
        }
        // What was found may have had no room beside what was gathered before.
        if !(is_usual || has_gathered && shop.may_try_again()) {
            return;
        }
    }
    if shop.has_gathered() {
        settled(shop, &mut |task| crew.work(Some(task), || shop.work(task, 0, own)));
    }
}

/// Numbers what was gathered; `false` if there is no memory for that.
fn settled(shop: &Workshop, together: &mut impl FnMut(Task)) -> bool {
    if shop.is_on_disk() {
        together(Task::LookUp);
    }
    let is_numbered = shop.number();
    if is_numbered {
        together(Task::Enter);
        shop.settle();
    }
    is_numbered
}
