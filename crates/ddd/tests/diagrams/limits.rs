//! Depth, memory, time: what cannot be done is reported, and the forest can still be used.

use std::time::Duration;

use budget::{Budget, Exhausted, Unmeasured};
use ddd::{
    Ddd, Error, Forest, Hom, Inductive, Limits, MAX_VARIABLE, Result, Shift, Value, Variable,
};

/// Pairs of counters, far apart, that count to `most` together, or one pair for the next:
/// (most + 1)^n sequences. There is a node for every state of the first halves of the pairs.
fn counters(forest: &mut Forest, n: u32, most: Value) -> (Hom, Ddd) {
    let up = |variable| Shift { variable, within: 0..=most - 1, by: 1 };
    let down = |variable| Shift { variable, within: 1..=most, by: -1 };
    let count = (0..n).map(|x| vec![up(x), up(x + n)]);
    let pass = (1..n).map(|x| vec![down(x - 1), up(x), down(x - 1 + n), up(x + n)]);
    let steps: Vec<Hom> = count.chain(pass).map(|chain| forest.chain(&chain).unwrap()).collect();
    let sum = forest.sum(&steps);
    let start: Vec<_> = (0..2 * n).map(|x| (x, 0)).collect();
    (forest.star(&sum), forest.sequence(&start).unwrap())
}

/// Every value one less, wherever it is; skips nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Lower;

impl Inductive for Lower {
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        Ok(forest.one())
    }

    fn on_arc(&self, forest: &mut Forest, variable: Variable, value: Value) -> Result<Hom> {
        let this = forest.inductive(Lower);
        forest.prefix(variable, value - 1, &this)
    }
}

#[test]
fn sequences_of_20000_assignments() {
    let n = 20_000;
    let mut forest = Forest::new();
    let sequence = |value: Value| (0..n).map(move |x| (x, value)).collect::<Vec<_>>();
    let zeros = forest.sequence(&sequence(0)).unwrap();
    let ones = forest.sequence(&sequence(1)).unwrap();
    let both = forest.union(&zeros, &ones).unwrap();
    assert_eq!(forest.count(&both), 2u32.into());
    assert_eq!(forest.difference(&both, &ones).unwrap(), zeros);
    assert_eq!(forest.intersection(&both, &ones).unwrap(), ones);
    let lower = forest.inductive(Lower);
    assert_eq!(forest.apply(&lower, &ones).unwrap(), zeros);
    let twice = forest.concatenation(&both, &ones).unwrap();
    assert_eq!(forest.paths(&twice).map(|path| path.len()).collect::<Vec<_>>(), [40_000; 2]);

    // All of them are switched, each on its own: 2^20000 sequences, 20001 nodes.
    let switch = |forest: &mut Forest, x| {
        let shift = Shift { variable: x, within: 0..=0, by: 1 };
        forest.chain(&[shift]).unwrap()
    };
    let switches: Vec<Hom> = (0..n).map(|x| switch(&mut forest, x)).collect();
    let sum = forest.sum(&switches);
    let star = forest.star(&sum);
    let all = forest.apply(&star, &zeros).unwrap();
    assert_eq!(forest.size([&all]), n as usize + 1);
    assert_eq!(forest.count(&all).bits(), u64::from(n) + 1);
    forest.collect();
    assert_eq!(forest.apply(&star, &ones).unwrap(), ones);
}

#[test]
fn too_deep_for_the_stack() {
    let n = 200_000;
    let mut forest = Forest::with_limits(Limits { stack: 1 << 20, ..Limits::default() });
    let sequence = |value: Value| (0..n).map(move |x| (x, value)).collect::<Vec<_>>();
    let zeros = forest.sequence(&sequence(0)).unwrap();
    let mut last = sequence(0);
    last[n as usize - 1].1 = 1;
    let last = forest.sequence(&last).unwrap();
    assert_eq!(forest.union(&zeros, &last), Err(Error::Depth));
    forest.set_limits(Limits::default());
    let both = forest.union(&zeros, &last).unwrap();
    assert_eq!(forest.size([&both]), n as usize + 1);
}

#[test]
fn a_memory_limit_is_honoured() {
    let reached = {
        let mut forest = Forest::new();
        let (star, start) = counters(&mut forest, 8, 2);
        let all = forest.apply(&star, &start).unwrap();
        (forest.count(&all), forest.statistics().bytes)
    };
    let mut given_up = 0;
    for percent in [5, 10, 20, 40, 80, 200] {
        let memory = reached.1 / 100 * percent;
        let limits = Limits { memory, collect_at: 1000, ..Limits::default() };
        let mut forest = Forest::with_limits(limits);
        let (star, start) = counters(&mut forest, 8, 2);
        match forest.apply(&star, &start) {
            Ok(all) => assert_eq!(forest.count(&all), reached.0),
            Err(error) => {
                given_up += 1;
                assert_eq!(error, Error::Exhausted(Exhausted::Memory), "at {percent} %");
            }
        }
        assert!(forest.statistics().bytes <= memory, "at {percent} %");
        // What was held is still right, and there is room for other things.
        forest.collect();
        assert_eq!(forest.count(&start), 1u32.into());
        let (star, start) = counters(&mut forest, 4, 1);
        let small = forest.apply(&star, &start).unwrap();
        assert_eq!(forest.count(&small), 16u32.into());
        forest.set_limits(Limits::default());
        let (star, start) = counters(&mut forest, 8, 2);
        let all = forest.apply(&star, &start).unwrap();
        assert_eq!(forest.count(&all), reached.0);
    }
    assert!((1..6).contains(&given_up), "{given_up} of 6");
}

