//! What is garbage, against the definition: the tokens whose owner no chain of tokens leads to from a root.

use std::collections::BTreeSet;

use fold::{Column, Hold, Kin, Link, NONE, Schema, Shape, Working};
use random::{Random, for_seeds};
use state::Relations;

/// A token: its place and its words.
type Token = (usize, Vec<u32>);

fn random_schema(random: &mut Random) -> Schema {
    let shape = |random: &mut Random| {
        let mut columns = vec![Column::Pid];
        for _ in 0..random.below(3) {
            columns.push(*random.pick(&[Column::Pid, Column::OptionalPid, Column::data(2)]));
        }
        let first = random.below(columns.len());
        columns.swap(0, first);
        let hold = *random.pick(&[Hold::Root, Hold::Weak, Hold::Owned(first), Hold::Owned(first)]);
        Shape { columns, flow: false, hold, groups: Vec::new() }
    };
    let places = (0..1 + random.below(5)).map(|_| shape(random)).collect();
    Schema { places, classes: Vec::new() }
}

fn mentions<'t>(schema: &'t Schema, (place, words): &'t Token) -> impl Iterator<Item = u32> + 't {
    let columns = schema.places[*place].columns.iter().zip(words);
    columns.filter(|(c, w)| !matches!(c, Column::Data(_)) && **w != NONE).map(|(_, word)| *word)
}

/// Whether some chain of tokens leads from a root to a pid: each pid is followed back, one token after the other.
fn is_reached(pid: u32, schema: &Schema, tokens: &[Token], active: &[bool]) -> bool {
    let mut asked = BTreeSet::from([pid]);
    let mut open = vec![pid];
    while let Some(pid) = open.pop() {
        if active[pid as usize] {
            return true;
        }
        for token in tokens.iter().filter(|token| mentions(schema, token).any(|p| p == pid)) {
            match schema.places[token.0].hold {
                Hold::Root => return true,
                Hold::Weak => {}
                Hold::Owned(column) => {
                    let owner = token.1[column];
                    if asked.insert(owner) {
                        open.push(owner);
                    }
                }
            }
        }
    }
    false
}

#[test]
fn tokens_are_dropped_when_their_owner_cannot_be_reached() {
    let (mut dropped, mut kept) = (0, 0);
    for_seeds(0..3_000, |seed, random| {
        let schema = random_schema(random);
        let active: Vec<bool> = (0..1 + random.below(6)).map(|_| random.below(4) == 0).collect();
        let mut tokens = BTreeSet::new();
        for _ in 0..random.below(10) {
            let place = random.below(schema.places.len());
            let words = schema.places[place].columns.iter().map(|column| match column {
                Column::OptionalPid if random.below(3) == 0 => NONE,
                Column::Data(_) => random.below(2),
                _ => random.below(active.len() as u32),
            });
            tokens.insert((place, words.collect::<Vec<u32>>()));
        }
        let tokens: Vec<Token> = tokens.into_iter().collect();
        let none = Link::NONE;
        let mut working = Working::new(&schema, Relations::NONE);
        for &active in &active {
            working.kinship.add(Kin { active, ancestor: none, elder: none, youngest: none });
        }
        tokens.iter().for_each(|(place, words)| assert!(working.put(*place, words, 1)));
        working.collect(&schema, &mut Vec::new());
        for token @ (place, words) in &tokens {
            let expected = match schema.places[*place].hold {
                Hold::Root | Hold::Weak => true,
                Hold::Owned(column) => is_reached(words[column], &schema, &tokens, &active),
            };
            let is_there = working.count(*place, words) == 1;
            assert_eq!(is_there, expected, "seed {seed}: {token:?} of {tokens:?} in {schema:?}");
            *(if expected { &mut kept } else { &mut dropped }) += 1;
        }
    });
    assert!(dropped > 1_000 && kept > 1_000, "one-sided: {dropped} dropped, {kept} kept");
}
