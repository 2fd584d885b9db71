//! Folding, tested against the definition of equivalence on random thread nets.
//!
//! Each net is explored by the plain interpreter. The states found are sorted into classes by the
//! slow checker, which reads the definition literally, and the canonical bytes must tell apart exactly
//! these classes, decode to a member, and be the same for a state written with other pids. The folded
//! graph must be bisimilar to the full one: same steps, same depths, same totals.
//!
//! The test is tested too: when folding is not shown one of the things it must see, some random net
//! must notice.

#![expect(clippy::print_stdout, reason = "what the nets were like is of interest")]

mod bisimulation;
mod decoding;
mod exploration;
mod features;
mod inhibition;
mod observed;
mod permutations;
mod random_groups;
mod random_net;
mod random_transition;
mod reduced;
mod renaming;
mod shown;
mod slow_checker;
mod verdicts;
mod view;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use fold::Folded;
use net::{Compiled, Hold, Keep, Net, TransitionId, interpret};
use random::{Random, daily};
use state::State;

use bisimulation::Full;
use exploration::{Bounds, explored, successors};
use permutations::Permutations;
use random_net::{Ingredients, RandomNet, random_net};
use reduced::Compared;
use verdicts::{agreed_bytes, agreed_strings, defined_classes};
use view::View;

const NETS: u64 = 3_000;
const CLASS_NETS: u64 = 1_200;
const OBJECT_NETS: u64 = 700;
const GROUP_NETS: u64 = 300;
const GARBAGE_NETS: u64 = 200;
/// What nets with classes are made of, in turn.
const CLASSES: [Ingredients; 2] = [Ingredients::Classes, Ingredients::ThreadsAndClasses];
/// How far the full graphs are explored.
const BOUNDS: Bounds = Bounds { depth: 6, few: 80, most: 180, pids: 10, tokens: 20 };
/// Where there are classes, much of it is the same but for a permutation.
const CLASS_BOUNDS: Bounds = Bounds { depth: 6, few: 80, most: 140, pids: 8, tokens: 30 };

/// What a net was like.
struct Seen {
    states: usize,
    classes: usize,
    complete: bool,
    faults: bool,
    depth: u32,
    features: BTreeSet<&'static str>,
}

/// A net with fewer states than this is dull, and taken only where no better one is found.
const DULL: usize = 60;

fn bounds(ingredients: Ingredients) -> &'static Bounds {
    if ingredients == Ingredients::Threads { &BOUNDS } else { &CLASS_BOUNDS }
}

fn lively_net(seed: u64, ingredients: Ingredients) -> RandomNet {
    let bounds = bounds(ingredients);
    random_net(seed, ingredients, |net| explored(net, bounds).states.len() < DULL)
}

fn check_net(seed: u64, net: &RandomNet) -> Result<Seen, String> {
    let explored = explored(&net.net, bounds(net.ingredients));
    let mut compiled = Compiled::new(net.net.clone(), net.relations);
    let mut folded = Folded::new(Compiled::new(net.net.clone(), net.relations), net.relations);
    let permutations = Permutations::of(&net.net);
    let classes = defined_classes(&explored.states, net.relations, &permutations);
    let bytes = agreed_bytes(&explored.states, &classes, &compiled, View::Whole)
        .map_err(|disagreement| disagreement.to_string())?;
    let strings = agreed_strings(&explored.states, &bytes, &compiled, &mut folded)?;
    let random = &mut Random::new(!seed);
    for &first in &classes.first {
        let state = &explored.states[first];
        decoding::check_labelling(state, &bytes[first], &compiled)?;
        let string = &strings[first];
        decoding::check_decoding(state, string, &compiled, &mut folded, &permutations, random)?;
    }
    let [disabled, _] = inhibition::check_inhibitors(&net.net, &explored.states)?;
    let [enabled, not] = inhibition::check_probes(&net.net, &explored.states, &mut compiled)?;
    let mut features = features::features(&net.net, &explored);
    let more = [
        (disabled, "tokens together that disable"),
        (enabled, "a probe that is enabled"),
        (not, "a probe that is not"),
    ];
    features.extend(more.into_iter().filter(|(times, _)| *times > 0).map(|(_, what)| what));
    let has_threads = !explored.states[0].eta().is_empty();
    let full = Full { has_threads, explored: &explored, classes: &classes, strings: &strings };
    let steps = full.check_steps(&mut compiled, &mut folded)?;
    full.check_graph(&mut folded, &steps)?;
    Ok(Seen {
        states: explored.states.len(),
        classes: classes.first.len(),
        complete: explored.is_complete(),
        faults: explored.steps.iter().any(Result::is_err),
        depth: explored.full_depth(),
        features,
    })
}

