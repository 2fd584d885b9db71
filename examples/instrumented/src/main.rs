//! A server, and what it logs.
//!
//! Listeners start a thread for each connection, which starts another to compute the answer: what `models/server.kin` says.
//! It is instrumented once, by `tracing`; how that is written is chosen when it starts.
//!
//!     cargo run -- json|text|otel > server.log
//!     kinfold conform server.log models/server.kin --mapping json.json --set k=2 --set m=2

mod otel;
mod server;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::ExitCode;
use std::thread;

use server::Server;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// How many connections each client makes, one after the other.
const CONNECTIONS: u32 = 5;

fn main() -> ExitCode {
    let form = std::env::args().nth(1).unwrap_or_default();
    let mut provider = None;
    let to_stdout = tracing_subscriber::fmt().with_writer(std::io::stdout);
    match form.as_str() {
        "json" => to_stdout.json().init(),
        "text" => to_stdout.with_ansi(false).init(),
        "otel" => {
            let (layer, made) = otel::layer();
            provider = Some(made);
            tracing_subscriber::registry().with(layer).init();
        }
        _ => {
            eprintln!("usage: instrumented json|text|otel");
            return ExitCode::FAILURE;
        }
    }
    let server = Server::start(&["eth0", "eth1"], 2, 2 * CONNECTIONS).expect("loopback has ports");
    let clients: Vec<_> = server
        .addresses()
        .iter()
        .flat_map(|&address| [address; 2])
        .map(|address| {
            thread::spawn(move || {
                for number in 1..=CONNECTIONS {
                    let mut stream = TcpStream::connect(address).expect("the server listens");
                    writeln!(stream, "{number}").expect("the server reads");
                    let mut answer = String::new();
                    BufReader::new(stream).read_line(&mut answer).expect("the server answers");
                    assert_eq!(answer.trim(), (number * number).to_string());
                }
            })
        })
        .collect();
    for client in clients {
        client.join().expect("clients are served");
    }
    server.join();
    if let Some(provider) = provider {
        provider.shutdown().expect("spans can be written");
    }
    ExitCode::SUCCESS
}
