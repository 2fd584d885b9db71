//! Random thread nets.
//!
//! A net has a few flow places, some with data or a further pid behind the thread, ordinary places
//! whose tokens name up to three pids, one to three start threads, and three to seven transitions. The
//! place `fuel` holds black tokens: most transitions that create threads or tokens burn some, and
//! some that end threads give some back, so that most nets stay small, and those that do not grow
//! slowly. Some transitions are probes, which never fire. The four lowest bits of the seed choose Ω, the relations that the net may use are a
//! random part of it.
//!
//! Nets with classes have one or two besides: symmetric, with and without parts, or cyclic. Their members
//! are in tokens as data are, but the model names only those that are a part of their own; places start
//! with a token for each member, or for each pair. Some nets without threads have a flow place all the same.
//!
//! Nets with objects have one or two fresh classes, columns that may be nothing, and places that are owned by a
//! thread or an object. Nets with groups have all of these, and groups of columns.

use std::sync::Arc as Shared;

use net::{
    BinaryOp, Column, EnumId, Enumeration, Expr, Fate, FreshClass, FreshId, Hold, InitialToken,
    InitialValue, Kind, Literal, Net, Part, Participant, Place, PlaceId, PlaceKind, Sort,
    StartThread, Symmetry, Transition, Var, Variable,
};
use random::Random;
use state::{Relation, Relations};

use crate::random_groups::group_places;
use crate::random_transition::random_transition;

/// The place of black tokens.
pub const FUEL: PlaceId = PlaceId(0);

/// How many candidates are looked at, the last of which is taken in any case.
const CANDIDATES: usize = 6;

/// A net, and what it is folded by.
pub struct RandomNet {
    pub net: Shared<Net>,
    pub relations: Relations,
    pub ingredients: Ingredients,
}

/// What a net is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ingredients {
    Threads,
    Classes,
    ThreadsAndClasses,
    Objects,
    Groups,
}

/// The net of a seed: the first of a few candidates that is not dull.
pub fn random_net(
    seed: u64,
    ingredients: Ingredients,
    is_dull: impl Fn(&Net) -> bool,
) -> RandomNet {
    let relations = Relations::every().nth((seed % 16) as usize).expect("there are sixteen");
    let random = &mut Random::new(seed);
    let mut candidate = || candidate(relations, ingredients, random);
    let mut net = candidate();
    let candidates = match ingredients {
        Ingredients::Objects | Ingredients::Groups => 20,
        _ => CANDIDATES,
    };
    for _ in 1..candidates {
        if !is_dull(&net) {
            break;
        }
        net = candidate();
    }
    if ingredients == Ingredients::Classes && random.percent(20) {
        forget_to_start(&mut net, random);
    }
    net.name = format!("random_{seed}");
    let breaches = net.check();
    assert!(breaches.is_empty(), "seed {seed} makes no thread net: {breaches:?}");
    assert!(relations.includes(net.relations()), "seed {seed}");
    RandomNet { net: net.into(), relations, ingredients }
}

