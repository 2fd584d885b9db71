//! The playground, as `playground/build` has made it, without any server of Kinfold's.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::{env, fs, thread};

use crate::Test;
use crate::chrome::Chrome;

pub const TESTS: &[Test] = &[("playground_checks_the_tutorial", playground_checks_the_tutorial)];

fn playground_checks_the_tutorial(chrome: &Chrome) {
    let Some(folder) = env::var_os("PLAYGROUND") else {
        println!("the playground is not tried: PLAYGROUND is not set");
        return;
    };
    let window = chrome.start();
    let page = window.open(&format!("{}#model=tutorial_2", hosted(PathBuf::from(folder))));
    page.until_ready();
    page.until("document.body.dataset.model === 'tutorial_2'");
    page.take(0);
    page.until_run("0");
    page.click_on("tab-properties");
    page.click_on("check-all");
    page.until("document.querySelector('[data-test=property][data-verdict=fails]')");
    page.click("[data-test=property][data-verdict=fails] [data-test=open-run]");
    page.until("document.querySelector('[data-test=outcome]') && !document.querySelector('[data-test=outcome]').hidden");
    page.until("document.querySelector('[data-test=waits]')");
    page.picture("playground");
    // The text can be changed there.
    page.click_on("edit");
    page.value(
        "(() => { const editor = document.querySelector('[data-test=editor]'); \
         editor.value = 'model changed\\n\\nprocess main { skip }\\n'; editor.dispatchEvent(new Event('input', { bubbles: true })); })()",
    );
    page.until("document.body.dataset.generation === '2'");
}

/// Serves the files of a folder, as any server of static files does. Its address.
fn hosted(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            thread::spawn(move || answer(stream, &folder));
        }
    });
    format!("http://{address}/")
}

fn answer(mut stream: TcpStream, folder: &Path) -> Option<()> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).ok()?;
        request.push(byte[0]);
    }
    let request = String::from_utf8(request).ok()?;
    let path = request.split(' ').nth(1)?.split('?').next()?.trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let media_type = match path.rsplit('.').next()? {
        "html" => "text/html",
        "js" => "text/javascript",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        _ => "text/plain",
    };
    let (status, content) = match fs::read(folder.join(path)) {
        Ok(content) => ("200 OK", content),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&content).ok()
}
