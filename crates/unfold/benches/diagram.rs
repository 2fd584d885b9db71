//! Unfolding nets, and their reachable markings in decision diagrams.

use budget::Budget;
use divan::Bencher;
use symbolic::SymmetricNet;
use unfold::{Diagram, DiagramLimits, PlaceOrder, UnfoldLimits, UnfoldedNet};

#[path = "../../symbolic/tests/table/nets.rs"]
#[allow(dead_code, reason = "some are benches of another engine")]
mod nets;

fn main() {
    divan::main();
}

fn unfolded(net: &SymmetricNet) -> UnfoldedNet {
    UnfoldedNet::of(net, &UnfoldLimits::default()).expect("a small net")
}

fn explore(bencher: Bencher, net: &SymmetricNet) {
    bencher.bench(|| {
        let net = unfolded(net);
        let orders = PlaceOrder::candidates(&net, &Budget::unlimited());
        let mut diagram = Diagram::of(net, orders, &DiagramLimits::default()).expect("no limits");
        diagram.census().expect("no limits").edges
    });
}

#[divan::bench(args = [20, 100], sample_count = 10)]
fn unfold_shared_memory(bencher: Bencher, n: u32) {
    let net = nets::shared_memory(n);
    bencher.bench(|| unfolded(&net).transitions.len());
}

#[divan::bench(args = [10, 100])]
fn philosophers(bencher: Bencher, n: u32) {
    explore(bencher, &nets::philosophers(n));
}

#[divan::bench(args = [5, 10], sample_count = 10)]
fn shared_memory(bencher: Bencher, n: u32) {
    explore(bencher, &nets::shared_memory(n));
}

#[divan::bench(args = [4, 6], sample_count = 10)]
fn distributed_database(bencher: Bencher, n: u32) {
    explore(bencher, &nets::distributed_database(n));
}
