//! Equivalence of states, by its definition.
//!
//! Two states are equivalent when there is a bijection `h` on pids and next pids that
//! 1. maps active pids to active pids, and `next(π)` to `next(h(π))`;
//! 2. preserves and reflects every relation in Ω: `parent` and `ancestor` on pids, the sibling
//!    relations on pids and next pids;
//! 3. maps the tokens of each place onto those of the other state, data unchanged, and members of classes
//!    as some allowed permutation does. The records of a group are a multiset.
//!
//! Objects are mapped as pids are that are not active: to objects of their class. They have no relations.
//!
//! All permutations of members and all bijections of pids are tried. A permutation is given up when a
//! member and its image differ in where they occur; a bijection when a pid and its image differ in that
//! or in activity, or when what is mapped so far breaks a relation or a token. A whole bijection is then
//! held against the three conditions as they stand. Relations are read off the digits, here. The cost is
//! exponential; nothing is shared with `fold` or `canon`.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use net::Group;
use state::{Relation, Relations, State, Value};

use crate::permutations::Permutations;

/// What is in a column, whatever pids and members are called.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kept {
    Pid,
    /// An object of a class.
    Object(String),
    /// A member: its class, and the least member that it may become.
    Member(usize, usize),
    Data(Value),
    /// The records of a group, each as often as it is there.
    Records(BTreeMap<Vec<Kept>, u32>),
}

/// Where a pid occurs: place, position, how often, and what is kept of the token. The position in a group is that of
/// the group, and that in the record.
type Occurrence = (String, Vec<usize>, u32, Vec<Kept>);

/// What `h` keeps of a pid whatever else it does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Looks {
    active: bool,
    occurrences: Vec<Occurrence>,
}

/// What equivalent states have in common: the looks of their pids, those of their members, and what is
/// kept of the tokens.
pub type Invariant = (Vec<Looks>, Vec<Vec<u64>>, Vec<(String, Vec<Kept>, u32)>);

/// A component of a token: pids and objects by index, members by class and index.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Component {
    Pid(usize),
    Member(usize, usize),
    Data(Value),
    /// The records of a group, each as often as it is there.
    Records(BTreeMap<Vec<Component>, u32>),
}

impl Component {
    fn mentions(&self, pid: usize) -> bool {
        match self {
            Component::Pid(other) => *other == pid,
            Component::Records(records) => {
                records.keys().flatten().any(|component| component.mentions(pid))
            }
            Component::Member(..) | Component::Data(_) => false,
        }
    }
}

/// A token or a record: what `one` makes of each value that is in no group, and what `records` makes of what is
/// made of the records of each group. `one` is told the position.
fn gathered<T: Ord>(
    values: &[Value],
    groups: &[Group],
    position: &[usize],
    one: &mut dyn FnMut(&[usize], &Value) -> T,
    records: &dyn Fn(BTreeMap<Vec<T>, u32>) -> T,
) -> Vec<T> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < values.len() {
        let mut position = [position, &[at]].concat();
        if let Some(group) = groups.iter().find(|group| group.first == at) {
            let mut bag = BTreeMap::new();
            for record in values[at..group.end()].chunks(group.width) {
                *bag.entry(gathered(record, &group.groups, &position, one, records))
                    .or_insert(0) += 1;
            }
            all.push(records(bag));
            at = group.end();
        } else {
            all.push(one(&position, &values[at]));
            position.clear();
            at += 1;
        }
    }
    all
}

/// A state made ready to be compared.
pub struct Compared<'a> {
    permutations: &'a Permutations,
    /// The pids and objects present, and after them the next pids.
    atoms: Vec<Value>,
    present: usize,
    /// For each present pid, its next pid by index, if it is active.
    next: Vec<Option<usize>>,
    looks: Vec<Looks>,
    /// A hash of where each member of each class occurs.
    members: Vec<Vec<u64>>,
    kept: Vec<(String, Vec<Kept>, u32)>,
    places: Vec<(String, BTreeMap<Vec<Component>, u32>)>,
    /// The relations of Ω from one atom to another, as bits.
    related: Vec<Vec<u8>>,
}

fn is_related(relation: Relation, a: &[u32], b: &[u32]) -> bool {
    let siblings = a.len() == b.len() && a[..a.len() - 1] == b[..b.len() - 1];
    let (last_a, last_b) = (a[a.len() - 1], b[b.len() - 1]);
    match relation {
        Relation::Parent => a.len() + 1 == b.len() && a == &b[..a.len()],
        Relation::Ancestor => a.len() < b.len() && a == &b[..a.len()],
        Relation::NextSibling => siblings && last_a + 1 == last_b,
        Relation::ElderSibling => siblings && last_a < last_b,
    }
}

