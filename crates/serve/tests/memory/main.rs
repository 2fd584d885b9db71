//! Nothing is left behind by those who mean ill: memory and file descriptors, before and after.
//!
//! A binary of its own, so that nothing else uses memory meanwhile.

#[path = "../http/client.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod client;
#[path = "../http/running.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod running;

use serde_json::json;

use running::{COUNTER, Running, eventually};

/// What the allocator may keep for itself, and no more: the requests together are many times as large.
const SLACK: u64 = 8 << 20;

const REQUESTS: usize = 2000;

/// Asks something that is refused, or goes away in the middle, of one of several kinds in turn.
fn annoy(server: &Running, turn: usize) {
    let right = server.request("POST", "/api/v1/model", "{\"model\": \"counter\"}");
    let status = |request: String| server.raw(request).status;
    match turn % 14 {
        0 => assert_eq!(status(right.replace("Bearer ", "Bearer 0")), 401),
        1 => assert_eq!(status(right.replace("Host: ", "Origin: http://a.example\r\nHost: ")), 403),
        2 => assert_eq!(status(right.replace("Host: ", "Host: a.example")), 403),
        3 => assert_eq!(status(right.replace("/api/v1/model", "/../../etc/passwd")), 404),
        4 => assert_eq!(status(right.replace("Content-Length: ", "Content-Length: 99999999")), 413),
        5 => {
            let chunked = server
                .request("POST", "/api/v1/model", "")
                .replace("Content-Length: 0", "Transfer-Encoding: chunked");
            let chunk = format!("{:x}\r\n{}\r\n", 1 << 20, "x".repeat(1 << 20));
            assert_eq!(status(chunked + &chunk + &chunk), 413);
        }
        6 => assert_eq!(status(right.replace("{\"model\"", "{\"model\"x")), 400),
        7 => {
            let mut connection = server.open();
            connection.send("\u{1}\u{2} nothing\r\n\r\n");
            connection.end();
        }
        8 => server.open().send(&right[..right.len() / 2]),
        9 => server.open().send(&right),
        10 => drop(server.listen()),
        11 => {
            let run = vec![0; 1000 + turn];
            let request = json!({ "model": "counter", "run": run });
            assert_eq!(server.answer("state", &request).code(), "no_such_step");
        }
        12 => {
            let request = json!({ "model": "x".repeat(100_000 + turn) });
            assert_eq!(server.answer("model", &request).code(), "no_such_model");
        }
        _ => {
            let request = json!({ "model": "counter", "text": format!("always x{turn} (") });
            assert_eq!(server.answer("check", &request).code(), "refused");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn hostile_requests_leave_nothing_behind() {
    let descriptors = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let resident = || budget::resident_memory().unwrap();
    let server = Running::start(&[("counter.kin", COUNTER)]);
    // All threads are there, and all buffers have been used once.
    (0..REQUESTS / 4).for_each(|turn| annoy(&server, turn));
    server.is_well();
    let (memory, files) = (resident(), descriptors());
    (0..REQUESTS).for_each(|turn| annoy(&server, turn));
    server.is_well();
    eventually("connections are closed", || descriptors() <= files + 1);
    let grown = resident().saturating_sub(memory);
    assert!(grown < SLACK, "{REQUESTS} requests have taken {grown} bytes");
}
