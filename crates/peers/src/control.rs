//! Noticing who is lost, and telling the others.
//!
//! Every process says something to every other one from time to time, whether or not there is anything to say. A process whose
//! connection ends without a goodbye has died; one of whom nothing is heard for a stated time is stopped or
//! cannot be reached. Whoever notices it or is told of it tells the others before it ends, so that all of them name the
//! same process.

use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::frame::Seals;
use crate::message::Message;
use crate::run::{Phase, Run};
use crate::timed::{Patient, is_timeout};
use crate::{How, Loss};

/// The other processes of a run, as long as it goes on.
///
/// A `Control` that is dropped before it has [finished](Self::finish) ends the run on all others.
pub struct Control {
    pub(crate) run: Arc<Run>,
}

impl Control {
    /// Calls `on_loss` once if a process is lost, from a thread of its own. The run cannot go on then: threads that wait for
    /// data may wait for ever, and the way out is to end the process.
    pub fn watch(&self, on_loss: impl FnOnce(&Loss) + Send + 'static) {
        let already = self.run.change(|state| match state.loss.clone() {
            Some(loss) => Some((loss, on_loss)),
            None => {
                state.on_loss = Some(Box::new(on_loss));
                None
            }
        });
        if let Some((loss, on_loss)) = already {
            on_loss(&loss);
        }
    }

    /// Ends the run on all others, because of this process, which `reason` says as a sentence without its subject.
    /// The others may end with the status. Nothing is lost here, so [`watch`](Self::watch) has nothing to tell.
    pub fn abort(&self, status: u8, reason: &str) {
        let _ending = self.run.begin_to_end();
        let was_over = self.run.change(|state| {
            let was_over = state.phase == Phase::Over || state.loss.is_some();
            state.phase = Phase::Over;
            was_over
        });
        match was_over {
            true => self.run.close(),
            false => {
                let loss = self.run.lost(self.run.me.index, How::Ended(status), reason);
                self.run.tell_loss(&loss);
            }
        }
    }

    /// Ends the run in good order: says goodbye, and waits until all others have.
    ///
    /// # Errors
    ///
    /// If another process is lost before it has said goodbye.
    pub fn finish(&self) -> Result<(), Loss> {
        let run = &self.run;
        run.tell_all(&Message::Goodbye);
        let others: Vec<usize> = run.others().collect();
        // Whoever is silent is noticed by those who listen, so this ends.
        while !run.wait_until(Instant::now() + run.deadlines.silence, |state| {
            state.loss.is_some() || others.iter().all(|&other| state.peers[other].has_said_goodbye)
        }) {}
        let loss = run.change(|state| {
            state.phase = Phase::Over;
            state.loss.clone()
        });
        run.close();
        match loss {
            Some(loss) => Err(loss),
            None => {
                // Connections that are closed while something is on the way are reset, and it is lost.
                run.wait_until(Instant::now() + run.deadlines.silence, |state| {
                    others.iter().all(|&other| state.peers[other].is_gone)
                });
                Ok(())
            }
        }
    }

    /// The process that was lost, if one is lost within this time. Whoever finds that data no longer come can find out by it
    /// why.
    #[must_use]
    pub fn loss_within(&self, time: Duration) -> Option<Loss> {
        self.run.wait_until(Instant::now() + time, |state| state.loss.is_some());
        self.run.lock().loss.clone()
    }

    /// Whether a process is lost.
    #[must_use]
    pub fn has_lost(&self) -> bool {
        self.run.lock().loss.is_some()
    }

    /// Whether the run is over: it was finished or aborted. What becomes of connections then does not matter.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.run.lock().phase == Phase::Over
    }

    /// The time after which a silent process is given up.
    #[must_use]
    pub fn silence(&self) -> Duration {
        self.run.deadlines.silence
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.abort(0, "has ended without a result");
    }
}

/// Gives signs of life, until the run is over.
pub(crate) fn live(run: &Arc<Run>) -> io::Result<()> {
    let run = run.clone();
    let work = move || {
        let is_over = |state: &crate::run::State| state.phase == Phase::Over;
        while !run.wait_until(Instant::now() + run.deadlines.heartbeat, is_over) {
            run.tell_all(&Message::Alive);
        }
    };
    thread::Builder::new().name("peers:alive".into()).spawn(work).map(drop)
}

/// Listens to a process, until it is gone.
pub(crate) fn listen(
    run: &Arc<Run>,
    process: usize,
    stream: TcpStream,
    into: Seals,
) -> io::Result<()> {
    let run = run.clone();
    let from = Patient::new(stream, run.deadlines.silence)?;
    let work = move || {
        let (mut from, mut into) = (from, into);
        let loss = heard(&run, process, &mut from, &mut into);
        let is_expected = run.change(|state| {
            let peer = &mut state.peers[process];
            peer.is_gone = true;
            peer.has_said_goodbye
        });
        match loss {
            Some(loss) if !is_expected => run.lose(&loss),
            _ => {}
        }
    };
    thread::Builder::new().name(format!("peers:hear-{process}")).spawn(work).map(drop)
}

/// Hears what a process has to say, to the end; then who was lost, and how.
fn heard(run: &Run, process: usize, from: &mut Patient, into: &mut Seals) -> Option<Loss> {
    loop {
        let heard = into.read(from).and_then(|content| Message::decode(&content));
        let lost = |how, reason: &str| Some(run.lost(process, how, reason));
        match heard {
            Ok(Message::Alive) => {}
            Ok(Message::Ready) => run.change(|state| state.peers[process].is_ready = true),
            Ok(Message::Goodbye) => {
                run.change(|state| state.peers[process].has_said_goodbye = true);
            }
            Ok(Message::Abort { process, how, reason }) => {
                return Some(run.lost(process as usize, how, reason));
            }
            Ok(_) => return lost(How::Died, "says what makes no sense"),
            Err(error) if is_timeout(&error) => {
                let seconds = run.deadlines.silence.as_secs_f64();
                let reason = format!(
                    "has not been heard of for {seconds} s: it is stopped, or cannot be reached"
                );
                return lost(How::Silent, &reason);
            }
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return lost(How::Died, "says what makes no sense");
            }
            Err(_) => return lost(How::Died, "has died: its connection ended without a goodbye"),
        }
    }
}
