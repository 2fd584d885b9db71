//! Searches that go on from what was kept, and keep what they find.

use std::sync::{Arc, Mutex};

use super::intake::note_final;
use super::keeping::{Kept, Restoring, ShardJournal, Source};
use super::network::{Lost, Mailbox, Network, exchange};
use super::outgoing::{DEAD, ENDED, ROWS};
use super::search::{Describe, DistributedSearch, agree, lock, understood};
use super::worker::Worker;
use crate::checkpoint::codec::Sink;
use crate::checkpoint::disk::Disk;
use crate::checkpoint::shards::{ShardCut, ShardMark};
use crate::{CheckpointError, Options, Space, Successors};

/// The strings that are read between two looks at the budget.
const STRINGS_PER_LOOK: u32 = 1 << 14;

/// A shard that another worker had, to be dealt out.
struct OldShard {
    mark: ShardMark,
    strings: Source,
    /// The states without successor, and whether everything has ended in them.
    finals: Vec<(u32, bool)>,
    /// What the process of the shard has numbered, and its numbers here.
    parts: Arc<Vec<Vec<u8>>>,
    numbers: Vec<Option<u32>>,
}

impl<S: Space<Fault: 'static> + Send + 'static> DistributedSearch<S> {
    /// A search that goes on from what is kept in the journal, or begins. All processes have one.
    ///
    /// # Errors
    ///
    /// If a process or a worker is gone. The inner result says whether files are damaged.
    pub fn begin_kept(
        network: Arc<dyn Network>,
        spaces: Vec<S>,
        options: &Options,
        describe: Describe<S::Fault>,
        journal: &mut ShardJournal,
    ) -> Result<Result<Self, CheckpointError>, Lost> {
        let Some(restoring) = journal.restoring.take() else {
            return Self::begin(network, spaces, options, describe).map(Ok);
        };
        let mut search = Self::unbegun(network, spaces, options, describe);
        search.earlier = journal.earlier();
        let mut error = None;
        match restoring {
            Restoring::Same(cut) => {
                error = search.restored(&cut, journal).err();
                let texts = error.as_ref().map(ToString::to_string).unwrap_or_default();
                let all = search.exchange(texts.into_bytes())?;
                if let (None, Some(other)) = (&error, all.iter().position(|text| !text.is_empty()))
                {
                    let text = String::from_utf8_lossy(&all[other]).into_owned();
                    return Err(Lost(format!("process {other}: {text}")));
                }
                if error.is_none() {
                    search.each(&mut || {}, |_, worker, mailbox| {
                        worker.join(mailbox);
                        Ok(())
                    })?;
                }
            }
            Restoring::Others(shards) => {
                let directories: Vec<String> = shards
                    .iter()
                    .map(|(process, _)| journal.directory_of(*process).path(""))
                    .collect();
                let shards: Arc<Vec<ShardCut>> =
                    Arc::new(shards.into_iter().map(|(_, cut)| cut).collect());
                let directories = Arc::new(directories);
                let failed: Arc<Mutex<Option<CheckpointError>>> = Arc::default();
                let slot = failed.clone();
                search.each(&mut || {}, move |_, worker, mailbox| {
                    worker.join(mailbox);
                    let opened = opened(&shards, &directories, mailbox);
                    let text = opened.as_ref().err().map(ToString::to_string).unwrap_or_default();
                    let all = exchange(mailbox, text.as_bytes())?;
                    match opened {
                        Err(error) => *lock(&slot) = Some(error),
                        Ok(old) if all.iter().all(Vec::is_empty) => {
                            let levels = shards.first().map_or(0, |cut| cut.levels);
                            worker.deal_out(old, levels, mailbox)?;
                        }
                        Ok(_) => {
                            let text = all.iter().find(|text| !text.is_empty());
                            let text =
                                String::from_utf8_lossy(text.map_or(&[], |t| t)).into_owned();
                            let error = CheckpointError::damaged("the checkpoint", text);
                            lock(&slot).get_or_insert(error);
                        }
                    }
                    Ok(())
                })?;
                error = error.or(lock(&failed).take());
            }
        }
        if let Some(error) = error {
            return Ok(Err(error));
        }
        search.go_on()?;
        Ok(Ok(search))
    }

