//! Which tokens of ordinary places each step takes, reads, finds absent and puts, and who had put them.
//!
//! What a step takes is what is missing after it in a net whose transitions put nothing, which the plain
//! interpreter fires.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use lang::write_expr;
use net::interpret::{self, Mode};
use net::{Expr, Fate, Net};
use state::Token;

use super::Kind;
use crate::Trace;
use crate::change::{Tokens, ordinary_tokens, tokens_beyond};

/// What a step does with copies of a token, or finds out about tokens.
pub(super) struct Transfer {
    pub kind: Kind,
    pub place: Arc<str>,
    /// The tokens with their place: `lock(red)`.
    pub tokens: String,
    /// The same for those who know the place: `red`.
    pub values: String,
    /// What is said of the access where the place has a lifeline, if not a verb and the values.
    pub label: Option<String>,
    /// The events that put them; none for those that are there initially.
    pub producers: Vec<Option<usize>>,
    /// Whether it is about an object of a program, which has a lifeline if several use it.
    pub is_object: bool,
}

impl Transfer {
    fn of(kind: Kind, tokens: Tokens, producers: Vec<Option<usize>>) -> Transfer {
        let (text, values) = (tokens.text(), tokens.values_text());
        let place = tokens.place;
        Transfer { kind, place, tokens: text, values, label: None, producers, is_object: false }
    }
}

/// Who has put the copies of a token, in order, and how many; nobody, if they are there initially.
type Producers = BTreeMap<(Arc<str>, Token), VecDeque<(Option<usize>, u32)>>;

/// What each step of a trace does, puts last.
pub(super) fn transfers(trace: &Trace, net: &Net) -> Vec<Vec<Transfer>> {
    let taking = taking_only(net);
    let mut producers = Producers::new();
    put(&mut producers, None, ordinary_tokens(net, &trace.run.initial));
    let mut before = &trace.run.initial;
    let mut all = Vec::new();
    for (i, step) in trace.run.steps.iter().enumerate() {
        let mut found = Vec::new();
        for tokens in reads(net, &step.mode) {
            let queue = producers.get(&(tokens.place.clone(), tokens.values.clone()));
            let first = queue.and_then(VecDeque::front).map(|(event, _)| *event);
            found.push(Transfer::of(Kind::Read, tokens, first.into_iter().collect()));
        }
        found.extend(absences(net, &step.mode));
        let fired = interpret::fire(&taking, before, &step.mode);
        // What fires in the net fires where nothing is put, too.
        let rest = fired.map_or_else(|_| before.clone(), |step| step.state);
        for tokens in tokens_beyond(net, before, &rest) {
            let from = take(&mut producers, &tokens);
            found.push(Transfer::of(Kind::Take, tokens, from));
        }
        let gained = tokens_beyond(net, &step.state, &rest);
        put(&mut producers, Some(i), gained.clone());
        found.extend(gained.into_iter().map(|tokens| Transfer::of(Kind::Put, tokens, Vec::new())));
        all.push(found);
        before = &step.state;
    }
    all
}

/// The net in which transitions take what they take and put nothing.
fn taking_only(net: &Net) -> Net {
    let mut taking = net.clone();
    for rule in &mut taking.transitions {
        rule.puts.clear();
        rule.spawns.clear();
        rule.participants.iter_mut().for_each(|participant| participant.fate = Fate::End);
    }
    taking
}

/// The arcs that read one token each, and the tokens.
pub(super) fn read_arcs<'a>(
    net: &'a Net,
    mode: &'a Mode,
) -> impl Iterator<Item = (&'a net::Arc, &'a Token)> {
    let rule = net.transition(mode.transition);
    let chosen = |arc: &&net::Arc| arc.each.is_empty();
    let before = rule.participants.len() + rule.takes.iter().filter(chosen).count();
    rule.reads.iter().filter(chosen).zip(mode.tokens.iter().skip(before))
}

/// The tokens of ordinary places that a mode reads.
fn reads(net: &Net, mode: &Mode) -> Vec<Tokens> {
    let arcs = read_arcs(net, mode).filter(|(arc, _)| !net.place(arc.place).is_flow());
    let tokens = arcs.map(|(arc, token)| Tokens {
        place: net.place(arc.place).name.clone(),
        values: token.clone(),
        count: 1,
    });
    tokens.collect()
}

/// What must not be in ordinary places.
fn absences(net: &Net, mode: &Mode) -> Vec<Transfer> {
    let rule = net.transition(mode.transition);
    let column = |expr: &Option<Expr>| match expr {
        None => "_".to_owned(),
        Some(Expr::Var(var)) if mode.binding.contains_key(var) => mode.binding[var].to_string(),
        Some(expr) => write_expr(net, rule, expr),
    };
    let absence = |arc: &net::Arc| {
        let columns: Vec<String> = arc.pattern.iter().map(column).collect();
        let any = arc.pattern.iter().all(Option::is_none);
        let values = if any { String::new() } else { columns.join(", ") };
        let place = net.place(arc.place).name.clone();
        let tokens = Tokens { place, values: Vec::new(), count: 1 };
        Transfer { values, tokens: String::new(), ..Transfer::of(Kind::Absent, tokens, Vec::new()) }
    };
    let arcs = rule.inhibitors.iter().flat_map(|inhibitor| &inhibitor.arcs);
    let ordinary = arcs.filter(|arc| !net.place(arc.place).is_flow());
    ordinary.map(absence).collect()
}

fn put(producers: &mut Producers, event: Option<usize>, tokens: Vec<Tokens>) {
    for tokens in tokens {
        let queue = producers.entry((tokens.place, tokens.values)).or_default();
        queue.push_back((event, tokens.count));
    }
}

/// Takes the tokens that were put first; the events that have put them.
fn take(producers: &mut Producers, tokens: &Tokens) -> Vec<Option<usize>> {
    let Some(queue) = producers.get_mut(&(tokens.place.clone(), tokens.values.clone())) else {
        return Vec::new();
    };
    let mut events = Vec::new();
    let mut left = tokens.count;
    while left > 0
        && let Some((event, held)) = queue.front_mut()
    {
        events.push(*event);
        if *held > left {
            *held -= left;
            break;
        }
        left -= *held;
        queue.pop_front();
    }
    events
}
