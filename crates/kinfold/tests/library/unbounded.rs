//! Nets that grow without end are recognised, and others never taken for one.

use std::sync::Arc;

use kinfold::{Plan, survey};
use net::Net;
use random::Random;

fn net(text: &str) -> Arc<Net> {
    let compilation = lang::compile(text, &[]);
    Arc::new(compilation.net.unwrap_or_else(|| panic!("a flaw in\n{text}")))
}

fn plan(states: u64) -> Plan {
    Plan { states: Some(states), ..Plan::default() }
}

/// Whether a net is found to be unbounded; `None` if it is not known. The run that shows it is looked at.
fn is_unbounded(net: &Arc<Net>, plan: &Plan) -> Option<bool> {
    let mut survey = survey(net, plan).expect("a net without faults");
    let Some(found) = survey.unbounded(&plan.budget) else {
        return survey.exploration().complete.then_some(false);
    };
    let run = found.run.expect("there is no limit");
    let (before, after) = (run.state(found.from), run.last());
    let tokens = |state: &state::State, place: &net::Place| -> u64 {
        state.tokens(&place.name).map(|(_, count)| u64::from(count)).sum()
    };
    for (i, place) in net.places.iter().enumerate() {
        let (before, after) = (tokens(before, place), tokens(after, place));
        assert!(before <= after, "{} has become less", place.name);
        assert!(before < after || i != found.place.index(), "{} has not grown", place.name);
    }
    Some(true)
}

/// Nets without bound, each for another reason.
const GROWING: &[(&str, &str)] = &[
    ("a source", "place p  transition t { put p }"),
    (
        "growth in one place at the cost of another",
        "place a = 1  place b  transition t { take a  put 2 b }  transition u { take b  put a }",
    ),
    (
        "growth after all of a thousand tokens have moved",
        "place a = 1000  place b  place c
         transition shift { take a  put b }
         transition grow { take 1000 b  put 1000 b, c }",
    ),
    (
        "growth after five thousand steps",
        "place a = 5000  place b  place c
         transition shift { take a  put b }
         transition grow { take 5000 b  put 5000 b, c }",
    ),
    (
        "growth of one colour, behind a guard",
        "class C ordered 5  place here(C) = C1  place seen(C)
         transition walk { take here(x)  put here(succ(x))  when x != C5 }
         transition back { take here(x)  put here(C1), seen(x)  when x == C4 }",
    ),
    (
        "growth of tokens of a symmetric class",
        "class C symmetric 3  place idle(C) = all  place busy(C)  place log(C, C)
         transition go { take idle(x)  put busy(x) }
         transition pair { take busy(x), busy(y)  put idle(x), idle(y), log(x, y) }",
    ),
    (
        "growth beside many that only come and go",
        "class C ordered 8  place idle(C) = all  place one(C)  place two(C)  place three(C)
         place lost(C)
         transition a { take idle(x)  put one(x) }
         transition b { take one(x)  put two(x) }
         transition c { take two(x)  put three(x) }
         transition d { take three(x)  put idle(x) }
         transition e { take two(C7), three(C8)  put two(C7), idle(C8), lost(C8) }",
    ),
    (
        "growth when all have come a long way, which no search by breadth gets to see",
        "class C ordered 12  place one(C) = all  place two(C)  place three(C)  place four(C)
         place rounds
         transition a { take one(x)  put two(x) }
         transition b { take two(x)  put three(x) }
         transition c { take three(x)  put four(x) }
         transition again { take four(all)  put one(all), rounds }",
    ),
];

#[test]
fn what_grows_without_end_is_recognised() {
    for (why, text) in GROWING {
        let net = net(&format!("model m\n{text}"));
        assert_eq!(is_unbounded(&net, &plan(60_000)), Some(true), "{why}");
        let one_by_one = Plan { one_by_one: true, ..plan(20_000) };
        assert_ne!(is_unbounded(&net, &one_by_one), Some(false), "{why}, folded one by one");
    }
}