fn candidate(relations: Relations, ingredients: Ingredients, random: &mut Random) -> Net {
    let observed: Vec<Relation> = relations.iter().filter(|_| random.percent(75)).collect();
    let mut net = Net::default();
    for (e, size) in [2 + random.below(2), 2].into_iter().enumerate() {
        let members = (0..size).map(|m| format!("e{e}m{m}").into()).collect();
        net.enumerations.push(Enumeration {
            name: format!("E{e}"),
            members,
            ..Enumeration::default()
        });
    }
    if ingredients == Ingredients::Groups {
        net.fresh.push(FreshClass { name: "O0".into() });
        if random.percent(40) {
            let class = random_class(0, random);
            net.enumerations.push(class);
        }
        group_places(&mut net, random);
    } else if ingredients == Ingredients::Objects {
        let class = |c: usize| FreshClass { name: format!("O{c}").into() };
        net.fresh = (0..1 + random.below(2)).map(class).collect();
        object_places(&mut net, random);
    } else if ingredients != Ingredients::Threads {
        for c in 0..1 + random.weighted(&[60, 40]) {
            let class = random_class(c, random);
            net.enumerations.push(class);
        }
    }
    let has_threads = ingredients != Ingredients::Classes;
    if net.places.is_empty() {
        places(&mut net, has_threads, random);
    }
    marking(&mut net, has_threads, random);
    let (least, more) = match ingredients {
        Ingredients::Objects => (5, 5),
        Ingredients::Groups => (5, 4),
        Ingredients::Threads => (3, 5),
        _ => (3, 3),
    };
    for number in 0..least + random.below(more) {
        let mut transition = random_transition(&net, &observed, number, random);
        // Nets without threads are for engines that know neither probes nor tokens that inhibit together.
        transition.probe = has_threads && number > 2 && random.percent(15);
        net.transitions.push(transition);
    }
    net
}

/// Adds a flow place in which no thread ever is, and perhaps a transition that waits for one.
fn forget_to_start(net: &mut Net, random: &mut Random) {
    let columns = vec![Column::of(Sort::Pid)];
    net.places.push(Place::new("unused", PlaceKind::Flow, columns));
    if random.percent(60) {
        let thread = Var(0);
        net.transitions.push(Transition {
            name: "never".into(),
            variables: vec![Variable::new("t", Kind::Pid)],
            participants: vec![Participant {
                thread,
                from: PlaceId(net.places.len() as u32 - 1),
                pattern: Vec::new(),
                fate: if random.percent(50) { Fate::End } else { Fate::Stay },
                passive: false,
            }],
            ..Transition::default()
        });
    }
}

/// A class with few permutations.
fn random_class(number: usize, random: &mut Random) -> Enumeration {
    let cyclic = random.percent(40);
    let sizes: &[&[u32]] = match (cyclic, random.percent(50)) {
        _ if number > 0 => &[&[2], &[3]],
        (true, _) => &[&[2], &[3], &[4], &[5]],
        (false, true) => &[&[2], &[3], &[3], &[4]],
        (false, false) => &[&[1, 2], &[1, 3], &[2, 2], &[2, 1, 1], &[1, 1], &[3, 2]],
    };
    let sizes = *random.pick(sizes);
    let part = |(i, &size): (usize, &u32)| Part { name: format!("C{number}P{i}"), size };
    let parts = if sizes.len() > 1 { sizes.iter().enumerate().map(part).collect() } else { vec![] };
    let symmetry = if cyclic { Symmetry::Rotations } else { Symmetry::Full };
    let members = (0..sizes.iter().sum()).map(|m: u32| format!("c{number}m{m}").into()).collect();
    Enumeration { name: format!("C{number}"), members, symmetry, parts, round: false }
}

fn places(net: &mut Net, has_threads: bool, random: &mut Random) {
    let classes = classes(net);
    let mut place = |name: String, kind: PlaceKind, sorts: Vec<Sort>| {
        let columns = sorts.into_iter().map(|sort| Column::of(sort)).collect();
        net.places.push(Place::new(name, kind, columns));
    };
    place("fuel".into(), PlaceKind::Ordinary, Vec::new());
    let flows = if has_threads { 2 + random.below(3) } else { 0 };
    for i in 0..flows {
        let further = random.weighted(&[45, 40, 15]);
        let sorts = (0..further).map(|_| match classes.is_empty() {
            true => random_sort(30, random),
            // Threads start in the first place, so it holds no members.
            false if i == 0 => random_sort(25, random),
            false => random_sort_with(&classes, 20, random),
        });
        let sorts = std::iter::once(Sort::Pid).chain(sorts).collect();
        place(format!("f{i}"), PlaceKind::Flow, sorts);
    }
    for i in 0..1 + random.below(3) + usize::from(!has_threads) {
        let width = random.weighted(&[5, 30, 45, 20]);
        let sorts = (0..width).map(|_| match classes.is_empty() {
            true => random_sort(65, random),
            false if has_threads => random_sort_with(&classes, 35, random),
            false => random_sort_with(&classes, 0, random),
        });
        place(format!("p{i}"), PlaceKind::Ordinary, sorts.collect());
    }
}

