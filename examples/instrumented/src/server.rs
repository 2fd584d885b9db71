//! The server: listeners, connections, and a thread for each.
//!
//! Where something happens that the model has as a step, it is logged: by who does it, before anybody else can notice it,
//! or after it was noticed. So the order of lines is one in which it may have happened.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use tracing::{Span, info, info_span};

/// Connections and calls are numbered.
static NEXT: AtomicU64 = AtomicU64::new(7001);

/// A server that was started.
pub struct Server {
    listeners: Vec<(SocketAddr, JoinHandle<()>)>,
}

impl Server {
    /// Starts a listener of each name, with at most `most` connections at once. It ends after so many connections.
    ///
    /// # Errors
    /// If there is no port to listen at.
    pub fn start(names: &[&'static str], most: usize, connections: u32) -> io::Result<Server> {
        let mut listeners = Vec::new();
        for &name in names {
            let socket = TcpListener::bind(("127.0.0.1", 0))?;
            let address = socket.local_addr()?;
            let thread = thread::spawn(move || Listener::new(name, socket, most).run(connections));
            listeners.push((address, thread));
        }
        Ok(Server { listeners })
    }

    /// Where the listeners listen.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.listeners.iter().map(|(address, _)| *address).collect()
    }

    /// Waits for all listeners.
    pub fn join(self) {
        for (_, thread) in self.listeners {
            thread.join().expect("listeners end");
        }
    }
}

struct Listener {
    name: &'static str,
    socket: TcpListener,
    most: usize,
    /// Those that are not joined yet, by their number.
    handlers: BTreeMap<u64, (JoinHandle<()>, Span)>,
    finished: (Sender<u64>, Receiver<u64>),
}

impl Listener {
    fn new(name: &'static str, socket: TcpListener, most: usize) -> Listener {
        Listener { name, socket, most, handlers: BTreeMap::new(), finished: channel() }
    }

    fn run(mut self, connections: u32) {
        let listen = info_span!("listen", listener = self.name);
        for _ in 0..connections {
            if self.handlers.len() == self.most {
                self.close_one();
            }
            let (stream, _) = self.socket.accept().expect("the socket listens");
            let conn = NEXT.fetch_add(1, Ordering::Relaxed);
            let span = info_span!(parent: &listen, "handle", conn, listener = self.name);
            info!(parent: &span, "accepted");
            let (finished, inside) = (self.finished.0.clone(), span.clone());
            let thread = thread::spawn(move || {
                inside.in_scope(|| handle(stream));
                drop(inside);
                finished.send(conn).expect("the listener waits");
            });
            self.handlers.insert(conn, (thread, span));
        }
        while !self.handlers.is_empty() {
            self.close_one();
        }
    }

    /// Waits for somebody who has finished.
    fn close_one(&mut self) {
        let conn = self.finished.1.recv().expect("there are handlers");
        let (thread, span) = self.handlers.remove(&conn).expect("it was started");
        thread.join().expect("handlers end");
        info!(parent: &span, "closed");
    }
}

/// Answers a connection.
fn handle(stream: TcpStream) {
    let mut line = String::new();
    let mut reader = BufReader::new(&stream);
    reader.read_line(&mut line).expect("the client writes");
    let number: u32 = line.trim().parse().expect("a number");
    info!("computed");
    let call = NEXT.fetch_add(1, Ordering::Relaxed);
    let span = info_span!("function", call);
    info!(parent: &span, "called");
    let thread = thread::spawn(move || {
        span.in_scope(|| {
            let square = number * number;
            info!("returned");
            square
        })
    });
    let square = thread.join().expect("functions end");
    info!("answered");
    writeln!(&stream, "{square}").expect("the client reads");
}
