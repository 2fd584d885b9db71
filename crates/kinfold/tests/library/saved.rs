//! A space that is saved and restored gives the same numbers to the same.

use std::sync::Arc;

use kinfold::explore::{Control, Options, Space, Successors, explore};
use kinfold::fold::{ConcreteSpace, Folded};
use kinfold::lang;
use kinfold::net::{Compiled, Net};

fn server() -> Arc<Net> {
    let text = include_str!("../../../../models/server.kin");
    let handlers = lang::Override { name: "m".into(), value: "2".into() };
    Arc::new(lang::compile(text, &[handlers]).net.expect("the model is right"))
}

fn saved(space: &impl Space, mark: u64) -> (Vec<u8>, u64) {
    let mut saved = Vec::new();
    let next = space.save(mark, &mut saved).expect("memory can be written to");
    (saved, next)
}

/// Explores a part of a space, saves it, restores it in a fresh one, and goes on in both: they give the same
/// strings, also for what the first had not met before it was saved. Then what is new is saved, too, and both
/// parts are restored.
fn goes_on_the_same<S: Space<Fault: std::fmt::Debug>>(new: impl Fn() -> S, part: u64) -> S {
    let (mut space, mut fresh, mut third) = (new(), new(), new());
    let options = Options { states: Some(part), ..Options::default() };
    let found = explore(&mut space, &options, &mut |_| Control::Continue);
    let found = found.expect("the model has no fault");
    assert!(!found.complete, "the part is a part");
    let (first, mark) = saved(&space, 0);
    fresh.restore(&mut &first[..]).expect("it was saved");
    let (mut ours, mut theirs) = (Successors::new(), Successors::new());
    let mut states: Vec<Vec<u8>> = found.store.iter().map(|(_, bytes)| bytes.to_vec()).collect();
    let mut at = 0;
    while at < states.len() && at < 4 * part as usize {
        ours.clear();
        theirs.clear();
        let standing = space.expand(&states[at], &mut ours).expect("no fault");
        assert_eq!(fresh.expand(&states[at], &mut theirs).expect("no fault"), standing);
        assert!(ours.iter().eq(theirs.iter()), "state {at}");
        states.extend(ours.iter().map(|(_, _, bytes)| bytes.to_vec()));
        at += 1;
    }
    assert!(at > part as usize, "they went on");
    let (second, last) = saved(&space, mark);
    assert_eq!(second.is_empty(), mark == last, "nothing is written where nothing is new");
    for part in [first, second].iter().filter(|part| !part.is_empty()) {
        third.restore(&mut &part[..]).expect("it was saved");
    }
    assert_eq!(saved(&third, 0), saved(&space, 0));
    assert_eq!(saved(&space, last), (Vec::new(), last));
    space
}

#[test]
fn families_keep_their_numbers() {
    let net = server();
    let relations = net.relations();
    let folded = || Folded::new(Compiled::new(net.clone(), relations), relations);
    let mut space = goes_on_the_same(folded, 10);
    let (all, count) = saved(&space, 0);
    assert!(space.restore(&mut &all[..]).is_err(), "it is not fresh any more");
    assert!(folded().restore(&mut &all[..all.len() - 1]).is_err(), "something is missing");
    let (last, _) = saved(&space, count - 1);
    assert!(folded().restore(&mut &last[..]).is_err(), "it is not the first part");
    assert!(folded().allocated_bytes() < space.allocated_bytes());
}

#[test]
fn concrete_states_keep_their_strings() {
    let net = server();
    goes_on_the_same(|| ConcreteSpace::new(&*net), 50);
}
