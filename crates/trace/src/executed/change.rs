//! What a step of a program has changed, in words.

use std::collections::{BTreeMap, BTreeSet};

use interpret::{Access, Actor, Address, Location, Next, Pid, Process, Step};
use program::GlobalId;

use super::act::acts;
use super::moment::Standing;
use super::scene::Scene;
use crate::words::{changed_text, equation, named};

/// A step, with the states before and after it.
#[derive(Clone, Copy)]
pub(super) struct Change<'s, 'r, 'p> {
    pub before: Scene<'s, 'r, 'p>,
    pub after: Scene<'s, 'r, 'p>,
    pub next: &'s Next,
    pub step: &'s Step,
}

impl<'s, 'r, 'p> Change<'s, 'r, 'p> {
    /// What it has changed: variables of threads, global variables, objects; who was born, killed, has ended; where those
    /// are now who acted. If it is nothing, what it reads.
    pub fn lines(self) -> Vec<String> {
        let (variables, names, places) = self.moves();
        let chosen = self.before.teller.choices.said(self.step, self.before.values());
        let is_said = |name: &Option<&str>| name.is_some_and(|name| names.contains(name));
        let chosen = chosen.into_iter().filter(|(name, _)| !is_said(name));
        let mut lines: Vec<String> = chosen.map(|(_, text)| text).collect();
        lines.extend(variables);
        lines.extend(self.globals());
        lines.extend(self.objects());
        lines.extend(self.written());
        lines.extend(self.step.births.iter().map(|birth| self.birth(birth.child)));
        lines.extend(self.deaths());
        lines.extend(
            self.ended()
                .into_iter()
                .map(|pid| format!("{} ends{}", self.before.name(pid), self.result(pid))),
        );
        lines.extend(places);
        if lines.is_empty() {
            let read = read(self.before, &self.next.accesses);
            lines.push(match read.is_empty() {
                true => "(nothing changes)".to_owned(),
                false => format!("reads {}", read.join(", ")),
            });
        }
        lines
    }

    /// Who acts first.
    fn actor(self) -> Pid {
        self.next.actors[0].pid
    }

    fn is_actor(self, pid: Pid) -> bool {
        self.next.actors.iter().any(|Actor { pid: other, .. }| *other == pid)
    }

    /// The threads that are elsewhere, or have other values, and were and are there.
    pub fn moved(self) -> Vec<[&'s Standing<'r, 'p>; 2]> {
        let new = self.after.threads().into_iter();
        let pairs = new.filter_map(|new| Some([self.before.moment.standing(new.pid)?, new]));
        pairs.filter(|[old, new]| !old.is_as(new)).collect()
    }

    /// What has changed in the variables of threads, the names of those of who acts, and where they are now.
    fn moves(self) -> (Vec<String>, BTreeSet<&'p str>, Vec<String>) {
        let (mut variables, mut names, mut places) = (Vec::new(), BTreeSet::new(), Vec::new());
        for [old, new] in self.moved() {
            let whose = |text: String| match new.pid == self.actor() {
                true => text,
                false => format!("{}: {text}", self.after.name(new.pid)),
            };
            for (name, text) in self.changed_variables(old, new) {
                names.extend((new.pid == self.actor()).then_some(name));
                variables.push(whose(text));
            }
            let (old, new) = (old.short(), new.short());
            if old != new {
                places.push(whose(format!("→ {new}")));
            }
        }
        (variables, names, places)
    }

    /// The variables of a thread that have got a value, or another one, each with what is said of it.
    fn changed_variables(
        self,
        old: &Standing<'r, 'p>,
        new: &Standing<'r, 'p>,
    ) -> Vec<(&'p str, String)> {
        let old: BTreeMap<_, _> = self.before.variables(old).into_iter().collect();
        let new = self.after.variables(new).into_iter();
        let changed = new.filter_map(|(key, text)| match old.get(&key) {
            Some(before) if *before == text => None,
            Some(before) => Some((key.1, changed_text(key.1, before, &text))),
            None => Some((key.1, equation(key.1, &text))),
        });
        changed.collect()
    }

    fn globals(self) -> Vec<String> {
        let all = (0..self.before.program().globals.len() as u32).map(GlobalId);
        let changed = all.filter(|id| !self.before.is_hidden(*id)).filter_map(|id| {
            let [old, new] = [self.before, self.after].map(|scene| scene.global(id));
            let name = &self.before.program().globals[id.index()].variable.name;
            (old != new).then(|| changed_text(name, &old, &new))
        });
        changed.collect()
    }

    /// Objects that are new, or have other values; also those that nobody refers to any more.
    fn objects(self) -> Vec<String> {
        let mut lines = Vec::new();
        for object in self.after.objects() {
            let name = self.after.object(object);
            match self.before.moment.objects.contains(&object) {
                true => lines.extend(self.changed_fields(object, &name)),
                false => {
                    let fields = self.after.fields(object).into_iter();
                    let fields: Vec<String> =
                        fields.map(|(name, value)| equation(name, &value)).collect();
                    lines.push(format!("creates {}", named(Some(&name), &fields.join(", "))));
                }
            }
        }
        let is_gone = |object: &Address| !self.after.moment.objects.contains(object);
        for object in self.before.objects().into_iter().filter(is_gone) {
            lines.extend(self.changed_fields(object, &self.before.object(object)));
        }
        lines
    }

