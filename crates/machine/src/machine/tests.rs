//! Mistakes in moves: each is noticed on a program, where successors by remembered moves are compared with those of whole
//! states.

mod run_on;

use std::collections::BTreeSet;

use explore::{Control, Options, Space, Successors, explore};

use super::Machine;
use crate::code::Code;
use crate::mistake::{self, Mistake};

/// The programs of `tests/programs.rs`.
macro_rules! programs {
    ($($name:ident),*) => {
        [$((stringify!($name), include_str!(concat!("../../tests/programs/", stringify!($name), ".kin")))),*]
    };
}

const PROGRAMS: [(&str, &str); 30] = programs![
    calls,
    cleared,
    compared,
    condition,
    copied,
    copies,
    core_threads,
    groups,
    handles,
    hub_polls,
    hubs,
    joined,
    kills,
    lengths,
    literals,
    lost,
    members,
    nested,
    parts,
    polling,
    private_polling,
    references,
    renamed,
    results,
    seats,
    sequences,
    sittings,
    threadless,
    unbounded,
    within
];

fn code(text: &str) -> Code {
    let compilation = lang::compile(text, &[]);
    let processes = compilation.processes.expect("a model with processes");
    let net = compilation.net.expect("a net");
    crate::compile(&processes.program, &net, &processes.observed, &[]).expect("it can be executed")
}

/// The states that a state leads to, and by which labels.
fn successors(machine: &mut Machine, state: &[u8]) -> BTreeSet<(u32, Vec<u8>)> {
    let mut found = Successors::new();
    machine.expand(state, &mut found).expect("it starts");
    found.iter().map(|(label, _, bytes)| (label, bytes.to_vec())).collect()
}

/// How many states there are, if remembered moves are those of whole states in all of them.
fn states(text: &str) -> Option<u64> {
    let code = code(text);
    let mut machine = Machine::new(&code);
    let options = Options { states: Some(5_000), ..Options::default() };
    let found = explore(&mut machine, &options, &mut |_| Control::Continue).expect("it starts");
    let is_exact = found.store.iter().all(|(_, state)| {
        machine.forgets = false;
        let remembered = successors(&mut machine, state);
        machine.forgets = true;
        remembered == successors(&mut machine, state)
    });
    is_exact.then(|| found.states())
}

fn text(name: &str) -> &'static str {
    let found = PROGRAMS.iter().find(|(other, _)| *other == name);
    found.expect("there is such a program").1
}

/// Whether a mistake is noticed on a program: moves are not those of whole states, or there are fewer or more states than
/// without it, or something is impossible.
fn is_noticed(mistake: Mistake, text: &str) -> bool {
    let right = states(text);
    assert!(right.is_some(), "it is exact without the mistake");
    mistake::with(mistake, || states(text)) != Some(right)
}

#[test]
fn each_is_noticed() {
    for (mistake, name) in [
        (Mistake::MembersSorted, "members"),
        (Mistake::OnePart, "parts"),
        (Mistake::NoRing, "sittings"),
        (Mistake::UnsortedMembers, "groups"),
        (Mistake::AlikeByLength, "lost"),
        (Mistake::LostHubs, "references"),
        (Mistake::ClearedBags, "cleared"),
        (Mistake::NotCanonisedAgain, "renamed"),
        (Mistake::NotRenamed, "calls"),
        (Mistake::PartialBags, "lengths"),
        (Mistake::PartialElements, "compared"),
        (Mistake::PartialElements, "literals"),
        (Mistake::PartialElements, "sequences"),
        (Mistake::HubKeys, "handles"),
        (Mistake::MisplacedBags, "copied"),
        (Mistake::OwnPolls, "polling"),
        (Mistake::OwnPolls, "hub_polls"),
        (Mistake::EqualCopies, "copies"),
        (Mistake::FirstMet, "within"),
        (Mistake::NoFields, "condition"),
        (Mistake::NoEndings, "results"),
        (Mistake::HubReferences, "references"),
    ] {
        assert!(is_noticed(mistake, text(name)), "{mistake:?} on {name}");
    }
}

#[test]
fn what_is_no_mistake_is_not() {
    for mistake in [Mistake::NothingAlike, Mistake::FirstsMeet] {
        for (name, text) in PROGRAMS {
            assert!(!is_noticed(mistake, text), "{mistake:?} on {name}");
        }
    }
}
