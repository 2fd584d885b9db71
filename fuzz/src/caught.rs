//! Panics as values.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::Target;

thread_local! {
    /// While an input is tried on this thread: the last panic.
    static LAST: RefCell<Option<Caught>> = const { RefCell::new(None) };
    static IS_TRYING: RefCell<bool> = const { RefCell::new(false) };
}

/// A panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    /// Where it is in the source.
    pub place: String,
    /// What it says.
    pub message: String,
}

/// Tries an input. Panics on this thread are not printed meanwhile.
///
/// # Errors
/// If it panics.
pub fn attempt(target: Target, input: &[u8]) -> Result<String, Caught> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_TRYING.with_borrow(|trying| *trying) {
                return before(info);
            }
            let payload = info.payload();
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let message = text.or_else(|| payload.downcast_ref::<String>().cloned());
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            LAST.set(Some(Caught { place, message: message.unwrap_or_default() }));
        }));
    });
    IS_TRYING.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(|| target.run(input)));
    IS_TRYING.set(false);
    result.map_err(|_| LAST.take().expect("the hook was called"))
}
