//! Random logs of random nets.

use std::collections::{BTreeMap, BTreeSet};

use net::interpret::{self, Mode, Step};
use net::{Fate, Kind, Net, TransitionId, Var};
use random::Random;
use serde_json::{Map, Value as Json, json};
use state::{State, Value};

/// An event of a log.
#[derive(Clone, Debug)]
pub struct LogEvent {
    pub name: String,
    pub fields: Map<String, Json>,
    pub thread: usize,
    pub clock: BTreeMap<usize, u64>,
}

/// What is known of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    Lines,
    Threads,
    Clocks,
}

/// A log, and what its events are.
#[derive(Clone, Debug)]
pub struct Case {
    pub events: Vec<LogEvent>,
    /// For each transition the name of its event, and the variables that are logged, if it is logged.
    pub logged: BTreeMap<u32, (String, Vec<Var>)>,
    pub unlogged: BTreeSet<u32>,
    pub known: Known,
    pub window: Option<u64>,
    pub reuse: bool,
    /// What each variable is called.
    names: Vec<Vec<String>>,
    /// What each transition is called.
    steps: Vec<String>,
}

/// Why nothing is said of a model.
pub const LARGE: &str = "too many tokens, or ways to do a step";
/// More ways than this are too many, and so are more attempts to find them.
const MOST_MODES: usize = 500;
const MOST_ATTEMPTS: usize = 20_000;

/// The modes of a transition, or why they are not known.
pub fn modes(net: &Net, state: &State, id: TransitionId) -> Result<Vec<Mode>, &'static str> {
    let (mut modes, mut attempts) = (Vec::new(), 0);
    let mut is_large = false;
    let meet = &mut |mode: Option<Mode>| {
        attempts += 1;
        modes.extend(mode);
        is_large = modes.len() > MOST_MODES || attempts > MOST_ATTEMPTS;
        is_large
    };
    interpret::for_each_mode(net, state, id, meet).map_err(|_| "a fault")?;
    if is_large { Err(LARGE) } else { Ok(modes) }
}

/// A random run: modes and what they did.
pub fn walk(net: &Net, most: usize, random: &mut Random) -> Vec<(Mode, Step)> {
    let mut state = interpret::initial(net);
    let mut steps = Vec::new();
    for _ in 0..most {
        let mut modes = Vec::new();
        for id in (0..net.transitions.len() as u32).map(TransitionId) {
            match self::modes(net, &state, id) {
                Ok(found) => modes.extend(found),
                Err(_) => return steps,
            }
        }
        if modes.is_empty() {
            break;
        }
        let mode = random.pick(&modes).clone();
        let Ok(step) = interpret::fire(net, &state, &mode) else { break };
        state = step.state.clone();
        steps.push((mode, step));
    }
    steps
}

/// The value of a variable in a step.
pub fn value_of(net: &Net, mode: &Mode, step: &Step, var: Var) -> Option<Value> {
    let transition = net.transition(mode.transition);
    if let Some(at) = transition.news.iter().position(|(new, _)| *new == var) {
        return Some(step.objects[at].clone());
    }
    let mut first = 0;
    for spawn in &transition.spawns {
        if spawn.child == Some(var) {
            return Some(Value::Pid(step.children[first].clone()));
        }
        first += spawn.count as usize;
    }
    mode.binding.get(&var).cloned()
}

/// Whether a kind of values is named by the log as it likes.
pub fn is_named(net: &Net, kind: Kind) -> bool {
    match kind {
        Kind::Pid | Kind::Object(_) => true,
        Kind::Int | Kind::Bool => false,
        Kind::Enum(id) => {
            let class = &net.enumerations[id.index()];
            let symmetry = class.symmetry;
            let sizes: Vec<u32> = class.parts.iter().map(|part| part.size).collect();
            match symmetry {
                net::Symmetry::None => false,
                net::Symmetry::Rotations => true,
                net::Symmetry::Full if sizes.is_empty() => class.members.len() > 1,
                net::Symmetry::Full => sizes.iter().any(|&size| size > 1),
            }
        }
    }
}

