//! Runs that Kinfold shows, in the order in which the real Go is made to take their steps.
//!
//! A statement of Go may be several steps: operands are read, then something is done; or it is done first, and
//! then waited for. In the real Go it is one, which is let go at the first of its steps or at the last: at first what
//! waits in the middle is let go at its first step and all else at its last; then both are mixed.

use std::collections::BTreeMap;

use budget::Budget;
use explore::StateId;
use net::{Net, PlaceId};
use random::Random;
use state::{Pid, State, Value};
use survey::Survey;
use trace::{Hopeless, Run};

/// A run by its steps: in each, those who act together.
pub struct Order(Vec<Vec<Act>>);

/// A step of a goroutine.
struct Act {
    pid: Pid,
    /// The line of the program at which it is.
    line: usize,
    /// The execution of a statement that it is part of, and whether it is the first or the last step of that.
    statement: usize,
    first: bool,
    last: bool,
    /// Whether it is a statement that others see before it is done.
    early: bool,
}

/// The shortest run to a state.
pub fn order(survey: &mut Survey, id: StateId) -> Order {
    let run = survey.run_to(id, &Budget::unlimited()).expect("there is no limit");
    acts(survey.net(), &run)
}

/// The statement that a goroutine is executing.
struct UnderWay {
    statement: usize,
    line: usize,
    /// Where it was in the course of it.
    places: Vec<PlaceId>,
    /// Its latest step: the number of that, and which of those who act it is.
    latest: (usize, usize),
}

/// A goroutine comes to another statement when its line is another one, or it is where it was before.
fn acts(net: &Net, run: &Run) -> Order {
    let mut steps: Vec<Vec<Act>> = Vec::new();
    let mut under_way: BTreeMap<Pid, UnderWay> = BTreeMap::new();
    let mut statements = 0;
    let mut before = &run.initial;
    for (number, step) in run.steps.iter().enumerate() {
        steps.push(Vec::new());
        let participants = &net.transition(step.mode.transition).participants;
        for participant in participants.iter().filter(|one| !one.passive) {
            let Some(Value::Pid(pid)) = step.mode.binding.get(&participant.thread) else {
                continue;
            };
            let (line, early) = line(net, before, pid);
            let (latest, place) = ((number, steps[number].len()), participant.from);
            let known = under_way.get_mut(pid);
            let goes_on = known.filter(|one| one.line == line && !one.places.contains(&place));
            let (statement, first) = if let Some(one) = goes_on {
                steps[one.latest.0][one.latest.1].last = false;
                one.places.push(place);
                one.latest = latest;
                (one.statement, false)
            } else {
                statements += 1;
                let one = UnderWay { statement: statements, line, places: vec![place], latest };
                under_way.insert(pid.clone(), one);
                (statements, true)
            };
            steps[number].push(Act { pid: pid.clone(), line, statement, first, last: true, early });
        }
        before = &step.state;
    }
    // Whoever is still within a statement in the end has not done it: what others see late they do not see.
    let last = run.last();
    let active = under_way.iter().filter(|(pid, _)| last.eta().contains_key(*pid));
    for (_, one) in active.filter(|(pid, one)| line(net, last, pid).0 == one.line) {
        steps[one.latest.0][one.latest.1].last = false;
        let acts = steps.iter_mut().flatten();
        let acts = acts.filter(|act| act.statement == one.statement && !act.early);
        acts.for_each(|act| act.first = false);
    }
    Order(steps)
}

impl Order {
    /// For the harness: in each line those who are let go together, each with its line. Of two who meet, one or the other
    /// may have to be there first.
    pub fn written(&self, attempt: usize) -> String {
        let mut text = String::new();
        for step in &self.0 {
            let acts = step.iter().filter(|act| act.is_let_go(attempt));
            let mut acts: Vec<String> =
                acts.map(|act| format!("{} {}", act.pid, act.line)).collect();
            if attempt % 3 == 2 {
                acts.reverse();
            }
            text += &acts.join(if attempt.is_multiple_of(3) { " " } else { "\n" });
            text.push('\n');
        }
        text
    }
}

impl Act {
    /// Whether this is the step at which its statement is let go.
    fn is_let_go(&self, attempt: usize) -> bool {
        let mut random = Random::named(&[attempt as u64, self.statement as u64]);
        let at_first = match attempt {
            0..3 => self.early,
            3 => true,
            _ => self.early != random.percent(25),
        };
        if at_first { self.first } else { self.last }
    }
}

/// The line at which a goroutine is, and whether others see what it does there before it is done.
fn line(net: &Net, state: &State, pid: &Pid) -> (usize, bool) {
    let places = Hopeless::Stuck(vec![pid.clone()]).whereabouts(net, state);
    let Some(place) = places.first() else { return (0, false) };
    let early = ["cond.Wait()", "rw.Lock()", "once.Do("].iter().any(|one| place.at.contains(one));
    (place.line.map_or(0, |(line, _)| line), early)
}
