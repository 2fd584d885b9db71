//! Which members of a class are alike, and whether rotations make no difference.
//!
//! Two members are alike when swapping them is a symmetry. As (a c) = (a b)(b c)(a b), that is an
//! equivalence, so each member is compared with one of each part found so far. Before that, members are
//! coloured: two of different colours occur in different ways, and need not be compared. Colours are
//! hashes; where two are the same by chance, a comparison tells.
//!
//! With no more than a few parts to a colour the cost is that of the items times these few. Members that
//! all occur in the same way and yet are all different, as those of a ring that is listed arc by arc,
//! would need each compared with each; when that takes too long, those that are left are taken for
//! different, which is sound.

use std::collections::HashMap;

use super::form::{Renaming, hashed, mixed};
use super::items::Items;
use crate::EnumId;

/// How often colours are refined at most.
const ROUNDS: usize = 4;
/// How many items may be looked at, whatever the net; and how many times the occurrences of members.
const LOOKS: u64 = 1 << 21;
const LOOKS_PER_OCCURRENCE: u64 = 16;

/// The parts of a class: the members that are alike, in ascending order.
pub(super) struct Alike {
    pub(super) parts: Vec<Vec<u32>>,
    /// Whether each member was compared with all that might be like it.
    pub(super) is_settled: bool,
}

/// The coarsest partition of a class within whose parts all permutations are symmetries.
pub(super) fn alike(items: &Items, class: EnumId, size: u32) -> Alike {
    let colours = colours(items, class, size);
    let total: usize = (0..size).map(|member| items.with(class, member).len()).sum();
    let mut looks = LOOKS + LOOKS_PER_OCCURRENCE * total as u64;
    let mut parts: Vec<Vec<u32>> = Vec::new();
    let mut is_settled = true;
    let mut of_colour: HashMap<u64, Vec<usize>> = HashMap::new();
    for member in 0..size {
        let candidates = of_colour.entry(colours[member as usize]).or_default();
        let mut found = None;
        for &part in &*candidates {
            if looks == 0 {
                is_settled = false;
                break;
            }
            if are_alike(items, class, parts[part][0], member, &mut looks) {
                found = Some(part);
                break;
            }
        }
        match found {
            Some(part) => parts[part].push(member),
            None => {
                candidates.push(parts.len());
                parts.push(vec![member]);
            }
        }
    }
    Alike { parts, is_settled }
}

fn are_alike(items: &Items, class: EnumId, a: u32, b: u32, looks: &mut u64) -> bool {
    let swap = Renaming::swap(class, a, b);
    let mut listed = items.with(class, a).iter().chain(items.with(class, b));
    listed.all(|item| {
        *looks = looks.saturating_sub(1);
        items.is_kept(*item, &swap)
    })
}

/// The items that keep a renaming from being a symmetry, among those that list these members.
pub(super) fn broken(
    items: &Items,
    class: EnumId,
    members: impl Iterator<Item = u32>,
    by: &Renaming,
) -> Vec<u32> {
    let listed = members.flat_map(|member| items.with(class, member));
    let mut broken: Vec<u32> = listed.copied().filter(|item| !items.is_kept(*item, by)).collect();
    broken.sort_unstable();
    broken.dedup();
    broken
}

/// A colour for each member; members that are alike have the same.
fn colours(items: &Items, class: EnumId, size: u32) -> Vec<u64> {
    let mut listing: Vec<u32> =
        (0..size).flat_map(|member| items.with(class, member)).copied().collect();
    listing.sort_unstable();
    listing.dedup();
    let mut colours = vec![0_u64; size as usize];
    let mut number = 1;
    let mut occurrences = Vec::new();
    for _ in 0..ROUNDS {
        let mut next = colours.clone();
        for item in &listing {
            let (site, form, count) = items.list[*item as usize];
            occurrences.clear();
            let print =
                mixed(form.print(class, &colours, 0, &mut occurrences), hashed(&(site, count)));
            for (member, place) in &occurrences {
                let colour = &mut next[*member as usize];
                *colour = colour.wrapping_add(mixed(print, *place));
            }
        }
        colours = next;
        let mut distinct = colours.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() <= number {
            break;
        }
        number = distinct.len();
    }
    colours
}
