//! Tokens counted as bytes are read, without making a marking of them.
//!
//! Where no dynamic subclass has more than one element, an entry stands for one tuple, and the number
//! of entries and their counts say all. So it is in nets without symmetric classes, and in most
//! markings where a class is small. Cost: a few operations for each marked place, and one for each
//! entry whose count is not 1.

use explore::varint;

use super::{Packer, marked_below};
use crate::explicit::rules::Rules;

impl Packer {
    /// Calls `visit` for each marked place with its tokens and the largest count of an entry. `false`, and
    /// nothing is visited, if there is a dynamic subclass of more than one element.
    pub(crate) fn count(
        &mut self,
        rules: &Rules,
        mut bytes: &[u8],
        mut visit: impl FnMut(u32, u64, u32),
    ) -> bool {
        let rest = &mut bytes;
        if !self.has_single_elements(rules, rest) {
            return false;
        }
        let (bitmap, places) = rest.split_at(rules.moving.len().div_ceil(8));
        *rest = places;
        for i in marked_below(bitmap, rules.moving.len()) {
            let id = rules.moving[i];
            let place = &rules.places[id as usize];
            let header = varint::read(rest);
            if place.columns.is_empty() {
                visit(id, header, header as u32);
                continue;
            }
            let entries = header >> 1;
            let width = self.width(place);
            if width > 32 {
                (0..entries * place.columns.len() as u64).for_each(|_| {
                    varint::read(rest);
                });
            } else {
                *rest = &rest[entries as usize * width.div_ceil(8) as usize..];
            }
            let (mut tokens, mut most) = (entries, 1);
            if header & 1 == 0 {
                (tokens, most) = (0, 0);
                for _ in 0..entries {
                    let count = varint::read(rest);
                    tokens += count;
                    most = most.max(count as u32);
                }
            }
            visit(id, tokens, most);
        }
        true
    }

    /// Reads what comes before the bits of places: whether all dynamic subclasses have one element.
    fn has_single_elements(&mut self, rules: &Rules, rest: &mut &[u8]) -> bool {
        if varint::read(rest) > 0 {
            return false;
        }
        // The number of automorphisms.
        varint::read(rest);
        let mut single = true;
        self.first.clear();
        self.first.resize(rules.classes.len() + 1, 0);
        for subclass in &rules.subclasses {
            let mut count = subclass.size;
            if subclass.size > 1 {
                count = varint::read(rest) as u32;
                (0..count).for_each(|_| single &= varint::read(rest) == 1);
            }
            self.first[subclass.class as usize + 1] += count;
        }
        self.add_up(rules);
        single
    }
}
