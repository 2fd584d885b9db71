//! A run of a program, and the run of its net that corresponds to it: step by step those act who act there, by the same
//! statements, and what there is in the states is the same.

use std::collections::{BTreeMap, BTreeSet};

use budget::Budget;
use interpret::Turns;
use lang::Processes;
use net::Net;
use net::interpret::fire;
use random::Random;
use trace::{
    Again, Asked, Back, Hopeless, Lost, ProgramTrace, Race, Run, RunStep, Teller, ToldRun,
    ToldState, ToldStatement, Trace, TraceFormat, all_modes, races,
};

/// Who waits, where, and for what.
pub type Waits = BTreeMap<String, (String, Vec<String>)>;

pub struct Pair<'n> {
    net: &'n Net,
    pub of_net: Trace,
    pub teller: Teller<'n>,
    pub of_program: ProgramTrace,
}

impl<'n> Pair<'n> {
    /// Runs at random of at most so many steps.
    ///
    /// # Errors
    /// Where the net has no such step.
    pub fn random(
        net: &'n Net,
        processes: &'n Processes,
        steps: usize,
        random: &mut Random,
    ) -> Result<Pair<'n>, String> {
        let teller = Teller::new(&net.name, &processes.program, &processes.observed);
        let interpreter = teller.interpreter();
        let initial = interpreter.initial(Turns::Steps).expect("first values fit");
        let first = random.pick(&initial).clone();
        let mut run = interpret::Run { first, steps: Vec::new() };
        let mut net_run = Run::at_start(net);
        let mut told = told(&teller, &run);
        if net_run.told_state(net).as_ref() != Some(&told) {
            // Where the first process might end before its first step, the net begins with a step of its own.
            match stepped(net, &net_run, &mut |longer| {
                longer.told_state(net).as_ref() == Some(&told)
            }) {
                Some(longer) => net_run.initial = longer.last().clone(),
                None => {
                    let other = net_run.told_state(net).unwrap_or_default();
                    return Err(format!(
                        "initially\n  - {}\n  + {}",
                        other.join("\n    "),
                        told.join("\n    ")
                    ));
                }
            }
        }
        for _ in 0..steps {
            let next = interpreter.successors(run.last(), Turns::Steps);
            let next: Vec<_> = next.into_iter().filter(|next| next.outcome.is_ok()).collect();
            if next.is_empty() {
                break;
            }
            run.steps.push(random.pick(&next).clone());
            told = self::told(&teller, &run);
            let statement = statement(&teller, &run);
            let mut others = Vec::new();
            let mut right = |is_whole: bool| {
                stepped(net, &net_run, &mut |longer| {
                    let text = last_step(&Trace::from(longer.clone()).text(net));
                    let state = longer.told_state(net).unwrap_or_default();
                    let same = |text: &str| text.lines().next().map(str::to_owned);
                    let is_same = match is_whole {
                        true => text == statement,
                        false => same(&text) == same(&statement),
                    };
                    let is_it = is_same && state == told;
                    others.push((text, state));
                    is_it
                })
            };
            let longer = right(true).or_else(|| right(false));
            let Some(longer) = longer else {
                others.retain(|(text, _)| *text == statement);
                let others: Vec<String> = others
                    .iter()
                    .map(|(text, state)| format!("{text}\n    {}", state.join("\n    ")))
                    .collect();
                return Err(format!(
                    "step {}: {statement}\n    {}\nbut\n{}",
                    run.steps.len(),
                    told.join("\n    "),
                    others.join("\n")
                ));
            };
            net_run = longer;
        }
        let (of_net, of_program) = (Trace::from(net_run), ProgramTrace::from(run));
        Ok(Pair { net, of_net, teller, of_program })
    }

    pub fn length(&self) -> usize {
        self.of_program.run.steps.len()
    }

    /// The states after so many steps, as they are told. What could happen comes in another order, and the steps of
    /// nets have names of their own.
    pub fn states(&self, at: usize) -> [String; 2] {
        let unlimited = Budget::unlimited();
        let modes = all_modes(self.net, self.of_net.run.state(at), &unlimited);
        let modes = modes.expect("there is no limit");
        let of_net = ToldState::of(&self.of_net.run, at, self.net, &modes, &unlimited);
        let of_net = of_net.expect("there is no limit");
        let of_program = ToldState::of_program(&self.of_program, at, &self.teller);
        [of_net, of_program].map(|mut state| {
            state.waits.clear();
            // Nets have several places for some points, which nobody sees.
            state.threads.iter_mut().for_each(|thread| thread.changed = false);
            for next in &mut state.next {
                (next.index, next.transition) = (0, String::new());
            }
            state.next.sort_by_cached_key(|next| format!("{next:?}"));
            state.next.dedup();
            format!("{state:#?}")
        })
    }

    /// The runs as lifelines, steps and messages.
    pub fn told(&self) -> [String; 2] {
        let of_net = ToldRun::of(&self.of_net, self.net);
        let of_program = ToldRun::of_program(&self.of_program, &self.teller);
        [of_net, of_program].map(|mut run| {
            run.steps.iter_mut().for_each(|step| step.transition.clear());
            format!("{run:#?}")
        })
    }

    /// Who can take which statement in the last state, and who cannot.
    pub fn statements(&self) -> [BTreeMap<String, String>; 2] {
        let unlimited = Budget::unlimited();
        let at = self.length();
        let modes = all_modes(self.net, self.of_net.run.last(), &unlimited);
        let modes = modes.expect("there is no limit");
        let of_net = |line| {
            let asked = Asked::Line(line, None);
            let run = &self.of_net.run;
            let told = ToldStatement::of(run, at, self.net, &modes, asked, &unlimited);
            told.expect("there is no limit")
        };
        let of_program =
            |line| ToldStatement::of_program(&self.of_program, at, &self.teller, (line, None));
        let both: [&dyn Fn(usize) -> Option<ToldStatement>; 2] = [&of_net, &of_program];
        both.map(|told| {
            let all = (1..80).filter_map(|line| Some((line, told(line)?)));
            let said = all.map(|(line, mut told)| {
                // Nets have steps for what is different only in what cannot be seen.
                told.can.iter_mut().for_each(|able| able.index = 0);
                told.can.sort_by_cached_key(|able| format!("{able:?}"));
                told.can.dedup();
                // What they wait for was compared. Nets do not know who is at what can never be done.
                told.cannot.iter_mut().for_each(|unable| unable.reasons.clear());
                (format!("{line} {:?}", told.statement), format!("{told:#?}"))
            });
            said.collect()
        })
    }

    /// What each thread that waits after so many steps is said to wait for.
    pub fn waits(&self, at: usize) -> [Waits; 2] {
        let unlimited = Budget::unlimited();
        let modes = all_modes(self.net, self.of_net.run.state(at), &unlimited);
        let modes = modes.expect("there is no limit");
        let of_net = ToldState::of(&self.of_net.run, at, self.net, &modes, &unlimited);
        let of_net = of_net.expect("there is no limit");
        let of_program = ToldState::of_program(&self.of_program, at, &self.teller);
        [of_net, of_program].map(|state| {
            let waits = state.waits.iter().flat_map(|wait| {
                let at = wait.at.clone().unwrap_or_default();
                let reasons = (at, wait.reasons.clone());
                wait.names.iter().map(move |name| (name.clone(), reasons.clone()))
            });
            waits.collect()
        })
    }

    /// The runs up to the states after so many steps.
    fn until(&self, steps: usize) -> (Trace, interpret::Run) {
        let run = &self.of_net.run;
        let run = Run { initial: run.initial.clone(), steps: run.steps[..steps].to_vec() };
        let interpret::Run { first, steps: all } = &self.of_program.run;
        let of_program = interpret::Run { first: first.clone(), steps: all[..steps].to_vec() };
        (Trace::from(run), of_program)
    }

    /// Both as if threads of the last state got no further: those that wait are stuck, or nobody ever ends.
    pub fn lost(&self, is_stuck: bool) -> [String; 2] {
        let [waits, _] = self.waits(self.length());
        let waits = |pid: &&state::Pid| {
            waits.keys().any(|name| name.rsplit(' ').next() == Some(&pid.to_string()))
        };
        let all = self.of_net.run.last().eta().keys();
        let threads: Vec<_> = all.filter(|pid| !is_stuck || waits(pid)).cloned().collect();
        let hopeless = if is_stuck { Hopeless::Stuck } else { Hopeless::Endless };
        let of_net = Trace { hopeless: Some(hopeless(threads.clone())), ..self.of_net.clone() };
        let threads = threads.iter().map(|name| self.thread(name)).collect();
        let lost = if is_stuck { Lost::Stuck } else { Lost::Endless };
        let of_program = ProgramTrace { lost: Some(lost(threads)), ..self.of_program.clone() };
        [of_net.text(self.net), of_program.text(&self.teller)]
    }

    /// Both as if they went on for ever from a state in the middle, with everyone in the place of the first who is there.
    pub fn again(&self) -> [String; 2] {
        let to = self.length() / 2;
        let names: Vec<_> = self.of_net.run.last().eta().keys().cloned().collect();
        let Some(first) = names.first() else { return Default::default() };
        let replaced = names.iter().map(|name| (name.clone(), first.clone())).collect();
        let of_net = Trace { back: Some(Back { to, replaced }), ..self.of_net.clone() };
        let first = self.thread(first);
        let replaced = names.iter().map(|name| (self.thread(name), first)).collect();
        let again = Some(Again { to, replaced });
        let of_program = ProgramTrace { again, ..self.of_program.clone() };
        [of_net.text(self.net), of_program.text(&self.teller)]
    }

    /// The number of a thread of the last state.
    fn thread(&self, name: &state::Pid) -> interpret::Pid {
        let threads = self.of_program.threads(&self.teller);
        threads.into_iter().find(|(_, other)| other == name).expect("it is there").0
    }

    /// What can go wrong after so many steps, told as what the runs show.
    pub fn failures(&self, steps: usize) -> [BTreeSet<String>; 2] {
        let (of_net, of_program) = self.until(steps);
        let state = of_net.run.last();
        let modes = all_modes(self.net, state, &Budget::unlimited()).expect("there is no limit");
        let failing = modes.into_iter().flatten().filter_map(|mode| {
            let fault = fire(self.net, state, &mode).err()?;
            let failure = Some((fault.kind.describe(self.net), mode));
            Some(Trace { failure, ..of_net.clone() }.text(self.net))
        });
        let successors = self.teller.interpreter().successors(of_program.last(), Turns::Steps);
        let failed = successors.into_iter().filter(|next| next.outcome.is_err()).map(|next| {
            let mut run = of_program.clone();
            run.steps.push(next);
            ProgramTrace::from(run).text(&self.teller)
        });
        [failing.collect(), failed.collect()]
    }

    /// Who races after so many steps: what is told of a race that the interpreter finds, if it finds one, and of all that
    /// the net knows.
    pub fn races(&self, steps: usize) -> (Option<Race>, Vec<Race>) {
        let (of_net, of_program) = self.until(steps);
        let races = races(self.net, of_net.run.last());
        let all = Trace { races, ..of_net }.told_races(self.net);
        let race = self.teller.interpreter().race(of_program.last());
        let races = race.into_iter().collect();
        let told = ProgramTrace { races, ..ProgramTrace::from(of_program) };
        (told.told_races(&self.teller).pop(), all)
    }

    /// Both in a form.
    pub fn written(&self, format: TraceFormat) -> [String; 2] {
        [
            self.of_net.write(format, self.net, Some("shown")),
            self.of_program.write(format, &self.teller, Some("shown")),
        ]
    }
}