    /// Fills the workers of this process with the states that they had.
    fn restored(&self, cut: &ShardCut, journal: &ShardJournal) -> Result<(), CheckpointError> {
        let mut parts = journal.read("parts", &cut.parts)?;
        for number in 0..cut.part_count {
            if lock(&self.workers[0]).space.adopt(parts.string()?) != number {
                return Err(parts.damaged("a part is there twice"));
            }
        }
        for (worker, mark) in self.workers.iter().zip(&cut.workers) {
            let worker = &mut *lock(worker);
            let found = &mut worker.portion.found;
            let states = mark.ends.last().copied().unwrap_or(0);
            let mut strings = journal.read("strings", &mark.files["strings"])?;
            for number in 0..states {
                if number % STRINGS_PER_LOOK == 0 {
                    worker.options.budget.check().map_err(CheckpointError::Exhausted)?;
                }
                if !found.store.insert(strings.string()?).1 {
                    return Err(strings.damaged("a string is there twice"));
                }
            }
            let mut finals = journal.read("finals", &mark.files["finals"])?;
            for _ in 0..mark.deadlocks + mark.terminated {
                let (id, has_ended) = finals.final_state(states)?;
                let list = if has_ended { &mut found.terminated } else { &mut found.deadlocks };
                list.push(id);
            }
            worker.portion.ends.clone_from(&mark.ends);
            worker.add_counts(mark);
            worker.settle_in();
        }
        Ok(())
    }

    /// Agrees on what was kept, before the search goes on.
    fn go_on(&self) -> Result<(), Lost> {
        let (shared, most_states) = (self.totals.clone(), self.most_states);
        self.each(&mut || {}, move |_, worker, mailbox| {
            worker.check_initial()?;
            let sizes: Vec<u64> = (0..worker.portion.ends.len() as u32)
                .map(|depth| worker.portion.level(depth).len() as u64)
                .collect();
            let said = serde_json::to_vec(&sizes).expect("numbers");
            let mut levels: Vec<u64> = Vec::new();
            for said in exchange(mailbox, &said)? {
                let sizes: Vec<u64> = understood(&said)?;
                levels.resize(levels.len().max(sizes.len()), 0);
                levels.iter_mut().zip(sizes).for_each(|(level, size)| *level += size);
            }
            // The last is agreed on like that of any level.
            levels.pop();
            worker.totals.levels.clone_from(&levels);
            if mailbox.index().is_multiple_of(mailbox.threads()) {
                lock(&shared).levels = levels;
            }
            agree(worker, mailbox, &shared, most_states, false)
        })
    }

    /// Keeps what was found, up to the end of the last level that is complete. All processes have to.
    ///
    /// # Errors
    ///
    /// If a process or a worker is gone. That something cannot be written, the checkpoint says.
    pub fn save(&self, journal: &mut ShardJournal) -> Result<(), Lost> {
        let totals = self.totals();
        let mut workers: Vec<_> = self.workers.iter().map(|worker| lock(worker)).collect();
        let Worker { has_expanded, portion, .. } = &*workers[0];
        let (has_expanded, is_restored) = (*has_expanded, portion.is_restored);
        if totals.is_over() && !has_expanded && !is_restored && !totals.complete {
            // Perhaps not even the initial states are all there.
            return Ok(());
        }
        let is_cut = totals.is_over() && !totals.complete && has_expanded;
        let levels = workers[0].portion.ends.len() - usize::from(is_cut);
        if levels == 0 || journal.has(levels) {
            return Ok(());
        }
        let part_count = workers[0].space.part_count();
        let parts = (journal.parts_written..part_count).map(|number| {
            let mut part = Vec::new();
            workers[0].space.part(number, &mut part);
            part
        });
        let parts: Vec<Vec<u8>> = parts.collect();
        let written = journal.written.clone();
        let kept = workers.iter_mut().zip(written);
        let kept = kept.map(|(worker, written)| worker.kept(levels, is_cut, written)).collect();
        let milliseconds = self.earlier + self.began.elapsed().as_millis() as u64;
        let cut = journal.write(levels, milliseconds, (part_count, parts), kept);
        drop(workers);
        let trouble = cut.as_ref().err().map(ToString::to_string);
        let all = self.exchange(trouble.clone().unwrap_or_default().into_bytes())?;
        let have_all = all.iter().all(Vec::is_empty);
        journal.settle(cut.ok().filter(|_| have_all), trouble);
        Ok(())
    }
}

