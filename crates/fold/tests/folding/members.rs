//! Canonical bytes of states with members of classes, and with pids and members that may be missing, against
//! the definition: two states have the same bytes exactly when some allowed permutation of the members and some
//! bijection of the pids takes one to the other. All of them are tried.

use std::collections::BTreeMap;

use fold::{Class, Column, Folder, Hold, Kin, Link, NONE, Schema, Shape, Working};
use random::{Random, for_seeds};
use state::Relations;

/// A token: its place and its words.
type Token = (usize, Vec<u32>);

/// Tokens with their numbers, and which pids are active.
#[derive(Clone, Debug, PartialEq)]
struct Plain {
    active: Vec<bool>,
    tokens: BTreeMap<Token, u32>,
}

fn schema(classes: &[Class]) -> Schema {
    use Column::{Member, OptionalMember, OptionalPid, Pid};
    let shape = |columns: &[Column]| Shape {
        columns: columns.to_vec(),
        flow: false,
        hold: Hold::Root,
        groups: Vec::new(),
    };
    let data = Column::data(3);
    let mut places = vec![
        shape(&[Pid]),
        shape(&[Pid, OptionalPid]),
        shape(&[OptionalPid, data, OptionalPid]),
        shape(&[OptionalPid, Pid, OptionalPid, OptionalPid]),
    ];
    if let Some(last) = (classes.len() as u32).checked_sub(1) {
        places.extend([
            shape(&[Member(0)]),
            shape(&[Member(0), Member(last)]),
            shape(&[Pid, Member(last)]),
            shape(&[data, Member(0), Member(0)]),
            shape(&[Member(last), OptionalPid, OptionalMember(0)]),
        ]);
    }
    Schema { places, classes: classes.to_vec() }
}

/// Every combination of classes that the tests go through.
fn all_classes() -> Vec<Vec<Class>> {
    let symmetric = |parts: &[u32]| Class::Symmetric(parts.to_vec());
    vec![
        vec![],
        vec![symmetric(&[3])],
        vec![symmetric(&[4])],
        vec![symmetric(&[1, 3])],
        vec![symmetric(&[2, 2])],
        vec![symmetric(&[2, 1, 1])],
        vec![Class::Cyclic(2)],
        vec![Class::Cyclic(4)],
        vec![Class::Cyclic(5)],
        vec![symmetric(&[3]), symmetric(&[1, 2])],
        vec![Class::Cyclic(3), symmetric(&[3])],
        vec![symmetric(&[2, 1]), Class::Cyclic(4)],
        vec![Class::Cyclic(3), Class::Cyclic(4)],
    ]
}

fn random_word(column: Column, schema: &Schema, pids: usize, random: &mut Random) -> u32 {
    if matches!(column, Column::OptionalPid | Column::OptionalMember(_)) && random.below(3) == 0 {
        return NONE;
    }
    random.below(match column {
        Column::Pid | Column::OptionalPid => pids as u32,
        Column::Data(_) => 3,
        Column::Member(class) | Column::OptionalMember(class) => {
            schema.classes[class as usize].size()
        }
    })
}

fn random_state(schema: &Schema, random: &mut Random) -> Plain {
    let pids = 1 + random.below(3) as usize;
    let mut state = Plain {
        active: (0..pids).map(|_| random.below(2) == 0).collect(),
        tokens: BTreeMap::new(),
    };
    // Every pid is in a token.
    (0..pids as u32).for_each(|pid| *state.tokens.entry((0, vec![pid])).or_default() += 1);
    for _ in 0..1 + random.below(5) {
        let place = 1 + random.below(schema.places.len() - 1);
        let columns = schema.places[place].columns.iter();
        let words = columns.map(|&column| random_word(column, schema, pids, random)).collect();
        *state.tokens.entry((place, words)).or_default() += 1 + random.below(5) / 4;
    }
    state
}

/// The state with one token changed.
fn changed(state: &Plain, schema: &Schema, random: &mut Random) -> Plain {
    let mut other = state.clone();
    let ordinary: Vec<Token> =
        state.tokens.keys().filter(|(place, _)| *place > 0).cloned().collect();
    let (place, mut words) = random.pick(&ordinary).clone();
    let count = other.tokens.remove(&(place, words.clone())).expect("it is there");
    let column = random.below(words.len());
    words[column] =
        random_word(schema.places[place].columns[column], schema, state.active.len(), random);
    *other.tokens.entry((place, words)).or_default() += count;
    other
}

fn permutations(size: u32, allowed: &dyn Fn(u32, u32) -> bool) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = vec![Vec::new()];
    for from in 0..size {
        let longer = found.iter().flat_map(|images| {
            let free = (0..size).filter(move |to| allowed(from, *to) && !images.contains(to));
            free.map(move |to| [&images[..], &[to]].concat())
        });
        found = longer.collect();
    }
    found
}

fn allowed(class: &Class) -> Vec<Vec<u32>> {
    match class {
        Class::Cyclic(size) => {
            (0..*size).map(|by| (0..*size).map(|member| (member + by) % size).collect()).collect()
        }
        Class::Symmetric(parts) => {
            let part = |member: u32| {
                let mut end = 0;
                parts.iter().position(|size| {
                    end += size;
                    member < end
                })
            };
            permutations(class.size(), &|from, to| part(from) == part(to))
        }
    }
}

