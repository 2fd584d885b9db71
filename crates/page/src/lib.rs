//! The explorer page: a page of plain modules and style sheets, to be served or put on a disk as it is.
//!
//! Everything lies in `web/` as a browser reads it; there is no build step and nothing is fetched from elsewhere.
//! The page asks the interface described in `docs/serve.md`, of a server or of a worker in the same browser;
//! `web/client.js` is the one module that knows how. Runs and graphs can be written as single files that work from
//! disk ([`run_html`], [`write_graph_html`]), made of the same modules.

mod embedded;
mod link;
mod standalone;

pub use embedded::{File, files, playground_index};
pub use standalone::{run_html, write_graph_html};

#[cfg(test)]
mod tests;
