//! What the kernel promises, case by case.

use std::collections::BTreeSet;
use std::time::Duration;

use budget::{Budget, Exhausted};
use explore::{Control, Exploration, Options, Stop, explore};
use num_bigint::BigUint;
use symbolic::{
    Census, Condition, Element, Fault, NoMarking, PlaceId, Srs, Symbolic, SymbolicSpace,
    SymmetricNet, Symmetry, Term, Tokens, Transition, Variable,
};

const X: Variable = Variable(0);
const Y: Variable = Variable(1);
const Z: Variable = Variable(2);

fn var(variable: Variable) -> Element {
    Element::Var(variable)
}

fn run(net: &SymmetricNet) -> (SymbolicSpace, Exploration) {
    let mut space = Symbolic::new(net).unwrap().space();
    let result = explore(&mut space, &Options::default(), &mut |_| Control::Continue).unwrap();
    (space, result)
}

fn token(place: PlaceId, tuple: &[u32]) -> Tokens {
    Tokens { place, tuple: tuple.to_vec(), count: 1 }
}

/// Sorting neighbours until nothing moves leaves both of these as they are, over C × C: rows
/// 010/001/000 and 010/000/100. They are one marking.
#[test]
fn a_local_minimum_is_not_canonical() {
    let mut net = SymmetricNet::new();
    let class = net.class("C", Symmetry::Symmetric(vec![3]));
    let place = net.place("p", &[class, class]);
    let mut space = Symbolic::new(&net).unwrap().space();
    let rows = |matrix: [&str; 3]| -> Vec<Tokens> {
        let cells = |(i, row): (usize, &str)| -> Vec<Tokens> {
            let ones = row.char_indices().filter(|(_, c)| *c == '1');
            ones.map(|(j, _)| token(place, &[i as u32, j as u32])).collect()
        };
        matrix.into_iter().enumerate().flat_map(cells).collect()
    };
    let one = space.fold(&rows(["010", "001", "000"])).unwrap();
    let other = space.fold(&rows(["010", "000", "100"])).unwrap();
    assert_eq!(one, other);
    let cycle = space.fold(&rows(["010", "001", "100"])).unwrap();
    let star = space.fold(&rows(["011", "000", "000"])).unwrap();
    assert_eq!(BTreeSet::from([one, cycle, star]).len(), 3);
}

/// All markings of C × C × C with at most two tokens: as many forms as orbits.
#[test]
fn triples_are_told_apart_by_their_patterns() {
    let mut net = SymmetricNet::new();
    let class = net.class("C", Symmetry::Symmetric(vec![4]));
    let place = net.place("p", &[class; 3]);
    let mut space = Symbolic::new(&net).unwrap().space();
    let triples: Vec<[u32; 3]> = (0..64).map(|i| [i / 16, i / 4 % 4, i % 4]).collect();
    let mut forms = BTreeSet::new();
    let mut orbits = BTreeSet::new();
    for a in &triples {
        for b in &triples {
            forms.insert(space.fold(&[token(place, a), token(place, b)]).unwrap());
            // The least renaming: elements numbered as they occur, in either order of tokens.
            let number = |six: [u32; 6]| {
                let mut met = Vec::new();
                six.map(|x| {
                    met.iter().position(|&y| y == x).unwrap_or_else(|| {
                        met.push(x);
                        met.len() - 1
                    })
                })
            };
            let one = number([a[0], a[1], a[2], b[0], b[1], b[2]]);
            let other = number([b[0], b[1], b[2], a[0], a[1], a[2]]);
            orbits.insert(one.min(other));
        }
    }
    assert_eq!(forms.len(), orbits.len());
}

