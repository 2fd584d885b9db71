//! Deciding properties of a model.
//!
//! The graph of classes is explored once for all properties, and what they say is decided on it while that
//! goes on (`decide`). Relations that a property uses are kept by the folding; where it names members of a
//! class these are told apart, in an exploration for that property; a property of a followed thread has an
//! exploration of its own, in which the thread is part of the state (`follow`). What cannot be decided is
//! refused with the reason. Every run that is shown is executed by the plain interpreter, on the model as it
//! is (`show`).

mod claim;
mod decide;
mod follow;
mod individuals;
mod show;
mod valuation;

use std::collections::BTreeSet;
use std::sync::Arc;

use explore::{Control, Progress};
use net::interpret::Mode;
use net::{Compiled, Fairness, Formula, Literal, Net, Property, Subject, Symmetry, Term};
use state::{Pid, Relations, Value};

use claim::{Atoms, Claim, Shape};
use decide::{Assumed, Cases};
use follow::{Following, following};
use survey::{Plan, SurveyError, survey_reviewed};
use trace::{Run, Trace};

/// What was found of a property.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its name.
    pub name: String,
    /// What it says, as written.
    pub text: String,
    /// What kind of property it is.
    pub concern: Concern,
    /// Whether it holds.
    pub verdict: Verdict,
    /// The classes that were explored for it.
    pub states: u64,
}

/// What kind of property it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// That there is no deadlock.
    Deadlock,
    /// What some states or paths are like: invariants, bounds, reachability, branching time.
    State,
    /// What all runs are like: linear time, and followed threads.
    Run,
}

/// Whether a property holds.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds.
    Holds {
        /// Only since what it is about never happens.
        vacuously: bool,
        /// A run that shows it, where one can.
        witness: Option<Evidence>,
    },
    /// It fails.
    Fails(Option<Evidence>),
    /// It is not known, since a limit was reached or something else came in between.
    Unknown(String),
    /// It cannot be decided; why, and what to do.
    Refused(String),
}

/// A run that shows that a property holds or fails.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The run.
    pub trace: Trace,
    /// The variable for the thread followed, and who it is.
    pub followed: Option<(String, Pid)>,
}

/// How to decide properties.
#[derive(Clone, Debug, Default)]
pub struct Checking {
    /// How to explore.
    pub plan: Plan,
    /// What is assumed of runs.
    pub fairness: Vec<Fairness>,
}