/// What `work` makes of all seeds below `seeds`, on two threads; nets are made of each of the ingredients
/// in turn.
///
/// # Panics
/// With the seed, the net and what is wrong, if `work` finds something wrong.
fn of_each_seed<T: Send>(
    seeds: u64,
    ingredients: &[Ingredients],
    work: impl Fn(u64, &RandomNet) -> Result<T, String> + Sync,
) -> Vec<T> {
    let ingredients = |seed: u64| ingredients[(seed / 16) as usize % ingredients.len()];
    of_each(seeds, |seed| lively_net(seed, ingredients(seed)), work)
}

/// What `work` makes of the nets of all seeds below `seeds`, on two threads.
fn of_each<T: Send>(
    seeds: u64,
    make: impl Fn(u64) -> RandomNet + Sync,
    work: impl Fn(u64, &RandomNet) -> Result<T, String> + Sync,
) -> Vec<T> {
    let next = AtomicU64::new(0);
    let one_thread = || {
        let mut done = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds {
                return Ok(done);
            }
            let net = make(seed);
            // A panic of what is tested must not hide the seed.
            let result = catch_unwind(AssertUnwindSafe(|| work(seed, &net)));
            let result = result.unwrap_or_else(|_| Err("panics, see above".into()));
            done.push(result.map_err(|what| {
                let shown = shown::shown(&net.net);
                let RandomNet { relations, ingredients, .. } = &net;
                format!("seed {seed}, {ingredients:?}, up to {relations:?}\n{shown}{what}")
            })?);
        }
    };
    let done: Result<Vec<Vec<T>>, String> = std::thread::scope(|scope| {
        let threads = [scope.spawn(one_thread), scope.spawn(one_thread)];
        threads.into_iter().map(|thread| thread.join().expect("its message is above")).collect()
    });
    match done {
        Ok(done) => done.into_iter().flatten().collect(),
        Err(what) => panic!("{what}"),
    }
}

fn median(mut numbers: Vec<usize>) -> usize {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

/// What the nets are required to be like.
struct Demands {
    median_classes: usize,
    shares: Vec<Share>,
    /// One net of fifty has each of these.
    features: &'static [&'static str],
}

/// One net of `one_in`, at least, does this.
struct Share {
    what: &'static str,
    does: fn(&Seen) -> bool,
    one_in: u64,
}

fn share(what: &'static str, one_in: u64, does: fn(&Seen) -> bool) -> Share {
    Share { what, does, one_in }
}

fn report(seen: &[Seen], demands: &Demands) {
    let nets = seen.len() as u64;
    let median_states = median(seen.iter().map(|one| one.states).collect());
    let median_classes = median(seen.iter().map(|one| one.classes).collect());
    println!("{nets} nets: median {median_states} states, {median_classes} classes");
    let least = demands.median_classes;
    assert!(median_classes >= least, "the nets are too small: {median_classes} classes");
    for Share { what, does, one_in } in &demands.shares {
        let number = seen.iter().filter(|one| does(one)).count() as u64;
        println!("{number} nets {what}");
        assert!(number > nets / one_in, "only {number} of {nets} nets {what}");
    }
    for feature in demands.features {
        let number = seen.iter().filter(|one| one.features.contains(feature)).count() as u64;
        println!("{feature}: {number} nets");
        assert!(number > nets / 50, "only {number} of {nets} nets have {feature}");
    }
}

#[test]
fn folding_agrees_with_the_definition() {
    let seen = of_each_seed(daily(NETS, 5), &[Ingredients::Threads], check_net);
    report(
        &seen,
        &Demands {
            median_classes: 50,
            shares: vec![
                share("fold", 4, |one| one.classes < one.states),
                share("end", 4, |one| one.complete),
                share("run", 4, |one| one.depth >= BOUNDS.depth),
                share("fault", 50, |one| one.faults),
            ],
            features: &features::ALL,
        },
    );
}

