//! Canonical bytes of states with groups of columns, against the definition: two states have the same bytes
//! exactly when some bijection of the pids and some allowed permutation of the members takes one to the other, where
//! the records of a group are a multiset. All of them are tried.

use std::collections::{BTreeMap, BTreeSet};

use fold::{Class, Column, Folder, Group, Hold, Kin, Link, NONE, Schema, Shape, Working};
use random::{Random, for_seeds};
use state::Relations;

/// What a token or a record is: the words that are in no group, and the records of each group, each as often
/// as it is there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Content {
    words: Vec<u32>,
    groups: Vec<BTreeMap<Content, u32>>,
}

/// Tokens by place with their numbers, and which pids are active.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Plain {
    active: Vec<bool>,
    tokens: BTreeMap<(usize, Content), u32>,
}

/// A state as it is written down, each record in some place of its group.
#[derive(Clone, Debug)]
struct Written {
    active: Vec<bool>,
    tokens: Vec<(usize, Vec<u32>)>,
}

fn schema(classes: &[Class]) -> Schema {
    use Column::{Member, OptionalMember, OptionalPid, Pid};
    let shape = |columns: &[&[Column]], groups: &[Group]| Shape {
        columns: columns.concat(),
        flow: false,
        hold: Hold::Root,
        groups: groups.to_vec(),
    };
    let nested = |group: Group, inner: Group| Group { groups: vec![inner], ..group };
    let data = Column::data(3);
    let mut places = vec![
        shape(&[&[Pid]], &[]),
        // Sets of one, sets of nobody, pairs.
        shape(&[&[Pid], &[OptionalPid; 3]], &[Group::new(1, 1, 3)]),
        shape(&[&[data], &[OptionalPid; 3]], &[Group::new(1, 1, 3)]),
        shape(&[&[Pid; 2]], &[Group::new(0, 1, 2)]),
        // Maps from pids to pids, and to data.
        shape(&[&[Pid], &[OptionalPid; 4]], &[Group::new(1, 2, 2)]),
        shape(&[&[OptionalPid; 4]], &[Group::new(0, 2, 2)]),
        shape(&[&[OptionalPid, data].repeat(2), &[Pid]], &[Group::new(0, 2, 2)]),
        // Sets of data, beside a set of pids.
        shape(&[&[data; 3], &[OptionalPid; 2]], &[Group::new(1, 1, 2), Group::new(3, 1, 2)]),
        // Maps from pids to sets of pids, and sets of sets of data and of pids.
        shape(
            &[&[Pid], &[OptionalPid, data, OptionalPid, OptionalPid].repeat(2)],
            &[nested(Group::new(1, 4, 2), Group::new(2, 1, 2))],
        ),
        shape(&[&[OptionalPid; 4]], &[nested(Group::new(0, 2, 2), Group::new(0, 1, 2))]),
        shape(
            &[&[OptionalPid, data, data].repeat(2)],
            &[nested(Group::new(0, 3, 2), Group::new(1, 1, 2))],
        ),
    ];
    if let Some(last) = (classes.len() as u32).checked_sub(1) {
        let entry = [OptionalMember(0), OptionalPid, OptionalMember(last)];
        places.extend([
            shape(&[&[Member(last)], &[OptionalMember(0); 3]], &[Group::new(1, 1, 3)]),
            shape(&[&[Member(0); 2]], &[Group::new(0, 1, 2)]),
            shape(&[&entry.repeat(2)], &[Group::new(0, 3, 2)]),
            shape(
                &[&[OptionalMember(last), OptionalMember(0), OptionalMember(0)].repeat(2)],
                &[nested(Group::new(0, 3, 2), Group::new(1, 1, 2))],
            ),
        ]);
    }
    Schema { places, classes: classes.to_vec() }
}

/// Every combination of classes that the tests go through.
fn all_classes() -> Vec<Vec<Class>> {
    let symmetric = |parts: &[u32]| Class::Symmetric(parts.to_vec());
    vec![
        vec![],
        vec![symmetric(&[4])],
        vec![symmetric(&[1, 3])],
        vec![Class::Cyclic(4)],
        vec![Class::Cyclic(3), symmetric(&[3])],
    ]
}

