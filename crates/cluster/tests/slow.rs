//! A worker that is slow makes the others wait: what is under way to it stays bounded.

#![expect(clippy::print_stdout, reason = "how much was sent is of interest")]

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use cluster::{Network, on_loopback};
use explore::distributed::{DistributedSearch, Lost, Mailbox, Work};
use explore::{Options, Space, Standing, Successors};

/// The worker that is slow.
const SLOW: usize = 2;
/// The states of the first level after the start, and the successors of each.
const MIDDLE: u32 = 300;
const LEAVES: u32 = 2000;
/// The bytes of a string.
const LENGTH: usize = 256;

/// What was sent to the slow worker.
#[derive(Debug, Default)]
struct Meter {
    sent: AtomicU64,
    /// What it has not received yet, and the most that this has been.
    under_way: AtomicI64,
    most: AtomicI64,
}

impl Meter {
    /// Waits until nobody sends any more. Whoever is not made to wait sends all that it has.
    fn wait_until_quiet(&self) {
        let (mut quiet, mut before) = (0, 0);
        while quiet < 5 {
            thread::sleep(Duration::from_millis(50));
            let sent = self.sent.load(SeqCst);
            quiet = if sent == before { quiet + 1 } else { 0 };
            before = sent;
        }
    }
}

/// A network that measures what is under way.
#[derive(Debug)]
struct Metered {
    network: Arc<dyn Network>,
    meter: Arc<Meter>,
}

struct MeteredMailbox<'m> {
    mailbox: &'m mut dyn Mailbox,
    meter: Arc<Meter>,
}

impl Network for Metered {
    fn process(&self) -> usize {
        self.network.process()
    }

    fn processes(&self) -> usize {
        self.network.processes()
    }

    fn threads(&self) -> usize {
        self.network.threads()
    }

    fn run(&self, work: Vec<Work>, idle: &mut dyn FnMut()) -> Result<(), Lost> {
        let measured = work.into_iter().map(|work| {
            let meter = self.meter.clone();
            Box::new(move |mailbox: &mut dyn Mailbox| work(&mut MeteredMailbox { mailbox, meter }))
                as Work
        });
        self.network.run(measured.collect(), idle)
    }
}

impl Mailbox for MeteredMailbox<'_> {
    fn index(&self) -> usize {
        self.mailbox.index()
    }

    fn workers(&self) -> usize {
        self.mailbox.workers()
    }

    fn threads(&self) -> usize {
        self.mailbox.threads()
    }

    fn now(&self) -> u64 {
        self.mailbox.now()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        if to == SLOW {
            let length = bytes.len() as i64;
            let under_way = self.meter.under_way.fetch_add(length, SeqCst) + length;
            self.meter.most.fetch_max(under_way, SeqCst);
            self.meter.sent.fetch_add(length as u64, SeqCst);
        }
        self.mailbox.send(to, bytes);
    }

    fn advance_to(&mut self, time: u64) {
        self.mailbox.advance_to(time);
    }

    fn receive(
        &mut self,
        before: u64,
        wait: bool,
        take: &mut dyn FnMut(u64, usize, &[u8]),
    ) -> Result<(), Lost> {
        let (is_slow, meter) = (self.mailbox.index() == SLOW, &self.meter);
        self.mailbox.receive(before, wait, &mut |time, from, bytes| {
            if is_slow {
                meter.under_way.fetch_sub(bytes.len() as i64, SeqCst);
            }
            take(time, from, bytes);
        })
    }

    fn is_past(&self, time: u64) -> bool {
        self.mailbox.is_past(time)
    }
}

/// A start, some states that follow it, and many that follow each of these.
#[derive(Clone)]
struct Wide {
    meter: Arc<Meter>,
    /// Whether this worker has yet to be slow.
    is_slow: bool,
}

fn string(depth: u8, number: u32) -> [u8; LENGTH] {
    let mut string = [depth; LENGTH];
    string[1..5].copy_from_slice(&number.to_le_bytes());
    string
}

impl Space for Wide {
    type Fault = String;

    fn initial(&mut self, successors: &mut Successors) -> Result<(), String> {
        successors.push(0, 1, &string(0, 0));
        Ok(())
    }

    fn expand(&mut self, state: &[u8], successors: &mut Successors) -> Result<Standing, String> {
        let number = u32::from_le_bytes(state[1..5].try_into().expect("four bytes"));
        match state[0] {
            0 => (0..MIDDLE).for_each(|next| successors.push(0, 1, &string(1, next))),
            1 => {
                if std::mem::take(&mut self.is_slow) {
                    self.meter.wait_until_quiet();
                }
                let all = number * LEAVES..(number + 1) * LEAVES;
                all.for_each(|next| successors.push(0, 1, &string(2, next)));
            }
            _ => {}
        }
        Ok(Standing::Ended)
    }
}

#[test]
fn what_is_under_way_to_a_slow_worker_is_bounded() {
    for (processes, threads) in [(3, 1), (1, 3)] {
        let meter = Arc::new(Meter::default());
        let counts = Mutex::new(Vec::new());
        on_loopback(processes, threads, |network| {
            let first = network.process() * threads;
            let space = |number: usize| {
                let is_slow = first + number == SLOW;
                Wide { meter: meter.clone(), is_slow }
            };
            let spaces = (0..threads).map(space).collect();
            let network = Arc::new(Metered { network, meter: meter.clone() });
            let describe = Arc::new(|fault| (None, fault));
            let options = Options::default();
            let search = DistributedSearch::begin(network, spaces, &options, describe);
            let mut search = search.expect("all are there");
            let never: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
            search.advance(u64::MAX, &never, &mut |_| {}).expect("all are there");
            counts.lock().expect("nobody panics").push(search.totals().levels.clone());
        })
        .expect("connections");
        let levels = vec![1, u64::from(MIDDLE), u64::from(MIDDLE * LEAVES)];
        assert_eq!(counts.into_inner().expect("nobody panics"), vec![levels; processes]);
        // Two of three find two thirds of what it owns, which is a third of all.
        let (sent, most) = (meter.sent.load(SeqCst), meter.most.load(SeqCst) as u64);
        println!("{processes} processes: {sent} bytes were sent, {most} at once");
        assert!(sent > u64::from(MIDDLE * LEAVES) * LENGTH as u64 / 6, "{sent} bytes were sent");
        assert!(most * 2 < sent, "{most} of {sent} bytes were under way at once");
    }
}
