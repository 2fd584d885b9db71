//! Several processes in one, for tests and measurements: threads, with connections between them.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use crate::{Cluster, Network};

/// Runs something on several processes, which are threads here, of this many workers each, and gives what they came to.
///
/// # Errors
///
/// If they cannot be connected.
///
/// # Panics
///
/// If one of them panics.
pub fn on_loopback<T: Send>(
    processes: usize,
    threads: usize,
    run: impl Fn(Arc<dyn Network>) -> T + Sync,
) -> io::Result<Vec<T>> {
    let streams = loopback(processes)?;
    thread::scope(|scope| {
        let start = |(process, streams)| {
            let run = &run;
            scope.spawn(move || {
                let network: Arc<dyn Network> =
                    Arc::new(Cluster::connected(process, threads, streams)?);
                Ok(run(network))
            })
        };
        let handles: Vec<_> = streams.into_iter().enumerate().map(start).collect();
        let done = handles.into_iter().map(|handle| handle.join().expect("no process panics"));
        done.collect()
    })
}

/// Streams between several processes: `[i][j]` is that of process `i` to process `j`.
///
/// # Errors
///
/// If they cannot be connected.
pub fn loopback(processes: usize) -> io::Result<Vec<Vec<Option<TcpStream>>>> {
    let mut streams: Vec<Vec<Option<TcpStream>>> = Vec::new();
    streams.resize_with(processes, || (0..processes).map(|_| None).collect());
    let pairs = (0..processes).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
    for (earlier, later) in pairs {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let one = TcpStream::connect(listener.local_addr()?)?;
        let (other, _) = listener.accept()?;
        one.set_nodelay(true)?;
        other.set_nodelay(true)?;
        streams[later][earlier] = Some(one);
        streams[earlier][later] = Some(other);
    }
    Ok(streams)
}