/// The shards that a worker is to deal out, verified.
fn opened(
    cuts: &[ShardCut],
    directories: &[String],
    mailbox: &dyn Mailbox,
) -> Result<Vec<OldShard>, CheckpointError> {
    let mut old = Vec::new();
    let mut number = 0;
    for (cut, directory) in cuts.iter().zip(directories) {
        let disk = crate::checkpoint::disk::Folder::look(std::path::Path::new(directory));
        let mut parts: Option<Arc<Vec<Vec<u8>>>> = None;
        for mark in &cut.workers {
            let is_mine = number % mailbox.workers() == mailbox.index();
            number += 1;
            if !is_mine {
                continue;
            }
            let parts = match &parts {
                Some(parts) => parts.clone(),
                None => {
                    let mut source = Source::of("parts", &cut.parts, &disk)?;
                    let mut all = Vec::new();
                    for _ in 0..cut.part_count {
                        all.push(source.string()?.to_vec());
                    }
                    parts.insert(Arc::new(all)).clone()
                }
            };
            let states = mark.ends.last().copied().unwrap_or(0);
            let mut source = Source::of("finals", &mark.files["finals"], &disk)?;
            let mut finals = Vec::new();
            for _ in 0..mark.deadlocks + mark.terminated {
                let (id, has_ended) = source.final_state(states)?;
                finals.push((id.0, has_ended));
            }
            finals.sort_unstable();
            let strings = Source::of("strings", &mark.files["strings"], &disk)?;
            let numbers = vec![None; parts.len()];
            old.push(OldShard { mark: mark.clone(), strings, finals, parts, numbers });
        }
    }
    Ok(old)
}

impl OldShard {
    /// The next string of this shard, as it is here.
    fn next<S: Space>(&mut self, space: &mut S, to: &mut Vec<u8>) -> Result<(), CheckpointError> {
        let OldShard { strings, parts, numbers: known, .. } = self;
        let string = strings.string()?;
        let mut numbers = Vec::new();
        to.clear();
        if !space.parts(string, &mut numbers) {
            to.extend_from_slice(string);
            return Ok(());
        }
        for number in &mut numbers {
            let Some(part) = parts.get(*number as usize) else {
                return Err(strings.damaged("a string has a part that is not there"));
            };
            let known = &mut known[*number as usize];
            *number = *known.get_or_insert_with(|| space.adopt(part));
        }
        space.compose(&mut numbers, space.rest(string).unwrap_or(&[]), to);
        Ok(())
    }
}

