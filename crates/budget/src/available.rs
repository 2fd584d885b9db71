//! What memory the system could give.
//!
//! The least of: what the kernel says is available; for the control group of this process, and for each
//! group around it, what its limit leaves; and what the limit on the address space leaves. In a group,
//! file pages that were not used for long count as free: the kernel drops them when memory gets scarce.

use std::fs;
use std::path::{Path, PathBuf};

/// The bytes that this process could take beyond what it has, before the system runs out of memory or a
/// limit that was put on the process from outside is reached. `None` where that cannot be found out (now
/// anywhere but on Linux).
///
/// Reads the file system under `/proc` and `/sys/fs/cgroup`.
#[must_use]
pub fn available_memory() -> Option<u64> {
    available_in(Path::new("/"))
}

fn available_in(root: &Path) -> Option<u64> {
    let meminfo = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let system = kilobytes(&meminfo, "MemAvailable:");
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let groups = groups.lines().filter_map(|line| group_left(root, line));
    system.into_iter().chain(groups).chain(address_space_left(root)).min()
}

/// What the limit on the address space leaves.
fn address_space_left(root: &Path) -> Option<u64> {
    let limits = fs::read_to_string(root.join("proc/self/limits")).ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let most: u64 = line.split_whitespace().next()?.parse().ok()?;
    let status = fs::read_to_string(root.join("proc/self/status")).ok()?;
    Some(most.saturating_sub(kilobytes(&status, "VmSize:")?))
}

/// What the groups of a line of `/proc/self/cgroup` leave: `hierarchy:controllers:path`, without
/// controllers for version 2.
fn group_left(root: &Path, line: &str) -> Option<u64> {
    let mut fields = line.splitn(3, ':');
    let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
    let (mounts, names): (&[&str], &Names) = if controllers.is_empty() {
        (&["", "unified"], &VERSION_2)
    } else if controllers.split(',').any(|controller| controller == "memory") {
        (&["memory"], &VERSION_1)
    } else {
        return None;
    };
    let left = mounts.iter().flat_map(|mount| {
        let mount = root.join("sys/fs/cgroup").join(mount);
        // In a container the path may lead nowhere, but the mount itself is the container's group.
        let ancestors = Path::new(path.trim_start_matches('/')).ancestors();
        let folders: Vec<PathBuf> = ancestors.map(|path| mount.join(path)).collect();
        folders.into_iter().filter_map(|folder| names.left(&folder))
    });
    left.min()
}

/// The names of a control group's files.
struct Names {
    limits: &'static [&'static str],
    usage: &'static str,
    /// The line of `memory.stat` with the file pages that were not used for long.
    inactive: &'static str,
}

const VERSION_1: Names = Names {
    limits: &["memory.limit_in_bytes"],
    usage: "memory.usage_in_bytes",
    inactive: "total_inactive_file",
};
const VERSION_2: Names = Names {
    limits: &["memory.max", "memory.high"],
    usage: "memory.current",
    inactive: "inactive_file",
};

impl Names {
    /// What the limits of one group leave, if it has any.
    fn left(&self, group: &Path) -> Option<u64> {
        let number =
            |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
        let most = self.limits.iter().filter_map(|name| number(name)).min()?;
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let inactive =
            stat.lines().find_map(|line| line.strip_prefix(self.inactive)?.strip_prefix(' '));
        let inactive = inactive.and_then(|bytes| bytes.trim().parse().ok()).unwrap_or(0);
        Some(most.saturating_sub(number(self.usage)?.saturating_sub(inactive)))
    }
}

/// The number in a line `name  number kB`, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().trim_end_matches("kB").trim_end().parse().ok()?;
    Some(number << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that looks like the root of a file system with these files.
    fn system(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let root = std::env::temp_dir().join(format!("budget-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn available(name: &str, files: &[(&str, &str)]) -> Option<u64> {
        let root = system(name, files);
        let bytes = available_in(&root);
        fs::remove_dir_all(root).unwrap();
        bytes
    }

    const MEMINFO: (&str, &str) =
        ("proc/meminfo", "MemTotal:       2000 kB\nMemAvailable:   1000 kB\nBuffers: 1 kB\n");

    #[test]
    fn without_groups_it_is_what_the_kernel_says() {
        assert_eq!(available("none", &[MEMINFO]), Some(1000 << 10));
        assert_eq!(available("nothing", &[("proc/other", "")]), None);
    }

    #[test]
    fn the_narrowest_group_of_version_two_counts() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "0::/user/one\n"),
            ("sys/fs/cgroup/user/one/memory.max", "max\n"),
            ("sys/fs/cgroup/user/one/memory.current", "10\n"),
            ("sys/fs/cgroup/user/memory.max", "500000\n"),
            ("sys/fs/cgroup/user/memory.high", "400000\n"),
            ("sys/fs/cgroup/user/memory.current", "100000\n"),
            ("sys/fs/cgroup/user/memory.stat", "anon 70000\nfile 30000\ninactive_file 20000\n"),
        ];
        assert_eq!(available("two", &files), Some(320_000));
    }

    #[test]
    fn groups_of_version_one_count_also_from_within_a_container() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "3:cpuset:/\n4:pids,memory:/docker/x\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "300000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "350000\n"),
            ("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 100000\n"),
        ];
        assert_eq!(available("one", &files), Some(50_000));
    }

    #[test]
    fn the_address_space_counts() {
        let files = [
            MEMINFO,
            (
                "proc/self/limits",
                "Limit  Soft  Hard\nMax address space   102400  unlimited bytes\n",
            ),
            ("proc/self/status", "Name: x\nVmSize:\t      40 kB\n"),
        ];
        assert_eq!(available("space", &files), Some(60 << 10));
    }

    #[test]
    fn here_it_is_something() {
        assert_eq!(available_memory().is_some(), cfg!(target_os = "linux"));
    }
}