fn random_word(column: Column, schema: &Schema, pids: usize, random: &mut Random) -> u32 {
    if matches!(column, Column::OptionalPid | Column::OptionalMember(_)) && random.below(3) == 0 {
        return NONE;
    }
    random.below(match column {
        Column::Pid | Column::OptionalPid => pids as u32,
        Column::Data(_) => 2,
        Column::Member(class) | Column::OptionalMember(class) => {
            schema.classes[class as usize].size()
        }
    })
}

/// A state with tokens in few places, so that there are several in one.
fn random_state(schema: &Schema, random: &mut Random) -> Written {
    let pids = 1 + random.below(4) as usize;
    let active = (0..pids).map(|_| random.below(2) == 0).collect();
    // Every pid is in a token.
    let mut tokens: Vec<_> = (0..pids as u32).map(|pid| (0, vec![pid])).collect();
    let places = [(); 2].map(|()| 1 + random.below(schema.places.len() - 1));
    for _ in 0..1 + random.below(4) {
        let place = *random.pick(&places);
        let columns = schema.places[place].columns.iter();
        let words = columns.map(|&column| random_word(column, schema, pids, random)).collect();
        tokens.push((place, words));
    }
    Written { active, tokens }
}

/// The state with the records of all groups in another order.
fn shuffled(state: &Written, schema: &Schema, random: &mut Random) -> Written {
    let mut other = state.clone();
    for (place, words) in &mut other.tokens {
        shuffle(words, &schema.places[*place].groups, random);
    }
    other
}

fn shuffle(words: &mut [u32], groups: &[Group], random: &mut Random) {
    for group in groups {
        let all = &mut words[group.first..group.end()];
        let mut records: Vec<Vec<u32>> =
            all.chunks_exact(group.width).map(<[u32]>::to_vec).collect();
        records.iter_mut().for_each(|record| shuffle(record, &group.groups, random));
        random.shuffle(&mut records);
        all.copy_from_slice(&records.concat());
    }
}

/// The state with one word changed, or two exchanged.
fn changed(state: &Written, schema: &Schema, random: &mut Random) -> Written {
    let mut other = state.clone();
    let tokens = other.tokens.iter_mut().filter(|(place, _)| *place > 0);
    let mut tokens: Vec<_> = tokens.collect();
    let at = random.below(tokens.len());
    let (place, words) = &mut *tokens[at];
    let columns = &schema.places[*place].columns;
    let column = random.below(words.len());
    let likes: Vec<usize> = (0..words.len()).filter(|&at| columns[at] == columns[column]).collect();
    if random.below(2) == 0 {
        words.swap(column, *random.pick(&likes));
    } else {
        words[column] = random_word(columns[column], schema, state.active.len(), random);
    }
    other
}

fn content(words: &[u32], groups: &[Group]) -> Content {
    let is_in = |at: &usize| groups.iter().any(|group| (group.first..group.end()).contains(at));
    let bag = |group: &Group| {
        let mut bag = BTreeMap::new();
        for record in words[group.first..group.end()].chunks_exact(group.width) {
            *bag.entry(content(record, &group.groups)).or_default() += 1;
        }
        bag
    };
    let outside = (0..words.len()).filter(|at| !is_in(at)).map(|at| words[at]);
    Content { words: outside.collect(), groups: groups.iter().map(bag).collect() }
}

