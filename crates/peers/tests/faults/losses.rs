//! Processes that are lost, as threads: what the others are told.

use std::sync::mpsc;
use std::time::Duration;

use peers::{Connected, Deadlines, How, Loss, PeerError};

use super::members::{DEADLINES, Planned, connected, failed};

/// Three processes that are connected.
fn three() -> Vec<Connected> {
    let run = Planned::of(3);
    let started: Vec<_> = (0..3).map(|index| run.start(index)).collect();
    started.into_iter().map(connected).collect()
}

#[test]
fn a_process_that_fails_ends_the_run_on_all_others() {
    let mut all = three();
    let (tell, told) = mpsc::channel();
    for one in &all[..2] {
        let tell = tell.clone();
        one.control.watch(move |loss| tell.send(loss.clone()).unwrap());
    }
    let third = all.pop().unwrap();
    third.control.watch(|loss| panic!("{loss}"));
    third.control.abort(70, "has failed: it divided by zero");
    for _ in 0..2 {
        let loss = told.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!((loss.process, loss.how), (2, How::Ended(70)));
        let text = format!("process 2 ({}) has failed: it divided by zero", loss.host);
        assert_eq!(loss.to_string(), text);
    }
    assert_eq!(all[0].control.finish().unwrap_err().process, 2);
}

#[test]
fn one_that_is_dropped_without_a_goodbye_is_lost() {
    let mut all = three();
    drop(all.remove(1));
    for one in &all {
        let loss = one.control.loss_within(Duration::from_secs(20)).unwrap();
        assert_eq!(
            loss.to_string(),
            format!("process 1 ({}) has ended without a result", loss.host)
        );
        // Who asks to be told later is told at once.
        let (tell, told) = mpsc::channel();
        one.control.watch(move |loss| tell.send(loss.clone()).unwrap());
        assert_eq!(told.try_recv().unwrap(), loss);
    }
}

#[test]
fn one_that_has_said_goodbye_is_not_lost() {
    let mut all = three();
    let first = all.remove(0);
    let done = std::thread::spawn(move || first.control.finish());
    // The others work on, and then say goodbye as well.
    assert_eq!(all[0].control.loss_within(Duration::from_millis(300)), None);
    let others = all.into_iter().map(|one| std::thread::spawn(move || one.control.finish()));
    for other in others.collect::<Vec<_>>() {
        other.join().unwrap().unwrap();
    }
    done.join().unwrap().unwrap();
}

#[test]
fn a_process_that_never_comes_is_named_by_all() {
    let run = Planned::of(3);
    let soon = Deadlines { gather: Duration::from_secs(1), ..DEADLINES };
    let late = Deadlines { gather: Duration::from_secs(60), ..DEADLINES };
    let first = run.start_as(run.member(0), &run.key, &run.facts, soon);
    let second = run.start_as(run.member(1), &run.key, &run.facts, late);
    let error = failed(first).to_string();
    assert_eq!(error, format!("after 1 s process 2 ({}) has not come", run.hosts.of(2)));
    // The second would wait for longer, and is told.
    match failed(second) {
        PeerError::Lost(Loss { process, how, reason, .. }) => {
            assert_eq!((process, how, &*reason), (2, How::Missing, "has not come after 1 s"));
        }
        error => panic!("{error}"),
    }
}