/// The state with pids and members renamed.
fn image(state: &Plain, schema: &Schema, pids: &[u32], members: &[Vec<u32>]) -> Plain {
    let mut active = vec![false; pids.len()];
    pids.iter().zip(&state.active).for_each(|(&to, &is_active)| active[to as usize] = is_active);
    let token = |((place, words), count): (&Token, &u32)| {
        let columns = schema.places[*place].columns.iter().zip(words);
        let words = columns.map(|(column, &word)| match column {
            _ if word == NONE => NONE,
            Column::Pid | Column::OptionalPid => pids[word as usize],
            Column::Data(_) => word,
            Column::Member(class) | Column::OptionalMember(class) => {
                members[*class as usize][word as usize]
            }
        });
        ((*place, words.collect()), *count)
    };
    Plain { active, tokens: state.tokens.iter().map(token).collect() }
}

fn are_equivalent(one: &Plain, other: &Plain, schema: &Schema) -> bool {
    if one.active.len() != other.active.len() {
        return false;
    }
    let mut choices: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
    for class in &schema.classes {
        let allowed = allowed(class);
        let extended = choices.iter().flat_map(|chosen| {
            allowed.iter().map(move |images| [&chosen[..], std::slice::from_ref(images)].concat())
        });
        choices = extended.collect();
    }
    let pids = permutations(one.active.len() as u32, &|_, _| true);
    choices
        .iter()
        .any(|members| pids.iter().any(|pids| image(one, schema, pids, members) == *other))
}

fn working(state: &Plain, schema: &Schema) -> Working {
    let mut working = Working::new(schema, Relations::NONE);
    let none = Link::NONE;
    for &active in &state.active {
        working.kinship.add(Kin { active, ancestor: none, elder: none, youngest: none });
    }
    for ((place, words), count) in &state.tokens {
        assert!(working.put(*place, words, *count));
    }
    working
}

fn plain(working: &Working, schema: &Schema) -> Plain {
    let mut tokens = BTreeMap::new();
    for place in 0..schema.places.len() {
        for entry in working.entries(place) {
            tokens.insert((place, entry[1..].to_vec()), entry[0]);
        }
    }
    Plain { active: working.kinship.kin().iter().map(|kin| kin.active).collect(), tokens }
}

#[test]
fn bytes_are_those_of_the_class_of_states() {
    let mut verdicts = [0; 2];
    for classes in all_classes() {
        let schema = schema(&classes);
        let mut folder = Folder::new(&schema, Relations::NONE);
        let mut bytes = |state: &Working| {
            let mut bytes = Vec::new();
            folder.fold(state, &mut bytes);
            bytes
        };
        for_seeds(0..150, |seed, random| {
            let one = random_state(&schema, random);
            let of_one = bytes(&working(&one, &schema));
            let renamed =
                working(&one, &schema).renamed(&schema, |n| random.below(n as u32) as usize);
            assert_eq!(bytes(&renamed), of_one, "{classes:?}, seed {seed}: {one:?}");
            assert!(are_equivalent(&one, &plain(&renamed, &schema), &schema), "seed {seed}");
            for _ in 0..3 {
                let other = changed(&plain(&renamed, &schema), &schema, random);
                let verdict = bytes(&working(&other, &schema)) == of_one;
                let expected = are_equivalent(&one, &other, &schema);
                assert_eq!(verdict, expected, "{classes:?}, seed {seed}:\n{one:?}\n{other:?}");
                verdicts[usize::from(verdict)] += 1;
            }
        });
    }
    assert!(verdicts.iter().all(|&count| count > 500), "one-sided: {verdicts:?}");
}

#[test]
fn the_labelling_leads_to_what_is_unfolded() {
    for classes in all_classes() {
        let schema = schema(&classes);
        let mut folder = Folder::new(&schema, Relations::NONE);
        let mut unfolded = Working::new(&schema, Relations::NONE);
        for seed in 0..300 {
            let one = random_state(&schema, &mut Random::new(seed));
            let mut bytes = Vec::new();
            let pids = folder.fold(&working(&one, &schema), &mut bytes).to_vec();
            let members: Vec<Vec<u32>> = (0..classes.len()).map(|at| folder.members(at)).collect();
            folder.unfold(&bytes, &mut unfolded);
            let of = format!("{classes:?}, seed {seed}: {one:?}");
            assert_eq!(image(&one, &schema, &pids, &members), plain(&unfolded, &schema), "{of}");
            for (class, images) in classes.iter().zip(&members) {
                assert!(allowed(class).contains(images), "{of}: {images:?}");
            }
        }
    }
}

#[test]
fn absent_members_cost_nothing() {
    // All members of a class of a million are alike, and two of them are in tokens.
    let schema = schema(&[Class::Symmetric(vec![1_000_000])]);
    let mut folder = Folder::new(&schema, Relations::NONE);
    let mut bytes = |members: &[u32]| {
        let mut working = Working::new(&schema, Relations::NONE);
        members.iter().for_each(|&member| assert!(working.put(4, &[member], 1)));
        let mut bytes = Vec::new();
        folder.fold(&working, &mut bytes);
        bytes
    };
    assert_eq!(bytes(&[999_999, 5]), bytes(&[0, 1]));
    assert!(bytes(&[999_999, 5]).len() < 10);
}
