//! The rows of the 2004 paper's table.

use ddd::Limits;
use symbolic::{Srs, SymmetricNet};

use crate::{explicit, nets};

/// The cells of a table by row, without its head.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

fn net(model: &str, parameters: &str) -> SymmetricNet {
    let values: Vec<u32> =
        parameters.split(',').map(|p| p.split('=').nth(1).unwrap().parse().unwrap()).collect();
    match model {
        "clientserver" => nets::client_server(values[0], values[1]),
        "distdb" => nets::distributed_database(values[0]),
        "peterson" => nets::peterson(values[0]),
        "wave_flow" => nets::waves(values[0], false),
        "wave_flowp1" => nets::waves(values[0], true),
        other => panic!("no model {other}"),
    }
}

/// What the paper says of a row: final nodes and average length.
fn in_the_paper(model: &str, parameters: &str) -> Option<(usize, f64)> {
    let mut rows = rows(include_str!("../../../../models/papers/thierry-mieg-2004.tsv"));
    let row = rows.find(|row| row[0] == model && row[2] == parameters)?;
    Some((row[5].parse().unwrap(), row[7].parse().unwrap()))
}

/// Larger ones are for the bench.
const MOST_MARKINGS: u64 = 40_000;

#[test]
fn the_table_is_reproduced_in_no_more_nodes() {
    let (mut counted, mut compared) = (0, 0);
    for row in rows(include_str!("../../../../models/papers/symmetric.tsv")) {
        let [model, parameters, concrete, markings, ..] = row[..] else { panic!("a short row") };
        if markings.parse::<u64>().unwrap() > MOST_MARKINGS {
            continue;
        }
        let net = net(model, parameters);
        let srs = Srs::of(&net, Limits::default()).unwrap();
        assert_eq!(srs.markings.to_string(), markings, "{model} {parameters}");
        assert_eq!(srs.concrete_markings.to_string(), concrete, "{model} {parameters}");
        let counted_one_by_one = explicit(&net, u64::MAX).unwrap();
        let counted_at_once = (srs.markings.clone(), srs.concrete_markings.clone());
        assert_eq!(counted_at_once, counted_one_by_one);
        counted += 1;
        if let Some((nodes, length)) = in_the_paper(model, parameters) {
            assert!(srs.final_nodes <= nodes, "{model} {parameters}: {srs:?}");
            // Our database has tokens of two sites, the paper's of one.
            assert!(model == "distdb" || srs.average_length <= length, "{model} {parameters}");
            compared += 1;
        }
    }
    assert!(counted >= 20 && compared >= 12, "{counted} {compared}");
}
