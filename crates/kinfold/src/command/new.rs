//! `kinfold new`.

use std::fs;
use std::io::{self, Write};

use super::cli::NewArgs;
use super::output::Output;
use super::{Exit, Failure};

/// A model that runs, and says what it can be asked. The name comes before it.
const BODY: &str = "
// A server that handles each request in a thread of its own, at most `room` at a time.
const room = 2

flow serving(busy: 0..=room)
flow working, done

start serving(0)

transition accept { move s: serving(n) -> serving(n + 1)   spawn w from s: working   when n < room }
transition work { move w: working -> done }
transition reap { move s: serving(n) -> serving(n - 1)   end w: done   when parent(s, w) }

property bounded: always forall s at serving: s.busy <= room
property no_deadlock: deadlock_free
";

pub fn run(args: &NewArgs) -> Result<Exit, Failure> {
    let name = args.name.strip_suffix(".kin").unwrap_or(&args.name);
    let text = format!("model {name}\n{BODY}");
    if lang::compile(&text, &[]).net.is_none() {
        return Err(Failure::usage(format!(
            "`{name}` cannot be the name of a model: use letters, digits and _, a letter first, \
             and no word of the language"
        )));
    }
    let file = format!("{name}.kin");
    let created = fs::File::create_new(&file).and_then(|mut f| f.write_all(text.as_bytes()));
    created.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::usage(format!("{file} exists already; choose another name or remove it"))
        }
        _ => Failure::system(format!("cannot write {file}: {error}")),
    })?;
    Output::Stdout.write(format!("{file}\n"))?;
    eprintln!("Try: kinfold explore {file}");
    Ok(Exit::Done)
}
