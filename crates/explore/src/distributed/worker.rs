//! One worker: it expands the states that it owns, and takes in those that others find.

use std::sync::Arc;

use budget::{Account, Exhausted};

use super::coding::{Decoder, portable};
use super::intake::Intake;
use super::network::{EPOCH, Lost, Mailbox};
use super::outgoing::{BATCH, Outbox, Outgoing, Place, ROWS, STEPS, STOP};
use super::portion::Portion;
use super::progress::Live;
use super::report::{FaultFound, ReachedFound, Report, Totals, encoded};
use super::search::Describe;
use crate::{Fired, Options, Space, Standing, StateId, Stop, Store, Successors, growth};

/// The bytes that are under way to a worker, at most, roughly.
const UNDER_WAY: usize = 1 << 24;
/// The rounds that may be open at once.
const OPEN_ROUNDS: u64 = 4;
/// The successors between two looks at the mailbox.
const WORK_PER_LOOK: u64 = 1 << 11;

/// Where at most this many states may come, a worker may own all of them.
const FEW: u64 = 1000;

/// A worker: its space, its states, and what it sends and receives.
pub(super) struct Worker<S: Space> {
    pub(super) space: S,
    pub(super) portion: Portion,
    pub(super) options: Options,
    pub(super) describe: Describe<S::Fault>,
    /// Whether it should stop, and why, as it has seen itself.
    pub(super) stop: Option<Stop>,
    pub(super) fault: Option<FaultFound>,
    pub(super) reached: Option<ReachedFound>,
    /// What all have found, up to the end of the last level.
    pub(super) totals: Totals,
    pub(super) live: Arc<Live>,
    told: (u64, u64),
    pub(super) place: Place,
    pub(super) intake: Intake,
    pub(super) outgoing: Outgoing,
    pub(super) successors: Successors,
    /// Of each successor of the state being expanded: label, imprint, and its number.
    row: Vec<(u32, u64, u32)>,
    /// Whether steps are kept.
    pub(super) keeps_steps: bool,
    account: Account,
    /// What was known at the begin of the level.
    pub(super) before: Before,
    /// Whether it has expanded a level, or a part of one.
    pub(super) has_expanded: bool,
    /// The number of levels that the first worker has gathered.
    pub(super) handed_over: u32,
}

/// What is known at the end of a level, beside states and levels.
#[derive(Clone, Default, Debug)]
pub(super) struct Before {
    pub(super) edges: u64,
    pub(super) modes: u64,
    pub(super) fired: Fired,
    pub(super) deadlocks: usize,
    pub(super) terminated: usize,
}

/// How far a worker is within an epoch.
pub(super) struct Pace {
    epoch: u64,
    end: u64,
    round: u64,
    /// What was sent before this round.
    sent_before: u64,
    per_round: u64,
    /// Work since the mailbox was looked at.
    work: u64,
}

impl<S: Space> Worker<S> {
    pub(super) fn new(
        space: S,
        options: &Options,
        describe: Describe<S::Fault>,
        live: Arc<Live>,
    ) -> Worker<S> {
        let mut portion = Portion::default();
        if let Some(bits) = options.hash_bits {
            portion.found.store = Store::with_hash_bits(bits);
        }
        Worker {
            portion,
            space,
            describe,
            live,
            successors: Successors::within(&options.budget),
            account: options.budget.account(),
            options: options.clone(),
            stop: None,
            fault: None,
            reached: None,
            totals: Totals::default(),
            told: (0, 0),
            place: Place::default(),
            intake: Intake::default(),
            outgoing: Outgoing::default(),
            row: Vec::new(),
            keeps_steps: options.keep_edges,
            before: Before::default(),
            has_expanded: false,
            handed_over: 0,
        }
    }

    /// Takes its place on the network.
    pub(super) fn join(&mut self, mailbox: &dyn Mailbox) {
        let (index, workers, threads) = (mailbox.index(), mailbox.workers(), mailbox.threads());
        self.place = Place { index, workers, threads };
        self.outgoing.outboxes.resize_with(workers, Outbox::default);
        self.intake.decoders.resize_with(workers, Decoder::default);
    }

    /// Stores those of the initial states that it owns.
    pub(super) fn begin(&mut self) {
        self.successors.clear();
        if let Err(fault) = self.space.initial(&mut self.successors) {
            let (label, what) = (self.describe)(fault);
            self.fault = Some(FaultFound { depth: 0, state: None, label, what });
            return;
        }
        self.stop = self.successors.cut_short().map(Stop::Exhausted);
        for (_, _, string) in self.successors.iter() {
            let imprint = self.space.imprint(string);
            if self.place.owner(imprint) == self.place.index {
                self.intake.push(string);
            }
        }
        self.intake.store(&mut self.portion);
        self.portion.found.initial = self.portion.found.store.len();
        self.end_level();
    }

