//! What keeps a thread of a process from going on, in the words of the program.
//!
//! The statement before which the thread is has a transition for each way it may go. Where a part of the guard is
//! what fails, the reason is in the variables that it is about: fields of an object, global variables. What holds
//! for all types of objects, those of the prelude and others, is read off the values: a process that stands in a
//! field is said with the line where it is. Where there is no token of a thread that has ended, that thread is waited
//! for; where another one should take part, nobody comes to meet this one.

use std::collections::BTreeSet;

use budget::Exhausted;
use net::interpret::Mode;
use net::listing::{Field, Listed, WaitWords};
use net::{Arc, BinaryOp, Expr};
use state::{Pid, State, Value};

use super::conditions::{Condition, Conditions};
use super::words::{
    OTHER_REASON, alone_reason, object_reason, reasons, sleep_reason, whereabouts_text,
};
use super::{IsMeant, Trial, Wait, that_fire};
use crate::change::At;
use crate::speech::Speech;
use crate::told::ToldThread;
use crate::words::equation;

/// What is waited for.
#[derive(Clone, Debug, PartialEq)]
enum Awaited {
    /// An object, in its place.
    Object(Value, std::sync::Arc<str>),
    /// A global variable, by its place.
    Global(std::sync::Arc<str>),
    /// That a thread ends.
    End(Pid),
    /// Something else.
    Other,
}

/// Why a statement cannot be executed.
struct Hurdle<'n> {
    statement: String,
    awaited: Awaited,
    /// The variables that the condition is about, and their values.
    fields: Vec<(&'n Field, Vec<Value>)>,
    /// Whether all that is missing is another thread.
    is_alone: bool,
}

/// What a thread waits for.
pub(super) fn wait(
    speech: &Speech,
    trial: &mut Trial,
    pid: Pid,
    at: &At,
    is_meant: &IsMeant,
) -> Result<Wait, Exhausted> {
    let state = trial.state;
    let (mut hurdles, mut others): (Vec<Hurdle>, Vec<Hurdle>) = (Vec::new(), Vec::new());
    for id in that_fire(speech.net()) {
        let rule = speech.net().transition(id);
        let roles = rule.participants.iter().enumerate();
        let roles = roles.filter(|(_, one)| {
            speech.net().place(one.from).name == at.place && !one.passive && rule.failure.is_none()
        });
        for (role, _) in roles.filter(|(role, _)| is_meant(id, *role)) {
            let conditions = Conditions::of_process(speech.net(), id, role);
            let unmet = conditions.first_unmet(trial, Some(&pid))?;
            // The thread itself comes first: what its own data keep it from is not what it waits for.
            if let Some((number, before)) = unmet.filter(|(number, _)| *number > 0) {
                let statement = speech.statement_of(id, role).unwrap_or_default();
                let condition = &conditions.list[number];
                // That a channel is none at which threads meet is no reason if there is another.
                let is_closed =
                    rule.participants.len() > 1 && !matches!(condition, Condition::Thread(_));
                let into = if is_closed { &mut others } else { &mut hurdles };
                for found in of_condition(speech, &conditions, condition, before.first()) {
                    add(into, Hurdle { statement: statement.clone(), ..found });
                }
            }
        }
    }
    if hurdles.is_empty() {
        hurdles = others;
    }
    if hurdles.is_empty() {
        hurdles = never_met(speech, trial, &pid, at)?;
    }
    if hurdles.iter().any(|hurdle| hurdle.awaited != Awaited::Other) {
        hurdles.retain(|hurdle| hurdle.awaited != Awaited::Other);
    }
    let texts =
        hurdles.iter().map(|hurdle| (hurdle.statement.as_str(), hurdle.text(speech, state, &pid)));
    let reasons = reasons(texts.collect());
    let places = hurdles.iter().filter_map(|hurdle| match &hurdle.awaited {
        Awaited::Object(object, _) => Some(speech.value(object).into()),
        Awaited::Global(place) => Some(place.clone()),
        Awaited::End(_) | Awaited::Other => None,
    });
    let ends = hurdles.iter().filter_map(|hurdle| match &hurdle.awaited {
        Awaited::End(pid) => Some(pid.clone()),
        _ => None,
    });
    let is_asleep = matches!(&hurdles[..], [only] if only.is_sleep(speech, &pid));
    let since = hurdles.iter().filter_map(|hurdle| hurdle.since(speech)).collect();
    let (places, ends) = (places.collect(), ends.collect());
    let thread = ToldThread::of(Some(speech), state, &pid, at);
    Ok(Wait {
        places,
        ends,
        is_asleep,
        since,
        names: vec![thread.name],
        at: Some(thread.at),
        line: thread.line,
        threads: vec![pid],
        reasons,
        more: 0,
    })
}

