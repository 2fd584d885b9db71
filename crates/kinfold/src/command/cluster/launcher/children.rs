//! The processes that were started.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};

use crate::command::output;

/// The processes of a run, by their numbers. None is left when this is dropped.
#[derive(Default)]
pub(super) struct Children(Vec<Process>);

struct Process {
    child: Child,
    /// Prints what it has to say.
    printing: Option<JoinHandle<()>>,
    ended: Option<ExitStatus>,
}

impl Children {
    /// Starts the next process, with something to read.
    pub(super) fn start(&mut self, mut command: Command, first_words: &str) -> io::Result<()> {
        let index = self.0.len();
        command.stdin(Stdio::piped());
        if index > 0 {
            command.stdout(Stdio::null()).stderr(Stdio::piped());
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let says = child.stderr.take();
        self.0.push(Process { child, printing: None, ended: None });
        let process = &mut self.0[index];
        process.say(first_words);
        process.printing = match says {
            Some(says) => Some(thread::Builder::new().spawn(move || print(index, says))?),
            None => None,
        };
        Ok(())
    }

    /// Whether all have ended.
    pub(super) fn have_ended(&mut self) -> bool {
        self.0.iter_mut().all(|process| process.has_ended().is_some())
    }

    /// Whether one has ended otherwise than with success.
    pub(super) fn has_one_failed(&mut self) -> bool {
        let mut ended = self.0.iter_mut().filter_map(Process::has_ended);
        ended.any(|status| !status.success())
    }

    /// Says a line to all.
    pub(super) fn tell(&mut self, line: &str) {
        self.0.iter_mut().for_each(|process| process.say(&format!("{line}\n")));
    }

    /// Ends all that have not ended.
    pub(super) fn kill(&mut self) {
        for process in &mut self.0 {
            if process.has_ended().is_none() {
                let _ = process.child.kill();
            }
        }
    }

    /// How all have ended.
    pub(super) fn statuses(&mut self) -> Vec<ExitStatus> {
        for process in &mut self.0 {
            let _ = process.printing.take().map(JoinHandle::join);
        }
        self.0.iter_mut().filter_map(Process::has_ended).collect()
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        self.kill();
        for process in &mut self.0 {
            let _ = process.child.wait();
        }
    }
}

impl Process {
    /// Whoever has gone does not listen, which is noticed otherwise.
    fn say(&mut self, text: &str) {
        if let Some(hears) = &mut self.child.stdin {
            let _ = hears.write_all(text.as_bytes()).and_then(|()| hears.flush());
        }
    }

    fn has_ended(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().ok().flatten();
        }
        self.ended
    }
}

/// Prints what a process has to say, line by line, with its number.
fn print(index: usize, says: ChildStderr) {
    let mut says = BufReader::new(says);
    let mut line = Vec::new();
    while says.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        output::tell(format_args!(
            "process {index}: {}",
            String::from_utf8_lossy(&line).trim_end()
        ));
        line.clear();
    }
}
