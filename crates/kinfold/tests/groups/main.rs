//! Nets with groups, records in any order, as they are written: against their definition on random nets, and
//! against the nets of processes that they are written from.

#![expect(clippy::print_stdout, reason = "what the nets were like is of interest")]

mod claims;
mod draft;
mod oracle;
mod round_trip;

use std::collections::BTreeMap;
use std::sync::Arc;

use claims::Claims;
use draft::{Draft, Item, has_groups, is_nested, random_draft};
use kinfold::lang::{Compilation, compile};
use kinfold::net::{Net, TransitionId};
use kinfold::state;
use kinfold::{Checking, Plan, Verdict, survey, verify};
use oracle::{Cell, Graph, State, Token, Value};
use random::for_seeds;

/// No net has more classes than this.
const MOST: usize = 120;

/// The graph that the engine finds.
fn found(draft: &Draft, net: Net) -> Graph {
    let net = Arc::new(net);
    let plan = Plan { keep_edges: true, precise: true, ..Plan::default() };
    let survey = survey(&net, &plan).expect("no fault, and small");
    let exploration = survey.exploration();
    assert!(exploration.complete);
    let quotient = exploration.quotient.as_ref().expect("edges are kept");
    let class = |id| oracle::class(&seen(draft, &survey.state(id))).expect("few pids");
    let name = |label: u32| {
        let name = &net.transition(TransitionId(label)).name;
        name.split(" #").next().unwrap_or_default().to_owned()
    };
    let mut graph = Graph::default();
    let classes: Vec<State> =
        (0..exploration.states() as u32).map(|id| class(explore::StateId(id))).collect();
    for (source, label, target) in quotient.iter() {
        let [source, target] = [source, target].map(|id| classes[id.index()].clone());
        graph.edges.insert((source, name(label), target));
    }
    graph.classes.extend(classes.iter().cloned());
    assert_eq!(graph.classes.len(), classes.len(), "no class is found twice");
    graph
}

/// Whether each property of a net holds.
fn decided(net: &Net) -> Vec<bool> {
    let (net, checking) = (Arc::new(net.clone()), Checking::default());
    let report = verify(&net, &net.properties, &checking, &mut |_| {}).expect("no fault");
    let holds = report.outcomes.iter().map(|outcome| match outcome.verdict {
        Verdict::Holds { .. } => true,
        Verdict::Fails(_) => false,
        ref other => panic!("{}: {other:?}", outcome.text),
    });
    holds.collect()
}

/// A state of the engine, as the oracle has it.
fn seen(draft: &Draft, state: &state::State) -> State {
    let pids: BTreeMap<state::Pid, u32> = state.pids().into_iter().zip(0..).collect();
    let mut tokens = Vec::new();
    for (number, place) in draft.places.iter().enumerate() {
        for (token, count) in state.tokens(&place.name) {
            let mut values = token.iter().map(|value| match value {
                state::Value::Pid(pid) => Value::Pid(pids[pid]),
                state::Value::Int(number) => Value::Int(*number),
                state::Value::None => Value::Nothing,
                other => panic!("there is no {other}"),
            });
            let thread = place.is_flow.then(|| match values.next() {
                Some(Value::Pid(pid)) => pid,
                other => panic!("{other:?} is no thread"),
            });
            let cells = oracle::cells(&place.columns, &mut values);
            let token = Token { place: number, thread, cells };
            tokens.extend(std::iter::repeat_n(token, count as usize));
        }
    }
    tokens
}

/// Whether some group of some token has two records alike that are not nothing.
fn has_alike(graph: &Graph) -> bool {
    fn within(cells: &[Cell]) -> bool {
        cells.iter().any(|cell| match cell {
            Cell::One(_) => false,
            Cell::Bag(records) => {
                let is_one = |records: &[Vec<Cell>]| {
                    let nothing = |cell: &Cell| *cell == Cell::One(Value::Nothing);
                    records[0] == records[1] && !records[0].iter().all(nothing)
                };
                records.windows(2).any(is_one) || records.iter().any(|record| within(record))
            }
        })
    }
    graph.classes.iter().flatten().any(|token| within(&token.cells))
}

/// What the nets were like that were compared.
#[derive(Debug, Default)]
struct Features {
    nets: usize,
    classes: usize,
    edges: usize,
    with_copies: usize,
    nested: usize,
    unless: usize,
    unless_together: usize,
    records_alike: usize,
    pids_in_records: usize,
    spawning: usize,
    flow_groups: usize,
    too_many_orders: usize,
    too_large: usize,
    claims_that_hold: usize,
    claims_that_fail: usize,
}