    /// `mutex 1 (lock): holder: none → 1.1`: what differs between two states of an object, if something does.
    fn changed_fields(self, object: Address, name: &str) -> Option<String> {
        let [then, now] = [self.before, self.after].map(|scene| scene.fields(object));
        let pairs = then.into_iter().zip(now).filter(|(old, new)| old != new);
        let texts = pairs.map(|((name, old), (_, new))| changed_text(name, &old, &new));
        let texts: Vec<String> = texts.collect();
        (!texts.is_empty()).then(|| named(Some(name), &texts.join(", ")))
    }

    /// The global variables that it writes, but leaves as they were: what somebody else has written may be lost.
    fn written(self) -> Vec<String> {
        let written: BTreeSet<GlobalId> = self
            .next
            .accesses
            .iter()
            .filter(|access| access.is_write)
            .filter_map(|access| match access.location {
                Location::Global(id) => Some(id),
                Location::Field(..) | Location::Object(_) | Location::End(_) => None,
            })
            .collect();
        let stays = |id: &GlobalId| {
            let [old, new] = [self.before, self.after].map(|one| one.moment.state.global(*id));
            old == new && !self.before.is_name(*id) && !self.before.is_hidden(*id)
        };
        let said = |id: GlobalId| format!("writes {}, as it was", global_text(self.before, id));
        written.into_iter().filter(stays).map(said).collect()
    }

    fn birth(self, child: Pid) -> String {
        match self.after.moment.standing(child) {
            Some(standing) => {
                let thread = self.after.thread(standing);
                format!("spawns {} at {}", thread.name, thread.at_with_variables())
            }
            None => format!("spawns {}, which ends at once", self.after.names.pid(child)),
        }
    }

    /// Those to whom something is done by others.
    fn deaths(self) -> Vec<String> {
        let Step { killed, crashed, state, .. } = self.step;
        let others = |all: &[Pid]| -> Vec<Pid> {
            all.iter().copied().filter(|pid| !self.is_actor(*pid)).collect()
        };
        let killed = others(killed).into_iter().map(|pid| {
            let ends = if state.thread(pid).is_none() { ", which ends" } else { "" };
            format!("kills {}{ends}", self.before.name(pid))
        });
        let crashed = others(crashed).into_iter();
        let crashed = crashed.map(|pid| format!("crashes {}", self.before.name(pid)));
        killed.chain(crashed).collect()
    }

    /// Those who have ended, but for those to whom it was done by others.
    fn ended(self) -> Vec<Pid> {
        let Step { killed, crashed, .. } = self.step;
        let is_passive =
            |pid: &Pid| !self.is_actor(*pid) && (killed.contains(pid) || crashed.contains(pid));
        let ran = self.before.threads().into_iter().map(|standing| standing.pid);
        ran.filter(|pid| self.after.moment.standing(*pid).is_none() && !is_passive(pid)).collect()
    }

    /// `, with result 3`, if a thread that has ended has one that somebody can still ask for.
    fn result(self, pid: Pid) -> String {
        let process = self.before.moment.state.thread(pid).map(|thread| thread.kind);
        let process = process.map(|kind| &self.before.program().processes[kind.index()]);
        let of = process.and_then(|process| process.result.as_ref());
        let Some(of) = of.filter(|_| self.after.moment.ended.contains(&pid)) else {
            return String::new();
        };
        match &self.step.state.processes[pid.index()] {
            Process::Returned(Some(value)) => {
                format!(", with result {}", self.after.value(value, of))
            }
            _ => ", with result none".to_owned(),
        }
    }
}

/// `served = 3`.
fn global_text(scene: Scene, id: GlobalId) -> String {
    equation(&scene.program().globals[id.index()].variable.name, &scene.global(id))
}

/// The global variables that are accessed, with their values, but for the names of objects.
pub(super) fn read(before: Scene, accesses: &[Access]) -> Vec<String> {
    let read: BTreeSet<GlobalId> = accesses
        .iter()
        .filter_map(|access| match access.location {
            Location::Global(id) => Some(id),
            Location::Field(..) | Location::Object(_) | Location::End(_) => None,
        })
        .collect();
    let read = read.into_iter().filter(|id| !before.is_hidden(*id) && !before.is_name(*id));
    read.map(|id| global_text(before, id)).collect()
}

/// `worker 1.2, line 14: lock.lock()`; where two threads meet, both.
pub(super) fn step_text(before: Scene, next: &Next) -> String {
    let texts: Vec<String> = acts(before, next).iter().map(|act| act.full_text()).collect();
    texts.join(", with ")
}