/// What a thread waits for if no transition goes on from where it is: the objects at which nobody ever meets it. What
/// can go wrong there leads to them.
fn never_met<'n>(
    speech: &Speech<'n>,
    trial: &mut Trial,
    pid: &Pid,
    at: &At,
) -> Result<Vec<Hurdle<'n>>, Exhausted> {
    let mut hurdles = Vec::new();
    for id in that_fire(speech.net()) {
        let rule = speech.net().transition(id);
        let [own] = &rule.participants[..] else { continue };
        if speech.net().place(own.from).name != at.place {
            continue;
        }
        if rule.failure.is_none() {
            return Ok(Vec::new());
        }
        let conditions = Conditions::of_process(speech.net(), id, 0);
        let Some((_, before)) = conditions.first_unmet(trial, Some(pid))? else { continue };
        for awaited in met_at(speech, &conditions, before.first()) {
            let statement = String::new();
            add(&mut hurdles, Hurdle { statement, awaited, fields: vec![], is_alone: true });
        }
    }
    Ok(hurdles)
}

/// The objects of a transition at which two threads may meet: those that lead to no other.
fn met_at(speech: &Speech, conditions: &Conditions, before: Option<&Mode>) -> Vec<Awaited> {
    let rule = conditions.rule;
    let bound = |expr: &Expr| bound(before, expr);
    let arcs = || rule.takes.iter().chain(&rule.reads);
    let is_same = |a: &Expr, b: &Expr| {
        let equals = |guard: &Expr| match guard {
            Expr::Binary(BinaryOp::Equal, x, y) => (&**x, &**y) == (a, b) || (&**x, &**y) == (b, a),
            _ => false,
        };
        a == b || rule.guard.iter().any(equals)
    };
    let leads_on = |arc: &Arc| {
        let mut others = arcs().filter(|other| !std::ptr::eq(*other, arc));
        others.any(|other| {
            let Some(Some(object)) = other.pattern.first() else { return false };
            arc.pattern.iter().skip(1).flatten().any(|to| is_same(to, object))
        })
    };
    let objects = arcs().filter(|arc| !leads_on(arc));
    let objects = objects.filter_map(|arc| Some(resource(speech, arc, &bound)?.0));
    objects.filter(|awaited| matches!(awaited, Awaited::Object(..))).collect()
}

/// The object at which a thread would meet another that is at a different one, where that is what a condition asks.
fn met_elsewhere(
    conditions: &Conditions,
    guard: &Expr,
    before: Option<&Mode>,
) -> Option<(Value, net::PlaceId)> {
    let Expr::Binary(BinaryOp::Equal, a, b) = guard else { return None };
    let arcs = || conditions.rule.takes.iter().chain(&conditions.rule.reads);
    let arc_of = |expr: &Expr| arcs().find(|arc| arc.pattern.first() == Some(&Some(expr.clone())));
    // The first of the two threads brings the object, and the other comes to it.
    let (arc, other) = match arc_of(a) {
        Some(arc) => (arc, b),
        None => (arc_of(b)?, a),
    };
    let own = match conditions.is_first() {
        true => arc.pattern.first()?.as_ref()?,
        false => other,
    };
    let object = bound(before, own)?;
    (conditions.rule.participants.len() > 1 && matches!(object, Value::Object(..)))
        .then_some((object, arc.place))
}

