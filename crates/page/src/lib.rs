//! The explorer page: a page of plain modules and style sheets, to be served or put on a disk as it is.
//!
//! Everything lies in `web/` as a browser reads it; there is no build step and nothing is fetched from elsewhere.
//! The page asks the interface described in `docs/serve.md`, of a server or of a worker in the same browser.

mod embedded;

pub use embedded::{File, files};
