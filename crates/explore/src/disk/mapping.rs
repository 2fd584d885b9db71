//! A file as if it were memory. Of the unsafe code, all is here.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::{Mmap, MmapOptions};

/// The first bytes of a file that nobody else has.
#[derive(Default, Debug)]
pub(super) struct Mapping {
    /// Nothing where there are no bytes.
    map: Option<Mmap>,
}

impl Mapping {
    /// The first `length` bytes of a file. It must be one that [`Pages`](super::Pages) has made.
    pub(super) fn of(file: &File, length: usize) -> io::Result<Mapping> {
        if length == 0 {
            return Ok(Mapping::default());
        }
        // SAFETY: The file was made by this process, under a name that is taken away at once where the system allows
        // it. Nobody else knows it. This process writes only behind the bytes that are mapped.
        let map = unsafe { MmapOptions::new().len(length).map(file)? };
        Ok(Mapping { map: Some(map) })
    }

    /// The bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        self.map.as_deref().unwrap_or_default()
    }

    /// Takes the bytes out of the memory of the process. They are read again when they are asked for.
    pub(super) fn release(&self) {
        #[cfg(unix)]
        if let Some(map) = &self.map {
            // SAFETY: The mapping is shared and read only, so what is dropped is in the file; whoever holds a reference
            // sees the same bytes as before.
            let advised = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
            // If it fails, more stays in memory, which the budget measures.
            drop(advised);
        }
    }
}
