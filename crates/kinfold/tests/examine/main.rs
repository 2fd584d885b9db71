//! Formulas of the contest on small nets: from the texts of both to a verdict, by each engine, against a
//! naive evaluator that enumerates markings and knows nothing but the definitions.

#![expect(clippy::print_stdout, reason = "how much is decided is of interest")]

mod formula;
mod naive;
mod random_net;

use std::sync::Arc;

use formula::Formula;
use kinfold::{Checking, Engine, Found, Plan, Question, Reductions, Verdict, decide};
use num_bigint::BigInt;
use pnml::Limits;
use pnml::properties::{self, Claim, Reading};
use random::for_seeds;
use random_net::RandomNet;

const NETS: u64 = 300;
/// Of each logic, for each net.
const FORMULAS: usize = 3;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Holds(bool),
    Greatest(BigInt),
}

fn answer(verdict: &Verdict) -> Option<Answer> {
    Some(match verdict {
        Verdict::Holds { .. } => Answer::Holds(true),
        Verdict::Fails(_) => Answer::Holds(false),
        Verdict::Greatest(value) => Answer::Greatest(value.clone()),
        Verdict::Unknown(_) => return None,
        other => panic!("no answer: {other:?}"),
    })
}

/// What texts of a net and of properties come to, by an engine; `None` where there is no answer.
fn found(net: &str, file: &str, reading: Reading, checking: &Checking) -> Vec<Option<Answer>> {
    let document = pnml::read(net, &Limits::default()).expect("the net is right");
    let net = pnml::to_net(&document, net).expect("it is a net");
    let list = properties::read(file, &Limits::default()).expect("the properties are right");
    let claims = properties::claims(&list, &net, reading, file).into_iter();
    let questions: Vec<Question> = claims
        .map(|claim| match claim.expect("the net has words for it") {
            Claim::Holds(property) => Question::Holds(property),
            Claim::Greatest(term) => Question::Greatest(term),
        })
        .collect();
    let net = Arc::new(net.find_symmetry(&[]).net);
    let mut answers = vec![None; questions.len()];
    let mut is_told = vec![false; questions.len()];
    let mut tell = |found: Found<'_>| {
        let Found::Outcome(question, outcome) = found else { panic!("the net has no fault") };
        assert!(!std::mem::replace(&mut is_told[question], true), "told once");
        answers[question] = answer(&outcome.verdict);
    };
    let report = decide(&net, &questions, checking, &mut |_| {}, &mut tell);
    let report = report.expect("there is nothing wrong with the net");
    let reported = report.outcomes.iter().map(|outcome| answer(&outcome.verdict));
    assert_eq!(reported.collect::<Vec<_>>(), answers, "what is told is reported");
    answers
}

fn checking(seed: u64) -> Checking {
    let (engine, threads) = match seed % 6 {
        0 => (Some(Engine::Explicit), 1),
        1 => (Some(Engine::Explicit), 2),
        2 | 3 => (Some(Engine::Diagrams), 1),
        4 => (None, 1),
        _ => (None, 2),
    };
    let plan = Plan { threads, ..Plan::default() };
    let (stubborn, structural) = ((seed / 12).is_multiple_of(2), (seed / 24).is_multiple_of(2));
    let reductions = Reductions { stubborn, structural, ..Reductions::default() };
    Checking { plan, engine, evidence: seed / 6 % 2 == 1, reductions, ..Checking::default() }
}

fn property_file(formulas: impl Iterator<Item = String>) -> String {
    let property =
        |(i, formula)| format!("<property><id>p{i}</id><formula>{formula}</formula></property>\n");
    let properties: String = (0..).zip(formulas).map(property).collect();
    format!("<property-set xmlns=\"http://mcc.lip6.fr/\">{properties}</property-set>")
}

