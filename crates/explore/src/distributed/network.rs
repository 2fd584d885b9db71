//! What a search needs of a network.

use std::fmt;

/// The time on a network goes on in epochs, and in rounds within them.
pub(super) const EPOCH: u64 = 1 << 24;

/// The begin of the epoch after this time.
pub(super) fn next_epoch(now: u64) -> u64 {
    (now | (EPOCH - 1)) + 1
}

/// Processes that explore together, with as many workers each. Every process does the same things in the same order.
pub trait Network: fmt::Debug + Send + Sync {
    /// The number of this process, from 0.
    fn process(&self) -> usize;

    /// The number of processes.
    fn processes(&self) -> usize;

    /// The number of workers in each process.
    fn threads(&self) -> usize;

    /// Has each worker of this process do its piece of work, and waits until all are done. `idle` is called now and
    /// then meanwhile.
    ///
    /// # Errors
    ///
    /// If the work cannot be done: a process or a worker is gone.
    fn run(&self, work: Vec<Work>, idle: &mut dyn FnMut()) -> Result<(), Lost>;
}

/// What a worker is to do. If it fails, the network is of no use any more.
pub type Work = Box<dyn FnOnce(&mut dyn Mailbox) -> Result<(), Lost> + Send>;

/// A worker's place on the network.
///
/// What is sent has a time, which the sender advances. What one worker sends to another arrives in the order in which
/// it was sent.
pub trait Mailbox {
    /// The number of this worker among those of all processes: those of a process follow each other.
    fn index(&self) -> usize;

    /// The number of all workers.
    fn workers(&self) -> usize;

    /// The number of workers in each process.
    fn threads(&self) -> usize;

    /// The present time of this worker.
    fn now(&self) -> u64;

    /// Sends bytes, of which there are some, to a worker.
    fn send(&mut self, to: usize, bytes: Vec<u8>);

    /// Promises to send nothing before this time any more.
    fn advance_to(&mut self, time: u64);

    /// Hands over what was sent to this worker before this time, and has come: the time, who sent it, and the bytes.
    /// What was sent later is kept. If nothing has come, it may `wait` a little.
    ///
    /// # Errors
    ///
    /// If a process or a worker is gone.
    fn receive(
        &mut self,
        before: u64,
        wait: bool,
        take: &mut dyn FnMut(u64, usize, &[u8]),
    ) -> Result<(), Lost>;

    /// Whether everybody has received all that was sent before this time, and nobody will send any more.
    fn is_past(&self, time: u64) -> bool;
}

/// Why processes cannot go on exploring together.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Lost(pub String);

/// Has everybody send bytes to everybody, and gives what was sent, by sender. The epoch ends with it.
pub(super) fn exchange(mailbox: &mut dyn Mailbox, bytes: &[u8]) -> Result<Vec<Vec<u8>>, Lost> {
    let end = next_epoch(mailbox.now());
    for to in 0..mailbox.workers() {
        // Something is sent in any case.
        mailbox.send(to, [&[0], bytes].concat());
    }
    mailbox.advance_to(end);
    let mut received = vec![Vec::new(); mailbox.workers()];
    let mut take = |_, from: usize, bytes: &[u8]| received[from].extend_from_slice(&bytes[1..]);
    loop {
        mailbox.receive(end, true, &mut take)?;
        if mailbox.is_past(end) {
            // What came with the news that this was all.
            mailbox.receive(end, false, &mut take)?;
            return Ok(received);
        }
    }
}
