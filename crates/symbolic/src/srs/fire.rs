//! Firing an instance of a transition (paper, section 4).
//!
//! In the C motif of a static subclass, the elements that the instance names are split off in all
//! ways, and written in front as dynamic subclasses of their own (the paper's `add dim`). A size is
//! changed where it is read; all that is carried on is who was split off where, and what is left,
//! as far as tensors can tell. A tensor is fired by the explicit engine (`explicit/fire.rs`), as a
//! marking of which one place is looked at.

use ddd::Result;

use super::layout::{Layout, code, index_of, subclass_of};
use super::pass::Operation;
use super::tensor::{Tensor, TensorId};
use crate::SrsError;
use crate::explicit::bind::Binder;
use crate::explicit::fire::Firing;
use crate::explicit::marking::Marking;
use crate::explicit::plan::Plan;
use crate::word::{dynamic, nth, word};

/// What the explicit engine works with.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The marking that is fired.
    source: Marking,
    binder: Binder,
    pub(super) firing: Firing,
    /// By static subclass, its first dynamic subclass in the source.
    first: Vec<u32>,
    /// By static subclass, the words of named elements in the source.
    elements: Vec<Vec<u32>>,
}

/// What became of a dynamic subclass.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Remainder {
    /// The named elements that were split off, as bits.
    named: u32,
    /// How many elements are left, as far as it matters.
    left: u32,
}

/// Fires an instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fire {
    instance: usize,
    /// For each static subclass read so far, what became of its dynamic subclasses.
    parts: Vec<Vec<Remainder>>,
}

impl Fire {
    pub(super) fn new(instance: usize) -> Self {
        Self { instance, parts: Vec::new() }
    }

    /// Partitions static subclasses as they are before firing. Of one that has not been read there are
    /// the named elements.
    fn partition(&self, on: &Layout, scratch: &mut Scratch) {
        let instance = &on.instances[self.instance];
        let Scratch { source, binder, first, elements, .. } = scratch;
        source.clear();
        source.ranges.resize(on.rules.places.len(), (0, 0));
        binder.named.clear();
        first.clear();
        elements.resize(instance.named.len(), Vec::new());
        for (subclass, (&named, elements)) in (0..).zip(instance.named.iter().zip(&mut *elements)) {
            let unread = [Remainder { named: (1 << named) - 1, left: 0 }];
            first.push(source.sizes.len() as u32);
            elements.clear();
            elements.resize(named as usize, 0);
            for part in self.parts.get(subclass as usize).map_or(&unread[..], Vec::as_slice) {
                let of = source.sizes.len() as u32;
                let split_off = (0..named).filter(|element| part.named >> element & 1 == 1);
                for (which, element) in (0..).zip(split_off) {
                    elements[element as usize] = word(of, which);
                }
                source.subclasses.push(subclass);
                source.sizes.push(part.named.count_ones() + part.left);
                binder.named.push(part.named.count_ones());
            }
        }
        let symmetric = &on.rules.transitions[instance.transition].symmetric;
        let values = instance.values.iter().zip(symmetric);
        binder.values.clear();
        binder.values.extend(values.map(|(&value, &is_symmetric)| match is_symmetric {
            true => elements[dynamic(value) as usize][nth(value) as usize],
            false => value,
        }));
    }

    /// The codes of dynamic subclasses after firing: named elements come first.
    fn codes(&self, on: &Layout, scratch: &Scratch) -> Vec<u32> {
        let Scratch { firing, first, elements, .. } = scratch;
        let mut codes = vec![0; firing.target.sizes.len()];
        for (subclass, parts) in (0..).zip(&self.parts) {
            let left = (first[subclass as usize]..).zip(parts).filter(|(_, part)| part.left > 0);
            let named = on.instances[self.instance].named[subclass as usize];
            for (index, (of, _)) in (named..).zip(left) {
                codes[of as usize] = code(subclass, index);
            }
            for (index, &element) in (0..).zip(&elements[subclass as usize]) {
                codes[dynamic(firing.split.single(element)) as usize] = code(subclass, index);
            }
        }
        codes
    }

    /// The marking of a place after firing; `None` if the instance is not enabled.
    fn fired(&self, on: &Layout, id: u32, tensor: TensorId) -> Result<Option<TensorId>> {
        let (rules, place) = (&on.rules, on.place(id));
        let instance = &on.instances[self.instance];
        let transition = &rules.transitions[instance.transition];
        let inhibits = |plan: &Plan| plan.places().any(|other| other == id);
        let mut inhibitors = transition.inhibitors.iter().filter(|i| inhibits(&i.plan)).peekable();
        let mut named = instance.named.iter().zip(&rules.subclasses);
        if !named.any(|(&named, subclass)| named > 0 && place.has(subclass.class))
            && transition.touches.iter().all(|touch| touch.place != id)
            && inhibitors.peek().is_none()
        {
            return Ok(Some(tensor));
        }
        let scratch = &mut *on.scratch();
        self.partition(on, scratch);
        let Scratch { source, binder, firing, first, .. } = scratch;
        let number = |code: u32| first[subclass_of(code) as usize] + index_of(code);
        source.words = Tensor::new(place, &on.tensor(tensor).words, number).words;
        source.ranges[id as usize] = (0, source.words.len() as u32);
        if inhibitors.any(|inhibitor| binder.is_inhibited(rules, source, inhibitor)) {
            return Ok(None);
        }
        let enabled = firing.fire_at(rules, source, transition, binder, id);
        if !enabled.map_err(|fault| on.give_up(SrsError::Fault(fault)))? {
            return Ok(None);
        }
        let codes = self.codes(on, scratch);
        let target = &scratch.firing.target;
        let words = &target.words[target.range(id)];
        Ok(Some(on.number(Tensor::new(place, words, |of| codes[of as usize]))))
    }
}

impl Operation for Fire {
    fn size(&self, on: &Layout, subclass: u32, index: u32, size: u32) -> Vec<(Vec<u32>, Self)> {
        let instance = &on.instances[self.instance];
        let named = instance.named[subclass as usize];
        let mut so_far = self.clone();
        if index == 0 {
            so_far.parts.push(Vec::new());
        }
        let parts = &so_far.parts[subclass as usize];
        let open = parts.iter().fold((1_u32 << named) - 1, |open, part| open & !part.named);
        let mut ways = Vec::new();
        // All subsets of those not split off yet.
        let mut chosen = open;
        loop {
            if chosen.count_ones() <= size {
                let left = size - chosen.count_ones();
                let mut next = so_far.clone();
                let part = Remainder { named: chosen, left: on.cut(subclass, left) };
                next.parts[subclass as usize].push(part);
                let singles = if index == 0 { named } else { 0 };
                let left = (left > 0).then_some(left);
                ways.push(((0..singles).map(|_| 1).chain(left).collect(), next));
            }
            if chosen == 0 {
                return ways;
            }
            chosen = (chosen - 1) & open;
        }
    }

    fn end(&self, on: &Layout, subclass: u32, count: u32) -> Option<Self> {
        let named = on.instances[self.instance].named[subclass as usize];
        let mut next = self.clone();
        if count == 0 {
            next.parts.push(Vec::new());
        }
        let split_off = next.parts[subclass as usize].iter().fold(0, |all, part| all | part.named);
        (split_off.count_ones() == named).then_some(next)
    }

    fn place(&self, on: &Layout, place: u32, tensor: TensorId) -> Result<Option<(TensorId, Self)>> {
        Ok(self.fired(on, place, tensor)?.map(|tensor| (tensor, self.clone())))
    }
}