#[test]
fn random_formulas_hold_where_the_definitions_say_so() {
    let mut pairs = 0;
    let mut holding = [0, 0];
    for_seeds(0..NETS, |seed, random| {
        let net = RandomNet::new(random);
        let Some(graph) = naive::Graph::of(&net) else { return };
        let text = net.pnml();
        for (reading, is_linear) in [(Reading::Branching, false), (Reading::Linear, true)] {
            let formulas: Vec<Formula> = (0..FORMULAS)
                .map(|_| match is_linear {
                    true => Formula::random_linear(random, &net),
                    false => Formula::random_branching(random, &net),
                })
                .collect();
            let file = property_file(formulas.iter().map(Formula::xml));
            let answers = found(&text, &file, reading, &checking(seed));
            for (formula, answer) in formulas.iter().zip(answers) {
                let expected = match is_linear {
                    true => graph.all_runs_satisfy(formula),
                    false => graph.satisfying(formula)[0],
                };
                let context = || format!("seed {seed}, {reading:?}\n{formula:?}\n{net:?}");
                assert_eq!(answer, Some(Answer::Holds(expected)), "{}", context());
                pairs += 1;
                holding[usize::from(is_linear)] += usize::from(expected);
            }
        }
    });
    assert!(pairs >= 1000, "{pairs} pairs are too few");
    for holding in holding {
        assert!((pairs / 10..pairs * 4 / 10).contains(&holding), "{holding} of {pairs} hold");
    }
}

#[test]
fn bounds_are_the_greatest_sums() {
    let mut pairs = 0;
    for_seeds(0..NETS, |seed, random| {
        let net = RandomNet::new(random);
        let Some(graph) = naive::Graph::of(&net) else { return };
        let places: Vec<Vec<usize>> = (0..3).map(|_| net.random_places(random)).collect();
        let bound = |places: &Vec<usize>| format!("<place-bound>{}</place-bound>", net.xml(places));
        let file = property_file(places.iter().map(bound));
        let answers = found(&net.pnml(), &file, Reading::Branching, &checking(seed));
        for (places, answer) in places.iter().zip(answers) {
            let most = graph.greatest(places);
            assert_eq!(
                answer,
                Some(Answer::Greatest(most.into())),
                "seed {seed}, {places:?}\n{net:?}"
            );
            pairs += 1;
        }
    });
    assert!(pairs >= 300, "{pairs} pairs are too few");
}

#[test]
fn what_the_structure_shows_is_so() {
    let checking = Checking { engine: Some(Engine::Structure), ..Checking::default() };
    let (mut pairs, mut known) = ([0, 0], [0, 0]);
    for_seeds(0..NETS, |seed, random| {
        let net = RandomNet::new(random);
        let Some(graph) = naive::Graph::of(&net) else { return };
        let formulas: Vec<Formula> =
            (0..FORMULAS).map(|_| Formula::random_branching(random, &net)).collect();
        let places: Vec<Vec<usize>> = (0..3).map(|_| net.random_places(random)).collect();
        let bound = |places: &Vec<usize>| format!("<place-bound>{}</place-bound>", net.xml(places));
        let asked =
            [formulas.iter().map(Formula::xml).collect(), places.iter().map(bound).collect()];
        let expected: [Vec<Answer>; 2] = [
            formulas.iter().map(|f| Answer::Holds(graph.satisfying(f)[0])).collect(),
            places.iter().map(|places| Answer::Greatest(graph.greatest(places).into())).collect(),
        ];
        for (kind, (asked, expected)) in asked.into_iter().zip(expected).enumerate() {
            let asked: Vec<String> = asked;
            let file = property_file(asked.into_iter());
            let answers = found(&net.pnml(), &file, Reading::Branching, &checking);
            for (expected, answer) in expected.iter().zip(&answers) {
                pairs[kind] += 1;
                known[kind] += usize::from(answer.is_some());
                assert!(
                    answer.as_ref().is_none_or(|a| a == expected),
                    "seed {seed}: {answer:?}\n{net:?}"
                );
            }
        }
    });
    println!("formulas: {} of {}, bounds: {} of {}", known[0], pairs[0], known[1], pairs[1]);
    assert!(known[0] > pairs[0] / 10, "{} of {} formulas", known[0], pairs[0]);
    assert!(known[1] > pairs[1] / 2, "{} of {} bounds", known[1], pairs[1]);
}
