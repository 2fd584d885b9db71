//! Formulas of linear time and their automata, on words that go round for ever.

use check::{Automaton, Ltl, hoa};
use random::for_seeds;

use crate::linear::{ATOMS, Word, formula, random_formula};

#[test]
fn automata_accept_the_words_on_which_formulas_hold() {
    let (mut accepted, mut states, mut largest) = (0, 0, 0);
    for_seeds(0..10_000, |seed, random| {
        let size = 1 + random.below(9);
        let plain = random_formula(random, size);
        let mut ltl = Ltl::new();
        let positive = formula(&mut ltl, &plain);
        let negative = ltl.not(positive);
        assert_eq!(ltl.not(negative), positive, "seed {seed}: {plain:?}");
        let word = Word::random(random);
        let holds = word.meaning(&plain)[0];
        for (formula, expected) in [(positive, holds), (negative, !holds)] {
            let automaton = Automaton::of(&ltl, formula).expect("small enough");
            let found = word.is_accepted_by(&automaton);
            assert_eq!(found, expected, "seed {seed}: {plain:?} on {word:?}\n{automaton:#?}");
            states += automaton.states.len();
            largest = largest.max(automaton.states.len());
            if seed % 10 == 0 {
                let names: Vec<String> = (0..ATOMS).map(|atom| format!("p \"{atom}\\")).collect();
                let text = hoa::write(&automaton, &names);
                let (again, read) = hoa::read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
                assert_eq!(read, names);
                assert_eq!(word.is_accepted_by(&again), expected, "seed {seed}\n{text}");
            }
        }
        accepted += u32::from(holds);
    });
    assert!((2_000..8_000).contains(&accepted), "{accepted} of the words satisfy their formula");
    assert!(states < 20_000 * 8, "automata have {} states on average", states / 20_000);
    assert!(largest < 200, "an automaton has {largest} states");
}

#[test]
fn automata_of_common_formulas_are_small() {
    let mut ltl = Ltl::new();
    let (a, b) = (ltl.atom(0), ltl.atom(1));
    let always = ltl.always(a);
    let eventually = ltl.eventually(a);
    let recurrent = ltl.always(eventually);
    let persistent = ltl.eventually(always);
    let later = ltl.eventually(b);
    let answered = ltl.implies(a, later);
    let leads_to = ltl.always(answered);
    let until = ltl.until(a, b);
    let sizes =
        [(always, 1), (eventually, 2), (recurrent, 1), (persistent, 2), (leads_to, 2), (until, 2)];
    for (formula, size) in sizes {
        let automaton = Automaton::of(&ltl, formula).unwrap();
        assert_eq!(automaton.states.len(), size, "{:?}\n{automaton:#?}", ltl.shape(formula));
    }
    assert!(Automaton::of(&ltl, ltl.falsehood()).unwrap().states.iter().all(Vec::is_empty));
}

#[test]
fn what_is_no_automaton_is_refused_with_the_line() {
    let good = "HOA: v1\nStates: 2\nStart: 1\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
        State: 0 \"off\" {0}\n[!0] 1\nState: 1\n[0 | !0&t] 0\n--END--\n";
    let (automaton, names) = hoa::read(good).unwrap();
    assert_eq!((automaton.states.len(), automaton.sets, names.len()), (2, 1, 1));
    assert!(automaton.states[1].iter().all(|edge| edge.accepting == 1 && edge.to == 0));
    for (from, to, line, words) in [
        ("HOA: v1", "HOA: v2", 1, "version"),
        ("States: 2", "States: two", 2, "number of states"),
        ("Start: 1", "Start: 7", 11, "not there"),
        ("\"a\"", "a", 4, "names of 1 atoms"),
        ("Inf(0)", "Fin(0)", 5, "Büchi"),
        ("[!0] 1", "1", 8, "implicit"),
        ("[!0] 1", "[!1] 1", 8, "no such atom"),
        ("[!0] 1", "[!0] 0&1", 8, "alternating"),
        ("{0}", "{3}", 7, "no acceptance set 3"),
        ("--END--", "", 10, "--END--"),
        ("Start: 1", "Start: 1\nStart: 0", 4, "several"),
        ("--BODY--", "Quux: 1\n--BODY--", 6, "Quux"),
    ] {
        let error = hoa::read(&good.replacen(from, to, 1)).expect_err(to);
        assert_eq!(error.line, line, "{to}: {error}");
        assert!(error.what.contains(words), "{to}: {error}");
    }
    // Nothing that can be in a text makes reading panic.
    for cut in 0..good.len() {
        let _ = hoa::read(&good[..cut]);
        let _ = hoa::read(&good[cut..]);
    }
}