#[test]
fn folding_agrees_with_the_definition_where_there_are_classes() {
    let seen = of_each_seed(daily(CLASS_NETS, 2), &CLASSES, check_net);
    report(
        &seen,
        &Demands {
            median_classes: 25,
            shares: vec![
                share("fold", 2, |one| 2 * one.classes < one.states),
                share("end", 4, |one| one.complete),
                share("run", 4, |one| one.depth >= 4),
                share("fault", 100, |one| one.faults),
            ],
            features: &features::OF_CLASSES,
        },
    );
}

#[test]
fn folding_agrees_with_the_definition_where_there_are_objects() {
    let seen = of_each_seed(daily(OBJECT_NETS, 3), &[Ingredients::Objects], check_net);
    report(
        &seen,
        &Demands {
            median_classes: 40,
            shares: vec![
                share("fold", 4, |one| one.classes < one.states),
                share("end", 12, |one| one.complete),
                share("run", 4, |one| one.depth >= 4),
                share("fault", 50, |one| one.faults),
            ],
            features: &features::OF_OBJECTS,
        },
    );
}

#[test]
fn folding_agrees_with_the_definition_where_there_are_groups() {
    let seen = of_each_seed(daily(GROUP_NETS, 2), &[Ingredients::Groups], check_net);
    report(
        &seen,
        &Demands {
            median_classes: 30,
            shares: vec![
                share("fold", 2, |one| one.classes < one.states),
                share("end", 60, |one| one.complete),
                share("run", 4, |one| one.depth >= 4),
                share("fault", 50, |one| one.faults),
            ],
            features: &features::OF_GROUPS,
        },
    );
}

/// States that differ by garbage have the same steps, up to garbage: dropping it is a bisimulation.
#[test]
fn garbage_makes_no_difference() {
    let ingredients = [Ingredients::Objects, Ingredients::Groups];
    let dropped = of_each_seed(GARBAGE_NETS, &ingredients, |_, random| {
        let net = &random.net;
        let mut kept = Net::clone(net);
        kept.places.iter_mut().for_each(|place| place.hold = Hold::Root);
        let mut folded =
            Folded::new(Compiled::new(net.clone(), random.relations), random.relations);
        let compiled = Compiled::new(net.clone(), random.relations);
        let mut steps = |of: &Net, state: &State| {
            let mut steps = Vec::new();
            for (transition, next) in successors(of, state).map_err(|fault| fault.transition)? {
                let next = interpret::without_garbage(net, next);
                steps.push((transition, folded.fold(compiled.working(&next).0)));
            }
            steps.sort();
            Ok::<_, TransitionId>(steps)
        };
        let mut dropped = 0;
        for state in explored(&kept, bounds(random.ingredients)).states {
            let clean = interpret::without_garbage(net, state.clone());
            dropped += usize::from(clean != state);
            let (with, without) = (steps(&kept, &state), steps(net, &clean));
            if with != without {
                return Err(format!("{state}\nand without garbage\n{clean}\nhave different steps"));
            }
        }
        Ok(dropped)
    });
    let nets = dropped.iter().filter(|dropped| **dropped > 0).count();
    let states: usize = dropped.iter().sum();
    println!("{nets} nets have garbage, in {states} states");
    assert!(nets as u64 > GARBAGE_NETS / 4, "there is garbage in {nets} nets only");
}

/// Over how many nets the test is tested.
const NETS_TO_NOTICE: u64 = 400;
const CLASS_NETS_TO_NOTICE: u64 = 100;
const GROUP_NETS_TO_NOTICE: u64 = 100;

