//! Random heaps of three to eight threads and objects.

use random::Random;

use super::picture::{
    ENDED_MAIN, ENDED_WORKER, GLOBALS, MAIN, OBJECTS, POINTS, Picture, Tree, WORKER,
};
use crate::heap::Class;
use crate::value::Kind;

/// What heaps look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Anything.
    Wild,
    /// Threads in bags of the global variables, and locks that few of them know.
    Crowd,
    /// Each refers to two others, by two random permutations.
    Ties,
    /// Threads between forks, in a ring.
    Ring,
    /// The same twice.
    Twins,
    /// Threads that refer to members, which are in a bag of the global variables, and perhaps in a ring.
    Members,
}

/// The shapes, each with how many of a hundred heaps have it.
pub const SHAPES: [(Shape, usize); 6] = [
    (Shape::Wild, 45),
    (Shape::Crowd, 20),
    (Shape::Ties, 5),
    (Shape::Ring, 5),
    (Shape::Twins, 15),
    (Shape::Members, 10),
];

struct Heaps<'r> {
    random: &'r mut Random,
    /// The objects that may be referred to: most often those from a place on.
    count: usize,
    few: usize,
}

impl Heaps<'_> {
    fn reference(&mut self) -> Tree {
        let from = if self.random.percent(80) { self.few } else { 0 };
        Tree::Reference(from + self.random.below(self.count - from))
    }

    fn leaf(&mut self) -> Tree {
        match self.random.below(10) {
            0 => Tree::Nothing,
            1..=2 => Tree::Number(self.random.below(3)),
            _ => self.reference(),
        }
    }

    /// Some trees; their number is random.
    fn several(&mut self, most: usize, make: &mut dyn FnMut(&mut Self) -> Tree) -> Vec<Tree> {
        (0..self.random.below(most + 1)).map(|_| make(self)).collect()
    }

    /// A bag: of references, of records, of bags; or a map by references.
    fn bag(&mut self) -> Tree {
        let kind = if self.random.percent(25) { Kind::BagMap } else { Kind::Bag };
        let record = |heaps: &mut Self| {
            let parts = (0..2).map(|_| heaps.leaf()).collect();
            Tree::Composite(Kind::Record, parts)
        };
        let parts = match (kind, self.random.below(10)) {
            (Kind::BagMap, what) => {
                let mut pairs = Vec::new();
                for _ in 0..self.random.below(4) {
                    let key = if what < 8 { self.reference() } else { record(self) };
                    let value = if what % 4 < 3 { self.leaf() } else { self.bag() };
                    pairs.extend([key, value]);
                }
                pairs
            }
            (_, 0) => self.several(2, &mut Self::bag),
            (_, 1..=3) => self.several(3, &mut { record }),
            (_, 4) => self.several(3, &mut Self::leaf),
            _ => self.several(4, &mut Self::reference),
        };
        Tree::Composite(kind, parts)
    }

    fn tree(&mut self, bags: u32) -> Tree {
        if self.random.percent(bags) {
            return self.bag();
        }
        match self.random.below(20) {
            0 => Tree::Composite(Kind::Sequence, self.several(3, &mut Self::leaf)),
            1 => {
                let parts = vec![self.leaf(), self.tree(30)];
                let case = self.random.below(2);
                let kinds = [Kind::Record, Kind::Case(case), Kind::Sequence];
                Tree::Composite(*self.random.pick(&kinds), parts)
            }
            2 => Tree::Composite(Kind::Present, vec![self.leaf()]),
            3 => {
                let number = |heaps: &mut Self| Tree::Number(heaps.random.below(3));
                match self.random.percent(50) {
                    true => Tree::Composite(Kind::Set, self.several(3, &mut { number })),
                    false => {
                        let pairs = self.several(2, &mut { number });
                        let pairs = pairs.into_iter().flat_map(|key| [key, self.leaf()]);
                        Tree::Composite(Kind::Map, pairs.collect())
                    }
                }
            }
            _ => self.leaf(),
        }
    }

    /// The frames of a thread: one, or two.
    fn frames(&mut self, most: usize) -> Vec<Tree> {
        let mut fields = Vec::new();
        for _ in 0..1 + usize::from(self.random.percent(15)) {
            fields.push(Tree::Number(self.random.below(POINTS)));
            for _ in 0..self.random.below(most + 1) {
                let local = self.tree(10);
                fields.push(local);
            }
        }
        fields
    }

    fn other(&mut self, class: Class) -> (Class, Vec<Tree>) {
        let fields = match class {
            WORKER | MAIN => self.frames(2),
            ENDED_WORKER => match self.random.below(3) {
                0 => Vec::new(),
                1 => vec![Tree::Number(0)],
                _ => vec![Tree::Number(1), self.leaf()],
            },
            _ => (0..self.random.below(3)).map(|_| self.tree(25)).collect(),
        };
        (class, fields)
    }
}

