//! A connection that does not wait for ever.
//!
//! A client that takes nothing of what is written to it for some time is given up. When the server closes a
//! connection while the client is still sending, the system would throw away what the client has not read yet, so
//! that it never learns why it was refused. So at the end what still comes is read for a moment and forgotten.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// For how long, and how much, is read at the end.
const LINGER_TIME: Duration = Duration::from_secs(1);
const LINGER_BYTES: usize = 16 << 20;

/// A connection.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: TcpStream,
    stall_time: Duration,
    /// Until when the client has to take something.
    stall: Option<Pin<Box<Sleep>>>,
    /// What may still be read at the end, and until when.
    linger: Option<(usize, Pin<Box<Sleep>>)>,
}

impl Socket {
    pub(crate) fn new(stream: TcpStream, stall_time: Duration) -> Socket {
        // An answer is small and is waited for. Without this it only comes later.
        let _ = stream.set_nodelay(true);
        Socket { stream, stall_time, stall: None, linger: None }
    }

    /// The outcome of writing; an error if nothing could be written for too long.
    fn unless_stalled<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stall = None;
            return written;
        }
        let time = self.stall_time;
        let stall = self.stall.get_or_insert_with(|| Box::pin(sleep(time)));
        ready!(stall.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.unless_stalled(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.unless_stalled(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Socket { stream, linger, .. } = &mut *self;
        let (left, time) = match linger {
            Some(linger) => linger,
            None => {
                ready!(Pin::new(&mut *stream).poll_shutdown(cx))?;
                linger.insert((LINGER_BYTES, Box::pin(sleep(LINGER_TIME))))
            }
        };
        let mut space = [0; 4096];
        while *left > 0 && time.as_mut().poll(cx).is_pending() {
            let mut bytes = ReadBuf::new(&mut space);
            ready!(Pin::new(&mut *stream).poll_read(cx, &mut bytes))?;
            match bytes.filled().len() {
                0 => break,
                read => *left = left.saturating_sub(read),
            }
        }
        Poll::Ready(Ok(()))
    }
}
