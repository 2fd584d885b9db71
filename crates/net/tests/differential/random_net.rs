//! Random thread nets.
//!
//! A net has a few flow places, some with data or a further pid behind the thread, ordinary places
//! whose tokens name up to three pids, one to three start threads, and three to seven transitions. The
//! place `fuel` holds black tokens: most transitions that create threads or tokens burn some, and
//! some that end threads give some back, so that most nets stay small, and those that do not grow
//! slowly. The four lowest bits of the seed choose Ω, the relations that the net may use are a
//! random part of it.

use std::sync::Arc as Shared;

use net::{
    Column, EnumId, Enumeration, InitialToken, InitialValue, Literal, Net, Place, PlaceId,
    PlaceKind, Sort, StartThread,
};
use state::{Relation, Relations};

use crate::random::Random;
use crate::random_transition::random_transition;

/// The place of black tokens.
pub const FUEL: PlaceId = PlaceId(0);

/// How many candidates are looked at, the last of which is taken in any case.
const CANDIDATES: usize = 6;

/// A net, and what it is folded by.
pub struct RandomNet {
    pub net: Shared<Net>,
    pub relations: Relations,
}

/// The net of a seed: the first of a few candidates that is not dull.
pub fn random_net(seed: u64, is_dull: impl Fn(&Net) -> bool) -> RandomNet {
    let relations = Relations::every().nth((seed % 16) as usize).expect("there are sixteen");
    let random = &mut Random::new(seed);
    let mut candidate = || candidate(relations, random);
    let mut net = candidate();
    for _ in 1..CANDIDATES {
        if !is_dull(&net) {
            break;
        }
        net = candidate();
    }
    net.name = format!("random_{seed}");
    let breaches = net.check();
    assert!(breaches.is_empty(), "seed {seed} makes no thread net: {breaches:?}");
    assert!(relations.includes(net.relations()), "seed {seed}");
    RandomNet { net: net.into(), relations }
}

fn candidate(relations: Relations, random: &mut Random) -> Net {
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
    places(&mut net, random);
    marking(&mut net, random);
    for number in 0..3 + random.below(5) {
        let transition = random_transition(&net, &observed, number, random);
        net.transitions.push(transition);
    }
    net
}

fn places(net: &mut Net, random: &mut Random) {
    let mut place = |name: String, kind: PlaceKind, sorts: Vec<Sort>| {
        let columns = sorts.into_iter().map(|sort| Column { name: None, sort }).collect();
        net.places.push(Place { name: name.into(), kind, columns });
    };
    place("fuel".into(), PlaceKind::Ordinary, Vec::new());
    for i in 0..2 + random.below(3) {
        let further = random.weighted(&[45, 40, 15]);
        let sorts = (0..further).map(|_| random_sort(30, random));
        let sorts = std::iter::once(Sort::Pid).chain(sorts).collect();
        place(format!("f{i}"), PlaceKind::Flow, sorts);
    }
    for i in 0..1 + random.below(3) {
        let width = random.weighted(&[5, 30, 45, 20]);
        let sorts = (0..width).map(|_| random_sort(65, random)).collect();
        place(format!("p{i}"), PlaceKind::Ordinary, sorts);
    }
}

/// A sort, `pids` times in a hundred that of pids.
pub fn random_sort(pids: usize, random: &mut Random) -> Sort {
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

/// A datum of a sort; none of that of pids.
pub fn random_literal(net: &Net, sort: Sort, random: &mut Random) -> Option<Literal> {
    match sort {
        Sort::Pid => None,
        Sort::Int { min, max } => {
            Some(Literal::Int(min + random.below((max - min + 1) as usize) as i64))
        }
        Sort::Bool => Some(Literal::Bool(random.percent(50))),
        Sort::Enum(id) => {
            let members = net.enumerations[id.index()].members.len();
            Some(Literal::Enum(id, random.below(members) as u32))
        }
    }
}

/// The places of a kind.
pub fn places_of(net: &Net, kind: PlaceKind) -> Vec<PlaceId> {
    let ids = (0..).map(PlaceId).zip(&net.places);
    ids.filter(|(id, place)| place.kind == kind && *id != FUEL).map(|(id, _)| id).collect()
}

fn marking(net: &mut Net, random: &mut Random) {
    let threads = 1 + random.weighted(&[35, 45, 20]);
    let value = |net: &Net, sort: Sort, random: &mut Random| {
        let thread = InitialValue::Thread(random.below(threads));
        random_literal(net, sort, random).map_or(thread, InitialValue::Data)
    };
    for _ in 0..threads {
        let place = *random.pick(&places_of(net, PlaceKind::Flow));
        let columns = net.place(place).columns[1..].iter();
        let values = columns.map(|column| value(net, column.sort, random)).collect();
        net.start.push(StartThread { place, values });
    }
    let count = 2 + random.below(3) as u32;
    net.tokens.push(InitialToken::new(FUEL, Vec::new(), count));
    for _ in 0..random.below(4) {
        let place = *random.pick(&places_of(net, PlaceKind::Ordinary));
        let columns = net.place(place).columns.iter();
        let values = columns.map(|column| value(net, column.sort, random)).collect();
        let count = 1 + random.weighted(&[70, 30]) as u32;
        net.tokens.push(InitialToken::new(place, values, count));
    }
}
