//! What a worker sends to others, in parcels of rows.

use super::coding::{Encoder, write_plain};
use super::network::Mailbox;
use super::recent::Recent;
use crate::{Space, varint};

/// Rows are sent when there are this many bytes of them.
pub(super) const BATCH: usize = 1 << 14;

/// What a parcel begins with.
pub(super) const ROWS: u8 = 0;
pub(super) const STOP: u8 = 1;
/// States without successor, which are stored already: something is alive in them, or everything has ended.
pub(super) const DEAD: u8 = 2;
pub(super) const ENDED: u8 = 3;
/// States, each with the step that leads there: the number of its source, and its label.
pub(super) const STEPS: u8 = 4;
/// What is gathered by the first worker: states, steps, and states without successor.
pub(super) const GATHERED_STATES: u8 = 5;
pub(super) const GATHERED_STEPS: u8 = 6;
pub(super) const GATHERED_FINALS: u8 = 7;

/// Where a worker is among others.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Place {
    pub(super) index: usize,
    pub(super) workers: usize,
    pub(super) threads: usize,
}

impl Place {
    /// The owner of a state. The middle of its imprint: other bits are used elsewhere.
    #[inline]
    pub(super) fn owner(self, imprint: u64) -> usize {
        let middle = u64::from((imprint >> 16) as u32);
        ((middle * self.workers as u64) >> 32) as usize
    }

    pub(super) fn is_here(self, worker: usize) -> bool {
        worker / self.threads == self.index / self.threads
    }
}

/// What is to be sent to a worker.
#[derive(Default)]
pub(super) struct Outbox {
    rows: Vec<u8>,
    encoder: Encoder,
}

/// What is on its way to others.
#[derive(Default)]
pub(super) struct Outgoing {
    pub(super) outboxes: Vec<Outbox>,
    pub(super) recent: Recent,
    /// What rows are about.
    pub(super) kind: u8,
    /// The bytes that were sent.
    pub(super) sent: u64,
    numbers: Vec<u32>,
}

impl Outgoing {
    /// Puts a state into the outbox of its owner, unless it was sent to it a short while ago.
    pub(super) fn put<S: Space>(
        &mut self,
        place: Place,
        space: &S,
        (imprint, string): (u64, &[u8]),
        mailbox: &mut dyn Mailbox,
    ) {
        if self.recent.is_new(imprint, string) {
            self.send_state(place, space, place.owner(imprint), string, mailbox);
        }
    }

    /// Puts a state into an outbox.
    pub(super) fn send_state<S: Space>(
        &mut self,
        place: Place,
        space: &S,
        to: usize,
        string: &[u8],
        mailbox: &mut dyn Mailbox,
    ) {
        self.begin_row(to);
        let Outbox { rows, encoder } = &mut self.outboxes[to];
        if place.is_here(to) {
            write_plain(string, rows);
        } else {
            let numbers = space.parts(string, &mut self.numbers).then_some(&self.numbers[..]);
            encoder.write(space, string, numbers, rows);
        }
        self.end_row(to, mailbox);
    }

    /// Puts a state into the outbox of its owner, with the step that leads there: its source and label.
    pub(super) fn send_step<S: Space>(
        &mut self,
        place: Place,
        space: &S,
        to: usize,
        step: [u32; 2],
        string: &[u8],
        mailbox: &mut dyn Mailbox,
    ) {
        let rows = self.begin_row(to);
        step.iter().for_each(|number| varint::push((*number).into(), rows));
        self.send_state(place, space, to, string, mailbox);
    }

    /// Puts numbers into an outbox.
    pub(super) fn send_numbers(&mut self, to: usize, numbers: &[u32], mailbox: &mut dyn Mailbox) {
        let rows = self.begin_row(to);
        numbers.iter().for_each(|number| varint::push((*number).into(), rows));
        self.end_row(to, mailbox);
    }

    /// From now on, rows are about something else.
    pub(super) fn send_as(&mut self, kind: u8, mailbox: &mut dyn Mailbox) {
        self.post_all(mailbox);
        self.kind = kind;
    }

    /// The outbox for a worker. What follows in it up to [`end_row`](Self::end_row) is sent in one piece.
    pub(super) fn begin_row(&mut self, to: usize) -> &mut Vec<u8> {
        let rows = &mut self.outboxes[to].rows;
        if rows.is_empty() {
            rows.reserve(BATCH + BATCH / 4);
            rows.push(self.kind);
        }
        rows
    }

    pub(super) fn end_row(&mut self, to: usize, mailbox: &mut dyn Mailbox) {
        if self.outboxes[to].rows.len() >= BATCH {
            self.post(to, mailbox);
        }
    }

    /// Sends what is in an outbox.
    pub(super) fn post(&mut self, to: usize, mailbox: &mut dyn Mailbox) {
        let rows = std::mem::take(&mut self.outboxes[to].rows);
        if !rows.is_empty() {
            self.sent += rows.len() as u64;
            mailbox.send(to, rows);
        }
    }

    /// Sends all that is left.
    pub(super) fn post_all(&mut self, mailbox: &mut dyn Mailbox) {
        (0..self.outboxes.len()).for_each(|to| self.post(to, mailbox));
    }

    /// The memory held, in bytes, as allocated.
    pub(super) fn allocated_bytes(&self) -> u64 {
        let held = |o: &Outbox| o.rows.capacity() as u64 + o.encoder.allocated_bytes();
        self.outboxes.iter().map(held).sum()
    }
}