/// The variables that a log may have: bound by threads, tokens or parameters, or created, and in no record.
fn loggable(net: &Net, id: u32) -> Vec<Var> {
    let transition = net.transition(TransitionId(id));
    let mut found = BTreeSet::new();
    for one in &transition.participants {
        found.insert(one.thread);
        assert!(matches!(one.fate, Fate::Move { .. } | Fate::Stay | Fate::End | Fate::Crash));
        let grouped = |column: usize| {
            let groups = &net.place(one.from).groups;
            groups.iter().any(|group| (group.first..group.end()).contains(&(column + 1)))
        };
        for (column, expr) in one.pattern.iter().enumerate() {
            if let Some(net::Expr::Var(var)) = expr
                && !grouped(column)
            {
                found.insert(*var);
            }
        }
    }
    for arc in transition.takes.iter().chain(&transition.reads) {
        let groups = &net.place(arc.place).groups;
        for (column, expr) in arc.pattern.iter().enumerate() {
            let grouped = groups.iter().any(|group| (group.first..group.end()).contains(&column));
            if let Some(net::Expr::Var(var)) = expr
                && arc.each.is_empty()
                && !grouped
            {
                found.insert(*var);
            }
        }
    }
    found.extend(transition.parameters.iter().map(|(var, _)| *var));
    found.extend(transition.spawns.iter().filter_map(|spawn| spawn.child));
    found.extend(transition.news.iter().map(|(var, _)| *var));
    found.retain(|var| !transition.definitions.iter().any(|(defined, _)| defined == var));
    found.into_iter().collect()
}

impl Case {
    /// A log of a run of the net, perhaps spoilt.
    pub fn random(net: &Net, random: &mut Random) -> Case {
        let mut case = Case {
            events: Vec::new(),
            logged: BTreeMap::new(),
            unlogged: BTreeSet::new(),
            known: [Known::Lines, Known::Lines, Known::Threads, Known::Clocks][random.below(4)],
            window: None,
            reuse: random.percent(15),
            names: net.transitions.iter().map(names_of).collect(),
            steps: net.transitions.iter().map(|transition| transition.name.clone()).collect(),
        };
        if case.known != Known::Lines && random.percent(40) {
            case.window = Some(1 + random.below(4_u64));
        }
        let some = 30 + random.below(71_u32);
        for (id, transition) in net.transitions.iter().enumerate() {
            if transition.probe || transition.failure.is_some() {
                continue;
            }
            if random.percent(25) {
                case.unlogged.insert(id as u32);
                continue;
            }
            // Now and then several are logged alike.
            let name = if random.percent(15) { "shared".into() } else { format!("e{id}") };
            let mut vars = loggable(net, id as u32);
            vars.retain(|_| random.percent(some));
            case.logged.insert(id as u32, (name, vars));
        }
        case.record(net, random);
        case.spoil(net, random);
        case.interleave(random);
        case
    }

    /// Logs a random run.
    fn record(&mut self, net: &Net, random: &mut Random) {
        let most = 1 + random.below(8);
        let mut names: BTreeMap<Value, String> = BTreeMap::new();
        let mut used = 0;
        for (mode, step) in walk(net, most, random) {
            if let Some((name, vars)) = self.logged.get(&mode.transition.0) {
                let transition = net.transition(mode.transition);
                let mut fields = Map::new();
                for var in vars {
                    let Some(value) = value_of(net, &mode, &step, *var) else { continue };
                    let json = if value == Value::None {
                        Json::Null
                    } else if is_named(net, transition.variables[var.index()].kind) {
                        let name = names.entry(value.clone()).or_insert_with(|| {
                            used += 1;
                            format!("n{}", used - 1)
                        });
                        json!(name)
                    } else {
                        match value {
                            Value::Int(number) => json!(number),
                            Value::Bool(truth) => json!(truth),
                            Value::Enum(member) => json!(&*member),
                            other => unreachable!("{other} is no datum"),
                        }
                    };
                    let field = self.names[mode.transition.index()][var.index()].clone();
                    fields.insert(field, json);
                }
                self.events.push(LogEvent {
                    name: name.clone(),
                    fields,
                    thread: 0,
                    clock: BTreeMap::new(),
                });
            }
            names
                .retain(|value, _| is_there(&step.state, value) || matches!(value, Value::Enum(_)));
        }
    }

