//! Programs for what random ones miss: sets that are cleared, hubs that come and go, threads that poll, copies that meet.
//!
//! Of each state the successors by remembered moves are those by execution as a whole. The graph has as many states, edges
//! and deadlocks as that of the net that the program is translated to, and as it had before: those numbers stand here.

use std::collections::BTreeSet;
use std::sync::Arc;

use explore::{Control, Exploration, Options, Space, Successors, explore};
use fold::Folded;
use machine::{Code, Machine, Turn};
use net::Compiled;
use program::{FieldId, ObjectId};

/// States, edges, deadlocks.
type Counts = (usize, usize, usize);

/// The programs, and the counts of their graphs.
const PROGRAMS: [(&str, &str, Counts); 30] = [
    ("calls", include_str!("programs/calls.kin"), (610, 1436, 0)),
    ("cleared", include_str!("programs/cleared.kin"), (175, 316, 7)),
    ("compared", include_str!("programs/compared.kin"), (20, 25, 0)),
    ("condition", include_str!("programs/condition.kin"), (376, 555, 0)),
    ("copied", include_str!("programs/copied.kin"), (160, 271, 0)),
    ("copies", include_str!("programs/copies.kin"), (89, 184, 1)),
    ("core_threads", include_str!("programs/core_threads.kin"), (90, 187, 3)),
    ("groups", include_str!("programs/groups.kin"), (20, 30, 0)),
    ("handles", include_str!("programs/handles.kin"), (94, 194, 0)),
    ("hub_polls", include_str!("programs/hub_polls.kin"), (722, 1730, 10)),
    ("hubs", include_str!("programs/hubs.kin"), (268, 553, 0)),
    ("joined", include_str!("programs/joined.kin"), (54, 109, 0)),
    ("kills", include_str!("programs/kills.kin"), (556, 1714, 1)),
    ("lengths", include_str!("programs/lengths.kin"), (124, 233, 3)),
    ("lost", include_str!("programs/lost.kin"), (1233, 3345, 0)),
    ("nested", include_str!("programs/nested.kin"), (21, 30, 0)),
    ("polling", include_str!("programs/polling.kin"), (826, 2308, 3)),
    ("private_polling", include_str!("programs/private_polling.kin"), (391, 1104, 3)),
    ("references", include_str!("programs/references.kin"), (91, 168, 0)),
    ("renamed", include_str!("programs/renamed.kin"), (1511, 4741, 0)),
    ("results", include_str!("programs/results.kin"), (60, 105, 0)),
    ("sequences", include_str!("programs/sequences.kin"), (61, 115, 6)),
    ("threadless", include_str!("programs/threadless.kin"), (298, 586, 0)),
    ("within", include_str!("programs/within.kin"), (40, 75, 1)),
    ("literals", include_str!("programs/literals.kin"), (42, 60, 0)),
    ("members", include_str!("programs/members.kin"), (31, 39, 1)),
    ("parts", include_str!("programs/parts.kin"), (214, 449, 0)),
    ("seats", include_str!("programs/seats.kin"), (165, 371, 0)),
    ("unbounded", include_str!("programs/unbounded.kin"), (662, 1576, 8)),
    ("sittings", include_str!("programs/sittings.kin"), (53, 92, 0)),
];

/// A space in which all is kept.
fn graph(space: &mut impl Space) -> Exploration {
    let options = Options { keep_edges: true, ..Options::default() };
    let found = explore(space, &options, &mut |_| Control::Continue);
    let found = found.unwrap_or_else(|_| panic!("nothing goes wrong"));
    assert!(found.complete, "it has an end");
    found
}

/// The counts of a graph: from one state to another there is one edge.
fn counts(found: &Exploration) -> Counts {
    let edges = found.quotient.as_ref().expect("edges are kept");
    let targets = found.store.iter().map(|(id, _)| {
        let targets: BTreeSet<usize> =
            edges.successors(id).map(|(_, target)| target.index()).collect();
        targets.len()
    });
    (found.states() as usize, targets.sum(), found.deadlocks.len())
}

/// The counts of the graph of the net that a program is translated to, with all that is in its state.
fn of_net(text: &str) -> Counts {
    let net = lang::compile(text, &[]).net.expect("a net");
    let relations = net.relations();
    counts(&graph(&mut Folded::new(Compiled::new(Arc::new(net), relations), relations)))
}

fn code(text: &str) -> Code {
    let compilation = lang::compile(text, &[]);
    let processes = compilation.processes.expect("a model with processes");
    let net = compilation.net.expect("a net");
    let lang::Processes { program, mut observed, .. } = processes;
    // All that is in fields is kept, as it is in the net.
    for (of, object) in (0..).map(ObjectId).zip(&program.objects) {
        observed.fields.extend((0..object.fields.len() as u32).map(|field| (of, FieldId(field))));
    }
    machine::compile(&program, &net, &observed, &[]).expect("it can be executed")
}

/// What a state becomes, and by which turns.
fn successors(machine: &mut Machine, state: &[u8]) -> BTreeSet<(String, Vec<u8>)> {
    let mut found = Successors::new();
    machine.expand(state, &mut found).expect("it starts");
    let name = |turn: Turn| format!("{turn:?}");
    found.iter().map(|(label, _, bytes)| (name(machine.turn(label)), bytes.to_vec())).collect()
}

#[test]
fn remembered_moves_are_those_of_whole_states() {
    for (name, text, expected) in PROGRAMS {
        let code = code(text);
        let mut machine = Machine::new(&code);
        let found = graph(&mut machine);
        for (_, state) in found.store.iter() {
            machine.forgets = false;
            let remembered = successors(&mut machine, state);
            machine.forgets = true;
            assert_eq!(remembered, successors(&mut machine, state), "{name}");
            let steps: BTreeSet<(String, Vec<u8>)> = { machine.steps(state).into_iter() }
                .map(|step| (format!("{:?}", step.turn), step.state))
                .collect();
            assert_eq!(remembered, steps, "{name}");
        }
        let whole = graph(&mut machine);
        assert_eq!([counts(&found), counts(&whole), of_net(text)], [expected; 3], "{name}");
    }
}

#[test]
fn any_number_is_no_limit() {
    let text = "model barrier
        shared m = new mutex
        shared c = new condition
        shared here: 0..=10 = 0
        process main { repeat 10 { spawn worker() } }
        process worker {
            with m.lock() {
                here += 1
                if here == 10 { c.broadcast() } else { while here < 10 { c.wait(m) } }
            }
        }";
    let code = code(text);
    let mut machine = Machine::new(&code);
    let found = graph(&mut machine);
    assert_eq!(counts(&found), (494, 880, 0));
    assert!(found.store.iter().all(|(_, state)| machine.failure(state).is_none()));
}