/// Places for objects, for what may be nothing, and for what is owned.
fn object_places(net: &mut Net, random: &mut Random) {
    let classes = net.fresh.len() as u32;
    let atom = |random: &mut Random| match random.percent(40) {
        true => Sort::Pid,
        false => Sort::Object(FreshId(random.below(classes))),
    };
    let column = |random: &mut Random| {
        let sort = if random.percent(70) { atom(random) } else { random_sort(0, random) };
        Column { optional: random.percent(35), ..Column::of(sort) }
    };
    net.places.push(Place::new("fuel", PlaceKind::Ordinary, Vec::new()));
    for i in 0..2 + random.below(3) {
        let further = random.weighted(&[25, 45, 30]);
        let mut columns = vec![Column::of(Sort::Pid)];
        columns.extend((0..further).map(|_| column(random)));
        net.places.push(Place::new(format!("f{i}"), PlaceKind::Flow, columns));
    }
    for i in 0..2 + random.below(3) {
        let mut columns: Vec<Column> = (0..random.below(3)).map(|_| column(random)).collect();
        // The first is no weak one, from which nothing is taken.
        let hold = match random.weighted(&[30, 65, if i > 0 { 8 } else { 0 }]) {
            0 => Hold::Root,
            1 => {
                let at = random.below(columns.len() + 1);
                columns.insert(at, Column::of(atom(random)));
                Hold::Owned(at)
            }
            _ => Hold::Weak,
        };
        let place = Place::new(format!("p{i}"), PlaceKind::Ordinary, columns);
        net.places.push(Place { hold, ..place });
    }
}

/// The enumerations with a symmetry.
pub fn classes(net: &Net) -> Vec<EnumId> {
    let ids = (0..).map(EnumId).zip(&net.enumerations);
    ids.filter(|(_, class)| class.symmetry != Symmetry::None).map(|(id, _)| id).collect()
}

/// A sort, `pids` times in a hundred that of pids, and most other times a class.
fn random_sort_with(classes: &[EnumId], pids: u32, random: &mut Random) -> Sort {
    if random.percent(pids) {
        Sort::Pid
    } else {
        match random.weighted(&[66, 24, 10]) {
            0 => Sort::Enum(*random.pick(classes)),
            1 => Sort::Enum(EnumId(0)),
            _ => random_sort(0, random),
        }
    }
}

/// A sort, `pids` times in a hundred that of pids.
pub fn random_sort(pids: u32, random: &mut Random) -> Sort {
    if random.percent(pids) {
        return Sort::Pid;
    }
    match random.weighted(&[50, 20, 20, 10]) {
        0 => {
            let min = *random.pick(&[0, 0, -1, 5]);
            Sort::Int { min, max: min + 1 + random.below(2) as i64 }
        }
        1 => Sort::Bool,
        2 => Sort::Enum(EnumId(0)),
        _ => Sort::Enum(EnumId(1)),
    }
}

/// A datum of a sort that the model may name; none of that of pids.
pub fn random_literal(net: &Net, sort: Sort, random: &mut Random) -> Option<Literal> {
    match sort {
        Sort::Pid | Sort::Object(_) => None,
        Sort::Int { min, max } => {
            Some(Literal::Int(min + random.below((max - min + 1) as usize) as i64))
        }
        Sort::Bool => Some(Literal::Bool(random.percent(50))),
        Sort::Enum(id) => {
            let enumeration = &net.enumerations[id.index()];
            let may_be_named = |member: &u32| match enumeration.symmetry {
                Symmetry::None => true,
                Symmetry::Full => enumeration.part_of(*member).len() == 1,
                Symmetry::Rotations => false,
            };
            let members = 0..enumeration.members.len() as u32;
            let members: Vec<u32> = members.filter(may_be_named).collect();
            (!members.is_empty()).then(|| Literal::Enum(id, *random.pick(&members)))
        }
    }
}

