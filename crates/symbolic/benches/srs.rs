//! The rows of the 2004 paper's table: the symbolic reachability set in a decision diagram.

use ddd::Limits;
use divan::Bencher;
use symbolic::{Srs, SymmetricNet};

#[path = "../tests/table/nets.rs"]
#[allow(dead_code)]
mod nets;

fn main() {
    divan::main();
}

fn run(bencher: Bencher, net: &SymmetricNet) {
    bencher.bench(|| Srs::of(net, Limits::default()).expect("a net that is supported").markings);
}

#[divan::bench(args = [(5, 2), (10, 2), (20, 2), (6, 6), (8, 8), (9, 9)], sample_count = 3)]
fn client_server(bencher: Bencher, (clients, servers): (u32, u32)) {
    run(bencher, &nets::client_server(clients, servers));
}

#[divan::bench(args = [200, 300, 500, 700], sample_count = 1)]
fn distributed_database(bencher: Bencher, n: u32) {
    run(bencher, &nets::distributed_database(n));
}

#[divan::bench(args = [7, 10, 11, 12], sample_count = 1)]
fn peterson(bencher: Bencher, n: u32) {
    run(bencher, &nets::peterson(n));
}

#[divan::bench(args = [40, 100, 200, 300], sample_count = 3)]
fn waves(bencher: Bencher, n: u32) {
    run(bencher, &nets::waves(n, false));
}
