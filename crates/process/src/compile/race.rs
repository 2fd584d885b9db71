//! Races: two threads that stand before conflicting accesses.
//!
//! For each two accesses that may conflict there is a probe, a transition that never fires: it is enabled in the states
//! in which two threads stand before them, both can take them, and they are to the same location. What is read to find
//! out whether one can go on counts whether or not one can. Who meets another one stands before what it does then only
//! where there is one to meet, who may be the second of the two.

mod reach;

use std::rc::Rc;

use net::listing::Race;
use net::{Net, Origin, TransitionId};

use super::Compiler;
use crate::evaluate::{Halt, Parts, guarded};
use crate::formula::{TRUE, all, equal};
use crate::path::{Access, Begin, Location, Path};
use program::graph::{Stop, StopArm, StopId};
use program::{Action, Expr, Operation};
use reach::Reach;

/// What a thread at a stop may do next: an access, on a path from the stop to it.
struct Standing {
    path: Rc<Path>,
    access: Access,
    origin: Origin,
}

/// A stop, and the accesses before which threads at it stand.
struct Before<'p> {
    id: StopId,
    stop: &'p Stop,
    begin: Path,
    standing: Vec<Standing>,
}

impl Before<'_> {
    /// The accesses that may conflict with one before which threads at another stop stand.
    fn disputed<'b>(&'b self, other: &'b Before) -> impl Iterator<Item = &'b Standing> {
        let accesses = || other.standing.iter().map(|standing| &standing.access);
        self.standing.iter().filter(move |one| accesses().any(|two| one.access.may_conflict(two)))
    }
}