#[test]
fn an_infinite_closure_can_be_stopped() {
    let mut forest = Forest::new();
    let up = Shift { variable: 0, within: 0..=Value::MAX, by: 1 };
    let up = forest.chain(&[up]).unwrap();
    let star = forest.star(&up);
    let start = forest.sequence(&[(0, 0), (1, 0)]).unwrap();

    let budget = Budget::unlimited();
    let apply = |forest: &mut Forest, limits| {
        forest.set_limits(limits);
        forest.apply(&star, &start)
    };
    let ended = |why: Exhausted| Err(Error::Exhausted(why));
    let moment = budget.within(Duration::ZERO);
    assert_eq!(apply(&mut forest, Limits::within(&moment)), ended(Exhausted::Time));
    let soon = budget.within(Duration::from_millis(20));
    assert_eq!(apply(&mut forest, Limits::within(&soon)), ended(Exhausted::Time));
    let limits = Limits { steps: Some(10_000), ..Limits::default() };
    assert_eq!(apply(&mut forest, limits), ended(Exhausted::Steps));
    let few = budget.with_steps(10_000);
    assert_eq!(apply(&mut forest, Limits::within(&few)), ended(Exhausted::Steps));
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    assert_eq!(apply(&mut forest, limits), ended(Exhausted::Memory));
    budget.interrupt();
    assert_eq!(apply(&mut forest, Limits::within(&budget)), ended(Exhausted::Interrupted));
    forest.set_limits(Limits::default());
    let near = Shift { variable: 0, within: 0..=9, by: 1 };
    let near = forest.chain(&[near]).unwrap();
    let near = forest.star(&near);
    let all = forest.apply(&near, &start).unwrap();
    assert_eq!(forest.count(&all), 11u32.into());
}

#[test]
fn a_forest_stays_within_its_budget() {
    let limits = budget::Limits { memory: Some(1 << 22), ..budget::Limits::default() };
    let budget = Budget::with_gauge(limits, Unmeasured);
    let mut forest = Forest::with_limits(Limits::within(&budget));
    let (star, start) = counters(&mut forest, 12, 2);
    assert_eq!(forest.apply(&star, &start), Err(Error::Exhausted(Exhausted::Memory)));
    assert_eq!(budget.check(), Ok(()), "it gives up before the budget is used up");
    // What a forest holds is not there for another one.
    let held = forest.statistics().bytes as u64;
    assert_eq!(budget.memory_left(), Some((1 << 22) - held));
    drop(forest);
    assert_eq!(budget.memory_left(), Some(1 << 22));
}

#[test]
fn bad_input_is_an_error() {
    let mut forest = Forest::new();
    let one = forest.one();
    let beyond = MAX_VARIABLE + 1;
    assert_eq!(forest.arc(beyond, 0, &one), Err(Error::Variable(beyond)));
    assert_eq!(forest.sequence(&[(beyond, 0)]), Err(Error::Variable(beyond)));
    assert_eq!(forest.arcs(beyond, [(0, &one)]), Err(Error::Variable(beyond)));
    let last = forest.arc(MAX_VARIABLE, Value::MIN, &one).unwrap();
    assert!(forest.contains(&last, &[(MAX_VARIABLE, Value::MIN)]));
    let low = Shift { variable: MAX_VARIABLE, within: Value::MIN..=0, by: -1 };
    let low = forest.chain(&[low]).unwrap();
    assert_eq!(forest.apply(&low, &last), Err(Error::Overflow));
}

#[test]
fn garbage_is_found_in_the_middle_of_a_closure() {
    let limits = Limits { collect_at: 500, ..Limits::default() };
    let mut forest = Forest::with_limits(limits);
    let (star, start) = counters(&mut forest, 8, 2);
    let all = forest.apply(&star, &start).unwrap();
    assert!(forest.statistics().collections > 3, "{:?}", forest.statistics());
    let mut other = Forest::new();
    let (star, start) = counters(&mut other, 8, 2);
    let expected = other.apply(&star, &start).unwrap();
    assert_eq!(other.statistics().collections, 0);
    assert_eq!(forest.count(&all), other.count(&expected));
    assert_eq!(forest.size([&all]), other.size([&expected]));
    // Nothing is left but what is held.
    let garbage = other.statistics().nodes;
    other.collect();
    assert!(other.statistics().nodes < garbage);
    assert_eq!(other.statistics().nodes + 1, other.size([&expected, &start]));
    drop((expected, star, start));
    other.collect();
    assert_eq!(other.statistics().nodes, 0);
}

#[test]
#[should_panic(expected = "a handle of another forest")]
fn forests_do_not_mix() {
    let d = Forest::new().one();
    let _ = Forest::new().union(&d, &d);
}

#[test]
fn a_panic_within_leaves_the_forest_usable() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Fail;
    impl Inductive for Fail {
        fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
            Ok(forest.one())
        }
        fn on_arc(&self, _: &mut Forest, _: Variable, _: Value) -> Result<Hom> {
            panic!("as asked")
        }
    }
    let mut forest = Forest::new();
    let d = forest.sequence(&[(0, 0)]).unwrap();
    let fail = forest.inductive(Fail);
    let attempt = std::panic::AssertUnwindSafe(|| forest.apply(&fail, &d));
    assert!(std::panic::catch_unwind(attempt).is_err());
    assert_eq!(forest.union(&d, &d), Ok(d));
}