impl<'a> Compared<'a> {
    pub fn new(state: &State, relations: Relations, permutations: &'a Permutations) -> Self {
        let is_object = |value: &&Value| matches!(value, Value::Object(..));
        let mut present: BTreeSet<Value> = state.values().filter(is_object).cloned().collect();
        present.extend(state.pids().into_iter().map(Value::Pid));
        let mut atoms: Vec<Value> = present.into_iter().collect();
        let present = atoms.len();
        let mut next = vec![None; present];
        for i in 0..present {
            let Value::Pid(pid) = &atoms[i] else { continue };
            if let Some(&children) = state.eta().get(pid) {
                next[i] = Some(atoms.len());
                atoms.push(Value::Pid(pid.child(children + 1)));
            }
        }
        let index = |atom: &Value| atoms[..present].binary_search(atom).expect("it is present");
        let mut occurrences: Vec<Vec<Occurrence>> = vec![Vec::new(); present];
        let absent = |&size: &usize| vec![Vec::new(); size];
        let mut members: Vec<Vec<Vec<Occurrence>>> =
            permutations.sizes().iter().map(absent).collect();
        let mut places = Vec::new();
        let mut all_kept = Vec::new();
        for place in state.marked() {
            let mut tokens = BTreeMap::new();
            for (token, count) in state.tokens(place) {
                let kept = |value: &Value| match permutations.member(value) {
                    Some((class, member)) => Kept::Member(class, permutations.least(class, member)),
                    None => match value {
                        Value::Pid(_) => Kept::Pid,
                        Value::Object(class, _) => Kept::Object(class.to_string()),
                        datum => Kept::Data(datum.clone()),
                    },
                };
                let groups = permutations.groups(place);
                let kept =
                    gathered(token, groups, &[], &mut |_, value| kept(value), &Kept::Records);
                let mut component = |position: &[usize], value: &Value| {
                    let occurrence = || (place.to_string(), position.to_vec(), count, kept.clone());
                    match value {
                        Value::Pid(_) | Value::Object(..) => {
                            occurrences[index(value)].push(occurrence());
                            Component::Pid(index(value))
                        }
                        other => match permutations.member(other) {
                            Some((class, member)) => {
                                members[class][member].push(occurrence());
                                Component::Member(class, member)
                            }
                            None => Component::Data(other.clone()),
                        },
                    }
                };
                let components = gathered(token, groups, &[], &mut component, &Component::Records);
                all_kept.push((place.to_string(), kept, count));
                tokens.insert(components, count);
            }
            places.push((place.to_string(), tokens));
        }
        let looks = occurrences.into_iter().zip(&next).map(|(mut occurrences, next)| {
            occurrences.sort();
            Looks { active: next.is_some(), occurrences }
        });
        let bits = |a: usize, b: usize| {
            relations.iter().fold(0, |bits, relation| {
                let everywhere = matches!(relation, Relation::NextSibling | Relation::ElderSibling);
                let within = everywhere || a < present && b < present;
                let holds = match (&atoms[a], &atoms[b]) {
                    (Value::Pid(a), Value::Pid(b)) => {
                        within && is_related(relation, a.digits(), b.digits())
                    }
                    _ => false,
                };
                bits | u8::from(holds) << relation as u8
            })
        };
        let related = (0..atoms.len()).map(|a| (0..atoms.len()).map(|b| bits(a, b)).collect());
        all_kept.sort();
        let hash = |mut occurrences: Vec<Occurrence>| {
            occurrences.sort();
            let mut hasher = DefaultHasher::new();
            occurrences.hash(&mut hasher);
            hasher.finish()
        };
        let members = members.into_iter().map(|class| class.into_iter().map(hash).collect());
        Compared {
            members: members.collect(),
            permutations,
            kept: all_kept,
            related: related.collect(),
            looks: looks.collect(),
            places,
            next,
            present,
            atoms,
        }
    }

    /// The same for equivalent states, and cheap.
    pub fn invariant(&self) -> Invariant {
        let mut looks = self.looks.clone();
        looks.sort();
        let mut members = self.members.clone();
        members.iter_mut().for_each(|class| class.sort_unstable());
        (looks, members, self.kept.clone())
    }
}

/// Whether two states are equivalent.
pub fn equivalent(one: &Compared, other: &Compared) -> bool {
    if one.present != other.present || one.atoms.len() != other.atoms.len() {
        return false;
    }
    one.permutations.all().iter().any(|images| {
        let mut search = Search { one, other, images, h: vec![None; one.atoms.len()] };
        // Tokens without pids need not wait for them.
        search.members_fit() && search.tokens_fit(None) && search.extend(0)
    })
}

struct Search<'a> {
    one: &'a Compared<'a>,
    other: &'a Compared<'a>,
    /// The images of the members of each class.
    images: &'a [Vec<usize>],
    /// The image of each atom.
    h: Vec<Option<usize>>,
}

