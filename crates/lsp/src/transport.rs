//! Messages over two streams of bytes.
//!
//! Whatever comes, the connection goes on as long as it can be told where the next message starts: what is no JSON, or
//! no message, is answered with an error. Headers and bodies have bounds, so that nobody can fill the memory.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use lsp_server::{Connection, Message};
use serde_json::{Value as Json, json};

/// No body is longer than this, in bytes.
const LONGEST_BODY: usize = 128 << 20;
/// No line of a header is longer than this, in bytes.
const LONGEST_LINE: u64 = 4096;

/// The threads that read and write.
#[derive(Debug)]
pub struct Threads {
    reader: JoinHandle<()>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits until everything is written. The connection must have been dropped, or this takes for ever.
    ///
    /// # Errors
    /// If something could not be written.
    pub fn join(self) -> io::Result<()> {
        // The reader may wait for input that never comes.
        drop(self.reader);
        self.writer.join().unwrap_or_else(|_| Err(io::Error::other("the writer has failed")))
    }
}

/// A connection over two streams.
///
/// # Errors
/// If the system gives no threads.
pub fn connect(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<(Connection, Threads)> {
    let (sender, outgoing) = unbounded::<Message>();
    // A client that sends faster than it is answered has to wait.
    let (incoming, receiver) = bounded::<Message>(1024);
    let output = Arc::new(Mutex::new(output));
    let for_errors = Arc::clone(&output);
    let writer = thread::Builder::new()
        .name("lsp writer".into())
        .spawn(move || outgoing.into_iter().try_for_each(|message| write(&output, &message)))?;
    let reader = thread::Builder::new()
        .name("lsp reader".into())
        .spawn(move || read_all(&mut BufReader::new(input), &incoming, &for_errors))?;
    Ok((Connection { sender, receiver }, Threads { reader, writer }))
}

fn write(output: &Mutex<impl Write>, message: &Message) -> io::Result<()> {
    let mut bytes = Vec::new();
    message.write(&mut bytes)?;
    write_bytes(output, &bytes)
}

fn write_bytes(output: &Mutex<impl Write>, bytes: &[u8]) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    output.write_all(bytes)?;
    output.flush()
}

/// Reads until the input ends, the client says `exit`, or nobody listens any more.
fn read_all(input: &mut impl BufRead, incoming: &Sender<Message>, errors: &Mutex<impl Write>) {
    while let Ok(Some(body)) = body(input) {
        match message(&body) {
            Ok(message) => {
                let is_exit =
                    matches!(&message, Message::Notification(one) if one.method == "exit");
                if incoming.send(message).is_err() || is_exit {
                    return;
                }
            }
            Err(error) => {
                let text = error.to_string();
                let head = format!("Content-Length: {}\r\n\r\n", text.len());
                if write_bytes(errors, (head + &text).as_bytes()).is_err() {
                    return;
                }
            }
        }
    }
}

/// The message in a body, or what to answer.
fn message(body: &[u8]) -> Result<Message, Json> {
    let error = |id: Json, code: i32, why: String| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } });
    let json: Json = serde_json::from_slice(body)
        .map_err(|why| error(Json::Null, -32700, format!("this is no JSON: {why}")))?;
    let id = match &json["id"] {
        id @ (Json::String(_) | Json::Number(_)) => id.clone(),
        _ => Json::Null,
    };
    // An answer has no method, and says something.
    let is_answer = json.get("result").or(json.get("error")).is_some();
    let is_message = json.get("method").map_or(is_answer, Json::is_string);
    let message = is_message.then(|| serde_json::from_value(json).ok()).flatten();
    let what = "this is neither a request nor a notification, nor an answer";
    message.ok_or_else(|| error(id, -32600, what.into()))
}

/// The body of the next message, if there is one.
fn body(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        match (line.split_once(':'), length) {
            (Some((name, value)), _) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse::<usize>().ok();
            }
            // Blank lines between messages are passed over.
            (None, Some(length)) if line.is_empty() && length <= LONGEST_BODY => {
                let mut body = vec![0; length];
                input.read_exact(&mut body)?;
                return Ok(Some(body));
            }
            (None, Some(_)) if line.is_empty() => {
                return Err(io::Error::other("a message is too long"));
            }
            _ => {}
        }
    }
}

/// Messages to the client, from any thread.
pub(crate) type Outgoing = Sender<Message>;
/// Messages from the client.
pub(crate) type Incoming = Receiver<Message>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_answered_and_the_next_is_read() {
        let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let input = [
            framed("{"),
            framed("[]"),
            framed(r#"{"id": 7, "method": 3}"#),
            framed(r#"{"jsonrpc": "2.0", "method": "exit"}"#),
        ];
        let output = Arc::new(Mutex::new(Vec::new()));
        let (sender, receiver) = unbounded();
        read_all(&mut input.concat().as_bytes(), &sender, &output);
        drop(sender);
        assert_eq!(receiver.iter().count(), 1);
        let written = String::from_utf8(output.lock().unwrap().clone()).unwrap();
        for part in ["-32700", "-32600", r#""id":null"#, r#""id":7"#] {
            assert!(written.contains(part), "{written}");
        }
    }

    #[test]
    fn headers_may_be_several_and_lengths_wrong() {
        let text = "Content-Type: x\r\ncontent-length: 2\r\n\r\n{}";
        assert_eq!(body(&mut text.as_bytes()).unwrap().unwrap(), b"{}");
        assert!(body(&mut &b"Content-Length: 99999999999\r\n\r\n"[..]).is_err());
        assert!(body(&mut &b"Content-Length: 5\r\n\r\n{}"[..]).is_err());
        assert!(body(&mut &b""[..]).unwrap().is_none());
    }
}
