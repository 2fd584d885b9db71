//! Runs on loopback in which something goes wrong: every process ends with a message, or goes on where a stranger
//! knocked.

mod differing;
mod losses;
mod members;
mod processes;
mod strangers;
