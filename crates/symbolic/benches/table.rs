//! The largest models of the 2004 paper's table, and two of the Model Checking Contest: exploring
//! and counting.

use divan::Bencher;
use explore::{Control, Options, explore};
use symbolic::{Census, Symbolic, SymmetricNet};

#[path = "../tests/table/nets.rs"]
mod nets;

fn main() {
    divan::main();
}

fn run(bencher: Bencher, net: &SymmetricNet) {
    let symbolic = Symbolic::new(net).expect("a net without flaws");
    bencher.bench(|| {
        let mut space = symbolic.space();
        let result = explore(&mut space, &Options::default(), &mut |_| Control::Continue);
        let result = result.expect("a net without faults");
        Census::of(&mut space, &result, &budget::Budget::unlimited()).unwrap().concrete_states
    });
}

#[divan::bench(args = [5, 9])]
fn client_server(bencher: Bencher, n: u32) {
    run(bencher, &nets::client_server(n, n));
}

#[divan::bench(args = [20, 60])]
fn client_two_servers(bencher: Bencher, n: u32) {
    run(bencher, &nets::client_server(n, 2));
}

#[divan::bench(args = [40, 200, 700], sample_count = 10)]
fn distributed_database(bencher: Bencher, n: u32) {
    run(bencher, &nets::distributed_database(n));
}

#[divan::bench(args = [7, 10, 12], sample_count = 10)]
fn peterson(bencher: Bencher, n: u32) {
    run(bencher, &nets::peterson(n));
}

#[divan::bench(args = [40, 300], sample_count = 10)]
fn waves(bencher: Bencher, n: u32) {
    run(bencher, &nets::waves(n, true));
}

#[divan::bench(args = [10, 100])]
fn shared_memory(bencher: Bencher, n: u32) {
    run(bencher, &nets::shared_memory(n));
}

#[divan::bench(args = [6, 10], sample_count = 10)]
fn philosophers(bencher: Bencher, n: u32) {
    run(bencher, &nets::philosophers(n));
}