    /// Makes the log worse, mostly.
    fn spoil(&mut self, net: &Net, random: &mut Random) {
        let times = random.weighted(&[35, 50, 15]);
        for _ in 0..times {
            if self.events.is_empty() {
                return;
            }
            let at = random.below(self.events.len());
            match random.below(6) {
                0 => self.events.truncate(at),
                1 => drop(self.events.remove(at)),
                2 if at > 0 => self.events.swap(at - 1, at),
                3 => self.rename(at, random),
                4 => {
                    let again = self.events[random.below(self.events.len())].clone();
                    self.events.insert(at, again);
                }
                _ => self.change(net, at, random),
            }
        }
    }

    /// Calls somebody otherwise: once, or throughout.
    fn rename(&mut self, at: usize, random: &mut Random) {
        let new = json!(format!("n{}", random.below(6)));
        let is_name = |value: &Json| value.as_str().is_some_and(is_name);
        let fields = &self.events[at].fields;
        let names: Vec<(String, Json)> = fields
            .iter()
            .filter(|(_, value)| is_name(value))
            .map(|(field, value)| (field.clone(), value.clone()))
            .collect();
        if names.is_empty() {
            return;
        }
        let (field, old) = random.pick(&names).clone();
        if random.percent(50) {
            self.events[at].fields.insert(field, new);
            return;
        }
        for event in &mut self.events {
            event
                .fields
                .values_mut()
                .filter(|value| **value == old)
                .for_each(|value| *value = new.clone());
        }
    }

    /// Puts another datum, or another event, in the place of one.
    fn change(&mut self, net: &Net, at: usize, random: &mut Random) {
        let event = &mut self.events[at];
        let data = event.fields.values_mut().filter(|value| value.is_number());
        if let Some(value) = data.last()
            && random.percent(50)
        {
            *value = json!(random.below(4));
            return;
        }
        let others: Vec<_> = self.logged.iter().collect();
        if others.is_empty() {
            return;
        }
        let (id, (name, vars)) = *random.pick(&others);
        let transition = net.transition(TransitionId(*id));
        let mut fields = Map::new();
        for var in vars {
            let variable = &transition.variables[var.index()];
            let value = match variable.kind {
                kind if is_named(net, kind) => json!(format!("n{}", random.below(4))),
                Kind::Int => json!(random.below(3)),
                Kind::Bool => json!(random.percent(50)),
                Kind::Enum(id) => json!(&**random.pick(&net.enumerations[id.index()].members)),
                _ => unreachable!("the others are named"),
            };
            fields.insert(self.names[*id as usize][var.index()].clone(), value);
        }
        let (thread, clock) = (0, BTreeMap::new());
        *event = LogEvent { name: name.clone(), fields, thread, clock };
    }

