//! `kinfold new`.

use std::fs;
use std::io::{self, Write};

use super::cli::NewArgs;
use super::output::{self, Output};
use super::{Exit, Failure};

/// Processes that do something, and what they can be asked. The name comes before it.
const PROCESSES: &str = "
// Some workers take jobs from a channel. The main process hands the jobs out and waits for the workers.
//
// `kinfold check` looks at every order in which they can take turns. Try what it says when you take
// out `jobs.close()`, or the `with lock.lock()` around what is done under the lock. `kinfold simulate
// --interactive` lets you choose who goes next. `kinfold show --prelude` prints mutex, channel and
// whatever else there is.

// Another number can be given: `--set workers=3`.
const workers = 2

shared lock = new mutex
shared served: 0..=3 = 0

// `main` starts by itself, the others by `spawn`.
process main {
    let jobs = new channel[0..=2](capacity: 1)
    let busy = new waitgroup
    repeat workers {
        busy.add()
        spawn worker(jobs, busy)
    }
    for job in 0..=2 { jobs.send(job) }
    jobs.close()
    busy.wait()
}

process worker(jobs: channel[0..=2], busy: waitgroup) {
    // Until the channel is closed and empty.
    for job in jobs {
        with lock.lock() {
            serving:
            served += 1
        }
    }
    busy.done()
}

property nobody_stuck: no_one_stuck
property no_race: race_free
property one_at_a_time: always count(worker at serving) <= 1
property all_served: always ended(main) implies served == 3
";

/// A net that runs.
const NET: &str = "
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
    let (body, next) = if args.net { (NET, "explore") } else { (PROCESSES, "check") };
    let text = format!("model {name}\n{body}");
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
    output::tell(format_args!("Try: kinfold {next} {file}"));
    Ok(Exit::Done)
}
