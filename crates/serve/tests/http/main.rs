//! The server as programs meet it: over HTTP, from those who mean well and those who do not.

mod client;
mod connections;
mod files;
mod jobs;
mod refusals;
mod running;
mod serving;
