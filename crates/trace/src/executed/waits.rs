//! What keeps the processes of a program from going on, in words.
//!
//! The interpreter says what each of them has looked at in vain. Fields of an object in which processes stand are told with
//! where these are.

use std::collections::BTreeSet;

use interpret::{Address, Hindrance, Identity, Location, Pid};
use net::Origin;
use program::GlobalId;

use super::moment::Standing;
use super::scene::Scene;
use crate::waits::words::{
    OTHER_REASON, alone_reason, object_reason, reasons, sleep_reason, whereabouts_text,
};
use crate::waits::{Wait, add};
use crate::words::statement_text;

/// What is waited for.
#[derive(Clone, Copy, PartialEq)]
enum Awaited {
    Object(Address),
    Global(GlobalId),
    End(Pid),
    Other,
}

/// Why a statement cannot be executed.
struct Hurdle {
    statement: String,
    awaited: Awaited,
    /// The variables that the condition is about.
    locations: Vec<Location>,
    /// Whether all that is missing is another thread.
    is_alone: bool,
}

/// What some processes wait for, none of whom can act; and whether no one else will change that. Those that wait for the
/// same are together, and those that may wait for ever are left out.
pub(super) fn waits(scene: Scene, threads: &[Pid], for_ever: bool) -> Vec<Wait> {
    let mut waits = Vec::new();
    for standing in scene.threads() {
        if threads.contains(&standing.pid) && !standing.is_idle {
            let mut wait = wait_of(scene, standing);
            wait.is_for_ever(for_ever);
            add(&mut waits, wait);
        }
    }
    waits
}

/// What keeps a process from what is written in some places.
pub(super) fn reasons_at(
    scene: Scene,
    standing: &Standing,
    is_meant: &dyn Fn(Origin) -> bool,
) -> Vec<String> {
    let hurdles = hurdles(scene, standing, is_meant);
    let texts =
        hurdles.iter().map(|hurdle| (hurdle.statement.as_str(), hurdle.text(scene, standing.pid)));
    match reasons(texts.collect()) {
        reasons if reasons.is_empty() => vec![OTHER_REASON.to_owned()],
        reasons => reasons,
    }
}

fn wait_of(scene: Scene, standing: &Standing) -> Wait {
    let hurdles = hurdles(scene, standing, &|_| true);
    let own = standing.pid;
    let texts = hurdles.iter().map(|hurdle| (hurdle.statement.as_str(), hurdle.text(scene, own)));
    let reasons = reasons(texts.collect());
    let places = hurdles.iter().filter_map(|hurdle| match hurdle.awaited {
        Awaited::Object(object) => Some(scene.names.object(object).into()),
        Awaited::Global(id) => {
            Some(scene.program().globals[id.index()].variable.name.as_str().into())
        }
        Awaited::End(_) | Awaited::Other => None,
    });
    let ends = hurdles.iter().filter_map(|hurdle| match hurdle.awaited {
        Awaited::End(pid) => Some(scene.names.pid(pid).clone()),
        _ => None,
    });
    let thread = scene.thread(standing);
    Wait {
        places: places.collect(),
        ends: ends.collect(),
        is_asleep: matches!(&hurdles[..], [only] if only.is_sleep(scene, own)),
        since: BTreeSet::new(),
        names: vec![thread.name],
        at: Some(thread.at),
        line: thread.line,
        threads: vec![thread.pid],
        reasons,
        more: 0,
    }
}

