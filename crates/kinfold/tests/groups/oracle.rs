//! What groups mean, from the definition: a token has bags of records, a pattern matches it if it does in some order
//! of them, at every level, and states are the same up to who is who.
//!
//! Everything is tried: all choices of tokens, all orders, all permutations of pids.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::draft::{Atom, Columns, Draft, Item, Term, Test, Transition};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Nothing,
    Int(i64),
    Pid(u32),
}

/// What is in a column; records are sorted, as their order means nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    One(Value),
    Bag(Vec<Vec<Cell>>),
}

/// A place, the thread if it is a flow place, and the columns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token {
    pub place: usize,
    pub thread: Option<u32>,
    pub cells: Vec<Cell>,
}

/// All tokens, sorted.
pub type State = Vec<Token>;

type Binding = BTreeMap<String, Value>;

/// What columns hold whose values are these, one after the other.
pub fn cells(columns: &[Columns], values: &mut impl Iterator<Item = Value>) -> Vec<Cell> {
    let cell = |one: &Columns| match one {
        Columns::One(_) => Cell::One(values.next().expect("a value for each column")),
        Columns::Group(count, record) => {
            let mut records: Vec<Vec<Cell>> = (0..*count).map(|_| cells(record, values)).collect();
            records.sort();
            Cell::Bag(records)
        }
    };
    columns.iter().map(cell).collect()
}

/// The values of a row, one after the other, in all orders.
pub fn orders(row: &[Cell]) -> BTreeSet<Vec<Value>> {
    let mut all = BTreeSet::from([Vec::new()]);
    for cell in row {
        let ways = match cell {
            Cell::One(value) => BTreeSet::from([vec![*value]]),
            Cell::Bag(records) => {
                let ways = permutations(records).into_iter().flat_map(|order| {
                    let mut ways = BTreeSet::from([Vec::new()]);
                    for record in order {
                        ways = joined(&ways, &orders(&record));
                    }
                    ways
                });
                ways.collect()
            }
        };
        all = joined(&all, &ways);
    }
    all
}

fn joined(one: &BTreeSet<Vec<Value>>, other: &BTreeSet<Vec<Value>>) -> BTreeSet<Vec<Value>> {
    one.iter().flat_map(|a| other.iter().map(|b| [&a[..], b].concat())).collect()
}

fn permutations<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    let Some((first, rest)) = list.split_first() else { return vec![Vec::new()] };
    let longer = |shorter: Vec<T>| {
        let put = |at: usize, mut list: Vec<T>| {
            list.insert(at, first.clone());
            list
        };
        (0..=shorter.len()).map(|at| put(at, shorter.clone())).collect::<Vec<_>>()
    };
    permutations(rest).into_iter().flat_map(longer).collect()
}

fn matches(terms: &[Term], values: &[Value], binding: &mut Binding) -> bool {
    terms.iter().zip(values).all(|(term, value)| match term {
        Term::Any => true,
        Term::Int(number) => *value == Value::Int(*number),
        Term::Nothing => *value == Value::Nothing,
        Term::Var(name) => *binding.entry(name.clone()).or_insert(*value) == *value,
    })
}

/// All ways to find tokens for these patterns beside one another: which, and under what binding.
fn found(state: &State, atoms: &[&Atom], binding: &Binding) -> Vec<(Vec<usize>, Binding)> {
    let mut all = vec![(Vec::new(), binding.clone())];
    for atom in atoms {
        let mut next = Vec::new();
        for (chosen, binding) in &all {
            for (at, token) in state.iter().enumerate() {
                if token.place != atom.place || chosen.contains(&at) {
                    continue;
                }
                for values in orders(&token.cells) {
                    let mut binding: Binding = binding.clone();
                    let thread = atom.thread.iter().filter(|name| *name != "_");
                    let is_thread = thread.zip(token.thread).all(|(name, pid)| {
                        *binding.entry(name.clone()).or_insert(Value::Pid(pid)) == Value::Pid(pid)
                    });
                    if is_thread && matches(&atom.terms, &values, &mut binding) {
                        next.push(([&chosen[..], &[at]].concat(), binding));
                    }
                }
            }
        }
        all = next;
    }
    all
}

fn value(term: &Term, binding: &Binding) -> Value {
    match term {
        Term::Any => panic!("it is no value"),
        Term::Int(number) => Value::Int(*number),
        Term::Nothing => Value::Nothing,
        Term::Var(name) => binding[name],
    }
}

fn holds(Test(one, is_equal, other): &Test, binding: &Binding) -> bool {
    (value(one, binding) == value(other, binding)) == *is_equal
}

fn token(draft: &Draft, atom: &Atom, thread: Option<Value>, binding: &Binding) -> Token {
    let mut values = atom.terms.iter().map(|term| value(term, binding));
    let thread = thread.map(|value| match value {
        Value::Pid(pid) => pid,
        _ => panic!("a thread is a pid"),
    });
    let cells = cells(&draft.places[atom.place].columns, &mut values);
    Token { place: atom.place, thread, cells }
}