/// What a variable is bound to.
fn bound(before: Option<&Mode>, expr: &Expr) -> Option<Value> {
    match expr {
        Expr::Var(var) => before.and_then(|mode| mode.binding.get(var)).cloned(),
        _ => None,
    }
}

/// Adds a reason to those of the same statement and object. That nobody comes to meet the thread says more than
/// why it cannot go on alone.
fn add<'n>(hurdles: &mut Vec<Hurdle<'n>>, new: Hurdle<'n>) {
    let same = |one: &&mut Hurdle| (&one.statement, &one.awaited) == (&new.statement, &new.awaited);
    let Some(old) = hurdles.iter_mut().find(same) else { return hurdles.push(new) };
    old.is_alone |= new.is_alone;
    for field in new.fields {
        if !old.fields.contains(&field) {
            old.fields.push(field);
        }
    }
}

/// What a condition that is not met is about, given the first of the modes without it.
fn of_condition<'n>(
    speech: &Speech<'n>,
    conditions: &Conditions<'n>,
    condition: &Condition<'n>,
    before: Option<&Mode>,
) -> Vec<Hurdle<'n>> {
    let bare =
        |awaited| Hurdle { statement: String::new(), awaited, fields: vec![], is_alone: false };
    let bound = |expr: &Expr| bound(before, expr);
    let mut found = Vec::new();
    if let Condition::Guard(guard) = condition
        && let Some((object, place)) = met_elsewhere(conditions, guard, before)
    {
        let place = speech.net().place(place).name.clone();
        return vec![Hurdle { is_alone: true, ..bare(Awaited::Object(object, place)) }];
    }
    match condition {
        Condition::Guard(guard) => {
            let mut variables = Vec::new();
            guard.variables(&mut |var| variables.push(Expr::Var(var)));
            let arcs = conditions.rule.takes.iter().chain(&conditions.rule.reads);
            for arc in arcs {
                let is_meant = |column: usize| {
                    arc.pattern[column].as_ref().is_some_and(|expr| variables.contains(expr))
                };
                let token: Option<Vec<Value>> =
                    arc.pattern.iter().map(|expr| bound(expr.as_ref()?)).collect();
                let (Some(token), Some((awaited, fields))) = (token, resource(speech, arc, &bound))
                else {
                    continue;
                };
                let fields: Vec<_> = fields
                    .iter()
                    .filter(|field| !field.is_hidden() && field.columns.clone().any(is_meant))
                    .map(|field| (field, token.clone()))
                    .collect();
                if !fields.is_empty() {
                    found.push(Hurdle { fields, ..bare(awaited) });
                }
            }
        }
        Condition::Thread(_) => {
            let objects = met_at(speech, conditions, before).into_iter();
            found.extend(objects.map(|awaited| Hurdle { is_alone: true, ..bare(awaited) }));
        }
        Condition::Take(arc) | Condition::Read(arc) => {
            let listed = speech.listed(&speech.net().place(arc.place).name);
            if let Some(Listed::Ended | Listed::Result(_)) = listed
                && let Some(Value::Pid(pid)) = arc.pattern[0].as_ref().and_then(&bound)
            {
                found.push(bare(Awaited::End(pid)));
            }
        }
        Condition::Unless(_) => {}
    }
    if found.is_empty() { vec![bare(Awaited::Other)] } else { found }
}

/// The object or global variable that an arc is about, and its variables.
fn resource<'n>(
    speech: &Speech<'n>,
    arc: &Arc,
    bound: &dyn Fn(&Expr) -> Option<Value>,
) -> Option<(Awaited, &'n [Field])> {
    let place = &speech.net().place(arc.place).name;
    match speech.listed(place)? {
        Listed::Object { fields, .. } => {
            let object = bound(arc.pattern[0].as_ref()?)?;
            Some((Awaited::Object(object, place.clone()), fields))
        }
        Listed::Global(field) => {
            Some((Awaited::Global(place.clone()), std::slice::from_ref(field)))
        }
        _ => None,
    }
}

