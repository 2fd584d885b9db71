//! Many connections, slow ones, and ones that go away.

use std::time::Duration;

use serde_json::json;
use serve::Bounds;

use crate::client::Connection;
use crate::running::{COUNTER, ROUND, Running, eventually};

#[test]
fn two_hundred_connections_at_once_are_all_answered() {
    let server = Running::start(&[("counter.kin", COUNTER)]);
    let mut connections: Vec<Connection> = (0..200).map(|_| server.open()).collect();
    let body = json!({ "model": "counter", "run": [0, 0, 0] }).to_string();
    for connection in &mut connections {
        connection.send(server.request("POST", "/api/v1/state", &body));
    }
    for connection in &mut connections {
        let answer = connection.answer().expect("an answer");
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.json()["end"], "deadlock");
    }
    server.is_well();
}

#[test]
fn one_connection_too_many_is_told_so() {
    let bounds = Bounds { connections: 3, ..Bounds::default() };
    let server = Running::bounded(&[], bounds);
    let mut listeners = vec![server.listen(), server.listen(), server.listen()];
    for _ in 0..20 {
        let mut connection = server.open();
        connection.send(server.request("POST", "/api/v1/models", "{}"));
        let answer = connection.answer().expect("an answer");
        assert_eq!((answer.status, answer.code().as_str()), (429, "too_many"));
        connection.end();
    }
    listeners.pop();
    eventually("there is a place again", || {
        server.raw(server.request("POST", "/api/v1/models", "{}")).status == 200
    });
}

#[test]
fn a_slow_head_is_not_waited_for() {
    let bounds = Bounds { head_time: Duration::from_millis(100), ..Bounds::default() };
    let server = Running::bounded(&[], bounds);
    let (mut silent, mut slow) = (server.open(), server.open());
    slow.send("GET / HTTP/1.1\r\nHo");
    slow.end();
    silent.end();
    // A client that sends a letter now and then gains nothing.
    let mut trickling = server.open();
    eventually("the connection is closed", || trickling.try_send("G").is_err());
    server.is_well();
}

#[test]
fn a_slow_body_is_not_waited_for() {
    let bounds = Bounds { answer_time: Duration::from_millis(100), ..Bounds::default() };
    let server = Running::bounded(&[], bounds);
    let mut connection = server.open();
    let request = server.request("POST", "/api/v1/models", "{");
    connection.send(request.replace("Content-Length: 1", "Content-Length: 2"));
    let answer = connection.answer().expect("an answer");
    assert_eq!((answer.status, answer.code().as_str()), (503, "too_long"));
    connection.end();
}

/// Goes round for ever, and at each step tries 64,000 ways to do something else.
fn slow() -> String {
    let numbers = (0..40).map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
    let places = ["a", "b", "c"].map(|name| format!("place {name}: 0..=39 = {numbers}\n")).concat();
    let in_vain =
        "transition in_vain { read a(x)   read b(y)   read c(z)   when x + y * z > 9000 }\n";
    format!("{ROUND}{places}{in_vain}")
}

/// A walk that takes longer than any test may.
fn long_walk(server: &Running) -> String {
    let body = json!({ "model": "slow", "run": vec![0; 100_000] }).to_string();
    server.request("POST", "/api/v1/state", &body)
}

#[test]
fn an_operation_ends_when_its_time_is_up() {
    let bounds = Bounds { answer_time: Duration::from_millis(200), ..Bounds::default() };
    let server = Running::bounded(&[("slow.kin", &slow())], bounds);
    assert_eq!(server.ask("model", &json!({ "model": "slow" }))["is_right"], true);
    let answer = server.raw(long_walk(&server));
    assert_eq!((answer.status, answer.code().as_str()), (503, "too_long"));
    server.is_well();
}

/// There is one place for operations, and it is free again soon after a client has gone away that waited for a very
/// long one.
#[test]
fn an_operation_ends_when_nobody_waits_for_it() {
    let bounds =
        Bounds { operations: 1, answer_time: Duration::from_secs(3600), ..Bounds::default() };
    let server = Running::bounded(&[("slow.kin", &slow())], bounds);
    assert_eq!(server.ask("model", &json!({ "model": "slow" }))["is_right"], true);
    let walk = long_walk(&server);
    for _ in 0..3 {
        let mut connection = server.open();
        connection.send(&walk);
        drop(connection);
    }
    server.is_well();
}

#[test]
fn clients_may_go_away_at_any_moment() {
    let server = Running::start(&[("counter.kin", COUNTER)]);
    let body = json!({ "model": "counter", "run": [0, 0] }).to_string();
    let request = server.request("POST", "/api/v1/state", &body);
    for end in 0..request.len() {
        let mut connection = server.open();
        connection.send(&request[..end]);
    }
    server.is_well();
    for _ in 0..300 {
        server.listen();
    }
    eventually("those who listened have left their places", || {
        let connections = Bounds::default().connections;
        let mut all: Vec<Connection> = (0..connections).map(|_| server.open()).collect();
        let request = server.request("POST", "/api/v1/models", "{}");
        all.iter_mut().for_each(|connection| connection.send(&request));
        all.iter_mut().all(|connection| connection.answer().is_some_and(|a| a.status == 200))
    });
}

#[test]
fn a_listener_hears_that_the_server_is_alive() {
    let bounds = Bounds { alive_time: Duration::from_millis(20), ..Bounds::default() };
    let server = Running::bounded(&[], bounds);
    let mut events = server.listen();
    for _ in 0..3 {
        assert_eq!(events.next(), Some(json!({ "event": "alive" })));
    }
}

/// Who asks for more than the system keeps for it, and reads none of it, loses the connection.
#[test]
fn a_client_that_reads_nothing_is_given_up() {
    let bounds =
        Bounds { connections: 1, stall_time: Duration::from_millis(100), ..Bounds::default() };
    let text = format!("{COUNTER}// {}\n", "long ".repeat(3 << 20));
    let server = Running::bounded(&[("long.kin", &text)], bounds);
    let mut deaf = server.open();
    deaf.send(server.request("POST", "/api/v1/model", "{\"model\": \"long\"}"));
    let (status, _) = deaf.head().unwrap();
    assert_eq!(status, 200);
    eventually("its place is free", || {
        server.raw(server.request("POST", "/api/v1/models", "{}")).status == 200
    });
    deaf.end();
}

#[test]
fn the_server_ends_with_connections_open() {
    let mut server = Running::start(&[("counter.kin", COUNTER)]);
    let mut events = server.listen();
    let mut idle: Vec<Connection> = (0..20).map(|_| server.open()).collect();
    let mut halfway = server.open();
    halfway.send("POST /api/v1/models HTTP/1.1\r\nHost:");
    server.is_well();
    server.end();
    assert_eq!(events.next(), None);
    idle.iter_mut().for_each(Connection::end);
    halfway.end();
}
