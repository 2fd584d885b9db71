//! Members of a run as threads of one process, each with its own listener, so that no port is guessed.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use peers::{Connected, Deadlines, Facts, Hosts, Key, Member, PeerError, connect_on};

/// Short, so that tests are, and long enough for a busy machine.
pub const DEADLINES: Deadlines = Deadlines {
    gather: Duration::from_secs(20),
    hello: Duration::from_millis(500),
    heartbeat: Duration::from_millis(100),
    silence: Duration::from_secs(5),
};

/// A run that is to be.
pub struct Planned {
    listeners: Vec<TcpListener>,
    pub hosts: Hosts,
    pub key: Key,
    pub facts: Facts,
}

pub type Started = JoinHandle<Result<Connected, PeerError>>;

impl Planned {
    pub fn of(count: usize) -> Planned {
        let listener = |_| TcpListener::bind("127.0.0.1:0").unwrap();
        let listeners: Vec<TcpListener> = (0..count).map(listener).collect();
        let lines = listeners.iter().map(|one| format!("{}\n", one.local_addr().unwrap()));
        Planned {
            hosts: Hosts::read(&lines.collect::<String>()).unwrap(),
            listeners,
            key: Key::generate().unwrap(),
            facts: [("the model".to_owned(), "1f0c".to_owned())].into(),
        }
    }

    pub fn member(&self, index: usize) -> Member {
        Member { hosts: self.hosts.clone(), index, threads: 2 }
    }

    pub fn address(&self, index: usize) -> SocketAddr {
        self.listeners[index].local_addr().unwrap()
    }

    /// Starts a process as it should be.
    pub fn start(&self, index: usize) -> Started {
        self.start_as(self.member(index), &self.key, &self.facts, DEADLINES)
    }

    /// Starts a process that may differ.
    pub fn start_as(
        &self,
        member: Member,
        key: &Key,
        facts: &Facts,
        deadlines: Deadlines,
    ) -> Started {
        let listener = self.listeners[member.index].try_clone().unwrap();
        let (key, facts) = (key.clone(), facts.clone());
        thread::spawn(move || connect_on(listener, &member, &key, &facts, &deadlines))
    }

    /// Waits until a process answers: a stranger has called it, and it was told hello or turned away.
    pub fn call(&self, index: usize) -> TcpStream {
        TcpStream::connect(self.address(index)).unwrap()
    }
}

/// What became of a process that should have been connected.
pub fn connected(started: Started) -> Connected {
    started.join().unwrap().unwrap_or_else(|error| panic!("{error}"))
}

/// What became of a process that should have failed.
pub fn failed(started: Started) -> PeerError {
    started.join().unwrap().err().expect("there is something wrong")
}

/// Sends a number to every other process, receives one of each, and says goodbye.
pub fn work(connected: Connected, index: u8) {
    let Connected { data, control } = connected;
    for stream in data.iter().flatten() {
        (&mut &*stream).write_all(&[index]).unwrap();
    }
    for (other, stream) in data.iter().enumerate() {
        assert_eq!(stream.is_none(), other == usize::from(index));
        if let Some(mut stream) = stream.as_ref() {
            let mut number = [0];
            stream.read_exact(&mut number).unwrap();
            assert_eq!(usize::from(number[0]), other);
        }
    }
    control.finish().unwrap();
}

/// Lets all of them do their work.
pub fn work_all(all: Vec<Started>) {
    let workers: Vec<JoinHandle<()>> = (all.into_iter().zip(0..))
        .map(|(started, index)| thread::spawn(move || work(connected(started), index)))
        .collect();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
}

#[test]
fn processes_come_together_in_any_order() {
    for (count, order) in
        [(1, vec![0]), (2, vec![1, 0]), (3, vec![2, 0, 1]), (5, vec![4, 2, 3, 0, 1])]
    {
        let run = Planned::of(count);
        let mut started: Vec<(usize, Started)> =
            order.into_iter().map(|index| (index, run.start(index))).collect();
        started.sort_by_key(|(index, _)| *index);
        work_all(started.into_iter().map(|(_, started)| started).collect());
    }
}
