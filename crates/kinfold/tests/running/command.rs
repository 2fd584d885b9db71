//! Runs the command as its users do.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run has come to.
pub struct Done {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Done {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e} in {}", self.stdout))
    }
}

pub fn kinfold(args: &[&str]) -> Done {
    kinfold_fed(args, b"")
}

pub fn kinfold_fed(args: &[&str], input: &[u8]) -> Done {
    fed(Command::new(env!("CARGO_BIN_EXE_kinfold")).args(args), input)
}

/// Runs a command that may have a directory and an environment of its own.
pub fn fed(command: &mut Command, input: &[u8]) -> Done {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // A command that fails early does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Done {
        status: output.status.code().expect("no signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The path of a file of the project.
pub fn project(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    path.to_str().unwrap().to_owned()
}
