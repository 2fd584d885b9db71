//! Connections that do not wait for ever.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A connection up to a moment, for those of whom nothing is known yet.
pub(crate) struct Until<'s> {
    pub(crate) stream: &'s TcpStream,
    pub(crate) deadline: Instant,
}

impl Until<'_> {
    fn left(&self) -> io::Result<Duration> {
        match self.deadline.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(ErrorKind::TimedOut.into()),
            left => Ok(left),
        }
    }
}

impl Read for Until<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(buffer)
    }
}

impl Write for Until<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// How many times a silent connection is listened to before it is given up.
const LISTENINGS: u32 = 8;

/// A connection to one who should say something from time to time.
///
/// What counts is the time that was spent listening, not the time that has passed: a process that was stopped itself, with
/// all others, and goes on later, does not take the others for silent.
pub(crate) struct Patient {
    stream: TcpStream,
}

impl Patient {
    pub(crate) fn new(stream: TcpStream, silence: Duration) -> io::Result<Patient> {
        stream.set_read_timeout(Some((silence / LISTENINGS).max(Duration::from_millis(1))))?;
        Ok(Patient { stream })
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for _ in 0..LISTENINGS {
            match self.stream.read(buffer) {
                Err(error) if is_timeout(&error) => {}
                other => return other,
            }
        }
        Err(ErrorKind::TimedOut.into())
    }
}

/// Whether nothing came in time; systems differ in how they say it.
pub(crate) fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
