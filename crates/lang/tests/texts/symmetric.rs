//! Models with classes, by brute force: every state of the concrete system is visited by the plain
//! interpreter, the modes in it are counted, and for small systems every permutation that the model
//! declares is tried on every state. What a model says in its lines `// expect` must come out; the
//! numbers there come from programs that share nothing with Kinfold.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use lang::{Override, compile};
use net::interpret::{fire, initial, modes};
use net::{EnumId, Net, Symmetry, TransitionId};
use random::for_seeds;

const MODELS: [&str; 6] =
    ["client_server", "distributed_database", "peterson", "philosophers", "relay", "waves"];

fn text_of(model: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    std::fs::read_to_string(folder.join(format!("{model}.kin"))).expect("the model is there")
}

fn net_of(model: &str, constants: &[(String, String)]) -> Net {
    let text = text_of(model);
    let given =
        |(name, value): &(String, String)| Override { name: name.clone(), value: value.clone() };
    let overrides: Vec<Override> = constants.iter().map(given).collect();
    let compilation = compile(&text, &overrides);
    let drawn = compilation.diagnostics.render(model, &text, false);
    assert!(drawn.is_empty(), "{drawn}");
    let net = compilation.net.expect("nothing is wrong with it");
    assert_eq!(net.check(), [], "{model}");
    net
}

/// What a line `// expect … : …` says of a model.
struct Expectation {
    /// Of concrete states, not of folded ones.
    full: bool,
    constants: Vec<(String, String)>,
    counts: HashMap<String, usize>,
}

fn expectations(model: &str) -> Vec<Expectation> {
    let text = text_of(model);
    let lines = text.lines().filter_map(|line| line.strip_prefix("// expect"));
    let mut list = Vec::new();
    for (settings, counts) in lines.filter_map(|line| line.split_once(':')) {
        let constants = settings.split_whitespace().filter_map(|setting| setting.split_once('='));
        let counts = counts.split(',').map(|item| {
            let (name, number) = item.trim().split_once(' ').expect("a word and a number");
            (name.to_owned(), number.parse().expect("a number"))
        });
        list.push(Expectation {
            full: settings.contains(" full"),
            constants: constants.map(|(name, value)| (name.into(), value.into())).collect(),
            counts: counts.collect(),
        });
    }
    list
}

/// What there is in the concrete system, and up to permutations of members.
#[derive(Debug, Default, PartialEq)]
struct Found {
    states: usize,
    modes: usize,
    deadlocks: usize,
    orbits: usize,
    orbit_edges: usize,
}

/// Explores all states. `group` are the renamings under which states are the same.
fn explored(net: &Net, group: &[HashMap<Arc<str>, Arc<str>>]) -> Found {
    let first = initial(net);
    let mut found = Found::default();
    let mut seen = HashMap::from([(first.clone(), 0)]);
    let mut classes: HashMap<Vec<String>, usize> = HashMap::new();
    let mut class_of = Vec::new();
    let mut edges = Vec::new();
    let mut waiting = VecDeque::from([first]);
    while let Some(state) = waiting.pop_front() {
        let least = group.iter().map(|renaming| {
            let tokens = net.places.iter().flat_map(|place| {
                state.tokens(&place.name).map(|(token, count)| {
                    let values = token.iter().map(|value| {
                        let name = value.to_string();
                        renaming.get(name.as_str()).map_or(name, |to| to.to_string())
                    });
                    let values: Vec<String> = values.collect();
                    format!("{} {values:?} {count}", place.name)
                })
            });
            let mut tokens: Vec<String> = tokens.collect();
            tokens.sort_unstable();
            tokens
        });
        let number = classes.len();
        class_of.push(*classes.entry(least.min().unwrap_or_default()).or_insert(number));
        let source = seen[&state];
        let before = found.modes;
        for transition in (0..).map(TransitionId).take(net.transitions.len()) {
            for mode in modes(net, &state, transition).expect("no fault") {
                found.modes += 1;
                let next = fire(net, &state, &mode).expect("no fault").state;
                let number = seen.len();
                let target = *seen.entry(next.clone()).or_insert(number);
                if target == number {
                    waiting.push_back(next);
                }
                edges.push((source, transition, target));
            }
        }
        found.deadlocks += usize::from(found.modes == before);
    }
    found.states = seen.len();
    found.orbits = classes.len();
    let edges = edges.into_iter().map(|(a, t, b)| (class_of[a], t, class_of[b]));
    found.orbit_edges = edges.collect::<HashSet<_>>().len();
    found
}

/// All permutations of a list.
fn permutations(list: &[Arc<str>]) -> Vec<Vec<Arc<str>>> {
    let Some((first, rest)) = list.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for shorter in permutations(rest) {
        for at in 0..=shorter.len() {
            let mut longer = shorter.clone();
            longer.insert(at, first.clone());
            all.push(longer);
        }
    }
    all
}

