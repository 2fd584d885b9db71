//! Between symbolic markings and concrete ones.
//!
//! Elements are numbered within their class, those of one static subclass after those of the one
//! before. Cost follows the number of elements and tokens here: this is for people, for runs that
//! are shown, and for tests.

use crate::explicit::marking::Marking;
use crate::explicit::rules::{Column, Kind, Rules};
use crate::word::{MOST_SUBCLASSES, dynamic, word};
use crate::{PlaceId, SymbolicSpace};

/// Tokens of one kind, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tokens {
    /// The place.
    pub place: PlaceId,
    /// The elements, by number.
    pub tuple: Vec<u32>,
    /// How many.
    pub count: u32,
}

/// Why a concrete marking is not one of the net, or cannot be looked at element by element.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoMarking(pub String);

impl SymbolicSpace {
    /// The canonical bytes of the symbolic marking that a concrete one belongs to.
    ///
    /// # Errors
    ///
    /// If it is not a marking of the net.
    pub fn fold(&mut self, tokens: &[Tokens]) -> Result<Vec<u8>, NoMarking> {
        let rules = self.rules.clone();
        let mut marking = Marking::default();
        // Each element is a dynamic subclass at first; where those of each class begin.
        let mut first = vec![0; rules.classes.len()];
        for (id, subclass) in rules.subclasses.iter().enumerate() {
            if id == 0 || rules.subclasses[id - 1].class != subclass.class {
                first[subclass.class as usize] = marking.sizes.len() as u32;
            }
            let elements = marking.sizes.len() + subclass.size as usize;
            if elements > MOST_SUBCLASSES {
                let problem = "symmetric classes have more than 2^24 elements";
                return Err(NoMarking(problem.to_owned()));
            }
            marking.sizes.resize(elements, 1);
            marking.subclasses.resize(elements, id as u32);
        }
        let mut by_place: Vec<Vec<&Tokens>> = vec![Vec::new(); rules.places.len()];
        for here in tokens {
            let Tokens { place, tuple, .. } = here;
            let Some(info) = rules.places.get(place.0 as usize) else {
                return Err(NoMarking(format!("there is no place {}", place.0)));
            };
            let fits = tuple.len() == info.columns.len()
                && tuple.iter().zip(&info.columns).all(|(&element, c)| element < c.size);
            if !fits {
                let problem = format!("{tuple:?} is not in the domain of place {}", place.0);
                return Err(NoMarking(problem));
            }
            by_place[place.0 as usize].push(here);
        }
        marking.ranges.resize(rules.places.len(), (0, 0));
        for ((id, info), mut here) in (0..).zip(&rules.places).zip(by_place) {
            here.sort_unstable();
            let from = marking.words.len() as u32;
            for same in here.chunk_by(|a, b| a.tuple == b.tuple) {
                let Tokens { place, tuple, .. } = same[0];
                let count: u64 = same.iter().map(|tokens| u64::from(tokens.count)).sum();
                let Ok(count) = u32::try_from(count) else {
                    let problem =
                        format!("place {} holds {tuple:?} more than 2^32 - 1 times", place.0);
                    return Err(NoMarking(problem));
                };
                if count > 0 {
                    marking.words.push(count);
                    let words = tuple.iter().zip(&info.columns);
                    marking.words.extend(words.map(|(&element, column)| match column.kind {
                        Kind::Symmetric => word(first[column.class as usize] + element, 0),
                        _ => element,
                    }));
                }
            }
            if let Some(fixed) = &info.fixed {
                if marking.words[from as usize..] != fixed.words {
                    let problem =
                        format!("place {id} does not hold its initial tokens, which never change");
                    return Err(NoMarking(problem));
                }
                marking.words.truncate(from as usize);
            }
            marking.ranges[id as usize] = (from, marking.words.len() as u32);
        }
        let singles: Vec<u32> = (0..marking.sizes.len() as u32).collect();
        self.regroup.regroup(&rules, &mut marking, &singles);
        Ok(self.encode(&marking))
    }

    /// A concrete marking that belongs to a symbolic one, given as canonical bytes: elements of
    /// dynamic subclasses in the order of these. Tokens are sorted.
    #[must_use]
    pub fn representative(&mut self, bytes: &[u8]) -> Vec<Tokens> {
        let marking = self.decode(bytes);
        let first = first_elements(&self.rules, &marking);
        let mut tokens = Vec::new();
        for (id, place) in self.rules.places.iter().enumerate() {
            for entry in marking.all_entries(id as u32, place) {
                let tuples = spelled(&marking, &first, &entry[1..], &place.columns);
                let place = PlaceId(id as u32);
                tokens.extend(tuples.into_iter().map(|tuple| Tokens {
                    place,
                    tuple,
                    count: entry[0],
                }));
            }
        }
        tokens.sort_unstable();
        tokens
    }
}

/// The first element of each dynamic subclass, when those of a class follow each other.
fn first_elements(rules: &Rules, marking: &Marking) -> Vec<u32> {
    let mut first = Vec::new();
    let (mut class, mut next) = (u32::MAX, 0);
    for (&subclass, &size) in marking.subclasses.iter().zip(&marking.sizes) {
        if rules.subclasses[subclass as usize].class != class {
            class = rules.subclasses[subclass as usize].class;
            next = 0;
        }
        first.push(next);
        next += size;
    }
    first
}

/// The concrete tuples of an entry.
fn spelled(marking: &Marking, first: &[u32], entry: &[u32], columns: &[Column]) -> Vec<Vec<u32>> {
    let is_symmetric = |i: usize| columns[i].kind == Kind::Symmetric;
    let mut tuples = vec![Vec::with_capacity(entry.len())];
    for (i, &this) in entry.iter().enumerate() {
        if !is_symmetric(i) {
            tuples.iter_mut().for_each(|tuple| tuple.push(this));
            continue;
        }
        let of = dynamic(this) as usize;
        let same = |j: &usize| is_symmetric(*j) && dynamic(entry[*j]) as usize == of;
        let mut longer = Vec::new();
        for tuple in tuples {
            let fits = |element: &u32| {
                (0..i).filter(same).all(|j| (tuple[j] == *element) == (entry[j] == this))
            };
            let elements = (first[of]..first[of] + marking.sizes[of]).filter(fits);
            longer.extend(elements.map(|element| [&tuple[..], &[element]].concat()));
        }
        tuples = longer;
    }
    tuples
}