fn plain(state: &Written, schema: &Schema) -> Plain {
    let mut tokens = BTreeMap::new();
    for (place, words) in &state.tokens {
        let content = content(words, &schema.places[*place].groups);
        *tokens.entry((*place, content)).or_default() += 1;
    }
    Plain { active: state.active.clone(), tokens }
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

/// All choices of an allowed permutation for each class.
fn all_permutations(schema: &Schema) -> Vec<Vec<Vec<u32>>> {
    let mut choices: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
    for class in &schema.classes {
        let allowed = allowed(class);
        let extended = choices.iter().flat_map(|chosen| {
            allowed.iter().map(move |images| [&chosen[..], std::slice::from_ref(images)].concat())
        });
        choices = extended.collect();
    }
    choices
}

/// The state with pids and members renamed.
fn image(state: &Written, schema: &Schema, pids: &[u32], members: &[Vec<u32>]) -> Written {
    let mut active = vec![false; pids.len()];
    pids.iter().zip(&state.active).for_each(|(&to, &is_active)| active[to as usize] = is_active);
    let token = |(place, words): &(usize, Vec<u32>)| {
        let columns = schema.places[*place].columns.iter().zip(words);
        let words = columns.map(|(column, &word)| match column {
            _ if word == NONE => NONE,
            Column::Pid | Column::OptionalPid => pids[word as usize],
            Column::Data(_) => word,
            Column::Member(class) | Column::OptionalMember(class) => {
                members[*class as usize][word as usize]
            }
        });
        (*place, words.collect())
    };
    Written { active, tokens: state.tokens.iter().map(token).collect() }
}

fn are_equivalent(one: &Written, other: &Written, schema: &Schema) -> bool {
    let other = plain(other, schema);
    let pids = permutations(one.active.len() as u32, &|_, _| true);
    all_permutations(schema).iter().any(|members| {
        pids.iter().any(|pids| plain(&image(one, schema, pids, members), schema) == other)
    })
}

fn working(state: &Written, schema: &Schema) -> Working {
    let mut working = Working::new(schema, Relations::NONE);
    let none = Link::NONE;
    for &active in &state.active {
        working.kinship.add(Kin { active, ancestor: none, elder: none, youngest: none });
    }
    for (place, words) in &state.tokens {
        let mut words = words.clone();
        schema.places[*place].normalise(&mut words);
        assert!(working.put(*place, &words, 1));
    }
    working
}

fn written(working: &Working, schema: &Schema) -> Written {
    let mut tokens = Vec::new();
    for place in 0..schema.places.len() {
        for entry in working.entries(place) {
            tokens.extend((0..entry[0]).map(|_| (place, entry[1..].to_vec())));
        }
    }
    Written { active: working.kinship.kin().iter().map(|kin| kin.active).collect(), tokens }
}

/// How often states were said to be different and to be the same, by the bytes and by the definition; `seen` is what
/// folding is shown, which must be all of `schema`.
fn verdicts(schema: &Schema, seen: &Schema, seeds: u64) -> [[u32; 2]; 2] {
    let mut folder = Folder::new(seen, Relations::NONE);
    let mut bytes = |state: &Working| {
        let mut bytes = Vec::new();
        folder.fold(state, &mut bytes);
        bytes
    };
    let mut verdicts = [[0; 2]; 2];
    for_seeds(0..seeds, |_, random| {
        let one = random_state(schema, random);
        let of_one = bytes(&working(&one, seen));
        let renamed = working(&one, seen).renamed(seen, |n| random.below(n as u32) as usize);
        for _ in 0..3 {
            let mut other = shuffled(&written(&renamed, seen), schema, random);
            if random.below(4) > 0 {
                other = changed(&other, schema, random);
            }
            let verdict = bytes(&working(&other, seen)) == of_one;
            let expected = are_equivalent(&one, &other, schema);
            verdicts[usize::from(expected)][usize::from(verdict)] += 1;
        }
    });
    verdicts
}

#[test]
fn bytes_are_those_of_the_class_of_states() {
    for classes in all_classes() {
        let schema = schema(&classes);
        let verdicts = verdicts(&schema, &schema, 3_000);
        assert_eq!([verdicts[0][1], verdicts[1][0]], [0, 0], "{classes:?}: {verdicts:?}");
        assert!(verdicts[0][0] > 300 && verdicts[1][1] > 300, "one-sided: {verdicts:?}");
    }
}

/// The test is tested: who sees the order of records in a group, or within a record, takes states for different
/// that are the same; who sees a group where there is none takes different ones for the same.
#[test]
fn groups_left_out_or_made_up_are_noticed() {
    let whole = schema(&[]);
    for place in 1..whole.places.len() {
        let mut without = whole.clone();
        without.places[place].groups.clear();
        let too_fine = verdicts(&whole, &without, 2_000);
        assert_eq!(too_fine[0][1], 0, "place {place}: {too_fine:?}");
        assert!(too_fine[1][0] > 0, "nobody notices what is left out of place {place}");
        let too_coarse = verdicts(&without, &whole, 2_000);
        assert!(too_coarse[0][1] > 0, "nobody notices what is made up in place {place}");
    }
    for place in [8, 9, 10] {
        let mut flat = whole.clone();
        flat.places[place].groups[0].groups.clear();
        let too_fine = verdicts(&whole, &flat, 2_000);
        assert!(too_fine[1][0] > 0, "nobody notices what is left out of records in place {place}");
    }
}

#[test]
fn the_labelling_leads_to_what_is_unfolded() {
    for classes in all_classes() {
        let schema = schema(&classes);
        let mut folder = Folder::new(&schema, Relations::NONE);
        let mut unfolded = Working::new(&schema, Relations::NONE);
        for seed in 0..400 {
            let one = random_state(&schema, &mut Random::new(seed));
            let mut bytes = Vec::new();
            let pids = folder.fold(&working(&one, &schema), &mut bytes).to_vec();
            let members: Vec<Vec<u32>> = (0..classes.len()).map(|at| folder.members(at)).collect();
            folder.unfold(&bytes, &mut unfolded);
            let of = format!("{classes:?}, seed {seed}: {one:?}");
            let (image, back) =
                (image(&one, &schema, &pids, &members), written(&unfolded, &schema));
            assert_eq!(plain(&image, &schema), plain(&back, &schema), "{of}");
            for (place, words) in &back.tokens {
                let mut normal = words.clone();
                schema.places[*place].normalise(&mut normal);
                assert_eq!(*words, normal, "{of}: not in normal form");
            }
            for (class, images) in classes.iter().zip(&members) {
                assert!(allowed(class).contains(images), "{of}: {images:?}");
            }
        }
    }
}

#[test]
fn orbits_are_as_large_as_they_are() {
    for classes in all_classes().into_iter().skip(1) {
        let mut schema = schema(&classes);
        let holds_pids = |c: &Column| matches!(c, Column::Pid | Column::OptionalPid);
        schema.places.retain(|shape| !shape.columns.iter().any(holds_pids));
        let mut folder = Folder::new(&schema, Relations::NONE);
        for_seeds(0..150, |seed, random| {
            let mut state = Written { active: Vec::new(), tokens: Vec::new() };
            for _ in 0..1 + random.below(3) {
                let place = random.below(schema.places.len());
                let columns = schema.places[place].columns.iter();
                let words = columns.map(|&column| random_word(column, &schema, 0, random));
                state.tokens.push((place, words.collect()));
            }
            let images = all_permutations(&schema);
            let images = images.iter().map(|members| image(&state, &schema, &[], members));
            let images: BTreeSet<Plain> = images.map(|image| plain(&image, &schema)).collect();
            let orbit = folder.orbit(&working(&state, &schema)).expect("there are no pids");
            assert_eq!(orbit, images.len().into(), "{classes:?}, seed {seed}: {state:?}");
        });
    }
}

#[test]
fn sets_of_many_that_are_alike_are_folded() {
    // Threads that nothing tells apart but the ring of sets they are in, two in each.
    let schema = schema(&[]);
    let mut folder = Folder::new(&schema, Relations::NONE);
    let mut bytes = |order: &[u32]| {
        let mut working = Working::new(&schema, Relations::NONE);
        order.iter().for_each(|_| _ = working.kinship.add(Kin::STRANGER));
        for (i, &pid) in order.iter().enumerate() {
            let mut words = [0, pid, order[(i + 1) % order.len()], NONE];
            schema.places[2].normalise(&mut words);
            assert!(working.put(2, &words, 1));
        }
        let mut bytes = Vec::new();
        folder.fold(&working, &mut bytes);
        bytes
    };
    let one: Vec<u32> = (0..12).collect();
    let mut other = one.clone();
    Random::new(1).shuffle(&mut other);
    assert_eq!(bytes(&one), bytes(&other));
    let reversed: Vec<u32> = one.iter().rev().copied().collect();
    assert_eq!(bytes(&one), bytes(&reversed));
}
