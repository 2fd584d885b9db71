//! Who races for what in the last state of a run.

use net::interpret::{self, Mode};
use net::listing;
use net::{Expr, Literal, Net, TransitionId};
use state::{Pid, State, Value};

use super::speech::Speech;
use super::words::line_text;

/// Two threads that stand before conflicting accesses to the same location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// What they race for: `n`, `s[1]`, `items of channel 1 (c)`.
    pub location: String,
    /// Who would access it, in the order of their pids.
    pub accesses: [Access; 2],
    /// The place of the global variable, or the object.
    pub(crate) resource: String,
}

/// What a thread is about to do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    /// The thread.
    pub thread: Pid,
    /// What it is called.
    pub name: String,
    /// The statement before which it is.
    pub at: String,
    /// The line of the statement, if it is known.
    pub line: Option<usize>,
    /// Whether it writes.
    pub writes: bool,
}

impl Access {
    /// `reads` or `writes`.
    pub(crate) fn verb(&self) -> &'static str {
        if self.writes { "writes" } else { "reads" }
    }
}

impl Race {
    /// `main 1 and adder 1.1 race for n`.
    #[must_use]
    pub fn summary(&self) -> String {
        let [one, other] = self.accesses.each_ref().map(|access| &access.name);
        format!("{one} and {other} race for {}", self.location)
    }

    /// A line for each of them: `main 1 reads it at line 10: seen = n`.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.accesses
            .iter()
            .map(|access| format!("{} {} it at {}", access.name, access.verb(), access.at))
    }
}

/// The modes of the probes for races that are enabled in a state.
#[must_use]
pub fn races(net: &Net, state: &State) -> Vec<Mode> {
    let Some(listing) = &net.listing else { return Vec::new() };
    let probes = listing.races.keys().map(|probe| TransitionId(*probe as u32));
    probes.flat_map(|probe| interpret::enabled(net, state, probe).unwrap_or_default()).collect()
}

/// What these modes of a state stand for, each race once.
pub(super) fn told(net: &Net, state: &State, modes: &[Mode]) -> Vec<Race> {
    let (Some(speech), Some(listing)) = (Speech::of(net), &net.listing) else { return Vec::new() };
    let mut races: Vec<Race> = Vec::new();
    for mode in modes {
        let race = listing.races.get(&mode.transition.index());
        let race = race.and_then(|race| of_mode(&speech, state, race, mode));
        races.extend(race.filter(|race| !races.contains(race)));
    }
    races
}

fn of_mode(speech: &Speech, state: &State, race: &listing::Race, mode: &Mode) -> Option<Race> {
    let value = |expr: &Expr| match expr {
        Expr::Var(var) => mode.binding.get(var).cloned(),
        Expr::Literal(Literal::Int(number)) => Some(Value::Int(*number)),
        _ => None,
    };
    let mut location = race.variable.clone();
    if let Some(index) = &race.index {
        let index = value(index).map_or_else(|| "…".to_owned(), |index| index.to_string());
        location += &format!("[{index}]");
    }
    let mut resource = speech.place_of_global(&race.variable).unwrap_or_default().to_owned();
    if let Some(object) = race.object.as_ref().and_then(value) {
        resource = speech.value(&object);
        let name = speech.object(state, &object);
        // What is all that there is in an object has no name in a program that was translated.
        let of = resource.split(' ').next().unwrap_or_default();
        location = match (race.variable.as_str(), of) {
            ("v", "variable") if speech.is_translated() => name,
            ("items", "elements" | "map") if speech.is_translated() => {
                format!("{name}{}", &location["items".len()..])
            }
            _ => format!("{location} of {name}"),
        };
    }
    let access = |(var, line, writes): &(_, Option<listing::Line>, bool)| {
        let thread = mode.binding.get(var)?.as_pid()?.clone();
        let own = line.as_ref().filter(|line| !line.in_prelude);
        Some(Access {
            name: speech.name(state, &thread),
            at: own.map_or_else(|| speech.place(state, &thread), |line| Some(line_text(line)))?,
            line: own.map(|line| line.line),
            writes: *writes,
            thread,
        })
    };
    let [one, other] = &race.accesses;
    let mut accesses = [access(one)?, access(other)?];
    accesses.sort();
    Some(Race { location, accesses, resource })
}
