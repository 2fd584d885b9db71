//! Formulas of linear time and their automata, on words that go round for ever.
//!
//! The meaning is worked out naively from the definition, position by position; an automaton accepts if
//! its product with the word has a cycle in all acceptance sets, found by trying.

use check::{Automaton, Formula, Ltl, hoa};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) % bound
    }
}

const ATOMS: u64 = 3;

/// A formula as written, before rules make it smaller.
#[derive(Clone, Debug)]
enum Plain {
    Atom(u32),
    Not(Box<Plain>),
    And(Box<Plain>, Box<Plain>),
    Or(Box<Plain>, Box<Plain>),
    Next(Box<Plain>),
    Until(Box<Plain>, Box<Plain>),
    Release(Box<Plain>, Box<Plain>),
    Eventually(Box<Plain>),
    Always(Box<Plain>),
}

fn random_formula(random: &mut Random, size: u64) -> Plain {
    if size <= 1 {
        return Plain::Atom(random.below(ATOMS) as u32);
    }
    let kind = random.below(8);
    if kind < 4 {
        let inner = Box::new(random_formula(random, size - 1));
        return match kind {
            0 => Plain::Not(inner),
            1 => Plain::Next(inner),
            2 => Plain::Eventually(inner),
            _ => Plain::Always(inner),
        };
    }
    let left = 1 + random.below(size - 1);
    let a = Box::new(random_formula(random, left));
    let b = Box::new(random_formula(random, size - left));
    match kind {
        4 => Plain::And(a, b),
        5 => Plain::Or(a, b),
        6 => Plain::Until(a, b),
        _ => Plain::Release(a, b),
    }
}

fn formula(ltl: &mut Ltl, plain: &Plain) -> Formula {
    match plain {
        Plain::Atom(atom) => ltl.atom(*atom),
        Plain::Not(a) => {
            let a = formula(ltl, a);
            ltl.not(a)
        }
        Plain::Next(a) => {
            let a = formula(ltl, a);
            ltl.next(a)
        }
        Plain::Eventually(a) => {
            let a = formula(ltl, a);
            ltl.eventually(a)
        }
        Plain::Always(a) => {
            let a = formula(ltl, a);
            ltl.always(a)
        }
        Plain::And(a, b) | Plain::Or(a, b) | Plain::Until(a, b) | Plain::Release(a, b) => {
            let (x, y) = (formula(ltl, a), formula(ltl, b));
            match plain {
                Plain::And(..) => ltl.and(x, y),
                Plain::Or(..) => ltl.or(x, y),
                Plain::Until(..) => ltl.until(x, y),
                _ => ltl.release(x, y),
            }
        }
    }
}

/// A word: letters as bits of atoms; after the last comes the one with this number.
#[derive(Debug)]
struct Lasso {
    letters: Vec<u32>,
    back: usize,
}

impl Lasso {
    fn random(random: &mut Random) -> Lasso {
        let length = 1 + random.below(6) as usize;
        let letters = (0..length).map(|_| random.below(1 << ATOMS) as u32).collect();
        Lasso { letters, back: random.below(length as u64) as usize }
    }

    fn after(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.back }
    }

    /// Where a formula holds, by the definition: what will be is seen within twice the word's length.
    fn meaning(&self, plain: &Plain) -> Vec<bool> {
        let n = self.letters.len();
        let positions = |start: usize| {
            std::iter::successors(Some(start), |&at| Some(self.after(at))).take(2 * n)
        };
        match plain {
            Plain::Atom(atom) => {
                self.letters.iter().map(|letter| letter >> atom & 1 == 1).collect()
            }
            Plain::Not(a) => self.meaning(a).iter().map(|holds| !holds).collect(),
            Plain::Next(a) => {
                let a = self.meaning(a);
                (0..n).map(|at| a[self.after(at)]).collect()
            }
            Plain::Eventually(a) => {
                let a = self.meaning(a);
                (0..n).map(|at| positions(at).any(|at| a[at])).collect()
            }
            Plain::Always(a) => {
                let a = self.meaning(a);
                (0..n).map(|at| positions(at).all(|at| a[at])).collect()
            }
            Plain::And(a, b) => {
                let (a, b) = (self.meaning(a), self.meaning(b));
                (0..n).map(|at| a[at] && b[at]).collect()
            }
            Plain::Or(a, b) => {
                let (a, b) = (self.meaning(a), self.meaning(b));
                (0..n).map(|at| a[at] || b[at]).collect()
            }
            Plain::Until(a, b) => {
                let (a, b) = (self.meaning(a), self.meaning(b));
                let holds = |at: usize| {
                    let when = positions(at).position(|at| b[at]);
                    when.is_some_and(|when| positions(at).take(when).all(|at| a[at]))
                };
                (0..n).map(holds).collect()
            }
            Plain::Release(a, b) => {
                let (a, b) = (self.meaning(a), self.meaning(b));
                let holds = |at: usize| match positions(at).position(|at| a[at]) {
                    Some(when) => positions(at).take(when + 1).all(|at| b[at]),
                    None => positions(at).all(|at| b[at]),
                };
                (0..n).map(holds).collect()
            }
        }
    }

    /// Whether an automaton accepts the word: some node of the product is on a closed walk that takes
    /// transitions of all sets.
    fn is_accepted_by(&self, automaton: &Automaton) -> bool {
        let n = self.letters.len();
        let steps = |(state, at): (usize, usize)| {
            let letter = self.letters[at];
            let edges = automaton.states.get(state).into_iter().flatten();
            let enabled = edges.filter(move |e| e.label.holds_where(|a| letter >> a & 1 == 1));
            enabled.map(move |e| ((e.to as usize, self.after(at)), e.accepting))
        };
        let reach = |start: (usize, usize)| {
            let mut seen = vec![start];
            let mut i = 0;
            while i < seen.len() {
                for (to, _) in steps(seen[i]) {
                    if !seen.contains(&to) {
                        seen.push(to);
                    }
                }
                i += 1;
            }
            seen
        };
        reach((0, 0)).into_iter().filter(|&(_, at)| at + 1 == n).any(|node| {
            // The component of the node: what it reaches and what reaches it.
            let component: Vec<_> =
                reach(node).into_iter().filter(|&other| reach(other).contains(&node)).collect();
            let inside = component.iter().flat_map(|&from| {
                steps(from).filter(|(to, _)| component.contains(to)).map(|(_, sets)| sets)
            });
            let (mut any, mut sets) = (false, 0);
            inside.for_each(|more| (any, sets) = (true, sets | more));
            any && sets == automaton.all_sets()
        })
    }
}

#[test]
fn automata_accept_the_words_on_which_formulas_hold() {
    let (mut accepted, mut states, mut largest) = (0, 0, 0);
    for seed in 0..10_000 {
        let random = &mut Random(seed);
        let size = 1 + random.below(9);
        let plain = random_formula(random, size);
        let mut ltl = Ltl::new();
        let positive = formula(&mut ltl, &plain);
        let negative = ltl.not(positive);
        assert_eq!(ltl.not(negative), positive, "seed {seed}: {plain:?}");
        let word = Lasso::random(random);
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
    }
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
