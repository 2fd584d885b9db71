//! Explores a model by several processes, which are threads of this one with connections between them:
//! `cargo run --release -p kinfold-cluster --example loopback -- models/server.kin 2 1 k=4 m=4` for two processes of
//! one worker each. Prints counts, times, and what was sent.

use std::sync::Arc;
use std::time::Instant;

use cluster::on_loopback;
use explore::Options;
use explore::distributed::DistributedSearch;
use fold::Folded;
use lang::Override;
use net::Compiled;

#[allow(clippy::print_stdout, reason = "it is a program")]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let text = std::fs::read_to_string(arguments.next().expect("a model")).expect("a text");
    let mut number = || arguments.next().and_then(|text| text.parse().ok()).expect("a number");
    let (processes, threads): (usize, usize) = (number(), number());
    let set = |set: String| {
        let (name, value) = set.split_once('=').expect("a constant and its value");
        Override { name: name.to_owned(), value: value.to_owned() }
    };
    let set: Vec<Override> = arguments.map(set).collect();
    let net = Arc::new(lang::compile(&text, &set).net.expect("a net"));
    let relations = net.relations();
    let began = Instant::now();
    let found = on_loopback(processes, threads, |network| {
        let first = Folded::new(Compiled::new(net.clone(), relations), relations);
        let mut spaces = vec![first];
        spaces.extend((1..threads).map(|_| spaces[0].worker()).collect::<Vec<_>>());
        let describe = Arc::new(|_| (None, String::new()));
        let search = DistributedSearch::begin(network, spaces, &Options::default(), describe);
        let mut search = search.expect("all are there");
        let never: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
        search.advance(u64::MAX, &never, &mut |_| {}).expect("all are there");
        search.totals()
    });
    let found = found.expect("connections").pop();
    let found = found.expect("there is a process");
    println!("states {} edges {} depth {}", found.states, found.edges, found.depth());
    let sent = found.sent as f64 / found.states as f64;
    println!("{:.2?}, {sent:.2} bytes sent per state, skew {:.3}", began.elapsed(), found.skew());
}