/// A million elements, and 10^12 pairs of them, cost what a thousand cost.
#[test]
fn cost_does_not_follow_the_size_of_a_class() {
    let net = |size: u32| {
        let mut net = SymmetricNet::new();
        let class = net.class("C", Symmetry::Symmetric(vec![size]));
        let idle = net.place("idle", &[class]);
        let pairs = net.place("pairs", &[class, class]);
        let linked = net.place("linked", &[class, class]);
        net.initially(idle, Term::one(&[var(X)]).for_all(&[class], Condition::always()));
        let pair = Term::one(&[var(X), var(Y)]);
        net.initially(pairs, pair.clone().for_all(&[class, class], Condition::differ(X, Y)));
        let others = pair.clone().for_all(&[class], Condition::differ(X, Y));
        net.transition(
            Transition::new("tell_all", &[class])
                .take(idle, Term::one(&[var(X)]))
                .take(pairs, others.clone())
                .put(linked, others),
        );
        net.transition(
            Transition::new("one", &[class, class]).take(linked, pair.clone()).put(pairs, pair),
        );
        net
    };
    let shapes = |size: u32| {
        let mut space = Symbolic::new(&net(size)).unwrap().space();
        let options = Options { states: Some(400), ..Options::default() };
        let result = explore(&mut space, &options, &mut |_| Control::Continue).unwrap();
        let census = Census::of(&mut space, &result, &Budget::unlimited()).unwrap();
        let entries: Vec<usize> = result
            .store
            .iter()
            .map(|(_, bytes)| {
                let marking = space.decode(bytes);
                let total: u64 =
                    marking.dynamic_subclasses().map(|(_, size)| u64::from(size)).sum();
                assert_eq!(total, u64::from(size));
                marking.dynamic_subclasses().len()
            })
            .collect();
        (entries, census)
    };
    let (small, _) = shapes(2_000);
    let (large, census) = shapes(1_000_000);
    assert_eq!(small, large);
    assert_eq!(census.most_tokens, BigUint::from(1_000_000_000_000_u64));
}

/// An inhibitor counts tokens of any element, also where sizes are above those that are told
/// apart otherwise.
#[test]
fn inhibitors_count_up_to_their_number() {
    for most in [1, 2, 7, 40] {
        let mut net = SymmetricNet::new();
        let class = net.class("C", Symmetry::Symmetric(vec![50]));
        let [from, to] = ["from", "to"].map(|name| net.place(name, &[class]));
        net.initially(from, Term::one(&[var(X)]).for_all(&[class], Condition::always()));
        let x = Term::one(&[var(X)]);
        net.transition(
            Transition::new("go", &[class])
                .take(from, x.clone())
                .put(to, x)
                .unless(to, Term::times(most, &[var(Y)]).for_all(&[class], Condition::always())),
        );
        let (_, result) = run(&net);
        assert_eq!(result.states(), u64::from(most) + 1);
        assert_eq!(result.deadlocks.len(), 1);
    }
}

/// Clients and servers in couples: the couples can be permuted, 22! ways, which is more than a
/// word holds.
#[test]
fn automorphisms_beyond_a_word_are_divided_by() {
    let n = 22;
    let mut net = SymmetricNet::new();
    let [c, d] = ["C", "D"].map(|name| net.class(name, Symmetry::Symmetric(vec![n])));
    let couple = net.place("couple", &[c, d]);
    let (free_c, free_d) = (net.place("free_c", &[c]), net.place("free_d", &[d]));
    net.initially(free_c, Term::one(&[var(X)]).for_all(&[c], Condition::always()));
    net.initially(free_d, Term::one(&[var(X)]).for_all(&[d], Condition::always()));
    net.transition(
        Transition::new("meet", &[c, d])
            .take(free_c, Term::one(&[var(X)]))
            .take(free_d, Term::one(&[var(Y)]))
            .put(couple, Term::one(&[var(X), var(Y)])),
    );
    let (mut space, result) = run(&net);
    assert_eq!(result.states(), u64::from(n) + 1);
    let census = Census::of(&mut space, &result, &Budget::unlimited()).unwrap();
    // Choose k of each, and who meets whom.
    let mut expected = BigUint::ZERO;
    for k in 0..=n {
        let ways: BigUint = (0..k).map(|i| BigUint::from(n - i)).product();
        let factorial: BigUint = (1..=k).map(BigUint::from).product();
        expected += &ways * &ways / factorial;
    }
    assert_eq!(census.concrete_states, expected);
    let factorial: BigUint = (1..=n).map(BigUint::from).product();
    assert_eq!(census.concrete_deadlocks, factorial);
}

