//! A service that tells whether a year is a leap year: the motivating example of Klaudel et al. 2009.
//!
//! Two servers wait for requests. On a request a server starts a handler and passes it the year and the
//! client's address. The handler calls a function, which is a thread as well: started, and waited for.
//! The function calculates, the handler takes the result and answers, the server collects the handler.
//! One session is five steps, from state s0 to state s5 of the paper's figure 2.
//!
//! ```text
//! cargo run --example leap_year
//! ```
#![expect(clippy::print_stdout, reason = "this is a program")]

use kinfold::fold::{Step, System};
use kinfold::state::{Pid, Relation, Relations, State, Token, Value};
use kinfold::{Explorer, ExplorerError};

/// The service. Its local states are those of the paper: `S` servers, `H` handlers, `F` functions.
pub struct LeapYear {
    /// The number of servers.
    pub servers: u32,
    /// The years that clients may ask for.
    pub years: Vec<i64>,
    /// The addresses of clients.
    pub addresses: Vec<i64>,
}

impl System for LeapYear {
    fn initial(&self) -> Vec<State> {
        let mut state = State::new();
        for server in (1..=self.servers).map(Pid::initial) {
            state.activate(server.clone(), 0);
            put(&mut state, "S", vec![server.into()]);
        }
        vec![state]
    }

    fn successors(&self, state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        for (server, _) in threads(state, "S") {
            // A server has one handler at a time.
            match child(state, "H", &server) {
                None => self.accept(state, &server, &mut steps),
                Some((handler, data)) if data.is_empty() => {
                    let mut after = state.clone();
                    take(&mut after, "H", vec![handler.clone().into()]);
                    after.end(&handler);
                    steps.push(Step::of(&server, "collect", after));
                }
                Some(_) => {}
            }
        }
        for (handler, data) in threads(state, "H") {
            match (child(state, "F", &handler), data.as_slice()) {
                (None, [year, _]) => {
                    let mut after = state.clone();
                    let function = after.spawn(&handler).expect("a handler is active");
                    put(&mut after, "F", vec![function.into(), year.clone()]);
                    steps.push(Step::of(&handler, "call", after));
                }
                (Some((function, result)), data) if matches!(result[..], [Value::Bool(_)]) => {
                    let mut after = state.clone();
                    take(&mut after, "F", with(&function, &result));
                    after.end(&function);
                    take(&mut after, "H", with(&handler, data));
                    put(&mut after, "H", vec![handler.clone().into()]);
                    steps.push(Step::of(&handler, "answer", after));
                }
                _ => {}
            }
        }
        for (function, data) in threads(state, "F") {
            if let [Value::Int(year)] = data[..] {
                let mut after = state.clone();
                take(&mut after, "F", with(&function, &data));
                put(&mut after, "F", vec![function.clone().into(), is_leap(year).into()]);
                steps.push(Step::of(&function, "calculate", after));
            }
        }
        steps
    }

    /// A thread waits for its own child; that is all that pids are compared for.
    fn relations(&self) -> Relations {
        Relations::NONE.with(Relation::Parent)
    }
}

impl LeapYear {
    fn accept(&self, state: &State, server: &Pid, steps: &mut Vec<Step>) {
        for &year in &self.years {
            for &address in &self.addresses {
                let mut after = state.clone();
                let handler = after.spawn(server).expect("a server is active");
                put(&mut after, "H", vec![handler.into(), year.into(), address.into()]);
                steps.push(Step::of(server, "accept", after));
            }
        }
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The threads at a place, each with its data.
fn threads(state: &State, place: &str) -> Vec<(Pid, Token)> {
    let thread = |token: &Token| Some((token[0].as_pid()?.clone(), token[1..].to_vec()));
    state.tokens(place).filter_map(|(token, _)| thread(token)).collect()
}

/// The child of a thread at a place, if there is one.
fn child(state: &State, place: &str, parent: &Pid) -> Option<(Pid, Token)> {
    threads(state, place).into_iter().find(|(pid, _)| Relation::Parent.holds(parent, pid))
}

fn with(pid: &Pid, data: &[Value]) -> Token {
    [&[pid.clone().into()], data].concat()
}

fn put(state: &mut State, place: &str, token: Token) {
    assert!(state.put(&place.into(), token, 1), "there is room");
}

fn take(state: &mut State, place: &str, token: Token) {
    assert!(state.take(place, &token, 1), "it is there");
}

fn main() -> Result<(), ExplorerError> {
    let service = LeapYear { servers: 2, years: vec![2000, 2009], addresses: vec![7] };
    let mut explored = Explorer::new(&service).run()?;
    let found = explored.exploration();
    println!(
        "folded: {} states, {} edges, {} deadlocks",
        found.states(),
        found.edges,
        found.deadlocks.len()
    );

    // With brotherhood, a session of server 1 and one of server 2 are not the same.
    let brothers = service.relations().with(Relation::NextSibling);
    let told_apart = Explorer::new(&service).relations(brothers).run()?;
    println!("with brotherhood: {} states", told_apart.exploration().states());

    // Without folding each session has new pids, and there is no end.
    let full = Explorer::new(&service).full().max_states(10_000).run()?;
    println!(
        "not folded: {} states, complete: {}",
        full.exploration().states(),
        full.exploration().complete
    );

    match explored.run_to_action("collect") {
        Ok(Some(run)) => println!("\na session:\n{run}"),
        Ok(None) => println!("\nno session ends"),
        Err(breach) => println!("\n{breach}"),
    }
    Ok(())
}