/// A random heap, as it is drawn. The first object are the global variables, the second is the first thread; if that is
/// not single there may be others of its kind.
pub fn heap(random: &mut Random, shape: Shape, is_main_single: bool) -> Picture {
    let count = 3 + random.below(6_usize);
    let main = if random.percent(80) { MAIN } else { ENDED_MAIN };
    let mut heaps = Heaps { random, count, few: 2 };
    let mut classes: Vec<Class> = (2..count)
        .map(|_| match heaps.random.below(10) {
            0..=3 => WORKER,
            4 => ENDED_WORKER,
            5 if !is_main_single => MAIN,
            _ => Class(1 + heaps.random.below(u32::from(OBJECTS)) as u16),
        })
        .collect();
    let mut objects = vec![(GLOBALS, Vec::new()), (main, Vec::new())];
    let names_few = heaps.random.percent(70);
    let roots = if names_few { 60 } else { 15 };
    for _ in 0..heaps.random.below(4) {
        let tree = match heaps.random.percent(roots) {
            true => heaps.bag(),
            false if names_few => Tree::Number(heaps.random.below(3)),
            false => heaps.tree(20),
        };
        objects[0].1.push(tree);
    }
    objects[1].1 = match main {
        MAIN => heaps.frames(1),
        _ => Vec::new(),
    };
    let rest = count - 2;
    match shape {
        Shape::Wild => {
            for class in classes {
                objects.push(heaps.other(class));
            }
        }
        Shape::Crowd => {
            // Locks come last; whoever refers to something refers to one of them.
            let locks = 1 + heaps.random.below(rest.div_ceil(2));
            heaps.few = count - locks;
            classes.sort_by_key(|class| ![WORKER, MAIN, ENDED_WORKER].contains(class));
            for (number, class) in classes.into_iter().enumerate() {
                let is_lock = number + locks >= rest;
                let class = if is_lock { Class(1) } else { class };
                let mut object = heaps.other(class);
                if is_lock {
                    object.1.truncate(1);
                }
                objects.push(object);
            }
        }
        Shape::Ties => {
            let mut permutations: [Vec<usize>; 2] = [(2..count).collect(), (2..count).collect()];
            permutations.iter_mut().for_each(|one| heaps.random.shuffle(one));
            let class = if heaps.random.percent(70) { WORKER } else { Class(1) };
            for number in 0..rest {
                let mut fields = vec![Tree::Number(0)];
                fields.extend(permutations.iter().map(|one| Tree::Reference(one[number])));
                objects.push((class, fields));
            }
            let members = (2..count).map(Tree::Reference).collect();
            objects[0].1.push(Tree::Composite(Kind::Bag, members));
        }
        Shape::Ring => {
            let places = rest / 2;
            for number in 0..places {
                let forks = [number, (number + 1) % places].map(|fork| 2 + places + fork);
                let mut fields = vec![Tree::Number(0)];
                fields.extend(forks.map(Tree::Reference));
                objects.push((WORKER, fields));
            }
            objects.extend((0..rest - places).map(|_| (Class(1), vec![Tree::Number(0)])));
        }
        Shape::Members => {
            let members = 1 + heaps.random.below(rest);
            let first = count - members;
            heaps.few = first;
            for _ in 2..first {
                let thread = heaps.other(WORKER);
                objects.push(thread);
            }
            let is_ring = heaps.random.percent(60);
            for number in 0..members {
                let neighbours = [1, members - 1].map(|steps| first + (number + steps) % members);
                let neighbours = neighbours.into_iter().filter(|_| is_ring);
                objects.push((Class(1), neighbours.map(Tree::Reference).collect()));
            }
            let all = (first..count).map(Tree::Reference).collect();
            objects[0].1.push(Tree::Composite(Kind::Bag, all));
        }
        Shape::Twins => {
            let half = rest.div_ceil(2);
            heaps.count = 2 + half;
            let mut one: Vec<(Class, Vec<Tree>)> = Vec::new();
            for class in classes.into_iter().take(half) {
                one.push(heaps.other(class));
            }
            let mut other = one.clone();
            for (_, fields) in &mut other {
                for field in fields {
                    field.leaves(&mut |leaf| {
                        if let Tree::Reference(object) = leaf
                            && *object >= 2
                        {
                            *object += half;
                        }
                    });
                }
            }
            objects.extend(one);
            objects.extend(other);
        }
    }
    Picture { objects }.tidied()
}

/// Changes one reference or number into another one, or into itself.
pub fn change(random: &mut Random, picture: &mut Picture) {
    let count = picture.objects.len();
    let mut leaves: Vec<&mut Tree> = Vec::new();
    for (_, fields) in &mut picture.objects {
        fields.iter_mut().for_each(|field| field.leaves(&mut |leaf| leaves.push(leaf)));
    }
    if leaves.is_empty() {
        return;
    }
    let leaf = random.below(leaves.len());
    match &mut leaves[leaf] {
        Tree::Number(number) => *number = random.below(POINTS),
        Tree::Reference(object) => *object = random.below(count),
        other => **other = Tree::Reference(random.below(count)),
    }
    *picture = picture.tidied();
}
