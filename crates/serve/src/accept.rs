//! Connections: how many there may be, and their end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use budget::Budget;
use explorer::{Code, Refusal};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use crate::events::Events;
use crate::socket::Socket;
use crate::{Bounds, reply};

/// The time between two looks at whether to go on.
const LOOK_TIME: Duration = Duration::from_millis(50);

/// The time that connections have to come to their end when the server ends.
const PARTING_TIME: Duration = Duration::from_secs(1);

/// The pause when the system gives no more connections.
const PAUSE: Duration = Duration::from_millis(50);

/// Connections that are told at once that there are too many. Further ones are closed without a word.
const MOST_TURNED_AWAY: usize = 64;

/// The bytes of the head of a request, and the number of its lines.
const HEAD_BYTES: usize = 32 << 10;
const HEAD_LINES: usize = 64;

/// Serves connections until the budget ends.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    bounds: Bounds,
    events: Events,
    budget: Budget,
) {
    let places = Arc::new(Semaphore::new(bounds.connections));
    let turned_away = Arc::new(Semaphore::new(MOST_TURNED_AWAY));
    let end = watch::Sender::new(false);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = end_of(&budget) => break,
        };
        let Ok((stream, _)) = accepted else {
            // The client has gone already, or there are no more file descriptors.
            sleep(PAUSE).await;
            continue;
        };
        let socket = Socket::new(stream, bounds.stall_time);
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            let connection = connection(socket, router.clone(), bounds, end.subscribe());
            tokio::spawn(async {
                connection.await;
                drop(place);
            });
        } else if let Ok(place) = Arc::clone(&turned_away).try_acquire_owned() {
            tokio::spawn(async move {
                let _ = timeout(bounds.head_time, turn_away(socket)).await;
                drop(place);
            });
        }
    }
    drop(listener);
    events.end();
    end.send_replace(true);
    let all = u32::try_from(bounds.connections).unwrap_or(u32::MAX);
    let _ = timeout(PARTING_TIME, places.acquire_many(all)).await;
}

/// Comes back when the budget has ended.
async fn end_of(budget: &Budget) {
    while !budget.is_exhausted() {
        sleep(LOOK_TIME).await;
    }
}

/// One connection, to its end.
async fn connection(
    socket: Socket,
    router: Router,
    bounds: Bounds,
    mut end: watch::Receiver<bool>,
) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(bounds.head_time)
        .max_headers(HEAD_LINES)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(socket), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    // What goes wrong on a connection ends it, and concerns nobody else.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = end.wait_for(|&is_over| is_over) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Says that there are too many connections.
async fn turn_away(mut socket: Socket) -> io::Result<()> {
    let message = "there are too many connections; close some, or try again later";
    let refusal = Refusal::new(Code::TooMany, message);
    let status = reply::status(refusal.code());
    let body = refusal.to_json().to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         cache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n",
        body.len()
    );
    socket.write_all((head + &body).as_bytes()).await?;
    socket.shutdown().await
}
