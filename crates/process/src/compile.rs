//! From a program to a net.

mod claims;
mod listing;
mod otherwise;
mod race;
mod start;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use net::{Net, Origin, PlaceId, Transition, TransitionId};

use crate::emit::Emitter;
use crate::evaluate::{Fault, Halt, Parts, found, then};
use crate::execute::Flow;
use crate::layout::Layout;
use crate::meet::Rendezvous;
use crate::path::{Choice, Doom, End, Path};
use crate::places::{Names, Places, classes};
use crate::run::Runner;
use program::claim::Claim;
use program::graph::{Node, Observed, RoutineId, Source, Stop, StopArm, StopId};
use program::routines::Routines;
use program::{LabelId, LocalId, Program, Refusal};

/// What a program becomes.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The net.
    pub net: Net,
    /// The points at which threads stop.
    pub points: Vec<Point>,
    /// The transitions of arms that have a label.
    pub arms: Vec<(Source, LabelId, TransitionId)>,
    /// How many conditions were looked at to make it: what it has cost.
    pub conditions: usize,
}

/// A point of a routine at which a thread stops.
#[derive(Clone, Debug)]
pub struct Point {
    /// The flow place that stands for it.
    pub place: PlaceId,
    /// The routine.
    pub routine: RoutineId,
    /// The statement before which it is.
    pub origin: Origin,
    /// The labels that a thread is at there: those that stand there, and those of the statement that is being done.
    pub labels: Vec<(Source, LabelId)>,
    /// Whether waiting there for ever is meant.
    pub is_idle: bool,
    /// The variables that are live, and the columns of their values.
    pub locals: Vec<(LocalId, Range<usize>)>,
}

/// Adds the processes of a program to a net, and what is claimed of them as properties. What is observed, at least by
/// the claims ([`Observed::of`]), stays to be seen.
///
/// # Errors
/// What of the program cannot be done at once, as its author wants it to be.
///
/// # Panics
/// If the program is not one that a front end has checked.
pub fn compile(
    program: &Program,
    base: &Net,
    observed: &Observed,
    claims: &[Claim],
) -> Result<Translation, Vec<Refusal>> {
    let mut net = base.clone();
    let (first_class, frame_class) = classes(program, &mut net);
    let layout = Layout { program, net: base, first_class };
    let routines = Routines::of(program, observed);
    let refusals = routines.refusals();
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let frames = net::Sort::Object(frame_class);
    let (refusals, is_start) = (RefCell::default(), Cell::new(false));
    let (place, cases, joins) = (Cell::default(), Rc::default(), RefCell::default());
    let runner =
        Runner { layout, routines: &routines, frames, refusals, place, is_start, cases, joins };
    let places = Places::new(program, &runner, &mut net);
    let emitter = Emitter { runner: &runner, places: &places };
    let compiler = Compiler {
        program,
        runner: &runner,
        places: &places,
        emitter,
        names: RefCell::default(),
        arms: RefCell::default(),
        partners: RefCell::default(),
        races: RefCell::default(),
        choices: RefCell::default(),
        wrong: RefCell::default(),
    };
    compiler.start(&mut net);
    for (id, stop) in routines.stops() {
        runner.limited(stop.origin, || {
            compiler.refuse_wide_values(id, &net);
            compiler.arms(id, stop, &mut net);
        });
    }
    if observed.races && !runner.has_refused() {
        compiler.races(&mut net);
    }
    compiler.claims(claims, &mut net);
    net.listing = Some(compiler.listing(&net).into());
    let (points, arms) = (compiler.points(), compiler.arms.into_inner());
    let conditions = runner.cases.all_conditions();
    let refusals = runner.refusals.into_inner();
    if refusals.is_empty() {
        Ok(Translation { net, points, arms, conditions })
    } else {
        Err(refusals)
    }
}

/// A range has fewer numbers.
const TOO_WIDE: u64 = u32::MAX as u64;

struct Compiler<'p> {
    program: &'p Program,
    runner: &'p Runner<'p>,
    places: &'p Places,
    emitter: Emitter<'p>,
    /// The names of transitions.
    names: RefCell<Names>,
    arms: RefCell<Vec<(Source, LabelId, TransitionId)>>,
    /// What the second of two threads does that meet.
    partners: RefCell<Vec<(TransitionId, Origin)>>,
    /// What the probes look for.
    races: RefCell<Vec<(TransitionId, net::listing::Race)>>,
    /// What is chosen where transitions fire.
    choices: RefCell<Vec<(TransitionId, Vec<Choice>)>>,
    /// The values that are wrong where transitions fail.
    wrong: RefCell<Vec<(TransitionId, net::Expr)>>,
}

