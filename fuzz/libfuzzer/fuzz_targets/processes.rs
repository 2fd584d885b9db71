#![no_main]

use fuzz::Target;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| drop(Target::Processes.run(input)));
