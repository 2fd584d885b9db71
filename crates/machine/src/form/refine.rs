//! Which object of a component may be the first.
//!
//! Colours by hashes: class and fields, with the names of those that have one, and the bags, named already, that contain
//! it; then, until no cell is split any more, the colours of those that it refers to and that refer to it, by position.
//! The smallest cell counts, and of equally small ones that of the least colour. A cell of one object, such as a lock
//! that only this component knows, acts as a hub of it.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::{Canoniser, Token, UNNAMED};

/// The position that stands for being in a bag.
const IN_BAG: u32 = u32::MAX;

impl Canoniser<'_> {
    /// The objects of a component, none of which is named, of which each is to be tried as the first.
    pub(super) fn candidates(&self, objects: &[u32]) -> Vec<u32> {
        if objects.len() == 1 {
            return objects.to_vec();
        }
        // Arcs between objects of the component: from, position, to.
        let numbers: FxHashMap<u32, usize> = objects.iter().copied().zip(0..).collect();
        let mut arcs: Vec<(usize, u32, usize)> = Vec::new();
        let mut colours: Vec<u64> = Vec::new();
        for (number, object) in objects.iter().enumerate() {
            let mut hasher = FxHasher::default();
            (self.flat.class(*object).0, self.flat.fields(*object)).hash(&mut hasher);
            for (position, token) in (0..).zip(self.flat.tokens(*object)) {
                match token {
                    Token::Nothing => 0_u8.hash(&mut hasher),
                    Token::Number(value) => (1_u8, value).hash(&mut hasher),
                    Token::Reference(other) => {
                        let name = self.names[*other as usize];
                        (2_u8, name).hash(&mut hasher);
                        if name == UNNAMED {
                            arcs.push((number, position, numbers[other]));
                        }
                    }
                    Token::Composite(kind, length) => (3_u8, kind, length).hash(&mut hasher),
                    Token::Bag(bag) => {
                        let bag = &self.flat.bags[*bag as usize];
                        let members = self.flat.members(bag);
                        let names = members.iter().map(|member| self.names[*member as usize]);
                        let mut names: Vec<u32> = names.collect();
                        names.sort_unstable();
                        (4_u8, bag.kind, names).hash(&mut hasher);
                        for member in members {
                            if self.names[*member as usize] == UNNAMED {
                                arcs.push((number, IN_BAG - bag.number, numbers[member]));
                            }
                        }
                    }
                }
            }
            let bags = self.bags_of[*object as usize].iter();
            let bags = bags.map(|bag| &self.flat.bags[*bag as usize]);
            let bags = bags.map(|bag| (self.names[bag.owner as usize], bag.number));
            let mut bags: Vec<(u32, u32)> = bags.filter(|(name, _)| *name != UNNAMED).collect();
            bags.sort_unstable();
            bags.hash(&mut hasher);
            colours.push(hasher.finish());
        }
        let count = |colours: &[u64]| {
            let mut colours = colours.to_vec();
            colours.sort_unstable();
            colours.dedup();
            colours.len()
        };
        let mut cells = count(&colours);
        loop {
            let mut around: Vec<Vec<(u8, u32, u64)>> = vec![Vec::new(); objects.len()];
            for (from, position, to) in &arcs {
                around[*from].push((0, *position, colours[*to]));
                around[*to].push((1, *position, colours[*from]));
            }
            let refined = around.iter_mut().zip(&colours).map(|(around, colour)| {
                around.sort_unstable();
                let mut hasher = FxHasher::default();
                (colour, around).hash(&mut hasher);
                hasher.finish()
            });
            colours = refined.collect();
            let now = count(&colours);
            if now <= cells {
                break;
            }
            cells = now;
        }
        let size = |colour: u64| colours.iter().filter(|other| **other == colour).count();
        let best = colours.iter().map(|colour| (size(*colour), *colour)).min();
        let (_, best) = best.expect("there are objects");
        let is_best = |(_, colour): &(&u32, &u64)| **colour == best;
        objects.iter().zip(&colours).filter(is_best).map(|(object, _)| *object).collect()
    }
}