/// Checks that each view is noticed to leave something out by one of the nets.
fn check_noticed(nets: u64, ingredients: &[Ingredients], views: &[View]) {
    let noticed = of_each_seed(nets, ingredients, |seed, net| {
        let mut states = explored(&net.net, bounds(net.ingredients)).states;
        let permutations = Permutations::of(&net.net);
        if net.ingredients == Ingredients::Groups {
            // With other names, records come in another order.
            let random = &mut Random::new(!seed);
            let renamed = |state: &State| renaming::renamed(state, net.relations, random);
            states.extend(states.iter().map(renamed).collect::<Vec<State>>());
        }
        let classes = defined_classes(&states, net.relations, &permutations);
        let compiled = Compiled::new(net.net.clone(), net.relations);
        agreed_bytes(&states, &classes, &compiled, View::Whole).map_err(|d| d.to_string())?;
        let notices = |&view: &View| match agreed_bytes(&states, &classes, &compiled, view) {
            _ if !view.concerns(net.relations) => Ok(false),
            Ok(_) => Ok(false),
            // Whoever sees less can take different states for the same, but not the converse.
            Err(disagreement) if disagreement.equivalent != view.sees_more() => {
                Err(format!("{view:?}: {disagreement}"))
            }
            Err(_) => Ok(true),
        };
        views.iter().map(notices).collect::<Result<Vec<bool>, String>>()
    });
    for (i, view) in views.iter().enumerate() {
        let number = noticed.iter().filter(|notices| notices[i]).count();
        println!("{view:?}: noticed by {number} of {nets} nets");
        assert!(number > 0, "{view:?}: no net notices what is left out");
    }
}

#[test]
fn every_thing_left_out_is_noticed() {
    check_noticed(NETS_TO_NOTICE, &[Ingredients::Threads], &View::BROKEN);
    check_noticed(CLASS_NETS_TO_NOTICE, &CLASSES, &View::BROKEN_CLASSES);
    check_noticed(GROUP_NETS_TO_NOTICE, &[Ingredients::Groups], &View::BROKEN_GROUPS);
}

/// What random nets with threads are made of.
const THREADS: [Ingredients; 4] = [
    Ingredients::Threads,
    Ingredients::Objects,
    Ingredients::ThreadsAndClasses,
    Ingredients::Groups,
];
const REDUCED_NETS: u64 = 400;
const REDUCED_PAIRS: u64 = 1_000;

/// Whether the states left out of a net matter, if it is small enough: see [`reduced::compare`].
fn reduced(seed: u64, net: &RandomNet, keep: Option<Keep>) -> Result<Option<Compared>, String> {
    let (places, seen) = reduced::some_places(net, &mut Random::new(!seed));
    reduced::compare(net, &places, &keep.unwrap_or(Keep::Runs(seen)))
}

/// Stubborn sets leave out no deadlock, no transition, no fault and no run.
#[test]
fn stubborn_sets_leave_out_nothing_that_matters() {
    let alone =
        of_each_seed(daily(REDUCED_NETS, 2), &THREADS, |seed, net| reduced(seed, net, None));
    let wanted = daily(REDUCED_PAIRS, 2);
    let pairs = of_each(wanted, reduced::side_by_side, |seed, net| reduced(seed, net, None));
    let compared: Vec<_> = alone.into_iter().chain(pairs).flatten().collect();
    let fewer = compared.iter().filter(|one| one.left < one.whole).count();
    let halved = compared.iter().filter(|one| 2 * one.left < one.whole).count();
    println!("{} nets: {fewer} have fewer states, {halved} less than half", compared.len());
    assert!(compared.len() as u64 > wanted / 2, "only {} nets end", compared.len());
    assert!(fewer * 12 > compared.len(), "only {fewer} have fewer states");
    assert!(halved * 50 > compared.len(), "only {halved} have less than half of the states");
}

/// What looks at fewer places than the property does, and what does not care whether threads go round, is noticed.
#[test]
fn stubborn_sets_that_are_too_small_are_noticed() {
    let noticed = of_each(REDUCED_PAIRS / 4, reduced::side_by_side, |seed, net| {
        let wrong = [Keep::Deadlocks, Keep::Runs(net::Seen::default())];
        Ok(wrong.map(|keep| reduced(seed, net, Some(keep)).is_err()))
    });
    for (which, what) in ["whether threads go round", "what is seen"].into_iter().enumerate() {
        let number = noticed.iter().filter(|noticed| noticed[which]).count();
        println!("without {what}: noticed by {number} nets");
        assert!(number > 0, "that {what} does not matter is noticed by no net");
    }
}