    /// Gives events to threads, and brings them into another order that these allow.
    fn interleave(&mut self, random: &mut Random) {
        if self.known == Known::Lines {
            return;
        }
        let threads = 1 + random.below(3);
        let mut clocks = vec![BTreeMap::<usize, u64>::new(); threads];
        for event in &mut self.events {
            event.thread = random.below(threads);
            let other = random.below(threads);
            if random.percent(40) {
                for (thread, count) in clocks[other].clone() {
                    let own = clocks[event.thread].entry(thread).or_default();
                    *own = (*own).max(count);
                }
            }
            *clocks[event.thread].entry(event.thread).or_default() += 1 + random.below(2_u64);
            event.clock = clocks[event.thread].clone();
        }
        // Lines of a thread stay in order; with a window, clocks are heeded too.
        let is_strict = self.known == Known::Clocks && self.window.is_some();
        for _ in 0..2 * self.events.len() {
            let at = random.below(self.events.len().max(2) - 1);
            if at + 1 >= self.events.len() {
                continue;
            }
            let (one, next) = (&self.events[at], &self.events[at + 1]);
            let is_before = next.clock.get(&one.thread) >= one.clock.get(&one.thread);
            if one.thread != next.thread && !(is_strict && is_before) {
                self.events.swap(at, at + 1);
            }
        }
    }

    /// Whether one event comes before another.
    pub fn is_before(&self, one: usize, other: usize) -> bool {
        let (a, b) = (&self.events[one], &self.events[other]);
        match self.known {
            _ if one == other => false,
            Known::Lines => one < other,
            Known::Threads => a.thread == b.thread && one < other,
            Known::Clocks => a.clock[&a.thread] <= b.clock.get(&a.thread).copied().unwrap_or(0),
        }
    }

    /// Which transitions an event may be, with what is said of their variables.
    pub fn readings(&self, event: &LogEvent) -> Vec<(TransitionId, Vec<(Var, Json)>)> {
        let mut found = Vec::new();
        for (id, (name, vars)) in &self.logged {
            if *name != event.name {
                continue;
            }
            let field = |var: &Var| &self.names[*id as usize][var.index()];
            let said =
                vars.iter().filter_map(|var| Some((*var, event.fields.get(field(var))?.clone())));
            found.push((TransitionId(*id), said.collect()));
        }
        found
    }

    /// The mapping file.
    pub fn mapping(&self) -> String {
        let rule = |(id, (name, vars)): (&u32, &(String, Vec<Var>))| {
            let names = &self.names[*id as usize];
            let values = vars.iter().map(|var| {
                let name = names[var.index()].clone();
                (name.clone(), json!(format!("{name}?")))
            });
            let values: Map<String, Json> = values.collect();
            json!({"event": name, "step": self.steps[*id as usize], "values": values})
        };
        let unlogged: Vec<String> =
            self.unlogged.iter().map(|id| self.steps[*id as usize].clone()).collect();
        let order = match self.known {
            Known::Lines => "lines",
            Known::Threads => "threads",
            Known::Clocks => "clocks",
        };
        json!({
            "log": {"order": order, "thread": "thread", "clock": "clock"},
            "events": self.logged.iter().map(rule).collect::<Vec<_>>(),
            "unlogged": unlogged,
            "names_reused": self.reuse,
        })
        .to_string()
    }

    /// The log.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for LogEvent { name, fields, thread, clock } in &self.events {
            let mut line = fields.clone();
            line.insert("event".into(), json!(name));
            line.insert("thread".into(), json!(thread));
            let clock: Map<String, Json> =
                clock.iter().map(|(thread, count)| (thread.to_string(), json!(count))).collect();
            line.insert("clock".into(), clock.into());
            text.push_str(&format!("{}\n", Json::Object(line)));
        }
        text
    }
}

/// Whether somebody is in a state: an active thread, or in a token.
pub fn is_there(state: &State, value: &Value) -> bool {
    let is_active = value.as_pid().is_some_and(|pid| state.eta().contains_key(pid));
    is_active || state.values().any(|other| other == value)
}

fn is_name(text: &str) -> bool {
    text.strip_prefix('n').is_some_and(|number| number.parse::<u32>().is_ok())
}

/// The names of the variables of a transition.
fn names_of(transition: &net::Transition) -> Vec<String> {
    transition.variables.iter().map(|variable| variable.name.clone()).collect()
}
