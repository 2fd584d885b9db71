//! Clock and meter.

use std::fmt::Debug;

use crate::Instant;

/// Where a budget reads time and memory: by default the system's clock, and nothing about memory.
pub trait Gauge: Debug + Send + Sync {
    /// The time.
    fn now(&self) -> Instant {
        Instant::now()
    }

    /// The resident memory of the process in bytes, if it can be measured.
    fn resident(&self) -> Option<u64> {
        None
    }
}

/// The system's clock, and the memory that the system says this process has.
#[derive(Clone, Copy, Default, Debug)]
pub struct System;

impl Gauge for System {
    fn resident(&self) -> Option<u64> {
        resident_memory()
    }
}

/// The system's clock, and nothing about memory: only what is counted is limited.
#[derive(Clone, Copy, Default, Debug)]
pub struct Unmeasured;

impl Gauge for Unmeasured {}

/// The resident memory of this process in bytes, if it can be measured. Allocates only at the first
/// call.
#[must_use]
pub fn resident_memory() -> Option<u64> {
    linux::resident()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, File};
    use std::os::unix::fs::FileExt;
    use std::sync::OnceLock;

    /// The key of the page size in the auxiliary vector.
    const AT_PAGESZ: usize = 6;

    /// Resident pages are the second number in `/proc/self/statm`. The file is kept open, and read
    /// into a buffer on the stack.
    pub(super) fn resident() -> Option<u64> {
        static STATM: OnceLock<Option<(File, u64)>> = OnceLock::new();
        let open = || Some((File::open("/proc/self/statm").ok()?, page_size()?));
        let (statm, page) = STATM.get_or_init(open).as_ref()?;
        let mut text = [0; 128];
        let length = statm.read_at(&mut text, 0).ok()?;
        let pages: u64 = second_number(&text[..length])?;
        Some(pages * page)
    }

    fn second_number(text: &[u8]) -> Option<u64> {
        str::from_utf8(text).ok()?.split_ascii_whitespace().nth(1)?.parse().ok()
    }

    fn page_size() -> Option<u64> {
        let vector = fs::read("/proc/self/auxv").ok()?;
        let (words, _) = vector.as_chunks::<{ size_of::<usize>() }>();
        let (pairs, _) = words.as_chunks::<2>();
        let size = pairs.iter().find(|[key, _]| usize::from_ne_bytes(*key) == AT_PAGESZ)?;
        Some(usize::from_ne_bytes(size[1]) as u64)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_second_number_is_taken() {
            assert_eq!(second_number(b"3000 512 300 1 0 2 0\n"), Some(512));
            assert_eq!(second_number(b"3000"), None);
            assert_eq!(second_number(b"a b c"), None);
        }

        #[test]
        fn a_large_block_is_seen_as_it_comes_and_goes() {
            let before = resident().unwrap();
            let block = vec![1_u8; 64 << 20];
            let with = resident().unwrap();
            assert_eq!(
                block.iter().step_by(4096).map(|&byte| u64::from(byte)).sum::<u64>(),
                1 << 14
            );
            drop(block);
            let after = resident().unwrap();
            assert!(before > 0 && with >= before + (60 << 20) && after + (60 << 20) <= with);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    pub(super) fn resident() -> Option<u64> {
        None
    }
}
