//! The conditions of a transition, one by one.

use std::borrow::Cow;
use std::collections::BTreeMap;

use budget::Exhausted;
use net::interpret::{self, Mode};
use net::listing::Listed;
use net::{
    Arc, BinaryOp, Expr, Inhibitor, Literal, Net, Participant, Transition, TransitionId, UnaryOp,
    Var,
};
use state::{Pid, Value};

use super::{MOST_QUESTIONS, Name, Trial, Unmet};

/// A condition of a transition.
#[derive(Clone)]
pub(super) enum Condition<'a> {
    Thread(&'a Participant),
    Take(&'a Arc),
    Read(&'a Arc),
    Guard(Cow<'a, Expr>),
    Unless(&'a Inhibitor),
}

/// The conditions of a transition, in the order in which they are put together.
pub(super) struct Conditions<'a> {
    pub net: &'a Net,
    pub rule: &'a Transition,
    /// The participant that the thread is.
    role: Option<usize>,
    pub list: Vec<Condition<'a>>,
}

impl<'a> Conditions<'a> {
    pub fn of(net: &'a Net, transition: TransitionId, role: Option<usize>) -> Conditions<'a> {
        let rule = net.transition(transition);
        let others = (0..rule.participants.len()).filter(|i| Some(*i) != role);
        let threads = role.into_iter().chain(others).map(|i| &rule.participants[i]);
        let mut list: Vec<Condition> = threads.map(Condition::Thread).collect();
        // Arcs for each member bind nothing, and come when all is bound.
        for each in [false, true] {
            let wanted = |arc: &&Arc| arc.each.is_empty() != each;
            list.extend(rule.takes.iter().filter(wanted).map(Condition::Take));
            list.extend(rule.reads.iter().filter(wanted).map(Condition::Read));
        }
        list.extend(rule.guard.iter().map(|expr| Condition::Guard(Cow::Borrowed(expr))));
        list.extend(rule.inhibitors.iter().map(Condition::Unless));
        Conditions { net, rule, role, list }
    }

    /// The same for a thread of a process: the other threads come after the tokens, and before conditions that need
    /// them, and the calls that these return from.
    pub fn of_process(net: &'a Net, transition: TransitionId, role: usize) -> Conditions<'a> {
        let rule = net.transition(transition);
        let listed = |place| net.listing.as_ref().and_then(|listing| listing.places.get(place));
        let (calls, takes): (Vec<&Arc>, Vec<&Arc>) = rule
            .takes
            .iter()
            .partition(|arc| matches!(listed(&arc.place), Some(Listed::Frame { .. })));
        let mut list = vec![Condition::Thread(&rule.participants[role])];
        list.extend(takes.iter().copied().map(Condition::Take));
        list.extend(rule.reads.iter().map(Condition::Read));
        let mut bound: Vec<Var> = rule.parameters.iter().map(|(var, _)| *var).collect();
        bound.push(rule.participants[role].thread);
        let arcs = takes.into_iter().chain(&rule.reads).map(|arc| &arc.pattern);
        for expr in arcs.chain([&rule.participants[role].pattern]).flatten().flatten() {
            expr.variables(&mut |var| bound.push(var));
        }
        let mut guard = Vec::new();
        rule.guard.iter().for_each(|expr| conjuncts(expr, &mut guard));
        let (early, late): (Vec<_>, Vec<_>) =
            guard.into_iter().partition(|expr| is_bound(expr, &bound));
        list.extend(early.into_iter().map(Condition::Guard));
        let others = rule.participants.iter().enumerate().filter(|(at, _)| *at != role);
        list.extend(others.map(|(_, other)| Condition::Thread(other)));
        list.extend(calls.into_iter().map(Condition::Take));
        list.extend(late.into_iter().map(Condition::Guard));
        list.extend(rule.inhibitors.iter().map(Condition::Unless));
        Conditions { net, rule, role: Some(role), list }
    }

    /// Whether the thread is the first of those that act.
    pub fn is_first(&self) -> bool {
        self.role == self.rule.participants.iter().position(|one| !one.passive)
    }

    /// What keeps the transition from firing.
    pub fn unmet(self, trial: &mut Trial, pid: Option<&Pid>) -> Result<Option<Unmet>, Exhausted> {
        let Some((at, before)) = self.first_unmet(trial, pid)? else { return Ok(None) };
        let condition = &self.list[at];
        let left = self.list.len() - 1 - at;
        let reason = self.reason(condition, trial.state, &before);
        Ok(Some(Unmet { left, reason, place: self.place(condition) }))
    }

    /// The first condition under which no mode is left, and the modes without it.
    pub fn first_unmet(
        &self,
        trial: &mut Trial,
        pid: Option<&Pid>,
    ) -> Result<Option<(usize, Vec<Mode>)>, Exhausted> {
        let mut before = vec![Mode {
            transition: TransitionId(0),
            binding: BTreeMap::new(),
            tokens: Vec::new(),
        }];
        let own = self
            .role
            .zip(pid)
            .map(|(role, pid)| (self.rule.participants[role].thread, Value::Pid(pid.clone())));
        let own: BTreeMap<Var, Value> = own.into_iter().collect();
        for count in 1..=self.list.len() {
            trial.budget.check()?;
            trial.bare.transitions = vec![self.first(count)];
            let (mut modes, mut questions) = (Vec::new(), 0);
            let meet = &mut |mode: Option<Mode>| {
                questions += u32::from(mode.is_none());
                modes.extend(mode);
                questions > MOST_QUESTIONS
            };
            let (bare, state) = (&trial.bare, trial.state);
            let found =
                interpret::for_each_mode_with(bare, state, TransitionId(0), own.clone(), meet);
            if questions > MOST_QUESTIONS {
                return Ok(None);
            }
            // A condition may fault where one that comes later would have prevented it.
            if found.is_err() {
                continue;
            }
            if modes.is_empty() {
                return Ok(Some((count - 1, before)));
            }
            before = modes;
        }
        Ok(None)
    }

    /// The ordinary place that a condition is about.
    fn place(&self, condition: &Condition) -> Option<Name> {
        let id = match condition {
            Condition::Thread(_) | Condition::Guard(_) => return None,
            Condition::Take(arc) | Condition::Read(arc) => arc.place,
            Condition::Unless(inhibitor) => inhibitor.arcs[0].place,
        };
        let place = self.net.place(id);
        (!place.is_flow()).then(|| place.name.clone())
    }

    /// The transition of the first `count` conditions, which does nothing.
    fn first(&self, count: usize) -> Transition {
        let rule = self.rule;
        let mut part = Transition {
            name: rule.name.clone(),
            variables: rule.variables.clone(),
            parameters: rule.parameters.clone(),
            ..Transition::default()
        };
        for condition in &self.list[..count] {
            match condition {
                Condition::Thread(participant) => part.participants.push((*participant).clone()),
                Condition::Take(arc) => part.takes.push((*arc).clone()),
                Condition::Read(arc) => part.reads.push((*arc).clone()),
                Condition::Guard(guard) => part.guard.push(guard.clone().into_owned()),
                Condition::Unless(inhibitor) => part.inhibitors.push((*inhibitor).clone()),
            }
        }
        let bind = |one: &Transition| (one.participants.len(), one.takes.len(), one.reads.len());
        if bind(&part) == bind(rule) {
            part.definitions.clone_from(&rule.definitions);
        } else {
            leave_out_unbound(rule, &mut part);
        }
        part
    }
}

/// Keeps of the definitions and patterns what can be evaluated.
fn leave_out_unbound(rule: &Transition, part: &mut Transition) {
    let is_defined = |var: Var| rule.definitions.iter().any(|(defined, _)| *defined == var);
    let mut bound: Vec<Var> = part.parameters.iter().map(|(var, _)| *var).collect();
    bound.extend(part.participants.iter().map(|participant| participant.thread));
    let threads = part.participants.iter().map(|participant| &participant.pattern);
    let arcs = part.takes.iter().chain(&part.reads).filter(|arc| arc.each.is_empty());
    for expr in threads.chain(arcs.map(|arc| &arc.pattern)).flatten().flatten() {
        if let Expr::Var(var) = expr
            && !is_defined(*var)
        {
            bound.push(*var);
        }
    }
    for (var, expr) in &rule.definitions {
        if is_bound(expr, &bound) {
            bound.push(*var);
            part.definitions.push((*var, expr.clone()));
        }
    }
    let threads = part.participants.iter_mut().map(|participant| &mut participant.pattern);
    let arcs = part.takes.iter_mut().chain(&mut part.reads).filter(|arc| arc.each.is_empty());
    for column in threads.chain(arcs.map(|arc| &mut arc.pattern)).flatten() {
        if column.as_ref().is_some_and(|expr| !is_bound(expr, &bound)) {
            *column = None;
        }
    }
}

fn is_bound(expr: &Expr, bound: &[Var]) -> bool {
    let mut all = true;
    expr.variables(&mut |var| all &= bound.contains(&var));
    all
}

/// The parts of a condition that must all hold.
fn conjuncts<'e>(expr: &'e Expr, parts: &mut Vec<Cow<'e, Expr>>) {
    match expr {
        Expr::Binary(BinaryOp::And, one, other) => {
            conjuncts(one, parts);
            conjuncts(other, parts);
        }
        // `and` of programs, whose second part is looked at only if the first holds.
        Expr::If(condition, then, otherwise) if **then == Expr::Literal(Literal::Bool(false)) => {
            let not = Expr::Unary(UnaryOp::Not, condition.clone());
            parts.push(Cow::Owned(not));
            conjuncts(otherwise, parts);
        }
        expr => parts.push(Cow::Borrowed(expr)),
    }
}
