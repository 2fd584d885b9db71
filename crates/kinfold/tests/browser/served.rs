//! `kinfold serve`, as its users start it, on copies of models.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::running::project;

/// A server that runs until this is dropped.
pub struct Served {
    child: Child,
    folder: TempDir,
    link: String,
}

impl Served {
    /// Serves models of the project, by their paths in it.
    pub fn models(paths: &[&str]) -> Served {
        let read = |path: &&str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            (name.to_owned(), fs::read_to_string(project(path)).expect("a model"))
        };
        Served::texts(&paths.iter().map(read).collect::<Vec<_>>(), &[])
    }

    /// Serves texts as files of these names, with further arguments.
    pub fn texts(files: &[(String, String)], arguments: &[&str]) -> Served {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
        command.arg("serve").current_dir(folder.path());
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a file");
            command.arg(name);
        }
        let mut child = command
            .args(["--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let link = lines.find_map(|line| {
            let line = line.ok()?;
            Some(line[line.find("http://")?..].trim().to_owned())
        });
        let link = link.expect("it prints a link");
        Served { child, folder, link }
    }

    /// The link that it prints.
    pub fn link(&self) -> &str {
        &self.link
    }

    /// The link with more behind the token: `model=abba&run=0.1`.
    pub fn link_to(&self, more: &str) -> String {
        format!("{}&{more}", self.link)
    }

    /// The path of a file that it serves.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
