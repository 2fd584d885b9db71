//! Whether a run that is shown shows what it should: it is replayed, what is repeated is repeated until
//! everybody who stays is back in their place, and then violation and fairness are looked at there.

use std::collections::{BTreeMap, BTreeSet};

use kinfold::Evidence;
use net::interpret::{self, Mode};
use net::{Fairness, Net, Property, Strength, Whom};
use state::{Pid, Relation, Relations, State, Value};

use crate::linear::Linear;
use crate::oracle::{entered, said, shown_by_a_state};
use crate::predicate::{Meaning, are_related, is_true};
use crate::space::{Someone, acting, entering, fired, threads_at};

type Renaming = BTreeMap<Pid, Pid>;

/// What the repetition of a loop was like.
pub struct Repeated {
    /// How often it was repeated until everybody who stays was back.
    pub rounds: usize,
    /// The threads that die.
    pub dying: usize,
    /// Whether somebody has taken the place of another.
    pub changed: bool,
}

macro_rules! demand {
    ($condition:expr, $($message:tt)*) => {
        if !$condition {
            return Err(format!($($message)*));
        }
    };
}

/// Replays a run from the initial state.
pub fn replayed(net: &Net, evidence: &Evidence) -> Result<(), String> {
    let run = &evidence.trace.run;
    let mut state = interpret::initial(net);
    demand!(run.initial == state, "the run starts elsewhere");
    for (number, step) in run.steps.iter().enumerate() {
        let after = gone_on(net, &state, &step.mode)?;
        demand!(after.children == step.children, "step {number} has other children");
        demand!(after.state == step.state, "step {number} leads elsewhere");
        state = after.state;
    }
    Ok(())
}

fn gone_on(net: &Net, state: &State, mode: &Mode) -> Result<interpret::Step, String> {
    let modes = interpret::modes(net, state, mode.transition).unwrap_or_default();
    demand!(modes.contains(mode), "{mode:?} cannot fire in {state:?}");
    interpret::fire(net, state, mode).map_err(|fault| format!("{fault:?}"))
}