impl Search<'_> {
    /// Whether members seem to occur where their images do.
    fn members_fit(&self) -> bool {
        let classes = self.one.members.iter().zip(&self.other.members).zip(self.images);
        classes.into_iter().all(|((one, other), images)| {
            one.iter().zip(images).all(|(hash, &image)| *hash == other[image])
        })
    }

    /// Whether `h`, which maps the pids before `pid` and their next pids, can be completed.
    fn extend(&mut self, pid: usize) -> bool {
        if pid == self.one.present {
            return self.is_equivalence();
        }
        for image in 0..self.other.present {
            if !self.h[..pid].contains(&Some(image))
                && self.one.looks[pid] == self.other.looks[image]
            {
                self.h[pid] = Some(image);
                if let Some(next) = self.one.next[pid] {
                    self.h[next] = self.other.next[image];
                }
                if self.may_go_on(pid) && self.extend(pid + 1) {
                    return true;
                }
                if let Some(next) = self.one.next[pid] {
                    self.h[next] = None;
                }
                self.h[pid] = None;
            }
        }
        false
    }

    /// Whether nothing is broken yet, now that `pid` is mapped.
    fn may_go_on(&self, pid: usize) -> bool {
        let relations = [Some(pid), self.one.next[pid]].into_iter().flatten().all(|a| {
            (0..self.h.len()).all(|b| match (self.h[a], self.h[b]) {
                (Some(x), Some(y)) => {
                    self.one.related[a][b] == self.other.related[x][y]
                        && self.one.related[b][a] == self.other.related[y][x]
                }
                _ => true,
            })
        });
        relations && self.tokens_fit(Some(pid))
    }

    /// Whether the tokens (those that name `pid`, if it is given) are mapped to tokens that are there
    /// as often. Tokens with a pid that is not mapped yet are passed over.
    fn tokens_fit(&self, pid: Option<usize>) -> bool {
        self.one.places.iter().zip(&self.other.places).all(|((_, tokens), (_, others))| {
            tokens.iter().all(|(token, count)| {
                if pid.is_some_and(|pid| !token.iter().any(|one| one.mentions(pid))) {
                    return true;
                }
                self.image(token).is_none_or(|image| others.get(&image) == Some(count))
            })
        })
    }

    /// The image of a token or a record; nothing if a pid is not mapped yet.
    fn image(&self, components: &[Component]) -> Option<Vec<Component>> {
        let image = components.iter().map(|component| match component {
            Component::Pid(pid) => self.h[*pid].map(Component::Pid),
            Component::Member(class, member) => {
                Some(Component::Member(*class, self.images[*class][*member]))
            }
            Component::Data(value) => Some(Component::Data(value.clone())),
            Component::Records(records) => {
                let images = records.iter().map(|(record, n)| Some((self.image(record)?, *n)));
                images.collect::<Option<_>>().map(Component::Records)
            }
        });
        image.collect()
    }

    /// The definition.
    fn is_equivalence(&self) -> bool {
        let (one, other) = (self.one, self.other);
        let Some(h) = self.h.iter().copied().collect::<Option<Vec<usize>>>() else { return false };
        let images: BTreeSet<usize> = h.iter().copied().collect();
        let is_bijection = images.len() == h.len() && h.len() == other.atoms.len();
        let keeps_activity = (0..one.present).all(|pid| match one.next[pid] {
            Some(next) => h[pid] < other.present && other.next[h[pid]] == Some(h[next]),
            None => h[pid] < other.present && other.next[h[pid]].is_none(),
        });
        let keeps_relations = (0..h.len())
            .all(|a| (0..h.len()).all(|b| one.related[a][b] == other.related[h[a]][h[b]]));
        let same_places = one.places.len() == other.places.len()
            && one.places.iter().zip(&other.places).all(|((name, tokens), (other, others))| {
                name == other && tokens.len() == others.len()
            });
        is_bijection && keeps_activity && keeps_relations && same_places && self.tokens_fit(None)
    }
}

/// The classes of equivalent states.
pub struct Classes {
    /// The class of each state.
    pub class_of: Vec<usize>,
    /// The first state of each class.
    pub first: Vec<usize>,
}

/// Sorts states into classes: each is compared with the first of every class that has the same
/// invariant, until one is found.
pub fn classes(states: &[Compared]) -> Classes {
    let mut buckets: BTreeMap<Invariant, Vec<usize>> = BTreeMap::new();
    let mut found = Classes { class_of: Vec::new(), first: Vec::new() };
    for (i, state) in states.iter().enumerate() {
        let bucket = buckets.entry(state.invariant()).or_default();
        let class = bucket.iter().find(|&&class| equivalent(state, &states[found.first[class]]));
        let class = class.copied().unwrap_or_else(|| {
            bucket.push(found.first.len());
            found.first.push(i);
            found.first.len() - 1
        });
        found.class_of.push(class);
    }
    found
}
