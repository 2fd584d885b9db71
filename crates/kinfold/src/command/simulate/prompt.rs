//! The prompt of `kinfold simulate --interactive`.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use crate::command::{Failure, output};

pub(super) const HELP: &str = "\
  NUMBER      fire this mode
  Enter, r    fire one of the modes, chosen at random
  undo, u     go back to the state before
  why T       say what transition or process T waits for; without T, all that cannot go on
  save FILE   write the run so far as a trace, which `kinfold replay FILE MODEL` checks
  help, h     print this list
  quit, q     end
";

/// What was typed.
pub(super) enum Answer {
    /// The mode of this index, from 0.
    Mode(usize),
    Random,
    Undo,
    /// Why a transition cannot fire; all of them if the name is empty.
    Why(String),
    Save(PathBuf),
    Help,
    Quit,
}

/// Asks until the answer can be understood. The end of the input means to quit.
pub(super) fn ask(modes: usize) -> Result<Answer, Failure> {
    loop {
        match modes {
            0 => output::ask(format_args!("nothing can fire: undo, why, save FILE, quit, help> ")),
            1 => output::ask(format_args!("1 or Enter to fire it, help> ")),
            modes => output::ask(format_args!("1 to {modes}, Enter for any, help> ")),
        }
        let _ = io::stderr().flush();
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        if read.map_err(|error| Failure::system(format!("cannot read the answer: {error}")))? == 0 {
            return Ok(Answer::Quit);
        }
        match answer(line.trim(), modes) {
            Ok(answer) => return Ok(answer),
            Err(why) => output::tell(format_args!("{why}")),
        }
    }
}

fn answer(text: &str, modes: usize) -> Result<Answer, String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match word {
        "" | "r" | "random" if modes == 0 => Err("nothing can fire here".into()),
        "" | "r" | "random" => Ok(Answer::Random),
        "u" | "undo" | "b" | "back" => Ok(Answer::Undo),
        "h" | "help" | "?" => Ok(Answer::Help),
        "q" | "quit" | "exit" => Ok(Answer::Quit),
        "w" | "why" => {
            // `why not T` is how one says it.
            let name = rest.strip_prefix("not ").unwrap_or(rest).trim();
            Ok(Answer::Why(name.trim_end_matches('?').trim_end().to_owned()))
        }
        "s" | "save" if rest.is_empty() => Err("save to which file? Type: save FILE".into()),
        "s" | "save" => Ok(Answer::Save(rest.into())),
        number => match (number.parse::<usize>(), modes) {
            (Ok(n), modes) if (1..=modes).contains(&n) => Ok(Answer::Mode(n - 1)),
            (Ok(_), 0) => Err("nothing can fire here".into()),
            (Ok(_), 1) => Err("there is only mode 1".into()),
            (Ok(_), modes) => Err(format!("there are modes 1 to {modes}")),
            (Err(_), _) => Err(format!("`{number}` is not understood; type help")),
        },
    }
}
