//! `kinfold simulate`: concrete runs, at random or step by step.

use std::io::{self, BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use kinfold::{mode_text, state_text};
use net::interpret::{self, Mode};
use net::{Net, TransitionId};
use random::Random;
use state::State;

use super::cli::SimulateArgs;
use super::output::Output;
use super::{Exit, Failure, load};

pub fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let net = load::net(&args.model)?;
    let seed = args.seed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::from(now.subsec_nanos()) ^ now.as_secs() << 20
    });
    let out = Output::stdout();
    out.write(format!("seed {seed}\n"))?;
    let mut random = Random::new(seed);
    let mut states = vec![interpret::initial(&net)];
    while (states.len() as u64) <= args.steps || args.interactive {
        let state = states.last().expect("there is a first state");
        out.write(format!("\nstate {}\n{}\n", states.len() - 1, text(&net, state)))?;
        let modes = modes(&net, state)?;
        if modes.is_empty() {
            let ended = state.eta().is_empty() && net.has_threads();
            out.write(if ended { "terminated: all threads have ended\n" } else { "deadlock\n" })?;
            if !args.interactive {
                return Ok(Exit::Done);
            }
        }
        let choice =
            if args.interactive { ask(&net, &modes, states.len() > 1)? } else { Choice::Random };
        let index = match choice {
            Choice::Quit => return Ok(Exit::Done),
            Choice::Back => {
                states.pop();
                continue;
            }
            Choice::Random if modes.is_empty() => continue,
            Choice::Random => random.below(modes.len()),
            Choice::Mode(index) => index,
        };
        let mode = &modes[index];
        out.write(format!("\nfire {}\n", mode_text(&net, mode)))?;
        let step = interpret::fire(&net, state, mode).map_err(|fault| {
            let name = &net.transition(fault.transition).name;
            Failure::model(format!("error: when `{name}` fires, {}", fault.kind.describe(&net)))
        })?;
        states.push(step.state);
    }
    let state = states.last().expect("there is a first state");
    out.write(format!("\nstate {}\n{}\n", states.len() - 1, text(&net, state)))?;
    Ok(Exit::Done)
}

fn text(net: &Net, state: &State) -> String {
    state_text(net.places.iter().map(|place| &place.name), state)
}

fn modes(net: &Net, state: &State) -> Result<Vec<Mode>, Failure> {
    let mut modes = Vec::new();
    for transition in (0..net.transitions.len() as u32).map(TransitionId) {
        modes.extend(interpret::modes(net, state, transition).map_err(|fault| {
            let name = &net.transition(transition).name;
            Failure::model(format!("error: when `{name}` fires, {}", fault.kind.describe(net)))
        })?);
    }
    Ok(modes)
}

enum Choice {
    Mode(usize),
    Random,
    Back,
    Quit,
}

/// Asks at the prompt until the answer can be understood. The end of the input means to quit.
fn ask(net: &Net, modes: &[Mode], can_go_back: bool) -> Result<Choice, Failure> {
    let out = Output::stdout();
    for (i, mode) in modes.iter().enumerate() {
        out.write(format!("{:>4}  {}\n", i + 1, mode_text(net, mode)))?;
    }
    loop {
        eprint!("number, r for random, b to go back, q to quit> ");
        let _ = io::stderr().flush();
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        if read.map_err(|error| Failure::system(format!("cannot read the answer: {error}")))? == 0 {
            return Ok(Choice::Quit);
        }
        match line.trim() {
            "q" => return Ok(Choice::Quit),
            "r" | "" if !modes.is_empty() => return Ok(Choice::Random),
            "b" if can_go_back => return Ok(Choice::Back),
            "b" => eprintln!("this is the first state"),
            answer => match answer.parse::<usize>() {
                Ok(n) if (1..=modes.len()).contains(&n) => return Ok(Choice::Mode(n - 1)),
                _ if modes.is_empty() => eprintln!("nothing can fire here: b or q"),
                _ => eprintln!("there are modes 1 to {}", modes.len()),
            },
        }
    }
}
