//! The permutations of members that make no difference, one by one, and the columns whose order makes none.
//!
//! Read off the enumerations of a net: all that keep each part where the symmetry is full, the rotations
//! where it is that, of several classes independently. They are listed, so classes must be small.

use std::collections::HashMap;
use std::sync::Arc as Shared;

use net::{Enumeration, Group, Net, Symmetry};
use random::Random;
use state::{State, Value};

/// The images of the members of one class, by index.
type Images = Vec<usize>;

/// The permutations of the classes of a net.
pub struct Permutations {
    /// The class and index of each member of a class, by name.
    members: HashMap<Shared<str>, (usize, usize)>,
    names: Vec<Vec<Shared<str>>>,
    /// For each class the images under each of its permutations.
    of_class: Vec<Vec<Images>>,
    /// All choices of a permutation for each class.
    all: Vec<Vec<Images>>,
    /// The groups of each place that has some, by name.
    groups: HashMap<Shared<str>, Vec<Group>>,
}

impl Permutations {
    pub fn of(net: &Net) -> Permutations {
        let classes = || net.enumerations.iter().filter(|e| e.symmetry != Symmetry::None);
        let mut members = HashMap::new();
        for (class, enumeration) in classes().enumerate() {
            for (index, member) in enumeration.members.iter().enumerate() {
                members.insert(member.clone(), (class, index));
            }
        }
        let of_class: Vec<Vec<Images>> = classes().map(permutations).collect();
        let mut all = vec![Vec::new()];
        for class in &of_class {
            let extended = all.iter().flat_map(|chosen: &Vec<Images>| {
                class.iter().map(move |images| [&chosen[..], std::slice::from_ref(images)].concat())
            });
            all = extended.collect();
        }
        let names = classes().map(|enumeration| enumeration.members.clone()).collect();
        let groups = net.places.iter().map(|place| (place.name.clone(), place.groups.clone()));
        Permutations { members, names, of_class, all, groups: groups.collect() }
    }

    /// The number of members of each class.
    pub fn sizes(&self) -> Vec<usize> {
        self.names.iter().map(Vec::len).collect()
    }

    /// The groups of a place.
    pub fn groups(&self, place: &str) -> &[Group] {
        &self.groups[place]
    }

    /// All of them, the images for each class.
    pub fn all(&self) -> &[Vec<Images>] {
        &self.all
    }

    /// The class and index of a value, if it is a member of a class.
    pub fn member(&self, value: &Value) -> Option<(usize, usize)> {
        match value {
            Value::Enum(name) => self.members.get(name).copied(),
            _ => None,
        }
    }

    /// The least member that a permutation takes one to.
    pub fn least(&self, class: usize, member: usize) -> usize {
        let images = self.of_class[class].iter().map(|images| images[member]);
        images.min().expect("the identity is a permutation")
    }

    /// The state after a random permutation.
    pub fn permuted(&self, state: &State, random: &mut Random) -> State {
        let images = random.pick(&self.all);
        let mut result = State::new();
        for place in state.marked() {
            for (token, count) in state.tokens(place) {
                let token = token.iter().map(|value| match self.member(value) {
                    Some((class, member)) => {
                        Value::Enum(self.names[class][images[class][member]].clone())
                    }
                    None => value.clone(),
                });
                assert!(result.put(place, token.collect(), count), "as many as before");
            }
        }
        state.eta().iter().for_each(|(pid, children)| result.activate(pid.clone(), *children));
        result
    }
}

/// The permutations of a class.
fn permutations(class: &Enumeration) -> Vec<Images> {
    let size = class.members.len();
    if class.symmetry == Symmetry::Rotations {
        return (0..size).map(|by| (0..size).map(|m| (m + by) % size).collect()).collect();
    }
    let mut part_of = Vec::new();
    for (number, part) in class.parts.iter().enumerate() {
        part_of.extend((0..part.size).map(|_| number));
    }
    part_of.resize(size, 0);
    let mut found = Vec::new();
    complete(&mut Vec::new(), &part_of, &mut found);
    found
}

/// Lists the ways to complete the images of the first members such that each keeps its part.
fn complete(images: &mut Images, part_of: &[usize], found: &mut Vec<Images>) {
    if images.len() == part_of.len() {
        found.push(images.clone());
        return;
    }
    for image in 0..part_of.len() {
        if !images.contains(&image) && part_of[image] == part_of[images.len()] {
            images.push(image);
            complete(images, part_of, found);
            images.pop();
        }
    }
}
