//! The counts of the 2004 paper's table as corrected, and some of the Model Checking Contest.
//!
//! `models/papers/symmetric.tsv` comes from oracles written independently: brute force with orbits, closed forms.

mod nets;

use explore::{Control, Exploration, Options, explore};
use num_bigint::BigUint;
use symbolic::{Census, Symbolic, SymmetricNet};

fn run(net: &SymmetricNet) -> (Exploration, Census) {
    let mut space = Symbolic::new(net).unwrap().space();
    let result = explore(&mut space, &Options::default(), &mut |_| Control::Continue).unwrap();
    let census = Census::of(&mut space, &result, &budget::Budget::unlimited()).unwrap();
    (result, census)
}

/// A row of the table.
struct Row {
    model: String,
    parameters: Vec<u32>,
    /// Concrete states, symbolic markings, edges, concrete edges, deadlocked markings.
    counts: [String; 5],
}

fn rows() -> impl Iterator<Item = Row> {
    include_str!("../../../../models/papers/symmetric.tsv").lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let values = cells[1].split(',').map(|p| p.split('=').nth(1).unwrap().parse().unwrap());
        Row {
            model: cells[0].to_owned(),
            parameters: values.collect(),
            counts: std::array::from_fn(|i| cells[i + 2].to_owned()),
        }
    })
}

fn net(row: &Row) -> SymmetricNet {
    let first = row.parameters[0];
    match row.model.as_str() {
        "clientserver" => nets::client_server(first, row.parameters[1]),
        "distdb" => nets::distributed_database(first),
        "peterson" => nets::peterson(first),
        "wave_flow" => nets::waves(first, false),
        "wave_flowp1" => nets::waves(first, true),
        other => panic!("no model {other}"),
    }
}

#[test]
fn the_table_is_reproduced() {
    for row in rows() {
        let (result, census) = run(&net(&row));
        let counts = [
            census.concrete_states.to_string(),
            result.states().to_string(),
            result.edges.to_string(),
            census.concrete_edges.to_string(),
            result.deadlocks.len().to_string(),
        ];
        assert_eq!(counts, row.counts, "{} {:?}", row.model, row.parameters);
    }
}

#[test]
fn closed_forms_hold_beyond_the_table() {
    let three = |exponent: u32| BigUint::from(3_u32).pow(exponent);
    for n in [2, 3, 50, 333] {
        let (result, census) = run(&nets::distributed_database(n));
        assert_eq!(result.states(), u64::from(1 + n * (n + 1) / 2));
        assert_eq!(census.concrete_states, three(n - 1) * n + 1_u32);
        assert_eq!(census.most_tokens, BigUint::from(n * (n - 1) + n + 1));
        let (result, census) = run(&nets::waves(n, true));
        assert_eq!(result.states(), u64::from(n * (7 * n + 1) / 2));
        assert_eq!(census.concrete_states, three(n - 1) * (n + 3));
    }
    for n in 3..=9 {
        assert_eq!(run(&nets::peterson(n)).0.states(), u64::from(n + 3) << (n - 2));
    }
}

/// States, transitions, tokens per marking and per place, of the contest's StateSpace examination.
fn assert_contest(net: &SymmetricNet, states: &str, transitions: &str, tokens: u32, in_place: u32) {
    let (_, census) = run(net);
    assert_eq!(census.concrete_states.to_string(), states);
    assert_eq!(census.concrete_edges.to_string(), transitions);
    assert_eq!(census.most_tokens, BigUint::from(tokens));
    assert_eq!(census.most_in_place, BigUint::from(in_place));
}

#[test]
fn shared_memory_is_as_the_contest_has_it() {
    assert_contest(&nets::shared_memory(10), "1830519", "19486170", 21, 1);
    assert_contest(
        &nets::shared_memory(100),
        "1701261195936369403751358189356315821189656930125301",
        "171259950139247365303416033421115948918910329560932300",
        201,
        1,
    );
    assert_eq!(run(&nets::shared_memory(100)).0.states(), 20_001);
}

#[test]
fn philosophers_are_counted_up_to_rotation() {
    assert_contest(&nets::philosophers(10), "59049", "459270", 20, 1);
    let (result, census) = run(&nets::philosophers(10));
    assert_eq!((result.states(), result.deadlocks.len()), (5934, 2));
    assert_eq!(census.concrete_deadlocks, BigUint::from(2_u32));
}