/// The states that a transition leads to.
fn successors(draft: &Draft, state: &State, transition: &Transition) -> BTreeSet<State> {
    let inputs = transition.items.iter().filter_map(|item| match item {
        Item::Move(atom, _) | Item::Stay(atom) | Item::End(atom) => Some(atom),
        Item::Take(atom) | Item::Read(atom) => Some(atom),
        _ => None,
    });
    let inputs: Vec<&Atom> = inputs.collect();
    let mut all = BTreeSet::new();
    for (chosen, mut binding) in found(state, &inputs, &Binding::new()) {
        let is_disabled = transition.items.iter().any(|item| match item {
            Item::Unless(atoms, with) => {
                let atoms: Vec<&Atom> = atoms.iter().collect();
                let ways = found(state, &atoms, &binding);
                ways.iter().any(|(_, own)| with.as_ref().is_none_or(|with| holds(with, own)))
            }
            _ => false,
        });
        if is_disabled || !transition.when.iter().all(|test| holds(test, &binding)) {
            continue;
        }
        let fresh = 1 + pids(state).into_iter().max().unwrap_or(0);
        binding.insert("child".into(), Value::Pid(fresh));
        let mut gone = BTreeSet::new();
        let mut new = Vec::new();
        let mut chosen = chosen.into_iter();
        for item in &transition.items {
            let thread = |atom: &Atom| atom.thread.as_ref().map(|name| binding[name]);
            match item {
                Item::Stay(_) | Item::Read(_) => _ = chosen.next(),
                Item::End(_) | Item::Take(_) => gone.extend(chosen.next()),
                Item::Move(from, to) => {
                    gone.extend(chosen.next());
                    new.push(token(draft, to, thread(from), &binding));
                }
                Item::Put(atom) => new.push(token(draft, atom, None, &binding)),
                Item::Spawn(_, atom) => new.push(token(draft, atom, thread(atom), &binding)),
                Item::Unless(..) => {}
            }
        }
        let kept = state.iter().enumerate().filter(|(at, _)| !gone.contains(at));
        new.extend(kept.map(|(_, token)| token.clone()));
        all.insert(new);
    }
    all
}

fn pids(state: &State) -> BTreeSet<u32> {
    fn add(cells: &[Cell], into: &mut BTreeSet<u32>) {
        for cell in cells {
            match cell {
                Cell::One(Value::Pid(pid)) => _ = into.insert(*pid),
                Cell::One(_) => {}
                Cell::Bag(records) => records.iter().for_each(|record| add(record, into)),
            }
        }
    }
    let mut found = BTreeSet::new();
    for token in state {
        found.extend(token.thread);
        add(&token.cells, &mut found);
    }
    found
}

fn renamed(cells: &[Cell], names: &BTreeMap<u32, u32>) -> Vec<Cell> {
    let cell = |cell: &Cell| match cell {
        Cell::One(Value::Pid(pid)) => Cell::One(Value::Pid(names[pid])),
        Cell::One(value) => Cell::One(*value),
        Cell::Bag(records) => {
            let mut records: Vec<Vec<Cell>> =
                records.iter().map(|record| renamed(record, names)).collect();
            records.sort();
            Cell::Bag(records)
        }
    };
    cells.iter().map(cell).collect()
}

/// The least of all states that are the same up to who is who; nothing if there are too many.
pub fn class(state: &State) -> Option<State> {
    let pids: Vec<u32> = pids(state).into_iter().collect();
    if pids.len() > 4 {
        return None;
    }
    let numbers: Vec<u32> = (0..pids.len() as u32).collect();
    let states = permutations(&numbers).into_iter().map(|numbers| {
        let names: BTreeMap<u32, u32> = pids.iter().copied().zip(numbers).collect();
        let token = |token: &Token| Token {
            place: token.place,
            thread: token.thread.map(|pid| names[&pid]),
            cells: renamed(&token.cells, &names),
        };
        let mut state: State = state.iter().map(token).collect();
        state.sort();
        state
    });
    states.min()
}

/// The classes of states, and the steps between them with the names of transitions.
#[derive(Debug, Default, PartialEq)]
pub struct Graph {
    pub classes: BTreeSet<State>,
    pub edges: BTreeSet<(State, String, State)>,
}

/// The graph of a net; nothing if it has more classes than this, or states with many pids.
pub fn explored(draft: &Draft, most: usize) -> Option<Graph> {
    let threads = 0..draft.start.len() as u32;
    let names = threads.map(|number| (format!("t{number}"), Value::Pid(number)));
    let names: Binding = names.collect();
    let start = draft.start.iter().zip(0..);
    let start = start.map(|(atom, number)| token(draft, atom, Some(Value::Pid(number)), &names));
    let tokens = draft.tokens.iter().map(|atom| token(draft, atom, None, &names));
    let first = class(&start.chain(tokens).collect())?;
    let mut graph = Graph { classes: BTreeSet::from([first.clone()]), ..Graph::default() };
    let mut waiting = VecDeque::from([first]);
    while let Some(state) = waiting.pop_front() {
        for transition in &draft.transitions {
            for next in successors(draft, &state, transition) {
                let next = class(&next)?;
                if graph.classes.insert(next.clone()) {
                    waiting.push_back(next.clone());
                }
                graph.edges.insert((state.clone(), transition.name.clone(), next));
            }
        }
        if graph.classes.len() > most {
            return None;
        }
    }
    Some(graph)
}
