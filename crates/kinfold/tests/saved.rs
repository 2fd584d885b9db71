//! A space that is saved and restored gives the same numbers to the same.

use std::sync::Arc;

use kinfold::explore::{Control, Options, Space, Successors, explore};
use kinfold::fold::{ConcreteSpace, Folded};
use kinfold::lang;
use kinfold::net::{Compiled, Net};

fn server() -> Arc<Net> {
    let text = include_str!("../../../models/server.kin");
    let handlers = lang::Override { name: "m".into(), value: "2".into() };
    Arc::new(lang::compile(text, &[handlers]).net.expect("the model is right"))
}

/// Explores a part of `space`, saves it, restores it in `fresh`, and goes on in both: they give the same
/// strings, also for what the first had not met before it was saved.
fn goes_on_the_same<S: Space<Fault: std::fmt::Debug>>(space: &mut S, fresh: &mut S, part: u64) {
    let found = explore(space, &Options { states: Some(part), ..Options::default() }, &mut |_| {
        Control::Continue
    });
    let found = found.expect("the model has no fault");
    assert!(!found.complete, "the part is a part");
    let mut saved = Vec::new();
    space.save(&mut saved).expect("memory can be written to");
    fresh.restore(&mut &saved[..]).expect("it was saved");
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
}

#[test]
fn families_keep_their_numbers() {
    let net = server();
    let relations = net.relations();
    let folded = || Folded::new(Compiled::new(net.clone(), relations), relations);
    let mut fresh = folded();
    goes_on_the_same(&mut folded(), &mut fresh, 50);
    let mut saved = Vec::new();
    fresh.save(&mut saved).expect("memory can be written to");
    assert!(fresh.restore(&mut &saved[..]).is_err(), "it is not fresh any more");
    assert!(folded().restore(&mut &saved[..saved.len() - 1]).is_err(), "something is missing");
    assert!(folded().allocated_bytes() < fresh.allocated_bytes());
}

#[test]
fn concrete_states_keep_their_strings() {
    let net = server();
    goes_on_the_same(&mut ConcreteSpace::new(&*net), &mut ConcreteSpace::new(&*net), 50);
}