    /// Notes that the level which is not expanded yet is complete.
    pub(super) fn end_level(&mut self) {
        self.portion.ends.push(self.portion.found.store.len());
        if self.has_expanded {
            self.portion.steps.end_level();
        }
    }

    /// Expands the last level, sends what follows to its owners, and takes in what others send. Then the next level is
    /// complete. If there are more than `most_states` in all, that is soon noticed.
    pub(super) fn expand_level(
        &mut self,
        mailbox: &mut dyn Mailbox,
        most_states: u64,
    ) -> Result<(), Lost> {
        let mut pace = self.begin_epoch(mailbox);
        let level = self.portion.level(self.portion.ends.len() as u32 - 1);
        // The states that may still come are shared by all, who own nearly as many each.
        let room = most_states.saturating_sub(self.totals.states);
        let share = (room / self.place.workers as u64).saturating_mul(2).max(FEW);
        let most = u64::from(level.end).saturating_add(room.min(share));
        self.before = self.counts(false);
        self.has_expanded = true;
        self.outgoing.send_as(if self.keeps_steps { STEPS } else { ROWS }, mailbox);
        for id in level.map(StateId) {
            if self.stop.is_none() {
                self.stop = self.options.budget.exhausted().map(Stop::Exhausted);
            }
            if self.stop.is_some() || self.intake.is_stopped {
                break;
            }
            self.expand(id, mailbox);
            if self.keep_pace(self.successors.work(), &mut pace, mailbox)? {
                self.look(most);
            }
        }
        self.outgoing.send_as(ROWS, mailbox);
        self.end_epoch(&pace, most, mailbox)?;
        self.look(most);
        self.end_level();
        Ok(())
    }

    /// Tells all others to stop, as this one has.
    fn tell_to_stop(&self, mailbox: &mut dyn Mailbox) {
        for to in (0..self.place.workers).filter(|to| *to != self.place.index) {
            mailbox.send(to, vec![STOP]);
        }
    }

    /// Begins to send and to take in.
    pub(super) fn begin_epoch(&mut self, mailbox: &dyn Mailbox) -> Pace {
        let epoch = mailbox.now();
        self.intake.round = epoch;
        self.intake.is_stopped = false;
        let under_way = UNDER_WAY / self.place.workers / OPEN_ROUNDS as usize;
        Pace {
            epoch,
            end: epoch + EPOCH,
            round: epoch,
            sent_before: self.outgoing.sent,
            per_round: under_way.clamp(2 * BATCH, 1 << 20) as u64,
            work: 0,
        }
    }

    /// After some work, takes in what has come, and waits where too much is under way. Says whether it was time to.
    pub(super) fn keep_pace(
        &mut self,
        work: u64,
        pace: &mut Pace,
        mailbox: &mut dyn Mailbox,
    ) -> Result<bool, Lost> {
        pace.work += work;
        if pace.work < WORK_PER_LOOK {
            return Ok(false);
        }
        pace.work = 0;
        self.take_in(mailbox, pace.end, false)?;
        // Whoever is behind would hold up the others.
        let is_full = self.outgoing.sent - pace.sent_before >= pace.per_round;
        let next = self.intake.round.max(pace.round + u64::from(is_full));
        if next > pace.round && next < pace.end - 1 {
            pace.round = next;
            pace.sent_before = self.outgoing.sent;
            mailbox.advance_to(next);
            let earlier = next.saturating_sub(OPEN_ROUNDS).max(pace.epoch);
            while is_full && !mailbox.is_past(earlier) {
                self.take_in(mailbox, pace.end, true)?;
            }
        }
        Ok(true)
    }

    /// Sends what is left, and takes in all that others have sent. If more than `most` states come to be here, or the
    /// budget is used up meanwhile, all are told to stop.
    pub(super) fn end_epoch(
        &mut self,
        pace: &Pace,
        most: u64,
        mailbox: &mut dyn Mailbox,
    ) -> Result<(), Lost> {
        self.outgoing.post_all(mailbox);
        // The last round is for those who have nothing left to send but that.
        let last = pace.end - 1;
        mailbox.advance_to(last);
        let mut has_told = false;
        while !mailbox.is_past(last) {
            if self.stop.is_none() {
                self.look(most);
                let exhausted = self.options.budget.exhausted().map(Stop::Exhausted);
                self.stop = self.stop.or(exhausted);
            }
            if self.stop.is_some() && !has_told {
                self.tell_to_stop(mailbox);
                has_told = true;
            }
            self.take_in(mailbox, pace.end, true)?;
        }
        mailbox.advance_to(pace.end);
        while !mailbox.is_past(pace.end) {
            self.take_in(mailbox, pace.end, true)?;
        }
        // What came with the news that this was all.
        self.take_in(mailbox, pace.end, false)
    }

