//! `kinfold-conform` on logs: examples, mistakes, and random ones against brute force.

mod brute_force;
mod examples;
mod log;
mod oracle;
#[path = "../../../net/tests/differential/random_groups.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod random_groups;
#[path = "../../../net/tests/differential/random_net.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod random_net;
#[path = "../../../net/tests/differential/random_transition.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod random_transition;
mod witness;
