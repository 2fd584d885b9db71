//! Each way of making automata smaller, alone and with others: the words that are accepted stay the same.

use check::{Acceptance, Automaton, Edge, Ltl, Reductions};
use random::{Random, for_seeds};

#[path = "../naive/linear.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod linear;
mod planted;

use linear::{ATOMS, Plain, Word, formula, random_formula};

/// All choices of reductions.
fn choices() -> Vec<Reductions> {
    let choice = |bits: u32| Reductions {
        formulas: bits & 1 != 0,
        pruning: bits & 2 != 0,
        direct: bits & 4 != 0,
        reverse: bits & 8 != 0,
        obligations: bits & 16 != 0,
    };
    let all: Vec<Reductions> = (0..32).map(choice).collect();
    assert!(all.contains(&Reductions::ALL) && all.contains(&Reductions::NONE));
    all
}

/// All words with at most this many letters over this many atoms.
fn words(most: usize, atoms: u32) -> Vec<Word> {
    let mut words = Vec::new();
    for length in 1..=most {
        for number in 0..(1_u32 << atoms).pow(length as u32) {
            let letters: Vec<u32> =
                (0..length as u32).map(|at| number >> (at * atoms) & ((1 << atoms) - 1)).collect();
            words.extend((0..length).map(|back| Word { letters: letters.clone(), back }));
        }
    }
    words
}

/// All formulas with this many operators over two atoms.
fn all_formulas(size: usize) -> Vec<Plain> {
    if size == 0 {
        return (0..2).map(Plain::Atom).collect();
    }
    let mut all = Vec::new();
    for inner in all_formulas(size - 1) {
        let inner = Box::new(inner);
        all.push(Plain::Not(inner.clone()));
        all.push(Plain::Next(inner.clone()));
        all.push(Plain::Eventually(inner.clone()));
        all.push(Plain::Always(inner));
    }
    for left in 0..size {
        for a in all_formulas(left) {
            for b in all_formulas(size - 1 - left) {
                let both = || (Box::new(a.clone()), Box::new(b.clone()));
                let ((c, d), (e, f), (g, h), (i, j)) = (both(), both(), both(), both());
                all.push(Plain::And(c, d));
                all.push(Plain::Or(e, f));
                all.push(Plain::Until(g, h));
                all.push(Plain::Release(i, j));
            }
        }
    }
    all
}

/// The first of some words on which an automaton is wrong about a formula.
fn wrong<'w>(automaton: &Automaton, plain: &Plain, words: &'w [Word]) -> Option<&'w Word> {
    words.iter().find(|word| word.is_accepted_by(automaton) != word.meaning(plain)[0])
}

#[test]
fn all_small_formulas_are_right_on_all_short_words() {
    let (mut count, sets) = (0, [words(3, 2), words(2, 2)]);
    for (size, words) in [(0, 0), (1, 0), (2, 0), (3, 1)] {
        for plain in all_formulas(size) {
            let mut ltl = Ltl::new();
            let wanted = formula(&mut ltl, &plain);
            let automaton = Automaton::of(&ltl, wanted).expect("small enough");
            assert!(wrong(&automaton, &plain, &sets[words]).is_none(), "{plain:?}\n{automaton:#?}");
            count += 1;
        }
    }
    assert!(count > 10_000, "{count} formulas");
}

#[test]
fn planted_mistakes_are_noticed() {
    let words = words(3, 2);
    let mut noticed = [0; planted::IN_AUTOMATA.len() + planted::IN_FORMULAS.len()];
    for_seeds(0..200, |seed, random| {
        let plain = over_two_atoms(random);
        let mut ltl = Ltl::new();
        let wanted = formula(&mut ltl, &plain);
        // Where nothing is reduced there is most to be done wrong.
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let right = Automaton::reduced(&ltl, wanted, reductions).expect("small enough");
            assert!(wrong(&right, &plain, &words).is_none(), "seed {seed}: {plain:?}");
            for ((_, plant), noticed) in planted::IN_AUTOMATA.iter().zip(&mut noticed) {
                let mut mistaken = right.clone();
                plant(&mut mistaken);
                *noticed += u32::from(wrong(&mistaken, &plain, &words).is_some());
            }
        }
        let rest = &mut noticed[planted::IN_AUTOMATA.len()..];
        for ((_, plant), noticed) in planted::IN_FORMULAS.iter().zip(rest) {
            if let Some(mistaken) = plant(&plain) {
                let mut ltl = Ltl::new();
                let mistaken = formula(&mut ltl, &mistaken);
                let automaton = Automaton::of(&ltl, mistaken).expect("small enough");
                *noticed += u32::from(wrong(&automaton, &plain, &words).is_some());
            }
        }
    });
    let names = planted::IN_AUTOMATA.iter().map(|(name, _)| name);
    let names = names.chain(planted::IN_FORMULAS.iter().map(|(name, _)| name));
    for (name, noticed) in names.zip(noticed) {
        assert!(noticed > 0, "{name}: never noticed");
    }
}

