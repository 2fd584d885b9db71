//! Host files: where the processes of a run are, in the order of their numbers.
//!
//! As timely dataflow has it, there is one `host:port` a line, and process 0 is the first. Unlike there, blank lines and
//! what follows a `#` do not count.

use std::fmt;

use crate::PeerError;

/// Where the processes of a run are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// The hosts in the text of a host file.
    ///
    /// # Errors
    ///
    /// If there is a line that is no `host:port`, or the same twice, or none at all.
    pub fn read(text: &str) -> Result<Hosts, PeerError> {
        let mut hosts: Vec<(usize, String)> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let wrong = |why: String| PeerError::Hosts { line: number, why };
            if let Some(why) = what_is_wrong(line) {
                return Err(wrong(format!("`{}` {why}", line.escape_debug())));
            }
            if let Some((first, _)) = hosts.iter().find(|(_, host)| host == line) {
                return Err(wrong(format!(
                    "`{line}` is in line {first} already; give each process a port of its own"
                )));
            }
            hosts.push((number, line.to_owned()));
        }
        match hosts.len() {
            0 => Err(PeerError::NoHosts),
            _ => Ok(Hosts(hosts.into_iter().map(|(_, host)| host).collect())),
        }
    }

    /// How many processes there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Where a process is, as the file has it.
    ///
    /// # Panics
    ///
    /// If there is no process with this number.
    #[must_use]
    pub fn of(&self, process: usize) -> &str {
        &self.0[process]
    }

    /// All of them, in the order of their processes.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// As a host file, on one line.
impl fmt::Display for Hosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// Why this is no `host:port`.
fn what_is_wrong(line: &str) -> Option<&'static str> {
    const FORM: &str = "is not `host:port`, such as 10.0.0.1:2101 or [fe80::1]:2101";
    let Some((host, port)) = line.rsplit_once(':') else { return Some(FORM) };
    let is_bracketed = host.starts_with('[') && host.ends_with(']') && host.len() > 2;
    let is_odd = |c: char| c.is_whitespace() || c.is_control();
    if host.is_empty() || line.contains(is_odd) || (host.contains(':') && !is_bracketed) {
        return Some(FORM);
    }
    match port.parse::<u16>() {
        Ok(0) => Some("has port 0, which nobody can call; give another"),
        Ok(_) => None,
        Err(_) => Some("has no port: that is a number from 1 to 65535"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_numbered_by_lines_with_a_host() {
        let hosts = Hosts::read("# two\n a:2101 # the first\n\n[::1]:2102\r\n").unwrap();
        assert_eq!(hosts.iter().collect::<Vec<_>>(), ["a:2101", "[::1]:2102"]);
        assert_eq!((hosts.count(), hosts.of(1)), (2, "[::1]:2102"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let told = |text| Hosts::read(text).unwrap_err().to_string();
        for (text, part) in [
            ("", "no `host:port`"),
            ("# none\n", "no `host:port`"),
            ("a:1\nb", "line 2 of the host file: `b` is not `host:port`"),
            ("a:1\n\nb c:2", "line 3"),
            ("::1:2101", "is not `host:port`"),
            (":2101", "is not `host:port`"),
            ("a:0", "has port 0"),
            ("a:70000", "has no port"),
            ("a:", "has no port"),
            ("a:1\nb:1\na:1", "line 3 of the host file: `a:1` is in line 1 already"),
            ("a\u{1b}[2J:1", "`a\\u{1b}[2J:1` is not"),
        ] {
            assert!(told(text).contains(part), "{text:?}: {}", told(text));
        }
    }
}