    /// Stores a state if it owns it, at the next call of [`Intake::store`], or sends it to its owner.
    pub(super) fn pass(&mut self, imprint: u64, string: &[u8], mailbox: &mut dyn Mailbox) {
        if self.place.owner(imprint) == self.place.index {
            self.intake.push(string);
        } else {
            self.outgoing.put(self.place, &self.space, (imprint, string), mailbox);
        }
    }

    /// Takes in what has come.
    fn take_in(&mut self, mailbox: &mut dyn Mailbox, end: u64, wait: bool) -> Result<(), Lost> {
        let Worker { space, portion, place, intake, .. } = self;
        mailbox.receive(end, wait, &mut |time, from, bytes| {
            intake.read(*place, space, portion, (time, from, bytes));
        })
    }

    /// Notes a piece of work that is as small as any.
    pub(super) fn step_on(
        &mut self,
        pace: &mut Pace,
        mailbox: &mut dyn Mailbox,
    ) -> Result<(), Lost> {
        if self.keep_pace(1, pace, mailbox)? {
            self.look(u64::MAX);
        }
        Ok(())
    }

    /// Forgets its states.
    pub(super) fn forget(&mut self) {
        self.portion = Portion::default();
        self.account.set(self.held());
    }

    /// Whether the last level is there in part only.
    pub(super) fn has_cut_level(&self) -> bool {
        self.totals.is_cut && !self.totals.complete && self.has_expanded
    }

    /// What it has counted; if the last level is cut, before that.
    pub(super) fn counts(&self, is_cut: bool) -> Before {
        let found = &self.portion.found;
        match is_cut {
            true => self.before.clone(),
            false => Before {
                edges: found.edges,
                modes: found.modes,
                fired: found.fired.clone(),
                deadlocks: found.deadlocks.len(),
                terminated: found.terminated.len(),
            },
        }
    }

    /// Says what it holds and how far it is, and stops where there are too many states.
    fn look(&mut self, most: u64) {
        let found = &self.portion.found;
        let states = found.store.len();
        self.live.tell(states.into(), found.expanded, &mut self.told);
        self.account.set(self.held());
        if self.stop.is_none() && (u64::from(states) > most || states > Store::CAPACITY - (1 << 24))
        {
            self.stop = Some(Stop::States);
        }
    }

    /// The bytes it holds.
    fn held(&self) -> u64 {
        self.portion.allocated_bytes()
            + self.space.allocated_bytes()
            + self.outgoing.allocated_bytes()
            + self.intake.gathered.allocated_bytes()
    }

    /// Expands a state, and passes on what follows.
    fn expand(&mut self, id: StateId, mailbox: &mut dyn Mailbox) {
        self.successors.clear();
        let state = self.portion.found.store.get(id);
        let standing = match self.space.expand(state, &mut self.successors) {
            Ok(standing) => standing,
            Err(fault) => {
                let state = Some(portable(&self.space, state));
                let (label, what) = (self.describe)(fault);
                let found = FaultFound { depth: self.portion.depth_of(id), state, label, what };
                if self.fault.as_ref().is_none_or(|other| found < *other) {
                    self.fault = Some(found);
                }
                // Nothing of what it leads to counts.
                self.portion.found.expanded += 1;
                return;
            }
        };
        if let Some(reason) = self.successors.cut_short() {
            self.stop = Some(Stop::Exhausted(reason));
            return;
        }
        self.notice_label(id);
        self.count(id, standing);
        self.pass_on(id, mailbox);
    }