/// Components that take more than 32 bits, and descriptions of entries that do not fit a label.
#[test]
fn large_plain_classes_are_packed_and_labelled() {
    let mut net = SymmetricNet::new();
    let class = net.class("C", Symmetry::Symmetric(vec![3]));
    let data = net.class("D", Symmetry::Plain(1 << 20));
    let place = net.place("p", &[class, data, data, class]);
    let next = |of, wraps| Element::Shift { of, by: 300_000, wraps };
    net.initially(
        place,
        Term::one(&[var(X), Element::Constant(7), Element::Constant(99), var(Y)])
            .for_all(&[class, class], Condition::differ(X, Y)),
    );
    net.transition(
        Transition::new("step", &[class, data, data, class])
            .take(place, Term::one(&[var(X), var(Y), var(Z), var(Variable(3))]))
            .put(place, Term::one(&[var(X), next(Y, false), next(Z, true), var(Variable(3))])),
    );
    let (mut space, result) = run(&net);
    // Six pairs, each of which makes up to three steps: functions from arcs to 0..=3 up to S3.
    let census = Census::of(&mut space, &result, &Budget::unlimited()).unwrap();
    assert_eq!(census.concrete_states, BigUint::from(4_u32.pow(6)));
    let fixed = |cycles: u32| 4_u64.pow(cycles);
    let orbits = (fixed(6) + 3 * fixed(3) + 2 * fixed(2)) / 6;
    assert_eq!(result.states(), orbits);
    for (_, bytes) in result.store.iter() {
        let shown = space.representative(bytes);
        assert_eq!(space.fold(&shown).unwrap(), bytes);
    }
}

#[test]
fn too_many_tokens_are_a_fault() {
    let mut net = SymmetricNet::new();
    let place = net.place("p", &[]);
    net.initially(place, Term::times(u32::MAX - 1, &[]));
    net.transition(Transition::new("put", &[]).put(place, Term::one(&[])));
    let mut space = Symbolic::new(&net).unwrap().space();
    let failed = explore(&mut space, &Options::default(), &mut |_| Control::Continue).unwrap_err();
    assert_eq!(failed.fault, Fault::TooManyTokens(place));
    assert_eq!(failed.exploration.states(), 2);
    net.initially(place, Term::times(2, &[]));
    let mut space = Symbolic::new(&net).unwrap().space();
    assert!(explore(&mut space, &Options::default(), &mut |_| Control::Continue).is_err());
}

/// Where two billion values are tried in vain, a limit on time still ends the search.
#[test]
fn time_ends_a_search_for_bindings() {
    let mut net = SymmetricNet::new();
    let data = net.class("D", Symmetry::Plain(1 << 31));
    let place = net.place("p", &[data]);
    net.transition(
        Transition::new("never", &[data, data])
            .guard(Condition::All(vec![
                Condition::Less(var(X), var(Y)),
                Condition::Less(var(Y), var(X)),
            ]))
            .put(place, Term::one(&[var(X)])),
    );
    let mut space = Symbolic::new(&net).unwrap().space();
    let options = Options {
        budget: Budget::unlimited().within(Duration::from_millis(20)),
        ..Options::default()
    };
    let result = explore(&mut space, &options, &mut |_| Control::Continue).unwrap();
    assert_eq!((result.reason, result.expanded), (Some(Stop::Exhausted(Exhausted::Time)), 0));
}

/// A limit leaves counts of what was found.
#[test]
fn a_census_of_a_part_counts_that_part() {
    let mut net = SymmetricNet::new();
    let class = net.class("C", Symmetry::Symmetric(vec![100]));
    let [from, to] = ["from", "to"].map(|name| net.place(name, &[class]));
    net.initially(from, Term::one(&[var(X)]).for_all(&[class], Condition::always()));
    let x = Term::one(&[var(X)]);
    net.transition(Transition::new("go", &[class]).take(from, x.clone()).put(to, x));
    let mut space = Symbolic::new(&net).unwrap().space();
    let options = Options { states: Some(3), ..Options::default() };
    let result = explore(&mut space, &options, &mut |_| Control::Continue).unwrap();
    assert!(!result.complete);
    let census = Census::of(&mut space, &result, &Budget::unlimited()).unwrap();
    assert_eq!(census.concrete_states, BigUint::from(1 + 100 + 4950_u32));
    assert_eq!(census.concrete_edges, BigUint::from(100 + 100 * 99_u32));
}

