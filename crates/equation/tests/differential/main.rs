//! The state equation and the walks against markings that are found one by one, on random nets.
//!
//! The oracle fires transitions as the definition says, and shares nothing with what it checks. No seed may show a
//! reachable marking that was refuted, a sum above its bound, or a walk that meets what is not reachable.

#![expect(clippy::print_stdout, reason = "how much is decided is worth seeing")]

mod oracle;

use budget::Budget;
use equation::{Rules, StateEquation, Upper, Walker};
use oracle::{Found, draw_layers, draw_net, draw_predicate, draw_terms};
use random::Random;
use unfold::{Predicate, UnfoldedNet};

const SEEDS: u64 = 1500;
const PREDICATES: usize = 6;

/// How often something was decided, of how often it could have been.
#[derive(Default)]
struct Share {
    decided: u64,
    all: u64,
}

impl Share {
    fn count(&mut self, is_decided: bool) {
        self.all += 1;
        self.decided += u64::from(is_decided);
    }

    fn show(&self, what: &str) {
        println!("{what}: {} of {}", self.decided, self.all);
        assert!(self.decided > 0, "{what}: never");
    }
}

fn equations(net: &UnfoldedNet) -> [StateEquation<'_>; 2] {
    [StateEquation::of(net), StateEquation::in_groups(net)].map(|found| found.expect("it is small"))
}

#[test]
fn nothing_that_is_reachable_is_refuted() {
    let budget = Budget::unlimited();
    let [mut refuted, mut in_groups, mut guided] = [(); 3].map(|()| Share::default());
    let mut traps = 0;
    for seed in 1..=SEEDS {
        let random = &mut Random::new(seed);
        let net = draw_net(random);
        let found = Found::of(&net);
        let [mut whole, mut groups] = equations(&net);
        for nth in 0..PREDICATES {
            let predicate = match nth % 2 {
                0 => draw_predicate(random, &net, 3),
                _ => draw_layers(random, &net, 4),
            };
            let is_met = found.markings.iter().any(|marking| found.satisfies(marking, &predicate));
            for (equation, share) in [(&mut whole, &mut refuted), (&mut groups, &mut in_groups)] {
                match equation.solve(&predicate, &budget) {
                    Ok(None) => {
                        assert!(!is_met, "seed {seed}: {predicate:?} was refuted, and is met");
                        share.count(true);
                    }
                    Ok(Some(solution)) => {
                        if !is_met && found.is_complete {
                            share.count(false);
                        }
                        let rules = Rules::of(&net);
                        let mut walker = Walker::new(&rules, seed).expect("few tokens");
                        let mut met = false;
                        for _ in 0..3 {
                            walker.guided(equation.column_of(), &solution, &budget, &mut |game| {
                                met |= game.satisfies(&predicate);
                                met
                            });
                        }
                        if found.is_complete {
                            assert!(is_met || !met, "seed {seed}: {predicate:?} was met");
                        }
                        if is_met {
                            guided.count(met);
                        }
                    }
                    Err(why) => panic!("seed {seed}: {why}"),
                }
            }
        }
        traps += whole.traps().len();
    }
    refuted.show("unreachable, refuted place by place");
    in_groups.show("unreachable, refuted in groups");
    guided.show("reachable, met by guided walks");
    println!("traps: {traps}");
    assert!(traps > 0);
}

#[test]
fn no_sum_is_above_its_bound() {
    let budget = Budget::unlimited();
    let [mut tight, mut in_groups, mut upwards] = [(); 3].map(|()| Share::default());
    let [mut unlimited, mut pumped] = [0, 0];
    for seed in 1..=SEEDS {
        let random = &mut Random::new(seed);
        let net = draw_net(random);
        let found = Found::of(&net);
        let terms = draw_terms(random, &net);
        let most = found.markings.iter().map(|marking| found.sum(marking, &terms)).max();
        let most = most.expect("there is an initial marking");
        let rules = Rules::of(&net);
        let mut walker = Walker::new(&rules, seed).expect("few tokens");
        let [mut whole, mut groups] = equations(&net);
        for (equation, share) in [(&mut whole, &mut tight), (&mut groups, &mut in_groups)] {
            match equation.upper_bound(&terms, &budget).expect("it is small") {
                Upper::AtMost(bound, solution) => {
                    assert!(most <= bound, "seed {seed}: {terms:?} {most} above {bound}");
                    if found.is_complete {
                        share.count(most == bound);
                    }
                    let mut best = i128::MIN;
                    walker.guided(equation.column_of(), &solution, &budget, &mut |game| {
                        best = best.max(game.sum(&terms));
                        false
                    });
                    assert!(best <= bound, "seed {seed}: {terms:?} {best} above {bound}");
                    upwards.count(best == bound);
                }
                Upper::Unlimited(repeated) => {
                    unlimited += 1;
                    if walker.pumps(equation.column_of(), &repeated, &terms, 0, &budget) {
                        assert!(!found.is_complete, "seed {seed}: {terms:?} has a bound");
                        pumped += 1;
                    }
                }
            }
        }
    }
    tight.show("bounds that are met, place by place");
    in_groups.show("bounds that are met, in groups");
    upwards.show("bounds that guided walks come to");
    println!("unlimited: {unlimited}, shown by a run: {pumped}");
    assert!(pumped > 0);
}

#[test]
fn walks_meet_only_what_is_reachable() {
    let budget = Budget::unlimited();
    for seed in 1..=SEEDS / 5 {
        let random = &mut Random::new(seed);
        let net = draw_net(random);
        let found = Found::of(&net);
        if !found.is_complete {
            continue;
        }
        let rules = Rules::of(&net);
        let mut walker = Walker::new(&rules, seed).expect("few tokens");
        let predicates: Vec<Predicate> =
            (0..PREDICATES).map(|_| draw_predicate(random, &net, 2)).collect();
        let mut see = |game: &equation::Game<'_>| {
            let marking: Vec<i64> = game.tokens().to_vec();
            assert!(found.markings.contains(&marking), "seed {seed}: {marking:?} is not reachable");
            for predicate in &predicates {
                let expected = found.satisfies(&marking, predicate);
                assert_eq!(game.satisfies(predicate), expected, "seed {seed}: {predicate:?}");
                assert_eq!(
                    game.distance(predicate, true) == 0,
                    expected,
                    "seed {seed}: {predicate:?}"
                );
            }
            false
        };
        walker.at_random(50, &budget, &mut see);
        for predicate in &predicates {
            walker.towards(predicate, 30, &budget, &mut see);
        }
        let gains: Vec<i64> =
            (0..net.transitions.len()).map(|_| random.below(3) as i64 - 1).collect();
        walker.upwards(&gains, 50, &budget, &mut see);
    }
}
