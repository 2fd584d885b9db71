//! Races: two threads that stand before conflicting accesses.
//!
//! For each two accesses that may conflict there is a probe, a transition that never fires: it is enabled in the states
//! in which two threads stand before them, both can take them, and they are to the same location.

use std::rc::Rc;

use net::listing::Race;
use net::{Net, Origin, TransitionId};

use super::Compiler;
use crate::evaluate::{Parts, then};
use crate::execute::Flow;
use crate::formula::{TRUE, all, equal};
use crate::graph::{Stop, StopArm, StopId};
use crate::path::{Access, Location, Path};
use crate::program::{Action, Expr, Operation};

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
        let stops: Vec<Before> = self.runner.routines.stops().map(before).collect();
        for (number, first) in stops.iter().enumerate() {
            for second in &stops[number..] {
                if self.runner.has_refused() {
                    return;
                }
                // Two accesses that race are of two threads.
                let kinds = [first, second].map(|before| before.id.0.process());
                let is_one = kinds[0] == kinds[1] && self.runner.routines.is_single(kinds[0]);
                if !is_one && first.disputed(second).next().is_some() {
                    self.runner.limited(first.stop.origin, || self.probes(first, second, net));
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
    fn probes(&self, first: &Before, second: &Before, net: &mut Net) {
        for standing in first.disputed(second) {
            // What was chosen on the way stays chosen: the access may depend on it.
            let path = Path::clone(&standing.path);
            let parameters = path.parameters.clone();
            let known = path.undone(&first.begin);
            let known = Path { accesses: Some(Vec::new()), parameters, script: None, ..known };
            let both = self.runner.at_stop(second.id, None, known);
            let thread = both.threads.len() - 1;
            for other in self.accesses(thread, second.stop, both) {
                self.probe(first.id, standing, (thread, other), net);
            }
        }
    }

    /// The accesses that a thread at a stop may do next.
    fn accesses(&self, thread: usize, stop: &Stop, path: Path) -> Vec<Standing> {
        let mut found: Vec<Standing> = Vec::new();
        for arm in &stop.arms {
            // What is looked at while waiting counts whether or not it holds.
            for condition in conditions(arm) {
                let path = path.clone();
                let parts = self
                    .runner
                    .apart(thread, path, |path| self.runner.layout.condition(condition, path));
                self.collect(then(parts, |path, _| vec![(path, Ok(()))]), arm.origin, &mut found);
            }
            let done =
                then(self.arm(thread, arm, path.clone()), |path, _: Flow| vec![(path, Ok(()))]);
            self.collect(done, arm.origin, &mut found);
        }
        found
    }

    fn collect(&self, parts: Parts<()>, origin: Origin, found: &mut Vec<Standing>) {
        for (mut path, _) in parts {
            let accesses = path.accesses.take().unwrap_or_default();
            let path = Rc::new(path);
            for (number, access) in accesses.iter().enumerate() {
                if !accesses[..number].contains(access) && self.may_race(access) {
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

/// The conditions that are looked at while a thread waits for an arm.
fn conditions(arm: &StopArm) -> Vec<&Expr> {
    let mut conditions: Vec<&Expr> = arm.when.iter().collect();
    if let [statement] = &arm.actions[..]
        && let Action::Select(select) = &statement.action
        && let [only] = &select.arms[..]
        && let Operation::Await(condition) = &only.operation
    {
        conditions.push(condition);
    }
    conditions
}