#[test]
fn all_flaws_are_reported() {
    let mut net = SymmetricNet::new();
    let split = net.class("S", Symmetry::Symmetric(vec![1, 5]));
    let ring = net.class("R", Symmetry::Cyclic(4));
    let data = net.class("D", Symmetry::Plain(3));
    net.class("H", Symmetry::Symmetric(vec![1 << 31, 1]));
    let pair = net.place("pair", &[split, ring]);
    let value = net.place("value", &[data]);
    let shift = |of| Element::Shift { of, by: 1, wraps: true };
    net.transition(
        Transition::new("t", &[split, ring, data])
            .guard(Condition::All(vec![
                Condition::Less(var(Y), var(Y)),
                Condition::Within(X, 2),
                Condition::Equal(Element::Constant(0), Element::Constant(1)),
                Condition::equal(X, Y),
            ]))
            .take(pair, Term::one(&[shift(X), Element::Constant(0)]))
            .read(pair, Term::one(&[Element::Constant(1), var(Variable(9))]))
            .put(value, Term::one(&[Element::Constant(3)]))
            .put(PlaceId(7), Term::one(&[]))
            .put(value, Term::one(&[]))
            .unless(value, Term::one(&[var(Z)]).for_all(&[data], Condition::always())),
    );
    let flaws = Symbolic::new(&net).unwrap_err();
    let problems: Vec<&str> = flaws.iter().map(|flaw| &*flaw.problem).collect();
    let constant = |number: u32| {
        format!(
            "constant {number} is neither an element of a plain class nor a static subclass of one \
             element"
        )
    };
    let expected = [
        "more than 2^31 elements",
        "only elements of plain classes have an order",
        "there is no static subclass 2",
        "two constants are compared",
        "an element of class 1 where one of class 0 is wanted",
        "a symmetric class has no successors",
        &constant(0),
        &constant(1),
        "there is no variable 9",
        &constant(3),
        "there is no place 7",
        "the tuple has 0 components, the domain 1",
        "local variable 0 does not occur in the tuple",
    ];
    assert_eq!(problems, expected);
    assert_eq!(
        flaws[5].to_string(),
        "transition t, takes, place pair: a symmetric class has no successors"
    );
}

fn no_marking(problem: &str) -> Result<Vec<u8>, NoMarking> {
    Err(NoMarking(problem.to_owned()))
}

#[test]
fn what_is_no_marking_is_not_folded() {
    let mut net = SymmetricNet::new();
    let class = net.class("C", Symmetry::Symmetric(vec![2]));
    let place = net.place("p", &[class]);
    let mut space = Symbolic::new(&net).unwrap().space();
    let nowhere = PlaceId(1);
    assert_eq!(space.fold(&[token(nowhere, &[])]), no_marking("there is no place 1"));
    for tuple in [vec![2], vec![], vec![0, 1]] {
        let found = space.fold(&[token(place, &tuple)]);
        assert_eq!(found, no_marking(&format!("{tuple:?} is not in the domain of place 0")));
    }
    let many = Tokens { place, tuple: vec![0], count: u32::MAX };
    let found = space.fold(&[many, token(place, &[0])]);
    assert_eq!(found, no_marking("place 0 holds [0] more than 2^32 - 1 times"));
}

#[test]
fn a_term_without_locals_is_under_its_condition_too() {
    // Where the two are the same nothing is taken, though there is nothing to be taken from.
    for (same, states) in [(false, 1), (true, 2)] {
        let mut net = SymmetricNet::new();
        let class = net.class("C", Symmetry::Symmetric(vec![2]));
        let (taken, done) = (net.place("taken", &[class]), net.place("done", &[]));
        let (x, y) = (Variable(0), Variable(1));
        let guard = Condition::equal(x, y);
        let guard = if same { guard } else { Condition::Not(Box::new(guard)) };
        let where_different = |term: Term| term.for_all(&[], Condition::differ(x, y));
        net.transition(
            Transition::new("t", &[class, class])
                .guard(guard)
                .take(taken, where_different(Term::one(&[x.into()])))
                .put(done, Term::one(&[]))
                .unless(done, Term::one(&[])),
        );
        // Also where a token has no components: here nothing is put, there nothing is taken.
        let (never, always) = (net.place("never", &[]), net.place("always", &[]));
        net.initially(always, Term::one(&[]));
        net.transition(
            Transition::new("u", &[class, class])
                .guard(Condition::equal(x, y))
                .take(always, where_different(Term::one(&[])))
                .put(never, where_different(Term::one(&[]))),
        );
        let (_, result) = run(&net);
        assert_eq!(result.states(), states);
        let srs = Srs::of(&net, ddd::Limits::default()).unwrap();
        assert_eq!(srs.markings, BigUint::from(states));
    }
}

/// Classes, places and nets without anything in them.
#[test]
fn nothing_is_explored_too() {
    let (mut space, result) = run(&SymmetricNet::new());
    assert_eq!((result.states(), result.edges, result.deadlocks.len()), (1, 0, 1));
    assert_eq!(
        Census::of(&mut space, &result, &Budget::unlimited()).unwrap().concrete_states,
        BigUint::from(1_u32)
    );
    let mut net = SymmetricNet::new();
    let empty = [Symmetry::Symmetric(vec![]), Symmetry::Cyclic(0), Symmetry::Plain(0)];
    let classes = empty.map(|symmetry| net.class("E", symmetry));
    let place = net.place("p", &classes);
    let tuple = [var(X), Y.plus(1), var(Z)];
    let all = Term::one(&tuple).for_all(&classes, Condition::always());
    net.initially(place, all.clone());
    net.transition(Transition::new("never", &classes).put(place, Term::one(&tuple)));
    net.transition(Transition::new("nothing", &[]).take(place, all));
    let (mut space, result) = run(&net);
    assert_eq!((result.states(), result.edges), (1, 1));
    assert_eq!(
        Census::of(&mut space, &result, &Budget::unlimited()).unwrap().concrete_edges,
        BigUint::from(1_u32)
    );
}