    /// Counts what was fired. An edge is a label and a target, however many modes lead there.
    fn count(&mut self, id: StateId, standing: Standing) {
        let Worker { space, portion, successors, row, .. } = self;
        let found = &mut portion.found;
        found.expanded += 1;
        row.clear();
        for (number, (label, modes, string)) in (0..).zip(successors.iter()) {
            found.modes = found.modes.saturating_add(modes);
            found.fired.add(label, modes);
            row.push((label, space.imprint(string), number));
        }
        if row.is_empty() {
            let list = match standing {
                Standing::Alive => &mut found.deadlocks,
                Standing::Ended => &mut found.terminated,
            };
            growth::push(list, id);
            return;
        }
        row.sort_unstable();
        for alike in row.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            found.edges += match alike {
                [_] => 1,
                _ => {
                    // An imprint decides nothing.
                    let mut strings: Vec<&[u8]> =
                        alike.iter().map(|&(_, _, number)| successors.string(number)).collect();
                    strings.sort_unstable();
                    strings.dedup();
                    strings.len() as u64
                }
            };
        }
    }

    /// Notes the least step with the label looked for.
    fn notice_label(&mut self, id: StateId) {
        let Some(wanted) = self.options.until_label else { return };
        for (_, _, string) in self.successors.iter().filter(|(label, ..)| *label == wanted) {
            let source = portable(&self.space, self.portion.found.store.get(id));
            let target = portable(&self.space, string);
            let depth = self.portion.depth_of(id);
            let found = ReachedFound { depth, label: wanted, source, target };
            if self.reached.as_ref().is_none_or(|other| found < *other) {
                self.reached = Some(found);
            }
        }
    }

    /// Stores the successors that it owns, and puts the others into the outboxes; with the steps, if they are kept.
    fn pass_on(&mut self, id: StateId, mailbox: &mut dyn Mailbox) {
        if self.keeps_steps {
            return self.pass_on_steps(id, mailbox);
        }
        let Worker { space, successors, place, outgoing, intake, row, .. } = self;
        for &(_, imprint, number) in &*row {
            let string = successors.string(number);
            if place.owner(imprint) == place.index {
                intake.push(string);
            } else {
                outgoing.put(*place, space, (imprint, string), mailbox);
            }
        }
        self.intake.store(&mut self.portion);
    }

    fn pass_on_steps(&mut self, id: StateId, mailbox: &mut dyn Mailbox) {
        let Worker { space, successors, place, outgoing, intake, row, .. } = self;
        let mut last: Option<(u32, &[u8])> = None;
        for &(label, imprint, number) in &*row {
            let string = successors.string(number);
            // Several modes often lead to the same state.
            if last.replace((label, string)) == Some((label, string)) {
                continue;
            }
            let owner = place.owner(imprint);
            if owner == place.index {
                intake.origins.push([owner as u32, id.0, label]);
                intake.push(string);
            } else {
                outgoing.send_step(*place, space, owner, [id.0, label], string, mailbox);
            }
        }
        self.intake.store(&mut self.portion);
    }

    /// Expands a level again, so that owners have the steps out of it. Says why not all was expanded, if so.
    pub(super) fn expand_again(
        &mut self,
        level: u32,
        mailbox: &mut dyn Mailbox,
    ) -> Result<Option<Exhausted>, Lost> {
        let mut cut = None;
        let mut pace = self.begin_epoch(mailbox);
        self.outgoing.send_as(STEPS, mailbox);
        for id in self.portion.level(level).map(StateId) {
            self.successors.clear();
            let state = self.portion.found.store.get(id);
            let expanded = self.space.expand(state, &mut self.successors);
            assert!(expanded.is_ok(), "it has been expanded before");
            cut = self.successors.cut_short().or_else(|| self.options.budget.exhausted());
            if cut.is_some() {
                break;
            }
            let Worker { space, successors, row, .. } = self;
            row.clear();
            let all = (0..).zip(successors.iter());
            row.extend(all.map(|(at, (label, _, string))| (label, space.imprint(string), at)));
            row.sort_unstable();
            self.pass_on_steps(id, mailbox);
            self.keep_pace(self.successors.work(), &mut pace, mailbox)?;
        }
        self.outgoing.send_as(ROWS, mailbox);
        self.end_epoch(&pace, u64::MAX, mailbox)?;
        Ok(cut)
    }

    /// What it tells the others at the end of a level.
    pub(super) fn report(&self, pause: bool) -> Report {
        let found = &self.portion.found;
        Report {
            states: found.states(),
            expanded: found.expanded,
            level: self.portion.level(self.portion.ends.len().max(1) as u32 - 1).len() as u64,
            edges: found.edges,
            modes: found.modes,
            deadlocks: found.deadlocks.len() as u64,
            terminated: found.terminated.len() as u64,
            sent: self.outgoing.sent,
            held: self.held(),
            stop: self.stop.map(encoded),
            fault: self.fault.clone(),
            reached: self.reached.clone(),
            pause,
        }
    }
}
