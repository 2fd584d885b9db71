//! The `kinfold` command.
//!
//! Results go to stdout, everything else to stderr. The exit status says what became of it; see
//! [`command::Exit`].

mod command;

use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;
use std::thread;

use command::Exit;

/// Enough for the deepest expression that the language admits, whatever the system's default is.
const STACK_BYTES: usize = 64 << 20;

fn main() -> ExitCode {
    panic::set_hook(Box::new(tell_panic));
    let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn(command::run);
    let exit = match worker.map(thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        Ok(Err(_)) => Exit::Internal,
        Err(error) => {
            tell(&format!("kinfold: cannot start a thread: {error}\n"));
            Exit::SystemFailed
        }
    };
    ExitCode::from(exit as u8)
}

fn tell_panic(info: &PanicHookInfo) {
    let report = "This is a fault of Kinfold, not of your model. Please report it with the model.";
    tell(&format!("kinfold: internal error: {info}\n{report}\n"));
}

/// That it may not be read is no failure, nor a reason to panic.
fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
