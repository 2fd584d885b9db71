//! One of three processes is lost, or does not belong to the others: all end with one message and a status.

use std::io::Write;
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::processes::{ALL_HAVE_COME, Ended, LONG, Planned, Process, three};
use crate::running::{kinfold, project};

/// What a process says in the end: one message.
fn message(ended: &Ended) -> &str {
    let mut messages =
        ended.stderr.lines().filter(|line| !line.starts_with("note: ")).collect::<Vec<_>>();
    assert_eq!(messages.len(), 1, "{}", ended.stderr);
    messages.remove(0).strip_prefix("kinfold: ").expect("it is a message")
}

#[cfg(unix)]
#[test]
fn one_that_is_killed_ends_the_others_with_its_name() {
    for lost in 0..3 {
        let (all, hosts) = three(LONG);
        all[lost].signal("KILL");
        for (at, ended) in all.into_iter().map(Process::ends).enumerate() {
            if at != lost {
                let reason = "has died: its connection ended without a goodbye";
                assert_eq!(message(&ended), format!("process {lost} ({}) {reason}", hosts[lost]));
                assert_eq!((ended.status, &*ended.stdout), (Some(153), ""));
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn one_that_is_stopped_ends_the_others_after_the_stated_time() {
    let (mut all, hosts) = three(&format!("{LONG} --silence 2"));
    let stopped = all.remove(1);
    stopped.signal("STOP");
    for ended in all.into_iter().map(Process::ends) {
        let reason = "has not been heard of for 2 s: it is stopped, or cannot be reached";
        assert_eq!(message(&ended), format!("process 1 ({}) {reason}", hosts[1]));
        assert_eq!(ended.status, Some(153));
    }
    // When it goes on, it learns that the others are gone.
    stopped.signal("CONT");
    let ended = stopped.ends();
    assert_eq!(ended.status, Some(153), "{}", ended.stderr);
    message(&ended);
}

#[test]
fn one_that_panics_ends_the_others_with_the_reason() {
    let (mut all, hosts) = three(LONG);
    all[2].tell("panic");
    let panicked = all.remove(2).ends();
    assert_eq!(panicked.status, Some(70));
    assert!(panicked.stderr.contains("internal error"), "{}", panicked.stderr);
    assert!(panicked.stderr.contains("asked to fail"), "{}", panicked.stderr);
    for ended in all.into_iter().map(Process::ends) {
        let begins = format!("kinfold: process 2 ({}) has failed by a fault of Kinfold", hosts[2]);
        assert!(ended.stderr.contains(&begins), "{}", ended.stderr);
        assert!(ended.stderr.contains("asked to fail"), "{}", ended.stderr);
        assert_eq!(ended.status, Some(70));
    }
}

#[test]
fn one_that_never_comes_is_named() {
    let run = Planned::new();
    let words = "explore models/server.kin --gather 1";
    let all = [run.start(0, words), run.start(2, words)];
    for ended in all.into_iter().map(Process::ends) {
        let (message, host) = (message(&ended), &run.hosts[1]);
        assert!(message.contains(&format!("process 1 ({host}) has not come")), "{message}");
        assert_eq!(ended.status, Some(153));
    }
}

#[test]
fn what_differs_is_named_on_both_sides() {
    let words = "explore models/server.kin --gather 20";
    for (other, hosts, what) in [
        ("explore models/peterson.kin --gather 20", "hosts", "the model is "),
        ("explore models/server.kin --gather 20 --threads 2", "hosts", "the number of threads"),
        ("explore models/server.kin --gather 20 --set k=2", "hosts", "--set is "),
        ("explore models/server.kin --gather 20 --full", "hosts", "--full is "),
        ("check models/server.kin --gather 20", "hosts", "the command is "),
        (words, "swapped", "the list of hosts is "),
        (words, "fewer", "the number of processes is "),
    ] {
        let run = Planned::new();
        run.write_hosts("swapped", &[0, 2, 1]);
        run.write_hosts("fewer", &[0, 1]);
        let all = [run.start(0, words), run.start_with(1, other, hosts)];
        for ended in all.into_iter().map(Process::ends) {
            let stderr = &ended.stderr;
            assert!(stderr.contains("has been started differently:\n"), "{stderr}");
            assert!(stderr.contains(&format!("\n  {what}")), "{stderr}");
            assert_eq!(ended.status, Some(2), "{stderr}");
        }
    }
}

#[test]
fn strangers_do_not_hold_it_up() {
    let alone = kinfold(&["explore", &project("models/server.kin"), "--json"]);
    let run = Planned::new();
    let words = "explore models/server.kin --json";
    let first = run.start(0, words);
    // It listens as soon as it can be reached.
    let call = || loop {
        if let Ok(stream) = TcpStream::connect(&run.hosts[0]) {
            break stream;
        }
    };
    let silent = call();
    let mut short = call();
    short.write_all(b"kinfold peers 1\n\0\x01").unwrap();
    let mut garbage = call();
    let _ = garbage.write_all(&[0xa5; 5000]);
    let mut impostor = call();
    let numbers = [0, 1, 0, 0, 0, 0, 0, 0, 0];
    impostor.write_all(&[&b"kinfold peers 1\n"[..], &numbers, &[7; 48 + 32]].concat()).unwrap();
    let others = [run.start(1, words), run.start(2, words)];
    let first = first.ends();
    assert_eq!(first.status, Some(0), "{}", first.stderr);
    let states = |text: &str| {
        serde_json::from_str::<serde_json::Value>(text).unwrap()["states"].as_u64().unwrap()
    };
    assert_eq!(states(&first.stdout), states(&alone.stdout));
    for ended in others.into_iter().map(Process::ends) {
        assert_eq!((ended.status, &*ended.stdout), (Some(0), ""), "{}", ended.stderr);
        assert_eq!(ended.stderr.trim_end(), ALL_HAVE_COME);
    }
    drop((silent, short, garbage, impostor));
}

#[test]
fn strangers_who_come_late_find_nobody() {
    let alone = kinfold(&["explore", &project("models/server.kin"), "--set", "k=3", "--json"]);
    let (all, hosts) = three("explore models/server.kin --set k=3 --json");
    // Process 0 has said that all have come. Others may still listen, to nobody.
    assert!(TcpStream::connect(&hosts[0]).is_err());
    let late: Vec<TcpStream> = hosts.iter().filter_map(|at| TcpStream::connect(at).ok()).collect();
    late.iter().for_each(|mut stream| drop(stream.write_all(b"kinfold peers 1\n\0\x01")));
    let mut ended = all.into_iter().map(Process::ends);
    let first = ended.next().expect("it is there");
    let states =
        |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["states"].clone();
    assert_eq!(states(&first.stdout), states(&alone.stdout));
    assert!(ended.all(|ended| ended.status == Some(0)));
}

#[test]
fn another_key_is_told_after_the_stated_time() {
    let run = Planned::new();
    let other = run.path("other").to_str().unwrap().to_owned();
    assert_eq!(kinfold(&["cluster", "key", &other]).status, 0);
    let words = "explore models/server.kin --gather 1";
    let all = [run.start(0, words), run.start(1, &format!("{words} --key {other}"))];
    for ended in all.into_iter().map(Process::ends) {
        let message = message(&ended);
        assert!(message.contains("has not come") && message.contains("key"), "{message}");
        assert_eq!(ended.status, Some(153));
    }
}

#[test]
fn a_process_that_runs_already_is_not_started_again() {
    let run = Planned::new();
    let words = "explore models/server.kin --gather 30";
    let first = run.start(0, words);
    while TcpStream::connect(&run.hosts[0]).is_err() {}
    let twin = run.start(0, words).ends();
    assert_eq!(twin.status, Some(153));
    let message = message(&twin);
    assert!(message.contains("does it run already"), "{message}");
    drop(first);
}

/// What is wrong with the command line is told before anybody is waited for.
#[test]
fn wrong_usage() {
    let run = Planned::new();
    run.write_hosts("two", &[0, 1]);
    std::fs::write(run.path("odd"), "a:1\nnowhere\n").unwrap();
    std::fs::write(run.path("short"), "abc").unwrap();
    let [hosts, two, odd, key, short] = ["hosts", "two", "odd", "key", "short"]
        .map(|name| run.path(name).to_str().unwrap().to_owned());
    #[cfg(unix)]
    Command::new("chmod").args(["600", &short]).status().unwrap();
    for (words, part) in [
        (format!("--hosts {hosts} --process 1"), "--key"),
        ("--process 1".to_owned(), "--hosts"),
        (format!("--hosts {two} --process 2 --key {key}"), "the host file has 2"),
        (format!("--hosts {odd} --process 0 --key {key}"), "line 2 of the host file"),
        (format!("--hosts {hosts} --process 0 --key {short}"), "not these 3 bytes"),
        ("--gather 5".to_owned(), "are for runs with --hosts"),
    ] {
        let ended = Process::spawn(
            Command::new(env!("CARGO_BIN_EXE_kinfold"))
                .args(["explore", "models/server.kin"])
                .args(words.split(' '))
                .stdin(Stdio::null()),
        )
        .ends();
        assert_eq!(ended.status, Some(2), "{words}: {}", ended.stderr);
        assert!(ended.stderr.contains(part), "{words}: {}", ended.stderr);
    }
    #[cfg(unix)]
    {
        Command::new("chmod").args(["644", &key]).status().unwrap();
        let ended = run.start(0, "explore models/server.kin").ends();
        assert_eq!(ended.status, Some(2));
        assert!(message(&ended).contains("chmod 600"), "{}", ended.stderr);
    }
}
