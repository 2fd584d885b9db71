//! The language server, spoken with in this process: what it answers, and that it goes on whatever comes.

mod checking;
mod client;
mod edits;
mod features;
mod latency;
mod long;
mod manners;
