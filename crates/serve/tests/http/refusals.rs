//! Requests that are refused, each for a reason that is said, and the server goes on.

use serde_json::json;
use serve::Bounds;

use crate::client::Answer;
use crate::running::{COUNTER, Running};

fn server() -> Running {
    Running::start(&[("counter.kin", COUNTER)])
}

/// What is said to this request instead of what is said to a right one.
#[track_caller]
fn is_refused(server: &Running, request: impl AsRef<[u8]>, status: u16, code: &str) -> Answer {
    let answer = server.raw(request.as_ref());
    let shown = String::from_utf8_lossy(&request.as_ref()[..request.as_ref().len().min(200)]);
    assert_eq!(answer.status, status, "{shown}: {}", answer.text());
    assert_eq!(answer.code(), code, "{shown}");
    server.is_well();
    answer
}

#[test]
fn without_the_token_nothing_is_answered() {
    let server = server();
    let right = server.request("POST", "/api/v1/models", "{}");
    let token = format!("Bearer {}", server.token);
    let wrong = if server.token.starts_with('0') { "1" } else { "0" };
    for said in [
        "Bearer ".to_owned(),
        "Bearer".to_owned(),
        server.token.clone(),
        format!("Basic {}", server.token),
        format!("Bearer {wrong}{}", &server.token[1..]),
        format!("Bearer {}", &server.token[..31]),
        format!("{token}0"),
        format!("Bearer {}", "0".repeat(20_000)),
        format!("{token}\r\nAuthorization: Bearer 1"),
        "Bearer \u{e9}".to_owned(),
    ] {
        let answer = is_refused(&server, right.replace(&token, &said), 401, "unauthorized");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
    let without = right.replace(&format!("Authorization: {token}\r\n"), "");
    is_refused(&server, &without, 401, "unauthorized");
    let in_path = format!("/api/v1/models?token={}", server.token);
    is_refused(&server, without.replace("/api/v1/models", &in_path), 401, "unauthorized");
    for path in ["/api", "/api/", "/api/v1/nothing", "/api/v2/models", "/api/v1/events"] {
        is_refused(&server, without.replace("/api/v1/models", path), 401, "unauthorized");
    }
}

/// A name that somebody lets point to loopback (DNS rebinding) is not the server's own.
#[test]
fn another_host_is_refused_even_with_the_token() {
    let server = server();
    let port = server.address.port();
    let host = format!("Host: {}\r\n", server.address);
    for other in [
        format!("Host: rebound.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n".into(),
        "Host: localhost:1\r\n".into(),
        format!("Host: 127.0.0.1.example:{port}\r\n"),
        format!("Host: example@127.0.0.1:{port}\r\n"),
        "Host:\r\n".into(),
        String::new(),
        format!("{host}Host: rebound.example:{port}\r\n"),
    ] {
        let page = format!("GET / HTTP/1.1\r\n{other}\r\n");
        is_refused(&server, page, 403, "forbidden");
        let asked = server.request("POST", "/api/v1/models", "{}").replace(&host, &other);
        is_refused(&server, asked, 403, "forbidden");
    }
    let absolute = server.request("POST", "http://rebound.example/api/v1/models", "{}");
    is_refused(&server, absolute, 403, "forbidden");
}

#[test]
fn another_origin_is_refused_even_with_the_token() {
    let server = server();
    let port = server.address.port();
    for origin in [
        "null".to_owned(),
        "http://example.org".into(),
        format!("http://rebound.example:{port}"),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        "http://127.0.0.1".into(),
        String::new(),
    ] {
        let header = format!("Origin: {origin}\r\nContent-Length");
        for (method, path) in [("POST", "/api/v1/models"), ("GET", "/api/v1/events"), ("GET", "/")]
        {
            let request = server.request(method, path, "{}").replace("Content-Length", &header);
            is_refused(&server, request, 403, "forbidden");
        }
    }
    // What a browser asks before it sends something from another origin.
    let host = server.address;
    let question = format!(
        "OPTIONS /api/v1/models HTTP/1.1\r\nHost: {host}\r\nOrigin: http://example.org\r\n\
         Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization\r\n\r\n"
    );
    is_refused(&server, question, 403, "forbidden");
}

#[test]
fn paths_lead_nowhere_but_to_the_page() {
    let server = server();
    for path in [
        "/../../etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/web/../../Cargo.toml",
        "/web/%2e%2e/%2e%2e/Cargo.toml",
        "/web/..\\..\\Cargo.toml",
        "//etc/passwd",
        "/./",
        "/%00",
        "/%",
        "/%ff%fe",
        "/counter.kin",
        "/web",
        "/web/",
        "/index.html/..",
        "/api/v1/../v1/models",
        "/api/v1/models/",
        "/api/v1/",
        "/api/v1/%2e%2e/models",
        "/%61pi/v1/models",
    ] {
        is_refused(&server, server.request("GET", path, ""), 404, "not_found");
    }
    let file = server.path("counter.kin");
    is_refused(&server, server.request("GET", file.to_str().unwrap(), ""), 404, "not_found");
    for operation in
        ["nothing", "..", "%6dodels", "model%00", "models%2f", "a".repeat(5000).as_str()]
    {
        let path = format!("/api/v1/{operation}");
        is_refused(&server, server.request("POST", &path, "{}"), 404, "not_found");
    }
}

#[test]
fn other_methods_are_not_allowed() {
    let server = server();
    for (method, path) in [
        ("GET", "/api/v1/models"),
        ("PUT", "/api/v1/models"),
        ("DELETE", "/api/v1/model"),
        ("PATCH", "/api/v1/write"),
        ("OPTIONS", "/api/v1/models"),
        ("POST", "/api/v1/events"),
        ("POST", "/"),
        ("TRACE", "/"),
        ("BREW", "/"),
    ] {
        let request = server.request(method, path, "");
        let answer = is_refused(&server, request, 405, "method_not_allowed");
        assert!(answer.header("allow").is_some(), "{method} {path}");
    }
}

#[test]
fn what_is_no_request_is_refused() {
    let server = server();
    let deep = "[".repeat(100_000);
    let long = format!("{{\"model\": \"{}\"}}", "a".repeat(100_000));
    for (operation, body, code) in [
        ("model", "", "bad_request"),
        ("model", "{", "bad_request"),
        ("model", "null", "bad_request"),
        ("model", "[]", "bad_request"),
        ("model", "{}", "bad_request"),
        ("model", "{\"model\": 1}", "bad_request"),
        ("model", "{\"model\": \"counter\"} x", "bad_request"),
        ("model", "{\"model\": \"\u{0}\"}", "bad_request"),
        ("model", deep.as_str(), "bad_request"),
        ("model", "{\"model\": \"nobody\"}", "no_such_model"),
        ("model", long.as_str(), "no_such_model"),
        ("state", "{\"model\": \"counter\", \"run\": [-1]}", "bad_request"),
        ("state", "{\"model\": \"counter\", \"run\": [99999999999999999999]}", "bad_request"),
        ("state", "{\"model\": \"counter\", \"run\": {}}", "bad_request"),
        ("state", "{\"model\": \"counter\", \"run\": [4294967295]}", "no_such_step"),
    ] {
        let request = server.request("POST", &format!("/api/v1/{operation}"), body);
        let answer = server.raw(request);
        let shown = &body[..body.len().min(80)];
        assert_eq!(answer.code(), code, "{operation} {shown}: {}", answer.text());
        assert!(answer.body.len() < 2000, "a refusal is short");
    }
    let mut request = server.request("POST", "/api/v1/model", "{\"model\": \"#\"}").into_bytes();
    *request.iter_mut().rev().find(|byte| **byte == b'#').unwrap() = 0xff;
    is_refused(&server, request, 400, "bad_request");
}

#[test]
fn a_body_has_a_largest_size() {
    let server = server();
    let most = Bounds::default().request_bytes;
    let body = |bytes: usize| {
        let frame = json!({ "model": "counter", "more": "" }).to_string().len();
        json!({ "model": "counter", "more": "x".repeat(bytes - frame) }).to_string()
    };
    let largest = server.request("POST", "/api/v1/model", &body(most));
    assert_eq!(server.raw(largest).status, 200);
    for too_large in [body(most + 1), body(4 * most)] {
        let request = server.request("POST", "/api/v1/model", &too_large);
        is_refused(&server, request, 413, "too_large");
    }
    // It is refused for its length alone, before any of it has come.
    let announced = server
        .request("POST", "/api/v1/model", "")
        .replace("Content-Length: 0", "Content-Length: 99999999999");
    is_refused(&server, announced, 413, "too_large");
    // Without a length it is read as far as it may be.
    let chunked = server
        .request("POST", "/api/v1/model", "")
        .replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let chunks = format!("{:x}\r\n{}\r\n", 1 << 16, "x".repeat(1 << 16)).repeat(40);
    is_refused(&server, chunked.clone() + &chunks + "0\r\n\r\n", 413, "too_large");
    let small = "14\r\n{\"model\": \"counter\"}\r\n0\r\n\r\n";
    assert_eq!(server.raw(chunked + small).status, 200);
}

#[test]
fn what_is_not_http_ends_the_connection() {
    let server = server();
    let host = server.address;
    let many = "X-A: b\r\n".repeat(1000);
    let long = "x".repeat(1 << 20);
    for bytes in [
        "\r\n\r\n\r\n\r\nhello\r\n\r\n".to_owned(),
        "GET\r\n\r\n".into(),
        "GET / HTTP/9.9\r\n\r\n".into(),
        "GET / HTTP/2.0\r\n\r\n".into(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".into(),
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}\u{3}\u{3}\r\n\r\n".into(),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\n{many}\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {long}\r\n\r\n"),
        format!("GET /{long} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nBad Header: 1\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nNo colon\r\n\r\n"),
    ] {
        let mut connection = server.open();
        connection.send(&bytes);
        connection.finish();
        if let Some(answer) = connection.answer() {
            let shown = &bytes[..bytes.len().min(80)];
            assert!((400..=505).contains(&answer.status), "{shown}: {}", answer.status);
        }
        connection.end();
        server.is_well();
    }
}

/// Two lengths that disagree, and chunks with a length, are how requests are smuggled past a guard.
#[test]
fn a_request_is_not_two_requests() {
    let server = server();
    let inner = server.request("POST", "/api/v1/models", "{}");
    let outer = server.request("POST", "/api/v1/models", "0\r\n\r\n");
    let smuggled = outer.replace("\r\n\r\n0", "\r\nTransfer-Encoding: chunked\r\n\r\n0") + &inner;
    let mut connection = server.open();
    connection.send(smuggled);
    connection.finish();
    let mut answers = 0;
    while let Some(answer) = connection.answer() {
        assert!(answer.status == 400 || answer.status == 200, "{}", answer.text());
        answers += 1;
    }
    assert!(answers <= 2);
    server.is_well();
}