impl Compiler<'_> {
    /// Refuses numbers that are kept from one step to the next and may be too many: operators make ranges wider than those
    /// that are declared.
    fn refuse_wide_values(&self, stop: StopId, net: &Net) {
        for column in &net.place(self.places.stops[&stop]).columns {
            if let net::Sort::Int { min, max } = column.sort
                && max.abs_diff(min) >= TOO_WIDE
            {
                let what =
                    format!("a number of the range {min}..={max} is kept here, which is too wide");
                self.runner
                    .refuse(what, "a range has less than 2^32 - 1 values: declare smaller ones");
            }
        }
    }

    fn points(&self) -> Vec<Point> {
        let point = |(id, stop): (StopId, &Stop)| {
            let (routine, at) = id;
            let graph = self.runner.routines.graph(routine);
            let live = self.runner.routines.live(routine).at(at);
            let types = live.iter().map(|local| (*local, &graph.locals[local.index()].of));
            let labels: BTreeSet<_> = stop.labels.iter().chain(&stop.held).copied().collect();
            // The thread comes first, then its frame.
            let locals = self.columns(1 + usize::from(routine.is_called()), types);
            Point {
                place: self.places.stops[&id],
                routine,
                origin: stop.origin,
                labels: labels.into_iter().collect(),
                is_idle: stop.idle,
                locals,
            }
        };
        self.runner.routines.stops().map(point).collect()
    }

    /// What a thread at a stop can do.
    fn arms(&self, id: StopId, stop: &Stop, net: &mut Net) {
        for arm in &stop.arms {
            let first = net.transitions.len();
            let path = self.begin(id);
            let parts =
                then(self.arm(0, arm, path), |path, flow| self.onward(0, stop, arm, &flow, path));
            self.emit(id, arm.origin, parts, net);
            self.meetings(id, stop, arm, net);
            self.note_arms(arm, first, net);
        }
        if let Some(otherwise) = stop.otherwise {
            let mut open = vec![self.begin(id)];
            for arm in &stop.arms {
                let attempt = |path: Path| self.arm(0, arm, path);
                let paths = open.into_iter();
                open = paths.flat_map(|path| self.runner.unable(path, &attempt)).collect();
            }
            let alone = open.into_iter().map(|path| (self.unless_met(stop, path), Ok(())));
            let parts = then(alone.collect(), |path, ()| {
                then(self.runner.run(otherwise, path), |path, end| self.ended(0, end, path))
            });
            self.emit(id, stop.origin, parts, net);
        }
    }

    /// A path on which a thread at a stop acts.
    fn begin(&self, stop: StopId) -> Path {
        let mut path = self.runner.at_stop(stop, None, self.runner.path());
        path.threads[0].acts = true;
        path
    }

    /// Takes an arm.
    fn arm(&self, thread: usize, arm: &StopArm, path: Path) -> Parts<Flow> {
        self.runner.apart(thread, path, |path| {
            let allowed = match &arm.when {
                None => found(path, ()),
                Some(when) => self.runner.await_(when, path),
            };
            let mut parts = then(allowed, |mut path, ()| {
                path.is_atomic = arm.is_atomic;
                self.runner.block(&arm.actions, path)
            });
            parts.iter_mut().for_each(|(path, _)| path.is_atomic = false);
            then(parts, |path, flow| match (flow, arm.result) {
                (Flow::Exit(exit, Some((row, from))), Some(local)) => {
                    let call = path.threads[thread].calls.last().expect("it is in a routine");
                    let of = &self.runner.routines.graph(call.routine).locals[local.index()].of;
                    then(self.runner.layout.fit(row, &from, of, path), |path, row| {
                        found(path, Flow::Exit(exit, Some((row, of.clone()))))
                    })
                }
                (flow, _) => found(path, flow),
            })
        })
    }

    /// Goes on from the arm of a stop to the next stops.
    fn onward(
        &self,
        thread: usize,
        stop: &Stop,
        arm: &StopArm,
        flow: &Flow,
        mut path: Path,
    ) -> Parts<()> {
        let doom = path.threads[thread].doom;
        let mut arm = arm;
        let mut killed = stop.killed.filter(|_| doom.is_some());
        // In a deferred block it goes on as it would have.
        if stop.is_deferred
            && let Some(copy) = killed.take()
        {
            let routine = path.threads[thread].calls.last().expect("it is in a routine").routine;
            if let Node::Stop(copy) = self.runner.routines.graph(routine).node(copy) {
                let at = stop.arms.iter().position(|other| std::ptr::eq(other, arm));
                arm = &copy.arms[at.expect("it is an arm of the stop")];
            }
        }
        let next = match (killed, flow) {
            _ if doom == Some(Doom::Crash) => return self.ended(thread, End::Crashed, path),
            (Some(killed), _) => killed,
            (None, Flow::Next) => arm.next,
            (None, Flow::Exit(exit, row)) => {
                if let (Some(local), Some((row, _))) = (arm.result, row) {
                    let calls = &mut path.threads[thread].calls;
                    let call = calls.last_mut().expect("a thread is in a routine");
                    call.env.insert(local, row.clone());
                }
                let to = arm.exits.iter().find(|(other, _)| other == exit);
                to.expect("the ways out are known").1
            }
        };
        let parts = self.runner.apart(thread, path, |path| self.runner.run(next, path));
        then(parts, |path, end| self.ended(thread, end, path))
    }

    fn ended(&self, thread: usize, end: End, mut path: Path) -> Parts<()> {
        path.threads[thread].end = Some(end);
        found(path, ())
    }

    /// What an arm does together with a thread at another stop, as the first of the two.
    fn meetings(&self, id: StopId, stop: &Stop, arm: &StopArm, net: &mut Net) {
        let facts = &self.runner.routines.facts;
        if !facts.may_give(&arm.actions) {
            return;
        }
        for (other_id, other) in self.runner.routines.stops() {
            // One that never waits is not met by another that never does.
            if stop.otherwise.is_some() && other.otherwise.is_some() {
                continue;
            }
            for second in other.arms.iter().filter(|arm| facts.may_take(&arm.actions)) {
                let mut path = self.runner.at_stop(other_id, None, self.begin(id));
                path.threads[1].acts = true;
                let arms = [(0, arm), (1, second)];
                let parts = then(self.joint(arms, path), |path, [first, other_flow]| {
                    then(self.onward(0, stop, arm, &first, path), |path, ()| {
                        self.onward(1, other, second, &other_flow, path)
                    })
                });
                // What goes wrong before they meet is the fault of one of them alone.
                let parts = parts.into_iter().filter(|(path, outcome)| {
                    !matches!(outcome, Err(Halt::Fault(_))) || !path.is_before_meeting()
                });
                let first = net.transitions.len();
                self.emit(id, arm.origin, parts.collect(), net);
                self.note_arms(second, first, net);
                let made = (first..net.transitions.len()).map(|number| TransitionId(number as u32));
                self.partners.borrow_mut().extend(made.map(|made| (made, second.origin)));
            }
        }
    }

    /// What two threads do together, each by an arm of its own, the one who gives first. Where the first faults before
    /// it offers something, it does so alone, too. On a path on which the second faults before they meet, it seeks the
    /// other still.
    fn joint(&self, arms: [(usize, &StopArm); 2], mut path: Path) -> Parts<[Flow; 2]> {
        let [(giver, first), (taker, second)] = arms;
        path.meeting = Some(Rendezvous::Open);
        let mut parts = Vec::new();
        for (mut path, given) in self.arm(giver, first, path) {
            let Some(Rendezvous::Offered(offer)) = path.meeting.take() else { continue };
            path.meeting = Some(Rendezvous::Sought(offer));
            for (mut path, taken) in self.arm(taker, second, path) {
                match (path.meeting.take(), taken) {
                    (Some(Rendezvous::Met(result)), taken) => {
                        if let Some((local, row)) = result {
                            let calls = &mut path.threads[giver].calls;
                            let call = calls.last_mut().expect("it is in a routine");
                            call.env.insert(local, row);
                        }
                        let flows = given.clone().and_then(|first| Ok([first, taken?]));
                        parts.push((path, flows));
                    }
                    (sought, Err(halt)) => {
                        path.meeting = sought;
                        parts.push((path, Err(halt)));
                    }
                    (_, Ok(_)) => {}
                }
            }
        }
        parts
    }

    /// Makes transitions of paths; one on which there is a fault must not fire.
    fn emit(&self, id: StopId, origin: Origin, parts: Parts<()>, net: &mut Net) {
        for (mut path, outcome) in parts {
            let made = TransitionId(net.transitions.len() as u32);
            let choices = std::mem::take(&mut path.choices);
            let name = |origin: Origin| self.new_name(id, origin);
            let transition = match outcome {
                Ok(()) => self.emitter.transition(name(origin), origin, path),
                Err(Halt::Fault(Fault { message, origin: at, value, is_limit })) => {
                    self.wrong.borrow_mut().extend(value.map(|value| (made, value)));
                    let name = format!("{} fails", name(origin));
                    let failure = self.emitter.failure(name, at.unwrap_or(origin), path, message);
                    Transition { is_limit, ..failure }
                }
                Err(Halt::Blocked) => continue,
            };
            if !choices.is_empty() {
                self.choices.borrow_mut().push((made, choices));
            }
            net.transitions.push(transition);
        }
    }

    /// A name for a transition: who, and the line.
    fn new_name(&self, (routine, at): StopId, origin: Origin) -> String {
        let line = self.program.written(origin).map_or(at.0 as usize, |line| line.line);
        let name = format!("{}:{line}", routine.of(self.program).name);
        self.names.borrow_mut().new_name(name)
    }

    /// Notes the transitions of an arm with a label, from the first on.
    fn note_arms(&self, arm: &StopArm, first: usize, net: &Net) {
        let Some((source, label)) = arm.label else { return };
        let made = (first..net.transitions.len()).map(|number| TransitionId(number as u32));
        self.arms.borrow_mut().extend(made.map(|made| (source, label, made)));
    }
}
