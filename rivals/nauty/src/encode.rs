//! States as coloured directed graphs, as one would give them to nauty.
//!
//! A pid is a vertex, coloured by whether it is active and by the tokens that it has to itself. The parent
//! relation and the tokens of two pids are pairs with a label. A pair is an arc where the colours of its ends
//! tell its label, in all states of a file; where they do not, it is an arc if its label is the most
//! frequent one between such colours, and a vertex on the way otherwise.

use std::collections::BTreeMap;

use random::Random;
use state::{Pid, Relation, State, Value};

/// A directed graph whose vertices are numbered from 0, with a colour each.
#[derive(Clone)]
pub struct Coloured {
    pub colours: Vec<u32>,
    pub arcs: Vec<(u32, u32)>,
}

type Label = (String, Vec<Value>);
/// A colour, before it is a number: whether a pid is active, and what it has to itself.
type Colour = (bool, Vec<(Label, u32)>);
type Pairs = Vec<(Label, u32, u32)>;

/// The pids of a state by colour, and its pairs.
fn read(state: &State) -> (Vec<Colour>, Pairs) {
    let pids: Vec<Pid> = state.pids().into_iter().collect();
    let number = |pid: &Pid| pids.binary_search(pid).expect("all pids are listed");
    let mut colours: Vec<Colour> =
        pids.iter().map(|pid| (state.eta().contains_key(pid), Vec::new())).collect();
    let mut pairs = Vec::new();
    for (child, pid) in pids.iter().enumerate() {
        for (parent, other) in pids.iter().enumerate() {
            if Relation::Parent.holds(other, pid) {
                pairs.push((("".to_owned(), Vec::new()), parent as u32, child as u32));
            }
        }
    }
    for place in state.marked() {
        for (token, count) in state.tokens(place) {
            let data = token.iter().filter(|value| value.as_pid().is_none()).cloned().collect();
            let atoms: Vec<usize> =
                token.iter().filter_map(|value| value.as_pid().map(number)).collect();
            let mut label: Label = (format!("{place}/{}", atoms.len()), data);
            match *atoms {
                [] => {}
                [a] => colours[a].1.push((label, count)),
                [a, b] if a == b => {
                    label.0.push_str("/loop");
                    colours[a].1.push((label, count));
                }
                [a, b] => {
                    assert_eq!(count, 1, "pairs are there once");
                    pairs.push((label, a as u32, b as u32));
                }
                _ => panic!("tokens of three pids are not encoded"),
            }
        }
    }
    colours.iter_mut().for_each(|colour| colour.1.sort());
    (colours, pairs)
}

/// The graphs of states.
pub fn graphs(states: &[State]) -> Vec<Coloured> {
    let read: Vec<_> = states.iter().map(read).collect();
    let mut colours: BTreeMap<Colour, u32> = BTreeMap::new();
    for colour in read.iter().flat_map(|(colours, _)| colours) {
        colours.entry(colour.clone()).or_default();
    }
    colours.values_mut().zip(0..).for_each(|(number, n)| *number = n);
    let between = |of: &[Colour], &(_, a, b): &(Label, u32, u32)| {
        (colours[&of[a as usize]], colours[&of[b as usize]])
    };
    let mut frequent: BTreeMap<(u32, u32), BTreeMap<&Label, usize>> = BTreeMap::new();
    let mut labels: BTreeMap<&Label, u32> = BTreeMap::new();
    for (of, pairs) in &read {
        for pair in pairs {
            *frequent.entry(between(of, pair)).or_default().entry(&pair.0).or_default() += 1;
            labels.entry(&pair.0).or_default();
        }
    }
    labels.values_mut().zip(colours.len() as u32..).for_each(|(number, n)| *number = n);
    let graph = |(of, pairs): &(Vec<Colour>, Pairs)| {
        let mut graph =
            Coloured { colours: of.iter().map(|c| colours[c]).collect(), arcs: Vec::new() };
        for pair in pairs {
            let counts = &frequent[&between(of, pair)];
            let usual = counts.iter().max_by_key(|(label, count)| (**count, **label));
            let (label, a, b) = pair;
            if usual.is_some_and(|(usual, _)| *usual == label) {
                graph.arcs.push((*a, *b));
            } else {
                let on_the_way = graph.colours.len() as u32;
                graph.colours.push(labels[label]);
                graph.arcs.extend([(*a, on_the_way), (on_the_way, *b)]);
            }
        }
        graph
    };
    read.iter().map(graph).collect()
}

impl Coloured {
    /// The same graph with its vertices numbered and its arcs listed at random.
    pub fn renamed(&self, random: &mut Random) -> Coloured {
        let mut number: Vec<u32> = (0..self.colours.len() as u32).collect();
        random.shuffle(&mut number);
        let mut renamed = self.clone();
        for (&to, &colour) in number.iter().zip(&self.colours) {
            renamed.colours[to as usize] = colour;
        }
        let name = |v: u32| number[v as usize];
        renamed.arcs = self.arcs.iter().map(|&(a, b)| (name(a), name(b))).collect();
        random.shuffle(&mut renamed.arcs);
        renamed
    }
}
