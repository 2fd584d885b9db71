//! What is told to all who listen: lines of JSON.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use futures_util::stream;
use serde_json::{Value as Json, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

/// Where events are told and heard. Clones are the same place.
#[derive(Clone, Debug)]
pub(crate) struct Events {
    lines: broadcast::Sender<Arc<str>>,
    alive_time: Duration,
    /// Whether nothing more will come.
    end: watch::Sender<bool>,
}

impl Events {
    /// A client may fall behind by `most` events, and hears something at least once in `alive_time`.
    pub(crate) fn new(most: usize, alive_time: Duration) -> Events {
        Events { lines: broadcast::Sender::new(most), alive_time, end: watch::Sender::new(false) }
    }

    /// Tells an event to all who listen now.
    pub(crate) fn tell(&self, event: &Json) {
        // Without listeners nothing is kept.
        let _ = self.lines.send(line(event));
    }

    /// Nothing more will come.
    pub(crate) fn end(&self) {
        self.end.send_replace(true);
    }

    /// What one client hears from now on.
    pub(crate) fn stream(&self) -> Body {
        let mut alive = interval_at(Instant::now() + self.alive_time, self.alive_time);
        alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let listener = Listener {
            is_new: true,
            lines: self.lines.subscribe(),
            end: self.end.subscribe(),
            alive,
        };
        Body::from_stream(stream::unfold(listener, |mut listener| async {
            let line = listener.next().await?;
            Some((Ok::<_, Infallible>(line.as_bytes().to_vec()), listener))
        }))
    }
}

/// A client that listens.
struct Listener {
    is_new: bool,
    lines: broadcast::Receiver<Arc<str>>,
    end: watch::Receiver<bool>,
    alive: Interval,
}

impl Listener {
    /// The next line, if there is one more. A client that has fallen behind gets none: it would not know what it
    /// missed.
    async fn next(&mut self) -> Option<Arc<str>> {
        if std::mem::take(&mut self.is_new) {
            return Some(line(&json!({ "event": "hello", "version": 1 })));
        }
        tokio::select! {
            _ = self.end.wait_for(|&is_over| is_over) => None,
            next = self.lines.recv() => match next {
                Ok(line) => {
                    self.alive.reset();
                    Some(line)
                }
                Err(RecvError::Lagged(_) | RecvError::Closed) => None,
            },
            _ = self.alive.tick() => Some(line(&json!({ "event": "alive" }))),
        }
    }
}

fn line(event: &Json) -> Arc<str> {
    format!("{event}\n").into()
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    /// All lines that come until the stream ends.
    async fn rest(body: Body) -> String {
        String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn who_keeps_up_hears_everything() {
        let events = Events::new(4, Duration::from_secs(3600));
        let body = events.stream();
        (0..4).for_each(|n| events.tell(&json!({ "n": n })));
        let mut body = body;
        let mut heard = Vec::new();
        while heard.len() < 5 {
            heard.push(body.frame().await.unwrap().unwrap().into_data().unwrap());
        }
        assert_eq!(heard[0], "{\"event\":\"hello\",\"version\":1}\n");
        assert_eq!(heard[4], "{\"n\":3}\n");
        events.end();
        assert_eq!(rest(body).await, "");
    }

    #[tokio::test]
    async fn who_falls_behind_is_disconnected() {
        let events = Events::new(4, Duration::from_secs(3600));
        let body = events.stream();
        (0..5).for_each(|n| events.tell(&json!({ "n": n })));
        assert_eq!(rest(body).await, "{\"event\":\"hello\",\"version\":1}\n");
    }
}
