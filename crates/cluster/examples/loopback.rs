//! Explores a model by several processes, which are threads of this one with connections between them:
//! `cargo run --release -p kinfold-cluster --example loopback -- models/server.kin 2 1 k=4 m=4` for two processes of
//! one worker each. Prints counts, times, and what was sent.

use std::sync::Arc;
use std::thread;
use std::time::Instant;

use cluster::{Cluster, Network, loopback};
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
    let found = thread::scope(|scope| {
        let streams = loopback(processes).expect("connections").into_iter().enumerate();
        let handles: Vec<_> = streams
            .map(|(process, streams)| {
                let net = net.clone();
                scope.spawn(move || {
                    let cluster = Cluster::connected(process, threads, streams).expect("threads");
                    let network: Arc<dyn Network> = Arc::new(cluster);
                    let first = Folded::new(Compiled::new(net, relations), relations);
                    let mut spaces = vec![first];
                    spaces.extend((1..threads).map(|_| spaces[0].worker()).collect::<Vec<_>>());
                    let describe = Arc::new(|_| (None, String::new()));
                    let options = Options::default();
                    let search = DistributedSearch::begin(network, spaces, &options, describe);
                    let mut search = search.expect("all are there");
                    let never: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
                    search.advance(u64::MAX, &never, &mut |_| {}).expect("all are there");
                    search.totals()
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().expect("it is done")).next_back()
    });
    let found = found.expect("there is a process");
    println!("states {} edges {} depth {}", found.states, found.edges, found.depth());
    let sent = found.sent as f64 / found.states as f64;
    println!("{:.2?}, {sent:.2} bytes sent per state, skew {:.3}", began.elapsed(), found.skew());
}