/// Nets with a bound that is reached late, or not at all within the limit.
const BOUNDED: &[(&str, &str)] = &[
    ("a long rise", "place a = 3000  place b  transition t { take a  put 7 b }"),
    (
        "two rises at once",
        "place a = 200  place b  place c = 200  place d
         transition t { take a  put 3 b }  transition u { take c  put 5 d }",
    ),
    (
        "a rise that is taken back",
        "place a = 2000  place b  transition t { take a  put 2 b }  transition u { take 2 b  put a }",
    ),
    (
        "a rise of other colours each time",
        "class C ordered 30  place here(C) = C1  place seen(C, C)
         transition walk { take here(x)  put here(succ(x)), seen(x, x)  when x != C30 }
         transition more { take seen(x, y)  put 2 seen(x, succ(y))  when y < succ(x) and y != C30 }",
    ),
    (
        "a net that would grow without its inhibitor",
        "place p  place q = 1  transition t { read q  put p  unless 2000 p }",
    ),
];

#[test]
fn a_rise_that_ends_is_no_growth() {
    for (why, text) in BOUNDED {
        let net = net(&format!("model m\n{text}"));
        assert_ne!(is_unbounded(&net, &plan(30_000)), Some(true), "{why}");
    }
}

/// A P/T net: what each transition takes and puts.
struct PlaceTransition {
    initial: Vec<u32>,
    transitions: Vec<(Vec<u32>, Vec<u32>)>,
}

impl PlaceTransition {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let places = 3 + random.below(4);
        let initial = (0..places).map(|_| random.below(3)).collect();
        let transitions = (0..2 + random.below(5)).map(|_| {
            let mut bag = |most: u32| {
                let mut bag = vec![0; places as usize];
                for _ in 0..1 + random.below(most) {
                    bag[random.below(places) as usize] += 1;
                }
                bag
            };
            (bag(3), bag(3))
        });
        let transitions = transitions.collect();
        Self { initial, transitions }
    }

    fn text(&self) -> String {
        let mut text = "model m\n".to_owned();
        for (i, tokens) in self.initial.iter().enumerate() {
            text += &format!("place p{i} = {tokens}\n");
        }
        for (i, (takes, puts)) in self.transitions.iter().enumerate() {
            let arcs = |word: &str, bag: &[u32]| -> String {
                let arcs = bag.iter().enumerate().filter(|(_, count)| **count > 0);
                arcs.map(|(p, count)| format!(" {word} {count} p{p} ")).collect()
            };
            text += &format!("transition t{i} {{{}{}}}\n", arcs("take", takes), arcs("put", puts));
        }
        text
    }

    /// Whether it is bounded, by the tree of Karp and Miller cut off at the first covering; `None` if it
    /// is too large.
    fn is_bounded(&self) -> Option<bool> {
        let mut nodes = 0;
        let mut path = vec![self.initial.clone()];
        self.is_bounded_from(&mut path, &mut nodes)
    }

    fn is_bounded_from(&self, path: &mut Vec<Vec<u32>>, nodes: &mut u32) -> Option<bool> {
        *nodes += 1;
        if *nodes > 30_000 {
            return None;
        }
        for (takes, puts) in &self.transitions {
            let here = path.last().expect("the path has a beginning");
            if here.iter().zip(takes).any(|(there, taken)| there < taken) {
                continue;
            }
            let next: Vec<u32> =
                here.iter().zip(takes).zip(puts).map(|((there, t), p)| there - t + p).collect();
            if path.contains(&next) {
                continue;
            }
            if path.iter().any(|earlier| earlier.iter().zip(&next).all(|(a, b)| a <= b)) {
                return Some(false);
            }
            path.push(next);
            let bounded = self.is_bounded_from(path, nodes);
            path.pop();
            if bounded != Some(true) {
                return bounded;
            }
        }
        Some(true)
    }
}

#[test]
fn random_nets_are_judged_as_by_karp_and_miller() {
    let (mut bounded, mut unbounded) = (0, 0);
    for seed in 0..3000 {
        let random = PlaceTransition::random(seed);
        let Some(is_bounded) = random.is_bounded() else { continue };
        let found = is_unbounded(&net(&random.text()), &plan(8000));
        assert_eq!(found, Some(!is_bounded), "seed {seed}\n{}", random.text());
        if is_bounded {
            bounded += 1;
        } else {
            unbounded += 1;
        }
    }
    assert!(bounded >= 500 && unbounded >= 500, "{bounded} bounded, {unbounded} not");
}