impl Features {
    fn count(&mut self, draft: &Draft, net: &Net, graph: &Graph) {
        self.nets += 1;
        self.classes += graph.classes.len();
        self.edges += graph.edges.len();
        self.with_copies += usize::from(!net.actions.is_empty());
        let items = || draft.transitions.iter().flat_map(|transition| &transition.items);
        let of = |place: usize| &draft.places[place].columns[..];
        let reads_nested = |item: &Item| match item {
            Item::Take(atom) | Item::Read(atom) | Item::Move(atom, _) | Item::Stay(atom) => {
                is_nested(of(atom.place))
            }
            _ => false,
        };
        let disables = |item: &Item, least: usize| match item {
            Item::Unless(atoms, _) => {
                atoms.len() >= least && atoms.iter().any(|atom| has_groups(of(atom.place)))
            }
            _ => false,
        };
        let is_pid = |cell: &Cell| matches!(cell, Cell::One(Value::Pid(_)));
        let holds_pid = |cell: &Cell| match cell {
            Cell::Bag(records) => records.iter().flatten().any(is_pid),
            Cell::One(_) => false,
        };
        let tokens = || graph.classes.iter().flatten();
        self.nested += usize::from(items().any(reads_nested));
        self.unless += usize::from(items().any(|item| disables(item, 1)));
        self.unless_together += usize::from(items().any(|item| disables(item, 2)));
        self.records_alike += usize::from(has_alike(graph));
        self.pids_in_records +=
            usize::from(tokens().any(|token| token.cells.iter().any(holds_pid)));
        self.spawning += usize::from(items().any(|item| matches!(item, Item::Spawn(..))));
        self.flow_groups += usize::from(
            tokens().any(|token| token.thread.is_some() && has_groups(of(token.place))),
        );
    }
}

/// The net of a text, or the codes of what is wrong with it.
fn read(text: &str) -> Result<Net, Vec<&'static str>> {
    let Compilation { net, diagnostics, .. } = compile(text, &[]);
    net.ok_or_else(|| diagnostics.iter().map(|one| one.code).collect())
}

#[test]
fn nets_are_as_the_definition_says() {
    let mut features = Features::default();
    for_seeds(0..4000, |_, random| {
        if features.nets >= 600 {
            return;
        }
        let draft = random_draft(random);
        let Some(expected) = oracle::explored(&draft, MOST) else {
            features.too_large += 1;
            return;
        };
        if expected.classes.len() < 3 {
            return;
        }
        let claims = Claims::random(&draft, random);
        let text = draft.text() + &claims.text(&draft);
        let net = match read(&text) {
            Ok(net) => net,
            Err(codes) => {
                assert!(codes.iter().all(|code| *code == "E0907"), "{codes:?}\n{text}");
                features.too_many_orders += 1;
                return;
            }
        };
        assert_eq!(net.check(), [], "{text}");
        // What is written of it is the same net.
        let again = lang::write(&net);
        assert_eq!(read(&again).ok().as_ref(), Some(&net), "{text}\n{again}");
        features.count(&draft, &net, &expected);
        let verdicts = claims.verdicts(&expected);
        assert_eq!(decided(&net), verdicts, "{text}");
        features.claims_that_hold += verdicts.iter().filter(|holds| **holds).count();
        features.claims_that_fail += verdicts.iter().filter(|holds| !**holds).count();
        let found = found(&draft, net);
        assert_eq!(found.classes.len(), expected.classes.len(), "{text}");
        assert!(found.classes == expected.classes, "{text}");
        assert!(
            found.edges == expected.edges,
            "{:#?}\n{text}",
            first_difference(&found, &expected)
        );
    });
    println!("{features:?}");
    let Features { nets, with_copies, nested, unless, unless_together, .. } = features;
    let Features { records_alike, pids_in_records, spawning, flow_groups, .. } = features;
    assert!(nets >= 500, "{nets}");
    assert!(features.claims_that_hold >= 300 && features.claims_that_fail >= 300);
    let rare = [unless_together, spawning, flow_groups, nested];
    assert!([with_copies, unless, records_alike, pids_in_records].iter().all(|n| *n >= 100));
    assert!(rare.iter().all(|number| *number >= 30), "{rare:?}");
}

fn first_difference(found: &Graph, expected: &Graph) -> String {
    let more = found.edges.difference(&expected.edges).next();
    let less = expected.edges.difference(&found.edges).next();
    format!("only found: {more:?}\nonly expected: {less:?}")
}