/// What there is in the last state of a run.
fn told(teller: &Teller, run: &interpret::Run) -> Vec<String> {
    ProgramTrace::from(run.clone()).told_state(teller)
}

/// What is said of the last step of a run.
fn statement(teller: &Teller, run: &interpret::Run) -> String {
    last_step(&ProgramTrace::from(run.clone()).text(teller))
}

/// Who does what in the last step of a text, and what that changes.
fn last_step(text: &str) -> String {
    let last = text.split("\nstep ").last().and_then(|step| step.split_once(": "));
    let said = last.map(|(_, said)| said).unwrap_or_default().lines();
    let said = said.enumerate().take_while(|(at, line)| *at == 0 || line.starts_with(' '));
    said.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// The run with one more step of the net that is right.
fn stepped(net: &Net, run: &Run, is_right: &mut dyn FnMut(&Run) -> bool) -> Option<Run> {
    let modes =
        all_modes(net, run.last(), &Budget::unlimited()).expect("there is no limit").ok()?;
    modes.into_iter().find_map(|mode| {
        let fired = fire(net, run.last(), &mode).ok()?;
        let mut longer = run.clone();
        longer.steps.push(RunStep { mode, children: fired.children, state: fired.state });
        is_right(&longer).then_some(longer)
    })
}
