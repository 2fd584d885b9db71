//! A pool of real threads, taken through runs of `models/pool.kin`. `pool.json` is what `kinfold tests models/pool.kin --cover
//! classes` writes, which a test of the command compares.

#[path = "../examples/pool/driver.rs"]
mod driver;
#[path = "../examples/pool/pool.rs"]
mod pool;

use std::sync::mpsc::channel;

use drive::{Driven, Suite, drive};
use driver::DrivenPool;
use pool::{Freely, Kind, Pool};

fn suite() -> Suite {
    Suite::read(include_str!("pool.json")).expect("it is a suite")
}

#[test]
fn the_right_pool_does_what_the_model_says() {
    let suite = suite();
    let steps = suite.runs.iter().map(|run| run.steps.len()).sum();
    let driven = drive(&suite, || DrivenPool::new(2, 2, false)).expect("no difference");
    assert_eq!(driven, Driven { runs: suite.runs.len(), steps });
    assert!(steps >= 47, "there are 48 classes");
}

#[test]
fn the_planted_bug_is_found() {
    let difference = drive(&suite(), || DrivenPool::new(2, 2, true)).expect_err("a difference");
    assert_eq!((difference.run, difference.step), (3, 23));
    assert_eq!(
        difference.to_string(),
        "run 3, step 23: fetch(job = writing, w = 1.1)\n  \
         model: worker 100 takes a job that is writing\n  \
         seen:  it finds none that may run now"
    );
}

#[test]
fn a_pool_of_another_size_differs_where_it_shows() {
    let smaller = drive(&suite(), || DrivenPool::new(2, 1, false)).expect_err("a difference");
    assert_eq!((smaller.run, smaller.step), (1, 0));
    assert_eq!(smaller.mismatch.expected, "free(), free()");
    assert_eq!(smaller.mismatch.seen, "free()");
    let fewer = drive(&suite(), || DrivenPool::new(1, 2, false)).expect_err("a difference");
    assert!(fewer.action.starts_with("grow"), "{fewer}");
    assert_eq!(fewer.mismatch.seen, "nobody is");
}

#[test]
fn a_pool_without_a_driver_works_by_itself() {
    let mut pool = Pool::new(2, 2, false, Box::new(|_| Box::new(Freely)));
    let (done, jobs) = channel();
    for kind in [Kind::Writing, Kind::Reading] {
        let done = done.clone();
        let job = move |_| done.send(kind).expect("somebody waits for it");
        assert!(pool.submit(kind, Box::new(job)));
    }
    pool.grow().expect("jobs wait, and nobody is idle");
    assert_eq!([jobs.recv(), jobs.recv()], [Ok(Kind::Writing), Ok(Kind::Reading)]);
}
