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

/// A forest of this many threads, each with a token; `others` further tokens of one pid and of two; and some tokens
/// several times.
pub fn crowded(pids: usize, others: usize, repeated: usize, random: &mut Random) -> State {
    let mut state = State::new();
    let mut names = vec![Pid::initial(1)];
    let mut children = vec![0];
    while names.len() < pids {
        let parent = random.below(names.len() + 1);
        if parent == names.len() {
            names.push(Pid::initial(names.len() as u32 + 100));
        } else {
            children[parent] += 1;
            names.push(Pid::child(&names[parent], children[parent]));
        }
        children.push(0);
    }
    let datum = |random: &mut Random, values: u32| Value::Int(random.below(values).into());
    for (pid, &children) in names.iter().zip(&children) {
        let token = vec![pid.clone().into(), datum(random, 3)];
        assert!(state.put(&format!("p{}", random.below(3)).into(), token, 1));
        if random.percent(90) {
            state.activate(pid.clone(), children);
        }
    }
    let mut put = 0;
    while put < others + repeated {
        let mut token: Vec<Value> = vec![random.pick(&names).clone().into()];
        if random.percent(40) {
            token.push(random.pick(&names).clone().into());
        }
        token.push(datum(random, 2));
        let place = if random.percent(50) { "q" } else { "r" };
        if state.tokens(place).all(|(known, _)| *known != token) {
            let count = if put < others { 1 } else { *random.pick(&[2, 3, 255, 256, 70_000]) };
            assert!(state.put(&place.into(), token, count));
            put += 1;
        }
    }
    state
}

/// Where another way begins: at seventeen pids, at seventeen tokens that are nobody's own, and at two bytes for a position.
#[test]
fn bytes_are_canonical_where_the_way_changes() {
    let mut sizes =
        vec![(16, 16, 0), (63, 60, 0), (64, 60, 2), (65, 60, 0), (127, 9, 0), (130, 140, 3)];
    for pids in 15..=17 {
        for others in 14..=18 {
            sizes.extend([(pids, others, 0), (pids, others, 1), (pids, others, 3)]);
        }
    }
    for_seeds(0..6, |seed, random| {
        for &(pids, others, repeated) in &sizes {
            let one = crowded(pids, others, repeated, random);
            let mut two = crowded(pids, others, repeated, random);
            if random.percent(70) {
                two = changed(&one, random);
            }
            for relations in ["parent", "parent,ancestor", "ancestor", ""] {
                let relations: Relations = relations.parse().expect("relations");
                let dictionary = Dictionary::of([&one, &two]);
                let workings = [&one, &two].map(|state| dictionary.working(state, relations).0);
                // Larger ones take the checker too long: they are compared with each other.
                let is_checked = pids <= 17;
                let mut expected =
                    is_checked.then(|| slow_checker::equivalent(&one, &two, relations));
                for bits in [64, 8, 3] {
                    let of =
                        format!("seed {seed}: {pids} pids, {others} others, {repeated} repeated");
                    let of = format!("{of}, {bits} bits, up to {relations}\n{one:?}\n{two:?}");
                    let mut folder =
                        Folder::new(dictionary.schema(), relations).with_hash_bits(bits);
                    let forms = [0, 1].map(|at| {
                        let working = &workings[at];
                        let (mut bytes, mut again) = (Vec::new(), Vec::new());
                        folder.fold(working, &mut bytes);
                        let renamed = working.renamed(dictionary.schema(), |n| random.below(n));
                        folder.fold(&renamed, &mut again);
                        assert_eq!(bytes, again, "{of}");
                        let mut unfolded = working.emptied();
                        folder.unfold(&bytes, &mut unfolded);
                        again.clear();
                        folder.fold(&unfolded, &mut again);
                        assert_eq!(bytes, again, "{of}");
                        let (back, state) = (dictionary.state(&unfolded), [&one, &two][at]);
                        let is_same = || slow_checker::equivalent(state, &back, relations);
                        assert!(!is_checked || is_same(), "{of}\n{back:?}");
                        bytes
                    });
                    let verdict = forms[0] == forms[1];
                    assert_eq!(verdict, *expected.get_or_insert(verdict), "{of}");
                }
            }
        }
    });
}
