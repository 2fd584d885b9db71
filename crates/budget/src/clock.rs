//! The clock, also where the standard library has none.
//!
//! In a browser (`wasm32-unknown-unknown`) there is no clock that the standard library could ask: whoever loads the
//! module gives it one, as the function `now` of the module `kinfold`.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use given::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod given {
    #![allow(unsafe_code, reason = "a function from outside can be declared in no other way")]

    use std::time::Duration;

    #[link(wasm_import_module = "kinfold")]
    // SAFETY: it takes nothing and gives a number, so there is nothing that a wrong one could break.
    unsafe extern "C" {
        /// Milliseconds since some moment.
        safe fn now() -> f64;
    }

    /// A moment, as the standard library has it elsewhere.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        #[must_use]
        pub fn now() -> Instant {
            Instant(Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default())
        }

        /// This much later, if that can be represented.
        #[must_use]
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }

        /// The time since an earlier moment; nothing if that is later.
        #[must_use]
        pub fn duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The same.
        #[must_use]
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.duration_since(earlier)
        }

        /// The time since then.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Instant::now().duration_since(*self)
        }
    }
}