impl<S: Space> Worker<S> {
    /// Deals out shards to those who own the states now, level by level.
    fn deal_out(
        &mut self,
        mut old: Vec<OldShard>,
        levels: usize,
        mailbox: &mut dyn Mailbox,
    ) -> Result<(), Lost> {
        let damaged = |error: CheckpointError| Lost(error.to_string());
        let mut finals: Vec<(u64, Vec<u8>, bool)> = Vec::new();
        let mut here = Vec::new();
        for level in 0..levels {
            let mut pace = self.begin_epoch(mailbox);
            for shard in &mut old {
                let start = level.checked_sub(1).map_or(0, |before| shard.mark.ends[before]);
                for id in start..shard.mark.ends[level] {
                    shard.next(&mut self.space, &mut here).map_err(damaged)?;
                    let imprint = self.space.imprint(&here);
                    self.pass(imprint, &here, mailbox);
                    self.intake.store(&mut self.portion);
                    if let Ok(at) = shard.finals.binary_search_by_key(&id, |(id, _)| *id) {
                        finals.push((imprint, here.clone(), shard.finals[at].1));
                    }
                    self.keep_pace(1, &mut pace, mailbox)?;
                }
            }
            self.end_epoch(&pace, u64::MAX, mailbox)?;
            self.end_level();
        }
        for (kind, has_ended) in [(DEAD, false), (ENDED, true)] {
            let mut pace = self.begin_epoch(mailbox);
            self.outgoing.kind = kind;
            self.outgoing.recent = Default::default();
            for (imprint, string, _) in finals.iter().filter(|(.., ended)| *ended == has_ended) {
                match self.place.owner(*imprint) == self.place.index {
                    true => note_final(&mut self.portion.found, kind, string),
                    false => self.pass(*imprint, string, mailbox),
                }
                self.keep_pace(1, &mut pace, mailbox)?;
            }
            self.end_epoch(&pace, u64::MAX, mailbox)?;
        }
        self.outgoing.kind = ROWS;
        old.iter().for_each(|shard| self.add_counts(&shard.mark));
        self.settle_in();
        Ok(())
    }

    /// Adds what was counted in a shard.
    fn add_counts(&mut self, mark: &ShardMark) {
        let found = &mut self.portion.found;
        found.edges += mark.edges;
        found.modes = found.modes.saturating_add(mark.modes);
        mark.fired.iter().for_each(|&(label, modes)| found.fired.add(label, modes));
    }

    /// All levels but the last are expanded.
    fn settle_in(&mut self) {
        let portion = &mut self.portion;
        let before = portion.ends.len().checked_sub(2).map_or(0, |at| portion.ends[at]);
        portion.found.expanded = before.into();
        portion.found.initial = portion.ends.first().copied().unwrap_or(0);
        portion.found.deadlocks.sort_unstable();
        portion.found.terminated.sort_unstable();
        portion.is_restored = true;
        // Steps are not kept on disk.
        portion.steps.begin_at(portion.ends.len().max(1) as u32 - 1);
    }

    /// That the first states are those that the space begins with.
    fn check_initial(&mut self) -> Result<(), Lost> {
        let mut initial = Successors::within(&self.options.budget);
        let _ = self.space.initial(&mut initial);
        for (_, _, string) in initial.iter() {
            let imprint = self.space.imprint(string);
            let found = &self.portion.found;
            let is_first = || found.store.find(string).is_some_and(|id| id.0 < found.initial);
            if self.place.owner(imprint) == self.place.index && !is_first() {
                return Err(Lost(
                    "what is kept begins with other states than the model".to_owned(),
                ));
            }
        }
        Ok(())
    }

    /// What is to be kept up to the end of a level. If the last one is cut, what was known before it.
    fn kept(&mut self, levels: usize, is_cut: bool, written: [usize; 3]) -> Kept<'_> {
        let counts = self.counts(is_cut);
        let Worker { portion, .. } = self;
        let found = &portion.found;
        let ends = portion.ends[..levels].to_vec();
        let states = ends.last().copied().unwrap_or(0);
        let mark = ShardMark {
            ends,
            edges: counts.edges,
            modes: counts.modes,
            fired: counts.fired.iter().collect(),
            deadlocks: counts.deadlocks as u64,
            terminated: counts.terminated as u64,
            ..ShardMark::default()
        };
        let strings = move |to: &mut dyn std::io::Write| {
            Sink::new(to).strings(found, written[0] as u32..states)
        };
        let (dead, ended) = (counts.deadlocks, counts.terminated);
        let finals = move |to: &mut dyn std::io::Write| {
            let mut to = Sink::new(to);
            for id in &found.deadlocks[written[1]..dead] {
                to.number(u64::from(id.0) << 1)?;
            }
            for id in &found.terminated[written[2]..ended] {
                to.number(u64::from(id.0) << 1 | 1)?;
            }
            to.finish()
        };
        Kept {
            mark,
            strings: Box::new(strings),
            finals: Box::new(finals),
            written: [states as usize, dead, ended],
        }
    }
}
