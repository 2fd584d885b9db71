//! Which files of a folder belong to a program: what their names and `//go:build` lines say.
//!
//! As for Linux on a usual machine, with any version of Go. Cost: linear in the text before the package clause.

/// Systems and machines that file names may end with, as in `lock_windows.go`.
const OTHERS: &str = " aix android darwin dragonfly freebsd hurd illumos ios js nacl netbsd openbsd plan9 solaris \
    wasip1 windows zos 386 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm ";

/// Why a file of a folder is no part of the program; `None` if it is.
#[must_use]
pub fn left_out(name: &str, text: &str) -> Option<String> {
    if name.starts_with(['_', '.']) {
        return Some("its name begins with `_` or `.`".into());
    }
    let stem = name.trim_end_matches(".go").trim_end_matches("_test");
    let suffix = stem.rsplit_once('_').map_or("", |(_, last)| last);
    if OTHERS.contains(&format!(" {suffix} ")) {
        return Some(format!("it is for `{suffix}`"));
    }
    for line in text.lines().take_while(|line| !line.trim_start().starts_with("package ")) {
        let Some(said) = line.trim().strip_prefix("//go:build ") else { continue };
        if !(Tags { rest: said }).holds() {
            return Some(format!("it says `//go:build {}`", said.trim()));
        }
    }
    None
}

/// An expression over tags: `linux && !cgo || ignore`. What is no expression holds.
struct Tags<'t> {
    rest: &'t str,
}

impl Tags<'_> {
    fn holds(mut self) -> bool {
        let holds = self.either(0);
        holds || !self.rest.trim().is_empty()
    }

    fn takes(&mut self, what: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn either(&mut self, depth: usize) -> bool {
        let mut holds = self.both(depth);
        while self.takes("||") {
            holds |= self.both(depth);
        }
        holds
    }

    fn both(&mut self, depth: usize) -> bool {
        let mut holds = self.one(depth);
        while self.takes("&&") {
            holds &= self.one(depth);
        }
        holds
    }

    fn one(&mut self, depth: usize) -> bool {
        if depth > 100 {
            return true;
        }
        if self.takes("!") {
            return !self.one(depth + 1);
        }
        if self.takes("(") {
            let holds = self.either(depth + 1);
            self.takes(")");
            return holds;
        }
        let rest = self.rest.trim_start();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let (tag, rest) = rest.split_at(end);
        self.rest = rest;
        matches!(tag, "linux" | "amd64" | "unix" | "gc") || tag.starts_with("go1.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_left_out_as_go_does() {
        let with = |line: &str| format!("// A comment.\n{line}\n\npackage a\n//go:build ignore\n");
        let out = |name: &str, line: &str| left_out(name, &with(line)).is_some();
        assert!(!out("a.go", "") && !out("a_test.go", "") && !out("lock_linux.go", ""));
        assert!(out("lock_windows.go", "") && out("lock_windows_test.go", ""));
        assert!(out("_a.go", "") && out(".a.go", ""));
        assert!(out("a.go", "//go:build ignore"));
        assert!(!out("a.go", "//go:build linux && !cgo || windows"));
        assert!(out("a.go", "//go:build !(linux || darwin)"));
        assert!(!out("a.go", "//go:build go1.22"));
    }
}
