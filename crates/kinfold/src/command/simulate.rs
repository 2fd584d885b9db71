//! `kinfold simulate`: concrete runs, at random or step by step.

mod prompt;

use std::path::Path;

use budget::Budget;
use kinfold::trace::{all_modes, step_text, unmet, waiting};
use kinfold::{Run, RunStep, Trace, TraceFormat, state_text};
use net::interpret::{self, Mode};
use net::{Fault, FaultKind, Net, TransitionId};
use random::Random;

use super::cli::SimulateArgs;
use super::output::{self, Output};
use super::{Exit, Failure, load};
use prompt::Answer;

/// After this many bindings it is not looked further for the one that faults.
const MOST_TRIED: u32 = 1_000_000;

pub fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let net = load::net(&args.model)?;
    let seed = args.seed.seed();
    Output::Stdout.write(format!("seed {seed}\n"))?;
    let simulation = Simulation { net: &net, run: Run::at_start(&net), random: Random::new(seed) };
    match args.interactive {
        true => simulation.step_by_step()?,
        false => simulation.at_random(args.steps)?,
    }
    Ok(Exit::Done)
}

/// A run that is being made.
struct Simulation<'n> {
    net: &'n Net,
    run: Run,
    random: Random,
}

impl Simulation<'_> {
    fn at_random(mut self, steps: u64) -> Result<(), Failure> {
        for _ in 0..steps {
            let modes = self.show_state()?.map_err(|fault| self.failure(&fault))?;
            if modes.is_empty() {
                return Ok(());
            }
            let chosen = self.random.below(modes.len());
            self.fire(&modes[chosen])?;
        }
        self.show_state()?.map_err(|fault| self.failure(&fault))?;
        Ok(())
    }

    fn step_by_step(mut self) -> Result<(), Failure> {
        loop {
            // Where there is a fault, nothing goes on, but one can go back.
            let modes = self.show_state()?.unwrap_or_else(|fault| {
                self.failure(&fault).print();
                Vec::new()
            });
            let list = self.run.choices(self.net, &modes).into_iter().enumerate();
            let list = list.map(|(i, choice)| format!("{:>4}  {choice}\n", i + 1));
            Output::Stdout.write(list.collect::<String>())?;
            // What does not lead to another state is answered at once.
            let chosen = loop {
                match prompt::ask(modes.len())? {
                    Answer::Quit => return Ok(()),
                    Answer::Help => output::ask(format_args!("{}", prompt::HELP)),
                    Answer::Undo if self.run.steps.pop().is_some() => break None,
                    Answer::Undo => output::tell(format_args!("this is the first state")),
                    Answer::Save(path) => self.save(&path),
                    Answer::Why(name) => self.explain(&name, &modes)?,
                    Answer::Random => break Some(self.random.below(modes.len())),
                    Answer::Mode(index) => break Some(index),
                }
            };
            if let Some(index) = chosen
                && let Err(failure) = self.fire(&modes[index])
            {
                failure.print();
            }
        }
    }

    /// Prints the state, and gives what can fire in it, unless there is a fault.
    fn show_state(&self) -> Result<Result<Vec<Mode>, Fault>, Failure> {
        let (net, state) = (self.net, self.run.last());
        let text = match self.run.told_state(net) {
            Some(lines) => lines.join("\n"),
            None => state_text(net.places.iter().map(|place| &place.name), state),
        };
        let out = Output::Stdout;
        out.write(format!("\nstate {}\n{text}\n", self.run.steps.len()))?;
        let modes = all_modes(net, state, &Budget::unlimited()).expect("there is no limit");
        let Ok(modes) = modes else { return Ok(modes) };
        if modes.is_empty() {
            out.write(match net.has_threads() {
                true if state.eta().is_empty() => "terminated: all threads have ended\n",
                true if net.may_rest(state) => "at rest: all threads are idle\n",
                _ => "deadlock\n",
            })?;
        }
        Ok(Ok(modes))
    }

    fn fire(&mut self, mode: &Mode) -> Result<(), Failure> {
        let verb = if self.net.listing.is_some() { "step" } else { "fire" };
        let step = step_text(self.net, self.run.last(), mode);
        Output::Stdout.write(format!("\n{verb} {step}\n"))?;
        let step = interpret::fire(self.net, self.run.last(), mode);
        let step = step.map_err(|fault| self.failure(&fault))?;
        let mode = mode.clone();
        self.run.steps.push(RunStep { mode, children: step.children, state: step.state });
        Ok(())
    }

    fn failure(&self, fault: &Fault) -> Failure {
        let name = &self.net.transition(fault.transition).name;
        let what = fault.kind.describe(self.net);
        // Who does it, and where, is known of processes.
        let state = self.run.last();
        let mut tried = 0;
        let mut enough = || {
            tried += 1;
            tried > MOST_TRIED
        };
        let is_told = self.net.listing.is_some();
        let found = is_told
            .then(|| interpret::fault(self.net, state, fault.transition, &mut enough))
            .flatten();
        let by = found.map_or_else(String::new, |(_, mode)| {
            format!("\n    by {}", step_text(self.net, state, &mode))
        });
        match fault.kind {
            FaultKind::Failure { .. } => {
                Failure::new(Exit::AssertionFails, format!("assertion fails: {what}{by}"))
            }
            _ if is_told => Failure::model(format!("error: {what}{by}")),
            _ => Failure::model(format!("error: when `{name}` fires, {what}")),
        }
    }

    /// Says why transitions cannot fire: that of this name, or all.
    fn explain(&self, name: &str, modes: &[Mode]) -> Result<(), Failure> {
        if self.net.listing.is_some() && self.explain_threads(name)? {
            return Ok(());
        }
        let all = (0..self.net.transitions.len() as u32).map(TransitionId);
        let wanted: Vec<TransitionId> = match name {
            "" => {
                let cannot = |id: &TransitionId| {
                    !self.net.transition(*id).probe
                        && modes.iter().all(|mode| mode.transition != *id)
                };
                all.filter(cannot).collect()
            }
            name => match load::transition(self.net, name) {
                Ok(transition) => vec![transition],
                Err(failure) => {
                    failure.print();
                    return Ok(());
                }
            },
        };
        for id in wanted {
            let name = &self.net.transition(id).name;
            let can_fire = modes.iter().position(|mode| mode.transition == id);
            let text = match can_fire {
                Some(index) => format!("`{name}` can fire: {}", index + 1),
                None => unmet(self.net, self.run.last(), id).unwrap_or_else(|| {
                    format!("`{name}` cannot fire; why took too long to find out")
                }),
            };
            Output::Stdout.write(format!("{text}\n"))?;
        }
        Ok(())
    }

    /// Says what processes wait for: that of this name or pid, or all. Whether there was something to say.
    fn explain_threads(&self, name: &str) -> Result<bool, Failure> {
        let trace = Trace::from(self.run.clone());
        let waits = waiting(self.net, trace.told(self.net).run.last());
        let mut waits = waits.into_iter().filter(|wait| {
            let pids = wait.threads.iter().map(ToString::to_string);
            name.is_empty() || pids.chain(wait.names.clone()).any(|one| one == name)
        });
        let text: String = waits.by_ref().map(|wait| format!("{wait}\n")).collect();
        if text.is_empty() && name.is_empty() {
            Output::Stdout.write("nobody waits\n")?;
        }
        Output::Stdout.write(text.clone())?;
        Ok(name.is_empty() || !text.is_empty())
    }

    /// Writes the run so far as a trace that `kinfold replay` reads.
    fn save(&self, path: &Path) {
        let trace = Trace::from(self.run.clone()).write(TraceFormat::Json, self.net, None);
        match Output::to(Some(path)).write(trace) {
            Ok(()) => output::tell(format_args!(
                "{} steps are in {}",
                self.run.steps.len(),
                path.display()
            )),
            Err(failure) => failure.print(),
        }
    }
}
