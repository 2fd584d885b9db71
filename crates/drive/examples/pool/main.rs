//! Drives a pool of real threads by runs of `models/pool.kin`, which `kinfold tests models/pool.kin --cover classes` has
//! written. With the argument `forgetful` the pool has a bug; with a second one, other runs are read from there.

#![allow(clippy::print_stdout, reason = "it is a program")]

mod driver;
mod pool;

use std::error::Error;
use std::{env, fs};

use drive::{Suite, drive};
use driver::DrivenPool;

fn main() -> Result<(), Box<dyn Error>> {
    let is_forgetful = env::args().nth(1).is_some_and(|word| word == "forgetful");
    let written = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pool.json");
    let path = env::args().nth(2).unwrap_or_else(|| written.to_owned());
    let suite = Suite::read(&fs::read_to_string(path)?)?;
    match drive(&suite, || DrivenPool::new(2, 2, is_forgetful)) {
        Ok(driven) => println!("{} runs, {} steps: no difference", driven.runs, driven.steps),
        Err(difference) => println!("{difference}"),
    }
    Ok(())
}
