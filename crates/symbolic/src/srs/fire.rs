//! Firing an instance of a transition (paper, section 4).
//!
//! In the C motif of a static subclass, the elements that the instance names are split off in all
//! ways, and written in front as dynamic subclasses of their own (the paper's `add dim`). A size is
//! changed where it is read; all that is carried on is who was split off where, and what is left,
//! as far as tensors can tell. In each tensor, cells are copied for the elements split off; then
//! what is taken and read must be there, what inhibits must not, and what is put is added.

use std::collections::BTreeMap;

use ddd::Result;

use super::instance::Role;
use super::layout::{Layout, Place, code, index_of, subclass_of};
use super::pass::Operation;
use super::tensor::{Tensor, TensorId, renumber};
use crate::word::{dynamic, word};
use crate::{Fault, PlaceId, SrsError};

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

    /// The sizes of dynamic subclasses afterwards, as far as they matter.
    fn sizes(&self, on: &Layout) -> Vec<Vec<u32>> {
        let named = &on.instances[self.instance].named;
        let parts = self.parts.iter().zip(named);
        let mut sizes: Vec<Vec<u32>> = parts
            .map(|(parts, &named)| {
                let left = parts.iter().map(|part| part.left).filter(|&left| left > 0);
                (0..named).map(|_| 1).chain(left).collect()
            })
            .collect();
        sizes.resize(on.subclasses.len(), Vec::new());
        sizes
    }

    /// The cells of a tensor after named elements have been split off.
    fn split(&self, on: &Layout, place: &Place, tensor: &Tensor) -> BTreeMap<Vec<u32>, u32> {
        let named = &on.instances[self.instance].named;
        let mut cells = BTreeMap::new();
        for (tuple, count) in tensor.cells(place) {
            let mut splitting = Splitting {
                parts: &self.parts,
                named,
                place,
                tuple,
                new: Vec::with_capacity(tuple.len()),
            };
            splitting.component(&mut |tuple| {
                cells.insert(tuple.to_vec(), count);
            });
        }
        cells
    }

    /// The marking of a place after firing; `None` if the instance is not enabled.
    fn fired(&self, on: &Layout, id: u32, tensor: TensorId) -> Result<Option<TensorId>> {
        let instance = &on.instances[self.instance];
        let place = &on.places[id as usize];
        let arcs = &on.arcs[instance.transition][id as usize];
        let is_split = place.domain.iter().zip(&place.symmetric).any(|(class, &is_symmetric)| {
            is_symmetric && on.statics(class.0).any(|s| instance.named[s as usize] > 0)
        });
        if !is_split && arcs.is_empty() {
            return Ok(Some(tensor));
        }
        let mut cells = self.split(on, place, &on.tensor(tensor));
        if !arcs.is_empty() {
            let sizes = self.sizes(on);
            let scope = instance.scope(on);
            let mut needs: BTreeMap<Vec<u32>, [u64; 3]> = BTreeMap::new();
            for (role, term) in arcs {
                let mut matching = 0_u64;
                scope.for_each_tuple(term, &place.domain, &sizes, &mut |mut tuple, ways| {
                    renumber(place, &mut tuple);
                    if *role == Role::Inhibit {
                        let there = cells.get(&tuple).copied().unwrap_or(0);
                        matching = matching.saturating_add(u64::from(there).saturating_mul(ways));
                    } else {
                        let amounts = needs.entry(tuple).or_default();
                        amounts[*role as usize] += u64::from(term.count);
                    }
                });
                if *role == Role::Inhibit && matching >= u64::from(term.count) {
                    return Ok(None);
                }
            }
            for (tuple, [take, read, put]) in needs {
                let count = cells.entry(tuple).or_insert(0);
                if u64::from(*count) < take + read {
                    return Ok(None);
                }
                let after = u32::try_from(u64::from(*count) - take + put);
                let too_many = SrsError::Fault(Fault::TooManyTokens(PlaceId(id)));
                *count = after.map_err(|_| on.give_up(too_many))?;
            }
        }
        Ok(Some(on.number(Tensor::new(place, cells.into_iter().collect()))))
    }
}

/// A tuple whose elements may be split off.
struct Splitting<'a> {
    parts: &'a [Vec<Remainder>],
    named: &'a [u32],
    place: &'a Place,
    tuple: &'a [u32],
    new: Vec<u32>,
}

impl Splitting<'_> {
    /// Goes on with the next component, in all ways.
    fn component(&mut self, visit: &mut impl FnMut(&[u32])) {
        let i = self.new.len();
        let Some(&old) = self.tuple.get(i) else { return visit(&self.new) };
        let symmetric = &self.place.symmetric;
        let again = (0..i).find(|&j| symmetric[i] && symmetric[j] && self.tuple[j] == old);
        if !symmetric[i] || again.is_some() {
            self.new.push(again.map_or(old, |j| self.new[j]));
            self.component(visit);
            self.new.pop();
            return;
        }
        let (subclass, index) = (subclass_of(dynamic(old)), index_of(dynamic(old)) as usize);
        let parts = &self.parts[subclass as usize];
        let part = &parts[index];
        let named = self.named[subclass as usize];
        for element in (0..named).filter(|element| part.named >> element & 1 == 1) {
            let new = word(code(subclass, element), 0);
            if !self.is_met(new) {
                self.new.push(new);
                self.component(visit);
                self.new.pop();
            }
        }
        let before = parts[..index].iter().filter(|part| part.left > 0).count() as u32;
        let of = code(subclass, named + before);
        let met = (0..part.left).take_while(|&which| self.is_met(word(of, which))).count() as u32;
        if met < part.left {
            self.new.push(word(of, met));
            self.component(visit);
            self.new.pop();
        }
    }

    fn is_met(&self, value: u32) -> bool {
        let mut met = self.new.iter().zip(&self.place.symmetric);
        met.any(|(&other, &is_symmetric)| is_symmetric && other == value)
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
        let enough = on.enough[on.subclasses[subclass as usize].class as usize];
        let mut ways = Vec::new();
        // All subsets of those not split off yet.
        let mut chosen = open;
        loop {
            if chosen.count_ones() <= size {
                let left = size - chosen.count_ones();
                let mut next = so_far.clone();
                let part = Remainder { named: chosen, left: left.min(enough) };
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
