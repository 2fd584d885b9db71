//! Canonical bytes against the definition of equivalence, whichever way states go: small ones, those with pairs as bits,
//! and others; with hashes whole, and cut to eight and to three bits.

use fold::audit::disguised;
use fold::{Dictionary, Folder};
use random::{Random, for_seeds};
use state::{Pid, Relations, State, Value};

use crate::random_state::{changed, random_state};
use crate::slow_checker;

/// Gives a state some tokens of one pid, and some or many of two.
fn thickened(mut state: State, random: &mut Random) -> State {
    let pids: Vec<Pid> = state.pids().into_iter().collect();
    let percent = *random.pick(&[0, 20, 50, 90]);
    for a in &pids {
        for b in &pids {
            if random.percent(percent) {
                assert!(state.put(&"s".into(), vec![a.clone().into(), b.clone().into()], 1));
            }
        }
        if random.percent(40) {
            let datum = Value::Int(random.below(2).into());
            assert!(state.put(&"t".into(), vec![a.clone().into(), datum], 1));
        }
    }
    state
}

#[test]
fn bytes_are_equal_where_states_are_equivalent() {
    let mut verdicts = [0; 2];
    for_seeds(0..400, |seed, random| {
        let one = thickened(random_state(random), random);
        let other = if random.percent(50) { one.clone() } else { changed(&one, random) };
        let chosen = Relations::every().nth(random.below(16)).expect("one of sixteen");
        for relations in [chosen, "parent".parse().expect("a relation")] {
            let other = disguised(&other, relations, false, random).state;
            let expected = slow_checker::equivalent(&one, &other, relations);
            verdicts[usize::from(expected)] += 1;
            let dictionary = Dictionary::of([&one, &other]);
            for bits in [64, 8, 3] {
                let of = format!("seed {seed}, {bits} bits, up to {relations}\n{one:?}\n{other:?}");
                let mut folder = Folder::new(dictionary.schema(), relations).with_hash_bits(bits);
                let bytes = [&one, &other].map(|state| {
                    let mut bytes = Vec::new();
                    let (working, _) = dictionary.working(state, relations);
                    folder.fold(&working, &mut bytes);
                    // What is written is the state, and its bytes are the same again.
                    let (mut unfolded, mut again) = (working.emptied(), Vec::new());
                    folder.unfold(&bytes, &mut unfolded);
                    folder.fold(&unfolded, &mut again);
                    assert_eq!(bytes, again, "{of}");
                    let back = dictionary.state(&unfolded);
                    assert!(slow_checker::equivalent(state, &back, relations), "{of}\n{back:?}");
                    bytes
                });
                assert_eq!(bytes[0] == bytes[1], expected, "{of}");
            }
        }
    });
    assert!(verdicts.iter().all(|&count| count > 100), "one-sided: {verdicts:?}");
}