/// A walker on a ring of `size` cells, who finds the next cell in a table.
fn walker(cells: u32) -> (SymmetricNet, PlaceId, PlaceId) {
    let mut net = SymmetricNet::new();
    let cell = net.class("Cell", Symmetry::Plain(cells));
    let next = net.place("next", &[cell, cell]);
    let at = net.place("at", &[cell]);
    net.initially(next, Term::one(&[var(X), X.plus(1)]).for_all(&[cell], Condition::always()));
    net.initially(at, Term::one(&[Element::Constant(0)]));
    let row = Term::one(&[var(X), var(Y)]);
    net.transition(
        Transition::new("walk", &[cell, cell])
            .take(at, Term::one(&[var(X)]))
            .take(next, row.clone())
            .put(next, row)
            .put(at, Term::one(&[var(Y)])),
    );
    (net, next, at)
}

#[test]
fn what_never_changes_takes_no_memory_and_is_still_told() {
    for cells in [3, 100] {
        let (net, next, at) = walker(cells);
        let (mut space, result) = run(&net);
        assert_eq!((result.states(), result.edges), (u64::from(cells), u64::from(cells)));
        assert!(result.store.iter().all(|(_, bytes)| bytes.len() < 10));
        let census = Census::of(&mut space, &result, &Budget::unlimited()).unwrap();
        assert_eq!(census.most_in_places, [BigUint::from(cells), BigUint::from(1_u32)]);
        assert_eq!(census.most_tokens, BigUint::from(cells + 1));

        let initial = result.store.iter().next().unwrap().1;
        let mut counts = Vec::new();
        space.count_tokens_in_places(initial, &mut counts);
        assert_eq!(counts, [u64::from(cells), 1]);
        let shown = space.representative(initial);
        let mut expected: Vec<Tokens> =
            (0..cells).map(|i| token(next, &[i, (i + 1) % cells])).collect();
        expected.push(token(at, &[0]));
        assert_eq!(shown, expected);
        let marking = space.decode(initial);
        let mut entries = 0;
        space.for_each_entry(&marking, next, |count, _| entries += count);
        assert_eq!(entries, cells);
        assert_eq!(space.fold(&shown).as_deref(), Ok(initial));
        let problem = "does not hold its initial tokens, which never change";
        let problem = format!("place {} {problem}", next.0);
        assert_eq!(space.fold(&shown[1..]), no_marking(&problem));
    }
}

/// What is asked for twice must be there twice, also where it is put back.
#[test]
fn a_table_is_asked_for_as_much_as_it_has() {
    for (there, asked, steps) in [(1, 1, 1), (1, 2, 0), (2, 2, 1)] {
        for twice in [false, true] {
            let mut net = SymmetricNet::new();
            let data = net.class("D", Symmetry::Plain(2));
            let table = net.place("table", &[data]);
            let done = net.place("done", &[]);
            let row = |count| Term::times(count, &[Element::Constant(1)]);
            net.initially(table, row(there));
            net.initially(done, Term::one(&[]));
            let mut once = Transition::new("once", &[]).take(done, Term::one(&[]));
            let terms = if twice { vec![row(1); asked as usize] } else { vec![row(asked)] };
            for term in terms {
                once = once.take(table, term.clone()).put(table, term);
            }
            net.transition(once);
            assert_eq!(run(&net).1.edges, steps, "{there} there, {asked} asked for");
        }
    }
}

/// More than can be counted is a fault, whether it changes or not.
#[test]
fn a_table_can_be_too_full() {
    let mut net = SymmetricNet::new();
    let table = net.place("table", &[]);
    net.initially(table, Term::times(u32::MAX, &[]));
    net.initially(table, Term::one(&[]));
    let mut space = Symbolic::new(&net).unwrap().space();
    let result = explore(&mut space, &Options::default(), &mut |_| Control::Continue);
    assert_eq!(result.unwrap_err().fault, Fault::TooManyTokens(table));
}
