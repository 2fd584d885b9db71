//! What the modules work out without a browser, tested by node where there is one.

use std::path::Path;
use std::process::Command;

#[test]
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn modules_do_what_their_tests_say() {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("left out: there is no node to test the modules with");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(folder.join("web")).unwrap();
    std::fs::write(folder.join("package.json"), r#"{ "type": "module" }"#).unwrap();
    for file in page::files().iter().filter(|file| file.path.ends_with(".js")) {
        std::fs::write(folder.join(&file.path[1..]), file.content).unwrap();
    }
    let tests = folder.join("modules.test.js");
    std::fs::write(&tests, include_str!("modules.test.js")).unwrap();
    let output = Command::new("node").arg("--test").arg(&tests).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let written = include_str!("modules.test.js").matches("\ntest('").count();
    assert!(text.contains(&format!("pass {written}\n")), "all of them ran: {text}");
}