/// What keeps a process from going on; of each statement and object once.
fn hurdles(scene: Scene, standing: &Standing, is_meant: &dyn Fn(Origin) -> bool) -> Vec<Hurdle> {
    let interpreter = scene.teller.interpreter();
    let mut hurdles: Vec<Hurdle> = Vec::new();
    let obstacles = interpreter.obstacles(scene.moment.state, standing.pid).into_iter();
    for obstacle in obstacles.filter(|one| is_meant(one.statement)) {
        let statement = statement_text(&scene.teller.line(obstacle.statement));
        let mut found = Vec::new();
        match obstacle.what {
            Hindrance::Nobody(object) => found.push((Awaited::Object(object), None)),
            Hindrance::Runs(pid) => found.push((Awaited::End(pid), None)),
            Hindrance::Condition(read) => {
                let told = read.into_iter().filter(|one| scene.is_told(*one));
                found.extend(told.map(|one| (awaited(one), Some(one))));
                if found.is_empty() {
                    found.push((Awaited::Other, None));
                }
            }
        }
        for (awaited, location) in found {
            let is_alone = location.is_none();
            let same = |one: &&mut Hurdle| one.statement == statement && one.awaited == awaited;
            let hurdle = match hurdles.iter_mut().find(same) {
                Some(hurdle) => hurdle,
                None => {
                    let statement = statement.clone();
                    let locations = Vec::new();
                    hurdles.push(Hurdle { statement, awaited, locations, is_alone: false });
                    hurdles.last_mut().expect("it was added")
                }
            };
            hurdle.is_alone |= is_alone;
            hurdle.locations.extend(location.filter(|one| !hurdle.locations.contains(one)));
        }
    }
    if hurdles.iter().any(|hurdle| hurdle.awaited != Awaited::Other) {
        hurdles.retain(|hurdle| hurdle.awaited != Awaited::Other);
    }
    hurdles.iter_mut().for_each(|hurdle| hurdle.locations.sort_unstable());
    hurdles
}

fn awaited(location: Location) -> Awaited {
    match location {
        Location::Global(id) => Awaited::Global(id),
        Location::Field(object, _) | Location::Object(object) => Awaited::Object(object),
        Location::End(pid) => Awaited::End(pid),
    }
}

impl Hurdle {
    fn text(&self, scene: Scene, own: Pid) -> String {
        let pid = |pid: Pid| scene.names.pid(pid).clone();
        let own_name = pid(own);
        let where_is = |pid: &state::Pid| {
            let thread = scene.names.thread(pid).expect("it has a name");
            let place = scene.moment.standing(thread).map(Standing::text);
            whereabouts_text(pid, &own_name, &scene.name(thread), place)
        };
        let values: Vec<String> =
            self.locations.iter().map(|location| scene.location(*location)).collect();
        let values = values.join(", ");
        match self.awaited {
            Awaited::End(other) => format!("for the end of {}", where_is(&pid(other))),
            Awaited::Object(object) if self.is_alone => alone_reason(&scene.object_of(object, own)),
            Awaited::Object(object) if self.is_sleep(scene, own) => {
                sleep_reason(&scene.short_object(object, own))
            }
            Awaited::Object(object) => {
                let pids: Vec<state::Pid> = self.processes(scene).into_iter().map(pid).collect();
                let is_held = self.is_of(scene, "holder");
                let object = scene.object_of(object, own);
                object_reason(&object, &values, (is_held, &sorted(pids)), &own_name, &where_is)
            }
            Awaited::Global(_) => values,
            Awaited::Other => OTHER_REASON.to_owned(),
        }
    }

    /// Whether the condition is about one field, which has this name.
    fn is_of(&self, scene: Scene, name: &str) -> bool {
        matches!(self.locations[..], [only] if scene.field_name(only) == Some(name))
    }

    /// Whether it is that the thread is among those that an object says are asleep.
    fn is_sleep(&self, scene: Scene, own: Pid) -> bool {
        self.is_of(scene, "asleep") && !self.is_alone && self.processes(scene).contains(&own)
    }

    /// The processes that stand in the variables.
    fn processes(&self, scene: Scene) -> BTreeSet<Pid> {
        let mut found = BTreeSet::new();
        for location in &self.locations {
            let Some(value) = scene.value_at(*location) else { continue };
            value.identities(&mut |id| {
                if let Identity::Process(pid) = id {
                    found.insert(pid);
                }
            });
        }
        found
    }
}

fn sorted(mut pids: Vec<state::Pid>) -> Vec<state::Pid> {
    pids.sort_unstable();
    pids
}
