//! A client that sends whatever it is told to, byte by byte.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value as Json;

/// After this time something that should come is taken not to come.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    /// Names in small letters.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e} in {}", self.text()))
    }

    /// The code of a refusal.
    pub fn code(&self) -> String {
        let json = self.json();
        let error = &json["error"];
        assert!(error["message"].as_str().is_some_and(|text| text.len() > 10), "{json}");
        error["code"].as_str().unwrap().to_owned()
    }
}

/// A connection.
pub struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    pub fn open(address: SocketAddr) -> Connection {
        let stream = TcpStream::connect_timeout(&address, DEADLINE).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.set_write_timeout(Some(DEADLINE)).unwrap();
        Connection { stream: BufReader::new(stream) }
    }

    /// Sends bytes. A server that has closed the connection need not take them.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.stream.get_mut().write_all(bytes.as_ref());
    }

    /// Whether the server still takes what is sent.
    pub fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes.as_ref())
    }

    /// Sends nothing more.
    pub fn finish(&mut self) {
        let _ = self.stream.get_mut().shutdown(Shutdown::Write);
    }

    /// The next answer, or nothing if the server closes the connection.
    pub fn answer(&mut self) -> Option<Answer> {
        let (status, headers) = self.head()?;
        let mut answer = Answer { status, headers, body: Vec::new() };
        if let Some(length) = answer.header("content-length") {
            let mut body = vec![0; length.parse().unwrap()];
            self.stream.read_exact(&mut body).unwrap();
            answer.body = body;
        } else if answer.header("transfer-encoding").is_some() {
            while let Some(chunk) = self.chunk() {
                answer.body.extend(chunk);
            }
        }
        Some(answer)
    }

    /// The head of the next answer.
    pub fn head(&mut self) -> Option<(u16, Vec<(String, String)>)> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status in {first}"));
        let mut headers = Vec::new();
        while let Some(line) = self.line().filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').unwrap();
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Some((status, headers))
    }

    /// The next chunk of an answer without length, unless it was the last.
    pub fn chunk(&mut self) -> Option<Vec<u8>> {
        let length = usize::from_str_radix(&self.line()?, 16).unwrap();
        let mut chunk = vec![0; length + 2];
        self.stream.read_exact(&mut chunk).ok()?;
        chunk.truncate(length);
        (length > 0).then_some(chunk)
    }

    /// Waits for the end of the connection; whatever comes before is dropped.
    pub fn end(&mut self) {
        let mut rest = Vec::new();
        match self.stream.read_to_end(&mut rest) {
            Err(error) if is_late(&error) => panic!("the server does not close the connection"),
            _ => {}
        }
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(line.trim_end().to_owned()),
            Err(error) if is_late(&error) => panic!("the server does not answer"),
            Err(_) => None,
        }
    }
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// A stream of events.
pub struct Listener {
    connection: Connection,
    text: Vec<u8>,
}

impl Listener {
    /// Reads events from a connection that has asked for them.
    pub fn new(mut connection: Connection) -> Listener {
        let (status, headers) = connection.head().unwrap();
        assert_eq!(status, 200, "{headers:?}");
        Listener { connection, text: Vec::new() }
    }

    /// The next event, or nothing if the stream has ended.
    pub fn next(&mut self) -> Option<Json> {
        loop {
            if let Some(end) = self.text.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.text.drain(..=end).collect();
                return Some(serde_json::from_slice(&line).unwrap());
            }
            self.text.extend(self.connection.chunk()?);
        }
    }

    /// The next event with this name; others are passed over.
    pub fn wait_for(&mut self, name: &str) -> Json {
        loop {
            let event = self.next().unwrap_or_else(|| panic!("the stream ended before {name}"));
            if event["event"] == name {
                return event;
            }
        }
    }
}
