//! `random`: goes on at random, until something holds.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use ::random::Random;
use budget::Budget;
use net::interpret::{self, Bindings, Mode};
use net::listing::{Line, Listed};
use net::{Formula, Net, TransitionId};
use serde_json::{Value as Json, json};
use state::{Pid, State, Value};
use trace::all_modes;

use super::{Looked, carry};
use crate::explorer::Explorer;
use crate::model::Generation;
use crate::refusal::{Code, Refusal};
use crate::request::{RandomRequest, UntilRequest};
use crate::typed::Typed;
use crate::view::View;

/// The most steps in one request.
const MOST_STEPS: usize = 10_000;
/// Seeds are below this, so that every program can read them.
const SEEDS: u64 = 1 << 53;

pub(super) fn random(
    explorer: &Explorer,
    request: &RandomRequest,
    budget: &Budget,
) -> Result<Json, Refusal> {
    if request.steps > MOST_STEPS {
        let message = format!("`steps` is at most {MOST_STEPS}");
        return Err(Refusal::new(Code::BadRequest, message));
    }
    let looked = Looked::at(explorer, &request.of.subject)?;
    let seed = request.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish() % SEEDS);
    let mut walker = Walker {
        until: Until::of(request.until.as_ref(), &looked)?,
        with: request.of.subject.with.clone(),
        view: looked.view,
        numbers: request.of.run.clone(),
        random: Random::new(seed),
    };
    walker.change_view(budget)?;
    let stopped = walker.go(request.steps, budget)?;
    Ok(json!({ "run": walker.numbers, "seed": seed, "stopped": stopped, "with": walker.with }))
}

/// When to stop.
enum Until {
    Never,
    Predicate(Arc<Typed>),
    Line(Spot),
    Deadlock,
}

/// A line, in the words of the net.
struct Spot {
    /// Where threads are that have come to it, and calls that are under way there.
    places: Vec<Arc<str>>,
    /// Transitions of a net that are written there.
    transitions: Vec<TransitionId>,
}

impl Until {
    fn of(request: Option<&UntilRequest>, looked: &Looked) -> Result<Until, Refusal> {
        let Some(request) = request else { return Ok(Until::Never) };
        match (&request.predicate, request.line, request.deadlock.unwrap_or(false)) {
            (None, None, false) => Ok(Until::Never),
            (Some(text), None, false) => {
                Ok(Until::Predicate(looked.generation.typed_predicate(text)?))
            }
            (None, Some(line), false) => {
                Ok(Until::Line(Spot::of(&looked.view.net, &looked.generation, line)?))
            }
            (None, None, true) => Ok(Until::Deadlock),
            _ => Err(Refusal::new(
                Code::BadRequest,
                "`until` is one of `predicate`, `line` and `deadlock`",
            )),
        }
    }
}

impl Spot {
    fn of(net: &Net, generation: &Generation, line: usize) -> Result<Spot, Refusal> {
        let is_there = |at: &Line| at.line == line && !at.in_prelude;
        let listed = net.listing.iter().flat_map(|listing| &listing.places);
        let places = listed.filter(|(_, listed)| match listed {
            Listed::Point { line, .. } | Listed::Frame { line, .. } => is_there(line),
            _ => false,
        });
        let places: Vec<Arc<str>> = places.map(|(id, _)| net.place(*id).name.clone()).collect();
        let transitions = match places.is_empty() {
            true => generation.positions().transitions_in(net, line),
            false => Vec::new(),
        };
        if places.is_empty() && transitions.is_empty() {
            let message = format!("there is no statement in line {line} to come to");
            return Err(Refusal::new(Code::Refused, message));
        }
        Ok(Spot { places, transitions })
    }

    /// The threads that are there.
    fn threads(&self, state: &State) -> BTreeSet<Pid> {
        let tokens = self.places.iter().flat_map(|place| state.tokens(place));
        tokens.filter_map(|(token, _)| token.first().and_then(Value::as_pid).cloned()).collect()
    }

    /// Whether somebody has come there by a step.
    fn is_reached(&self, net: &Net, before: &State, mode: &Mode, after: &State) -> bool {
        let was = self.threads(before);
        let acting: Vec<&Pid> = {
            let roles = net.transition(mode.transition).participants.iter();
            let tokens = roles.zip(&mode.tokens).filter(|(role, _)| !role.passive);
            tokens.filter_map(|(_, token)| token.first().and_then(Value::as_pid)).collect()
        };
        let is_new = |pid: &Pid| !was.contains(pid) || acting.contains(&pid);
        self.transitions.contains(&mode.transition) || self.threads(after).iter().any(is_new)
    }
}

/// A run that goes on at random.
struct Walker {
    until: Until,
    /// The text that the view is for, if it is not that of the model.
    with: Option<String>,
    view: Arc<View>,
    numbers: Vec<u32>,
    random: Random,
}

impl Walker {
    /// Where the predicate looks at what this view does not show, goes on in one that does.
    fn change_view(&mut self, budget: &Budget) -> Result<(), Refusal> {
        let Until::Predicate(typed) = &self.until else { return Ok(()) };
        // A view for another text may show less than that of the model.
        if Arc::ptr_eq(&typed.view, &self.view) {
            return Ok(());
        }
        let walk = self.view.walk(&self.numbers, budget)?;
        let record = trace::Record::of(&walk.run().into(), &self.view.net, None);
        let carried = carry::carried(&typed.view, &record.steps, budget)?;
        if carried.why.is_some() {
            return Err(Refusal::new(
                Code::Refused,
                "the predicate looks at points between the steps of this run; begin without a run, or search",
            ));
        }
        (self.numbers, self.view, self.with) =
            (carried.numbers, typed.view.clone(), typed.with.clone());
        Ok(())
    }

    fn go(&mut self, steps: usize, budget: &Budget) -> Result<&'static str, Refusal> {
        let view = self.view.clone();
        let net = &*view.net;
        let mut going = view.going(&self.numbers, budget)?;
        let stopped = loop {
            let taken = going.numbers().len() - self.numbers.len();
            let Ok(modes) = all_modes(net, going.last(), budget)? else { break "fault" };
            if modes.is_empty() {
                let is_over = net.has_threads() && net.may_rest(going.last());
                let is_deadlock = matches!(self.until, Until::Deadlock) && !is_over;
                break if is_deadlock { "until" } else { "end" };
            }
            if taken >= steps {
                break "steps";
            }
            let number = self.random.below(modes.len());
            let (before, mode) = (going.last().clone(), modes[number].clone());
            match going.go(modes, number as u32) {
                Err(refusal) if refusal.code() == Code::NoSuchStep => break "fault",
                gone => gone?,
            }
            let is_reached = match &self.until {
                Until::Predicate(typed) => holds(net, going.last(), &typed.property.formula)?,
                Until::Line(spot) => spot.is_reached(net, &before, &mode, going.last()),
                Until::Never | Until::Deadlock => false,
            };
            if is_reached {
                break "until";
            }
        };
        self.numbers = going.numbers().to_vec();
        Ok(stopped)
    }
}

fn holds(net: &Net, state: &State, formula: &Formula) -> Result<bool, Refusal> {
    interpret::holds(net, state, formula, &Bindings::new()).map_err(|kind| {
        let what = kind.describe(net);
        Refusal::new(Code::Refused, format!("in a state it asks for, {what}"))
    })
}
