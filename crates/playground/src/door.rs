//! How a worker hands requests in and takes answers out.
//!
//! Both lie in buffers of the module. The worker asks for room ([`reserve`]), writes the name of an operation and the
//! request behind it, and calls [`ask`]; the answer is then where [`answer_at`] says. News of a job are handed out
//! while it runs, by the function `tell` that the worker gives.
#![allow(unsafe_code, reason = "functions for outside have names that nothing else checks")]

use std::cell::RefCell;
use std::panic;

use crate::Playground;

#[link(wasm_import_module = "kinfold")]
// SAFETY: both read the text at this address before they return, and the text is there until then.
unsafe extern "C" {
    /// Takes news of a job.
    safe fn tell(address: usize, length: usize);
    /// Takes what is said of a fault of Kinfold, before the module ends by it.
    safe fn fail(address: usize, length: usize);
}

#[derive(Default)]
struct Desk {
    playground: Option<Playground>,
    request: Vec<u8>,
    answer: String,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Reads the examples. To be called once, before anything else.
// SAFETY: no other function of the module has this name; the same is true of those below.
#[unsafe(no_mangle)]
pub extern "C" fn open() {
    panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        fail(text.as_ptr() as usize, text.len());
    }));
    DESK.with_borrow_mut(|desk| desk.playground = Some(Playground::default()));
}

/// Room for a request of this length: its address.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> usize {
    DESK.with_borrow_mut(|desk| {
        desk.request.clear();
        desk.request.resize(length, 0);
        desk.request.as_ptr() as usize
    })
}

/// Answers what was written into the room, of which the first `name` bytes are the operation. Gives the length of the
/// answer.
#[unsafe(no_mangle)]
pub extern "C" fn ask(name: usize) -> usize {
    DESK.with_borrow_mut(|desk| {
        let (operation, request) = desk.request.split_at(name.min(desk.request.len()));
        let operation = String::from_utf8_lossy(operation);
        let playground = desk.playground.get_or_insert_default();
        let answer = playground.answer(&operation, request, &mut |news| {
            let text = news.to_string();
            tell(text.as_ptr() as usize, text.len());
        });
        desk.answer = answer.to_string();
        desk.answer.len()
    })
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> usize {
    DESK.with_borrow(|desk| desk.answer.as_ptr() as usize)
}
