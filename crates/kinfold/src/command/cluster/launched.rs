//! A process that was started by `cluster run`: what it is told on its standard input, and by whom it is ended.
//!
//! The launcher writes the key in hexadecimal digits, the hosts, and an empty line, and then a line for each time that
//! the run is to be interrupted. If there is no more to read, the launcher is gone, whatever has ended it.

use std::io::{self, BufRead, Lines, StdinLock};
use std::thread;

use peers::{Hosts, Key};

use super::failure;
use crate::command::{Exit, Failure, progress};

/// The line by which a run is interrupted.
pub(super) const INTERRUPT: &str = "interrupt";

/// The line by which a process is made to fail, as if by a fault of its own. It is for tests.
const PANIC: &str = "panic";

/// Reads what the launcher says, and from now on ends when it does.
pub(super) fn told() -> Result<(Key, Hosts), Failure> {
    let mut lines = io::stdin().lock().lines();
    let key = line(&mut lines)?;
    let mut hosts = String::new();
    loop {
        match line(&mut lines)? {
            end if end.is_empty() => break,
            host => hosts += &format!("{host}\n"),
        }
    }
    drop(lines);
    let key = Key::read(key.as_bytes()).map_err(|error| failure(&error))?;
    let hosts = Hosts::read(&hosts).map_err(|error| failure(&error))?;
    let watching = thread::Builder::new().name("launcher".into()).spawn(watch);
    watching.map_err(|error| Failure::system(format!("cannot start a thread: {error}")))?;
    Ok((key, hosts))
}

fn line(lines: &mut Lines<StdinLock>) -> Result<String, Failure> {
    match lines.next() {
        Some(Ok(line)) => Ok(line),
        _ => Err(Failure::usage("--launched is for processes that `kinfold cluster run` starts")),
    }
}

fn watch() {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        match line.as_str() {
            INTERRUPT => progress::interrupt(),
            PANIC => {
                super::CONTROL.wait();
                panic!("asked to fail")
            }
            _ => {}
        }
    }
    Failure::system("`kinfold cluster run` has ended, and with it this process").print();
    std::process::exit(Exit::SystemFailed as i32);
}
