//! What the threads of a process know of the others, from the first call to the last goodbye.

use std::io;
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::frame::Seals;
use crate::handshake::{Identity, Incarnation};
use crate::message::Message;
use crate::{Deadlines, Hosts, How, Loss, PeerError};

/// A run, as one of its processes sees it.
pub(crate) struct Run {
    pub(crate) me: Identity,
    pub(crate) hosts: Hosts,
    pub(crate) deadlines: Deadlines,
    state: Mutex<State>,
    changed: Condvar,
    /// Held by whoever ends the run.
    ending: Mutex<()>,
}

/// What changes.
pub(crate) struct State {
    pub(crate) phase: Phase,
    /// The processes, by their numbers. Nothing is known of this one.
    pub(crate) peers: Vec<Peer>,
    /// Why not all can come together.
    pub(crate) failure: Option<PeerError>,
    /// One who called from an address that is in no line of the host file.
    pub(crate) turned_away: Option<IpAddr>,
    /// Because of whom the run ends.
    pub(crate) loss: Option<Loss>,
    /// What is said last, also to those who come after it was said.
    pub(crate) last_words: Option<Message>,
    /// Whom to tell of it.
    pub(crate) on_loss: Option<OnLoss>,
}

/// Whom to tell of a loss.
pub(crate) type OnLoss = Box<dyn FnOnce(&Loss) + Send>;

/// How far the run has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Gathering,
    Running,
    Over,
}

/// Another process.
#[derive(Default)]
pub(crate) struct Peer {
    /// The start of it that takes part: the first that has come.
    pub(crate) incarnation: Option<Incarnation>,
    pub(crate) data: Option<TcpStream>,
    pub(crate) control: Option<Arc<Mutex<Speaking>>>,
    /// What happened last when it was called, or someone called in its name.
    pub(crate) seen: Option<String>,
    pub(crate) is_ready: bool,
    pub(crate) has_said_goodbye: bool,
    /// Whether its end of the control connection is closed.
    pub(crate) is_gone: bool,
}

impl Peer {
    /// Whether both connections stand.
    pub(crate) fn is_connected(&self) -> bool {
        self.data.is_some() && self.control.is_some()
    }
}

/// The way out of a control connection.
pub(crate) struct Speaking {
    pub(crate) stream: TcpStream,
    pub(crate) out: Seals,
}

impl Speaking {
    fn say(&mut self, message: &Message) -> io::Result<()> {
        self.out.write(&message.encode(), &mut self.stream)
    }

    /// Says something, and then no more.
    pub(crate) fn say_last(&mut self, message: &Message) {
        let _ = self.say(message);
        let _ = self.stream.shutdown(Shutdown::Write);
    }
}

impl Run {
    pub(crate) fn new(me: Identity, hosts: Hosts, deadlines: Deadlines) -> Run {
        let peers = hosts.iter().map(|_| Peer::default()).collect();
        let state = State {
            phase: Phase::Gathering,
            peers,
            failure: None,
            turned_away: None,
            loss: None,
            last_words: None,
            on_loss: None,
        };
        let (state, changed, ending) = (Mutex::new(state), Condvar::new(), Mutex::new(()));
        Run { me, hosts, deadlines, state, changed, ending }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is known.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.lock());
        self.changed.notify_all();
        changed
    }

    /// Waits until something is so, at most up to a moment, and says whether it is.
    pub(crate) fn wait_until(&self, deadline: Instant, is_so: impl Fn(&State) -> bool) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        let waited = self.changed.wait_timeout_while(self.lock(), left, |state| !is_so(state));
        is_so(&waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    /// Waits for this time, unless the run ends or no longer gathers before, and says whether it still gathers.
    pub(crate) fn gathers_after(&self, time: Duration) -> bool {
        let is_over = |state: &State| state.phase != Phase::Gathering || state.has_failed();
        !self.wait_until(Instant::now() + time, is_over)
    }

    /// The other processes.
    pub(crate) fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let me = self.me.index;
        (0..self.hosts.count()).filter(move |&process| process != me)
    }

    /// Where a process is.
    pub(crate) fn host(&self, process: usize) -> String {
        self.hosts.iter().nth(process).map_or_else(|| "no host of the file".into(), str::to_owned)
    }

    pub(crate) fn lost(&self, process: usize, how: How, reason: impl Into<String>) -> Loss {
        Loss { process, host: self.host(process), how, reason: reason.into() }
    }

    /// Says something to all others. Whoever cannot be reached is noticed when nothing is heard of it.
    pub(crate) fn tell_all(&self, message: &Message) {
        for speaking in self.speaking() {
            let _ = lock(&speaking).say(message);
        }
    }

    /// Tells all others because of whom the run ends.
    pub(crate) fn tell_loss(&self, loss: &Loss) {
        let Loss { process, how, reason, .. } = loss.clone();
        let message = Message::Abort { process: process as u32, how, reason: short(reason) };
        self.lock().last_words = Some(message.clone());
        self.tell_all(&message);
        self.close();
    }

    /// Says no more.
    pub(crate) fn close(&self) {
        for speaking in self.speaking() {
            let _ = lock(&speaking).stream.shutdown(Shutdown::Write);
        }
    }

    fn speaking(&self) -> Vec<Arc<Mutex<Speaking>>> {
        self.lock().peers.iter().filter_map(|peer| peer.control.clone()).collect()
    }

    /// The run ends because of a process, if it has not ended before. All others are told before anybody here learns of
    /// it: who learns of it may end this process, which would look to the others as if it had died itself. They are told
    /// by everybody, for the same reason.
    pub(crate) fn lose(&self, loss: &Loss) {
        let ending = self.begin_to_end();
        let is_news = {
            let state = self.lock();
            state.phase != Phase::Over && state.loss.is_none()
        };
        if !is_news {
            return;
        }
        self.tell_loss(loss);
        let on_loss = self.change(|state| {
            state.loss = Some(loss.clone());
            state.on_loss.take()
        });
        drop(ending);
        on_loss.into_iter().for_each(|tell| tell(loss));
    }

    /// Waits until nobody else is about to end the run.
    pub(crate) fn begin_to_end(&self) -> MutexGuard<'_, ()> {
        self.ending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether it is known that not all can come together.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.is_some() || self.loss.is_some()
    }
}

fn lock(speaking: &Mutex<Speaking>) -> MutexGuard<'_, Speaking> {
    speaking.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A text that fits into a frame, and on a screen.
fn short(mut text: String) -> String {
    const MOST: usize = 4096;
    let end = (0..=MOST.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    text.truncate(end.unwrap_or_default());
    text
}
