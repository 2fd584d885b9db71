//! Each operation of `docs/serve.md`, what it answers and what it refuses.

#[path = "../asking/asked.rs"]
mod asked;
mod carrying;
mod graphs;
mod hostile;
mod models;
mod refusals;
mod typed;
mod walking;
