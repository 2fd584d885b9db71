//! What a server is told before it starts.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use explorer::reading::GoOptions;
use lang::Override;

/// Where a server listens, and what it shows.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address; on any but one of loopback others than this machine can reach it.
    pub address: IpAddr,
    /// The port.
    pub port: Port,
    /// The models, of which there may be none.
    pub models: Vec<ModelFile>,
    /// How much of everything there may be.
    pub bounds: Bounds,
}

/// A port to listen on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// This one if it is free, and else any that is.
    Preferred(u16),
    /// This one; 0 is any that is free.
    Exactly(u16),
}

/// A file that holds a model.
#[derive(Clone, Debug)]
pub struct ModelFile {
    /// Where it is.
    pub path: PathBuf,
    /// Constants that have another value than in the file.
    pub set: Vec<Override>,
    /// How it is read, if it is a Go program.
    pub go: GoOptions,
}

/// How much of everything there may be, so that nobody can use up the server.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Connections at once. Further ones are refused.
    pub connections: usize,
    /// Operations at once. Further ones wait.
    pub operations: usize,
    /// Jobs at once. Further ones are refused.
    pub jobs: usize,
    /// Jobs that are remembered when they have ended.
    pub ended_jobs: usize,
    /// Bytes of the body of a request.
    pub request_bytes: usize,
    /// Bytes of an answer.
    pub answer_bytes: usize,
    /// Events by which a client may fall behind.
    pub events: usize,
    /// The time in which the head of a request must come, from the moment the connection is free for it.
    pub head_time: Duration,
    /// The time from the head of a request to its answer.
    pub answer_time: Duration,
    /// The time for which a client may take nothing of what is written to it.
    pub stall_time: Duration,
    /// The time between two signs of life in a stream of events.
    pub alive_time: Duration,
    /// The time between two looks at the files.
    pub look_time: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: Port::Preferred(Port::USUAL),
            models: Vec::new(),
            bounds: Bounds::default(),
        }
    }
}

impl Port {
    /// The port that links have as a rule.
    pub const USUAL: u16 = 7411;
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            connections: 256,
            operations: 8,
            jobs: 4,
            ended_jobs: 64,
            request_bytes: 1 << 20,
            answer_bytes: 64 << 20,
            events: 1000,
            head_time: Duration::from_secs(15),
            answer_time: Duration::from_secs(10),
            stall_time: Duration::from_secs(30),
            alive_time: Duration::from_secs(15),
            look_time: Duration::from_millis(150),
        }
    }
}