impl Hurdle<'_> {
    fn text(&self, speech: &Speech, state: &State, own: &Pid) -> String {
        let where_is = |pid: &Pid| {
            whereabouts_text(pid, own, &speech.name(state, pid), speech.place(state, pid))
        };
        let values = self
            .fields
            .iter()
            .map(|(field, token)| equation(&field.name, &speech.field(field, token)));
        let values = values.collect::<Vec<_>>().join(", ");
        match &self.awaited {
            Awaited::End(pid) => format!("for the end of {}", where_is(pid)),
            Awaited::Object(object, _) if self.is_alone => {
                alone_reason(&speech.object_of(state, object, own))
            }
            Awaited::Object(object, place) => {
                let words = self.words(speech).map(|words| words.text.clone());
                let name = speech.object_of(state, object, own);
                if let Some(text) = words {
                    return filled(speech, state, &text, (&name, object, place));
                }
                if self.is_sleep(speech, own) {
                    return sleep_reason(&speech.short_object(state, object, own));
                }
                let is_held = matches!(&self.fields[..], [(field, _)] if field.name == "holder");
                object_reason(&name, &values, (is_held, &self.pids()), own, &where_is)
            }
            Awaited::Global(_) => values,
            Awaited::Other => OTHER_REASON.to_owned(),
        }
    }

    /// Whether it is that the thread is among those that an object says are asleep.
    fn is_sleep(&self, speech: &Speech, own: &Pid) -> bool {
        matches!(&self.fields[..], [(field, _)] if field.name == "asleep")
            && !self.is_alone
            && !speech.is_translated()
            && self.pids().contains(own)
    }

    /// What is said of such a wait in a program that was translated.
    fn words<'s>(&self, speech: &'s Speech) -> Option<&'s WaitWords> {
        let Awaited::Object(_, place) = &self.awaited else { return None };
        let Some(Listed::Object { name, .. }) = speech.listed(place) else { return None };
        let names: BTreeSet<&str> =
            self.fields.iter().map(|(field, _)| field.name.as_str()).collect();
        let is_meant = |words: &&WaitWords| {
            let variables: BTreeSet<&str> = words.variables.iter().map(String::as_str).collect();
            words.of == *name && variables == names && !self.is_alone
        };
        speech.listing().words.as_ref()?.waits.iter().find(is_meant)
    }

    /// The object, and the variable whose last change is the reason, in a program that was translated.
    fn since(&self, speech: &Speech) -> Option<(std::sync::Arc<str>, String)> {
        let Awaited::Object(object, _) = &self.awaited else { return None };
        let key = speech.value(object).into();
        match (self.words(speech), &self.fields[..]) {
            (Some(words), _) => Some((key, words.since.clone()?)),
            (None, [(field, _)]) if speech.is_translated() && field.name == "holder" => {
                Some((key, field.name.clone()))
            }
            _ => None,
        }
    }

    /// The processes that stand in the variables.
    fn pids(&self) -> Vec<Pid> {
        let scalars = self.fields.iter().flat_map(|(field, token)| field.scalars(token));
        let pids: BTreeSet<Pid> =
            scalars.filter_map(|(_, value)| value.as_pid().cloned()).collect();
        pids.into_iter().collect()
    }
}

/// What is said of an object, with its name and the values of its variables filled in.
fn filled(
    speech: &Speech,
    state: &State,
    text: &str,
    (name, object, place): (&str, &Value, &str),
) -> String {
    let mut text = text.replace("{object}", name);
    let token = state.tokens(place).map(|(token, _)| token).find(|token| token[0] == *object);
    if let (Some(Listed::Object { fields, .. }), Some(token)) = (speech.listed(place), token) {
        for field in fields {
            text = text.replace(&format!("{{{}}}", field.name), &speech.field(field, token));
        }
    }
    text
}
