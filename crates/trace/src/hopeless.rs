//! What a run shows of threads of its last state that get no further: they are stuck, or can never end.

use budget::Budget;
use net::Net;
use state::{Pid, State};

use super::change::whereabouts;
use super::speech::Speech;
use super::waits::{Wait, waits_of};

/// What is said of threads that are stuck, and what it means.
pub(crate) fn stuck(count: usize) -> (&'static str, &'static str) {
    let verb = if count == 1 { "is stuck" } else { "are stuck" };
    (verb, "never to act again, nor to be ended, whatever happens")
}

/// What is said of threads that can never end, and what it means.
pub(crate) const ENDLESS: (&str, &str) =
    ("can never end", "no run from here does that, or leads to an idle place");

/// Threads of the last state of a run that get no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hopeless {
    /// Whatever happens, they never act again, nor are they ended.
    Stuck(Vec<Pid>),
    /// Whatever happens, they are never ended, nor do they come to where they may be for ever.
    Endless(Vec<Pid>),
}

impl Hopeless {
    /// The threads.
    #[must_use]
    pub fn threads(&self) -> &[Pid] {
        match self {
            Hopeless::Stuck(threads) | Hopeless::Endless(threads) => threads,
        }
    }

    /// `threads 1.1, 1.2 are stuck`, or in a net that was made of processes `worker 1.1, worker 1.2 are stuck`; the
    /// state is that in which they are.
    #[must_use]
    pub fn summary(&self, net: &Net, state: &State) -> String {
        let names = Speech::of(net).map(|speech| speech.names(state));
        let name = |pid: &Pid| match &names {
            Some(names) => names.get(pid).cloned().unwrap_or_else(|| pid.to_string()),
            None => pid.to_string(),
        };
        let pids: Vec<String> = self.threads().iter().map(name).collect();
        let one = pids.len() == 1;
        let noun = match one {
            _ if names.is_some() => "",
            true => "thread ",
            false => "threads ",
        };
        let (verb, _) = self.words(pids.len());
        format!("{noun}{} {verb}", pids.join(", "))
    }

    /// What that means.
    pub(super) fn meaning(&self) -> &'static str {
        self.words(0).1
    }

    fn words(&self, count: usize) -> (&'static str, &'static str) {
        match self {
            Hopeless::Stuck(_) => stuck(count),
            Hopeless::Endless(_) => ENDLESS,
        }
    }

    /// Who waits for what among them, in the state that the run ends in. Of those who can still act that is not
    /// said, only where they are.
    #[must_use]
    pub fn waits(&self, net: &Net, state: &State) -> Vec<Wait> {
        let is_stuck = matches!(self, Hopeless::Stuck(_));
        let waits = waits_of(net, state, (self.threads(), is_stuck), &Budget::unlimited());
        let mut waits = waits.expect("there is no limit");
        if let Hopeless::Endless(_) = self {
            let acts = |pid: &Pid| super::waits::can_act(net, state, pid);
            for wait in waits.iter_mut().filter(|wait| wait.threads.iter().any(acts)) {
                wait.goes_on();
            }
        }
        waits
    }

    /// Each of them with where it is.
    #[must_use]
    pub fn whereabouts(&self, net: &Net, state: &State) -> Vec<Whereabouts> {
        let mut all = whereabouts(net, state);
        let speech = Speech::of(net);
        let named = self.threads().iter().filter_map(|pid| {
            let at = all.remove(pid)?;
            let standing = speech.as_ref().and_then(|one| one.standing(Some(state), pid, &at));
            Some(match standing {
                Some(standing) => Whereabouts {
                    thread: pid.clone(),
                    process: Some(standing.process().to_owned()),
                    at: standing.text(),
                    line: standing.position(),
                },
                None => {
                    Whereabouts { thread: pid.clone(), process: None, at: at.text(), line: None }
                }
            })
        });
        named.collect()
    }
}

/// Where a thread is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whereabouts {
    /// The thread.
    pub thread: Pid,
    /// The kind of process that it is, in a net that was made of processes.
    pub process: Option<String>,
    /// Its place with its data, or the statement before which it is.
    pub at: String,
    /// The line and the column of that statement, from 1.
    pub line: Option<(usize, usize)>,
}
