//! Inputs that take too long, or take the process down with them.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Keeps the input that is being tried in a file, and ends the process if one takes too long. A thread that
/// is stuck cannot be stopped in another way.
pub struct Watch {
    file: Mutex<File>,
    since: Arc<Mutex<Option<Instant>>>,
}

impl Watch {
    /// Keeps inputs in this file, and gives each of them at most this much time; `give_up` is called when
    /// one takes longer, on another thread.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(
        path: PathBuf,
        most: Duration,
        give_up: impl FnOnce(&PathBuf) + Send + 'static,
    ) -> std::io::Result<Watch> {
        let file = Mutex::new(File::create(&path)?);
        let since = Arc::new(Mutex::new(None::<Instant>));
        let seen = Arc::downgrade(&since);
        std::thread::spawn(move || {
            while let Some(since) = seen.upgrade() {
                if since.lock().expect("not poisoned").is_some_and(|since| since.elapsed() > most) {
                    return give_up(&path);
                }
                drop(since);
                std::thread::sleep(Duration::from_millis(200));
            }
        });
        Ok(Watch { file, since })
    }

    /// This input is tried now.
    pub(crate) fn begin(&self, input: &[u8]) {
        let mut file = self.file.lock().expect("not poisoned");
        // Losing the copy is no reason to stop.
        let _ = file
            .rewind()
            .and_then(|()| file.write_all(input))
            .and_then(|()| file.set_len(input.len() as u64));
        *self.since.lock().expect("not poisoned") = Some(Instant::now());
    }

    /// It was tried.
    pub(crate) fn end(&self) {
        *self.since.lock().expect("not poisoned") = None;
    }
}
