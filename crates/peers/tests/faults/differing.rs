//! Processes that hold the key, but were started differently.

use std::net::TcpListener;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use peers::{Deadlines, Hosts, How, Loss, Member, PeerError, connect_on};

use super::members::{DEADLINES, Planned, failed, work_all};

/// Starts two processes, of which the second differs, and gives what both say.
fn told(run: &Planned, second: Member, model: &str) -> [String; 2] {
    let facts = [("the model".to_owned(), model.to_owned())].into();
    let first = run.start(0);
    let second = run.start_as(second, &run.key, &facts, DEADLINES);
    [first, second].map(|one| match failed(one) {
        error @ PeerError::Differs { .. } => error.to_string(),
        error => panic!("{error}"),
    })
}

#[test]
fn another_model() {
    let run = Planned::of(2);
    let [first, second] = told(&run, run.member(1), "other");
    let hosts: Vec<&str> = run.hosts.iter().collect();
    assert_eq!(
        first,
        format!(
            "process 1 ({}) has been started differently:\n  the model is 1f0c here, and other there",
            hosts[1]
        )
    );
    assert_eq!(
        second,
        format!(
            "process 0 ({}) has been started differently:\n  the model is other here, and 1f0c there",
            hosts[0]
        )
    );
}

#[test]
fn another_number_of_threads() {
    let run = Planned::of(2);
    let [first, second] = told(&run, Member { threads: 3, ..run.member(1) }, "1f0c");
    assert!(first.ends_with("the number of threads (--threads) is 2 here, and 3 there"), "{first}");
    assert!(
        second.ends_with("the number of threads (--threads) is 3 here, and 2 there"),
        "{second}"
    );
}

#[test]
fn another_number_of_processes() {
    // The second has a host file with a line more, once with a number that the first knows, and once with another.
    for index in [1, 2] {
        let run = Planned::of(3);
        let two = |hosts: &Hosts| {
            Hosts::read(&hosts.iter().take(2).map(|host| format!("{host}\n")).collect::<String>())
        };
        let first = Member { hosts: two(&run.hosts).unwrap(), ..run.member(0) };
        let first = run.start_as(first, &run.key, &run.facts, DEADLINES);
        let second = run.start(index);
        let [first, second] = [first, second].map(|one| failed(one).to_string());
        assert!(first.starts_with(&format!("process {index} (")), "{first}");
        assert!(first.contains("the number of processes is 2 here, and 3 there"), "{first}");
        assert!(second.contains("the number of processes is 3 here, and 2 there"), "{second}");
    }
}

#[test]
fn another_order_of_hosts() {
    let run = Planned::of(3);
    let hosts: Vec<&str> = run.hosts.iter().collect();
    let swapped = Hosts::read(&[hosts[0], hosts[2], hosts[1]].join("\n")).unwrap();
    let first = run.start(0);
    let third = Member { hosts: swapped, ..run.member(2) };
    let third = run.start_as(third, &run.key, &run.facts, DEADLINES);
    let soon = Deadlines { gather: Duration::from_secs(2), ..DEADLINES };
    let second = run.start_as(run.member(1), &run.key, &run.facts, soon);
    for one in [first, third] {
        let told = failed(one).to_string();
        assert!(told.contains("the list of hosts is 127.0.0.1:"), "{told}");
    }
    // The second learns of it, unless it comes when the first is gone.
    match failed(second) {
        PeerError::Lost(Loss { process, how, reason, .. }) => {
            assert_eq!((process, how), (2, How::Differs));
            assert_eq!(reason, "has been started differently from process 0");
        }
        PeerError::Missing { missing, .. } => assert_eq!(missing[0].process, 0),
        error => panic!("{error}"),
    }
}

#[test]
fn the_same_number_twice() {
    let run = Planned::of(3);
    let first = run.start(0);
    // A twin on another machine listens elsewhere. Whichever of them process 0 meets first takes part.
    let (member, key, facts) = (run.member(2), run.key.clone(), run.facts.clone());
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let twin = thread::spawn(move || connect_on(elsewhere, &member, &key, &facts, &DEADLINES));
    let mut twins = vec![run.start(2), twin];
    // They are told before process 1 has come.
    let ended = loop {
        match twins.iter().position(JoinHandle::is_finished) {
            Some(at) => break twins.swap_remove(at),
            None => thread::yield_now(),
        }
    };
    match failed(ended) {
        PeerError::Refused { process: 0, reason, .. } => {
            assert_eq!(reason, "there is a process 2 already; each has its own --process");
        }
        error => panic!("{error}"),
    }
    work_all(vec![first, run.start(1), twins.pop().unwrap()]);
}

#[test]
fn a_number_that_is_not_there() {
    let run = Planned::of(2);
    let member = Member { index: 2, ..run.member(0) };
    let error = member.listen().unwrap_err().to_string();
    assert_eq!(error, "there is no process 2: the host file has 2, which are numbered from 0");
    let taken = run.member(0).listen().unwrap_err().to_string();
    assert!(taken.contains("does it run already"), "{taken}");
}