/// The places of a kind.
pub fn places_of(net: &Net, kind: PlaceKind) -> Vec<PlaceId> {
    let ids = (0..).map(PlaceId).zip(&net.places);
    ids.filter(|(id, place)| place.kind == kind && *id != FUEL).map(|(id, _)| id).collect()
}

fn marking(net: &mut Net, has_threads: bool, random: &mut Random) {
    let threads = if has_threads { 1 + random.weighted(&[35, 45, 20]) } else { 0 };
    let objects: Vec<FreshId> =
        (0..2 * net.fresh.len()).map(|number| FreshId(number as u32 / 2)).collect();
    let value = |net: &Net, column: &Column, random: &mut Random| {
        if column.optional && random.percent(40) {
            return Some(InitialValue::Data(Literal::None(column.sort.into())));
        }
        match column.sort {
            Sort::Pid => Some(InitialValue::Thread(random.below(threads))),
            Sort::Object(class) => Some(InitialValue::Object(2 * class.index() + random.below(2))),
            sort => {
                let nothing = column.optional.then(|| Literal::None(sort.into()));
                random_literal(net, sort, random).or(nothing).map(InitialValue::Data)
            }
        }
    };
    net.objects = objects;
    for _ in 0..threads {
        let mut place = *random.pick(&places_of(net, PlaceKind::Flow));
        let values = |net: &Net, place: PlaceId, random: &mut Random| {
            let columns = net.place(place).columns[1..].iter();
            columns.map(|column| value(net, column, random)).collect()
        };
        let mut chosen: Option<Vec<InitialValue>> = values(net, place, random);
        if chosen.is_none() {
            place = places_of(net, PlaceKind::Flow)[0];
            chosen = values(net, place, random);
        }
        let values = chosen.expect("no members are in the first place");
        net.start.push(StartThread { place, values });
    }
    // Where there are classes, there is one token for each of their members, and a mode for each.
    let (fuel, most) = match () {
        () if !net.fresh.is_empty() => (4 + random.below(3), 8),
        () if classes(net).is_empty() => (2 + random.below(3), 4),
        () => (1 + random.below(2), 3),
    };
    net.tokens.push(InitialToken::new(FUEL, Vec::new(), fuel as u32));
    for _ in 0..random.below(most) + usize::from(!has_threads) {
        let place = *random.pick(&places_of(net, PlaceKind::Ordinary));
        let count = 1 + random.weighted(&[70, 30]) as u32;
        let mut token = InitialToken::new(place, Vec::new(), count);
        for column in net.place(place).columns.clone() {
            let value = match (column.sort, value(net, &column, random)) {
                (_, Some(value)) if random.percent(80) => value,
                (Sort::Enum(id), _) => each(&mut token, id, random),
                (_, value) => value.expect("only members have no value"),
            };
            token.values.push(value);
        }
        if let [a, b] = token.each[..]
            && a == b
            && random.percent(40)
        {
            let [a, b] = [0, 1].map(|index| Expr::Var(Var(index)));
            token.condition = Some(Expr::binary(BinaryOp::NotEqual, a, b));
        }
        net.tokens.push(token);
    }
}

/// A component that goes through all members, perhaps together with one before it.
fn each(token: &mut InitialToken, id: EnumId, random: &mut Random) -> InitialValue {
    let before = token.each.iter().position(|&other| other == id);
    match before {
        Some(index) if random.percent(60) => InitialValue::Each(index),
        _ => {
            token.each.push(id);
            InitialValue::Each(token.each.len() - 1)
        }
    }
}
