//! What is answered to those who mean well.

use serde_json::json;

use crate::running::{COUNTER, ROUND, Running};

#[test]
fn the_page_is_given_without_a_token() {
    let server = Running::start(&[]);
    for file in page::files() {
        let host = server.address;
        let answer = server.raw(format!("GET {} HTTP/1.1\r\nHost: {host}\r\n\r\n", file.path));
        assert_eq!(answer.status, 200, "{}", file.path);
        assert_eq!(answer.header("content-type"), Some(file.media_type));
        assert_eq!(answer.text(), file.content);
    }
    assert!(page::files().iter().any(|file| file.path == "/"));
}

/// Headers that keep the page to itself go with everything, whether it is given or refused.
#[test]
fn browsers_are_told_to_be_strict() {
    let server = Running::start(&[]);
    let host = server.address;
    for (request, status) in [
        (format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"), 200),
        (format!("HEAD / HTTP/1.1\r\nHost: {host}\r\n\r\n"), 200),
        (server.request("POST", "/api/v1/models", "{}"), 200),
        (format!("GET /nothing HTTP/1.1\r\nHost: {host}\r\n\r\n"), 404),
        (format!("POST /api/v1/models HTTP/1.1\r\nHost: {host}\r\n\r\n"), 401),
        ("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n".into(), 403),
    ] {
        let mut connection = server.open();
        connection.send(&request);
        let (seen, headers) = connection.head().unwrap();
        assert_eq!(seen, status, "{request}");
        let header = |name: &str| {
            let mut values = headers.iter().filter(|(n, _)| n == name).map(|(_, value)| value);
            let value = values.next().unwrap_or_else(|| panic!("no {name} for {request}"));
            assert_eq!(values.next(), None, "{name} twice for {request}");
            value.as_str()
        };
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; "), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("referrer-policy"), "no-referrer");
        assert_eq!(header("cache-control"), "no-store");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin");
        let allowed = headers.iter().find(|(name, _)| name.starts_with("access-control"));
        assert_eq!(allowed, None, "no other origin is let in");
    }
}

#[test]
fn models_are_listed_under_names_of_their_own() {
    let server = Running::start(&[("a.kin", COUNTER), ("a.pnml", "<pnml/>"), ("b.kin", "modle x")]);
    let models = server.ask("models", &json!({}));
    assert_eq!(models["host"], "server");
    let names = |field: &str| -> Vec<_> {
        models["models"].as_array().unwrap().iter().map(|model| model[field].clone()).collect()
    };
    assert_eq!(names("name"), ["a", "a-2", "b"]);
    assert_eq!(names("missing"), [json!(null), json!(null), json!(null)]);
    assert!(names("file")[1].as_str().unwrap().ends_with("a.pnml"));
    assert_eq!(server.ask("model", &json!({ "model": "a" }))["is_right"], true);
    assert_eq!(server.ask("model", &json!({ "model": "a-2" }))["is_right"], false);
    assert_eq!(server.ask("model", &json!({ "model": "b" }))["is_right"], false);
}

#[test]
fn a_run_is_walked_over_http() {
    let server = Running::start(&[("counter.kin", COUNTER)]);
    let state = server.ask("state", &json!({ "model": "counter", "run": [] }));
    assert_eq!(state["next"].as_array().unwrap().len(), 1, "{state}");
    assert_eq!(state["end"], json!(null));
    let state = server.ask("state", &json!({ "model": "counter", "run": [0, 0, 0] }));
    assert_eq!(state["next"], json!([]));
    assert_eq!(state["end"], "deadlock");
    let run = server.ask("run", &json!({ "model": "counter", "run": [0, 0] }));
    assert_eq!(run["steps"].as_array().unwrap().len(), 2);
    let refused = server.answer("state", &json!({ "model": "counter", "run": [0, 7] }));
    assert_eq!((refused.status, refused.code().as_str()), (409, "no_such_step"));
    assert_eq!(refused.json()["error"]["at"], 1);
}

/// Every operation is there over HTTP. What each answers is tested where it is written.
#[test]
fn every_operation_is_answered() {
    let server = Running::start(&[("counter.kin", COUNTER)]);
    let of = |more: serde_json::Value| {
        let mut request = json!({ "model": "counter", "run": [0] });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    for (operation, request, field) in [
        ("model", of(json!({})), "source"),
        ("run", of(json!({})), "lifelines"),
        ("state", of(json!({})), "next"),
        ("why", of(json!({ "line": 4 })), "can"),
        ("layers", of(json!({})), "svg"),
        ("random", of(json!({ "steps": 5, "seed": 1 })), "stopped"),
        ("graph", of(json!({})), "classes"),
        ("export", of(json!({ "format": "text" })), "content"),
        ("carry", of(json!({ "generation": 1 })), "lost"),
    ] {
        let answer = server.ask(operation, &request);
        assert!(answer.get(field).is_some(), "{operation}: {answer}");
    }
    let graph = server.ask("graph", &of(json!({})));
    let way = server.ask("way", &of(json!({ "class": graph["at"] })));
    assert_eq!(way["run"], json!([0]));
    let refused = server.answer("write", &json!({ "model": "counter", "source": ROUND }));
    assert_eq!(refused.code(), "refused");
}

#[test]
fn one_connection_serves_many_requests() {
    let server = Running::start(&[("counter.kin", COUNTER)]);
    let mut connection = server.open();
    for at in 0..100 {
        let run = vec![0; at % 4];
        let body = json!({ "model": "counter", "run": run }).to_string();
        connection.send(server.request("POST", "/api/v1/state", &body));
        let answer = connection.answer().unwrap();
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.json()["end"] == "deadlock", at % 4 == 3);
    }
}

#[test]
fn several_look_at_once_and_none_sees_the_other() {
    let server = Running::start(&[("counter.kin", COUNTER), ("round.kin", ROUND)]);
    std::thread::scope(|scope| {
        for client in 0..6 {
            let server = &server;
            scope.spawn(move || {
                for at in 0..20 {
                    let model = if client % 2 == 0 { "counter" } else { "round" };
                    let run = vec![0; at % 4];
                    let state = server.ask("state", &json!({ "model": model, "run": run }));
                    let ends = model == "counter" && at % 4 == 3;
                    assert_eq!(state["end"] == "deadlock", ends, "{model} {at}: {state}");
                }
            });
        }
    });
}

#[test]
fn a_token_may_come_in_another_case_of_its_scheme() {
    let server = Running::start(&[]);
    let request = server.request("POST", "/api/v1/models", "{}");
    assert_eq!(server.raw(request.replace("Bearer", "bearer")).status, 200);
}

#[test]
fn own_origin_and_all_own_names_are_let_in() {
    let server = Running::start(&[]);
    let port = server.address.port();
    for name in ["127.0.0.1", "localhost", "[::1]"] {
        let request = server.request("POST", "/api/v1/models", "{}");
        let headers = format!("Host: {name}:{port}\r\nOrigin: http://{name}:{port}\r\n");
        let request = request.replace(&format!("Host: {}\r\n", server.address), &headers);
        assert_eq!(server.raw(request).status, 200, "{name}");
    }
}
