//! Mistakes that folding might make, planted: comparing states that are renamed, or that differ in a label, notices each,
//! in states that are small and in plain ones that are not.

use fold::{Dictionary, Folder, Working};
use random::{Random, for_seeds};
use state::{Relations, State, Value};

use crate::bytes::crowded;

/// The pids of small states, and of plain ones that are too large for that.
const SIZES: [(&str, usize, usize); 3] = [("few", 4, 3), ("small", 9, 8), ("plain", 18, 17)];

fn folded(folder: &mut Folder, working: &Working) -> Vec<u8> {
    let mut bytes = Vec::new();
    folder.fold(working, &mut bytes);
    bytes
}

/// Whether a folder gives a state and one that is renamed the same bytes.
fn is_canonical(
    folder: &mut Folder,
    dictionary: &Dictionary,
    working: &Working,
    random: &mut Random,
) -> bool {
    let renamed = working.renamed(dictionary.schema(), |bound| random.below(bound));
    folded(folder, working) == folded(folder, &renamed)
}

#[test]
fn ties_that_are_taken_for_twins_are_noticed() {
    let relations: Relations = "parent".parse().expect("a relation");
    for (size, pids, others) in SIZES {
        let mut noticed = 0;
        for_seeds(0..500, |seed, random| {
            let state = crowded(pids, others, random.below(2), random);
            let dictionary = Dictionary::of([&state]);
            let (working, _) = dictionary.working(&state, relations);
            let mut folder = Folder::new(dictionary.schema(), relations).with_hash_bits(4);
            assert!(
                is_canonical(&mut folder, &dictionary, &working, random),
                "{size}, seed {seed}\n{state:?}"
            );
            let mut mistaken = folder.taking_ties_for_twins();
            noticed += usize::from(!is_canonical(&mut mistaken, &dictionary, &working, random));
        });
        assert!(noticed > 0, "{size}: noticed in no state");
    }
}

/// The state with data 0 in all its tokens of a place: as it would be folded if their labels were those of the place.
fn without_data(state: &State, place: &str) -> State {
    let mut changed = state.clone();
    let tokens: Vec<_> = state.tokens(place).map(|(token, count)| (token.clone(), count)).collect();
    for (token, count) in &tokens {
        assert!(changed.take(place, token, *count));
    }
    for (mut token, count) in tokens {
        if let Some(datum @ Value::Int(_)) = token.last_mut() {
            *datum = Value::Int(0.into());
        }
        assert!(changed.put(&place.into(), token, count));
    }
    changed
}

#[test]
fn labels_that_are_ignored_are_noticed() {
    let relations: Relations = "parent".parse().expect("a relation");
    for (size, pids, others) in SIZES {
        let mut noticed = 0;
        for_seeds(0..100, |_, random| {
            let state = crowded(pids, others, 0, random);
            let mistaken = without_data(&state, "p0");
            let dictionary = Dictionary::of([&state, &mistaken]);
            let mut folder = Folder::new(dictionary.schema(), relations);
            let [one, other] = [&state, &mistaken].map(|state| {
                let (working, _) = dictionary.working(state, relations);
                folded(&mut folder, &working)
            });
            assert_eq!(one == other, state == mistaken, "{size}\n{state:?}\n{mistaken:?}");
            noticed += usize::from(one != other);
        });
        assert!(noticed > 30, "{size}: noticed in {noticed} states");
    }
}
