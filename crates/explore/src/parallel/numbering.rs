//! The order of what is new in a wave.
//!
//! Each desk has its new strings in order, and they are to be put into one. No comparing is needed: the
//! successors of the wave are counted through, and the new ones marked in a bitmap. The number of marks
//! before a string is its place. Cost: a few nanoseconds for each new string, a bit for each successor. This is what one
//! thread does while the others wait, so it touches no string and no table.

use super::desk::Fresh;
use super::outbox::Location;
use crate::StateId;

#[derive(Default)]
pub(crate) struct Numbering {
    /// A bit for each successor of the wave.
    marks: Vec<u64>,
    /// The number of marks before each word.
    before: Vec<u32>,
    /// Of each new string: the source from which it was first found, and the label.
    pub(crate) steps: Vec<(StateId, u32)>,
    /// Of each new string: where it is, if it is with those who found it.
    pub(crate) strings: Vec<Location>,
    /// The desk of each new string.
    pub(crate) desks: Vec<u8>,
}

impl Numbering {
    /// Puts the new strings of all desks in order.
    pub(crate) fn number<'f>(
        &mut self,
        successors: usize,
        fresh: impl Iterator<Item = impl Iterator<Item = (&'f Fresh, Location)>> + Clone,
    ) {
        let Numbering { marks, before, .. } = self;
        marks.clear();
        marks.resize(successors.div_ceil(64), 0);
        for (fresh, _) in fresh.clone().flatten() {
            marks[fresh.place as usize / 64] |= 1 << (fresh.place % 64);
        }
        before.clear();
        let mut count = 0;
        before.extend(marks.iter().map(|word| {
            count += word.count_ones();
            count - word.count_ones()
        }));
        self.steps.resize(count as usize, (StateId(0), 0));
        self.strings.resize(count as usize, Location::default());
        self.desks.resize(count as usize, 0);
        for (desk, fresh) in (0..).zip(fresh) {
            for (&Fresh { place, source, label, .. }, string) in fresh {
                let number = self.rank(place);
                self.steps[number] = (source, label);
                self.strings[number] = string;
                self.desks[number] = desk;
            }
        }
    }

    /// The number of new strings before the one that is this successor of the wave.
    #[inline]
    pub(crate) fn rank(&self, place: u32) -> usize {
        let (word, bit) = (place as usize / 64, place % 64);
        let earlier = self.marks[word] & ((1 << bit) - 1);
        (self.before[word] + earlier.count_ones()) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puts_desks_in_one_order() {
        let mut numbering = Numbering::default();
        for successors in [0, 1, 63, 64, 65, 1000] {
            // The desk of each successor, if it is new.
            let desk = |place: u32| match place % 7 {
                0 | 3 => Some(place % 3),
                5 => Some(3),
                _ => None,
            };
            let fresh = |of: u32| -> Vec<Fresh> {
                let places = (0..successors).filter(|&place| desk(place) == Some(of));
                let source = |place: u32| StateId(place / 10);
                let fresh = |place| Fresh { place, source: source(place), label: place, hash: 0 };
                places.map(fresh).collect()
            };
            let all = [fresh(0), fresh(1), fresh(2), fresh(3)];
            let string =
                |fresh: &Fresh| Location { offset: 3 * fresh.place, ..Location::default() };
            let located = |fresh| (fresh, string(fresh));
            let located = all.iter().map(|fresh| fresh.iter().map(located));
            numbering.number(successors as usize, located);
            let expected = (0..successors).filter(|&place| desk(place).is_some());
            let labels: Vec<u32> = numbering.steps.iter().map(|step| step.1).collect();
            assert!(expected.clone().eq(labels), "{successors} successors");
            assert!(numbering.steps.iter().all(|step| step.0.0 == step.1 / 10));
            let desks = numbering.desks.iter().map(|&desk| Some(u32::from(desk)));
            assert!(expected.clone().map(desk).eq(desks), "{successors} successors");
            let offsets = numbering.strings.iter().map(|string| string.offset);
            assert!(expected.clone().map(|place| 3 * place).eq(offsets), "{successors} successors");
            assert!(expected.map(|place| numbering.rank(place)).eq(0..numbering.steps.len()));
        }
    }
}
