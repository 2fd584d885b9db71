//! When two heaps are the same up to who is who, by the definition: a bijection of what is live keeps classes, fields in
//! order, and the elements of bags, however often each is there; roots stay. All bijections are tried.

use std::collections::BTreeSet;

use super::picture::{ENDED_MAIN, MAIN, Picture, Tree, WORKER};
use crate::value::Kind;

/// The objects that fall together only with themselves: the global variables, and the first thread if it is the only one
/// of its kind.
fn roots(picture: &Picture, is_main_single: bool) -> Vec<usize> {
    let is_main = |object: &usize| [MAIN, ENDED_MAIN].contains(&picture.objects[*object].0);
    let mains = (0..picture.objects.len()).filter(|object| is_main_single && is_main(object));
    [0].into_iter().chain(mains).collect()
}

/// What is live: reached from the global variables and from threads that run.
pub fn live(picture: &Picture) -> BTreeSet<usize> {
    fn mentions(tree: &Tree, found: &mut Vec<usize>) {
        match tree {
            Tree::Nothing | Tree::Number(_) => {}
            Tree::Reference(object) => found.push(*object),
            Tree::Composite(_, parts) => parts.iter().for_each(|part| mentions(part, found)),
        }
    }
    let runs = |object: &usize| [MAIN, WORKER].contains(&picture.objects[*object].0);
    let mut pending: Vec<usize> = (0..picture.objects.len()).filter(runs).chain([0]).collect();
    let mut live = BTreeSet::new();
    while let Some(object) = pending.pop() {
        if live.insert(object) {
            picture.objects[object].1.iter().for_each(|tree| mentions(tree, &mut pending));
        }
    }
    live
}

/// A tree in which objects have other names, and elements of bags are sorted. A name that is not known is [`UNKNOWN`].
fn renamed(tree: &Tree, names: &[usize]) -> Tree {
    match tree {
        Tree::Nothing | Tree::Number(_) => tree.clone(),
        Tree::Reference(object) => Tree::Reference(names[*object]),
        Tree::Composite(kind, parts) => {
            let mut parts: Vec<Tree> = parts.iter().map(|part| renamed(part, names)).collect();
            match kind {
                Kind::Bag => parts.sort(),
                Kind::BagMap => {
                    let mut pairs: Vec<Vec<Tree>> = parts.chunks(2).map(<[Tree]>::to_vec).collect();
                    pairs.sort();
                    parts = pairs.concat();
                }
                Kind::Sequence
                | Kind::Set
                | Kind::Map
                | Kind::Record
                | Kind::Case(_)
                | Kind::Present => {}
            }
            Tree::Composite(*kind, parts)
        }
    }
}

const UNKNOWN: usize = usize::MAX;

struct Search<'p> {
    from: &'p Picture,
    /// The fields of the other, with bags sorted.
    to: Vec<Vec<Tree>>,
    /// The objects of the one, and whom each may become.
    objects: Vec<(usize, Vec<usize>)>,
    names: Vec<usize>,
    taken: Vec<bool>,
}

impl Search<'_> {
    fn fields(&self, object: usize) -> Vec<Tree> {
        self.from.objects[object].1.iter().map(|tree| renamed(tree, &self.names)).collect()
    }

    fn is_known(&self, tree: &Tree) -> bool {
        match tree {
            Tree::Nothing | Tree::Number(_) => true,
            Tree::Reference(object) => self.names[*object] != UNKNOWN,
            Tree::Composite(_, parts) => parts.iter().all(|part| self.is_known(part)),
        }
    }

    /// Whether those of whom all is known are what they become.
    fn fits(&self, number: usize) -> bool {
        self.objects[..number].iter().all(|(object, _)| {
            !self.from.objects[*object].1.iter().all(|tree| self.is_known(tree))
                || self.fields(*object) == self.to[self.names[*object]]
        })
    }

    /// Whether there is a bijection, given that of the first objects.
    fn go(&mut self, number: usize) -> bool {
        if !self.fits(number) {
            return false;
        }
        let Some((object, candidates)) = self.objects.get(number).cloned() else { return true };
        candidates.into_iter().any(|candidate| {
            if self.taken[candidate] {
                return false;
            }
            (self.names[object], self.taken[candidate]) = (candidate, true);
            let found = self.go(number + 1);
            (self.names[object], self.taken[candidate]) = (UNKNOWN, false);
            found
        })
    }
}

/// Whether two heaps are the same up to who is who. If a pair is given, the first of it becomes the second.
pub fn are_isomorphic(
    from: &Picture,
    to: &Picture,
    is_main_single: bool,
    pair: Option<(usize, usize)>,
) -> bool {
    let (mine, theirs) = (live(from), live(to));
    if mine.len() != theirs.len() {
        return false;
    }
    let sorted = |picture: &Picture, of: fn(usize) -> usize| -> Vec<Vec<Tree>> {
        let names: Vec<usize> = (0..picture.objects.len()).map(of).collect();
        let fields = picture.objects.iter().map(|(_, fields)| fields);
        fields.map(|fields| fields.iter().map(|tree| renamed(tree, &names)).collect()).collect()
    };
    // What is looked at before bijections: class, and fields in which all identities are one.
    let shapes = [from, to].map(|picture| sorted(picture, |_| 0));
    let is_root = [from, to].map(|picture| roots(picture, is_main_single));
    let may_become = |one: usize, other: usize| {
        from.objects[one].0 == to.objects[other].0
            && shapes[0][one] == shapes[1][other]
            && is_root[0].contains(&one) == is_root[1].contains(&other)
            && pair.is_none_or(|(first, second)| (one == first) == (other == second))
    };
    let objects = mine.iter().map(|one| {
        let candidates = theirs.iter().copied().filter(|other| may_become(*one, *other));
        (*one, candidates.collect())
    });
    let mut search = Search {
        from,
        to: sorted(to, |object| object),
        objects: objects.collect(),
        names: vec![UNKNOWN; from.objects.len()],
        taken: vec![false; to.objects.len()],
    };
    search.go(0)
}