/// Decides properties of a model, and tells `watch` now and then how far an exploration has come.
///
/// # Errors
/// If the model faults, or the relations given do not contain what it observes.
///
/// # Panics
/// If the net breaches what [`Net::check`] checks.
pub fn verify(
    net: &Arc<Net>,
    properties: &[Property],
    checking: &Checking,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Vec<Outcome>, SurveyError> {
    let mut outcomes: Vec<Outcome> = properties.iter().map(unknown).collect();
    let mut together: Vec<usize> = Vec::new();
    for (index, property) in properties.iter().enumerate() {
        match prepared(net, property, checking) {
            Err(why) => outcomes[index].verdict = Verdict::Refused(why),
            Ok(()) if followed_at(property).is_some() || names_members(net, property) => {
                let job = Job { net, checking, properties: vec![property] };
                job.alone(&mut outcomes[index], watch)?;
            }
            Ok(()) => together.push(index),
        }
    }
    if !together.is_empty() {
        let properties = together.iter().map(|&index| &properties[index]).collect();
        let job = Job { net, checking, properties };
        let found = job.explored(net, None, &job.properties, watch)?;
        for (index, (verdict, states)) in together.into_iter().zip(found) {
            outcomes[index].verdict = verdict;
            outcomes[index].states = states;
        }
    }
    Ok(outcomes)
}

fn unknown(property: &Property) -> Outcome {
    Outcome {
        name: property.name.clone(),
        text: property.text.clone(),
        concern: concern(property),
        verdict: Verdict::Unknown(String::new()),
        states: 0,
    }
}

fn concern(property: &Property) -> Concern {
    if property.formula == Formula::DeadlockFree {
        return Concern::Deadlock;
    }
    match Claim::of(property, &mut Atoms::default()) {
        Ok(Claim { shape: Shape::Linear(..), followed, .. })
            if followed.is_some() || !property.formula.is_of_state() =>
        {
            Concern::Run
        }
        Ok(Claim { followed: Some(_), .. }) => Concern::Run,
        _ => Concern::State,
    }
}

/// Whether a property can be decided.
fn prepared(net: &Net, property: &Property, checking: &Checking) -> Result<(), String> {
    let claim = Claim::of(property, &mut Atoms::default())?;
    let assumed = Assumed::of(&checking.fairness)?;
    if let Shape::Branching(formula) = &claim.shape
        && !assumed.is_empty()
        && decide::depends_on_fairness(formula)
    {
        return Err(
            "fairness is assumed, and it says of paths of branching time that they go on for \
             ever (EG, AF, AU), of which it is not known which are fair; say it in linear time, or \
             assume no fairness"
                .into(),
        );
    }
    let missing = |given: Relations| property.relations().without(given);
    if let Some(given) = checking.plan.relations
        && !missing(given).is_empty()
    {
        let names: Vec<&str> = missing(given).iter().map(|relation| relation.name()).collect();
        let names = names.join(", ");
        return Err(format!(
            "it observes {names}, which the relations given do not contain; leave out --relations, \
             or add {names}"
        ));
    }
    let _ = net;
    Ok(())
}

fn followed_at(property: &Property) -> Option<net::PlaceId> {
    match &property.formula {
        Formula::Quantified { subject: Subject::Entering(at), .. } => Some(*at),
        _ => None,
    }
}

/// Whether it tells members of classes apart that are alike in the model.
fn names_members(net: &Net, property: &Property) -> bool {
    let is_class = |id: net::EnumId| net.enumerations[id.index()].symmetry != Symmetry::None;
    let mut found = false;
    property.formula.for_each_term(&mut |term| match term {
        Term::Literal(Literal::Enum(id, _)) => found |= is_class(*id),
        // Members are compared by their order, too.
        Term::Binary(op, ..) if op.is_order() => {
            found |= net.enumerations.iter().any(|class| class.symmetry != Symmetry::None);
        }
        _ => {}
    });
    found
}

/// Properties that are decided on one graph.
struct Job<'a> {
    net: &'a Arc<Net>,
    checking: &'a Checking,
    properties: Vec<&'a Property>,
}

type Found = Vec<(Verdict, u64)>;