/// The renamings that the classes of a net declare to make no difference; none if they are many.
fn group(net: &Net, most: usize) -> Option<Vec<HashMap<Arc<str>, Arc<str>>>> {
    let mut group = vec![HashMap::new()];
    for class in &net.enumerations {
        for part in class.part_ranges() {
            let members = &class.members[part.start as usize..part.end as usize];
            let images = match class.symmetry {
                Symmetry::None => continue,
                Symmetry::Full if members.len() > 6 => return None,
                Symmetry::Full => permutations(members),
                Symmetry::Rotations => {
                    (0..members.len()).map(|i| [&members[i..], &members[..i]].concat()).collect()
                }
            };
            let extended = group.iter().flat_map(|renaming| {
                images.iter().map(|image| {
                    let mut renaming = renaming.clone();
                    renaming.extend(members.iter().cloned().zip(image.iter().cloned()));
                    renaming
                })
            });
            group = extended.collect();
            if group.len() > most {
                return None;
            }
        }
    }
    Some(group)
}

#[test]
fn concrete_states_and_modes_are_as_many_as_expected() {
    let mut checked = 0;
    for model in MODELS {
        for Expectation { constants, counts, .. } in
            expectations(model).into_iter().filter(|expectation| expectation.full)
        {
            let found = explored(&net_of(model, &constants), &[]);
            for (name, expected) in counts {
                let number = match name.as_str() {
                    "states" => found.states,
                    "modes" => found.modes,
                    "deadlocks" => found.deadlocks,
                    _ => panic!("{model}: {name} is not counted here"),
                };
                assert_eq!(number, expected, "{model} {constants:?}: {name}");
                checked += 1;
            }
        }
    }
    assert!(checked > 15, "only {checked} numbers were found");
}

/// The orbits of the concrete states under the declared permutations are the folded states.
#[test]
fn orbits_are_as_many_as_folded_states_are_expected() {
    let mut checked = 0;
    // With threads there are no orbits to count.
    for model in MODELS.into_iter().filter(|model| *model != "relay") {
        let expected = expectations(model);
        for Expectation { constants, counts, .. } in expected.iter().filter(|e| !e.full) {
            let net = net_of(model, constants);
            let Some(group) = group(&net, 120) else { continue };
            let found = explored(&net, &group);
            assert_eq!(found.orbits, counts["states"], "{model} {constants:?}");
            assert_eq!(found.orbit_edges, counts["edges"], "{model} {constants:?}");
            checked += 1;
        }
    }
    assert!(checked >= 7, "only {checked} models were found");
}

/// A net in which the members of a class have changed places is the same net: what it does from the
/// initial state is counted the same.
#[test]
fn members_can_change_places() {
    for (model, constants) in [
        ("client_server", "clients=2"),
        ("peterson", "n=3"),
        ("philosophers", "n=4"),
        ("waves", "n=3"),
    ] {
        let (name, value) = constants.split_once('=').expect("a constant");
        let net = net_of(model, &[(name.into(), value.into())]);
        let found = explored(&net, &[]);
        for id in (0..).map(EnumId).take(net.enumerations.len()) {
            let mut other = net.clone();
            let class = &mut other.enumerations[id.index()];
            match class.symmetry {
                Symmetry::None => continue,
                Symmetry::Rotations => class.members.rotate_left(1),
                Symmetry::Full => {
                    let last = class.part_ranges().last().expect("there is a part");
                    class.members[last.start as usize..last.end as usize].reverse();
                }
            }
            assert_ne!(other, net);
            assert_eq!(initial(&other), initial(&net), "{model}");
            assert_eq!(explored(&other, &[]), found, "{model}");
        }
    }
}

/// Threads and a class in one model. Workers come and go, so there is no end to the concrete states:
/// some random runs are made, and in each state what the model claims is looked at.
#[test]
fn a_ring_of_nodes_starts_workers() {
    let net = net_of("relay", &[]);
    for_seeds(1..20, |seed, random| {
        let mut state = initial(&net);
        let mut workers = 0;
        for _ in 0..60 {
            let ids = (0..).map(TransitionId).take(net.transitions.len());
            let enabled = ids.flat_map(|id| modes(&net, &state, id).expect("no fault"));
            let enabled: Vec<_> = enabled.collect();
            assert!(!enabled.is_empty(), "seed {seed}: it never stops");
            let step = fire(&net, &state, random.pick(&enabled)).expect("no fault");
            state = step.state;
            workers += step.children.len();
            let there = |place: &str| state.tokens(place).map(|(_, count)| count).sum::<u32>();
            assert!(there("token") <= 1, "seed {seed}");
            assert_eq!(there("silent") + there("serving"), 3, "seed {seed}");
        }
        assert!(workers > 3, "seed {seed}: {workers} children only");
    });
}

#[test]
fn models_with_classes_survive_being_written_and_formatted() {
    for model in MODELS {
        let text = text_of(model);
        assert_eq!(lang::format(&text).as_ref(), Ok(&text), "{model}");
        for Expectation { constants, .. } in expectations(model) {
            let net = net_of(model, &constants);
            let written = lang::write(&net);
            let again = compile(&written, &[]);
            let drawn = again.diagnostics.render("written.kin", &written, false);
            assert_eq!(again.net.as_ref(), Some(&net), "{drawn}{written}");
        }
    }
}
