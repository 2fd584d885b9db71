//! Those who call and do not belong: they are turned away, and the run goes on.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use peers::{Deadlines, Hosts, Key, Member};
use random::Random;

use super::members::{DEADLINES, Planned, Started, connected, failed, work_all};

/// How a hello begins, and the number of its bytes.
const OPENING: &[u8] = b"kinfold peers 1\n";
const HELLO_BYTES: usize = 73;

/// A hello of process 1 to process 0 by someone who holds no key.
fn hello() -> Vec<u8> {
    let numbers = [&[0u8][..], &1u32.to_le_bytes(), &0u32.to_le_bytes()].concat();
    [OPENING, &numbers, &[5; 16], &[9; 32]].concat()
}

/// Starts the processes of a run that have not been started, and lets all do their work.
fn goes_on(run: &Planned, first: Started) {
    work_all(vec![first, run.start(1), run.start(2)]);
}

#[test]
fn silent_clients_hold_nobody_up() {
    let run = Planned::of(3);
    let first = run.start(0);
    // More than may wait at a time; they stay until the run is done.
    let silent: Vec<TcpStream> = (0..80).map(|_| run.call(0)).collect();
    goes_on(&run, first);
    drop(silent);
}

#[test]
fn garbage_and_short_hellos_are_dropped() {
    let run = Planned::of(3);
    let first = run.start(0);
    let mut strangers = Vec::new();
    for seed in 0..50 {
        let mut random = Random::new(seed);
        let says: Vec<u8> = match seed % 3 {
            0 => (0..random.below(2000u32)).map(|_| random.below(256u32) as u8).collect(),
            1 => hello()[..random.below(HELLO_BYTES)].to_vec(),
            _ => b"GET / HTTP/1.1\r\nHost: here\r\n\r\n".to_vec(),
        };
        let mut stranger = run.call(0);
        // It may have been turned away before all was said.
        let _ = stranger.write_all(&says);
        // Some leave, and some stay.
        if seed % 2 == 0 {
            strangers.push(stranger);
        }
    }
    goes_on(&run, first);
}

#[test]
fn an_impostor_without_the_key_is_refused_and_the_real_one_is_waited_for() {
    let run = Planned::of(3);
    let first = run.start(0);
    let mut impostor = run.call(0);
    impostor.write_all(&hello()).unwrap();
    impostor.write_all(&[7; 32]).unwrap();
    let mut told = Vec::new();
    let _ = impostor.read_to_end(&mut told);
    assert_eq!(told.len(), HELLO_BYTES, "it is told hello, and nothing more");
    goes_on(&run, first);
}

#[test]
fn a_process_with_another_key_is_told_of_by_those_who_wait() {
    let run = Planned::of(2);
    let deadlines = Deadlines { gather: Duration::from_secs(1), ..DEADLINES };
    let first = run.start_as(run.member(0), &run.key, &run.facts, deadlines);
    let other = Key::generate().unwrap();
    let second = run.start_as(run.member(1), &other, &run.facts, deadlines);
    let (first, second) = (failed(first).to_string(), failed(second).to_string());
    assert!(first.starts_with("after 1 s process 1 (127.0.0.1:"), "{first}");
    assert!(first.ends_with("said to be it, without the key of this run"), "{first}");
    assert!(second.ends_with("did not take our key: is it the same on both sides?"), "{second}");
}

/// The host file is of another network, so whoever calls is a stranger.
#[test]
fn who_calls_from_elsewhere_is_not_answered() {
    let run = Planned::of(2);
    let elsewhere = Hosts::read("192.0.2.1:2101\n192.0.2.2:2101\n").unwrap();
    let member = Member { hosts: elsewhere, ..run.member(0) };
    let deadlines = Deadlines { gather: Duration::from_secs(1), ..DEADLINES };
    let first = run.start_as(member, &run.key, &run.facts, deadlines);
    let mut stranger = run.call(0);
    stranger.write_all(&hello()).unwrap();
    let mut told = Vec::new();
    let _ = stranger.read_to_end(&mut told);
    assert!(told.is_empty());
    let error = failed(first).to_string();
    let last =
        "there was a call from 127.0.0.1, which is no host of the file, and was not answered";
    assert!(error.ends_with(last), "{error}");
}

#[test]
fn after_all_have_come_nobody_else_is_listened_to() {
    let run = Planned::of(2);
    let (address, all) = (run.address(0), [run.start(0), run.start(1)].map(connected));
    // The test still holds the listener, so a stranger is connected; nobody speaks with it.
    let mut stranger = TcpStream::connect(address).unwrap();
    stranger.write_all(&hello()).unwrap();
    stranger.set_nonblocking(true).unwrap();
    let workers = all.into_iter().zip(0..).map(|(connected, index)| {
        std::thread::spawn(move || super::members::work(connected, index))
    });
    workers.collect::<Vec<_>>().into_iter().for_each(|worker| worker.join().unwrap());
    let heard = stranger.read(&mut [0; 1]);
    assert_eq!(heard.unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}