/// Repeats the loop of a run, if it has one, and says what that was like.
pub fn repeated(
    net: &Net,
    property: &Property,
    fairness: &[Fairness],
    evidence: &Evidence,
) -> Result<Option<Repeated>, String> {
    let run = &evidence.trace.run;
    let Some(back) = &evidence.trace.back else { return Ok(None) };
    let (base, last) = (run.state(back.to), run.last());
    if back.to == run.steps.len() {
        demand!(fired(net, last).is_some_and(|all| all.is_empty()), "it could go on");
        return Ok(Some(Repeated { rounds: 0, dying: 0, changed: false }));
    }
    let named: BTreeSet<&Pid> = back.replaced.keys().collect();
    let taken: BTreeSet<&Pid> = back.replaced.values().collect();
    demand!(named == last.eta().keys().collect(), "not every thread of the last state is named");
    demand!(taken == base.eta().keys().collect(), "not every place is taken");
    let followed = evidence.followed.as_ref().map(|(_, pid)| pid);
    let mut fixed: Renaming =
        back.replaced.iter().map(|(now, was)| (was.clone(), now.clone())).collect();
    if let Some(pid) = followed {
        let now = fixed.entry(pid.clone()).or_insert_with(|| pid.clone());
        demand!(now == pid, "another has taken the place of the thread followed");
    }
    let relations = property.relations().iter().fold(net.relations(), Relations::with);
    let round = extended(&fixed, base, last, followed, relations)
        .ok_or("the last state is not equivalent to the earlier one by the threads named")?;
    // Who has which part in the next round, of those who live so long.
    let next_part = |pid: &Pid| back.replaced.get(pid);
    let stays = |pid: &&Pid| {
        let mut part = next_part(pid);
        for _ in 0..base.eta().len() {
            match part {
                Some(other) if other == *pid => return true,
                Some(other) => part = next_part(other),
                None => return false,
            }
        }
        false
    };
    let staying: BTreeSet<&Pid> = base.eta().keys().filter(stays).collect();
    let mut naming: Renaming =
        everybody(base, followed).into_iter().map(|p| (p.clone(), p)).collect();
    let mut state = base.clone();
    let (mut able, mut acted) = (Vec::new(), BTreeSet::new());
    let mut rounds = 0;
    loop {
        for step in &run.steps[back.to..] {
            let all = fired(net, &state).ok_or("the model faults in a loop")?;
            able.push(all.iter().flat_map(|(mode, _)| acting(net, mode)).collect::<BTreeSet<_>>());
            let mode = renamed_mode(&step.mode, &naming)?;
            acted.extend(acting(net, &mode));
            let after = gone_on(net, &state, &mode)?;
            demand!(after.children.len() == step.children.len(), "other children in a later round");
            naming.extend(step.children.iter().cloned().zip(after.children));
            state = after.state;
        }
        rounds += 1;
        naming = round.iter().map(|(part, pid)| (part.clone(), naming[pid].clone())).collect();
        demand!(
            is_isomorphism(&naming, base, &state, followed, relations),
            "round {rounds} does not end in an equivalent state"
        );
        if staying.iter().all(|&pid| naming[pid] == *pid) {
            break;
        }
        demand!(rounds < 1_000, "those who stay never come back to their places");
    }
    for Fairness { strength, of } in fairness {
        let whom: Vec<Someone> = match *of {
            Whom::Transition(transition) => vec![Someone::Transition(transition)],
            Whom::Threads => staying.iter().map(|&pid| Someone::Thread(pid.clone())).collect(),
            Whom::Action(_) => panic!("nets at random have no actions"),
            Whom::Class(id) => {
                let members = net.enumerations[id.index()].members.iter();
                members.map(|name| Someone::Member(id, Value::Enum(name.clone()))).collect()
            }
        };
        for who in whom {
            let is_able = |able: &BTreeSet<Someone>| able.contains(&who);
            let waits = match strength {
                Strength::Weak => able.iter().all(is_able),
                Strength::Strong => able.iter().any(is_able),
            };
            demand!(
                property_is_branching(property) || !waits || acted.contains(&who),
                "the loop is not fair to {who:?}"
            );
        }
    }
    let dying = base.eta().len() - staying.len();
    let changed = back.replaced.iter().any(|(now, was)| now != was);
    Ok(Some(Repeated { rounds, dying, changed }))
}

/// Whether fairness makes no difference, and is not shown.
fn property_is_branching(property: &Property) -> bool {
    let body = entered(property).map_or(&property.formula, |(_, _, body)| body);
    Linear::of(body).is_none()
}

/// Whether a run violates a property of linear time: it goes on for ever, or ends where enough is seen.
pub fn violates(net: &Net, property: &Property, evidence: &Evidence) -> Result<bool, String> {
    let run = &evidence.trace.run;
    if let Some((statement, truth, false)) = shown_by_a_state(property) {
        return Ok(is_true(net, run.last(), statement, &Meaning::new()) == truth);
    }
    let back = evidence.trace.back.as_ref().ok_or("it does not say how it goes on")?;
    let end = if back.to == run.steps.len() { back.to + 1 } else { run.steps.len() };
    let states: Vec<State> = (0..end).map(|index| run.state(index).clone()).collect();
    let Some((thread, places, body)) = entered(property) else {
        let linear = Linear::of(&property.formula).expect("it is of linear time");
        let says = said(net, &states, &linear, &Meaning::new());
        return Ok(!linear.holds_along(&says, back.to));
    };
    let (_, pid) = evidence.followed.as_ref().ok_or("it does not say who is followed")?;
    let linear = Linear::of(body).expect("it is of linear time");
    let says = said(net, &states, &linear, &Meaning::from([(thread, Value::Pid(pid.clone()))]));
    let along = linear.along(&says, back.to);
    let enters = |index: usize| match index.checked_sub(1) {
        None => threads_at(net, run.state(0), places).contains(pid),
        Some(before) => entering(net, run.state(before), run.state(index), places).contains(pid),
    };
    let is_bad = |index: usize| enters(index) && !linear.is_true(along[index.min(end)]);
    Ok((0..end).any(is_bad))
}

