//! Formulas of the contest on small nets: from the texts of both to a verdict, by each engine, against a
//! naive evaluator that enumerates markings and knows nothing but the definitions.

mod formula;
mod naive;
mod random_net;

use std::sync::Arc;

use formula::Formula;
use kinfold::examine::{Answer, Engine, Inquiry, Question, examine};
use pnml::Limits;
use pnml::properties::{self, Claim, Reading};
use random::for_seeds;
use random_net::RandomNet;

const NETS: u64 = 300;
/// Of each logic, for each net.
const FORMULAS: usize = 3;

/// What texts of a net and of properties come to, by an engine; `None` where there is no answer.
fn found(net: &str, file: &str, reading: Reading, inquiry: &Inquiry) -> Vec<Option<Answer>> {
    let document = pnml::read(net, &Limits::default()).expect("the net is right");
    let net = pnml::to_net(&document, net).expect("it is a net");
    let list = properties::read(file, &Limits::default()).expect("the properties are right");
    let claims = properties::claims(&list, &net, reading, file).into_iter();
    let questions: Vec<Question> = claims
        .map(|claim| match claim.expect("the net has words for it") {
            Claim::Holds(property) => Question::Holds(property.formula),
            Claim::Greatest(term) => Question::Greatest(term),
        })
        .collect();
    let net = Arc::new(net.find_symmetry(&[]).net);
    let mut answers = vec![None; questions.len()];
    let mut tell = |question: usize, answer, _| {
        assert!(answers[question].replace(answer).is_none(), "told once");
    };
    let refused = examine(&net, &questions, inquiry, &mut |_| {}, &mut tell);
    assert_eq!(refused.expect("there is nothing wrong with the net"), []);
    answers
}

fn inquiry(seed: u64) -> Inquiry {
    let (engine, threads) = match seed % 4 {
        0 => (Some(Engine::Explicit), 1),
        1 => (Some(Engine::Explicit), 2),
        2 => (Some(Engine::Diagrams), 1),
        _ => (None, 2),
    };
    Inquiry { engine, threads, ..Inquiry::default() }
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
            let answers = found(&text, &file, reading, &inquiry(seed));
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
        let answers = found(&net.pnml(), &file, Reading::Branching, &inquiry(seed));
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