impl Compiler<'_> {
    /// Adds the probes for races, unless there are too many ways to come to accesses.
    pub(super) fn races(&self, net: &mut Net) {
        let before = |(id, stop): (StopId, _)| self.before(id, stop);
        let mut stops: Vec<Before> = self.runner.routines.stops().map(before).collect();
        let plain = stops.iter().flat_map(|before| &before.standing);
        let plain = plain.map(|standing| &standing.access).filter(|access| access.is_plain);
        let plain: Reach = plain.collect();
        for before in &mut stops {
            let joint = || self.standing_with_others(0, before, before.begin.clone(), &plain);
            let joint = self.runner.limited(before.stop.origin, joint);
            before.standing.extend(joint);
        }
        for (number, first) in stops.iter().enumerate() {
            for second in &stops[number..] {
                if self.runner.has_refused() {
                    return;
                }
                // Two accesses that race are of two threads.
                let kinds = [first, second].map(|before| before.id.0.process());
                let is_one = kinds[0] == kinds[1] && self.runner.routines.is_single(kinds[0]);
                if !is_one && first.disputed(second).next().is_some() {
                    self.runner
                        .limited(first.stop.origin, || self.probes(first, second, &plain, net));
                }
            }
        }
    }

    fn before<'s>(&self, id: StopId, stop: &'s Stop) -> Before<'s> {
        let begin = Path { accesses: Some(Vec::new()), ..self.begin(id) };
        let accesses = || self.accesses(0, stop, begin.clone());
        let standing = self.runner.limited(stop.origin, accesses);
        Before { id, stop, begin, standing }
    }

    /// Adds the probes for the accesses of two threads at two stops.
    fn probes(&self, first: &Before, second: &Before, plain: &Reach, net: &mut Net) {
        for standing in first.disputed(second) {
            // What was chosen on the way stays chosen: the access may depend on it.
            let path = Path::clone(&standing.path);
            let parameters = path.parameters.clone();
            let known = path.undone(&first.begin);
            let known = Path { accesses: Some(Vec::new()), parameters, script: None, ..known };
            // It may be the one whom the first meets.
            let known_at = (1..known.threads.len()).filter(|at| is_at(&known, *at, second.id));
            let mut both: Vec<(Path, usize)> = known_at.map(|at| (known.clone(), at)).collect();
            let other = self.runner.at_stop(second.id, None, known);
            let at = other.threads.len() - 1;
            both.push((other, at));
            for (path, thread) in both {
                let mut others = self.accesses(thread, second.stop, path.clone());
                // One of the two is plain, and so not done with another one.
                if standing.access.is_plain {
                    others.extend(self.standing_with_others(thread, second, path, plain));
                }
                for other in others {
                    self.probe(first.id, standing, (thread, other), net);
                }
            }
        }
    }

    /// The accesses that a thread at a stop may do next by itself.
    fn accesses(&self, thread: usize, stop: &Stop, path: Path) -> Vec<Standing> {
        let mut found: Vec<Standing> = Vec::new();
        for arm in &stop.arms {
            // What is awaited is looked at whatever else has to hold.
            if let (Some(_), Some(awaited)) = (&arm.when, awaited(arm)) {
                let look = |path| guarded(path, |path| self.runner.layout.condition(awaited, path));
                let parts = self.runner.apart(thread, path.clone(), look);
                self.collect(thread, parts, arm.origin, &mut found);
            }
            self.collect(thread, self.arm(thread, arm, path.clone()), arm.origin, &mut found);
        }
        found
    }

    /// The accesses that a thread at a stop may do next together with another one, as far as they may conflict with some
    /// plain ones.
    fn standing_with_others(
        &self,
        thread: usize,
        before: &Before,
        path: Path,
        plain: &Reach,
    ) -> Vec<Standing> {
        let (facts, mut found) = (&self.runner.routines.facts, Vec::new());
        for arm in &before.stop.arms {
            let does = [facts.may_give(&arm.actions), facts.may_take(&arm.actions)];
            if does == [false, false] || !Reach::of(self.program, &arm.actions).disputes(plain) {
                continue;
            }
            for (id, other) in self.runner.routines.stops() {
                if before.stop.otherwise.is_some() && other.otherwise.is_some() {
                    continue;
                }
                let known_at = (0..path.threads.len()).filter(|at| *at != thread);
                let known_at = known_at.filter(|at| is_at(&path, *at, id));
                let mut pairs: Vec<(Path, usize)> = known_at.map(|at| (path.clone(), at)).collect();
                let partner = self.runner.at_stop(id, None, path.clone());
                let at = partner.threads.len() - 1;
                pairs.push((partner, at));
                for second in &other.arms {
                    let fits = [facts.may_take(&second.actions), facts.may_give(&second.actions)];
                    for (path, at) in &pairs {
                        let orders =
                            [[(thread, arm), (*at, second)], [(*at, second), (thread, arm)]];
                        for number in [0, 1].into_iter().filter(|&order| does[order] && fits[order])
                        {
                            let mut parts = self.joint(orders[number], path.clone());
                            parts.retain(|(path, _)| path.meeting.is_none());
                            self.collect(thread, parts, arm.origin, &mut found);
                        }
                    }
                }
            }
        }
        found
    }

    fn collect<T>(
        &self,
        thread: usize,
        parts: Parts<T>,
        origin: Origin,
        found: &mut Vec<Standing>,
    ) {
        for (mut path, outcome) in parts {
            let waits = matches!(outcome, Err(Halt::Blocked));
            let accesses = path.accesses.take().unwrap_or_default();
            let path = Rc::new(path);
            for (number, access) in accesses.iter().enumerate() {
                let is_own = access.by.is_none_or(|by| by == thread);
                let counts = is_own && (access.is_guard || !waits);
                if counts && !accesses[..number].contains(access) && self.may_race(access) {
                    let (path, access) = (Rc::clone(&path), access.clone());
                    found.push(Standing { path, access, origin });
                }
            }
        }
    }

    /// Whether an access is to something that is not `atomic`.
    fn may_race(&self, access: &Access) -> bool {
        match &access.location {
            Location::Global(id) => !self.program.globals[id.index()].atomic,
            Location::Field(of, _, field) => {
                !self.program.objects[of.index()].fields[field.index()].atomic
            }
        }
    }

    /// Adds the probe for two accesses, if they may conflict.
    fn probe(&self, at: StopId, one: &Standing, (second, other): (usize, Standing), net: &mut Net) {
        let (a, b) = (&one.access, &other.access);
        if !a.may_conflict(b) {
            return;
        }
        let same = match (&a.location, &b.location) {
            (Location::Field(_, x, _), Location::Field(_, y, _)) => equal(x.clone(), y.clone()),
            _ => TRUE,
        };
        let same_index = match (&a.index, &b.index) {
            (Some(a), Some(b)) => equal(a.clone(), b.clone()),
            _ => TRUE,
        };
        let race = self.race(one, &other, second);
        let mut path = Path::clone(&other.path);
        if !path.require(all([same, same_index])) {
            return;
        }
        let name = format!("race {}", self.new_name(at, one.origin));
        let probe = self.emitter.probe(name, one.origin, path);
        let mut races = self.races.borrow_mut();
        let known = |(id, _): &&mut (TransitionId, Race)| is_same(net.transition(*id), &probe);
        match races.iter_mut().find(known) {
            // Who reads and writes in one step writes.
            Some((_, known)) => {
                if (&known.variable, &known.object) == (&race.variable, &race.object) {
                    let pairs = known.accesses.iter_mut().zip(&race.accesses);
                    pairs.for_each(|(known, new)| known.2 |= new.2);
                }
            }
            None => {
                races.push((TransitionId(net.transitions.len() as u32), race));
                net.transitions.push(probe);
            }
        }
    }

    /// What two accesses are to, that of the first thread of a path and that of the `second`.
    fn race(&self, one: &Standing, other: &Standing, second: usize) -> Race {
        let (variable, object) = match &one.access.location {
            Location::Global(id) => (&self.program.globals[id.index()].variable, None),
            Location::Field(of, object, field) => {
                let field = &self.program.objects[of.index()].fields[field.index()];
                (&field.variable, Some(object.clone()))
            }
        };
        let threads = &other.path.threads;
        let access = |thread: usize, by: &Standing| {
            (threads[thread].var, self.program.written(by.origin), by.access.is_write)
        };
        Race {
            variable: variable.name.clone(),
            object,
            index: one.access.index.clone().filter(|_| other.access.index.is_some()),
            accesses: [access(0, one), access(second, other)],
        }
    }
}

fn is_same(a: &net::Transition, b: &net::Transition) -> bool {
    net::Transition { name: String::new(), ..a.clone() }
        == net::Transition { name: String::new(), ..b.clone() }
}

/// What an arm awaits, if it is nothing but that.
fn awaited(arm: &StopArm) -> Option<&Expr> {
    match &arm.actions[..] {
        [statement] => match &statement.action {
            Action::Select(select) => match &select.arms[..] {
                [only] => match &only.operation {
                    Operation::Await(condition) => Some(condition),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Whether a thread of a path is one that is looked at, at a stop.
fn is_at(path: &Path, thread: usize, stop: StopId) -> bool {
    matches!(path.threads[thread].begin, Begin::At(at, _) if at == stop)
}