impl Job<'_> {
    /// Decides a property that needs explorations of its own. It holds if it does in all of them.
    fn alone(
        &self,
        outcome: &mut Outcome,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(), SurveyError> {
        let property = self.properties[0];
        let (net, property) = if names_members(self.net, property) && !self.checking.plan.full {
            let found = self.net.find_symmetry(std::slice::from_ref(property)).net;
            let property = found.properties[0].clone();
            (Arc::new(found), property)
        } else {
            (self.net.clone(), property.clone())
        };
        let nets = followed_at(&property).map(|at| following(&net, at));
        let mut verdicts = Vec::new();
        for following in nets.iter().flatten().map(Some).chain(nets.is_none().then_some(None)) {
            let explored = following.map_or(&net, |following| &following.net);
            let (verdict, states) =
                self.explored(explored, following, &[&property], watch)?.remove(0);
            outcome.states += states;
            let is_over = !matches!(verdict, Verdict::Holds { .. });
            verdicts.push(verdict);
            if is_over {
                break;
            }
        }
        outcome.verdict = match verdicts.pop() {
            Some(Verdict::Holds { vacuously, witness }) => {
                let all =
                    |verdict: &Verdict| matches!(verdict, Verdict::Holds { vacuously: true, .. });
                Verdict::Holds { vacuously: vacuously && verdicts.iter().all(all), witness }
            }
            Some(other) => other,
            // Nobody can ever enter.
            None => Verdict::Holds { vacuously: true, witness: None },
        };
        Ok(())
    }

    /// Explores a net, and decides properties on the way.
    fn explored(
        &self,
        net: &Arc<Net>,
        following: Option<&Following>,
        properties: &[&Property],
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<Found, SurveyError> {
        let plan = &self.checking.plan;
        let observed = properties.iter().fold(net.relations(), |all, property| {
            property.relations().iter().fold(all, Relations::with)
        });
        let relations = plan.relations.unwrap_or(observed);
        let until = None;
        let plan = Plan { relations: Some(relations), keep_edges: true, until, ..plan.clone() };
        let budget = &plan.budget;
        let mut atoms = Atoms::default();
        let claims = properties.iter().map(|property| {
            Claim::of(property, &mut atoms).expect("it was seen that it can be decided")
        });
        let claims: Vec<Claim> = claims.collect();
        let assumed = Assumed::of(&self.checking.fairness).expect("likewise");
        let compiled = Compiled::new(net.clone(), relations);
        let cases = &mut Cases::new(&compiled, net, (atoms, claims), following, &assumed);
        let mut too_large = None;
        let mut survey = survey_reviewed(net, &plan, watch, &mut |so_far, reader| {
            too_large = cases.look(so_far, reader, false, budget).err();
            let is_over = too_large.is_some() || cases.are_settled();
            if is_over { Control::Interrupt } else { Control::Continue }
        })?;
        let is_complete = survey.exploration().complete;
        if too_large.is_none() && !cases.are_settled() {
            too_large = survey
                .review(|so_far, reader| cases.look(so_far, reader, is_complete, budget).err());
        }
        let states = survey.exploration().states;
        let reason = match (too_large, &cases.fault, survey.exploration().reason) {
            (Some(why), ..) => why,
            (None, Some(fault), _) => format!("in a state it asks for, {}", fault.describe(net)),
            (None, None, _) if survey.is_unbounded() => {
                "there is no end of tokens, and of states; what was seen does not decide it".into()
            }
            (None, None, Some(stop)) => stop.to_string(),
            (None, None, None) => match budget.exhausted() {
                Some(reason) => reason.to_string(),
                None => "it was not decided".into(),
            },
        };
        let names =
            |property: &Property, var: net::Var| property.variables[var.index()].name.clone();
        let decisions = cases.decisions();
        let verdicts = properties.iter().zip(decisions).map(|(property, decision)| {
            let Some(decision) = decision else {
                return (Verdict::Unknown(reason.clone()), states);
            };
            let evidence = decision.shown.map(|shown| {
                let mut trace = survey
                    .review(|so_far, reader| show::trace(&shown, net, &compiled, so_far, reader));
                let followed =
                    following.zip(thread_of(property)).and_then(|(following, thread)| {
                        let bindings = following.bindings(trace.run.last(), thread)?;
                        Some((names(property, thread), bindings[&thread].as_pid()?.clone()))
                    });
                trace.run = self.executed(&trace.run, net, following);
                Evidence { trace, followed }
            });
            let verdict = match decision.holds {
                true => Verdict::Holds { vacuously: decision.vacuously, witness: evidence },
                false => Verdict::Fails(evidence),
            };
            (verdict, states)
        });
        Ok(verdicts.collect())
    }

    /// A run of the net that was explored, executed on the model as it is. Variables have the same names in
    /// both, and stand for the same: who takes part matters, also where others could have done it.
    fn executed(&self, run: &Run, net: &Net, following: Option<&Following>) -> Run {
        let mut executed = Run::at_start(self.net);
        for step in &run.steps {
            let transition = following.map_or(step.mode.transition, |following| {
                following.original[step.mode.transition.index()]
            });
            let meaning = meaning(net, &step.mode);
            executed.go(self.net, transition, |mode, state| {
                let leads_there = match following {
                    Some(following) => following.is_of(&step.state, state),
                    None => step.state == *state,
                };
                leads_there && self::meaning(self.net, mode).is_subset(&meaning)
            });
        }
        executed
    }
}

/// What the variables of a transition stand for, by their names.
fn meaning<'m>(net: &'m Net, mode: &'m Mode) -> BTreeSet<(&'m str, &'m Value)> {
    let variables = &net.transition(mode.transition).variables;
    mode.binding.iter().map(|(var, value)| (&*variables[var.index()].name, value)).collect()
}

fn thread_of(property: &Property) -> Option<net::Var> {
    match &property.formula {
        Formula::Quantified { subject: Subject::Entering(_), thread, .. } => *thread,
        _ => None,
    }
}