#[test]
fn every_choice_of_reductions_is_right() {
    let choices = choices();
    let mut sizes = vec![0; choices.len()];
    let mut accepted = 0;
    for_seeds(0..600, |seed, random| {
        let size = 3 + random.below(10);
        let plain = random_formula(random, size);
        let words: Vec<Word> = (0..8).map(|_| Word::random(random)).collect();
        let meanings: Vec<bool> = words.iter().map(|word| word.meaning(&plain)[0]).collect();
        accepted += meanings.iter().filter(|holds| **holds).count();
        let mut ltl = Ltl::new();
        let wanted = formula(&mut ltl, &plain);
        for (&choice, size) in choices.iter().zip(&mut sizes) {
            let Ok(automaton) = Automaton::reduced(&ltl, wanted, choice) else {
                panic!("seed {seed}: {plain:?} is too large with {choice:?}");
            };
            *size += automaton.states.len();
            for (word, &holds) in words.iter().zip(&meanings) {
                let case = || format!("seed {seed}: {plain:?} on {word:?} with {choice:?}");
                assert_eq!(word.is_accepted_by(&automaton), holds, "{}", case());
            }
        }
    });
    assert!((1_000..3_800).contains(&accepted), "{accepted} words satisfy their formula");
    let of = |choice: Reductions| {
        let at = choices.iter().position(|other| *other == choice).expect("it is one of them");
        sizes[at]
    };
    // Each does something by itself, and all together most.
    let none = of(Reductions::NONE);
    let alone = [
        Reductions { formulas: true, ..Reductions::NONE },
        Reductions { pruning: true, ..Reductions::NONE },
        Reductions { direct: true, ..Reductions::NONE },
        Reductions { reverse: true, ..Reductions::NONE },
        Reductions { obligations: true, ..Reductions::NONE },
    ];
    for choice in alone {
        assert!(of(choice) < none, "{choice:?}: {} states, {none} without", of(choice));
        assert!(of(Reductions::ALL) < of(choice), "{choice:?}");
    }
    assert_eq!(of(Reductions::ALL), *sizes.iter().min().unwrap());
}

#[test]
fn a_formula_and_its_opposite_share_no_word_and_leave_none_out() {
    let words = words(2, 2);
    for_seeds(0..300, |seed, random| {
        let plain = over_two_atoms(random);
        let mut ltl = Ltl::new();
        let positive = formula(&mut ltl, &plain);
        let negative = ltl.not(positive);
        let both = ltl.and(positive, negative);
        let automata = [positive, negative, both]
            .map(|formula| Automaton::of(&ltl, formula).expect("small enough"));
        for word in &words {
            let [positive, negative, both] =
                automata.each_ref().map(|automaton| word.is_accepted_by(automaton));
            assert!(positive != negative && !both, "seed {seed}: {plain:?} on {word:?}");
        }
    });
}