fn renamed_mode(mode: &Mode, naming: &Renaming) -> Result<Mode, String> {
    let value = |value: &Value| match value {
        Value::Pid(pid) => {
            let now = naming.get(pid).ok_or_else(|| format!("{pid} is nobody in the next round"));
            Ok(Value::Pid(now?.clone()))
        }
        other => Ok(other.clone()),
    };
    let binding = mode.binding.iter().map(|(&var, bound)| Ok((var, value(bound)?)));
    let tokens = mode.tokens.iter().map(|token| token.iter().map(value).collect());
    Ok(Mode {
        transition: mode.transition,
        binding: binding.collect::<Result<_, String>>()?,
        tokens: tokens.collect::<Result<_, String>>()?,
    })
}

/// The pids in a state, and the one that is followed.
fn everybody(state: &State, followed: Option<&Pid>) -> BTreeSet<Pid> {
    state.pids().into_iter().chain(followed.cloned()).collect()
}

/// A bijection by which two states are equivalent, that maps some pids as given.
fn extended(
    fixed: &Renaming,
    one: &State,
    other: &State,
    followed: Option<&Pid>,
    relations: Relations,
) -> Option<Renaming> {
    let Some(pid) = everybody(one, followed).into_iter().find(|pid| !fixed.contains_key(pid))
    else {
        return is_isomorphism(fixed, one, other, followed, relations).then(|| fixed.clone());
    };
    let taken: BTreeSet<&Pid> = fixed.values().collect();
    let free = everybody(other, followed).into_iter().filter(|pid| !taken.contains(pid));
    let mut found = free.filter_map(|image| {
        let mut fixed = fixed.clone();
        fixed.insert(pid.clone(), image);
        extended(&fixed, one, other, followed, relations)
    });
    found.next()
}

/// Whether a map of pids shows two states to be equivalent.
fn is_isomorphism(
    map: &Renaming,
    one: &State,
    other: &State,
    followed: Option<&Pid>,
    relations: Relations,
) -> bool {
    let image: BTreeSet<Pid> = map.values().cloned().collect();
    let is_bijection = map.keys().cloned().collect::<BTreeSet<_>>() == everybody(one, followed)
        && image == everybody(other, followed)
        && image.len() == map.len();
    let keeps_activity =
        map.iter().all(|(from, to)| one.eta().contains_key(from) == other.eta().contains_key(to));
    if !is_bijection || !keeps_activity {
        return false;
    }
    let mut renamed = State::new();
    for place in one.marked() {
        for (token, count) in one.tokens(place) {
            let value = |value: &Value| match value {
                Value::Pid(pid) => Value::Pid(map[pid].clone()),
                other => other.clone(),
            };
            let fits = renamed.put(place, token.iter().map(value).collect(), count);
            assert!(fits, "they were there before");
        }
    }
    other.eta().iter().for_each(|(pid, &children)| renamed.activate(pid.clone(), children));
    if renamed != *other {
        return false;
    }
    let pids: Vec<(Pid, Pid)> = map.iter().map(|(a, b)| (a.clone(), b.clone())).collect();
    let next = |(a, b): &(Pid, Pid)| Some((one.next(a)?, other.next(b)?));
    let with_next: Vec<(Pid, Pid)> =
        pids.iter().cloned().chain(pids.iter().filter_map(next)).collect();
    relations.iter().all(|relation| {
        let pids = match relation {
            Relation::Parent | Relation::Ancestor => &pids,
            Relation::NextSibling | Relation::ElderSibling => &with_next,
        };
        pids.iter().all(|(a, to_a)| {
            let mut others = pids.iter();
            others.all(|(b, to_b)| are_related(relation, a, b) == are_related(relation, to_a, to_b))
        })
    })
}
