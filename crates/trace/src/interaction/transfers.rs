//! Which tokens of ordinary places each step takes, reads, finds absent and puts, and who had put them.
//!
//! What it puts is what is there after it beyond what it has left there. Garbage that is dropped was taken by nobody.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use lang::write_expr;
use net::interpret::{self, Mode};
use net::{Expr, Net};
use state::Token;

use super::Kind;
use crate::Trace;
use crate::change::{Change, Places, Tokens, ordinary_tokens};

/// What a step does with copies of a token, or finds out about tokens.
pub(crate) struct Transfer {
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

/// What each step of a trace does, puts last, given what it changes.
pub(super) fn transfers(trace: &Trace, net: &Net, changes: &[Change]) -> Vec<Vec<Transfer>> {
    let places = Places::of(net);
    let mut producers = Producers::new();
    put(&mut producers, None, ordinary_tokens(net, &trace.run.initial));
    let mut all = Vec::new();
    for (i, (step, change)) in trace.run.steps.iter().zip(changes).enumerate() {
        let mut found = Vec::new();
        for tokens in reads(net, &step.mode) {
            let queue = producers.get(&(tokens.place.clone(), tokens.values.clone()));
            let first = queue.and_then(VecDeque::front).map(|(event, _)| *event);
            found.push(Transfer::of(Kind::Read, tokens, first.into_iter().collect()));
        }
        found.extend(absences(net, &step.mode));
        let Flow { taken, dropped, gained } = Flow::of(net, &places, &step.mode, change);
        for tokens in taken {
            let from = take(&mut producers, &tokens);
            found.push(Transfer::of(Kind::Take, tokens, from));
        }
        for tokens in dropped {
            take(&mut producers, &tokens);
        }
        put(&mut producers, Some(i), gained.clone());
        found.extend(gained.into_iter().map(|tokens| Transfer::of(Kind::Put, tokens, Vec::new())));
        all.push(found);
    }
    all
}

/// What a step does to ordinary places, in the order of these: the tokens that it takes, those that are dropped as
/// garbage, and those that it puts, perhaps back.
#[derive(Default)]
struct Flow {
    taken: Vec<Tokens>,
    dropped: Vec<Tokens>,
    gained: Vec<Tokens>,
}

impl Flow {
    fn of(net: &Net, places: &Places, mode: &Mode, change: &Change) -> Flow {
        // How many are taken of each, and how many more there are than were left.
        let mut tokens: BTreeMap<(usize, Token), (Arc<str>, u32, i64)> = BTreeMap::new();
        let mut note = |place: &Arc<str>, values: &Token, taken: u32, more: i64| {
            let key = (places.number(place), values.clone());
            let found = tokens.entry(key).or_insert_with(|| (place.clone(), 0, 0));
            found.1 += taken;
            found.2 += more;
        };
        // What has fired does not fault.
        for (place, values, count) in interpret::taken(net, mode).unwrap_or_default() {
            let place = net.place(place);
            if !place.is_flow() {
                note(&place.name, &values, count, i64::from(count));
            }
        }
        for one in &change.gained {
            note(&one.place, &one.values, 0, i64::from(one.count));
        }
        for one in &change.lost {
            note(&one.place, &one.values, 0, -i64::from(one.count));
        }
        let mut flow = Flow::default();
        for ((_, values), (place, taken, more)) in tokens {
            let changed = if more > 0 { &mut flow.gained } else { &mut flow.dropped };
            let count = u32::try_from(more.unsigned_abs()).unwrap_or(u32::MAX);
            let parts = [(changed, count), (&mut flow.taken, taken)];
            for (into, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
                into.push(Tokens { place: place.clone(), values: values.clone(), count });
            }
        }
        flow
    }
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