/// Whether two automata accept a word in common: whether some pair of states is on a closed walk of both with
/// transitions of all their sets, over letters of this many atoms.
fn share_a_word(a: &Automaton, b: &Automaton, atoms: u32) -> bool {
    type Pair = (u32, u32);
    let steps = |(x, y): Pair| {
        let mut found = Vec::new();
        for letter in 0..1_u32 << atoms {
            let reads = |edge: &&Edge| edge.label.holds_where(|atom| letter >> atom & 1 == 1);
            for first in a.states[x as usize].iter().filter(reads) {
                for second in b.states[y as usize].iter().filter(reads) {
                    found.push(((first.to, second.to), (first.accepting, second.accepting)));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    let reach = |start| {
        let (mut seen, mut at) = (vec![start], 0);
        while at < seen.len() {
            for (to, _) in steps(seen[at]) {
                if !seen.contains(&to) {
                    seen.push(to);
                }
            }
            at += 1;
        }
        seen
    };
    let reached: Vec<(Pair, Vec<Pair>)> =
        reach((0, 0)).into_iter().map(|pair| (pair, reach(pair))).collect();
    let reaches = |from: Pair, to: Pair| {
        reached.iter().any(|(pair, after)| *pair == from && after.contains(&to))
    };
    reached.iter().any(|&(pair, ref after)| {
        let (mut any, mut sets) = (false, (0, 0));
        for &from in after.iter().filter(|&&other| reaches(other, pair)) {
            for (to, more) in steps(from) {
                if after.contains(&to) && reaches(to, pair) {
                    (any, sets) = (true, (sets.0 | more.0, sets.1 | more.1));
                }
            }
        }
        any && sets == (a.all_sets(), b.all_sets())
    })
}

#[test]
fn reduced_automata_share_no_word_with_the_opposite_that_is_not_reduced() {
    let (mut empty, mut compared) = (0, 0);
    for_seeds(0..400, |seed, random| {
        let plain = over_two_atoms(random);
        let mut ltl = Ltl::new();
        let positive = formula(&mut ltl, &plain);
        for formula in [positive, ltl.not(positive)] {
            let small = Automaton::of(&ltl, formula).expect("small enough");
            let opposite = Automaton::reduced(&ltl, ltl.not(formula), Reductions::NONE);
            let same = Automaton::reduced(&ltl, formula, Reductions::NONE).expect("small enough");
            let opposite = opposite.expect("small enough");
            if small.states.len() * same.states.len().max(opposite.states.len()) > 60 {
                continue;
            }
            assert!(!share_a_word(&small, &opposite, 2), "seed {seed}: {plain:?}\n{small:#?}");
            empty += u32::from(!share_a_word(&small, &same, 2));
            compared += 1;
        }
    });
    assert!(compared > 500 && empty > 0 && empty < compared / 3, "{compared}, {empty} empty");
}

fn over_two_atoms(random: &mut Random) -> Plain {
    loop {
        let size = 4 + random.below(9);
        let plain = random_formula(random, size);
        if !format!("{plain:?}").contains(&format!("Atom({})", ATOMS - 1)) {
            return plain;
        }
    }
}

#[test]
fn components_are_as_easy_to_search_as_they_look() {
    let mut ltl = Ltl::new();
    let (a, b) = (ltl.atom(0), ltl.atom(1));
    let until = ltl.until(a, b);
    let always = ltl.always(a);
    let later = ltl.eventually(always);
    let eventually = ltl.eventually(a);
    let again = ltl.always(eventually);
    use Acceptance::{Always, Never, Recurring, Staying};
    let cases = [
        (until, vec![Always, Never]),
        (always, vec![Staying]),
        (later, vec![Staying, Never]),
        (again, vec![Recurring]),
        (ltl.truth(), vec![Always]),
    ];
    for (formula, expected) in cases {
        let automaton = Automaton::of(&ltl, formula).unwrap();
        let components = automaton.components([0]);
        let found: Vec<Acceptance> = components.iter().map(|part| part.acceptance).collect();
        assert_eq!(found, expected, "{automaton:#?}");
    }
}

#[test]
fn obligations_are_deterministic_and_as_small_as_can_be() {
    let mut ltl = Ltl::new();
    let (a, b, c) = (ltl.atom(0), ltl.atom(1), ltl.atom(2));
    let (later, always) = (ltl.eventually(a), ltl.always(b));
    let either = ltl.or(later, always);
    // Not seen from its shape: it is an obligation all the same.
    let again = ltl.always(later);
    let (not_later, hidden) = (ltl.not(later), ltl.and(again, later));
    let nothing = ltl.and(hidden, not_later);
    let next = ltl.next(c);
    let hidden = ltl.or(nothing, next);
    for (formula, states) in [(either, 3), (hidden, 3)] {
        let automaton = Automaton::of(&ltl, formula).unwrap();
        assert_eq!(automaton.states.len(), states, "{automaton:#?}");
        for (edges, letter) in automaton.states.iter().flat_map(|e| (0..8).map(move |l| (e, l))) {
            let holds = |atom: u32| letter >> atom & 1 == 1;
            let open = edges.iter().filter(|edge| edge.label.holds_where(holds)).count();
            assert!(open <= 1, "{automaton:#?}");
        }
    }
}
