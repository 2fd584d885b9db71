//! Times systems in Rust that `overhead.py` has in Python: prints classes and nanoseconds for each call of
//! `successors`, engine and all.
#![expect(clippy::print_stdout, reason = "this is a program")]

#[expect(dead_code, reason = "the example is a program as well")]
#[path = "../../../crates/kinfold/examples/leap_year.rs"]
mod leap_year;

use std::cell::Cell;
use std::time::{Duration, Instant};

use kinfold::Explorer;
use kinfold::fold::{Step, System};
use kinfold::state::{Relations, State, Value};

/// Counts down: as little as a step can do.
struct Countdown(i64);

impl System for Countdown {
    fn initial(&self) -> Vec<State> {
        let mut state = State::new();
        assert!(state.put(&"left".into(), vec![self.0.into()], 1));
        vec![state]
    }

    fn successors(&self, state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        for (token, _) in state.tokens("left") {
            if let Value::Int(left) = token[0]
                && left > 0
            {
                let mut after = state.clone();
                assert!(after.take("left", &[left.into()], 1));
                assert!(after.put(&"left".into(), vec![(left - 1).into()], 1));
                steps.push(Step::of_nobody("tick", after));
            }
        }
        steps
    }

    fn relations(&self) -> Relations {
        Relations::NONE
    }
}

/// A system, and the time that is spent in its `successors`.
struct Timed<S> {
    system: S,
    spent: Cell<Duration>,
    calls: Cell<u32>,
}

impl<S: System> System for Timed<S> {
    fn initial(&self) -> Vec<State> {
        self.system.initial()
    }

    fn successors(&self, state: &State) -> Vec<Step> {
        let began = Instant::now();
        let steps = self.system.successors(state);
        self.spent.set(self.spent.get() + began.elapsed());
        self.calls.set(self.calls.get() + 1);
        steps
    }

    fn relations(&self) -> Relations {
        self.system.relations()
    }
}

fn measure<S: System>(name: &str, system: S) -> Result<(), kinfold::ExplorerError> {
    let timed = Timed { system, spent: Cell::default(), calls: Cell::default() };
    let began = Instant::now();
    let states = Explorer::new(&timed).audit(0, 0).run()?.exploration().states();
    let (whole, calls) = (began.elapsed(), timed.calls.get());
    let each = |time: Duration| time.as_nanos() / u128::from(calls.max(1));
    println!("{name} {states} {calls} {} {}", each(whole), each(timed.spent.get()));
    Ok(())
}

fn main() -> Result<(), kinfold::ExplorerError> {
    measure("countdown", Countdown(20_000))?;
    let (years, addresses) = (vec![2000, 2009], vec![7, 8]);
    measure("leap_year", leap_year::LeapYear { servers: 4, years, addresses })
}
