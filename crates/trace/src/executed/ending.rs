//! What a run of a program comes to.

use interpret::{Failed, Next, Pid, Race, Turns, Value};
use net::Origin;
use program::{Failure, FailureKind};

use super::change::{read, step_text};
use super::scene::Scene;
use super::tale::ProgramTale;
use super::waits::waits;
use super::{Lost, ProgramTrace};
use crate::account::Tale;
use crate::outcome::{OF_PROCESSES, Outcome, Quiet};
use crate::race::{self, Access};
use crate::words::{equation, line_text};

/// How a run goes on, and what is to be said of its last state.
pub(super) fn outcome(tale: &ProgramTale) -> Outcome {
    let (trace, last) = (tale.trace, tale.last());
    let mut outcome = Outcome::default();
    if let Some(back) = tale.back() {
        let name = |name: &state::Pid| match last.names.thread(name) {
            Some(pid) => last.name(pid),
            None => name.to_string(),
        };
        outcome.add_back(back, tale.moments.len() - 1, name);
    }
    if outcome.is_loop {
        return outcome;
    }
    if let Some(next) = trace.run.steps.last().filter(|next| next.outcome.is_err()) {
        add_failure(&mut outcome, last, next);
        return outcome;
    }
    let races: Vec<race::Race> = trace.races.iter().map(|race| told_race(last, race)).collect();
    if !races.is_empty() {
        outcome.add_races(&races);
        return outcome;
    }
    let successors = last.teller.interpreter.successors(last.moment.state, Turns::Steps);
    let is_dead = successors.is_empty();
    let all: Vec<Pid> = last.moment.standings.iter().map(|standing| standing.pid).collect();
    if is_dead && all.is_empty() {
        outcome.add_quiet(Quiet::Ended, OF_PROCESSES);
    } else if is_dead && last.moment.standings.iter().all(|standing| standing.is_idle) {
        outcome.add_quiet(Quiet::Idle, OF_PROCESSES);
    } else if let Some(lost) = &trace.lost {
        outcome.add_hopeless(lost.summary(last), lost.meaning(), is_dead, OF_PROCESSES);
        let acts = |pid: &state::Pid| {
            let pid = last.names.thread(pid).expect("it has a name");
            successors.iter().any(|next| next.is_by(pid))
        };
        let mut waits = waits(last, lost.threads(), matches!(lost, Lost::Stuck(_)));
        if let Lost::Endless(_) = lost {
            let acting = waits.iter_mut().filter(|wait| wait.threads.iter().any(acts));
            acting.for_each(crate::waits::Wait::goes_on);
        }
        outcome.add_waits(waits, Vec::new());
    } else if is_dead {
        outcome.add_quiet(Quiet::Deadlock, OF_PROCESSES);
        outcome.add_waits(waits(last, &all, true), Vec::new());
    }
    outcome
}

/// What goes wrong, by whom, and what is known to who acts: its variables, and the global variables that it reads.
fn add_failure(outcome: &mut Outcome, last: Scene, next: &Next) {
    let Err(failed) = &next.outcome else { return };
    let standing = last.moment.standing(next.actors[0].pid);
    let own = standing.map(|standing| last.variables(standing)).unwrap_or_default();
    let own = own.into_iter().map(|((_, name), value)| equation(name, &value));
    let known: Vec<String> = own.chain(read(last, &next.accesses)).collect();
    let wrong = match &failed.value {
        Some(Value::Int(number)) => Some(number.to_string()),
        _ => None,
    };
    outcome.add_failure(message(last, failed), &step_text(last, next), &known, wrong);
}

/// What goes wrong.
pub(super) fn message(scene: Scene, failed: &Failed) -> String {
    let Failure { kind, origin } = failed.failure;
    match (kind, scene.program().written(origin)) {
        (FailureKind::Assertion | FailureKind::Requirement, Some(line)) => {
            format!("`{}` does not hold", line.text)
        }
        (kind, _) => kind.describe().to_owned(),
    }
}

/// A race in a state, in words.
pub(super) fn told_race(scene: Scene, race: &Race) -> race::Race {
    let told = |number: usize| {
        let (pid, access) = (race.processes[number], &race.accesses[number]);
        let standing = scene.moment.standing(pid).expect("who races runs");
        let written = |origin: Origin| scene.program().written(origin);
        let own = written(access.statement).filter(|line| !line.in_prelude);
        Access {
            thread: scene.names.pid(pid).clone(),
            name: scene.name(pid),
            at: own.as_ref().map_or_else(|| standing.text(), line_text),
            line: own.as_ref().or(standing.own_line()).map(|line| line.line),
            writes: access.is_write,
        }
    };
    let mut accesses = [told(0), told(1)];
    accesses.sort();
    let [location, resource] = scene.location_names(race.accesses[0].location);
    race::Race { location, accesses, resource }
}

impl ProgramTrace {
    /// Who races for what in the last state, if that is what it shows.
    #[must_use]
    pub fn told_races(&self, teller: &super::Teller) -> Vec<race::Race> {
        let tale = ProgramTale::of(self, teller);
        self.races.iter().map(|race| told_race(tale.last(), race)).collect()
    }
}

impl Lost {
    fn threads(&self) -> &[Pid] {
        match self {
            Lost::Stuck(threads) | Lost::Endless(threads) => threads,
        }
    }

    /// `worker 1.1, worker 1.2 are stuck`.
    fn summary(&self, scene: Scene) -> String {
        let names: Vec<String> = self.threads().iter().map(|pid| scene.name(*pid)).collect();
        format!("{} {}", names.join(", "), self.kind(names.len()).0)
    }

    fn meaning(&self) -> &'static str {
        self.kind(0).1
    }

    fn kind(&self, count: usize) -> (&'static str, &'static str) {
        match self {
            Lost::Stuck(_) => crate::hopeless::stuck(count),
            Lost::Endless(_) => crate::hopeless::ENDLESS,
        }
    }
}
